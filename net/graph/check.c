/* Checks that a graph is valid for an engine, and whether it and parameters need only
 * the J-Machine's rules. */
#include <string.h>

#include "net/graph/graph.h"

/* Whether the label and the wire of a point are in range. */
static bool check_label(const NetGraph *graph, uint32_t point, JmError *error) {
    const NetLabel *label = &graph->label[point];
    const bool channel = point < graph->channels;
    if (label->node >= graph->nodes)
        return jm_fail(error, NULL, "point %u is at node %u of %u", point, label->node,
                       graph->nodes);
    if (channel && label->kind > NET_CHANNEL_R)
        return jm_fail(error, NULL, "channel %u is of no kind", point);
    if (label->dimension >= NET_DIMENSIONS)
        return jm_fail(error, NULL, "point %u is in dimension %u of %d", point,
                       label->dimension, NET_DIMENSIONS);
    if (graph->wire[point] == NET_NONE)
        return true;
    if (!channel)
        return jm_fail(error, NULL, "point %u has a wire but is not a channel", point);
    return graph->wire[point] < graph->wires ||
           jm_fail(error, NULL, "channel %u sends over wire %u of %u", point,
                   graph->wire[point], graph->wires);
}

/* Whether the feeders of a point exist, and those with a wire come first. */
static bool check_feeders(const NetGraph *graph, uint32_t point, JmError *error) {
    bool without_wire = false;
    for (uint32_t i = graph->feeder_start[point]; i < graph->feeder_start[point + 1];
         i++) {
        const uint32_t feeder = graph->feeders[i];
        if (feeder >= net_graph_first_sink(graph))
            return jm_fail(error, NULL, "point %u is fed by %u, which cannot feed",
                           point, feeder);
        const bool wired = graph->wire[feeder] != NET_NONE;
        if (wired && without_wire)
            return jm_fail(error, NULL,
                           "feeder %u of point %u has a wire and stands behind one "
                           "without",
                           feeder, point);
        without_wire = without_wire || !wired;
    }
    return true;
}

/* Checks that all channels of a group behave alike, so that any can replace another. */
static bool check_groups(const NetGraph *graph, JmError *error) {
    if (graph->copies == 0 || graph->channels % graph->copies > 0)
        return jm_fail(error, NULL, "%u channels do not come in groups of %u",
                       graph->channels, graph->copies);
    for (uint32_t channel = 0; channel < graph->channels; channel++) {
        const uint32_t first = channel / graph->copies * graph->copies;
        if (graph->wire[channel] != graph->wire[first] ||
            memcmp(&graph->label[channel], &graph->label[first],
                   sizeof graph->label[0]) != 0)
            return jm_fail(error, NULL, "channel %u is not as %u, of the same group",
                           channel, first);
    }
    return true;
}

/* Two channels of a wire with the same lane would win it together. `users` has 0 for
 * each wire. */
static bool check_wires(const NetGraph *graph, uint8_t *users, JmError *error) {
    for (uint32_t channel = 0; channel < graph->channels; channel++) {
        const NetLabel *label = &graph->label[channel];
        const uint32_t wire = graph->wire[channel];
        if (wire == NET_NONE || channel % graph->copies > 0)
            continue;
        const unsigned use = 1u << net_graph_lane(graph, channel);
        if (users[wire] & use && graph->lane)
            return jm_fail(error, NULL, "channel %u shares lane %u of wire %u", channel,
                           graph->lane[channel], wire);
        if (users[wire] & use)
            return jm_fail(error, NULL,
                           "channel %u shares wire %u with another of priority %u "
                           "that goes the same way",
                           channel, wire, label->priority);
        users[wire] = (uint8_t)(users[wire] | use);
    }
    return true;
}

/* Whether the feeders of sinks are in ascending order. */
static bool check_sinks(const NetGraph *graph, JmError *error) {
    uint32_t next_feeder = 0;
    const uint32_t first = graph->feeder_start[net_graph_first_sink(graph)];
    for (uint32_t i = first; i < graph->feeder_start[graph->points_built]; i++) {
        if (graph->feeders[i] < next_feeder)
            return jm_fail(error, NULL,
                           "the feeders of sinks are not in ascending order");
        next_feeder = graph->feeders[i] + 1;
    }
    return true;
}

static bool check_channel(const NetGraph *graph, uint32_t channel, JmError *error) {
    if (graph->places &&
        (graph->places[channel] < 1 || graph->places[channel] > NET_MAX_PLACES))
        return jm_fail(error, NULL, "channel %u has %u places, not 1 to %d", channel,
                       graph->places[channel], NET_MAX_PLACES);
    if (graph->lane && graph->lane[channel] >= NET_MAX_LANES)
        return jm_fail(error, NULL, "channel %u has lane %u of %d", channel,
                       graph->lane[channel], NET_MAX_LANES);
    return true;
}

