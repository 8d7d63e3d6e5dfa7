/* The table of experiments, and campaigns: lists of runs without duplicates. */
#include "tools/exp/plan/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/plan/loads.def"
#include "tools/exp/plan/sweep.h"
#include "tools/host/memory.h"
#include "tools/host/values.h"
#include "tools/host/word_list.h"

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
#include "tools/exp/plan/experiments_all.def"
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

/* ---- settings that --set sweeps beside the axes ---------------------------------- */

/* Whether some points have different values. */
static bool has_values(const Plan *plan, const char *name) {
    const char *first = NULL;
    for (unsigned i = 0; i < plan->point_count; i++) {
        const char *text = settings_text(plan->points[i].settings, name);
        if (first && text && strcmp(first, text) != 0)
            return true;
        first = first ? first : text;
    }
    return false;
}

/* Whether a name is a setting of some point. */
static bool is_set(const Plan *plan, const char *name) {
    for (unsigned i = 0; i < plan->point_count; i++)
        if (settings_text(plan->points[i].settings, name))
            return true;
    return false;
}

/* Whether a setting has a column among those of a list: "other" holds all settings
 * without a column of their own. */
static bool is_in_series(const char *series, const char *name) {
    return series && (word_list_has(series, ' ', name) ||
                      (!settings_is_main(name) && word_list_has(series, ' ', "other")));
}

/* Looks for one curve on which a setting has two values. */
typedef struct {
    const Experiment *experiment;
    const char *name;
    json_t *first; /* its first value on each curve */
    bool moves;
} Search;

/* Names a curve: what solves the point, and the settings in the series. */
static void name_curve(const Search *search, const Settings *settings,
                       char name[SETTINGS_KEY_MAX]) {
    const char *model = settings_text(settings, "model");
    int length = snprintf(name, SETTINGS_KEY_MAX, "%s", model ? model : "");
    for (unsigned i = 0; i < settings->count && length < SETTINGS_KEY_MAX; i++)
        if (is_in_series(search->experiment->series, settings->item[i].name))
            length += snprintf(name + length, (size_t)(SETTINGS_KEY_MAX - length),
                               " %s", settings->item[i].value);
}

static bool look_at(void *context, const Settings *settings, unsigned runs,
                    JmError *error) {
    Search *search = context;
    const char *value = settings_text(settings, search->name);
    char curve[SETTINGS_KEY_MAX];
    (void)runs;
    (void)error;
    if (!value)
        return true;
    name_curve(search, settings, curve);
    const char *first = json_string_value(json_object_get(search->first, curve));
    if (!first)
        json_object_set_new(search->first, curve, jvalue_text(value));
    search->moves |= first && strcmp(first, value) != 0;
    return true;
}

/* Whether the experiment itself varies a setting along a curve; if x is a result or
 * derived from settings, this setting moves it. */
static bool moves_along(const Experiment *experiment, const char *sweep,
                        const char *name) {
    Search search = {experiment, name, json_object(), false};
    JmError error;
    sweep_unfold(sweep, NULL, 0, look_at, &search, &error);
    json_decref(search.first);
    return search.moves;
}

/* Whether the axes of the experiment's figure distinguish the values of a setting. Only
 * curves have such axes: other figures merge the runs of all points. */
static bool is_axis(const Plan *plan, const char *sweep, const char *name) {
    const Experiment *experiment = plan->experiment;
    const char *x = experiment->x ? experiment->x : "";
    if (experiment->kind != KIND_CURVE && experiment->kind != KIND_MODELS)
        return false;
    if (is_in_series(x, name) || is_in_series(experiment->series, name))
        return true;
    return !is_set(plan, x) && strcmp(x, "other") != 0 &&
           moves_along(experiment, sweep, name);
}

static bool is_listed(const Swept *swept, const char *name) {
    for (unsigned i = 0; i < swept->count; i++)
        if (strcmp(swept->name[i], name) == 0)
            return true;
    return false;
}

