/* Signals that ask a program to end, polled. */
#include "tools/host/signals.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum { SIGNALS = 5 };
static const int ending[SIGNALS] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};

void signals_hold(void) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < SIGNALS; i++)
        sigaddset(&set, ending[i]);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static bool is_ignored(int number) {
    struct sigaction action;
    sigaction(number, NULL, &action);
    return action.sa_handler == SIG_IGN;
}

int signals_pending(void) {
    sigset_t set;
    sigpending(&set);
    for (int i = 0; i < SIGNALS; i++)
        if (sigismember(&set, ending[i]) && !is_ignored(ending[i]))
            return ending[i];
    return 0;
}
