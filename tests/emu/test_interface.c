/* The network interface of a node: full and disabled queues, where marks send a
 * message, what the brake admits, SENDs that wait instead of faulting
 * (emu/node/interface.def). */
#include <criterion/criterion.h>

#include "tests/emu/sending.h"

/* A full queue blocks its input and loses nothing; the overflow is counted once. Then
 * the queue is emptied from outside, twice, and the rest arrives. */
Test(emu_interface, full_queue_blocks) {
    Rig *rig = rig_set(2, sender, SETTINGS({NULL, 0}));
    start(rig, 5, 4);
    set_queue(rig, 1, JM_CONTEXT_0, 15, 0);
    rig_go_on(rig, 3000); /* the sender tries again and again */
    cr_expect_eq(jm_queue_words(rig->machine, 1, 0), 16u);
    cr_expect_eq(rig_statistics(rig, 1).overflows[0], 1u);
    cr_expect_eq(rig_statistics(rig, 1).queue_max_words[0], 16u);
    for (unsigned round = 0; round < 2; round++) {
        set_queue(rig, 1, JM_CONTEXT_0, 15, 0);
        rig_go_on(rig, 2000);
    }
    cr_expect(jm_same(jm_read(rig->machine, 1, BASE0 + 2), jm_int(1)), "the last");
    cr_expect_eq(rig_statistics(rig, 1).messages_in[0], 5u);
    cr_expect_eq(rig_statistics(rig, 1).words_in[0], 30u);
    cr_expect_eq(rig_statistics(rig, 1).overflows[0], 2u);
    rig_close(rig);
}

/* With 1,024 words the last row never fits: QHL.length has 10 bits. */
Test(emu_interface, largest_queue_takes_1020_words) {
    Rig *rig = rig_set(2, sender, SETTINGS({NULL, 0}));
    start(rig, 140, 4);
    set_queue(rig, 1, JM_CONTEXT_0, 1023, 0);
    rig_go_on(rig, 20000);
    cr_expect_eq(jm_queue_words(rig->machine, 1, 0), 1020u);
    cr_expect_eq(rig_statistics(rig, 1).messages_in[0], 127u);
    rig_close(rig);
}

/* While QBM.I is set no flit is ejected, no half row written; enabling continues. */
Test(emu_interface, disabled_queue_blocks) {
    static const struct {
        bool opens;
        unsigned cycles;
        uint64_t flits;
    } steps[] = {{false, 1000, 0}, {true, 5, 5}, {false, 100, 5}, {true, 100, 12}};
    Rig *rig = rig_set(2, sender, SETTINGS({NULL, 0}));
    start(rig, 1, 4);
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t qbm = jm_data(jm_addr(BASE0, 31));
        JmNetworkStatistics network;
        jm_set_register(
            rig->machine, 1, JM_CONTEXT_0, JM_REG_QBM,
            jm_word(JM_TAG_ADDR, steps[k].opens ? qbm : qbm | JM_ADDR_INVALID));
        rig_go_on(rig, steps[k].cycles);
        jm_network_statistics(rig->machine, &network);
        cr_expect_eq(network.flits_ejected, steps[k].flits, "step %u", k);
        cr_expect_eq(jm_queue_words(rig->machine, 1, 0), k == 3 ? 8u : 0u);
    }
    cr_expect(jm_same(jm_read(rig->machine, 1, BASE0 + 5), jm_int(13)));
    rig_close(rig);
}

/* At the mark a message goes out at priority 0, above it at priority 1, all of it. */
Test(emu_interface, mark_redirects_what_is_above) {
    for (uint32_t words = 8; words <= 16; words += 4) {
        Rig *rig = rig_set(2, sender, SETTINGS({"hwm_mark", 12}));
        start(rig, 1, words);
        set_queue(rig, 1, JM_CONTEXT_0, 63, 0);
        set_queue(rig, 1, JM_CONTEXT_1, 63, 0);
        rig_log(rig, 1 << JM_EVENT_SEND);
        rig_run(rig, 1000, JM_STOP_NONE);
        const unsigned priority = words > 12;
        const JmNodeStatistics in = rig_statistics(rig, 1),
                               out = rig_statistics(rig, 0);
        cr_expect_eq(in.messages_in[priority], 1u, "%u words", words);
        cr_expect_eq(in.words_in[priority], 6u);
        cr_expect_eq(in.words_in[!priority], 0u);
        cr_expect_eq(out.messages_out[priority], 1u);
        cr_expect_eq(out.marked, (uint64_t)priority);
        cr_expect_eq(out.escaped, 0u);
        cr_expect_eq(rig_event(rig, JM_EVENT_SEND, 0, 3)->redirected,
                     (unsigned)(priority ? JM_BY_MARK : JM_NOT_REDIRECTED));
        rig_close(rig);
    }
}

