/* When a run ends as a deadlock, to the cycle: what counts as progress, and that
 * saving, restoring, slices and observers make no difference. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/emu/rig.h"

enum { PATIENCE = 1000, LONG = 100000 };

/* Node 1 computes forever, so that the machine is never at rest. Node 0 goes to
 * `begin`. SEND faults are retried; their handler lets messages in. */
static const char frame[] = "        vector 0x43, again, U\n"
                            "        vector 0x63, again, U\n"
                            "        .text\n"
                            "again:  move r0,[8,a0]\n"
                            "        move r1,[9,a0]\n"
                            "        move false,r0\n"
                            "        move r0,i\n"
                            "        move [8,a0],r0\n"
                            "        move [9,a0],r1\n"
                            "        retry\n"
                            "late:   .word INT:1500\n"
                            ".late:  sub r0,1,r0\n"
                            "        bnz r0,^.late\n"
                            "        bt r1,^leave\n"
                            "        suspend\n"
                            "leave:  move r1,b\n"
                            "        .rom\n"
                            "        queues 63,63\n"
                            "        .word ADDR:0x40200000+63\n"
                            "        move r0,qbm\n"
                            "        peek 0xFFF0E,r1\n"
                            "        bz r1,^begin\n"
                            "        bnz r3,^compute\n"
                            "        .word INT:100\n"
                            ".wait:  sub r0,1,r0\n"
                            "        bnz r0,^.wait\n"
                            "        .msg late,1\n"
                            "        send2e 0,r0,1\n"
                            "compute: add r2,1,r2\n"
                            "        br ^compute\n";

/* A message to the node itself before a closed door: of two words, of four and more. */
#define TWO_WORDS                                                                      \
    "begin:  .msg 0x100,20\n"                                                          \
    "        move 0,r1\n"                                                              \
    "        send2 r1,r0,0\n"
#define OPEN                                                                           \
    TWO_WORDS                                                                          \
    "        send2 r1,r1,0\n"                                                          \
    "        send2 r1,r1,0\n"                                                          \
    "        send2 r1,r1,0\n"
#define DELAY                                                                          \
    "        .word INT:3000\n"                                                         \
    ".delay: sub r0,1,r0\n"                                                            \
    "        bnz r0,^.delay\n"
#define FILL                                                                           \
    ".fill:  send r1,0\n"                                                              \
    "        br ^.fill\n"

typedef struct {
    bool interrupted; /* node 1 sends node 0 a task of priority 1 */
    bool leaves;      /* it returns to background of its own accord */
    bool keep_going;
} Case;

static Rig *open_case(const char *program, Case how) {
    char source[4000];
    JmConfig config = jm_config_default();
    rig_configure(&config, SETTINGS({"deadlock_cycles", PATIENCE}));
    config.size_x = 2;
    config.keep_going = how.keep_going;
    snprintf(source, sizeof source, "%s%s", frame, program);
    Rig *rig = rig_open_with(&config, source);
    jm_set_register(rig->machine, 1, JM_CONTEXT_BACKGROUND, JM_REG_R3,
                    jm_int(!how.interrupted));
    jm_set_register(rig->machine, 0, JM_CONTEXT_1, JM_REG_R1, jm_bool(how.leaves));
    return rig;
}

static const char *const programs[] = {
    OPEN DELAY FILL, /* computes, then retries a SEND */
    OPEN DELAY "        rest\n",
    OPEN DELAY "        sende r1,0\n        rest\n",
    OPEN DELAY "        suspend\n",
    "begin:  .msg 0x100,1\n        move 0,r1\n        send2e r1,r0,0\n"
    ".loop:  add r1,1,r1\n        br ^.loop\n",
    /* Only the SEND that ends a message lets its flits leave. */
    OPEN "        sende r1,0\n        move 1,r2\n" DELAY
         "        .msg 0x100,1\n        send2e r1,r0,1\n        rest\n",
};
enum { PROGRAMS = sizeof programs / sizeof programs[0] };

static Rig *open_program(unsigned k) {
    return open_case(programs[k], (Case){.interrupted = k == 0});
}

/* The cycle of the first or the last event of a kind at node 0. */
static uint64_t cycle_of(const Rig *rig, JmEventKind kind, bool first) {
    const unsigned count = rig_count(rig, kind, 0);
    return rig_event(rig, kind, 0, first ? 0 : count - 1)->cycle;
}

/* A node with an open message that computes is not deadlocked. The machine waits
 * `deadlock_cycles` from its SEND fault on; from the branch on with which it falls
 * asleep, which takes 2 cycles; from the cycle after the SEND that ends the message,
 * though it has none open then; from its stop on, if that does not end the run; from
 * the cycle after the last of five flits has left the buffer, whoever computes. */
Test(emu_deadlock, patience_begins_with_the_last_progress) {
    static const struct {
        JmEventKind kind;
        bool first;
        unsigned later;
    } rows[] = {{JM_EVENT_FAULT, true, 0},
                {JM_EVENT_INSTRUCTION, false, 2},
                {JM_EVENT_SEND, false, 1},
                {JM_EVENT_INSTRUCTION, false, 0},
                {JM_EVENT_SEND, false, 1 + 5}}; /* of the first five programs */
    for (unsigned k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        Rig *rig = open_case(programs[k], (Case){.keep_going = true});
        rig_log(rig, 1u << rows[k].kind);
        rig_run(rig, LONG, JM_STOP_DEADLOCK);
        const uint64_t cycle = cycle_of(rig, rows[k].kind, rows[k].first);
        cr_expect_gt(cycle, k < 4 ? 3 * PATIENCE : 0);
        cr_expect_eq(jm_now(rig->machine), cycle + rows[k].later + PATIENCE, "row %u",
                     k);
        rig_close(rig);
    }
}

