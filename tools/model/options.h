/* Options that give settings of models (tools/exp/plan/model_settings.def). For
 * `jm model`, `jm net` and the generators of manual pages and completion. */
#ifndef JM_TOOLS_MODEL_OPTIONS_H
#define JM_TOOLS_MODEL_OPTIONS_H

#include "tools/host/option_rows.h"

extern const OptionSettings model_option_settings;

#endif
