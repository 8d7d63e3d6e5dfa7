#include "net/graph/loads.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t processors_of(const NetGraph *graph) {
    return graph->processor ? graph->processors : graph->nodes;
}

/* The first node of each processor, to be freed; NULL: no memory. */
static uint32_t *first_nodes(const NetGraph *graph) {
    uint32_t *first = malloc(processors_of(graph) * sizeof *first);
    for (uint32_t node = graph->nodes; first && node-- > 0;)
        first[graph->processor ? graph->processor[node] : node] = node;
    return first;
}

/* Whether all ways on from a point lead over the wire of `next`. */
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

/* Adds the load of a route. */
static bool add_route(const NetGraph *graph, uint32_t from, uint32_t address,
                      double load, NetLoads *loads) {
    const uint32_t terminal =
        graph->terminal ? graph->terminal(graph, from, address) : NET_NONE;
    uint32_t at = net_graph_source(graph, terminal == NET_NONE ? from : terminal, 0);
    while (at < net_graph_first_sink(graph)) {
        const uint32_t next = graph->next(graph, at, address);
        if (!has_one_wire(graph, at, next, address))
            return false;
        at = next;
        if (graph->wire[at] != NET_NONE)
            loads->wire[graph->wire[at]] += load;
    }
    return true;
}

/* Adds the loads of all routes between two nodes. Draws that lead the same way are
 * walked once. */
static bool add_pair(const NetGraph *graph, uint32_t from, uint32_t to, double share,
                     NetLoads *loads) {
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
        if (before == 0 &&
            !add_route(graph, from, address[draw], share * alike / draws, loads))
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

bool net_graph_loads(const NetGraph *graph, NetShare *share, const void *pattern,
                     NetLoads *loads, JmError *error) {
    const uint32_t processors = processors_of(graph);
    uint32_t *first = first_nodes(graph);
    *loads = (NetLoads){.ends = 1};
    loads->wire = calloc((size_t)graph->wires + 1, sizeof *loads->wire);
    bool one = true;
    for (uint32_t to = 0; first && loads->wire && one && to < processors; to++) {
        double received = 0;
        for (uint32_t from = 0; one && from < processors; from++) {
            const double part = from == to ? 0 : share(pattern, from, to);
            received += part;
            one = part == 0 || add_pair(graph, first[from], first[to], part, loads);
        }
        loads->ends = received > loads->ends ? received : loads->ends;
    }
    if (!first || !loads->wire)
        jm_fail_memory(error, NULL, "no memory for the loads of %u wires",
                       graph->wires);
    else if (!one)
        jm_fail(error, NULL,
                "messages may choose between wires: the bound is that of one route a "
                "message, as on a torus without escape");
    const bool good = first && loads->wire && one;
    free(first);
    if (good)
        find_fullest(graph, loads);
    else
        free(loads->wire);
    return good;
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
