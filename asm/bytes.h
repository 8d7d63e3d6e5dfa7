/* Whole files as bytes. Uses emu/core only. */
#ifndef JM_ASM_BYTES_H
#define JM_ASM_BYTES_H

#include <stdbool.h>
#include <stddef.h>

#include "emu/core/status.h"

/* Reads a whole file of at most 1 GByte; malloc'ed, NULL and an error if it cannot be
 * read or is a directory. */
unsigned char *bytes_read(const char *path, size_t *size, JmError *error);

/* Writes a whole file: beside it, then in its place. What is not a regular file (a
 * terminal, a pipe) is written as it is. */
bool bytes_write(const char *path, const void *bytes, size_t size, JmError *error);

#endif
