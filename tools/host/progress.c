/* The progress line of long work; see progress.h. */
#include "tools/host/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* seconds between lines */
static const double every = 0.5;

double progress_clock(void *context) {
    (void)context;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

Progress progress_start(bool quiet, double first_after) {
    const double now = progress_clock(NULL);
    return (Progress){.wanted = !quiet && isatty(STDERR_FILENO),
                      .first_after = first_after,
                      .started = now,
                      .printed = now};
}

bool progress_due(Progress *progress) {
    if (!progress->wanted)
        return false;
    const double now = progress_clock(NULL), since = now - progress->printed;
    if (since < (progress->shown ? every : progress->first_after))
        return false;
    progress->shown = true;
    progress->printed = now;
    progress->since = since;
    return true;
}

void progress_clear(Progress *progress) {
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
