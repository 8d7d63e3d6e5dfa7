/* Compares the effects of the calibration's choices (effects.def) with the thesis. */
#ifndef JM_TOOLS_EXP_JUDGE_EFFECTS_H
#define JM_TOOLS_EXP_JUDGE_EFFECTS_H

#include "tools/exp/plan/experiment.h"

/* Writes DIR/calibration-effects.csv, a row for each choice and effect, if the campaign
 * has the calibration. */
bool effects_write(const Campaign *campaign, const char *folder, JmError *error);

#endif
