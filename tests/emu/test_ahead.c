/* Running ahead has no visible effect: random programs, in which messages of both
 * priorities arrive during computation, run in one go, in slices and cycle by cycle
 * under an observer. */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/rng.h"
#include "emu/machine/run/run.h"
#include "tests/emu/rig.h"
#include "tests/emu/same.h"

enum { SEEDS = 100, CYCLES = 3000 };

typedef struct {
    char *bytes;
    size_t length;
    JmRng rng;
} Text;

static unsigned below(Text *text, unsigned limit) {
    return (unsigned)(jm_rng_next(&text->rng) % limit);
}

static void put(Text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char line[600];
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text->bytes = realloc(text->bytes, text->length + (size_t)length + 1);
    memcpy(text->bytes + text->length, line, (size_t)length + 1);
    text->length += (size_t)length;
}

/* Actions of a task without immediate visible effects, including reads of the queues'
 * memory and registers. A1 has data on chip, A2 in external memory. */
static void put_plain(Text *text) {
    static const char *const lines[] = {
        "add r%u,%u,r%u",   "xor r%u,r%u,r%u",     "lsh r%u,-%u,r%u",
        "mul r%u,r%u,r%u",  "sub r%u,[%u,a1],r%u", "and r%u,[%u,a1],r%u",
        "move [%u,a1],r%u", "move r%u,[%u,a1]",    "move [%u,a2],r%u",
        "move r%u,[%u,a2]", "not r%u,r%u",         "lt r%u,r%u,r%u",
        "move [%u,a3],r%u", "wtag r%u,1,r%u",
    };
    static const char *const odd[] = {
        "move qhl,r2\n and r2,7,r2",
        "peek QUEUE0,r2",
        "peek QUEUE1 + 5,r2",
        "move [r0,a1],r2",
        "peek total,r1",
        "move qhl'p,r3\n neg r3,r3",
        "move fip,r1\n wtag r1,1,r1",
        "move r1,fip",
        "poke r2,0x3A",
        "move mar,r2",
        "peek QUEUE0 + 9,r3",
        "poke r3,QUEUE1 + 0x41",
        ".addr outside + 8,16\n move r0,a2",
        "peek 0xFFF08,r1",
    };
    if (below(text, 4) == 0)
        put(text, " %s\n", odd[below(text, sizeof odd / sizeof *odd)]);
    const char *line = lines[below(text, sizeof lines / sizeof *lines)];
    put(text, " ");
    put(text, line, below(text, 4), below(text, 4), below(text, 4));
    put(text, "\n");
}

/* Writes a register of some context, usually not the running one; never one that
 * decides what runs or what is fetched. */
static void put_register(Text *text) {
    static const char *const context[] = {"", "'p", "'b", "'bp"};
    static const JmReg kept[] = {JM_REG_A0, JM_REG_A1,  JM_REG_A2,  JM_REG_A3,
                                 JM_REG_IP, JM_REG_QBM, JM_REG_QHL, JM_REG_NNR,
                                 JM_REG_P,  JM_REG_B,   JM_REG_I,   JM_REG_F,
                                 JM_REG_U,  JM_REG_Q,   JM_REG_MAR};
    const JmReg reg = (JmReg)below(text, JM_REG_COUNT);
    const char *where = context[below(text, 4)];
    bool keeps = !jm_reg_name(reg) || (reg == JM_REG_FIP && !*where);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        keeps |= reg == kept[i];
    if (reg == JM_REG_A2 || reg == JM_REG_A3)
        put(text, " .addr outside + %u,16\n move r0,a%u%s\n", below(text, 8),
            reg - JM_REG_A0, reg == JM_REG_A2 ? where : "'b");
    else if (!keeps)
        put(text, " writer r%u,%s%s\n", below(text, 4), jm_reg_name(reg), where);
}

static void put_body(Text *text, unsigned most) {
    for (unsigned n = below(text, most); n > 0; n--) {
        put_plain(text);
        if (below(text, 6) == 0)
            put_register(text);
    }
}

/* A delay loop of one word, whose turns may be taken in one go. */
static void put_spin(Text *text, const char *name) {
    put(text, " .word INT:%u\n move r0,r2\n%s.spin: sub r2,1,r2\n bnz r2,^%s.spin\n",
        below(text, 60) + 1, name, name);
}

/* Work with I = 1: messages that arrive meanwhile are dispatched when I is 0 again. */
static void put_masked(Text *text) {
    put(text, " move true,r3\n move r3,i\n");
    put_body(text, 5);
    put(text, " move false,r3\n move r3,i\n");
}

/* A jump to a word behind, mostly in another row. */
static void put_jump(Text *text) {
    const size_t label = text->length;
    put(text, " .ip jump%zu,U\n ldip r0\n", label);
    put_body(text, 4);
    put(text, " .align 4\njump%zu:\n", label);
}

/* A loop of its own with a counter in memory, since every register may be spoilt. */
static void put_pause(Text *text, const char *name) {
    put(text, " .word INT:%u\n move r0,[7,a1]\n .align 4\n%s:\n", below(text, 12) + 1,
        name);
    put_body(text, 6);
    if (below(text, 2))
        put_masked(text);
    if (below(text, 2))
        put_jump(text);
    if (below(text, 2))
        put_spin(text, name);
    put(text,
        " move [7,a1],r3\n sub r3,1,r3\n move r3,[7,a1]\n bz r3,^%s.end\n br "
        "^%s\n%s.end:\n",
        name, name, name);
}

