/* Judges the claims of claims.def and of experiments' files, and the explanations of
 * explanations.def, by the results of a campaign: once, into two arrays from which
 * claims.json and the lines on the terminal are printed. */
#ifndef JM_TOOLS_EXP_JUDGE_CLAIMS_H
#define JM_TOOLS_EXP_JUDGE_CLAIMS_H

#include "tools/exp/measure/measure.h"
#include "tools/exp/measure/verdicts.h"

/* A row of explanations.def. */
typedef struct {
    const char *claims; /* ids, separated by blanks */
    const char *experiment, *statement, *unit, *measure;
    double low, high; /* the explanation holds if the measure lies in low..high */
} Explanation;

typedef enum {
    EXPLANATION_HOLDS,
    EXPLANATION_FAILS,
    EXPLANATION_NOT_RUN, /* its experiment was not run, or --set changed it */
    EXPLANATION_OUTCOMES
} ExplanationOutcome;

typedef struct {
    const Claim *row;
    Measure found;
    Verdict verdict;
    bool own;    /* of an experiment's file */
    bool beyond; /* not the thesis's or a paper's, but this project's own bar */
} JudgedClaim;

typedef struct {
    const Explanation *row;
    Measure found;
    ExplanationOutcome outcome;
} JudgedExplanation;

typedef struct {
    const Campaign *campaign;
    JudgedClaim *claims; /* those that the campaign covers, in the table's order */
    unsigned claim_count;
    JudgedExplanation *explanations; /* all */
    unsigned explanation_count;
} Judgements;

/* Measures and judges everything. Returns false and fills `error` if a measure is
 * malformed or an explanation names a claim that does not exist. Call claims_free()
 * even then. */
bool claims_judge(Judgements *judgements, const Campaign *campaign, JmError *error);
void claims_free(Judgements *judgements);

/* Writes DIR/claims.json. Returns false and fills `error` if it cannot be written. */
bool claims_write(const Judgements *judgements, const char *folder, JmError *error);

/* Prints a line for each claim that is not reproduced, then the totals and where to
 * find the rest. */
void claims_print(const Judgements *judgements, const char *folder);

#endif
