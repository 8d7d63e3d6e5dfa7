/* Signals that ask a program to end. During a run they are blocked and polled: no
 * handler is called, no state lives outside the run, and no results are lost. */
#ifndef JM_TOOLS_SIGNALS_H
#define JM_TOOLS_SIGNALS_H

#include <stdbool.h>

/* Blocks SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU from here on. SIGPIPE is ignored,
 * so that writing to a pipe without a reader returns an error. */
void signals_hold(void);

/* Undoes signals_hold(), for a child process that executes another program. */
void signals_release(void);

/* Returns a signal that has come since then; 0: none. SIGINT is returned only if no
 * other has come. A signal that was ignored when the program started, as in a
 * background job, stays ignored. */
int signals_pending(void);

/* Returns whether SIGINT has come, and clears it: for a program that SIGINT only
 * interrupts. */
bool signals_take_interrupt(void);

/* Waits until `descriptor` can be read or has ended, or until a signal is pending;
 * returns false if one is. */
bool signals_wait(int descriptor);

#endif
