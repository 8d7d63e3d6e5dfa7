/* Deadlock freedom of the remedies for overflow: the waits between channels, output
 * buffers, queues and tasks, searched for cycles (Dally and Seitz 1987). If a cycle
 * remains, a run that deadlocks demonstrates it. */
#include "net/traffic/processors.h"
#include "rig.h"

/* Rules of the nodes. A queue that refuses has a gate that shuts when it is full;
 * others always accept, because they spill or an overflow handler empties them. */
typedef struct {
    bool refuses[NET_PRIORITIES];
    /* Messages that find no room at priority 0 go at priority 1, if the gate of queue 0
     * is shut or the task is of priority 1. */
    bool escape;
    bool whole; /* messages open only with room for all of their words */
    /* The gate of queue 0 can stay shut although the queue is not above the mark that
     * decides about the escape. */
    bool late;
    /* The gate of queue 0 waits for a ring, and the ring for room in the queue. */
    bool ring;
} Rules;

/* What waits at a node. A message may go from any node to any other, and the channels
 * by themselves have no cycle (test_graph.c): so all nodes are alike, and the channels
 * of a priority are one thing with its output buffers. A task of priority 0 has a queue
 * above the mark of the escape, or not (without an escape there is no difference). */
enum { NETWORK, GATE = 2, TASK_LONG = 4, TASK_SHORT, TASK_URGENT, RING, THINGS };

/* Marks what waits, perhaps over others, for itself. */
static void find_cycles(bool waits[THINGS][THINGS], bool *on_cycle) {
    for (unsigned k = 0; k < THINGS; k++)
        for (unsigned i = 0; i < THINGS; i++)
            for (unsigned j = 0; j < THINGS; j++)
                waits[i][j] |= waits[i][k] && waits[k][j];
    for (unsigned i = 0; i < THINGS; i++)
        on_cycle[i] = waits[i][i];
}

/* The things on a cycle under some rules. An open message waits for the buffer of its
 * priority; with whole messages none waits at priority 0 once it is open. Before it is
 * open it waits for priority 1 where it may escape. Anything waiting for room in queue
 * 0 waits for its task; one with a short queue holds nothing up, unless the gate can be
 * shut then. */
static void cycles_of(const Rules *rules, bool *on_cycle) {
    bool waits[THINGS][THINGS] = {{false}};
    const unsigned full = rules->ring ? RING : GATE;
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        waits[NETWORK + priority][GATE + priority] = true;
    for (unsigned task = TASK_LONG; task <= TASK_URGENT; task++) {
        const bool escapes = rules->escape && task != TASK_SHORT;
        waits[task][NETWORK + 1] = escapes;
        waits[task][NETWORK] = !escapes || !rules->whole;
        waits[task][TASK_URGENT] = task != TASK_URGENT; /* which interrupts it */
    }
    waits[GATE][RING] = rules->ring;
    waits[full][TASK_LONG] = rules->ring || rules->refuses[0];
    waits[full][TASK_SHORT] = waits[full][TASK_LONG] && rules->late;
    waits[GATE + 1][TASK_URGENT] = rules->refuses[1];
    find_cycles(waits, on_cycle);
}

/* ---- marks ----------------------------------------------------------------------- */

/* Marks of a node in words, and what returns from its ring at once: a message, or a
 * row. ring_mark 0: no ring. */
typedef struct {
    unsigned brake, ring_mark, escape, message, piece;
} Marks;

enum { ROW_WORDS = 4 };

/* Whether the brake shuts the gate with `queue` and `ring` words at the node while the
 * ring, if any, returns nothing: so it stays shut until the task ends. */
static bool stays_shut(const Marks *m, unsigned queue, unsigned ring) {
    const bool at_rest = ring == 0 || queue + m->piece > m->ring_mark;
    return queue + ring + ROW_WORDS > m->brake && at_rest;
}

