/* The command `jm exp`: lists, runs and reports the thesis's experiments. A run goes
 * through plan, run, measure, judge and tables in this order. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "asm/objects/bytes.h"
#include "emu/core/printable.h"
#include "tools/exp/judge/choices.h"
#include "tools/exp/judge/claims.h"
#include "tools/exp/options.h"
#include "tools/exp/run/conduct.h"
#include "tools/exp/tables/tables.h"
#include "tools/host/frame.h"
#include "tools/host/host.h"
#include "tools/host/memory.h"
#include "tools/host/option_rows.h"
#include "tools/host/shell.h"
#include "tools/host/signals.h"
#include "tools/jm/commands.h"
#include "tools/jm/version.h"
#include "tools/report/chapters.h"
#include "tools/report/exp_report.h"
#include "tools/report/figures.h"
#include "tools/report/files/folder.h"

/* Exit status if some run did not end properly; all files are written anyway. */
enum { EXIT_RUNS_FAILED = 1 };

/* ---- list ------------------------------------------------------------------------ */

/* Prints the row of an experiment with the number of runs it would take. */
static void list_experiment(const Experiment *experiment, Campaign *campaign) {
    const Plan *plan = campaign_plan(campaign, experiment->name);
    const bool thesis = experiment->figure[0] >= '0' && experiment->figure[0] <= '9';
    const size_t runs = plan ? plan_run_count(plan) : 0;
    printf("%-16s %5zu %s  %s%s%s%s\n", experiment->name, runs,
           runs == 1 ? "run " : "runs", thesis ? "figure " : "", experiment->figure,
           experiment->figure[0] ? ": " : "", experiment->title);
}

/* Adds the experiments of the thesis, or those of the papers. Returns how many
 * different runs they add; experiments share runs. */
static size_t add_group(Campaign *campaign, bool papers, JmError *error) {
    const size_t before = campaign->run_count;
    for (unsigned i = 0; !error->text[0] && i < experiment_count(); i++)
        if (!experiment_at(i)->paper == !papers)
            campaign_add(campaign, experiment_at(i), error);
    return campaign->run_count - before;
}

/* Lists the experiments of a chapter from plan `first` on, below its heading. */
static void list_chapter(Campaign *campaign, unsigned first, unsigned chapter) {
    const char *heading = "in no chapter of the report";
    const char *name = chapters_name(chapter, &heading);
    bool empty = true;
    for (unsigned i = first; i < campaign->plan_count; i++) {
        const Experiment *experiment = campaign->plans[i].experiment;
        if (chapters_with(experiment->name) != chapter)
            continue;
        if (empty)
            printf("%s: %s\n", name ? name : "Others", heading);
        list_experiment(experiment, campaign);
        empty = false;
    }
    if (!empty)
        putchar('\n');
}

/* Adds and lists a group by chapters, and how many runs it takes. */
static bool list_group(Campaign *campaign, bool papers, JmError *error) {
    const unsigned first = campaign->plan_count;
    const size_t runs = add_group(campaign, papers, error);
    for (unsigned k = 0; !error->text[0] && k < chapters_count(); k++)
        list_chapter(campaign, first, k);
    if (!error->text[0])
        printf(papers ? "papers: %zu different runs\n"
                      : "all: %zu different runs; that many with --quick, more with "
                        "--full\n\n",
               runs);
    return !error->text[0];
}

static bool list_all(JmError *error) {
    const Variation quick = {.full = false};
    Campaign campaign = campaign_open(&quick);
    const bool good =
        list_group(&campaign, false, error) && list_group(&campaign, true, error);
    campaign_close(&campaign);
    return good;
}

/* ---- files ----------------------------------------------------------------------- */

/* Reads an experiment's file. Only the leader of several ranks needs to have it; the
 * others get its text, or why there is none. */
static char *read_shared(void *context, const char *path, size_t *size,
                         JmError *error) {
    Ranks *ranks = context;
    char *text = NULL;
    if (ranks_leads(ranks))
        text = (char *)asm_bytes_read(path, size, error);
    bool good = text != NULL;
    ranks_share(ranks, &good, sizeof good);
    if (!good) {
        ranks_share(ranks, error, sizeof *error);
        return NULL;
    }
    ranks_share(ranks, size, sizeof *size);
    text = text ? text : memory_array(*size + 1, 1);
    ranks_share(ranks, text, *size);
    return text;
}

/* Takes the operands of jm exp list and show. */
static bool take_names(ExpOptions *options, int count, char **names, JmError *error) {
    const ExpSource source = {read_shared, NULL};
    return exp_options_names(options, count, names, source, error);
}

