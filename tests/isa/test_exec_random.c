/* Random programs on random states, with messages to oneself and posted interrupts,
 * step by step against the oracle. Seeded: a failure prints the seed to run again. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "tests/isa/oracle_code.h"
#include "tests/isa/oracle_pair.h"

enum {
    BACKGROUND_CODE = 0x400, /* 128 words, hardly a SUSPEND: that would stop the node */
    TASK_CODE = 0x480,       /* 128 words */
    CODE_WORDS = 0x80,
    EXTERNAL_CODE = 0x2480, /* 32 words */
    EXTERNAL_WORDS = 0x20,
    DATA = 0x300,
    DATA_WORDS = 0x80,
    TABLE = 0x700,
    QUEUE0 = 0x200,
    QUEUE1 = 0x280,
    BOUNDARIES = 250
};

/* An address where code is. */
static uint32_t code_address(JmRng *rng) {
    const uint32_t draw = jm_rng_below(rng, 20);
    if (draw == 0)
        return EXTERNAL_CODE + jm_rng_below(rng, EXTERNAL_WORDS);
    return (draw < 4 ? BACKGROUND_CODE : TASK_CODE) + jm_rng_below(rng, CODE_WORDS);
}

static uint32_t ip_flags(JmRng *rng) {
    return (jm_rng_below(rng, 2) ? JM_IP_UNCHECKED : 0) |
           (jm_rng_below(rng, 8) == 0 ? JM_IP_FAULT : 0) |
           (jm_rng_below(rng, 4) == 0 ? JM_IP_PHASE : 0) | JM_IP_ABSOLUTE;
}

static JmWord usable_addr(JmRng *rng) {
    static const uint32_t bases[] = {DATA,   DATA,  0,      0x20,
                                     QUEUE0, TABLE, 0x2100, TASK_CODE};
    const uint32_t base = bases[jm_rng_below(rng, 8)] + jm_rng_below(rng, 8);
    const uint32_t length = jm_rng_below(rng, 3) ? 0 : jm_rng_below(rng, 20);
    const uint32_t bits = jm_rng_below(rng, 12) ? 0 : pair_data(rng) & 0xC0000000;
    return jm_word(JM_TAG_ADDR, jm_data(jm_addr(base, length)) | bits);
}

static JmWord data_word(JmRng *rng) {
    const uint32_t flags = ip_flags(rng);
    switch (jm_rng_below(rng, 10)) {
    case 0:
    case 1:
        return jm_word(JM_TAG_MSG,
                       jm_data(jm_msg(code_address(rng), jm_rng_below(rng, 10))) |
                           (flags & (JM_IP_UNCHECKED | JM_IP_FAULT)));
    case 2:
        return jm_ip(code_address(rng), flags);
    case 3:
        return usable_addr(rng);
    case 4:
    case 5:
        return jm_int((int32_t)jm_rng_below(rng, 16));
    case 6:
        return jm_bool(jm_rng_below(rng, 2));
    case 7:
        return JM_NIL;
    default:
        return pair_word(rng);
    }
}

static uint32_t instruction(JmRng *rng, bool may_suspend) {
    const unsigned fields = jm_rng_below(rng, 1 << 11);
    unsigned op = jm_rng_below(rng, 64);
    if (op == OP_SUSPEND && !may_suspend)
        op = OP_READ;
    if (!jm_op_info(op)->name && jm_rng_below(rng, 8))
        op = OP_READ + jm_rng_below(rng, 2);
    /* Sends mostly take 0 (this node) or a word from memory. */
    if (op >= OP_SEND && op <= OP_SEND2E && jm_rng_below(rng, 8)) {
        const bool zero = jm_rng_below(rng, 2);
        return code(op, jm_rng_below(rng, 2), op < OP_SEND2 ? 0 : fields >> 7,
                    zero ? op0_immediate(0) : op0_offset(fields >> 3, fields & 3));
    }
    return op << 11 | fields;
}

static JmWord code_word(JmRng *rng, bool may_suspend) {
    if (jm_rng_below(rng, 24) == 0)
        return data_word(rng); /* an inline constant */
    return jm_instruction_word(instruction(rng, may_suspend),
                               instruction(rng, may_suspend));
}

/* A message to this node: routing word, header from A1, then up to four words. */
static uint32_t put_message(Pair *pair, JmRng *rng, uint32_t address) {
    const unsigned p = jm_rng_below(rng, 2), more = jm_rng_below(rng, 3);
    pair_write(pair, address++,
               jm_instruction_word(code(OP_SEND, p, 0, op0_immediate(0)),
                                   code(more ? OP_SEND : OP_SENDE, p, 0,
                                        op0_offset(jm_rng_below(rng, 16), 1))));
    for (unsigned k = 0; k < more; k++) {
        const unsigned op = k + 1 == more ? OP_SEND2E : OP_SEND2;
        const unsigned rs = jm_rng_below(rng, 4), operand = jm_rng_below(rng, 128);
        pair_write(pair, address++, jm_instruction_word(code(op, p, rs, operand), 0));
    }
    return address;
}

