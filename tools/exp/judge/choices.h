/* Compares what no source settles with the thesis: the choices of `calibration` by the
 * effects of effects.def, the settings of `readings` by the criteria of
 * criteria.def. */
#ifndef JM_TOOLS_EXP_JUDGE_CHOICES_H
#define JM_TOOLS_EXP_JUDGE_CHOICES_H

#include "tools/exp/plan/experiment.h"

/* Returns the point of a choice at the `load`-th of its `loads` load points, both from
 * 0, in a plan of `choices` choices. NULL if --set sweeps a setting: then there are
 * several, and none is the choice's. */
const Point *choices_point(const Plan *plan, unsigned choice, unsigned choices,
                           unsigned load, unsigned loads);

/* Returns the distance of a figure from low..high in units of `scale`: 0 inside, at
 * most 3, and 3 for NaN, a figure that no run gave. */
double choices_distance(double value, double low, double high, double scale);

/* Writes DIR/calibration-effects.csv, a row for each choice and effect, and
 * DIR/readings-criteria.csv: a row of the thesis's figures, then one of every setting
 * with the criteria that it meets and its distance, the root of the mean square over
 * all criteria. Each only if the campaign has its experiment. */
bool choices_write(const Campaign *campaign, const char *folder, JmError *error);

#endif