/* Fills plan->swept. `sweep` is the experiment's sweep without --set. */
static bool find_swept(Plan *plan, const char *sweep, const Variation *variation,
                       JmError *error) {
    for (unsigned i = 0; i < variation->set_count; i++) {
        char name[SETTING_TEXT_MAX];
        settings_split(variation->sets[i], name);
        if (is_listed(&plan->swept, name) || !has_values(plan, name) ||
            is_axis(plan, sweep, name))
            continue;
        if (plan->swept.count == SWEPT_MAX)
            return jm_fail(error, NULL, "--set: more than %d lists of values",
                           SWEPT_MAX);
        snprintf(plan->swept.name[plan->swept.count++], SETTING_TEXT_MAX, "%s", name);
    }
    return true;
}

bool plan_same_family(const Plan *plan, unsigned a, unsigned b) {
    const Settings *first = plan->points[a].settings;
    const Settings *second = plan->points[b].settings;
    for (unsigned i = 0; i < plan->swept.count; i++)
        if (!settings_share(first, second, plan->swept.name[i]))
            return false;
    return true;
}

bool plan_begins_family(const Plan *plan, unsigned point) {
    for (unsigned i = 0; i < point; i++)
        if (plan_same_family(plan, i, point))
            return false;
    return true;
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
        free(campaign->runs[i]->key);
        result_free(campaign->runs[i]->outcome);
        free(campaign->runs[i]);
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

/* Returns the run with these settings and this seed, adding it if it is new, so that
 * experiments share runs. */
static const Run *place_run(Campaign *campaign, const Settings *settings,
                            unsigned seed) {
    char key[SETTINGS_KEY_MAX];
    const Run *known =
        campaign_run(campaign, settings_key(settings, seed, key, sizeof key));
    if (known)
        return known;
    const size_t place = campaign->run_count++;
    Run *run = memory_array(1, sizeof *run);
    *run =
        (Run){.settings = *settings, .seed = seed, .key = memory_checked(strdup(key))};
    campaign->runs = memory_more(campaign->runs, place, sizeof(Run *));
    campaign->runs[place] = run;
    json_object_set_new(campaign->by_key, key, json_integer((json_int_t)place));
    return run;
}

/* The runs of a point differ only in their seeds: 1, 2, 3, ... One run is enough if
 * nothing is random. */
static void add_point(Campaign *campaign, Plan *plan, const Settings *settings,
                      unsigned runs) {
    const unsigned run_count = settings_is_solved(settings) ? 1 : runs;
    plan->points = memory_more(plan->points, plan->point_count, sizeof(Point));
    Point *point = &plan->points[plan->point_count++];
    *point = (Point){.run_count = run_count,
                     .runs = memory_array(run_count, sizeof *point->runs)};
    for (unsigned i = 0; i < run_count; i++)
        point->runs[i] = place_run(campaign, settings, i + 1);
    point->settings = &point->runs[0]->settings;
}

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
    const bool is_given = runs && !adder->campaign->variation.runs;
    const unsigned count = is_given ? runs : adder->runs;
    if (adder->campaign->run_count + count > RUNS_MAX)
        return jm_fail(error, NULL, "more than %d runs", RUNS_MAX);
    add_point(adder->campaign, adder->plan, settings, count);
    return true;
}

bool campaign_add_sweep(Campaign *campaign, const Experiment *experiment,
                        const char *sweep, unsigned runs, JmError *error) {
    if (campaign_plan(campaign, experiment->name))
        return true;
    campaign->plans = memory_more(campaign->plans, campaign->plan_count, sizeof(Plan));
    Plan *plan = &campaign->plans[campaign->plan_count++];
    *plan = (Plan){.experiment = experiment, .variation = campaign->variation};
    const Variation *variation = &campaign->variation;
    PointAdder adder = {campaign, plan, runs};
    return sweep_unfold(sweep, variation->sets, variation->set_count, add_swept, &adder,
                        error) &&
           find_swept(plan, sweep, variation, error);
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
    return place ? campaign->runs[json_integer_value(place)] : NULL;
}

size_t campaign_done(const Campaign *campaign) {
    size_t done = 0;
    for (size_t i = 0; i < campaign->run_count; i++)
        done += campaign->runs[i]->outcome != NULL;
    return done;
}