/* A message keeps its priority though the queue has become short or long in the middle
 * of it; the next one is judged anew. */
Test(emu_interface, whole_messages_stay_together) {
    for (unsigned begins_above = 0; begins_above < 2; begins_above++) {
        Rig *rig = rig_set(2, sender, SETTINGS({"hwm_mark", 12}, {"buffer_words", 4}));
        start(rig, 2, begins_above ? 16 : 12);
        rig_log(rig, 1 << JM_EVENT_FAULT);
        while (!rig_count(rig, JM_EVENT_FAULT, 0)) /* node 1 takes nothing yet */
            jm_run(rig->machine, jm_now(rig->machine) + 1);
        cr_expect_eq(rig_statistics(rig, 0).messages_out[begins_above], 0u);
        set_queue(rig, 0, JM_CONTEXT_0, 63, begins_above ? 12 : 16);
        set_queue(rig, 1, JM_CONTEXT_0, 63, 0);
        set_queue(rig, 1, JM_CONTEXT_1, 63, 0);
        rig_run(rig, 5000, JM_STOP_NONE);
        cr_expect_eq(rig_statistics(rig, 1).words_in[0], 6u);
        cr_expect_eq(rig_statistics(rig, 1).words_in[1], 6u);
        const unsigned first = begins_above ? BASE1 : BASE0;
        cr_expect(jm_same(jm_read(rig->machine, 1, first + 2), jm_int(2)));
        cr_expect_eq(rig_statistics(rig, 0).marked, 1u);
        rig_close(rig);
    }
}

/* Above the mark a message stays at priority 0 while another is open at priority 1. */
Test(emu_interface, open_messages_stay_apart) {
    Rig *rig = rig_set(2,
                       "        rest\n"
                       "        .text\n"
                       "task:   move 1,r2\n"
                       "        .msg 0x444,2\n"
                       "        send2 r2,r0,1\n"
                       "        send2 r2,r0,0\n"
                       "        sende 5,0\n"
                       "        sende 6,1\n"
                       "        rest\n"
                       "        .data\n"
                       "start:  .msg task,1,U\n",
                       SETTINGS({"hwm_mark", 12}));
    jm_write(rig->machine, 0, BASE0, rig_word(rig, 0, "start", 0));
    jm_set_register(rig->machine, 0, JM_CONTEXT_BACKGROUND, JM_REG_I, jm_bool(false));
    set_queue(rig, 0, JM_CONTEXT_0, 63, 16);
    for (unsigned p = 0; p < 2; p++)
        set_queue(rig, 1, (JmContext)p, 63, 0);
    rig_run(rig, 1000, JM_STOP_NONE);
    cr_expect(jm_same(jm_read(rig->machine, 1, BASE0 + 1), jm_int(5)));
    cr_expect(jm_same(jm_read(rig->machine, 1, BASE1 + 1), jm_int(6)));
    cr_expect_eq(rig_statistics(rig, 0).marked, 0u);
    rig_close(rig);
}

/* With the network of priority 0 blocked: above the mark a message escapes when the
 * buffer has no room for its first words, not before; at the mark it waits. */
Test(emu_interface, escape_only_without_room) {
    for (uint32_t words = 4; words <= 8; words += 4) {
        Rig *rig = rig_set(2, sender, SETTINGS({"escape_mark", 4}));
        start(rig, 9, words);
        set_queue(rig, 1, JM_CONTEXT_1, 127, 0);
        rig_run(rig, 4000, JM_STOP_NONE);
        const JmNodeStatistics out = rig_statistics(rig, 0);
        const JmNodeStatistics in = rig_statistics(rig, 1);
        cr_expect_geq(out.words_out[0], 8u, "%u words", words);
        cr_expect_eq(out.marked, 0u);
        cr_expect_eq(in.messages_in[1], out.escaped);
        cr_expect_eq(in.words_in[1], 6 * out.escaped);
        if (words == 4)
            cr_expect_eq(out.escaped, 0u);
        rig_close(rig);
    }
}

/* The same with messages that fit the buffer, so that the sender never stops in the
 * middle of one; also for a task of priority 1, whatever its queue. */
