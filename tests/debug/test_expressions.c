/* Expressions and their error messages; changes and travels leave no trace. */
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

static const struct {
    const char *line, *output;
} values[] = {
    {"print 1 + 2 * 3", "7\n"},
    {"print (1 + 2) * 3", "9\n"},
    {"print 7 - 2 - 1", "4\n"},
    {"print -3 / 2", "-1\n"},
    {"print 1 << 4 | 3", "19  0x13\n"},
    {"print -7 >> 1", "-4\n"},
    {"print -7 >> 64", "-1\n"},
    {"print 6 & 3 ^ 1", "3\n"},
    {"print !0 + ~0", "0\n"},
    {"print 3 > 2 && 2 > 1", "1\n"},
    {"print 0 && 1 / 0", "0\n"},
    {"print 1 || 1 / 0", "1\n"},
    {"print 0x10", "16  0x10\n"},
    {"print [0x200]", "INT:0000002A  42\n"},
    {"print [0x200] + 1", "43  0x2B\n"},
    {"print [0x200] == 42", "1\n"},
    {"print [0x200] == INT:0000002A", "1\n"},
    {"print [0x200] == SYM:0000002A", "0\n"},
    {"print [0x200]@5 hex", "0x10000002A\n"},
    {"print [0x200]@(1,1,0) dec", "42\n"},
    {"print [0x200]@3,1,0 dec", "42\n"},
    {"print tag([0x201])", "5\n"},
    {"print length([0x201])", "3\n"},
    {"print handler([0x201]) hex", "0x10003\n"},
    {"print [0x202] + 1", "513  0x201\n"},
    {"print [[0x202]]", "INT:0000002A  42\n"},
    {"print BOOL(1)", "BOOL:00000001  true\n"},
    {"print MSG(0x106,2) hex", "0x500041802\n"},
    {"print ADDR(0x106,2)", "ADDR:00041802  00106 length 2\n"},
    {"print word(7, 5)", "FUT:00000005\n"},
    {"print NIL", "NIL\n"},
    {"print $nodes", "8\n"},
    {"print rank(3,1,0)", "7\n"},
    {"print route(5)", "INT:00000021  33\n"},
    {"print $i", "BOOL:00000001  true\n"},
    {"print $r0.1@3", "NIL\n"},
    {"print 65 char", "'A'\n"},
    {"print/c 65", "'A'\n"},
    {"p/x 255", "0xFF\n"},
    {"p/t 5", "0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_"
              "0000_0101\n"},
    {"p/d [0x200]", "42\n"},
    {"p/xd 255", "255\n"},
    {"x/1x 0x200", "00200                    0x10000002A\n"},
    {"x/2dw 0x200", "00200                    42\n00201                    "
                    "67111939\n"},
    {"print 5 bin",
     "0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_"
     "0101\n"},
};

Test(expressions, values_are_those_of_c) {
    Rig *rig = rig_new();
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        cr_expect(say(rig, values[i].line), "%s: %s", values[i].line, rig->said.text);
        cr_expect_str_eq(rig->said.text, values[i].output, "%s: %s", values[i].line,
                         rig->said.text);
    }
    rig_free(rig);
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
    static const char *const at_times[] = {"0 && 1 / 0",        "1 || 1 / 0",
                                           "$r1 && 1 / 0",      "$k / $k == $k - $k",
                                           "1 / data([0x200])", "($r1 && 1 / 0) || 1"};
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

static const struct {
    const char *line;
    unsigned column; /* of the caret, below the line indented by two, from 0 */
} errors[] = {
    {"print", 7},
    {"print 1 +", 11},
    {"print (1", 10},
    {"print 1 2", 10},
    {"print $nothing", 8},
    {"print nothing", 8},
    {"print [0x100000]", 9},
    {"print 1 / 0", 11},
    {"print [1]@8", 12},
    {"print [1]@4,0,0", 12},
    {"print 12x", 10},
    {"print INT:123456789", 12},
    {"print tag()", 12},
    {"print $r0.x", 11},
    {"print nofunction(1)", 8},
    {"node 8", 7},
    {"node 0,2,0", 9},
    {"node 0-3,0,0", 7},
    {"where 5-2", 10},
    {"x 0x100000", 4},
    {"set $cycle = 1", 6},
    {"set [0xFFF00] = 1", 6},
    {"set $r0 5", 10},
    {"set $r0 = 0x100000000", 12},
    {"break 0x300", 8},
    {"break none.s:1", 8},
    {"catch nothing", 8},
    {"catch fault NOTHING", 14},
    {"delete 1", 9},
    {"condition 1 1", 12},
    {"inject 0 2 NIL", 11},
    {"picture nothing", 10},
    {"goto -1", 7},
    {"option echo maybe", 14},
    {"why", 5},
    {"who 0x200", 6},
    {"who wrote $r1", 12},
    {"who wrote $r1.0", 12},
    {"who wrote $r1@3", 12},
    {"print/4x 1", 8},
    {"print/y 1", 8},
    {"x/0x 1", 4},
    {"x/70000 1", 4},
    {"step/x", 6},
    {"display 1 2", 12},
    {"undisplay 3", 12},
    {"list none.s:3", 7},
    {"block wire 0", 14},
    {"quit 126", 7},
    {"source \xC3\xBC.jmd more", 15}, /* columns of characters */
};

