/* The progress line of a long run. */
#include "tools/jm/stats/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "tools/jm/stats/stats.h"

/* seconds before the first line, and between lines */
static const double first_after = 1.0, every = 0.5;

double progress_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

Progress progress_start(bool quiet) {
    const double now = progress_clock();
    return (Progress){
        .wanted = !quiet && isatty(STDERR_FILENO), .started = now, .printed = now};
}

void progress_update(Progress *progress, const JmMachine *machine) {
    if (!progress->wanted)
        return;
    const double now = progress_clock();
    if (now - progress->started < first_after || now - progress->printed < every)
        return;
    const uint64_t cycles = jm_now(machine);
    const double rate =
        (double)(cycles - progress->printed_cycles) / (now - progress->printed);
    fprintf(stderr, "\r%" PRIu64 " cycles, %.0f a second, %" PRIu64 " messages\033[K",
            cycles, rate, stats_totals(machine).messages);
    progress->shown = true;
    progress->printed = now;
    progress->printed_cycles = cycles;
}

void progress_clear(Progress *progress) {
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
