/* JSON written value by value equals what Jansson writes for the same values. */
#include "tools/host/json_out.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/values.h"

static uint64_t next(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    const uint64_t mixed = (*state ^ *state >> 33) * 0xff51afd7ed558ccdu;
    return mixed ^ mixed >> 29;
}

/* Numbers of all magnitudes, whole numbers, numbers of few digits, and non-numbers. */
static double any_number(uint64_t *state) {
    const uint64_t bits = next(state);
    double number;
    switch (next(state) % 5) {
    case 0:
        memcpy(&number, &bits, sizeof number);
        return number;
    case 1:
        return (double)(int64_t)bits / 4;
    case 2:
        return (double)(bits % 1000) * pow(10, (double)(next(state) % 40) - 20);
    case 3:
        return (double)(bits % 100);
    default:
        return pow(10, (double)(bits % 600) - 300);
    }
}

static const char *const texts[] = {"",
                                    "a",
                                    "a\"b\\c/",
                                    "\n\t\b\f\r",
                                    "\x01\x1f\x7f",
                                    "\u00e9\u2013",
                                    "\xff",
                                    "a\xc3",
                                    "a\xffz",
                                    "\U0001f600",
                                    "<"};
enum { NUMBERS = 4000, TEXTS = sizeof texts / sizeof texts[0] };

Test(json_out, writes_as_jansson) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    Json json = {.out = out};
    json_t *list = json_array(), *object = json_object();
    uint64_t state = 1;
    jout_open(&json, '[');
    for (int i = 0; i < NUMBERS; i++) {
        const double number = any_number(&state);
        const int64_t whole = (int64_t)next(&state) >> next(&state) % 64;
        jout_real(&json, number);
        jout_integer(&json, whole);
        json_array_append_new(list, jvalue_number(number));
        json_array_append_new(list, json_integer(whole));
    }
    jout_open(&json, '{');
    for (int i = 0; i < TEXTS; i++) {
        json.key = i ? texts[i] : "none";
        jout_text(&json, i ? texts[i] : NULL);
        jvalue_set(object, i ? texts[i] : "none", jvalue_text(i ? texts[i] : NULL));
    }
    jout_close(&json, '}');
    jout_open(&json, '[');
    jout_close(&json, ']');
    jout_close(&json, ']');
    fclose(out);
    json_array_append_new(list, object);
    json_array_append_new(list, json_array());
    char *wanted = json_dumps(list, JSON_COMPACT | JSON_REAL_PRECISION(9));
    cr_expect_str_eq(text, wanted);
    json_decref(list);
    free(wanted);
    free(text);
}

Test(json_out, knows_the_last_number) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    Json json = {.out = out};
    jout_open(&json, '[');
    jout_unsigned(&json, UINT64_MAX);
    cr_expect_eq(json.number, 0x1p64);
    jout_integer(&json, -3);
    cr_expect_eq(json.number, -3);
    jout_null(&json);
    cr_expect(isnan(json.number));
    jout_real(&json, 0.5);
    cr_expect_eq(json.number, 0.5);
    jout_close(&json, ']');
    cr_expect(isnan(json.number));
    fclose(out);
    cr_expect_str_eq(text, "[18446744073709551615,-3,null,0.5]");
    free(text);
}
