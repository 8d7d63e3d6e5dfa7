/* Points that models solve: their settings and sweeps, and measures over them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/exp/made.h"
#include "tools/exp/measure/measure.h"
#include "tools/exp/models/solve.h"
#include "tools/exp/plan/setting_rows.h"
#include "tools/exp/plan/sweep.h"

static void expect_settings(const Run *run, const char *wanted) {
    char text[SETTINGS_KEY_MAX];
    settings_print(&run->settings, true, true, text, sizeof text);
    cr_expect_str_eq(text, wanted);
}

/* ---- settings and sweeps --------------------------------------------------------- */

/* A model's points have its own defaults and none of the machine's, wherever `model`
 * stands, and the machine's points beside them are as ever. */
Test(models, settings_follow_the_model) {
    Campaign campaign = made_campaign("m=2; overflow_above=7 model=closed; h=45 "
                                      "overflow_above=7; model=amva tau=2.50",
                                      1);
    expect_settings(campaign.runs[0], "model=closed m=2 servers=512 overflow_above=7");
    expect_settings(campaign.runs[1],
                    "mesh=8x8x8 m=2 L=1000 p=3 h=45 Q=512 return=0 overflow_above=7");
    expect_settings(campaign.runs[2],
                    "model=amva mesh=8x8x8 m=2 workload=requests tau=2.5 variance=1 "
                    "flits=8");
    campaign_close(&campaign);
}

Test(models, ranges_unfold) {
    Campaign campaign =
        made_campaign("model=closed m=0.1..0.5/0.1,7 overflow_above=4..6/1", 1);
    cr_assert_eq(campaign.plans[0].point_count, 18);
    cr_expect(made_same(made_measure(&campaign, "max m of made where m<1"), 0.5));
    expect_settings(campaign.runs[8],
                    "model=closed m=0.3 servers=512 overflow_above=6");
    campaign_close(&campaign);
    campaign = made_campaign("h=45..60/5 m=2", 1);
    cr_assert_eq(campaign.plans[0].point_count, 4);
    expect_settings(campaign.runs[3], "mesh=8x8x8 m=2 L=1000 p=3 h=60 Q=512 return=0");
    campaign_close(&campaign);
}

/* A group may say how many runs its points get; --runs says it for all. */
Test(models, groups_have_runs_of_their_own) {
    static const char sweep[] = "m=5; h=45,50 runs=3; h=60; runs=1 h=70";
    const unsigned own[] = {3, 3, 2, 1};
    for (unsigned told = 0; told < 5; told += 4) {
        const Variation variation = {.runs = told};
        const Experiment experiment = {.name = "made"};
        Campaign campaign = campaign_open(&variation);
        JmError error;
        cr_assert(
            campaign_add_sweep(&campaign, &experiment, sweep, told ? told : 2, &error),
            "%s", error.text);
        const Plan *plan = &campaign.plans[0];
        cr_assert_eq(plan->point_count, 4);
        for (unsigned i = 0; i < 4; i++) {
            cr_expect_eq(plan->points[i].run_count, told ? told : own[i], "%u", i);
            cr_expect_null(settings_text(plan->points[i].settings, "runs"));
        }
        campaign_close(&campaign);
    }
}

static bool count_point(void *context, const Settings *settings, unsigned runs,
                        JmError *error) {
    (void)settings;
    (void)runs;
    (void)error;
    ++*(unsigned *)context;
    return true;
}

static void expect_refused(const char *sweep, const char *set, const char *why) {
    JmError error;
    unsigned count = 0;
    cr_expect_not(sweep_unfold(sweep, &set, set != NULL, count_point, &count, &error),
                  "%s", sweep);
    cr_expect(strstr(error.text, why), "%s: %s", sweep, error.text);
}

