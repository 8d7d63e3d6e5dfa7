/* Processor timing: the machine model's table, item by item. */
#include "emu/isa/isa.h"

#include <criterion/criterion.h>

enum { REGISTER = 0x01, MEMORY = 0x41 };

static unsigned cost(unsigned op, unsigned op0, bool taken, bool external) {
    const JmTiming timing = jm_timing_default();
    const JmDecoded decoded = jm_decode(jm_encode_fields(op, 0, 0, op0));
    return jm_cycles(&timing, &decoded, taken, external);
}

Test(timing, base_and_operands) {
    cr_expect_eq(cost(JM_OP_ADD, REGISTER, false, false), 1);
    cr_expect_eq(cost(JM_OP_READ, MEMORY, false, false), 2);
    cr_expect_eq(cost(JM_OP_READ, 0x10, false, false), 2); /* [r0,a0] */
    cr_expect_eq(cost(JM_OP_WRITE, MEMORY, false, false), 1);
    cr_expect_eq(cost(JM_OP_READ, MEMORY, false, true), 6);
    cr_expect_eq(cost(JM_OP_WRITE, MEMORY, false, true), 6);
    cr_expect_eq(cost(JM_OP_READR, 0x41, false, false), 1); /* register mode */
    cr_expect_eq(cost(JM_OP_NOP, 0, false, false), 1);
}

Test(timing, in_all_replaces_base_and_operand) {
    cr_expect_eq(cost(JM_OP_BR, REGISTER, true, false), 2);
    cr_expect_eq(cost(JM_OP_BZ, REGISTER, false, false), 1);
    cr_expect_eq(cost(JM_OP_BZ, MEMORY, false, false), 2);
    cr_expect_eq(cost(JM_OP_LDIP, MEMORY, true, false), 2);
    cr_expect_eq(cost(JM_OP_LDIP, MEMORY, true, true), 7);
    cr_expect_eq(cost(JM_OP_CALL, MEMORY, true, false), 2);
    cr_expect_eq(cost(JM_OP_SUSPEND, 0, false, false), 2);
    cr_expect_eq(cost(JM_OP_XLATE, REGISTER, false, false), 3);
    cr_expect_eq(cost(JM_OP_ENTER, MEMORY, false, false), 3);
    cr_expect_eq(cost(JM_OP_ENTER, MEMORY, false, true), 8);
    cr_expect_eq(cost(JM_OP_INVAL, 0, false, false), 1);
}

Test(timing, parameters_are_set_by_name_within_their_maximum) {
    JmTiming timing = jm_timing_default();
    cr_expect_eq(timing.row_external, 24);
    cr_expect_eq(jm_timing_set(&timing, "row_external", 7), 0);
    cr_expect_eq(timing.row_external, 7);
    cr_expect_eq(jm_timing_set(&timing, "row_external", 1001), -2);
    cr_expect_eq(timing.row_external, 7);
    cr_expect_eq(jm_timing_set(&timing, "rows", 1), -1);
    cr_expect_eq(jm_timing_set(&timing, "", 1), -1);
}
