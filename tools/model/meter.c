/* The progress line of a long solve. */
#include "tools/model/meter.h"

#include <stdio.h>
#include <unistd.h>

#include "tools/jm/stats/progress.h"

/* seconds before the first line, and between lines */
static const double first_after = 1.0, every = 0.5;

Meter meter_start(bool quiet) {
    const double now = progress_clock();
    return (Meter){
        .wanted = !quiet && isatty(STDERR_FILENO), .started = now, .printed = now};
}

void meter_show(void *context, unsigned sweep, double change) {
    Meter *const meter = context;
    if (!meter->wanted)
        return;
    const double now = progress_clock();
    if (now - meter->started < first_after || now - meter->printed < every)
        return;
    fprintf(stderr, "\rsweep %u, change %.2g\033[K", sweep, change);
    meter->shown = true;
    meter->printed = now;
}

void meter_clear(Meter *meter) {
    if (meter->shown)
        fputs("\r\033[K", stderr);
    meter->shown = false;
}
