/* Judges claims and explanations, and writes and prints the verdicts: see claims.h. */
#include "tools/exp/judge/claims.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "tools/exp/tables/fields.h"
#include "tools/exp/tables/tables.h"
#include "tools/host/memory.h"
#include "tools/host/shell.h"
#include "tools/host/values.h"
#include "tools/host/word_list.h"
#include "tools/jm/version.h"

static const Claim claims[] = {
#define NONE INFINITY
#define CLAIM(...) {false, __VA_ARGS__},
#define CHECK(...) {true, __VA_ARGS__},
#include "tools/exp/judge/claims.def"
#undef CLAIM
#undef CHECK
};
enum { CLAIMS = sizeof claims / sizeof claims[0] };

static const Explanation explanations[] = {
#define EXPLANATION(...) {__VA_ARGS__},
#include "tools/exp/judge/explanations.def"
#undef EXPLANATION
#undef NONE
};
enum { EXPLANATIONS = sizeof explanations / sizeof explanations[0] };

static const char *const outcome_name[EXPLANATION_OUTCOMES] = {
    [EXPLANATION_HOLDS] = "holds",
    [EXPLANATION_FAILS] = "does not hold",
    [EXPLANATION_NOT_RUN] = "not run"};

/* ---- judging --------------------------------------------------------------------- */

static bool lies_in(double value, double low, double high) {
    return value >= low && value <= high;
}

/* Only the measured figure and the claim's ranges decide. If runs were measured but
 * none was of the kind that the claim is about, the figure is NaN, which lies in no
 * range: not reproduced. With --set the runs are of a different machine or load. */
static Verdict verdict_on(const Campaign *campaign, const JudgedClaim *claim) {
    const Claim *row = claim->row;
    const double value = claim->found.value;
    const Verdict verdict = verdict_judge(row->measure && claim->found.measured,
                                          campaign->variation.set_count,
                                          lies_in(value, row->low, row->high));
    return verdict == VERDICT_NOT_REPRODUCED &&
                   lies_in(value, row->part_low, row->part_high)
               ? VERDICT_IN_PART
               : verdict;
}

static ExplanationOutcome outcome_of(const Campaign *campaign,
                                     const JudgedExplanation *explanation) {
    const Explanation *row = explanation->row;
    if (!explanation->found.measured || campaign->variation.set_count)
        return EXPLANATION_NOT_RUN;
    return lies_in(explanation->found.value, row->low, row->high) ? EXPLANATION_HOLDS
                                                                  : EXPLANATION_FAILS;
}

/* Whether a campaign has an experiment of the tables. */
static bool has_rows(const Campaign *campaign) {
    for (unsigned i = 0; i < campaign->plan_count; i++)
        if (!campaign->plans[i].experiment->file)
            return true;
    return campaign->plan_count == 0;
}

/* Whether the campaign covers a claim. A claim without an experiment is the thesis's,
 * and is covered if all of the thesis's experiments are. */
static bool is_wanted(const Campaign *campaign, const Claim *claim) {
    if (claim->experiment[0])
        return campaign_plan(campaign, claim->experiment) != NULL;
    for (unsigned i = 0; i < campaign->plan_count; i++) {
        const Experiment *experiment = campaign->plans[i].experiment;
        if (!experiment->paper && !experiment->file)
            return true;
    }
    return campaign->plan_count == 0;
}

static bool is_claim(const char *id) {
    for (unsigned i = 0; i < CLAIMS; i++)
        if (strcmp(claims[i].id, id) == 0)
            return true;
    return false;
}

/* Checks that explanations.def names only claims that exist: a misspelt id would
 * silently leave a claim unexplained. */
static bool check_ids(const Explanation *explanation, JmError *error) {
    char id[32];
    for (const char *list = explanation->claims;
         word_list_next(&list, ' ', id, sizeof id);)
        if (!is_claim(id))
            return jm_fail(error, "explanations.def", "no claim '%s'", id);
    return true;
}

static bool judge_claim(Judgements *j, const Claim *row, bool own, JmError *error) {
    JudgedClaim *claim = &j->claims[j->claim_count++];
    *claim = (JudgedClaim){.row = row,
                           .found = {.value = NAN},
                           .own = own,
                           .beyond = strncmp(row->where, "beyond", 6) == 0};
    if (row->measure &&
        !measure(j->campaign, row->experiment, row->measure, &claim->found, error))
        return false;
    claim->verdict = verdict_on(j->campaign, claim);
    return true;
}

