/* Events that observers get, and state that they read in the middle of a cycle. */
#include <criterion/criterion.h>

#include "tests/emu/rig.h"

/* A fetch that A0 forbids is a fault like any other. */
Test(emu_regress_observe, fetch_faults) {
    const struct {
        JmWord a0;
        JmFault fault;
    } cases[] = {{jm_addr(0x1000, 4), JM_FAULT_LIMIT},
                 {jm_word(JM_TAG_ADDR, JM_ADDR_INVALID), JM_FAULT_INVADR}};
    Rig *rig = rig_open(1, 1, 1,
                        "        rest\n"
                        "caught: br ^caught\n");
    for (unsigned k = 0; k < 2; k++) {
        jm_write(rig->machine, 0, 0x40u + cases[k].fault,
                 jm_ip(rig_address(rig, "caught"), JM_IP_ABSOLUTE));
        jm_set_register(rig->machine, 0, JM_CONTEXT_BACKGROUND, JM_REG_A0, cases[k].a0);
        jm_set_register(rig->machine, 0, JM_CONTEXT_BACKGROUND, JM_REG_IP, jm_ip(7, 0));
        rig_log(rig, 1 << JM_EVENT_FAULT);
        rig_run(rig, 1000, JM_STOP_IDLE);
        const JmEvent *event = rig_event(rig, JM_EVENT_FAULT, 0, k);
        cr_expect_eq(event->fault, (unsigned)cases[k].fault);
        cr_expect_eq(event->address, 7u);
        cr_expect_eq(rig_count(rig, JM_EVENT_FAULT, 0), k + 1);
    }
    rig_close(rig);
}

static bool read_mean(void *context, const JmEvent *event) {
    const Rig *rig = context;
    const JmNodeStatistics statistics = rig_statistics(rig, event->node);
    uint64_t sum = 0;
    for (unsigned c = 0; c < JM_CLASS_COUNT; c++)
        sum += statistics.cycles[c];
    cr_expect_eq(sum, event->cycle);
    cr_expect_leq(statistics.queue_mean_words[0], 4.0);
    return false;
}

/* Statistics read by an observer, in the cycle in which a row is written. */
Test(emu_regress_observe, statistics_within_a_cycle) {
    Rig *rig = rig_open(1, 1, 1,
                        "        queues 63,63\n"
                        "        .msg here,1\n"
                        "        send2e 0,r0,0\n"
                        "        rest\n"
                        "here:   suspend\n");
    jm_observe(rig->machine, 1 << JM_EVENT_ARRIVE | 1 << JM_EVENT_SUSPEND, read_mean,
               rig);
    rig_run(rig, 1000, JM_STOP_IDLE);
    cr_expect_eq(rig_statistics(rig, 0).dispatches[0], 1u);
    rig_close(rig);
}

/* Every access to memory by an instruction is reported once; those to registers and
 * constants are not. An instruction that faults reports what it read before, and the
 * fault its vector. */
Test(emu_regress_observe, accesses) {
    Rig *rig = rig_open(1, 1, 1,
                        "        vector 0x47, ended, U\n"
                        "        move 3,r1\n"
                        "        move r1,r2\n"
                        "        add r1,r2,r3\n"
                        "        .addr table, 4\n"
                        "        move r0,a1\n"
                        "read:   move [2,a1],r2\n"
                        "add:    add r1,[1,a1],r3\n"
                        "write:  move r3,[r1,a1]\n"
                        "again:  move [r1,a1],r2\n"
                        "        move [7,a1],r2\n"
                        "ended:  rest\n"
                        "        .data\n"
                        "table:  .word INT:10, INT:20, INT:30, INT:40\n");
    static const struct {
        const char *where;
        JmEventKind kind;
        unsigned word;
        int value;
    } wanted[] = {{"read", JM_EVENT_READ, 2, 30},
                  {"add", JM_EVENT_READ, 1, 20},
                  {"write", JM_EVENT_WRITE, 3, 23},
                  {"again", JM_EVENT_READ, 3, 23}};
    enum { WANTED = sizeof wanted / sizeof wanted[0] };
    rig_log(rig, 1 << JM_EVENT_READ | 1 << JM_EVENT_WRITE | 1 << JM_EVENT_FAULT);
    rig_run(rig, 1000, JM_STOP_IDLE);
    cr_assert_eq(rig->log.count, WANTED + 2u);
    for (unsigned i = 0; i < WANTED; i++) {
        const JmEvent *event = &rig->log.event[i];
        cr_expect_eq(event->kind, wanted[i].kind, "access %u", i);
        cr_expect_eq(event->address, rig_address(rig, "table") + wanted[i].word,
                     "access %u", i);
        cr_expect_eq(event->where, rig_address(rig, wanted[i].where), "access %u", i);
        cr_expect(jm_same(event->word, jm_int(wanted[i].value)), "access %u", i);
    }
    cr_expect_eq(rig->log.event[WANTED].kind, JM_EVENT_FAULT);
    cr_expect_eq(rig->log.event[WANTED + 1].access, JM_ACCESS_FAULT_VECTOR);
    cr_expect_eq(rig->log.event[WANTED + 1].address, 0x40u + JM_FAULT_LIMIT);
    rig_close(rig);
}

