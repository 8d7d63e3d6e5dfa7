/* Deadlock freedom of the remedies for overflow: the waits between channels, output
 * buffers, queues and tasks of a small mesh, searched for cycles (Dally and Seitz
 * 1987). If a cycle remains, a run that deadlocks demonstrates it. */
#include <stdlib.h>

#include "engines.h"
#include "net/graph/graph.h"
#include "net/topology/mesh.h"
#include "net/traffic/processors.h"

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

/* Behind the points: vertices of a node. A task of priority 0 whose queue is above the
 * mark of the escape, or not (without an escape there is no difference); one of
 * priority 1; the ring. */
enum { TASK_LONG, TASK_SHORT, TASK_URGENT, RING, VERTICES };

/* Vertices: points of the graph, a sink standing for the gate of its queue and a source
 * for its output buffer; behind them those of the nodes. */
typedef struct {
    const NetGraph *graph;
    uint32_t vertices;
    bool *waits; /* by vertex * vertices + vertex */
} Waits;

static uint32_t vertex_of(const NetGraph *graph, uint32_t node, unsigned which) {
    return net_graph_points(graph) + node * VERTICES + which;
}

static void add(Waits *w, uint32_t from, uint32_t to) {
    w->waits[(size_t)from * w->vertices + to] = true;
}

/* A flit waits for its next point on some route. */
static void add_network(Waits *w) {
    const NetGraph *graph = w->graph;
    for (uint32_t pair = 0; pair < graph->nodes * graph->nodes; pair++)
        for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
            const uint32_t address = graph->address[pair % graph->nodes];
            uint32_t at = net_graph_source(graph, pair / graph->nodes, priority), next;
            for (; at < net_graph_first_sink(graph); at = next) {
                next = graph->next(graph, at, address);
                add(w, at, next);
            }
        }
}

/* The resources that a task can wait for while it sends. An open message waits for the
 * buffer of its priority; with whole messages none waits at priority 0 once it is open.
 * Before it is open it waits for priority 1 where it may escape. */
static void add_task(Waits *w, const Rules *rules, uint32_t node, unsigned which) {
    const uint32_t task = vertex_of(w->graph, node, which);
    const bool escapes = rules->escape && which != TASK_SHORT;
    if (escapes)
        add(w, task, net_graph_source(w->graph, node, 1));
    if (!escapes || !rules->whole)
        add(w, task, net_graph_source(w->graph, node, 0));
    if (which != TASK_URGENT)
        add(w, task, vertex_of(w->graph, node, TASK_URGENT)); /* which interrupts it */
}

/* Anything waiting for room in queue 0 waits for its task. A task with a short queue
 * holds nothing up, unless the gate can be shut then. */
static void add_queue(Waits *w, const Rules *rules, uint32_t node, uint32_t from) {
    add(w, from, vertex_of(w->graph, node, TASK_LONG));
    if (rules->late)
        add(w, from, vertex_of(w->graph, node, TASK_SHORT));
}

static void add_nodes(Waits *w, const Rules *rules) {
    for (uint32_t node = 0; node < w->graph->nodes; node++) {
        const uint32_t ring = vertex_of(w->graph, node, RING);
        const uint32_t gate = net_graph_sink(w->graph, node, 0);
        for (unsigned which = TASK_LONG; which <= TASK_URGENT; which++)
            add_task(w, rules, node, which);
        if (rules->ring) {
            add(w, gate, ring);
            add_queue(w, rules, node, ring);
        } else if (rules->refuses[0]) {
            add_queue(w, rules, node, gate);
        }
        if (rules->refuses[1])
            add(w, net_graph_sink(w->graph, node, 1),
                vertex_of(w->graph, node, TASK_URGENT));
    }
}

/* Removes vertices that wait for no remaining vertex, and those for which none waits;
 * the rest lie on a cycle or between two. `left` is the remaining set; returns its
 * size. */