/* Derives the rules from the marks by walking all lengths of queue and ring. */
static Rules rules_of(const Marks *m) {
    Rules rules = {.refuses = {true, true},
                   .escape = m->escape != 0,
                   .whole = true,
                   .ring = m->ring_mark != 0};
    const unsigned most = m->ring_mark ? m->ring_mark : m->brake;
    for (unsigned queue = ROW_WORDS; queue <= most; queue += ROW_WORDS)
        for (unsigned ring = 0; ring <= (m->ring_mark ? m->brake + m->message : 0);
             ring += m->piece)
            rules.late |= stays_shut(m, queue, ring) && queue <= m->escape;
    return rules;
}

/* ---- rules ----------------------------------------------------------------------- */

/* What lies on cycles under each set of rules, as the table in net/traffic/README.md
 * has it: without whole messages a task waits at priority 0 in the middle of a message
 * while its own queue fills. */
static const struct {
    Rules rules;
    bool queues[NET_PRIORITIES], at_priority_0;
} cycles[] = {
    {{.escape = false}, {false, false}, false}, /* overflow handlers and spills */
    {{.refuses = {true, false}, .whole = true}, {true, false}, true},
    {{.refuses = {true, false}, .escape = true}, {true, false}, true},
    {{.refuses = {true, true}, .escape = true, .whole = true}, {false, true}, false},
    {{.refuses = {true, false}, .escape = true, .whole = true}, {false, false}, false},
};

Test(cures, rules_leave_the_cycles_of_the_table) {
    for (size_t i = 0; i < sizeof cycles / sizeof cycles[0]; i++) {
        bool found[THINGS];
        cycles_of(&cycles[i].rules, found);
        cr_expect_eq(found[GATE], cycles[i].queues[0], "row %zu", i);
        cr_expect_eq(found[GATE + 1], cycles[i].queues[1], "row %zu", i);
        cr_expect_eq(found[NETWORK], cycles[i].at_priority_0, "row %zu", i);
    }
}

/* The best remedies: with the marks in use, no message of 4 to 16 words can wait at
 * priority 0 at a node whose gate stays shut, whether the queue is at the brake or the
 * ring is. Only the queues 1 remain, as long as they refuse. */
Test(cures, marks_leave_no_circle_at_priority_0) {
    const Marks cure[] = {{.brake = 248, .escape = 100},
                          {.brake = 376, .escape = 100},
                          {.brake = 760, .ring_mark = 248, .escape = 100},
                          {.brake = 376, .ring_mark = 120, .escape = 50}};
    const unsigned cures = sizeof cure / sizeof cure[0];
    for (unsigned i = 0; i < cures * 4 * 2; i++) {
        Marks marks = cure[i / 8];
        bool found[THINGS];
        marks.message = (i / 2 % 4 + 1) * 4;
        marks.piece = i % 2 ? ROW_WORDS : marks.message;
        Rules rules = rules_of(&marks);
        cycles_of(&rules, found);
        cr_expect_not(rules.late);
        cr_expect_not(found[GATE] || found[NETWORK] || found[RING],
                      "brake %u, messages of %u", marks.brake, marks.message);
        cr_expect(found[GATE + 1]);
        rules.refuses[1] = false;
        cycles_of(&rules, found);
        cr_expect_not(found[GATE + 1]);
    }
}

/* A ring is at rest when its next words have no room. If the queue may then be at the
 * mark of the escape its task waits at priority 0, and the ring for it. */
Test(cures, an_escape_above_the_ring_s_mark_leaves_a_circle) {
    for (unsigned message = 4; message <= 16; message += 4) {
        Marks marks = {.brake = 760, .ring_mark = 248, .message = message};
        marks.piece = message;
        marks.escape = 248 - message; /* at rest the queue is above this */
        cr_expect_not(rules_of(&marks).late);
        marks.escape += ROW_WORDS;
        const Rules rules = rules_of(&marks);
        cr_expect(rules.late);
        bool found[THINGS];
        cycles_of(&rules, found);
        cr_expect(found[RING] && found[GATE], "%u words", message);
    }
}

