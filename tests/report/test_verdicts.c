/* Claims as the page shows them: headings, counts, checks of consistency. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/verdicts.h"

/* Claims by letters: r reproduced, p in part, n not, m not measured, j not judged, x a
 * verdict that there is none of; in capitals, a check. */
static json_t *claims_of(const char *letters) {
    static const char *const names[] = {
        ['r'] = "reproduced",   ['p'] = "in part",    ['n'] = "not",
        ['m'] = "not measured", ['j'] = "not judged", ['x'] = "splendid"};
    json_t *list = json_array();
    for (; *letters; letters++) {
        const bool check = *letters < 'a';
        json_array_append_new(list, json_pack("{s:s, s:b, s:s}", "verdict",
                                              names[*letters | 0x20], "check", check,
                                              "id", letters));
    }
    return list;
}

static void expect_sum(const char *letters, const char *class, int reproduced,
                       int measured) {
    json_t *claims = claims_of(letters), *sum = verdicts_sum(claims);
    const char *got = json_string_value(json_object_get(sum, "class"));
    cr_expect(class ? got && strcmp(got, class) == 0 : json_is_null(sum), "%s: %s",
              letters, got ? got : "none");
    cr_expect_eq(json_integer_value(json_object_get(sum, "reproduced")), reproduced);
    cr_expect_eq(json_integer_value(json_object_get(sum, "measured")), measured);
    json_decref(claims);
    json_decref(sum);
}

Test(verdicts, heading) {
    expect_sum("", NULL, 0, 0);
    expect_sum("m", NULL, 0, 0);
    expect_sum("jj", NULL, 0, 0);
    expect_sum("r", "yes", 1, 1);
    expect_sum("rr", "yes", 2, 2);
    expect_sum("n", "no", 0, 1);
    expect_sum("p", "part", 0, 1);
    expect_sum("rn", "part", 1, 2);
    expect_sum("rp", "part", 1, 2);
    /* Neither green nor red over what was not measured. */
    expect_sum("rm", "open", 1, 1);
    expect_sum("rj", "open", 1, 1);
    expect_sum("rx", "open", 1, 1);
    expect_sum("nm", "part", 0, 1);
    /* Checks give no heading, whatever they are. */
    expect_sum("R", NULL, 0, 0);
    expect_sum("nR", "no", 0, 1);
    expect_sum("rN", "yes", 1, 1);
}

static json_int_t count_of(const json_t *counts, const char *class) {
    json_int_t sum = 0;
    for (size_t i = 0; i < json_array_size(counts); i++) {
        const json_t *item = json_array_get(counts, i);
        if (strcmp(json_string_value(json_object_get(item, "class")), class) == 0)
            sum += json_integer_value(json_object_get(item, "count"));
    }
    return sum;
}

Test(verdicts, counts) {
    json_t *claims = claims_of("rrpnmmmRRRPN"), *counts = verdicts_count(claims);
    cr_expect_eq(count_of(counts, "yes"), 2);
    cr_expect_eq(count_of(counts, "part"), 1);
    cr_expect_eq(count_of(counts, "no"), 1);
    cr_expect_eq(count_of(counts, "open"), 3);
    cr_expect_eq(json_array_size(counts), 4);
    json_t *checks = verdicts_checks(claims);
    cr_expect_eq(json_integer_value(json_object_get(checks, "all")), 5);
    cr_expect_eq(json_integer_value(json_object_get(checks, "consistent")), 3);
    json_decref(counts);
    json_decref(checks);
    json_decref(claims);
    claims = claims_of("jr");
    counts = verdicts_count(claims);
    cr_expect_eq(count_of(counts, "unjudged"), 1);
    checks = verdicts_checks(claims);
    cr_expect(json_is_null(checks));
    json_decref(checks);
    json_decref(counts);
    json_decref(claims);
}

/* The project's own bars are counted apart. */
Test(verdicts, bars) {
    json_t *claims = claims_of("rrpnR");
    json_t *bars = verdicts_bars(claims);
    cr_expect(json_is_null(bars));
    json_decref(bars);
    for (size_t i = 1; i < 3; i++)
        json_object_set_new(json_array_get(claims, i), "source", json_string("bar"));
    json_t *counts = verdicts_count(claims);
    cr_expect_eq(count_of(counts, "yes"), 1);
    cr_expect_eq(count_of(counts, "part"), 0);
    cr_expect_eq(count_of(counts, "no"), 1);
    bars = verdicts_bars(claims);
    cr_expect_eq(json_integer_value(json_object_get(bars, "all")), 2);
    cr_expect_eq(json_integer_value(json_object_get(bars, "cleared")), 1);
    json_decref(bars);
    json_decref(counts);
    json_decref(claims);
}

