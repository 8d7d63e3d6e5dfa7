/* The progress line of a long solve. It is shown only if standard error is a terminal.
 */
#ifndef JM_TOOLS_MODEL_METER_H
#define JM_TOOLS_MODEL_METER_H

#include <stdbool.h>

/* The state of the line. */
typedef struct {
    bool wanted, shown;
    double started, printed; /* seconds */
} Meter;

/* Begins to show progress, unless `quiet`. */
Meter meter_start(bool quiet);
/* Shows progress if it is due: AmvaProblem.progress; `context` is a Meter. */
void meter_show(void *context, unsigned sweep, double change);
/* Erases the line. */
void meter_clear(Meter *meter);

#endif
