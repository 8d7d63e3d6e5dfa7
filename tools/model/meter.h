/* The progress line of a long solve. It is shown only if standard error is a terminal.
 */
#ifndef JM_TOOLS_MODEL_METER_H
#define JM_TOOLS_MODEL_METER_H

#include <stdbool.h>

typedef struct {
    bool wanted, shown;
    double started, printed; /* seconds */
} Meter;

Meter meter_start(bool quiet);
/* AmvaProblem's `progress`; `context` is a Meter. */
void meter_show(void *context, unsigned sweep, double change);
void meter_clear(Meter *meter);

#endif
