/* Putting a program into nodes: what the readers of images share. For emu/machine only.
 */
#ifndef JM_MACHINE_LOAD_PROGRAM_H
#define JM_MACHINE_LOAD_PROGRAM_H

#include "emu/machine/machine.h"

/* Loads `count` words to consecutive addresses of one node or of all. */
void loader_place(JmMachine *machine, int node, uint32_t address, const JmWord *words,
                  uint32_t count);
/* Makes words NIL, touching no page that has never been written. */
void loader_clear(JmMachine *machine, int node, uint32_t address, uint32_t count);
/* Starts the node or nodes a program was loaded into. */
void loader_start(JmMachine *machine, int node);

#endif
