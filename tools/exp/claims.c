#include "tools/exp/claims.h"

#include <math.h>
#include <string.h>

#include "tools/exp/explanations.h"
#include "tools/exp/measure.h"
#include "tools/exp/metadata.h"
#include "tools/exp/tables.h"

/* `measure` NULL: no experiment can measure it; then `why` says where it is tested. */
typedef struct {
    const char *id, *where, *figure, *experiment, *statement, *thesis, *unit, *measure;
    double low, high, part_low, part_high;
    const char *tolerance, *why;
} Claim;

static const Claim claims[] = {
#define NONE INFINITY
#define CLAIM(id, where, figure, experiment, statement, thesis, unit, measure, low,    \
              high, part_low, part_high, tolerance, why)                               \
    {id,      where, figure, experiment, statement, thesis,    unit,                   \
     measure, low,   high,   part_low,   part_high, tolerance, why},
#include "tools/exp/claims.def"
#undef CLAIM
#undef NONE
};
enum { CLAIMS = sizeof claims / sizeof claims[0] };

typedef enum { REPRODUCED, IN_PART, NOT_REPRODUCED, NOT_MEASURED, VERDICTS } Verdict;

static const char *const verdict_name[VERDICTS] = {"reproduced", "in part", "not",
                                                   "not measured"};

/* ---- judging --------------------------------------------------------------------- */

/* Nothing but the measured figure and the ranges of the claim decide. A figure that
 * could be measured but has no value, because no run came out as the claim says, is
 * against the claim. */
static Verdict judge(const Claim *claim, const Measure *found) {
    if (!claim->measure || !found->measured)
        return NOT_MEASURED;
    if (found->value >= claim->low && found->value <= claim->high)
        return REPRODUCED;
    if (found->value >= claim->part_low && found->value <= claim->part_high)
        return IN_PART;
    return NOT_REPRODUCED;
}

/* Claims without an experiment need none. */
static bool is_wanted(const Campaign *campaign, const Claim *claim) {
    return claim->experiment[0] == '\0' || campaign_plan(campaign, claim->experiment);
}

static json_t *number_or_null(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *range(double low, double high) {
    return json_pack("[o, o]", number_or_null(low), number_or_null(high));
}

static bool is_doubtful(Verdict verdict) {
    return verdict == IN_PART || verdict == NOT_REPRODUCED;
}

static json_t *describe(const Campaign *campaign, const Claim *claim,
                        const Measure *found, JmError *error) {
    json_t *explained = explanations_of(campaign, claim->id, error);
    if (!explained)
        return NULL;
    json_t *command = claim->experiment[0]
                          ? metadata_command(campaign, claim->experiment)
                          : json_string("jm run --help");
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:s, s:s, s:o, s:o, s:s, s:s, s:s, "
        "s:o, s:o}",
        "id", claim->id, "where", claim->where, "figure", claim->figure, "experiment",
        claim->experiment, "statement", claim->statement, "thesis", claim->thesis,
        "unit", claim->unit, "measured", number_or_null(found->value), "detail",
        found->detail, "measure", claim->measure ? claim->measure : "", "reproduced_if",
        range(claim->low, claim->high), "in_part_if",
        range(claim->part_low, claim->part_high), "verdict",
        verdict_name[judge(claim, found)], "tolerance", claim->tolerance, "why",
        claim->why, "explained_by", explained, "command", command);
}

static bool measure_claim(const Campaign *campaign, const Claim *claim, Measure *found,
                          JmError *error) {
    *found = (Measure){.value = NAN};
    return !claim->measure || measure(campaign, claim->measure, found, error);
}

/* ---- totals ---------------------------------------------------------------------- */

typedef struct {
    unsigned verdicts[VERDICTS];
    unsigned explained; /* of those in part or not */
    unsigned explanations[EXPLANATION_OUTCOMES];
} Totals;

static bool add_up(const Campaign *campaign, Totals *totals, JmError *error) {
    *totals = (Totals){.explained = 0};
    for (unsigned i = 0; i < CLAIMS; i++) {
        Measure found;
        if (!is_wanted(campaign, &claims[i]))
            continue;
        if (!measure_claim(campaign, &claims[i], &found, error))
            return false;
        const Verdict verdict = judge(&claims[i], &found);
        totals->verdicts[verdict]++;
        if (is_doubtful(verdict) && explanations_hold(campaign, claims[i].id))
            totals->explained++;
    }
    return explanations_count(campaign, totals->explanations, error);
}

static json_t *describe_totals(const Totals *t) {
    return json_pack(
        "{s:i, s:i, s:i, s:i, s:i, s:{s:i, s:i, s:i}}", verdict_name[REPRODUCED],
        t->verdicts[REPRODUCED], verdict_name[IN_PART], t->verdicts[IN_PART],
        verdict_name[NOT_REPRODUCED], t->verdicts[NOT_REPRODUCED],
        verdict_name[NOT_MEASURED], t->verdicts[NOT_MEASURED], "explained",
        t->explained, "explanations", "hold", t->explanations[EXPLANATION_HOLDS],
        "do not hold", t->explanations[EXPLANATION_FAILS], "not run",
        t->explanations[EXPLANATION_NOT_RUN]);
}

