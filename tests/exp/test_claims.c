/* Claims and their explanations: verdicts at the ends of their ranges. */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/exp/made.h"
#include "tools/exp/judge/claims.h"

static const char measured[] = "max overflows of shifted-overflows";

/* Judges runs of an experiment that have so many overflows each: by an explanation that
 * holds from 1 to 3, and by a claim of the experiment's own. */
static void expect(unsigned sets, int overflows, ExplanationOutcome outcome,
                   Verdict verdict) {
    static const char *const set[] = {"m=5"};
    static const Claim claim = {.id = "made",
                                .where = "",
                                .experiment = "shifted-overflows",
                                .measure = measured,
                                .part_low = 1,
                                .low = 2,
                                .high = 3,
                                .part_high = 4};
    const Variation variation = {.sets = set, .set_count = sets};
    Experiment experiment = *experiment_find("shifted-overflows");
    experiment.claims = &claim;
    experiment.claim_count = 1;
    Campaign campaign = made_planned(&variation, &experiment, experiment.quick, 1);
    for (size_t i = 0; i < campaign.run_count; i++)
        made_keep(campaign.runs[i], json_pack("{s:i, s:i}", "overflows", overflows, "T",
                                              1000000 + (int)i));
    Judgements judgements;
    JmError error;
    cr_assert(claims_judge(&judgements, &campaign, &error), "%s", error.text);
    const JudgedClaim *own = &judgements.claims[judgements.claim_count - 1];
    const JudgedExplanation *found = judgements.explanations;
    const JudgedExplanation *end = found + judgements.explanation_count;
    while (found < end && strcmp(found->row->measure, measured) != 0)
        found++;
    cr_assert(found < end && found->row->low == 1 && found->row->high == 3);
    cr_assert_eq(own->row, &claim);
    cr_expect_eq(found->found.value, overflows);
    cr_expect_eq(found->outcome, outcome, "%d overflows", overflows);
    cr_expect_eq(own->verdict, verdict, "%d overflows", overflows);
    claims_free(&judgements);
    campaign_close(&campaign);
}

Test(claims, ranges) {
    expect(0, 0, EXPLANATION_FAILS, VERDICT_NOT_REPRODUCED);
    expect(0, 1, EXPLANATION_HOLDS, VERDICT_IN_PART);
    expect(0, 2, EXPLANATION_HOLDS, VERDICT_REPRODUCED);
    expect(0, 3, EXPLANATION_HOLDS, VERDICT_REPRODUCED);
    expect(0, 4, EXPLANATION_FAILS, VERDICT_IN_PART);
    expect(0, 5, EXPLANATION_FAILS, VERDICT_NOT_REPRODUCED);
    expect(1, 2, EXPLANATION_NOT_RUN, VERDICT_NOT_JUDGED); /* other settings */
}
