/* The iteration that solves a layout: sweeps, damping, mixing. Internal to
 * net/model. */
#ifndef JM_NET_MODEL_ITERATION_H
#define JM_NET_MODEL_ITERATION_H

#include "net/model/amva_parts.h"
#include "net/model/mixing.h"

/* A schedule: how new values are taken over. */
typedef struct {
    const char *name;
    double weight;      /* of new waits for channels and wires, before mixing */
    double node_weight; /* of new waits in node queues */
    double mixed;       /* weight of all while mixing */
    double node_mixed;
    unsigned mix_latest; /* mixes from this sweep on whatever the change; 0: no such */
    bool never_mix;
} Schedule;

/* An iteration in progress. */
typedef struct {
    const AmvaLayout *layout;
    AmvaUnknowns unknowns;
    AmvaSums sums;
    Mixing mixing;
    double *fresh; /* as the unknowns */
    double *before, *logs, *steps;
    double *load; /* by channel orbit: flits a cycle */
    AmvaTraffic *traffic;
    AmvaGuards guards;
    double change;
    unsigned sweeps; /* all of them */
} Iteration;

/* Prepares an iteration; it must be freed also after a failure. */
bool iteration_create(Iteration *iteration, const AmvaLayout *layout, JmError *error);
void iteration_free(Iteration *iteration);

/* Sweeps until the change is below the tolerance or the budget is used up; *state says
 * which. */
bool iteration_run(Iteration *iteration, const Schedule *schedule, AmvaState *state,
                   JmError *error);

#endif
