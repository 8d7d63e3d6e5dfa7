/* Explanations of stopped nodes: what happened first, and at which nodes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/emu/rig.h"

/* Nodes send (number, word) to the node in `target`, whose handler adds the two: a TYPE
 * fault if the word is a SYM. Its vector leads to a handler that loses a few cycles
 * and then stops the node in fault mode. */
static const char adder[] = "        .rom\n"
                            "        .org 0x1000\n"
                            "        queues 63,63\n"
                            "        .ip fails,U,F\n"
                            "        move r0,r1\n"
                            "        poke r1,0x52\n"
                            "        peek wanted,r1\n"
                            "        bz r1,^done\n"
                            "        peek target,r1\n"
                            "        send r1,0\n"
                            "        .msg work,3\n"
                            "        send r0,0\n"
                            "        peek number,r1\n"
                            "        send r1,0\n"
                            "        peek word,r1\n"
                            "        sende r1,0\n"
                            "done:   rest\n"
                            "        .text\n"
                            "work:   nop\n"
                            "        move [1,a3],r0\n"
                            "        move [2,a3],r1\n"
                            "        add r0,r1,r2\n"
                            "        suspend\n"
                            "        .align 4\n"
                            "fails:  move 5,r0\n"
                            "        sub r0,1,r0\n"
                            "        .word INST0:0x412A0000 ; writer r1,mar\n"
                            "        .data\n"
                            "wanted: .word INT:0\n"
                            "target: .word INT:0\n"
                            "number: .word INT:0\n"
                            "word:   .word INT:0\n";

static void sends(Rig *rig, unsigned node, int target, int number, JmWord word) {
    rig_set_word(rig, node, "wanted", jm_int(1));
    rig_set_word(rig, node, "target", jm_int(target));
    rig_set_word(rig, node, "number", jm_int(number));
    rig_set_word(rig, node, "word", word);
}

static bool holds(const char *text, const char *part) {
    const bool found = strstr(text, part) != NULL;
    cr_expect(found, "no \"%s\" in:\n%s", part, text);
    return found;
}

static void lacks(const char *text, const char *part) {
    cr_expect_null(strstr(text, part), "\"%s\" in:\n%s", part, text);
}

static unsigned count(const char *text, const char *part) {
    unsigned found = 0;
    for (; (text = strstr(text, part)); text++)
        found++;
    return found;
}

static void add_row(void *context, const char *row) {
    char **text = context;
    const size_t length = strlen(*text);
    *text = realloc(*text, length + strlen(row) + 2);
    strcpy(*text + length, row);
    strcat(*text, "\n");
}

static char *chain_of(const Rig *rig) {
    char *text = calloc(1, 1);
    jm_explain_chain(rig->machine, add_row, &text);
    return text;
}

/* The address of the faulting instruction itself, in whichever half it is. */
static void expect_place(const Rig *rig, const char *text) {
    char place[40];
    snprintf(place, sizeof place, "priority 0, at %05X",
             (unsigned)rig_address(rig, "work") + 1);
    holds(text, place);
}

Test(emu_explain, first_fault) {
    Rig *rig = rig_open(2, 1, 1, adder);
    sends(rig, 0, 1, 7, jm_word(JM_TAG_SYM, 0xAB));
    rig_run(rig, 10000, JM_STOP_STOPPED);
    char *text = rig_explanation(rig);
    holds(text, "node 1 (1,0,0): fault TYPE in cycle ");
    expect_place(rig, text);
    holds(text, "add r0,r1,r2: operand SYM:000000AB, r0 INT:00000007");
    holds(text, ", 3 words: MSG:");
    holds(text, " INT:00000007 SYM:000000AB\n");
    holds(text, "it was sent by node 0 (0,0,0)");
    lacks(text, "ILGINST");
    lacks(text, "CATASTROPHE");
    free(text);
    text = chain_of(rig);
    holds(text, "fault TYPE in cycle ");
    holds(text, "-> ILGINST in its handler");
    holds(text, "-> CATASTROPHE: ILGINST was raised in fault mode");
    holds(text, "-> stopped: the vector of CATASTROPHE is SYM:00000000");
    free(text);
    rig_close(rig);
}

/* The reported cycle is that of the first fault, not the handler's. */
Test(emu_explain, first_cycle) {
    Rig *rig = rig_open(2, 1, 1, adder);
    sends(rig, 0, 1, 7, jm_word(JM_TAG_SYM, 1));
    rig_log(rig, 1 << JM_EVENT_FAULT);
    rig_run(rig, 10000, JM_STOP_STOPPED);
    char told[40];
    const uint64_t first = rig_event(rig, JM_EVENT_FAULT, 1, 0)->cycle;
    snprintf(told, sizeof told, "TYPE in cycle %llu,", (unsigned long long)first);
    char *text = rig_explanation(rig);
    holds(text, told);
    free(text);
    rig_close(rig);
}

