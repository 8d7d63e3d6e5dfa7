/* Arbitration by more than precedence, priorities and directions: turns, ages and
 * virtual channels. Kept apart from the common case, which is faster without it. */
#include "net/wormhole/engine.h"

/* Returns the feeder with the oldest head that waits for `t`; among equals the first in
 * order of precedence. At least one must wait. */
static uint32_t pick_of_age(const NetGraph *graph, const GraphEngine *engine,
                            uint32_t t) {
    uint32_t oldest = NET_NONE;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = graph->feeder_start[t]; i < graph->feeder_start[t + 1]; i++) {
        const uint32_t s = graph->feeders[i];
        if (!graph_head_waits(engine, s, t))
            continue;
        const uint64_t born = graph_front_born(engine, s);
        if (oldest != NET_NONE && born >= least)
            continue;
        least = born;
        oldest = s;
    }
    return oldest;
}

/* Returns the number of feeders that take turns: with fair routers all, otherwise those
 * with a wire. */
static uint32_t turn_takers(const NetGraph *graph, const GraphEngine *engine,
                            uint32_t t) {
    return engine->fair ? graph->feeder_start[t + 1] - graph->feeder_start[t]
                        : graph_wired_feeders(graph, t);
}

/* Returns the first waiting head, from the turn on, among the feeders that take turns.
 * At least one must wait. */
static uint32_t pick_of_turn(const NetGraph *graph, const GraphEngine *engine,
                             uint32_t t) {
    const uint32_t start = graph->feeder_start[t];
    const uint32_t count = turn_takers(graph, engine, t);
    uint32_t place = graph_point(engine, t)->turn;
    while (!graph_head_waits(engine, graph->feeders[start + place], t))
        place = place + 1 == count ? 0 : place + 1;
    return graph->feeders[start + place];
}

uint32_t graph_pick(const NetGraph *graph, const GraphEngine *engine, uint32_t t) {
    return engine->by_age ? pick_of_age(graph, engine, t)
                          : pick_of_turn(graph, engine, t);
}

void graph_pass_turn(const NetGraph *graph, const GraphEngine *engine, uint32_t s,
                     uint32_t t) {
    const uint32_t start = graph->feeder_start[t];
    const uint32_t count = turn_takers(graph, engine, t);
    uint32_t place = 0;
    while (graph->feeders[start + place] != s)
        place++;
    if (place < count)
        graph_point(engine, t)->turn = (place + 1) % count & 0xFF;
}

/* Lets a head choose its channel: a head that has not left `s` waits for the first
 * virtual channel that has room and is free, from its own on; if there is none, for
 * its own. */
static void choose_copy(const GraphEngine *engine, uint32_t s) {
    const NetGraph *graph = engine->net->graph;
    Point *point = graph_point(engine, s);
    if (point->flits == 0 || point->next_taken || point->next >= graph->channels)
        return;
    const uint32_t own = s < graph->channels ? s % graph->copies : 0;
    const uint32_t group = point->next / graph->copies * graph->copies;
    for (uint32_t t = group + own; t < group + graph->copies; t++) {
        const Point *channel = graph_point(engine, t);
        point->next = t;
        if (channel->owner == NET_NONE && channel->flits < engine->capacity)
            return;
    }
    point->next = group + own;
}

void graph_choose_copies(GraphEngine *engine) {
    NetBitsRun run = net_bits_run(&engine->awake);
    uint32_t s;
    while (net_bits_next(&run, &s))
        choose_copy(engine, s);
}

/* Returns how far a channel is from its turn at the wire. Virtual channels take turns
 * by the cycle: the one with 0 goes first, or the next that bids. */
static uint32_t turn_of(const GraphEngine *engine, uint32_t point) {
    const uint32_t copies = engine->net->graph->copies;
    return (point % copies + copies - (uint32_t)(engine->net->now % copies)) % copies;
}

/* Whether bidder `a` goes before `b`, both for one wire: the priority whose turn it is
 * first, then the older, then the direction that did not move last, then the virtual
 * channel whose turn it is. */
static bool precedes(const GraphEngine *engine, Bidder a, Bidder b) {
    const bool urgent = (a.lane & WIRE_URGENT_BIDS) != 0;
    if (urgent != ((b.lane & WIRE_URGENT_BIDS) != 0))
        return urgent == (net_first_priority(engine->net) == 1);
    if (engine->net->params.age == 2) {
        const uint64_t born = graph_front_born(engine, a.point);
        const uint64_t other = graph_front_born(engine, b.point);
        if (born != other)
            return born < other;
    }
    const unsigned bid = a.lane & WIRE_BIDS;
    if (bid != (b.lane & WIRE_BIDS))
        return engine->winner[engine->wires[a.lane >> LANE_WIRE_SHIFT]] == bid;
    return turn_of(engine, a.point) < turn_of(engine, b.point);
}

void graph_weigh_bids(GraphEngine *engine) {
    for (uint32_t i = 0; i < engine->bidder_count; i++) {
        uint32_t *best = &engine->best[engine->bidders[i].lane >> LANE_WIRE_SHIFT];
        if (*best == 0 ||
            precedes(engine, engine->bidders[i], engine->bidders[*best - 1]))
            *best = i + 1;
    }
    uint32_t winners = 0;
    for (uint32_t i = 0; i < engine->bidder_count; i++) {
        const Bidder bidder = engine->bidders[i];
        uint32_t *best = &engine->best[bidder.lane >> LANE_WIRE_SHIFT];
        if (*best != i + 1)
            continue;
        *best = 0;
        if (bidder.lane & LANE_IS_HEAD)
            graph_point(engine, graph_point(engine, bidder.point)->next)->claimed =
                true;
        engine->bidders[winners++] = bidder;
    }
    engine->bidder_count = winners;
}
