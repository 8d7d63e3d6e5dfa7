/* A machine with a program of this folder and the kernel. */
#ifndef JM_TESTS_KERNEL_RIG_H
#define JM_TESTS_KERNEL_RIG_H

#include "emu/jm.h"

/* A machine of `nodes` in a row that runs tests/kernel/<name>.s. The caller destroys
 * it. */
JmMachine *rig_machine(const char *name, unsigned nodes);

/* A word of the program, by symbol, on every node. */
void rig_set(JmMachine *machine, const char *name, int32_t value);

#endif
