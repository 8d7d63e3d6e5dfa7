/* The host page: what programs read and write there, and in which order output
 * appears. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "emu/machine/machine.h"
#include "tests/emu/rig.h"

/* Copies the nine words of the host page that can be read to `page`. */
static const char reader[] = "        .addr 0xFFF00, 0\n"
                             "        move r0,a1\n"
                             "        .addr page, 0\n"
                             "        move r0,a2\n"
                             "        move 0,r1\n"
                             "more:   move [r1,a1],r2\n"
                             "        move r2,[r1,a2]\n"
                             "        add r1,1,r1\n"
                             "        le r1,15,r2\n"
                             "        bt r2,^more\n"
                             "        rest\n"
                             "        .data\n"
                             "page:   .space 16, INT:-1\n";

static Rig *read_page(uint64_t seed) {
    JmConfig config = jm_config_default();
    config.size_x = 3;
    config.size_y = 2;
    config.size_z = 4;
    config.seed = seed;
    Rig *rig = rig_open_with(&config, reader);
    rig_run(rig, 5000, JM_STOP_IDLE);
    return rig;
}

Test(emu_host, words_to_read) {
    Rig *rig = read_page(7);
    for (unsigned node = 0; node < 24; node++) {
        static const struct {
            uint32_t offset;
            int32_t value;
        } fixed[] = {{0x9, 0}, {0xA, 24}, {0xB, 3}, {0xC, 2}, {0xD, 4}};
        for (unsigned k = 0; k < sizeof fixed / sizeof fixed[0]; k++)
            cr_expect(jm_same(rig_word(rig, node, "page", fixed[k].offset),
                              jm_int(fixed[k].value)));
        cr_expect(jm_same(rig_word(rig, node, "page", 0xE), jm_int((int)node)));
        cr_expect(jm_same(rig_word(rig, node, "page", 0x4), JM_NIL));
    }
    rig_close(rig);
}

/* A seed for every node, from the seed of the run. */
Test(emu_host, seeds) {
    Rig *one = read_page(7), *same = read_page(7), *other = read_page(8);
    for (unsigned node = 0; node < 24; node++) {
        const JmWord word = rig_word(one, node, "page", 0xF);
        cr_expect_eq(jm_tag(word), JM_TAG_INT);
        cr_expect(jm_same(word, rig_word(same, node, "page", 0xF)));
        cr_expect_not(jm_same(word, rig_word(other, node, "page", 0xF)));
        for (unsigned k = 0; k < node; k++)
            cr_expect_not(jm_same(word, rig_word(one, k, "page", 0xF)));
    }
    rig_close(one);
    rig_close(same);
    rig_close(other);
}

/* All 64 bits of the seed count, and a machine can be given another one. */
Test(emu_host, another_seed) {
    const uint64_t high = UINT64_C(1) << 40;
    Rig *one = read_page(7), *other = read_page(7 + high);
    const JmWord first = rig_word(one, 5, "page", 0xF);
    const JmWord second = rig_word(other, 5, "page", 0xF);
    cr_expect_not(jm_same(first, second));
    for (unsigned back = 0; back < 2; back++) {
        jm_set_seed(one->machine, back ? 7 : 7 + high);
        jm_set_register(one->machine, 5, JM_CONTEXT_BACKGROUND, JM_REG_IP,
                        jm_ip(0x1000, JM_IP_ABSOLUTE | JM_IP_UNCHECKED));
        rig_run(one, jm_now(one->machine) + 5000, JM_STOP_IDLE);
        cr_expect(jm_same(rig_word(one, 5, "page", 0xF), back ? first : second));
    }
    rig_close(one);
    rig_close(other);
}

/* The cycle read is that of the issue of the read. */
Test(emu_host, cycle_count) {
    Rig *rig = rig_open(1, 1, 1,
                        "        .word INT:0xFFF08\n"
                        "        move [r0,a0],r1\n"
                        "        move [r0,a0],r2\n"
                        "        rest\n");
    rig_log(rig, 1 << JM_EVENT_INSTRUCTION);
    rig_run(rig, 1000, JM_STOP_IDLE);
    for (unsigned k = 0; k < 2; k++) {
        const JmWord read =
            jm_register(rig->machine, 0, JM_CONTEXT_BACKGROUND, (JmReg)(JM_REG_R1 + k));
        cr_expect_eq(jm_data(read), rig_event(rig, JM_EVENT_INSTRUCTION, 0, k)->cycle);
    }
    rig_close(rig);
}

