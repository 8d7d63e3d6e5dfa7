/* Writes output files whole or not at all; see outfile.h. */
#define _GNU_SOURCE /* for O_TMPFILE */
#include "emu/core/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/core/pipes.h"

enum {
    LINKS_MAX = 40,       /* symbolic links followed in a row; Linux follows as many */
    TEMPORARY_MAX = 9999, /* names tried for a temporary file */
    NAME_KEPT = 200       /* bytes of a file's name in that of its temporary file */
};

/* ---- where a path leads ---------------------------------------------------------- */

/* Returns `folder`/`name`, malloc'ed. */
static char *join(const char *folder, const char *name) {
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

/* Returns the part of `path` behind its last slash. */
static const char *last_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Returns the real path of the folder that `path` lies in, malloc'ed; NULL if there is
 * no such folder. */
static char *folder_of(const char *path) {
    const size_t length = (size_t)(last_name(path) - path);
    char *folder = length ? strndup(path, length) : strdup(".");
    char *real = folder ? realpath(folder, NULL) : NULL;
    free(folder);
    return real;
}

/* Returns the path that the symbolic link `path` in `folder` points to, malloc'ed, or
 * NULL if there is no memory. Returns `path` itself if it is not a link. */
static char *link_target(const char *folder, char *path) {
    char text[4096];
    const ssize_t length = readlink(path, text, sizeof text - 1);
    if (length < 0)
        return path;
    text[length] = '\0';
    return text[0] == '/' ? strdup(text) : join(folder, text);
}

/* Returns the descriptor N if `folder`/`name` is /proc/self/fd/N, else -1. Such a file
 * looks like a symbolic link, but must be written through its descriptor. */
static int own_descriptor(const char *folder, const char *name) {
    char *own = realpath("/proc/self/fd", NULL);
    const bool is_own = own && strcmp(own, folder) == 0;
    free(own);
    if (!is_own || !*name || name[strspn(name, "0123456789")])
        return -1;
    const long number = strtol(name, NULL, 10);
    return number <= INT_MAX ? (int)number : -1;
}

/* Follows one symbolic link. Returns true if `*path` was a link and now is its target.
 * Otherwise `*path` is final, or NULL if it leads nowhere (errno says why), and
 * `*descriptor` is the open descriptor it stands for, or -1. */
static bool follow(char **path, int *descriptor) {
    const char *name = last_name(*path);
    char *folder = folder_of(*path);
    *descriptor = folder ? own_descriptor(folder, name) : -1;
    char *real = folder ? join(folder, name) : NULL;
    char *next = real && *descriptor < 0 ? link_target(folder, real) : real;
    const bool is_link = next != real;
    const int reason = errno;
    if (is_link)
        free(real);
    free(folder);
    free(*path);
    *path = next;
    errno = reason;
    return is_link && next;
}

/* Returns the path with all symbolic links resolved, malloc'ed; the file itself need
 * not exist. NULL if it leads nowhere. `*descriptor` is the descriptor of this process
 * that the path stands for, or -1. */
static char *resolve(const char *path, int *descriptor) {
    char *end = strdup(path);
    *descriptor = -1;
    unsigned links = 0;
    while (end && follow(&end, descriptor) && links++ < LINKS_MAX) {
    }
    if (links <= LINKS_MAX)
        return end;
    free(end);
    errno = ELOOP;
    return NULL;
}

/* Returns the descriptor of standard output or error if it is redirected to the file
 * `found`; else -1. Replacing that file would lose the output redirected to it. */
static int shared_descriptor(const struct stat *found) {
    struct stat open;
    for (int i = STDOUT_FILENO; i <= STDERR_FILENO; i++)
        if (fstat(i, &open) == 0 && S_ISREG(open.st_mode) &&
            open.st_dev == found->st_dev && open.st_ino == found->st_ino)
            return i;
    return -1;
}

/* ---- opening --------------------------------------------------------------------- */

/* Returns a new stream on a copy of an open descriptor, so that closing it leaves the
 * descriptor open. For standard output it returns `stdout`, to keep one buffer. */
static FILE *open_descriptor(int descriptor) {
    if (descriptor == STDOUT_FILENO)
        return stdout;
    const int flags = fcntl(descriptor, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) {
        errno = EACCES;
        return NULL;
    }
    const int copy = dup(descriptor);
    FILE *stream = copy < 0 ? NULL : jm_pipe_stream(copy);
    if (!stream && copy >= 0) {
        const int reason = errno;
        close(copy);
        errno = reason;
    }
    return stream;
}

/* Opens a pipe, terminal or device without creating or truncating anything. */
static FILE *open_through(const char *path) {
    const int descriptor = open(path, O_WRONLY | O_NOCTTY);
    return descriptor < 0 ? NULL : jm_pipe_stream(descriptor);
}

/* Gives the new file the owner, group and permissions of the file `old` that it will
 * replace. */
static void keep_mode(int descriptor, const struct stat *old) {
    struct stat made;
    const bool differs = fstat(descriptor, &made) == 0 &&
                         (made.st_uid != old->st_uid || made.st_gid != old->st_gid);
    if (differs && fchown(descriptor, old->st_uid, old->st_gid) != 0)
        return; /* not permitted: the new file keeps our owner and default mode */
    fchmod(descriptor, old->st_mode & 0777);
}

/* Calls `make` with names NAME.tmp1, NAME.tmp2, ... in the folder of the file until one
 * is free, so that files left behind by a killed process do no harm. `context` is
 * passed on to `make`. Returns what `make` returned, or -1 with errno. */
static int name_beside(JmOutFile *file, int (*make)(const char *name, int context),
                       int context) {
    const size_t size = strlen(file->path) + sizeof ".tmp9999";
    const int kept = (int)(last_name(file->path) - file->path) + NAME_KEPT;
    file->temporary = malloc(size);
    int result = -1;
    errno = file->temporary ? EEXIST : ENOMEM;
    for (int i = 1; result < 0 && errno == EEXIST && i <= TEMPORARY_MAX; i++) {
        snprintf(file->temporary, size, "%.*s.tmp%d", kept, file->path, i);
        result = make(file->temporary, context);
    }
    if (result < 0) { /* no file was made, so none may be removed later */
        const int reason = errno;
        free(file->temporary);
        file->temporary = NULL;
        errno = reason;
    }
    return result;
}

/* A `make` function for name_beside(): creates a file. */
static int create(const char *name, int mode) {
    return open(name, O_WRONLY | O_CREAT | O_EXCL, (mode_t)mode);
}

/* A `make` function for name_beside(): gives a nameless file a name. */
static int link_descriptor(const char *name, int descriptor) {
    char own[64];
    snprintf(own, sizeof own, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

/* Creates a file without a name in the folder of `file`, so that nothing is left of it
 * however this process ends. Returns -1 if the file system has no nameless files, or if
 * /proc, which is needed to name the file later, is not mounted. */
static int create_nameless(JmOutFile *file, mode_t mode) {
    char *folder = folder_of(file->path);
    const bool nameable = access("/proc/self/fd", X_OK) == 0;
    const int descriptor =
        folder && nameable ? open(folder, O_TMPFILE | O_WRONLY, mode) : -1;
    const int reason = errno;
    free(folder);
    errno = reason;
    file->nameless = descriptor >= 0;
    return descriptor;
}

/* Opens the file that will take the place of `old`; NULL: there is no old file. The
 * rename would succeed even if the old file is write-protected, so that is checked. */
static FILE *open_temporary(JmOutFile *file, const struct stat *old) {
    if (old && faccessat(AT_FDCWD, file->path, W_OK, AT_EACCESS) != 0)
        return NULL;
    const mode_t mode = old ? old->st_mode & 0777 : 0666;
    int descriptor = create_nameless(file, mode);
    if (descriptor < 0 && errno != ENOMEM)
        descriptor = name_beside(file, create, (int)mode);
    if (descriptor < 0)
        return NULL;
    if (old)
        keep_mode(descriptor, old);
    return fdopen(descriptor, "w");
}

static void open_path(JmOutFile *file, const char *path) {
    struct stat found;
    const bool exists = stat(path, &found) == 0;
    int descriptor;
    file->path = resolve(path, &descriptor);
    const bool regular = !exists || S_ISREG(found.st_mode);
    if (file->path && descriptor < 0 && exists && regular)
        descriptor = shared_descriptor(&found);
    if (descriptor >= 0)
        file->stream = open_descriptor(descriptor);
    else if (!regular)
        file->stream = open_through(path);
    else if (file->path)
        file->stream = open_temporary(file, exists ? &found : NULL);
}

static void forget(JmOutFile *file) {
    free(file->path);
    free(file->temporary);
    *file = (JmOutFile){0};
}

bool jm_outfile_open(JmOutFile *file, const char *path, const JmInputs *inputs,
                     JmError *error) {
    *file = (JmOutFile){0};
    if (!jm_inputs_spared(inputs, path, error))
        return false;
    if (strcmp(path, "-") == 0)
        file->stream = stdout;
    else
        open_path(file, path);
    if (file->stream)
        return true;
    jm_fail(error, path, "cannot write: %s", strerror(errno));
    if (file->temporary)
        unlink(file->temporary);
    forget(file);
    return false;
}

bool jm_outfile_spares(const char *output, const char *other, JmError *error) {
    struct stat found;
    int descriptor, other_descriptor;
    if (strcmp(output, "-") == 0 || strcmp(other, "-") == 0 ||
        (stat(output, &found) == 0 && !S_ISREG(found.st_mode)))
        return true;
    errno = 0;
    char *path = resolve(output, &descriptor);
    char *other_path = path ? resolve(other, &other_descriptor) : NULL;
    const bool same = path && other_path && descriptor < 0 && other_descriptor < 0 &&
                      strcmp(path, other_path) == 0;
    const bool starved = errno == ENOMEM;
    free(path);
    free(other_path);
    if (starved)
        return jm_fail_memory(error, output, "out of memory");
    return !same || jm_fail(error, output, "another output has this file");
}

bool jm_outfile_may_wait(const char *path) {
    struct stat found;
    return strcmp(path, "-") != 0 && stat(path, &found) == 0 &&
           !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode);
}

bool jm_outfile_check(const char *path, const JmInputs *inputs, JmError *error) {
    JmOutFile file;
    if (jm_outfile_may_wait(path))
        return true;
    if (!jm_outfile_open(&file, path, inputs, error))
        return false;
    jm_outfile_drop(&file);
    return true;
}

/* ---- closing --------------------------------------------------------------------- */

bool jm_outfile_flush(FILE *stream) {
    const bool failed = ferror(stream) != 0;
    if (fflush(stream) != 0)
        return false;
    if (failed && putc('\n', stream) != EOF && fflush(stream) == 0)
        errno = EIO; /* an earlier write failed, but the stream works again */
    return !failed;
}

/* Flushes, gives a nameless file a temporary name, and closes. errno is that of the
 * first failure. */
static bool finish(JmOutFile *file) {
    bool good = jm_outfile_flush(file->stream);
    if (good && file->nameless)
        good = name_beside(file, link_descriptor, fileno(file->stream)) == 0;
    const int reason = errno;
    const bool closed = file->stream == stdout || fclose(file->stream) == 0;
    if (!good)
        errno = reason;
    return good && closed;
}

bool jm_outfile_commit(JmOutFile *file, JmError *error) {
    bool good = finish(file);
    if (good && file->temporary)
        good = rename(file->temporary, file->path) == 0;
    if (!good) {
        jm_fail(error, file->path ? file->path : "standard output", "cannot write: %s",
                strerror(errno));
        if (file->temporary)
            unlink(file->temporary);
        if (file->stream == stdout)
            clearerr(stdout); /* reported here, so not once more at exit */
    }
    forget(file);
    return good;
}

void jm_outfile_drop(JmOutFile *file) {
    if (file->stream && file->stream != stdout)
        fclose(file->stream);
    if (file->temporary)
        unlink(file->temporary);
    forget(file);
}

bool jm_outfile_lose(JmOutFile *file, const char *path, JmError *error) {
    const bool standard = file->stream == stdout;
    jm_fail(error, standard ? "standard output" : path, "cannot write: %s",
            strerror(errno));
    if (standard)
        clearerr(stdout); /* reported here, so not once more at exit */
    jm_outfile_drop(file);
    return false;
}

bool jm_outfile_write(const char *path, const void *bytes, size_t size,
                      const JmInputs *inputs, JmError *error) {
    JmOutFile file;
    if (!jm_outfile_open(&file, path, inputs, error))
        return false;
    return fwrite(bytes, 1, size, file.stream) == size
               ? jm_outfile_commit(&file, error)
               : jm_outfile_lose(&file, path, error);
}
