/* Settings that --set sweeps in addition to an experiment's axes: those with several
 * values that neither its x nor its series distinguishes. Each combination of their
 * values is a family of points, with its own curves and maps. */
#ifndef JM_TOOLS_EXP_PLAN_SWEPT_H
#define JM_TOOLS_EXP_PLAN_SWEPT_H

#include "tools/exp/plan/experiment.h"

/* Fills plan->swept. `sweep` is the experiment's sweep without --set. */
bool swept_find(Plan *plan, const char *sweep, const Variation *variation,
                JmError *error);

/* Whether two points are of one family. */
bool swept_same(const Plan *plan, unsigned a, unsigned b);

/* Whether no earlier point is of this one's family. */
bool swept_is_first(const Plan *plan, unsigned point);

#endif
