/* Streams to pipes that nobody may read; see pipes.h. */
#define _GNU_SOURCE /* for fopencookie() */
#include "emu/core/pipes.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    TICK_MILLISECONDS = 100, /* between checks for a pending signal */
    PATIENCE_TICKS = 20      /* for a slow reader, once a signal is pending */
};

/* ---- signals --------------------------------------------------------------------- */

const int jm_ending_signals[JM_ENDING_SIGNALS] = {SIGTERM, SIGHUP, SIGQUIT, SIGXCPU,
                                                  SIGINT};

static bool is_ignored(int number) {
    struct sigaction action;
    sigaction(number, NULL, &action);
    return action.sa_handler == SIG_IGN;
}

int jm_pending_signal(void) {
    sigset_t set;
    sigpending(&set);
    for (int i = 0; i < JM_ENDING_SIGNALS; i++)
        if (sigismember(&set, jm_ending_signals[i]) &&
            !is_ignored(jm_ending_signals[i]))
            return jm_ending_signals[i];
    return 0;
}

/* ---- streams --------------------------------------------------------------------- */

bool jm_is_pipe(int descriptor) {
    struct stat found;
    return fstat(descriptor, &found) == 0 &&
           (S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode));
}

typedef struct {
    int descriptor;
    bool given_up;
} Pipe;

/* Waits until the pipe takes PIPE_BUF bytes at once, or until a write would fail.
 * Returns false if the reader took nothing for the whole timeout and a signal is
 * pending. */
static bool await_room(const Pipe *pipe) {
    struct pollfd wait = {.fd = pipe->descriptor, .events = POLLOUT};
    for (unsigned ticks = 1; poll(&wait, 1, TICK_MILLISECONDS) == 0; ticks++)
        if (ticks >= PATIENCE_TICKS && jm_pending_signal() != 0)
            return false;
    return true;
}

/* Writes through the stream's buffer, in pieces that a ready pipe takes without
 * waiting. Returns the number of bytes written; less than `size` is an error. */
static ssize_t write_pipe(void *cookie, const char *bytes, size_t size) {
    Pipe *pipe = cookie;
    size_t done = 0;
    while (done < size) {
        pipe->given_up = pipe->given_up || !await_room(pipe);
        if (pipe->given_up) {
            errno = EINTR;
            break;
        }
        const size_t left = size - done;
        const ssize_t written =
            write(pipe->descriptor, bytes + done, left < PIPE_BUF ? left : PIPE_BUF);
        if (written < 0)
            break;
        done += (size_t)written;
    }
    return (ssize_t)done;
}

static int close_pipe(void *cookie) {
    const int result = close(((Pipe *)cookie)->descriptor);
    free(cookie);
    return result;
}

FILE *jm_pipe_stream(int descriptor) {
    if (!jm_is_pipe(descriptor))
        return fdopen(descriptor, "w");
    Pipe *pipe = malloc(sizeof *pipe);
    if (!pipe)
        return NULL;
    *pipe = (Pipe){descriptor, false};
    FILE *stream = fopencookie(
        pipe, "w", (cookie_io_functions_t){.write = write_pipe, .close = close_pipe});
    if (!stream)
        free(pipe);
    return stream;
}
