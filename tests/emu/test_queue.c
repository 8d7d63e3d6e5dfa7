/* Message queues: rows, wrap, full and disabled queues, EARLY. */
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

enum { BASE = 0x800, MESSAGE_ROWS = 8 };

static Rig *rig_with(int count, uint32_t head, uint32_t mask) {
    Rig *rig = rig_open(2, 1, 1, sender);
    rig_set_word(rig, 0, "count", jm_int(count));
    jm_set_register(rig->machine, 1, JM_CONTEXT_0, JM_REG_QHL, jm_addr(head, 0));
    jm_set_register(rig->machine, 1, JM_CONTEXT_0, JM_REG_QBM, jm_addr(BASE, mask));
    return rig;
}

static void expect_word(const Rig *rig, uint32_t address, JmWord expected) {
    const JmWord is = jm_read(rig->machine, 1, address);
    cr_expect_eq(is.bits, expected.bits, "%05X: %09llX", address,
                 (unsigned long long)is.bits);
}

/* Six words take two rows; the second is padded with NIL over whatever was there. The
 * rows wrap round the end of the queue. */
Test(emu_queue, rows_are_padded_and_wrap) {
    Rig *rig = rig_with(2, BASE + 12, 31);
    for (uint32_t k = 0; k < 32; k++)
        jm_write(rig->machine, 1, BASE + k, jm_int(99));
    rig_run(rig, 1000, JM_STOP_IDLE);
    for (uint32_t message = 0; message < 2; message++) {
        const JmWord payload[MESSAGE_ROWS] = {jm_msg(0x444, 6),         jm_int(11),
                                              jm_int(2 - (int)message), jm_int(12),
                                              jm_int(2 - (int)message), jm_int(13)};
        for (uint32_t k = 0; k < MESSAGE_ROWS; k++)
            expect_word(rig, BASE + (12 + 8 * message + k) % 32, payload[k]);
    }
    expect_word(rig, BASE + 28, jm_int(99));
    cr_expect_eq(jm_queue_words(rig->machine, 1, 0), 16u);
    cr_expect_eq(rig_statistics(rig, 1).messages_in[0], 2u);
    cr_expect_eq(rig_statistics(rig, 1).words_in[0], 12u);
    cr_expect_eq(rig_statistics(rig, 0).words_out[0], 12u);
    rig_close(rig);
}

Test(emu_queue, wrap_round_the_end) {
    Rig *rig = rig_with(2, BASE + 24, 31);
    rig_run(rig, 1000, JM_STOP_IDLE);
    expect_word(rig, BASE + 24, jm_msg(0x444, 6));
    expect_word(rig, BASE + 29, jm_int(13));
    expect_word(rig, BASE + 0, jm_msg(0x444, 6));
    expect_word(rig, BASE + 5, jm_int(13));
    cr_expect_eq(
        jm_field20(jm_data(jm_register(rig->machine, 1, JM_CONTEXT_0, JM_REG_QHL))),
        (uint32_t)BASE + 24);
    rig_close(rig);
}

/* A full queue blocks its input and loses nothing; the overflow is counted once. Then
 * the queue is emptied from outside and the rest arrives. */
Test(emu_queue, full_queue_blocks) {
    Rig *rig = rig_with(5, BASE, 15);
    rig_run(rig, 3000, JM_STOP_NONE); /* the sender tries again and again */
    cr_expect_eq(jm_queue_words(rig->machine, 1, 0), 16u);
    cr_expect_eq(rig_statistics(rig, 1).overflows[0], 1u);
    cr_expect_eq(rig_statistics(rig, 1).queue_max_words[0], 16u);
    for (unsigned round = 0; round < 2; round++) {
        const JmStop expected = round == 0 ? JM_STOP_DEADLOCK : JM_STOP_IDLE;
        jm_set_register(rig->machine, 1, JM_CONTEXT_0, JM_REG_QHL, jm_addr(BASE, 0));
        rig_run(rig, jm_now(rig->machine) + 2000, expected);
    }
    expect_word(rig, BASE + 2, jm_int(1)); /* the last message */
    cr_expect_eq(rig_statistics(rig, 1).messages_in[0], 5u);
    cr_expect_eq(rig_statistics(rig, 1).words_in[0], 30u);
    cr_expect_eq(rig_statistics(rig, 1).overflows[0], 2u);
    rig_close(rig);
}

