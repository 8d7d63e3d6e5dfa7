/* Moves a dimension whose planes are one vector of 512 bits each: everything stays in
 * registers from the bids to the moves. For AVX-512 alone; otherwise this header is
 * empty. A part of step_inline.h. */
#ifndef JM_NET_PLANE_ONE_AVX512_INLINE_H
#define JM_NET_PLANE_ONE_AVX512_INLINE_H

#include "net/plane/apply_inline.h"

#ifdef VEC_AVX512
/* Decides and moves a dimension whose planes are one vector each. */
PLANE_INLINE void move_one(const Stage *stage, Moved *moved) {
    const PlaneShift *shift = &stage->engine->shift[stage->dimension];
    const Vec none = {0}, last = last_down(stage, 0);
    Crossing used = {none, none}, won[NET_PRIORITIES];
    Arrivals from[NET_PRIORITIES];
    PLANE_UNROLL
    for (unsigned priority = NET_PRIORITIES; priority-- > 0;) {
        if (!(stage->active >> priority & 1))
            continue;
        from[priority] = arrivals(stage, priority, 0);
        Crossing bids = bids_of(stage, priority, 0, &from[priority]);
        bids.up = moved_down(bids.up, shift, stage->kind);
        won[priority] = winners(stage, last, bids, &used);
    }
    note_wires(stage, 0, used);
    PLANE_UNROLL
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        if (!(stage->active >> priority & 1))
            continue;
        Entering to[NET_MESH_KINDS];
        Occupied occupied = {none, none};
        const Crossing here = {moved_up(won[priority].up, shift, stage->kind),
                               won[priority].down};
        const Leaving leaving = {
            {won[priority].up, moved_up(won[priority].down, shift, stage->kind),
             at(leave_of(stage, priority, stage->dimension + 1), 0)}};
        enter(stage, priority, 0, &from[priority], here, to, moved);
        apply(stage, priority, 0, leaving, to, &occupied);
        note_occupied(stage, priority, occupied);
    }
}

/* Sets where the flits in front go, after heads have been handled: a flit that stayed
 * knows it already, and one that has come to the front belongs to the newest
 * message. */
PLANE_INLINE void renew_wants(const Stage *stage, unsigned priority) {
    const Planes c = lines_of(stage, priority), moves = moves_of(stage, priority);
    PLANE_UNROLL
    for (unsigned kind = P; kind <= R; kind++) {
        const Vec stays = at(plane(moves, PLANE_STAYS + kind), 0);
        PLANE_UNROLL
        for (unsigned i = 0; i < wants_of(stage, kind); i++) {
            uint64_t *front = want(kind_of(c, kind), 0, i);
            put(front, 0,
                choose(stays, at(front, 0),
                       at(plane(newest(stage, priority, kind), i), 0)));
        }
    }
}
#endif

#endif
