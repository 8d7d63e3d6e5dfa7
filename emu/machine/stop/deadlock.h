/* The rule of deadlock_cycles. For the room `run`, which asks after a cycle. */
#ifndef JM_MACHINE_STOP_DEADLOCK_H
#define JM_MACHINE_STOP_DEADLOCK_H

#include "emu/machine/machine.h"

/* Whether for `deadlock_cycles` no flit moved, some flit wanted to, and no node that
 * could have ended its message did anything for it. Asked when `moved` allows it;
 * brings `moved` up to date. */
bool machine_is_deadlocked(JmMachine *machine);

#endif