/* PUTW prints tag and eight digits; characters as they come, by cycle, then rank. */
static const char talker[] = "        peek 0xFFF0E,r1\n"
                             "        .word INT:'a'\n"
                             "        add r1,r0,r1\n"
                             "        poke r1,HOST_PUTC\n"
                             "        .word INT:10\n"
                             "        move r0,r1\n"
                             "        poke r1,HOST_PUTC\n"
                             "        .word TAGA:0xBEEF\n"
                             "        move r0,r1\n"
                             "        poke r1,HOST_PUTW\n"
                             "        .addr 0x12345, 0x67\n"
                             "        move r0,r1\n"
                             "        poke r1,HOST_PUTW\n"
                             "        rest\n";

/* Output without a reader is counted too, and is lost. */
Test(emu_host, raw_output_and_output_by_lines) {
    static const char *const texts[] = {
        "node 0: a\nnode 1: b\nnode 2: c\n"
        "node 0: TAGA:0000BEEF\nnode 1: TAGA:0000BEEF\nnode 2: TAGA:0000BEEF\n"
        "node 0: ADDR:048D1467\nnode 1: ADDR:048D1467\nnode 2: ADDR:048D1467\n",
        "abc\n\n\n"
        "TAGA:0000BEEF\nTAGA:0000BEEF\nTAGA:0000BEEF\n"
        "ADDR:048D1467\nADDR:048D1467\nADDR:048D1467\n"};
    for (unsigned run = 0; run < 4; run++) {
        const bool raw = run & 1, dropped = run & 2;
        Rig *rig = rig_open(3, 1, 1, talker);
        jm_set_raw_output(rig->machine, raw);
        if (dropped)
            jm_set_output(rig->machine, NULL, NULL);
        rig_run(rig, 1000, JM_STOP_IDLE);
        cr_expect_str_eq(rig->output, dropped ? "" : texts[raw]);
        cr_expect_eq(jm_output_bytes(rig->machine), strlen(texts[raw]));
        rig_close(rig);
    }
}

/* Nodes whose word `turns` is above 0 wait for `pause` turns and print `letter`, so
 * often, then `last` if it is not 0. */
static const char patient[] = "        peek turns,r1\n"
                              "again:  bz r1,^over\n"
                              "        peek pause,r2\n"
                              "wait:   sub r2,1,r2\n"
                              "        bnz r2,^wait\n"
                              "        peek letter,r2\n"
                              "        poke r2,HOST_PUTC\n"
                              "        sub r1,1,r1\n"
                              "        br ^again\n"
                              "over:   peek last,r2\n"
                              "        bz r2,^done\n"
                              "        poke r2,HOST_PUTC\n"
                              "done:   rest\n"
                              "        .data\n"
                              "turns:  .word INT:0\n"
                              "pause:  .word INT:1\n"
                              "letter: .word INT:0\n"
                              "last:   .word INT:0\n";

static void prints(Rig *rig, unsigned node, int turns, int pause, int letter,
                   int last) {
    rig_set_word(rig, node, "turns", jm_int(turns));
    rig_set_word(rig, node, "pause", jm_int(pause));
    rig_set_word(rig, node, "letter", jm_int(letter));
    rig_set_word(rig, node, "last", jm_int(last));
}

/* The line of the only node that has written has no name, later ones have. One that has
 * begun a line counts, though the line comes later. Unfinished lines come at the end of
 * the run by rank, whoever wrote first. */
Test(emu_host, names_of_nodes) {
    static const struct {
        struct {
            int turns, pause, letter, last;
        } node[3];
        const char *output;
    } rows[] = {
        {{{3, 500, 'y', '\n'}, {2, 1, 'x', '\n'}, {1, 900, 'z', '\n'}},
         "xx\nnode 2: z\nnode 0: yyy\n"},
        {{{3, 200, 'x', '\n'}, {2, 100, 'y', 0}, {0, 1, 0, 0}},
         "node 0: xxx\nnode 1: yy"},
        {{{1, 300, 'a', 0}, {0, 1, 0, 0}, {1, 1, 'c', 0}}, "node 0: a\nnode 2: c"}};
    for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        Rig *rig = rig_open(3, 1, 1, patient);
        for (unsigned i = 0; i < 3; i++)
            prints(rig, i, rows[k].node[i].turns, rows[k].node[i].pause,
                   rows[k].node[i].letter, rows[k].node[i].last);
        rig_run(rig, 100000, JM_STOP_IDLE);
        cr_expect_str_eq(rig->output, rows[k].output);
        rig_close(rig);
    }
}

