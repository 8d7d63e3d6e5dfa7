/* The brake's patience while a handler does its work (emu/node/interface.def). */
#include <criterion/criterion.h>

#include "tests/emu/sending.h"

enum { MARK = 24, PATIENCE = 3000, MESSAGE_WORDS = 8 };

/* Node 0 sends 100 messages of 6 words, which take rows of 8, to node 1. Its handler
 * takes some hundred cycles and does not begin before the test lets it. */
static const char program[] = SENDING("slow", "100") "spin:   .word INT:50\n"
                                                     "start:  .msg task,1,U\n"
                                                     "        .text\n"
                                                     "slow:   peek spin,r0\n"
                                                     "round:  sub r0,1,r0\n"
                                                     "        bnz r0,^round\n"
                                                     "        suspend\n";

static Rig *open_rig(void) {
    Rig *rig = rig_set(2, program,
                       SETTINGS({"brake_mark", MARK}, {"brake_patience", PATIENCE}));
    jm_write(rig->machine, 0, BASE0, rig_word(rig, 0, "start", 0));
    set_queue(rig, 0, JM_CONTEXT_0, 63, 4);
    set_queue(rig, 1, JM_CONTEXT_0, 1023, 0);
    return rig;
}

/* Lets patience end, and 80 words come; then the handler begins. */
static void begin_late(Rig *rig) {
    while (jm_queue_words(rig->machine, 1, 0) < MARK)
        rig_go_on(rig, 1);
    rig_go_on(rig, PATIENCE);
    while (jm_queue_words(rig->machine, 1, 0) < 80)
        rig_go_on(rig, 1);
    jm_set_register(rig->machine, 1, JM_CONTEXT_BACKGROUND, JM_REG_I, jm_bool(false));
}

/* After patience has ended, the first SUSPEND shows that the node makes progress: the
 * brake holds again. */
Test(emu_brake, suspend_puts_a_released_brake_on) {
    Rig *rig = open_rig();
    begin_late(rig);
    const uint32_t before = jm_queue_words(rig->machine, 1, 0);
    uint32_t most = 0; /* that were in the queue when the first SUSPEND took its own */
    for (uint32_t now = before; now + MESSAGE_WORDS > most;
         now = jm_queue_words(rig->machine, 1, 0)) {
        most = now > most ? now : most;
        rig_go_on(rig, 1);
    }
    const uint64_t in = rig_statistics(rig, 1).messages_in[0];
    cr_assert_gt(jm_queue_words(rig->machine, 1, 0), MARK + 3 * MESSAGE_WORDS);
    rig_go_on(rig, 1000);
    cr_expect_eq(rig_statistics(rig, 1).messages_in[0], in);
    cr_expect_lt(jm_queue_words(rig->machine, 1, 0), most - 2 * MESSAGE_WORDS);
    rig_go_on(rig, 100000);
    cr_expect_eq(rig_statistics(rig, 1).messages_in[0], 100u);
    rig_close(rig);
}

/* Each SUSPEND begins its patience anew, also while it is on: handlers of 1,000 cycles
 * keep it on for as long as the queue is above the mark. */
Test(emu_brake, each_suspend_keeps_it_on) {
    Rig *rig = open_rig();
    rig_set_word(rig, 1, "spin", jm_int(330));
    begin_late(rig);
    const uint64_t from = jm_now(rig->machine) + 1500;
    rig_run(rig, from, JM_STOP_NONE);
    const uint64_t in = rig_statistics(rig, 1).messages_in[0];
    while (jm_queue_words(rig->machine, 1, 0) > MARK) {
        rig_go_on(rig, 1);
        cr_assert_eq(rig_statistics(rig, 1).messages_in[0], in);
    }
    cr_expect_gt(jm_now(rig->machine), from + PATIENCE);
    rig_close(rig);
}

/* A mark above Q - 4 acts as Q - 4: with a queue of another size it is another. */
Test(emu_brake, the_size_of_the_queue_bounds_the_mark) {
    Rig *rig = rig_set(1,
                       "here:   nop\n"
                       "        br ^here\n",
                       SETTINGS({"brake_mark", 1000}));
    set_queue(rig, 0, JM_CONTEXT_0, 63, 28);
    rig_run(rig, 100, JM_STOP_NONE);
    cr_expect_eq(rig_statistics(rig, 0).brake_cycles, 0u);
    jm_set_register(rig->machine, 0, JM_CONTEXT_0, JM_REG_QBM, jm_addr(BASE0, 31));
    rig_run(rig, 250, JM_STOP_NONE);
    cr_expect_eq(rig_statistics(rig, 0).brake_cycles, 150u);
    jm_set_register(rig->machine, 0, JM_CONTEXT_0, JM_REG_QBM, jm_addr(BASE0, 63));
    rig_run(rig, 400, JM_STOP_NONE);
    cr_expect_eq(rig_statistics(rig, 0).brake_cycles, 150u);
    rig_close(rig);
}
