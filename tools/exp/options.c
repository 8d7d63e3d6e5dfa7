/* Parses the command line of `jm exp run` by the rows of options.def, and reads the
 * experiments' files that it names. */
#include "tools/exp/options.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/suggest.h"
#include "tools/exp/measure/measure.h"
#include "tools/exp/measure/row.h"
#include "tools/exp/tables/tables.h"
#include "tools/host/host.h"
#include "tools/host/memory.h"
#include "tools/host/option_rows.h"
#include "tools/host/shell.h"

enum { TEXT_COLUMN = 18 };

static bool take_set(void *fields, char *argument, JmError *error) {
    ExpOptions *options = fields;
    if (options->variation.set_count == EXP_SETS_MAX)
        return jm_fail(error, NULL, "more than %d times --set", EXP_SETS_MAX);
    options->sets[options->variation.set_count++] = argument;
    return true;
}

#define OPTIONS "tools/exp/options.def"
#define OPTION_FIELDS ExpOptions
#include "tools/host/option_table.def"

static const OptionSet option_set = {.command = EXP_RUN, OPTION_TABLE};

void exp_options_help(void) {
    const char *lead = "Usage:";
#define COMMAND(name, arguments, text)                                                 \
    printf("%s jm exp " #name "%s" arguments "\n", lead, *arguments ? " " : "");       \
    lead = "      ";
#include "tools/exp/commands.def"
#undef COMMAND
    puts("Runs experiments of Lethin's thesis, writes their data, and judges its "
         "claims.");
    for (int i = 0; i < option_set.count; i++)
        option_row_print(stdout, &option_rows[i], TEXT_COLUMN);
    puts("Under mpirun the runs go to all ranks instead of --jobs processes.");
    puts("Keys of FILE.exp, as in `title: Short handlers`:");
#define KEY(name, type, member, needed, text)                                          \
    printf("  %-*s", TEXT_COLUMN - 2, #name);                                          \
    print_wrapped(stdout, text, TEXT_COLUMN);
#define CLAIM_KEY KEY
#include "tools/exp/plan/experiment_keys.def"
}

/* ---- files: columns -------------------------------------------------------------- */

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

/* ---- files: points --------------------------------------------------------------- */

/* Tables of other kinds are of runs of the machine. */
static bool check_models(const ExperimentFile *file, const Plan *plan, JmError *error) {
    const Experiment *row = experiment_file_row(file);
    for (unsigned i = 0; i < plan->point_count; i++)
        if (settings_text(plan->points[i].settings, "model") &&
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
        if (settings_takes(settings_taker(plan->points[i].settings), name))
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

/* Checks what experiment_file_parse() cannot know. */
static bool check_file(const ExperimentFile *file, JmError *error) {
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

/* ---- files: reading -------------------------------------------------------------- */

/* Reads a file, and checks its columns, points and measures. NULL and an error. */
static ExperimentFile *read_file(const char *path, ExpSource source, JmError *error) {
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
    if (!file || check_file(file, error))
        return file;
    experiment_file_free(file);
    return NULL;
}

/* ---- names of experiments -------------------------------------------------------- */

static bool unknown_experiment(const char *name, JmError *error) {
    JmSuggestion suggestion = jm_suggest_start(name);
    for (unsigned i = 0; i < experiment_count(); i++)
        jm_suggest_consider(&suggestion, experiment_at(i)->name);
    return jm_fail(error, NULL, "no experiment '%s'%s", name,
                   jm_suggest_text(&suggestion, "", "; jm exp list has them all"));
}

/* Group names: "all" for the experiments of the thesis, "papers" for those of the
 * papers. */
static bool is_group(const char *name) {
    return strcmp(name, "all") == 0 || strcmp(name, "papers") == 0;
}

static bool is_named(const Experiment *experiment, int count, char **names) {
    const char *group = experiment->paper ? "papers" : "all";
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], experiment->name) == 0 || strcmp(names[i], group) == 0)
            return true;
    return false;
}

/* Reads the experiments of the files among the names. */
static bool read_files(ExpOptions *options, int count, char **names, ExpSource source,
                       JmError *error) {
    options->files = memory_array((size_t)count, sizeof *options->files);
    for (int i = 0; i < count; i++) {
        if (!experiment_file_is(names[i]))
            continue;
        ExperimentFile *file = read_file(names[i], source, error);
        if (!file)
            return false;
        options->files[options->file_count++] = file;
        const char *name = experiment_file_row(file)->name;
        for (unsigned k = 0; k + 1 < options->file_count; k++)
            if (strcmp(experiment_file_row(options->files[k])->name, name) == 0)
                return jm_fail(error, names[i], "another file is named '%s' too", name);
    }
    return true;
}

bool exp_options_names(ExpOptions *options, int count, char **names, ExpSource source,
                       JmError *error) {
    if (count == 0)
        return jm_fail(error, NULL, "no experiment named; jm exp list has them all");
    for (int i = 0; i < count; i++)
        if (!is_group(names[i]) && !experiment_file_is(names[i]) &&
            !experiment_find(names[i]))
            return unknown_experiment(names[i], error);
    if (!read_files(options, count, names, source, error))
        return false;
    options->experiments = memory_array(experiment_count() + options->file_count,
                                        sizeof *options->experiments);
    for (unsigned i = 0; i < experiment_count(); i++)
        if (is_named(experiment_at(i), count, names))
            options->experiments[options->experiment_count++] = experiment_at(i);
    for (unsigned i = 0; i < options->file_count; i++)
        options->experiments[options->experiment_count++] =
            experiment_file_row(options->files[i]);
    return true;
}

/* Returns the command recorded in the results, without options that change no result:
 * --out, --jobs, --resume, --quiet. */
static char *join_command(const ExpOptions *options, int count, char **names) {
    char *text = NULL;
    size_t size;
    FILE *out = memory_checked(open_memstream(&text, &size));
    fputs("jm exp run", out);
    for (int i = 0; i < count; i++) {
        putc(' ', out);
        shell_put(out, names[i]);
    }
    variation_print(&options->variation, out);
    fclose(out);
    return text;
}

bool exp_options_parse(ExpOptions *options, int argc, char **argv, ExpSource source,
                       JmError *error) {
    *options = (ExpOptions){.folder = "results", .jobs = host_processors(EXP_JOBS_MAX)};
    if (!option_set_take(&option_set, options, NULL, argc, argv, error))
        return false;
    if (options->help)
        return true;
    options->variation.sets = options->sets;
    if (!exp_options_names(options, argc - optind, argv + optind, source, error))
        return false;
    options->command = join_command(options, argc - optind, argv + optind);
    return true;
}

void exp_options_free(ExpOptions *options) {
    for (unsigned i = 0; i < options->file_count; i++)
        experiment_file_free(options->files[i]);
    free(options->files);
    free(options->experiments);
    free(options->command);
    *options = (ExpOptions){0};
}