/* A caller that stops running a machine asks for the rest. */
Test(emu_host, rest_on_request) {
    Rig *rig = rig_open(1, 1, 1, patient);
    prints(rig, 0, 1000, 1, 'a', 0);
    rig_run(rig, 100, JM_STOP_NONE);
    cr_expect_str_eq(rig->output, "");
    jm_end_output(rig->machine);
    cr_expect_eq(rig->output[0], 'a');
    const size_t length = strlen(rig->output);
    jm_end_output(rig->machine);
    cr_expect_eq(strlen(rig->output), length, "it is written once");
    rig_close(rig);
}

/* A line that never ends is written in parts; another node's begins on a new line. */
Test(emu_host, endless_line) {
    enum { PART = 4096 };
    Rig *rig = rig_open(2, 1, 1, patient);
    prints(rig, 0, PART + 2, 1, 'a', '\n');
    for (uint64_t cycle = 10; !*rig->output; cycle += 10)
        rig_run(rig, cycle, JM_STOP_NONE);
    cr_expect_eq(strlen(rig->output), PART);
    rig_run(rig, 10000000, JM_STOP_IDLE);
    cr_expect_eq(strlen(rig->output), PART + 3, "one node's text is left as it is");
    cr_expect_eq(strspn(rig->output, "a"), PART + 2);
    rig_close(rig);
    rig = rig_open(2, 1, 1, patient);
    prints(rig, 0, PART + 2, 1, 'a', '\n');
    prints(rig, 1, 1, 1, 'b', 0);
    rig_run(rig, 10000000, JM_STOP_IDLE);
    cr_expect_eq(strncmp(rig->output, "node 0: aaa", 11), 0);
    cr_expect_str_eq(rig->output + 8 + PART, "aa\nnode 1: b");
    rig_close(rig);
    rig = rig_open(2, 1, 1, patient);
    prints(rig, 0, 2 * PART + 2, 1, 'a', '\n');
    prints(rig, 1, PART + 100, 1, 'b', '\n');
    rig_run(rig, 10000000, JM_STOP_IDLE);
    const char *at = rig->output + 8 + PART;
    cr_expect_eq(strncmp(at, "\nnode 1: bb", 11), 0);
    at += 9 + PART + 100;
    cr_expect_eq(strncmp(at, "\nnode 0: aa", 11), 0, "%.20s", at);
    cr_expect_str_eq(at + 9 + PART, "aa\n");
    rig_close(rig);
}

/* A reader that asks for characters as they come first gets those collected before, and
 * later lines again. */
Test(emu_host, raw_for_a_while) {
    Rig *rig = rig_open(2, 1, 1, patient), *raw = rig_open(2, 1, 1, patient);
    for (unsigned i = 0; i < 2; i++) {
        prints(i ? raw : rig, 0, 300, 10, 'x', '\n');
        prints(i ? raw : rig, 1, 1, 2000, 'y', '\n');
    }
    rig_run(rig, 1000, JM_STOP_NONE);
    cr_assert_str_eq(rig->output, "");
    jm_set_raw_output(rig->machine, true);
    jm_set_raw_output(raw->machine, true);
    rig_run(rig, 2000, JM_STOP_NONE);
    rig_run(raw, 2000, JM_STOP_NONE);
    cr_expect_str_eq(rig->output, raw->output);
    const size_t length = strlen(raw->output);
    jm_set_raw_output(rig->machine, false);
    rig_run(rig, 100000, JM_STOP_IDLE);
    cr_expect_eq(strncmp(rig->output + length, "\nnode 1: y\nnode 0: x", 20), 0);
    cr_expect_eq(strlen(rig->output), 300u + strlen("\nnode 1: y\nnode 0: \n"));
    rig_close(rig);
    rig_close(raw);
}

/* A line that was written so and has ended needs no new one. */
Test(emu_host, lines_after_raw_ones) {
    Rig *rig = rig_open(2, 1, 1, patient);
    prints(rig, 0, 1, 10, 'x', '\n');
    prints(rig, 1, 1, 900, 'y', '\n');
    jm_set_raw_output(rig->machine, true);
    rig_run(rig, 500, JM_STOP_NONE);
    jm_set_raw_output(rig->machine, false);
    rig_run(rig, 100000, JM_STOP_IDLE);
    cr_expect_str_eq(rig->output, "x\nnode 1: y\n");
    rig_close(rig);
}

