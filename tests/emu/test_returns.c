/* Return to sender (emu/machine/link/rts.h): every message arrives exactly once, and
 * messages that bounce forever end the run. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/emu/sending.h"

/* Messages that find no room are returned and resent: in the end each has arrived once,
 * each has been acknowledged, and the return memory is free. */
static void return_messages(uint32_t window, uint32_t ack_words, uint32_t backoff) {
    Rig *rig =
        rig_set(2, sender,
                SETTINGS({"rts", 1}, {"rts_window", window},
                         {"rts_ack_words", ack_words}, {"rts_backoff", backoff}));
    unsigned seen[21] = {0};
    start(rig, 20, 4);
    for (unsigned node = 0; node < 2; node++)
        set_queue(rig, node, JM_CONTEXT_1, 63, 0);
    set_queue(rig, 1, JM_CONTEXT_0, 31, 0);
    rig_run(rig, 3000, JM_STOP_NONE);
    cr_expect_eq(rig_statistics(rig, 1).messages_in[0], 3u, "a row stays free");
    cr_expect_gt(rig_statistics(rig, 0).rts_reserved, 0u);
    for (unsigned i = 0; i < 40; i++) {
        seen[take_message(rig)]++;
        rig_go_on(rig, 300);
    }
    const JmNodeStatistics out = rig_statistics(rig, 0), in = rig_statistics(rig, 1);
    for (unsigned message = 1; message <= 20; message++)
        cr_expect_eq(seen[message], 1u, "message %u came %u times", message,
                     seen[message]);
    cr_expect_eq(in.words_in[0], 120u);
    cr_expect_eq(in.queue_max_words[0], 24u);
    cr_expect_eq(in.overflows[0], 0u);
    cr_expect_eq(in.acks_out, 20u);
    cr_expect_eq(out.acks_in, 20u);
    cr_expect_eq(out.rts_reserved, 0u);
    cr_expect_leq(out.rts_peak, window < 8 ? 8 : window, "one message always goes");
    cr_expect_gt(in.returns_out, 0u);
    cr_expect_eq(in.returns_out, out.returns_in);
    cr_expect_eq(out.resent, out.returns_in);
    cr_expect_eq(out.words_in[1], 0u, "nothing of this enters queue 1");
    JmNetworkStatistics net;
    jm_network_statistics(rig->machine, &net);
    cr_expect_eq(net.words_delivered[1], 6 * in.returns_out + 20 * ack_words);
    rig_close(rig);
}

Test(emu_returns, returned_messages_come_once) {
    return_messages(256, 1, 0);
    return_messages(8, 4, 0);
    return_messages(4, 2, 0);
    return_messages(256, 1, 100);
}

/* Node 0 sends messages of priority 0, which node 1 acknowledges at priority 1, where
 * node 1 sends messages of its own. The routing word goes alone. */
static const char crossing[] = "        handle_faults\n"
                               "        queues 63, 63\n"
                               "        move 20,r3\n"
                               "        peek 0xFFF0E,r1\n"
                               "        bnz r1,^.high\n"
                               ".low:   move 1,r2\n"
                               "        .msg count,2,U\n"
                               "        send r2,0\n"
                               "        send2e r0,r3,0\n"
                               "        sub r3,1,r3\n"
                               "        bnz r3,^.low\n"
                               "        rest\n"
                               ".high:  move 0,r2\n"
                               "        .msg count,2,U\n"
                               "        send r2,1\n"
                               "        send2e r0,r3,1\n"
                               "        sub r3,1,r3\n"
                               "        bnz r3,^.high\n"
                               "        rest\n"
                               "        .text\n"
                               "count:  peek got,r1\n"
                               "        add r1,1,r1\n"
                               "        poke r1,got\n"
                               "        suspend\n"
                               "        .data\n"
                               "got:    .word INT:0\n";

/* A number in the network is an acknowledgement's, then a task's message's, and so on:
 * each is taken for what it is. */
