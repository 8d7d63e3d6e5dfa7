/* Programs that write to their own code, against the oracle: into the row that is
 * executed, the one behind it and one executed before, at every distance from the WRITE
 * to the word. The machine runs once in one go, when it may translate rows, and once
 * boundary by boundary under an observer. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/isa/oracle_code.h"
#include "tests/isa/oracle_pair.h"

/* Four rows of code in a page of their own:
 *
 *     CODE       work
 *     CODE + 4   work; the WRITE; perhaps a loop back to the beginning of this row
 *     CODE + 8   work
 *     CODE + 12  puts back the word that was overwritten, and begins anew
 *
 * R0: the word to write; R1: what the work changes; R2: the word that was there; R3: 3
 * at the beginning of a turn. A0 and A1 lead to CODE, A2 to 3 words before the word. */
enum { CODE = 0x450, ROW_SLOTS = 8, VICTIMS = 12, WORDS = 16, BOUNDARIES = 100 };

typedef enum { BY_SEGMENT, BY_OFFSET, BY_INDEX, WAYS } Way;

typedef struct {
    unsigned slot;   /* of the WRITE in its row */
    unsigned victim; /* word that it writes, from CODE */
    Way way;         /* form of its operand */
    bool loops;      /* the row of the WRITE is a loop, which runs three times */
    bool checked;    /* tags are checked */
    bool constant;   /* what it writes is not an instruction */
} Case;

/* Work whose result depends on the order: never a fault. */
static uint32_t work(unsigned slot) {
    const int k = (int)(slot % 15) + 1;
    return slot % 2 ? code(OP_ROT, 1, 1, op0_immediate(k))
                    : code(OP_XOR, 1, 1, op0_immediate(k));
}

static uint32_t write_of(const Case *of) {
    switch (of->way) {
    case BY_SEGMENT:
        return code(OP_WRITE, 0, 0, op0_offset(of->victim, 1));
    case BY_OFFSET:
        return code(OP_WRITE, 0, 0, op0_offset(of->victim, 0));
    default:
        return code(OP_WRITE, 0, 0, op0_index(3, 2));
    }
}

static void fill(uint32_t *half, const Case *of) {
    for (unsigned k = 0; k < 2 * WORDS; k++)
        half[k] = work(k);
    uint32_t *row = half + ROW_SLOTS;
    row[of->slot] = write_of(of);
    if (of->loops) {
        row[6] = code(OP_SUB, 3, 3, op0_immediate(1));
        row[7] = code(OP_BNZ, extend_immediate(-4), 3, op0_immediate(-4));
    }
    uint32_t *last = half + 3 * ROW_SLOTS;
    last[0] = code(OP_WRITE, 0, 2, op0_offset(of->victim, 1));
    last[1] = code(OP_READ, 3, 0, op0_immediate(3));
    last[6] = code(OP_BR, extend_immediate(-16), 0, op0_immediate(-16));
}

static Pair *open_case(const Case *of, const OracleTiming *timing) {
    Pair *pair = pair_create(timing);
    uint32_t half[2 * WORDS];
    fill(half, of);
    JmWord word[WORDS];
    for (unsigned k = 0; k < WORDS; k++) {
        word[k] = jm_instruction_word(half[2 * k], half[2 * k + 1]);
        pair_write(pair, CODE + k, word[k]);
    }
    const JmWord new = jm_instruction_word(code(OP_XOR, 1, 1, op0_immediate(-3)),
                                           code(OP_ROT, 1, 1, op0_immediate(7)));
    const unsigned b = ORACLE_BACKGROUND;
    pair_set(pair, b, ORACLE_REG_R0, of->constant ? jm_int(0x1234) : new);
    pair_set(pair, b, ORACLE_REG_R0 + 1, jm_int(5));
    pair_set(pair, b, ORACLE_REG_R0 + 2, word[of->victim]);
    pair_set(pair, b, ORACLE_REG_R0 + 3, jm_int(3));
    pair_set(pair, b, ORACLE_REG_A0, jm_addr(CODE, 0));
    pair_set(pair, b, ORACLE_REG_A0 + 1, jm_addr(CODE, 0));
    pair_set(pair, b, ORACLE_REG_A0 + 2, jm_addr(CODE + of->victim - 3, 0));
    pair_set(pair, b, ORACLE_REG_IP,
             jm_ip(CODE, JM_IP_ABSOLUTE | (of->checked ? 0 : JM_IP_UNCHECKED)));
    pair_adopt(pair);
    return pair;
}

