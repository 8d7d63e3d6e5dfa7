/* Return to sender (rts; thesis 6.2.3): a message of priority 0 that finds no room at
 * its destination travels back at priority 1 and is sent again; one that is accepted is
 * acknowledged. The sender has reserved room for what may come back. */
#ifndef JM_MACHINE_RTS_H
#define JM_MACHINE_RTS_H

#include "emu/machine/netif.h"

typedef struct Rts Rts;

/* The units of all nodes; NULL if there is no memory. */
Rts *rts_create(unsigned nodes);
void rts_destroy(Rts *rts, unsigned nodes); /* NULL is fine */

/* Whether a SEND would be taken, as far as room goes. */
bool rts_has_room(const JmMachine *machine, const Node *node, unsigned priority,
                  const JmWord *words, unsigned count, bool opens);
/* Keeps a routing word until the header comes, without which nothing is reserved. */
void rts_hold(JmMachine *machine, const Node *node, JmWord routing);
/* Takes the routing word that is held; false: there is none. */
bool rts_release(JmMachine *machine, const Node *node, JmWord *routing);
/* Reserves room for a message that a task opens, and returns how many words. */
uint32_t rts_reserve(JmMachine *machine, const Node *node, JmWord header);

/* Takes a word that has arrived if it is not for a queue. Threads may do this for
 * different nodes. The caller looks at the gates of the node then. */
bool rts_takes(JmMachine *machine, Node *node, const NetDelivery *delivery);
/* When a unit has something to do next, or NO_ALARM. */
uint64_t rts_alarm(const JmMachine *machine, const Node *node);
/* Lets a unit offer what it can at the start of this cycle. */
void rts_answer(JmMachine *machine, Node *node);

/* Looks, after the units have answered, whether any node has executed a SUSPEND since
 * so many messages were returned (rts_patience), or for deadlock_cycles while messages
 * were; if none has, the run ends. */
void rts_look(JmMachine *machine);
/* Whether that is so. False without rts. */
bool rts_is_livelocked(const JmMachine *machine);
/* Messages that were returned since a SUSPEND was seen. */
uint64_t rts_bounced(const JmMachine *machine);

/* Words in the hands of a node's unit, a routing word that waits for its header too. */
uint32_t rts_words_kept(const JmMachine *machine, const Node *node);
/* Words of its return memory that are reserved. */
uint32_t rts_words_reserved(const JmMachine *machine, const Node *node);
void rts_statistics(const JmMachine *machine, unsigned node, JmNodeStatistics *out);
/* Whether a task has a message open at an end. */
bool rts_task_is_open(const JmMachine *machine, unsigned node, unsigned priority);
/* Saves or loads; messages have numbers below `numbers`. */
void rts_archive(Archive *archive, JmMachine *machine, uint32_t numbers);

#endif
