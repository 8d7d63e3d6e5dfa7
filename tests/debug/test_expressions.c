/* Comparisons, conditions, and changes after travels. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/debug.h"
#include "said.h"

typedef struct {
    Said said;
    JmMachine *machine;
    JmDebug *debug;
} Rig;

/* Words at 00200 on; node 0 branches to itself, node 1 counts in R1. */
static const char image[] = "* 00200 10000002A\n"
                            "* 00201 504000C03\n"
                            "* 00202 300080010\n"
                            "* 00203 200000001\n";

static Rig *rig_new(void) {
    Rig *rig = calloc(1, sizeof *rig);
    JmError error;
    JmConfig config = jm_config_default();
    config.size_x = 4;
    config.size_y = 2;
    rig->machine = jm_create(&config, &error);
    cr_assert(rig->machine);
    cr_assert(jm_load_text(rig->machine, image, strlen(image), "image", &error));
    const JmDebugHost host = {.context = rig, .write = said_write, .guest = said_write};
    rig->debug = jm_debug_create(rig->machine, &host);
    return rig;
}

static void rig_free(Rig *rig) {
    jm_debug_destroy(rig->debug);
    jm_destroy(rig->machine);
    free(rig);
}

static bool say(Rig *rig, const char *line) {
    said_empty(&rig->said);
    return jm_debug_do(rig->debug, line);
}

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
    Rig *rig = rig_new();
    for (unsigned i = 0; i < 7 * 8 * 6 * 3; i++) {
        char constant[32], line[128];
        const int32_t word = words[i % 7];
        const int64_t number = constants[i / 7 % 8];
        const char *op = ops[i / 56 % 6], *form = forms[i / 336];
        jm_write(rig->machine, 0, 0x200, jm_int(word));
        snprintf(constant, sizeof constant, number > 9 ? "0x%" PRIX64 : "%" PRId64,
                 number);
        snprintf(line, sizeof line, "set $k = %s", constant);
        cr_assert(say(rig, line));
        snprintf(line, sizeof line, form, "print", op, constant);
        cr_expect(say(rig, line));
        cr_expect_eq(rig->said.text[0], compared(word, op, number) ? '1' : '0',
                     "%s of %d: %s", line, word, rig->said.text);
    }
    rig_free(rig);
}

/* Conditions that can never have a value are rejected wherever a condition is accepted,
 * except in operands that && and || may skip. */
Test(expressions, conditions_without_a_value_are_refused) {
    static const char *const places[] = {
        "break 0x200 if %s",  "tbreak 0x200 if %s", "watch 0x200 if %s",
        "rwatch 0x200 if %s", "awatch 0x200 if %s", "watch $r1 if %s",
        "catch send if %s",   "catch idle if %s",   "catch fault if %s",
        "condition 1 %s",     "display %s",         "until %s",
        "watch (%s)"};
    static const char *const never[] = {"1 / 0",
                                        "[0x200] % 0",
                                        "5 / (2 - 2)",
                                        "[0xFFFFFFF] == 1",
                                        "[-1]@3",
                                        "queue(2)",
                                        "flits(6) > 1",
                                        "$r1 == 0x1FFFFFFFF",
                                        "(-5000000000) != [0x200]",
                                        "0 || 1 / 0",
                                        "1 && [0x100000]",
                                        "!(1 / 0) && $r1",
                                        "(1 / 0) || 1",
                                        "TAG8(1 / 0)"};
    static const char *const at_times[] = {"0 && 1 / 0",
                                           "1 || 1 / 0",
                                           "$r1 && 1 / 0",
                                           "$k / $k == $k - $k",
                                           "1 / data([0x200])",
                                           "($r1 && 1 / 0) || 1",
                                           "$r1 ? 1 / 0 : 2",
                                           "$r1 ? 2 : 1 / 0",
                                           "1 ? 2 : 1 / 0",
                                           "0 ? 1 / 0 : 2",
                                           "1 / ($r1 ? 0 : 0)",
                                           "1 / (0 ? 0 : 1)",
                                           "$r1 && (1 ? 1 / 0 : 2)"};
    enum { PLACES = sizeof places / sizeof *places };
    Rig *rig = rig_new();
    char line[128];
    cr_expect(say(rig, "break 0x200"));
    cr_expect(say(rig, "set $k = 0"));
    for (size_t i = 0; i < PLACES; i++) {
        for (size_t k = 0; k < sizeof never / sizeof *never; k++) {
            snprintf(line, sizeof line, places[i], never[k]);
            cr_expect_not(say(rig, line), "%s: %s", line, rig->said.text);
            cr_expect(strstr(rig->said.text, "never have a value"), "%s: %s", line,
                      rig->said.text);
        }
        for (size_t k = 0; i < PLACES - 2 && k < sizeof at_times / sizeof *at_times;
             k++) {
            snprintf(line, sizeof line, places[i], at_times[k]);
            cr_expect(say(rig, line), "%s: %s", line, rig->said.text);
        }
    }
    cr_expect_not(say(rig, "break 0x200 if $old == 1"));
    cr_expect_not(say(rig, "print $old"));
    cr_expect_not(say(rig, "set $old = 1"));
    cr_expect_not(say(rig, "print [0x200] == 0x100000000"));
    rig_free(rig);
}

Test(expressions, changes_are_made_again_after_a_journey) {
    Rig *rig = rig_new();
    cr_expect(say(rig, "cycle 10"));
    cr_expect(say(rig, "set [0x200] = 7"));
    cr_expect(say(rig, "set $r1 = INT:00000003"));
    cr_expect(say(rig, "goto 5"));
    cr_expect_eq(jm_data(jm_read(rig->machine, 0, 0x200)), 0x2A);
    cr_expect(say(rig, "goto 20"));
    cr_expect_eq(jm_now(rig->machine), 20);
    cr_expect_eq(jm_data(jm_read(rig->machine, 0, 0x200)), 7);
    cr_expect(say(rig, "goto 5"));
    cr_expect(say(rig, "set [0x201] = 1")); /* a different future begins here */
    cr_expect(say(rig, "goto 20"));
    cr_expect_eq(jm_data(jm_read(rig->machine, 0, 0x200)), 0x2A);
    cr_expect_eq(jm_data(jm_read(rig->machine, 0, 0x201)), 1);
    rig_free(rig);
}

Test(expressions, there_is_a_shell_only_if_the_host_has_one) {
    Rig *rig = rig_new();
    cr_expect_not(say(rig, "shell true"));
    cr_expect_not(say(rig, "!true"));
    cr_expect(strstr(rig->said.text, "no shell"), "%s", rig->said.text);
    rig_free(rig);
}

Test(expressions, files_are_the_callers_to_complete) {
    Rig *rig = rig_new();
    cr_expect(jm_debug_completes_file(rig->debug, "source ", 7));
    cr_expect(jm_debug_completes_file(rig->debug, "trace a", 6));
    cr_expect_not(jm_debug_completes_file(rig->debug, "trace a on ", 11));
    cr_expect_not(jm_debug_completes_file(rig->debug, "info ", 5));
    cr_expect_not(jm_debug_completes_file(rig->debug, "sour", 0));
    rig_free(rig);
}
