/* Walks routes and looks for cycles of channels that wait for each other.
 *
 * Channel a waits for channel b if a message may hold a while its head wants b, that
 * is, if some route leads from a to b. Channels that wait for none are removed
 * repeatedly; any that remain lead into a cycle. */
#include "net/graph/routes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

NetRoutes net_routes_create(const NetGraph *graph) {
    const size_t feeders = graph->feeder_start[graph->points_built];
    return (NetRoutes){.graph = graph, .used = calloc(feeders + 1, sizeof(bool))};
}

void net_routes_destroy(NetRoutes *routes) {
    free(routes->used);
}

/* ---- walking --------------------------------------------------------------------- */

/* Records that a route leads from one point to another. False: the graph has no such
 * step. */
static bool mark_step(NetRoutes *routes, uint32_t from, uint32_t to) {
    const uint32_t edge = net_graph_edge(routes->graph, from, to);
    return edge != NET_NONE && (routes->used[edge] = true);
}

/* The steps of a message from `at` on, to all allowed points. */
static bool step_from(NetRoutes *routes, uint32_t at, uint32_t address,
                      JmError *error) {
    const NetGraph *graph = routes->graph;
    const uint32_t next = graph->next(graph, at, address);
    const uint32_t last = net_graph_last_choice(graph, next);
    for (uint32_t to = next; to <= last; to++) {
        if (to >= net_graph_points(graph) || !mark_step(routes, at, to))
            return jm_fail(error, NULL,
                           "a route goes from point %u to %u, which it does "
                           "not feed",
                           at, to);
        if (to < graph->channels &&
            graph->label[to].priority != graph->label[at].priority)
            return jm_fail(error, NULL,
                           "a route changes its priority from point %u to %u", at, to);
    }
    return true;
}

/* One step of the route, from `*at` or any other channel of its group that a message
 * may have taken, on. */
static bool step(NetRoutes *routes, uint32_t *at, uint32_t address, JmError *error) {
    const NetGraph *graph = routes->graph;
    for (uint32_t from = *at; from <= net_graph_last_choice(graph, *at); from++)
        if (!step_from(routes, from, address, error))
            return false;
    *at = graph->next(graph, *at, address);
    return true;
}

uint32_t net_routes_walk(NetRoutes *routes, uint32_t source, uint32_t destination,
                         unsigned priority, JmError *error) {
    const NetGraph *graph = routes->graph;
    const uint32_t address = graph->address[destination];
    const uint32_t end = net_graph_sink(graph, destination, priority);
    uint32_t at = net_graph_source(graph, source, priority), wires = 0;
    for (uint32_t steps = 0; at != end; steps++) {
        if (steps > graph->channels || at >= net_graph_first_sink(graph)) {
            jm_fail(error, NULL, "the route from node %u does not end at node %u",
                    source, destination);
            return NET_NONE;
        }
        wires += graph->wire[at] != NET_NONE;
        if (!step(routes, &at, address, error))
            return NET_NONE;
    }
    return wires;
}

/* ---- cycles ---------------------------------------------------------------------- */

/* The channels that have not been removed yet. */
typedef struct {
    const NetRoutes *routes;
    uint32_t *ahead; /* by channel: how many of those left it waits for */
    uint32_t *done;  /* channels removed, in order */
    uint32_t count;  /* entries of `done` */
    bool *is_done;   /* by channel: it has been removed */
} Search;

/* Whether the feeder at place `i` of graph->feeders is a channel that waits for the
 * point it feeds. */
static bool waits(const Search *search, uint32_t i, uint32_t *feeder) {
    *feeder = search->routes->graph->feeders[i];
    return search->routes->used[i] && *feeder < search->routes->graph->channels;
}

/* Removes a channel. */
static void finish(Search *search, uint32_t channel) {
    search->is_done[channel] = true;
    search->done[search->count++] = channel;
}

/* Removes channels that wait for none, until only cycles and channels waiting for them
 * are left. */
