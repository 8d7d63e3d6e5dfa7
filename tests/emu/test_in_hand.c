/* The message in hand in a stop's report: all its words up to eight and its sender,
 * wherever it lies in the queue, at both priorities, and also if it was spilled. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/emu/sending.h"

/* Node 2 sends node 1 `fills` messages that end at once, so that the head of the queue
 * goes on, `stays` that last until all have come, and one of `length` words, which
 * count down to 1, to a handler that fails. */
static const char program[] = "        peek 0xFFF0E,r1\n"
                              "        sub r1,2,r1\n"
                              "        bz r1,^sends\n"
                              "        queues 31, 31\n"
                              "        rest\n"
                              "sends:  move 1,r2\n"
                              "        peek fills,r3\n"
                              "fill:   bz r3,^filled\n"
                              "        .msg ends,1,U\n"
                              "        send2e r2,r0,PRIORITY\n"
                              "        sub r3,1,r3\n"
                              "        br ^fill\n"
                              "filled: peek stays,r3\n"
                              "more:   bz r3,^last\n"
                              "        .msg stay,1,U\n"
                              "        send2e r2,r0,PRIORITY\n"
                              "        sub r3,1,r3\n"
                              "        br ^more\n"
                              "last:   peek header,r1\n"
                              "        send r2,PRIORITY\n"
                              "        peek length,r3\n"
                              "        sub r3,1,r3\n"
                              "        bz r3,^short\n"
                              "        send r1,PRIORITY\n"
                              "next:   sub r3,1,r2\n"
                              "        bz r2,^end\n"
                              "        send r3,PRIORITY\n"
                              "        move r2,r3\n"
                              "        br ^next\n"
                              "short:  move r1,r3\n"
                              "end:    sende r3,PRIORITY\n"
                              "        rest\n"
                              "        .text\n"
                              "stay:   .ip fails,U\n"
                              "        peek 0xFFF08,r1\n"
                              "        .word INT:900\n"
                              "        lt r1,r0,r1\n"
                              "        bt r1,^stay\n"
                              "ends:   suspend\n"
                              "fails:  peek 0xFFF08,r1\n"
                              "        .word INT:1200\n"
                              "        lt r1,r0,r1\n"
                              "        bt r1,^fails\n"
                              "        wtag r0,r0,r1\n"
                              "        .data\n"
                              "fills:  .word INT:0\n"
                              "stays:  .word INT:0\n"
                              "length: .word INT:0\n"
                              "header: .word NIL\n";

typedef struct {
    unsigned priority, fills, stays, length;
    uint64_t spill_mark;
    unsigned promised; /* words that the header says; 0: as many as there are */
} Case;

static Rig *stopped(const Case *c) {
    char source[sizeof program + 40];
    snprintf(source, sizeof source, "        .equ PRIORITY, %u\n%s", c->priority,
             program);
    Rig *rig = rig_set(3, source, SETTINGS({"spill_mark", c->spill_mark}));
    const uint32_t fails = rig_address(rig, "fails");
    rig_set_word(rig, 2, "fills", jm_int((int32_t)c->fills));
    rig_set_word(rig, 2, "stays", jm_int((int32_t)c->stays));
    rig_set_word(rig, 2, "length", jm_int((int32_t)c->length));
    rig_set_word(rig, 2, "header",
                 jm_msg(fails, c->promised ? c->promised : c->length));
    rig_run(rig, 10000, JM_STOP_STOPPED);
    return rig;
}

/* Appends `format`, with one number. */
#define ADD(format, value)                                                             \
    used += snprintf(text + used, size - (size_t)used, format, value)

/* The expected report of the message: its words that have arrived, in whole rows. */
static void words_of(const Case *c, JmWord header, char *text, size_t size) {
    enum { SHOWN = 8 };
    const unsigned says = c->promised ? c->promised : c->length;
    const unsigned rows = (c->length + 3) / 4 * 4, there = says < rows ? says : rows;
    int used = 0;
    ADD(", %u", says);
    ADD(" word%s:", says == 1 ? "" : "s");
    ADD(" MSG:%08X", (unsigned)jm_data(header));
    for (unsigned i = 1; i < there && i < SHOWN; i++)
        ADD(i < c->length ? " INT:%08X" : " SYM:%08X",
            i < c->length ? c->length - i : 0);
    ADD("%s", there > SHOWN ? " ..." : "");
    if (says > rows)
        ADD(" (%u of them in the queue)", rows);
    ADD("%s", "\n");
}

