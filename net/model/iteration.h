/* The iteration that solves a layout: sweeps, damping, Anderson mixing. Internal to
 * net/model. */
#ifndef JM_NET_MODEL_ITERATION_H
#define JM_NET_MODEL_ITERATION_H

#include "net/model/amva_parts.h"
#include "net/model/mixing.h"

/* A schedule: how new values are applied. */
typedef struct {
    const char *name;
    double weight;      /* of new waits for channels and wires, before mixing */
    double node_weight; /* of new waits in node queues */
    double mixed;       /* weight of all while mixing */
    double node_mixed;
    unsigned mix_latest; /* mixing starts at this sweep whatever the change; 0: never */
    bool never_mix;
} Schedule;

/* An iteration in progress. */
typedef struct {
    const AmvaLayout *layout;
    AmvaUnknowns unknowns;
    AmvaSums sums;
    Mixing mixing;
    double *fresh; /* laid out like the unknowns */
    double *logs, *steps;
    double *load; /* by channel orbit: flits a cycle */
    AmvaTraffic *traffic;
    AmvaGuards guards;
    double change;
    unsigned sweeps; /* in total */
} Iteration;

/* Prepares an iteration on the layout's heap. */
void iteration_create(Iteration *iteration, const AmvaLayout *layout);

/* Solves the layout's problem if it can, and reports in `result` the state, the number
 * of tries and the name of the last one. False and `error` if a value is not finite.
 * The layout is unchanged on return. */
bool schedules_try(Iteration *iteration, AmvaLayout *layout, AmvaResult *result,
                   JmError *error);

#endif