Test(verdicts, order) {
    json_t *claims = claims_of("RprNjmn");
    verdicts_sort(claims);
    char ids[8] = "";
    for (size_t i = 0; i < json_array_size(claims); i++)
        ids[i] = *json_string_value(json_object_get(json_array_get(claims, i), "id"));
    cr_expect_str_eq(ids, "npmjrNR");
    json_decref(claims);
}

/* A claim as claims.json has it, as the page's table shows it. */
static json_t *prepared(const char *claim, const char *experiments) {
    json_t *claims = json_pack("[o]", json_loads(claim, 0, NULL));
    json_t *list = json_loads(experiments, 0, NULL);
    verdicts_prepare(claims, list);
    json_decref(list);
    return claims;
}

static const char *shown(const json_t *claims, const char *object, const char *key) {
    const json_t *claim = json_array_get(claims, 0);
    const char *text = json_string_value(
        json_object_get(object ? json_object_get(claim, object) : claim, key));
    return text ? text : "";
}

Test(verdicts, prepared) {
    json_t *claims = prepared(
        "{\"verdict\": \"in part\", \"measured\": 46.125, \"thesis\": \"38\", "
        "\"unit\": \"ms\","
        " \"figure\": \"4-6, 4-11\", \"experiment\": \"x\", \"reproduced_if\": [32, "
        "43.5],"
        " \"in_part_if\": [null, 53], \"explained_by\": [{\"outcome\": \"holds\","
        " \"experiment\": \"y\", \"measured\": 37.5, \"unit\": \"ms\", \"holds_if\": "
        "[1, 1]},"
        " {\"outcome\": \"not run\", \"experiment\": \"z\", \"unit\": \"\"}]}",
        "[{\"name\": \"fig4-1\", \"figure\": \"4-1\", \"title\": \"A\"},"
        " {\"name\": \"fig4-11\", \"figure\": \"4-11\", \"title\": \"B\"}]");
    cr_expect_str_eq(shown(claims, "judged", "class"), "part");
    cr_expect_str_eq(shown(claims, NULL, "value"), "46.12");
    cr_expect_str_eq(shown(claims, NULL, "shown_unit"), " ms");
    cr_expect_str_eq(shown(claims, NULL, "good"), "32 to 43.5");
    cr_expect_str_eq(shown(claims, NULL, "fair"), "53 or less");
    cr_expect_str_eq(shown(claims, "link", "to"), "fig4-11"); /* 4-1 is another */
    const json_t *by = json_object_get(json_array_get(claims, 0), "explained_by");
    const json_t *first = json_array_get(by, 0), *second = json_array_get(by, 1);
    cr_expect_str_eq(json_string_value(json_object_get(first, "class")), "yes");
    cr_expect_str_eq(json_string_value(json_object_get(first, "shown")), "37.5");
    cr_expect_str_eq(json_string_value(json_object_get(first, "good")), "1");
    cr_expect_str_eq(json_string_value(json_object_get(second, "class")), "open");
    cr_expect_str_eq(json_string_value(json_object_get(second, "shown")), "\u2013");
    cr_expect(json_is_false(json_object_get(second, "run")));
    json_t *text = verdicts_explained_by(claims, "y");
    cr_expect_str_eq(json_string_value(text), "");
    json_decref(text);
    json_object_set_new(json_array_get(claims, 0), "id", json_string("TC-1"));
    text = verdicts_explained_by(claims, "y");
    cr_expect_str_eq(json_string_value(text), "TC-1");
    json_decref(text);
    text = verdicts_explained_by(claims, "yy");
    cr_expect_str_eq(json_string_value(text), "");
    json_decref(text);
    json_decref(claims);
}

Test(verdicts, units) {
    json_t *claims =
        prepared("{\"thesis\": \"steep\", \"unit\": \"ms\", \"check\": true,"
                 " \"verdict\": \"reproduced\", \"reproduced_if\": [2, null]}",
                 "[]");
    cr_expect_str_eq(shown(claims, NULL, "shown_unit"), "");
    cr_expect_str_eq(shown(claims, NULL, "good"), "2 or more");
    cr_expect_str_eq(shown(claims, NULL, "value"), "\u2013");
    cr_expect_str_eq(shown(claims, "judged", "class"), "check");
    cr_expect_str_eq(shown(claims, "judged", "text"), "consistent");
    json_decref(claims);
    claims = prepared("{\"thesis\": \"1\", \"unit\": \"ratio\"}", "[]");
    cr_expect_str_eq(shown(claims, NULL, "shown_unit"), "");
    json_decref(claims);
}

