/* Faults no program can raise: the kernel reports what the library posts. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/jm.h"

typedef struct {
    char text[4096];
    size_t length;
} Output;

static void collect(void *context, const char *bytes, size_t count) {
    Output *output = context;
    cr_assert_lt(output->length + count, sizeof output->text);
    memcpy(output->text + output->length, bytes, count);
    output->length += count;
}

static JmMachine *load_program(const char *name, Output *output) {
    const char *build = getenv("BUILD");
    char path[512];
    snprintf(path, sizeof path, "%s/programs/%s.elf", build ? build : "build", name);
    JmConfig config = jm_config_default();
    config.size_x = 2;
    JmError error = {0};
    JmMachine *machine = jm_create(&config, &error);
    cr_assert_not_null(machine);
    cr_assert(jm_load_file(machine, path, JM_ALL_NODES, &error), "%s: %s", path,
              error.text);
    jm_set_output(machine, collect, output);
    return machine;
}

static void check_report(JmFault fault, const char *line) {
    Output output = {.length = 0};
    JmMachine *machine = load_program("snake", &output);
    /* Long enough for boot, well before the program ends; which context the fault meets
     * is a matter of cycles, so the line stops before its name. */
    jm_run(machine, 300);
    jm_post(machine, 1, fault);
    cr_expect_eq(jm_run(machine, 100000), JM_STOP_STOPPED);
    output.text[output.length] = '\0';
    cr_expect_not_null(strstr(output.text, line), "%s", output.text);
    jm_destroy(machine);
}

Test(report, interrupt) {
    check_report(JM_FAULT_INTERRUPT, "kernel: fault INTERRUPT on node 1, ");
}

Test(report, dramerr) {
    check_report(JM_FAULT_DRAMERR, "kernel: fault DRAMERR on node 1, ");
}
