/* Arbitration of the graph engine: which head may bid for a wire, which may enter, and
 * whose turn is next. Internal to engine.c. */
#ifndef JM_NET_WORMHOLE_ORDER_INLINE_H
#define JM_NET_WORMHOLE_ORDER_INLINE_H

#include "net/wormhole/engine.h"

/* How many feeders of a point have a wire; they are the first. */
static inline uint32_t graph_wired_feeders(const NetGraph *graph, uint32_t t) {
    uint32_t count = 0;
    for (uint32_t i = graph->feeder_start[t];
         i < graph->feeder_start[t + 1] && graph->wire[graph->feeders[i]] != NET_NONE;
         i++)
        count++;
    return count;
}

/* How many take turns: with fair routers all feeders, else those with a wire. */
static inline uint32_t turn_takers(const NetGraph *graph, const GraphEngine *engine,
                                   uint32_t t) {
    return engine->fair ? graph->feeder_start[t + 1] - graph->feeder_start[t]
                        : graph_wired_feeders(graph, t);
}

/* Of those, the first waiting head from the turn on. At least one waits. */
static inline uint32_t pick_of_turn(const NetGraph *graph, const GraphEngine *engine,
                                    uint32_t t) {
    const uint32_t start = graph->feeder_start[t];
    const uint32_t count = turn_takers(graph, engine, t);
    uint32_t place = graph_point(engine, t)->turn;
    while (!graph_head_waits(engine, graph->feeders[start + place], t))
        place = place + 1 == count ? 0 : place + 1;
    return graph->feeders[start + place];
}

/* The oldest head that waits for `t`; of several the first in order of precedence. At
 * least one waits. */
static inline uint32_t pick_of_age(const NetGraph *graph, const GraphEngine *engine,
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

/* Whether a head at a feeder of `t` that precedes `s` waits for `t`; only feeders with
 * a wire count, or only those without. */
static inline bool preceded(const NetGraph *graph, const GraphEngine *engine,
                            uint32_t s, uint32_t t, bool wired) {
    const uint32_t *feeder = &graph->feeders[graph->feeder_start[t]];
    for (; *feeder != s; feeder++)
        if ((graph->wire[*feeder] != NET_NONE) == wired &&
            graph_head_waits(engine, *feeder, t))
            return true;
    return false;
}

/* Whether `t` lets entering heads go first in this cycle. */
static inline bool graph_yields(const NetGraph *graph, const GraphEngine *engine,
                                uint32_t t) {
    const NetLabel *label = &graph->label[t];
    return label->kind < NET_CHANNEL_R && engine->yielding >> label->dimension & 1;
}

static inline bool entering_head_waits(const NetGraph *graph, const GraphEngine *engine,
                                       uint32_t t) {
    for (uint32_t i = graph->feeder_start[t]; i < graph->feeder_start[t + 1]; i++)
        if (graph->wire[graph->feeders[i]] == NET_NONE &&
            graph_head_waits(engine, graph->feeders[i], t))
            return true;
    return false;
}

/* Whether the ready head of `s` may bid for the wire to `t`. */
static inline bool graph_head_may_bid(const NetGraph *graph, const GraphEngine *engine,
                                      uint32_t s, uint32_t t) {
    if (graph_yields(graph, engine, t) && entering_head_waits(graph, engine, t))
        return false;
    if (engine->picks)
        return s == (engine->by_age ? pick_of_age(graph, engine, t)
                                    : pick_of_turn(graph, engine, t));
    return !preceded(graph, engine, s, t, true);
}

static inline bool wired_head_waits(const NetGraph *graph, const GraphEngine *engine,
                                    uint32_t t) {
    for (uint32_t i = graph->feeder_start[t]; i < graph->feeder_start[t + 1]; i++)
        if (graph->wire[graph->feeders[i]] != NET_NONE &&
            graph_head_waits(engine, graph->feeders[i], t))
            return true;
    return false;
}

/* Whether the ready head of `s`, which needs no wire, may enter `t`. */
static inline bool graph_head_may_enter(const NetGraph *graph,
                                        const GraphEngine *engine, uint32_t s) {
    const uint32_t t = graph_point(engine, s)->next;
    if (graph_point(engine, t)->claimed)
        return false;
    if (engine->picks && engine->by_age)
        return pick_of_age(graph, engine, t) == s;
    if (engine->picks && engine->fair) {
        const uint32_t pick = pick_of_turn(graph, engine, t);
        if (graph->wire[pick] == NET_NONE)
            return pick == s;
    }
    /* Whoever waits at a wire has lost it, or lets this head go first. */
    if (!engine->enter_on_lost_wire && !graph_yields(graph, engine, t) &&
        wired_head_waits(graph, engine, t))
        return false;
    return !preceded(graph, engine, s, t, false);
}

/* A head from `s` has entered `t`: of those that take turns there the next goes first.
 */
static inline void graph_pass_turn(const NetGraph *graph, const GraphEngine *engine,
                                   uint32_t s, uint32_t t) {
    const uint32_t start = graph->feeder_start[t];
    const uint32_t count = turn_takers(graph, engine, t);
    uint32_t place = 0;
    while (graph->feeders[start + place] != s)
        place++;
    if (place < count)
        graph_point(engine, t)->turn = (place + 1) % count & 0xFF;
}

#endif
