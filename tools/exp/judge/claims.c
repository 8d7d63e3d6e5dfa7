/* Judges the rows of claims.def: measures each claim, compares the figure with its
 * ranges, and writes and prints the verdicts. */
#include "tools/exp/judge/claims.h"

#include <math.h>
#include <string.h>

#include "emu/core/printable.h"
#include "tools/exp/judge/explanations.h"
#include "tools/exp/measure/measure.h"
#include "tools/exp/tables/fields.h"
#include "tools/exp/tables/metadata.h"
#include "tools/host/values.h"
#include "tools/jm/version.h"

/* A row of claims.def. */
typedef struct {
    bool check; /* a CHECK: no run could contradict it */
    const char *id, *where, *figure, *experiment, *statement, *thesis, *unit;
    const char *measure;        /* NULL: no experiment can measure it */
    double low, high;           /* reproduced if the figure lies in low..high */
    double part_low, part_high; /* in part if it lies in part_low..part_high */
    const char *tolerance;      /* rule by which the ranges were set */
    const char *why;            /* remark; without a measure, the test that covers it */
} Claim;

static const Claim claims[] = {
#define NONE INFINITY
#define CLAIM(...) {false, __VA_ARGS__},
#define CHECK(...) {true, __VA_ARGS__},
#include "tools/exp/judge/claims.def"
#undef CLAIM
#undef CHECK
#undef NONE
};
enum { CLAIMS = sizeof claims / sizeof claims[0] };

typedef enum {
    REPRODUCED,
    IN_PART,
    NOT_REPRODUCED,
    NOT_MEASURED,
    NOT_JUDGED, /* settings were changed: the measurement is not of the claim's
                 * system */
    VERDICTS
} Verdict;

static const char *const verdict_name[VERDICTS] = {"reproduced", "in part", "not",
                                                   "not measured", "not judged"};

/* ---- judging --------------------------------------------------------------------- */

/* Only the measured figure and the claim's ranges decide. If runs were measured but
 * none was of the kind that the claim is about, the figure is NaN, which lies in no
 * range: not reproduced. */
static Verdict judge(const Campaign *campaign, const Claim *claim,
                     const Measure *found) {
    if (!claim->measure || !found->measured)
        return NOT_MEASURED;
    if (campaign->variation.set_count)
        return NOT_JUDGED;
    if (found->value >= claim->low && found->value <= claim->high)
        return REPRODUCED;
    if (found->value >= claim->part_low && found->value <= claim->part_high)
        return IN_PART;
    return NOT_REPRODUCED;
}

/* Whether a claim is this project's own: a bar for a better cure. */
static bool is_beyond(const Claim *claim) {
    return strncmp(claim->where, "beyond", 6) == 0;
}

/* The source of a claim. */
static const char *source_of(const Claim *claim) {
    if (is_beyond(claim))
        return "bar";
    const Experiment *experiment = experiment_find(claim->experiment);
    return experiment && experiment->paper ? "paper" : "thesis";
}

/* Whether the campaign covers a claim. A claim without an experiment is the thesis's,
 * and is covered if all of the thesis's experiments are. */
static bool is_wanted(const Campaign *campaign, const Claim *claim) {
    if (claim->experiment[0])
        return campaign_plan(campaign, claim->experiment) != NULL;
    for (unsigned i = 0; i < campaign->plan_count; i++)
        if (!campaign->plans[i].experiment->paper)
            return true;
    return campaign->plan_count == 0;
}

/* JSON has no infinity and no NaN. */
static json_t *number_or_null(double value) {
    return jvalue_number(value);
}

static json_t *range(double low, double high) {
    return json_pack("[o, o]", number_or_null(low), number_or_null(high));
}

static bool is_doubtful(Verdict verdict) {
    return verdict == IN_PART || verdict == NOT_REPRODUCED;
}

/* Returns the reason why a claim is not measured, "" if it is. */
static const char *reason_of(const Claim *claim, const Measure *found) {
    return claim->measure ? found->why : claim->why;
}

/* Returns the object of a claim in claims.json. */
static json_t *describe(const Campaign *campaign, const Claim *claim,
                        const Measure *found, JmError *error) {
    json_t *explained = explanations_of(campaign, claim->id, error);
    if (!explained)
        return NULL;
    json_t *command = claim->experiment[0]
                          ? metadata_command(campaign, claim->experiment)
                          : jvalue_text("jm run --help");
    return json_pack(
        "{s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
        "s:o, s:o, s:o, s:o, s:o}",
        "id", jvalue_text(claim->id), "check", claim->check, "where",
        jvalue_text(claim->where), "figure", jvalue_text(claim->figure), "experiment",
        jvalue_text(claim->experiment), "statement", jvalue_text(claim->statement),
        "thesis", jvalue_text(claim->thesis), "unit", jvalue_text(claim->unit),
        "measured", number_or_null(found->value), "detail", jvalue_text(found->detail),
        "measure", jvalue_text(claim->measure ? claim->measure : ""), "reproduced_if",
        range(claim->low, claim->high), "in_part_if",
        range(claim->part_low, claim->part_high), "verdict",
        jvalue_text(verdict_name[judge(campaign, claim, found)]), "tolerance",
        jvalue_text(claim->tolerance), "why", jvalue_text(claim->why), "explained_by",
        explained, "command", command, "source", jvalue_text(source_of(claim)),
        "reason", jvalue_text(reason_of(claim, found)));
}

static bool measure_claim(const Campaign *campaign, const Claim *claim, Measure *found,
                          JmError *error) {
    *found = (Measure){.value = NAN};
    return !claim->measure || measure(campaign, claim->measure, found, error);
}

/* ---- totals ---------------------------------------------------------------------- */