static void take_away(Search *search) {
    const NetGraph *graph = search->routes->graph;
    uint32_t feeder;
    for (uint32_t i = 0; i < graph->feeder_start[graph->channels]; i++)
        if (waits(search, i, &feeder))
            search->ahead[feeder]++;
    for (uint32_t channel = 0; channel < graph->channels; channel++)
        if (search->ahead[channel] == 0)
            finish(search, channel);
    for (uint32_t k = 0; k < search->count; k++) {
        const uint32_t channel = search->done[k];
        for (uint32_t i = graph->feeder_start[channel];
             i < graph->feeder_start[channel + 1]; i++)
            if (waits(search, i, &feeder) && --search->ahead[feeder] == 0)
                finish(search, feeder);
    }
}

/* Returns a channel of a cycle, and in `next` for each remaining channel one that it
 * waits for. From any of them, as many steps as there are channels lead into a
 * cycle. */
static uint32_t find_circle(const Search *search, uint32_t *next) {
    const NetGraph *graph = search->routes->graph;
    uint32_t at = 0, feeder;
    for (uint32_t channel = 0; channel < graph->channels; channel++)
        for (uint32_t i = graph->feeder_start[channel];
             i < graph->feeder_start[channel + 1] && !search->is_done[channel]; i++)
            if (waits(search, i, &feeder))
                next[feeder] = channel;
    while (search->is_done[at])
        at++;
    for (uint32_t steps = 0; steps < graph->channels; steps++)
        at = next[at];
    return at;
}

/* Appends a channel's name to a chain. */
static void add_name(const NetGraph *graph, uint32_t channel, char *text, size_t size) {
    const NetLabel *label = &graph->label[channel];
    const size_t length = strlen(text);
    char node[32];
    graph->node_name(graph, label->node, node, sizeof node);
    snprintf(text + length, size - length, "%s%s p%u %c%c", length ? " -> " : "", node,
             label->priority, "PNR"[label->kind], "XYZ"[label->dimension]);
}

/* Names the channels of the cycle, as many as are easily read. */
static bool report_circle(const NetGraph *graph, const uint32_t *next, uint32_t start,
                          JmError *error) {
    enum { MOST_NAMES = 12 };
    char text[500] = "";
    uint32_t length = 0, at = start;
    do {
        if (length < MOST_NAMES)
            add_name(graph, at, text, sizeof text);
        length++;
        at = next[at];
    } while (at != start);
    if (length <= MOST_NAMES)
        add_name(graph, start, text, sizeof text);
    return jm_fail(error, NULL, "%u channels wait for each other in a circle: %s%s",
                   length, text, length > MOST_NAMES ? " -> ..." : "");
}

bool net_routes_have_no_circle(const NetRoutes *routes, JmError *error) {
    const NetGraph *graph = routes->graph;
    const size_t channels = (size_t)graph->channels + 1;
    Search search = {
        .routes = routes,
        .ahead = calloc(channels, sizeof(uint32_t)),
        .done = malloc(channels * sizeof(uint32_t)),
        .is_done = calloc(channels, sizeof(bool)),
    };
    bool good = search.ahead && search.done && search.is_done;
    if (!good)
        jm_fail_memory(error, NULL, "no memory to look for circles");
    else
        take_away(&search);
    if (good && search.count < graph->channels) {
        /* The counts are no longer needed. */
        uint32_t *next = search.ahead;
        good = report_circle(graph, next, find_circle(&search, next), error);
    }
    free(search.ahead);
    free(search.done);
    free(search.is_done);
    return good;
}

bool net_graph_check_routes(const NetGraph *graph, JmError *error) {
    NetRoutes routes = net_routes_create(graph);
    bool good = routes.used || jm_fail_memory(error, NULL, "no memory to walk routes");
    for (uint32_t source = 0; good && source < graph->nodes; source++)
        for (uint32_t to = 0; good && to < graph->nodes; to++)
            for (unsigned priority = 0; good && priority < NET_PRIORITIES; priority++)
                good =
                    net_routes_walk(&routes, source, to, priority, error) != NET_NONE;
    good = good && net_routes_have_no_circle(&routes, error);
    net_routes_destroy(&routes);
    return good;
}
