/* A sweep by prefixes: the time of a flit on a channel depends on as many channels
 * ahead as the message has flits. From each channel these are visited once, each with
 * the number of nodes behind it and their rates; routes are never followed to their
 * ends. Nodes send to all others alike; a node's messages to itself are subtracted
 * again. */
#include <math.h>
#include <string.h>

#include "net/model/paths.h"

static double wire_wait(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                        uint32_t point) {
    const uint32_t orbit =
        point < layout->graph->channels ? layout->channel_orbit[point] : NET_NONE;
    return orbit == NET_NONE ? 0 : unknowns->wire_wait[orbit];
}

static double edge_wait(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                        uint32_t edge) {
    const uint32_t orbit = layout->edge_orbit[edge];
    return orbit == NET_NONE ? 0 : unknowns->edge_wait[orbit];
}

/* Returns 1/R of the messages of a node. */
static double node_rate(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                        uint32_t node) {
    return 1 / unknowns->cycle[layout->kinds == 2 ? layout->node_orbit[node] : 0];
}

/* ---- rates and times of heads ---------------------------------------------------- */

/* Walks upstream from the sinks: sums the rates of the nodes downstream of a point, and
 * the time of heads from it to all of them; each channel's time includes the wait for
 * the next. */
static void look_ahead(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                       uint32_t point) {
    AmvaPaths *const paths = layout->paths;
    PathAhead next = {.wire = wire_wait(layout, unknowns, point)};
    double *const weight = next.weight, *const stay = next.stay, ahead = 0;
    for (uint32_t i = paths->step_start[point]; i < paths->step_start[point + 1]; i++) {
        const PathStep step = paths->step[i];
        if (step.point >= paths->points) {
            weight[END_COUNT] += 1;
            weight[END_RATE] +=
                node_rate(layout, unknowns, layout->graph->label[step.point].node);
            continue;
        }
        const double cycles = 1 + edge_wait(layout, unknowns, step.edge);
        weight[ON_COUNT] += paths->down[step.point];
        weight[ON_RATE] += paths->gets[step.point];
        stay[ON_COUNT] += paths->down[step.point] * cycles;
        stay[ON_RATE] += paths->gets[step.point] * cycles;
        ahead += paths->ahead[step.point];
    }
    stay[END_COUNT] = weight[END_COUNT];
    stay[END_RATE] = weight[END_RATE];
    paths->next[point] = next;
    paths->gets[point] = weight[ON_RATE] + weight[END_RATE];
    paths->ahead[point] = ahead + stay[ON_COUNT] + stay[END_COUNT] +
                          (weight[ON_COUNT] + weight[END_COUNT]) * next.wire;
}

/* Walks downstream from the sources: sums rates and times of the nodes upstream of a
 * channel, up to its entry. */
static void look_back(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                      uint32_t channel) {
    AmvaPaths *const paths = layout->paths;
    const NetGraph *graph = layout->graph;
    double sends = 0, back = 0;
    for (uint32_t i = graph->feeder_start[channel];
         i < graph->feeder_start[channel + 1]; i++) {
        const uint32_t from = graph->feeders[i];
        sends += paths->sends[from];
        back += paths->back[from] +
                paths->up[from] * (1 + wire_wait(layout, unknowns, from) +
                                   edge_wait(layout, unknowns, i));
    }
    paths->sends[channel] = sends;
    paths->back[channel] = back;
}

static void look_around(const AmvaLayout *layout, const AmvaUnknowns *unknowns) {
    AmvaPaths *const paths = layout->paths;
    for (uint32_t i = paths->ordered; i-- > 0;)
        look_ahead(layout, unknowns, paths->order[i]);
    for (uint32_t s = 0; s < layout->nodes; s++) {
        const uint32_t source = net_graph_source(layout->graph, s, 0);
        look_ahead(layout, unknowns, source);
        paths->sends[source] = node_rate(layout, unknowns, s);
    }
    for (uint32_t i = 0; i < paths->ordered; i++)
        look_back(layout, unknowns, paths->order[i]);
}

/* ---- what lies ahead of a channel ------------------------------------------------ */

