/* The host page: what programs read and write there, in which order it comes out. */
#include <criterion/criterion.h>

#include "tests/emu/rig.h"

/* Copies the nine words of the host page that can be read to `page`. */
static const char reader[] = "        .rom\n"
                             "        .org 0x1000\n"
                             "        .addr 0xFFF00, 0\n"
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

/* The cycle read is that of the issue of the read. */
Test(emu_host, cycle_count) {
    Rig *rig = rig_open(1, 1, 1,
                        "        .rom\n"
                        "        .org 0x1000\n"
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

/* PUTW prints tag and eight digits; all output by cycle, then rank. */
Test(emu_host, output) {
    Rig *rig = rig_open(3, 1, 1,
                        "        .rom\n"
                        "        .org 0x1000\n"
                        "        peek 0xFFF0E,r1\n"
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
                        "        rest\n");
    rig_run(rig, 1000, JM_STOP_IDLE);
    cr_expect_str_eq(rig->output, "abc\n\n\n"
                                  "TAGA:0000BEEF\nTAGA:0000BEEF\nTAGA:0000BEEF\n"
                                  "ADDR:048D1467\nADDR:048D1467\nADDR:048D1467\n");
    rig_close(rig);
}

Test(emu_host, marks) {
    Rig *rig = rig_open(2, 1, 1,
                        "        .rom\n"
                        "        .org 0x1000\n"
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

/* Without it the same addresses are memory. */
Test(emu_host, can_be_left_out) {
    JmConfig config = jm_config_default();
    config.host_page = false;
    Rig *rig = rig_open_with(&config, "        .rom\n"
                                      "        .org 0x1000\n"
                                      "        move 3,r1\n"
                                      "        poke r1,HOST_EXIT\n"
                                      "        peek 0xFFF0A,r2\n"
                                      "        rest\n");
    rig_run(rig, 1000, JM_STOP_IDLE);
    cr_expect(jm_same(jm_read(rig->machine, 0, 0xFFF00), jm_int(3)));
    cr_expect(jm_same(jm_register(rig->machine, 0, JM_CONTEXT_BACKGROUND, JM_REG_R2),
                      JM_NIL));
    rig_close(rig);
}
