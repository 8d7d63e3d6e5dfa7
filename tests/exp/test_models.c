/* Points that models solve: their settings and sweeps, what is refused, how much work
 * they are. */
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

/* Each size goes from 1 to a limit of its own, the machine's or the model's. */
Test(models, sizes_of_machines) {
    static const unsigned machine[3] = {JM_MAX_X, JM_MAX_Y, JM_MAX_Z};
    JmError error;
    for (unsigned d = 0; d < 6; d++)
        for (unsigned more = 0; more < 2; more++) {
            unsigned wanted[3] = {1, 1, 1};
            char text[32], canonical[SETTING_TEXT_MAX];
            wanted[d % 3] = (d < 3 ? machine[d] : 64) + more;
            snprintf(text, sizeof text, "%ux%ux%u", wanted[0], wanted[1], wanted[2]);
            cr_assert_eq(setting_print_value(canonical, d < 3 ? NULL : "amva", "mesh",
                                             text, &error),
                         !more, "%s", text);
            cr_expect(more || strcmp(text, canonical) == 0, "%s", text);
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
    made_refused("model=closed", at_once, "");
    made_refused("model=pattern", at_once, "");
    made_refused("model=saturation", at_once, "");
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

/* A problem that the model's library refuses is an error, not a missing figure. */
Test(models, what_cannot_be_solved_is_refused) {
    static const char *const rows[][2] = {
        {"model=closed m=0", "there are no customers"},
        {"model=closed servers=4 slow=2 slow_servers=5", "slow_servers=5 of 4"},
        {"model=servers m=0", "there are no customers"},
        {"model=amva mesh=1x1x1", "a model has 2 to 32768"},
        {"model=network tau=1", "cycles from 1 + words / 2"},
        {"model=network mesh=1x1x1", "customers need two nodes"},
        {"model=cube nodes=1000000000 constraint=bisection_width", "links of 0 bits"},
        {"model=cube_node nodes=1000000000 constraint=bisection_width",
         "links of 0 bits"},
        {"model=adaptive k=6", "multiples of 4"},
        {"model=memory k=2 topology=mesh f_hot=0.7", "no node 2,2"},
        {"model=poisson lanes=2 escape=3", "escape=3: there are 2 lanes"},
        {"model=poisson k=4 lanes=2 escape=1", "in a circle"},
        {"model=routes k=4 row=4", "row=4: there are 4 rows"},
        {"model=programs clos_nodes=8", "8 nodes make no square of clusters"},
        {"model=programs bench=ping-pong clos_nodes=4 mesh_steps=6", "not two of 4"},
        {"model=counted clos_nodes=8", "8 nodes make no square of clusters"},
        {"model=open on=pipelined f_hot=0.1", "there is no hot spot"},
        {"model=abstract m=9 Q=20", "do not fit"},
        {"model=pattern topology=jmachine lanes=2", "option lanes"},
        {"model=pattern topology=clos_3_1 mesh=2x2x2", "sizes"},
        {"model=pattern mesh=3x3x1 pattern=bitcomp", "power of 2"},
        {"model=pattern f_hot=0.1", "goes with pattern=hotspot"},
        {"model=pattern rate=0.1", "sources give 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        made_refused(rows[i][0], NULL, rows[i][1]);
}
