/* Return to sender (rts; thesis 6.2.3): a message of priority 0 that finds no room at
 * its destination travels back at priority 1 and is sent again; an accepted one is
 * acknowledged. The sender reserves room for messages that may come back. */
#ifndef JM_MACHINE_RTS_H
#define JM_MACHINE_RTS_H

#include "emu/machine/link/interface.h"

typedef struct Rts Rts;

extern const InterfaceUnit interface_returns;

/* Whether messages bounce without end: no node has executed a SUSPEND for rts_patience
 * returned messages, or for deadlock_cycles while messages were returned. False without
 * rts. */
bool rts_is_livelocked(const JmMachine *machine);
/* Returns how many messages have been returned since the last SUSPEND seen. */
uint64_t rts_bounced(const JmMachine *machine);

/* Returns the words held by a node's unit, including a routing word that waits for its
 * header; 0 without rts. */
uint32_t rts_words_kept(const JmMachine *machine, const Node *node);
/* Returns the reserved words of a node's return memory; 0 without rts. */
uint32_t rts_words_reserved(const JmMachine *machine, const Node *node);
/* Saves or loads the units, if there are any; messages have numbers below
 * `numbers`. */
void rts_archive(Archive *archive, JmMachine *machine, uint32_t numbers);

#endif
