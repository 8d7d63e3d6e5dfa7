/* Turns claims and verdicts of claims.json into the values that the page shows. */
#include "tools/report/verdicts.h"

#include <math.h>
#include <string.h>

#include "tools/exp/measure/verdicts.h"
#include "tools/host/values.h"
#include "tools/report/files/folder.h"

enum { COUNT_MAX = 1000000000 };

/* Anything unknown counts as not measured, never as reproduced. */
static Verdict verdict_of(const json_t *claim) {
    const char *name = folder_member(claim, "verdict");
    for (unsigned i = 0; i < VERDICTS; i++)
        if (strcmp(name, verdicts[i].name) == 0)
            return (Verdict)i;
    return VERDICT_NOT_MEASURED;
}

static json_t *describe(Verdict verdict) {
    return json_pack(
        "{s:o, s:o, s:o, s:b}", "text", jvalue_text(verdicts[verdict].text), "class",
        jvalue_text(verdicts[verdict].class), "sign",
        jvalue_text(verdicts[verdict].sign), "doubtful", verdicts[verdict].doubtful);
}

/* What is counted apart. */
typedef enum { CLAIM = 1, BAR = 2, CHECK = 4 } Kind;

static Kind kind_of(const json_t *claim) {
    if (json_is_true(json_object_get(claim, "check")))
        return CHECK;
    return strcmp(folder_member(claim, "source"), "bar") == 0 ? BAR : CLAIM;
}

/* Describes a claim; a check has no verdict's colour. */
static json_t *describe_claim(const json_t *claim) {
    const Verdict verdict = verdict_of(claim);
    json_t *result = describe(verdict);
    if (kind_of(claim) == CHECK) {
        json_object_set_new(result, "class", jvalue_text("check"));
        json_object_set_new(result, "text", jvalue_text(verdicts[verdict].check));
    }
    return result;
}

/* ---- claims ---------------------------------------------------------------------- */

/* Returns the range [low, high] in words; null is an open end. */
static json_t *range_text(const json_t *range) {
    const json_t *low = json_array_get(range, 0), *high = json_array_get(range, 1);
    if (json_is_number(low) && json_is_number(high) && json_equal(low, high))
        return jvalue_textf("%.6g", json_number_value(low));
    if (json_is_number(low) && json_is_number(high))
        return jvalue_textf("%.6g to %.6g", json_number_value(low),
                            json_number_value(high));
    if (json_is_number(low))
        return jvalue_textf("%.6g or more", json_number_value(low));
    if (json_is_number(high))
        return jvalue_textf("%.6g or less", json_number_value(high));
    return jvalue_text("anything");
}

/* Whether `word` is in a list such as "4-11, 4-12". */
static bool lists(const char *list, const char *word) {
    const size_t length = strlen(word);
    if (!length)
        return false;
    for (const char *at = strstr(list, word); at; at = strstr(at + 1, word))
        if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ','))
            return true;
    return false;
}

/* Whether a claim belongs to an experiment: by the figures it names, else by the
 * experiment that measures it. */
static bool belongs(const json_t *claim, const json_t *experiment) {
    const char *figures = folder_member(claim, "figure");
    if (strcmp(folder_member(experiment, "kind"), "view") == 0)
        return false;
    const bool measured_here = strcmp(folder_member(claim, "experiment"),
                                      folder_member(experiment, "name")) == 0;
    if (*folder_member(experiment, "file"))
        return measured_here;
    if (lists(figures, folder_member(experiment, "figure")))
        return true;
    return measured_here && (!figures[0] || !folder_member(experiment, "figure")[0]);
}

/* Returns the link to the place where a claim is shown: the first experiment that it
 * belongs to. */
static json_t *link_of(const json_t *claim, const json_t *experiments) {
    size_t i;
    json_t *experiment;
    json_array_foreach (experiments, i, experiment)
        if (belongs(claim, experiment))
            return json_pack("{s:O, s:O, s:O}", "to",
                             json_object_get(experiment, "name"), "figure",
                             json_object_get(experiment, "figure"), "title",
                             json_object_get(experiment, "title"));
    return json_null();
}

/* Returns the unit of a claim's figure; shares, ratios and claims in words have none.
 */
static json_t *unit_of(const json_t *claim) {
    const char *unit = folder_member(claim, "unit"),
               *thesis = folder_member(claim, "thesis");
    const bool bare = !*unit || strcmp(unit, "ratio") == 0 ||
                      strcmp(unit, "share") == 0 ||
                      !thesis[strcspn(thesis, "0123456789")];
    return bare ? jvalue_text("") : jvalue_textf(" %s", unit);
}

static json_t *value_of(const json_t *object) {
    const json_t *measured = json_object_get(object, "measured");
    return json_is_number(measured) ? jvalue_textf("%.4g", json_number_value(measured))
                                    : jvalue_text("\u2013");
}

