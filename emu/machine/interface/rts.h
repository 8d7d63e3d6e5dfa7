/* Return to sender (rts; thesis 6.2.3): a message of priority 0 that finds no room at
 * its destination travels back at priority 1 and is sent again; an accepted one is
 * acknowledged. The sender reserves room for messages that may come back. */
#ifndef JM_MACHINE_RTS_H
#define JM_MACHINE_RTS_H

#include "emu/machine/netif.h"

typedef struct Rts Rts;

/* The units of all nodes; NULL if there is no memory. */
Rts *rts_create(unsigned nodes);
void rts_destroy(Rts *rts, unsigned nodes); /* NULL is ignored */

/* Whether there is room for a SEND. */
bool rts_has_room(const JmMachine *machine, const Node *node, unsigned priority,
                  const JmWord *words, unsigned count, bool opens);
/* Keeps a routing word until the header arrives; without a header nothing is
 * reserved. */
void rts_hold(JmMachine *machine, const Node *node, JmWord routing);
/* Takes the held routing word; false: there is none. */
bool rts_release(JmMachine *machine, const Node *node, JmWord *routing);
/* Reserves room for a message that a task opens, and returns the words reserved. */
uint32_t rts_reserve(JmMachine *machine, const Node *node, JmWord header);

/* Takes a word that has arrived unless it is for a queue. Threads may do this for
 * different nodes. The caller then updates the gates of the node. */
bool rts_takes(JmMachine *machine, Node *node, const NetDelivery *delivery);
/* The cycle of a unit's next action, or NO_ALARM. */
uint64_t rts_alarm(const JmMachine *machine, const Node *node);
/* Lets a unit offer what it can at the start of this cycle. */
void rts_answer(JmMachine *machine, Node *node);

/* Checks, after the units have acted, for livelock: no node has executed a SUSPEND for
 * rts_patience returned messages, or for deadlock_cycles while messages were returned.
 * If so, the run ends. */
void rts_look(JmMachine *machine);
/* Whether messages bounce so. False without rts. */
bool rts_is_livelocked(const JmMachine *machine);
/* Messages returned since the last SUSPEND seen. */
uint64_t rts_bounced(const JmMachine *machine);

/* Words held by a node's unit, including a routing word that waits for its header. */
uint32_t rts_words_kept(const JmMachine *machine, const Node *node);
/* Reserved words of its return memory. */
uint32_t rts_words_reserved(const JmMachine *machine, const Node *node);
void rts_statistics(const JmMachine *machine, unsigned node, JmNodeStatistics *out);
/* Whether a task has a message open at an end. */
bool rts_task_is_open(const JmMachine *machine, unsigned node, unsigned priority);
/* Saves or loads; messages have numbers below `numbers`. */
void rts_archive(Archive *archive, JmMachine *machine, uint32_t numbers);

#endif
