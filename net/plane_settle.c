/* What the plane engine keeps to itself for a while: counts, and how much of a message
 * has been sent. And what must be true of its planes. */
#include <string.h>

#include "net/plane.h"

/* Highest level a counter can have used. */
static unsigned levels_of(uint32_t ticks) {
    unsigned levels = 0;
    while (ticks >> levels)
        levels++;
    return levels;
}

static uint64_t bits_in(const PlaneEngine *engine, const uint64_t *plane) {
    uint64_t bits = 0;
    for (size_t w = 0; w < engine->words; w++)
        bits += (unsigned)__builtin_popcountll(plane[w]);
    return bits;
}

static uint64_t total_of(const PlaneEngine *engine, const PlaneCounter *counter,
                         uint32_t ticks) {
    uint64_t total = 0;
    for (unsigned level = 0; level < levels_of(ticks); level++) {
        total += bits_in(engine, counter->sum[level]) << level;
        if (ticks >> level & 1)
            total += bits_in(engine, counter->pending[level]) << level;
    }
    return total;
}

static void clear_tally(const PlaneEngine *engine, PlaneTally *tally) {
    for (unsigned i = 0; i < 2; i++)
        for (unsigned level = 0; level < levels_of(tally->ticks); level++)
            memset(tally->counter[i].sum[level], 0, engine->words * sizeof(uint64_t));
    tally->ticks = 0;
}

/* Adds `weight` to the wire above each node of the plane. */
static uint64_t add_links(Net *net, const PlaneEngine *engine, const uint64_t *plane,
                          unsigned dimension, unsigned direction, uint64_t weight) {
    const NetGraph *graph = net->graph;
    uint64_t on_bisection = 0;
    for (size_t w = 0; w < engine->words; w++)
        for (uint64_t bits = plane[w]; bits; bits &= bits - 1) {
            uint32_t node = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(bits);
            if (direction == 1)
                node += engine->shift[dimension].nodes; /* where the flit came from */
            const uint32_t channel = net_mesh_channel(node, 0, dimension, direction);
            net->wire_flits[2 * graph->wire[channel] + direction] += weight;
            on_bisection += graph->label[channel].on_bisection ? weight : 0;
        }
    return on_bisection;
}

static void settle_links(Net *net, PlaneEngine *engine, unsigned dimension) {
    PlaneTally *tally = &engine->links[dimension];
    NetStatistics *seen = &net->statistics;
    for (unsigned direction = 0; direction < 2; direction++) {
        const PlaneCounter *counter = &tally->counter[direction];
        seen->wire_flits[dimension] += total_of(engine, counter, tally->ticks);
        for (unsigned level = 0; level < levels_of(tally->ticks); level++) {
            const uint64_t weight = UINT64_C(1) << level;
            seen->bisection_flits[dimension] += add_links(
                net, engine, counter->sum[level], dimension, direction, weight);
            if (tally->ticks >> level & 1)
                seen->bisection_flits[dimension] += add_links(
                    net, engine, counter->pending[level], dimension, direction, weight);
        }
    }
    clear_tally(engine, tally);
}

static void settle_blocked(Net *net, PlaneEngine *engine, PlaneTally *tally) {
    net->statistics.blocked_cycles +=
        total_of(engine, &tally->counter[0], tally->ticks) +
        2 * total_of(engine, &tally->counter[1], tally->ticks);
    clear_tally(engine, tally);
}

static void settle_ends(Net *net, PlaneEngine *engine, unsigned priority) {
    PlaneTally *tally = &engine->ends[priority];
    NetStatistics *seen = &net->statistics;
    const uint64_t dropped = engine->headers_dropped[priority];
    uint64_t ejected = total_of(engine, &tally->counter[1], tally->ticks);
    if (engine->header_flits < NET_DIMENSIONS)
        ejected -= dropped; /* they were dropped at the ejection */
    seen->flits_injected[priority] +=
        total_of(engine, &tally->counter[0], tally->ticks);
    seen->flits_ejected[priority] += ejected;
    seen->flits_dropped[priority] += dropped;
    net->flits_inside[priority] -= ejected + dropped;
    engine->headers_dropped[priority] = 0;
    clear_tally(engine, tally);
}