Test(models, bad_sweeps_are_refused) {
    expect_refused("model=opened", NULL, "model=opened: expected one of closed|");
    expect_refused("model=closed,servers", NULL, "a group has one model");
    expect_refused("model=closed h=45", NULL, "no setting 'h' of the model closed");
    expect_refused("model=closed slwo=2", NULL, "did you mean 'slow'?");
    expect_refused("model=closed m=-1", NULL, "m=-1: expected a number from 0, at");
    expect_refused("model=closed m=nan", NULL, "m=nan: expected a number");
    expect_refused("model=closed servers=2.5", NULL, "servers=2.5: expected");
    expect_refused("model=servers service=slow", NULL, "expected one of exponential|");
    expect_refused("model=closed m=3..1/1", NULL, "m=3..1/1: in FIRST..LAST");
    expect_refused("tau=3", NULL, "no setting 'tau'");
    expect_refused("m=2.5", NULL, "m=2.5: expected a number");
    expect_refused("m=2", "model=closed", "experiments say themselves");
    expect_refused("m=2 runs=0", NULL, "runs=0: expected 1 to");
    expect_refused("m=2; h=45 runs=2,3", NULL, "runs=2,3: expected 1 to");
    expect_refused("model=closed", "hh=3", "no setting 'hh'");
    /* Names that other programs have for a setting, and the program's own. */
    static const char *const meant[][2] = {
        {"queue=3", "'Q'?"},         {"queue1=3", "'Q1'?"},
        {"kernel_queue0=3", "'Q'?"}, {"l=3", "'L'?"},
        {"snakes_h=3", "'h'?"},      {"q=3", "'Q'?"},
        {"servrs=3", "'servers'?"},  {"imbalence=3", "'imbalance'?"}};
    for (size_t i = 0; i < sizeof meant / sizeof meant[0]; i++) {
        expect_refused("h=45", meant[i][0], meant[i][1]);
        expect_refused("model=closed m=2", meant[i][0], meant[i][1]);
    }
}

/* --set changes the points that take the setting, and leaves the others alone. */
Test(models, set_changes_what_takes_it) {
    const char *const sets[] = {"h=50,60", "servers=8"};
    const Variation variation = {.sets = sets, .set_count = 2};
    const Experiment experiment = {.name = "mixed", .figure = "", .remark = ""};
    Campaign campaign = campaign_open(&variation);
    JmError error;
    cr_assert(campaign_add_sweep(&campaign, &experiment, "m=2; model=closed; h=45", 1,
                                 &error));
    cr_assert_eq(campaign.run_count, 3);
    expect_settings(campaign.runs[0], "model=closed m=2 servers=8 overflow_above=64");
    expect_settings(campaign.runs[2], "mesh=8x8x8 m=2 L=1000 p=3 h=60 Q=512 return=0");
    campaign_close(&campaign);
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

/* 10 of 35 placements of 3 customers on 5 servers have none with two (eq. 3.26). */
Test(models, closed) {
    json_t *record = made_solve("model=closed servers=5 m=0.6 overflow_above=1", 1);
    cr_expect(made_same(made_figure(record, "p_no_overflow"), 10. / 35));
    cr_expect(made_same(made_figure(record, "per_node"), 0.6));
    cr_expect(isnan(made_figure(record, "mean_first")));
    json_decref(record);
    /* By run lengths as estimated from m, where 7 customers are no multiple. */
    record = made_solve("model=closed servers=5 m=1.4 overflow_above=3", 1);
    json_t *estimate = made_solve("model=estimate servers=5 m=1.4 overflow_above=3", 1);
    made_expect(record, "p_run_length", made_figure(estimate, "p_run_length"), "m=1.4");
    json_decref(estimate);
    json_decref(record);
    /* Two servers, one customer, twice as often at the slow one. */
    record = made_solve("model=closed servers=2 m=0.5 overflow_above=1 slow=2", 1);
    cr_expect(made_same(made_figure(record, "mean_first"), 2. / 3));
    cr_expect(made_same(made_figure(record, "p_full"), 2. / 3));
    json_decref(record);
}

Test(models, servers) {
    json_t *a = made_solve(
        "model=servers servers=8 m=3 overflow_above=7 time=100000 warm_up=100", 1);
    json_t *exact = made_solve("model=closed servers=8 m=3 overflow_above=7", 1);
    cr_expect(fabs(made_figure(a, "p_no_overflow") -
                   made_figure(exact, "p_no_overflow")) < 0.01);
    cr_expect(fabs(made_figure(a, "overflow_rate") / made_figure(exact, "rate_exact") -
                   1) < 0.05);
    json_t *b = made_solve(
        "model=servers servers=8 m=3 overflow_above=7 time=100000 warm_up=100", 2);
    cr_expect_neq(made_figure(a, "p_no_overflow"), made_figure(b, "p_no_overflow"));
    json_decref(a);
    json_decref(b);
    json_decref(exact);
    a = made_solve("model=servers servers=3 m=1.3334 time=1e5", 1);
    cr_expect_lt(made_figure(a, "chi_square"), 36.1);
    cr_expect(fabs(made_figure(a, "stacked") - 1) < 0.1);
    /* Three customers at two servers: two and one is as even as can be. */
    b = made_solve("model=servers servers=2 m=1.5 time=1e5", 1);
    cr_expect(fabs(made_figure(b, "stacked") - 1) < 0.1);
    json_decref(b);
    b = made_solve(
        "model=servers servers=3 m=1.3334 service=synchronous end=0.8 time=1e5", 1);
    cr_expect_lt(made_figure(b, "stacked"), 0.5);
    cr_expect_gt(made_figure(b, "chi_square"), 36.1);
    json_decref(a);
    json_decref(b);
}

/* A line of two nodes solves at once; with one sweep of little weight nothing would. */
Test(models, amva) {
    json_t *record = made_solve("model=amva mesh=2x1x1 m=1 tau=100", 1);
    cr_expect_str_eq(json_string_value(json_object_get(record, "stop")), "solved");
    cr_expect_eq(json_array_size(json_object_get(record, "node_queue")), 2);
    cr_expect_gt(made_figure(record, "rate"), 0);
    json_decref(record);
}

/* Abstract processors mind their settings: 4 L + 8 hops of a node at h = 100 take 100
 * cycles each at least; a mark sends at priority 1; what does not fit is refused. */
Test(models, abstract) {
    json_t *built = made_solve("model=abstract mesh=2x2x2 m=4 L=20 h=100", 1);
    cr_expect_geq(made_figure(built, "T"), (4 * 20 + 8) * 100);
    cr_expect_leq(made_figure(built, "T"), 2 * (4 * 20 + 8) * 100);
    cr_expect_eq(made_figure(built, "overflows"), 0);
    cr_expect_eq(made_figure(built, "share1"), 0);
    cr_expect(json_is_null(json_object_get(built, "first_overflow")));
    json_t *marked =
        made_solve("model=abstract mesh=2x2x2 m=4 L=20 h=100 hwm_mark=8", 1);
    cr_expect_gt(made_figure(marked, "share1"), 0.1);
    json_t *full = made_solve("model=abstract mesh=2x2x2 m=4 L=20 h=100 Q=20 hot=1 "
                              "imbalance=900",
                              1);
    cr_expect_gt(made_figure(full, "overflows"), 0);
    cr_expect_eq(made_figure(full, "longest"), 20);
    /* The network minds its own: without header flits messages are shorter. */
    static const char *const networks[] = {"header_flits=0", "buffer_words=64",
                                           "fair=1", "age=1", "virtual_channels=2"};
    json_t *standard = made_solve("model=abstract mesh=4x4x2 m=4 p=7 L=20 h=20", 1);
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++) {
        char settings[100];
        snprintf(settings, sizeof settings,
                 "model=abstract mesh=4x4x2 m=4 p=7 L=20 h=20 %s", networks[i]);
        json_t *other = made_solve(settings, 1);
        cr_expect_neq(made_figure(other, "T"), made_figure(standard, "T"), "%s",
                      networks[i]);
        if (i == 0)
            cr_expect_lt(made_figure(other, "T"), made_figure(standard, "T"));
        json_decref(other);
    }
    json_decref(standard);
    made_refused("model=abstract m=9 Q=20", NULL, "do not fit");
    json_decref(built);
    json_decref(marked);
    json_decref(full);
}

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

