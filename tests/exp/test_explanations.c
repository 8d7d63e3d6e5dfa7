/* Explanations of claims: in what range they hold. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/exp/made.h"
#include "tools/exp/judge/claims.h"

static const char measured[] = "max overflows of shifted-overflows";

/* The experiment that they look at, every run with so many overflows. */
static Campaign campaign_of(unsigned sets, int overflows) {
    static const char *const set[] = {"m=5"};
    const Variation variation = {.sets = set, .set_count = sets};
    Campaign campaign = campaign_open(&variation);
    JmError error;
    cr_assert(campaign_add(&campaign, experiment_find("shifted-overflows"), &error),
              "%s", error.text);
    for (size_t i = 0; i < campaign.run_count; i++)
        made_keep(campaign.runs[i], json_pack("{s:i, s:i}", "overflows", overflows, "T",
                                              1000000 + (int)i));
    return campaign;
}

/* The outcome of the row that has this measure and holds from 1 to 3. */
static ExplanationOutcome outcome_with(unsigned sets, int overflows) {
    Campaign campaign = campaign_of(sets, overflows);
    Judgements judgements;
    JmError error;
    cr_assert(claims_judge(&judgements, &campaign, &error), "%s", error.text);
    const JudgedExplanation *found = judgements.explanations;
    const JudgedExplanation *end = found + judgements.explanation_count;
    while (found < end && strcmp(found->row->measure, measured) != 0)
        found++;
    cr_assert(found < end && found->row->low == 1 && found->row->high == 3);
    cr_expect_eq(found->found.value, overflows);
    const ExplanationOutcome outcome = found->outcome;
    claims_free(&judgements);
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
