/* Counts paths in graphs with one path between any two nodes; see paths.h. */
#include "net/model/paths.h"

#include <stdlib.h>

/* Whether a point takes part: only those of priority 0 do. */
static bool in_use(const NetGraph *graph, uint32_t point) {
    return graph->label[point].priority == 0;
}

/* ---- steps ----------------------------------------------------------------------- */

/* Lists the possible next steps from each point. */
static bool list_steps(AmvaPaths *paths, const NetGraph *graph) {
    const uint32_t all = net_graph_points(graph);
    paths->step_start = calloc(paths->points + 2u, sizeof *paths->step_start);
    paths->step = calloc(graph->feeder_start[all] + 1u, sizeof *paths->step);
    if (!paths->step_start || !paths->step)
        return false;
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
    return true;
}

/* Sorts channels topologically, feeders first; fewer than all if there is a cycle.
 * False if out of memory. */
static bool sort_channels(AmvaPaths *paths, const NetGraph *graph) {
    uint32_t *const waits = calloc(graph->channels + 1u, sizeof *waits);
    paths->order = calloc(graph->channels + 1u, sizeof *paths->order);
    if (!waits || !paths->order) {
        free(waits);
        return false;
    }
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
    free(waits);
    return true;
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

static AmvaPaths *create(const NetGraph *graph) {
    AmvaPaths *const paths = calloc(1, sizeof *paths);
    if (!paths)
        return NULL;
    paths->points = net_graph_first_sink(graph);
    paths->up = calloc(paths->points, sizeof(double));
    paths->down = calloc(paths->points, sizeof(double));
    if (!paths->up || !paths->down || !list_steps(paths, graph) ||
        !sort_channels(paths, graph)) {
        amva_paths_free(paths);
        return NULL;
    }
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

bool amva_paths_unique(const NetGraph *graph, bool *unique) {
    AmvaPaths *const paths = create(graph);
    *unique = paths && are_unique(paths, graph);
    amva_paths_free(paths);
    return paths;
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
static bool follow_self(const AmvaPaths *paths, const NetGraph *graph, uint32_t node,
                        SelfRoute *route) {
    const uint32_t address = graph->address(graph, node);
    uint32_t at = net_graph_source(graph, node, 0);
    unsigned count = 0;
    for (; at < paths->points; count++)
        at = step_to(paths, graph, at, address).point;
    route->point = calloc(count, sizeof *route->point);
    route->edge = calloc(count, sizeof *route->edge);
    if (!route->point || !route->edge)
        return false;
    at = net_graph_source(graph, node, 0);
    for (; route->count < count; route->count++) {
        const PathStep step = step_to(paths, graph, at, address);
        route->point[route->count] = at;
        route->edge[route->count] = step.edge;
        at = step.point;
    }
    return true;
}

static bool follow_selves(AmvaPaths *paths, const AmvaLayout *layout) {
    paths->self = calloc(layout->node_orbits, sizeof *paths->self);
    bool good = paths->self;
    for (uint32_t i = 0; good && i < layout->node_orbits; i++) {
        paths->selves++;
        good =
            follow_self(paths, layout->graph, layout->node_first[i], &paths->self[i]);
    }
    return good;
}

/* Marks the edges that routes use: those crossed by more pairs than the nodes that
 * would send to themselves through them. */
static bool mark_used(const AmvaPaths *paths, const NetGraph *graph, uint8_t *used) {
    uint32_t *const selves =
        calloc(graph->feeder_start[net_graph_points(graph)] + 1u, sizeof *selves);
    for (uint32_t s = 0; selves && s < graph->nodes; s++) {
        const uint32_t address = graph->address(graph, s);
        uint32_t at = net_graph_source(graph, s, 0);
        while (at < paths->points) {
            const PathStep step = step_to(paths, graph, at, address);
            selves[step.edge]++;
            at = step.point;
        }
    }
    for (uint32_t from = 0; selves && from < paths->points; from++)
        for (uint32_t i = paths->step_start[from]; i < paths->step_start[from + 1];
             i++) {
            const PathStep step = paths->step[i];
            used[step.edge] =
                step.point < graph->channels &&
                paths->up[from] * paths->down[step.point] > selves[step.edge];
        }
    free(selves);
    return selves;
}

bool amva_paths_build(AmvaLayout *layout, uint8_t *used, JmError *error) {
    AmvaPaths *const paths = layout->paths = create(layout->graph);
    bool good =
        paths && mark_used(paths, layout->graph, used) && follow_selves(paths, layout);
    if (good) {
        const NetGraph *graph = layout->graph;
        paths->sends = calloc(paths->points, sizeof(double));
        paths->gets = calloc(paths->points, sizeof(double));
        paths->next = calloc(paths->points, sizeof *paths->next);
        paths->ahead = calloc(paths->points, sizeof(double));
        paths->back = calloc(paths->points, sizeof(double));
        paths->catch_up = calloc(paths->points, sizeof(double));
        paths->sums = calloc((paths->most_ports + (size_t)1) * layout->flits,
                             PATH_SUMS * sizeof(double));
        paths->port_wire = calloc(paths->most_ports + 1u, sizeof(double));
        paths->from = calloc((size_t)graph->channels + graph->nodes, sizeof(double));
        good = paths->port_wire && paths->from && paths->sends && paths->gets &&
               paths->ahead && paths->back && paths->catch_up && paths->sums &&
               paths->next;
    }
    return good || jm_fail_memory(error, NULL, "no memory for the paths of %u nodes",
                                  layout->nodes);
}

void amva_paths_free(AmvaPaths *paths) {
    if (!paths)
        return;
    free(paths->order);
    free(paths->step_start);
    free(paths->step);
    free(paths->up);
    free(paths->down);
    free(paths->sends);
    free(paths->gets);
    free(paths->next);
    free(paths->ahead);
    free(paths->back);
    free(paths->catch_up);
    free(paths->sums);
    free(paths->port_wire);
    free(paths->from);
    for (uint32_t i = 0; i < paths->selves; i++) {
        free(paths->self[i].point);
        free(paths->self[i].edge);
    }
    free(paths->self);
    free(paths);
}
