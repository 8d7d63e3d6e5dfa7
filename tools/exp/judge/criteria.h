/* Compares the settings of `readings` with the thesis by the criteria of criteria.def.
 */
#ifndef JM_TOOLS_EXP_JUDGE_CRITERIA_H
#define JM_TOOLS_EXP_JUDGE_CRITERIA_H

#include "tools/exp/plan/experiment.h"

/* Returns the distance of a figure from low..high in units of `scale`: 0 inside, at
 * most 3, and 3 for NaN, a figure that no run gave. */
double criteria_distance(double value, double low, double high, double scale);

/* Writes DIR/readings-criteria.csv, if the campaign has the readings: a row of the
 * thesis's figures, then one of every setting with the criteria that it meets and its
 * distance, the root of the mean square over all criteria. */
bool criteria_write(const Campaign *campaign, const char *folder, JmError *error);

#endif