static bool judge_explanation(Judgements *j, const Explanation *row, JmError *error) {
    JudgedExplanation *explanation = &j->explanations[j->explanation_count++];
    *explanation = (JudgedExplanation){.row = row};
    if (!check_ids(row, error) ||
        !measure(j->campaign, NULL, row->measure, &explanation->found, error))
        return false;
    explanation->outcome = outcome_of(j->campaign, explanation);
    return true;
}

/* Judges the claims of the experiments' files. */
static bool judge_own(Judgements *j, JmError *error) {
    bool good = true;
    for (unsigned i = 0; i < j->campaign->plan_count; i++) {
        const Experiment *experiment = j->campaign->plans[i].experiment;
        for (unsigned k = 0; good && k < experiment->claim_count; k++)
            good = judge_claim(j, &experiment->claims[k], true, error);
    }
    return good;
}

static size_t count_own(const Campaign *campaign) {
    size_t count = 0;
    for (unsigned i = 0; i < campaign->plan_count; i++)
        count += campaign->plans[i].experiment->claim_count;
    return count;
}

bool claims_judge(Judgements *j, const Campaign *campaign, JmError *error) {
    *j = (Judgements){
        .campaign = campaign,
        .claims = memory_array(CLAIMS + count_own(campaign), sizeof *j->claims),
        .explanations = memory_array(EXPLANATIONS, sizeof *j->explanations)};
    bool good = true;
    for (unsigned i = 0; good && i < CLAIMS; i++)
        if (is_wanted(campaign, &claims[i]))
            good = judge_claim(j, &claims[i], false, error);
    good = good && judge_own(j, error);
    for (unsigned i = 0; good && i < EXPLANATIONS && has_rows(campaign); i++)
        good = judge_explanation(j, &explanations[i], error);
    return good;
}

void claims_free(Judgements *judgements) {
    free(judgements->claims);
    free(judgements->explanations);
    *judgements = (Judgements){.campaign = NULL};
}

/* ---- what follows from a judgement ----------------------------------------------- */

/* Returns the next explanation of a claim after `last`, NULL for the first; NULL: there
 * are no more. */
static const JudgedExplanation *next_explanation(const Judgements *j,
                                                 const JudgedClaim *claim,
                                                 const JudgedExplanation *last) {
    const JudgedExplanation *end = j->explanations + j->explanation_count;
    for (last = last ? last + 1 : j->explanations; last < end; last++)
        if (!claim->own && word_list_has(last->row->claims, ' ', claim->row->id))
            return last;
    return NULL;
}

/* Whether at least one explanation of the claim holds. */
static bool is_explained(const Judgements *j, const JudgedClaim *claim) {
    const JudgedExplanation *e = NULL;
    while ((e = next_explanation(j, claim, e)))
        if (e->outcome == EXPLANATION_HOLDS)
            return true;
    return false;
}

/* Returns whose claim it is: the user's, a paper's, the thesis's, or the project's. */
static const char *source_of(const JudgedClaim *claim) {
    const Experiment *experiment = experiment_find(claim->row->experiment);
    return claim->own                        ? "own"
           : claim->beyond                   ? "bar"
           : experiment && experiment->paper ? "paper"
                                             : "thesis";
}

/* Returns the reason why a claim is not measured, "" if it is. */
static const char *reason_of(const JudgedClaim *claim) {
    return claim->row->measure ? claim->found.why : claim->row->why;
}

/* Verdicts, counted. */
typedef struct {
    unsigned verdicts[VERDICTS]; /* claims by verdict, checks apart */
    unsigned explained; /* claims in part or not that have an explanation that holds */
    unsigned checks[VERDICTS];
    unsigned beyond[VERDICTS]; /* claims of this project */
    unsigned explanations[EXPLANATION_OUTCOMES];
} Totals;

