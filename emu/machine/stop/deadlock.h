/* When a machine can no longer end by itself: the rule of deadlock_cycles, and what is
 * left at rest. For the room `run`, which asks after a cycle, and explanations. */
#ifndef JM_MACHINE_STOP_DEADLOCK_H
#define JM_MACHINE_STOP_DEADLOCK_H

#include "emu/machine/machine.h"

/* Whether for `deadlock_cycles` no flit moved, some flit wanted to, and no node that
 * could have ended its message did anything for it. Asked when `moved` allows it;
 * brings `moved` up to date. */
bool machine_is_deadlocked(JmMachine *machine);

/* What may be left on a node at rest: places where a message can be that no task has in
 * hand. `words` returns what is there and will not go on by itself. */
typedef struct {
    const char *text; /* behind "N words" */
    uint32_t (*words)(const JmMachine *machine, const Node *node);
} RestPlace;

/* Returns place 0, 1, ... of a node, or NULL behind the last. */
const RestPlace *machine_rest_place(unsigned index);
/* Whether a node is left with words in some place, or with an external fault that it
 * would take (I = 0) but cannot. */
bool machine_leaves(const JmMachine *machine, const Node *node);
/* Whether a machine at rest is left with messages or faults: then it is not idle, but
 * deadlocked. */
bool machine_is_left(const JmMachine *machine);

#endif