Test(verdicts, totals) {
    json_t *totals =
        json_loads("{\"in part\": 3, \"not\": 4, \"explained\": 5, \"explanations\":"
                   " {\"hold\": 6, \"do not hold\": 7, \"not run\": 8}}",
                   0, NULL);
    json_t *shown = verdicts_totals(totals);
    static const struct {
        const char *key;
        int wanted;
    } rows[] = {
        {"doubtful", 7}, {"explained", 5}, {"hold", 6}, {"all", 21}, {"unrun", 8}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        cr_expect_eq(json_integer_value(json_object_get(shown, rows[i].key)),
                     rows[i].wanted, "%s", rows[i].key);
    json_decref(shown);
    json_object_set_new(totals, "in part", json_integer(INT64_MAX));
    json_object_set_new(totals, "not", json_integer(INT64_MIN));
    shown = verdicts_totals(totals);
    cr_expect(json_is_null(shown), "counts that nothing can be counted to");
    json_decref(shown);
    json_decref(totals);
}

/* ---- calibration ----------------------------------------------------------------- */

static const char effects[] =
    "choice,choice_text,effect,effect_text,claim,role,measured,default_measured,low,"
    "high,verdict\n"
    "default,as built,limit,a,A,calibrates,30,30,1,50,within\n"
    "default,as built,queue,b,B,calibrates,60,60,1,,outside\n"
    "default,as built,first,c,C,tests,,,4,4,outside\n"
    "default,as built,share,d,D,tests,5,5,4,6,within\n"
    "default,as built,changed,e,E,tests,5,5,6,7,not judged\n"
    "other,made up,limit,a,A,calibrates,31.4,30,1,50,within\n"
    "other,made up,queue,b,B,calibrates,,60,1,,outside\n"
    "other,made up,first,c,C,tests,9,,4,4,outside\n"
    "other,made up,share,d,D,tests,7.25,5,4,6,outside\n"
    "other,made up,changed,e,E,tests,7.5,5,6,7,not judged\n";

static json_t *calibration_of(const char *table) {
    char folder[] = "/tmp/verdicts.XXXXXX", command[64];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(command, sizeof command, "%s/calibration-effects.csv", folder);
    FILE *file = fopen(command, "w");
    cr_assert(file && fputs(table, file) >= 0 && fclose(file) == 0);
    json_t *experiments = json_loads("[{\"name\": \"calibration\"}]", 0, NULL);
    JmError error;
    json_t *found = verdicts_calibration(folder, experiments, &error);
    cr_assert(found, "%s", error.text);
    snprintf(command, sizeof command, "rm -r %s", folder);
    cr_expect_eq(system(command), 0);
    json_decref(experiments);
    return found;
}

static void expect_score(const json_t *choice, const char *role, const char *text,
                         bool all) {
    const json_t *score = json_object_get(choice, role);
    cr_expect_str_eq(json_string_value(json_object_get(score, "text")), text);
    cr_expect_eq(json_is_true(json_object_get(score, "all")), all, "%s: %s", role,
                 text);
}

/* A choice's score leaves out effects without a value: what did not happen lies neither
 * within its range nor outside it. */
Test(verdicts, calibration) {
    json_t *found = calibration_of(effects);
    const json_t *choices = json_object_get(found, "choices");
    cr_assert_eq(json_array_size(choices), 2);
    const json_t *standard = json_array_get(choices, 0);
    const json_t *other = json_array_get(choices, 1);
    expect_score(standard, "calibrates", "1 of 2", false);
    expect_score(standard, "tests", "1 of 1", true);
    expect_score(other, "calibrates", "1 of 1", true);
    expect_score(other, "tests", "0 of 2", false);
    cr_expect_eq(json_object_get(found, "standard"), standard);
    cr_expect_eq(json_array_size(json_object_get(found, "found")), 1);
    cr_expect_eq(json_array_get(json_object_get(found, "found"), 0), other);
    static const struct {
        const char *text, *class;
        bool moved; /* by more than 5 % from the default */
    } cells[] = {{"31.4", "yes", false},
                 {"none", "open", false},
                 {"9", "no", true},
                 {"7.25", "no", true},
                 {"7.5", "unjudged", true}};
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        const json_t *cell = json_array_get(json_object_get(other, "cells"), i);
        cr_expect_str_eq(json_string_value(json_object_get(cell, "text")),
                         cells[i].text);
        cr_expect_str_eq(json_string_value(json_object_get(cell, "class")),
                         cells[i].class);
        cr_expect_eq(json_is_true(json_object_get(cell, "moved")), cells[i].moved);
    }
    const json_t *heads = json_object_get(found, "effects");
    static const char *const ranges[] = {"1 to 50", "1 or more", "4", "4 to 6"};
    for (size_t i = 0; i < 4; i++)
        cr_expect_str_eq(
            json_string_value(json_object_get(json_array_get(heads, i), "range")),
            ranges[i]);
    json_decref(found);
}
