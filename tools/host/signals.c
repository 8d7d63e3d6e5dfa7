/* Signals that ask a program to end, polled. */
#include "tools/host/signals.h"

#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "emu/core/pipes.h"

static bool is_ignored(int number) {
    struct sigaction action;
    sigaction(number, NULL, &action);
    return action.sa_handler == SIG_IGN;
}

/* Returns the signals that end programs; if asked, without the ignored ones. */
static sigset_t ending_set(bool with_ignored) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < JM_ENDING_SIGNALS; i++)
        if (with_ignored || !is_ignored(jm_ending_signals[i]))
            sigaddset(&set, jm_ending_signals[i]);
    return set;
}

void signals_hold(void) {
    const sigset_t set = ending_set(true);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
}

void signals_release(void) {
    const sigset_t set = ending_set(true);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int signals_pending(void) {
    return jm_pending_signal();
}

bool signals_take_interrupt(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    const struct timespec now = {0, 0};
    return sigtimedwait(&set, NULL, &now) == SIGINT;
}

/* Waits on a signal descriptor, which is readable while a signal is pending; polling
 * leaves it pending. */
bool signals_wait(int descriptor) {
    const sigset_t set = ending_set(false);
    struct pollfd wait[] = {{.fd = descriptor, .events = POLLIN},
                            {.fd = signalfd(-1, &set, SFD_CLOEXEC), .events = POLLIN}};
    while (poll(wait, 2, -1) < 0 && signals_pending() == 0) {
    }
    if (wait[1].fd >= 0)
        close(wait[1].fd);
    return signals_pending() == 0;
}