/* Now and then sets I = 0 inside a message of priority 0, by a message of priority 1
 * that ends or by WRITER. The next word of the first message sets I again. */
static void put_between(Text *text) {
    if (below(text, 8) == 0)
        put(text, " peek 0xFFF08,r3\n .word INT:0x21\n and r3,r0,r1\n .msg quick,4,U\n"
                  " send2 r1,r0,1\n send2 r3,r2,1\n send2e r3,r2,1\n");
    else if (below(text, 8) == 0)
        put(text, " move false,r3\n move r3,i\n");
    put_body(text, 3);
}

static void put_send(Text *text, const char *handler, unsigned priority) {
    const unsigned extra = below(text, 3);
    put(text, " peek 0xFFF08,r3\n .word INT:0x21\n and r3,r0,r1\n .msg %s,%u,U\n",
        handler, 4 + 2 * extra);
    put(text, " send2 r1,r0,%u\n", priority);
    for (unsigned i = 0; i < extra; i++) {
        priority ? put_body(text, 3) : put_between(text);
        put(text, " send2 r3,r2,%u\n", priority);
    }
    put(text, " send r3,%u\n", priority);
    priority ? put_body(text, 3) : put_between(text);
    put(text, " send2e r3,r2,%u\n", priority);
}

/* Counts; the last of `most` tasks ends the run. */
static void put_count(Text *text, unsigned most) {
    put(text,
        " peek total,r2\n add r2,1,r2\n poke r2,total\n .word INT:%u\n sub r0,r2,r0\n"
        " bnz r0,^.on\n poke r2,HOST_EXIT\n.on:\n",
        most);
}

static void put_handlers(Text *text) {
    const unsigned most = 4 + below(text, 20);
    put(text, "slow: .addr data,0\n move r0,a1\n .addr outside,0\n move r0,a2\n");
    put_body(text, 12);
    put_pause(text, "turn");
    put_count(text, most);
    if (below(text, 2))
        put_send(text, "quick", 1);
    put(text, " suspend\nquick: .addr data,0\n move r0,a1\n .addr outside,0\n move "
              "r0,a2\n");
    put_body(text, 8);
    put_count(text, most);
    put(text, " suspend\n");
}

static char *random_program(uint64_t seed) {
    Text text = {.rng = jm_rng(seed)};
    put(&text, " handle_faults\n .text\n");
    put_handlers(&text);
    put(&text, " .rom\n queues %u,%u\n", 8 * (1u << below(&text, 4)) - 1,
        8 * (1u << below(&text, 4)) - 1);
    put(&text, " .addr data,0\n move r0,a1\n .addr outside,0\n move r0,a2\nloop:\n");
    put_body(&text, 10);
    put_pause(&text, "wait");
    put_send(&text, "slow", 0);
    if (below(&text, 2))
        put_send(&text, "quick", 1);
    put_body(&text, 10);
    put(&text,
        " goto loop\n .data\ntotal: .word INT:0\n .align 4\ndata: .space 16,INT:3\n"
        " .ext\noutside: .space 32,INT:9\n");
    return text.bytes;
}

static Rig *open_random(uint64_t seed) {
    char *body = random_program(seed);
    char *source = malloc(strlen(body) + 100);
    sprintf(source, " .macro goto target\n .ip \\target,U\n ldip r0\n .endm\n%s", body);
    JmConfig config = jm_config_default();
    config.size_x = 2;
    config.size_y = 2;
    config.seed = seed;
    config.keep_going = seed % 2;
    Rig *rig = rig_open_with(&config, source);
    free(source);
    free(body);
    return rig;
}

static bool always(void *context, const JmEvent *event) {
    (void)context, (void)event;
    return true;
}

/* Runs with stops wherever something happens, as a debugger does. At each stop,
 * registers equal those of a machine that steps cycle by cycle. */
static JmStop run_with_stops(Rig *rig, Rig *steps, uint64_t seed) {
    static const uint64_t none[NODE_MARKS];
    const MachineWatch watch = {.marks = {.code = {none, none}, .data = none},
                                .kinds = 1u << JM_EVENT_ARRIVE | 1u << JM_EVENT_SUSPEND,
                                .observer = always};
    machine_watch(rig->machine, &watch);
    JmStop stop = JM_STOP_BREAK;
    while (stop == JM_STOP_BREAK) {
        stop = jm_run(rig->machine, CYCLES);
        jm_run(steps->machine, jm_now(rig->machine));
        expect_same_registers(rig, steps, seed);
    }
    machine_watch(rig->machine, NULL);
    return stop;
}

Test(emu_ahead, leaves_no_trace) {
    unsigned ends[JM_STOP_BREAK + 1] = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        Rig *whole = open_random(seed), *slices = open_random(seed);
        Rig *steps = open_random(seed), *stops = open_random(seed);
        rig_log(steps, RIG_ALL_BUT_FLITS);
        const JmStop stop = jm_run(whole->machine, CYCLES);
        cr_assert_eq(rig_run_in_slices(slices, CYCLES, 1 + seed % 70), stop);
        cr_assert_eq(run_with_stops(stops, steps, seed), stop, "seed %u",
                     (unsigned)seed);
        expect_same(whole, steps, seed);
        expect_same(slices, steps, seed);
        expect_same(stops, steps, seed);
        ends[stop]++;
        rig_close(whole);
        rig_close(slices);
        rig_close(steps);
        rig_close(stops);
    }
    cr_expect_gt(ends[JM_STOP_NONE], SEEDS / 8u);
    cr_expect_gt(ends[JM_STOP_EXIT], SEEDS / 8u);
}
