/* The cycle model in plain numbers, without the oracle, which tries other timings too:
 * each line of thesis figure 4-3, rows of instructions, external memory. */
#include <criterion/criterion.h>
#include <string.h>

#include "emu/isa/isa.h"
#include "emu/jm.h"
#include "tests/isa/oracle_code.h"

enum {
    CODE = 0x400,
    DATA = 0x300,
    EXTERNAL = 0x2100,
    VECTORS = 0x40,
    QUEUE = 0x200,
    HANDLER = 0x500,
    EVENTS = 64
};

/* Issues and dispatches as they happen. */
typedef struct {
    unsigned count;
    struct {
        JmEventKind kind;
        uint64_t cycle;
        uint32_t address;
    } event[EVENTS];
} Log;

static bool record(void *context, const JmEvent *event) {
    Log *log = context;
    if (log->count < EVENTS) {
        log->event[log->count].kind = event->kind;
        log->event[log->count].cycle = event->cycle;
        log->event[log->count++].address = event->address;
    }
    return false;
}

static JmMachine *machine_of_one(void) {
    const JmConfig config = jm_config_default();
    JmError error;
    JmMachine *machine = jm_create(&config, &error);
    cr_assert_not_null(machine, "%s", error.text);
    jm_start(machine, 0);
    return machine;
}

static void set(JmMachine *machine, JmContext context, unsigned reg, JmWord word) {
    jm_set_register(machine, 0, context, (JmReg)reg, word);
}

/* A checked background at `start`, A1 on DATA, A2 on external memory, R1 = 5, R2 FALSE,
 * R3 an IP; a translation table that knows key INT:5. */
static void common_state(JmMachine *machine, uint32_t start) {
    const JmContext context = JM_CONTEXT_BACKGROUND;
    set(machine, context, JM_REG_IP, jm_ip(start, JM_IP_ABSOLUTE));
    set(machine, context, JM_REG_A1, jm_addr(DATA, 0));
    set(machine, context, JM_REG_A2, jm_addr(EXTERNAL, 0));
    set(machine, context, JM_REG_R1, jm_int(5));
    set(machine, context, JM_REG_R2, jm_bool(false));
    set(machine, context, JM_REG_TBM, jm_addr(DATA + 0x40, 0));
    jm_write(machine, 0, DATA, jm_int(6));
    jm_write(machine, 0, DATA + 0x40, jm_int(7));
    jm_write(machine, 0, DATA + 0x41, jm_int(5));
    jm_write(machine, 0, EXTERNAL, jm_int(7));
    jm_write(machine, 0, EXTERNAL + 1, jm_int(5));
    jm_write(machine, 0, 0x80 + 5, jm_ip(start + 1, JM_IP_ABSOLUTE));
    set(machine, context, JM_REG_R3, jm_ip(start + 1, JM_IP_ABSOLUTE));
    for (uint32_t fault = 0; fault < 0x20; fault++)
        jm_write(machine, 0, VECTORS + fault, jm_ip(start + 1, JM_IP_ABSOLUTE));
}

/* Cycles from the issue of the instruction in the low half of the first word at `start`
 * to the issue of the next one, which is in the same row. A NOP before it takes the
 * cost of fetching the row. */
static uint64_t cost_at(JmMachine *machine, uint32_t start, uint32_t instruction) {
    Log log = {0};
    const uint32_t nop = code(OP_NOP, 0, 0, 0);
    jm_write(machine, 0, start, jm_instruction_word(nop, instruction));
    jm_write(machine, 0, start + 1, jm_instruction_word(nop, nop));
    jm_observe(machine, 1 << JM_EVENT_INSTRUCTION, record, &log);
    jm_run(machine, jm_now(machine) + 2000);
    cr_assert_geq(log.count, 3u);
    cr_assert_eq(log.event[1].address, start);
    cr_assert_eq(log.event[2].address, start + 1);
    return log.event[2].cycle - log.event[1].cycle;
}

static uint64_t cost(uint32_t instruction) {
    JmMachine *machine = machine_of_one();
    common_state(machine, CODE);
    const uint64_t cycles = cost_at(machine, CODE, instruction);
    jm_destroy(machine);
    return cycles;
}

/* The cycles that listings print, which ignore faults: the branches below that test for
 * TRUE are not taken. */
