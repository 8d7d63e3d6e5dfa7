/* NAME.bars.csv: the bars for a better cure, from runs whose figures are made up. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/exp/made.h"
#include "tools/exp/measure/bars.h"
#include "tools/exp/tables/models.h"

#define CURE "Q=256 Q1=256 brake_mark=760 escape_mark=100"
#define ENDLESS "Q=512 spill_mark=508 spill_cycles=0"
static const char sweep[] =
    "model=abstract m=5 L=500 p=3; h=45 " CURE "; imbalance=135 hot=1 h=45,150 " CURE
    "; h=70 buffer_words=34 " CURE "; h=45 " ENDLESS
    "; imbalance=135 hot=1 h=45 runs=2 " ENDLESS "; h=150 runs=2 " ENDLESS
    "; h=70 " ENDLESS "; h=45 Q=512";
enum { CURE_ROWS = 5, RUNS = 3, LINE_MAX_LENGTH = 1024 };

static const Experiment made = {.name = "made",
                                .figure = "",
                                .kind = KIND_MODELS,
                                .x = "h",
                                .y = "makespan",
                                .remark = ""};

/* Makespans of the points in the order of the sweep; 0: no run of this seed. */
static const double times[][RUNS] = {
    {200, 210, 220}, {300, 330, 300}, {6e5, 6e5, 6.3e5},
    {90, 90, 90},    {200, 200, 220}, {300, 300, 0},
    {4e5, 4e5, 0},   {100, 100, 100}, {400, 420, 440}};

static Campaign measured(void) {
    Campaign campaign = made_campaign_of(&made, sweep, RUNS);
    const Plan *plan = &campaign.plans[0];
    cr_assert_eq(plan->point_count, sizeof times / sizeof times[0]);
    for (unsigned i = 0; i < plan->point_count; i++)
        for (unsigned k = 0; k < plan->points[i].run_count; k++)
            made_keep(campaign_run(&campaign, plan->points[i].runs[k]->key),
                      json_pack("{s:s, s:f, s:i, s:i, s:i, s:i, s:i, s:i, s:f}", "stop",
                                "solved", "T", times[i][k], "overflows",
                                i == 0 && k ? 2 : 0, "overflows1", i == 0 && k == 1,
                                "deadlock", i == 1 && k == 2, "longest", (int)(100 + k),
                                "longest1", (int)(4 * k), "spill_peak",
                                (int)(8 * (2 - k)), "share1", 0.25 * (1 + k * k)));
    return campaign;
}

/* The text of a field of a row; row 0 has the names. */
static const char *field(char *text, unsigned row, unsigned column) {
    static char found[LINE_MAX_LENGTH];
    for (; row; row--)
        text = strchr(text, '\n') + 1;
    for (; column; column--)
        text = strchr(text, ',') + 1;
    snprintf(found, sizeof found, "%.*s", (int)strcspn(text, ",\n"), text);
    return found;
}

static unsigned column_of(char *text, const char *name) {
    unsigned column = 0;
    while (strcmp(field(text, 0, column), name) != 0) {
        const char *rest = text;
        for (unsigned i = 0; i <= column; i++)
            cr_assert_not_null(rest = strchr(rest, ',') ? strchr(rest, ',') + 1 : NULL,
                               "no column %s", name);
        column++;
    }
    return column;
}

/* The hot node has to work for 1.35 / 512.35 of 512 * 5 * 500 messages: at h = 45
 * longer than endless queues with uniform traffic take, at h = 150 too. */
#define HOT_WORK (1.35 / 512.35 * 512 * 5 * 500)
#define T_975_OF_3 4.302652729911275 /* Student's t at 97.5 % */
#define T_975_OF_2 12.706204736432095