/* Lists the experiments that are named. */
static bool list_named(int count, char **names, JmError *error) {
    const Variation quick = {.full = false};
    Campaign campaign = campaign_open(&quick);
    ExpOptions options = {.experiments = NULL};
    bool good = take_names(&options, count, names, error);
    for (unsigned i = 0; good && i < options.experiment_count; i++)
        good = campaign_add(&campaign, options.experiments[i], error);
    for (unsigned i = 0; good && i < options.experiment_count; i++)
        list_experiment(options.experiments[i], &campaign);
    campaign_close(&campaign);
    exp_options_free(&options);
    return good;
}

static bool list(int count, char **names, JmError *error) {
    return count ? list_named(count, names, error) : list_all(error);
}

/* Prints an experiment as a file. */
static bool show(int count, char **names, JmError *error) {
    ExpOptions options = {.experiments = NULL};
    bool good = take_names(&options, count, names, error);
    if (good && options.experiment_count != 1)
        good = jm_fail(error, NULL, "show prints one experiment");
    if (good) {
        Experiment row = *options.experiments[0];
        row.log = row.file ? row.log : figures_log(row.name);
        experiment_print(&row, stdout);
    }
    exp_options_free(&options);
    return good;
}

/* ---- plan ------------------------------------------------------------------------ */

/* Rejects settings that none of the planned runs accepts: some apply only to models. */
static bool check_sets(const Campaign *campaign, JmError *error) {
    for (unsigned i = 0; i < campaign->variation.set_count; i++) {
        const char *set = campaign->variation.sets[i];
        char name[SETTING_TEXT_MAX];
        bool used = false;
        settings_split(set, name);
        for (size_t k = 0; k < campaign->run_count && !used; k++)
            used = settings_text(&campaign->runs[k]->settings, name) != NULL;
        if (!used)
            return jm_fail(error, NULL, "--set %s: nothing here takes it, only %s", set,
                           settings_takers(name));
    }
    return true;
}

/* Plans all experiments that the command line names. False and an error. */
static bool plan_all(Campaign *campaign, const ExpOptions *options, JmError *error) {
    bool good = true;
    *campaign = campaign_open(&options->variation);
    for (unsigned i = 0; good && i < options->experiment_count; i++)
        good = campaign_add(campaign, options->experiments[i], error);
    return good && check_sets(campaign, error);
}

static bool make_folder(const char *folder, JmError *error) {
    return mkdir(folder, 0777) == 0 || errno == EEXIST ||
           jm_fail(error, folder, "cannot make this folder: %s", strerror(errno));
}

/* Writes everything that follows from the records: tables, metadata, verdicts. */
static bool write_all(const Campaign *campaign, const Judgements *judgements,
                      const ExpOptions *options, JmError *error) {
    for (unsigned i = 0; i < campaign->plan_count; i++)
        if (!tables_write(&campaign->plans[i], options->folder, error))
            return false;
    return metadata_write(campaign, options->folder, options->command, error) &&
           claims_write(judgements, options->folder, error) &&
           choices_write(campaign, options->folder, error);
}

/* ---- messages about runs --------------------------------------------------------- */

static void report_failure(const Run *run) {
    const Result *r = run->outcome;
    fprintf(stderr, "jm exp: %s: %s, status %.0f\n", run->key, JM_SHOWN(r->stop),
            r->status);
    for (size_t i = 0; i < json_array_size(r->why); i++)
        fprintf(stderr, "  %s\n",
                JM_SHOWN(json_string_value(json_array_get(r->why, i))));
}

/* Prints the runs that did not end as planned, or whose program counted too few hops
 * (exit status other than 0); returns how many. */
static size_t report_failures(const Campaign *campaign) {
    size_t count = 0;
    for (size_t i = 0; i < campaign->run_count; i++) {
        const Run *run = campaign->runs[i];
        if (!run->outcome || run->result)
            continue;
        count++;
        report_failure(run);
    }
    return count;
}

/* Reports the progress of an unfinished sweep, and the command that continues it. */
static void report_part(const Campaign *campaign, const ExpOptions *options) {
    const size_t done = campaign_done(campaign);
    fprintf(stderr,
            "jm exp: %s%zu of %zu runs are done and kept; to go on: %s --resume "
            "--out ",
            signals_pending() ? "interrupted: " : "", done, campaign->run_count,
            options->command);
    shell_put(stderr, options->folder);
    putc('\n', stderr);
}

static void report_others(const Journal *journal, const char *folder) {
    const size_t others = journal_others(journal);
    if (others)
        fprintf(stderr,
                "jm exp: %s/runs.jsonl: %zu record%s of another jm than %s %s kept and "
                "not used\n",
                folder, others, others == 1 ? "" : "s", version_text,
                others == 1 ? "is" : "are");
}