/* The thesis's examples of 3.3.4. */
Test(models, estimate) {
    json_t *record = made_solve("model=estimate servers=32768 m=5 share=0.0001", 1);
    cr_expect(fabs(made_figure(record, "queue_needed") - 107.54) < 0.01);
    json_decref(record);
    record = made_solve("model=estimate servers=512 overflow_above=64", 1);
    cr_expect(fabs(made_figure(record, "most_per_node") - 9.35) < 0.01);
    json_decref(record);
}

/* The slow server of two: the formulas and the simulation. */
Test(models, slow_server_simulated) {
    json_t *exact =
        made_solve("model=closed servers=4 m=2 overflow_above=3 slow=1.5", 1);
    json_t *got = made_solve(
        "model=servers servers=100 m=2 overflow_above=3 slow=1.5 time=20000", 1);
    cr_expect(isnan(made_figure(exact, "p_no_overflow")));
    json_decref(exact);
    exact = made_solve("model=closed servers=100 m=2 overflow_above=3 slow=1.5", 1);
    cr_expect(fabs(made_figure(got, "p_full") - made_figure(exact, "p_full")) < 0.03);
    json_decref(exact);
    json_decref(got);
}

Test(models, a_solve_that_nobody_waits_for_ends) {
    made_refused("model=closed", at_once, "");
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
        Campaign shorter = made_campaign(rows[i].point, 1);
        Campaign longer = made_campaign(rows[i].longer, 1);
        const double work[2] = {model_work(&shorter.runs[0]->settings),
                                model_work(&longer.runs[0]->settings)};
        cr_expect(work[0] > 0 && work[1] >= rows[i].times * work[0], "%s: %g, %s: %g",
                  rows[i].point, work[0], rows[i].longer, work[1]);
        campaign_close(&shorter);
        campaign_close(&longer);
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
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        made_refused(rows[i][0], NULL, rows[i][1]);
}

/* ---- measures -------------------------------------------------------------------- */

