/* What explains claims that are not reproduced (explanations.def): experiments with one
 * thing made otherwise, and what they gave. */
#ifndef JM_TOOLS_EXP_JUDGE_EXPLANATIONS_H
#define JM_TOOLS_EXP_JUDGE_EXPLANATIONS_H

#include <jansson.h>

#include "tools/exp/plan/experiment.h"

typedef enum {
    EXPLANATION_HOLDS,
    EXPLANATION_FAILS,
    EXPLANATION_NOT_RUN, /* its experiment is not in the campaign, or was changed */
    EXPLANATION_OUTCOMES
} ExplanationOutcome;

typedef struct {
    const char *claims; /* ids, a blank between two */
    const char *experiment, *statement, *unit, *measure;
    double low, high;
} Explanation;

const Explanation *explanation_at(unsigned index); /* NULL: no more */

bool explanation_is_of(const Explanation *explanation, const char *claim);

/* False and a message if its measure is none. */
bool explanation_try(const Campaign *campaign, const Explanation *explanation,
                     ExplanationOutcome *outcome, double *value, JmError *error);

/* How many have each outcome. */
bool explanations_count(const Campaign *campaign, unsigned counts[EXPLANATION_OUTCOMES],
                        JmError *error);

/* A claim's explanations as JSON, NULL and a message on failure. */
json_t *explanations_of(const Campaign *campaign, const char *claim, JmError *error);

/* Whether at least one explanation of the claim holds. */
bool explanations_hold(const Campaign *campaign, const char *claim);

#endif
