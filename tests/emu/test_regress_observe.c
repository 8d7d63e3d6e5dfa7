/* What observers are told of, and what they read in the middle of a cycle. */
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
                        "        .rom\n"
                        "        .org 0x1000\n"
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
                        "        .rom\n"
                        "        .org 0x1000\n"
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

/* Every access to memory by an instruction is told once; registers, constants and
 * instructions that fault are none. */
Test(emu_regress_observe, accesses) {
    Rig *rig = rig_open(1, 1, 1,
                        "        .vectors\n"
                        "        .org 0x47\n"
                        "        .ip ended, U\n"
                        "        .rom\n"
                        "        .org 0x1000\n"
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
    cr_assert_eq(rig->log.count, WANTED + 1u);
    for (unsigned i = 0; i < WANTED; i++) {
        const JmEvent *event = &rig->log.event[i];
        cr_expect_eq(event->kind, wanted[i].kind, "access %u", i);
        cr_expect_eq(event->address, rig_address(rig, "table") + wanted[i].word,
                     "access %u", i);
        cr_expect_eq(event->where, rig_address(rig, wanted[i].where), "access %u", i);
        cr_expect(jm_same(event->word, jm_int(wanted[i].value)), "access %u", i);
    }
    cr_expect_eq(rig->log.event[WANTED].kind, JM_EVENT_FAULT);
    rig_close(rig);
}

/* ENTER writes a row of the table: both ways, each data and its key. Each of the four
 * words is told. */
Test(emu_regress_observe, enter) {
    Rig *rig = rig_open(1, 1, 1,
                        "        .rom\n"
                        "        .org 0x1000\n"
                        "        .addr table, 15\n"
                        "        move r0,tbm\n"
                        "        move 5,r1\n"
                        "        move 9,r2\n"
                        "first:  enter r2,r1\n"
                        "        rest\n"
                        "        .data\n"
                        "        .align 16\n"
                        "table:  .space 16\n");
    rig_log(rig, 1 << JM_EVENT_WRITE);
    rig_run(rig, 1000, JM_STOP_IDLE);
    cr_assert_eq(rig->log.count, 4u);
    unsigned entered = 0;
    for (unsigned i = 0; i < 4; i++) {
        const JmEvent *event = &rig->log.event[i];
        cr_expect_eq(event->address % 4, i);
        cr_expect_eq(event->address - i, rig->log.event[0].address);
        cr_expect(jm_same(event->word, jm_read(rig->machine, 0, event->address)));
        entered += jm_same(event->word, jm_int(i % 2 ? 5 : 9));
    }
    cr_expect_eq(entered, 2u);
    cr_expect_eq(rig->log.event[0].address & ~15u, rig_address(rig, "table"));
    rig_close(rig);
}
