/* Messages and faults that come to a node that sleeps. Dispatch, queues and interrupts
 * are compared with the oracle (tests/isa), which never sleeps. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/emu/rig.h"

/* A row written in cycle t can dispatch from t + 1; a node that rests gets to it at the
 * end of its branch, which takes two cycles, asleep or not: both cases must occur. */
Test(emu_dispatch, at_the_first_boundary_after_the_row) {
    unsigned seen[3] = {0};
    for (unsigned delay = 0; delay < 6; delay++) {
        char source[400];
        snprintf(source, sizeof source,
                 "        queues 63, 63\n"
                 "        peek 0xFFF0E,r1\n"
                 "        bnz r1,^wait\n"
                 "        .rept %u\n"
                 "        move [0,a0],r2\n"
                 "        .endr\n"
                 "        move 1,r1\n"
                 "        .msg handler,1\n"
                 "        send2e r1,r0,0\n"
                 "wait:   rest\n"
                 "        .text\n"
                 "handler: suspend\n",
                 delay);
        Rig *rig = rig_open(2, 1, 1, source);
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

/* Posted faults wait for I = 0, then are taken at the next boundary, also by a node
 * that sleeps. */
static void posted(JmFault fault, const char *background) {
    char source[400];
    snprintf(source, sizeof source,
             "        vector 0x41, taken\n"
             "        vector 0x45, taken\n"
             "%s"
             "        .data\n"
             "count:  .word INT:0\n"
             "        .text\n"
             "taken:  peek count,r3\n"
             "        add r3,1,r3\n"
             "        poke r3,count\n"
             "        ldipr fip\n",
             background);
    Rig *rig = rig_open(1, 1, 1, source);
    jm_post(rig->machine, 0, fault);
    jm_run(rig->machine, 100);
    cr_expect_eq(jm_data(rig_word(rig, 0, "count", 0)), 0u);
    jm_set_register(rig->machine, 0, JM_CONTEXT_BACKGROUND, JM_REG_I, jm_bool(false));
    jm_run(rig->machine, 200);
    cr_expect_eq(jm_data(rig_word(rig, 0, "count", 0)), 1u);
    jm_post(rig->machine, 0, fault);
    jm_run(rig->machine, 300);
    cr_expect_eq(jm_data(rig_word(rig, 0, "count", 0)), 2u);
    cr_expect_eq(rig_statistics(rig, 0).faults[fault], 2u);
    rig_close(rig);
}

Test(emu_dispatch, posted_faults) {
    posted(JM_FAULT_INTERRUPT, "loop:   add r1,1,r1\n        br ^loop\n");
    posted(JM_FAULT_DRAMERR, "loop:   add r1,1,r1\n        br ^loop\n");
    posted(JM_FAULT_INTERRUPT, "        rest\n");
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
