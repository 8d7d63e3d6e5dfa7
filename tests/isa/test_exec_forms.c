/* Every operand form and every register of register mode, against the oracle. */
#include <criterion/criterion.h>

#include "tests/isa/oracle_code.h"
#include "tests/isa/oracle_pair.h"

enum { CODE = 0x400, SELECTORS = 4 };

/* Any state: every register random, address registers mostly usable. */
static void random_state(Pair *pair, JmRng *rng, unsigned context, bool checked) {
    const uint32_t flags = checked ? 0 : JM_IP_UNCHECKED;
    const bool absolute = jm_rng_below(rng, 2);
    pair_random_registers(pair, rng);
    for (unsigned n = 0; n < 4; n++) {
        const uint32_t top = jm_rng_below(rng, 8) ? 0 : pair_data(rng) & 0xC0000000;
        const uint32_t length = jm_rng_below(rng, 2) ? jm_rng_below(rng, 80) : 0;
        const uint32_t base = jm_rng_below(rng, 2) ? jm_rng_below(rng, 0x100)
                                                   : jm_rng_below(rng, 1 << 20);
        const JmWord a = jm_addr(base, length);
        pair_set(pair, context, ORACLE_REG_A0 + n,
                 jm_word(jm_tag(a), jm_data(a) | top));
        if (jm_rng_below(rng, 2)) {
            const int32_t index = (int32_t)jm_rng_below(rng, 90);
            pair_set(pair, context, ORACLE_REG_R0 + n, jm_int(index));
        }
    }
    for (unsigned priority = 0; priority < 2; priority++) {
        const uint32_t base = 0x200 + 0x80 * priority;
        const uint32_t head = base + 4 * jm_rng_below(rng, 16);
        pair_set(pair, priority, ORACLE_REG_QBM, jm_addr(base, 0x3F));
        pair_set(pair, priority, ORACLE_REG_QHL,
                 jm_addr(head, 4 * jm_rng_below(rng, 16)));
        pair_set(pair, priority, ORACLE_REG_Q, jm_bool(jm_rng_below(rng, 2)));
    }
    pair_set_running(pair, context);
    if (context == ORACLE_BACKGROUND) /* P means something there, too */
        pair_set(pair, 0, ORACLE_REG_P, jm_bool(jm_rng_below(rng, 2)));
    pair_set(pair, 0, ORACLE_REG_I, jm_bool(true));
    pair_set(pair, 0, ORACLE_REG_TBM, jm_addr(0x500, 0xFC));
    if (!absolute) /* code within A0 */
        pair_set(pair, context, ORACLE_REG_A0, jm_addr(CODE - 8, 20));
    pair_set(pair, context, ORACLE_REG_IP,
             absolute ? jm_ip(CODE, flags | JM_IP_ABSOLUTE) : jm_ip(8, flags));
}

static void expect_agreement(Pair **pair, unsigned steps) {
    pair_adopt(*pair);
    const bool agree = pair_steps(*pair, steps);
    cr_assert(agree, "%s", (*pair)->trouble);
    if ((*pair)->ended)
        pair_renew(pair);
}

static void put_instruction(Pair *pair, uint32_t instruction) {
    pair_write(pair, CODE, jm_instruction_word(instruction, 0));
}

/* All 128 patterns of op0, all values of op1 and op2, for one opcode of each form. */
Test(exec_forms, every_operand_pattern) {
    static const unsigned ops[] = {OP_READ,  OP_WRITE, OP_ADD,   OP_LDIP,  OP_XLATE,
                                   OP_PROBE, OP_ENTER, OP_SENDE, OP_SEND2, OP_BR,
                                   OP_BT,    OP_EQ,    OP_NOT,   OP_CALL,  OP_NOP};
    JmRng rng = jm_rng(21);
    Pair *pair = pair_create(NULL);
    for (uint32_t address = 0; address < 0x400; address++)
        if (address < 0x40 || address >= 0x80)
            pair_write(pair, address, pair_word(&rng));
    for (unsigned k = 0; k < sizeof ops / sizeof ops[0]; k++) {
        for (unsigned bits = 0; bits < 1 << 11; bits++) {
            const unsigned context = jm_rng_below(&rng, 3);
            random_state(pair, &rng, context, jm_rng_below(&rng, 2));
            put_instruction(pair, ops[k] << 11 | bits);
            expect_agreement(&pair, 1);
        }
    }
    pair_destroy(pair);
}

/* Every number of register mode through the four selectors, read, written and jumped
 * through, from every context. */
