/* What the plane engine does one by one: heads that enter a channel (who it is, where
 * it goes next), messages that begin and end, words delivered. A part of plane_step.h.
 */
#ifndef JM_NET_PLANE_HEADS_H
#define JM_NET_PLANE_HEADS_H

#include "net/plane_vector.h"

/* The message at the front of a channel, whose head leaves it. */
PLANE_INLINE uint64_t take_id(const PlaneChannels *c, uint32_t node, bool deep) {
    if (!deep)
        return c->id[node];
    return c->id[node * PLANE_IDS + c->id_taken[node]++ % PLANE_IDS];
}

PLANE_INLINE void put_id(const PlaneChannels *c, uint32_t node, uint64_t id,
                         bool deep) {
    if (deep)
        c->id[node * PLANE_IDS + c->id_put[node]++ % PLANE_IDS] = id;
    else
        c->id[node] = id;
}

/* The coordinate of a message's destination. */
PLANE_INLINE unsigned destination(uint64_t id, unsigned dimension) {
    return net_mesh_coordinate((uint32_t)(id >> 32), dimension);
}

/* The message of a head that enters from this node itself. */
PLANE_INLINE uint64_t take_inner(const PlaneEngine *engine, unsigned priority,
                                 unsigned dimension, uint32_t node, bool deep) {
    if (dimension == 0)
        return engine->sources[priority].id[node];
    return take_id(&engine->channels[priority][dimension - 1][NET_CHANNEL_R], node,
                   deep);
}

/* Heads that enter P (`up`) or N: from the same kind of channel of the neighbour, or
 * from this node. They want R if the coordinate is reached at the next node. */
PLANE_INLINE void enter_line(const PlaneEngine *engine, unsigned priority,
                             unsigned dimension, bool up, bool deep) {
    const unsigned kind = up ? NET_CHANNEL_P : NET_CHANNEL_N;
    const PlaneMoves *moves = &engine->moves[priority];
    const PlaneChannels *c = &engine->channels[priority][dimension][kind];
    const uint32_t behind =
        up ? -engine->shift[dimension].nodes : engine->shift[dimension].nodes;
    for (size_t w = 0; w < engine->words; w++) {
        uint64_t heads = moves->head[kind][w], reached = 0;
        const uint64_t inner = moves->inner[kind][w];
        if (heads == 0)
            continue;
        c->newest[0][w] &= ~heads;
        for (; heads; heads &= heads - 1) {
            const uint64_t bit = heads & -heads;
            const uint32_t node = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(heads);
            const uint64_t id =
                inner & bit ? take_inner(engine, priority, dimension, node, deep)
                            : take_id(c, node + behind, deep);
            const unsigned here = net_mesh_coordinate(engine->place[node], dimension);
            put_id(c, node, id, deep);
            if ((up ? here + 1 : here - 1) == destination(id, dimension))
                reached |= bit;
        }
        c->newest[0][w] |= reached;
    }
}

/* Heads that enter R: from P below, N above, or from this node. */
PLANE_INLINE uint32_t enter_r(const PlaneEngine *engine, unsigned priority,
                              unsigned dimension, bool deep) {
    const PlaneMoves *moves = &engine->moves[priority];
    const PlaneChannels *c = engine->channels[priority][dimension];
    const PlaneChannels *r = &c[NET_CHANNEL_R];
    const uint32_t distance = engine->shift[dimension].nodes;
    const unsigned next = dimension + 1;
    uint32_t entered = 0;
    for (size_t w = 0; w < engine->words; w++) {
        uint64_t heads = moves->head[NET_CHANNEL_R][w], to_p = 0, to_n = 0;
        const uint64_t all = heads;
        const uint64_t inner = moves->inner[NET_CHANNEL_R][w], from_n = moves->above[w];
        for (; heads; heads &= heads - 1) {
            const uint64_t bit = heads & -heads;
            const uint32_t node = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(heads);
            const uint64_t id =
                inner & bit    ? take_inner(engine, priority, dimension, node, deep)
                : from_n & bit ? take_id(&c[NET_CHANNEL_N], node + distance, deep)
                               : take_id(&c[NET_CHANNEL_P], node - distance, deep);
            put_id(r, node, id, deep);
            entered++;
            if (next == NET_DIMENSIONS)
                continue;
            const unsigned here = net_mesh_coordinate(engine->place[node], next);
            const unsigned there = destination(id, next);
            to_p |= there > here ? bit : 0;
            to_n |= there < here ? bit : 0;
        }
        if (next < NET_DIMENSIONS) {
            r->newest[0][w] = (r->newest[0][w] & ~all) | to_p;
            r->newest[1][w] = (r->newest[1][w] & ~all) | to_n;
        }
    }
    return entered;
}

PLANE_INLINE void enter_heads(PlaneEngine *engine, unsigned priority,
                              unsigned dimension, bool deep) {
    enter_line(engine, priority, dimension, true, deep);
    enter_line(engine, priority, dimension, false, deep);
    const uint32_t entered = enter_r(engine, priority, dimension, deep);
    if (engine->header_flits == NET_DIMENSIONS)
        engine->headers_dropped[priority] += entered;
}

static inline void plane_enter_heads(PlaneEngine *engine, unsigned priority,
                                     unsigned dimension) {
    if (engine->deep)
        enter_heads(engine, priority, dimension, true);
    else
        enter_heads(engine, priority, dimension, false);
}

/* Heads that leave R of Z: whose flits come out from now on. */
static inline void plane_eject_heads(PlaneEngine *engine, unsigned priority) {
    const PlaneChannels *r =
        &engine->channels[priority][NET_DIMENSIONS - 1][NET_CHANNEL_R];
    const uint64_t *plane = engine->moves[priority].head[0];
    for (size_t w = 0; w < engine->words; w++)
        for (uint64_t heads = plane[w]; heads; heads &= heads - 1) {
            const uint32_t node = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(heads);
            engine->sinks[priority].message[node] =
                (uint32_t)take_id(r, node, engine->deep);
        }
}

static inline void plane_start_messages(Net *net, PlaneEngine *engine,
                                        unsigned priority, const uint64_t *starts) {
    for (size_t w = 0; w < engine->words; w++)
        for (uint64_t bits = starts[w]; bits; bits &= bits - 1) {
            const uint32_t node = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(bits);
            NetMessage *message =
                &net->messages[(uint32_t)engine->sources[priority].id[node]];
            message->started = true;
            message->started_cycle = net->now;
        }
}

static inline void plane_spend_credits(Net *net, PlaneEngine *engine, unsigned priority,
                                       const uint64_t *spent) {
    for (size_t w = 0; w < engine->words; w++)
        for (uint64_t bits = spent[w]; bits; bits &= bits - 1) {
            const uint32_t node = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(bits);
            if (engine->sources[priority].last[w] & bits & -bits)
                plane_source_next(net, engine, priority, node);
            plane_source_refill(net, engine, priority, node);
        }
}

static inline void plane_deliver_words(Net *net, PlaneEngine *engine) {
    const PlaneSinks *sinks = engine->sinks;
    for (size_t w = 0; w < engine->words; w++)
        for (uint64_t bits = sinks[0].word[w] | sinks[1].word[w]; bits;
             bits &= bits - 1) {
            const uint32_t node = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(bits);
            for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
                if (sinks[priority].word[w] & bits & -bits)
                    net_deliver_word(net, node, sinks[priority].message[node],
                                     (sinks[priority].tail[w] & bits & -bits) != 0);
        }
}

#endif
