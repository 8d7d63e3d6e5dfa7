/* Code that messages of another node and the node itself overwrite while it runs, and
 * code at the ends of memory: in one go, in slices, and cycle by cycle under an
 * observer. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu/core/rng.h"
#include "tests/emu/rig.h"
#include "tests/emu/same.h"

enum { SEEDS = 60, CYCLES = 6000, ROW_WORDS = 4 };

typedef struct {
    FILE *text;
    JmRng rng;
    unsigned last; /* word of the branch that keeps node 0 in its loop */
} Program;

static unsigned below(Program *p, uint32_t limit) {
    return jm_rng_below(&p->rng, limit);
}

/* An instruction of the loop: work whose result depends on the order, or a write of R2
 * or R3, which hold code, to a word of the loop before its branch. */
static void put_work(Program *p) {
    const unsigned draw = below(p, 12);
    if (draw < 2)
        fprintf(p->text, " move r%u,[%u,a1]\n", 2 + draw, below(p, p->last));
    else if (draw % 2)
        fprintf(p->text, " rot r1,%u,r1\n", 1 + below(p, 15));
    else
        fprintf(p->text, " xor r1,%u,r1\n", 1 + below(p, 15));
}

static void put_words(Program *p, const char *name, unsigned words) {
    fprintf(p->text, " .align 4\n%s:\n", name);
    for (unsigned k = 0; k < 2 * words; k++)
        put_work(p);
}

/* Node 1 waits a little, then has the word at victim + `word` overwritten by one of its
 * own. */
static void put_change(Program *p, unsigned word, const char *source, unsigned offset) {
    static unsigned label;
    fprintf(p->text, " .word INT:%u\n move r0,r3\npause%u: sub r3,1,r3\n",
            1 + below(p, 60), ++label);
    fprintf(p->text, " bnz r3,^pause%u\n peek %s + %u,r2\n", label, source, offset);
    fprintf(p->text, " .word INT:0\n move r0,r1\n .msg change,3,U\n send2 r1,r0,0\n");
    fprintf(p->text, " .word INT:victim + %u\n send2e r0,r2,0\n", word);
}

/* Node 0 turns in its loop of one to three rows until a message overwrites the branch
 * at the end. */
static void put_program(Program *p) {
    fputs(" queues 63,63\n move nnr,r1\n and r1,15,r1\n"
          " bnz r1,^sender\n .addr victim,0\n move r0,a1\n peek other,r2\n",
          p->text);
    fprintf(p->text, " peek other + %u,r3\n .ip victim,U\n ldip r0\nsender:\n",
            1 + below(p, p->last));
    for (unsigned n = 4 + below(p, 16); n > 0; n--) {
        const unsigned word = below(p, p->last);
        put_change(p, word, below(p, 2) ? "victim" : "other", word);
    }
    put_change(p, p->last, "through", 0);
    fputs(" rest\n .text\nchange: move [1,a3],r0\n move [2,a3],r1\n"
          " move r1,[r0,a0]\n suspend\n",
          p->text);
    put_words(p, "victim", p->last);
    fputs(" br ^victim\n nop\n poke r1,HOST_EXIT\n", p->text);
    put_words(p, "other", p->last + 1);
    fputs(" .align 4\nthrough: nop\n nop\n", p->text);
}

static Rig *open_random(uint64_t seed) {
    char *source = NULL;
    size_t length = 0;
    Program p = {.text = open_memstream(&source, &length), .rng = jm_rng(seed)};
    p.last = ROW_WORDS * (1 + below(&p, 3)) - 1;
    put_program(&p);
    fclose(p.text);
    Rig *rig = rig_open(2, 1, 1, source);
    free(source);
    return rig;
}

/* Counts the words of the loop that are not as they were loaded. */
static unsigned changed_words(const Rig *rig) {
    unsigned changed = 0;
    for (uint32_t k = 0; k < 3 * ROW_WORDS; k++)
        changed +=
            !jm_same(rig_word(rig, 0, "victim", k), rig_word(rig, 1, "victim", k));
    return changed;
}

Test(emu_rewrite, leaves_no_trace) {
    unsigned changed = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        Rig *whole = open_random(seed), *slices = open_random(seed);
        Rig *steps = open_random(seed);
        rig_log(steps, RIG_ALL_BUT_FLITS);
        cr_assert_eq(jm_run(whole->machine, CYCLES), JM_STOP_EXIT, "seed %u",
                     (unsigned)seed);
        cr_assert_eq(rig_run_in_slices(slices, CYCLES, 1 + seed % 90), JM_STOP_EXIT);
        cr_assert_eq(rig_run_in_slices(steps, CYCLES, 1), JM_STOP_EXIT);
        expect_same(whole, steps, seed);
        expect_same(slices, steps, seed);
        changed += changed_words(whole);
        rig_close(whole);
        rig_close(slices);
        rig_close(steps);
    }
    cr_expect_gt(changed, 3 * SEEDS);
}

/* Both nodes run code of one page. Node 0 makes that of its loop its queue; node 1
 * waits %u turns and sends the words that let the loop go through. */
