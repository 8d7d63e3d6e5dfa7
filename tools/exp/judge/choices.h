/* Compares what no source settles with the thesis: the choices of `calibration` by the
 * effects of effects.def, the settings of `readings` by the criteria of
 * criteria.def. */
#ifndef JM_TOOLS_EXP_JUDGE_CHOICES_H
#define JM_TOOLS_EXP_JUDGE_CHOICES_H

#include "tools/exp/plan/experiment.h"

/* Writes DIR/calibration-effects.csv, a row for each choice and effect, and
 * DIR/readings-criteria.csv: a row of the thesis's figures, then one of every setting
 * with the criteria that it meets and its distance, the root of the mean square over
 * all criteria. Each only if the campaign has its experiment. */
bool choices_write(const Campaign *campaign, const char *folder, JmError *error);

#endif
