/* SEND: where messages go, and wrong lengths. Room in the output buffer is compared
 * with the oracle (tests/isa). */
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/emu/rig.h"

/* SEND routes by position in the mesh: every node's address, whatever NNR says. */
Test(emu_send, routing_words_name_positions) {
    Rig *rig = rig_open(3, 2, 4,
                        "        queues 63, 63\n"
                        "        peek 0xFFF0E,r1\n"
                        "        bnz r1,^wait\n"
                        "        peek to,r1\n"
                        "        .msg here,1\n"
                        "        send2e r1,r0,0\n"
                        "wait:   rest\n"
                        "        .data\n"
                        "to:     .word INT:0\n"
                        "        .text\n"
                        "here:   peek 0xFFF0E,r1\n"
                        "        poke r1,HOST_EXIT\n"
                        "        suspend\n");
    const unsigned node = 2 + 3 * (1 + 2 * 3);
    rig_set_word(rig, 0, "to", jm_int((int32_t)jm_node_address(2, 1, 3)));
    cr_expect(jm_same(jm_register(rig->machine, node, JM_CONTEXT_0, JM_REG_NNR),
                      jm_int((int32_t)jm_node_address(2, 1, 3))));
    jm_set_register(rig->machine, node, JM_CONTEXT_0, JM_REG_NNR, jm_int(77));
    rig_run(rig, 1000, JM_STOP_EXIT);
    cr_expect_eq(jm_exit_value(rig->machine), (int)node);
    rig_close(rig);
}

/* A header that promises another length is reported with the place and the cycle of the
 * message's last SEND: in either half of a word, however the machine is run. */
Test(emu_send, wrong_lengths_have_their_place) {
    enum { WORDS = 8 }; /* more than the buffer takes at once: the last is not ahead */
    for (unsigned way = 0; way < 16; way++) {
        const unsigned low = way & 1, threads = 1 + (way >> 1 & 1);
        const unsigned watched = way >> 2 & 1, words = way >> 3 ? WORDS : 3;
        char source[400];
        snprintf(source, sizeof source,
                 "        move nnr,r2\n"
                 "        .msg 0x444,5\n"
                 "        send2 r2,r0,1\n"
                 "        .rept %u\n"
                 "        send r2,1\n"
                 "        .endr\n"
                 "        .align 4\n"
                 "last:   %s\n"
                 "        sende r2,1\n"
                 "        rest\n",
                 words - 2, low ? "move 0,r3" : "");
        Rig *rig = rig_open(4, threads > 1 ? 32 : 4, threads > 1 ? 32 : 1, source);
        jm_set_threads(rig->machine, threads);
        if (watched)
            rig_log(rig, 1 << JM_EVENT_SEND);
        rig_run(rig, 300, JM_STOP_DEADLOCK);
        const JmWrongLength wrong = jm_wrong_length(rig->machine);
        cr_expect_eq(wrong.count, jm_node_count(rig->machine));
        cr_expect_eq(wrong.node, 0u);
        cr_expect_eq(wrong.priority, 1u);
        cr_expect_eq(wrong.address, rig_address(rig, "last"), "way %u", way);
        cr_expect_eq(wrong.low, low, "way %u", way);
        cr_expect_eq(wrong.handler, 0x444u);
        cr_expect_eq(wrong.header_words, 5u);
        cr_expect_eq(wrong.sent_words, words);
        if (watched)
            cr_expect_eq(wrong.cycle,
                         rig_event(rig, JM_EVENT_SEND, 0, words - 1)->cycle);
        rig_close(rig);
    }
}

/* Node 1 sends, after so many turns of a loop, a message whose handler makes node 0's
 * message longer by a word, if that is still open. */
static JmWrongLength change_after(unsigned turns, bool watched) {
    char source[800];
    snprintf(source, sizeof source,
             "        .text\n"
             "change: move 1,r0\n"
             "        writer r0,r1'b\n"
             "        suspend\n"
             "take:   suspend\n"
             "        .rom\n"
             "        queues 63,63\n"
             "        move 0,r1\n"
             "        move nnr,r3\n"
             "        wtag r3,1,r3\n"
             "        move 15,r2\n"
             "        bz r3,^wait\n"
             "        .word INT:%u\n"
             "        move r0,r2\n"
             "wait:   sub r2,1,r2\n"
             "        bnz r2,^wait\n"
             "        bz r3,^zero\n"
             "        move 0,r2\n"
             "        .msg change,1,U\n"
             "        send2e r2,r0,1\n"
             "        rest\n"
             "zero:   move 1,r2\n"
             "        .msg take,3,U\n"
             "        send2 r2,r0,0\n"
             "        send r2,0\n"
             "        move false,r0\n"
             "        move r0,i\n"
             "        .rept 8\n"
             "        move 1,r2\n"
             "        .endr\n"
             "        bz r1,^last\n"
             "        send r2,0\n"
             "last:   sende r2,0\n"
             "        rest\n",
             turns);
    Rig *rig = rig_open(2, 1, 1, source);
    if (watched)
        rig_log(rig, 1 << JM_EVENT_SEND);
    jm_run(rig->machine, 300);
    const JmWrongLength wrong = jm_wrong_length(rig->machine);
    rig_close(rig);
    return wrong;
}

/* A node that has sent ahead sends other words after all; the header still counts. */
Test(emu_send, wrong_lengths_of_messages_that_change) {
    uint64_t found = 0;
    for (unsigned turns = 1; turns < 30; turns++) {
        const JmWrongLength wrong = change_after(turns, false);
        const JmWrongLength steps = change_after(turns, true);
        cr_expect_eq(wrong.count, steps.count, "%u", turns);
        cr_expect_eq(wrong.handler, steps.handler);
        cr_expect_eq(wrong.cycle, steps.cycle);
        found += wrong.count;
    }
    cr_expect_gt(found, 0u);
    cr_expect_lt(found, 29u);
}

/* The header holds ten bits of a length, but all words that are sent count. */
Test(emu_send, messages_longer_than_a_header_can_say_have_a_wrong_length) {
    enum { MODULUS = 1024, PROMISED = 7 };
    Rig *rig = rig_open(1, 1, 2,
                        "        .addr QUEUE0, 0\n"
                        "        move r0,qhl\n"
                        "        .addr QUEUE0, 0x3FF\n"
                        "        move r0,qbm\n"
                        "        move nnr,r2\n"
                        "        .msg 0x444,7\n"
                        "        send2 r2,r0,0\n"
                        "        .word INT:1029\n"
                        "        move r0,r1\n"
                        "more:   send r2,0\n"
                        "        sub r1,1,r1\n"
                        "        bnz r1,^more\n"
                        "        sende r2,0\n"
                        "        rest\n");
    jm_run(rig->machine, 9000);
    const JmWrongLength wrong = jm_wrong_length(rig->machine);
    cr_expect_eq(wrong.count, jm_node_count(rig->machine));
    cr_expect_eq(wrong.header_words, PROMISED);
    cr_expect_eq(wrong.sent_words, MODULUS + PROMISED);
    rig_close(rig);
}
