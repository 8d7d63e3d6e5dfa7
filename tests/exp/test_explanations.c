/* Explanations of claims: which claim they are of, in what range they hold, how they
 * are counted. */
#include <criterion/criterion.h>
#include <string.h>

#include "tools/exp/judge/explanations.h"

static const char measured[] = "max overflows of shifted-overflows";

/* The experiment that they look at, every run with so many overflows. */
static Campaign campaign_of(unsigned sets, int overflows) {
    static const char *const set[] = {"m=5"};
    const Variation variation = {.sets = set, .set_count = sets};
    Campaign campaign;
    JmError error;
    cr_assert(campaign_open(&campaign, &variation, &error) &&
                  campaign_add(&campaign, experiment_find("shifted-overflows"), &error),
              "%s", error.text);
    for (size_t i = 0; i < campaign.run_count; i++)
        campaign.runs[i].record =
            json_pack("{s:i, s:i}", "overflows", overflows, "T", 1000000 + (int)i);
    return campaign;
}

/* The row that has this measure and holds from 1 to 3. */
static const Explanation *row(void) {
    unsigned i = 0;
    while (explanation_at(i) && strcmp(explanation_at(i)->measure, measured) != 0)
        i++;
    const Explanation *found = explanation_at(i);
    cr_assert(found && found->low == 1 && found->high == 3);
    return found;
}

Test(explanations, of_a_claim) {
    const Explanation two = {.claims = "TC-086 TC-089b"};
    cr_expect(explanation_is_of(&two, "TC-086"));
    cr_expect(explanation_is_of(&two, "TC-089b"));
    cr_expect_not(explanation_is_of(&two, "TC-089"));
    cr_expect_not(explanation_is_of(&two, "TC-08"));
    cr_expect_not(explanation_is_of(&two, "C-086"));
    cr_expect_not(explanation_is_of(&two, "TC-0866"));
}

static ExplanationOutcome outcome_with(unsigned sets, int overflows) {
    Campaign campaign = campaign_of(sets, overflows);
    ExplanationOutcome outcome;
    double value;
    JmError error;
    cr_assert(explanation_try(&campaign, row(), &outcome, &value, &error));
    cr_expect_eq(value, overflows);
    campaign_close(&campaign);
    return outcome;
}

Test(explanations, range) {
    cr_expect_eq(outcome_with(0, 0), EXPLANATION_FAILS);
    cr_expect_eq(outcome_with(0, 1), EXPLANATION_HOLDS);
    cr_expect_eq(outcome_with(0, 3), EXPLANATION_HOLDS);
    cr_expect_eq(outcome_with(0, 4), EXPLANATION_FAILS);
    cr_expect_eq(outcome_with(1, 3), EXPLANATION_NOT_RUN); /* other settings */
}

Test(explanations, whether_one_holds) {
    Campaign good = campaign_of(0, 2), bad = campaign_of(0, 9);
    cr_expect(explanations_hold(&good, "TC-086"));
    cr_expect(explanations_hold(&good, "TC-089"));
    cr_expect_not(explanations_hold(&bad, "TC-086"));
    cr_expect_not(explanations_hold(&good, "TC-077")); /* its own were not run */
    campaign_close(&good);
    campaign_close(&bad);
}

/* Every row of the table has one outcome; this experiment decides some. */
Test(explanations, counted) {
    Campaign campaign = campaign_of(0, 2);
    unsigned counts[EXPLANATION_OUTCOMES], all = 0, decided = 0, held = 0;
    JmError error;
    cr_assert(explanations_count(&campaign, counts, &error));
    for (unsigned i = 0; explanation_at(i); i++, all++) {
        ExplanationOutcome outcome;
        double value;
        cr_assert(
            explanation_try(&campaign, explanation_at(i), &outcome, &value, &error));
        decided += outcome != EXPLANATION_NOT_RUN;
        held += outcome == EXPLANATION_HOLDS;
    }
    cr_expect_eq(counts[EXPLANATION_HOLDS], held);
    cr_expect_eq(counts[EXPLANATION_FAILS], decided - held);
    cr_expect_eq(counts[EXPLANATION_NOT_RUN], all - decided);
    cr_expect(held >= 1 && decided > held && all > decided);
    campaign_close(&campaign);
}

Test(explanations, as_json) {
    Campaign campaign = campaign_of(0, 2);
    JmError error;
    json_t *list = explanations_of(&campaign, "TC-086", &error);
    cr_assert(json_array_size(list) >= 1);
    bool found = false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        const char *text = json_string_value(json_object_get(item, "measure"));
        if (strcmp(text, measured) != 0)
            continue;
        found = true;
        cr_expect_str_eq(json_string_value(json_object_get(item, "outcome")), "holds");
        cr_expect_eq(json_number_value(json_object_get(item, "measured")), 2);
        const json_t *range = json_object_get(item, "holds_if");
        cr_expect_eq(json_number_value(json_array_get(range, 0)), 1);
        cr_expect_eq(json_number_value(json_array_get(range, 1)), 3);
    }
    cr_expect(found);
    json_decref(list);
    list = explanations_of(&campaign, "TC-000", &error);
    cr_expect_eq(json_array_size(list), 0);
    json_decref(list);
    campaign_close(&campaign);
}
