/* Comparisons, and changes after travels. Conditions that can never have a value are in
 * tests/recorded/debug-values.cases. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"

static const char counts[] = "        .rom\n"
                             "        .org    0x1000\n"
                             "boot:   add     r1,1,r1\n"
                             "        br      ^boot\n"
                             "        .data\n"
                             "        .org    0x200\n"
                             "        .word   INT:0x2A, 0, 0, 0\n";

/* C's comparison of an int with a constant: one from 0x80000000 on is unsigned
 * there. */
static bool compared(int32_t word, const char *op, int64_t constant) {
    const bool bits = constant > INT32_MAX;
    const int64_t a = bits ? (int64_t)(uint32_t)word : word, b = constant;
    return strcmp(op, "==") == 0   ? a == b
           : strcmp(op, "!=") == 0 ? a != b
           : strcmp(op, "<") == 0  ? a < b
           : strcmp(op, "<=") == 0 ? a <= b
           : strcmp(op, ">") == 0  ? a > b
                                   : a >= b;
}

/* A word, and expressions of it, with constants and with a variable. */
Test(expressions, comparisons_are_those_of_c) {
    static const int32_t words[] = {0, 5, -1, -2, INT32_MAX, INT32_MIN, -559038737};
    static const int64_t constants[] = {0,          5,          -1,         INT32_MAX,
                                        0x80000000, 0xDEADBEEF, 0xFFFFFFFF, INT32_MIN};
    static const char *const ops[] = {"==", "!=", "<", "<=", ">", ">="};
    static const char *const forms[] = {"%s [0x200] %s %s", "%s [0x200] + 0 %s %s",
                                        "%s [0x200] %s $k"};
    Session *s = session_open(4, 2, 1, counts);
    for (unsigned i = 0; i < 7 * 8 * 6 * 3; i++) {
        char constant[32], line[128];
        const int32_t word = words[i % 7];
        const int64_t number = constants[i / 7 % 8];
        const char *op = ops[i / 56 % 6], *form = forms[i / 336];
        jm_write(s->rig->machine, 0, 0x200, jm_int(word));
        snprintf(constant, sizeof constant, number > 9 ? "0x%" PRIX64 : "%" PRId64,
                 number);
        cr_assert(tell(s, "set $k = %s", constant));
        snprintf(line, sizeof line, form, "print", op, constant);
        cr_expect(tell(s, "%s", line));
        cr_expect_eq(s->said[0], compared(word, op, number) ? '1' : '0', "%s of %d: %s",
                     line, word, s->said);
    }
    session_close(s);
}

Test(expressions, changes_are_made_again_after_a_journey) {
    Session *s = session_open(4, 2, 1, counts);
    cr_expect(tell(s, "cycle 10"));
    cr_expect(tell(s, "set [0x200] = 7"));
    cr_expect(tell(s, "set $r1 = INT:00000003"));
    cr_expect(tell(s, "goto 5"));
    cr_expect_eq(jm_data(jm_read(s->rig->machine, 0, 0x200)), 0x2A);
    cr_expect(tell(s, "goto 20"));
    cr_expect_eq(jm_now(s->rig->machine), 20);
    cr_expect_eq(jm_data(jm_read(s->rig->machine, 0, 0x200)), 7);
    cr_expect(tell(s, "goto 5"));
    cr_expect(tell(s, "set [0x201] = 1")); /* a different future begins here */
    cr_expect(tell(s, "goto 20"));
    cr_expect_eq(jm_data(jm_read(s->rig->machine, 0, 0x200)), 0x2A);
    cr_expect_eq(jm_data(jm_read(s->rig->machine, 0, 0x201)), 1);
    session_close(s);
}

Test(expressions, there_is_a_shell_only_if_the_host_has_one) {
    Session *s = session_open(4, 2, 1, counts);
    cr_expect_not(tell(s, "shell true"));
    cr_expect_not(tell(s, "!true"));
    cr_expect(strstr(s->said, "no shell"), "%s", s->said);
    session_close(s);
}

Test(expressions, files_are_the_callers_to_complete) {
    Session *s = session_open(4, 2, 1, counts);
    cr_expect(jm_debug_completes_file(s->debug, "source ", 7));
    cr_expect(jm_debug_completes_file(s->debug, "trace a", 6));
    cr_expect_not(jm_debug_completes_file(s->debug, "trace a on ", 11));
    cr_expect_not(jm_debug_completes_file(s->debug, "info ", 5));
    cr_expect_not(jm_debug_completes_file(s->debug, "sour", 0));
    session_close(s);
}
