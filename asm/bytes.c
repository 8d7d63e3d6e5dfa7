/* Files as wholes: see bytes.h. */
#include "asm/bytes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "asm/mem.h"

/* The room doubles, so that a byte is moved less than twice on the average: the size of
 * a pipe is not known before its end. */
unsigned char *bytes_read_stream(FILE *file, const char *name, size_t limit,
                                 size_t *size, JmError *error) {
    size_t room = 1 << 16;
    unsigned char *bytes = mem_alloc(room);
    *size = 0;
    while ((*size += fread(bytes + *size, 1, room - *size, file)) == room &&
           room <= limit)
        bytes = mem_resize(bytes, room *= 2);
    if (!ferror(file) && *size <= limit)
        return bytes;
    if (ferror(file))
        jm_fail(error, name, "cannot read: %s", strerror(errno));
    else
        jm_fail(error, name, "file is larger than %zu bytes", limit);
    free(bytes);
    return NULL;
}

/* A directory can be opened but not read: that is how it is found. */
unsigned char *bytes_read(const char *path, size_t *size, JmError *error) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        jm_fail(error, path, "cannot read: %s", strerror(errno));
        return NULL;
    }
    unsigned char *bytes = bytes_read_stream(file, path, BYTES_MAX, size, error);
    fclose(file);
    return bytes;
}

/* Whether all of it is in the file: what a full disk refuses may show only as the
 * stream is closed. */
static bool write_all(const char *path, const char *mode, const void *bytes,
                      size_t size) {
    FILE *out = fopen(path, mode);
    if (!out)
        return false;
    const bool written = fwrite(bytes, 1, size, out) == size;
    return fclose(out) == 0 && written;
}

/* The temporary file is in the folder of the file it becomes: rename works within one
 * file system only. "x": it is nobody else's. */
static bool replace(const char *path, const void *bytes, size_t size) {
    const size_t room = strlen(path) + 32;
    char *temporary = mem_alloc(room);
    snprintf(temporary, room, "%s.tmp%ld", path, (long)getpid());
    bool well = write_all(temporary, "wbx", bytes, size);
    const bool ours = well || errno != EEXIST;
    well = well && rename(temporary, path) == 0;
    const int reason = errno;
    if (!well && ours)
        unlink(temporary);
    free(temporary);
    errno = reason;
    return well;
}

/* A device or pipe cannot be replaced: renaming onto /dev/null would make it a file. */
bool bytes_write(const char *path, const void *bytes, size_t size, JmError *error) {
    struct stat status;
    const bool direct = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    const bool well =
        direct ? write_all(path, "wb", bytes, size) : replace(path, bytes, size);
    return well || jm_fail(error, path, "cannot write: %s", strerror(errno));
}

bool bytes_same_file(const char *a, const char *b) {
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && S_ISREG(first.st_mode) &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}