/* ---- output ---------------------------------------------------------------------- */

static bool is_claim(const char *id, size_t length) {
    for (unsigned i = 0; i < CLAIMS; i++)
        if (strncmp(claims[i].id, id, length) == 0 && !claims[i].id[length])
            return true;
    return false;
}

/* A slip in explanations.def would leave a claim unexplained without a word. */
static bool check_explanations(JmError *error) {
    const Explanation *explanation;
    for (unsigned i = 0; (explanation = explanation_at(i)); i++)
        for (const char *id = explanation->claims; *id;) {
            const size_t length = strcspn(id, " ");
            if (!is_claim(id, length))
                return jm_fail(error, "explanations.def", "no claim '%.*s'",
                               (int)length, id);
            id += length + (id[length] == ' ');
        }
    return true;
}

static json_t *list_claims(const Campaign *campaign, JmError *error) {
    json_t *list = json_array();
    for (unsigned i = 0; i < CLAIMS; i++) {
        Measure found;
        if (!is_wanted(campaign, &claims[i]))
            continue;
        json_t *claim = measure_claim(campaign, &claims[i], &found, error)
                            ? describe(campaign, &claims[i], &found, error)
                            : NULL;
        if (!claim) {
            json_decref(list);
            return NULL;
        }
        json_array_append_new(list, claim);
    }
    return list;
}

bool claims_write(const Campaign *campaign, const char *folder, JmError *error) {
    Totals totals;
    json_t *list = check_explanations(error) && add_up(campaign, &totals, error)
                       ? list_claims(campaign, error)
                       : NULL;
    if (!list)
        return false;
    json_t *root = json_pack("{s:s, s:s, s:o, s:o}", "version", JM_VERSION, "mode",
                             campaign->variation.full ? "full" : "quick", "totals",
                             describe_totals(&totals), "claims", list);
    OutFile file;
    bool good = tables_open(&file, folder, "claims", ".json", error);
    if (good) {
        json_dumpf(root, file.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
        fputc('\n', file.stream);
        good = outfile_commit(&file, error);
    }
    json_decref(root);
    return good;
}

enum { SHOWN_SIZE = 32 };

/* A figure in words: there is none if no run was of the kind that is asked for. */
static const char *show(double value, char text[SHOWN_SIZE]) {
    if (isnan(value))
        return "-";
    snprintf(text, SHOWN_SIZE, "%.5g", value);
    return text;
}

/* What a verdict other than "reproduced" is explained by. */
static void print_explanations(const Campaign *campaign, const char *id) {
    const Explanation *explanation;
    bool any = false;
    for (unsigned i = 0; (explanation = explanation_at(i)); i++) {
        ExplanationOutcome outcome;
        double value;
        char text[SHOWN_SIZE];
        JmError error;
        if (!explanation_is_of(explanation, id) ||
            !explanation_try(campaign, explanation, &outcome, &value, &error))
            continue;
        any = true;
        if (outcome == EXPLANATION_NOT_RUN)
            printf("         %s would tell\n", explanation->experiment);
        else
            printf("         %s: %s %s%s%s%s\n", explanation->experiment,
                   explanation->statement, show(value, text),
                   explanation->unit[0] ? " " : "", explanation->unit,
                   outcome == EXPLANATION_HOLDS ? "" : " (does not hold)");
    }
    if (!any)
        printf("         no experiment explains this\n");
}

void claims_print(const Campaign *campaign, const char *folder) {
    for (unsigned i = 0; i < CLAIMS; i++) {
        Measure found;
        JmError error;
        if (!is_wanted(campaign, &claims[i]) ||
            !measure_claim(campaign, &claims[i], &found, &error))
            continue;
        const Verdict verdict = judge(&claims[i], &found);
        char text[SHOWN_SIZE];
        printf("%-8s %-12s %-10s thesis %s %s: %s\n", claims[i].id,
               verdict_name[verdict], show(found.value, text), claims[i].thesis,
               claims[i].unit, claims[i].statement);
        if (is_doubtful(verdict))
            print_explanations(campaign, claims[i].id);
    }
    Totals t;
    JmError error;
    if (!add_up(campaign, &t, &error))
        return;
    printf("%u claims reproduced, %u in part, %u not, %u not measured; of the %u in "
           "part and not, %u are explained by an experiment\n"
           "%u explanations, no claims of the thesis: %u hold, %u do not, %u not run\n"
           "see %s/claims.json\n",
           t.verdicts[REPRODUCED], t.verdicts[IN_PART], t.verdicts[NOT_REPRODUCED],
           t.verdicts[NOT_MEASURED], t.verdicts[IN_PART] + t.verdicts[NOT_REPRODUCED],
           t.explained,
           t.explanations[EXPLANATION_HOLDS] + t.explanations[EXPLANATION_FAILS] +
               t.explanations[EXPLANATION_NOT_RUN],
           t.explanations[EXPLANATION_HOLDS], t.explanations[EXPLANATION_FAILS],
           t.explanations[EXPLANATION_NOT_RUN], folder);
}