static const char queue_over_loop[] =
    " queues 63,63\n move true,r0\n move r0,i\n"
    " .ip page,U\n ldip r0\n"
    " .text\n .align 64\npage: move nnr,r1\n and r1,15,r1\n bnz r1,^sender\n"
    " .addr loop - 1,0\n move r0,qhl\n .addr loop - 1,7\n move r0,qbm\n"
    " move 0,r1\n br ^loop\n .align 8\n nop\n nop\n"
    "loop: add r1,1,r1\n br ^loop\nthrough: nop\n nop\n nop\n nop\n"
    " poke r1,HOST_EXIT\n .align 8\n"
    "sender: .word INT:%u\n move r0,r3\nwait: sub r3,1,r3\n bnz r3,^wait\n"
    " peek through,r2\n .word INT:0\n move r0,r1\n .msg page,4,U\n"
    " send2 r1,r0,0\n send2 r2,r2,0\n sende r2,0\n rest\n";

/* Node 0 counts until it reads in the last word of its upper queue what node 1 has
 * sent, after %u turns, in the second message. */
static const char queue_that_is_read[] =
    " queues 63,7\n move true,r0\n move r0,i\n"
    " move nnr,r1\n and r1,15,r1\n bnz r1,^sender\n"
    " .addr QUEUE1,0\n move r0,a1\n move 0,r1\n"
    "loop: add r1,1,r1\n move [7,a1],r2\n bnil r2,^loop\n poke r1,HOST_EXIT\n"
    "sender: .word INT:%u\n move r0,r3\nwait: sub r3,1,r3\n bnz r3,^wait\n"
    " .word INT:0\n move r0,r1\n .msg loop,4,U\n"
    " send2 r1,r0,1\n send2 r1,r1,1\n sende r1,1\n"
    " .msg loop,4,U\n send2 r1,r0,1\n send2 r1,r1,1\n sende r1,1\n rest\n";

/* Turns through both ends of the address space: from the second page to the first, from
 * there round to the last word, from the last page but one there again, and round to
 * the first page. */
static const char round_the_ends[] =
    " queues 7,7\n .word INT:%u\n lsh r0,-3,r2\n"
    " add r2,1,r2\n move 0,r1\n move 0,r3\n .ip second,U\n ldip r0\n"
    " .text\n .org 1\n rot r1,3,r1\n br -3\n"
    " .org 0x36\n .ip highest,U\n ldip r0\n"
    " .org 0x3A\n sub r2,1,r2\n bz r2,3\n xor r3,1,r3\n bnz r3,4\n br -7\n"
    " .org 0x3E\n poke r1,HOST_EXIT\n"
    " .org 0x40\nsecond: add r1,1,r1\n br -64\n"
    " .ext\n .org 0xFFFBF\nhighest: xor r1,5,r1\n br 63\n"
    " .org 0xFFFFF\n rot r1,1,r1\n br 58\n";

/* A task of priority 1 turns at word 0x21: for it, that is the code at word 1. */
static const char switched_code[] =
    " queues 7,63\n .word INT:%u\n move r0,r2\n poke r2,turns\n"
    " move 0,r1\n .msg task,2,U\n send2 r1,r0,1\n sende r1,1\n rest\n"
    " .text\n .org 1\n sub r2,1,r2\n rot r1,3,r1\n bnz r2,-2\n nop\n"
    " poke r1,HOST_EXIT\n"
    " .org 0x21\n sub r2,1,r2\n add r1,1,r1\n bnz r2,-2\n nop\n"
    " poke r1,HOST_EXIT\n"
    " .org 0x100\nturns: .word INT:0\ntask: peek turns,r2\n move 1,r1\n"
    " .ip 0x21,U\n ldip r0\n";

/* Runs node 0's count under an observer and without one, for many pauses of node 1. */
static void expect_same_count(const char *program) {
    for (unsigned pause = 1; pause <= 400; pause += 17) {
        char source[1024];
        const int length = snprintf(source, sizeof source, program, pause);
        cr_assert_lt(length, (int)sizeof source);
        Rig *whole = rig_open(2, 1, 1, source), *steps = rig_open(2, 1, 1, source);
        rig_log(steps, RIG_ALL_BUT_FLITS);
        cr_assert_eq(jm_run(whole->machine, CYCLES), JM_STOP_EXIT, "pause %u", pause);
        cr_assert_eq(rig_run_in_slices(steps, CYCLES, 1), JM_STOP_EXIT);
        expect_same(whole, steps, pause);
        rig_close(whole);
        rig_close(steps);
    }
}

Test(emu_rewrite, a_queue_over_running_code) {
    expect_same_count(queue_over_loop);
}

Test(emu_rewrite, a_queue_that_is_read) {
    expect_same_count(queue_that_is_read);
}

Test(emu_rewrite, branches_at_the_ends_of_memory) {
    expect_same_count(round_the_ends);
}

Test(emu_rewrite, code_that_the_priority_switches) {
    expect_same_count(switched_code);
}
