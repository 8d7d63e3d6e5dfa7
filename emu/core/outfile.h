/* Output files, by one rule for everything that is written. Anyone may include this
 * header.
 *
 * A regular file appears whole or not at all: it is written beside its place, without a
 * name where the file system can do that, and renamed by jm_outfile_commit(). A
 * symbolic link is followed: the file it leads to is replaced or made, and the link
 * stays. An existing file keeps its permissions. Anything else (a pipe, a terminal, a
 * device, a descriptor of this process such as /dev/stdout or /dev/fd/3) is written
 * through: nothing is cut off or replaced. So is a regular file that standard output or
 * standard error writes to already. "-" is standard output. */
#ifndef JM_CORE_OUTFILE_H
#define JM_CORE_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "emu/core/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    FILE *stream;    /* NULL: not open */
    char *path;      /* as in messages; of a file that is replaced, behind all links */
    char *temporary; /* name of the file that is renamed; NULL: it has none */
    bool nameless;   /* it gets one when it is closed */
} JmOutFile;

/* Opens; waits for the reader of a named pipe. False and an error if that fails. */
bool jm_outfile_open(JmOutFile *file, const char *path, JmError *error);
/* Whether jm_outfile_open() may wait for somebody, and then makes no temporary file. */
bool jm_outfile_may_wait(const char *path);
/* Closes and renames; on failure nothing is left behind. */
bool jm_outfile_commit(JmOutFile *file, JmError *error);
/* Closes and removes; nothing happens if it is not open. */
void jm_outfile_drop(JmOutFile *file);

/* Whether all that was written to a stream has got there; else errno says why. A stream
 * that has lost something gets one newline more: the next failure tells the reason of
 * the first. */
bool jm_outfile_flush(FILE *stream);

/* A whole file at once. */
bool jm_outfile_write(const char *path, const void *bytes, size_t size, JmError *error);

#ifdef __cplusplus
}
#endif

#endif
