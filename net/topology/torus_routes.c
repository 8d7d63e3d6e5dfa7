/* Routes in a torus.
 *
 * With end-around wires, lanes form classes so that no cycle can arise: in a dimension
 * a message uses the high class while the digit of its destination is above that of the
 * node, otherwise the low one, for either direction of travel (Adve and Vernon 1994,
 * section II). */
#include <stdio.h>

#include "net/topology/torus_shape.h"

/* ---- addresses ------------------------------------------------------------------- */

static bool goes_down(uint32_t address, unsigned place) {
    return address >> (PLACE_BITS * place + PLACE_BITS - 1) & 1;
}

/* Whether a message moves upwards from one digit to another. */
static bool rises(const Torus *torus, unsigned dimension, unsigned from, unsigned to,
                  uint32_t draw) {
    if (torus->spec.one_way)
        return false;
    if (!torus->spec.ends)
        return to > from;
    const unsigned side = torus->spec.side[dimension];
    const unsigned above = (to + side - from) % side;
    if (2 * above != side)
        return 2 * above < side;
    switch (torus->spec.tie) {
    case NET_TIE_NO_WRAP:
        return to > from;
    case NET_TIE_WRAP:
        return to < from;
    default:
        return draw >> dimension & 1;
    }
}

static uint32_t address_from(const NetGraph *graph, uint32_t source, uint32_t node,
                             uint32_t draw) {
    const Torus *torus = graph->shape;
    const uint32_t from = torus->digits[graph->processor[source]];
    const uint32_t to = torus->digits[graph->processor[node]];
    uint32_t address = to;
    for (unsigned place = 0; place < torus->spec.dimensions; place++) {
        const unsigned here = digit_at(from, place), there = digit_at(to, place);
        const bool up = rises(torus, torus->spec.order[place], here, there, draw);
        address |= (uint32_t)(!up && here != there)
                   << (PLACE_BITS * place + PLACE_BITS - 1);
    }
    return address;
}

/* ---- routes ---------------------------------------------------------------------- */

/* The processor whose switch handles the head at a point next; NET_NONE: none, as it
 * leaves by the last channel. */
static uint32_t asks_at(const NetGraph *graph, uint32_t point) {
    const Torus *torus = graph->shape;
    if (point < torus->wired)
        return torus->leads_to[point];
    return point < graph->channels ? NET_NONE
                                   : graph->processor[graph->label[point].node];
}

/* Lanes restricted to dimension order. */
static unsigned ordered_lanes(const Torus *torus) {
    return torus->spec.escape ? torus->spec.escape : torus->spec.lanes;
}

/* The digits that a message at a processor still has to correct: 0 if it is there. */
static uint32_t digits_left(const Torus *torus, uint32_t processor, uint32_t address) {
    return (torus->digits[processor] ^ address) & (DIGIT_MASK * 0x01010101u);
}

/* The place of the digit that is corrected next, of those left. */
static unsigned next_place(uint32_t left) {
    return (unsigned)__builtin_ctz(left) / PLACE_BITS;
}

/* The first lane for a move at a place, of those restricted to dimension order. */
static unsigned class_lane(const Torus *torus, uint32_t processor, unsigned place,
                           uint32_t address) {
    return torus->has_classes &&
           digit_at(address, place) > digit_at(torus->digits[processor], place);
}

static uint32_t first_out(const Torus *torus, uint32_t processor, unsigned priority,
                          unsigned place, uint32_t address) {
    const unsigned direction = 2 * torus->spec.order[place] + goes_down(address, place);
    return first_lane(torus, processor, direction, priority);
}

/* The priority whose lanes a message at a point uses. */
static inline unsigned priority_at(const NetGraph *graph, uint32_t point) {
    const Torus *torus = graph->shape;
    return torus->spec.priorities == 1 ? 0 : graph->label[point].priority;
}

static uint32_t torus_next(const NetGraph *graph, uint32_t point, uint32_t address) {
    const Torus *torus = graph->shape;
    const unsigned priority = priority_at(graph, point);
    const uint32_t at = asks_at(graph, point);
    if (at == NET_NONE)
        return net_graph_sink(graph, graph->label[point].node, priority);
    const uint32_t left = digits_left(torus, at, address);
    if (left == 0)
        return last_channel(torus, at, priority);
    const unsigned place = next_place(left);
    return first_out(torus, at, priority, place, address) +
           class_lane(torus, at, place, address);
}

