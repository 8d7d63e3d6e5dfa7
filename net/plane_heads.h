/* What the plane engine does one by one: heads that enter a channel (who it is, where
 * it goes next), messages that begin and end, words delivered. A part of plane_step.h.
 */
#ifndef JM_NET_PLANE_HEADS_H
#define JM_NET_PLANE_HEADS_H

#include "net/plane_list.h"

/* A plane of a priority. */
static inline uint64_t *of_priority(const PlaneEngine *engine, unsigned priority,
                                    unsigned number) {
    return engine->planes + (plane_of_priority(priority) + number) * engine->stride;
}

/* A plane of a dimension's moves. */
static inline uint64_t *of_moves(const PlaneEngine *engine, unsigned priority,
                                 unsigned dimension, unsigned number) {
    return engine->planes +
           (plane_of_moves(priority, dimension) + number) * engine->stride;
}

/* Channels, or output buffers, that a head can come from: the messages at their fronts,
 * by the node that the head comes to. */
typedef struct {
    const uint32_t *id;
    uint8_t *taken; /* with several messages in a channel */
} Origin;

PLANE_INLINE Origin origin(const PlaneChannels *c, uint32_t distance, bool deep) {
    const ptrdiff_t nodes = (int32_t)distance;
    return (Origin){c->id + nodes * (deep ? PLANE_IDS : 1),
                    deep ? c->id_taken + nodes : NULL};
}

/* The message of a head that comes to `node`. */
PLANE_INLINE uint32_t take_id(const Origin *from, uint32_t node, bool deep) {
    if (!deep)
        return from->id[node];
    if (!from->taken) /* an output buffer */
        return from->id[node];
    return from->id[node * PLANE_IDS + from->taken[node]++ % PLANE_IDS];
}

PLANE_INLINE void put_id(const PlaneChannels *c, uint32_t node, uint32_t id,
                         bool deep) {
    if (deep)
        c->id[node * PLANE_IDS + c->id_put[node]++ % PLANE_IDS] = id;
    else
        c->id[node] = id;
}

/* Where heads that enter from this node come from. */
PLANE_INLINE Origin inner_origin(const PlaneEngine *engine, unsigned priority,
                                 unsigned dimension, bool deep) {
    if (dimension == 0)
        return (Origin){engine->sources[priority].id, NULL};
    return origin(&engine->channels[priority][dimension - 1][NET_CHANNEL_R], 0, deep);
}

PLANE_INLINE unsigned bit_of(const uint64_t *plane, uint32_t node) {
    return plane[node / 64] >> (node % 64) & 1;
}

PLANE_INLINE void add_bit(uint64_t *plane, uint32_t node, bool bit) {
    plane[node / 64] |= (uint64_t)bit << (node % 64);
}

PLANE_INLINE void remove_nodes(uint64_t *plane, const uint64_t *set, size_t words) {
    for (size_t w = 0; w < words; w += VEC_WORDS)
        put(plane, w, at(plane, w) & ~at(set, w));
}

/* Heads that enter P (`up`) or N: from the same kind of channel of the neighbour, which
 * is a hop, or from this node. They want R if one hop is left. */
PLANE_INLINE void enter_line(const PlaneEngine *engine, unsigned priority,
                             unsigned dimension, bool up, bool deep) {
    const unsigned kind = up ? NET_CHANNEL_P : NET_CHANNEL_N;
    const PlaneChannels *c = &engine->channels[priority][dimension][kind];
    const uint32_t distance = engine->shift[dimension].nodes;
    const Origin from[2] = {origin(c, up ? -distance : distance, deep),
                            inner_origin(engine, priority, dimension, deep)};
    const uint64_t *set = of_moves(engine, priority, dimension, PLANE_HEAD + kind);
    const uint64_t *inner = of_moves(engine, priority, dimension, PLANE_INNER + kind);
    const uint32_t heads = list_nodes(set, engine->words, engine->list);
    uint64_t *reached = c->newest[0];
    if (heads == 0)
        return;
    remove_nodes(reached, set, engine->words);
    for (uint32_t i = 0; i < heads; i++) {
        const uint32_t node = engine->list[i];
        const unsigned side = bit_of(inner, node);
        const uint32_t hop = (1 - side) << PLANE_HOPS;
        const uint32_t id = take_id(&from[side], node, deep) - hop;
        put_id(c, node, id, deep);
        add_bit(reached, node, id >> PLANE_HOPS == 1);
    }
}

