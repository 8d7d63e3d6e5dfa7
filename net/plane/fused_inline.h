/* The steps of a dimension for a vector of nodes, and fused moves: a vector is decided,
 * entered and moved before the next one, or as soon as its neighbours allow, while its
 * planes are in the cache. Fused moves are for channels of two places: the target of a
 * flit that comes to the front is set after heads have been handled, from the message
 * that entered last. A part of step_inline.h. */
#ifndef JM_NET_PLANE_FUSED_INLINE_H
#define JM_NET_PLANE_FUSED_INLINE_H

#include "net/plane/free_inline.h"

/* ---- steps whose results lie in planes, for neighbours in other vectors ---------- */

PLANE_INLINE void bid_at(const Stage *stage, size_t w) {
    PLANE_UNROLL
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        if (!is_live(stage, priority))
            continue;
        const Planes moves = moves_of(stage, priority);
        const Arrivals from = arrivals(stage, priority, w);
        const Crossing bids = bids_of(stage, priority, w, &from);
        put(plane(moves, PLANE_BID_P), w, bids.up);
        put(plane(moves, PLANE_BID_N), w, bids.down);
    }
}

PLANE_INLINE void cross_at(const Stage *stage, size_t w) {
    const PlaneShift *shift = &stage->shift;
    const Vec none = {0}, last = last_down(stage, w);
    Crossing used = {none, none};
    PLANE_UNROLL
    for (unsigned turn = 0; turn < NET_PRIORITIES; turn++) {
        const unsigned priority = turn ^ stage->urgent;
        if (!is_live(stage, priority))
            continue;
        const Planes moves = moves_of(stage, priority);
        const Crossing bids = {above(plane(moves, PLANE_BID_P), w, shift, stage->kind),
                               at(plane(moves, PLANE_BID_N), w)};
        const Crossing won = winners(stage, last, bids, &used);
        put(plane(moves, PLANE_CROSS_P), w, won.up);
        put(plane(moves, PLANE_CROSS_N), w, won.down);
    }
    note_wires(stage, w, used);
}

PLANE_INLINE void enter_at(const Stage *stage, size_t w, Moved *moved) {
    const PlaneShift *shift = &stage->shift;
    PLANE_UNROLL
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        if (!is_live(stage, priority))
            continue;
        const Planes moves = moves_of(stage, priority);
        const Arrivals from = arrivals(stage, priority, w);
        const Crossing here = {
            below(plane(moves, PLANE_CROSS_P), w, shift, stage->kind),
            at(plane(moves, PLANE_CROSS_N), w)};
        Entering to[NET_MESH_KINDS];
        enter(stage, priority, w, &from, here, to, moved);
        PLANE_UNROLL
        for (unsigned kind = P; kind <= R; kind++) {
            put(plane(moves, PLANE_PUSH + kind), w, to[kind].push);
            put(plane(moves, PLANE_ENTERING_TAIL + kind), w, to[kind].tails);
        }
    }
}

/* Makes the moves that enter_at() has recorded. */
PLANE_INLINE void apply_at(const Stage *stage, size_t w) {
    const PlaneShift *shift = &stage->shift;
    const Vec none = {0};
    PLANE_UNROLL
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        if (!is_live(stage, priority))
            continue;
        const Planes moves = moves_of(stage, priority);
        const Leaving leaving = {
            {at(plane(moves, PLANE_CROSS_P), w),
             below(plane(moves, PLANE_CROSS_N), w, shift, stage->kind),
             at(leave_of(stage, priority, stage->dimension + 1), w)}};
        Entering to[NET_MESH_KINDS];
        PLANE_UNROLL
        for (unsigned kind = P; kind <= R; kind++)
            to[kind] =
                (Entering){at(plane(moves, PLANE_PUSH + kind), w),
                           at(plane(moves, PLANE_ENTERING_TAIL + kind), w), none, none};
        apply(stage, priority, w, leaving, to);
    }
}

/* ---- fused moves ----------------------------------------------------------------- */

/* Moves a vector whose neighbours are in a register: they are in the same words, or
 * there is only one vector. */
PLANE_INLINE void move_in_registers(const Stage *stage, size_t w, Moved *moved) {
    const PlaneShift *shift = &stage->shift;
    const Vec none = {0}, last = last_down(stage, w);
    Crossing used = {none, none}, won[NET_PRIORITIES] = {0};
    Arrivals from[NET_PRIORITIES] = {0};
    PLANE_UNROLL
    for (unsigned priority = NET_PRIORITIES; priority-- > 0;) {
        if (!is_live(stage, priority))
            continue;
        from[priority] = arrivals(stage, priority, w);
        Crossing bids = bids_of(stage, priority, w, &from[priority]);
        bids.up = moved_down(bids.up, shift, stage->kind);
        won[priority] = winners(stage, last, bids, &used);
    }
    note_wires(stage, w, used);
    PLANE_UNROLL
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        if (!is_live(stage, priority))
            continue;
        Entering to[NET_MESH_KINDS];
        const Crossing here = {moved_up(won[priority].up, shift, stage->kind),
                               won[priority].down};
        const Leaving leaving = {
            {won[priority].up, moved_up(won[priority].down, shift, stage->kind),
             at(leave_of(stage, priority, stage->dimension + 1), w)}};
        enter(stage, priority, w, &from[priority], here, to, moved);
        apply(stage, priority, w, leaving, to);
    }
}

