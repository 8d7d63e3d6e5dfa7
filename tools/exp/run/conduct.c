/* Conducts sweeps, and those of campaigns. */
#include "tools/exp/run/conduct.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/models/solve.h"
#include "tools/exp/run/trial.h"
#include "tools/host/memory.h"
#include "tools/host/progress.h"
#include "tools/host/signals.h"
#include "tools/host/values.h"

/* A sweep in progress. */
typedef struct {
    const Sweep *sweep;
    size_t *missing;      /* tasks to do, longest first */
    size_t missing_count; /* a task of the pool is an index in `missing` */
    Progress progress;
    double work_all, work_done; /* estimated (Sweep.left) */
    size_t done;                /* tasks finished */
} Conductor;

/* ---- missing tasks --------------------------------------------------------------- */

/* An estimate for a task. */
typedef struct {
    double work;
    size_t task;
} Guess;

/* Longest tasks first, so that all processes end at about the same time. */
static int compare_guesses(const void *a, const void *b) {
    const Guess *x = a, *y = b;
    if (x->work != y->work)
        return x->work < y->work ? 1 : -1;
    return (x->task > y->task) - (x->task < y->task);
}

/* Lists the tasks that are not done, longest first. */
static void list_missing(Conductor *conductor) {
    const Sweep *sweep = conductor->sweep;
    Guess *guess = memory_array(sweep->count, sizeof *guess);
    size_t count = 0;
    for (size_t i = 0; i < sweep->count; i++) {
        guess[count] = (Guess){sweep->left(sweep->context, i), i};
        count += guess[count].work > 0;
    }
    qsort(guess, count, sizeof *guess, compare_guesses);
    for (size_t i = 0; i < count; i++) {
        conductor->missing[i] = guess[i].task;
        conductor->work_all += guess[i].work;
    }
    conductor->missing_count = count;
    free(guess);
}

/* Sends the leader's list of missing tasks to all ranks: only the leader has read the
 * journal. */
static void share_missing(Conductor *conductor, Ranks *ranks) {
    uint64_t count = conductor->missing_count;
    ranks_share(ranks, &count, sizeof count);
    conductor->missing_count = (size_t)count;
    ranks_share(ranks, conductor->missing, count * sizeof *conductor->missing);
}

/* ---- progress -------------------------------------------------------------------- */

/* Prints "2 min 07 s" and what follows. */
static void print_time(double seconds, const char *what) {
    const double minutes = floor(seconds / 60);
    fprintf(stderr, ", %.0f min %02.0f s %s", minutes, floor(seconds - 60 * minutes),
            what);
}

/* Shows how many tasks are done, the elapsed time and, once a task has finished, the
 * time left by estimated work. */
static void show_progress(Conductor *conductor) {
    if (!progress_due(&conductor->progress))
        return;
    const double spent = conductor->progress.printed - conductor->progress.started;
    const double share = conductor->work_done / conductor->work_all;
    fprintf(stderr, "\r%zu of %zu %s%s, %.0f%%", conductor->done,
            conductor->missing_count, conductor->sweep->unit,
            conductor->missing_count == 1 ? "" : "s", share * 100);
    print_time(spent, "so far");
    if (conductor->done)
        print_time(spent / share - spent, "left");
    fputs("\033[K", stderr);
}

/* Shows progress; true if a signal asks this program to end. */
static bool tick(void *context) {
    show_progress(context);
    return signals_pending() != 0;
}

/* ---- tasks of the pool ----------------------------------------------------------- */

/* Runs in a worker: returns the line of a task's result, or in place of it a line with
 * the error; NULL if it was stopped. */
static char *work(void *context, size_t task, PoolStop *stop, void *stop_context) {
    const Conductor *conductor = context;
    const Sweep *sweep = conductor->sweep;
    JmError error = {.offset = -1};
    char *line = sweep->work(sweep->context, conductor->missing[task], stop,
                             stop_context, &error);
    if (line || !error.text[0])
        return line;
    json_t *failure = json_pack("{s:o, s:o}", "error", jvalue_text(error.text), "of",
                                jvalue_text(error.file));
    line = json_dumps(failure, JSON_COMPACT);
    json_decref(failure);
    return line;
}

/* Runs in the process that writes files: takes what a worker returned. */
static bool take(void *context, size_t task, const char *line, JmError *error) {
    Conductor *conductor = context;
    const Sweep *sweep = conductor->sweep;
    const size_t index = conductor->missing[task];
    json_t *record = json_loads(line, 0, NULL);
    const char *failure = json_string_value(json_object_get(record, "error"));
    conductor->done++;
    conductor->work_done += sweep->left(sweep->context, index);
    const bool good =
        failure ? jm_fail(error, json_string_value(json_object_get(record, "of")), "%s",
                          failure)
                : sweep->take(sweep->context, index, line, record, error);
    json_decref(record);
    return good;
}

