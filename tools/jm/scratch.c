#include "tools/jm/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool scratch_make(Scratch *scratch, JmError *error) {
    const char *base = getenv("TMPDIR");
    if (!base || !*base)
        base = "/tmp";
    const int length =
        snprintf(scratch->folder, sizeof scratch->folder, "%s/jm-XXXXXX", base);
    if (length < (int)sizeof scratch->folder && mkdtemp(scratch->folder))
        return true;
    return jm_fail(error, base, "cannot make a temporary folder: %s", strerror(errno));
}

char *scratch_path(const Scratch *scratch, const char *name, char *path) {
    snprintf(path, SCRATCH_PATH_MAX + 256, "%s/%s", scratch->folder, name);
    return path;
}

void scratch_remove(Scratch *scratch) {
    DIR *folder = opendir(scratch->folder);
    if (!folder)
        return;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        char path[SCRATCH_PATH_MAX + 256];
        unlink(scratch_path(scratch, entry->d_name, path)); /* "." and ".." refuse */
    }
    closedir(folder);
    rmdir(scratch->folder);
}

/* The rest of a stream, malloc'ed and grown by doubling; NULL on failure. */
static char *read_all(FILE *in, size_t *size) {
    size_t room = 1 << 16, count = 0;
    char *bytes = malloc(room);
    while (bytes) {
        count += fread(bytes + count, 1, room - count, in);
        if (count < room)
            break;
        room *= 2;
        char *larger = realloc(bytes, room);
        if (!larger)
            free(bytes);
        bytes = larger;
    }
    *size = count;
    return bytes;
}

void *scratch_read(const char *path, size_t *size, JmError *error) {
    FILE *in = fopen(path, "rb");
    char *bytes = in ? read_all(in, size) : NULL;
    if (!bytes || ferror(in)) {
        jm_fail(error, path, "cannot read: %s", strerror(errno));
        free(bytes);
        bytes = NULL;
    }
    if (in)
        fclose(in);
    return bytes;
}