/* Sums by flit, each PATH_SUMS wide: of the time r on a channel; then, for each port
 * with a wire, of the contribution of the wait for that wire on the feeder. */
typedef struct {
    const AmvaPaths *paths;
    unsigned flits, ports;
    const double *port_wire; /* wait for the wire of each port's feeder */
    double largest;          /* largest of these */
    double *sums;            /* 1 + ports rows of flits */
} Ahead;

static double *row_of(const Ahead *ahead, unsigned row) {
    return ahead->sums + (size_t)row * ahead->flits * PATH_SUMS;
}

static inline void add_products(double *restrict sums, const double *restrict terms,
                                double factor) {
    for (unsigned j = 0; j < PATH_SUMS; j++)
        sums[j] += terms[j] * factor;
}

/* Visits a channel `depth` channels beyond the first. `wire`: largest wait for a wire
 * before it. */
static void visit(const Ahead *ahead, uint32_t channel, unsigned depth, double wire) {
    const AmvaPaths *paths = ahead->paths;
    const PathAhead *next = &paths->next[channel];
    wire = next->wire > wire ? next->wire : wire;
    double *const sums = ahead->sums + depth * PATH_SUMS;
    add_products(sums, next->stay, 1);
    add_products(sums, next->weight, wire);
    for (unsigned port = 0; wire < ahead->largest && port < ahead->ports; port++) {
        const double more = ahead->port_wire[port] - wire;
        if (more > 0)
            add_products(row_of(ahead, port + 1) + depth * PATH_SUMS, next->weight,
                         more);
    }
    if (depth + 1 == ahead->flits)
        return;
    for (uint32_t i = paths->step_start[channel]; i < paths->step_start[channel + 1];
         i++) {
        const uint32_t to = paths->step[i].point;
        if (to < paths->points && paths->down[to] > 0)
            visit(ahead, to, depth + 1, wire);
    }
}

/* Adds to each flit the heads that have left by that flit's time. */
static void add_ends(const Ahead *ahead) {
    for (unsigned row = 0; row <= ahead->ports; row++) {
        double *sums = row_of(ahead, row), count = 0, rate = 0;
        for (unsigned k = 0; k < ahead->flits; k++, sums += PATH_SUMS) {
            sums[ON_COUNT] += count += sums[END_COUNT];
            sums[ON_RATE] += rate += sums[END_RATE];
        }
    }
}

/* Sets rates and times at one port: inflow upstream times the sums downstream. */
static void set_port(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                     const Ahead *ahead, uint32_t channel, uint32_t edge, unsigned port,
                     AmvaSums *sums) {
    const AmvaPaths *paths = layout->paths;
    const uint32_t from = layout->graph->feeders[edge];
    const uint32_t orbit = layout->edge_orbit[edge];
    const double share = layout->share;
    const double upstream[KINDS] = {share * paths->sends[from],
                                    share * paths->up[from]};
    const double downstream[KINDS] = {paths->down[channel], paths->gets[channel]};
    const double entry =
        1 + edge_wait(layout, unknowns, edge) + wire_wait(layout, unknowns, from);
    for (unsigned kind = 0; kind < layout->kinds; kind++) {
        const double *sum =
            row_of(ahead, 0) + (kind == KIND_REPLY ? ON_RATE : ON_COUNT);
        const double *more = row_of(ahead, port + 1) + (sum - row_of(ahead, 0));
        const size_t at = orbit * sums->stride + kind * ahead->flits;
        double *stay = sums->stay + at, *before = sums->before + at;
        sums->rate[orbit * layout->kinds + kind] = upstream[kind] * downstream[kind];
        before[0] = upstream[kind] * downstream[kind] * entry;
        for (unsigned k = 0; k < ahead->flits; k++)
            stay[k] = upstream[kind] * sum[k * PATH_SUMS];
        for (unsigned k = 1; k < ahead->flits; k++)
            before[k] =
                upstream[kind] * (sum[(k - 1) * PATH_SUMS] + more[(k - 1) * PATH_SUMS]);
    }
}

