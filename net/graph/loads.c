#include "net/graph/loads.h"

#include <stdio.h>
#include <stdlib.h>

/* Returns the first node of each processor. */
static uint32_t *first_nodes(Heap *heap, const NetGraph *graph) {
    uint32_t *first = heap_alloc(heap, net_graph_processors(graph) * sizeof *first);
    for (uint32_t node = graph->nodes; node-- > 0;)
        first[graph->processor ? graph->processor[node] : node] = node;
    return first;
}

/* Whether all choices at a point use the wire of `next`. */
static bool has_one_wire(const NetGraph *graph, uint32_t point, uint32_t next,
                         uint32_t address) {
    uint32_t choice[NET_MAX_CHOICES];
    const unsigned count =
        graph->choices ? graph->choices(graph, point, address, choice) : 0;
    for (unsigned i = 0; i < count; i++)
        if (choice[i] != next && (choice[i] >= graph->channels ||
                                  graph->wire[choice[i]] != graph->wire[next]))
            return false;
    return true;
}

/* All routes of messages of `flits` flits are being walked. */
typedef struct {
    const NetGraph *graph;
    NetShare *share;
    const void *pattern;
    unsigned flits;
    NetLoads *loads;
    double received; /* by the destination in question */
    JmError *error;
} Walk;

/* Adds the load of a route of a share of the messages. */
static bool add_route(Walk *walk, uint32_t from, uint32_t address, double share) {
    const NetGraph *graph = walk->graph;
    const uint32_t terminal =
        graph->terminal ? graph->terminal(graph, from, address) : NET_NONE;
    uint32_t at = net_graph_source(graph, terminal == NET_NONE ? from : terminal, 0);
    unsigned flits = walk->flits;
    while (at < net_graph_first_sink(graph)) {
        const uint32_t next = graph->next(graph, at, address);
        if (!has_one_wire(graph, at, next, address))
            return false;
        at = next;
        flits -= graph->label[at].drops_header;
        if (graph->wire[at] != NET_NONE)
            walk->loads->wire[graph->wire[at]] += share * flits / walk->flits;
    }
    walk->received += share * flits / walk->flits;
    return true;
}

/* Adds the loads of all routes between two nodes. Draws that lead the same way are
 * walked once. */
static bool add_pair(Walk *walk, uint32_t from, uint32_t to, double share) {
    const NetGraph *graph = walk->graph;
    const uint32_t draws = graph->address_from ? graph->draws : 1;
    uint32_t address[NET_MAX_DRAWS];
    for (uint32_t draw = 0; draw < draws; draw++)
        address[draw] = net_graph_address(graph, from, to, draw);
    for (uint32_t draw = 0; draw < draws; draw++) {
        unsigned alike = 0, before = 0;
        for (uint32_t other = 0; other < draws; other++) {
            alike += address[other] == address[draw];
            before += other < draw && address[other] == address[draw];
        }
        if (before == 0 && !add_route(walk, from, address[draw], share * alike / draws))
            return false;
    }
    return true;
}

static void find_fullest(const NetGraph *graph, NetLoads *loads) {
    enum { PARTS = 1 << 30 }; /* less is rounding: the first of equals counts */
    for (uint32_t wire = 0; wire < graph->wires; wire++)
        if (loads->wire[wire] > loads->gamma * (1 + 1.0 / PARTS)) {
            loads->gamma = loads->wire[wire];
            loads->fullest = wire;
        }
}

static bool add_all(Heap *heap, void *context) {
    Walk *walk = context;
    NetLoads *loads = walk->loads;
    const uint32_t processors = net_graph_processors(walk->graph);
    const uint32_t *first = first_nodes(heap, walk->graph);
    loads->wire = heap_need(heap, calloc(walk->graph->wires + 1, sizeof(double)));
    heap_at_end(heap, free, loads->wire);
    for (uint32_t to = 0; to < processors; to++) {
        walk->received = 0;
        for (uint32_t from = 0; from < processors; from++) {
            const double part = from == to ? 0 : walk->share(walk->pattern, from, to);
            if (part > 0 && !add_pair(walk, first[from], first[to], part))
                return jm_fail(
                    walk->error, NULL,
                    "messages may choose between wires: the bound is that of one route "
                    "a message, as on a torus without escape");
        }
        loads->ends = walk->received > loads->ends ? walk->received : loads->ends;
    }
    find_fullest(walk->graph, loads);
    heap_keep(heap, loads->wire);
    return true;
}

bool net_graph_loads(const NetGraph *graph, NetShare *share, const void *pattern,
                     unsigned flits, NetLoads *loads, JmError *error) {
    Walk walk = {graph, share, pattern, flits, loads, 0, error};
    *loads = (NetLoads){.ends = 1};
    return heap_do(add_all, &walk, error, NULL, "the loads of %u wires", graph->wires);
}

void net_graph_wire_name(const NetGraph *graph, uint32_t wire, char *text,
                         size_t size) {
    uint32_t channel = 0;
    while (graph->wire[channel] != wire)
        channel++;
    const NetLabel *label = &graph->label[channel];
    char node[32];
    graph->node_name(graph, label->node, node, sizeof node);
    if (graph->group_name && graph->group)
        snprintf(text, size, "%s %s", node,
                 graph->group_name(graph, graph->group[wire]));
    else
        snprintf(text, size, "%s %c%c", node, label->downward ? '-' : '+',
                 "XYZ"[label->dimension]);
}
