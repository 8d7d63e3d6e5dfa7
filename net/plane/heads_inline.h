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

/* The setting for all heads of a priority; sizes are constants if the mesh is small.
 * What is used for each head is a copy, because the compiler must take it that writing
 * a plane changes the engine. */
typedef struct {
    PlaneEngine *engine;
    const PlaneHeads *heads;
    uint32_t *id;        /* PlaneHeads.id */
    uint64_t *planes;    /* PlaneHeads.head */
    const uint32_t *way; /* PlaneEngine.way */
    size_t words, stride;
    uint32_t places; /* see PlaneHeads */
    uint64_t divisor;
    bool deep;
} HeadStage;

/* Returns planes of heads: PLANE_HEAD, ... */
PLANE_INLINE uint64_t *heads_by_set(const HeadStage *stage, unsigned item) {
    return stage->planes + item * stage->stride;
}

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
        return stage->id[place];
    if (place >= sources)
        return stage->id[sources * PLANE_IDS + place - sources];
    return stage->id[place * PLANE_IDS + heads->taken[place]++ % PLANE_IDS];
}

/* Stores the message of a head that has entered `place`. */
PLANE_INLINE void put_id(const HeadStage *stage, uint32_t place, uint32_t id) {
    const PlaneHeads *heads = stage->heads;
    if (stage->deep)
        stage->id[place * PLANE_IDS + heads->put[place]++ % PLANE_IDS] = id;
    else
        stage->id[place] = id;
}

/* Handles heads that enter P or N: from the same kind of channel of the neighbour,
 * which is a hop, or from this node. They want R next if one hop is left. */
PLANE_INLINE void enter_lines(const HeadStage *stage, size_t w) {
    const PlaneOrigin(*const origins)[2] = stage->heads->line_origin;
    const uint64_t *const inner = heads_by_set(stage, PLANE_INNER);
    uint64_t *const newest = heads_by_set(stage, PLANE_NEWEST);
    const uint32_t *list = stage->engine->list;
    const uint32_t *const end =
        list + list_sets(stage->planes, stage->stride, 0, PLANE_LINE_SETS, w,
                         stage->engine->list);
    for (; list < end; list++) {
        const uint32_t place = *list;
        const PlaneOrigin *origin =
            &origins[set_of(stage, place)][bit_of(inner, place)];
        const uint32_t id = take_id(stage, place + origin->distance) - origin->hop;
        put_id(stage, place, id);
        set_bit(newest, place, id >> PLANE_HOPS == 1);
    }
}

/* Handles heads that enter R: from P below, N above, or from this node. Behind the last
 * dimension their way has no hops. Returns how many there were. */
PLANE_INLINE uint32_t enter_rs(const HeadStage *stage, size_t w) {
    const PlaneOrigin(*const origins)[3] = stage->heads->r_origin;
    const uint64_t *const inner = heads_by_set(stage, PLANE_INNER);
    const uint64_t *const above = heads_by_set(stage, PLANE_ABOVE);
    uint64_t *const newest = heads_by_set(stage, PLANE_NEWEST);
    uint64_t *const down = heads_by_set(stage, PLANE_NEWEST_DOWN);
    const uint32_t *list = stage->engine->list;
    const uint32_t count = list_sets(stage->planes, stage->stride, PLANE_LINE_SETS,
                                     PLANE_R_SETS, w, stage->engine->list);
    for (const uint32_t *const end = list + count; list < end; list++) {
        const uint32_t place = *list;
        const unsigned set = set_of(stage, place);
        const unsigned side = bit_of(above, place) + 2 * bit_of(inner, place);
        const uint32_t from = place + origins[set][side].distance;
        const uint32_t message = plane_message(take_id(stage, from));
        const uint32_t way = stage->way[message] >> (8 * (set - PLANE_LINE_SETS + 1));
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
    return (HeadStage){.engine = engine,
                       .heads = heads,
                       .id = heads->id,
                       .planes = heads->head,
                       .way = engine->way,
                       .words = engine->words,
                       .stride = heads->words,
                       .places = heads->places,
                       .divisor = heads->divisor,
                       .deep = deep};
}

/* Handles all heads that have entered channels of a priority in this cycle. */
static void plane_enter_heads(PlaneEngine *engine, unsigned priority) {
    enum { PLACES = PLANE_SMALL_WORDS * 64 };
    HeadStage stage = head_stage(engine, priority, false);
    if (engine->deep) {
        stage.deep = true;
        enter_heads(&stage, priority);
    } else if (engine->words == PLANE_SMALL_WORDS) {
        stage.words = stage.stride = PLANE_SMALL_WORDS;
        stage.places = PLACES;
        stage.divisor = (UINT64_C(1) << PLANE_DIVISOR) / PLACES;
        enter_heads(&stage, priority);
    } else {
        enter_heads(&stage, priority);
    }
}

#endif
