/* The inputs of a machine: parameters within their bounds, rows of text images. Rows
 * that are refused are in tests/recorded/load.cases. */
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
