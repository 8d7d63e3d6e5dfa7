/* Command lines whose options are settings, and their results. */
#include "tools/model/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "tools/host/host.h"
#include "tools/host/outputs.h"
#include "tools/host/word_list.h"
#include "tools/jm/commands.h"

/* ---- requests -------------------------------------------------------------------- */

/* Whether an option allows the text; writes what it expects. */
static bool is_allowed(const ModelOption *option, const char *text, char *what,
                       size_t size) {
    const char *argument = option->row.argument;
    char value[SETTING_TEXT_MAX];
    snprintf(what, size, "%s", argument);
    if (!option->setting)
        return *text;
    SettingRow row = *option->setting;
    if (*option->more)
        row.kind = SETTING_COUNT;
    setting_expect(&row, argument, text, what, size);
    return setting_read(&row, argument, text, value);
}

/* Takes an option, but no operand. */
static bool take(void *context, int id, char *text, JmError *error) {
    enum { SHOWN = 64 };
    ModelRequest *request = context;
    if (id == OPTION_OPERAND)
        return option_refuse_operand(text, request->command, error);
    const char *name = request->option[id].row.name;
    id -= request->option[id].is_alias;
    char what[4 * SHOWN], shown[SHOWN];
    request->given[id] = text ? text : "";
    return !text || is_allowed(&request->option[id], text, what, sizeof what) ||
           jm_fail(error, request->command, "--%s %s: expected %s", name,
                   *text ? jm_printable(text, shown, sizeof shown) : "''", what);
}

bool model_parse(ModelRequest *request, const char *command, const char *title,
                 int argc, char **argv, JmError *error) {
    OptionRow rows[OPTION_ROWS_MAX];
    *request = (ModelRequest){.command = title};
    while (
        model_option(command, request->options, &request->option[request->options])) {
        rows[request->options] = request->option[request->options].row;
        request->options++;
    }
    const OptionSet set = {.command = title,
                           .rows = rows,
                           .count = (int)request->options,
                           .in_order = true,
                           .take = take};
    return option_set_take(&set, request, argc, argv, error) &&
           (optind == argc || option_refuse_operand(argv[optind], title, error));
}

void model_help(const ModelRequest *request) {
    enum { COLUMN = 26 };
    for (unsigned i = 0; i < request->options; i++)
        option_row_print(stdout, &request->option[i].row, COLUMN);
}

bool model_begin(ModelRequest *request, const char *command, const char *title,
                 const char *usage, const char *notes, int argc, char **argv,
                 int *status) {
    JmError error;
    if (!model_parse(request, command, title, argc, argv, &error)) {
        *status = model_end(request, false, &error);
        return false;
    }
    if (!model_given(request, "help"))
        return true;
    puts(usage);
    model_help(request);
    fputs(notes, stdout);
    *status = EXIT_SUCCESS;
    return false;
}

static bool is_named(const ModelOption *option, const char *name) {
    return strcmp(option->setting ? option->setting->name : option->row.name, name) ==
           0;
}

const char *model_given(const ModelRequest *request, const char *name) {
    for (unsigned i = 0; i < request->options; i++)
        if (request->given[i] && is_named(&request->option[i], name))
            return request->given[i];
    return NULL;
}

bool model_need(const ModelRequest *request, const char *options, JmError *error) {
    for (unsigned i = 0; i < request->options; i++) {
        const ModelOption *option = &request->option[i];
        const char *name = option->row.name;
        if (word_list_has(options, '|', name) &&
            !model_given(request, option->setting ? option->setting->name : name))
            return jm_fail(error, request->command, "--%s is missing", name);
    }
    return true;
}

bool model_refuse(const ModelRequest *request, const char *settings, const char *needed,
                  JmError *error) {
    for (unsigned i = 0; i < request->options; i++)
        if (request->given[i] && request->option[i].setting &&
            word_list_has(settings, '|', request->option[i].setting->name))
            return jm_fail(error, request->command, "--%s needs %s",
                           request->option[i].row.name, needed);
    return true;
}

unsigned model_count(const ModelRequest *request, const char *option,
                     unsigned standard) {
    const char *text = model_given(request, option);
    return text ? (unsigned)strtoul(text, NULL, 10) : standard;
}

unsigned model_place(const ModelRequest *request, const char *option) {
    const char *word = model_given(request, option);
    const ModelOption *row = request->option;
    while (!is_named(row, option))
        row++;
    return word ? (unsigned)word_list_place(row->row.argument, '|', word) : 0;
}

/* ---- settings -------------------------------------------------------------------- */

static bool set(ModelRequest *request, const ModelOption *option, const char *text,
                JmError *error) {
    char value[SETTING_TEXT_MAX];
    const char *model = settings_text(&request->settings, "model");
    const char *name = option->setting->name;
    snprintf(value, sizeof value, "%s%s", text, option->more);
    return !settings_takes(model, name) ||
           settings_set(&request->settings, name, value, error);
}

bool model_settle(ModelRequest *request, const char *model, JmError *error) {
    const ModelOption *option = request->option;
    settings_set(&request->settings, "model", model, NULL);
    for (unsigned i = 0; i < request->options; i++)
        if (option[i].standard)
            set(request, &option[i], option[i].standard, error);
    for (unsigned i = 0; i < request->options; i++) {
        if (!request->given[i] || !option[i].setting)
            continue;
        for (unsigned k = 0; k < i; k++)
            if (request->given[k] && option[k].setting == option[i].setting)
                return jm_fail(error, request->command, "--%s and --%s are both given",
                               option[i].row.name, option[k].row.name);
        if (!set(request, &option[i], request->given[i], error))
            return false;
    }
    return true;
}

/* ---- results --------------------------------------------------------------------- */

bool model_check_json(const ModelRequest *request, JmError *error) {
    const char *path = model_given(request, "json");
    return !path || jm_outfile_check(path, NULL, error);
}

bool model_has_text(const ModelRequest *request, const char *files) {
    for (unsigned i = 0; i < request->options; i++)
        if (request->given[i] && strcmp(request->given[i], "-") == 0 &&
            word_list_has(files, '|', request->option[i].row.name))
            return false;
    return true;
}

bool model_commit_json(JmOutFile *file, json_t *root, JmError *error) {
    if (!root) {
        jm_outfile_drop(file);
        return jm_fail(error, "jm", "no memory for the result");
    }
    json_dumpf(root, file->stream, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    putc('\n', file->stream);
    json_decref(root);
    return jm_outfile_commit(file, error);
}

bool model_put_json(const ModelRequest *request, json_t *root, JmError *error) {
    const char *path = model_given(request, "json");
    JmOutFile file;
    if (path && outputs_open(&(Output){&file, path}, 1, NULL, error))
        return model_commit_json(&file, root, error);
    json_decref(root);
    return !path;
}

/* Whether a part was asked for, but has no solution. */
static bool is_unsolved(const Result *part) {
    return part && strcmp(part->stop, "solved") != 0;
}

int model_end(ModelRequest *request, bool good, const JmError *error) {
    int status = good                                       ? EXIT_SUCCESS
                 : host_report_for(request->command, error) ? EXIT_SUCCESS
                                                            : EXIT_USAGE;
    for (unsigned i = 0; i < PARTS; i++) {
        if (good && is_unsolved(request->part[i])) {
            fprintf(stderr, "%s: no solution: %s\n", request->command,
                    request->part[i]->stop);
            status = EXIT_UNSOLVED;
        }
        result_free(request->part[i]);
    }
    return status;
}
