/* Orbits of points, edges and nodes under the mirrors of a graph. A mirror is used only
 * if it preserves feeders, wires, precedence and routes. */
#include "net/model/amva_parts.h"

unsigned amva_precedence(const NetGraph *graph, uint32_t feeder_index, uint32_t channel,
                         bool p_first) {
    if (graph->wire[graph->feeders[feeder_index]] == NET_NONE)
        return 0;
    unsigned rank = 1;
    if (p_first)
        for (uint32_t i = feeder_index + 1; i < graph->feeder_start[channel + 1]; i++)
            rank += graph->wire[graph->feeders[i]] != NET_NONE;
    return rank;
}

/* A mirror under examination. */
typedef struct {
    const NetGraph *graph;
    unsigned mirror;
    bool p_first, check_routes;
    uint32_t *wire; /* image of each wire; NET_NONE: not known yet */
    uint32_t *seen; /* by point: the destination + 1 in whose tree it was seen */
} Candidate;

static uint32_t image(const Candidate *candidate, uint32_t point) {
    return candidate->graph->mirror(candidate->graph, candidate->mirror, point);
}

static uint32_t node_image(const Candidate *candidate, uint32_t node) {
    const NetGraph *graph = candidate->graph;
    return graph->label[image(candidate, net_graph_source(graph, node, 0))].node;
}

/* Whether the mirror maps wires to wires. */
static bool keeps_wire(Candidate *candidate, uint32_t point, uint32_t other) {
    const uint32_t wire = candidate->graph->wire[point];
    const uint32_t to = candidate->graph->wire[other];
    if ((wire == NET_NONE) != (to == NET_NONE))
        return false;
    if (wire == NET_NONE)
        return true;
    if (candidate->wire[wire] == NET_NONE)
        candidate->wire[wire] = to;
    return candidate->wire[wire] == to;
}

/* Whether the mirror preserves a point's wire, feeders and their precedence. */
static bool keeps_point(Candidate *candidate, uint32_t point) {
    const NetGraph *graph = candidate->graph;
    const uint32_t other = image(candidate, point);
    const uint32_t first = graph->feeder_start[point];
    const uint32_t count = graph->feeder_start[point + 1] - first;
    if (graph->label[other].priority != 0 || !keeps_wire(candidate, point, other) ||
        graph->feeder_start[other + 1] - graph->feeder_start[other] != count)
        return false;
    for (uint32_t i = first; i < first + count; i++) {
        const uint32_t to =
            net_graph_edge(graph, image(candidate, graph->feeders[i]), other);
        if (to == NET_NONE || amva_precedence(graph, i, point, candidate->p_first) !=
                                  amva_precedence(graph, to, other, candidate->p_first))
            return false;
    }
    return true;
}

/* Whether routes to `d` map to routes to its image. Each point is examined once. */
static bool keeps_routes(Candidate *candidate, uint32_t d) {
    const NetGraph *graph = candidate->graph;
    const uint32_t sink = net_graph_sink(graph, d, 0);
    const uint32_t address = graph->address[d];
    const uint32_t other = graph->address[node_image(candidate, d)];
    for (uint32_t s = 0; s < graph->nodes; s++) {
        uint32_t at = net_graph_source(graph, s, 0);
        while (s != d && at != sink && candidate->seen[at] != d + 1) {
            candidate->seen[at] = d + 1;
            const uint32_t next = graph->next(graph, at, address);
            if (graph->next(graph, image(candidate, at), other) !=
                image(candidate, next))
                return false;
            at = next;
        }
    }
    return true;
}

static bool keeps_all(Candidate *candidate) {
    const NetGraph *graph = candidate->graph;
    for (uint32_t i = 0; i < graph->wires; i++)
        candidate->wire[i] = NET_NONE;
    for (uint32_t i = 0; i < net_graph_points(graph); i++)
        candidate->seen[i] = 0;
    for (uint32_t point = 0; point < net_graph_points(graph); point++)
        if (graph->label[point].priority == 0 && !keeps_point(candidate, point))
            return false;
    for (uint32_t node = 0; candidate->check_routes && node < graph->nodes; node++)
        if (!keeps_routes(candidate, node))
            return false;
    return true;
}

/* ---- joining --------------------------------------------------------------------- */

static uint32_t root(uint32_t *parent, uint32_t item) {
    while (parent[item] != item)
        item = parent[item] = parent[parent[item]];
    return item;
}

/* Joins two sets; the lesser root remains. */
static void join(uint32_t *parent, uint32_t a, uint32_t b) {
    a = root(parent, a);
    b = root(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

static void join_images(AmvaOrbits *orbits, const Candidate *candidate) {
    const NetGraph *graph = candidate->graph;
    for (uint32_t node = 0; node < graph->nodes; node++)
        join(orbits->node, node, node_image(candidate, node));
    for (uint32_t point = 0; point < net_graph_points(graph); point++) {
        if (graph->label[point].priority != 0)
            continue;
        const uint32_t other = image(candidate, point);
        join(orbits->point, point, other);
        for (uint32_t i = graph->feeder_start[point];
             i < graph->feeder_start[point + 1]; i++)
            join(orbits->edge, i,
                 net_graph_edge(graph, image(candidate, graph->feeders[i]), other));
    }
}

static uint32_t *singles(Heap *heap, size_t count) {
    uint32_t *const parent = heap_alloc(heap, count * sizeof *parent);
    for (size_t i = 0; i < count; i++)
        parent[i] = (uint32_t)i;
    return parent;
}

static void flatten(uint32_t *parent, size_t count) {
    for (size_t i = 0; i < count; i++)
        parent[i] = root(parent, (uint32_t)i);
}

static void join_mirrors(AmvaOrbits *orbits, Candidate *candidate) {
    for (unsigned mirror = 0; mirror < candidate->graph->mirrors; mirror++) {
        candidate->mirror = mirror;
        if (keeps_all(candidate))
            join_images(orbits, candidate);
    }
}

AmvaOrbits amva_orbits_find(const AmvaLayout *layout) {
    const NetGraph *graph = layout->graph;
    Heap *const heap = layout->heap;
    const size_t points = net_graph_points(graph), edges = graph->feeder_start[points];
    AmvaOrbits orbits = {singles(heap, points), singles(heap, edges),
                         singles(heap, graph->nodes)};
    /* With only one path, preserving feeders preserves routes. */
    Candidate candidate = {
        .graph = graph,
        .p_first = layout->problem.p_first,
        .check_routes = !layout->unique,
        .wire = heap_alloc(heap, graph->wires * sizeof *candidate.wire),
        .seen = heap_alloc(heap, points * sizeof *candidate.seen),
    };
    if (!layout->problem.no_symmetry)
        join_mirrors(&orbits, &candidate);
    flatten(orbits.point, points);
    flatten(orbits.edge, edges);
    flatten(orbits.node, graph->nodes);
    heap_free(candidate.wire);
    heap_free(candidate.seen);
    return orbits;
}