static void walk_registers(unsigned op, unsigned rounds) {
    JmRng rng = jm_rng(op);
    Pair *pair = pair_create(NULL);
    for (unsigned k = 0; k < rounds * 128 * 3 * 2; k++) {
        const unsigned op0 = k % 128, context = (k / 128) % 3;
        random_state(pair, &rng, context, (k / 384) % 2);
        /* Half of the time a word that register can take. */
        if (jm_rng_below(&rng, 2)) {
            const bool to_a = (op0 & 0x1F) >= ORACLE_REG_A0;
            const JmWord address = jm_addr(jm_rng_below(&rng, 1 << 20), 0);
            const JmWord ip = jm_ip(jm_rng_below(&rng, 1 << 20), JM_IP_ABSOLUTE);
            pair_set(pair, context, ORACLE_REG_R0 + 1,
                     (op0 & 0x1F) == ORACLE_REG_IP ? ip
                     : to_a                        ? address
                                                   : JM_NIL);
        }
        put_instruction(pair, code(op, jm_rng_below(&rng, 4), 1, op0));
        expect_agreement(&pair, 2);
    }
    pair_destroy(pair);
}

Test(exec_forms, every_register_read) {
    walk_registers(OP_READR, 4);
}

Test(exec_forms, every_register_written) {
    walk_registers(OP_WRITER, 8);
}

Test(exec_forms, every_register_jumped_through) {
    walk_registers(OP_LDIPR, 4);
}

/* Code below 0x40 is switched by the P flag, row by row. */
Test(exec_forms, priority_switch_of_fetches) {
    Pair *pair = pair_create(NULL);
    for (uint32_t address = 0; address < 0x40; address++) {
        const uint32_t load = code(OP_READ, 2, 0, op0_immediate((int)address & 15));
        pair_write(pair, address, jm_instruction_word(load, load));
    }
    for (unsigned context = 0; context < 3; context++) {
        pair_set_running(pair, context);
        pair_set(pair, context, ORACLE_REG_IP, jm_ip(0, JM_IP_ABSOLUTE));
        expect_agreement(&pair, 130);
    }
    pair_destroy(pair);
}

static void write_across_the_memory_map(const OracleTiming *timing) {
    static const uint32_t places[] = {0x0FFF, 0x1000, 0x1FFF, 0x2000, 0xFFFFF, 0x0080};
    Pair *pair = pair_create(timing);
    for (unsigned k = 0; k < sizeof places / sizeof places[0]; k++) {
        const unsigned context = ORACLE_BACKGROUND;
        const uint32_t row = places[k] & ~UINT32_C(3);
        pair_write(pair, places[k], jm_int(5));
        pair_set(pair, context, ORACLE_REG_A0 + 1, jm_addr(places[k], 0));
        pair_set(pair, context, ORACLE_REG_R0 + 1, jm_int(6));
        pair_set(pair, context, ORACLE_REG_TBM, jm_addr(row, 0));
        pair_write(pair, CODE,
                   jm_instruction_word(code(OP_WRITE, 0, 1, op0_offset(0, 1)),
                                       code(OP_ENTER, 0, 1, op0_immediate(3))));
        pair_set(pair, context, ORACLE_REG_IP, jm_ip(CODE, JM_IP_ABSOLUTE));
        pair_adopt(pair);
        for (uint32_t near = 0; near < 4; near++)
            pair_write(pair, row + near, jm_int(5));
        const bool agree = pair_steps(pair, 2);
        cr_assert(agree, "%s", pair->trouble);
    }
    pair_destroy(pair);
}

/* ROM takes no write of the processor, ENTER included; external memory does. A write
 * that ROM does not take costs as much as any. */
Test(exec_forms, writes_across_the_memory_map) {
    OracleTiming timing = oracle_timing_default();
    write_across_the_memory_map(NULL);
    timing.write_onchip = 3;
    write_across_the_memory_map(&timing);
}

/* QHL keeps its tag when its head and length move on. */
Test(exec_forms, suspend_keeps_the_tag_of_the_queue) {
    Pair *pair = pair_create(NULL);
    const uint32_t queued = jm_data(jm_addr(0x200, 8));
    pair_set_running(pair, 0);
    pair_set(pair, 0, ORACLE_REG_QBM, jm_addr(0x200, 0x3F));
    pair_set(pair, 0, ORACLE_REG_QHL, jm_word(JM_TAG_FUT, queued));
    pair_set(pair, 0, ORACLE_REG_A0 + 3, jm_addr(0x200, 4));
    pair_set(pair, 0, ORACLE_REG_IP, jm_ip(CODE, JM_IP_ABSOLUTE));
    put_instruction(pair, code(OP_SUSPEND, 0, 0, 0));
    expect_agreement(&pair, 1);
    const JmWord qhl = jm_register(pair->machine, 0, JM_CONTEXT_0, JM_REG_QHL);
    cr_expect(jm_same(qhl, jm_word(JM_TAG_FUT, jm_data(jm_addr(0x204, 4)))));
    pair_destroy(pair);
}