static void settle_freed(Net *net, PlaneEngine *engine, unsigned priority) {
    const PlaneSources *sources = &engine->sources[priority];
    for (uint32_t bit = 0; bit < engine->freed_bits; bit++) {
        for (uint32_t node = 0; node < engine->nodes; node++)
            if (plane_has(sources->freed[bit], node))
                net_buffer(net, net_graph_source(net->graph, node, priority))
                    ->places_used -= 1u << bit;
        memset(sources->freed[bit], 0, engine->words * sizeof(uint64_t));
    }
    for (uint32_t node = 0; node < engine->nodes; node++)
        net_buffer(net, net_graph_source(net->graph, node, priority))->places_used &=
            net->places_mask;
}

static void settle_messages(Net *net, const PlaneEngine *engine, unsigned priority) {
    const PlaneSources *sources = &engine->sources[priority];
    for (uint32_t node = 0; node < engine->nodes; node++) {
        const uint32_t first =
            net_buffer(net, net_graph_source(net->graph, node, priority))->first;
        if (first == NET_NONE)
            continue;
        uint32_t credit = 0;
        for (unsigned bit = 0; bit < PLANE_CREDIT; bit++)
            credit |= (uint32_t)plane_has(sources->credit[bit], node) << bit;
        net->messages[first].flits_sent = sources->loaded[node] - credit;
    }
}

void plane_settle(Net *net, void *state) {
    PlaneEngine *engine = state;
    for (unsigned d = 0; d < NET_DIMENSIONS; d++)
        settle_links(net, engine, d);
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        for (unsigned d = 0; d < NET_DIMENSIONS; d++)
            settle_blocked(net, engine, &engine->blocked[priority][d]);
        settle_ends(net, engine, priority);
        settle_freed(net, engine, priority);
        settle_messages(net, engine, priority);
    }
}

/* Bits of `plane` beyond the last node, which must be 0. */
static bool has_stray_bits(const PlaneEngine *engine, const uint64_t *plane) {
    for (size_t w = engine->nodes / 64; w < engine->words; w++) {
        const uint64_t own =
            w == engine->nodes / 64 ? (UINT64_C(1) << (engine->nodes % 64)) - 1 : 0;
        if (plane[w] & ~own)
            return true;
    }
    return false;
}

static bool check_channels(const PlaneEngine *engine, unsigned priority,
                           unsigned dimension, unsigned kind, JmError *error) {
    const PlaneChannels *c = &engine->channels[priority][dimension][kind];
    if (has_stray_bits(engine, c->valid[0]) || has_stray_bits(engine, c->owned))
        return jm_fail(error, NULL, "there are flits beyond the last node");
    for (uint32_t slot = 1; slot < engine->capacity; slot++)
        for (size_t w = 0; w < engine->words; w++)
            if (c->valid[slot][w] & ~c->valid[slot - 1][w])
                return jm_fail(error, NULL, "a channel has a gap before slot %u", slot);
    const bool any_flits = bits_in(engine, c->valid[0]) > 0;
    if (any_flits && !engine->occupied[priority][dimension])
        return jm_fail(error, NULL, "dimension %u is not marked as occupied",
                       dimension);
    if (any_flits && kind == NET_CHANNEL_R && !engine->occupied_r[priority][dimension])
        return jm_fail(error, NULL, "R of dimension %u is not marked as occupied",
                       dimension);
    return true;
}

static bool check_sources(const PlaneEngine *engine, unsigned priority,
                          JmError *error) {
    const PlaneSources *sources = &engine->sources[priority];
    for (size_t w = 0; w < engine->words; w++) {
        uint64_t credit = 0;
        for (unsigned bit = 0; bit < PLANE_CREDIT; bit++)
            credit |= sources->credit[bit][w];
        if (credit != sources->valid[w])
            return jm_fail(error, NULL, "the credit of a source is not as marked");
        if (credit && !engine->sending[priority])
            return jm_fail(error, NULL, "the sources are not marked as sending");
    }
    return true;
}

bool plane_check(const Net *net, const void *state, JmError *error) {
    const PlaneEngine *engine = state;
    (void)net;
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        if (!check_sources(engine, priority, error))
            return false;
        for (unsigned item = 0; item < NET_MESH_CHANNELS; item++)
            if (!check_channels(engine, priority, item / NET_MESH_KINDS,
                                item % NET_MESH_KINDS, error))
                return false;
    }
    return true;
}