/* With 1,024 words the last row never fits: QHL.length has 10 bits. */
Test(emu_queue, largest_queue_takes_1020_words) {
    Rig *rig = rig_with(140, BASE, 1023);
    rig_run(rig, 20000, JM_STOP_NONE);
    cr_expect_eq(jm_queue_words(rig->machine, 1, 0), 1020u);
    cr_expect_eq(rig_statistics(rig, 1).messages_in[0], 127u);
    rig_close(rig);
}

/* While QBM.I is set no flit is ejected, half a row not written; enabling goes on. */
Test(emu_queue, disabled_queue_blocks) {
    Rig *rig = rig_with(1, BASE, 31);
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
    expect_word(rig, BASE + 5, jm_int(13));
    rig_close(rig);
}

/* A task that fills its own queue of 8 words: the QUEUE fault comes at the first
 * boundary with the queue full, I = 0 and F = 0. */
static const char filler[] = "        vector 0x42, full, F\n"
                             "        queues 7, 63\n"
                             "        move 0,r1\n"
                             "        .msg fill,1,U\n"
                             "        send2e r1,r0,0\n"
                             "        rest\n"
                             "        .text\n"
                             "fill:   move 0,r1\n"
                             "        .msg fill,1,U\n"
                             "        send2e r1,r0,0\n"
                             "        peek masked,r2\n"
                             "        move r2,i\n"
                             "spin:   add r3,1,r3\n"
                             "        br ^spin\n"
                             "full:   move 42,r1\n"
                             "        poke r1,HOST_EXIT\n"
                             "        rest\n"
                             "        .data\n"
                             "masked: .word BOOL:0\n";

Test(emu_queue, queue_fault_at_the_next_boundary) {
    Rig *rig = rig_open(1, 1, 1, filler);
    rig_log(rig,
            1 << JM_EVENT_FAULT | 1 << JM_EVENT_ARRIVE | 1 << JM_EVENT_INSTRUCTION);
    rig_run(rig, 1000, JM_STOP_EXIT);
    cr_expect_eq(jm_exit_value(rig->machine), 42);
    const JmEvent *fault = rig_event(rig, JM_EVENT_FAULT, 0, 0);
    const uint64_t arrived = rig_event(rig, JM_EVENT_ARRIVE, 0, 1)->cycle;
    cr_expect_eq(fault->fault, JM_FAULT_QUEUE);
    cr_expect(fault->cycle == arrived + 1 || fault->cycle == arrived + 2);
    cr_expect(jm_same(jm_register(rig->machine, 0, JM_CONTEXT_0, JM_REG_FIR), JM_NIL));
    rig_close(rig);
}

Test(emu_queue, no_queue_fault_while_masked) {
    Rig *rig = rig_open(1, 1, 1, filler);
    rig_set_word(rig, 0, "masked", jm_bool(true));
    rig_run(rig, 1000, JM_STOP_NONE);
    cr_expect_eq(jm_queue_words(rig->machine, 0, 0), 8u);
    cr_expect_eq(rig_statistics(rig, 0).faults[JM_FAULT_QUEUE], 0u);
    jm_set_register(rig->machine, 0, JM_CONTEXT_0, JM_REG_F, jm_bool(true));
    jm_set_register(rig->machine, 0, JM_CONTEXT_0, JM_REG_I, jm_bool(false));
    rig_run(rig, 1100, JM_STOP_NONE); /* fault mode masks it too */
    cr_expect_eq(rig_statistics(rig, 0).faults[JM_FAULT_QUEUE], 0u);
    jm_set_register(rig->machine, 0, JM_CONTEXT_0, JM_REG_F, jm_bool(false));
    rig_run(rig, 1200, JM_STOP_EXIT);
    cr_expect_eq(rig_statistics(rig, 0).faults[JM_FAULT_QUEUE], 1u);
    rig_close(rig);
}