/* Lists lanes for any move first, in the order of travel (Quaglia's X before Y), then
 * those restricted to it. */
static unsigned torus_choices(const NetGraph *graph, uint32_t point, uint32_t address,
                              uint32_t choice[NET_MAX_CHOICES]) {
    const Torus *torus = graph->shape;
    const unsigned priority = priority_at(graph, point);
    unsigned count = 0;
    const uint32_t next = torus_next(graph, point, address);
    if (next >= torus->wired) {
        choice[0] = next;
        return 1;
    }
    const uint32_t at = asks_at(graph, point), left = digits_left(torus, at, address);
    for (unsigned place = 0; torus->spec.escape && place < torus->spec.dimensions;
         place++) {
        if (digit_at(left, place) == 0)
            continue;
        const uint32_t out = first_out(torus, at, priority, place, address);
        for (unsigned lane = torus->spec.escape; lane < torus->spec.lanes; lane++)
            choice[count++] = out + lane;
    }
    const uint32_t out = first_out(torus, at, priority, next_place(left), address);
    for (unsigned lane = next - out; lane < ordered_lanes(torus);
         lane += torus->classes)
        choice[count++] = out + lane;
    return count;
}

/* With a terminal per channel out: that of the channel where the route starts. */
static uint32_t torus_terminal(const NetGraph *graph, uint32_t source,
                               uint32_t address) {
    const Torus *torus = graph->shape;
    const uint32_t from = graph->processor[source];
    const uint32_t first = from * torus->links;
    const uint32_t next = torus_next(graph, net_graph_source(graph, first, 0), address);
    if (next >= torus->wired)
        return first;
    return first + channel_direction(graph, next) * torus->spec.lanes +
           graph->lane[next];
}

static uint32_t torus_link(const NetGraph *graph, uint32_t node, unsigned priority,
                           unsigned dimension, bool up) {
    const Torus *torus = graph->shape;
    const unsigned direction = direction_of(dimension, up);
    const uint32_t processor = graph->processor[node];
    if (dimension >= torus->spec.dimensions || priority >= torus->spec.priorities ||
        !has_wire(torus, processor, direction))
        return NET_NONE;
    return first_lane(torus, processor, direction, priority);
}

/* The digits in the order of travel; between nodes of a machine x,y,z, as in its
 * mesh. */
static void torus_node_name(const NetGraph *graph, uint32_t node, char *text,
                            size_t size) {
    const Torus *torus = graph->shape;
    const uint32_t processor = graph->processor[node];
    const uint32_t terminal = node % torus->links;
    const bool machine = torus->spec.priorities > 1;
    const unsigned names = machine ? NET_DIMENSIONS : torus->spec.dimensions;
    size_t used = 0;
    for (unsigned i = 0; i < names && used < size; i++) {
        const unsigned dimension = machine ? i : torus->spec.order[i];
        const unsigned digit = dimension < torus->spec.dimensions
                                   ? digit_of(torus, processor, dimension)
                                   : 0;
        used += (size_t)snprintf(text + used, size - used, "%s%u", i ? "," : "", digit);
    }
    if (terminal > 0 && used < size)
        snprintf(text + used, size - used, "/%u", terminal);
}

static const char *torus_group_name(const NetGraph *graph, unsigned group) {
    static const char *const of_two[] = {"columns up", "columns down", "rows up",
                                         "rows down"};
    static const char *const of_any[MOST_DIRECTIONS] = {
        "x1 up", "x1 down", "x2 up", "x2 down", "x3 up", "x3 down", "x4 up", "x4 down"};
    const Torus *torus = graph->shape;
    if (group >= torus->directions)
        return NULL;
    return torus->spec.dimensions == 2 ? of_two[group] : of_any[group];
}

void net_torus_set_routes(NetGraph *graph) {
    const Torus *torus = graph->shape;
    const NetTorus *spec = &torus->spec;
    const bool ties = spec->ends && !spec->one_way && spec->tie == NET_TIE_SPLIT;
    graph->next = torus_next;
    graph->address_from = address_from;
    graph->draws = ties ? 1u << spec->dimensions : 1;
    graph->link = torus_link;
    graph->node_name = torus_node_name;
    graph->group_name = torus_group_name;
    if (spec->escape || spec->lanes > torus->classes)
        graph->choices = torus_choices;
    if (spec->links == 0)
        graph->terminal = torus_terminal;
}
