/* The work that the plane engine does one by one: heads that enter a channel (whose
 * they are, where they go next), messages that begin and end, words delivered. A part
 * of step_inline.h. */
#ifndef JM_NET_PLANE_HEADS_INLINE_H
#define JM_NET_PLANE_HEADS_INLINE_H

#include "net/plane/list_inline.h"

/* Returns a plane of a priority. */
static inline uint64_t *of_priority(const PlaneEngine *engine, unsigned priority,
                                    unsigned number) {
    return engine->planes + (plane_of_priority(priority) + number) * engine->stride;
}

/* The setting for all heads of a priority; a constant if the mesh is small. */
typedef struct {
    PlaneEngine *engine;
    const PlaneHeads *heads;
    size_t words, stride;
    uint32_t places; /* see PlaneHeads */
    uint64_t divisor;
    bool deep;
} HeadStage;

/* Returns the set of a place. A multiplication replaces the division. */
PLANE_INLINE unsigned set_of(const HeadStage *stage, uint32_t place) {
    return (unsigned)(place * stage->divisor >> PLANE_DIVISOR);
}

PLANE_INLINE unsigned bit_of(const uint64_t *planes, uint32_t place) {
    return planes[place / 64] >> (place % 64) & 1;
}

PLANE_INLINE void set_bit(uint64_t *planes, uint32_t place, bool bit) {
    const uint64_t others = planes[place / 64] & ~(UINT64_C(1) << (place % 64));
    planes[place / 64] = others | (uint64_t)bit << (place % 64);
}

/* Returns the message of a head that comes from `place`. */
PLANE_INLINE uint32_t take_id(const HeadStage *stage, uint32_t place) {
    const PlaneHeads *heads = stage->heads;
    const uint32_t sources = PLANE_SETS * stage->places;
    if (!stage->deep)
        return heads->id[place];
    if (place >= sources)
        return heads->id[sources * PLANE_IDS + place - sources];
    return heads->id[place * PLANE_IDS + heads->taken[place]++ % PLANE_IDS];
}

/* Stores the message of a head that has entered `place`. */
PLANE_INLINE void put_id(const HeadStage *stage, uint32_t place, uint32_t id) {
    const PlaneHeads *heads = stage->heads;
    if (stage->deep)
        heads->id[place * PLANE_IDS + heads->put[place]++ % PLANE_IDS] = id;
    else
        heads->id[place] = id;
}

/* Handles heads that enter P or N: from the same kind of channel of the neighbour,
 * which is a hop, or from this node. They want R next if one hop is left. */
PLANE_INLINE void enter_lines(const HeadStage *stage, size_t w) {
    const PlaneHeads *heads = stage->heads;
    const uint64_t *inner = heads->inner;
    uint64_t *newest = heads->newest;
    uint32_t *list = stage->engine->list;
    const uint32_t *end =
        list + list_sets(heads->head, stage->stride, PLANE_LINE_SETS, w, list);
    for (; list < end; list++) {
        const uint32_t place = *list;
        const PlaneOrigin *origin =
            &heads->line_origin[set_of(stage, place)][bit_of(inner, place)];
        const uint32_t id = take_id(stage, place + origin->distance) - origin->hop;
        put_id(stage, place, id);
        set_bit(newest, place, id >> PLANE_HOPS == 1);
    }
}

/* Handles heads that enter R: from P below, N above, or from this node. Behind the last
 * dimension their way has no hops. Returns how many there were. */
PLANE_INLINE uint32_t enter_rs(const HeadStage *stage, size_t w) {
    const PlaneHeads *heads = stage->heads;
    const uint64_t *inner = heads->inner, *above = heads->above;
    uint64_t *newest = heads->newest, *down = heads->newest_down;
    const uint32_t *ways = stage->engine->way;
    const uint32_t first = PLANE_LINE_SETS * stage->places;
    uint32_t *list = stage->engine->list;
    const uint32_t count = list_sets(heads->head + PLANE_LINE_SETS * stage->stride,
                                     stage->stride, PLANE_R_SETS, w, list);
    for (const uint32_t *end = list + count; list < end; list++) {
        const uint32_t place = first + *list;
        const unsigned set = set_of(stage, place);
        const unsigned side = bit_of(above, place) + 2 * bit_of(inner, place);
        const uint32_t from = place + heads->r_origin[set][side].distance;
        const uint32_t message = plane_message(take_id(stage, from));
        const uint32_t way = ways[message] >> (8 * (set - PLANE_LINE_SETS + 1));
        put_id(stage, place, message | way << PLANE_HOPS);
        set_bit(newest, place, way >> PLANE_UPWARD & 1);
        set_bit(down, place, way >> PLANE_DOWNWARD & 1);
    }
    return count;
}