/* y is 1, 3, 2 at m = 1, 2, 4, the last as the mean of two. */
static Campaign three_places(void) {
    static const double y[] = {2.5, 1, 3, 1.5};
    Campaign campaign = made_campaign("model=closed; m=4,1,2; slow=1 m=4", 1);
    for (unsigned i = 0; i < 4; i++) {
        made_set(campaign.runs[i], "p_full", json_real(y[i]));
        made_set(campaign.runs[i], "stop", json_string("solved"));
    }
    return campaign;
}

Test(models, statistics_of_curves) {
    Campaign campaign = three_places();
    cr_expect(made_same(made_measure(&campaign, "crossing m p_full 2 of made"), 1.5));
    cr_expect(
        made_same(made_measure(&campaign, "crossing m p_full 2.5 of made"), 1.75));
    cr_expect(made_same(
        made_measure(&campaign, "crossing m p_full 2.25 of made where m>1"), 3.5));
    cr_expect(isnan(made_measure(&campaign, "crossing m p_full 9 of made")));
    cr_expect(made_same(made_measure(&campaign, "highest m p_full of made"), 2));
    campaign_close(&campaign);
}

/* As m grows from 1 to 4 y does, 1, 3, 10, 12, but x turns back: 2, 4, 3, 1. */
Test(models, where_a_curve_that_turns_back_reaches_a_level) {
    static const double x[] = {1, 2, 3, 4, 4}, y[] = {12, 1, 10, 2, 4};
    Campaign campaign = made_campaign("model=closed; m=4,1,3,2; slow=1 m=2", 1);
    for (unsigned i = 0; i < 5; i++) {
        made_set(campaign.runs[i], "overflow_rate", json_real(x[i]));
        made_set(campaign.runs[i], "p_full", json_real(y[i]));
        made_set(campaign.runs[i], "stop", json_string("solved"));
    }
    cr_expect(made_same(
        made_measure(&campaign, "reached overflow_rate p_full 2 m of made"), 3));
    cr_expect(made_same(
        made_measure(&campaign, "reached overflow_rate p_full 11 m of made"), 2));
    cr_expect(made_same(
        made_measure(&campaign, "reached overflow_rate p_full 6.5 m of made"), 3.5));
    cr_expect(
        isnan(made_measure(&campaign, "reached overflow_rate p_full 13 m of made")));
    campaign_close(&campaign);
}

/* With the setting y is higher at m = 1, the same at 2, lower at 3, higher at 4. */
Test(models, share_of_places_that_take_longer) {
    static const double y[] = {1, 2, 3, 4, 2, 2, 1, 5};
    Campaign campaign = made_campaign("model=closed; m=1,2,3,4; slow=2 m=1,2,3,4", 1);
    for (unsigned i = 0; i < 8; i++) {
        made_set(campaign.runs[i], "p_full", json_real(y[i]));
        made_set(campaign.runs[i], "stop", json_string("solved"));
    }
    cr_expect(made_same(made_measure(&campaign, "longer m p_full slow of made"), 0.5));
    cr_expect(made_same(
        made_measure(&campaign, "longer m p_full slow of made where m<=2"), 0.5));
    cr_expect(made_same(
        made_measure(&campaign, "longer m p_full slow of made where m>=4"), 1));
    cr_expect(
        isnan(made_measure(&campaign, "longer m p_full slow of made where slow=2")));
    /* A place that has no figure on one side makes the whole share unknown. */
    made_set(campaign.runs[6], "p_full", json_null());
    cr_expect(isnan(made_measure(&campaign, "longer m p_full slow of made")));
    cr_expect(made_same(
        made_measure(&campaign, "longer m p_full slow of made where m<=2"), 0.5));
    campaign_close(&campaign);
}

/* Words are compared as such, not as numbers. */
Test(models, words_in_conditions) {
    Campaign campaign = made_campaign(
        "m=1; model=servers service=exponential,constant,synchronous; h=45", 1);
    cr_expect_eq(made_measure(&campaign, "count of made where service=constant"), 1);
    cr_expect_eq(made_measure(&campaign, "count of made where model=servers"), 3);
    cr_expect_eq(made_measure(&campaign, "count of made where model="), 1);
    campaign_close(&campaign);
}

/* Figures over a point without a solution are not measured; others are. */
Test(models, unsolved_points_are_not_measured) {
    Campaign campaign = three_places();
    Measure found;
    JmError error;
    made_set(campaign.runs[1], "stop", json_string("clipped"));
    cr_assert(measure(&campaign, NULL, "mean p_full of made", &found, &error));
    cr_expect_not(found.measured);
    cr_assert(
        measure(&campaign, NULL, "mean p_full of made where m=2", &found, &error));
    cr_expect(found.measured);
    campaign_close(&campaign);
}