Test(emu_returns, tasks_send_at_priority_1_too) {
    Rig *rig = rig_set(2, crossing, SETTINGS({"rts", 1}));
    rig_log(rig, 1 << JM_EVENT_SEND);
    rig_run(rig, 100000, JM_STOP_IDLE);
    for (unsigned node = 0; node < 2; node++) {
        const JmNodeStatistics s = rig_statistics(rig, node);
        cr_expect(jm_same(rig_word(rig, node, "got", 0), jm_int(20)), "node %u", node);
        cr_expect_eq(s.acks_in, node ? 0u : 20u);
        cr_expect_eq(s.acks_out, node ? 20u : 0u);
        cr_expect_eq(s.rts_reserved, 0u);
        for (unsigned n = 0; n < 20; n++) {
            const JmEvent *event = rig_event(rig, JM_EVENT_SEND, node, n);
            cr_expect_lt(event->message, 64u, "it has a number");
            cr_expect(event->opens || node == 1);
        }
    }
    rig_close(rig);
}

/* Saved in any cycle, between a routing word and its header too, the machine comes to
 * the same end from its file. */
Test(emu_returns, goes_on_from_a_file_of_any_cycle) {
    Rig *whole = rig_set(2, crossing, SETTINGS({"rts", 1}));
    Rig *rig = rig_set(2, crossing, SETTINGS({"rts", 1}));
    rig_run(whole, 100000, JM_STOP_IDLE);
    const RigFile end = rig_file(whole->machine);
    for (uint64_t cycle = 1; cycle < 100; cycle++) {
        rig_run(rig, cycle, JM_STOP_NONE);
        JmMachine *copy = rig_copy(rig->machine);
        cr_expect_eq(jm_run(copy, 100000), JM_STOP_IDLE);
        RigFile file = rig_file(copy);
        cr_expect(rig_same_file(&file, &end), "from cycle %u", (unsigned)cycle);
        free(file.bytes);
        jm_destroy(copy);
    }
    free(end.bytes);
    rig_close(whole);
    rig_close(rig);
}

/* Node 0 sends a message to node 1 and, with `half`, begins another; both rest. */
#define RESTING(half0, half1)                                                          \
    "        move 0,r2\n"                                                              \
    "        peek 0xFFF0E,r1\n"                                                        \
    "        bnz r1,^.one\n"                                                           \
    "        move 1,r2\n"                                                              \
    "        .msg 0x444,4\n"                                                           \
    "        send2 r2,r0,0\n"                                                          \
    "        send2 r1,r1,0\n"                                                          \
    "        sende r1,0\n" half0 "        rest\n"                                      \
    ".one:   .msg 0x444,4\n" half1 "        rest\n"

/* A unit's messages wait behind a message that a task never ends: that is no
 * reason to go on forever. Node 1 has room for the message, or not. */
static void rest_inside(const char *source, uint32_t words, unsigned returns) {
    Rig *rig = rig_set(2, source, SETTINGS({"rts", 1}));
    set_queue(rig, 1, JM_CONTEXT_0, 15, words);
    set_queue(rig, 0, JM_CONTEXT_1, 15, 0);
    rig_run(rig, 20000, JM_STOP_DEADLOCK);
    cr_expect_eq(rig_statistics(rig, 0).rts_reserved, 4u + 4 * returns);
    cr_expect_eq(rig_statistics(rig, 0).acks_in, 0u);
    cr_expect_eq(rig_statistics(rig, 0).returns_in, returns);
    rig_expect_told(rig, returns ? "\n  4 words in its unit of return to sender"
                                 : "\n  1 words in its unit of return to sender");
    rig_expect_told(rig, returns ? "\n  8 words of its return memory are reserved"
                                 : "\n  4 words of its return memory are reserved");
    rig_close(rig);
}

Test(emu_returns, units_wait_behind_tasks) {
    rest_inside(RESTING("", "        send2 r2,r0,1\n"), 0, 0);
    rest_inside(RESTING("        send2 r2,r0,0\n", ""), 12, 1);
}

/* Node 0 sends 12 messages, all of which node 1 has room for, while it is for long in
 * the middle of a message of priority 1: so all acknowledgements wait, also in a file,
 * and then go. */
