/* Calibration: what each choice that no source settles (choices.def) moves. */
#ifndef JM_TOOLS_EXP_CALIBRATION_H
#define JM_TOOLS_EXP_CALIBRATION_H

#include "tools/exp/experiment.h"

const Experiment *calibration_experiment(void);

/* Adds the load points once for each choice. */
bool calibration_add(Campaign *campaign, JmError *error);

/* Writes calibration.csv: choice by measure. */
bool calibration_write(const Campaign *campaign, const char *folder, JmError *error);

#endif
