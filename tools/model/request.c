/* Command lines whose options are settings, and their results. */
#include "tools/model/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/host.h"
#include "tools/host/outputs.h"

/* ---- settings -------------------------------------------------------------------- */

static bool set(ModelRequest *request, const OptionRow *row, const char *text,
                JmError *error) {
    char value[SETTING_TEXT_MAX];
    snprintf(value, sizeof value, "%s%s", text, row->added);
    return settings_set(&request->settings, row->setting, value, error);
}

/* Whether row `id` gives a setting of the model. */
static bool is_setting(const OptionSet *options, int id, const char *model) {
    return options->rows[id].kind == OPTION_SETTING &&
           strcmp(options->rows[id].model, model) == 0;
}

/* Refuses an option before `id` that gives the same setting. */
static bool check_other(const ModelRequest *request, int id, JmError *error) {
    const OptionRow *rows = request->options->rows;
    for (int i = 0; i < id; i++)
        if (request->asked.given[i] &&
            is_setting(request->options, i, rows[id].model) &&
            strcmp(rows[i].setting, rows[id].setting) == 0)
            return jm_fail(error, request->options->command,
                           "--%s and --%s are both given", rows[id].name, rows[i].name);
    return true;
}

bool model_settle(ModelRequest *request, const char *model, JmError *error) {
    const OptionSet *options = request->options;
    settings_set(&request->settings, "model", model, NULL);
    for (int i = 0; i < options->count; i++)
        if (is_setting(options, i, model) && options->rows[i].standard &&
            *options->rows[i].standard)
            set(request, &options->rows[i], options->rows[i].standard, error);
    for (int i = 0; i < options->count; i++)
        if (is_setting(options, i, model) && request->asked.given[i] &&
            (!check_other(request, i, error) ||
             !set(request, &options->rows[i], request->asked.given[i], error)))
            return false;
    return true;
}

bool model_given(const ModelRequest *request, const char *option) {
    return option_is_given(request->options, request->asked.given, option);
}

bool model_refuse(const ModelRequest *request, const char *options, const char *needed,
                  JmError *error) {
    char why[64];
    snprintf(why, sizeof why, "needs %s", needed);
    return option_refuse(request->options, request->asked.given, options, why, error);
}

/* ---- results --------------------------------------------------------------------- */

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
    const char *path = request->json;
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
    const char *command = request->options->command;
    int status = good                              ? EXIT_SUCCESS
                 : host_report_for(command, error) ? EXIT_SUCCESS
                                                   : EXIT_USAGE;
    for (unsigned i = 0; i < PARTS; i++) {
        if (good && is_unsolved(request->part[i])) {
            fprintf(stderr, "%s: no solution: %s\n", command, request->part[i]->stop);
            status = EXIT_UNSOLVED;
        }
        result_free(request->part[i]);
    }
    return status;
}