static const char escaping[] = "        handle_faults\n"
                               "        peek 0xFFF0E,r1\n"
                               "        bnz r1,^wait\n"
                               "        .addr QUEUE1, 0\n"
                               "        move r0,qhl'p\n"
                               "        .addr QUEUE1, 63\n"
                               "        move r0,qbm'p\n"
                               "        move false,r0\n"
                               "        move r0,i\n"
                               "        move 0,r2\n"
                               "        .msg flood,1,U\n"
                               "        send r2,1\n"
                               "        sende r0,1\n"
                               "wait:   rest\n"
                               "        .text\n"
                               "flood:  move 9,r3\n"
                               "        move 1,r2\n"
                               "more:   .msg 0x444,2\n"
                               "        send2 r2,r0,0\n"
                               "        sende r3,0\n"
                               "        sub r3,1,r3\n"
                               "        bnz r3,^more\n"
                               "        suspend\n";

Test(emu_interface, tasks_of_priority_1_escape) {
    Rig *rig = rig_set(2, escaping, SETTINGS({"escape_mark", 400}));
    set_queue(rig, 1, JM_CONTEXT_1, 127, 0);
    jm_run(rig->machine, 4000);
    const JmNodeStatistics out = rig_statistics(rig, 0), in = rig_statistics(rig, 1);
    cr_expect_gt(out.escaped, 3u);
    cr_expect_geq(out.messages_out[0], 2u);
    cr_expect_eq(out.escaped + out.messages_out[0], 9u);
    cr_expect_eq(in.messages_in[1], out.escaped);
    rig_close(rig);
}

/* The brake shuts the input at its mark, or at Q - 4; no overflow. */
Test(emu_interface, brake_keeps_the_queue_below_its_mark) {
    for (unsigned mark = 24; mark <= 1000; mark += 976) {
        Rig *rig = rig_set(2, sender, SETTINGS({"brake_mark", mark}));
        start(rig, 20, 4);
        set_queue(rig, 1, JM_CONTEXT_0, 63, 0);
        rig_run(rig, 20000, JM_STOP_NONE);
        const JmNodeStatistics in = rig_statistics(rig, 1);
        cr_expect_eq(in.queue_max_words[0], mark == 24 ? 24u : 60u);
        cr_expect_eq(in.overflows[0], 0u);
        cr_expect_gt(in.brake_cycles, 10000u);
        cr_expect_lt(in.brake_cycles, 20000u);
        /* Room: the brake goes off, and on again at the mark. */
        set_queue(rig, 1, JM_CONTEXT_0, 63, 0);
        rig_run(rig, 40000, JM_STOP_NONE);
        cr_expect_eq(rig_statistics(rig, 1).queue_max_words[0], in.queue_max_words[0]);
        cr_expect_gt(rig_statistics(rig, 1).messages_in[0], in.messages_in[0]);
        rig_close(rig);
    }
}

/* Without a SUSPEND for `brake_patience` cycles the input goes by the queue's size. */
Test(emu_interface, patience_ends) {
    enum { PATIENCE = 3000 };
    Rig *rig =
        rig_set(2, sender, SETTINGS({"brake_mark", 24}, {"brake_patience", PATIENCE}));
    start(rig, 20, 4);
    set_queue(rig, 1, JM_CONTEXT_0, 63, 0);
    rig_log(rig, 1 << JM_EVENT_BRAKE);
    while (jm_queue_words(rig->machine, 1, 0) < 24)
        rig_go_on(rig, 1);
    const uint64_t on = jm_now(rig->machine);
    rig_run(rig, on + PATIENCE, JM_STOP_NONE);
    cr_expect_eq(jm_queue_words(rig->machine, 1, 0), 24u);
    rig_run(rig, on + PATIENCE + 100, JM_STOP_NONE);
    cr_expect_gt(jm_queue_words(rig->machine, 1, 0), 24u);
    cr_expect_eq(rig_event(rig, JM_EVENT_BRAKE, 1, 1)->cycle,
                 rig_event(rig, JM_EVENT_BRAKE, 1, 0)->cycle + 1 + PATIENCE,
                 "from the cycle after the row");
    rig_run(rig, on + PATIENCE + 5000, JM_STOP_NONE);
    cr_expect_eq(rig_statistics(rig, 1).overflows[0], 1u);
    cr_expect_eq(rig_statistics(rig, 1).brake_cycles, PATIENCE + 5000u);
    rig_close(rig);
}

/* A message that cannot come in whole stops its node: 20 words can, with a mark of 24.
 */
