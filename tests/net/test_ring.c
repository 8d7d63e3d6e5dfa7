/* A topology unknown to net/: the one-way ring of ring.c. */
#include <string.h>

#include "engines.h"
#include "net/graph/walk.h"
#include "net/messages/state.h"
#include "ring.h"

/* Every pair of nodes and priority in turn, alone in the ring. A message's first flit
 * takes a cycle for each wire and one for the ejection, each flit behind it one more;
 * the three headers go all the way. */
Test(ring, runs_on_auto) {
    enum { NODES = 7, WORDS = 3, FLITS = 2 * WORDS + 3 };
    const NetParams params = net_params_default();
    JmError error;
    Net *net = net_create_on(ring_create(NODES), &params, "auto", &error);
    cr_assert_not_null(net, "%s", error.text);
    cr_assert_str_eq(net_engine_name(net), "graph");
    for (unsigned run = 0; run < NODES * NODES * 2; run++) {
        const unsigned from = run / 2 % NODES, to = run / 2 / NODES, priority = run % 2;
        const uint64_t before = net_statistics(net)->transit.sum;
        net_open(net, from, priority, to);
        net_offer(net, from, priority, WORDS - 1, false);
        net_offer(net, from, priority, 1, true);
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

Test(ring, plane_refuses_it_and_says_why) {
    const NetParams params = net_params_default();
    static const char *const engines[] = {"plane", "plane-plain"};
    for (unsigned i = 0; i < 2; i++) {
        JmError error;
        cr_assert_null(net_create_on(ring_create(4), &params, engines[i], &error));
        cr_assert_not_null(strstr(error.text, engines[i]));
        cr_assert_not_null(strstr(error.text, "mesh"), "%s", error.text);
    }
    cr_assert_null(net_create_on(NULL, &params, "auto", NULL));
}

Test(ring, its_circle_is_found_and_named) {
    NetGraph *graph = ring_create(3);
    JmError error;
    cr_assert(net_graph_check(graph, &error), "%s", error.text);
    cr_assert_not(net_graph_check_walks(graph, &error));
    cr_assert_str_eq(error.text, "messages could wait for each other in a circle of "
                                 "3 channels: 0 +X -> 1 +X -> 2 +X -> 0 +X");
    net_graph_destroy(graph);
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

Test(ring, routes_that_go_astray_are_found) {
    JmError error;
    NetGraph *graph = ring_create(4);
    graph->next = astray;
    cr_assert_not(net_graph_check_walks(graph, &error));
    cr_assert_not_null(strstr(error.text, "does not feed"), "%s", error.text);
    graph->next = round_and_round;
    cr_assert_not(net_graph_check_walks(graph, &error));
    cr_assert_not_null(strstr(error.text, "in a circle of 4 channels"), "%s",
                       error.text);
    net_graph_destroy(graph);
}

/* The error of a graph's check, or of creating a network on it. */
static void refuses(NetGraph *graph, const char *what) {
    const NetParams params = net_params_default();
    JmError error;
    cr_assert_null(net_create_on(graph, &params, "graph", &error), "%s", what);
    cr_assert_not_null(strstr(error.text, what), "%s", error.text);
}

/* Wires with several channels that an engine could not tell apart: each of them would
 * win, and the wire would carry several flits in a cycle. */
Test(ring, channels_that_win_a_wire_together_are_refused) {
    NetGraph *graph = ring_create(4);
    for (uint32_t node = 0; node < 4; node++)
        graph->wire[node * 4] = 0;
    refuses(graph, "channel 4 shares wire 0 with another of priority 0");
    graph = ring_create(4);
    graph->wire[4] = 0; /* one direction of it: two channels, told apart */
    graph->wire[6] = 1;
    graph->label[4].downward = 1;
    JmError error;
    cr_assert(net_graph_check(graph, &error), "%s", error.text);
    net_graph_destroy(graph);
}

Test(ring, graphs_that_are_not_sound_are_refused) {
    NetGraph *graph = ring_create(4);
    graph->wire[0] = 4;
    refuses(graph, "wire 4 of 4");
    graph = ring_create(4);
    graph->wire[net_graph_source(graph, 0, 0)] = 0;
    refuses(graph, "is not a channel");
    graph = ring_create(4);
    graph->label[3].node = 4;
    refuses(graph, "node 4 of 4");
    graph = ring_create(4);
    graph->label[3].dimension = 3;
    refuses(graph, "dimension 3");
    graph = ring_create(4);
    graph->label[3].kind = NET_POINT_SOURCE;
    refuses(graph, "of no kind");
    graph = ring_create(4);
    graph->feeders[0] = net_graph_first_sink(graph);
    refuses(graph, "cannot feed");
    graph = ring_create(4);
    graph->feeders[1] = graph->feeders[0];
    graph->feeders[0] = net_graph_source(graph, 0, 0);
    refuses(graph, "stands behind");
    graph = ring_create(4);
    graph->points_built--;
    refuses(graph, "have their feeders");
    graph = ring_create(4);
    graph->feeders[graph->feeder_start[net_graph_sink(graph, 0, 1)]] = 1;
    graph->feeders[graph->feeder_start[net_graph_sink(graph, 0, 0)]] = 3;
    refuses(graph, "ascending");
    graph = ring_create(4);
    graph->link = NULL;
    refuses(graph, "lacks a call");
    graph = ring_create(2);
    graph->label[1].drops_header = 1;
    NetParams params = net_params_default();
    params.header_flits = 2;
    JmError error;
    cr_assert_null(net_create_on(graph, &params, "graph", &error));
    cr_assert_not_null(strstr(error.text, "drops headers"), "%s", error.text);
}

ENGINE_TEST(wires, more_flits_than_cycles_are_noticed) {
    const NetParams params = net_params_default();
    Net *net = net_create_mesh_with(2, 2, 2, &params, engine, NULL);
    JmError error;
    for (unsigned cycle = 0; cycle < 20; cycle++)
        net_step(net);
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
