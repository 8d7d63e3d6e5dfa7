/* Statements about sizes: the planned runs against the full form. */
#include <criterion/criterion.h>
#include <string.h>

#include "tools/exp/plan/experiment.h"

typedef struct {
    const char *sweep, *full, *sets[2];
    unsigned runs, full_runs;
    const char *y, *wanted;
} Case;

static void try(const Case *c) {
    const unsigned sets = c->sets[0] ? (c->sets[1] ? 2 : 1) : 0;
    const Variation variation = {.sets = c->sets, .set_count = sets};
    const Experiment experiment = {
        .name = "made", .y = c->y, .full = c->full, .full_runs = c->full_runs};
    Campaign campaign = campaign_open(&variation);
    JmError error;
    cr_assert(campaign_add_sweep(&campaign, &experiment, c->sweep, c->runs, &error),
              "%s", error.text);
    json_t *text = plan_scale(&campaign.plans[0]);
    cr_expect_str_eq(json_string_value(text), c->wanted);
    json_decref(text);
    campaign_close(&campaign);
}

Test(scale, differences) {
    static const char scaled[] = "L = 300 instead of 1000; T scaled to 1000 hops";
    static const char two_sizes[] = "L = 200, 300 instead of 1000";
    static const char one_of_many[] = "h = 45 instead of 45 to 65";
    static const char others[] =
        "mesh = 2x2x2 instead of 8x8x8; h = 50, 99 instead of 45, 50";
    static const Case cases[] = {
        {"m=5 h=45", "m=5 h=45", {NULL}, 150, 150, "T_ms", ""},
        {"m=5 h=45", "m=5 h=45", {NULL}, 1, 4820, "T_ms", "1 run instead of 4820"},
        {"h=45,55", "h=45,55", {NULL}, 2, 20, "T_ms", "2 runs a point instead of 20"},
        {"L=300", "L=1000", {NULL}, 2, 2, "T_scaled_ms_mean", scaled},
        {"L=300", "L=1000", {NULL}, 2, 2, "u_mean", "L = 300 instead of 1000"},
        {"m=5; L=200; L=300", "m=5 L=1000", {NULL}, 2, 2, "u_mean", two_sizes},
        {"h=45,55", "h=45,50,55", {NULL}, 2, 2, "u_mean", "2 values of h instead of 3"},
        {"h=45", "h=45,50,55,60,65", {NULL}, 2, 2, "u_mean", one_of_many},
        {"h=45", "h=45,50", {"mesh=2x2x2", "h=50,99"}, 2, 2, "u_mean", others},
        {"h=45", "h=45", {"fault=9"}, 3, 3, "u_mean", "fault = 9 instead of none"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        try(&cases[i]);
}

/* The full form of every experiment is its own measure. */
Test(scale, full_form) {
    const Variation full = {.full = true};
    Campaign campaign = campaign_open(&full);
    JmError error;
    for (unsigned i = 0; i < experiment_count(); i++) {
        cr_assert(campaign_add(&campaign, experiment_at(i), &error), "%s", error.text);
        json_t *text = plan_scale(&campaign.plans[i]);
        cr_expect_str_eq(json_string_value(text), "", "%s", experiment_at(i)->name);
        json_decref(text);
    }
    campaign_close(&campaign);
}
