/* Plans the calibration: the product of choices.def and loads.def. */
#include "tools/exp/plan/calibration.h"

#include <stdio.h>

static const Choice choices[] = {
#define CHOICE(name, settings, text) {name, settings, text},
#include "tools/exp/plan/choices.def"
#undef CHOICE
};
enum { CHOICES = sizeof choices / sizeof choices[0], GROUP_SIZE = 128 };

/* A row of loads.def. */
typedef struct {
    const char *settings;
    unsigned quick, full; /* hops */
} Load;

static const Load loads[LOADS] = {
#define LOAD(name, settings, quick, full) {settings, quick, full},
#include "tools/exp/plan/loads.def"
#undef LOAD
};

/* Runs of each point. */
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

/* Writes one sweep with a group for each choice and load. What stands before the first
 * semicolon is common to all groups and must not be empty (sweep.h). */
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

const Choice *calibration_choice(unsigned index) {
    return index < CHOICES ? &choices[index] : NULL;
}

/* Points are in the order of write_sweep(), `each` of them for a choice and load. */
const Point *calibration_point(const Plan *plan, unsigned choice, LoadId load) {
    const unsigned each = plan->point_count / (CHOICES * LOADS);
    return each ? &plan->points[(choice * LOADS + load) * each] : NULL;
}