/* Heads that enter R: from P below, N above, or from this node. */
PLANE_INLINE uint32_t enter_r(const PlaneEngine *engine, unsigned priority,
                              unsigned dimension, bool deep) {
    const PlaneChannels *c = engine->channels[priority][dimension];
    const PlaneChannels *r = &c[NET_CHANNEL_R];
    const uint32_t distance = engine->shift[dimension].nodes;
    const Origin from[3] = {origin(&c[NET_CHANNEL_P], -distance, deep),
                            origin(&c[NET_CHANNEL_N], distance, deep),
                            inner_origin(engine, priority, dimension, deep)};
    const unsigned next = dimension + 1;
    const uint64_t *set =
        of_moves(engine, priority, dimension, PLANE_HEAD + NET_CHANNEL_R);
    const uint64_t *inner =
        of_moves(engine, priority, dimension, PLANE_INNER + NET_CHANNEL_R);
    const uint64_t *from_above = of_moves(engine, priority, dimension, PLANE_ABOVE);
    const uint32_t heads = list_nodes(set, engine->words, engine->list);
    for (unsigned i = 0; i < 2 && heads && next < NET_DIMENSIONS; i++)
        remove_nodes(r->newest[i], set, engine->words);
    for (uint32_t i = 0; i < heads; i++) {
        const uint32_t node = engine->list[i];
        const unsigned side = bit_of(from_above, node) + 2 * bit_of(inner, node);
        const uint32_t message = plane_message(take_id(&from[side], node, deep));
        const uint32_t way = engine->way[message];
        put_id(r, node, plane_id(message, way, next), deep);
        if (next == NET_DIMENSIONS)
            continue;
        add_bit(r->newest[0], node, way >> (8 * next + PLANE_UPWARD) & 1);
        add_bit(r->newest[1], node, way >> (8 * next + PLANE_DOWNWARD) & 1);
    }
    return heads;
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
static inline void plane_eject_heads(PlaneEngine *engine, unsigned priority,
                                     const uint64_t *set) {
    const unsigned last = NET_DIMENSIONS - 1;
    const Origin from =
        origin(&engine->channels[priority][last][NET_CHANNEL_R], 0, engine->deep);
    const uint32_t heads = list_nodes(set, engine->words, engine->list);
    for (uint32_t i = 0; i < heads; i++)
        engine->sinks[priority].coming[engine->list[i]] = (PlaneComing){
            plane_message(take_id(&from, engine->list[i], engine->deep)), 0};
}

/* Places that flits have left in the output buffers. */
static inline void plane_free_places(Net *net, const PlaneEngine *engine,
                                     unsigned priority) {
    const uint32_t freed =
        list_nodes(net->drained[priority], engine->words, engine->list);
    for (uint32_t i = 0; i < freed; i++)
        net->buffers[engine->list[i] * NET_PRIORITIES + priority].places_used--;
}

/* Messages whose first flit leaves. */
static inline void plane_start_messages(Net *net, const PlaneEngine *engine,
                                        unsigned priority, const uint64_t *starts) {
    const uint32_t count = list_nodes(starts, engine->words, engine->list);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t id = engine->sources[priority].id[engine->list[i]];
        NetMessage *message = &net->messages[plane_message(id)];
        message->started = true;
        message->started_cycle = net->now;
    }
}

/* Buffers whose credit is used up: their messages are done, or may have more by now. */
static inline void plane_spend_credits(Net *net, PlaneEngine *engine, unsigned priority,
                                       const uint64_t *done, const uint64_t *dry) {
    const uint32_t done_count = list_nodes(done, engine->words, engine->list);
    for (uint32_t i = 0; i < done_count; i++) {
        plane_source_next(net, engine, priority, engine->list[i]);
        plane_source_refill(net, engine, priority, engine->list[i]);
    }
    const uint32_t dry_count = list_nodes(dry, engine->words, engine->list);
    for (uint32_t i = 0; i < dry_count; i++)
        plane_source_refill(net, engine, priority, engine->list[i]);
}

static inline void deliver_word(Net *net, const PlaneSinks *sinks, uint32_t node,
                                unsigned priority, NetDelivery *delivery) {
    PlaneComing *coming = &sinks->coming[node];
    const bool tail = bit_of(sinks->tail, node);
    coming->words++;
    *delivery = (NetDelivery){.node = node,
                              .message = coming->message,
                              .priority = (uint8_t)priority,
                              .tail = tail};
    net->ended[net->ended_count] = coming->message;
    net->ended_count += tail;
}

/* Words that are complete, of one priority, or of both in the order of nodes. */
static inline void plane_deliver_words(Net *net, PlaneEngine *engine, unsigned live) {
    const PlaneSinks *sinks = engine->sinks;
    NetDelivery *delivery = net->deliveries;
    uint32_t words[NET_PRIORITIES] = {0};
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        if (live != 1u << priority)
            continue;
        words[priority] = list_nodes(sinks[priority].word, engine->words, engine->list);
        for (uint32_t i = 0; i < words[priority]; i++)
            deliver_word(net, &sinks[priority], engine->list[i], priority, delivery++);
    }
    for (size_t w = 0; live == 3 && w < engine->words; w++)
        for (uint64_t bits = sinks[0].word[w] | sinks[1].word[w]; bits;
             bits &= bits - 1)
            for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
                if (!(sinks[priority].word[w] & bits & -bits))
                    continue;
                const uint32_t bit = (uint32_t)__builtin_ctzll(bits);
                deliver_word(net, &sinks[priority], (uint32_t)w * 64 + bit, priority,
                             delivery++);
                words[priority]++;
            }
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        net->statistics.words_delivered[priority] += words[priority];
    net->delivery_count = (uint32_t)(delivery - net->deliveries);
    for (uint32_t i = 0; i < net->ended_count; i++)
        net_end_message(net, net->ended[i]);
}

#endif