/* An MSG fault reads its own vector alone, whatever F the IP before it has. */
Test(emu_regress_observe, msg_faults_read_one_vector) {
    Rig *rig = rig_open(1, 1, 1,
                        "        vector 0x49, caught\n"
                        "caught: rest\n");
    JmMachine *machine = rig->machine;
    jm_set_register(machine, 0, JM_CONTEXT_0, JM_REG_QBM, jm_addr(0x800, 31));
    jm_set_register(machine, 0, JM_CONTEXT_0, JM_REG_QHL, jm_addr(0x800, 4));
    jm_set_register(machine, 0, JM_CONTEXT_0, JM_REG_IP, jm_ip(0x123, JM_IP_FAULT));
    jm_set_register(machine, 0, JM_CONTEXT_BACKGROUND, JM_REG_I, jm_bool(false));
    rig_log(rig, 1 << JM_EVENT_READ);
    rig_go_on(rig, 100);
    unsigned vectors = 0;
    for (unsigned i = 0; i < rig->log.count; i++)
        vectors += rig->log.event[i].access == JM_ACCESS_FAULT_VECTOR;
    cr_expect_eq(vectors, 1u);
    rig_close(rig);
}

/* CALL reads the vector that its operand's data names; with a check, only if that is an
 * INT. */
Test(emu_regress_observe, call_vectors) {
    static const unsigned tags[] = {JM_TAG_INT, JM_TAG_BOOL, JM_TAG_ADDR, JM_TAG_MSG};
    Rig *rig = rig_open(1, 1, 1,
                        "        .vectors\n"
                        "        .org 0x40\n"
                        "        .rept 32\n"
                        "        .ip called\n"
                        "        .endr\n"
                        "        .org 0x94\n"
                        "        .ip called\n"
                        "        .rom\n"
                        "        rest\n"
                        "there:  call r1\n"
                        "called: rest\n");
    rig_log(rig, 1 << JM_EVENT_READ);
    for (unsigned k = 0; k < 8; k++) {
        const bool unchecked = k & 1, told = unchecked || tags[k / 2] == JM_TAG_INT;
        const unsigned before = rig->log.count;
        jm_set_register(rig->machine, 0, JM_CONTEXT_BACKGROUND, JM_REG_R1,
                        jm_word(tags[k / 2], 20));
        jm_set_register(rig->machine, 0, JM_CONTEXT_BACKGROUND, JM_REG_IP,
                        jm_ip(rig_address(rig, "there"),
                              JM_IP_ABSOLUTE | (unchecked ? JM_IP_UNCHECKED : 0)));
        rig_run(rig, 1000 * (k + 1), JM_STOP_IDLE);
        cr_assert_eq(rig->log.count, before + 1, "row %u", k);
        const JmEvent *event = &rig->log.event[before];
        cr_expect_eq(event->access == JM_ACCESS_CALL_VECTOR, told, "row %u", k);
        cr_expect_eq(event->address == 0x94, told, "row %u: %05X", k, event->address);
    }
    rig_close(rig);
}

/* A program that reaches memory in all the ways there are: operands, both ways of the
 * translation table, CALL's vector, the row of a message and its header, the vector of
 * a fault, whose instruction has read its operand. */
static const char reaches[] = "        vector 0x4C, caught\n"
                              "        vector 0x94, back, U\n"
                              "        queues 63,63\n"
                              "        .addr table, 15\n"
                              "        move r0,tbm\n"
                              "        .addr words, 4\n"
                              "        move r0,a1\n"
                              "        writer r0,a1'b\n"
                              "        move 5,r1\n"
                              "        move 9,r2\n"
                              "        enter r2,r1\n"
                              "        move 21,r1\n"
                              "        enter r2,[2,a1]\n"
                              "        xlate r1,r3\n"
                              "        move r3,[0,a1]\n"
                              "        move 5,r1\n"
                              "        probe r1,r3\n"
                              "        add r3,[0,a1],r3\n"
                              "        move 12,r1\n"
                              "        probe r1,r2\n"
                              "        move 8,r1\n"
                              "        xlate r1,r1\n"
                              "        move 9,r2\n"
                              "        probe r2,r2\n"
                              "        call [3,a1]\n"
                              "back:   move r3,[0,a1]\n"
                              "        .msg here,2\n"
                              "        send2 0,r0,0\n"
                              "        sende [0,a1],0\n"
                              "        rest\n"
                              "here:   move [1,a3],r1\n"
                              "        add r1,[1,a1],r1\n"
                              "caught: move r1,[1,a1]\n"
                              "        suspend\n"
                              "        .data\n"
                              "        .align 16\n"
                              "table:  .space 8\n"
                              "        .word INT:40, INT:8, INT:41, INT:9\n"
                              "        .space 4\n"
                              "words:  .word INT:3, CFUT:7, INT:21, INT:20\n";

