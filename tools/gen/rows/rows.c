/* The tables for generated texts, each expanded from the .def file of its program. */
#include "tools/gen/rows/rows.h"

#include <string.h>

#include "emu/jm.h"
#include "tools/exp/plan/setting_rows.h"
#include "tools/jm/options/options.h"

/* ---- options --------------------------------------------------------------------- */

#define OPTION OPTION_ROW
static const OptionRow of_mdpas[] = {
#include "tools/mdpas/options.def"
};
static const OptionRow of_mdpld[] = {
#include "tools/mdpld/options.def"
};
static const OptionRow of_mdpobjdump[] = {
#include "tools/mdpobjdump/options.def"
};
static const OptionRow of_exp_run[] = {
#include "tools/exp/options.def"
};
static const OptionRow of_exp_report[] = {
#include "tools/report/options.def"
};
static const OptionRow of_report[] = {
#include "tools/jm/options/report.def"
};
static const OptionRow of_dap[] = {
#include "tools/jm/options/dap.def"
};
static const OptionRow of_debug_only[] = {
#include "tools/jm/options/debug.def"
};
static const OptionRow of_chapter3[] = {
#include "tools/model/chapter3.def"
};
static const OptionRow of_servers[] = {
#include "tools/model/servers.def"
};
static const OptionRow of_amva[] = {
#include "tools/model/amva.def"
};
static const OptionRow of_pipelined[] = {
#include "tools/model/pipelined.def"
};
static const OptionRow of_net_run[] = {
#include "tools/net/run.def"
};
static const OptionRow of_net_model[] = {
#include "tools/net/model.def"
};
static const OptionRow of_sweep[] = {
#include "tools/net/sweep.def"
};
static const OptionRow of_check[] = {
#include "tools/net/check.def"
};
static const OptionRow of_trace[] = {
#include "tools/net/trace.def"
};
static const OptionRow of_run[] = {
#include "tools/jm/options/options.def"
};
#undef OPTION

/* The options of `jm debug`: its own, and those of `jm run` that it accepts. */
#define KEEP_OF(group, listed, use) OF_##group
#define OF_MACHINE OPTION_ROW
#define OF_PROGRAM OPTION_ROW
#define OF_GENERAL OPTION_ROW
#define OF_OUTPUT(name, letter, argument, use, text, more)
static const OptionRow of_debug[] = {
#define OPTION OPTION_ROW
#include "tools/jm/options/debug.def"
#undef OPTION
#define OPTION(name, letter, argument, use, text, more)                                \
    KEEP_##use(name, letter, argument, use, text, more)
#include "tools/jm/options/options.def"
#undef OPTION
};

#define TABLE(name, rows)                                                              \
    { name, rows, sizeof rows / sizeof *rows }

static const OptionTable options[] = {
    TABLE("jm run", of_run),
    TABLE("jm debug", of_debug),
    TABLE("jm debug only", of_debug_only),
    TABLE("jm report", of_report),
    TABLE("jm dap", of_dap),
    TABLE("jm exp run", of_exp_run),
    TABLE("jm exp report", of_exp_report),
    TABLE("jm model chapter3", of_chapter3),
    TABLE("jm model servers", of_servers),
    TABLE("jm model amva", of_amva),
    TABLE("jm net run", of_net_run),
    TABLE("jm net model", of_net_model),
    TABLE("jm net sweep", of_sweep),
    TABLE("jm net check", of_check),
    TABLE("jm net trace", of_trace),
    TABLE("jm model pipelined", of_pipelined),
    TABLE("mdpas", of_mdpas),
    TABLE("mdpld", of_mdpld),
    TABLE("mdpobjdump", of_mdpobjdump),
};

const OptionTable *option_table(size_t index) {
    return index < sizeof options / sizeof *options ? &options[index] : NULL;
}

const OptionTable *option_table_find(const char *command) {
    for (size_t i = 0; option_table(i); i++)
        if (strcmp(options[i].command, command) == 0)
            return &options[i];
    return NULL;
}

bool option_at(const OptionTable *table, size_t index, OptionRow *row,
               char text[OPTION_TEXT_MAX]) {
    if (index >= table->count)
        return false;
    *row = table->rows[index];
    if (row->kind == OPTION_SETTING)
        model_option_settings.describe(row, text);
    return true;
}

