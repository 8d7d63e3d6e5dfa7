/* The channel graph of the mesh: routes, and the absence of cycles of waiting channels
 * (deadlock freedom, Dally and Seitz 1987). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/graph/walk.h"
#include "net/messages/state.h"
#include "net/topology/mesh.h"
#include "rig.h"
#include "ring.h"

static unsigned apart(unsigned a, unsigned b) {
    return a > b ? a - b : b - a;
}

/* Of two points that feed each other the first has a wire if and only if they are in
 * different nodes. */
static void check_wires(const NetGraph *graph) {
    for (uint32_t point = 0; point < net_graph_points(graph); point++)
        for (uint32_t i = graph->feeder_start[point];
             i < graph->feeder_start[point + 1]; i++) {
            const uint32_t feeder = graph->feeders[i];
            cr_assert_eq(graph->wire[feeder] != NET_NONE,
                         graph->label[feeder].node != graph->label[point].node);
        }
}

/* The wires that the route between two nodes crosses. */
static unsigned wires_between(const NetGraph *graph, uint32_t from, uint32_t to,
                              unsigned priority) {
    unsigned wires = 0;
    uint32_t at = net_graph_source(graph, from, priority);
    for (; at < net_graph_first_sink(graph);
         at = graph->next(graph, at, graph->address[to]))
        wires += graph->wire[at] != NET_NONE;
    cr_assert_eq(at, net_graph_sink(graph, to, priority));
    return wires;
}

static void check_shape(unsigned x, unsigned y, unsigned z) {
    const NetParams params = net_params_default();
    JmError error;
    NetGraph *graph = net_mesh_create(x, y, z, &params, &error);
    cr_assert_not_null(graph, "%s", error.text);
    cr_assert(net_graph_check(graph, &error), "%s", error.text);
    check_wires(graph);
    for (unsigned a = 0; a < x * y * z; a++)
        for (unsigned b = 0; b < x * y * z; b++)
            cr_assert_eq(wires_between(graph, a, b, (a ^ b) & 1),
                         apart(a % x, b % x) + apart(a / x % y, b / x % y) +
                             apart(a / (x * y), b / (x * y)));
    cr_assert(net_graph_check_walks(graph, &error), "%s", error.text);
    net_graph_destroy(graph);
}

Test(graph, every_shape_routes_and_cannot_deadlock, .timeout = 600) {
    check_shape(1, 1, 1);
    check_shape(7, 1, 1);
    check_shape(1, 5, 1);
    check_shape(1, 1, 6);
    check_shape(4, 3, 1);
    check_shape(3, 5, 2);
    check_shape(16, 4, 2);
    check_shape(8, 8, 8);
}

/* Virtual channels: routes end, messages never go to a lower copy, and no channels wait
 * for each other in a cycle. */
Test(graph, virtual_channels_cannot_deadlock, .timeout = 600) {
    static const unsigned shapes[][3] = {{1, 1, 1}, {6, 1, 1}, {3, 4, 2}, {4, 4, 4}};
    NetParams params = net_params_default();
    JmError error;
    for (unsigned i = 0; i < 4 * 3; i++) {
        const unsigned *size = shapes[i / 3];
        params.virtual_channels = 2 + i % 3;
        NetGraph *graph = net_mesh_create(size[0], size[1], size[2], &params, &error);
        cr_assert(net_graph_check(graph, &error), "%s", error.text);
        cr_assert(net_graph_check_walks(graph, &error), "%s", error.text);
        for (uint32_t point = 0; point < graph->channels; point++)
            for (uint32_t f = graph->feeder_start[point];
                 f < graph->feeder_start[point + 1]; f++)
                cr_assert(graph->feeders[f] >= graph->channels ||
                          graph->feeders[f] % graph->copies <= point % graph->copies);
        net_graph_destroy(graph);
    }
}

