/* Dispatch: when it happens, which priority goes first, what it does not change. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/emu/rig.h"

/* Node 0 sends one message of one word to the other node after `delay` reads. */
static Rig *one_message(unsigned delay) {
    char source[2000];
    snprintf(source, sizeof source,
             "        queues 63, 63\n"
             "        move nnr,r1\n"
             "        .word INT:0xFFF0E\n"
             "        move [r0,a0],r1\n"
             "        bnz r1,^wait\n"
             "        .rept %u\n"
             "        move [0,a0],r2\n"
             "        .endr\n"
             "        move 1,r1\n"
             "        .msg handler,1\n"
             "        send2e r1,r0,0\n"
             "wait:   br ^wait\n"
             "        .text\n"
             "handler:\n"
             "        suspend\n",
             delay);
    return rig_open(2, 1, 1, source);
}

/* A row written in cycle t can dispatch from t+1; the node gets to it at the end of its
 * branch, which it issues every other cycle: both cases must occur. */
Test(emu_dispatch, at_the_first_boundary_after_the_row) {
    unsigned seen[3] = {0};
    for (unsigned delay = 0; delay < 6; delay++) {
        Rig *rig = one_message(delay);
        rig_log(rig, 1 << JM_EVENT_DISPATCH | 1 << JM_EVENT_ARRIVE);
        rig_run(rig, 1000, JM_STOP_IDLE);
        const uint64_t arrived = rig_event(rig, JM_EVENT_ARRIVE, 1, 0)->cycle;
        const uint64_t dispatched = rig_event(rig, JM_EVENT_DISPATCH, 1, 0)->cycle;
        cr_assert(dispatched == arrived + 1 || dispatched == arrived + 2);
        seen[dispatched - arrived]++;
        rig_close(rig);
    }
    cr_expect_gt(seen[1], 0u);
    cr_expect_gt(seen[2], 0u);
}

/* The same cycles whether the receiver's loop can sleep or is watched. */
Test(emu_dispatch, sleep_does_not_show) {
    for (unsigned delay = 0; delay < 4; delay++) {
        Rig *asleep = one_message(delay), *watched = one_message(delay);
        rig_log(asleep, 1 << JM_EVENT_DISPATCH);
        rig_log(watched, (1 << JM_EVENT_COUNT) - 1);
        jm_run(asleep->machine, 500);
        jm_run(watched->machine, 500);
        cr_expect_eq(rig_event(asleep, JM_EVENT_DISPATCH, 1, 0)->cycle,
                     rig_event(watched, JM_EVENT_DISPATCH, 1, 0)->cycle);
        cr_expect_eq(jm_now(asleep->machine), jm_now(watched->machine));
        rig_close(asleep);
        rig_close(watched);
    }
}

/* A task of priority 0 sends itself a message of each priority and goes on: priority 1
 * interrupts it, priority 0 waits for its end. */
static const char interruption[] = "        queues 63, 63\n"
                                   "        move 0,r1\n"
                                   "        .msg first,1\n"
                                   "        send2e r1,r0,0\n"
                                   "        rest\n"
                                   "        .data\n"
                                   "trace:  .space 8, INT:0\n"
                                   "next:   .addr trace, 0\n"
                                   "        .text\n"
                                   "first:\n"
                                   "        move 0,r1\n"
                                   "        .msg other,1\n"
                                   "        send2e r1,r0,0\n"
                                   "        .msg urgent,1\n"
                                   "        send2e r1,r0,1\n"
                                   "        .word INT:123\n"
                                   "        move r0,r3\n"
                                   "        .rept 30\n"
                                   "        nop\n"
                                   "        .endr\n"
                                   "        .addr trace, 8\n"
                                   "        move r0,a1\n"
                                   "        move r3,[1,a1]\n"
                                   "        suspend\n"
                                   "urgent:\n"
                                   "        .addr trace, 8\n"
                                   "        move r0,a1\n"
                                   "        move 7,r3\n"
                                   "        move r3,[0,a1]\n"
                                   "        suspend\n"
                                   "other:  suspend\n";

