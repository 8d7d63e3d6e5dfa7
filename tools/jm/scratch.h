/* A temporary folder for the files that the assembler and the linker want on disk. */
#ifndef JM_TOOLS_SCRATCH_H
#define JM_TOOLS_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "emu/core/status.h"

enum { SCRATCH_PATH_MAX = 4096 };

typedef struct {
    char folder[SCRATCH_PATH_MAX];
} Scratch;

/* Makes a folder below $TMPDIR or /tmp. */
bool scratch_make(Scratch *scratch, JmError *error);
/* Removes the folder and the files in it. */
void scratch_remove(Scratch *scratch);
/* Writes "folder/name" to `path` (SCRATCH_PATH_MAX + 256 bytes); returns it. */
char *scratch_path(const Scratch *scratch, const char *name, char *path);
/* The whole of a file, malloc'ed; NULL and a message on failure. */
void *scratch_read(const char *path, size_t *size, JmError *error);

#endif