/* Adds class and sign to the explanations of a claim, as for verdicts. */
static void prepare_explanations(json_t *explanations) {
    size_t i;
    json_t *explanation;
    json_array_foreach (explanations, i, explanation) {
        const char *outcome = folder_member(explanation, "outcome"),
                   *unit = folder_member(explanation, "unit");
        const bool holds = strcmp(outcome, "holds") == 0;
        const bool run = strcmp(outcome, "not run") != 0;
        const Verdict like = verdict_judge(run, false, holds);
        json_object_set_new(explanation, "shown", value_of(explanation));
        json_object_set_new(explanation, "shown_unit",
                            jvalue_textf("%s%s", *unit ? " " : "", unit));
        json_object_set_new(explanation, "class", jvalue_text(verdicts[like].class));
        json_object_set_new(explanation, "sign", jvalue_text(verdicts[like].sign));
        json_object_set_new(explanation, "run", json_boolean(run));
        json_object_set_new(explanation, "good",
                            range_text(json_object_get(explanation, "holds_if")));
    }
}

/* Returns the source of a claim: a paper, the project's bar, the thesis, or what the
 * user expects. */
static const char *said_in(const json_t *claim) {
    const char *source = folder_member(claim, "source");
    return strcmp(source, "bar") == 0     ? "bar"
           : strcmp(source, "paper") == 0 ? "paper"
           : strcmp(source, "own") == 0   ? "expected"
                                          : "thesis";
}

void verdicts_prepare(json_t *claims, const json_t *experiments) {
    size_t i;
    json_t *claim;
    json_array_foreach (claims, i, claim) {
        prepare_explanations(json_object_get(claim, "explained_by"));
        json_object_set_new(claim, "judged", describe_claim(claim));
        json_object_set_new(claim, "shown_unit", unit_of(claim));
        json_object_set_new(claim, "link", link_of(claim, experiments));
        json_object_set_new(claim, "good",
                            range_text(json_object_get(claim, "reproduced_if")));
        json_object_set_new(claim, "fair",
                            range_text(json_object_get(claim, "in_part_if")));
        json_object_set_new(claim, "value", value_of(claim));
        json_object_set_new(claim, "said_in", jvalue_text(said_in(claim)));
    }
}

json_t *verdicts_of_figure(const json_t *claims, const json_t *experiment) {
    json_t *list = json_array();
    size_t i;
    json_t *claim;
    json_array_foreach (claims, i, claim)
        if (belongs(claim, experiment))
            json_array_append(list, claim);
    return list;
}

static bool is_explained_by(const json_t *claim, const char *experiment) {
    const json_t *list = json_object_get(claim, "explained_by");
    bool found = false;
    for (size_t i = 0; i < json_array_size(list); i++)
        found |= strcmp(folder_member(json_array_get(list, i), "experiment"),
                        experiment) == 0;
    return found && verdicts[verdict_of(claim)].doubtful;
}

json_t *verdicts_explained_by(const json_t *claims, const char *experiment) {
    json_t *text = jvalue_text("");
    for (size_t i = 0; i < json_array_size(claims); i++) {
        const json_t *claim = json_array_get(claims, i);
        if (!is_explained_by(claim, experiment))
            continue;
        const char *before = json_string_value(text);
        json_t *longer = jvalue_textf("%s%s%s", before, *before ? ", " : "",
                                      folder_member(claim, "id"));
        json_decref(text);
        text = longer;
    }
    return text;
}

/* Counts those of some kinds by verdict. Returns how many there are. */
static unsigned count(const json_t *claims, unsigned kinds, unsigned counts[VERDICTS]) {
    unsigned all = 0;
    memset(counts, 0, VERDICTS * sizeof *counts);
    for (size_t i = 0; i < json_array_size(claims); i++) {
        const json_t *claim = json_array_get(claims, i);
        if (!(kind_of(claim) & kinds))
            continue;
        counts[verdict_of(claim)]++;
        all++;
    }
    return all;
}

/* Returns the verdict for a list of claims. Reproduced and not are only given if all of
 * them were measured. */
static Verdict sum_up(const unsigned counts[VERDICTS], unsigned measured,
                      unsigned open) {
    if (counts[VERDICT_REPRODUCED] == measured)
        return open ? VERDICT_NOT_MEASURED : VERDICT_REPRODUCED;
    return counts[VERDICT_NOT_REPRODUCED] == measured && !open ? VERDICT_NOT_REPRODUCED
                                                               : VERDICT_IN_PART;
}

