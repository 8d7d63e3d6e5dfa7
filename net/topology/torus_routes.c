/* Routes in a torus.
 *
 * With end-around wires, lanes form classes so that no cycle can arise: in a dimension
 * a message uses the high class while the digit of its destination is above that of the
 * node, otherwise the low one, for either direction of travel (Adve and Vernon 1994,
 * section II). */
#include <stdio.h>

#include "net/topology/torus_shape.h"

/* ---- addresses: digits, and the direction in each dimension ---------------------- */

enum { DIGIT_BITS = 8, DIGIT_MASK = 0xFF, DOWN_BIT = 2 * DIGIT_BITS };

static unsigned digit(uint32_t address, unsigned dimension) {
    return address >> (DIGIT_BITS * dimension) & DIGIT_MASK;
}

static bool goes_up(uint32_t address, unsigned dimension) {
    return !(address >> (DOWN_BIT + dimension) & 1);
}

/* Whether a message moves upwards from one digit to another. */
static bool rises(const Torus *torus, unsigned dimension, unsigned from, unsigned to,
                  uint32_t draw) {
    if (torus->spec.one_way)
        return false;
    if (!torus->spec.ends)
        return to > from;
    const unsigned side = side_of(torus, dimension);
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
    const uint32_t from = graph->processor[source], to = graph->processor[node];
    uint32_t address = 0;
    for (unsigned dimension = 0; dimension < 2; dimension++) {
        const unsigned here = digit_of(torus, from, dimension);
        const unsigned there = digit_of(torus, to, dimension);
        const bool up = rises(torus, dimension, here, there, draw);
        address |= there << (DIGIT_BITS * dimension);
        address |= (uint32_t)(!up && here != there) << (DOWN_BIT + dimension);
    }
    return address;
}

/* ---- routes ---------------------------------------------------------------------- */

/* The processor whose switch handles the head at a point next. */
static uint32_t asks_at(const NetGraph *graph, uint32_t point) {
    const Torus *torus = graph->shape;
    return point < torus->wired ? torus->leads_to[point]
                                : graph->processor[graph->label[point].node];
}

static bool is_last(const NetGraph *graph, uint32_t point) {
    const Torus *torus = graph->shape;
    return point >= torus->wired && point < graph->channels;
}

/* Lanes restricted to dimension order. */
static unsigned ordered_lanes(const Torus *torus) {
    return torus->spec.escape ? torus->spec.escape : torus->spec.lanes;
}

/* The first lane for a move in a dimension, of those restricted to dimension order. */
static unsigned class_lane(const Torus *torus, uint32_t processor, unsigned dimension,
                           uint32_t address) {
    if (torus->classes == 1 || ordered_lanes(torus) == 1)
        return 0;
    return digit(address, dimension) > digit_of(torus, processor, dimension);
}

static uint32_t first_out(const Torus *torus, uint32_t processor, unsigned dimension,
                          uint32_t address) {
    const unsigned direction = direction_of(dimension, goes_up(address, dimension));
    return torus->out[processor * DIRECTIONS + direction];
}

static bool is_reached(const Torus *torus, uint32_t processor, unsigned dimension,
                       uint32_t address) {
    return digit(address, dimension) == digit_of(torus, processor, dimension);
}

/* The dimension in which dimension order continues: 1, 0, or 2 at the destination. */
static unsigned ordered_dimension(const Torus *torus, uint32_t processor,
                                  uint32_t address) {
    if (!is_reached(torus, processor, 1, address))
        return 1;
    return is_reached(torus, processor, 0, address) ? 2 : 0;
}

static uint32_t torus_next(const NetGraph *graph, uint32_t point, uint32_t address) {
    const Torus *torus = graph->shape;
    if (is_last(graph, point))
        return net_graph_sink(graph, graph->label[point].node, 0);
    const uint32_t at = asks_at(graph, point);
    const unsigned dimension = ordered_dimension(torus, at, address);
    if (dimension == 2)
        return last_channel(torus, at);
    return first_out(torus, at, dimension, address) +
           class_lane(torus, at, dimension, address);
}

/* Lists lanes for any move first, dimension 1 before 0 (Quaglia's X before Y), then
 * those restricted to dimension order. */
static unsigned torus_choices(const NetGraph *graph, uint32_t point, uint32_t address,
                              uint32_t choice[NET_MAX_CHOICES]) {
    const Torus *torus = graph->shape;
    unsigned count = 0;
    const uint32_t next = torus_next(graph, point, address);
    const uint32_t at = is_last(graph, point) ? 0 : asks_at(graph, point);
    if (next >= torus->wired) {
        choice[0] = next;
        return 1;
    }
    for (unsigned i = 0; torus->spec.escape && i < 2; i++) {
        if (is_reached(torus, at, 1 - i, address))
            continue;
        const uint32_t out = first_out(torus, at, 1 - i, address);
        for (unsigned lane = torus->spec.escape; lane < torus->spec.lanes; lane++)
            choice[count++] = out + lane;
    }
    const uint32_t out =
        first_out(torus, at, ordered_dimension(torus, at, address), address);
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
    return first + graph->label[next].downward * torus->spec.lanes +
           graph->label[next].dimension * 2u * torus->spec.lanes + graph->lane[next];
}

/* Direction 0 stands for both priorities: there is only one. */
static uint32_t torus_link(const NetGraph *graph, uint32_t node, unsigned priority,
                           unsigned dimension, bool up) {
    const Torus *torus = graph->shape;
    (void)priority;
    return dimension < 2 ? torus->out[graph->processor[node] * DIRECTIONS +
                                      direction_of(dimension, up)]
                         : NET_NONE;
}

static void torus_node_name(const NetGraph *graph, uint32_t node, char *text,
                            size_t size) {
    const Torus *torus = graph->shape;
    const uint32_t processor = graph->processor[node];
    const int used = snprintf(text, size, "%u,%u", digit_of(torus, processor, 1),
                              digit_of(torus, processor, 0));
    const uint32_t terminal = node % torus->links;
    if (terminal > 0 && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "/%u", terminal);
}

static const char *torus_group_name(const NetGraph *graph, unsigned group) {
    static const char *const names[DIRECTIONS] = {"columns up", "columns down",
                                                  "rows up", "rows down"};
    (void)graph;
    return group < DIRECTIONS ? names[group] : NULL;
}

void net_torus_set_routes(NetGraph *graph) {
    const Torus *torus = graph->shape;
    const NetTorus *spec = &torus->spec;
    const bool ties = spec->ends && !spec->one_way && spec->tie == NET_TIE_SPLIT;
    graph->next = torus_next;
    graph->address_from = address_from;
    graph->draws = ties ? 4 : 1;
    graph->link = torus_link;
    graph->node_name = torus_node_name;
    graph->group_name = torus_group_name;
    if (spec->escape || spec->lanes > torus->classes)
        graph->choices = torus_choices;
    if (spec->links == 0)
        graph->terminal = torus_terminal;
}
