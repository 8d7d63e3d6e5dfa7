/* A brake that bounds the ring, and messages that open with room for all their words
 * (emu/node/interface.def). */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/emu/sending.h"

enum { MESSAGE_WORDS = 6, ROWS_WORDS = 8, MESSAGES = 20 };

/* With a queue of 32 words, 28 of them below the mark, the ring takes what the brake
 * leaves; without brake_ring the queue never gets as long as the brake's mark. */
Test(emu_bounded_ring, the_brake_counts_the_ring) {
    for (unsigned mark = 44; mark <= 60; mark += 16) {
        Rig *rig = rig_set(2, sender,
                           SETTINGS({"spill_mark", 28}, {"brake_mark", mark},
                                    {"brake_ring", 1}, {"escape_mark", 4}));
        start(rig, MESSAGES, 4);
        set_queue(rig, 1, JM_CONTEXT_0, 31, 0);
        rig_run(rig, 5000, JM_STOP_NONE);
        JmNodeStatistics in = rig_statistics(rig, 1);
        cr_expect_eq(jm_queue_words(rig->machine, 1, 0), 28u);
        cr_expect_eq(in.spilled_now, mark - 28);
        cr_expect_gt(in.brake_cycles, 1000u);
        for (int message = MESSAGES; message; message--) {
            cr_expect_eq(take_message(rig), message);
            rig_go_on(rig, 500);
            in = rig_statistics(rig, 1);
            cr_expect_leq(jm_queue_words(rig->machine, 1, 0) + in.spilled_now, mark);
        }
        cr_expect_eq(in.overflows[0], 0u);
        cr_expect_leq(in.spill_peak, mark);
        cr_expect_eq(in.spilled_now, 0u);
        const uint64_t braked = in.brake_cycles;
        rig_go_on(rig, 500);
        cr_expect_eq(rig_statistics(rig, 1).brake_cycles, braked, "it is off");
        rig_close(rig);
    }
}

/* Patience ends: the ring takes more, and nothing overflows. */
Test(emu_bounded_ring, the_ring_is_the_last_resort) {
    Rig *rig = rig_set(2, sender,
                       SETTINGS({"spill_mark", 28}, {"brake_mark", 44},
                                {"brake_ring", 1}, {"brake_patience", 2000}));
    start(rig, MESSAGES, 4);
    set_queue(rig, 1, JM_CONTEXT_0, 31, 0);
    rig_run(rig, 2000, JM_STOP_NONE);
    cr_expect_eq(rig_statistics(rig, 1).spilled_now, 16u);
    rig_run(rig, 9000, JM_STOP_NONE);
    cr_expect_eq(rig_statistics(rig, 1).spilled_now, MESSAGES * ROWS_WORDS - 28u);
    cr_expect_eq(rig_statistics(rig, 1).overflows[0], 0u);
    rig_close(rig);
}

/* With node 1 taking nothing at priority 0: messages of 6 words and the routing word go
 * whole into a buffer of 8 or not at all, so the sender never waits inside one; above
 * the mark all others escape. A SEND less than that opens one that does not fit. */
Test(emu_bounded_ring, messages_open_whole) {
    for (unsigned least = 6; least <= 7; least++) {
        Rig *rig = rig_set(
            2, sender,
            SETTINGS({"open_words", least}, {"escape_mark", 4}, {"send_faults", 0}));
        start(rig, MESSAGES, 8);
        set_queue(rig, 1, JM_CONTEXT_1, 511, 0);
        unsigned inside = 0; /* cycles with a part of a message sent at priority 0 */
        for (unsigned cycle = 0; cycle < 6000; cycle++) {
            rig_go_on(rig, 1);
            inside += rig_statistics(rig, 0).words_out[0] % MESSAGE_WORDS != 0;
        }
        const JmNodeStatistics out = rig_statistics(rig, 0);
        cr_expect_geq(out.messages_out[0], 1u);
        if (least == 7) {
            cr_expect_eq(out.messages_out[0] + out.messages_out[1], (uint64_t)MESSAGES);
            cr_expect_eq(out.messages_out[1], out.escaped);
            cr_expect_eq(rig_statistics(rig, 1).messages_in[1], out.escaped);
            cr_expect_lt(inside, 100u);
        } else {
            cr_expect_lt(out.messages_out[0] + out.messages_out[1], (uint64_t)MESSAGES);
            cr_expect_gt(inside, 4000u);
        }
        rig_close(rig);
    }
}

