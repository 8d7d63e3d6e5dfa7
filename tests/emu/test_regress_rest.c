/* Whether a run ends: corners of idle and deadlock, and continuing after a change from
 * outside. */
#include <criterion/criterion.h>

#include "tests/emu/rig.h"

static const char computes[] = "loop:   add r1,1,r1\n"
                               "        br ^loop\n";

/* The shortest patience: neither an empty nor a moving network is a deadlock. */
Test(emu_regress_rest, shortest_patience) {
    Rig *rig = rig_set(2, computes, SETTINGS({"deadlock_cycles", 1}));
    rig_run(rig, 1000, JM_STOP_NONE);
    rig_close(rig);
}

/* A sender paused in mid-message blocks nothing once its flits have arrived. */
Test(emu_regress_rest, pause_in_mid_message) {
    Rig *rig = rig_set(1,
                       "        queues 63,63\n"
                       "        .msg 0x100,5\n"
                       "        move 0,r1\n"
                       "        send2 r1,r0,0\n"
                       "        send2 r1,r1,0\n"
                       "loop:   add r1,1,r1\n"
                       "        br ^loop\n",
                       SETTINGS({"deadlock_cycles", 500}));
    rig_run(rig, 5000, JM_STOP_NONE);
    rig_close(rig);
}

/* Opening and closing a queue is not progress of flits that wait elsewhere. */
Test(emu_regress_rest, gates_are_no_progress) {
    Rig *rig = rig_set(1,
                       "        .msg 0x100,1\n"
                       "        send2e 0,r0,0\n"
                       "        .word ADDR:0x4020003F\n"
                       "        move r0,r1\n"
                       "        .addr QUEUE1,63\n"
                       "loop:   move r0,qbm'p\n"
                       "        move r1,qbm'p\n"
                       "        br ^loop\n",
                       SETTINGS({"deadlock_cycles", 500}));
    rig_run(rig, 5000, JM_STOP_DEADLOCK);
    rig_close(rig);
}

static const char rests[] = "        rest\n";

/* At rest with I = 0 before an interrupt that F = 1 holds off. */
Test(emu_regress_rest, interrupt_held_off) {
    Rig *rig = rig_open(1, 1, 1, rests);
    jm_set_register(rig->machine, 0, JM_CONTEXT_BACKGROUND, JM_REG_I, jm_bool(false));
    jm_set_register(rig->machine, 0, JM_CONTEXT_BACKGROUND, JM_REG_F, jm_bool(true));
    jm_post(rig->machine, 0, JM_FAULT_INTERRUPT);
    rig_run(rig, 1000, JM_STOP_DEADLOCK);
    rig_expect_told(rig, "external fault");
    jm_set_register(rig->machine, 0, JM_CONTEXT_BACKGROUND, JM_REG_I, jm_bool(true));
    rig_run(rig, 1000, JM_STOP_IDLE); /* masked: it may wait */
    rig_close(rig);
}

/* A task that goes to background by itself keeps its message pending forever. */
static void expect_pending(const char *source, unsigned priority) {
    Rig *rig = rig_open(1, 1, 1, source);
    rig_run(rig, 1000, JM_STOP_DEADLOCK);
    cr_expect_eq(jm_queue_words(rig->machine, 0, priority), 4u);
    rig_close(rig);
}

Test(emu_regress_rest, task_never_ended) {
#define LEAVES(priority)                                                               \
    "        queues 63,63\n"                                                           \
    "        .msg leave,1\n"                                                           \
    "        send2e 0,r0," priority "\n"                                               \
    "        rest\n"                                                                   \
    "leave:  move true,r0\n"                                                           \
    "        move r0,b\n"
    expect_pending(LEAVES("0"), 0);
    expect_pending(LEAVES("1"), 1);
}

/* A node that rests with I = 1 may branch by a word of its queue: a row moves it on. */
Test(emu_regress_rest, branch_that_reads_the_queue) {
    Rig *rig = rig_open(2, 1, 1,
                        "        peek 0xFFF0E,r1\n"
                        "        queues 63,63\n"
                        "        bz r1,^sender\n"
                        "        move true,r0\n"
                        "        move r0,i\n"
                        "        .addr QUEUE0,0\n"
                        "        move r0,a1\n"
                        "        move -1,r0\n"
                        "        move r0,[1,a1]\n"
                        "spin:   br [1,a1]\n"
                        "        nop\n"
                        "        move 9,r1\n"
                        "        poke r1,HOST_EXIT\n"
                        "sender: .word INT:100\n"
                        "wait:   sub r0,1,r0\n"
                        "        bnz r0,^wait\n"
                        "        .msg 0x100,2\n"
                        "        move 1,r1\n"
                        "        send2 r1,r0,0\n"
                        "        sende 0,0\n"
                        "        rest\n");
    rig_run(rig, 5000, JM_STOP_EXIT);
    cr_expect_eq(jm_exit_value(rig->machine), 9);
    rig_close(rig);
}

/* A change from outside lets the machine go on, whatever ended the run. */
Test(emu_regress_rest, goes_on_after_exit) {
    Rig *rig = rig_open(1, 1, 1,
                        "        move 3,r1\n"
                        "        poke r1,HOST_EXIT\n"
                        "        rest\n"
                        "word:   .word INT:0\n");
    rig_run(rig, 1000, JM_STOP_EXIT);
    rig_run(rig, 1000, JM_STOP_EXIT);
    rig_set_word(rig, 0, "word", jm_int(1));
    rig_run(rig, 1000, JM_STOP_IDLE);
    rig_close(rig);
}

Test(emu_regress_rest, goes_on_after_a_stop) {
    Rig *rig = rig_open(2, 1, 1,
                        "        peek 0xFFF0E,r1\n"
                        "        bz r1,^zero\n"
                        "        .word INT:300\n"
                        "loop:   sub r0,1,r0\n"
                        "        bnz r0,^loop\n"
                        "        rest\n"
                        "zero:   suspend\n"
                        "word:   .word INT:0\n");
    rig_run(rig, 1000, JM_STOP_STOPPED);
    rig_set_word(rig, 1, "word", jm_int(1));
    rig_run(rig, 2000, JM_STOP_IDLE);
    cr_expect_gt(jm_now(rig->machine), 600u);
    rig_close(rig);
}
