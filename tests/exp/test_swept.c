/* Settings that --set sweeps besides an experiment's axes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tools/exp/judge/choices.h"

static Campaign campaign_of(const char *name, const char *const *sets, unsigned count) {
    const Variation variation = {.runs = 1, .sets = sets, .set_count = count};
    Campaign campaign = campaign_open(&variation);
    JmError error;
    cr_assert(campaign_add(&campaign, experiment_find(name), &error), "%s %s: %s", name,
              sets[0], error.text);
    return campaign;
}

static void expect_swept(const char *name, const char *set, const char *wanted) {
    const char *const sets[] = {set};
    Campaign campaign = campaign_of(name, sets, 1);
    const Swept *swept = &campaign.plans[0].swept;
    cr_expect_str_eq(swept->count ? swept->name[0] : "", wanted, "%s --set %s", name,
                     set);
    cr_expect_leq(swept->count, 1);
    campaign_close(&campaign);
}

/* Neither x nor series, nor one value alone. */
Test(swept, curves) {
    expect_swept("fig4-4", "m=2,8", "m");
    expect_swept("fig4-4", "m=2", "");
    expect_swept("fig4-4", "m=2,2", "");
    expect_swept("fig4-4", "h=45..65/5", "");
    expect_swept("fig4-4", "header_flits=0,2", "header_flits");
    expect_swept("fig4-10", "Q=64,128", "");
    expect_swept("fig4-10", "mesh=2x2x2,4x4x4", "mesh");
    expect_swept("fig4-14", "L=20,40", "L"); /* which it varies itself */
    /* The column "other" shows all that have no column of their own. */
    expect_swept("knee", "fault=30,40", "");
    expect_swept("knee", "m=2,3", "m");
    expect_swept("throughput", "yield=0,3", "");
}

/* Runs of all points are put together, so nothing tells them apart. */
Test(swept, others) {
    expect_swept("fig4-6", "h=45,60", "h");
    expect_swept("fig4-7", "h=45,60", "h");
    expect_swept("fig4-11", "m=2,8", "m");
    expect_swept("jam", "h=45,60", "h");
    expect_swept("table2-1", "p=3,7", "p");
    expect_swept("calibration", "fault=30,40", "fault");
}

/* If x follows from settings or is a result, the settings that change it are axes. */
Test(swept, models) {
    expect_swept("fig3-1", "m=2,6", "");
    expect_swept("fig3-1", "servers=8,16", "servers");
    expect_swept("fig3-3", "m=1,2", "");
    expect_swept("sc-fig6b", "load=0.2,0.4", "");
    expect_swept("sc-fig6b", "cycles=2000,3000", "cycles");
    expect_swept("fig5-5", "tau=20,30", "");
    expect_swept("fig5-5", "fair=0,1", "");
    expect_swept("fig5-21", "tau=20,30", "");
    expect_swept("fig6-1", "L=20,30", "L");
}

/* Families are the combinations of the values. */
Test(swept, families) {
    const char *const sets[] = {"m=2,8", "h=45,60", "header_flits=0,2"};
    Campaign campaign = campaign_of("fig4-4", sets, 3);
    const Plan *plan = &campaign.plans[0];
    unsigned firsts = 0;
    cr_assert_eq(plan->point_count, 8);
    for (unsigned i = 0; i < 8; i++) {
        firsts += plan_begins_family(plan, i);
        for (unsigned k = 0; k < 8; k++) {
            const Settings *a = plan->points[i].settings, *b = plan->points[k].settings;
            cr_expect_eq(plan_same_family(plan, i, k),
                         settings_number(a, "m") == settings_number(b, "m") &&
                             settings_number(a, "header_flits") ==
                                 settings_number(b, "header_flits"));
        }
    }
    cr_expect_eq(firsts, 4);
    campaign_close(&campaign);
}

/* No point is that of a choice where each choice has several. */
Test(swept, choices) {
    enum {
        LOADS = 6, /* of the calibration in loads.def */
        CHOICES = 0
#define CHOICE(...) +1
#include "tools/exp/plan/choices.def"
#undef CHOICE
    };
    for (unsigned several = 0; several < 2; several++) {
        const char *const sets[] = {several ? "Q=256,512" : "Q=256"};
        Campaign campaign = campaign_of("calibration", sets, 1);
        const Point *point = choices_point(&campaign.plans[0], 1, CHOICES, 2, LOADS);
        cr_expect_eq(point != NULL, !several);
        campaign_close(&campaign);
    }
}
