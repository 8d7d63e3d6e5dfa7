/* Explanations of claims that are not reproduced (explanations.def): experiments with
 * one default changed, and their results. */
#ifndef JM_TOOLS_EXP_JUDGE_EXPLANATIONS_H
#define JM_TOOLS_EXP_JUDGE_EXPLANATIONS_H

#include <jansson.h>

#include "tools/exp/plan/experiment.h"

typedef enum {
    EXPLANATION_HOLDS,
    EXPLANATION_FAILS,
    EXPLANATION_NOT_RUN, /* its experiment was not run, or --set changed it */
    EXPLANATION_OUTCOMES
} ExplanationOutcome;

/* A row of explanations.def. */
typedef struct {
    const char *claims; /* ids, separated by blanks */
    const char *experiment, *statement, *unit, *measure;
    double low, high; /* the explanation holds if the measure lies in low..high */
} Explanation;

const Explanation *explanation_at(unsigned index); /* NULL: no more */

/* Whether `claim` is one of the ids that the explanation names. */
bool explanation_is_of(const Explanation *explanation, const char *claim);

/* Measures an explanation; returns false and fills `error` if its measure is malformed.
 */
bool explanation_try(const Campaign *campaign, const Explanation *explanation,
                     ExplanationOutcome *outcome, double *value, JmError *error);

/* Counts the explanations by outcome. */
bool explanations_count(const Campaign *campaign, unsigned counts[EXPLANATION_OUTCOMES],
                        JmError *error);

/* Returns a claim's explanations as a JSON array; NULL and an error on failure. */
json_t *explanations_of(const Campaign *campaign, const char *claim, JmError *error);

/* Whether at least one explanation of the claim holds. */
bool explanations_hold(const Campaign *campaign, const char *claim);

#endif