static void fill_code(Pair *pair, JmRng *rng, uint32_t first, uint32_t words,
                      bool may_suspend) {
    for (uint32_t address = first; address < first + words - 4;)
        if (jm_rng_below(rng, 8) == 0)
            address = put_message(pair, rng, address);
        else
            pair_write(pair, address++, code_word(rng, may_suspend));
}

static void fill_memory(Pair *pair, JmRng *rng) {
    fill_code(pair, rng, BACKGROUND_CODE, CODE_WORDS, false);
    fill_code(pair, rng, TASK_CODE, CODE_WORDS, true);
    fill_code(pair, rng, EXTERNAL_CODE, EXTERNAL_WORDS, true);
    for (uint32_t k = 0; k < DATA_WORDS; k++)
        pair_write(pair, DATA + k, data_word(rng));
    for (uint32_t k = 0; k < 0x40; k++) {
        pair_write(pair, k, data_word(rng));
        pair_write(pair, TABLE + k, data_word(rng));
        pair_write(pair, 0x80 + k, data_word(rng));
    }
    for (uint32_t fault = 0; fault < 0x13; fault++) {
        const uint32_t flags = fault == 0 ? JM_IP_ABSOLUTE : ip_flags(rng);
        pair_write(pair, 0x40 + fault, jm_ip(code_address(rng), flags));
        pair_write(pair, 0x60 + fault, jm_ip(code_address(rng), flags));
    }
}

static void set_state(Pair *pair, JmRng *rng) {
    pair_random_registers(pair, rng);
    for (unsigned context = 0; context < ORACLE_CONTEXTS; context++) {
        for (unsigned n = 0; n < 4; n++) {
            pair_set(pair, context, ORACLE_REG_R0 + n, data_word(rng));
            pair_set(pair, context, ORACLE_REG_A0 + n, usable_addr(rng));
        }
        pair_set(pair, context, ORACLE_REG_FIP,
                 jm_ip(code_address(rng), ip_flags(rng)));
    }
    for (unsigned priority = 0; priority < 2; priority++) {
        const uint32_t base = priority ? QUEUE1 : QUEUE0;
        const uint32_t size = 8u << jm_rng_below(rng, 4);
        const uint32_t head = base + (4 * jm_rng_below(rng, 32)) % size;
        pair_set(pair, priority, ORACLE_REG_QBM, jm_addr(base, size - 1));
        pair_set(
            pair, priority, ORACLE_REG_QHL,
            jm_addr(head, jm_rng_below(rng, 3) ? 0 : 4 * jm_rng_below(rng, size / 4)));
        pair_set(pair, priority, ORACLE_REG_IP,
                 jm_ip(code_address(rng), ip_flags(rng)));
    }
    for (uint32_t k = 0; k < 0x100; k += 2)
        pair_write(pair, QUEUE0 + k, data_word(rng));
    pair_set(pair, 0, ORACLE_REG_TBM, jm_addr(TABLE, 0x3C));
    pair_set(pair, 0, ORACLE_REG_I, jm_bool(jm_rng_below(rng, 2)));
    pair_set(pair, ORACLE_BACKGROUND, ORACLE_REG_IP,
             jm_ip(BACKGROUND_CODE, ip_flags(rng) & ~JM_IP_FAULT));
    pair_adopt(pair);
}

static OracleTiming random_timing(JmRng *rng) {
    OracleTiming timing = {
        .base = 1 + jm_rng_below(rng, 3),
        .read_onchip = jm_rng_below(rng, 4),
        .write_onchip = jm_rng_below(rng, 4),
        .external = jm_rng_below(rng, 40),
        .suspend = 1 + jm_rng_below(rng, 5),
        .jump = 1 + jm_rng_below(rng, 5),
        .row_onchip = jm_rng_below(rng, 4),
        .row_external = jm_rng_below(rng, 150),
        .xlate = 1 + jm_rng_below(rng, 80),
        .dispatch = 1 + jm_rng_below(rng, 9),
        .fault = 1 + jm_rng_below(rng, 9),
        .constant = 1 + jm_rng_below(rng, 3),
    };
    return timing;
}

/* Keeps the last instruction reported to an observer. */
static bool look_on(void *context, const JmEvent *event) {
    uint32_t *instruction = context;
    if (event->kind == JM_EVENT_INSTRUCTION)
        *instruction = event->instruction;
    return false;
}

static Pair *random_pair(JmRng *rng, const OracleTiming *timing) {
    Pair *pair = pair_create(timing);
    fill_memory(pair, rng);
    set_state(pair, rng);
    return pair;
}

/* The expected statistics of a run, counted from the oracle's steps. */
typedef struct {
    uint64_t instructions, dispatches, faults[JM_FAULT_COUNT];
} Count;

