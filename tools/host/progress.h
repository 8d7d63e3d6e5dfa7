/* The progress line of long work. It is shown only if standard error is a terminal. */
#ifndef JM_TOOLS_HOST_PROGRESS_H
#define JM_TOOLS_HOST_PROGRESS_H

#include <stdbool.h>

/* The state of the line; times are seconds of the host's clock. */
typedef struct {
    bool wanted, shown;
    double first_after;      /* seconds of work before the first line */
    double started, printed; /* when the work began, and when the last line was due */
    double since; /* between the last line and the one before it, or the beginning */
} Progress;

/* Returns the seconds of the host's clock. `context` is ignored: it is that of a
 * JmDebugHost. */
double progress_clock(void *context);
/* Begins to show progress, unless `quiet`. */
Progress progress_start(bool quiet, double first_after);
/* Whether the caller must print the line now: "\r", its text, "\033[K". */
bool progress_due(Progress *progress);
/* Erases the line; call it before any other output to the terminal. */
void progress_clear(Progress *progress);

#endif