/* ---- run ------------------------------------------------------------------------- */

/* Opens the journal and writes the description of the sweep, so that it can be reported
 * however it ends. NULL and an error. */
static Journal *open_sweep(Campaign *campaign, const ExpOptions *options,
                           JmError *error) {
    char *path = memory_text("%s/" JOURNAL_NAME, options->folder);
    Journal *journal =
        journal_open(path, options->resume, campaign_take, campaign, error);
    free(path);
    if (!journal)
        return NULL;
    if (!options->quiet)
        report_others(journal, options->folder);
    if (metadata_write(campaign, options->folder, options->command, error))
        return journal;
    journal_close(journal);
    return NULL;
}

/* Prints what failed and the verdicts. Returns the exit status. */
static int print_all(const Campaign *campaign, const Judgements *judgements,
                     const ExpOptions *options) {
    const size_t failures = report_failures(campaign);
    if (signals_pending())
        return 128 + signals_pending();
    if (!options->quiet)
        claims_print(judgements, options->folder);
    return failures ? EXIT_RUNS_FAILED : EXIT_SUCCESS;
}

/* Writes and prints the results of the finished runs. Returns the exit status. */
static int conclude(const Campaign *campaign, const ExpOptions *options,
                    JmError *error) {
    Judgements judgements;
    const bool good = claims_judge(&judgements, campaign, error) &&
                      write_all(campaign, &judgements, options, error);
    const int status = good ? print_all(campaign, &judgements, options) : EXIT_USAGE;
    claims_free(&judgements);
    return status;
}

/* Does the runs of a planned campaign. Returns the exit status. */
static int sweep(Campaign *campaign, const ExpOptions *options, Ranks *ranks,
                 JmError *error) {
    const bool leads = ranks_leads(ranks);
    Journal *journal = leads ? open_sweep(campaign, options, error) : NULL;
    /* Every rank must learn whether the leader succeeded, or it would wait forever. */
    bool good = !leads || journal;
    ranks_share(ranks, &good, sizeof good);
    if (!good && !leads)
        jm_fail(error, NULL, "rank 0 gave up");
    good = good && campaign_conduct(campaign, journal, options->jobs,
                                    options->quiet || !leads, ranks, error);
    const bool interrupted = !good && journal && signals_pending();
    if (!good && journal)
        report_part(campaign, options);
    journal_close(journal);
    if (!leads)
        return good ? EXIT_SUCCESS : EXIT_USAGE;
    return good || interrupted ? conclude(campaign, options, error) : EXIT_USAGE;
}

/* Under mpirun every rank comes here, but only the leader writes files and prints. */
static int run(const ExpOptions *options, Ranks *ranks, JmError *error) {
    Campaign campaign;
    const bool good =
        plan_all(&campaign, options, error) && make_folder(options->folder, error);
    const int status = good ? sweep(&campaign, options, ranks, error) : EXIT_USAGE;
    campaign_close(&campaign);
    return status;
}

/* ---- report ---------------------------------------------------------------------- */

enum { WORDS_MAX = 128 };

/* Splits the command recorded in experiments.json into arguments from "run" on; returns
 * 0 if it is malformed. The words lie in `text`. */
static int cut_command(char *text, char *words[WORDS_MAX]) {
    const unsigned count = shell_cut(text, words, WORDS_MAX - 1);
    words[count] = NULL;
    return count > 3 && strcmp(words[0], "jm") == 0 && strcmp(words[1], "exp") == 0 &&
                   strcmp(words[2], "run") == 0
               ? (int)count - 2
               : 0;
}

/* Returns the text that experiments.json has of a file: that may be gone, or changed.
 */
static char *read_described(void *context, const char *path, size_t *size,
                            JmError *error) {
    const json_t *list = context;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *about = json_array_get(list, i);
        const char *text = json_string_value(json_object_get(about, "text"));
        if (!text || strcmp(folder_member(about, "file"), path) != 0)
            continue;
        *size = strlen(text);
        return memory_text("%s", text);
    }
    jm_fail(error, path, "experiments.json has no text of this experiment");
    return NULL;
}

/* Plans the sweep of a command again, reads its finished runs, and writes their tables
 * and verdicts. */
