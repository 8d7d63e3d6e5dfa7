/* The oracle against examples worked out on paper, so that it is not only as right as
 * the emulator it judges. */
#include <criterion/criterion.h>

#include "tests/isa/oracle.h"
#include "tests/isa/oracle_code.h"

enum { CODE = 0x400, QUEUE = 0x200, NOBODY = -2 };

/* A checked background at CODE, with both instructions of one word. */
static Oracle *node_with(uint32_t high, uint32_t low) {
    Oracle *node = oracle_create();
    node->context[ORACLE_BACKGROUND].ip = jm_ip(CODE, JM_IP_ABSOLUTE);
    node->row = CODE / 4;
    oracle_write(node, CODE, jm_instruction_word(high, low));
    for (uint32_t fault = 0; fault < 0x20; fault++)
        oracle_write(node, 0x40 + fault, jm_ip(0x800 + fault, JM_IP_ABSOLUTE));
    return node;
}

/* Runs one instruction of form Rs,op0,Rd or op0,Rd on registers; the result is R2. */
static JmWord result(unsigned op, JmWord rs, JmWord operand, bool checked, int *fault) {
    Oracle *node = node_with(code(op, 2, 0, op0_r(1)), 0);
    OracleContext *context = &node->context[ORACLE_BACKGROUND];
    context->ip = jm_ip(CODE, JM_IP_ABSOLUTE | (checked ? 0 : JM_IP_UNCHECKED));
    context->r[0] = rs;
    context->r[1] = operand;
    context->r[2] = jm_word(JM_TAG_SYM, 0xDEAD);
    const OracleStep step = oracle_step(node);
    const JmWord word = context->r[2];
    *fault = step.fault;
    oracle_destroy(node);
    return word;
}

static void gives(unsigned op, JmWord rs, JmWord operand, bool checked,
                  JmWord expected) {
    int fault;
    const JmWord word = result(op, rs, operand, checked, &fault);
    cr_expect_eq(fault, ORACLE_NO_FAULT, "op %02X fault %02X", op, (unsigned)fault);
    cr_expect_eq(word.bits, expected.bits, "op %02X: %09llX", op,
                 (unsigned long long)word.bits);
}

static void faults(unsigned op, JmWord rs, JmWord operand, int expected) {
    int fault;
    const JmWord word = result(op, rs, operand, true, &fault);
    cr_expect_eq(fault, expected, "op %02X fault %02X", op, (unsigned)fault);
    cr_expect_eq(word.bits, 0xDEADu, "op %02X wrote Rd", op);
}

static JmWord hex(uint32_t data) {
    return jm_word(JM_TAG_INT, data);
}

Test(oracle, arithmetic_by_hand) {
    const JmWord user = jm_word(JM_TAG_TAG9, 5);
    gives(OP_ADD, jm_int(2), jm_int(-3), true, jm_int(-1));
    gives(OP_ADD, user, jm_int(1), false, jm_word(JM_TAG_TAG9, 6));
    gives(OP_CARRY, hex(0xFFFFFFFF), jm_int(1), true, jm_int(1));
    gives(OP_CARRY, user, jm_int(1), false, jm_int(0));
    gives(OP_MULH, jm_int(-2), jm_int(3), true, jm_int(-1));
    gives(OP_MUL, hex(0x10000), hex(0x10000), false, jm_int(0));
    faults(OP_MUL, hex(0x10000), hex(0x10000), ORACLE_OVERFLOW);
    faults(OP_MULH, hex(0x10000), hex(0x8000), ORACLE_OVERFLOW);
    gives(OP_MULH, hex(0x10000), hex(0xFFFF8000), true, jm_int(-1));
    faults(OP_ADD, hex(0x7FFFFFFF), jm_int(1), ORACLE_OVERFLOW);
    faults(OP_CARRY, hex(0x7FFFFFFF), jm_int(1), ORACLE_OVERFLOW);
    faults(OP_SUB, jm_word(JM_TAG_FUT, 0), user, ORACLE_FUT);
    faults(OP_SUB, jm_int(0), user, ORACLE_TAG8 + 1);
}

Test(oracle, shifts_by_hand) {
    gives(OP_ASH, jm_int(-8), jm_int(-2), true, jm_int(-2));
    gives(OP_ASH, jm_int(-1), jm_int(99), true, jm_int(-1));
    gives(OP_ASH, jm_int(1), jm_int(-99), true, jm_int(0));
    gives(OP_ASH, hex(0xC0000000), jm_int(1), true, hex(0x80000000));
    faults(OP_ASH, hex(0x40000000), jm_int(1), ORACLE_OVERFLOW);
    faults(OP_ASH, jm_int(5), jm_int(32), ORACLE_OVERFLOW);
    gives(OP_LSH, hex(0x80000000), jm_int(-31), true, jm_int(1));
    gives(OP_LSH, hex(0x80000000), hex(0x80000000), true, jm_int(0));
    gives(OP_LSH, jm_int(0), jm_int(40), true, jm_int(0));
    faults(OP_LSH, hex(0x80000000), jm_int(1), ORACLE_OVERFLOW);
    faults(OP_LSH, jm_int(1), jm_int(32), ORACLE_OVERFLOW);
    gives(OP_ROT, hex(0x80000001), jm_int(1), true, jm_int(3));
    gives(OP_ROT, jm_int(1), jm_int(-1), true, hex(0x80000000));
}

