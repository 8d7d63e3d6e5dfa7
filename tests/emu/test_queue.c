/* Full, disabled and largest queues. The others are compared with the oracle
 * (tests/isa). */
#include <criterion/criterion.h>

#include "tests/emu/rig.h"

/* Node 0 sends `count` messages of 1 + 5 words to node 1, where no task reads them. */
static const char sender[] = "        peek 0xFFF0E,r1\n"
                             "        bnz r1,^wait\n"
                             "        peek count,r3\n"
                             "        move 1,r2\n"
                             "more:   bz r3,^wait\n"
                             "        .msg 0x444,6\n"
                             "        send2 r2,r0,0\n"
                             "        send2 11,r3,0\n"
                             "        send2 12,r3,0\n"
                             "        sende 13,0\n"
                             "        sub r3,1,r3\n"
                             "        br ^more\n"
                             "wait:   rest\n"
                             "        .data\n"
                             "count:  .word INT:1\n"
                             "        handle_faults\n";

enum { BASE = 0x800 };

static Rig *rig_with(int count, uint32_t mask) {
    Rig *rig = rig_open(2, 1, 1, sender);
    rig_set_word(rig, 0, "count", jm_int(count));
    jm_set_register(rig->machine, 1, JM_CONTEXT_0, JM_REG_QHL, jm_addr(BASE, 0));
    jm_set_register(rig->machine, 1, JM_CONTEXT_0, JM_REG_QBM, jm_addr(BASE, mask));
    return rig;
}

/* A full queue blocks its input and loses nothing; the overflow is counted once. Then
 * the queue is emptied from outside and the rest arrives. */
Test(emu_queue, full_queue_blocks) {
    Rig *rig = rig_with(5, 15);
    rig_run(rig, 3000, JM_STOP_NONE); /* the sender tries again and again */
    cr_expect_eq(jm_queue_words(rig->machine, 1, 0), 16u);
    cr_expect_eq(rig_statistics(rig, 1).overflows[0], 1u);
    cr_expect_eq(rig_statistics(rig, 1).queue_max_words[0], 16u);
    for (unsigned round = 0; round < 2; round++) {
        const JmStop expected = round == 0 ? JM_STOP_DEADLOCK : JM_STOP_IDLE;
        jm_set_register(rig->machine, 1, JM_CONTEXT_0, JM_REG_QHL, jm_addr(BASE, 0));
        rig_run(rig, jm_now(rig->machine) + 2000, expected);
    }
    cr_expect(jm_same(jm_read(rig->machine, 1, BASE + 2), jm_int(1))); /* the last */
    cr_expect_eq(rig_statistics(rig, 1).messages_in[0], 5u);
    cr_expect_eq(rig_statistics(rig, 1).words_in[0], 30u);
    cr_expect_eq(rig_statistics(rig, 1).overflows[0], 2u);
    rig_close(rig);
}

/* With 1,024 words the last row never fits: QHL.length has 10 bits. */
Test(emu_queue, largest_queue_takes_1020_words) {
    Rig *rig = rig_with(140, 1023);
    rig_run(rig, 20000, JM_STOP_NONE);
    cr_expect_eq(jm_queue_words(rig->machine, 1, 0), 1020u);
    cr_expect_eq(rig_statistics(rig, 1).messages_in[0], 127u);
    rig_close(rig);
}

/* While QBM.I is set no flit is ejected, half a row not written; enabling goes on. */
Test(emu_queue, disabled_queue_blocks) {
    Rig *rig = rig_with(1, 31);
    const JmWord open = jm_addr(BASE, 31);
    const JmWord shut = jm_word(JM_TAG_ADDR, jm_data(open) | JM_ADDR_INVALID);
    JmNetworkStatistics network;
    jm_set_register(rig->machine, 1, JM_CONTEXT_0, JM_REG_QBM, shut);
    rig_run(rig, 1000, JM_STOP_DEADLOCK);
    jm_network_statistics(rig->machine, &network);
    cr_expect_eq(network.flits_ejected, 0u);
    jm_set_register(rig->machine, 1, JM_CONTEXT_0, JM_REG_QBM, open);
    jm_run(rig->machine, jm_now(rig->machine) + 5);
    jm_network_statistics(rig->machine, &network);
    cr_expect_eq(network.flits_ejected, 5u);
    jm_set_register(rig->machine, 1, JM_CONTEXT_0, JM_REG_QBM, shut);
    rig_run(rig, jm_now(rig->machine) + 100, JM_STOP_DEADLOCK);
    jm_network_statistics(rig->machine, &network);
    cr_expect_eq(network.flits_ejected, 5u);
    cr_expect_eq(jm_queue_words(rig->machine, 1, 0), 0u);
    jm_set_register(rig->machine, 1, JM_CONTEXT_0, JM_REG_QBM, open);
    rig_run(rig, jm_now(rig->machine) + 100, JM_STOP_IDLE);
    cr_expect_eq(jm_queue_words(rig->machine, 1, 0), 8u);
    cr_expect(jm_same(jm_read(rig->machine, 1, BASE + 5), jm_int(13)));
    rig_close(rig);
}
