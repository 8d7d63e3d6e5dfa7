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
enum { CHOICES = sizeof choices / sizeof choices[0], GROUP_SIZE = 128 };

typedef struct {
    const char *settings;
    unsigned quick, full; /* hops */
} Load;

typedef enum {
#define LOAD(name, settings, quick, full) LOAD_##name,
#include "tools/exp/loads.def"
#undef LOAD
    LOADS
} LoadId;

static const Load loads[LOADS] = {
#define LOAD(name, settings, quick, full) {settings, quick, full},
#include "tools/exp/loads.def"
#undef LOAD
};

typedef enum { CALIBRATE, TEST } Role;

static const char *const role_name[] = {"calibrates", "tests"};

typedef struct {
    const char *name, *claim;
    Role role;
    const char *column;
    LoadId load;
    double low, high;
    const char *text;
} Effect;

static const Effect effects[] = {
#define NONE INFINITY
#define EFFECT(name, claim, role, column, load, low, high, text)                       \
    {name, claim, role, column, LOAD_##load, low, high, text},
#include "tools/exp/effects.def"
#undef EFFECT
#undef NONE
};
enum { EFFECTS = sizeof effects / sizeof effects[0] };

enum { RUNS_FULL = 20, RUNS_QUICK = 1 };

const Experiment *calibration_experiment(void) {
    static const Experiment experiment = {
        .name = "calibration",
        .figure = "",
        .kind = KIND_TABLE,
        .title = "What each open choice moves",
        .caption = "Load points of figures 4-4, 4-7, 4-13 and 4-15 with every choice "
                   "that no source settles made otherwise, one at a time.",
        .x = "h",
        .x_label = "Handler duration h, cycles",
        .y = "T_scaled_ms_mean",
        .error = "T_scaled_ms_sd",
        .y_label = "Mean makespan, ms",
        .series = "other",
        .plane = -1,
        .remark = "with one run for each load point a single overflow is chance: the "
                  "network's limit, the queues and T / (m L h) tell more"};
    return &experiment;
}

enum { SWEEP_SIZE = (CHOICES * LOADS + 1) * GROUP_SIZE };

/* One sweep with a group for each choice and load. Something must stand before the first
 * semicolon. */
static void write_sweep(bool full, char sweep[SWEEP_SIZE]) {
    size_t length = (size_t)snprintf(sweep, GROUP_SIZE, "m=5 p=3");
    for (unsigned i = 0; i < CHOICES; i++)
        for (unsigned k = 0; k < LOADS; k++)
            length += (size_t)snprintf(sweep + length, GROUP_SIZE, "; L=%u %s %s",
                                       full ? loads[k].full : loads[k].quick,
                                       loads[k].settings, choices[i].settings);
}

bool calibration_add(Campaign *campaign, JmError *error) {
    const Variation *variation = &campaign->variation;
    char sweep[SWEEP_SIZE], full[SWEEP_SIZE];
    write_sweep(variation->full, sweep);
    write_sweep(true, full);
    const unsigned standard = variation->full ? RUNS_FULL : RUNS_QUICK;
    return campaign_add_sweep(campaign, calibration_experiment(), sweep,
                              variation->runs ? variation->runs : standard, full,
                              RUNS_FULL, error);
}

/* ---- calibration-effects.csv ----------------------------------------------------- */

/* Points come in the order of the sweep: all loads of a choice, choice by choice. With
 * more values by --set, the first of each. */
static const Point *find_point(const Plan *plan, unsigned choice, unsigned load) {
    const unsigned each = plan->point_count / (CHOICES * LOADS);
    return each ? &plan->points[(choice * LOADS + load) * each] : NULL;
}

static double value_of(const Campaign *campaign, const Plan *plan, unsigned choice,
                       const Effect *effect) {
    const Point *point = find_point(plan, choice, effect->load);
    double sum = 0;
    for (unsigned i = 0; point && i < point->run_count; i++)
        sum += row_number(&campaign->runs[point->runs[i]], effect->column);
    return point ? sum / point->run_count : NAN;
}

static void put_effect(FILE *out, const Campaign *campaign, const Plan *plan,
                       unsigned choice, const Effect *effect) {
    const double value = value_of(campaign, plan, choice, effect);
    const bool within = value >= effect->low && value <= effect->high;
    const double numbers[] = {value, value_of(campaign, plan, 0, effect), effect->low,
                              effect->high};
    fprintf(out, "%s,%s,%s,\"%s\",%s,", choices[choice].name, choices[choice].settings,
            effect->claim, effect->name, role_name[effect->role]);
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        tables_number(out, numbers[i]);
        putc(',', out);
    }
    fprintf(out, "%s,\"%s\",\"%s\"\n", within ? "within" : "outside", effect->text,
            choices[choice].text);
}

bool calibration_write(const Campaign *campaign, const char *folder, JmError *error) {
    const Plan *plan = campaign_plan(campaign, calibration_experiment()->name);
    OutFile file;
    if (!tables_open(&file, folder, "calibration-effects", ".csv", error))
        return false;
    fputs("choice,option,claim,effect,role,measured,default_measured,low,high,verdict,"
          "effect_text,choice_text\n",
          file.stream);
    for (unsigned i = 0; i < CHOICES; i++)
        for (unsigned k = 0; k < EFFECTS; k++)
            put_effect(file.stream, campaign, plan, i, &effects[k]);
    return outfile_commit(&file, error);
}