bool option_is_shared(const OptionRow *row) {
    size_t i = 0;
    while (i < sizeof of_debug_only / sizeof *of_debug_only &&
           of_debug_only[i].text != row->text)
        i++;
    return i == sizeof of_debug_only / sizeof *of_debug_only;
}

/* ---- commands -------------------------------------------------------------------- */

#define COMMAND(name, arguments, text) {#name, arguments, text},
static const NameRow of_jm[] = {
#include "tools/jm/commands.def"
    {"help", "[COMMAND]", "describes a command"},
};
static const NameRow help_names[] = {
#include "tools/jm/commands.def"
};
static const NameRow of_exp[] = {
#include "tools/exp/commands.def"
};
static const NameRow of_net[] = {
#include "tools/net/commands.def"
};
#undef COMMAND

#define MODEL(name, in_net, setting, needed, text, source, more)                       \
    {#name, NULL, text " (" source ")"},
static const NameRow of_model[] = {
#include "tools/model/models.def"
    {"list", NULL, "lists the models"},
};

/* ---- names ----------------------------------------------------------------------- */

#define EXPERIMENT(name, figure, kind, title, ...) {name, NULL, title},
static const NameRow experiments[] = {
#include "tools/exp/plan/experiments_all.def"
#undef EXPERIMENT
    {"all", NULL, "All of the thesis"},
    {"papers", NULL, "All of the papers"},
};

#define KEY(name, type, member, needed, text) {#name, NULL, text},
#define CLAIM_KEY KEY
static const NameRow keys[] = {
#include "tools/exp/plan/experiment_keys.def"
};

#define REQUEST(name, needs, text) {#name, NULL, text},
static const NameRow requests[] = {
#include "tools/jm/dap/requests.def"
};
#undef REQUEST

/* The names of a kind. */
typedef struct {
    const char *kind;
    const NameRow *rows;
    size_t count;
    bool settings, parameters; /* these follow */
} NameTable;

#define NAMES(name, rows)                                                              \
    { name, rows, sizeof rows / sizeof *rows, false, false }

/* Kinds of commands. */
static const NameTable commands[] = {
    NAMES("jm", of_jm),
    NAMES("jm exp", of_exp),
    NAMES("jm model", of_model),
    NAMES("jm net", of_net),
};

/* Kinds of other names. */
static const NameTable names[] = {
    NAMES("jm help", help_names),
    NAMES("jm exp run", experiments),
    NAMES("jm exp list", experiments),
    NAMES("jm exp show", experiments),
    NAMES("KEY", keys),
    NAMES("REQUEST", requests),
    {"PARAMETER", NULL, 0, false, true},
    {"SETTING", NULL, 0, true, true},
};

const char *command_kind(size_t index) {
    return index < sizeof commands / sizeof *commands ? commands[index].kind : NULL;
}

const char *name_kind(size_t index) {
    return index < sizeof names / sizeof *names ? names[index].kind : NULL;
}

static const NameTable *find(const char *kind) {
    for (size_t i = 0; command_kind(i); i++)
        if (strcmp(commands[i].kind, kind) == 0)
            return &commands[i];
    for (size_t i = 0; name_kind(i); i++)
        if (strcmp(names[i].kind, kind) == 0)
            return &names[i];
    return NULL;
}

/* Finds setting `*index`, each name once, without those of parameters. False after the
 * last: `*index` is the place behind them. */
static bool find_setting(size_t *index, NameRow *row) {
    const SettingRow *setting;
    for (unsigned i = 0; (setting = setting_row_at(i)); i++) {
        unsigned first = 0;
        while (strcmp(setting_row_at(first)->name, setting->name) != 0)
            first++;
        if (first < i || setting_parameter(setting->name) || (*index)-- > 0)
            continue;
        *row = (NameRow){setting->name, NULL, setting_row_full(setting).text};
        return true;
    }
    return false;
}

bool name_at(const char *kind, size_t index, NameRow *row) {
    const NameTable *table = find(kind);
    if (table && index < table->count) {
        *row = table->rows[index];
        return true;
    }
    index -= table ? table->count : 0;
    if (table && table->settings && find_setting(&index, row))
        return true;
    const JmParameter *parameter =
        table && table->parameters ? jm_parameter((unsigned)index) : NULL;
    if (parameter)
        *row = (NameRow){parameter->name, NULL, parameter->text};
    return parameter != NULL;
}
