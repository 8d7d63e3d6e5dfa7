/* Routers that go by age (net/params.def): a message is as old as the one that its task
 * handles, whatever the priorities of both, and also if that one was spilled. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/emu/sending.h"

/* Priorities, and how many messages come before the one that is answered. */
#define HEAD                                                                           \
    "        .equ IN, %u\n"                                                            \
    "        .equ OUT, %u\n"                                                           \
    "        .equ STAYS, %u\n"

/* Node 1 sends two messages to node `first` and two to node `second`, at priority IN;
 * then one to itself at priority OUT, which waits at its shut input and keeps others
 * away from it. The first of two lasts until all have come; the second is answered at
 * priority OUT, by node `second` sooner than by node `first`. */
static const char program[] = "        handle_faults\n"
                              "        .macro until cycle\n"
                              "        peek \\cycle,r2\n"
                              "wait\\@: peek 0xFFF08,r1\n"
                              "        lt r1,r2,r1\n"
                              "        bt r1,^wait\\@\n"
                              "        .endm\n"
                              "        .macro long handler\n"
                              "        .msg \\handler,8,U\n"
                              "        send2 r2,r0,IN\n"
                              "        send2 r2,r2,IN\n"
                              "        send2 r2,r2,IN\n"
                              "        send2 r2,r2,IN\n"
                              "        sende r2,IN\n"
                              "        .endm\n"
                              "        peek 0xFFF0E,r3\n"
                              "        sub r3,1,r2\n"
                              "        bz r2,^sends\n"
                              "        queues 63, 63\n"
                              "        rest\n"
                              "sends:  peek first,r2\n"
                              "        .rept STAYS\n"
                              "        long stay\n"
                              "        .endr\n"
                              "        long answer\n"
                              "        peek second,r2\n"
                              "        .rept STAYS\n"
                              "        long stay\n"
                              "        .endr\n"
                              "        long answer\n"
                              "        .msg 0x444,7\n"
                              "        move 1,r2\n"
                              "        send2 r2,r0,OUT\n"
                              "        send2 r3,r3,OUT\n"
                              "        send2 r3,r3,OUT\n"
                              "        send r3,OUT\n"
                              "        sende r3,OUT\n"
                              "        rest\n"
                              "        .text\n"
                              "stay:   until early\n"
                              "        suspend\n"
                              "answer: until late\n"
                              "        peek 0xFFF0E,r3\n"
                              "        .msg 0x444,2\n"
                              "        move 1,r2\n"
                              "        send2 r2,r0,OUT\n"
                              "        sende r3,OUT\n"
                              "        suspend\n"
                              "        .data\n"
                              "first:  .word INT:0\n"
                              "second: .word INT:0\n"
                              "early:  .word INT:1000\n"
                              "late:   .word INT:2000\n";

static Rig *open_age(unsigned in, unsigned out, unsigned stays, int first,
                     const Setting *settings) {
    char source[sizeof program + sizeof HEAD];
    snprintf(source, sizeof source, HEAD "%s", in, out, stays, program);
    Rig *rig = rig_set(3, source, settings);
    rig_set_word(rig, 1, "first", jm_int(first));
    rig_set_word(rig, 1, "second", jm_int(2 - first));
    return rig;
}

/* Which answer comes first? */
static void answer(unsigned in, unsigned out, int first, uint64_t spill_mark) {
    Rig *rig =
        open_age(in, out, 1, first, SETTINGS({"age", 1}, {"spill_mark", spill_mark}));
    rig_set_word(rig, (unsigned)first, "late", jm_int(2200));
    rig_run(rig, 3000, JM_STOP_DEADLOCK);
    set_queue(rig, 1, (JmContext)out, 63, 0);
    jm_run(rig->machine, 5000);
    const uint32_t rows = spill_mark && out == 0 ? 3 : 4; /* that are not spilled */
    for (uint32_t row = 0; row < rows; row++) {
        const int from = row < 2 ? 1 : row == 2 ? first : 2 - first;
        const JmWord word =
            jm_read(rig->machine, 1, (out ? BASE1 : BASE0) + 4 * row + 1);
        cr_expect(jm_same(word, jm_int(from)), "%u to %u, mark %u, first %d: row %u",
                  in, out, (unsigned)spill_mark, first, row);
    }
    cr_expect_eq(rig_statistics(rig, 0).spilled > 0, spill_mark && in == 0);
    rig_close(rig);
}

/* The first row of a message comes back from the ring, and its task answers before the
 * second does: it goes by the cycle of the answer. Node `second` answers first. */
Test(emu_age, what_is_not_complete_has_no_age) {
    for (int first = 0; first <= 2; first += 2) {
        Rig *rig =
            open_age(0, 1, 2, first,
                     SETTINGS({"age", 1}, {"spill_mark", 12}, {"spill_cycles", 50}));
        rig_set_word(rig, (unsigned)first, "early", jm_int(1500));
        for (unsigned node = 0; node < 3; node++)
            rig_set_word(rig, node, "late", jm_int(0));
        rig_run(rig, 3000, JM_STOP_DEADLOCK);
        set_queue(rig, 1, JM_CONTEXT_1, 63, 0);
        jm_run(rig->machine, 5000);
        for (unsigned k = 0; k < 2; k++)
            cr_expect(jm_same(jm_read(rig->machine, 1, BASE1 + 4 * (2 + k) + 1),
                              jm_int(k ? first : 2 - first)),
                      "first %d: row %u", first, 2 + k);
        rig_close(rig);
    }
}

Test(emu_age, answers_are_as_old_as_what_they_answer) {
    for (unsigned run = 0; run < 8; run++)
        answer(run & 1, run >> 1 & 1, run >> 1 & 2, 0);
    for (unsigned run = 0; run < 4; run++)
        answer(0, run & 1, run & 2, 12);
}