Test(oracle, comparisons_and_tags_by_hand) {
    const JmWord future = jm_word(JM_TAG_FUT, 0), cfut = jm_word(JM_TAG_CFUT, 0);
    gives(OP_LT, jm_int(-1), jm_int(0), true, jm_bool(true));
    gives(OP_EQ, jm_int(1), jm_word(JM_TAG_SYM, 1), true, jm_bool(false));
    gives(OP_EQUAL, jm_word(JM_TAG_IP, 1), jm_int(1), false, jm_bool(true));
    faults(OP_LT, JM_NIL, future, ORACLE_TYPE);
    faults(OP_LT, jm_int(1), future, ORACLE_FUT);
    faults(OP_EQUAL, jm_int(1), future, ORACLE_TYPE);
    faults(OP_EQ, future, cfut, ORACLE_CFUT);
    faults(OP_AND, jm_int(1), jm_bool(true), ORACLE_TYPE);
    gives(OP_XOR, jm_bool(true), jm_int(3), false, jm_word(JM_TAG_BOOL, 2));
    gives(OP_WTAG, jm_int(7), jm_int(3), true, jm_word(JM_TAG_ADDR, 7));
    faults(OP_WTAG, jm_int(7), jm_int(16), ORACLE_TYPE);
    gives(OP_CHECK, cfut, jm_int(0x16), true, jm_bool(true));
}

/* FFB counts the bits below bit 31 that equal it. */
Test(oracle, find_first_bit_by_hand) {
    gives(OP_FFB, JM_NIL, jm_int(0), true, jm_int(31));
    gives(OP_FFB, JM_NIL, jm_int(-1), true, jm_int(31));
    gives(OP_FFB, JM_NIL, jm_int(1), true, jm_int(30));
    gives(OP_FFB, JM_NIL, hex(0x40000000), true, jm_int(0));
    gives(OP_FFB, JM_NIL, hex(0x80000000), true, jm_int(0));
    gives(OP_FFB, JM_NIL, hex(0xC0000000), true, jm_int(1));
}

Test(oracle, fault_saves_the_instruction_and_its_operands) {
    Oracle *node = node_with(code(OP_ADD, 2, 1, op0_r(3)), 0);
    OracleContext *context = &node->context[0];
    *context = node->context[ORACLE_BACKGROUND];
    node->b = false;
    context->r[1] = jm_int(1);
    context->r[3] = jm_word(JM_TAG_CFUT, 9);
    const OracleStep step = oracle_step(node);
    cr_expect_eq(step.fault, ORACLE_CFUT);
    cr_expect_eq(step.cycles, 1u + 4u);
    cr_expect_eq(context->fip.bits, jm_ip(CODE, JM_IP_ABSOLUTE | JM_IP_PHASE).bits);
    cr_expect_eq(context->fir.bits, jm_word(JM_TAG_INST0, step.instruction).bits);
    cr_expect_eq(context->fop0.bits, jm_word(JM_TAG_CFUT, 9).bits);
    cr_expect_eq(context->fop1.bits, jm_int(1).bits);
    cr_expect_eq(context->ip.bits, jm_ip(0x80C, JM_IP_ABSOLUTE).bits);
    oracle_destroy(node);
}

/* A message of W words to itself: its tail is ejected 2W + H + 2 cycles after its first
 * flit left the buffer, which is the cycle after SENDE issued. */
Test(oracle, message_to_itself_arrives_on_time) {
    Oracle *node = node_with(code(OP_SEND2E, 0, 1, op0_r(0)), 0);
    OracleContext *context = &node->context[ORACLE_BACKGROUND];
    node->context[1].qbm = jm_data(jm_addr(QUEUE, 63));
    node->context[1].qhl = jm_data(jm_addr(QUEUE, 0));
    context->r[0] = jm_int(0);
    context->r[1] = jm_msg(CODE, 1);
    oracle_write(node, CODE, jm_instruction_word(code(OP_SEND2E, 1, 1, 0), 0));
    cr_expect_eq(oracle_step(node).cycles, 1u);
    unsigned cycles = 0;
    while ((node->context[1].qhl & 0x3FF) == 0 && cycles < 100) {
        cycles += oracle_step(node).cycles;
        context->ip = jm_ip(CODE, JM_IP_ABSOLUTE | JM_IP_PHASE); /* a NOP again */
    }
    cr_expect_eq(cycles, 1 + 2 * 1 + 3 + 2u, "%u", cycles);
    cr_expect_eq(oracle_read(node, QUEUE).bits, jm_msg(CODE, 1).bits);
    oracle_destroy(node);
}
