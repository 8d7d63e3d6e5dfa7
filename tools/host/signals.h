/* Signals that ask a program to end. While a run goes on they are held back and looked
 * for: no handler, no state outside the run, and what the run has made is not lost. */
#ifndef JM_TOOLS_SIGNALS_H
#define JM_TOOLS_SIGNALS_H

/* Holds back SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU from here on. A pipe without
 * a reader becomes an error of writing. */
void signals_hold(void);

/* One that has come since then; 0: none. One that the parent had ignored, as of a
 * background job, stays ignored. */
int signals_pending(void);

#endif
