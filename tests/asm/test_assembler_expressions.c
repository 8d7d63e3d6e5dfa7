/* Expressions: values, precedence, and expressions without a value. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/asm/assembling.h"

static void check_value(const char *expression, int64_t value) {
    char source[256];
    snprintf(source, sizeof source,
             " .if (%s) != %lld\n .error \"x\"\n .endif\n .word %s", expression,
             (long long)value, expression);
    AsmObject *object = assembled(source);
    cr_assert_eq((int32_t)jm_data(word_of(object, ".text", 0)), (int32_t)value, "%s",
                 expression);
    asm_object_free(object);
}

Test(assembler_expressions, as_in_c) {
    static const struct {
        const char *text;
        int64_t value;
    } rows[] = {
#define ROW(expression) {#expression, (expression)}
        ROW(1 + 2 * 3),
        ROW((1 + 2) * 3),
        ROW(10 - 4 - 3),
        ROW(-7 / 2),
        ROW(-7 % 3),
        ROW(1 << 4 >> 2),
        ROW(~5 & 0xFF),
        ROW(!0 + !7),
        ROW(- -5),
        ROW(5 > 4 ? 10 : 20),
        ROW(0   ? 1
            : 0 ? 2
                : 3),
        ROW('A' + 1),
        ROW('\n'),
        ROW(-8 >> 1),
#undef ROW
        {"1 + 1 << 3", 16}, /* compilers warn of these */
        {"0xF0 | 0x0F & 0x3C ^ 0x11", 0xFD},
        {"6 ^ 3 & 5", 7}, /* & before ^ before |, each the other way round too */
        {"3 & 5 ^ 6", 7},
        {"6 | 3 ^ 2", 7},
        {"2 ^ 3 | 1", 1},
        {"4 | 1 && 0", 0},
        {"2 & 6 == 6", 0}, /* comparisons before & */
        {"1 == 3 > 2", 1},
        {"1 << 2 < 3", 0},
        {"1 || 0 && 0", 1},
        {"2 * 7 % 4", 2},
        {"7 % 4 * 2", 6},
        {"3 < 4 == 1", 1},
        {"4 <= 3 || 3 >= 3 && 2 != 2", 0},
        {"0b1011", 11},
        {"0o17", 15},
        {"0xdead_beef & 0xffff", 0xbeef},
        {"1_000", 1000},
        {"010", 10},
        {"TAG_INST3", 15},
        {"(-1 << 63) >> 62", -2},
        {"(1 << 62) >> 61", 2},
        {"(0 << 63) + 1", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_value(rows[i].text, rows[i].value);
}

Test(assembler_expressions, parts_that_are_not_chosen_may_be_wrong) {
    check_value("1 ? 5 : 1/0", 5);
    check_value("0 && 1/0", 0);
    check_value("1 || 1/0", 1);
    /* What only the linker knows has no number here, and needs none. */
    AsmObject *object = assembled("a: .word 1 ? 5 : a * 2\n .word 0 && a == 1\n"
                                  " .word 1 || -a\n");
    for (uint32_t i = 0; i < 3; i++)
        cr_expect_eq(jm_data(word_of(object, ".text", i)), i == 0 ? 5 : i == 2);
    asm_object_free(object);
}

Test(assembler_expressions, what_has_no_value) {
    static const struct {
        const char *source, *message;
    } rows[] = {
        {" .word 1/0", "t.s:1:9: error: division by zero"},
        {" .word 5 % (2-2)", "t.s:1:10: error: division by zero"},
        {" .word 1 << 64", "t.s:1:10: error: shift by less than 0 or more than 63"},
        {" .word 1 >> -1", "t.s:1:10: error: shift by"},
        {" .word 0x7fffffffffffffff + 1",
         "t.s:1:27: error: the result does not fit 64 bits"},
        {" .word -0x7fffffffffffffff - 2", "t.s:1:28: error: the result does not fit"},
        {" .word 0x4000000000000000 * 2", "t.s:1:27: error: the result does not fit"},
        {" .word 1 << 63 << 1", "t.s:1:10: error: the result does not fit"},
        {" .word 0x8000000000000000", "t.s:1:8: error: number does not fit 64 bits"},
        {" .word (-0x7fffffffffffffff-1)/-1",
         "t.s:1:31: error: the result does not fit"},
        {" .word a*2\na:", "t.s:1:9: error: '*' needs numbers, but 'a' is an address"},
        {" .word -a\na:", "t.s:1:8: error: '-' needs numbers, but 'a' is an address"},
        {" .word a+a\na:", "t.s:1:9: error: '+' needs numbers"},
        {" .word a-c\na: .data\nc:",
         "t.s:1:9: error: 'a' and 'c' are in different sections"},
        {" .word a ? 1 : 2\na:", "t.s:1:10: error: '?' needs numbers"},
        {" .extern e\n .word e == 1", "t.s:2:10: error: '==' needs numbers, but 'e'"},
        {" .word 09x", "t.s:1:8: error: wrong digit in a number"},
        {" .word 0b12", "t.s:1:8: error: wrong digit in a number"},
        {" .word r1", "t.s:1:8: error: 'r1' cannot be part of an expression"},
        {" .word 1 +", "t.s:1:11: error: a value expected before the end of the line"},
        {" .word 1 2", "t.s:1:10: error: end of the statement expected, not '2'"},
        {" .word 1 ? 2", "t.s:1:13: error: ':' of '?' expected"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_message(rows[i].source, rows[i].message);
}

/* No source can exhaust the stack: neither by nesting nor by chains of symbols. */
Test(assembler_expressions, depth_is_bounded) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, " .word ");
    for (int i = 0; i < 5000; i++)
        fputc("(-~!"[i % 4], out);
    fclose(out);
    check_message(text, "error: expression nests more than 200 deep");
    free(text);
    out = open_memstream(&text, &size);
    fprintf(out, " .word x0\n");
    for (int i = 0; i < 20000; i++)
        fprintf(out, "x%d = x%d + 1\n", i, i + 1);
    fprintf(out, "x20000 = 1\n");
    fclose(out);
    check_message(text, "error: symbols are defined by others in too long a chain");
    free(text);
    out = open_memstream(&text, &size);
    fprintf(out, " .word x");
    for (int i = 0; i < 4000; i++)
        fprintf(out, "+x");
    fprintf(out, "\nx = 1\n");
    fclose(out);
    check_message(text, "error: expression is too long");
    free(text);
}
