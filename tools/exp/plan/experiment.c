/* The table of experiments, and campaigns: lists of runs without duplicates. */
#include "tools/exp/plan/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/grow.h"
#include "tools/exp/plan/loads.def"
#include "tools/exp/plan/sweep.h"
#include "tools/exp/plan/swept.h"
#include "tools/host/memory.h"

/* The sweeps of calibration and readings: each choice at each load point. */
#define SWEEP_COMMON "m=5 p=3"
#define LOAD_IN_FULL(choice, name, settings, quick, full)                              \
    "; L=" #full " " settings " " choice
#define LOAD_IN_SHORT(choice, name, settings, quick, full)                             \
    "; L=" #quick " " settings " " choice
#define CHOICE(name, settings, text) CALIBRATION_LOADS(LOAD_IN_FULL, settings)
#define READING(settings, text) READINGS_LOADS(LOAD_IN_FULL, settings)
static const char calibration_full[] = SWEEP_COMMON
#include "tools/exp/plan/choices.def"
    ;
static const char readings_full[] = SWEEP_COMMON
#include "tools/exp/plan/readings.def"
    ;
#undef CHOICE
#undef READING
#define CHOICE(name, settings, text) CALIBRATION_LOADS(LOAD_IN_SHORT, settings)
#define READING(settings, text) READINGS_LOADS(LOAD_IN_SHORT, settings)
static const char calibration_quick[] = SWEEP_COMMON
#include "tools/exp/plan/choices.def"
    ;
static const char readings_quick[] = SWEEP_COMMON
#include "tools/exp/plan/readings.def"
    ;
#undef CHOICE
#undef READING

static const Experiment experiments[] = {
#define EXPERIMENT(name, figure, kind, title, caption, x, x_label, y, error, y_label,  \
                   series, plane, full, full_runs, quick, quick_runs, remark)          \
    {name,   figure,  KIND_##kind, title, caption, x,         x_label, y,              \
     error,  y_label, series,      plane, full,    full_runs, quick,   quick_runs,     \
     remark, PAPER,   "",          NULL,  NULL,    0},
#define PAPER NULL
#include "tools/exp/plan/experiments.def"
#undef PAPER
#include "tools/exp/plan/experiments_adve.def"
#include "tools/exp/plan/experiments_papers.def"
#include "tools/exp/plan/experiments_pimentel.def"
#include "tools/exp/plan/experiments_sources.def"
#define PAPER NULL
#include "tools/exp/plan/experiments_choices.def"
#undef PAPER
#undef EXPERIMENT
};
enum { EXPERIMENTS = sizeof experiments / sizeof experiments[0] };

unsigned experiment_count(void) {
    return EXPERIMENTS;
}

const Experiment *experiment_at(unsigned index) {
    return &experiments[index];
}

const Experiment *experiment_find(const char *name) {
    for (unsigned i = 0; i < EXPERIMENTS; i++)
        if (strcmp(experiments[i].name, name) == 0)
            return &experiments[i];
    return NULL;
}

const char *experiment_kind_name(ExperimentKind kind) {
    static const char *const name[] = {
        [KIND_CURVE] = "curve", [KIND_SCATTER] = "scatter", [KIND_TIMES] = "times",
        [KIND_MAP] = "map",     [KIND_VIEW] = "view",       [KIND_MODELS] = "models",
        [KIND_TABLE] = "table"};
    return name[kind];
}

void variation_print(const Variation *variation, FILE *out) {
    fprintf(out, " --%s", variation->full ? "full" : "quick");
    if (variation->runs)
        fprintf(out, " --runs %u", variation->runs);
    for (unsigned i = 0; i < variation->set_count; i++)
        fprintf(out, " --set %s", variation->sets[i]);
}

/* ---- campaign -------------------------------------------------------------------- */

Campaign campaign_open(const Variation *variation) {
    return (Campaign){.variation = *variation, .by_key = json_object()};
}

void campaign_close(Campaign *campaign) {
    for (unsigned i = 0; i < campaign->plan_count; i++) {
        for (unsigned k = 0; k < campaign->plans[i].point_count; k++)
            free(campaign->plans[i].points[k].runs);
        free(campaign->plans[i].points);
    }
    for (size_t i = 0; i < campaign->run_count; i++) {
        free(campaign->runs[i].key);
        result_free(campaign->runs[i].outcome);
    }
    free(campaign->plans);
    free(campaign->runs);
    json_decref(campaign->by_key);
    *campaign = (Campaign){0};
}

void run_keep(Run *run, Result *outcome) {
    run->outcome = outcome;
    run->result = outcome->status == 0 ? outcome : NULL;
}

/* Returns the index of the run with these settings and this seed, adding it if it is
 * new, so that experiments share runs. */
