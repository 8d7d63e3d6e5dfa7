/* Tries the rows of explanations.def. */
#include "tools/exp/judge/explanations.h"

#include <math.h>
#include <string.h>

#include "tools/exp/measure/measure.h"
#include "tools/exp/tables/metadata.h"
#include "tools/host/values.h"

static const Explanation explanations[] = {
#define NONE INFINITY
#define EXPLANATION(claims, experiment, statement, unit, measure, low, high)           \
    {claims, experiment, statement, unit, measure, low, high},
#include "tools/exp/judge/explanations.def"
#undef EXPLANATION
#undef NONE
};
enum { EXPLANATIONS = sizeof explanations / sizeof explanations[0] };

static const char *const outcome_name[EXPLANATION_OUTCOMES] = {
    [EXPLANATION_HOLDS] = "holds",
    [EXPLANATION_FAILS] = "does not hold",
    [EXPLANATION_NOT_RUN] = "not run"};

const Explanation *explanation_at(unsigned index) {
    return index < EXPLANATIONS ? &explanations[index] : NULL;
}

bool explanation_is_of(const Explanation *explanation, const char *claim) {
    const size_t length = strlen(claim);
    const char *at = explanation->claims;
    while (strncmp(at, claim, length) != 0 || (at[length] && at[length] != ' ')) {
        at = strchr(at, ' ');
        if (!at)
            return false;
        at++;
    }
    return true;
}

/* With --set the runs are of a different machine or load, so nothing is judged. */
static ExplanationOutcome judge(const Campaign *campaign,
                                const Explanation *explanation, const Measure *found) {
    if (!found->measured || campaign->variation.set_count)
        return EXPLANATION_NOT_RUN;
    return found->value >= explanation->low && found->value <= explanation->high
               ? EXPLANATION_HOLDS
               : EXPLANATION_FAILS;
}

bool explanation_try(const Campaign *campaign, const Explanation *explanation,
                     ExplanationOutcome *outcome, double *value, JmError *error) {
    Measure found;
    if (!measure(campaign, explanation->measure, &found, error))
        return false;
    *outcome = judge(campaign, explanation, &found);
    *value = found.value;
    return true;
}

bool explanations_count(const Campaign *campaign, unsigned counts[EXPLANATION_OUTCOMES],
                        JmError *error) {
    memset(counts, 0, EXPLANATION_OUTCOMES * sizeof *counts);
    for (unsigned i = 0; i < EXPLANATIONS; i++) {
        ExplanationOutcome outcome;
        double value;
        if (!explanation_try(campaign, &explanations[i], &outcome, &value, error))
            return false;
        counts[outcome]++;
    }
    return true;
}

static json_t *number_or_null(double value) {
    return jvalue_number(value);
}

static json_t *describe(const Campaign *campaign, const Explanation *explanation,
                        const Measure *found) {
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:[o, o], s:o, s:o}", "experiment",
        jvalue_text(explanation->experiment), "statement",
        jvalue_text(explanation->statement), "unit", jvalue_text(explanation->unit),
        "measure", jvalue_text(explanation->measure), "measured",
        number_or_null(found->value), "detail", jvalue_text(found->detail), "holds_if",
        number_or_null(explanation->low), number_or_null(explanation->high), "outcome",
        jvalue_text(outcome_name[judge(campaign, explanation, found)]), "command",
        metadata_command(campaign, explanation->experiment));
}

/* Explanations whose experiments were not run are listed too. */
json_t *explanations_of(const Campaign *campaign, const char *claim, JmError *error) {
    json_t *list = json_array();
    for (unsigned i = 0; i < EXPLANATIONS; i++) {
        Measure found;
        if (!explanation_is_of(&explanations[i], claim))
            continue;
        if (!measure(campaign, explanations[i].measure, &found, error)) {
            json_decref(list);
            return NULL;
        }
        json_array_append_new(list, describe(campaign, &explanations[i], &found));
    }
    return list;
}

bool explanations_hold(const Campaign *campaign, const char *claim) {
    for (unsigned i = 0; i < EXPLANATIONS; i++) {
        ExplanationOutcome outcome;
        double value;
        JmError error;
        if (explanation_is_of(&explanations[i], claim) &&
            explanation_try(campaign, &explanations[i], &outcome, &value, &error) &&
            outcome == EXPLANATION_HOLDS)
            return true;
    }
    return false;
}
