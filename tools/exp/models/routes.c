/* The model `routes`: counts over the routes of a torus or mesh, each pair of nodes
 * once for every way round. */
#include "net/topology/topology.h"
#include "tools/exp/models/parts.h"

/* Sums over all routes. */
typedef struct {
    double ways, wires;      /* routes, and the wires that they cross */
    double on_wire, on_high; /* those that use the wire in question, and its upper
                              * lane */
} Crossed;

static void walk(const NetGraph *graph, uint32_t from, uint32_t to, uint32_t draw,
                 uint32_t wire, Crossed *crossed) {
    const uint32_t address = net_graph_address(graph, from, to, draw);
    uint32_t at = net_graph_source(graph, from, 0);
    crossed->ways++;
    for (; at < net_graph_first_sink(graph); at = graph->next(graph, at, address)) {
        if (graph->wire[at] == NET_NONE)
            continue;
        crossed->wires++;
        crossed->on_wire += graph->wire[at] == wire;
        crossed->on_high += graph->wire[at] == wire && graph->lane[at] == 1;
    }
}

static Crossed walk_all(const NetGraph *graph, uint32_t wire) {
    Crossed crossed = {0};
    const uint32_t draws = graph->draws ? graph->draws : 1;
    for (uint32_t from = 0; from < graph->nodes; from++)
        for (uint32_t to = 0; to < graph->nodes; to++)
            for (uint32_t draw = 0; from != to && draw < draws; draw++)
                walk(graph, from, to, draw, wire, &crossed);
    return crossed;
}

/* The wire that leaves the first node of a row downwards along its column. */
static uint32_t wire_down(const NetGraph *graph, unsigned node) {
    const uint32_t channel = graph->link(graph, node, 0, 1, false);
    return channel == NET_NONE ? NET_NONE : graph->wire[channel];
}

bool solve_routes(ModelPoint *point, Result *record, JmError *error) {
    enum { TEXT_MAX = 256 };
    char text[TEXT_MAX];
    NetParams params = net_params_default();
    const unsigned k = model_whole(point->settings, "k");
    const unsigned row = model_whole(point->settings, "row");
    if (row >= k)
        return jm_fail(error, "jm exp", "row=%u: there are %u rows", row, k);
    model_torus(point->settings, text, sizeof text);
    NetGraph *graph = net_specification_params(text, &params, error)
                          ? net_topology_build(text, &params, error)
                          : NULL;
    if (!graph)
        return false;
    const Crossed crossed = walk_all(graph, wire_down(graph, row * k));
    net_graph_destroy(graph);
    result_add(record, "mean_distance", crossed.wires / crossed.ways);
    result_add(record, "high_share", 100 * crossed.on_high / crossed.on_wire);
    return true;
}
