/* Whole files as bytes: sources, objects and archives are read at once. How files are
 * written: emu/core/outfile.h. Uses emu/core only; the programs use it too.
 */
#ifndef JM_ASM_BYTES_H
#define JM_ASM_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "emu/core/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Largest sizes that are read, in bytes. Files other than regular ones have no known
 * size and may have no end: a device, or a pipe whose writer never stops. */
enum {
    ASM_BYTES_MAX = 1 << 30,        /* of a regular file */
    ASM_BYTES_STREAM_MAX = 1 << 27, /* of anything else, standard input too */
    ASM_BYTES_SOURCE_MAX = 1 << 26  /* of a source, wherever it comes from */
};

/* Reads a whole file. The caller frees the bytes; NULL and an error if the file cannot
 * be read, is too large or is a directory, or if there is no memory for it. */
unsigned char *asm_bytes_read(const char *path, size_t *size, JmError *error);

/* Same as asm_bytes_read(), without a limit for regular files: for callers that check
 * the contents. */
unsigned char *asm_bytes_read_any_size(const char *path, size_t *size, JmError *error);

/* Reads the rest of an open file, bounded as in asm_bytes_read(); `name` is for the
 * error. The caller frees the bytes. */
unsigned char *asm_bytes_read_open(FILE *file, const char *name, size_t *size,
                                   JmError *error);

/* Reads the rest of an open stream, at most `limit` bytes; `name` is for the error. The
 * caller frees the bytes. */
unsigned char *asm_bytes_read_stream(FILE *file, const char *name, size_t limit,
                                     size_t *size, JmError *error);

/* Whether two paths lead to the same regular file; false if either does not exist. */
bool asm_bytes_same_file(const char *a, const char *b);

#ifdef __cplusplus
}
#endif

#endif
