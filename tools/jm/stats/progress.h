/* The progress line of a long run. It is shown only if standard error is a terminal. */
#ifndef JM_TOOLS_JM_STATS_PROGRESS_H
#define JM_TOOLS_JM_STATS_PROGRESS_H

#include <stdbool.h>

#include "emu/jm.h"

/* The state of the line. */
typedef struct {
    bool wanted, shown;
    double started, printed; /* seconds of the host's clock */
    uint64_t printed_cycles;
} Progress;

double progress_clock(void); /* seconds of a monotonic clock */
/* Begins to show progress, unless `quiet`. */
Progress progress_start(bool quiet);
/* Prints the line if it is due. */
void progress_update(Progress *progress, const JmMachine *machine);
/* Erases the line; call it before any other output to the terminal. */
void progress_clear(Progress *progress);

#endif
