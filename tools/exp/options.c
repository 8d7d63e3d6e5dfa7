/* Parses the command line of `jm exp run` by the rows of options.def. */
#include "tools/exp/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/core/suggest.h"
#include "tools/host/memory.h"
#include "tools/host/numbers.h"
#include "tools/host/option_rows.h"
#include "tools/host/shell.h"

enum { TEXT_COLUMN = 18 };

#define OPTIONS "tools/exp/options.def"
#include "tools/host/option_table.def"

void exp_options_help(void) {
    const char *lead = "Usage:";
#define COMMAND(name, arguments, text)                                                 \
    printf("%s jm exp " #name "%s" arguments "\n", lead, *arguments ? " " : "");       \
    lead = "      ";
#include "tools/exp/commands.def"
#undef COMMAND
    puts("Runs experiments of Lethin's thesis, writes their data, and judges its "
         "claims.");
    for (unsigned i = 0; i < OPTION_COUNT; i++)
        option_row_print(stdout, &rows[i], TEXT_COLUMN);
    puts("Under mpirun the runs go to all ranks instead of --jobs processes.");
    puts("Keys of FILE.exp, as in `title: Short handlers`:");
#define KEY(name, type, member, needed, text)                                          \
    printf("  %-*s", TEXT_COLUMN - 2, #name);                                          \
    print_wrapped(stdout, text, TEXT_COLUMN);
#define CLAIM_KEY KEY
#include "tools/exp/plan/experiment_keys.def"
}

/* Parses a number from 1 to `most`. */
static bool set_count(unsigned *number, const char *name, const char *value,
                      unsigned most, JmError *error) {
    uint64_t parsed;
    if (!number_parse(value, 1, most, &parsed))
        return jm_fail(error, "jm exp", "--%s %s: expected a number from 1 to %u", name,
                       value, most);
    *number = (unsigned)parsed;
    return true;
}

static bool add_set(ExpOptions *options, const char *value, JmError *error) {
    if (options->variation.set_count == EXP_SETS_MAX)
        return jm_fail(error, "jm exp", "more than %d times --set", EXP_SETS_MAX);
    options->sets[options->variation.set_count++] = value;
    return true;
}

static bool take_option(ExpOptions *options, OptionId id, char *value, JmError *error) {
    switch (id) {
    case OPTION_QUICK:
    case OPTION_FULL:
        options->variation.full = id == OPTION_FULL;
        return true;
    case OPTION_OUT:
        options->folder = value;
        return *value || jm_fail(error, "jm exp", "--out: no name of a folder");
    case OPTION_RESUME:
        options->resume = true;
        return true;
    case OPTION_JOBS:
        return set_count(&options->jobs, "jobs", value, EXP_JOBS_MAX, error);
    case OPTION_RUNS:
        return set_count(&options->variation.runs, "runs", value, 1000000, error);
    case OPTION_SET:
        return add_set(options, value, error);
    case OPTION_QUIET:
        options->quiet = true;
        return true;
    default:
        options->help = true;
        return true;
    }
}

/* ---- names of experiments -------------------------------------------------------- */

static bool unknown_experiment(const char *name, JmError *error) {
    JmSuggestion suggestion = jm_suggest_start(name);
    for (unsigned i = 0; i < experiment_count(); i++)
        jm_suggest_consider(&suggestion, experiment_at(i)->name);
    return jm_fail(error, "jm exp", "no experiment '%s'%s", name,
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
static bool read_files(ExpOptions *options, int count, char **names, OwnSource source,
                       JmError *error) {
    options->files = memory_array((size_t)count, sizeof *options->files);
    for (int i = 0; i < count; i++) {
        if (!experiment_file_is(names[i]))
            continue;
        ExperimentFile *file = own_read(names[i], source, error);
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

bool exp_options_names(ExpOptions *options, int count, char **names, OwnSource source,
                       JmError *error) {
    if (count == 0)
        return jm_fail(error, "jm exp",
                       "no experiment named; jm exp list has them all");
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

static unsigned processors(void) {
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > EXP_JOBS_MAX ? EXP_JOBS_MAX : (unsigned)count;
}

bool exp_options_parse(ExpOptions *options, int argc, char **argv, OwnSource source,
                       JmError *error) {
    *options = (ExpOptions){.folder = "results", .jobs = processors()};
    OptionScan scan;
    option_scan_start(&scan, rows, OPTION_COUNT, false);
    for (int id; (id = option_scan_next(&scan, argc, argv)) != OPTION_END;)
        if (id < 0)
            return option_scan_refuse(&scan, id, "jm exp", error);
        else if (!take_option(options, (OptionId)id, optarg, error))
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
