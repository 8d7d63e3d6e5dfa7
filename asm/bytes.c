#include "asm/bytes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 30 };

/* Everything that is left of `file`; NULL with errno set if it cannot be had. */
static unsigned char *read_all(FILE *file, size_t *size) {
    size_t capacity = 1 << 16;
    unsigned char *bytes = malloc(capacity);
    *size = 0;
    while (bytes) {
        *size += fread(bytes + *size, 1, capacity - *size, file);
        if (*size < capacity)
            break;
        unsigned char *grown = NULL;
        if (capacity < MOST_BYTES)
            grown = realloc(bytes, capacity *= 2);
        else
            errno = EFBIG;
        if (!grown)
            free(bytes);
        bytes = grown;
    }
    if (bytes && ferror(file)) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

unsigned char *bytes_read(const char *path, size_t *size, JmError *error) {
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = file ? read_all(file, size) : NULL;
    const int reason = errno;
    if (file)
        fclose(file);
    if (!bytes)
        jm_fail(error, path, "cannot read: %s", strerror(reason));
    return bytes;
}
