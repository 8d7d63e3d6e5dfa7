#include "tools/exp/calibration.h"

#include <math.h>
#include <string.h>

#include "tools/exp/row.h"
#include "tools/exp/tables.h"

typedef struct {
    const char *name, *settings, *text;
} Choice;

static const Choice choices[] = {
#define CHOICE(name, settings, text) {name, settings, text},
#include "tools/exp/choices.def"
#undef CHOICE
};
enum { CHOICES = sizeof choices / sizeof choices[0], SWEEP_SIZE = 256 };

typedef struct {
    const char *name, *claim, *column, *h, *text;
    double low, high;
} Effect;

static const Effect effects[] = {
#define EFFECT(name, claim, column, h, low, high, text)                                \
    {name, claim, column, h, text, low, high},
#include "tools/exp/effects.def"
#undef EFFECT
};
enum { EFFECTS = sizeof effects / sizeof effects[0] };

/* The load points: network-limited with queues that overflow, the same but too short
 * for it, at the knee, and processor-limited. */
static const char points_full[] = "m=5 p=3 L=1000 Q=512 h=45,65,90";
static const char points_quick[] = "m=5 p=3 L=200 Q=512 h=45,65,90";
enum { RUNS_FULL = 20, RUNS_QUICK = 1 };

const Experiment *calibration_experiment(void) {
    static const Experiment experiment = {
        .name = "calibration",
        .figure = "",
        .kind = KIND_TABLE,
        .title = "What each open choice moves",
        .caption = "The load points of figure 4-4 with every choice that no source "
                   "settles made otherwise, one at a time.",
        .x = "h",
        .x_label = "Handler duration h, cycles",
        .y = "T_scaled_ms_mean",
        .error = "T_scaled_ms_sd",
        .y_label = "Mean makespan, ms",
        .series = "other",
        .plane = -1,
        .scale = "L = 200 instead of 1000 and one run for each point"};
    return &experiment;
}

/* One sweep with a group for each choice. */
bool calibration_add(Campaign *campaign, JmError *error) {
    const Variation *variation = &campaign->variation;
    char sweep[CHOICES * 64 + SWEEP_SIZE];
    size_t length = (size_t)snprintf(sweep, sizeof sweep, "%s",
                                     variation->full ? points_full : points_quick);
    for (unsigned i = 0; i < CHOICES && length < sizeof sweep; i++)
        length += (size_t)snprintf(sweep + length, sizeof sweep - length, "; %s",
                                   choices[i].settings);
    const unsigned standard = variation->full ? RUNS_FULL : RUNS_QUICK;
    return campaign_add_sweep(campaign, calibration_experiment(), sweep,
                              variation->runs ? variation->runs : standard, error);
}

/* ---- calibration.csv ---------------------------------------------------------------
 */

/* The points of a choice follow each other, in the order of the sweep. */
static bool is_of_choice(const Settings *settings, const Choice *choice) {
    char other[SETTINGS_KEY_MAX];
    return strcmp(settings_print(settings, false, true, other, sizeof other),
                  choice->settings) == 0;
}

static const Point *find_point(const Plan *plan, const Choice *choice, const char *h) {
    for (unsigned i = 0; i < plan->point_count; i++)
        if (strcmp(settings_text(&plan->points[i].settings, "h"), h) == 0 &&
            is_of_choice(&plan->points[i].settings, choice))
            return &plan->points[i];
    return NULL;
}

static double value_of(const Campaign *campaign, const Plan *plan, const Choice *choice,
                       const Effect *effect) {
    const Point *point = find_point(plan, choice, effect->h);
    double sum = 0;
    for (unsigned i = 0; point && i < point->run_count; i++)
        sum += row_number(&campaign->runs[point->runs[i]], effect->column);
    return point ? sum / point->run_count : NAN;
}

static void put_effect(FILE *out, const Campaign *campaign, const Plan *plan,
                       const Choice *choice, const Effect *effect) {
    const double value = value_of(campaign, plan, choice, effect);
    const bool within = value >= effect->low && value <= effect->high;
    fprintf(out, "%s,%s,%s,%s,", choice->name, choice->settings, effect->claim,
            effect->name);
    tables_number(out, value);
    putc(',', out);
    tables_number(out, value_of(campaign, plan, &choices[0], effect));
    fprintf(out, ",%.10g,%.10g,%s,\"%s\",\"%s\"\n", effect->low, effect->high,
            within ? "within" : "outside", effect->text, choice->text);
}

bool calibration_write(const Campaign *campaign, const char *folder, JmError *error) {
    const Plan *plan = campaign_plan(campaign, calibration_experiment()->name);
    OutFile file;
    if (!tables_open(&file, folder, "calibration-effects", ".csv", error))
        return false;
    fputs("choice,option,claim,effect,measured,default_measured,low,high,verdict,"
          "effect_text,choice_text\n",
          file.stream);
    for (unsigned i = 0; i < CHOICES; i++)
        for (unsigned k = 0; k < EFFECTS; k++)
            put_effect(file.stream, campaign, plan, &choices[i], &effects[k]);
    return outfile_commit(&file, error);
}
