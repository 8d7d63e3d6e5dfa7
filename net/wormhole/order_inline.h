/* Arbitration of the graph engine (thesis 5.3): which head may bid for a wire, which
 * may enter, and whose turn is next. Internal to engine.c. */
#ifndef JM_NET_WORMHOLE_ORDER_INLINE_H
#define JM_NET_WORMHOLE_ORDER_INLINE_H

#include "net/wormhole/engine.h"

/* Returns how many feeders of a point have a wire; they are the first of its
 * feeders. */
static inline uint32_t graph_wired_feeders(const NetGraph *graph, uint32_t t) {
    uint32_t count = 0;
    for (uint32_t i = graph->feeder_start[t];
         i < graph->feeder_start[t + 1] && graph->wire[graph->feeders[i]] != NET_NONE;
         i++)
        count++;
    return count;
}

/* Returns how many feeders take turns: with fair routers all, otherwise those with a
 * wire. */
static inline uint32_t turn_takers(const NetGraph *graph, const GraphEngine *engine,
                                   uint32_t t) {
    return engine->fair ? graph->feeder_start[t + 1] - graph->feeder_start[t]
                        : graph_wired_feeders(graph, t);
}

/* Returns the first waiting head, from the turn on, among the feeders that take turns.
 * At least one must wait. */
static inline uint32_t pick_of_turn(const NetGraph *graph, const GraphEngine *engine,
                                    uint32_t t) {
    const uint32_t start = graph->feeder_start[t];
    const uint32_t count = turn_takers(graph, engine, t);
    uint32_t place = graph_point(engine, t)->turn;
    while (!graph_head_waits(engine, graph->feeders[start + place], t))
        place = place + 1 == count ? 0 : place + 1;
    return graph->feeders[start + place];
}

/* Returns the feeder with the oldest head that waits for `t`; of equals the first in
 * order of precedence. At least one must wait. */
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

/* Whether a head without a wire to cross waits for `t`. */
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

/* Whether a head at a wire waits for `t`. */
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
    /* A head that waits at a wire has lost the wire, or lets this head go first. */
    if (!engine->enter_on_lost_wire && !graph_yields(graph, engine, t) &&
        wired_head_waits(graph, engine, t))
        return false;
    return !preceded(graph, engine, s, t, false);
}

/* Passes the turn on: a head from `s` has entered `t`, so the feeder behind `s` goes
 * first next time. */
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