/* Checks that processors are numbered in the order of their terminals. */
static bool check_processors(const NetGraph *graph, JmError *error) {
    if (!graph->processor)
        return true;
    uint32_t next = 0;
    for (uint32_t node = 0; node < graph->nodes; node++) {
        const uint32_t processor = graph->processor[node];
        if (processor != next && (node == 0 || processor + 1 != next))
            return jm_fail(error, NULL, "terminal %u is of processor %u, not %u", node,
                           processor, next);
        next = processor + 1;
    }
    return next == graph->processors ||
           jm_fail(error, NULL, "terminals have %u processors, not %u", next,
                   graph->processors);
}

static bool check_flow_fields(const NetGraph *graph, JmError *error) {
    for (uint32_t channel = 0; channel < graph->channels; channel++)
        if (!check_channel(graph, channel, error))
            return false;
    for (uint32_t wire = 0; graph->delay && wire < graph->wires; wire++)
        if (graph->delay[wire] > NET_MAX_DELAY)
            return jm_fail(error, NULL, "wire %u has a delay of %u cycles, not 0 to %d",
                           wire, graph->delay[wire], NET_MAX_DELAY);
    for (uint32_t wire = 0; graph->group && wire < graph->wires; wire++)
        if (graph->group[wire] >= graph->groups)
            return jm_fail(error, NULL, "wire %u is in group %u of %u", wire,
                           graph->group[wire], graph->groups);
    if (graph->address_from && (graph->draws < 1 || graph->draws > NET_MAX_DRAWS))
        return jm_fail(error, NULL, "a message draws one of %u, not of 1 to %d",
                       graph->draws, NET_MAX_DRAWS);
    for (uint32_t node = 0; graph->turn && node < graph->nodes; node++)
        if (graph->turn[node] >= graph->nodes)
            return jm_fail(error, NULL, "node %u follows turn %u of %u", node,
                           graph->turn[node], graph->nodes);
    return check_processors(graph, error);
}

/* A graph to be checked. */
typedef struct {
    const NetGraph *graph;
    JmError *error;
} Check;

static bool check(Heap *heap, void *context) {
    const NetGraph *graph = ((const Check *)context)->graph;
    JmError *error = ((const Check *)context)->error;
    if (!graph->next || !(graph->address || graph->address_from) || !graph->link ||
        !graph->node_name)
        return jm_fail(error, NULL, "the graph lacks a call that engines need");
    if (graph->points_built != net_graph_points(graph))
        return jm_fail(error, NULL, "%u of %u points have their feeders",
                       graph->points_built, net_graph_points(graph));
    for (uint32_t point = 0; point < graph->points_built; point++)
        if (!check_label(graph, point, error) || !check_feeders(graph, point, error))
            return false;
    return check_groups(graph, error) && check_flow_fields(graph, error) &&
           check_wires(graph, heap_alloc(heap, graph->wires), error) &&
           check_sinks(graph, error);
}

bool net_graph_check(const NetGraph *graph, JmError *error) {
    return heap_do(check, &(Check){graph, error}, error, NULL, "a check of a graph");
}

/* ---- the J-Machine's rules ------------------------------------------------------- */

enum { PLAIN_CAPACITY = 8 };

static bool graph_is_plain(const NetGraph *graph, JmError *error) {
    const struct {
        const char *name;
        bool used;
    } fields[] = {
        {"places", graph->places},
        {"lane", graph->lane},
        {"delay", graph->delay},
        {"group", graph->group},
        {"processor", graph->processor},
        {"choices", graph->choices},
        {"address_from", graph->address_from},
        {"terminal", graph->terminal},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (fields[i].used)
            return jm_fail(error, NULL, "it does not support the graph's %s",
                           fields[i].name);
    return true;
}

bool net_graph_is_plain(const NetGraph *graph, const NetParams *params,
                        JmError *error) {
    const NetParams standard = net_params_default();
    const struct {
        const char *name;
        uint32_t value, supported;
    } rows[] = {
        {"flits_per_word", params->flits_per_word, standard.flits_per_word},
        {"through", params->through, standard.through},
        {"wire_turns", params->wire_turns, standard.wire_turns},
        {"heads", params->heads, standard.heads},
        {"select", params->select, standard.select},
        {"commit", params->commit, standard.commit},
        {"atomic", params->atomic, standard.atomic},
        {"ties", params->ties, standard.ties},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].value != rows[i].supported)
            return jm_fail(error, NULL, "it does not support %s=%u", rows[i].name,
                           rows[i].value);
    if (params->channel_capacity > PLAIN_CAPACITY)
        return jm_fail(error, NULL, "channel_capacity is %u, more than %d",
                       params->channel_capacity, PLAIN_CAPACITY);
    return graph_is_plain(graph, error);
}