static void set_channel(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                        uint32_t channel, AmvaSums *sums) {
    const NetGraph *graph = layout->graph;
    const uint32_t first = graph->feeder_start[channel];
    const unsigned ports = graph->feeder_start[channel + 1] - first;
    double *const port_wire = layout->paths->port_wire;
    double largest = 0;
    for (unsigned i = 0; i < ports; i++) {
        port_wire[i] = wire_wait(layout, unknowns, graph->feeders[first + i]);
        largest = fmax(largest, port_wire[i]);
    }
    const Ahead ahead = {.paths = layout->paths,
                         .flits = layout->flits,
                         .ports = ports,
                         .port_wire = port_wire,
                         .largest = largest,
                         .sums = layout->paths->sums};
    memset(ahead.sums, 0, (ports + 1) * ahead.flits * PATH_SUMS * sizeof(double));
    visit(&ahead, channel, 0, 0);
    add_ends(&ahead);
    for (unsigned i = 0; i < ports; i++)
        if (layout->edge_orbit[first + i] != NET_NONE)
            set_port(layout, unknowns, &ahead, channel, first + i, i, sums);
}

/* ---- what lies behind the last flits --------------------------------------------- */

/* Largest waits for a wire on the last channels of paths to a node, summed over the
 * nodes at their start. */
typedef struct {
    const AmvaLayout *layout;
    const AmvaUnknowns *unknowns;
    unsigned length;
    double weight; /* nodes of the orbit */
    double total;  /* over all nodes that send to this one */
    /* By channel orbit, then node orbit: per node that sends through or from there. */
    double *from;
} Behind;

/* Visits a channel `count` channels before the node. */
static void visit_back(Behind *behind, uint32_t channel, unsigned count, double wire) {
    const AmvaLayout *layout = behind->layout;
    const NetGraph *graph = layout->graph;
    wire = fmax(wire, wire_wait(layout, behind->unknowns, channel));
    if (count == behind->length) {
        const uint32_t orbit = layout->channel_orbit[channel];
        behind->total += wire * layout->paths->up[channel];
        if (orbit != NET_NONE)
            behind->from[orbit] += wire * behind->weight / layout->channel_size[orbit];
        return;
    }
    for (uint32_t i = graph->feeder_start[channel];
         i < graph->feeder_start[channel + 1]; i++) {
        const uint32_t from = graph->feeders[i];
        if (from < graph->channels) {
            if (layout->paths->up[from] > 0)
                visit_back(behind, from, count + 1, wire);
            continue;
        }
        const uint32_t orbit = layout->node_orbit[graph->label[from].node];
        behind->total += wire;
        behind->from[layout->channel_orbits + orbit] +=
            wire * behind->weight / layout->node_size[orbit];
    }
}

/* Distributes the values added at channels to all sources upstream. */
static double gather(const AmvaLayout *layout, const double *from, uint32_t point) {
    const AmvaPaths *paths = layout->paths;
    double sum = 0;
    if (point < layout->graph->channels && layout->channel_orbit[point] != NET_NONE)
        sum = from[layout->channel_orbit[point]];
    for (uint32_t i = paths->step_start[point]; i < paths->step_start[point + 1]; i++)
        if (paths->step[i].point < paths->points)
            sum += paths->catch_up[paths->step[i].point];
    return sum;
}

/* ---- a node's way to itself ------------------------------------------------------ */

/* Returns r of flit k at step i of a node's route to itself. */
static double self_stay(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                        const SelfRoute *route, unsigned i, unsigned k) {
    double wire = 0;
    for (unsigned j = i; j < route->count && j <= i + k; j++)
        wire = fmax(wire, wire_wait(layout, unknowns, route->point[j]));
    if (i + k + 1 >= route->count)
        return 1 + wire;
    return 1 + wire + edge_wait(layout, unknowns, route->edge[i + k]);
}

/* Returns the largest wait for a wire on the last `length` channels of that route. */
static double self_behind(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                          const SelfRoute *route, unsigned length) {
    double wire = 0;
    for (unsigned i = 1; i < route->count; i++)
        if (route->count - i <= length)
            wire = fmax(wire, wire_wait(layout, unknowns, route->point[i]));
    return wire;
}

