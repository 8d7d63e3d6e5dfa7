/* Runs a campaign: lists the missing runs, hands them out and journals the results. */
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

/* A campaign in progress. */
typedef struct {
    Campaign *campaign;
    Journal *journal;
    TrialStore *store;    /* of each worker; NULL: it has done no run */
    size_t *missing;      /* indices of the runs to do, longest first */
    size_t missing_count; /* a task of the pool is an index in `missing` */
    Progress progress;
    double work_all, work_done; /* estimated machine cycles (guess_work) */
    size_t done;                /* runs finished */
} Conductor;

/* A record of another sweep, or a second one of a run, is skipped; and one of a program
 * in a file, which may have changed since. */
bool conduct_take(void *campaign, const json_t *record, char why[RESULT_WHY_MAX]) {
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

/* ---- cost estimates -------------------------------------------------------------- */

/* Assumed work of a program that settings name; the true amount is not known. */
enum { PROGRAM_WORK = 300000 };

/* Estimates the machine cycles of a run: processors work m L h, the network limits
 * short handlers, and overflows take more the smaller the queues are. It only orders
 * the runs and estimates the time left, so the constants are rough fits. */
static double guess_work(const Run *run) {
    const Settings *s = &run->settings;
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

/* An estimate for a run. */
typedef struct {
    double work;
    size_t place;
} Guess;

/* Longest runs first, so that all processes end at about the same time. */
static int compare_guesses(const void *a, const void *b) {
    const Guess *x = a, *y = b;
    if (x->work != y->work)
        return x->work < y->work ? 1 : -1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Lists the runs that are not done, longest first. */
static void list_missing(Conductor *conductor) {
    const Campaign *campaign = conductor->campaign;
    Guess *guess = memory_array(campaign->run_count, sizeof *guess);
    size_t count = 0;
    for (size_t i = 0; i < campaign->run_count; i++)
        if (!campaign->runs[i]->outcome)
            guess[count++] = (Guess){guess_work(campaign->runs[i]), i};
    qsort(guess, count, sizeof *guess, compare_guesses);
    for (size_t i = 0; i < count; i++) {
        conductor->missing[i] = guess[i].place;
        conductor->work_all += guess[i].work;
    }
    conductor->missing_count = count;
    free(guess);
}

/* ---- progress -------------------------------------------------------------------- */

/* Prints "2 min 07 s" and what follows. */
static void print_time(double seconds, const char *what) {
    const double minutes = floor(seconds / 60);
    fprintf(stderr, ", %.0f min %02.0f s %s", minutes, floor(seconds - 60 * minutes),
            what);
}

/* Shows how many runs are done, the elapsed time and, once a run has finished, the time
 * left by estimated work. */
static void show_progress(Conductor *conductor) {
    if (!progress_due(&conductor->progress))
        return;
    const double spent = conductor->progress.printed - conductor->progress.started;
    const double share = conductor->work_done / conductor->work_all;
    fprintf(stderr, "\r%zu of %zu run%s, %.0f%%", conductor->done,
            conductor->missing_count, conductor->missing_count == 1 ? "" : "s",
            share * 100);
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

/* ---- tasks ----------------------------------------------------------------------- */

/* Returns an error as a line of JSON in place of a result's. */
static char *print_error(const Run *run, const JmError *error) {
    json_t *record = json_pack("{s:o, s:o}", "key", jvalue_text(run->key), "error",
                               jvalue_text(error->text));
    char *text = json_dumps(record, JSON_COMPACT);
    json_decref(record);
    return text;
}

/* Runs in a worker: returns the line of a run's result or error; NULL if it was
 * stopped. */
static char *work(void *context, size_t task, bool (*stop)(void *),
                  void *stop_context) {
    Conductor *conductor = context;
    const Run *run = conductor->campaign->runs[conductor->missing[task]];
    JmError error;
    if (!conductor->store)
        conductor->store = trial_store_create();
    Result *result =
        model_solves(&run->settings)
            ? model_solve(&run->settings, run->seed, stop, stop_context, &error)
            : trial_run(&run->settings, run->seed, conductor->store, stop, stop_context,
                        &error);
    char *text = result          ? result_print(result)
                 : error.text[0] ? print_error(run, &error)
                                 : NULL;
    result_free(result);
    return text;
}

/* Reads what a worker returned. NULL and an error if the run could not be done, or
 * cannot have had this result. */
static Result *read_back(const char *text, const Run *run, JmError *error) {
    json_t *record = json_loads(text, 0, NULL);
    const char *failure = json_string_value(json_object_get(record, "error"));
    char why[RESULT_WHY_MAX];
    Result *result = NULL;
    if (!record)
        jm_fail(error, run->key, "its result is damaged");
    else if (failure)
        jm_fail(error, run->key, "%s", failure);
    else if (!(result = result_read(record, why)))
        jm_fail(error, run->key, "no run can have this result: %s", why);
    json_decref(record);
    return result;
}

/* Runs in the process that writes files: journals a result and keeps it. */
static bool take(void *context, size_t task, const char *text, JmError *error) {
    Conductor *conductor = context;
    Run *run = conductor->campaign->runs[conductor->missing[task]];
    Result *result = read_back(text, run, error);
    if (!result || !journal_add(conductor->journal, text, error)) {
        result_free(result);
        return false;
    }
    run_keep(run, result);
    conductor->done++;
    conductor->work_done += guess_work(run);
    return true;
}

/* Sends the leader's list of missing runs to all ranks: only the leader has read the
 * journal. */
static void share_missing(Conductor *conductor, Ranks *ranks) {
    uint64_t count = conductor->missing_count;
    ranks_share(ranks, &count, sizeof count);
    conductor->missing_count = (size_t)count;
    ranks_share(ranks, conductor->missing, count * sizeof *conductor->missing);
}

/* Lists the missing runs. Under MPI every rank must learn whether the leader succeeded,
 * or it would wait forever. */
static bool begin(Conductor *conductor, Ranks *ranks, JmError *error) {
    uint8_t good = !ranks_leads(ranks) || conductor->journal;
    ranks_share(ranks, &good, sizeof good);
    if (!good)
        return ranks_leads(ranks) ? false : jm_fail(error, "jm exp", "rank 0 gave up");
    conductor->missing =
        memory_array(conductor->campaign->run_count, sizeof *conductor->missing);
    if (ranks_leads(ranks))
        list_missing(conductor);
    share_missing(conductor, ranks);
    return true;
}

bool conduct(Campaign *campaign, Journal *journal, unsigned jobs, bool quiet,
             Ranks *ranks, JmError *error) {
    Conductor conductor = {
        .campaign = campaign, .journal = journal, .progress = progress_start(quiet, 0)};
    bool good = begin(&conductor, ranks, error);
    if (good) {
        const Pool pool = {.title = "jm exp",
                           .count = conductor.missing_count,
                           .jobs = jobs,
                           .context = &conductor,
                           .work = work,
                           .take = take,
                           .tick = tick};
        good = ranks_run(ranks, &pool, error);
    }
    progress_clear(&conductor.progress);
    trial_store_destroy(conductor.store);
    free(conductor.missing);
    return good;
}