Test(emu_returns, acknowledgements_wait_and_go) {
    Rig *rig = rig_set(2,
                       "        .word INT:1000\n"
                       "        move r0,r3\n"
                       "        move 0,r2\n"
                       "        peek 0xFFF0E,r1\n"
                       "        bz r1,^.zero\n"
                       "        .msg ends,2,U\n"
                       "        send2 r2,r0,1\n"
                       ".pause: sub r3,1,r3\n"
                       "        bnz r3,^.pause\n"
                       "        sende r2,1\n"
                       "        rest\n"
                       ".zero:  move 12,r3\n"
                       "        move 1,r2\n"
                       ".more:  .msg ends,2,U\n"
                       "        send2 r2,r0,0\n"
                       "        sende r3,0\n"
                       "        move 25,r1\n"
                       ".wait:  sub r1,1,r1\n"
                       "        bnz r1,^.wait\n"
                       "        sub r3,1,r3\n"
                       "        bnz r3,^.more\n"
                       "        rest\n"
                       "        .text\n"
                       "ends:   suspend\n",
                       SETTINGS({"rts", 1}));
    set_queue(rig, 0, JM_CONTEXT_1, 63, 0);
    set_queue(rig, 1, JM_CONTEXT_0, 63, 0);
    rig_run(rig, 2000, JM_STOP_NONE);
    cr_expect_eq(rig_statistics(rig, 1).messages_in[0], 12u);
    cr_expect_eq(rig_statistics(rig, 0).rts_reserved, 48u);
    rig_reload(rig);
    rig_run(rig, 20000, JM_STOP_IDLE);
    cr_expect_eq(rig_statistics(rig, 1).acks_out, 12u);
    cr_expect_eq(rig_statistics(rig, 0).acks_in, 12u);
    cr_expect_eq(rig_statistics(rig, 0).rts_reserved, 0u);
    rig_close(rig);
}

/* The unit of return to sender decides alone what enters queue 0. */
Test(emu_returns, returns_with_another_cure_are_refused) {
    const char *const others[] = {"hwm_mark", "escape_mark", "brake_mark",
                                  "spill_mark"};
    for (unsigned i = 0; i < 4; i++) {
        JmConfig config = jm_config_default();
        JmError error = {.text = ""};
        cr_assert(jm_config_set(&config, others[i], 32, &error));
        JmMachine *alone = jm_create(&config, &error);
        cr_assert_not_null(alone, "%s", error.text);
        jm_destroy(alone);
        cr_assert(jm_config_set(&config, "rts", 1, &error));
        cr_assert_null(jm_create(&config, &error), "%s", others[i]);
        cr_expect_str_eq(error.file, others[i]);
        cr_expect_not_null(strstr(error.text, "rts=1"), "%s", error.text);
    }
}

/* Node 1 takes the first three of 20 messages and never handles any. */
static Rig *bouncing(const char *source, const Setting *settings) {
    Rig *rig = rig_set(3, source, settings);
    start(rig, 20, 4);
    set_queue(rig, 0, JM_CONTEXT_1, 63, 0);
    set_queue(rig, 1, JM_CONTEXT_1, 63, 0);
    set_queue(rig, 1, JM_CONTEXT_0, 31, 0);
    return rig;
}

/* The cycle in which such a machine stops. `slice`: cycles of a run, after each of
 * which it goes on for a while and is taken back. */
