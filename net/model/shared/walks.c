/* Walks all routes of a graph, and numbers the stages, ports and entries they use. */
#include <string.h>

#include "net/model/shared/parts.h"

/* The first terminal of a processor, which is its address. */
static uint32_t terminal_of(const NetGraph *graph, uint32_t processor) {
    return graph->processor ? processor * (graph->nodes / graph->processors)
                            : processor;
}

static uint32_t stage_of(const NetGraph *graph, uint32_t point) {
    return point < graph->channels
               ? point
               : graph->channels + (point - graph->channels) / NET_PRIORITIES;
}

/* Writes the stages of a route and returns their number; 0: it does not end. */
static uint32_t walk(const NetGraph *graph, uint32_t from, uint32_t to, uint32_t draw,
                     uint32_t *stages) {
    const uint32_t source = terminal_of(graph, from);
    const uint32_t address =
        net_graph_address(graph, source, terminal_of(graph, to), draw);
    const uint32_t start =
        graph->terminal ? graph->terminal(graph, source, address) : source;
    uint32_t at = net_graph_source(graph, start == NET_NONE ? source : start, 0);
    uint32_t count = 0;
    for (; at < net_graph_first_sink(graph); at = graph->next(graph, at, address)) {
        if (count > graph->channels)
            return 0;
        stages[count++] = stage_of(graph, at);
    }
    return count;
}

/* Whether a route is the one that begins at `step`. */
static bool same(const Shared *s, const SharedRoute *route, const uint32_t *stages,
                 uint32_t count) {
    if (route->steps != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (s->step[route->first_step + i].stage != stages[i])
            return false;
    return true;
}

typedef struct {
    uint32_t *stages;
    size_t routes, steps; /* room */
} Rooms;

/* Adds a route, or adds its weight to an identical one between the same processors. */
static void add(Shared *s, Rooms *rooms, uint32_t pair_start, SharedRoute route) {
    for (uint32_t i = pair_start; i < s->routes; i++)
        if (same(s, &s->route[i], rooms->stages, route.steps)) {
            s->route[i].weight += route.weight;
            return;
        }
    route.first_step = s->steps;
    for (uint32_t i = 0; i < route.steps; i++) {
        s->step = heap_grow(s->heap, s->step, s->steps, &rooms->steps, sizeof *s->step);
        s->step[s->steps++] = (SharedStep){.stage = rooms->stages[i]};
    }
    s->route =
        heap_grow(s->heap, s->route, s->routes, &rooms->routes, sizeof *s->route);
    s->route[s->routes++] = route;
}

static void add_pair(Shared *s, Rooms *rooms, uint32_t from, uint32_t to) {
    const uint32_t draws = s->graph->address_from ? s->graph->draws : 1;
    const uint32_t pair_start = s->routes;
    for (uint32_t draw = 0; draw < draws; draw++) {
        const uint32_t count = walk(s->graph, from, to, draw, rooms->stages);
        if (count < 2)
            heap_fail(s->heap);
        add(s, rooms, pair_start,
            (SharedRoute){
                .from = from, .to = to, .steps = count, .weight = 1.0 / draws});
    }
}

static void add_routes(Shared *s) {
    Rooms rooms = {.stages = shared_numbers(s, s->graph->channels + 2)};
    for (uint32_t from = 0; from < s->processors; from++)
        for (uint32_t to = 0; to < s->processors; to++) {
            const double share = s->routing[from * s->processors + to] +
                                 s->routing[to * s->processors + from];
            if (from != to && share > 0)
                add_pair(s, &rooms, from, to);
        }
    heap_free(rooms.stages);
}

/* ---- ports ----------------------------------------------------------------------- */

/* The index of `feeder` among the feeders of a channel, counted over all channels. */
static uint32_t edge_of(const NetGraph *graph, uint32_t channel, uint32_t feeder) {
    uint32_t edge = graph->feeder_start[channel];
    while (stage_of(graph, graph->feeders[edge]) != feeder)
        edge++;
    return edge;
}

/* Numbers the feeders that routes use, by stage; `number` is by edge. */
static void number_ports(Shared *s, uint32_t *number) {
    const NetGraph *graph = s->graph;
    for (uint32_t stage = 0; stage < s->stages; stage++) {
        s->first_port[stage] = s->ports;
        if (stage >= graph->channels) {
            s->feeder[s->ports++] = NET_NONE;
            continue;
        }
        for (uint32_t e = graph->feeder_start[stage];
             e < graph->feeder_start[stage + 1]; e++)
            if (number[e] != NET_NONE) {
                s->feeder[s->ports] = stage_of(graph, graph->feeders[e]);
                number[e] = s->ports++;
            }
    }
    s->first_port[s->stages] = s->ports;
}

/* Visits the channels of all routes: marks the edges, or assigns ports to steps. */
static void visit_edges(Shared *s, uint32_t *number, bool assign) {
    for (uint32_t r = 0; r < s->routes; r++) {
        SharedStep *step = &s->step[s->route[r].first_step];
        if (assign)
            step[0].port = s->first_port[step[0].stage];
        for (uint32_t i = 1; i < s->route[r].steps; i++) {
            const uint32_t edge = edge_of(s->graph, step[i].stage, step[i - 1].stage);
            if (assign)
                step[i].port = number[edge];
            else
                number[edge] = 0;
        }
    }
}

static void find_ports(Shared *s) {
    const NetGraph *graph = s->graph;
    const uint32_t edges = graph->feeder_start[graph->channels];
    uint32_t *number = shared_numbers(s, edges);
    s->first_port = shared_numbers(s, s->stages + 1);
    s->feeder = shared_numbers(s, edges + s->sources);
    for (uint32_t e = 0; e < edges; e++)
        number[e] = NET_NONE;
    visit_edges(s, number, false);
    number_ports(s, number);
    visit_edges(s, number, true);
    heap_free(number);
}

/* ---- entries --------------------------------------------------------------------- */

/* Assigns entries to the routes of a source; `entry_of` is by processor. */
static void number_entries(Shared *s, uint32_t source, uint32_t *entry_of,
                           const uint32_t *by_source, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        SharedRoute *route = &s->route[by_source[i]];
        if (entry_of[route->to] == NET_NONE) {
            s->entry[s->entries] = (SharedEntry){source, route->to, 0};
            entry_of[route->to] = s->entries++;
        }
        route->own_entry = s->first_entry[source];
        route->to_entry = entry_of[route->to];
        s->entry[route->to_entry].weight += route->weight;
        s->first_step[source] = route->first_step + 1;
    }
    for (uint32_t i = 0; i < count; i++)
        entry_of[s->route[by_source[i]].to] = NET_NONE;
}