/* A checkpoint includes collected characters and which nodes have written. */
Test(emu_host, checkpoint_within_a_line) {
    Rig *rig = rig_open(3, 1, 1, patient);
    prints(rig, 0, 40, 10, 'x', '\n');
    prints(rig, 2, 40, 11, 'y', 0);
    rig_run(rig, 1000, JM_STOP_NONE);
    cr_assert_str_eq(rig->output, "");
    JmCheckpoint *half = jm_checkpoint(rig->machine);
    rig_run(rig, 100000, JM_STOP_IDLE);
    char *whole = strdup(rig->output);
    cr_expect_eq(strlen(whole), 8u + 40 + 1 + 8 + 40);
    rig->output[0] = '\0';
    jm_restore(rig->machine, half);
    rig_run(rig, 100000, JM_STOP_IDLE);
    cr_expect_str_eq(rig->output, whole);
    cr_expect_eq(jm_output_bytes(rig->machine), strlen(whole));
    free(whole);
    jm_checkpoint_free(half);
    rig_close(rig);
}

Test(emu_host, marks) {
    Rig *rig = rig_open(2, 1, 1,
                        "        peek 0xFFF0E,r1\n"
                        "        sub r1,5,r1\n"
                        "        poke r1,HOST_MARK\n"
                        "        poke r1,HOST_MARK\n"
                        "        rest\n");
    size_t count;
    rig_run(rig, 1000, JM_STOP_IDLE);
    const JmMark *marks = jm_marks(rig->machine, &count);
    cr_assert_eq(count, 4u);
    for (unsigned k = 0; k < 4; k++) {
        cr_expect_eq(marks[k].node, k % 2);
        cr_expect_eq(marks[k].value, (int)(k % 2) - 5);
        cr_expect_eq(marks[k].cycle, marks[k & 2].cycle);
    }
    cr_expect_lt(marks[0].cycle, marks[2].cycle);
    rig_close(rig);
}

/* Node 0 sets a mark in every turn of a loop, and the others none: a run stops behind
 * each of them, whether that node is the only one awake or not, also under an observer,
 * and ends as one that never stopped. */
static bool ignore(void *context, const JmEvent *event) {
    return (void)context, (void)event, false;
}

static void expect_stops(unsigned nodes, bool observed) {
    static const char text[] = "        peek 0xFFF0E,r1\n"
                               "        bnz r1,^end\n"
                               "        move 5,r1\n"
                               "turn:   poke r1,HOST_MARK\n"
                               "        sub r1,1,r1\n"
                               "        bnz r1,^turn\n"
                               "end:    rest\n";
    Rig *whole = rig_open(nodes, 1, 1, text), *rig = rig_open(nodes, 1, 1, text);
    size_t count;
    rig_run(whole, 10000, JM_STOP_IDLE);
    jm_stop_at_marks(rig->machine, true);
    if (observed)
        jm_observe(rig->machine, 1u << JM_EVENT_INSTRUCTION, ignore, NULL);
    for (unsigned k = 0; k < 5; k++) {
        rig_run(rig, 10000, JM_STOP_BREAK);
        const JmMark *marks = jm_marks(rig->machine, &count);
        cr_assert_eq(count, k + 1);
        cr_expect_eq(jm_now(rig->machine), marks[k].cycle + 1);
        cr_expect_eq(marks[k].cycle, jm_marks(whole->machine, &count)[k].cycle);
    }
    rig_run(rig, 10000, JM_STOP_IDLE);
    cr_expect_eq(jm_now(rig->machine), jm_now(whole->machine));
    rig_close(rig);
    rig_close(whole);
}

Test(emu_host, stops_at_marks) {
    expect_stops(1, false);
    expect_stops(3, false);
    expect_stops(3, true);
}

/* Without it the same addresses are memory. */
Test(emu_host, can_be_left_out) {
    JmConfig config = jm_config_default();
    config.host_page = false;
    Rig *rig = rig_open_with(&config, "        move 3,r1\n"
                                      "        poke r1,HOST_EXIT\n"
                                      "        peek 0xFFF0A,r2\n"
                                      "        rest\n");
    rig_run(rig, 1000, JM_STOP_IDLE);
    cr_expect(jm_same(jm_read(rig->machine, 0, 0xFFF00), jm_int(3)));
    cr_expect(jm_same(jm_register(rig->machine, 0, JM_CONTEXT_BACKGROUND, JM_REG_R2),
                      JM_NIL));
    rig_close(rig);
}

/* Both halves of the cycle count, in a cycle that no test can run to. */
Test(emu_host, cycles_above_32_bits) {
    Rig *rig = read_page(7);
    JmMachine *machine = rig->machine;
    machine->now = machine->env.now = UINT64_C(0x500000007);
    cr_expect(jm_same(hostpage_read(machine, &machine->node[0], 0xFFF08), jm_int(7)));
    cr_expect(jm_same(hostpage_read(machine, &machine->node[0], 0xFFF09), jm_int(5)));
    rig_close(rig);
}