static uint64_t bounce(unsigned patience, uint64_t slice) {
    Rig *rig = bouncing(sender, SETTINGS({"rts", 1}, {"rts_patience", patience}));
    while (jm_run(rig->machine, jm_now(rig->machine) + slice) == JM_STOP_NONE) {
        JmCheckpoint *saved = jm_checkpoint(rig->machine);
        jm_run(rig->machine, jm_now(rig->machine) + 1000);
        cr_assert(jm_restore(rig->machine, saved));
        jm_checkpoint_free(saved);
    }
    const uint64_t end = jm_now(rig->machine);
    rig_run(rig, end + 10, JM_STOP_DEADLOCK);
    cr_expect_eq(jm_now(rig->machine), end);
    const JmNodeStatistics in = rig_statistics(rig, 1);
    cr_expect_geq(in.returns_out, patience);
    cr_expect_leq(in.returns_out, 2 * patience, "%u", (unsigned)in.returns_out);
    char told[2][100];
    snprintf(told[0], 100, "livelock: %u messages came back ",
             (unsigned)in.returns_out);
    snprintf(told[1], 100, "node 1 (1,0,0): %u so far; queue 0 holds 24 of 32 words",
             (unsigned)in.returns_out);
    rig_expect_told(rig, told[0]);
    rig_expect_told(rig, told[1]);
    rig_close(rig);
    return end;
}

/* Messages that only go to and fro end the run, in the same cycle however it is cut. */
Test(emu_returns, endless_bouncing_ends_the_run) {
    const uint64_t end = bounce(100, 1000000);
    cr_expect_eq(bounce(100, 137), end);
    cr_expect_gt(bounce(1000, 1000000), 5 * end);
}

/* So do messages that are kept back for long, far fewer than rts_patience: when each
 * has had its chances for deadlock_cycles. */
static uint64_t bounce_rarely(uint64_t backoff, uint64_t slice) {
    Rig *rig = bouncing(sender, SETTINGS({"rts", 1}, {"rts_backoff", backoff},
                                         {"deadlock_cycles", 5000}));
    uint64_t first = 0; /* when the first message was returned */
    while (jm_run(rig->machine, jm_now(rig->machine) + slice) == JM_STOP_NONE)
        if (!first && rig_statistics(rig, 1).returns_out)
            first = jm_now(rig->machine);
    cr_expect_eq(jm_run(rig->machine, UINT64_MAX), JM_STOP_DEADLOCK);
    const uint64_t end = jm_now(rig->machine), least = 5000 + 2 * backoff;
    cr_expect_geq(end, least);
    cr_expect_leq(end, first + slice + 2 * least, "%u", (unsigned)end);
    rig_expect_told(rig, "livelock: ");
    rig_close(rig);
    return end;
}

Test(emu_returns, bouncing_for_long_ends_the_run) {
    for (uint64_t backoff = 0; backoff <= 2000; backoff += 1000)
        cr_expect_eq(bounce_rarely(backoff, 7), bounce_rarely(backoff, 1000));
}

/* Sends four messages to node 1, and one more each time that `more` is set. */
static const char sends_more[] = "        move nnr,r3\n"
                                 "        wtag r3,1,r3\n"
                                 "        bnz r3,^idle\n"
                                 "        move 4,r3\n"
                                 "send:   move 1,r2\n"
                                 "        .msg 0x444,6\n"
                                 "        send2 r2,r0,0\n"
                                 "        send2 r2,r2,0\n"
                                 "        send2 r2,r2,0\n"
                                 "        sende r2,0\n"
                                 "        .word INT:40\n"
                                 "        move r0,r1\n"
                                 "pause:  sub r1,1,r1\n"
                                 "        bnz r1,^pause\n"
                                 "        sub r3,1,r3\n"
                                 "        bnz r3,^send\n"
                                 "wait:   peek more,r1\n"
                                 "        bz r1,^wait\n"
                                 "        move 0,r3\n"
                                 "        poke r3,more\n"
                                 "        move 1,r3\n"
                                 "        br ^send\n"
                                 "idle:   rest\n"
                                 "        .data\n"
                                 "more:   .word INT:0\n";

