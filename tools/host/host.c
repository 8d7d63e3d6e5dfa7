/* Start, end, signals and out-of-memory handling of every program. */
#define _GNU_SOURCE /* for program_invocation_short_name */
#include "tools/host/host.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/core/outfile.h"
#include "emu/core/pipes.h"
#include "emu/core/printable.h"

/* ---- memory ---------------------------------------------------------------------- */

/* The status with which this program ends if memory runs out. */
static int *memory_status(void) {
    static int status = HOST_MEMORY_BEFORE;
    return &status;
}

void host_run_begins(void) {
    *memory_status() = HOST_MEMORY_IN_RUN;
}

static void say(const char *text) {
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return; /* standard error is gone too */
}

_Noreturn void host_no_memory(void) {
    say(program_invocation_short_name);
    say(": error: out of memory\n");
    _exit(*memory_status());
}

void host_diagnostics(const char *text) {
    if (!text)
        host_no_memory();
    fputs(text, stderr);
}

/* ---- signals --------------------------------------------------------------------- */

/* Does not wait for a reader of standard error that leaves its pipe full. */
static void interrupted(int signal_number) {
    struct pollfd room = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (poll(&room, 1, 2000) == 1) {
        if (isatty(STDERR_FILENO))
            say("\r\033[K"); /* there may be a progress line */
        say(program_invocation_short_name);
        say(": interrupted, without results\n");
    }
    _exit(128 + signal_number);
}

void host_end_by_signals(void) {
    struct sigaction action = {.sa_handler = interrupted}, old;
    sigfillset(&action.sa_mask);
    for (int i = 0; i < JM_ENDING_SIGNALS; i++)
        if (sigaction(jm_ending_signals[i], NULL, &old) == 0 &&
            old.sa_handler != SIG_IGN)
            sigaction(jm_ending_signals[i], &action, NULL);
}

/* ---- start and end --------------------------------------------------------------- */

/* Opens closed descriptors among 0 to 2; open() takes the lowest free one, so each gets
 * its turn. Without /dev/null a folder takes its place: writing there fails. */
static void open_standard(void) {
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0 && open("/dev/null", O_RDWR) != i)
            open("/", O_RDONLY);
}

/* Returns a stream for a standard descriptor that a held signal can end if it is a pipe
 * (jm_pipe_stream()); otherwise, or without memory, the stream that it has. */
static FILE *guarded(int descriptor, FILE *plain) {
    FILE *stream = jm_is_pipe(descriptor) ? jm_pipe_stream(descriptor) : NULL;
    return stream ? stream : plain;
}

static void guard_standard(void) {
    stdout = guarded(STDOUT_FILENO, stdout);
    stderr = guarded(STDERR_FILENO, stderr);
    setvbuf(stderr, NULL, _IONBF, 0);
}

void host_start(void) {
    open_standard();
    guard_standard();
    signal(SIGXFSZ, SIG_IGN);
}

bool host_report(const JmError *error) {
    char text[JM_ERROR_FILE_MAX + JM_ERROR_TEXT_MAX + 64];
    fprintf(stderr, "%s\n", jm_error_format(error, text, sizeof text));
    return false;
}

bool host_report_for(const char *command, const JmError *error) {
    JmError named = *error;
    if (!named.file[0])
        snprintf(named.file, sizeof named.file, "%s", command);
    return host_report(&named);
}

void host_show_line(const JmError *error) {
    FILE *file = error->line > 0 && error->column > 0 ? fopen(error->file, "r") : NULL;
    char *line = NULL;
    size_t room = 0;
    ssize_t read = 0;
    if (!file)
        return;
    for (int i = 0; read >= 0 && i < error->line; i++)
        read = getline(&line, &room, file);
    fclose(file);
    const size_t length = read > 0 ? strcspn(line, "\r\n") : 0;
    const size_t column = (size_t)error->column - 1;
    jm_printable_put(stderr, line, length, false);
    putc('\n', stderr);
    jm_printable_put(stderr, line, column < length ? column : length, true);
    fputs("^\n", stderr);
    free(line);
}

unsigned host_processors(unsigned most) {
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > (long)most ? most : (unsigned)count;
}

int host_end(const char *program, int status, int failure) {
    bool good = jm_outfile_flush(stdout);
    int reason = errno;
    if (fclose(stdout) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (good)
        return status;
    if (reason == EPIPE) {
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    fprintf(stderr, "%s: error: standard output: cannot write: %s\n", program,
            strerror(reason));
    return status ? status : failure;
}
