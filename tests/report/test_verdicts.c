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
    /* Neither green nor red for claims that were not measured. */
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
    cr_expect(json_is_null(verdicts_bars(claims)));
    json_decref(counts);
    json_decref(checks);
    size_t i;
    json_t *claim;
    json_array_foreach (claims, i, claim)
        json_object_set_new(claim, "source", json_string("bar"));
    json_t *bars = verdicts_bars(claims);
    cr_expect_eq(json_integer_value(json_object_get(bars, "all")), 7);
    cr_expect_eq(json_integer_value(json_object_get(bars, "cleared")), 2);
    counts = verdicts_count(claims);
    cr_expect_eq(count_of(counts, "yes"), 0);
    json_decref(bars);
    json_decref(counts);
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
