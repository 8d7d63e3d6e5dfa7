/* The options of `jm model` and `jm net`, from options.def and the settings of models.
 * For these commands and the generators of manual pages and completion. */
#ifndef JM_TOOLS_MODEL_OPTIONS_H
#define JM_TOOLS_MODEL_OPTIONS_H

#include "tools/exp/plan/setting_rows.h"
#include "tools/host/option_rows.h"

/* An option. Its row points into it. */
typedef struct {
    OptionRow row;
    const SettingRow *setting; /* what it allows; NULL: a flag, or any text */
    SettingRow own;            /* that, if it gives no setting of a model */
    const char *more;          /* follows its argument in the setting's value */
    bool is_alias;             /* another name of the option before it */
    const char *standard;      /* default, if it is not the setting's; NULL: it is */
    char name[SETTING_TEXT_MAX], text[640];
} ModelOption;

/* Fills in option `index` of a command of options.def, from 0. False after the last. */
bool model_option(const char *command, unsigned index, ModelOption *option);

#endif