static Totals add_up(const Judgements *j) {
    Totals totals = {.explained = 0};
    for (unsigned i = 0; i < j->claim_count; i++) {
        const JudgedClaim *claim = &j->claims[i];
        const bool check = claim->row->check;
        unsigned *counts = check           ? totals.checks
                           : claim->beyond ? totals.beyond
                                           : totals.verdicts;
        counts[claim->verdict]++;
        totals.explained += !check && !claim->beyond &&
                            verdicts[claim->verdict].doubtful && is_explained(j, claim);
    }
    for (unsigned i = 0; i < j->explanation_count; i++)
        totals.explanations[j->explanations[i].outcome]++;
    return totals;
}

/* ---- claims.json ----------------------------------------------------------------- */

static json_t *range(double low, double high) {
    return json_pack("[o, o]", jvalue_number(low), jvalue_number(high));
}

static json_t *describe_explanation(const Judgements *j, const JudgedExplanation *e) {
    const Explanation *row = e->row;
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "experiment",
        jvalue_text(row->experiment), "statement", jvalue_text(row->statement), "unit",
        jvalue_text(row->unit), "measure", jvalue_text(row->measure), "measured",
        jvalue_number(e->found.value), "detail", jvalue_text(e->found.detail),
        "holds_if", range(row->low, row->high), "outcome",
        jvalue_text(outcome_name[e->outcome]), "command",
        metadata_command(j->campaign, row->experiment));
}

/* Explanations whose experiments were not run are listed too. */
static json_t *describe_explanations(const Judgements *j, const JudgedClaim *claim) {
    json_t *list = json_array();
    const JudgedExplanation *e = NULL;
    while ((e = next_explanation(j, claim, e)))
        json_array_append_new(list, describe_explanation(j, e));
    return list;
}

static json_t *describe_claim(const Judgements *j, const JudgedClaim *claim) {
    const Claim *row = claim->row;
    json_t *command = row->experiment[0]
                          ? metadata_command(j->campaign, row->experiment)
                          : jvalue_text("jm run --help");
    return json_pack(
        "{s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
        "s:o, s:o, s:o, s:o, s:o}",
        "id", jvalue_text(row->id), "check", row->check, "where",
        jvalue_text(row->where), "figure", jvalue_text(row->figure), "experiment",
        jvalue_text(row->experiment), "statement", jvalue_text(row->statement),
        "thesis", jvalue_text(row->thesis), "unit", jvalue_text(row->unit), "measured",
        jvalue_number(claim->found.value), "detail", jvalue_text(claim->found.detail),
        "measure", jvalue_text(row->measure ? row->measure : ""), "reproduced_if",
        range(row->low, row->high), "in_part_if", range(row->part_low, row->part_high),
        "verdict", jvalue_text(verdicts[claim->verdict].name), "tolerance",
        jvalue_text(row->tolerance), "why", jvalue_text(row->why), "explained_by",
        describe_explanations(j, claim), "command", command, "source",
        jvalue_text(source_of(claim)), "reason", jvalue_text(reason_of(claim)));
}

static json_t *describe_verdicts(const unsigned counts[VERDICTS]) {
    json_t *object = json_object();
    for (unsigned i = 0; i < VERDICTS; i++)
        json_object_set_new(object, verdicts[i].name, json_integer(counts[i]));
    return object;
}

static json_t *describe_totals(const Totals *t) {
    json_t *object = describe_verdicts(t->verdicts);
    json_object_set_new(object, "explained", json_integer(t->explained));
    json_object_set_new(object, "checks", describe_verdicts(t->checks));
    json_object_set_new(object, "beyond", describe_verdicts(t->beyond));
    json_object_set_new(object, "explanations",
                        json_pack("{s:i, s:i, s:i}", "hold",
                                  t->explanations[EXPLANATION_HOLDS], "do not hold",
                                  t->explanations[EXPLANATION_FAILS], "not run",
                                  t->explanations[EXPLANATION_NOT_RUN]));
    return object;
}

bool claims_write(const Judgements *j, const char *folder, JmError *error) {
    const Totals totals = add_up(j);
    const bool full = j->campaign->variation.full;
    json_t *list = json_array();
    for (unsigned i = 0; i < j->claim_count; i++)
        json_array_append_new(list, describe_claim(j, &j->claims[i]));
    json_t *root =
        json_pack("{s:o, s:o, s:o, s:o}", "version", jvalue_text(version_text), "mode",
                  jvalue_text(full ? "full" : "quick"), "totals",
                  describe_totals(&totals), "claims", list);
    return fields_json(root, JSON_REAL_PRECISION(6), folder, "claims", error);
}