Test(bars, rows_say_what_runs_did_and_hold_makespans_against_the_same_load) {
    static const struct {
        unsigned row;
        const char *column;
        double wanted;
    } wanted[] = {{0, "n", 3},
                  {0, "overflows", 5},
                  {0, "overflowed", 2},
                  {0, "deadlocks", 0},
                  {1, "overflows", 0},
                  {1, "deadlocks", 1},
                  {0, "longest", 102},
                  {0, "longest1", 8},
                  {0, "longest1_mean", 4},
                  {0, "ring", 16},
                  {0, "share1", 25 * (1 + 2 + 5) / 3.0},
                  {0, "makespan", 210},
                  {0, "makespan_ci95", T_975_OF_3 * 10 / 1.7320508075688772},
                  /* Ratios of runs with the same seed: 1, 1.05, 1; then 1, 1.1. */
                  {0, "pairs", 3},
                  {0, "ratio", (1 + 1.05 + 1) / 3},
                  {0, "hot_ratio", NAN},
                  {0, "ref_ratio", 0.5},
                  {1, "pairs", 2},
                  {1, "ratio", 1.05},
                  {1, "ratio_ci95", T_975_OF_2 * 0.05},
                  {1, "ref_ratio", NAN},
                  {1, "makespan_ci95", T_975_OF_3 * 10}, /* of 300, 330, 300 */
                  {1, "hot_ratio", 310 / (HOT_WORK * 45)},
                  {1, "hot_ratio_ci95", T_975_OF_3 * 10 / (HOT_WORK * 45)},
                  {2, "hot_ratio", 6.1e5 / (HOT_WORK * 150)},
                  {2, "ratio", NAN},
                  {3, "ratio", NAN}, /* longer output buffers are another load */
                  {4, "ratio", (2 + 2.1 + 2) / 3},
                  {4, "ref_ratio", 1}};
    Campaign campaign = measured();
    cr_assert(models_have_bars(&campaign.plans[0]));
    char *text;
    size_t size, lines = 0;
    FILE *out = open_memstream(&text, &size);
    models_bars(&campaign.plans[0], out);
    fclose(out);
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    cr_assert_eq(lines, CURE_ROWS + 1, "endless queues have no row: %s", text);
    cr_expect_str_eq(field(text, 1, column_of(text, "seeds")), "1-3");
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        const char *got =
            field(text, wanted[i].row + 1, column_of(text, wanted[i].column));
        cr_expect(made_same(*got ? strtod(got, NULL) : NAN, wanted[i].wanted),
                  "row %u: %s is '%s', not %.10g", wanted[i].row, wanted[i].column, got,
                  wanted[i].wanted);
    }
    free(text);
    campaign_close(&campaign);
}

/* The same figures in measures: the worst point of a cure. */
Test(bars, measures_find_the_worst_point) {
    Campaign campaign = measured();
    cr_expect(
        made_same(made_measure(&campaign, "worst ratio brake_mark=760 of made"), 1.05));
    cr_expect(made_same(
        made_measure(&campaign, "worst ref_ratio brake_mark=760 of made"), 0.5));
    cr_expect(made_same(made_measure(&campaign, "worst hot_ratio Q=256 of made"),
                        6.1e5 / (HOT_WORK * 150)));
    cr_expect(made_same(made_measure(&campaign, "worst longest1 Q=256 of made"), 4));
    cr_expect(isnan(made_measure(&campaign, "worst ratio brake_mark=1 of made")));
    campaign_close(&campaign);
}

/* A program is held against itself with the same words, not against another problem. */
Test(bars, programs_and_their_words_are_loads) {
    Campaign campaign = made_campaign_of(
        &made,
        "Q=512; program=graph set.graph_scale=3;"
        "program=fft spill_cycles=0; program=graph spill_cycles=0;"
        "program=graph set.graph_scale=4 spill_cycles=0;"
        "program=graph set.graph_scale=3 set.graph_degree=2 spill_cycles=0;"
        "program=graph set.graph_scale=3 spill_cycles=0",
        1);
    const Run *runs[6];
    cr_assert_eq(campaign.run_count, 6);
    for (int i = 0; i < 6; i++) {
        made_keep(campaign.runs[i], json_pack("{s:i, s:s, s:i}", "status", 0, "stop",
                                              "exit", "T", 100 + 100 * i));
        runs[i] = campaign.runs[i];
    }
    LoadPoints bars = load_points_open(runs, 6);
    cr_expect_eq(bars_ratio(&bars, &bars.points[0]).mean, 100.0 / 600);
    load_points_close(&bars);
    campaign_close(&campaign);
}

