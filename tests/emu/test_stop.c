/* How runs end: exit, idle, stopped nodes, deadlock. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/machine/run/run.h"
#include "tests/emu/rig.h"

static const char at_rest[] = "        rest\n";

/* Runs a background program on one node, which must stop there. */
static void stops(const char *instructions, const char *reason) {
    Rig *rig = rig_open(1, 1, 1, instructions);
    rig_run(rig, 1000, JM_STOP_STOPPED);
    rig_expect_told(rig, "node 0");
    rig_expect_told(rig, reason);
    const uint64_t now = jm_now(rig->machine);
    rig_run(rig, 2000, JM_STOP_STOPPED); /* and stays so */
    cr_expect_eq(jm_now(rig->machine), now);
    rig_close(rig);
}

Test(emu_stop, stopped_nodes_say_why) {
    stops("        nop\n        nop\n        suspend\n", "01001");
    stops("        .word INT:0x20\n        wtag r0,r0,r1\n", "TYPE");
    stops("        .word CFUT:0\n        call 0\n", "CATASTROPHE");
    stops("        move 1,r1\n        send r1,0\n", "01000"); /* to no node */
    stops("        .word INT:0x400\n        send r0,1\n", "01001");
}

/* Its low 16 bits name the node: others do not matter. */
Test(emu_stop, routing_word_has_16_bits) {
    Rig *rig = rig_open(1, 1, 1,
                        "        queues 63,63\n"
                        "        .word ADDR:0xABCD0000\n"
                        "        move r0,r1\n"
                        "        .msg here,1\n"
                        "        send2e r1,r0,0\n"
                        "        rest\n"
                        "        .text\n"
                        "here:   suspend\n");
    rig_run(rig, 1000, JM_STOP_IDLE);
    cr_expect_eq(rig_statistics(rig, 0).dispatches[0], 1u);
    rig_close(rig);
}

/* A stopped node ends the run, unless keep_going is set: then the others continue. */
static const char one_stops[] = "        peek 0xFFF0E,r1\n"
                                "        bz r1,^zero\n"
                                "        .word INT:300\n"
                                "loop:   sub r0,1,r0\n"
                                "        bnz r0,^loop\n"
                                "        move 6,r1\n"
                                "        poke r1,HOST_EXIT\n"
                                "zero:   suspend\n";

Test(emu_stop, keep_going) {
    JmConfig config = jm_config_default();
    config.size_x = 2;
    for (unsigned goes_on = 0; goes_on < 2; goes_on++) {
        config.keep_going = goes_on;
        Rig *rig = rig_open_with(&config, one_stops);
        rig_run(rig, 5000, goes_on ? JM_STOP_EXIT : JM_STOP_STOPPED);
        cr_expect(goes_on ? jm_exit_value(rig->machine) == 6
                          : jm_now(rig->machine) < 100);
        rig_close(rig);
    }
}

/* A message pending where I = 1 will never be dispatched: that is idle. */
Test(emu_stop, pending_but_masked_is_idle) {
    Rig *rig = rig_open(1, 1, 1, at_rest);
    jm_set_register(rig->machine, 0, JM_CONTEXT_0, JM_REG_QBM, jm_addr(0x800, 63));
    jm_set_register(rig->machine, 0, JM_CONTEXT_0, JM_REG_QHL, jm_addr(0x800, 4));
    rig_run(rig, 1000, JM_STOP_IDLE);
    rig_close(rig);
}

/* A loop of more than one instruction is not idle, nor is a task that loops. */
Test(emu_stop, other_loops_go_on) {
    Rig *rig = rig_open(1, 1, 1,
                        "one:    br ^two\n"
                        "two:    br ^one\n");
    rig_run(rig, 1000, JM_STOP_NONE);
    rig_close(rig);
    rig = rig_open(1, 1, 1, at_rest);
    jm_set_register(rig->machine, 0, JM_CONTEXT_0, JM_REG_IP,
                    jm_ip(0x1000, JM_IP_ABSOLUTE));
    jm_set_register(rig->machine, 0, JM_CONTEXT_BACKGROUND, JM_REG_B, jm_bool(false));
    rig_run(rig, 1000, JM_STOP_NONE);
    rig_close(rig);
}

/* At rest with something left in the network: an open message, flits that are not
 * taken, or a word of a row that never fills. */