static unsigned listed(uint32_t instruction, uint32_t external_operand) {
    const JmTiming timing = jm_timing_default();
    const JmDecoded decoded = jm_decode(instruction);
    return jm_cycles(&timing, &decoded, decoded.op != OP_BT,
                     (instruction & 0x7F) == external_operand);
}

Test(exec_cycles, each_kind_of_instruction) {
    const unsigned onchip = op0_offset(0, 1), external = op0_offset(0, 2);
    const struct {
        uint32_t instruction;
        unsigned cycles;
        const char *what;
    } rows[] = {
        {code(OP_NOP, 0, 0, 0), 1, "nop"},
        {code(OP_READ, 0, 0, op0_r(1)), 1, "move r1,r0"},
        {code(OP_READ, 0, 0, onchip), 2, "read on chip"},
        {code(OP_WRITE, 0, 1, onchip), 1, "write on chip"},
        {code(OP_READ, 0, 0, external), 6, "read external"},
        {code(OP_WRITE, 0, 1, external), 6, "write external"},
        {code(OP_ADD, 0, 1, op0_immediate(1)), 1, "add"},
        {code(OP_ADD, 0, 1, onchip), 2, "add on chip"},
        {code(OP_MUL, 0, 1, external), 6, "mul external"},
        {code(OP_READR, 0, 0, 0x14), 1, "readr"},
        {code(OP_WRITER, 0, 1, 0x0C), 1, "writer"},
        {code(OP_BR, 0, 0, op0_immediate(0)), 2, "branch taken"},
        {code(OP_BT, 0, 2, op0_immediate(0)), 1, "branch not taken"},
        {code(OP_BF, 0, 2, op0_immediate(0)), 2, "conditional branch taken"},
        {code(OP_BT, 0, 2, onchip), 2, "branch not taken, displacement on chip"},
        {code(OP_LDIP, 0, 0, op0_r(3)), 2, "ldip"},
        {code(OP_LDIPR, 0, 0, 0x03), 2, "ldipr"},
        {code(OP_CALL, 0, 0, op0_r(1)), 2, "call"},
        {code(OP_XLATE, 0, 1, op0_r(0)), 3, "xlate"},
        {code(OP_PROBE, 0, 1, op0_r(0)), 3, "probe"},
        {code(OP_ENTER, 0, 1, op0_r(1)), 3, "enter"},
        {code(OP_ENTER, 0, 1, onchip), 3, "enter, key on chip"},
        {code(OP_ENTER, 0, 1, external), 8, "enter, key external"},
        {code(OP_INVAL, 0, 0, 0), 1, "inval"},
        {code(OP_SEND, 0, 0, op0_immediate(0)), 1, "send"},
        {code(OP_SEND, 0, 0, op0_r(2)), 1, "send r2"},
        {code(OP_SEND2, 0, 1, op0_immediate(0)), 1, "send2"},
        {code(OP_READ, 0, 0, op0_offset(0, 1) | 3), 2, "[0,a3] outside a task"},
        {code(OP_ADD, 0, 2, op0_immediate(1)), 5, "fault"},
        {0x0Du << 11, 5, "fault: undefined opcode"},
    };
    for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const uint64_t cycles = cost(rows[k].instruction);
        cr_expect_eq(cycles, rows[k].cycles, "%s: %u", rows[k].what, (unsigned)cycles);
        if (strncmp(rows[k].what, "fault", 5) != 0)
            cr_expect_eq(listed(rows[k].instruction, external), rows[k].cycles, "%s",
                         rows[k].what);
    }
}

/* A translation row in external memory adds one access, as a CALL vector there does. */
Test(exec_cycles, tables_and_vectors_in_external_memory) {
    JmMachine *machine = machine_of_one();
    common_state(machine, CODE);
    set(machine, JM_CONTEXT_BACKGROUND, JM_REG_TBM, jm_addr(EXTERNAL, 0));
    cr_expect_eq(cost_at(machine, CODE, code(OP_XLATE, 0, 1, op0_r(0))), 8u);
    jm_destroy(machine);
    machine = machine_of_one();
    common_state(machine, CODE);
    set(machine, JM_CONTEXT_BACKGROUND, JM_REG_R1, jm_int(EXTERNAL));
    jm_write(machine, 0, 0x80 + EXTERNAL, jm_ip(CODE + 1, JM_IP_ABSOLUTE));
    cr_expect_eq(cost_at(machine, CODE, code(OP_CALL, 0, 0, op0_r(1))), 7u);
    jm_destroy(machine);
}

