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