static void deadlock(const char *instructions, unsigned queue) {
    char source[600];
    snprintf(source, sizeof source, "%s        rest\n        .text\nhere:   suspend\n",
             instructions);
    Rig *rig = rig_open(1, 1, 1, source);
    if (queue)
        jm_set_register(rig->machine, 0, JM_CONTEXT_0, JM_REG_QBM, jm_addr(0x800, 31));
    rig_run(rig, 100000, JM_STOP_DEADLOCK);
    cr_expect_lt(jm_now(rig->machine), 1000u);
    rig_expect_told(rig, "node 0");
    rig_close(rig);
}

Test(emu_stop, deadlock_at_rest) {
    deadlock("        send 0,0\n", 1);
    deadlock("        .msg here,4\n        send2 0,r0,0\n", 1);
    deadlock("        .msg here,4\n        send2 0,r0,0\n        send2 1,r0,0\n", 1);
    deadlock("        .msg here,1\n        send2e 0,r0,0\n", 0);
}

/* Two messages that have left their sender's buffer wait at two closed doors. */
Test(emu_stop, deadlock_names_messages_and_doors) {
    Rig *rig = rig_open(4, 1, 1,
                        "        peek 0xFFF0E,r1\n"
                        "        bnz r1,^idle\n"
                        "        move 3,r2\n"
                        "        .msg 0x100,1\n"
                        "        send2e r2,r0,0\n"
                        "        move 2,r2\n"
                        "        send2e r2,r0,1\n"
                        "idle:   br ^idle\n");
    rig_run(rig, 1000, JM_STOP_DEADLOCK);
    rig_expect_told(rig, "3,0,0 p0 ejection gate is closed to message 0");
    rig_expect_told(rig, "2,0,0 p1 ejection gate is closed to message 1");
    rig_expect_told(rig, "node 2 (2,0,0): idle");
    rig_expect_told(rig, "node 3 (3,0,0): idle");
    cr_expect_not(rig_tells(rig, "node 1 (1,0,0)"));
    rig_close(rig);
}

/* HOST_EXIT ends the run after its cycle; of several, the lowest rank's counts. */
Test(emu_stop, exit_of_the_lowest_rank) {
    Rig *rig = rig_open(3, 1, 1,
                        "        peek 0xFFF0E,r1\n"
                        "        add r1,12,r1\n"
                        "        poke r1,HOST_EXIT\n"
                        "        rest\n");
    rig_log(rig, 1 << JM_EVENT_INSTRUCTION);
    rig_run(rig, 1000, JM_STOP_EXIT);
    cr_expect_eq(jm_exit_value(rig->machine), 12);
    cr_expect_eq(jm_now(rig->machine), rig->log.event[rig->log.count - 1].cycle + 1);
    rig_run(rig, 2000, JM_STOP_EXIT);
    rig_close(rig);
}

/* Node 0 stops after `pads` instructions, if it is `stopping`; node 1 ends the run if
 * it is `exiting`. Returns when the run ended, and why. */
static uint64_t race(unsigned pads, bool stopping, bool exiting, JmStop *why) {
    char source[400];
    snprintf(source, sizeof source,
             "        peek 0xFFF0E,r1\n"
             "        bnz r1,^other\n"
             "        .rept %u\n"
             "        nop\n"
             "        .endr\n"
             "        %s\n"
             "        rest\n"
             "other:  move 7,r1\n"
             "        nop\n"
             "        nop\n"
             "        %s\n"
             "        rest\n",
             pads, stopping ? "suspend" : "nop", exiting ? "poke r1,HOST_EXIT" : "nop");
    Rig *rig = rig_open(2, 1, 1, source);
    *why = jm_run(rig->machine, 1000);
    const uint64_t end = jm_now(rig->machine);
    rig_close(rig);
    return end;
}

/* An exit or a stop ends the run, whichever is first; in one cycle it is the exit. */
Test(emu_stop, exit_before_a_stop) {
    JmStop why;
    bool together = false;
    for (unsigned pads = 0; pads < 24; pads++) {
        const uint64_t exits = race(pads, false, true, &why);
        cr_expect_eq(why, JM_STOP_EXIT);
        const uint64_t stops = race(pads, true, false, &why);
        cr_expect_eq(why, JM_STOP_STOPPED);
        const uint64_t end = race(pads, true, true, &why);
        cr_expect_eq(why, stops < exits ? JM_STOP_STOPPED : JM_STOP_EXIT, "%u", pads);
        cr_expect_eq(end, stops < exits ? stops : exits);
        together |= stops == exits;
    }
    cr_expect(together);
}