json_t *verdicts_sum(const json_t *claims) {
    unsigned counts[VERDICTS];
    const unsigned all = count(claims, CLAIM | BAR, counts);
    const unsigned open = counts[VERDICT_NOT_MEASURED] + counts[VERDICT_NOT_JUDGED];
    const unsigned measured = all - open;
    if (!measured)
        return json_null();
    json_t *result = describe(sum_up(counts, measured, open));
    if (open && counts[VERDICT_REPRODUCED] == measured)
        json_object_set_new(result, "text", jvalue_text("not all measured"));
    json_object_set_new(result, "reproduced", json_integer(counts[VERDICT_REPRODUCED]));
    json_object_set_new(result, "measured", json_integer(measured));
    json_object_set_new(result, "unmeasured", open ? json_integer(open) : json_null());
    return result;
}

json_t *verdicts_count(const json_t *claims) {
    unsigned counts[VERDICTS];
    json_t *list = json_array();
    count(claims, CLAIM, counts);
    for (unsigned i = 0; i < VERDICTS; i++) {
        if (i == VERDICT_NOT_JUDGED && !counts[i])
            continue;
        json_t *item = describe((Verdict)i);
        json_object_set_new(item, "count", json_integer(counts[i]));
        json_array_append_new(list, item);
    }
    return list;
}

json_t *verdicts_checks(const json_t *claims) {
    unsigned counts[VERDICTS];
    const unsigned all = count(claims, CHECK, counts);
    return all ? json_pack("{s:i, s:i}", "all", all, "consistent",
                           counts[VERDICT_REPRODUCED])
               : json_null();
}

json_t *verdicts_bars(const json_t *claims) {
    unsigned counts[VERDICTS];
    const unsigned all = count(claims, BAR, counts);
    return all ? json_pack("{s:i, s:i}", "all", all, "cleared",
                           counts[VERDICT_REPRODUCED])
               : json_null();
}

/* Appends the claims of some kinds with a verdict to a list. */
static void append(json_t *sorted, const json_t *claims, unsigned kinds,
                   Verdict verdict) {
    for (size_t i = 0; i < json_array_size(claims); i++) {
        json_t *claim = json_array_get(claims, i);
        if ((kind_of(claim) & kinds) && verdict_of(claim) == verdict)
            json_array_append(sorted, claim);
    }
}

void verdicts_sort(json_t *claims) {
    static const Verdict order[] = {VERDICT_NOT_REPRODUCED, VERDICT_IN_PART,
                                    VERDICT_NOT_MEASURED, VERDICT_NOT_JUDGED,
                                    VERDICT_REPRODUCED};
    _Static_assert(sizeof order / sizeof order[0] == VERDICTS, "all verdicts");
    json_t *sorted = json_array();
    for (unsigned i = 0; i < VERDICTS; i++)
        append(sorted, claims, CLAIM | BAR, order[i]);
    for (unsigned i = 0; i < VERDICTS; i++)
        append(sorted, claims, CHECK, order[i]);
    json_array_clear(claims);
    json_array_extend(claims, sorted);
    json_decref(sorted);
}

/* Returns a count from the file; 0 if it is missing, negative or too large. */
static json_int_t number_of(const json_t *object, const char *key) {
    const json_int_t count = json_integer_value(json_object_get(object, key));
    return count > 0 && count <= COUNT_MAX ? count : 0;
}

json_t *verdicts_totals(const json_t *totals) {
    const json_t *of = json_object_get(totals, "explanations");
    const json_int_t hold = number_of(of, "hold"), missing = number_of(of, "not run");
    const json_int_t doubtful =
        number_of(totals, verdicts[VERDICT_IN_PART].name) +
        number_of(totals, verdicts[VERDICT_NOT_REPRODUCED].name);
    if (!doubtful)
        return json_null();
    return json_pack("{s:I, s:I, s:I, s:I, s:o}", "explained",
                     number_of(totals, "explained"), "doubtful", doubtful, "hold", hold,
                     "all", hold + missing + number_of(of, "do not hold"), "unrun",
                     missing ? json_integer(missing) : json_null());
}

/* ---- calibration ----------------------------------------------------------------- */

static const char *field(const Csv *csv, size_t row, const char *column) {
    return csv_text(csv, row, csv_column(csv, column));
}

static bool is_test(const Csv *csv, size_t row) {
    return strcmp(field(csv, row, "role"), "tests") == 0;
}

/* Returns a heading of the table; every choice has a row for each effect. */
static json_t *effect_of(const Csv *csv, size_t row) {
    const char *low = field(csv, row, "low"), *high = field(csv, row, "high");
    json_t *range = strcmp(low, high) == 0 ? jvalue_text(low)
                    : *high                ? jvalue_textf("%s to %s", low, high)
                                           : jvalue_textf("%s or more", low);
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "name",
                     jvalue_text(field(csv, row, "effect")), "claim",
                     jvalue_text(field(csv, row, "claim")), "text",
                     jvalue_text(field(csv, row, "effect_text")), "role",
                     jvalue_text(field(csv, row, "role")), "range", range);
}