/* The ratio of a point with a setting to the machine as built whose load it has.
 * Makespans are 200 and 100. Whichever stands first is taken where both will do. */
static double held_against_ref(const char *setting, bool first) {
    char text[256], name[SETTING_TEXT_MAX];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(setting, "="), setting);
    snprintf(text, sizeof text, "%s h=45; %s; %s",
             settings_takes(NULL, name) ? "Q=512" : "model=abstract",
             first ? setting : "m=5", first ? "m=5" : setting);
    Campaign campaign = made_campaign_of(&made, text, 1);
    cr_assert_eq(campaign.run_count, 2, "%s", setting);
    const Run *runs[] = {campaign.runs[0], campaign.runs[1]};
    for (unsigned i = 0; i < 2; i++)
        made_keep(campaign.runs[i], json_pack("{s:i, s:s, s:i}", "status", 0, "stop",
                                              "solved", "T", first == !i ? 200 : 100));
    LoadPoints bars = load_points_open(runs, 2);
    const double ratio = bars_ref_ratio(&bars, &bars.points[first ? 0 : 1]).mean;
    load_points_close(&bars);
    campaign_close(&campaign);
    return ratio;
}

/* With any one setting of a cure a point is not the machine as built: it is held
 * against that, not against itself. With one of the load it is held against itself. */
Test(bars, each_setting_is_of_a_cure_or_of_the_load) {
    static const char *const cures[] = {
        "hwm_mark=9",   "escape_mark=9", "brake_mark=9",
        "spill_mark=9", "meter_mark=9",  "virtual_channels=2",
        "age=1",        "whole=1",       "hwm=9",
        "rts=1",        "open_words=9",  "Q=256"};
    static const char *const loads[] = {"mesh=2x2x2",
                                        "m=4",
                                        "L=9",
                                        "p=2",
                                        "h=46",
                                        "return=2",
                                        "random=1",
                                        "fair=1",
                                        "header_flits=1",
                                        "buffer_words=34",
                                        "send_faults=0",
                                        "imbalance=135",
                                        "imbalance=135 hot=1"};
    for (size_t i = 0; i < sizeof cures / sizeof cures[0]; i++)
        cr_expect(made_same(held_against_ref(cures[i], true), 2), "%s", cures[i]);
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++)
        cr_expect(made_same(held_against_ref(loads[i], false), 1), "%s", loads[i]);
}

/* The machine as built has a queue: a point without one is not held against itself. */
Test(bars, without_a_queue_nothing_is_as_built) {
    Campaign campaign = made_campaign("model=network tau=45", 1);
    const Run *runs[] = {campaign.runs[0]};
    cr_assert_null(settings_text(&campaign.runs[0]->settings, "Q"));
    made_keep(campaign.runs[0],
              json_pack("{s:i, s:s, s:i}", "status", 0, "stop", "solved", "T", 100));
    LoadPoints bars = load_points_open(runs, 1);
    cr_expect(isnan(bars_ref_ratio(&bars, &bars.points[0]).mean));
    load_points_close(&bars);
    campaign_close(&campaign);
}

Test(bars, experiments_without_endless_queues_have_none) {
    Campaign campaign = made_campaign("model=abstract h=45 " CURE, 1);
    cr_expect_not(models_have_bars(&campaign.plans[0]));
    campaign_close(&campaign);
}