static uint32_t take_away(const Waits *w, bool *left) {
    uint32_t count = w->vertices;
    for (uint32_t v = 0; v < w->vertices; v++)
        left[v] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t v = 0; v < w->vertices; v++) {
            bool out = false, in = false;
            for (uint32_t o = 0; left[v] && o < w->vertices; o++) {
                out |= left[o] && w->waits[(size_t)v * w->vertices + o];
                in |= left[o] && w->waits[(size_t)o * w->vertices + v];
            }
            if (!left[v] || (out && in))
                continue;
            left[v] = false;
            changed = true;
            count--;
        }
    }
    return count;
}

/* The remainder of the cycles in a mesh under some rules. */
typedef struct {
    uint32_t all;
    uint32_t queues[NET_PRIORITIES];
    uint32_t at_priority[NET_PRIORITIES]; /* channels and output buffers */
    uint32_t rings;
} Circles;

static Circles circles_of(unsigned x, unsigned y, unsigned z, Rules rules) {
    const NetParams params = net_params_default();
    NetGraph *graph = net_mesh_create(x, y, z, &params, NULL);
    Waits w = {.graph = graph,
               .vertices = net_graph_points(graph) + graph->nodes * VERTICES};
    w.waits = calloc((size_t)w.vertices * w.vertices, sizeof *w.waits);
    bool *left = calloc(w.vertices, sizeof *left);
    add_network(&w);
    add_nodes(&w, &rules);
    Circles found = {.all = take_away(&w, left)};
    for (uint32_t v = 0; v < net_graph_points(graph); v++) {
        const bool queue = graph->label[v].kind == NET_POINT_SINK;
        uint32_t *counts = queue ? found.queues : found.at_priority;
        counts[graph->label[v].priority] += left[v];
    }
    for (uint32_t node = 0; node < graph->nodes; node++)
        found.rings += left[vertex_of(graph, node, RING)];
    free(left);
    free(w.waits);
    net_graph_destroy(graph);
    return found;
}

static const unsigned shapes[][3] = {{2, 1, 1}, {2, 2, 2}, {3, 2, 2}, {3, 3, 3}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static Circles circles(unsigned shape, Rules rules) {
    return circles_of(shapes[shape][0], shapes[shape][1], shapes[shape][2], rules);
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
    for (size_t i = 0; i < SHAPES * sizeof cycles / sizeof cycles[0]; i++) {
        const size_t row = i / SHAPES;
        const Circles found = circles(i % SHAPES, cycles[row].rules);
        cr_expect_eq(found.queues[0] > 0, cycles[row].queues[0], "row %zu", row);
        cr_expect_eq(found.queues[1] > 0, cycles[row].queues[1], "row %zu", row);
        cr_expect_eq(found.at_priority[0] > 0, cycles[row].at_priority_0, "row %zu",
                     row);
        cr_expect_eq(found.all > 0, cycles[row].queues[0] || cycles[row].queues[1]);
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
    for (unsigned i = 0; i < cures * 4 * 2 * SHAPES; i++) {
        const unsigned shape = i % SHAPES;
        Marks marks = cure[i / SHAPES / 8];
        marks.message = (i / SHAPES / 2 % 4 + 1) * 4;
        marks.piece = i / SHAPES % 2 ? ROW_WORDS : marks.message;
        Rules rules = rules_of(&marks);
        const Circles found = circles(shape, rules);
        cr_expect_not(rules.late);
        cr_expect_eq(found.queues[0] + found.at_priority[0] + found.rings, 0,
                     "brake %u, messages of %u", marks.brake, marks.message);
        cr_expect_gt(found.queues[1], 0);
        rules.refuses[1] = false;
        cr_expect_eq(circles(shape, rules).all, 0);
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
        for (unsigned shape = 0; shape < SHAPES; shape++) {
            cr_expect_gt(circles(shape, rules).rings, 0, "%u words", message);
            cr_expect_gt(circles(shape, rules).queues[0], 0);
        }
    }
}

/* ---- the circles, run ------------------------------------------------------------ */

/* A heavy load for queues that are too short for it. */
static NetProcessorsState run(NetProcessorsPlan plan, NetProcessorsCounts *counts) {
    const NetParams params = net_params_default();
    JmError error = {.text = ""};
    Net *net = net_create_mesh(4, 4, 4, &params, &error);
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