/* Node 0 sends ten messages of a row; both nodes rest. */
static const char resting[] = "        peek 0xFFF0E,r1\n"
                              "        bnz r1,^.rest\n"
                              "        move 1,r2\n"
                              "        move 10,r3\n"
                              ".next:  .msg 0x444,4\n"
                              "        send2 r2,r0,0\n"
                              "        send2 r1,r1,0\n"
                              "        sende r1,0\n"
                              "        sub r3,1,r3\n"
                              "        bnz r3,^.next\n"
                              ".rest:  rest\n"
                              "        handle_faults\n";

/* Rows in the ring are messages, and a machine that rests with some is not idle. A
 * queue that is turned off takes none back; one that is turned on does. */
Test(emu_bounded_ring, rows_left_in_the_ring_are_no_rest) {
    Rig *rig = rig_set(2, resting, SETTINGS({"spill_mark", 8}));
    set_queue(rig, 1, JM_CONTEXT_0, 15, 0);
    rig_run(rig, 100000, JM_STOP_DEADLOCK);
    rig_expect_told(rig, "node 1 (1,0,0)");
    rig_expect_told(rig, "32 words in the ring");
    const JmWord on = jm_register(rig->machine, 1, JM_CONTEXT_0, JM_REG_QBM);
    const JmWord off = jm_word(JM_TAG_ADDR, jm_data(on) | JM_ADDR_INVALID);
    jm_set_register(rig->machine, 1, JM_CONTEXT_0, JM_REG_QBM, off);
    jm_set_register(rig->machine, 1, JM_CONTEXT_0, JM_REG_QHL, jm_addr(BASE0, 0));
    rig_run(rig, 200000, JM_STOP_DEADLOCK);
    cr_expect_eq(rig_statistics(rig, 1).spilled_now, 32u);
    for (unsigned left = 32; left; left -= 8) {
        jm_set_register(rig->machine, 1, JM_CONTEXT_0, JM_REG_QHL, jm_addr(BASE0, 0));
        jm_set_register(rig->machine, 1, JM_CONTEXT_0, JM_REG_QBM, on);
        rig_run(rig, 200000 + 1000 * (40 - left),
                left > 8 ? JM_STOP_DEADLOCK : JM_STOP_IDLE);
        cr_expect_eq(rig_statistics(rig, 1).spilled_now, left - 8);
    }
    rig_close(rig);
}

/* Settings that could do nothing, or would stop every message: each is refused beside
 * another one, or alone, and taken at its bound or with what it needs. */
Test(emu_bounded_ring, useless_settings_are_refused) {
    static const struct {
        Setting set[4];
        const char *says; /* NULL: there is such a machine */
    } rows[] = {
        {{{"brake_ring", 1}}, "needs a brake_mark and a spill_mark"},
        {{{"brake_ring", 1}, {"brake_mark", 8}}, "needs a brake_mark and a spill_mark"},
        {{{"brake_ring", 1}, {"spill_mark", 8}}, "needs a brake_mark and a spill_mark"},
        {{{"brake_ring", 1}, {"spill_mark", 8}, {"brake_mark", 8}}, NULL},
        {{{"open_words", 9}}, "more than buffer_words, which is 8"},
        {{{"open_words", 8}}, NULL},
        {{{"spill_mark", 1}}, "is below 4, the words of a row"},
        {{{"spill_mark", 3}}, "is below 4, the words of a row"},
        {{{"spill_mark", 4}}, NULL},
        {{{"spill_mark", 3}, {"brake_mark", 4}}, "is below 4, the words of a row"},
        {{{"brake_mark", 3}}, "is below 4, the words of a row"},
        {{{"spill_mark", 4}, {"brake_mark", 3}}, "is below 4, the words of a row"},
        {{{"brake_mark", 4}}, NULL},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        JmConfig config = jm_config_default();
        JmError error = {.text = ""};
        rig_configure(&config, SETTINGS({"buffer_words", 8}));
        rig_configure(&config, rows[i].set);
        JmMachine *machine = jm_create(&config, &error);
        cr_expect_eq(machine != NULL, !rows[i].says, "row %u: %s", i, error.text);
        cr_expect(!rows[i].says || strstr(error.text, rows[i].says), "%s", error.text);
        jm_destroy(machine);
    }
}
