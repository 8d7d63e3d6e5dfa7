#include "tools/jm/outfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void forget(OutFile *file) {
    free(file->path);
    free(file->temporary);
    *file = (OutFile){0};
}

/* A new file beside `path` with the permissions an ordinary open would give. */
static FILE *open_temporary(OutFile *file) {
    const size_t size = strlen(file->path) + sizeof ".XXXXXX";
    file->temporary = malloc(size);
    if (!file->temporary)
        return NULL;
    snprintf(file->temporary, size, "%s.XXXXXX", file->path);
    const int descriptor = mkstemp(file->temporary);
    if (descriptor < 0)
        return NULL;
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, (mode_t)0666 & ~mask);
    return fdopen(descriptor, "w");
}

bool outfile_open(OutFile *file, const char *path, JmError *error) {
    *file = (OutFile){0};
    if (strcmp(path, "-") == 0) {
        file->stream = stdout;
        return true;
    }
    struct stat found;
    const bool exists = stat(path, &found) == 0;
    /* A link is followed, so that the file it names is replaced and not the link. */
    file->path = exists ? realpath(path, NULL) : strdup(path);
    if (file->path && exists && !S_ISREG(found.st_mode))
        file->stream = fopen(file->path, "w");
    else if (file->path)
        file->stream = open_temporary(file);
    if (file->stream)
        return true;
    jm_fail(error, path, "cannot write: %s", strerror(errno));
    if (file->temporary)
        unlink(file->temporary);
    forget(file);
    return false;
}

bool outfile_commit(OutFile *file, JmError *error) {
    if (file->stream == stdout) {
        file->stream = NULL;
        return fflush(stdout) == 0 ||
               jm_fail(error, "standard output", "cannot write: %s", strerror(errno));
    }
    const bool failed = ferror(file->stream) != 0;
    bool good = fclose(file->stream) == 0 && !failed;
    if (good && file->temporary)
        good = rename(file->temporary, file->path) == 0;
    if (!good) {
        jm_fail(error, file->path, "cannot write: %s", strerror(errno));
        if (file->temporary)
            unlink(file->temporary);
    }
    forget(file);
    return good;
}

void outfile_drop(OutFile *file) {
    if (file->stream && file->stream != stdout)
        fclose(file->stream);
    if (file->temporary)
        unlink(file->temporary);
    forget(file);
}
