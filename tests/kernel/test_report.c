/* Faults that no program can raise: the kernel reports what the library posts, in every
 * context. */
#include <criterion/criterion.h>
#include <string.h>

#include "emu/jm.h"
#include "tests/kernel/rig.h"

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

/* `where` as faults.s has it: 0 background, 1 and 2 the priorities. */
static void check_report(JmFault fault, int where, const char *line) {
    Output output = {.length = 0};
    JmMachine *machine = rig_machine("faults", 2);
    rig_set(machine, "fault_case", (int32_t)fault);
    rig_set(machine, "fault_where", where);
    jm_set_output(machine, collect, &output);
    jm_run(machine, 1000); /* boot and the message to oneself take less */
    jm_post(machine, 1, fault);
    cr_expect_eq(jm_run(machine, 100000), JM_STOP_STOPPED);
    output.text[output.length] = '\0';
    cr_expect_not_null(strstr(output.text, line), "%s%s", line, output.text);
    jm_destroy(machine);
}

Test(report, interrupt) {
    check_report(JM_FAULT_INTERRUPT, 0,
                 "kernel: fault INTERRUPT on node 1, background\n");
    check_report(JM_FAULT_INTERRUPT, 1,
                 "kernel: fault INTERRUPT on node 1, priority 0\n");
    check_report(JM_FAULT_INTERRUPT, 2,
                 "kernel: fault INTERRUPT on node 1, priority 1\n");
}

Test(report, dramerr) {
    check_report(JM_FAULT_DRAMERR, 0, "kernel: fault DRAMERR on node 1, background\n");
    check_report(JM_FAULT_DRAMERR, 1, "kernel: fault DRAMERR on node 1, priority 0\n");
    check_report(JM_FAULT_DRAMERR, 2, "kernel: fault DRAMERR on node 1, priority 1\n");
}