/* Background does not see a full queue. */
Test(emu_queue, no_queue_fault_in_background) {
    Rig *rig = rig_open(1, 1, 1, filler);
    JmMachine *machine = rig->machine;
    jm_set_register(machine, 0, JM_CONTEXT_BACKGROUND, JM_REG_IP,
                    jm_ip(rig_address(rig, "spin"), JM_IP_ABSOLUTE | JM_IP_UNCHECKED));
    jm_set_register(machine, 0, JM_CONTEXT_0, JM_REG_QBM, jm_addr(BASE, 7));
    jm_set_register(machine, 0, JM_CONTEXT_0, JM_REG_QHL, jm_addr(BASE, 8));
    rig_run(rig, 100, JM_STOP_NONE); /* I = 1: no dispatch either */
    cr_expect_eq(rig_statistics(rig, 0).faults[JM_FAULT_QUEUE], 0u);
    cr_expect_eq(jm_running(machine, 0), JM_CONTEXT_BACKGROUND);
    rig_close(rig);
}

/* EARLY really happens: node 0 sends 13 words with a pause after the seventh; the
 * handler starts on the first row and wants the last word. It retries until that has
 * come. */
static const char outrun[] = "        handle_faults\n"
                             "        queues 63, 63\n"
                             "        peek 0xFFF0E,r1\n"
                             "        bnz r1,^wait\n"
                             "        move 1,r1\n"
                             "        .msg late,13\n"
                             "        send2 r1,r0,0\n"
                             "        .rept 3\n"
                             "        send2 6,r1,0\n"
                             "        .endr\n"
                             "        .word INT:200\n"
                             "pause:  sub r0,1,r0\n"
                             "        bnz r0,^pause\n"
                             "        .rept 2\n"
                             "        send2 7,r1,0\n"
                             "        .endr\n"
                             "        move -3,r1\n"
                             "        send2e 9,r1,0\n"
                             "wait:   rest\n"
                             "        .data\n"
                             "last:   .word INT:0\n"
                             "        .text\n"
                             "late:   move [12,a3],r2\n"
                             "        poke r2,last\n"
                             "        suspend\n";

Test(emu_queue, handler_outruns_its_message) {
    Rig *rig = rig_open(2, 1, 1, outrun);
    rig_log(rig, 1 << JM_EVENT_DISPATCH | 1 << JM_EVENT_ARRIVE | 1 << JM_EVENT_FAULT);
    rig_run(rig, 3000, JM_STOP_IDLE);
    const uint64_t dispatched = rig_event(rig, JM_EVENT_DISPATCH, 1, 0)->cycle;
    const uint64_t arrived = rig_event(rig, JM_EVENT_ARRIVE, 1, 0)->cycle;
    cr_expect_lt(dispatched + 400, arrived);
    cr_expect_gt(rig_statistics(rig, 1).faults[JM_FAULT_EARLY], 10u);
    cr_expect_eq(rig_event(rig, JM_EVENT_FAULT, 1, 0)->fault, JM_FAULT_EARLY);
    cr_expect(jm_same(rig_word(rig, 1, "last", 0), jm_int(-3)));
    cr_expect_eq(jm_queue_words(rig->machine, 1, 0), 0u);
    rig_close(rig);
}

/* SUSPEND before the message is whole: EARLY as well, and nothing has changed. */
Test(emu_queue, suspend_waits_for_the_whole_message) {
    Rig *rig = rig_open(2, 1, 1, outrun);
    const uint32_t late = rig_address(rig, "late");
    jm_write(rig->machine, 1, late, jm_instruction_word(0x30 << 11, 0x30 << 11));
    rig_log(rig, 1 << JM_EVENT_FAULT | 1 << JM_EVENT_SUSPEND | 1 << JM_EVENT_ARRIVE);
    rig_run(rig, 3000, JM_STOP_IDLE);
    cr_expect_gt(rig_statistics(rig, 1).faults[JM_FAULT_EARLY], 10u);
    cr_expect_eq(rig_count(rig, JM_EVENT_SUSPEND, 1), 1u);
    cr_expect_gt(rig_event(rig, JM_EVENT_SUSPEND, 1, 0)->cycle,
                 rig_event(rig, JM_EVENT_ARRIVE, 1, 0)->cycle);
    cr_expect_eq(jm_queue_words(rig->machine, 1, 0), 0u);
    rig_close(rig);
}
