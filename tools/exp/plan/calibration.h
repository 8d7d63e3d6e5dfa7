/* Calibration: every choice that no source settles (choices.def), made otherwise at
 * each load point (loads.def). */
#ifndef JM_TOOLS_EXP_PLAN_CALIBRATION_H
#define JM_TOOLS_EXP_PLAN_CALIBRATION_H

#include "tools/exp/plan/experiment.h"

typedef struct {
    const char *name, *settings, *text;
} Choice;

typedef enum {
#define LOAD(name, settings, quick, full) LOAD_##name,
#include "tools/exp/plan/loads.def"
#undef LOAD
    LOADS
} LoadId;

const Experiment *calibration_experiment(void);

/* Adds the load points once for each choice. */
bool calibration_add(Campaign *campaign, JmError *error);

/* The choices by index, the first one all defaults; NULL: no more. */
const Choice *calibration_choice(unsigned index);

/* Where a choice was run at a load. With more values by --set, the first of each. */
const Point *calibration_point(const Plan *plan, unsigned choice, LoadId load);

#endif
