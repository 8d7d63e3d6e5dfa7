/* The experiment `calibration`: it changes every choice that no source settles
 * (choices.def), one at a time, at each load point (loads.def). */
#ifndef JM_TOOLS_EXP_PLAN_CALIBRATION_H
#define JM_TOOLS_EXP_PLAN_CALIBRATION_H

#include "tools/exp/plan/experiment.h"

/* A row of choices.def. */
typedef struct {
    const char *name, *settings, *text;
} Choice;

typedef enum {
#define LOAD(name, settings, quick, full) LOAD_##name,
#include "tools/exp/plan/loads.def"
#undef LOAD
    LOADS
} LoadId;

/* The experiment has no row in experiments.def, because its sweep is computed. */
const Experiment *calibration_experiment(void);

/* Adds the load points to the campaign, once for each choice. */
bool calibration_add(Campaign *campaign, JmError *error);

/* Returns choice `index`, from 0; NULL behind the last. Choice 0 is all defaults. */
const Choice *calibration_choice(unsigned index);

/* Returns the point of a choice at a load. If --set gives several values there are
 * several points, and this is the first of them. NULL if there is none. */
const Point *calibration_point(const Plan *plan, unsigned choice, LoadId load);

#endif