/* Every error names its place, and changes nothing. */
Test(expressions, errors_have_a_caret) {
    Rig *rig = rig_new();
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        cr_expect_not(say(rig, errors[i].line), "%s", errors[i].line);
        const char *caret = strchr(rig->said.text, '^');
        cr_assert(caret, "%s: %s", errors[i].line, rig->said.text);
        const char *start = caret;
        while (start > rig->said.text && start[-1] != '\n')
            start--;
        cr_expect_eq((unsigned)(caret - start), errors[i].column, "%s: %s",
                     errors[i].line, rig->said.text);
    }
    cr_expect_eq(jm_now(rig->machine), 0);
    cr_expect_eq(jm_data(jm_read(rig->machine, 0, 0x200)), 0x2A);
    rig_free(rig);
}

Test(expressions, unknown_commands_name_the_nearest) {
    Rig *rig = rig_new();
    cr_expect_not(say(rig, "contniue"));
    cr_expect(strstr(rig->said.text, "'continue'"), "%s", rig->said.text);
    cr_expect_not(say(rig, "re"));
    cr_expect(strstr(rig->said.text, "registers"), "%s", rig->said.text);
    cr_expect(strstr(rig->said.text, "reverse-step"), "%s", rig->said.text);
    cr_expect(say(rig, ""));
    cr_expect(say(rig, "# nothing"));
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

/* All completions at the end of a line, in order, with a blank after each. */
static void offers(Rig *rig, const char *line, char *text, size_t size) {
    const char *blank = strrchr(line, ' ');
    const size_t start = blank ? (size_t)(blank + 1 - line) : 0;
    char *found;
    text[0] = '\0';
    for (unsigned i = 0; (found = jm_debug_complete(rig->debug, line, start, i)); i++) {
        cr_assert_lt(strlen(text) + strlen(found) + 2, size);
        strcat(strcat(text, found), " ");
        free(found);
    }
}

/* Words that fit the place, in the order of the grammar; symbols stand for expressions
 * only. The image has none, so variables do. */
static const struct {
    const char *line, *offers;
} places[] = {
    {"info st", "stops "},
    {"info parameters fai", "fair "},
    {"info fai", ""},
    {"info $zz", ""},
    {"why ", "stopped blocked "},
    {"why blocked 1", "1 "},
    {"context ", "0 1 background running "},
    {"option echo ", "on off "},
    {"option time-travel o", "on off "},
    {"option memory ", ""},
    {"catch fault CFU", "CFUT "},
    {"catch send t", "to "},
    {"catch send to 3", "3 "},
    {"catch arrive ", "on if after "},
    {"break 0x200 ", "on if after "},
    {"break 0x200 on 7", "7 "},
    {"break 0x200 on al", "all "},
    {"break 0x200 if $zz", "$zz "},
    {"break 0x200 if $zz == $zz", "$zz "},
    {"break $zz", "$zz "},
    {"print $zz", "$zz "},
    {"print 1 + $zz", "$zz "},
    {"print/x $zz", "$zz "},
    {"print 1 he", "hex "},
    {"x 0x200 4 c", "char code "},
    {"x 0x200 bi", "bin "},
    {"who ", "wrote "},
    {"who wrote $zz", "$zz "},
    {"trace t.txt kinds su", "suspend "},
    {"trace t.txt ki", "kinds "},
    {"trace t.txt on 0 fr", "from "},
    {"delete ", "1 3 "},
    {"condition 1 $zz", "$zz "},
    {"ignore 1 ", ""},
    {"undisplay ", "1 3 "},
    {"block wire 0 +", "+X +Y +Z "},
    {"block ", "queue wire "},
    {"help reg", "registers "},
    {"alias me conti", "continue "},
    {"mine st", "stops "},
    {"finish ", ""},
    {"nonsense ", ""},
    {"goto $zz", ""},
    {"reverse-s", "reverse-step reverse-stepi "},
    {"print $a", "$a0 $a1 $a2 $a3 "},
    {"catch over", "overflow "},
    {"catch spi", "spill "},
    {"catch bra", "brake "},
    {"node ", "0 1 2 3 4 5 6 7 "},
    {"where ", "0 1 2 3 4 5 6 7 all "},
    {"print $no", "$node $nodes "},
    {"print $cont", "$context "},
    {"print $runn", "$running "},
    {"print $qb", "$qbm "},
    {"print $z", "$zz $zy "},
    {"  undisp", "undisplay "},
    {"second st", "stops "},
    {"  info st", "stops "},
    {"post INTERRUPT 7", "7 "},
    {"unblock ", "queue wire wires "},
    {"history 1 fr", "from "},
    {"tbreak 0x200 on 1 if 1 af", "after "},
    {"awatch 0x200 4 o", "on "},
    {"post ", "INTERRUPT DRAMERR "},
    {"picture wires ", "X Y Z "},
    {"watch 0x200 after 3 ", "on if after "},
};

Test(expressions, completion_offers_what_fits_the_place) {
    Rig *rig = rig_new();
    cr_expect(say(rig, "set $zz = 1"));
    cr_expect(say(rig, "set $zy = 2"));
    cr_expect(say(rig, "alias mine info"));
    cr_expect(say(rig, "alias second mine"));
    cr_expect(say(rig, "display $zz"));
    cr_expect(say(rig, "display 5"));
    cr_expect(say(rig, "display $zy"));
    cr_expect(say(rig, "undisplay 2"));
    cr_expect(say(rig, "break 0x200"));
    cr_expect(say(rig, "break 0x202"));
    cr_expect(say(rig, "break 0x201"));
    cr_expect(say(rig, "delete 2"));
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char text[4096];
        offers(rig, places[i].line, text, sizeof text);
        cr_expect_str_eq(text, places[i].offers, "%s: %s", places[i].line, text);
    }
    rig_free(rig);
}

