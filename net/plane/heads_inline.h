/* The plane engine's work for each head that enters or leaves a channel: its message,
 * and its next target. A part of step_inline.h. */
#ifndef JM_NET_PLANE_HEADS_INLINE_H
#define JM_NET_PLANE_HEADS_INLINE_H

#include "net/plane/list_inline.h"

/* Returns a plane of a priority. */
static inline uint64_t *of_priority(const PlaneEngine *engine, unsigned priority,
                                    unsigned number) {
    return engine->planes + (plane_of_priority(priority) + number) * engine->stride;
}

/* The setting for all heads of a priority; sizes are constants if the mesh is small.
 * Fields used for each head are copies, because the compiler must assume that writing a
 * plane changes the engine. */
typedef struct {
    const PlaneHeads *heads;
    uint32_t *id;         /* PlaneHeads.id */
    uint64_t *planes;     /* PlaneHeads.planes */
    const uint32_t *way;  /* PlaneEngine.way, */
    const uint32_t *turn; /* and .turn */
    size_t words, stride;
    uint32_t places; /* see PlaneHeads */
    bool deep;
} HeadStage;

PLANE_INLINE unsigned bit_of(const uint64_t *planes, uint32_t place) {
    return planes[place / 64] >> (place % 64) & 1;
}

/* Takes the message of a head from its place, which is `node` past `first`. */
PLANE_INLINE uint32_t take_id(const HeadStage *stage, const uint32_t *first,
                              size_t node) {
    const size_t sources = (size_t)PLANE_SETS * stage->places;
    if (!stage->deep)
        return first[node];
    const size_t place = (size_t)(first - stage->id) + node;
    if (place >= sources)
        return stage->id[sources * PLANE_IDS + place - sources];
    return stage->id[place * PLANE_IDS + stage->heads->taken[place]++ % PLANE_IDS];
}

/* Stores the message of a head that has entered a place. */
PLANE_INLINE void put_id(const HeadStage *stage, uint32_t *first, size_t node,
                         uint32_t id) {
    const size_t place = (size_t)(first - stage->id) + node;
    if (stage->deep)
        stage->id[place * PLANE_IDS + stage->heads->put[place]++ % PLANE_IDS] = id;
    else
        first[node] = id;
}

/* The heads of a word, with their sources and destinations: see PlaneEntries. */
typedef struct {
    uint64_t nodes;
    uint32_t *to;
    const uint32_t *from;
    uint64_t *newest;
    unsigned way;
} HeadWord;

/* Returns the heads of the i-th word of the planes from `plane` on; words of a plane
 * are counted from w on, and there are LIST_WORDS. */
PLANE_INLINE HeadWord heads_in(const HeadStage *stage, unsigned plane, size_t i,
                               size_t w) {
    const PlaneEntries *entries = &stage->heads->entries;
    const size_t entry = plane * LIST_WORDS + i;
    const uint64_t *const first = stage->planes + plane * stage->stride + w;
    const size_t word = stage->stride == LIST_WORDS
                            ? i
                            : i / LIST_WORDS * stage->stride + i % LIST_WORDS;
    return (HeadWord){first[word], entries->to[entry] + w * 64,
                      entries->from[entry] + w * 64, entries->newest[entry] + w,
                      entries->way[entry]};
}

/* Handles heads that enter P or N and make `hops` hops: from the same kind of channel
 * of the neighbour, if one, or from this node. They want R next if one hop is left. */
