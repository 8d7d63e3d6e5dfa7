/* Output files that appear whole or not at all: written to a temporary file in the same
 * folder, renamed by outfile_commit(). "-" is standard output; devices and pipes are
 * written directly. */
#ifndef JM_TOOLS_OUTFILE_H
#define JM_TOOLS_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "emu/core/status.h"

typedef struct {
    FILE *stream;    /* NULL: not open */
    char *path;      /* as it will be named */
    char *temporary; /* NULL: written directly */
} OutFile;

bool outfile_open(OutFile *file, const char *path, JmError *error);
/* Closes and renames; on failure nothing is left behind. */
bool outfile_commit(OutFile *file, JmError *error);
/* Closes and removes; nothing happens if it is not open. */
void outfile_drop(OutFile *file);

#endif