ENGINE_TEST(graph, the_largest_mesh_works) {
    const NetParams params = net_params_default();
    Net *net = net_create_mesh_with(32, 32, 64, &params, engine, NULL);
    cr_assert_not_null(net);
    cr_assert_eq(net_node_count(net), 65536);
    net_open(net, 0, 0, 65535);
    net_offer(net, 0, 0, 1, true);
    while (!net_is_quiet(net))
        net_step(net);
    cr_assert_eq(net_statistics(net)->transit.sum, 31 + 31 + 63 + 2 + 3 + 2);
    net_destroy(net);
}

/* ---- graphs that are refused ----------------------------------------------------- */

/* Damages one field of a graph: its check finds that, and says so. */
#define UNSOUND(made, damage, says)                                                    \
    do {                                                                               \
        JmError error = {.text = ""};                                                  \
        NetGraph *graph = made;                                                        \
        cr_assert(net_graph_check(graph, &error), "%s", error.text);                   \
        damage;                                                                        \
        cr_assert_not(net_graph_check(graph, &error), #damage);                        \
        cr_assert_not_null(strstr(error.text, says), "%s", error.text);                \
        net_graph_destroy(graph);                                                      \
    } while (0)

/* 6 processors with 2 terminals each; 4 wires leave each, with 3 lanes. */
#define REFUSED(damage, says)                                                          \
    UNSOUND(graph_of("torus=2x3,lanes=3,escape=2,links=2,delay=4"), damage, says)

Test(graph, damaged_fields_of_lanes_and_terminals_are_refused) {
    REFUSED(graph->copies = 0, "78 channels do not come in groups of 0");
    REFUSED(graph->copies = 4, "78 channels do not come in groups of 4");
    REFUSED(graph->copies = 6, "channel 3 is not as 0, of the same group");
    REFUSED(graph->lane[5] = 1, "channel 5 shares lane 1 of wire 1");
    REFUSED(graph->lane[77] = 8, "channel 77 has lane 8 of 8");
    REFUSED(graph->places[77] = 0, "channel 77 has 0 places, not 1 to 64");
    REFUSED(graph->places[0] = 65, "channel 0 has 65 places, not 1 to 64");
    REFUSED(graph->delay[23] = 64, "wire 23 has a delay of 64 cycles, not 0 to 63");
    REFUSED(graph->group[23] = 4, "wire 23 is in group 4 of 4");
    REFUSED(graph->draws = 0, "a message draws one of 0, not of 1 to 16");
    REFUSED(graph->draws = 17, "a message draws one of 17, not of 1 to 16");
    REFUSED(graph->processor[0] = 1, "terminal 0 is of processor 1, not 0");
    REFUSED(graph->processor[11] = 3, "terminal 11 is of processor 3, not 6");
    REFUSED(graph->processors = 7, "terminals have 6 processors, not 7");
    REFUSED(graph->turn = heap_alloc(graph->heap, 12 * sizeof *graph->turn);
            graph->turn[11] = 12, "node 11 follows turn 12 of 12");
}

/* A wire with several channels that an engine could not tell apart: each of them would
 * win, and the wire would carry several flits in a cycle. */
static void share_a_wire(NetGraph *graph) {
    for (uint32_t node = 0; node < 4; node++)
        graph->wire[node * 4] = 0;
}

Test(graph, rings_that_are_not_sound_are_refused) {
#define RING(damage, says) UNSOUND(ring_create(4), damage, says)
    RING(share_a_wire(graph), "channel 4 shares wire 0 with another of priority 0");
    RING(graph->wire[0] = 4, "wire 4 of 4");
    RING(graph->wire[net_graph_source(graph, 0, 0)] = 0, "is not a channel");
    RING(graph->label[3].node = 4, "node 4 of 4");
    RING(graph->label[3].dimension = 3, "dimension 3");
    RING(graph->label[3].kind = NET_POINT_SOURCE, "of no kind");
    RING(graph->feeders[0] = net_graph_first_sink(graph), "cannot feed");
    RING(graph->feeders[1] = graph->feeders[0];
         graph->feeders[0] = net_graph_source(graph, 0, 0), "stands behind");
    RING(graph->points_built--, "have their feeders");
    RING(graph->feeders[graph->feeder_start[net_graph_sink(graph, 0, 1)]] = 1;
         graph->feeders[graph->feeder_start[net_graph_sink(graph, 0, 0)]] = 3,
         "ascending");
    RING(graph->link = NULL, "lacks a call");
    NetGraph *graph = ring_create(4); /* two directions are distinguished */
    graph->wire[4] = 0;
    graph->wire[6] = 1;
    graph->label[4].downward = 1;
    JmError error;
    cr_assert(net_graph_check(graph, &error), "%s", error.text);
    net_graph_destroy(graph);
}

/* Damages a ring of 3 so that an engine does not run it, and says why. */
#define NOT_FOR(engine, settings, damage, says)                                        \
    do {                                                                               \
        JmError error = {.text = ""};                                                  \
        const NetParams params = settings;                                             \
        NetGraph *graph = ring_create(3);                                              \
        damage;                                                                        \
        cr_assert_null(net_create_on(graph, &params, engine, &error), #damage);        \
        cr_assert_not_null(strstr(error.text, says), "%s", error.text);                \
    } while (0)

Test(graph, engines_refuse_rings_that_they_cannot_run) {
    const NetParams flow = params_of("torus=4x4", ""), plain = net_params_default();
    const NetParams two_headers = params_of("mesh=1", "header_flits=2");
    NOT_FOR("flow", flow, graph->label[9].drops_header = 1, "channel 9 drops headers");
    NOT_FOR("flow", flow, graph->label[10].downward = 1,
            "wire 2 is shared by both directions");
    NOT_FOR("graph", plain, graph->wires = (1 << 24) + 1,
            "16777217 wires are more than 16777216");
    NOT_FOR("graph", two_headers, graph->label[1].drops_header = 1, "drops headers");
    NOT_FOR("plane", plain, (void)graph, "mesh");
    NOT_FOR("plane-plain", plain, (void)graph, "plane-plain");
    cr_assert_null(net_create_on(NULL, &plain, "auto", NULL));
}

/* As in a ring of 3, but the channel that reaches node 0 leads to another sink. */
static uint32_t next_or(const NetGraph *graph, uint32_t point, uint32_t address,
                        uint32_t sink) {
    NetGraph *ring = ring_create(3);
    const uint32_t next = ring->next(graph, point, address);
    net_graph_destroy(ring);
    return next == net_graph_sink(graph, 0, 0) ? sink : next;
}

static uint32_t to_another_node(const NetGraph *graph, uint32_t point,
                                uint32_t address) {
    return next_or(graph, point, address, net_graph_sink(graph, 1, 0));
}

static uint32_t to_priority_1(const NetGraph *graph, uint32_t point, uint32_t address) {
    return next_or(graph, point, address, net_graph_sink(graph, 0, 1));
}

static uint32_t astray(const NetGraph *graph, uint32_t point, uint32_t address) {
    (void)address;
    return graph->label[point].kind == NET_POINT_SOURCE ? 2 : 0;
}

static uint32_t round_and_round(const NetGraph *graph, uint32_t point,
                                uint32_t address) {
    const NetLabel *label = &graph->label[point];
    (void)address;
    const bool wire = label->kind == NET_CHANNEL_P;
    return (label->node + wire) % graph->nodes * 4 + label->priority * 2u;
}

/* Damages the routes of a ring of 3: the walk along all of them finds it. */
#define LOST(damage, says)                                                             \
    do {                                                                               \
        JmError error;                                                                 \
        NetGraph *graph = ring_create(3);                                              \
        damage;                                                                        \
        cr_assert_not(net_graph_check_walks(graph, &error), #damage);                  \
        cr_assert_not_null(strstr(error.text, says), "%s", error.text);                \
        net_graph_destroy(graph);                                                      \
    } while (0)

Test(graph, routes_that_go_astray_are_found) {
    LOST(graph->next = astray, "does not feed");
    LOST(graph->next = round_and_round, "in a circle of 3 channels");
    LOST(graph->next = to_another_node;
         graph->feeders[graph->feeder_start[net_graph_sink(graph, 1, 0)]] = 1,
         "a route to point 18 ends at 20");
    LOST(graph->next = to_priority_1;
         graph->feeders[graph->feeder_start[net_graph_sink(graph, 0, 1)]] = 1,
         "a route to point 18 ends at 19");
    LOST(graph->label[1].priority = 1,
         "a route changes its priority from point 12 to 1");
}

/* The circle of a ring, as its channels are named: at most 12. */
static void expect_circle(unsigned nodes, const char *says) {
    char text[600];
    size_t length = (size_t)snprintf(
        text, sizeof text,
        "messages could wait for each other in a circle of %u channels: ", nodes);
    for (unsigned node = 0; node < nodes && node < 12; node++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%u +X",
                                   node ? " -> " : "", node);
    snprintf(text + length, sizeof text - length, nodes > 12 ? " -> ..." : " -> 0 +X");
    cr_assert_str_eq(says, text);
}

Test(graph, circles_of_many_channels_are_cut_short) {
    JmError error;
    for (unsigned nodes = 3; nodes <= 14; nodes++) {
        NetGraph *graph = ring_create(nodes);
        cr_assert_not(net_graph_check_walks(graph, &error));
        expect_circle(nodes, error.text);
        net_graph_destroy(graph);
    }
}

/* ---- graphs that a client has built ---------------------------------------------- */

/* Every pair of nodes and priority in turn, alone in the ring. A message's first flit
 * takes a cycle for each wire and one for the ejection, each flit behind it one more;
 * the three headers go all the way. */
Test(graph, rings_run_on_auto) {
    enum { NODES = 7, WORDS = 3, FLITS = 2 * WORDS + 3 };
    const NetParams params = net_params_default();
    JmError error;
    Net *net = net_create_on(ring_create(NODES), &params, "auto", &error);
    cr_assert_not_null(net, "%s", error.text);
    cr_assert_str_eq(net_engine_name(net), "graph");
    for (unsigned run = 0; run < NODES * NODES * 2; run++) {
        const unsigned from = run / 2 % NODES, to = run / 2 / NODES, priority = run % 2;
        const uint64_t before = net_statistics(net)->transit.sum;
        post(net, from, priority, to, WORDS);
        size_t words = 0, count;
        while (!net_is_quiet(net)) {
            net_step(net);
            const NetDelivery *seen = net_deliveries(net, &count);
            for (size_t i = 0; i < count; i++) {
                cr_assert_eq(seen[i].node, to);
                cr_assert_eq(seen[i].priority, priority);
                cr_assert_eq(seen[i].tail, ++words == WORDS);
            }
            cr_assert(net_check(net, &error), "%s", error.text);
        }
        cr_assert_eq(words, WORDS);
        const unsigned wires = (to + NODES - from) % NODES;
        cr_assert_eq(net_statistics(net)->transit.sum - before, wires + 1 + FLITS - 1,
                     "%u to %u: %u", from, to,
                     (unsigned)(net_statistics(net)->transit.sum - before));
    }
    net_destroy(net);
}

ENGINE_TEST(graph, more_flits_than_cycles_are_noticed) {
    Net *net = net_by(engine, "mesh=2x2x2", "");
    JmError error;
    steps(net, 20);
    net->wire_flits[6] = 12;
    net->wire_flits[7] = 8;
    cr_assert(net_check(net, &error), "%s", error.text);
    net->wire_flits[7] = 9;
    cr_assert_not(net_check(net, &error));
    cr_assert_not_null(strstr(error.text, "wire 3 has carried 12 flits up and 9 down"),
                       "%s", error.text);
    net->wire_flits[6] = 21;
    net->wire_flits[7] = 0;
    cr_assert_not(net_check(net, &error));
    net_destroy(net);
}
