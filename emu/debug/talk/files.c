/* Opens files that may be pipes, so that Ctrl-C ends the wait for the other end. An
 * ordinary open() or read() would wait inside the kernel. */
#define _GNU_SOURCE /* for fopencookie() */
#include "emu/debug/talk/files.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ASK_MILLISECONDS = 50 }; /* between checks for an interrupt */

/* ---- input ----------------------------------------------------------------------- */

/* A file that is read by way of read_input(). */
typedef struct {
    JmDebug *debug;
    int descriptor;
} Input;

static ssize_t read_input(void *cookie, char *buffer, size_t size) {
    const Input *input = cookie;
    struct pollfd wait = {.fd = input->descriptor, .events = POLLIN};
    while (!is_interrupted(input->debug))
        if (poll(&wait, 1, ASK_MILLISECONDS) > 0)
            return read(input->descriptor, buffer, size);
    return 0;
}

static int close_input(void *cookie) {
    const int result = close(((Input *)cookie)->descriptor);
    free(cookie);
    return result;
}

/* Whether no output except that of `writer` is the file `path`; else false and a
 * message. */
static bool spares_outputs(JmDebug *d, Writer writer, const char *path) {
    JmError error;
    for (Writer other = 0; other < WRITERS; other++) {
        const JmOutFile *file = d->written[other];
        if (other != writer && file && file->path &&
            !jm_outfile_spares(path, file->path, &error))
            return fail(d, "%s: %s", error.file, error.text);
    }
    return true;
}

/* A named pipe opens at once, whether it has a writer or not; the first read waits. */
static FILE *open_stream(JmDebug *d, const char *path) {
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return NULL;
    Input *input = malloc(sizeof *input);
    if (!input) {
        close(descriptor);
        errno = ENOMEM;
        return NULL;
    }
    *input = (Input){d, descriptor};
    FILE *file = fopencookie(
        input, "r", (cookie_io_functions_t){.read = read_input, .close = close_input});
    if (!file)
        close_input(input);
    return file;
}

FILE *open_input(JmDebug *d, const char *path) {
    if (!spares_outputs(d, WRITERS, path))
        return NULL;
    FILE *file = open_stream(d, path);
    if (!file)
        fail(d, "%s: %s", path, strerror(errno));
    else if (!jm_inputs_add(jm_inputs(d->machine), path)) {
        fclose(file);
        heap_fail(d->heap);
    }
    return file;
}

/* ---- output ---------------------------------------------------------------------- */

/* Waits until a named pipe has a reader. *held keeps it open until the caller has
 * opened it, too; -1: the path needs no waiting, or cannot be opened at all. False and
 * a message after an interrupt. */
static bool await_reader(JmDebug *d, const char *path, int *held) {
    *held = -1;
    if (!jm_outfile_may_wait(path))
        return true;
    for (;;) {
        *held = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (*held >= 0 || errno != ENXIO)
            return true;
        if (is_interrupted(d))
            return fail(d, "%s: interrupted; nobody reads this pipe", path);
        poll(NULL, 0, ASK_MILLISECONDS);
    }
}

static void release(int held) {
    if (held >= 0)
        close(held);
}

bool open_output(JmDebug *d, Writer writer, JmOutFile *file, const char *path) {
    JmError error;
    int held;
    if (!spares_outputs(d, writer, path) || !await_reader(d, path, &held))
        return false;
    const bool good = jm_outfile_open(file, path, jm_inputs(d->machine), &error);
    release(held);
    return good || fail(d, "%s: %s", error.file, error.text);
}

bool save_machine(JmDebug *d, const char *path) {
    JmError error;
    int held;
    if (!spares_outputs(d, WRITER_SAVE, path) || !await_reader(d, path, &held))
        return false;
    const bool good = jm_save(d->machine, path, &error);
    release(held);
    return good || fail(d, "%s: %s", error.file, error.text);
}
