/* When a machine can no longer end by itself: the rule of deadlock_cycles, and messages
 * left over at rest. For the room `run`, which checks after a cycle, and
 * explanations. */
#ifndef JM_MACHINE_STOP_DEADLOCK_H
#define JM_MACHINE_STOP_DEADLOCK_H

#include "emu/machine/machine.h"

/* Whether for `deadlock_cycles` no flit moved, some flit wanted to, and no node made
 * progress towards ending its open message. Checked when `moved` allows it; updates
 * `moved`. */
bool machine_is_deadlocked(JmMachine *machine);

/* Places on a node at rest where a message can be left that no task is handling.
 * `words` returns the words there that will not move by themselves. */
typedef struct {
    const char *text; /* printed after "N words" */
    uint32_t (*words)(const JmMachine *machine, const Node *node);
} RestPlace;

/* Returns place 0, 1, ... of a node, or NULL after the last. */
const RestPlace *machine_rest_place(unsigned index);
/* Whether a node is left with words in some place, or with an external fault that it
 * would take (I = 0) but cannot. */
bool machine_leaves(const JmMachine *machine, const Node *node);
/* Whether a machine at rest is left with messages or faults: then it is not idle, but
 * deadlocked. */
bool machine_is_left(const JmMachine *machine);

#endif
