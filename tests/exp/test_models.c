/* Points that models solve: their settings and sweeps, refusals, and how much work they
 * are. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/exp/made.h"
#include "tools/exp/models/solve.h"
#include "tools/exp/plan/setting_rows.h"

/* ---- settings and sweeps --------------------------------------------------------- */

/* A model's points have its own defaults and none of the machine's, wherever `model`
 * stands, and the machine's points beside them are as ever. Ranges unfold. --set
 * changes the points that take the setting, and leaves the others alone. */
Test(models, settings_of_points) {
    static const char mixed[] = "m=2; overflow_above=7 model=closed; h=45 "
                                "overflow_above=7; model=amva tau=2.50";
    static const char ranges[] = "model=closed m=0.1..0.5/0.1,7 overflow_above=4..6/1";
    static const char both[] = "m=2; model=closed; h=45";
    static const struct {
        const char *sweep, *set;
        size_t runs, run;
        const char *wanted;
    } rows[] = {
        {mixed, NULL, 3, 0, "model=closed m=2 servers=512 overflow_above=7"},
        {mixed, NULL, 3, 1,
         "mesh=8x8x8 m=2 L=1000 p=3 h=45 Q=512 return=0 overflow_above=7"},
        {mixed, NULL, 3, 2,
         "model=amva mesh=8x8x8 m=2 workload=requests tau=2.5 variance=1 flits=8"},
        {ranges, NULL, 18, 8, "model=closed m=0.3 servers=512 overflow_above=6"},
        {ranges, NULL, 18, 14, "model=closed m=0.5 servers=512 overflow_above=6"},
        {"h=45..60/5 m=2", NULL, 4, 3, "mesh=8x8x8 m=2 L=1000 p=3 h=60 Q=512 return=0"},
        {both, "servers=8", 2, 0, "model=closed m=2 servers=8 overflow_above=64"},
        {both, "servers=8", 2, 1, "mesh=8x8x8 m=2 L=1000 p=3 h=45 Q=512 return=0"},
        {both, "h=50,60", 3, 0, "model=closed m=2 servers=512 overflow_above=64"},
        {both, "h=50,60", 3, 2, "mesh=8x8x8 m=2 L=1000 p=3 h=60 Q=512 return=0"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const Variation variation = {.sets = &rows[i].set,
                                     .set_count = rows[i].set != NULL};
        Campaign campaign = made_planned(&variation, NULL, rows[i].sweep, 1);
        char text[SETTINGS_KEY_MAX];
        cr_assert_eq(campaign.run_count, rows[i].runs);
        settings_print(&campaign.runs[rows[i].run]->settings, true, text, sizeof text);
        cr_expect_str_eq(text, rows[i].wanted);
        campaign_close(&campaign);
    }
}

/* A group may say how many runs its points get; --runs says it for all. */
Test(models, groups_have_runs_of_their_own) {
    static const char sweep[] = "m=5; h=45,50 runs=3; h=60; runs=1 h=70";
    const unsigned own[] = {3, 3, 2, 1};
    for (unsigned told = 0; told < 5; told += 4) {
        const Variation variation = {.runs = told};
        Campaign campaign = made_planned(&variation, NULL, sweep, told ? told : 2);
        const Plan *plan = &campaign.plans[0];
        cr_assert_eq(plan->point_count, 4);
        for (unsigned i = 0; i < 4; i++) {
            cr_expect_eq(plan->points[i].run_count, told ? told : own[i], "%u", i);
            cr_expect_null(settings_text(plan->points[i].settings, "runs"));
        }
        campaign_close(&campaign);
    }
}

/* ---- solving --------------------------------------------------------------------- */

static bool at_once(void *context) {
    (void)context;
    return true;
}

/* Points without chance are solved once, however many runs the others get. */
Test(models, seeds_are_for_chance) {
    Campaign campaign = made_campaign(
        "m=1; model=closed; model=amva; model=estimate; model=servers; h=45", 3);
    static const unsigned wanted[] = {1, 1, 1, 3, 3};
    for (unsigned i = 0; i < 5; i++)
        cr_expect_eq(campaign.plans[0].points[i].run_count, wanted[i]);
    cr_expect_eq(plan_most_runs(&campaign.plans[0]), 3);
    campaign_close(&campaign);
}

Test(models, a_solve_that_nobody_waits_for_ends) {
    static const char *const sweeps[] = {"model=closed", "model=pattern",
                                         "model=saturation"};
    for (unsigned i = 0; i < 3; i++) {
        Campaign campaign = made_campaign(sweeps[i], 1);
        JmError error = {.text = ""};
        ModelPoint point = {.settings = &campaign.runs[0]->settings, .stop = at_once};
        cr_expect_null(model_solve(&point, &error));
        cr_expect_str_eq(error.text, "", "no failure");
        campaign_close(&campaign);
    }
}

static double work_of(const char *sweep) {
    Campaign campaign = made_campaign(sweep, 1);
    const double work = model_work(&campaign.runs[0]->settings);
    campaign_close(&campaign);
    return work;
}

/* Points that take longer are guessed to: the longest begin first. */
Test(models, guesses_of_work) {
    static const struct {
        const char *point, *longer;
        double times;
    } rows[] = {
        /* a point, the same that takes longer, how many times at least */
        {"model=amva m=2", "model=amva m=6", 2.9},
        {"model=network cycles=5000", "model=network cycles=50000", 9.9},
        {"model=confluence cycles=5000", "model=confluence cycles=50000", 9.9},
        {"model=abstract L=20", "model=abstract L=60", 2.9},
        {"model=abstract", "model=abstract age=1", 5},
        {"model=abstract", "model=abstract virtual_channels=2", 5},
        {"model=cube_node cycles=5000", "model=cube_node cycles=50000", 9.9},
        {"model=cube_node dimensions=2", "model=cube_node dimensions=6", 2.9},
        {"model=shared k=8", "model=shared k=16", 15},
        {"model=memory cycles=5000", "model=memory cycles=50000", 9.9},
        {"model=poisson k=8", "model=poisson k=16", 3.9},
        {"model=open cycles=5000", "model=open cycles=50000", 9.9},
        {"model=servers time=1000", "model=servers time=5000", 4.9},
        {"model=servers warm_up=0", "model=servers warm_up=90000", 9.9},
        {"model=servers servers=10", "model=servers servers=100", 9.9},
        {"model=closed servers=10", "model=closed servers=512", 100},
        {"model=closed", "model=servers", 2},
        {"model=closed", "model=amva", 2},
        {"model=closed", "model=open_solved", 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const double less = work_of(rows[i].point), more = work_of(rows[i].longer);
        cr_expect(less > 0 && more >= rows[i].times * less, "%s: %g, %s: %g",
                  rows[i].point, less, rows[i].longer, more);
    }
}
