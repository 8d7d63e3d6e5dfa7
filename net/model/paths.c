/* Counts paths in graphs with one path between any two nodes; see paths.h. */
#include "net/model/paths.h"

/* Whether a point takes part: only those of priority 0 do. */
static bool in_use(const NetGraph *graph, uint32_t point) {
    return graph->label[point].priority == 0;
}

/* ---- steps ----------------------------------------------------------------------- */

/* Lists the possible next steps from each point. */
static void list_steps(AmvaPaths *paths, Heap *heap, const NetGraph *graph) {
    const uint32_t all = net_graph_points(graph);
    paths->step_start = heap_alloc(heap, (paths->points + 2u) * sizeof(uint32_t));
    paths->step = heap_alloc(heap, graph->feeder_start[all] * sizeof *paths->step);
    uint32_t *const start = paths->step_start;
    for (uint32_t i = 0; i < graph->feeder_start[all]; i++)
        start[graph->feeders[i] + 2] += in_use(graph, graph->feeders[i]);
    for (uint32_t p = 0; p < paths->points; p++)
        start[p + 2] += start[p + 1];
    for (uint32_t to = 0; to < all; to++) {
        const uint32_t ports = graph->feeder_start[to + 1] - graph->feeder_start[to];
        if (ports > paths->most_ports)
            paths->most_ports = ports;
        for (uint32_t i = graph->feeder_start[to]; i < graph->feeder_start[to + 1]; i++)
            if (in_use(graph, graph->feeders[i]))
                paths->step[start[graph->feeders[i] + 1]++] = (PathStep){to, i};
    }
}

/* Sorts channels topologically, feeders first; fewer than all if there is a cycle. */
static void sort_channels(AmvaPaths *paths, Heap *heap, const NetGraph *graph) {
    uint32_t *const waits = heap_alloc(heap, graph->channels * sizeof *waits);
    paths->order = heap_alloc(heap, graph->channels * sizeof *paths->order);
    uint32_t done = 0;
    for (uint32_t c = 0; c < graph->channels; c++) {
        for (uint32_t i = graph->feeder_start[c]; i < graph->feeder_start[c + 1]; i++)
            waits[c] += graph->feeders[i] < graph->channels;
        if (in_use(graph, c) && waits[c] == 0)
            paths->order[paths->ordered++] = c;
    }
    while (done < paths->ordered) {
        const uint32_t c = paths->order[done++];
        for (uint32_t i = paths->step_start[c]; i < paths->step_start[c + 1]; i++) {
            const uint32_t to = paths->step[i].point;
            if (to < graph->channels && --waits[to] == 0)
                paths->order[paths->ordered++] = to;
        }
    }
    heap_free(waits);
}

/* ---- counts ---------------------------------------------------------------------- */

/* Returns the number of paths from a point to nodes; 1 for a sink. */
static double count_down(const AmvaPaths *paths, uint32_t point) {
    double count = 0;
    for (uint32_t i = paths->step_start[point]; i < paths->step_start[point + 1]; i++) {
        const uint32_t to = paths->step[i].point;
        count += to < paths->points ? paths->down[to] : 1;
    }
    return count;
}

static void count_paths(AmvaPaths *paths, const NetGraph *graph) {
    for (uint32_t i = paths->ordered; i-- > 0;)
        paths->down[paths->order[i]] = count_down(paths, paths->order[i]);
    for (uint32_t s = 0; s < graph->nodes; s++) {
        const uint32_t source = net_graph_source(graph, s, 0);
        paths->down[source] = count_down(paths, source);
        paths->up[source] = 1;
    }
    for (uint32_t i = 0; i < paths->ordered; i++) {
        const uint32_t c = paths->order[i];
        for (uint32_t f = graph->feeder_start[c]; f < graph->feeder_start[c + 1]; f++)
            paths->up[c] += paths->up[graph->feeders[f]];
    }
}

static AmvaPaths *create(Heap *heap, const NetGraph *graph) {
    AmvaPaths *const paths = heap_alloc(heap, sizeof *paths);
    paths->points = net_graph_first_sink(graph);
    paths->up = heap_doubles(heap, paths->points);
    paths->down = heap_doubles(heap, paths->points);
    list_steps(paths, heap, graph);
    sort_channels(paths, heap, graph);
    count_paths(paths, graph);
    return paths;
}