/* Not while it makes progress. A message of two words has not met the start rule:
 * nothing wants to move. */
Test(emu_deadlock, computing_for_ever_and_too_short_to_start) {
    static const char *const goes_on[] = {
        OPEN ".loop:  add r1,1,r1\n        br ^.loop\n", TWO_WORDS "        rest\n"};
    for (unsigned k = 0; k < 2; k++) {
        Rig *rig = open_case(goes_on[k], (Case){0});
        rig_run(rig, LONG, JM_STOP_NONE);
        rig_close(rig);
    }
}

/* A task of priority 1 that interrupts the retries is outside the handler, whether it
 * ends or goes back to background by itself. */
Test(emu_deadlock, a_task_amid_retries) {
    for (unsigned leaves = 0; leaves < 2; leaves++) {
        Rig *rig = open_case(OPEN FILL, (Case){.interrupted = true, .leaves = leaves});
        uint64_t ended = 0;
        rig_log(rig, 1 << JM_EVENT_INSTRUCTION);
        rig_run(rig, LONG, JM_STOP_DEADLOCK);
        for (unsigned i = 0; i < rig->log.count; i++)
            if (rig->log.event[i].context == JM_CONTEXT_1)
                ended = rig->log.event[i].cycle;
        cr_expect_gt(ended, 3 * PATIENCE);
        cr_expect_eq(jm_now(rig->machine), ended + 1 + PATIENCE, "%u: %llu, ended %llu",
                     leaves, (unsigned long long)jm_now(rig->machine),
                     (unsigned long long)ended);
        rig_close(rig);
    }
}

/* Saved and restored at many points, a run ends in the cycle in which one go does. */
Test(emu_deadlock, restored_ends_alike) {
    for (unsigned k = 0; k < PROGRAMS; k++) {
        Rig *whole = open_program(k), *rig = open_program(k);
        const JmStop stop = jm_run(whole->machine, LONG);
        const uint64_t end = jm_now(whole->machine);
        rig_close(whole);
        for (uint64_t cycle = 1; cycle < end; cycle += 1 + cycle % 397) {
            rig_run(rig, cycle, JM_STOP_NONE);
            JmMachine *loaded = rig_copy(rig->machine);
            cr_expect_eq(jm_run(loaded, LONG), stop);
            cr_expect_eq(jm_now(loaded), end, "program %u at %llu: %llu, not %llu", k,
                         (unsigned long long)cycle, (unsigned long long)jm_now(loaded),
                         (unsigned long long)end);
            jm_destroy(loaded);
        }
        rig_close(rig);
    }
}

/* So do slices and observed runs. */
Test(emu_deadlock, slices_end_alike) {
    for (unsigned k = 0; k < PROGRAMS; k++) {
        Rig *whole = open_program(k), *sliced = open_program(k);
        Rig *observed = open_program(k);
        const JmStop stop = jm_run(whole->machine, LONG);
        const JmStop last = rig_run_in_slices(sliced, LONG, 37);
        rig_log(observed, 1 << JM_EVENT_INSTRUCTION);
        cr_expect_eq(last, stop);
        cr_expect_eq(jm_run(observed->machine, LONG), stop);
        cr_expect_eq(jm_now(sliced->machine), jm_now(whole->machine));
        cr_expect_eq(jm_now(observed->machine), jm_now(whole->machine));
        rig_close(whole);
        rig_close(sliced);
        rig_close(observed);
    }
}

/* A node that runs ahead may have begun a message whose time has not come. */
Test(emu_deadlock, a_message_begun_ahead) {
    bool ended[2] = {false, false};
    for (unsigned turns = 300; turns < 350; turns += 3) {
        char program[600];
        snprintf(program, sizeof program,
                 "begin:  .msg 0x100,1\n"
                 "        move 0,r1\n"
                 "        send2e r1,r0,0\n"
                 "        .word INT:%u\n"
                 ".delay: sub r0,1,r0\n"
                 "        bnz r0,^.delay\n"
                 "        send r1,1\n"
                 ".loop:  add r1,1,r1\n"
                 "        br ^.loop\n",
                 turns);
        Rig *whole = open_case(program, (Case){0});
        Rig *sliced = open_case(program, (Case){0});
        const JmStop stop = jm_run(whole->machine, 3 * PATIENCE);
        const JmStop last = rig_run_in_slices(sliced, 3 * PATIENCE, 1);
        cr_expect_eq(last, stop, "%u turns: %s, %s", turns, jm_stop_name(last),
                     jm_stop_name(stop));
        ended[stop == JM_STOP_DEADLOCK] = true;
        rig_close(whole);
        rig_close(sliced);
    }
    cr_expect(ended[0] && ended[1]);
}

/* Moving flits are not a deadlock, however far they have to go. */
Test(emu_deadlock, moving_flits) {
    Rig *rig = rig_set(32,
                       "        queues 63,63\n"
                       "        move true,r0\n"
                       "        move r0,i\n"
                       "        peek 0xFFF0E,r1\n"
                       "        bnz r1,^loop\n"
                       "        .msg 0x100,1\n"
                       "        .word INT:31\n"
                       "        move r0,r1\n"
                       "        .msg 0x100,1\n"
                       "        send2e r1,r0,0\n"
                       "loop:   add r1,1,r1\n"
                       "        br ^loop\n",
                       SETTINGS({"deadlock_cycles", 10}));
    rig_run(rig, 2000, JM_STOP_NONE);
    cr_expect_eq(jm_queue_words(rig->machine, 31, 0), 4u);
    rig_close(rig);
}
