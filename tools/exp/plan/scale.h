/* Describes how the planned runs of an experiment differ from those of its full form,
 * which are the thesis's. The text is derived from the plan, so it cannot be out of
 * date. */
#ifndef JM_TOOLS_EXP_PLAN_SCALE_H
#define JM_TOOLS_EXP_PLAN_SCALE_H

#include <jansson.h>

#include "tools/exp/plan/experiment.h"

/* Returns a JSON string such as "L = 300 instead of 1000; 4 runs a point instead of
 * 150"; "" if nothing differs; NULL without memory. */
json_t *scale_text(const Plan *plan);

#endif
