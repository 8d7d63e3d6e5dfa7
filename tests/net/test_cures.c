/* Deadlock freedom of the cures for overflow: who can wait for whom, over channels,
 * output buffers, queues and tasks of a small mesh, walked for circles (Dally and Seitz
 * 1987). Where a circle is left, a run that comes to a deadlock shows it. */
#include <stdlib.h>

#include "engines.h"
#include "net/graph/routes.h"
#include "net/topology/mesh.h"
#include "net/traffic/processors.h"

/* Rules of the nodes. A queue that refuses has a gate that shuts when it is full;
 * others accept always, as those do that spill, or that an overflow handler empties. */
typedef struct {
    bool refuses[NET_PRIORITIES];
    bool escape; /* what finds no room at priority 0 goes at priority 1, if the gate of
                    queue 0 is shut or the task is of priority 1 */
    bool whole;  /* messages open where there is room for all of their words */
} Rules;

/* Vertices: points of the graph, a sink standing for the gate of its queue and a source
 * for its output buffer; behind them a task for each node and priority. */
typedef struct {
    const NetGraph *graph;
    NetRoutes routes;
    uint32_t vertices;
    bool *waits; /* by vertex * vertices + vertex */
} Waits;

static uint32_t task_of(const NetGraph *graph, uint32_t node, unsigned priority) {
    return net_graph_points(graph) + node * NET_PRIORITIES + priority;
}

static void add(Waits *w, uint32_t from, uint32_t to) {
    w->waits[(size_t)from * w->vertices + to] = true;
}

/* A flit waits for the point that it goes to next on some route. */
static void add_network(Waits *w) {
    const NetGraph *graph = w->graph;
    JmError error;
    for (uint32_t pair = 0; pair < graph->nodes * graph->nodes; pair++)
        for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
            cr_assert_neq(net_routes_walk(&w->routes, pair / graph->nodes,
                                          pair % graph->nodes, priority, &error),
                          NET_NONE);
    for (uint32_t to = 0; to < net_graph_points(graph); to++)
        for (uint32_t i = graph->feeder_start[to]; i < graph->feeder_start[to + 1]; i++)
            if (w->routes.used[i])
                add(w, graph->feeders[i], to);
}

/* What a task can wait for while it sends. A message that is open at a priority waits
 * for that buffer; with whole messages none waits at priority 0 once it is open. Before
 * it is open it waits for priority 1 where it may escape; a task whose queue 0 is not
 * full holds nobody up at priority 0. */
static void add_task(Waits *w, const Rules *rules, uint32_t node, unsigned priority) {
    const uint32_t task = task_of(w->graph, node, priority);
    if (rules->escape)
        add(w, task, net_graph_source(w->graph, node, 1));
    if (!rules->escape || !rules->whole)
        add(w, task, net_graph_source(w->graph, node, 0));
    if (priority == 0)
        add(w, task, task_of(w->graph, node, 1)); /* which interrupts it */
}

static void add_nodes(Waits *w, const Rules *rules) {
    for (uint32_t node = 0; node < w->graph->nodes; node++)
        for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
            add_task(w, rules, node, priority);
            if (rules->refuses[priority])
                add(w, net_graph_sink(w->graph, node, priority),
                    task_of(w->graph, node, priority));
        }
}

/* Takes away vertices that wait for none that is left, and those for which none that is
 * left waits; who is left lies on a circle or between two. `left` says who; returns how
 * many. */
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

/* What is left of the circles in a mesh under some rules. */
typedef struct {
    uint32_t all;
    uint32_t queues[NET_PRIORITIES];
    uint32_t at_priority[NET_PRIORITIES]; /* channels and output buffers */
} Circles;

static Circles circles_of(unsigned x, unsigned y, unsigned z, Rules rules) {
    const NetParams params = net_params_default();
    NetGraph *graph = net_mesh_create(x, y, z, &params, NULL);
    Waits w = {.graph = graph,
               .routes = net_routes_create(graph),
               .vertices = net_graph_points(graph) + graph->nodes * NET_PRIORITIES};
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
    free(left);
    free(w.waits);
    net_routes_destroy(&w.routes);
    net_graph_destroy(graph);
    return found;
}

static const unsigned shapes[][3] = {{2, 1, 1}, {2, 2, 2}, {3, 2, 2}, {3, 3, 3}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static Circles circles(unsigned shape, Rules rules) {
    return circles_of(shapes[shape][0], shapes[shape][1], shapes[shape][2], rules);
}

/* ---- what is proved -------------------------------------------------------------- */

/* Queues that accept always need no other rule. */
Test(cures, overflow_handlers_and_spills_cannot_deadlock) {
    for (unsigned shape = 0; shape < SHAPES; shape++)
        cr_expect_eq(circles(shape, (Rules){.escape = false}).all, 0);
}

/* Brake, escape and whole messages: nothing at priority 0 lies on a circle, and none is
 * left if queue 1 accepts always. */
Test(cures, escape_of_whole_messages_frees_priority_0) {
    for (unsigned shape = 0; shape < SHAPES; shape++) {
        Rules rules = {.refuses = {true, true}, .escape = true, .whole = true};
        const Circles found = circles(shape, rules);
        cr_expect_eq(found.queues[0], 0);
        cr_expect_eq(found.at_priority[0], 0);
        cr_expect_gt(found.queues[1], 0, "queues 1 wait for each other");
        rules.refuses[1] = false;
        cr_expect_eq(circles(shape, rules).all, 0);
    }
}

/* ---- what is not ----------------------------------------------------------------- */

/* Without whole messages a task waits at priority 0 in the middle of a message while
 * its own queue fills: full queues 0 wait for each other, whatever queue 1 does. */
Test(cures, escape_of_parts_leaves_a_circle_at_priority_0) {
    for (unsigned shape = 0; shape < SHAPES; shape++) {
        const Rules rules = {.refuses = {true, false}, .escape = true};
        const Circles found = circles(shape, rules);
        cr_expect_gt(found.queues[0], 0);
        cr_expect_gt(found.at_priority[0], 0);
    }
}

Test(cures, a_brake_without_escape_leaves_a_circle) {
    for (unsigned shape = 0; shape < SHAPES; shape++) {
        const Rules rules = {.refuses = {true, false}, .whole = true};
        cr_expect_gt(circles(shape, rules).queues[0], 0);
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
                               .retry = 1,
                               .preempt = true,
                               .traps = 0,
                               .brake_mark = 56,
                               .brake_patience = UINT32_MAX,
                               .escape_mark = 48,
                               .whole = true,
                               .seed = 1};
}

Test(cures, runs_end_as_the_circles_say, .timeout = 120) {
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

/* The circle of full queues 1: queues for one message and a half fill. With a spill, or
 * the overflow handler, there is none. */
Test(cures, short_queues_1_wait_for_each_other, .timeout = 120) {
    NetProcessorsCounts counts;
    NetProcessorsPlan plan = heavy();
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
