/* Loads a program of any kind into a machine: an ELF image, a text image, or a source,
 * which is assembled and linked with the embedded kernel. */
#ifndef JM_TOOLS_PROGRAM_H
#define JM_TOOLS_PROGRAM_H

#include <stdbool.h>

#include "emu/jm.h"

/* Loads the program at `path` on all nodes. Messages of the assembler and the linker go
 * to standard error as they are (`quiet` drops warnings); `error` then only says how
 * many there were. */
bool program_load(JmMachine *machine, const char *path, bool bare, bool quiet,
                  JmError *error);

#endif