static bool has_verdict(const Csv *csv, size_t row, Verdict verdict) {
    return strcmp(field(csv, row, "verdict"), verdicts[verdict].effect) == 0;
}

/* Whether there is a value. A value that does not exist, as the time of an overflow
 * that did not happen, lies neither within nor outside a range. */
static bool is_measured(const Csv *csv, size_t row) {
    return *field(csv, row, "measured");
}

/* Whether a value was compared with its range: with --set none is. */
static bool is_judged(const Csv *csv, size_t row) {
    return is_measured(csv, row) && !has_verdict(csv, row, VERDICT_NOT_JUDGED);
}

static json_t *calibration_cell(const Csv *csv, size_t row) {
    const double value = csv_number(csv, row, csv_column(csv, "measured"));
    const double usual = csv_number(csv, row, csv_column(csv, "default_measured"));
    const Verdict like = verdict_judge(true, !is_judged(csv, row),
                                       has_verdict(csv, row, VERDICT_REPRODUCED));
    if (!is_measured(csv, row))
        return json_pack("{s:o, s:o, s:o, s:o}", "text", jvalue_text("none"), "class",
                         jvalue_text("open"), "sign", jvalue_text(""), "where",
                         jvalue_text(""));
    return json_pack("{s:o, s:o, s:o, s:b, s:o}", "text", jvalue_textf("%.4g", value),
                     "class", jvalue_text(verdicts[like].class), "sign",
                     jvalue_text(verdicts[like].sign), "moved",
                     fabs(value - usual) > 0.05 * fabs(usual), "where",
                     jvalue_text(field(csv, row, "verdict")));
}

/* Returns "1 of 2": how many of a choice's effects of one role lie in their range. */
static json_t *score(const Csv *csv, size_t first, size_t count, bool tests) {
    unsigned within = 0, all = 0;
    for (size_t i = first; i < first + count; i++)
        if (is_test(csv, i) == tests && is_judged(csv, i)) {
            within += has_verdict(csv, i, VERDICT_REPRODUCED);
            all++;
        }
    return json_pack("{s:o, s:b}", "text", jvalue_textf("%u of %u", within, all), "all",
                     all > 0 && within == all);
}

/* Returns the number of rows from `first` on that are about the same choice. */
static size_t rows_of_choice(const Csv *csv, size_t first) {
    size_t count = 1;
    while (first + count < csv->rows && strcmp(field(csv, first + count, "choice"),
                                               field(csv, first, "choice")) == 0)
        count++;
    return count;
}

static json_t *calibration_choice(const Csv *csv, size_t first, size_t count) {
    json_t *cells = json_array();
    for (size_t i = first; i < first + count; i++)
        json_array_append_new(cells, calibration_cell(csv, i));
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "name",
                     jvalue_text(field(csv, first, "choice")), "text",
                     jvalue_text(field(csv, first, "choice_text")), "calibrates",
                     score(csv, first, count, false), "tests",
                     score(csv, first, count, true), "cells", cells);
}

/* Returns the rows by choice; every choice has all effects in one order. `found`: the
 * choices within the range of every effect that calibrates. */
static json_t *calibration_rows(const Csv *csv) {
    json_t *effects = json_array(), *choices = json_array(), *found = json_array();
    size_t count;
    for (size_t i = 0; i < csv->rows; i += count) {
        count = rows_of_choice(csv, i);
        json_t *choice = calibration_choice(csv, i, count);
        if (json_is_true(json_object_get(json_object_get(choice, "calibrates"), "all")))
            json_array_append(found, choice);
        json_array_append_new(choices, choice);
    }
    count = csv->rows ? rows_of_choice(csv, 0) : 0;
    for (size_t i = 0; i < count; i++)
        json_array_append_new(effects, effect_of(csv, i));
    return json_pack("{s:o, s:o, s:o, s:O?}", "effects", effects, "choices", choices,
                     "found", found, "standard", json_array_get(choices, 0));
}

json_t *verdicts_calibration(const char *folder, const json_t *experiments,
                             JmError *error) {
    const json_t *experiment = folder_named(experiments, "calibration");
    if (!experiment)
        return json_object();
    Csv csv;
    json_t *result = NULL;
    if (folder_csv(&csv, folder, "calibration-effects", ".csv", error)) {
        result = calibration_rows(&csv);
        json_object_set(result, "command", json_object_get(experiment, "command"));
        json_object_set(result, "scale", json_object_get(experiment, "scale"));
        json_object_set(result, "remark", json_object_get(experiment, "remark"));
    }
    csv_free(&csv);
    return result;
}
