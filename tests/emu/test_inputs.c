/* The inputs of a machine: parameters within their bounds, rows of text images. */
#include <criterion/criterion.h>
#include <string.h>

#include "emu/jm.h"

/* ---- parameters ------------------------------------------------------------------ */

/* Sets parameter `index`; every other one must stay as it is. */
static void expect_set(unsigned index, uint64_t value) {
    const JmConfig before = jm_config_default();
    JmConfig config = before;
    JmError error;
    const char *name = jm_parameter(index)->name;
    cr_assert(jm_config_set(&config, name, value, &error), "%s", error.text);
    for (unsigned i = 0; jm_parameter(i); i++)
        cr_expect_eq(jm_config_get(&config, i),
                     i == index ? value : jm_config_get(&before, i), "%s after %s",
                     jm_parameter(i)->name, name);
}

static void expect_beyond(unsigned index, uint64_t value) {
    JmConfig config = jm_config_default();
    JmError error;
    const JmParameter *parameter = jm_parameter(index);
    cr_expect_not(jm_config_set(&config, parameter->name, value, &error));
    cr_expect_str_eq(error.file, parameter->name);
    cr_expect_eq(jm_config_get(&config, index), parameter->standard);
}

Test(emu_inputs, every_parameter_within_its_bounds) {
    const JmConfig standard = jm_config_default();
    unsigned index = 0;
    for (; jm_parameter(index); index++) {
        const JmParameter *parameter = jm_parameter(index);
        cr_expect_eq(jm_config_get(&standard, index), parameter->standard, "%s",
                     parameter->name);
        expect_set(index, parameter->minimum);
        expect_set(index, parameter->maximum);
        if (parameter->minimum > 0)
            expect_beyond(index, parameter->minimum - 1);
        if (parameter->maximum < UINT64_MAX)
            expect_beyond(index, parameter->maximum + 1);
    }
    cr_expect_gt(index, 20);
    JmConfig config = standard;
    JmError error;
    cr_expect_not(jm_config_set(&config, "nothing", 1, &error));
}

/* ---- text images ----------------------------------------------------------------- */

typedef struct {
    const char *text;
    int line, column;
} Refused;

static const Refused refused[] = {
    {"3 1000 0", 1, 1},
    {"a 1000 0", 1, 1},
    {"1a 1000 0", 1, 1},
    {"-1 1000 0", 1, 1},
    {"*1000 0", 1, 2},
    {"*", 1, 2},
    {"# text\n\n\t2 100000 0", 3, 4},
    {"2 1G 0", 1, 3},
    {"2 : 0", 1, 3},
    {"2 @ 0", 1, 3},
    {"2\n", 1, 2},
    {"0 1000 0\n2 1000 1000000000", 2, 8},
    {"0 1000 0x", 1, 8},
    {"0 1000", 1, 7},
    {"0 1000 # 5", 1, 8},
    {"0 1000 5 6", 1, 10},
};

Test(emu_inputs, rows_that_are_none_are_refused_with_their_place) {
    JmConfig config = jm_config_default();
    config.size_x = 3;
    JmError error;
    JmMachine *machine = jm_create(&config, &error);
    cr_assert(machine);
    for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++) {
        const Refused *r = &refused[i];
        error = (JmError){.offset = -1};
        cr_expect_not(jm_load_text(machine, r->text, strlen(r->text), "rows", &error));
        cr_expect(error.line == r->line && error.column == r->column, "%s: %d:%d",
                  r->text, error.line, error.column);
        cr_expect_str_eq(error.file, "rows");
    }
    cr_expect(jm_same(jm_read(machine, 0, 0x1000), JM_NIL), "nothing was placed");
    cr_expect_not(jm_load_text(machine, "# \n \n", 5, "rows", &error));
    jm_destroy(machine);
}

Test(emu_inputs, rows_hold_words_of_their_nodes) {
    static const char text[] = " 2\t02000 FfffFfff9 # the last node\n"
                               "* fffF0000\n";
    static const char rows[] = "0 2000 100000009\r\n* 2001 0F00000aA #\n2 9 0";
    JmConfig config = jm_config_default();
    config.size_x = 3;
    JmError error;
    JmMachine *machine = jm_create(&config, &error);
    cr_assert(machine);
    cr_expect_not(jm_load_text(machine, text, sizeof text - 1, "rows", &error));
    cr_expect_eq(error.line, 2);
    cr_expect(jm_same(jm_read(machine, 2, 0x2000), JM_NIL), "all rows or none");
    cr_assert(jm_load_text(machine, rows, sizeof rows - 1, "rows", &error), "%s",
              error.text);
    for (unsigned i = 0; i < 3; i++) {
        cr_expect_eq(jm_read(machine, i, 0x2000).bits, i == 0 ? 0x100000009 : 0);
        cr_expect_eq(jm_read(machine, i, 0x2001).bits, 0x0F00000AA);
    }
    jm_destroy(machine);
}
