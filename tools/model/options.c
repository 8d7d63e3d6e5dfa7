/* Makes options of settings. */
#include "tools/model/options.h"

#include <string.h>

/* A row of options.def. */
typedef struct {
    const char *command, *name, *argument, *setting, *more, *standard, *text, *manual;
    SettingKind kind; /* of an option without a setting */
    double low, high;
} Row;

#define ALIAS "another name of --"
/* Kinds of options without a range. */
#define SETTING_OTHER SETTING_MODEL
#define SETTING_ALIAS SETTING_PROGRAM

static const Row rows[] = {
#define SETTING_OPTION(command, name, argument, setting, more, standard)               \
    {command, name, argument, setting, more, standard, NULL, NULL, SETTING_OTHER, 0, 0},
#define COUNT_OPTION(command, name, argument, low, high, text, more)                   \
    {command, name, argument, NULL, "", NULL, text, more, SETTING_COUNT, low, high},
#define CHOICE_OPTION(command, name, argument, text, more)                             \
    {command, name, argument, NULL, "", NULL, text, more, SETTING_CHOICE, 0, 0},
#define OTHER_OPTION(command, name, argument, text, more)                              \
    {command, name, argument, NULL, "", NULL, text, more, SETTING_OTHER, 0, 0},
#define OTHER_NAME(command, name, argument, option)                                    \
    {command, name, argument, NULL, "", NULL, ALIAS option, NULL, SETTING_ALIAS, 0, 0},
#include "tools/model/options.def"
#undef SETTING_OPTION
#undef COUNT_OPTION
#undef CHOICE_OPTION
#undef OTHER_OPTION
#undef OTHER_NAME
};

/* The models whose settings a command has, and what their texts begin with. */
typedef struct {
    const char *command, *name, *label;
} Model;

static const Model models[] = {
#define MODEL(name, setting, needed, text, source, more) {#name, setting, ""},
#define NET_MODEL(name, model, workload) {"net", #model, #workload ": "},
#include "tools/model/models.def"
};

/* Writes a name with dashes for underscores. */
static const char *dashed(char text[SETTING_TEXT_MAX], const char *name) {
    snprintf(text, SETTING_TEXT_MAX, "%s", name);
    for (char *at = text; *at; at++)
        if (*at == '_')
            *at = '-';
    return text;
}

/* Finds the option's setting; writes what it does, with its default. */
static void find_setting(const Row *row, ModelOption *option) {
    const Model *model = models;
    for (; !option->setting; model++)
        if (strcmp(model->command, row->command) == 0)
            option->setting = setting_row_find(model->name, row->setting);
    const char *standard = row->standard ? row->standard : option->setting->standard;
    const bool has = standard && *standard && row->argument;
    const char *label = model[-1].label;
    const char *text = option->setting->text;
    const size_t value = strlen(row->more);
    if (value && strncmp(text, row->more, value) == 0)
        text += value + 2; /* "1: what that means" */
    if (row->argument && value)
        snprintf(option->text, sizeof option->text, "short for --%s %s%s", row->setting,
                 row->argument, row->more);
    else
        snprintf(option->text, sizeof option->text, "%s%s%s%s%s", label, text,
                 has ? " (" : "", has ? standard : "", has ? ")" : "");
}

static bool fill(const Row *row, bool by_setting, ModelOption *option) {
    *option = (ModelOption){
        .row = {row->name, NULL, row->argument, row->text, row->manual},
        .more = row->more,
        .is_alias = by_setting || row->kind == SETTING_ALIAS,
        .standard = row->standard && *row->standard ? row->standard : NULL};
    option->own = (SettingRow){
        .name = row->name, .kind = row->kind, .low = row->low, .high = row->high};
    if (row->kind == SETTING_COUNT || row->kind == SETTING_CHOICE)
        option->setting = &option->own;
    if (!row->setting)
        return true;
    find_setting(row, option);
    option->row.text = option->text;
    if (by_setting) {
        option->row.name = dashed(option->name, row->setting);
        snprintf(option->text, sizeof option->text, ALIAS "%s", row->name);
    }
    return true;
}

/* Whether the setting's name differs from the option's. */
static bool has_two_names(const Row *row) {
    char name[SETTING_TEXT_MAX];
    return row->setting && !*row->more &&
           strcmp(row->name, dashed(name, row->setting)) != 0;
}

bool model_option(const char *command, unsigned index, ModelOption *option) {
    static const OptionRow help = {"help", "h", NULL, "prints this help", NULL};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].command, command) != 0)
            continue;
        if (index-- == 0)
            return fill(&rows[i], false, option);
        if (has_two_names(&rows[i]) && index-- == 0)
            return fill(&rows[i], true, option);
    }
    *option = (ModelOption){.row = help};
    return index == 0;
}