static bool ignore(void *context, const JmEvent *event) {
    (void)context, (void)event;
    return false;
}

static void expect_same_statistics(const Pair *a, const Pair *b, uint64_t instructions,
                                   const char *name) {
    JmNodeStatistics s, t;
    jm_node_statistics(a->machine, 0, &s);
    jm_node_statistics(b->machine, 0, &t);
    cr_assert_eq(s.instructions, instructions, "%s", name);
    cr_assert_eq(t.instructions, instructions, "%s", name);
    for (unsigned c = 0; c < JM_CLASS_COUNT; c++)
        cr_assert_eq(s.cycles[c], t.cycles[c], "%s: %s", name, jm_class_key(c));
}

/* Runs a case both ways; returns how many instructions it completed. */
static uint64_t run_case(const Case *of, const OracleTiming *timing) {
    char name[100];
    snprintf(name, sizeof name, "WRITE in slot %u to word %u, way %u%s%s%s", of->slot,
             of->victim, (unsigned)of->way, of->loops ? ", in a loop" : "",
             of->checked ? ", checked" : "", of->constant ? ", a constant" : "");
    Pair *whole = open_case(of, timing), *steps = open_case(of, timing);
    jm_observe(steps->machine, UINT32_MAX & ~(1u << JM_EVENT_FLIT), ignore, NULL);
    uint64_t instructions = 0;
    for (unsigned k = 0; k < BOUNDARIES; k++) {
        OracleStep step;
        cr_assert(pair_step(steps, &step), "%s: %s", name, steps->trouble);
        cr_assert_eq(step.fault, ORACLE_NO_FAULT, "%s", name);
        instructions += step.act == ORACLE_DID_INSTRUCTION;
        oracle_step(whole->oracle);
    }
    jm_run(whole->machine, whole->oracle->now);
    cr_assert(pair_compare(whole), "%s: %s", name, whole->trouble);
    expect_same_statistics(whole, steps, instructions, name);
    pair_destroy(whole);
    pair_destroy(steps);
    return instructions;
}

/* Every slot and word, each by one way, with or without the loop. */
static void run_cases(bool loops, bool constant) {
    OracleTiming slow = oracle_timing_default();
    slow.row_onchip = 7;
    slow.write_onchip = 3;
    slow.jump = 5;
    slow.constant = 2;
    const unsigned slots = loops ? ROW_SLOTS - 2 : ROW_SLOTS;
    uint64_t instructions = 0;
    unsigned cases = 0;
    for (unsigned slot = 0; slot < slots; slot++)
        for (unsigned victim = 0; victim < VICTIMS; victim++) {
            const Way way = (Way)((slot + victim) % WAYS);
            const bool checked = (slot + victim) / WAYS % 2;
            const Case of = {slot, victim, way, loops, checked, constant};
            instructions += run_case(&of, cases++ % 3 ? NULL : &slow);
        }
    cr_expect_gt(instructions, cases * BOUNDARIES * 4 / 5);
}

Test(exec_rewrite, instructions) {
    run_cases(false, false);
}

Test(exec_rewrite, instructions_of_a_loop) {
    run_cases(true, false);
}

Test(exec_rewrite, constants) {
    run_cases(false, true);
}

Test(exec_rewrite, constants_in_a_loop) {
    run_cases(true, true);
}