/* Whether the graph is acyclic and each source has as many paths as there are nodes:
 * since routes lead to all nodes, there is then exactly one path to each. */
static bool are_unique(const AmvaPaths *paths, const NetGraph *graph) {
    uint32_t channels = 0;
    for (uint32_t c = 0; c < graph->channels; c++)
        channels += in_use(graph, c);
    if (paths->ordered != channels)
        return false;
    for (uint32_t s = 0; s < graph->nodes; s++)
        if (paths->down[net_graph_source(graph, s, 0)] != graph->nodes)
            return false;
    return true;
}

bool amva_paths_unique(Heap *heap, const NetGraph *graph) {
    Heap *const scratch = heap_within(heap);
    const bool unique = are_unique(create(scratch, graph), graph);
    heap_delete(scratch);
    return unique;
}

/* ---- for a layout ---------------------------------------------------------------- */

/* Returns the step to take from `at` towards an address. */
static PathStep step_to(const AmvaPaths *paths, const NetGraph *graph, uint32_t at,
                        uint32_t address) {
    const uint32_t next = graph->next(graph, at, address);
    uint32_t i = paths->step_start[at];
    while (paths->step[i].point != next)
        i++;
    return paths->step[i];
}

/* Follows a node's route to itself. */
static SelfRoute follow_self(const AmvaLayout *layout, uint32_t node) {
    const AmvaPaths *paths = layout->paths;
    const NetGraph *graph = layout->graph;
    const uint32_t address = graph->address[node];
    uint32_t at = net_graph_source(graph, node, 0);
    unsigned count = 0;
    for (; at < paths->points; count++)
        at = step_to(paths, graph, at, address).point;
    SelfRoute route = {.point = heap_alloc(layout->heap, count * sizeof *route.point),
                       .edge = heap_alloc(layout->heap, count * sizeof *route.edge)};
    at = net_graph_source(graph, node, 0);
    for (; route.count < count; route.count++) {
        const PathStep step = step_to(paths, graph, at, address);
        route.point[route.count] = at;
        route.edge[route.count] = step.edge;
        at = step.point;
    }
    return route;
}

/* Marks the edges that routes use: those crossed by more pairs than the nodes that
 * would send to themselves through them. */
static void mark_used(const AmvaLayout *layout, uint8_t *used) {
    const AmvaPaths *paths = layout->paths;
    const NetGraph *graph = layout->graph;
    const uint32_t edges = graph->feeder_start[net_graph_points(graph)];
    uint32_t *const selves = heap_alloc(layout->heap, edges * sizeof *selves);
    for (uint32_t s = 0; s < graph->nodes; s++) {
        const uint32_t address = graph->address[s];
        uint32_t at = net_graph_source(graph, s, 0);
        while (at < paths->points) {
            const PathStep step = step_to(paths, graph, at, address);
            selves[step.edge]++;
            at = step.point;
        }
    }
    for (uint32_t from = 0; from < paths->points; from++)
        for (uint32_t i = paths->step_start[from]; i < paths->step_start[from + 1];
             i++) {
            const PathStep step = paths->step[i];
            used[step.edge] =
                step.point < graph->channels &&
                paths->up[from] * paths->down[step.point] > selves[step.edge];
        }
    heap_free(selves);
}

void amva_paths_build(AmvaLayout *layout, uint8_t *used) {
    const NetGraph *graph = layout->graph;
    Heap *const heap = layout->heap;
    AmvaPaths *const paths = layout->paths = create(heap, graph);
    mark_used(layout, used);
    paths->self = heap_alloc(heap, layout->node_orbits * sizeof *paths->self);
    for (uint32_t i = 0; i < layout->node_orbits; i++)
        paths->self[i] = follow_self(layout, layout->node_first[i]);
    paths->sends = heap_doubles(heap, paths->points);
    paths->gets = heap_doubles(heap, paths->points);
    paths->next = heap_alloc(heap, paths->points * sizeof *paths->next);
    paths->ahead = heap_doubles(heap, paths->points);
    paths->back = heap_doubles(heap, paths->points);
    paths->catch_up = heap_doubles(heap, paths->points);
    paths->sums =
        heap_doubles(heap, (paths->most_ports + (size_t)1) * layout->flits * PATH_SUMS);
    paths->port_wire = heap_doubles(heap, paths->most_ports);
    paths->from = heap_doubles(heap, (size_t)graph->channels + graph->nodes);
}