static bool write_part(const char *folder, char *command, json_t *experiments,
                       JmError *error) {
    char *words[WORDS_MAX];
    ExpOptions options = {.folder = folder};
    Campaign campaign = {0};
    Judgements judgements = {0};
    const int count = cut_command(command, words);
    if (!count)
        return jm_fail(error, folder, "experiments.json has no command of jm exp run");
    const ExpSource source = {read_described, experiments};
    bool good = exp_options_parse(&options, count, words + 2, source, error);
    options.folder = folder;
    char *path = memory_text("%s/" JOURNAL_NAME, folder);
    good = good && !options.help && plan_all(&campaign, &options, error) &&
           journal_read(path, campaign_take, &campaign, error) &&
           claims_judge(&judgements, &campaign, error) &&
           write_all(&campaign, &judgements, &options, error);
    free(path);
    claims_free(&judgements);
    campaign_close(&campaign);
    exp_options_free(&options);
    return good;
}

/* A stopped sweep, however it was stopped, has a description and a journal, but no
 * tables. */
static bool refresh(const char *folder, JmError *error) {
    char *path = folder_path(folder, "experiments", ".json");
    json_t *about = json_load_file(path, 0, NULL);
    const json_t *runs = json_object_get(about, "runs");
    const json_t *done = json_object_get(about, "done");
    const char *command = json_string_value(json_object_get(about, "command"));
    bool good = true;
    if (json_is_integer(runs) && json_is_integer(done) && command &&
        json_integer_value(done) < json_integer_value(runs)) {
        char *copy = memory_checked(strdup(command));
        good = write_part(folder, copy, json_object_get(about, "experiments"), error);
        free(copy);
    }
    json_decref(about);
    free(path);
    return good;
}

/* ---- the command ----------------------------------------------------------------- */

static int fail(const char *command, const JmError *error) {
    host_report_for(command, error);
    if (experiment_file_is(error->file))
        host_show_line(error);
    return EXIT_USAGE;
}

static int help(void) {
    exp_options_help();
    return EXIT_SUCCESS;
}

/* Parses the command line and, unless it asks for help, runs. */
static int parse_and_run(int argc, char **argv) {
    JmError error = {.offset = -1};
    ExpOptions options = {.help = false};
    Ranks *ranks = ranks_open();
    const ExpSource source = {read_shared, ranks};
    int status = EXIT_USAGE;
    if (exp_options_parse(&options, argc, argv, source, &error))
        status = options.help ? help() : run(&options, ranks, &error);
    ranks_close(ranks);
    exp_options_free(&options);
    return status == EXIT_USAGE ? fail(EXP_RUN, &error) : status;
}

/* Does a command that takes names of experiments. */
static int do_plain(const char *name,
                    bool (*command)(int count, char **names, JmError *error), int argc,
                    char **argv) {
    JmError error = {.offset = -1};
    const int status = frame_plain(name, help, INT_MAX, argc, argv);
    if (status != FRAME_GO_ON)
        return status;
    return command(argc - optind, argv + optind, &error) ? EXIT_SUCCESS
                                                         : fail(name, &error);
}

static int exp_list(int argc, char **argv) {
    return do_plain("jm exp list", list, argc, argv);
}

static int exp_show(int argc, char **argv) {
    return do_plain("jm exp show", show, argc, argv);
}

static int exp_settings(int argc, char **argv) {
    const int status = frame_plain("jm exp settings", help, 0, argc, argv);
    if (status != FRAME_GO_ON)
        return status;
    settings_help();
    return EXIT_SUCCESS;
}

/* Prints the names that axes and measures take. */
static int exp_columns(int argc, char **argv) {
    const int status = frame_plain("jm exp columns", help, 0, argc, argv);
    if (status != FRAME_GO_ON)
        return status;
    puts("Figures of a run:");
#define MACHINE(column, value, text) printf("  %-20s %s\n", #column, text);
#define COLUMN MACHINE
#include "tools/exp/result/results.def"
    puts("Statistics of measures, with the words that they take:");
#define STATISTIC(name, words, text) printf("  %-35s %s\n", #name " " words, text);
#include "tools/exp/measure/measure.def"
#undef STATISTIC
    return EXIT_SUCCESS;
}

static int exp_run(int argc, char **argv) {
    JmError error = {.offset = -1};
    return ranks_become(argc + 1, argv - 1, &error) ? parse_and_run(argc, argv)
                                                    : fail(EXP_RUN, &error);
}

static int exp_report(int argc, char **argv) {
    return report_command(argc, argv, refresh);
}

int command_exp(int argc, char **argv) {
    static const CommandRow commands[] = {
#define COMMAND(name, arguments, text) {#name, text, NULL, exp_##name},
#include "tools/exp/commands.def"
#undef COMMAND
        {0},
    };
    static const CommandSet set = {
        .tool = "jm exp", .kind = "command", .rows = commands, .help = help};
    return command_choose(&set, argc, argv);
}