Test(emu_interface, long_messages_are_reported) {
    for (unsigned words = 20; words <= 21; words++) {
        Rig *rig = rig_set(1, sender, SETTINGS({"brake_mark", 24}));
        rig_set_word(rig, 0, "count", jm_int(0));
        jm_write(rig->machine, 0, BASE0, jm_msg(rig_address(rig, "task"), words));
        set_queue(rig, 0, JM_CONTEXT_0, 63, 24);
        rig_run(rig, 1000, words == 20 ? JM_STOP_NONE : JM_STOP_STOPPED);
        if (words == 21) {
            rig_expect_told(rig, "has 21 words by its header");
            rig_expect_told(rig, "no more than 20 of a message");
        }
        rig_close(rig);
    }
}

/* Without SEND faults a SEND repeats itself: no handler, no instruction counted, cycles
 * of waiting; it goes on when there is room. */
Test(emu_interface, sends_wait_without_faults) {
    Rig *rig = rig_set(2, sender, SETTINGS({"send_faults", 0}));
    start(rig, 4, 4);
    set_queue(rig, 0, JM_CONTEXT_1, 63, 0);
    rig_run(rig, 2000, JM_STOP_NONE);
    const JmNodeStatistics waits = rig_statistics(rig, 0);
    cr_expect_eq(waits.faults[JM_FAULT_SEND], 0u);
    cr_expect_gt(waits.cycles[JM_CLASS_SEND_WAIT], 1500u);
    rig_run(rig, 3000, JM_STOP_NONE);
    cr_expect_eq(rig_statistics(rig, 0).instructions, waits.instructions);
    set_queue(rig, 1, JM_CONTEXT_0, 63, 0);
    rig_run(rig, 9000, JM_STOP_NONE);
    cr_expect_eq(rig_statistics(rig, 1).words_in[0], 24u);
    rig_close(rig);
}

/* Either queue that is full or off makes it fault, as long as it is so. */
Test(emu_interface, sends_fault_if_a_queue_needs_it) {
    for (unsigned k = 0; k < 4; k++) {
        const JmContext priority = k / 2 ? JM_CONTEXT_1 : JM_CONTEXT_0;
        const uint32_t base = k / 2 ? BASE1 : BASE0, words = k / 2 ? 0 : 4;
        Rig *rig = rig_set(2, sender, SETTINGS({"send_faults", 0}));
        start(rig, 4, 4);
        set_queue(rig, 0, JM_CONTEXT_1, 63, 0);
        rig_run(rig, 2000, JM_STOP_NONE);
        cr_expect_eq(rig_statistics(rig, 0).faults[JM_FAULT_SEND], 0u);
        set_queue(rig, 0, priority, 63, k % 2 ? words : 64);
        if (k % 2)
            jm_set_register(
                rig->machine, 0, priority, JM_REG_QBM,
                jm_word(JM_TAG_ADDR, jm_data(jm_addr(base, 63)) | JM_ADDR_INVALID));
        rig_run(rig, 4000, JM_STOP_NONE);
        cr_expect_gt(rig_statistics(rig, 0).faults[JM_FAULT_SEND], 5u, "case %u", k);
        set_queue(rig, 0, priority, 63, words);
        rig_run(rig, 4100, JM_STOP_NONE);
        const uint64_t faults = rig_statistics(rig, 0).faults[JM_FAULT_SEND];
        rig_run(rig, 6000, JM_STOP_NONE);
        cr_expect_eq(rig_statistics(rig, 0).faults[JM_FAULT_SEND], faults, "%u", k);
        rig_close(rig);
    }
}

/* A SEND that waits pays for its fetch, at its first try: room that comes meanwhile is
 * found when the fetch has ended. Each SEND opens a row here, whichever has to wait;
 * the others find the buffer drained by the time they are fetched. */
Test(emu_interface, sends_that_wait_are_fetched_once) {
    for (uint64_t row = 50; row <= 200; row += 50) {
        Rig *rig = rig_set(2,
                           "        peek 0xFFF0E,r1\n"
                           "        move 1,r2\n"
                           "        .msg 0x444,40\n"
                           "        bz r1,^go\n"
                           "        rest\n"
                           "go:     send2 r2,r0,0\n"
                           "        .rept 38\n"
                           "        .align 4\n"
                           "        send r2,0\n"
                           "        .endr\n"
                           "        .align 4\n"
                           "        sende r2,0\n"
                           "        rest\n",
                           SETTINGS({"send_faults", 0}, {"row_onchip", row}));
        set_queue(rig, 0, JM_CONTEXT_0, 15, 0);
        set_queue(rig, 0, JM_CONTEXT_1, 15, 0);
        while (!rig_statistics(rig, 0).cycles[JM_CLASS_SEND_WAIT])
            rig_go_on(rig, 1);
        set_queue(rig, 1, JM_CONTEXT_0, 63, 0);
        rig_run(rig, 20000, JM_STOP_IDLE);
        cr_expect_eq(rig_statistics(rig, 1).words_in[0], 40u);
        const uint64_t waited = rig_statistics(rig, 0).cycles[JM_CLASS_SEND_WAIT];
        cr_expect_eq(waited, 1 + row, "row %lu: waited %lu", row, waited);
        rig_close(rig);
    }
}