const Run **plan_runs(const Plan *plan) {
    const Run **runs = memory_array(plan_run_count(plan), sizeof *runs);
    size_t count = 0;
    for (unsigned i = 0; i < plan->point_count; i++)
        for (unsigned k = 0; k < plan->points[i].run_count; k++)
            runs[count++] = plan->points[i].runs[k];
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

/* ---- comparison with the full form ----------------------------------------------- */

/* Values of a list that is written whole. */
enum { LIST_MAX = 4 };

/* Collects the values of each setting as {name: {value: true}}, in the order of the
 * sweep. */
static bool collect(void *context, const Settings *settings, unsigned runs,
                    JmError *error) {
    json_t *names = context;
    (void)runs;
    (void)error;
    for (unsigned i = 0; i < settings->count; i++) {
        const Setting *setting = &settings->item[i];
        if (!json_object_get(names, setting->name))
            json_object_set_new(names, setting->name, json_object());
        json_object_set_new(json_object_get(names, setting->name), setting->value,
                            json_true());
    }
    return true;
}

/* Writes a short list whole, a long one as "FIRST to LAST". */
static void put_values(FILE *out, json_t *values) {
    const size_t count = json_object_size(values);
    const char *value, *last = "none";
    json_t *unused;
    size_t i = 0;
    json_object_foreach (values, value, unused) {
        if (count <= LIST_MAX || i == 0)
            fprintf(out, "%s%s", i ? ", " : "", value);
        last = value;
        i++;
    }
    if (count > LIST_MAX || count == 0)
        fprintf(out, "%s%s", count ? " to " : "", last);
}

/* Returns what divides the next difference from those before it. */
static const char *separator(FILE *out) {
    return ftell(out) > 0 ? "; " : "";
}

static bool is_part_of(json_t *values, const json_t *all) {
    const char *value;
    json_t *unused;
    json_object_foreach (values, value, unused) {
        if (!json_object_get(all, value))
            return false;
    }
    return true;
}

/* If the planned values are a subset of the full form's, their number is enough. */
static void put_setting(FILE *out, const char *name, json_t *here, json_t *full) {
    const size_t count = json_object_size(here);
    if (is_part_of(here, full) && count == json_object_size(full))
        return;
    fputs(separator(out), out);
    if (is_part_of(here, full) && count > 1) {
        fprintf(out, "%zu values of %s instead of %zu", count, name,
                json_object_size(full));
        return;
    }
    fprintf(out, "%s = ", name);
    put_values(out, here);
    fputs(" instead of ", out);
    put_values(out, full);
}

/* Writes the difference in the number of runs of a point. */
static void put_runs(FILE *out, const Plan *plan) {
    const unsigned each = plan_most_runs(plan);
    if (each != plan->experiment->full_runs)
        fprintf(out, "%s%u run%s%s instead of %u", separator(out), each,
                each == 1 ? "" : "s", plan->point_count > 1 ? " a point" : "",
                plan->experiment->full_runs);
}

/* Notes that makespans of shorter runs are shown scaled to 1000 hops. */
static void put_hops(FILE *out, const Plan *plan, json_t *here, json_t *full) {
    const bool same =
        json_equal(json_object_get(here, "L"), json_object_get(full, "L"));
    if (!same && strncmp(plan->experiment->y, "T_scaled", 8) == 0)
        fputs("; T scaled to 1000 hops", out);
}

/* Writes all differences of the settings `here` from those of the full form. */
static void put_all(FILE *out, const Plan *plan, json_t *here, json_t *full) {
    const char *name;
    json_t *values;
    json_object_foreach (here, name, values)
        put_setting(out, name, values, json_object_get(full, name));
    put_runs(out, plan);
    put_hops(out, plan, here, full);
}

json_t *plan_scale(const Plan *plan) {
    json_t *here = json_object(), *full = json_object();
    char *text = NULL;
    size_t size;
    FILE *out = memory_checked(open_memstream(&text, &size));
    for (unsigned i = 0; i < plan->point_count; i++)
        collect(here, plan->points[i].settings, 0, NULL);
    if (sweep_unfold(plan->experiment->full, NULL, 0, collect, full, NULL))
        put_all(out, plan, here, full);
    fclose(out);
    json_decref(here);
    json_decref(full);
    return jvalue_taken(text);
}