Test(emu_stop, exit_values) {
    static const struct {
        uint32_t data;
        int value;
    } cases[] = {{0, 0}, {125, 125}, {126, 125}, {0xFFFFFFFF, 125}, {0x80000000, 125}};
    for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        Rig *rig = rig_open(1, 1, 1,
                            "        peek value,r1\n"
                            "        poke r1,HOST_EXIT\n"
                            "        rest\n"
                            "        .data\n"
                            "value:  .word INT:0\n");
        rig_set_word(rig, 0, "value", jm_word(JM_TAG_INT, cases[k].data));
        rig_run(rig, 1000, JM_STOP_EXIT);
        cr_expect_eq(jm_exit_value(rig->machine), cases[k].value, "%08X",
                     cases[k].data);
        rig_close(rig);
    }
}

static bool at_second(void *context, const JmEvent *event) {
    (void)event;
    unsigned *count = context;
    return ++*count == 2;
}

/* An observer stops the run after the cycle; it can be taken up again. */
Test(emu_stop, breakpoints) {
    Rig *rig = rig_open(1, 1, 1,
                        "loop:   add r1,1,r1\n"
                        "        br ^loop\n");
    unsigned count = 0;
    jm_observe(rig->machine, 1 << JM_EVENT_INSTRUCTION, at_second, &count);
    rig_run(rig, 1000, JM_STOP_BREAK);
    cr_expect_eq(count, 2u);
    cr_expect_eq(jm_now(rig->machine), 3u); /* row and add, then the branch's cycle */
    rig_run(rig, 1000, JM_STOP_NONE);
    cr_expect_eq(jm_now(rig->machine), 1000u);
    rig_close(rig);
}

/* The node whose rank is in `who` ends its loop. */
#define SOMEBODY(end)                                                                  \
    "        .word INT:100\n"                                                          \
    "        move r0,r3\n"                                                             \
    "again:  sub r3,1,r3\n"                                                            \
    "        bnz r3,^again\n"                                                          \
    "        peek 0xFFF0E,r1\n"                                                        \
    "        peek who,r2\n"                                                            \
    "        eq r1,r2,r0\n"                                                            \
    "        bf r0,^again\n" end "        br ^again\n"                                 \
    "        .data\n"                                                                  \
    "who:    .word INT:0\n"

typedef struct {
    JmStop stop;
    uint64_t cycle;
    char *text;
} End;

static End end_with(const char *source, int who, unsigned threads) {
    Rig *rig = rig_open(8, 8, 2, source);
    for (unsigned node = 0; node < 128; node++)
        rig_set_word(rig, node, "who", jm_int(who));
    if (threads > 1) /* though it is too small for them to pay */
        rig->machine->slabs = slabs_create(rig->machine, threads, 64);
    const JmStop stop = jm_run(rig->machine, 2000);
    const End end = {stop, jm_now(rig->machine), rig_explanation(rig)};
    rig_close(rig);
    return end;
}

/* Runs end alike with threads, whichever thread has the node that ends them. */
Test(emu_stop, alike_with_threads) {
    static const char *const sources[] = {
        SOMEBODY("        suspend\n"), SOMEBODY("        poke r1,HOST_EXIT\n"),
        SOMEBODY("        .word INT:31\n        send r0,0\n")};
    static const int who[] = {0, 63, 64, 100, 127};
    for (unsigned k = 0; k < 15; k++) {
        End one = end_with(sources[k / 5], who[k % 5], 1);
        End two = end_with(sources[k / 5], who[k % 5], 2);
        cr_expect_eq(one.stop, k / 5 == 1 ? JM_STOP_EXIT : JM_STOP_STOPPED, "%u", k);
        cr_expect_eq(two.stop, one.stop, "%u: %s", k, jm_stop_name(two.stop));
        cr_expect_eq(two.cycle, one.cycle, "%u", k);
        cr_expect_str_eq(two.text, one.text, "%u", k);
        free(one.text);
        free(two.text);
    }
}