Test(emu_dispatch, priority_1_interrupts_priority_0) {
    Rig *rig = rig_open(1, 1, 1, interruption);
    rig_log(rig, 1 << JM_EVENT_DISPATCH | 1 << JM_EVENT_SUSPEND);
    rig_run(rig, 1000, JM_STOP_IDLE);
    static const struct {
        JmEventKind kind;
        JmContext context;
    } order[] = {{JM_EVENT_DISPATCH, JM_CONTEXT_0}, {JM_EVENT_DISPATCH, JM_CONTEXT_1},
                 {JM_EVENT_SUSPEND, JM_CONTEXT_1},  {JM_EVENT_SUSPEND, JM_CONTEXT_0},
                 {JM_EVENT_DISPATCH, JM_CONTEXT_0}, {JM_EVENT_SUSPEND, JM_CONTEXT_0}};
    cr_assert_eq(rig->log.count, 6u);
    for (unsigned k = 0; k < 6; k++) {
        cr_expect_eq(rig->log.event[k].kind, order[k].kind, "event %u: %d", k,
                     (int)rig->log.event[k].kind);
        cr_expect_eq(rig->log.event[k].context, order[k].context, "event %u: %d", k,
                     (int)rig->log.event[k].context);
    }
    /* Each priority has its own R3. */
    cr_expect(jm_same(rig_word(rig, 0, "trace", 0), jm_int(7)));
    cr_expect(jm_same(rig_word(rig, 0, "trace", 1), jm_int(123)));
    cr_expect_eq(rig_statistics(rig, 0).dispatches[0], 2u);
    cr_expect_eq(rig_statistics(rig, 0).dispatches[1], 1u);
    cr_expect_eq(jm_running(rig->machine, 0), JM_CONTEXT_BACKGROUND);
    cr_expect(
        jm_same(jm_register(rig->machine, 0, JM_CONTEXT_0, JM_REG_P), jm_bool(false)));
    rig_close(rig);
}

/* The state set by a dispatch, seen at the handler's first instruction; I masks it. */
Test(emu_dispatch, sets_exactly_what_it_says) {
    Rig *rig = rig_open(1, 1, 1,
                        "        rest\n"
                        "        .text\n"
                        "        .org 0x400\n"
                        "        suspend\n");
    JmMachine *machine = rig->machine;
    jm_write(machine, 0, 0x810,
             jm_word(JM_TAG_MSG, jm_data(jm_msg(0x400, 3)) | JM_IP_UNCHECKED));
    jm_set_register(machine, 0, JM_CONTEXT_1, JM_REG_QBM, jm_addr(0x800, 31));
    jm_set_register(machine, 0, JM_CONTEXT_1, JM_REG_QHL, jm_addr(0x810, 4));
    jm_set_register(machine, 0, JM_CONTEXT_1, JM_REG_A2, jm_addr(0x55, 5));
    jm_set_register(machine, 0, JM_CONTEXT_1, JM_REG_IP, jm_ip(0x77, JM_IP_FAULT));
    rig_run(rig, 1000, JM_STOP_IDLE); /* I = 1: pending, but not for now */
    cr_expect_not(jm_task_active(machine, 0, 1));
    jm_set_register(machine, 0, JM_CONTEXT_BACKGROUND, JM_REG_I, jm_bool(false));
    rig_run(rig, jm_now(machine) + 3, JM_STOP_NONE);
    cr_expect_eq(jm_running(machine, 0), JM_CONTEXT_1);
    cr_expect(jm_task_active(machine, 0, 1));
    cr_expect(
        jm_same(jm_register(machine, 0, JM_CONTEXT_1, JM_REG_A3), jm_addr(0x810, 3)));
    cr_expect(
        jm_same(jm_register(machine, 0, JM_CONTEXT_1, JM_REG_A2), jm_addr(0x55, 5)));
    cr_expect(jm_same(jm_register(machine, 0, JM_CONTEXT_1, JM_REG_Q), jm_bool(true)));
    cr_expect(jm_same(jm_register(machine, 0, JM_CONTEXT_1, JM_REG_IP),
                      jm_ip(0x400, JM_IP_ABSOLUTE | JM_IP_UNCHECKED)));
    rig_run(rig, 2000, JM_STOP_IDLE);
    cr_expect(
        jm_same(jm_register(machine, 0, JM_CONTEXT_1, JM_REG_QHL), jm_addr(0x814, 0)));
    cr_expect(jm_same(jm_register(machine, 0, JM_CONTEXT_1, JM_REG_Q), jm_bool(false)));
    rig_close(rig);
}

/* A head word that is not a header: a MSG fault in the context of its priority, taken
 * even if the old IP of that context holds F, with that IP saved. */