/* Subtracts the node's messages to itself from the sums at the ports. */
static void remove_self(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                        uint32_t node, const SelfRoute *route, AmvaSums *sums) {
    const uint32_t first = layout->node_first[node];
    const double rate = node_rate(layout, unknowns, first) / (layout->nodes - 1.0);
    for (unsigned i = 0; i + 1 < route->count; i++) {
        const uint32_t orbit = layout->edge_orbit[route->edge[i]];
        if (orbit == NET_NONE)
            continue;
        const double share = rate * layout->node_size[node] / layout->edge_size[orbit];
        for (unsigned kind = 0; kind < layout->kinds; kind++) {
            const size_t at = orbit * sums->stride + kind * layout->flits;
            sums->rate[orbit * layout->kinds + kind] -= share;
            for (unsigned k = 0; k < layout->flits; k++) {
                sums->stay[at + k] -=
                    share * self_stay(layout, unknowns, route, i + 1, k);
                sums->before[at + k] -=
                    share * self_stay(layout, unknowns, route, i, k);
            }
        }
    }
}

/* ---- times of whole messages ----------------------------------------------------- */

/* Sets the times of heads from and to the first node of an orbit, excluding itself. */
static void set_head_times(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                           uint32_t node, const SelfRoute *route, AmvaSums *sums) {
    const AmvaPaths *paths = layout->paths;
    const double share = layout->share;
    double own = 0;
    for (unsigned i = 0; i < route->count; i++)
        own += self_stay(layout, unknowns, route, i, 0);
    const uint32_t source = route->point[0], last = route->point[route->count - 1];
    const double stay = 1 + wire_wait(layout, unknowns, last);
    sums->sent[node] = share * (paths->ahead[source] - own);
    if (layout->kinds == 2)
        sums->answered[node] =
            share * (paths->back[last] + paths->up[last] * stay - own);
}

/* Adds the flits behind the heads of one kind: (L-1) (1 + C), with the mean C (A.6). */
static void add_catch_up(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                         unsigned kind, AmvaSums *sums) {
    const NetGraph *graph = layout->graph;
    AmvaPaths *const paths = layout->paths;
    const SelfRoute *routes = paths->self;
    double *const from = paths->from;
    const double share = layout->share;
    const unsigned length = layout->length[kind];
    const double flits = length - 1;
    const size_t places = (size_t)layout->channel_orbits + layout->node_orbits;
    memset(from, 0, places * sizeof *from);
    for (uint32_t d = 0; d < layout->node_orbits; d++) {
        const SelfRoute *route = &routes[d];
        Behind behind = {layout, unknowns, length, layout->node_size[d], 0, from};
        visit_back(&behind, route->point[route->count - 1], 1, 0);
        const double own = self_behind(layout, unknowns, route, length);
        if (kind == KIND_REPLY)
            sums->answered[d] += flits * (1 + share * (behind.total - own));
    }
    if (kind == KIND_REPLY)
        return;
    for (uint32_t i = paths->ordered; i-- > 0;)
        paths->catch_up[paths->order[i]] = gather(layout, from, paths->order[i]);
    for (uint32_t s = 0; s < layout->node_orbits; s++) {
        const uint32_t source = net_graph_source(graph, layout->node_first[s], 0);
        const double all =
            gather(layout, from, source) + from[layout->channel_orbits + s];
        const double own = self_behind(layout, unknowns, &routes[s], length);
        sums->sent[s] += flits * (1 + share * (all - own));
    }
}

/* ---- a sweep --------------------------------------------------------------------- */

void amva_paths_add(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                    AmvaSums *sums) {
    AmvaPaths *const paths = layout->paths;
    amva_sums_clear(sums, layout);
    look_around(layout, unknowns);
    for (uint32_t c = 0; c < layout->channel_orbits; c++)
        set_channel(layout, unknowns, layout->channel_first[c], sums);
    for (uint32_t node = 0; node < layout->node_orbits; node++) {
        const SelfRoute *route = &paths->self[node];
        remove_self(layout, unknowns, node, route, sums);
        set_head_times(layout, unknowns, node, route, sums);
    }
    for (unsigned kind = 0; kind < layout->kinds; kind++)
        add_catch_up(layout, unknowns, kind, sums);
}