/* Issue times of straight-line NOPs: a row of four words, eight instructions, costs
 * once on entering it. */
static void straight_line(uint32_t start, unsigned at_start, unsigned at_row) {
    JmMachine *machine = machine_of_one();
    Log log = {0};
    common_state(machine, start);
    for (uint32_t k = 0; k < 12; k++)
        jm_write(machine, 0, start + k, jm_instruction_word(0, 0));
    jm_observe(machine, 1 << JM_EVENT_INSTRUCTION, record, &log);
    jm_run(machine, 150);
    cr_assert_geq(log.count, 20u);
    const uint64_t first = log.event[0].cycle;
    for (unsigned k = 1; k < 20; k++) {
        const unsigned rows = (start % 4 * 2 + k - 1) / 8;
        const uint64_t expected = k + at_start + rows * at_row;
        cr_expect_eq(log.event[k].cycle - first, expected, "%05X: instruction %u at %u",
                     start, k, (unsigned)(log.event[k].cycle - first));
    }
    jm_destroy(machine);
}

Test(exec_cycles, rows_of_instructions) {
    straight_line(CODE, 1, 1);
    straight_line(CODE + 1, 1, 1);
    straight_line(CODE + 3, 1, 1);
    straight_line(0x1000, 1, 1); /* ROM counts as on-chip */
    straight_line(EXTERNAL, 24, 24);
}

/* A node remembers one row, that of the last word fetched: a branch within it is free,
 * a branch away and back pays twice. */
Test(exec_cycles, branches_and_rows) {
    JmMachine *machine = machine_of_one();
    Log log = {0};
    common_state(machine, CODE);
    const uint32_t nop = code(OP_NOP, 0, 0, 0);
    const struct {
        uint32_t address, instruction;
    } words[] = {{CODE, code(OP_BR, 0, 0, op0_immediate(1))},
                 {CODE + 2, code(OP_BR, 0, 0, op0_immediate(5))},
                 {CODE + 8, code(OP_BR, 3, 0, op0_immediate(-7))}};
    for (unsigned k = 0; k < 3; k++) {
        jm_write(machine, 0, words[k].address,
                 jm_instruction_word(words[k].instruction, nop));
    }
    jm_observe(machine, 1 << JM_EVENT_INSTRUCTION, record, &log);
    jm_run(machine, 20);
    static const struct {
        uint32_t address, cycle;
    } expected[] = {
        {CODE, 0}, {CODE + 2, 3}, {CODE + 8, 5}, {CODE + 2, 8}, {CODE + 8, 11}};
    for (unsigned k = 0; k < 5; k++) {
        cr_expect_eq(log.event[k].address, expected[k].address);
        cr_expect_eq(log.event[k].cycle, expected[k].cycle, "event %u at %u", k,
                     (unsigned)log.event[k].cycle);
    }
    jm_destroy(machine);
}

/* An inline constant costs 1, and is not an instruction. */
Test(exec_cycles, inline_constants) {
    JmMachine *machine = machine_of_one();
    Log log = {0};
    common_state(machine, CODE);
    for (uint32_t k = 0; k < 8; k++)
        jm_write(machine, 0, CODE + k, k == 1 ? jm_int(77) : jm_instruction_word(0, 0));
    jm_observe(machine, 1 << JM_EVENT_INSTRUCTION, record, &log);
    jm_run(machine, 8);
    cr_assert_geq(log.count, 3u);
    cr_expect_eq(log.event[2].address, (uint32_t)CODE + 2);
    cr_expect_eq(log.event[2].cycle - log.event[1].cycle, 2u);
    cr_expect(
        jm_same(jm_register(machine, 0, JM_CONTEXT_BACKGROUND, JM_REG_R0), jm_int(77)));
    jm_destroy(machine);
}

