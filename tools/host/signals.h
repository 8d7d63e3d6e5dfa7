/* Signals that ask a program to end. During a run they are blocked and polled: there is
 * no handler and no state outside the run, and results are not lost. */
#ifndef JM_TOOLS_SIGNALS_H
#define JM_TOOLS_SIGNALS_H

/* Blocks SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU from here on. SIGPIPE is ignored,
 * so that a pipe without a reader is an error of writing. */
void signals_hold(void);

/* Returns a signal that has come since then; 0: none. A signal that was ignored when
 * the program started, as in a background job, stays ignored. */
int signals_pending(void);

#endif
