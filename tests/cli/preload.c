/* Simulates unusual hosts, preloaded into a program under test (LD_PRELOAD):
 *   TICK=MS   each look at the monotonic clock finds it so many milliseconds later, and
 *             standard error is a terminal
 *   FAIL_AT=N the N-th request for memory fails
 *   NO_CLOSE=1 standard output cannot be closed: what it holds is lost */
#define _GNU_SOURCE /* for RTLD_NEXT and syscall() */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* A number of the environment; 0: not given. */
static long setting(const char *name) {
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static long looks;
    const long tick = setting("TICK");
    if (!tick || clock != CLOCK_MONOTONIC)
        return (int)syscall(SYS_clock_gettime, clock, now);
    const long passed = 1000 + tick * looks++;
    *now = (struct timespec){passed / 1000, passed % 1000 * 1000000};
    return 0;
}

int isatty(int descriptor) {
    struct termios of;
    return setting("TICK") ? descriptor == STDERR_FILENO
                           : tcgetattr(descriptor, &of) == 0;
}

int fclose(FILE *stream) {
    if (setting("NO_CLOSE") && fileno(stream) == STDOUT_FILENO) {
        fflush(stream);
        errno = EIO;
        return EOF;
    }
    int (*real)(FILE *);
    *(void **)&real = dlsym(RTLD_NEXT, "fclose");
    return real(stream);
}

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

static int fails(void) {
    static long asked;
    if (++asked != setting("FAIL_AT"))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) {
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    return fails() ? NULL : __libc_realloc(block, size);
}