/* Figure 4-3's handler: RandomSeed.. in A1, counters in A0, its message in A3. */
static const struct {
    uint32_t instruction;
    unsigned cycles;
} snake[] = {
    {(OP_READ << 11) | 2 << 9 | 0x41, 2},         /* move [RandomSeed,a1],r2 */
    {(OP_ADD << 11) | 2 << 9 | 2 << 7 | 0x45, 2}, /* add r2,[RandomSeedInc,a1],r2 */
    {(OP_WRITE << 11) | 2 << 7 | 0x41, 1},        /* move r2,[RandomSeed,a1] */
    {(OP_AND << 11) | 2 << 9 | 2 << 7 | 0x49, 2}, /* and r2,[RandomSeedMask,a1],r2 */
    {(OP_READ << 11) | 3 << 9 | 0x47, 2},         /* move [1,a3],r3 */
    {(OP_BZ << 11) | 3 << 7 | 0x28, 1},           /* bz r3,^SnakeDone */
    {(OP_READ << 11) | 0x20, 1},                  /* move 0,r0 */
    {(OP_WRITE << 11) | 0x44, 1},                 /* move r0,[Retries,a0] */
    {(OP_SUB << 11) | 3 << 9 | 3 << 7 | 0x21, 1}, /* sub r3,1,r3 */
    {(OP_BZ << 11) | 3 << 7 | 0x28, 1},           /* bz r3,^SnakeLast */
    {(OP_SEND << 11) | 2, 1},                     /* send r2,0 */
    {(OP_SEND2 << 11) | 3 << 7 | 0x43, 2},        /* send2 [0,a3],r3,0 */
    {(OP_SENDE << 11) | 0x4B, 2},                 /* sende [2,a3],0 */
    {(OP_READ << 11) | 1 << 9 | 0x4D, 2},         /* move [SnakesDid,a1],r1 */
    {(OP_ADD << 11) | 1 << 9 | 1 << 7 | 0x21, 1}, /* add r1,1,r1 */
    {(OP_WRITE << 11) | 1 << 7 | 0x4D, 1},        /* move r1,[SnakesDid,a1] */
    {(OP_SUSPEND << 11), 2},
};

enum { SNAKE_LINES = sizeof snake / sizeof snake[0] };

static void load_snake(JmMachine *machine) {
    for (uint32_t k = 0; k < SNAKE_LINES; k += 2) {
        const uint32_t low = k + 1 < SNAKE_LINES ? snake[k + 1].instruction : 0;
        jm_write(machine, 0, HANDLER + k / 2,
                 jm_instruction_word(snake[k].instruction, low));
    }
    for (uint32_t k = 0; k < 4; k++) /* seed, increment, mask, count */
        jm_write(machine, 0, DATA + k, jm_int(0));
    jm_write(machine, 0, QUEUE, jm_msg(HANDLER, 3));
    jm_write(machine, 0, QUEUE + 1, jm_int(9));
    jm_write(machine, 0, QUEUE + 2, jm_int(1));
    set(machine, JM_CONTEXT_0, JM_REG_A0, jm_addr(0, 0));
    set(machine, JM_CONTEXT_0, JM_REG_A1, jm_addr(DATA, 4));
    set(machine, JM_CONTEXT_0, JM_REG_QBM, jm_addr(QUEUE, 63));
    set(machine, JM_CONTEXT_0, JM_REG_QHL, jm_addr(QUEUE, 4));
    set(machine, JM_CONTEXT_BACKGROUND, JM_REG_I, jm_bool(false));
}

/* 4 cycles of dispatch, 25 of instructions, 1 for each of the three rows of code. */
Test(exec_cycles, snake_handler_of_figure_4_3) {
    JmMachine *machine = machine_of_one();
    Log log = {0};
    common_state(machine, CODE);
    jm_write(machine, 0, CODE, jm_instruction_word(0, 0));
    load_snake(machine);
    jm_observe(machine, 1 << JM_EVENT_INSTRUCTION | 1 << JM_EVENT_DISPATCH, record,
               &log);
    jm_run(machine, 40);
    cr_assert_geq(log.count, SNAKE_LINES + 2u);
    cr_expect_eq(log.event[0].kind, JM_EVENT_DISPATCH);
    cr_expect_eq(log.event[0].cycle, 0u);
    cr_expect_eq(log.event[1].cycle, 4u);
    uint64_t total = 0;
    for (unsigned k = 0; k < SNAKE_LINES; k++) {
        const uint64_t cycles = log.event[k + 2].cycle - log.event[k + 1].cycle;
        const unsigned row = k % 8 == 0;
        cr_expect_eq(cycles, snake[k].cycles + row, "line %u: %u", k + 1,
                     (unsigned)cycles);
        total += cycles - row;
    }
    cr_expect_eq(total, 25u);
    cr_expect(jm_same(jm_read(machine, 0, DATA + 3), jm_int(1)));
    jm_destroy(machine);
}
