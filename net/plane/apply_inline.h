/* Applies the moves chosen by decide_inline.h for a vector of nodes in a dimension:
 * flits advance, enter and leave. A part of step_inline.h. */
#ifndef JM_NET_PLANE_APPLY_INLINE_H
#define JM_NET_PLANE_APPLY_INLINE_H

#include "net/plane/decide_inline.h"

/* Returns the planes that give the next target of the last message to enter a channel;
 * the second plane is for R only. */
PLANE_INLINE Planes newest(const Stage *stage, unsigned priority, unsigned kind) {
    return (Planes){heads_of(stage, priority, kind, PLANE_NEWEST),
                    (PLANE_NEWEST_DOWN - PLANE_NEWEST) * stage->head_stride};
}

/* Returns the number of bits for a message's target from a channel: R or straight on
 * from P and N; P, N or R from R; no choice from the last R. */
PLANE_INLINE unsigned wants_of(const Stage *stage, unsigned kind) {
    if (kind != R)
        return 1;
    return stage->dimension + 1 < NET_DIMENSIONS ? 2 : 0;
}

/* Moves the target marks of flits, after the flits behind have moved up and new ones
 * have entered. The last slot never holds a message other than the newest: nobody
 * enters while it is taken. */
PLANE_INLINE void advance_wants(const Stage *stage, Planes c, Planes newest,
                                unsigned wants, unsigned slot, size_t w, Vec leave,
                                Vec here) {
    PLANE_UNROLL
    for (unsigned i = 0; i < wants; i++) {
        const Vec last = at(plane(newest, i), w);
        const Vec next =
            slot + 2 < stage->capacity ? at(want(c, slot + 1, i), w) : last;
        put(want(c, slot, i), w,
            choose(here, last, choose(leave, next, at(want(c, slot, i), w))));
    }
}

/* Moves the flits of a channel up behind those that leave, and inserts those that
 * enter. There is room for them even if nobody leaves. With fused moves the targets of
 * entering flits are not yet known. */
PLANE_INLINE void advance(const Stage *stage, Planes c, Planes newest, unsigned wants,
                          size_t w, Vec leave, const Entering *to) {
    Vec before = all_or_none(true);
    PLANE_UNROLL
    for (unsigned slot = 0; slot < stage->capacity; slot++) {
        const bool last = slot + 1 == stage->capacity;
        const unsigned behind = last ? slot : slot + 1;
        const Vec flits = at(valid(c, slot), w);
        const Vec kept = last ? without(flits, leave)
                              : choose(leave, at(valid(c, behind), w), flits);
        const Vec here = without(to->push & before, kept);
        put(valid(c, slot), w, kept | here);
        put(tail(c, slot), w,
            choose(here, to->tails,
                   choose(leave, at(tail(c, behind), w), at(tail(c, slot), w))));
        if (!stage->fused && (slot == 0 || !last))
            advance_wants(stage, c, newest, wants, slot, w, leave, here);
        before = kept;
    }
}

/* Records whether the head of the front message has left its channel. */
PLANE_INLINE void pass_going(Planes c, size_t w, Vec leave) {
    uint64_t *going = plane(c, PLANE_GOING);
    put(going, w, without(at(going, w) | leave, leave & at(tail(c, 0), w)));
}

/* The flits that leave P, N and R of each node. */
typedef struct {
    Vec from[NET_MESH_KINDS];
} Leaving;

/* Makes all moves of a dimension for one vector of nodes, and counts front flits that
 * stay. */
PLANE_INLINE void apply(const Stage *stage, unsigned priority, size_t w,
                        Leaving leaving, const Entering to[NET_MESH_KINDS]) {
    PlaneEngine *engine = stage->engine;
    const Planes c = lines_of(stage, priority), moves = moves_of(stage, priority);
    Vec stays[NET_MESH_KINDS];
    PLANE_UNROLL
    for (unsigned kind = P; kind <= R; kind++) {
        const Planes k = kind_of(c, kind);
        stays[kind] = without(at(valid(k, 0), w), leaving.from[kind]);
        if (stage->fused)
            put(plane(moves, PLANE_STAYS + kind), w, stays[kind]);
        if (kind != R)
            pass_going(k, w, leaving.from[kind]);
        advance(stage, k, newest(stage, priority, kind), wants_of(stage, kind), w,
                leaving.from[kind], &to[kind]);
    }
    if (any(stays[P] | stays[N] | stays[R]))
        put(engine->blocked_cycles, 0,
            at(engine->blocked_cycles, 0) +
                bits_in_three(stays[P], stays[N], stays[R]));
}

#endif