/* By a name or its beginning; of several that begin so the first. */
Test(expressions, lists_are_found_by_their_beginning) {
    static const char *const same[][2] = {
        {"stops", "breakpoints"}, {"stops", "b"},     {"program", "p"},
        {"parameters", "pa"},     {"machine", "mac"}, {"registers", "r"}};
    Rig *rig = rig_new();
    char *found;
    cr_expect(say(rig, "break 0x200"));
    for (unsigned i = 0; (found = jm_debug_complete(rig->debug, "info ", 5, i)); i++) {
        char line[64];
        snprintf(line, sizeof line, "info %s", found);
        cr_expect(say(rig, line), "%s", line);
        snprintf(line, sizeof line, "info %s x", found);
        cr_expect_eq(say(rig, line), strcmp(found, "parameters") == 0, "%s", line);
        free(found);
    }
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char line[32], *whole;
        snprintf(line, sizeof line, "info %s", same[i][0]);
        cr_expect(say(rig, line));
        whole = strdup(rig->said.text);
        snprintf(line, sizeof line, "info %s", same[i][1]);
        cr_expect(say(rig, line));
        cr_expect_str_eq(rig->said.text, whole, "%s", line);
        free(whole);
    }
    cr_expect_not(say(rig, "info stopsx"));
    rig_free(rig);
}

/* Every command is completed to its full name, as are the words of gdb and aliases,
 * after `help` and `alias NAME` as well as at the beginning. */
Test(expressions, every_name_of_a_command_is_offered) {
    static const char *const others[] = {
        "finish", "next", "stepi",         "si",   "rsi",
        "rn",     "mine", "reverse-stepi", "info", "reverse-next"};
    static const char *const before[] = {"", "help ", "alias x "};
    Rig *rig = rig_new();
    cr_expect(say(rig, "alias mine info"));
    for (unsigned i = 0; i < 10 || jm_debug_command(i - 10); i++) {
        const char *name = i < 10 ? others[i] : jm_debug_command(i - 10)->name;
        for (unsigned k = 0; k < 3; k++) {
            char line[64], text[256], wanted[64];
            snprintf(line, sizeof line, "%s%s", before[k], name);
            snprintf(wanted, sizeof wanted, " %s ", name);
            text[0] = ' ';
            offers(rig, line, text + 1, sizeof text - 1);
            cr_expect(strstr(text, wanted), "%s: %s", line, text);
        }
    }
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

Test(expressions, every_command_has_help_and_examples) {
    Rig *rig = rig_new();
    for (unsigned i = 0; jm_debug_command(i); i++) {
        char line[64];
        snprintf(line, sizeof line, "help %s", jm_debug_command(i)->name);
        cr_expect(say(rig, line));
        cr_expect(strstr(rig->said.text, jm_debug_command(i)->name));
        cr_expect(*jm_debug_command(i)->examples, "%s", jm_debug_command(i)->name);
    }
    rig_free(rig);
}