bool conduct(const Sweep *sweep, unsigned jobs, bool quiet, Ranks *ranks,
             JmError *error) {
    Conductor conductor = {.sweep = sweep,
                           .missing =
                               memory_array(sweep->count, sizeof *conductor.missing),
                           .progress = progress_start(quiet, 0)};
    if (ranks_leads(ranks))
        list_missing(&conductor);
    share_missing(&conductor, ranks);
    const Pool pool = {.title = sweep->title,
                       .count = conductor.missing_count,
                       .jobs = jobs,
                       .context = &conductor,
                       .work = work,
                       .take = take,
                       .tick = tick};
    const bool good = ranks_run(ranks, &pool, error);
    progress_clear(&conductor.progress);
    free(conductor.missing);
    return good;
}

/* ---- campaigns ------------------------------------------------------------------- */

/* A campaign in progress. */
typedef struct {
    Campaign *campaign;
    Journal *journal;
    TrialStore store; /* of each worker */
} Conducted;

static Run *run_of(void *context, size_t task) {
    const Conducted *conducted = context;
    return conducted->campaign->runs[task];
}

/* Assumed work of a program that settings name; the true amount is not known. */
enum { PROGRAM_WORK = 300000 };

/* Estimates the machine cycles of a run: processors work m L h, the network limits
 * short handlers, and overflows take more the smaller the queues are. It only orders
 * the runs and estimates the time left, so the constants are rough fits. */
static double guess_work(const Settings *s) {
    if (model_solves(s))
        return model_work(s);
    if (settings_text(s, "program"))
        return PROGRAM_WORK;
    const double m = settings_number(s, "m"), hops = settings_number(s, "L");
    const double p = settings_number(s, "p"), h = settings_number(s, "h");
    const double limit = (p + 1) * 20;
    const double crowding = m * (p + 1) / settings_number(s, "Q") * 25;
    const bool overflows = h < limit && settings_number(s, "return") == 0;
    return m * hops * (h > limit ? h : limit) * (overflows ? 1 + 3 * crowding : 1);
}

/* Also a run without hops must be done. */
static double work_left(void *context, size_t task) {
    const Run *run = run_of(context, task);
    return run->outcome ? 0 : fmax(guess_work(&run->settings), 1e-9);
}

/* Runs in a worker. */
static char *work_run(void *context, size_t task, PoolStop *stop, void *stop_context,
                      JmError *error) {
    Conducted *conducted = context;
    const Run *run = run_of(context, task);
    ModelPoint point = {.settings = &run->settings,
                        .seed = run->seed,
                        .stop = stop,
                        .context = stop_context};
    Result *result = model_solves(&run->settings)
                         ? model_solve(&point, error)
                         : trial_run(&run->settings, run->seed, &conducted->store, stop,
                                     stop_context, error);
    char *line = result ? result_print(result) : NULL;
    snprintf(error->file, sizeof error->file, "%s", run->key);
    result_free(result);
    return line;
}

static bool take_run(void *context, size_t task, const char *line, const json_t *record,
                     JmError *error) {
    const Conducted *conducted = context;
    Run *run = run_of(context, task);
    char why[RESULT_WHY_MAX];
    Result *result = result_read(record, why);
    if (!result)
        return jm_fail(error, run->key, "no run can have this result: %s", why);
    if (!journal_add(conducted->journal, line, error)) {
        result_free(result);
        return false;
    }
    run_keep(run, result);
    return true;
}

/* A record of another sweep, or a second one of a run, is skipped; and one of a program
 * in a file, which may have changed since. */
bool campaign_take(void *campaign, const json_t *record, char why[RESULT_WHY_MAX]) {
    Result *result = result_read(record, why);
    if (!result)
        return false;
    Run *run =
        campaign_run(campaign, json_string_value(json_object_get(record, "key")));
    if (run && !run->outcome && !settings_runs_file(&run->settings))
        run_keep(run, result);
    else
        result_free(result);
    return true;
}

bool campaign_conduct(Campaign *campaign, Journal *journal, unsigned jobs, bool quiet,
                      Ranks *ranks, JmError *error) {
    Conducted conducted = {.campaign = campaign, .journal = journal};
    const Sweep sweep = {.title = "jm exp",
                         .unit = "run",
                         .count = campaign->run_count,
                         .context = &conducted,
                         .left = work_left,
                         .work = work_run,
                         .take = take_run};
    const bool good = conduct(&sweep, jobs, quiet, ranks, error);
    trial_store_empty(&conducted.store);
    return good;
}
