/* Output files: every file that a program writes follows the same rules. Anyone may
 * include this header.
 *
 * - A regular file appears whole or not at all. It is written beside its final place,
 *   without a name where the file system supports that, and jm_outfile_commit() renames
 *   it.
 * - A symbolic link is followed: its target is replaced or created, and the link stays.
 * - A file that is replaced keeps its permissions.
 * - Anything else (a pipe, a terminal, a device, a descriptor of this process such as
 *   /dev/stdout or /dev/fd/3) is written through: nothing is truncated or replaced. The
 *   same holds for a regular file that standard output or error already writes to.
 * - A file that was read (inputs.h) is not replaced.
 * - "-" is standard output. */
#ifndef JM_CORE_OUTFILE_H
#define JM_CORE_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "emu/core/inputs.h"
#include "emu/core/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    FILE *stream;    /* NULL: not open */
    char *path;      /* final place, with all symbolic links followed */
    char *temporary; /* name of the file to be renamed; NULL: it has no name */
    bool nameless;   /* the file has no name yet; jm_outfile_commit() gives it one */
} JmOutFile;

/* Opens a file; waits for the reader of a named pipe. `inputs` are the files that the
 * work has read, or NULL if there are none. Returns false and fills `error` if that
 * fails, or if the file is one of `inputs`. */
bool jm_outfile_open(JmOutFile *file, const char *path, const JmInputs *inputs,
                     JmError *error);
/* Whether `path` is neither a regular file nor a folder (a named pipe, say), so that
 * jm_outfile_open() may wait for another process. It makes no temporary file then. */
bool jm_outfile_may_wait(const char *path);
/* Checks, without leaving a trace, whether a file could be opened, for work whose
 * results come late. A path that may wait is not tried: closing a pipe would end its
 * reader. */
bool jm_outfile_check(const char *path, const JmInputs *inputs, JmError *error);
/* Closes the file and renames it to its final place; on failure nothing is left behind.
 */
bool jm_outfile_commit(JmOutFile *file, JmError *error);
/* Closes the file and removes it; does nothing if it is not open. */
void jm_outfile_drop(JmOutFile *file);
/* Reports, with errno, that writing to `path` has failed, and removes the file. Returns
 * false. */
bool jm_outfile_lose(JmOutFile *file, const char *path, JmError *error);

/* Whether a file written to `output` would leave the output `other` alone. False and an
 * error: both names lead to the same regular file, which need not exist yet, or memory
 * runs out. "-" is not a file. */
bool jm_outfile_spares(const char *output, const char *other, JmError *error);

/* Flushes and returns whether everything written to the stream so far got through; if
 * not, errno says why. The reason of an earlier failure is lost, so one newline is
 * written to such a stream: if that fails too, its errno is the reason. */
bool jm_outfile_flush(FILE *stream);

/* Writes a whole file at once. */
bool jm_outfile_write(const char *path, const void *bytes, size_t size,
                      const JmInputs *inputs, JmError *error);

#ifdef __cplusplus
}
#endif

#endif