/* A restored machine gives the same explanation, including the sender. */
Test(emu_explain, after_a_checkpoint) {
    Rig *rig = rig_open(3, 1, 1, adder);
    sends(rig, 2, 1, 7, jm_word(JM_TAG_SYM, 0xAB));
    rig_run(rig, 1, JM_STOP_NONE);
    for (uint64_t now = 2; jm_queue_words(rig->machine, 1, 0) == 0; now++)
        rig_run(rig, now, JM_STOP_NONE);
    JmCheckpoint *queued = jm_checkpoint(rig->machine);
    rig_run(rig, 10000, JM_STOP_STOPPED);
    char *text = rig_explanation(rig);
    JmCheckpoint *stopped = jm_checkpoint(rig->machine);
    holds(text, "it was sent by node 2 (2,0,0)");
    sends(rig, 0, 1, 7, jm_int(0));
    for (unsigned i = 0; i < 2; i++) {
        Rig *other = rig_open(3, 1, 1, adder);
        jm_restore(other->machine, i ? queued : stopped);
        rig_run(other, 10000, JM_STOP_STOPPED);
        char *again = rig_explanation(other);
        cr_expect_str_eq(again, text);
        free(again);
        rig_close(other);
    }
    jm_checkpoint_free(queued);
    jm_checkpoint_free(stopped);
    free(text);
    rig_close(rig);
}

/* Every message has its own sender. */
Test(emu_explain, sender_of_the_second_message) {
    Rig *rig = rig_open(3, 1, 1, adder);
    sends(rig, 1, 1, 7, jm_int(1)); /* is there first: it has no way to go */
    sends(rig, 2, 1, 8, jm_word(JM_TAG_SYM, 1));
    rig_run(rig, 10000, JM_STOP_STOPPED);
    char *text = rig_explanation(rig);
    holds(text, "r0 INT:00000008");
    holds(text, "it was sent by node 2 (2,0,0)");
    free(text);
    rig_close(rig);
}

/* Nodes with equal explanations form one report; if only operands or messages differ,
 * those of the first are shown. */
Test(emu_explain, same_reports_are_folded) {
    JmConfig config = jm_config_default();
    config.size_x = 4;
    config.size_y = 3;
    config.keep_going = true;
    Rig *rig = rig_open_with(&config, adder);
    for (unsigned node = 0; node < 12; node++)
        if (node != 5)
            sends(rig, node, (int)(node % 4 + (node / 4 << 5)), (int)node,
                  jm_word(JM_TAG_SYM, 1));
    rig_run(rig, 10000, JM_STOP_IDLE);
    char *text = rig_explanation(rig);
    holds(text, "nodes 0-4,6-11: fault TYPE in cycle");
    cr_expect_eq(count(text, "fault TYPE"), 1u, "%s", text);
    holds(text, "  on node 0 (0,0,0):\n    add r0,r1,r2: operand SYM:00000001, r0 "
                "INT:00000000\n");
    lacks(text, "node 1 ");
    free(text);
    rig_close(rig);
}

/* Background has no message; operands common to all are shown once. */
Test(emu_explain, folded_with_equal_operands) {
    Rig *rig = rig_open(2, 2, 1,
                        "        .rom\n"
                        "        .org 0x1000\n"
                        "        .word INT:0x20\n"
                        "        wtag r0,r0,r1\n");
    rig_run(rig, 100, JM_STOP_STOPPED);
    char *text = rig_explanation(rig);
    holds(text, "nodes 0-3: fault TYPE in cycle 2, background, at 01001");
    holds(text, "\n  wtag r0,r0,r1: operand INT:00000020, r0 INT:00000020\n");
    holds(text, "neither its vector nor that of CATASTROPHE");
    lacks(text, "on node");
    lacks(text, "message in hand");
    free(text);
    rig_close(rig);
}

/* A fault in fault mode that no other one led to is itself the first. */
Test(emu_explain, fault_mode_without_a_fault) {
    Rig *rig = rig_open(1, 1, 1,
                        "        .rom\n"
                        "        .org 0x1000\n"
                        "        .ip here,U,F\n"
                        "        ldip r0\n"
                        "        .text\n"
                        "here:   nop\n"
                        "        .word INST0:0x412A0000 ; writer r1,mar\n");
    rig_run(rig, 100, JM_STOP_STOPPED);
    char *text = rig_explanation(rig);
    holds(text, "fault ILGINST in cycle ");
    holds(text, "-> CATASTROPHE: ILGINST was raised in fault mode");
    free(text);
    rig_close(rig);
}

