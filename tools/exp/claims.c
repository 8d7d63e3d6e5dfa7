#include "tools/exp/claims.h"

#include <math.h>
#include <string.h>

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

/* ---- judging -----------------------------------------------------------------------
 */

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

static json_t *describe(const Campaign *campaign, const Claim *claim,
                        const Measure *found) {
    json_t *command = claim->experiment[0]
                          ? metadata_command(campaign, claim->experiment)
                          : json_string("jm run --help");
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:s, s:s, s:o, s:o, s:s, s:s, s:s, "
        "s:o}",
        "id", claim->id, "where", claim->where, "figure", claim->figure, "experiment",
        claim->experiment, "statement", claim->statement, "thesis", claim->thesis,
        "unit", claim->unit, "measured", number_or_null(found->value), "detail",
        found->detail, "measure", claim->measure ? claim->measure : "", "reproduced_if",
        range(claim->low, claim->high), "in_part_if",
        range(claim->part_low, claim->part_high), "verdict",
        verdict_name[judge(claim, found)], "tolerance", claim->tolerance, "why",
        claim->why, "command", command);
}

static bool measure_claim(const Campaign *campaign, const Claim *claim, Measure *found,
                          JmError *error) {
    *found = (Measure){.value = NAN};
    return !claim->measure || measure(campaign, claim->measure, found, error);
}

bool claims_write(const Campaign *campaign, const char *folder, JmError *error) {
    json_t *list = json_array();
    bool good = true;
    for (unsigned i = 0; good && i < CLAIMS; i++) {
        Measure found;
        good = measure_claim(campaign, &claims[i], &found, error);
        if (good && is_wanted(campaign, &claims[i]))
            json_array_append_new(list, describe(campaign, &claims[i], &found));
    }
    json_t *root =
        json_pack("{s:s, s:s, s:o}", "version", JM_VERSION, "mode",
                  campaign->variation.full ? "full" : "quick", "claims", list);
    OutFile file;
    good = good && tables_open(&file, folder, "claims", ".json", error);
    if (good) {
        json_dumpf(root, file.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
        fputc('\n', file.stream);
        good = outfile_commit(&file, error);
    }
    json_decref(root);
    return good;
}

void claims_print(const Campaign *campaign, const char *folder) {
    unsigned count[VERDICTS] = {0};
    for (unsigned i = 0; i < CLAIMS; i++) {
        Measure found;
        JmError error;
        if (!is_wanted(campaign, &claims[i]) ||
            !measure_claim(campaign, &claims[i], &found, &error))
            continue;
        const Verdict verdict = judge(&claims[i], &found);
        count[verdict]++;
        printf("%-8s %-12s %-10.5g thesis %s %s: %s\n", claims[i].id,
               verdict_name[verdict], found.value, claims[i].thesis, claims[i].unit,
               claims[i].statement);
    }
    printf("%u claims reproduced, %u in part, %u not, %u not measured; see "
           "%s/claims.json\n",
           count[REPRODUCED], count[IN_PART], count[NOT_REPRODUCED],
           count[NOT_MEASURED], folder);
}
