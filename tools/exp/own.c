/* Experiments of one's own: see own.h. */
#include "tools/exp/own.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "asm/objects/bytes.h"
#include "emu/core/printable.h"
#include "tools/exp/measure/measure.h"
#include "tools/exp/measure/row.h"
#include "tools/exp/tables/tables.h"
#include "tools/host/host.h"
#include "tools/host/memory.h"

/* ---- columns --------------------------------------------------------------------- */

/* The statistic that may be meant; the mean if none is near. */
static const char *statistic_meant(const char *name) {
    JmSuggestion near = jm_suggest_start(name);
    tables_suggest_statistic(&near);
    return near.best ? near.best : "mean";
}

/* Returns the name of a column that may be meant, malloc'ed; of a curve with a
 * statistic of it. */
static char *column_meant(ExperimentKind kind, const char *name) {
    const char *end = strrchr(name, '_');
    const bool splits = kind == KIND_CURVE && end && !row_has(name);
    char *column = memory_text("%.*s", splits ? (int)(end - name) : INT_MAX, name);
    JmSuggestion near = jm_suggest_start(column);
    row_suggest(&near);
    const char *best = near.best ? near.best : "";
    const bool whole = kind != KIND_CURVE || tables_have(kind, best);
    char *meant = memory_text("%s%s%s", best, whole ? "" : "_",
                              whole ? "" : statistic_meant(splits ? end + 1 : ""));
    free(column);
    return meant;
}

/* Reports that a kind has no such column. */
static bool unknown_column(const ExperimentFile *file, const char *value, size_t offset,
                           const char *name, JmError *error) {
    const ExperimentKind kind = experiment_file_row(file)->kind;
    char *meant = column_meant(kind, name);
    const bool near = tables_have(kind, meant);
    char *text =
        memory_text("no column '%s' of the kind '%s'%s%s%s", name,
                    experiment_kind_name(kind), near ? "; did you mean '" : "",
                    near ? meant : "; jm exp columns has all", near ? "'?" : "");
    experiment_file_fail(file, value, offset, error, text);
    free(meant);
    free(text);
    return false;
}

/* Checks the columns in a list that blanks divide. */
static bool check_columns(const ExperimentFile *file, const char *list,
                          JmError *error) {
    for (const char *at = list; at && *at;) {
        char name[SETTING_TEXT_MAX];
        const size_t length = strcspn(at, " ");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (length >= sizeof name ||
            !tables_have(experiment_file_row(file)->kind, name))
            return unknown_column(file, list, (size_t)(at - list), name, error);
        at += length + (at[length] == ' ');
    }
    return true;
}

/* Whether a kind is drawn from columns that the experiment names. */
static bool is_drawn(ExperimentKind kind) {
    return kind != KIND_VIEW && kind != KIND_TABLE;
}

/* Checks all columns. Only curves have a series. */
static bool check_axes(const ExperimentFile *file, JmError *error) {
    const Experiment *row = experiment_file_row(file);
    if (is_drawn(row->kind) && (!*row->x || !*row->y))
        return jm_fail(error, row->file, "no line '%s: ...': the kind '%s' is drawn",
                       *row->x ? "y" : "x", experiment_kind_name(row->kind));
    if (row->series && (row->kind == KIND_TIMES || row->kind == KIND_MAP))
        return experiment_file_fail(file, row->series, 0, error,
                                    "times and maps are of all runs, without a series");
    return check_columns(file, row->x, error) && check_columns(file, row->y, error) &&
           check_columns(file, row->error, error) &&
           check_columns(file, row->series, error);
}

/* ---- points ---------------------------------------------------------------------- */

/* Tables of other kinds are of runs of the machine. */
static bool check_models(const ExperimentFile *file, const Plan *plan, JmError *error) {
    const Experiment *row = experiment_file_row(file);
    for (unsigned i = 0; i < plan->point_count; i++)
        if (settings_text(&plan->points[i].settings, "model") &&
            row->kind != KIND_MODELS)
            return experiment_file_fail(
                file, row->quick, 0, error,
                "points that a model solves need 'kind: models'");
    return true;
}

/* Checks that some point takes the setting that is x, if it is one. */
static bool check_taken(const ExperimentFile *file, const Plan *plan, const char *name,
                        JmError *error) {
    if (!settings_known(name) || row_is_figure(name))
        return true;
    for (unsigned i = 0; i < plan->point_count; i++)
        if (settings_takes(settings_taker(&plan->points[i].settings), name))
            return true;
    char *text = memory_text("no point of the sweep takes the setting '%s'", name);
    experiment_file_fail(file, name, 0, error, text);
    free(text);
    return false;
}

static bool check_claims(const ExperimentFile *file, const Campaign *campaign,
                         JmError *error) {
    const Experiment *row = experiment_file_row(file);
    for (unsigned i = 0; i < row->claim_count; i++) {
        const Claim *claim = &row->claims[i];
        Measure found;
        JmError wrong;
        if (!measure(campaign, row->name, claim->measure, &found, &wrong))
            return experiment_file_fail(file, claim->measure, (size_t)wrong.column - 1,
                                        error, wrong.text);
    }
    return true;
}

bool own_check(const ExperimentFile *file, JmError *error) {
    const Experiment *row = experiment_file_row(file);
    const Variation quick = {.runs = 1};
    Campaign campaign = campaign_open(&quick);
    const bool good = check_axes(file, error) && campaign_add(&campaign, row, error) &&
                      check_models(file, campaign.plans, error) &&
                      check_taken(file, campaign.plans, row->x, error) &&
                      check_claims(file, &campaign, error);
    campaign_close(&campaign);
    return good;
}

/* ---- files ----------------------------------------------------------------------- */

ExperimentFile *own_read(const char *path, OwnSource source, JmError *error) {
    size_t size;
    char *text = source.read(source.context, path, &size, error);
    if (!text)
        return NULL;
    ExperimentFile *file = NULL;
    if (size > EXPERIMENT_FILE_MAX)
        jm_fail(error, path, "this is no experiment: it has more than %d bytes",
                EXPERIMENT_FILE_MAX);
    else
        file = experiment_file_parse(path, text, size, error);
    free(text);
    if (!file || own_check(file, error))
        return file;
    experiment_file_free(file);
    return NULL;
}

/* ---- messages -------------------------------------------------------------------- */

/* Prints a part of a line as it is, or as blanks of the same width; tabs stay. */
static void put_part(const char *at, const char *end, bool blanks) {
    while (at < end) {
        const int length = jm_printable_length(at, (size_t)(end - at));
        if (*at == '\t')
            putc('\t', stderr);
        else if (blanks || length == 0)
            putc(blanks ? ' ' : '?', stderr);
        else
            fprintf(stderr, "%.*s", length, at);
        at += length ? length : 1;
    }
}

/* Prints line `line` of a text, and a mark below its byte `column`. */
static void put_line(const char *text, size_t size, int line, int column) {
    const char *at = text, *end = text + size;
    for (const char *newline; line > 1; line--) {
        newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    end = newline ? newline : end;
    end -= end > at && end[-1] == '\r';
    const char *mark = column - 1 < end - at ? at + column - 1 : end;
    put_part(at, end, false);
    putc('\n', stderr);
    put_part(at, mark, true);
    fputs("^\n", stderr);
}

void own_report(const JmError *error) {
    host_report(error);
    if (!experiment_file_is(error->file) || error->line < 1 || error->column < 1)
        return;
    size_t size;
    JmError unused;
    char *text = (char *)asm_bytes_read(error->file, &size, &unused);
    if (text)
        put_line(text, size, error->line, error->column);
    free(text);
}