/* Nodes that wait in this way deadlock like those that fault. */
Test(emu_interface, waiting_for_ever_is_a_deadlock) {
    Rig *rig =
        rig_set(2, sender, SETTINGS({"send_faults", 0}, {"deadlock_cycles", 500}));
    start(rig, 4, 4);
    set_queue(rig, 0, JM_CONTEXT_1, 63, 0);
    rig_run(rig, 9000, JM_STOP_DEADLOCK);
    cr_expect_lt(jm_now(rig->machine), 1000u);
    rig_close(rig);
}

/* Rows beyond the mark go round by the ring and come back in order: the queue stays
 * below its bound, and nothing is lost, whether the ring costs time or not. */
Test(emu_interface, spilled_rows_come_back_in_order) {
    for (unsigned cycles = 0; cycles <= 5; cycles += 5) {
        Rig *rig = rig_set(2, sender,
                           SETTINGS({"spill_mark", 1000}, {"spill_cycles", cycles}));
        start(rig, 20, 4);
        set_queue(rig, 1, JM_CONTEXT_0, 31, 0);
        rig_run(rig, 5000, JM_STOP_NONE);
        JmNodeStatistics in = rig_statistics(rig, 1);
        cr_expect_eq(in.queue_max_words[0], 28u);
        cr_expect_eq(in.overflows[0], 0u);
        cr_expect_eq(in.words_in[0], 120u, "all have left the network");
        cr_expect_eq(in.spilled, 160u - 28u);
        cr_expect_eq(in.spilled_now, 160u - 28u);
        for (int message = 20; message; message--) { /* taken by the test, in turn */
            cr_expect_eq(take_message(rig), message);
            rig_go_on(rig, 100);
        }
        in = rig_statistics(rig, 1);
        cr_expect_eq(jm_queue_words(rig->machine, 1, 0), 0u);
        cr_expect_eq(in.spilled_now, 0u);
        cr_expect_eq(in.spill_peak, 160u - 28u);
        rig_close(rig);
    }
}

/* The cycle at whose end node 1 has a row more in its queue than now. */
static uint64_t next_row(Rig *rig) {
    const uint32_t words = jm_queue_words(rig->machine, 1, 0);
    while (jm_queue_words(rig->machine, 1, 0) == words)
        rig_go_on(rig, 1);
    cr_expect_eq(jm_queue_words(rig->machine, 1, 0), words + 4);
    return jm_now(rig->machine);
}

/* The port moves one row at a time. One that comes back takes it for 200 cycles; the
 * input is open, so meanwhile another arrives, which has to wait for the port and then
 * takes 200 cycles to go out; only then the next one may come back, in 200 more. */
Test(emu_interface, a_row_waits_for_the_port) {
    enum { ROW_CYCLES = 4 * 50 };
    Rig *rig = rig_set(2, sender, SETTINGS({"spill_mark", 28}, {"spill_cycles", 50}));
    start(rig, 20, 4);
    set_queue(rig, 1, JM_CONTEXT_0, 31, 0);
    while (rig_statistics(rig, 1).spilled < 12)
        rig_go_on(rig, 1);
    /* Takes the first three messages away, while a row goes out. */
    set_queue(rig, 1, JM_CONTEXT_0, 31, 4);
    jm_set_register(rig->machine, 1, JM_CONTEXT_0, JM_REG_QHL, jm_addr(BASE0 + 24, 4));
    const uint64_t emptied = jm_now(rig->machine);
    uint64_t back = next_row(rig);
    cr_expect_leq(back, emptied + 2 * ROW_CYCLES + 1);
    for (unsigned row = 1; row < 6; row++) {
        const uint64_t spilled = rig_statistics(rig, 1).spilled;
        const uint64_t next = next_row(rig);
        cr_expect_eq(next - back, 2 * ROW_CYCLES, "row %u after %u cycles", row,
                     (unsigned)(next - back));
        cr_expect_eq(rig_statistics(rig, 1).spilled, spilled + 4);
        back = next;
    }
    for (unsigned i = 0; i < 3; i++) /* the fourth to the sixth message, in order */
        cr_expect(jm_same(jm_read(rig->machine, 1, BASE0 + (24 + 8 * i + 2) % 32),
                          jm_int((int)(17 - i))));
    rig_close(rig);
}