/* The result of a run: the instructions that it issues, and the registers after it. */
static uint64_t outcome_of(const Rig *rig) {
    uint64_t mixed = 0;
    for (unsigned i = 0; i < rig->log.count; i++)
        if (rig->log.event[i].kind == JM_EVENT_INSTRUCTION)
            mixed = (mixed ^ rig->log.event[i].address) * UINT64_C(0x9E3779B97F4A7C15);
    for (unsigned c = 0; c < 3; c++)
        for (unsigned r = JM_REG_R0; r <= JM_REG_A3; r++)
            mixed =
                (mixed ^ jm_register(rig->machine, 0, (JmContext)c, (JmReg)r).bits) *
                UINT64_C(0x9E3779B97F4A7C15);
    return mixed;
}

/* Runs the program; the word at `address`, unless it is 0, is another than it should be
 * from the start. The words before go to `before`. */
static Rig *run_reaching(uint32_t address, JmWord *before) {
    Rig *rig = rig_open(1, 1, 1, reaches);
    if (address)
        jm_write(rig->machine, 0, address,
                 (JmWord){jm_read(rig->machine, 0, address).bits ^ 1u << 10});
    for (uint32_t i = 0; before && i < 0x1000; i++)
        before[i] = jm_read(rig->machine, 0, i);
    rig_log(rig, 1 << JM_EVENT_READ | 1 << JM_EVENT_WRITE | 1 << JM_EVENT_INSTRUCTION);
    jm_run(rig->machine, 2000);
    return rig;
}

/* The events of writes, done over the memory as it was, give the memory as it is, and
 * each says what it is done over. */
Test(emu_regress_observe, writes_make_up_the_memory) {
    JmWord memory[0x1000];
    Rig *rig = run_reaching(0, memory);
    cr_expect(jm_same(rig_word(rig, 0, "words", 0), jm_int(18)));
    cr_expect(jm_same(rig_word(rig, 0, "words", 1), jm_int(18)));
    for (unsigned i = 0; i < rig->log.count; i++) {
        const JmEvent *e = &rig->log.event[i];
        if (e->kind != JM_EVENT_WRITE)
            continue;
        cr_assert_lt(e->address, 0x1000u);
        cr_expect(jm_same(e->old, memory[e->address]), "write %u, %05X", i, e->address);
        memory[e->address] = e->word;
    }
    for (uint32_t i = 0; i < 0x1000; i++)
        cr_expect(jm_same(jm_read(rig->machine, 0, i), memory[i]), "word %05X", i);
    rig_close(rig);
}

/* A word on which the run depends, other than code, is read, and told so. */
Test(emu_regress_observe, what_matters_is_read) {
    Rig *base = run_reaching(0, NULL);
    const uint64_t right = outcome_of(base);
    const uint32_t data = rig_address(base, "table");
    unsigned matter = 0;
    for (uint32_t i = 0; i < 0x60 + 20; i++) {
        const uint32_t address = i < 0x60 ? 0x40 + i : data + i - 0x60;
        Rig *rig = run_reaching(address, NULL);
        bool told = false;
        for (unsigned k = 0; k < base->log.count; k++)
            told |= base->log.event[k].kind == JM_EVENT_READ &&
                    base->log.event[k].address == address;
        matter += outcome_of(rig) != right;
        cr_expect(told || outcome_of(rig) == right, "%05X", address);
        rig_close(rig);
    }
    cr_expect_eq(matter, 8u);
    static const JmAccess wanted[] = {JM_ACCESS_OPERAND, JM_ACCESS_TABLE,
                                      JM_ACCESS_CALL_VECTOR, JM_ACCESS_FAULT_VECTOR,
                                      JM_ACCESS_HEADER};
    for (unsigned w = 0; w < sizeof wanted / sizeof *wanted; w++) {
        unsigned count = 0;
        for (unsigned k = 0; k < base->log.count; k++)
            count += base->log.event[k].kind == JM_EVENT_READ &&
                     base->log.event[k].access == wanted[w];
        cr_expect_gt(count, 0u, "access %u", w);
    }
    rig_close(base);
}
