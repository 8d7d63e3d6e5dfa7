/* NAME.curves.csv: points of models, simulations and the machine, for plotting on the
 * same axes. */
#ifndef JM_TOOLS_EXP_TABLES_CURVES_H
#define JM_TOOLS_EXP_TABLES_CURVES_H

#include <stdio.h>

#include "tools/exp/plan/experiment.h"

/* Whether an experiment has this table, and columns of models in NAME.csv. */
bool curves_wanted(const Plan *plan);

/* Returns how a point ended: the state of the first run without a solution; else that
 * of the last. */
const char *curves_state(const Campaign *campaign, const Point *point);

/* Names the curve of point `index`: what solved it, and the values of the columns in
 * `series` and of settings that --set sweeps; those without a value are left out. */
enum { CURVE_NAME_MAX = 256 };
void curves_name(const Campaign *campaign, const Plan *plan, unsigned index,
                 char name[CURVE_NAME_MAX]);

/* Returns the names of all settings of the plan's points but `model`, as {name: true}.
 */
json_t *curves_setting_names(const Plan *plan);

/* Writes a field for each of these names, with a comma before each: the values of the
 * settings, empty where one is not set; the names themselves if `settings` is NULL. */
void curves_put_settings(FILE *out, const Settings *settings, json_t *names);

/* Writes a row for each point: what solved it and how that ended, how it is drawn, the
 * settings that any point has, all figures of results.def as means over its runs, then
 * half the width of the 95 % confidence interval of each COLUMN, and its standard
 * deviation.
 *
 * Rows go curve by curve, along each by x. `line` and `mark` say which curve the point
 * is on; the one that does not apply is empty. `state` is "solved" only if all runs of
 * the point are. */
void curves_write(const Campaign *campaign, const Plan *plan, FILE *out);

#endif
