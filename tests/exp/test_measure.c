/* The language of measures: operators, brackets, conditions; what counts as measured.
 * Mistakes are in tests/recorded/refused-exp.cases. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/exp/made.h"
#include "tools/exp/measure/measure.h"
#include "tools/exp/measure/row.h"

/* Runs at h = 45, 55, 65 and, the last one with a parameter, 75; their T is 1, 2, 3 and
 * 4 ms, and they have 0, 1, 2 and 3 overflows. */
static Campaign four_runs(void) {
    Campaign campaign = made_campaign("m=5 L=1000; h=45,55,65; h=75 fault=9", 1);
    for (int i = 0; i < 4; i++) {
        made_set(campaign.runs[i], "T", json_integer(10000 * (i + 1)));
        made_set(campaign.runs[i], "overflows", json_integer(i));
    }
    return campaign;
}

static void expect(const char *text, double wanted) {
    Campaign campaign = four_runs();
    const double got = made_measure(&campaign, text);
    cr_expect(made_same(got, wanted), "%s: %g instead of %g", text, got, wanted);
    campaign_close(&campaign);
}

Test(measure, operators) {
    expect("7", 7);
    expect("1 + 2 * 3", 7);
    expect("2 * 3 + 1", 7);
    expect("10 - 4 - 3", 3);
    expect("100 / 5 / 2", 10);
    expect("10 - 8 / 4 * 3", 4);
    expect("2 - 3 + 4", 3);
}

Test(measure, brackets) {
    expect("( 1 + 2 ) * 3", 9);
    expect("2 * ( 10 - ( 4 - 3 ) )", 18);
    expect("( ( 5 ) )", 5);
    expect("( 1 ) + ( 1 ) + ( 1 ) + ( 1 ) + ( 1 ) + ( 1 ) + ( 1 ) + ( 1 ) + ( 1 )", 9);
    expect("( max T_ms of made where h<60 - 1 ) / 2", 0.5);
    expect("( 1 + max T_ms of made where h<60 ) * 2", 6);
    expect("-2 * ( 3 )", -6);
}

Test(measure, conditions) {
    expect("count of made", 4);
    expect("count of made where h=55", 1);
    expect("count of made where h<55", 1);
    expect("count of made where h<=55", 2);
    expect("count of made where h>55", 2);
    expect("count of made where h>=55", 3);
    expect("count of made where T_ms<=2", 2);
    expect("count of made where overflows>=2 T_ms<4", 1);
    expect("count of made where fault=9", 1);
    expect("count of made where fault=", 3);
    expect("count of made where mesh=8x8x8", 4);
    expect("count of made where mesh=8x8x9", NAN);
    expect("max T_ms of made where h<=65 - min T_ms of made where h>=55", 1);
}

/* Words are compared as such, not as numbers. */
Test(measure, words_in_conditions) {
    Campaign campaign = made_campaign(
        "m=1; model=servers service=exponential,constant,synchronous; h=45", 1);
    cr_expect_eq(made_measure(&campaign, "count of made where service=constant"), 1);
    cr_expect_eq(made_measure(&campaign, "count of made where model=servers"), 3);
    cr_expect_eq(made_measure(&campaign, "count of made where model="), 1);
    campaign_close(&campaign);
}

/* Figures over a point without a solution are not measured; others are. */
Test(measure, unsolved_points_are_not_measured) {
    Campaign campaign = made_campaign("model=closed; m=4,1,2", 1);
    Measure found;
    JmError error;
    made_set(campaign.runs[1], "stop", json_string("clipped"));
    cr_assert(measure(&campaign, NULL, "count of made", &found, &error));
    cr_expect_not(found.measured);
    cr_assert(measure(&campaign, NULL, "count of made where m=2", &found, &error));
    cr_expect(found.measured);
    campaign_close(&campaign);
}

static Measure found_by(const char *text) {
    Campaign campaign = four_runs();
    Measure found;
    JmError error;
    cr_assert(measure(&campaign, NULL, text, &found, &error), "%s", error.text);
    campaign_close(&campaign);
    return found;
}

Test(measure, measured) {
    cr_expect(found_by("mean T_ms of made where h=45").measured);
    /* None has such settings: nothing was measured. None came out so: a finding. */
    cr_expect_not(found_by("mean T_ms of made where h=99").measured);
    const Measure never = found_by("mean T_ms of made where overflows>9");
    cr_expect(never.measured && isnan(never.value));
    cr_expect_eq(found_by("count of made where overflows>9").value, 0);
}

/* Runs that failed or were not done give no data, and neither do those beside them. */
Test(measure, runs_without_figures) {
    Campaign campaign = four_runs();
    Measure found;
    JmError error;
    made_undo(campaign.runs[2]);
    cr_assert(measure(&campaign, NULL, "count of made where h>45", &found, &error));
    cr_expect(!found.measured && isnan(found.value));
    cr_expect(strstr(found.why, "1 of 3 runs of made were not done"), "%s", found.why);
    made_keep(campaign.runs[1], json_pack("{s:i, s:s}", "status", -1, "stop", "idle"));
    cr_assert(measure(&campaign, NULL, "count of made", &found, &error));
    cr_expect(!found.measured && isnan(found.value));
    cr_expect(strstr(found.why, "1 of 4 runs of made"), "%s", found.why);
    cr_expect(strstr(found.why, "(idle)"), "%s", found.why);
    /* Of several incomplete runs the first is reported. */
    made_keep(campaign.runs[3], json_pack("{s:i, s:s}", "status", -1, "stop", "limit"));
    cr_assert(measure(&campaign, NULL, "count of made", &found, &error));
    cr_expect(strstr(found.why, "2 of 4 runs of made") && strstr(found.why, "(idle)"),
              "%s", found.why);
    cr_assert(measure(&campaign, NULL, "count of made where h=45", &found, &error));
    cr_expect(found.measured && found.value == 1 && !*found.why);
    campaign_close(&campaign);
}

/* A model's customers are whole: the table has the number solved, not the setting. */
Test(measure, customers_of_a_node) {
    Campaign campaign = made_campaign("model=servers m=2.45; servers=6", 2);
    made_keep(campaign.runs[0], json_pack("{s:i, s:f}", "status", 0, "per_node", 2.5));
    made_keep(campaign.runs[1], json_pack("{s:i}", "status", 0));
    cr_expect_eq(row_number(campaign.runs[0], "per_node"), 2.5);
    cr_expect_eq(row_number(campaign.runs[1], "per_node"), 2.45);
    campaign_close(&campaign);
}

Test(measure, figures_that_are_not_there) {
    /* Not in the campaign; too few runs. */
    cr_expect_not(found_by("mean T_ms of fig4-4").measured);
    cr_expect_not(found_by("sd T_ms of made where h=45").measured);
    cr_expect_not(found_by("mean T_ms of made + mean T_ms of fig4-4").measured);
}

Test(measure, detail) {
    const Measure found = found_by("mean T_ms of made where h<=55 fault= * 2");
    cr_expect_str_eq(found.detail,
                     "mean T_ms of made, h<=55 fault=as built = 1.5 (2 runs)");
    cr_expect_eq(found.value, 3);
}
