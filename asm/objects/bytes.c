/* Reads whole files; see bytes.h. */
#include "asm/objects/bytes.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The buffer doubles, because the size of a pipe is not known before its end: a byte is
 * moved less than twice on average. */
unsigned char *asm_bytes_read_stream(FILE *file, const char *name, size_t limit,
                                     size_t *size, JmError *error) {
    size_t room = 1 << 16;
    unsigned char *bytes = malloc(room);
    *size = 0;
    while (bytes && (*size += fread(bytes + *size, 1, room - *size, file)) == room &&
           room <= limit) {
        room = room <= limit / 2 ? room * 2 : limit + 1;
        unsigned char *grown = realloc(bytes, room);
        if (!grown)
            free(bytes);
        bytes = grown;
    }
    if (!bytes) {
        jm_fail_memory(error, name, "out of memory");
        return NULL;
    }
    if (!ferror(file) && *size <= limit)
        return bytes;
    if (ferror(file))
        jm_fail(error, name, "cannot read: %s", strerror(errno));
    else
        jm_fail(error, name, "file is larger than %zu bytes", limit);
    free(bytes);
    return NULL;
}

/* Reads at most `most` bytes of a regular file. Its size shows at once whether it is
 * too large. */
static unsigned char *read_open(FILE *file, const char *name, size_t most, size_t *size,
                                JmError *error) {
    struct stat status;
    const bool regular = fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode);
    const size_t limit = regular ? most : ASM_BYTES_STREAM_MAX;
    if (!regular || (uintmax_t)status.st_size <= most)
        return asm_bytes_read_stream(file, name, limit, size, error);
    jm_fail(error, name, "file is larger than %zu bytes", limit);
    return NULL;
}

/* A directory can be opened, but reading it fails. */
static unsigned char *read_path(const char *path, size_t most, size_t *size,
                                JmError *error) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        jm_fail(error, path, "cannot read: %s", strerror(errno));
        return NULL;
    }
    unsigned char *bytes = read_open(file, path, most, size, error);
    fclose(file);
    return bytes;
}

unsigned char *asm_bytes_read(const char *path, size_t *size, JmError *error) {
    return read_path(path, ASM_BYTES_MAX, size, error);
}

unsigned char *asm_bytes_read_open(FILE *file, const char *name, size_t *size,
                                   JmError *error) {
    return read_open(file, name, ASM_BYTES_MAX, size, error);
}

unsigned char *asm_bytes_read_any_size(const char *path, size_t *size, JmError *error) {
    return read_path(path, SIZE_MAX / 2, size, error);
}

bool asm_bytes_same_file(const char *a, const char *b) {
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && S_ISREG(first.st_mode) &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}