PLANE_INLINE void enter_heads(const HeadStage *stage, unsigned priority) {
    uint32_t entered = 0;
    for (size_t w = 0; w < stage->words; w += LIST_WORDS) {
        enter_lines(stage, w);
        entered += enter_rs(stage, w);
    }
    if (stage->engine->header_flits == NET_DIMENSIONS)
        stage->engine->headers_dropped[priority] += entered;
}

PLANE_INLINE HeadStage head_stage(PlaneEngine *engine, unsigned priority, bool deep) {
    const PlaneHeads *heads = &engine->heads[priority];
    return (HeadStage){engine,        heads,          engine->words, heads->words,
                       heads->places, heads->divisor, deep};
}

/* Handles all heads that have entered channels of a priority in this cycle. */
static void plane_enter_heads(PlaneEngine *engine, unsigned priority) {
    enum { PLACES = PLANE_SMALL_WORDS * 64 };
    if (engine->deep) {
        const HeadStage stage = head_stage(engine, priority, true);
        enter_heads(&stage, priority);
    } else if (engine->words == PLANE_SMALL_WORDS) {
        const HeadStage stage = {.engine = engine,
                                 .heads = &engine->heads[priority],
                                 .words = PLANE_SMALL_WORDS,
                                 .stride = PLANE_SMALL_WORDS,
                                 .places = PLACES,
                                 .divisor = (UINT64_C(1) << PLANE_DIVISOR) / PLACES,
                                 .deep = false};
        enter_heads(&stage, priority);
    } else {
        const HeadStage stage = head_stage(engine, priority, false);
        enter_heads(&stage, priority);
    }
}

/* Handles heads that leave R of Z: the flits of their messages come out from now on. */
static inline void plane_eject_heads(PlaneEngine *engine, unsigned priority,
                                     const uint64_t *set) {
    const HeadStage stage = head_stage(engine, priority, engine->deep);
    const uint32_t r_of_z = (PLANE_SETS - 1) * stage.places;
    for (size_t w = 0; w < engine->words; w += LIST_WORDS) {
        const uint32_t count = list_nodes(set, w, engine->list);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t node = engine->list[i];
            engine->sinks[priority].coming[node] =
                (PlaneComing){plane_message(take_id(&stage, r_of_z + node)), 0};
        }
    }
}

/* Frees places that flits have left in the output buffers. */
static inline void plane_free_places(Net *net, const PlaneEngine *engine,
                                     unsigned priority) {
    uint8_t *places = net->places[priority];
    for (size_t w = 0; w < engine->words; w += LIST_WORDS)
        count_down(places + 64 * w, net->drained[priority] + w, engine->list);
}

/* Notes that the first flit of a message leaves. */
static inline void start_message(Net *net, const PlaneEngine *engine, unsigned priority,
                                 uint32_t node) {
    const uint32_t id = engine->sources[priority].id[node];
    NetMessage *message = &net->messages[plane_message(id)];
    message->started = true;
    message->started_cycle = net->now;
}

/* Serves output buffers: those whose message starts, those whose message is done with
 * its credit, and those whose credit is used up while there may be more by now. */
static inline void plane_serve_sources(Net *net, PlaneEngine *engine,
                                       unsigned priority) {
    const HeadStage stage = head_stage(engine, priority, false);
    const PlaneHeads *heads = stage.heads;
    for (size_t w = 0; w < engine->words; w += LIST_WORDS) {
        const uint32_t count =
            list_sets(heads->ends, heads->words, PLANE_ENDS, w, engine->list);
        for (uint32_t i = 0; i < count; i++) {
            const unsigned end = set_of(&stage, engine->list[i]);
            const uint32_t node = engine->list[i] - end * heads->places;
            if (end == PLANE_START) {
                start_message(net, engine, priority, node);
                continue;
            }
            if (end == PLANE_DONE)
                plane_source_next(net, engine, priority, node);
            plane_source_refill(net, engine, priority, node);
        }
    }
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

/* Delivers the words that are complete, of one priority, or of both in the order of
 * nodes. */
static inline void plane_deliver_words(Net *net, PlaneEngine *engine, unsigned live) {
    const PlaneSinks *sinks = engine->sinks;
    NetDelivery *delivery = net->deliveries;
    uint32_t words[NET_PRIORITIES] = {0};
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        if (live != 1u << priority)
            continue;
        for (size_t w = 0; w < engine->words; w += LIST_WORDS) {
            const uint32_t count = list_nodes(sinks[priority].word, w, engine->list);
            words[priority] += count;
            for (uint32_t i = 0; i < count; i++)
                deliver_word(net, &sinks[priority], engine->list[i], priority,
                             delivery++);
        }
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