static void expect_told(const Case *c) {
    Rig *rig = stopped(c);
    char words[400];
    words_of(c, rig_word(rig, 2, "header", 0), words, sizeof words);
    rig_expect_told(rig, words);
    rig_expect_told(rig, "it was sent by node 2 (2,0,0)");
    cr_expect_eq(rig_statistics(rig, 1).spilled > 0, c->spill_mark != 0);
    rig_close(rig);
}

Test(emu_in_hand, words_and_sender_are_told) {
    static const unsigned lengths[] = {1, 3, 4, 5, 8, 9, 12};
    for (unsigned priority = 0; priority < 2; priority++)
        for (unsigned fills = 0; fills <= 7; fills += fills ? 1 : 4)
            for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
                expect_told(&(Case){priority, fills, 0, lengths[i], 0, 0});
}

/* The first row of the message goes to the ring, or only the second. */
Test(emu_in_hand, spilled_ones_too) {
    for (unsigned stays = 2; stays <= 3; stays++)
        for (unsigned fills = 0; fills < 8; fills += 3)
            for (unsigned length = stays == 2 ? 5 : 1; length <= 8; length++)
                expect_told(&(Case){0, fills, stays, length, 12, 0});
}

/* A message that has fewer words than its header says, or more. */
Test(emu_in_hand, wrong_lengths) {
    for (unsigned length = 1; length <= 9; length += 2)
        for (unsigned promised = 1; promised <= 14; promised++)
            expect_told(&(Case){0, 3, 0, length, 0, promised});
}

/* Node 0 sends LENGTH words whose header says 20, and BEHIND messages of AFTER words
 * behind them. Their handler tries forever to read the last of the 20. */
static const char early[] = "        vector 0x48, again,U,F\n"
                            "        vector 0x68, again,U,F\n"
                            "        peek 0xFFF0E,r1\n"
                            "        bz r1,^sends\n"
                            "        queues 63, 63\n"
                            "        rest\n"
                            "sends:  move 1,r2\n"
                            "        .msg reads,20,U\n"
                            "        send r2,PRIORITY\n"
                            "        .rept LENGTH - 1\n"
                            "        send r0,PRIORITY\n"
                            "        .endr\n"
                            "        sende r0,PRIORITY\n"
                            "        .rept BEHIND\n"
                            "        .rept 30\n"
                            "        nop\n"
                            "        .endr\n"
                            "        .msg reads,AFTER,U\n"
                            "        send r2,PRIORITY\n"
                            "        .rept AFTER - 1\n"
                            "        send r0,PRIORITY\n"
                            "        .endr\n"
                            "        sende r0,PRIORITY\n"
                            "        .endr\n"
                            "        rest\n"
                            "        .text\n"
                            "again:  retry\n"
                            "reads:  move [19,a3],r1\n"
                            "        suspend\n";

/* The length of a message is known as long as nothing is behind it. */
static void expect_short(unsigned priority, unsigned length, unsigned behind,
                         unsigned after) {
    char source[sizeof early + 120], told[200];
    snprintf(source, sizeof source,
             "        .equ PRIORITY, %u\n        .equ LENGTH, %u\n"
             "        .equ BEHIND, %u\n        .equ AFTER, %u\n%s",
             priority, length, behind, after, early);
    Rig *rig = rig_open(2, 1, 1, source);
    rig_run(rig, 100000, JM_STOP_STOPPED);
    if (behind)
        snprintf(
            told, sizeof told,
            "are whole, %u words with padding, and the header of the first says 20",
            (length + 3) / 4 * 4 + (after + 3) / 4 * 4 * behind);
    else
        snprintf(told, sizeof told,
                 "arrived whole, with %u word%s, and its header says 20", length,
                 length == 1 ? "" : "s");
    rig_expect_told(rig, told);
    rig_close(rig);
}

Test(emu_in_hand, words_that_never_come) {
    for (unsigned run = 0; run < 36; run++)
        expect_short(run % 2, 1 + run / 2 % 6, run / 12, 1 + run % 4);
}

/* Instructions that fault in turn are no tries of one. */
Test(emu_in_hand, others_that_fault_early_go_on) {
    Rig *rig = rig_open(1, 1, 1,
                        "        vector 0x48, skips,U,F\n"
                        "        queues 63, 63\n"
                        "        move 0,r2\n"
                        "        .msg reads,20,U\n"
                        "        send2 r2,r0,0\n"
                        "        sende r0,0\n"
                        "        rest\n"
                        "        .text\n"
                        "skips:  ldipr fip\n"
                        "reads:  move [19,a3],r1\n"
                        "        move [18,a3],r1\n"
                        "        br ^reads\n");
    rig_run(rig, 100000, JM_STOP_NONE);
    cr_expect_gt(rig_statistics(rig, 0).faults[JM_FAULT_EARLY], 10000u);
    rig_close(rig);
}
