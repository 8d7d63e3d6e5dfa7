/* The work that the plane engine does for each head that enters or leaves a channel:
 * whose it is, where it goes next. A part of step_inline.h. */
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

#endif