/* ---- the terminal ---------------------------------------------------------------- */

enum { SHOWN_SIZE = 32 };

/* Prints a figure, or "-" if there is none. */
static const char *show(double value, char text[SHOWN_SIZE]) {
    if (isnan(value))
        return "-";
    snprintf(text, SHOWN_SIZE, "%.5g", value);
    return text;
}

/* Returns the explanation of a claim with this outcome, or NULL. */
static const JudgedExplanation *explanation_of(const Judgements *j,
                                               const JudgedClaim *claim,
                                               ExplanationOutcome outcome) {
    const JudgedExplanation *e = NULL;
    while ((e = next_explanation(j, claim, e)) && e->outcome != outcome)
        ;
    return e;
}

/* Prints what explains a verdict other than "reproduced", or would. */
static void print_explanation(const Judgements *j, const JudgedClaim *claim) {
    const JudgedExplanation *holds = explanation_of(j, claim, EXPLANATION_HOLDS);
    const JudgedExplanation *not_run = explanation_of(j, claim, EXPLANATION_NOT_RUN);
    if (holds)
        printf("; %s explains it: %s", holds->row->experiment, holds->row->statement);
    else if (not_run)
        printf("; %s would tell", not_run->row->experiment);
    else
        printf("; no experiment explains it");
}

/* Prints the line of a claim: its verdict, what was measured, and what was expected. */
static void print_claim(const Judgements *j, const JudgedClaim *claim) {
    const Claim *row = claim->row;
    char text[SHOWN_SIZE];
    printf("%-8s %-12s %-10s %s %s %s: %s", row->id, verdicts[claim->verdict].name,
           show(claim->found.value, text), source_of(claim), row->thesis, row->unit,
           row->statement);
    if (claim->verdict == VERDICT_NOT_MEASURED || claim->found.swept)
        printf("; because %s", reason_of(claim));
    if (verdicts[claim->verdict].doubtful && !claim->own)
        print_explanation(j, claim);
    putchar('\n');
}

/* Prints the claims that are not reproduced, checks that fail, and all claims of
 * files. */
static void print_claims(const Judgements *j) {
    for (unsigned i = 0; i < j->claim_count; i++) {
        const JudgedClaim *claim = &j->claims[i];
        const bool reproduced = claim->verdict == VERDICT_REPRODUCED;
        if (claim->own || verdicts[claim->verdict].doubtful ||
            (!claim->row->check && !reproduced))
            print_claim(j, claim);
    }
}

static unsigned sum(const unsigned *counts, unsigned size) {
    unsigned all = 0;
    for (unsigned i = 0; i < size; i++)
        all += counts[i];
    return all;
}

/* Prints a row of the table of totals, unless nothing is in it. */
static void print_verdicts(const char *what, const unsigned counts[VERDICTS]) {
    if (!sum(counts, VERDICTS))
        return;
    printf("%-24s", what);
    for (unsigned i = 0; i < VERDICTS; i++)
        printf(" %12u", counts[i]);
    putchar('\n');
}

static void print_totals(const Totals *t) {
    printf("%-24s", "");
    for (unsigned i = 0; i < VERDICTS; i++)
        printf(" %12s", verdicts[i].name);
    putchar('\n');
    print_verdicts("claims", t->verdicts);
    print_verdicts("checks of consistency", t->checks);
    print_verdicts("bars for better cures", t->beyond);
    const unsigned doubtful =
        t->verdicts[VERDICT_IN_PART] + t->verdicts[VERDICT_NOT_REPRODUCED];
    if (doubtful && sum(t->explanations, EXPLANATION_OUTCOMES))
        printf("experiments explain %u of the %u in part and not\n", t->explained,
               doubtful);
}

void claims_print(const Judgements *j, const char *folder) {
    const Totals totals = add_up(j);
    print_claims(j);
    if (j->claim_count)
        print_totals(&totals);
    if (j->campaign->variation.set_count)
        puts(j->explanation_count
                 ? "settings were changed with --set, so nothing is a verdict on the "
                   "thesis"
                 : "settings were changed with --set, so no claim is judged");
    printf("see %s/claims.json; jm exp report --out ", JM_SHOWN(folder));
    shell_put(stdout, JM_SHOWN(folder));
    puts(" draws a page of all");
}