PLANE_INLINE void enter_lines(const HeadStage *stage, unsigned plane, uint32_t hops,
                              size_t w) {
    uint64_t filled =
        filled_sets(stage->planes + w, stage->stride, plane, PLANE_LINE_SETS);
    for (; filled; filled &= filled - 1) {
        const size_t i = (size_t)__builtin_ctzll(filled);
        const HeadWord heads = heads_in(stage, plane, i, w);
        uint64_t nodes = heads.nodes, last_hop = 0;
        do {
            const size_t node = (size_t)__builtin_ctzll(nodes);
            const uint32_t id = take_id(stage, heads.from, node) - (hops << PLANE_HOPS);
            put_id(stage, heads.to, node, id);
            last_hop |= (uint64_t)(id >> 31) << node;
            nodes &= nodes - 1;
        } while (nodes);
        *heads.newest = (*heads.newest & ~heads.nodes) | last_hop;
    }
}

/* Handles heads that enter R, in `sets` planes. After the last dimension their way has
 * no hops. Returns their number. */
PLANE_INLINE uint32_t enter_rs(const HeadStage *stage, unsigned plane, unsigned sets,
                               size_t w) {
    const size_t to_down = (PLANE_NEWEST_DOWN - PLANE_NEWEST) * stage->stride;
    uint64_t filled = filled_sets(stage->planes + w, stage->stride, plane, sets);
    uint32_t count = 0;
    for (; filled; filled &= filled - 1) {
        const size_t i = (size_t)__builtin_ctzll(filled);
        const HeadWord heads = heads_in(stage, plane, i, w);
        uint64_t nodes = heads.nodes, up = 0, down = 0;
        do {
            const size_t node = (size_t)__builtin_ctzll(nodes);
            const uint32_t message = plane_message(take_id(stage, heads.from, node));
            const uint32_t turn = stage->turn[stage->way[message] >> heads.way & 0xFF];
            put_id(stage, heads.to, node, plane_id(message, turn));
            up |= (uint64_t)(turn >> PLANE_UPWARD & 1) << node;
            down |= (uint64_t)(turn >> PLANE_DOWNWARD & 1) << node;
            nodes &= nodes - 1;
        } while (nodes);
        count += (unsigned)__builtin_popcountll(heads.nodes);
        heads.newest[0] = (heads.newest[0] & ~heads.nodes) | up;
        heads.newest[to_down] = (heads.newest[to_down] & ~heads.nodes) | down;
    }
    return count;
}

/* No head goes to a place that another one leaves in the same cycle, except to rings of
 * their own, so the order does not matter. */
PLANE_INLINE uint32_t enter_heads(const HeadStage *stage) {
    uint32_t entered = 0;
    for (size_t w = 0; w < stage->words; w += LIST_WORDS) {
        enter_lines(stage, PLANE_WIRED, 1, w);
        enter_lines(stage, PLANE_INNER, 0, w);
        entered += enter_rs(stage, PLANE_WIRED + PLANE_LINE_SETS, 2 * PLANE_R_SETS, w);
        entered += enter_rs(stage, PLANE_INNER + PLANE_LINE_SETS, PLANE_R_SETS, w);
    }
    return entered;
}

PLANE_INLINE HeadStage head_stage(const PlaneEngine *engine, unsigned priority,
                                  bool deep) {
    const PlaneHeads *heads = &engine->heads[priority];
    return (HeadStage){.heads = heads,
                       .id = heads->id,
                       .planes = heads->planes,
                       .way = engine->way,
                       .turn = engine->turn,
                       .words = engine->words,
                       .stride = heads->words,
                       .places = heads->places,
                       .deep = deep};
}

/* Handles all heads that have entered channels of a priority in this cycle. */
static void plane_enter_heads(PlaneEngine *engine, unsigned priority) {
    HeadStage stage = head_stage(engine, priority, false);
    uint32_t entered;
    if (engine->deep) {
        stage.deep = true;
        entered = enter_heads(&stage);
    } else if (engine->words == PLANE_SMALL_WORDS) {
        stage.words = stage.stride = PLANE_SMALL_WORDS;
        entered = enter_heads(&stage);
    } else {
        entered = enter_heads(&stage);
    }
    if (engine->header_flits == NET_DIMENSIONS)
        engine->headers_dropped[priority] += entered;
}

#endif
