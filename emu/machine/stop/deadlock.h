/* When a machine can no longer end by itself: the rule of deadlock_cycles, and messages
 * left over at rest. For the room `run`, which checks after a cycle, and
 * explanations. */
#ifndef JM_MACHINE_STOP_DEADLOCK_H
#define JM_MACHINE_STOP_DEADLOCK_H

#include "emu/machine/link/interface.h"
#include "emu/machine/machine.h"

/* Whether for `deadlock_cycles` no flit moved, some flit wanted to, and no node made
 * progress towards ending its open message. Checked when `moved` allows it; updates
 * `moved`. */
bool machine_is_deadlocked(JmMachine *machine);

/* The two queues, and the places of its interface's unit. */
enum { REST_PLACES = 2 + INTERFACE_UNIT_PLACES };

/* Returns how many words are left in a place of a node at rest that will not move by
 * themselves, and, if any are, what to print after "N words". */
uint32_t machine_words_left(const JmMachine *machine, const Node *node, unsigned place,
                            const char **text);
/* Whether a node is left with words in some place, or with an external fault that it
 * would take (I = 0) but cannot. */
bool machine_leaves(const JmMachine *machine, const Node *node);
/* Whether a machine at rest is left with messages or faults: then it is not idle, but
 * deadlocked. */
bool machine_is_left(const JmMachine *machine);

#endif