/* A time in which no message bounces does not count, though no task ends in it. */
Test(emu_returns, bouncing_anew_counts_anew) {
    Rig *rig = rig_set(2, sends_more, SETTINGS({"rts", 1}, {"deadlock_cycles", 5000}));
    set_queue(rig, 0, JM_CONTEXT_1, 63, 0);
    set_queue(rig, 1, JM_CONTEXT_1, 63, 0);
    set_queue(rig, 1, JM_CONTEXT_0, 31, 0);
    for (unsigned turn = 0; turn < 3; turn++) {
        rig_go_on(rig, 4000);
        const uint64_t returns = rig_statistics(rig, 1).returns_out;
        cr_expect_gt(returns, 10u * (turn + 1));
        take_message(rig);
        rig_go_on(rig, 20000);
        cr_expect_leq(rig_statistics(rig, 1).returns_out, returns + 1);
        rig_set_word(rig, 0, "more", jm_int(1));
    }
    rig_run(rig, jm_now(rig->machine) + 20000, JM_STOP_DEADLOCK);
    rig_expect_told(rig, "livelock: ");
    rig_close(rig);
}

/* Cycles from when a message has come back whole to when it has been sent again. */
static uint64_t kept_back(uint64_t backoff) {
    Rig *rig = rig_set(2, sender, SETTINGS({"rts", 1}, {"rts_backoff", backoff}));
    start(rig, 1, 4);
    for (unsigned node = 0; node < 2; node++)
        set_queue(rig, node, JM_CONTEXT_1, 63, 0);
    set_queue(rig, 1, JM_CONTEXT_0, 15, 12);
    uint64_t came = 0, went = 0;
    while (!went) {
        rig_go_on(rig, 1);
        const JmNodeStatistics s = rig_statistics(rig, 0);
        came = s.returns_in && !came ? jm_now(rig->machine) : came;
        went = s.resent ? jm_now(rig->machine) : 0;
    }
    rig_close(rig);
    return went - came;
}

/* Without back-off its six words go in the next three cycles, the first two words at
 * their beginning. Each cycle of back-off is a cycle more. */
Test(emu_returns, messages_are_kept_back_as_long_as_said) {
    const uint64_t backoffs[] = {0, 1, 2, 3, 17, 100, 5000};
    for (size_t i = 0; i < sizeof backoffs / sizeof backoffs[0]; i++)
        cr_expect_eq(kept_back(backoffs[i]), 2 + backoffs[i], "%u: %u",
                     (unsigned)backoffs[i], (unsigned)kept_back(backoffs[i]));
}

/* Gives node 2 a message whose task ends at once, and runs on for 1000 cycles, in which
 * some 50 messages are returned. */
static void end_a_task(Rig *rig) {
    const JmWord header = jm_msg(rig_address(rig, "ends"), 1);
    jm_write(rig->machine, 2, BASE0, header);
    set_queue(rig, 2, JM_CONTEXT_0, 31, 4);
    jm_set_register(rig->machine, 2, JM_CONTEXT_BACKGROUND, JM_REG_I, jm_bool(false));
    rig_go_on(rig, 1000);
    cr_expect_eq(jm_queue_words(rig->machine, 2, 0), 0u);
}

/* As long as tasks end somewhere, messages may bounce as often as they like, and a task
 * that ended in a future that was taken back does not count. */
Test(emu_returns, a_suspend_anywhere_shows_that_the_machine_gets_on) {
    char source[4096];
    snprintf(source, sizeof source, "%s        .text\nends:   suspend\n", sender);
    Rig *rig = bouncing(source, SETTINGS({"rts", 1}, {"rts_patience", 100}));
    for (unsigned turn = 0; turn < 20; turn++)
        end_a_task(rig);
    cr_expect_gt(rig_statistics(rig, 1).returns_out, 300u);
    rig_go_on(rig, 2000);
    JmCheckpoint *before = jm_checkpoint(rig->machine);
    rig_run(rig, jm_now(rig->machine) + 20000, JM_STOP_DEADLOCK);
    const uint64_t end = jm_now(rig->machine);
    cr_assert(jm_restore(rig->machine, before));
    for (unsigned turn = 0; turn < 5; turn++)
        end_a_task(rig);
    cr_assert(jm_restore(rig->machine, before));
    rig_run(rig, jm_now(rig->machine) + 20000, JM_STOP_DEADLOCK);
    cr_expect_eq(jm_now(rig->machine), end);
    jm_checkpoint_free(before);
    rig_close(rig);
}
