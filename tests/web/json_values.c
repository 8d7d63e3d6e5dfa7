/* Writes many values of JSON, by Jansson or by what stands in for it: both programs
 * must write the same. Arguments: SEED COUNT. */
#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t next(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t mixed = *state ^ *state >> 33;
    mixed *= 0xff51afd7ed558ccdu;
    return mixed ^ mixed >> 29;
}

/* Numbers of all magnitudes, whole ones, ones of few digits, and what is none. */
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

/* Texts with every character that is escaped, and bytes that are no UTF-8. */
static const char *any_text(uint64_t *state, char text[16]) {
    static const char *const pieces[] = {
        "a",    "\"",     "\\",     "/",          "\n", "\t", "\x01", "\x1f",
        "\x7f", "\u00e9", "\u2013", "\U0001f600", "<",  "\b", "\f",   "\r"};
    enum { PIECES = sizeof pieces / sizeof pieces[0] };
    text[0] = '\0';
    for (uint64_t left = next(state) % 4; left; left--)
        strncat(text, pieces[next(state) % PIECES], 15 - strlen(text) > 4 ? 4 : 0);
    if (next(state) % 16 == 0)
        strcat(text, next(state) % 2 ? "\xff" : "\xc3");
    return text;
}

static json_t *any_value(uint64_t *state, unsigned depth) {
    char text[24];
    switch (next(state) % (depth ? 8 : 5)) {
    case 0:
        return json_null();
    case 1:
        return json_integer((json_int_t)next(state) >> next(state) % 64);
    case 2:
        return json_string(any_text(state, text));
    case 5:
        return json_pack("{s:o, s:f, s:i}", "o", json_integer(1), "f",
                         (double)(next(state) % 7) / 4, "i", (int)next(state) % 100);
    case 6: {
        json_t *array = json_array();
        for (uint64_t left = next(state) % 5; left; left--)
            json_array_append_new(array, any_value(state, depth - 1));
        return array;
    }
    case 7: {
        json_t *object = json_object();
        for (uint64_t left = next(state) % 5; left; left--)
            json_object_set_new(object, any_text(state, text),
                                any_value(state, depth - 1));
        return object;
    }
    default:
        return json_real(any_number(state));
    }
}

/* Prints what Jansson's functions return for a value. */
static void read_value(const json_t *value) {
    const char *text = json_string_value(value);
    printf("%d %.17g %lld %zu\n", json_is_number(value) != 0, json_number_value(value),
           (long long)json_integer_value(value), text ? strlen(text) : 99);
}

int main(int argc, char **argv) {
    uint64_t state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000;
    for (; count; count--) {
        json_t *value = any_value(&state, 3);
        const unsigned digits = (unsigned)(next(&state) % 18);
        if (json_dumpf(value, stdout,
                       JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(digits)))
            fputs(value ? "not written" : "refused", stdout);
        putchar('\n');
        read_value(value);
        read_value(json_object_get(value, "o"));
        read_value(json_object_get(value, ""));
        json_decref(value);
    }
    return ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
