/* Puts a program into nodes: shared by the readers of images, for emu/machine only.
 * `node` is always a rank or JM_ALL_NODES. */
#ifndef JM_MACHINE_LOAD_PROGRAM_H
#define JM_MACHINE_LOAD_PROGRAM_H

#include "emu/machine/machine.h"

/* Loads `count` words to consecutive addresses of one node or of all. If memory runs
 * out the machine is starved. */
void loader_place(JmMachine *machine, int node, uint32_t address, const JmWord *words,
                  uint32_t count);
/* Makes `count` words from `address` on NIL without touching pages that have never been
 * written. */
void loader_clear(JmMachine *machine, int node, uint32_t address, uint32_t count);
/* Starts the node or nodes that a program was loaded into. */
void loader_start(JmMachine *machine, int node);

#endif
