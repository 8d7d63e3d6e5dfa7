/* Arbitration of the graph engine (thesis 5.3): which head may bid for a wire, which
 * may enter, and whose turn is next. Internal to engine.c. */
#ifndef JM_NET_WORMHOLE_ORDER_INLINE_H
#define JM_NET_WORMHOLE_ORDER_INLINE_H

#include "net/wormhole/engine.h"

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
        return graph_pick(graph, engine, t) == s;
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
    if (engine->picks && (engine->fair | engine->by_age)) {
        const uint32_t pick = graph_pick(graph, engine, t);
        if (engine->by_age || graph->wire[pick] == NET_NONE)
            return pick == s;
    }
    /* A head that waits at a wire has lost the wire, or lets this head go first. */
    if (!engine->enter_on_lost_wire && !graph_yields(graph, engine, t) &&
        wired_head_waits(graph, engine, t))
        return false;
    return !preceded(graph, engine, s, t, false);
}

#endif
