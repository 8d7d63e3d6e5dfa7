/* Signals that ask a program to end. During a run they are blocked and polled: no
 * handler is called, there is no state outside the run, and results are not lost. */
#ifndef JM_TOOLS_SIGNALS_H
#define JM_TOOLS_SIGNALS_H

#include <stdbool.h>

/* Blocks SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU from here on. SIGPIPE is ignored,
 * so that a pipe without a reader is an error of writing. */
void signals_hold(void);

/* Undoes signals_hold(): for a child process that becomes another program. */
void signals_release(void);

/* Returns a signal that has come since then; 0: none. SIGINT is returned only if no
 * other has come. A signal that was ignored when the program started, as in a
 * background job, stays ignored. */
int signals_pending(void);

/* Returns whether SIGINT has come, and forgets it: for a program that it only
 * interrupts. */
bool signals_take_interrupt(void);

/* Waits until `descriptor` can be read or has ended, or until a signal is pending;
 * returns false if one is. */
bool signals_wait(int descriptor);

#endif
