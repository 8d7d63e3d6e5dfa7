/* The files of files.h, and what leads to them. Files are few, so they are a list. */
#include "tools/web/wasm/files.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "emu/core/outfile.h"
#include "emu/debug/talk/files.h"
#include "emu/jm.h"

/* A file; `next` was made after it. */
typedef struct File {
    struct File *next;
    char *name;
    unsigned char *bytes; /* `size` of them, and one that is zero */
    size_t size;
} File;

/* The only mutable variable at file scope: fopen() and stat() get no context. It stands
 * in for the disk. */
static struct { File *first; } disk;

/* Whether a path leads to a file of this name. It may go up by one folder: "a/b/../c"
 * is "a/c". */
static bool leads_to(const char *path, const char *name) {
    const char *up = strstr(path, "/../");
    if (!up)
        return strcmp(path, name) == 0;
    size_t start = (size_t)(up - path);
    while (start > 0 && path[start - 1] != '/')
        start--;
    return strncmp(path, name, start) == 0 && strcmp(up + 4, name + start) == 0;
}

static File *find(const char *path) {
    File *file = disk.first;
    while (file && !leads_to(path, file->name))
        file = file->next;
    return file;
}

/* Appends an empty file; NULL without memory. */
static File *append(const char *name) {
    File *file = calloc(1, sizeof *file), **end = &disk.first;
    if (!file || !(file->name = strdup(name))) {
        free(file);
        return NULL;
    }
    while (*end)
        end = &(*end)->next;
    return *end = file;
}

bool web_put(const char *name, const void *bytes, size_t size) {
    unsigned char *copy = malloc(size + 1);
    File *file = copy ? find(name) : NULL;
    if (copy && !file)
        file = append(name);
    if (!file) {
        free(copy);
        return false;
    }
    if (size)
        memcpy(copy, bytes, size);
    copy[size] = '\0';
    free(file->bytes);
    file->bytes = copy;
    file->size = size;
    return true;
}

const void *web_get(const char *name, size_t *size) {
    const File *file = find(name);
    *size = file ? file->size : 0;
    return file ? file->bytes : NULL;
}

/* ---- the C library ---------------------------------------- */

/* For reading only. A stream needs a byte: of an empty file it is a newline. */
FILE *fopen(const char *restrict name, const char *restrict mode) {
    const File *file = find(name);
    if (!file || *mode != 'r') {
        errno = ENOENT;
        return NULL;
    }
    return file->size ? fmemopen(file->bytes, file->size, "r")
                      : fmemopen((char *)"\n", 1, "r");
}

int stat(const char *restrict name, struct stat *restrict status) {
    const File *file = find(name);
    if (!file) {
        errno = ENOENT;
        return -1;
    }
    *status = (struct stat){.st_mode = S_IFREG,
                            .st_ino = (ino_t)(uintptr_t)file,
                            .st_size = (off_t)file->size};
    return 0;
}

/* Streams have no descriptors to tell them apart: each is a file of its own. */
int fstat(int descriptor, struct stat *status) {
    (void)descriptor;
    *status = (struct stat){.st_mode = S_IFREG};
    return 0;
}

/* ---- emu/core/outfile.h ---------------------------------------- */

/* The output of a stream. It is stored separately because an open JmOutFile may be
 * moved; `temporary` points to it. */
typedef struct {
    char *bytes;
    size_t size;
} Sink;

bool jm_outfile_spares(const char *output, const char *other, JmError *error) {
    return strcmp(output, "-") == 0 || strcmp(output, other) != 0 ||
           jm_fail(error, output, "another output has this file");
}

bool jm_outfile_may_wait(const char *path) {
    (void)path;
    return false;
}

bool jm_outfile_check(const char *path, const JmInputs *inputs, JmError *error) {
    (void)path;
    (void)inputs;
    (void)error;
    return true;
}

bool jm_outfile_open(JmOutFile *file, const char *path, const JmInputs *inputs,
                     JmError *error) {
    if (!jm_inputs_spared(inputs, path, error))
        return false;
    Sink *sink = calloc(1, sizeof *sink);
    *file = (JmOutFile){.path = strdup(path), .temporary = (char *)sink};
    if (sink && file->path)
        file->stream =
            strcmp(path, "-") == 0 ? stdout : open_memstream(&sink->bytes, &sink->size);
    if (file->stream)
        return true;
    free(file->path);
    free(sink);
    *file = (JmOutFile){0};
    return jm_fail(error, path, "out of memory");
}

/* Closes the file; a regular one is kept if asked for. */
static bool end_file(JmOutFile *file, bool keep) {
    Sink *sink = (Sink *)(void *)file->temporary;
    bool good = true;
    if (!file->stream)
        return true;
    if (file->stream == stdout)
        good = fflush(stdout) == 0;
    else
        good = fclose(file->stream) == 0 &&
               (!keep || web_put(file->path, sink->bytes, sink->size));
    free(sink->bytes);
    free(sink);
    free(file->path);
    *file = (JmOutFile){0};
    return good;
}

bool jm_outfile_commit(JmOutFile *file, JmError *error) {
    return end_file(file, true) || jm_fail(error, "files", "out of memory");
}

void jm_outfile_drop(JmOutFile *file) {
    end_file(file, false);
}

bool jm_outfile_flush(FILE *stream) {
    return fflush(stream) == 0 && !ferror(stream);
}

bool jm_outfile_write(const char *path, const void *bytes, size_t size,
                      const JmInputs *inputs, JmError *error) {
    return jm_inputs_spared(inputs, path, error) &&
           (web_put(path, bytes, size) || jm_fail(error, path, "out of memory"));
}

/* ---- emu/debug/talk/files.h ---------------------------------------- */

FILE *open_input(JmDebug *d, const char *path) {
    FILE *file = fopen(path, "r");
    jm_inputs_add(jm_inputs(d->machine), file ? path : NULL);
    if (!file)
        fail(d, "%s: %s", path, strerror(errno));
    return file;
}

bool open_output(JmDebug *d, Writer writer, JmOutFile *file, const char *path) {
    JmError error;
    (void)writer;
    return jm_outfile_open(file, path, jm_inputs(d->machine), &error) ||
           fail(d, "%s: %s", error.file, error.text);
}

bool save_machine(JmDebug *d, const char *path) {
    JmError error;
    return jm_save(d->machine, path, &error) ||
           fail(d, "%s: %s", error.file, error.text);
}
