/* The loaded program: what the loader reads of an ELF image. For emu/machine only. */
#ifndef JM_MACHINE_PROGRAM_H
#define JM_MACHINE_PROGRAM_H

#include "emu/machine/machine.h"

/* Loads `count` words to consecutive addresses of one node or of all. */
void loader_place(JmMachine *machine, int node, uint32_t address, const JmWord *words,
                  uint32_t count);
/* Starts the node or nodes a program was loaded into. */
void loader_start(JmMachine *machine, int node);

#endif