static size_t place_run(Campaign *campaign, const Settings *settings, unsigned seed) {
    char key[SETTINGS_KEY_MAX];
    settings_key(settings, seed, key, sizeof key);
    const json_t *known = json_object_get(campaign->by_key, key);
    if (known)
        return (size_t)json_integer_value(known);
    const size_t place = campaign->run_count++;
    campaign->runs =
        memory_checked(jm_grow_by_count(campaign->runs, place, sizeof(Run)));
    campaign->runs[place] =
        (Run){.settings = *settings, .seed = seed, .key = memory_checked(strdup(key))};
    json_object_set_new(campaign->by_key, key, json_integer((json_int_t)place));
    return place;
}

/* The runs of a point differ only in their seeds: 1, 2, 3, ... One run is enough if
 * nothing is random. */
static void add_point(Campaign *campaign, Plan *plan, const Settings *settings,
                      unsigned runs) {
    const unsigned run_count = settings_is_solved(settings) ? 1 : runs;
    plan->points = memory_checked(
        jm_grow_by_count(plan->points, plan->point_count, sizeof(Point)));
    Point *point = &plan->points[plan->point_count++];
    *point = (Point){.settings = *settings, .run_count = run_count};
    point->runs = memory_array(run_count, sizeof *point->runs);
    for (unsigned i = 0; i < run_count; i++)
        point->runs[i] = place_run(campaign, settings, i + 1);
}

enum { RUNS_MAX = 1000000 };

/* The context of add_swept(). */
typedef struct {
    Campaign *campaign;
    Plan *plan;
    unsigned runs; /* runs of each point whose group does not give a number */
} PointAdder;

/* --runs overrides the groups' numbers too. */
static bool add_swept(void *context, const Settings *settings, unsigned runs,
                      JmError *error) {
    const PointAdder *adder = context;
    const bool told = runs && !adder->campaign->variation.runs;
    const unsigned count = told ? runs : adder->runs;
    if (adder->campaign->run_count + count > RUNS_MAX)
        return jm_fail(error, "jm exp", "more than %d runs", RUNS_MAX);
    add_point(adder->campaign, adder->plan, settings, count);
    return true;
}

bool campaign_add_sweep(Campaign *campaign, const Experiment *experiment,
                        const char *sweep, unsigned runs, JmError *error) {
    if (campaign_plan(campaign, experiment->name))
        return true;
    campaign->plans = memory_checked(
        jm_grow_by_count(campaign->plans, campaign->plan_count, sizeof(Plan)));
    Plan *plan = &campaign->plans[campaign->plan_count++];
    *plan = (Plan){.experiment = experiment};
    const Variation *variation = &campaign->variation;
    PointAdder adder = {campaign, plan, runs};
    return sweep_unfold(sweep, variation->sets, variation->set_count, add_swept, &adder,
                        error) &&
           swept_find(plan, sweep, variation, error);
}

bool campaign_add(Campaign *campaign, const Experiment *experiment, JmError *error) {
    const Variation *variation = &campaign->variation;
    const unsigned standard =
        variation->full ? experiment->full_runs : experiment->quick_runs;
    return campaign_add_sweep(campaign, experiment,
                              variation->full ? experiment->full : experiment->quick,
                              variation->runs ? variation->runs : standard, error);
}

const Plan *campaign_plan(const Campaign *campaign, const char *name) {
    for (unsigned i = 0; i < campaign->plan_count; i++)
        if (strcmp(campaign->plans[i].experiment->name, name) == 0)
            return &campaign->plans[i];
    return NULL;
}

Run *campaign_run(const Campaign *campaign, const char *key) {
    const json_t *place = json_object_get(campaign->by_key, key);
    return place ? &campaign->runs[json_integer_value(place)] : NULL;
}

size_t campaign_done(const Campaign *campaign) {
    size_t done = 0;
    for (size_t i = 0; i < campaign->run_count; i++)
        done += campaign->runs[i].outcome != NULL;
    return done;
}

const Run **point_runs(const Campaign *campaign, const Point *point) {
    const Run **runs = memory_array(point->run_count, sizeof *runs);
    for (unsigned i = 0; i < point->run_count; i++)
        runs[i] = &campaign->runs[point->runs[i]];
    return runs;
}

const Run **plan_runs(const Campaign *campaign, const Plan *plan) {
    const Run **runs = memory_array(plan_run_count(plan), sizeof *runs);
    size_t count = 0;
    for (unsigned i = 0; i < plan->point_count; i++)
        for (unsigned k = 0; k < plan->points[i].run_count; k++)
            runs[count++] = &campaign->runs[plan->points[i].runs[k]];
    return runs;
}

unsigned plan_most_runs(const Plan *plan) {
    unsigned most = 0;
    for (unsigned i = 0; i < plan->point_count; i++)
        most = plan->points[i].run_count > most ? plan->points[i].run_count : most;
    return most;
}

size_t plan_run_count(const Plan *plan) {
    size_t count = 0;
    for (unsigned i = 0; i < plan->point_count; i++)
        count += plan->points[i].run_count;
    return count;
}