/* A task that begins in fault mode is in no handler of a fault of the task before. */
Test(emu_explain, fault_mode_after_another_task) {
    Rig *rig = rig_open(1, 1, 1,
                        "        .rom\n"
                        "        .org 0x1000\n"
                        "        queues 63,63\n"
                        "        .ip fails,U,F\n"
                        "        move r0,r1\n"
                        "        poke r1,0x52\n"
                        "        rest\n"
                        "        .text\n"
                        "first:  .word SYM:1\n"
                        "        add r0,1,r1\n"
                        "        suspend\n"
                        "        .align 4\n"
                        "fails:  suspend\n"
                        "        .align 4\n"
                        "second: .word INST0:0x412A0000 ; writer r1,mar\n"
                        "        .data\n"
                        "msgs:   .msg first,1\n"
                        "        .msg second,1,U,F\n");
    rig_run(rig, 100, JM_STOP_IDLE);
    const JmWord qhl = jm_register(rig->machine, 0, JM_CONTEXT_0, JM_REG_QHL);
    const uint32_t head = jm_field20(jm_data(qhl));
    for (unsigned i = 0; i < 2; i++)
        jm_write(rig->machine, 0, head + 4 * i, rig_word(rig, 0, "msgs", i));
    jm_set_register(rig->machine, 0, JM_CONTEXT_0, JM_REG_QHL, jm_addr(head, 8));
    rig_run(rig, 1000, JM_STOP_STOPPED);
    cr_expect_eq(rig_statistics(rig, 0).faults[JM_FAULT_TYPE], 1u);
    char *text = rig_explanation(rig);
    holds(text, "fault ILGINST in cycle ");
    lacks(text, "TYPE");
    free(text);
    rig_close(rig);
}

/* Runs a program with its lines of source. Returns what is told of it, and the line
 * that has `instruction`. */
static char *told_with_lines(const char *source, const char *instruction, int *line) {
    Rig *rig = rig_open(2, 1, 1, source);
    JmError error;
    size_t size;
    void *image = asm_object_bytes(rig->image, "image", &size, &error);
    cr_assert(jm_load_elf(rig->machine, image, size, "image", JM_ALL_NODES, &error));
    free(image);
    jm_run(rig->machine, 1000);
    char *text = rig_explanation(rig);
    *line = 1;
    for (const char *at = rig_prelude; *at; at++)
        *line += *at == '\n';
    for (const char *at = source; at < strstr(source, instruction); at++)
        *line += *at == '\n';
    rig_close(rig);
    return text;
}

/* The line is that of the instruction itself, in either half of its word. */
Test(emu_explain, line_of_each_half) {
    static const char *const sources[][2] = {
        {"        wtag r0,r0,r1\n        nop\n", "wtag"},
        {"        nop\n        wtag r0,r0,r1\n", "wtag"},
        {"here:   br ^here\n        nop\n", "br ^here"},
        {"        nop\nhere:   br ^here\n", "br ^here"}};
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        char source[200] = "        .rom\n        .org 0x1000\n"
                           "        send 0,0\n" /* for a deadlock */
                           "        .word INT:0x20\n",
             place[40];
        int line;
        strcat(source, sources[i][0]);
        char *text = told_with_lines(source, sources[i][1], &line);
        snprintf(place, sizeof place, "(test.s:%d)", line);
        holds(text, place);
        cr_expect_eq(count(text, "(test.s:"), count(text, place), "%s", text);
        free(text);
    }
}

/* A task whose SEND faulted, and whose handler gave it up, leaves a message open; the
 * next task of its priority does not wait for anything. */
Test(emu_explain, given_up_sends) {
    for (unsigned gives_up = 0; gives_up < 2; gives_up++) {
        char source[900];
        snprintf(source, sizeof source,
                 "        .vectors\n"
                 "        .org 0x43\n"
                 "        .ip full,U,F\n"
                 "        .rom\n"
                 "        .org 0x1000\n"
                 "        peek 0xFFF0E,r1\n"
                 "        bnz r1,^rests\n"
                 "        queues 63,63\n"
                 "        move true,r0\n"
                 "        move r0,i\n"
                 "        move 0,r2\n"
                 "        .msg sends,1,U\n"
                 "        send2e r2,r0,0\n"
                 "        .msg spins,1,U\n"
                 "        send2e r2,r0,0\n"
                 "        .word INT:50\n"
                 "wait:   sub r0,1,r0\n"
                 "        bnz r0,^wait\n"
                 "        move false,r0\n"
                 "        move r0,i\n"
                 "rests:  rest\n"
                 "        .text\n"
                 "sends:  move 1,r2\n"
                 "more:   send r2,0\n"
                 "        br ^more\n"
                 "spins:  add r3,1,r3\n"
                 "        br ^spins\n"
                 "        .align 4\n"
                 "full:   %s\n",
                 gives_up ? "suspend" : "retry");
        Rig *rig = rig_open(2, 1, 1, source);
        rig_run(rig, 3000, JM_STOP_NONE);
        char *text = rig_explanation(rig);
        holds(text, "in the middle of a send");
        cr_expect_eq(strstr(text, "waits for room to send") == NULL, gives_up, "%s",
                     text);
        free(text);
        rig_close(rig);
    }
}