static uint32_t source_of(const Shared *s, const SharedRoute *route) {
    return s->step[route->first_step].stage - s->graph->channels;
}

/* Lists the routes by source: `start` by source, and one past the end. */
static void sort_routes(const Shared *s, uint32_t *start, uint32_t *list) {
    memset(start, 0, (s->sources + 2) * sizeof *start);
    for (uint32_t r = 0; r < s->routes; r++)
        start[source_of(s, &s->route[r]) + 2]++;
    for (uint32_t i = 2; i < s->sources + 2; i++)
        start[i] += start[i - 1];
    for (uint32_t r = 0; r < s->routes; r++)
        list[start[source_of(s, &s->route[r]) + 1]++] = r;
}

static void find_entries(Shared *s) {
    uint32_t *start = shared_numbers(s, s->sources + 2);
    uint32_t *list = shared_numbers(s, s->routes);
    uint32_t *entry_of = shared_numbers(s, s->processors);
    s->entry = heap_alloc(s->heap, (s->routes + s->sources) * sizeof *s->entry);
    s->first_entry = shared_numbers(s, s->sources + 1);
    s->first_step = shared_numbers(s, s->sources);
    const uint32_t terminals = s->sources / s->processors;
    for (uint32_t i = 0; i < s->processors; i++)
        entry_of[i] = NET_NONE;
    sort_routes(s, start, list);
    for (uint32_t source = 0; source < s->sources; source++) {
        s->first_entry[source] = s->entries;
        s->first_step[source] = NET_NONE;
        s->entry[s->entries++] = (SharedEntry){source, source / terminals, 0};
        number_entries(s, source, entry_of, list + start[source],
                       start[source + 1] - start[source]);
    }
    s->first_entry[s->sources] = s->entries;
    heap_free(start);
    heap_free(list);
    heap_free(entry_of);
}

/* Numbers what holds messages where lanes do not matter: wires, last channels and
 * sources. */
static void find_queues(Shared *s) {
    const NetGraph *graph = s->graph;
    s->queue = shared_numbers(s, s->stages);
    s->queues = graph->wires;
    for (uint32_t stage = 0; stage < s->stages; stage++) {
        const uint32_t wire = stage < graph->channels ? graph->wire[stage] : NET_NONE;
        s->queue[stage] = wire == NET_NONE ? s->queues++ : wire;
    }
}

void shared_walk(Shared *s) {
    s->sources = s->graph->nodes;
    s->stages = s->graph->channels + s->sources;
    s->own_sources = s->graph->terminal != NULL;
    add_routes(s);
    find_ports(s);
    find_entries(s);
    find_queues(s);
}
