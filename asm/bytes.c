#include "asm/bytes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "asm/mem.h"

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

static bool write_all(const char *path, const void *bytes, size_t size) {
    FILE *out = fopen(path, "wb");
    if (!out)
        return false;
    const bool written = fwrite(bytes, 1, size, out) == size;
    return fclose(out) == 0 && written;
}

bool bytes_write(const char *path, const void *bytes, size_t size, JmError *error) {
    struct stat status;
    const bool direct = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    const size_t room = strlen(path) + 32;
    char *temporary = mem_alloc(room);
    if (direct)
        snprintf(temporary, room, "%s", path);
    else
        snprintf(temporary, room, "%s.tmp%ld", path, (long)getpid());
    bool well =
        write_all(temporary, bytes, size) && (direct || rename(temporary, path) == 0);
    if (!well)
        jm_fail(error, path, "cannot write: %s", strerror(errno));
    if (!well && !direct)
        unlink(temporary);
    free(temporary);
    return well;
}
