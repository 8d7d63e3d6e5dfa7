/* Options that give settings: texts and allowed arguments from the settings' rows. */
#include "tools/model/options.h"

#include <string.h>

#include "tools/exp/plan/setting_rows.h"

/* Writes what the setting is, with its default. */
static void describe(OptionRow *row, char text[OPTION_TEXT_MAX]) {
    const SettingRow setting =
        setting_row_full(setting_row_find(row->model, row->setting));
    const char *standard = row->standard ? row->standard : setting.standard;
    const bool has = standard && *standard && row->argument;
    const char *label = row->text ? row->text : "", *what = setting.text;
    const size_t value = strlen(row->added);
    if (*label && label[strlen(label) - 1] != ' ')
        return;
    if (value && strncmp(what, row->added, value) == 0)
        what += value + 2; /* "1: what that means" */
    snprintf(text, OPTION_TEXT_MAX, "%s%s%s%s%s", label, what, has ? " (" : "",
             has ? standard : "", has ? ")" : "");
    row->text = text;
}

/* A choice may have fewer words than its setting. */
static bool allows(const OptionRow *row, const char *argument, char *what,
                   size_t size) {
    SettingRow setting = *setting_row_find(row->model, row->setting);
    char value[SETTING_TEXT_MAX];
    if (*row->added)
        setting.kind = SETTING_COUNT;
    setting_expect(&setting, row->argument, argument, what, size);
    return setting_read(&setting, row->argument, argument, value);
}

const OptionSettings model_option_settings = {describe, allows};