static void msg_fault(JmWord head) {
    Rig *rig = rig_open(1, 1, 1,
                        "        vector 0x49, broken\n"
                        "        rest\n"
                        "        .text\n"
                        "broken: rest\n");
    JmMachine *machine = rig->machine;
    const JmWord old = jm_ip(0x123, JM_IP_FAULT | JM_IP_ABSOLUTE);
    jm_write(machine, 0, 0x800, head);
    jm_set_register(machine, 0, JM_CONTEXT_0, JM_REG_QBM, jm_addr(0x800, 31));
    jm_set_register(machine, 0, JM_CONTEXT_0, JM_REG_QHL, jm_addr(0x800, 4));
    jm_set_register(machine, 0, JM_CONTEXT_0, JM_REG_A3, jm_addr(0x99, 9));
    jm_set_register(machine, 0, JM_CONTEXT_0, JM_REG_IP, old);
    jm_set_register(machine, 0, JM_CONTEXT_BACKGROUND, JM_REG_I, jm_bool(false));
    rig_log(rig, 1 << JM_EVENT_FAULT | 1 << JM_EVENT_DISPATCH);
    rig_run(rig, 100, JM_STOP_NONE);
    cr_expect_eq(rig->log.count, 1u);
    cr_expect_eq(rig_event(rig, JM_EVENT_FAULT, 0, 0)->fault, JM_FAULT_MSG);
    cr_expect_eq(rig_statistics(rig, 0).faults[JM_FAULT_MSG], 1u);
    cr_expect_eq(rig_statistics(rig, 0).dispatches[0], 0u);
    cr_expect_eq(jm_running(machine, 0), JM_CONTEXT_0);
    cr_expect(jm_task_active(machine, 0, 0));
    cr_expect(jm_same(jm_register(machine, 0, JM_CONTEXT_0, JM_REG_FIP), old));
    cr_expect(jm_same(jm_register(machine, 0, JM_CONTEXT_0, JM_REG_FIR), JM_NIL));
    cr_expect(
        jm_same(jm_register(machine, 0, JM_CONTEXT_0, JM_REG_A3), jm_addr(0x99, 9)));
    cr_expect(jm_same(jm_register(machine, 0, JM_CONTEXT_0, JM_REG_Q), jm_bool(false)));
    rig_close(rig);
}

Test(emu_dispatch, msg_fault) {
    msg_fault(jm_int(3));
    msg_fault(JM_NIL);
    msg_fault(jm_msg(0x400, 0));
    msg_fault(jm_word(JM_TAG_CFUT, 4));
}

/* Posted faults wait for I = 0, then are taken at the next boundary. */
static void posted(JmFault fault) {
    Rig *rig = rig_open(1, 1, 1,
                        "        vector 0x41, taken\n"
                        "        vector 0x45, taken\n"
                        "loop:   add r1,1,r1\n"
                        "        br ^loop\n"
                        "        .data\n"
                        "count:  .word INT:0\n"
                        "        .text\n"
                        "taken:  peek count,r3\n"
                        "        add r3,1,r3\n"
                        "        poke r3,count\n"
                        "        ldipr fip\n");
    jm_post(rig->machine, 0, fault);
    rig_run(rig, 100, JM_STOP_NONE);
    cr_expect_eq(jm_data(rig_word(rig, 0, "count", 0)), 0u);
    jm_set_register(rig->machine, 0, JM_CONTEXT_BACKGROUND, JM_REG_I, jm_bool(false));
    rig_run(rig, 200, JM_STOP_NONE);
    cr_expect_eq(jm_data(rig_word(rig, 0, "count", 0)), 1u);
    cr_expect_eq(rig_statistics(rig, 0).faults[fault], 1u);
    rig_close(rig);
}

Test(emu_dispatch, posted_faults) {
    posted(JM_FAULT_INTERRUPT);
    posted(JM_FAULT_DRAMERR);
}

/* A post wakes a node that sleeps. */
Test(emu_dispatch, posting_wakes_a_sleeper) {
    Rig *rig = rig_open(1, 1, 1,
                        "        vector 0x41, taken\n"
                        "        move false,r0\n"
                        "        move r0,i\n"
                        "        rest\n"
                        "        .text\n"
                        "taken:  move 5,r1\n"
                        "        poke r1,HOST_EXIT\n"
                        "        rest\n");
    rig_run(rig, 1000, JM_STOP_IDLE);
    jm_post(rig->machine, 0, JM_FAULT_INTERRUPT);
    rig_run(rig, jm_now(rig->machine) + 100, JM_STOP_EXIT);
    cr_expect_eq(jm_exit_value(rig->machine), 5);
    rig_close(rig);
}

/* Two simultaneous external faults: the lower number first, and the other not
 * forgotten. */
Test(emu_dispatch, external_faults_by_number) {
    Rig *rig = rig_open(1, 1, 1,
                        "        vector 0x41, taken\n"
                        "        vector 0x45, taken\n"
                        "        rest\n"
                        "        .text\n"
                        "taken:  rest\n");
    rig_log(rig, 1 << JM_EVENT_FAULT);
    jm_post(rig->machine, 0, JM_FAULT_DRAMERR);
    jm_post(rig->machine, 0, JM_FAULT_INTERRUPT);
    jm_set_register(rig->machine, 0, JM_CONTEXT_BACKGROUND, JM_REG_I, jm_bool(false));
    rig_run(rig, 100, JM_STOP_IDLE);
    cr_expect_eq(rig->log.count, 2u);
    cr_expect_eq(rig_event(rig, JM_EVENT_FAULT, 0, 0)->fault, JM_FAULT_INTERRUPT);
    cr_expect_eq(rig_event(rig, JM_EVENT_FAULT, 0, 1)->fault, JM_FAULT_DRAMERR);
    rig_close(rig);
}