/* ---- the circles, run ------------------------------------------------------------ */

/* A heavy load for queues that are too short for it. */
static NetProcessorsState run(NetProcessorsPlan plan, NetProcessorsCounts *counts) {
    JmError error = {.text = ""};
    Net *net = net_of("mesh=4x4x4", "");
    NetProcessors *processors = net_processors_create(net, &plan, &error);
    cr_assert_not_null(processors, "%s", error.text);
    NetProcessorsState state = NET_PROCESSORS_RUN;
    while (state == NET_PROCESSORS_RUN)
        state = net_processors_run(processors, 5000);
    *counts = net_processors_counts(processors);
    net_processors_destroy(processors);
    net_destroy(net);
    return state;
}

static NetProcessorsPlan heavy(void) {
    return (NetProcessorsPlan){.load = 8,
                               .hops = 400,
                               .words = 4,
                               .handler = 10,
                               .imbalance = 4,
                               .hot = 21,
                               .queue = {64, 512},
                               .traps = 0,
                               .brake_mark = 56,
                               .brake_patience = UINT32_MAX,
                               .escape_mark = 48,
                               .whole = true,
                               .seed = 1};
}

Test(cures, runs_end_as_the_circles_say, .timeout = 600) {
    NetProcessorsCounts counts;
    NetProcessorsPlan plan = heavy();
    cr_expect_eq(run(plan, &counts), NET_PROCESSORS_DONE, "whole messages");
    cr_expect_lt(counts.longest[1], 512);
    plan.whole = false;
    cr_expect_eq(run(plan, &counts), NET_PROCESSORS_DEADLOCK, "parts of messages");
    plan = heavy();
    plan.escape_mark = 0;
    cr_expect_eq(run(plan, &counts), NET_PROCESSORS_DEADLOCK, "no escape");
}

/* The same with a ring, on both sides of the mark at which the cycle appears. */
Test(cures, rings_end_as_the_circles_say, .timeout = 600) {
    NetProcessorsCounts counts;
    for (unsigned escape = 48; escape <= 56; escape += 4) {
        NetProcessorsPlan plan = heavy();
        plan.spill_mark = 56;
        plan.spill_cycles = 5;
        plan.brake_mark = 120;
        plan.brake_ring = true;
        plan.escape_mark = escape;
        const Marks marks = {
            .brake = 120, .ring_mark = 56, .escape = escape, .message = 4, .piece = 4};
        cr_expect_eq(run(plan, &counts),
                     rules_of(&marks).late ? NET_PROCESSORS_DEADLOCK
                                           : NET_PROCESSORS_DONE,
                     "escape at %u", escape);
        cr_expect_leq(counts.longest[0], 56);
        cr_expect_leq(counts.spill_peak, 120);
        cr_expect_gt(counts.spill_peak, 0);
    }
}

/* The cycle of full queues 1: queues for one and a half messages fill. With a spill, or
 * the overflow handler, there is none. */
Test(cures, short_queues_1_wait_for_each_other, .timeout = 600) {
    NetProcessorsCounts counts;
    NetProcessorsPlan plan = heavy();
    plan.hops = 100;
    plan.queue[1] = 12;
    plan.hwm_mark = 4;
    cr_expect_eq(run(plan, &counts), NET_PROCESSORS_DEADLOCK);
    cr_expect_geq(counts.longest[1], 12);
    plan.traps = 2;
    cr_expect_eq(run(plan, &counts), NET_PROCESSORS_DONE);
    cr_expect_gt(counts.overflows[1], 0);
    plan.traps = 0;
    plan.spill_mark = 60;
    plan.spill_both = true;
    cr_expect_eq(run(plan, &counts), NET_PROCESSORS_DONE);
    cr_expect_eq(counts.overflows[0] + counts.overflows[1], 0);
}