/* Moves vector after vector. A step for one needs the previous step of all vectors with
 * neighbours of its nodes, so each step lags behind the previous one:
 *
 *     w - 2 lag        w - lag          w
 *     apply            cross, enter     bid */
PLANE_INLINE void move_behind(const Stage *stage, Moved *moved) {
    const size_t words = stage->words;
    const size_t farthest = stage->shift.words + 1;
    const size_t lag = (farthest + VEC_WORDS - 1) / VEC_WORDS * VEC_WORDS;
    for (size_t w = 0; w < words + 2 * lag; w += VEC_WORDS) {
        if (w < words)
            bid_at(stage, w);
        if (w >= lag && w - lag < words) {
            cross_at(stage, w - lag);
            enter_at(stage, w - lag, moved);
        }
        if (w >= 2 * lag)
            apply_at(stage, w - 2 * lag);
    }
}

/* Whether vectors can be moved independently of others. */
PLANE_INLINE bool is_apart(const Stage *stage) {
    return stage->kind == PLANE_WITHIN || is_one(stage);
}

/* Decides and moves a dimension. */
PLANE_INLINE void move_live(const Stage *stage, Moved *moved) {
    stage->engine->crowded[stage->dimension] = UINT8_MAX;
    if (is_apart(stage))
        for (size_t w = 0; w < stage->words; w += VEC_WORDS)
            move_in_registers(stage, w, moved);
    else
        move_behind(stage, moved);
}

/* The same in a small mesh when only priority 0 is live. Records the vectors that moved
 * freely. */
PLANE_INLINE void move_alone(const Stage *stage, Moved *moved) {
    uint8_t *const crowded = &stage->engine->crowded[stage->dimension];
    const unsigned were_crowded = *crowded;
    unsigned freely = 0, are_crowded = 0;
    const size_t together = is_apart(stage) ? VEC_WORDS : stage->words;
    const unsigned each = (1u << together / VEC_WORDS) - 1;
    PLANE_UNROLL
    for (size_t w = 0; w < stage->words; w += together) {
        const unsigned vectors = each << w / VEC_WORDS;
        if (!(were_crowded & vectors) &&
            move_freely(stage, 0, w, w + together, moved)) {
            freely |= vectors;
            continue;
        }
        if (is_apart(stage))
            move_in_registers(stage, w, moved);
        else
            move_behind(stage, moved);
        are_crowded |= is_crowded(stage, w, w + together) ? vectors : 0;
    }
    *crowded = (uint8_t)are_crowded;
    moved->freely[stage->dimension] = freely;
}

PLANE_INLINE void move_fused(const Stage *stage, Moved *moved) {
    moved->freely[stage->dimension] = 0;
    if (stage->small && stage->live == 1)
        move_alone(stage, moved);
    else
        move_live(stage, moved);
}

/* Sets the targets of front flits after heads have been handled: a flit that stayed has
 * its target already, and one that has come to the front belongs to the newest message.
 * `freely`: vectors in which none stayed. */
PLANE_INLINE void renew_wants_at(const Stage *stage, unsigned priority, size_t w,
                                 bool none_stay) {
    const Planes c = lines_of(stage, priority), moves = moves_of(stage, priority);
    PLANE_UNROLL
    for (unsigned kind = P; kind <= R; kind++) {
        const uint64_t *const stays = plane(moves, PLANE_STAYS + kind);
        PLANE_UNROLL
        for (unsigned i = 0; i < wants_of(stage, kind); i++) {
            uint64_t *const front = want(kind_of(c, kind), 0, i);
            const Vec last = at(plane(newest(stage, priority, kind), i), w);
            put(front, w, none_stay ? last : choose(at(stays, w), at(front, w), last));
        }
    }
}

PLANE_INLINE void renew_wants(const Stage *stage, unsigned priority, unsigned freely) {
    if (stage->small) {
        PLANE_UNROLL
        for (size_t w = 0; w < PLANE_SMALL_WORDS; w += VEC_WORDS)
            renew_wants_at(stage, priority, w, freely >> w / VEC_WORDS & 1);
    } else {
        for (size_t w = 0; w < stage->words; w += VEC_WORDS)
            renew_wants_at(stage, priority, w, false);
    }
}

#endif