/* Verdicts, counted. */
typedef struct {
    unsigned verdicts[VERDICTS]; /* claims by verdict, checks apart */
    unsigned explained; /* claims in part or not that have an explanation that holds */
    unsigned checks[VERDICTS];
    unsigned beyond[VERDICTS]; /* claims of this project */
    unsigned explanations[EXPLANATION_OUTCOMES];
} Totals;

/* Measures and judges all claims that the campaign covers. */
static bool add_up(const Campaign *campaign, Totals *totals, JmError *error) {
    *totals = (Totals){.explained = 0};
    for (unsigned i = 0; i < CLAIMS; i++) {
        Measure found;
        if (!is_wanted(campaign, &claims[i]))
            continue;
        if (!measure_claim(campaign, &claims[i], &found, error))
            return false;
        const Verdict verdict = judge(campaign, &claims[i], &found);
        const bool beyond = is_beyond(&claims[i]);
        (claims[i].check ? totals->checks
         : beyond        ? totals->beyond
                         : totals->verdicts)[verdict]++;
        if (!claims[i].check && !beyond && is_doubtful(verdict) &&
            explanations_hold(campaign, claims[i].id))
            totals->explained++;
    }
    return explanations_count(campaign, totals->explanations, error);
}

static json_t *describe_verdicts(const unsigned verdicts[VERDICTS]) {
    json_t *object = json_object();
    for (unsigned i = 0; i < VERDICTS; i++)
        json_object_set_new(object, verdict_name[i], json_integer(verdicts[i]));
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

/* ---- output ---------------------------------------------------------------------- */

static bool is_claim(const char *id, size_t length) {
    for (unsigned i = 0; i < CLAIMS; i++)
        if (strncmp(claims[i].id, id, length) == 0 && !claims[i].id[length])
            return true;
    return false;
}

/* Checks that explanations.def names only claims that exist: a misspelt id would
 * silently leave a claim unexplained. */
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
    json_t *root =
        json_pack("{s:o, s:o, s:o, s:o}", "version", jvalue_text(version_text), "mode",
                  jvalue_text(campaign->variation.full ? "full" : "quick"), "totals",
                  describe_totals(&totals), "claims", list);
    JmOutFile file;
    bool good = fields_open(&file, folder, "claims", ".json", error);
    if (good) {
        json_dumpf(root, file.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
        fputc('\n', file.stream);
        good = jm_outfile_commit(&file, error);
    }
    json_decref(root);
    return good;
}

enum { SHOWN_SIZE = 32 };

/* Prints a figure, or "-" if there is none. */
static const char *show(double value, char text[SHOWN_SIZE]) {
    if (isnan(value))
        return "-";
    snprintf(text, SHOWN_SIZE, "%.5g", value);
    return text;
}

/* Prints the explanation of a verdict other than "reproduced". */
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

/* Prints the checks, or the claims that are not checks. */
static void print_claims(const Campaign *campaign, bool checks) {
    for (unsigned i = 0; i < CLAIMS; i++) {
        Measure found;
        JmError error;
        if (claims[i].check != checks || !is_wanted(campaign, &claims[i]) ||
            !measure_claim(campaign, &claims[i], &found, &error))
            continue;
        const Verdict verdict = judge(campaign, &claims[i], &found);
        char text[SHOWN_SIZE];
        printf("%-8s %-12s %-10s %s %s %s: %s\n", claims[i].id, verdict_name[verdict],
               show(found.value, text), source_of(&claims[i]), claims[i].thesis,
               claims[i].unit, claims[i].statement);
        if (verdict == NOT_MEASURED || found.swept)
            printf("         because %s\n", reason_of(&claims[i], &found));
        if (is_doubtful(verdict))
            print_explanations(campaign, claims[i].id);
    }
}

static unsigned sum(const unsigned *counts, unsigned size) {
    unsigned all = 0;
    for (unsigned i = 0; i < size; i++)
        all += counts[i];
    return all;
}

static void print_verdicts(const char *what, const unsigned counts[VERDICTS]) {
    printf("%u %s: %u reproduced, %u in part, %u not, %u not measured",
           sum(counts, VERDICTS), what, counts[REPRODUCED], counts[IN_PART],
           counts[NOT_REPRODUCED], counts[NOT_MEASURED]);
    if (counts[NOT_JUDGED])
        printf(", %u not judged", counts[NOT_JUDGED]);
    putchar('\n');
}

static void print_totals(const Campaign *campaign, const Totals *t) {
    print_verdicts("claims", t->verdicts);
    print_verdicts(
        "checks of consistency, which repeat a claim, a default or arithmetic",
        t->checks);
    if (sum(t->beyond, VERDICTS))
        print_verdicts("bars for a better cure, no claims of the thesis", t->beyond);
    printf(
        "%u of the %u claims in part and not are explained by an experiment; of %u "
        "explanations, no claims of the thesis, %u hold, %u do not, %u were not run\n",
        t->explained, t->verdicts[IN_PART] + t->verdicts[NOT_REPRODUCED],
        sum(t->explanations, EXPLANATION_OUTCOMES), t->explanations[EXPLANATION_HOLDS],
        t->explanations[EXPLANATION_FAILS], t->explanations[EXPLANATION_NOT_RUN]);
    if (campaign->variation.set_count)
        puts("settings were changed with --set, so nothing is a verdict on the thesis");
}

void claims_print(const Campaign *campaign, const char *folder) {
    print_claims(campaign, false);
    puts("Checks of consistency:");
    print_claims(campaign, true);
    Totals totals;
    JmError error;
    if (!add_up(campaign, &totals, &error))
        return;
    print_totals(campaign, &totals);
    printf("see %s/claims.json\n", JM_SHOWN(folder));
}