static void count_step(Count *count, const OracleStep *step) {
    count->instructions += step->act == ORACLE_DID_INSTRUCTION;
    count->dispatches += step->act == ORACLE_DID_DISPATCH;
    if (step->fault != ORACLE_NO_FAULT) {
        count->faults[step->fault]++;
        count->faults[ORACLE_CATASTROPHE] += step->catastrophe;
    }
}

static void compare_statistics(const Pair *pair, const Count *count, uint64_t seed) {
    JmNodeStatistics is;
    jm_node_statistics(pair->machine, 0, &is);
    cr_assert_eq(is.instructions, count->instructions, "seed %llu",
                 (unsigned long long)seed);
    cr_assert_eq(is.dispatches[0] + is.dispatches[1], count->dispatches, "seed %llu",
                 (unsigned long long)seed);
    for (unsigned fault = 0; fault < JM_FAULT_COUNT; fault++) {
        cr_assert_eq(is.faults[fault], count->faults[fault],
                     "seed %llu, %s: %u, not %u", (unsigned long long)seed,
                     jm_fault_name(fault), (unsigned)is.faults[fault],
                     (unsigned)count->faults[fault]);
    }
}

/* One program; adds what it did to `seen`. Every other machine is observed, which must
 * not change what it does. */
static void run_program(uint64_t seed, const OracleTiming *timing, unsigned *seen) {
    JmRng rng = jm_rng(seed);
    Pair *pair = random_pair(&rng, timing);
    const bool observed = seed % 2 == 0;
    uint32_t told = 0;
    if (observed)
        jm_observe(pair->machine, UINT32_MAX & ~(1u << JM_EVENT_FLIT), look_on, &told);
    Count count = {0};
    for (unsigned k = 0; k < BOUNDARIES && !pair->ended; k++) {
        OracleStep step;
        if (jm_rng_below(&rng, 64) == 0) {
            jm_post(pair->machine, 0, JM_FAULT_INTERRUPT);
            pair->oracle->interrupt = true;
        }
        const bool agree = pair_step(pair, &step);
        cr_assert(agree, "seed %llu, boundary %u: %s", (unsigned long long)seed, k,
                  pair->trouble);
        if (observed && step.act >= ORACLE_DID_INSTRUCTION && !pair->ended)
            cr_assert_eq(told, step.instruction);
        seen[step.act]++;
        count_step(&count, &step);
    }
    if (!pair->ended) /* a sleeping node continues to count */
        compare_statistics(pair, &count, seed);
    pair_destroy(pair);
}

/* A noisy program is of no use if it never gets anywhere. */
static void everything_happened(const unsigned *seen) {
    for (int act = ORACLE_DID_INTERRUPT; act <= ORACLE_DID_STOP; act++)
        cr_expect_gt(seen[act], 20u, "act %d happened %u times", act, seen[act]);
    cr_expect_gt(seen[ORACLE_DID_INSTRUCTION], 10000u);
}

Test(exec_random, programs) {
    unsigned seen[ORACLE_DID_STOP + 1] = {0};
    for (uint64_t seed = 1; seed <= 800; seed++)
        run_program(seed, NULL, seen);
    everything_happened(seen);
}

Test(exec_random, programs_with_other_timing) {
    unsigned seen[ORACLE_DID_STOP + 1] = {0};
    for (uint64_t seed = 100001; seed <= 100500; seed++) {
        JmRng rng = jm_rng(seed ^ 0x5555);
        const OracleTiming timing = random_timing(&rng);
        run_program(seed, &timing, seen);
    }
    everything_happened(seen);
}

/* The machine runs in one go to where the oracle has come step by step. */
Test(exec_random, programs_in_one_go) {
    unsigned stopped = 0;
    for (uint64_t seed = 200001; seed <= 200500; seed++) {
        JmRng rng = jm_rng(seed);
        Pair *pair = random_pair(&rng, NULL);
        OracleStep step = {.act = ORACLE_DID_INSTRUCTION};
        for (unsigned k = 0; k < BOUNDARIES && step.act != ORACLE_DID_STOP; k++)
            step = oracle_step(pair->oracle);
        const bool stops = step.act == ORACLE_DID_STOP;
        const JmStop stop =
            jm_run(pair->machine, pair->oracle->now + (stops ? 1000 : 0));
        cr_assert_eq(stop == JM_STOP_STOPPED, stops, "seed %llu: %s",
                     (unsigned long long)seed, jm_stop_name(stop));
        const bool agree = stops || pair_compare(pair);
        cr_assert(agree, "seed %llu: %s", (unsigned long long)seed, pair->trouble);
        stopped += stops;
        pair_destroy(pair);
    }
    cr_expect_gt(stopped, 20u);
    cr_expect_lt(stopped, 400u, "%u of 500 programs stopped", stopped);
}
