/* The moves of a dimension of the plane engine, as decide_inline.h has chosen them. A
 * part of step_inline.h. */
#ifndef JM_NET_PLANE_MOVE_INLINE_H
#define JM_NET_PLANE_MOVE_INLINE_H

#include "net/plane/decide_inline.h"
#include "net/plane/heads_inline.h"

/* Where the messages that entered a channel last go next; the second plane is of R. */
PLANE_INLINE Planes newest(const Stage *stage, unsigned priority, unsigned kind) {
    const PlaneHeads *heads = &stage->engine->heads[priority];
    const size_t at = plane_set(stage->dimension, kind) * stage->head_stride;
    return (Planes){heads->newest + at, (size_t)(heads->newest_down - heads->newest)};
}

/* How many bits say where a message goes from a channel. */
PLANE_INLINE unsigned wants_of(const Stage *stage, unsigned kind) {
    if (kind != R)
        return 1;
    return stage->dimension + 1 < NET_DIMENSIONS ? 2 : 0;
}

/* Where the flits of a slot go, when those behind have moved up and those that enter
 * are in. In the last slot there is never another message than the newest: while it is
 * taken nobody enters. */
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

/* Moves the flits of a channel up behind those that leave, and puts in those that
 * enter. There is room for them even if nobody leaves. Returns where there are flits
 * now. In a mesh of one vector it is not yet known where those that enter go. */
PLANE_INLINE Vec advance(const Stage *stage, Planes c, Planes newest, unsigned wants,
                         size_t w, Vec leave, const Entering *to) {
    Vec before = all_or_none(true), any_flits = {0};
    PLANE_UNROLL
    for (unsigned slot = 0; slot < stage->capacity; slot++) {
        const bool last = slot + 1 == stage->capacity;
        const unsigned behind = last ? slot : slot + 1;
        const Vec flits = at(valid(c, slot), w);
        const Vec kept =
            last ? flits & ~leave : choose(leave, at(valid(c, behind), w), flits);
        const Vec here = to->push & ~kept & before;
        put(valid(c, slot), w, kept | here);
        put(tail(c, slot), w,
            choose(here, to->tails,
                   choose(leave, at(tail(c, behind), w), at(tail(c, slot), w))));
        if (!stage->one && (slot == 0 || !last))
            advance_wants(stage, c, newest, wants, slot, w, leave, here);
        before = kept;
        if (slot == 0)
            any_flits = kept | here;
    }
    return any_flits;
}

PLANE_INLINE void pass_going(Planes c, size_t w, Vec leave) {
    uint64_t *going = plane(c, PLANE_GOING);
    put(going, w, (at(going, w) | leave) & ~(leave & at(tail(c, 0), w)));
}

/* What leaves P, N and R of this node. */
typedef struct {
    Vec from[NET_MESH_KINDS];
} Leaving;

/* Flits in P and N, in R, of any node. */
typedef struct {
    Vec in_line, in_r;
} Occupied;

/* All moves of the dimension. */
PLANE_INLINE void apply(const Stage *stage, unsigned priority, size_t w,
                        Leaving leaving, const Entering to[NET_MESH_KINDS],
                        Occupied *occupied) {
    PlaneEngine *engine = stage->engine;
    const Planes c = lines_of(stage, priority), moves = moves_of(stage, priority);
    Vec stays[NET_MESH_KINDS];
    PLANE_UNROLL
    for (unsigned kind = P; kind <= R; kind++) {
        const Planes k = kind_of(c, kind);
        stays[kind] = at(valid(k, 0), w) & ~leaving.from[kind];
        if (stage->one)
            put(plane(moves, PLANE_STAYS + kind), w, stays[kind]);
        if (kind != R)
            pass_going(k, w, leaving.from[kind]);
        const Vec flits =
            advance(stage, k, newest(stage, priority, kind), wants_of(stage, kind), w,
                    leaving.from[kind], &to[kind]);
        if (kind == R)
            occupied->in_r |= flits;
        else
            occupied->in_line |= flits;
    }
    put(engine->blocked_cycles, 0,
        at(engine->blocked_cycles, 0) + bits_in_three(stays[P], stays[N], stays[R]));
}

PLANE_INLINE void note_occupied(const Stage *stage, unsigned priority,
                                Occupied occupied) {
    PlaneEngine *engine = stage->engine;
    engine->occupied_r[priority][stage->dimension] = any(occupied.in_r);
    engine->occupied[priority][stage->dimension] =
        any(occupied.in_line | occupied.in_r);
}

/* Nothing enters a dimension, and no head is in it. */
static void rest(PlaneEngine *engine, unsigned priority, unsigned dimension) {
    const PlaneHeads *heads = &engine->heads[priority];
    const size_t bytes = engine->words * sizeof(uint64_t);
    memset(of_priority(engine, priority, PLANE_LEAVE + dimension), 0, bytes);
    for (unsigned kind = 0; kind < NET_MESH_KINDS; kind++)
        memset(heads->head + plane_set(dimension, kind) * heads->words, 0, bytes);
}

/* Which priorities have something to do in a dimension. */
static unsigned active_in(PlaneEngine *engine, unsigned dimension) {
    unsigned active = 0;
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        const bool entering = dimension ? engine->occupied_r[priority][dimension - 1]
                                        : engine->sending[priority];
        if (entering || engine->occupied[priority][dimension])
            active |= 1u << priority;
        else if (!engine->at_rest[priority][dimension])
            rest(engine, priority, dimension);
        engine->at_rest[priority][dimension] = !(active >> priority & 1);
    }
    return active;
}

#ifdef VEC_AVX512
/* A dimension whose planes are one vector each, from the bids to the moves. */
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

/* Where the flits in front go, when heads have been looked at: who stays knows it, and
 * who has come to the front is of the newest message. */
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

/* The same for many vectors, step by step, as each needs what its neighbours decide.
 * First all dimensions are decided, then heads are looked at, then everything moves. */
PLANE_INLINE void decide_many(const Stage *stage, Moved *moved) {
    const PlaneShift *shift = &stage->engine->shift[stage->dimension];
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        for (size_t w = 0; stage->active >> priority & 1 && w < stage->words;
             w += VEC_WORDS) {
            const Planes moves = moves_of(stage, priority);
            const Arrivals from = arrivals(stage, priority, w);
            const Crossing bids = bids_of(stage, priority, w, &from);
            put(plane(moves, PLANE_BID_P), w, bids.up);
            put(plane(moves, PLANE_BID_N), w, bids.down);
        }
    for (size_t w = 0; w < stage->words; w += VEC_WORDS) {
        const Vec none = {0}, last = last_down(stage, w);
        Crossing used = {none, none};
        for (unsigned priority = NET_PRIORITIES; priority-- > 0;) {
            if (!(stage->active >> priority & 1))
                continue;
            const Planes moves = moves_of(stage, priority);
            const Crossing bids = {
                above(plane(moves, PLANE_BID_P), w, shift, stage->kind),
                at(plane(moves, PLANE_BID_N), w)};
            const Crossing won = winners(stage, last, bids, &used);
            put(plane(moves, PLANE_CROSS_P), w, won.up);
            put(plane(moves, PLANE_CROSS_N), w, won.down);
        }
        note_wires(stage, w, used);
    }
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        for (size_t w = 0; stage->active >> priority & 1 && w < stage->words;
             w += VEC_WORDS) {
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

PLANE_INLINE void apply_many(const Stage *stage, unsigned priority) {
    const PlaneShift *shift = &stage->engine->shift[stage->dimension];
    const Planes moves = moves_of(stage, priority);
    const Vec none = {0};
    Occupied occupied = {none, none};
    for (size_t w = 0; w < stage->words; w += VEC_WORDS) {
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
        apply(stage, priority, w, leaving, to, &occupied);
    }
    note_occupied(stage, priority, occupied);
}

/* What is done for a dimension, in a copy for each kind of shift. */
typedef enum { MOVE_ONE, DECIDE, APPLY } Work;

PLANE_INLINE void work_of_kind(const Stage *stage, PlaneShiftKind kind, Work work,
                               Moved *moved) {
    Stage here = *stage;
    here.kind = kind;
#ifdef VEC_AVX512
    if (work == MOVE_ONE)
        move_one(&here, moved);
#endif
    if (work == DECIDE)
        decide_many(&here, moved);
    for (unsigned priority = 0; work == APPLY && priority < NET_PRIORITIES; priority++)
        if (stage->active >> priority & 1)
            apply_many(&here, priority);
}

PLANE_INLINE void work_on(const Stage *stage, Work work, Moved *moved) {
    switch (stage->engine->shift[stage->dimension].kind) {
    case PLANE_WITHIN:
        work_of_kind(stage, PLANE_WITHIN, work, moved);
        break;
    case PLANE_WORDS:
        work_of_kind(stage, PLANE_WORDS, work, moved);
        break;
    case PLANE_ACROSS:
        work_of_kind(stage, PLANE_ACROSS, work, moved);
        break;
    }
}

PLANE_INLINE void enter_all_heads(PlaneEngine *engine,
                                  const unsigned active[NET_DIMENSIONS]) {
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        if ((active[0] | active[1] | active[2]) >> priority & 1)
            plane_enter_heads(engine, priority);
}

/* All dimensions, Z first: see decide_inline.h. Heads are looked at one by one when all
 * is decided, so that their branches need not wait for anything. */
PLANE_INLINE void move_all(Stage stage, Moved *moved) {
    PlaneEngine *engine = stage.engine;
    unsigned active[NET_DIMENSIONS];
    for (unsigned d = NET_DIMENSIONS; d-- > 0;) {
        stage.dimension = d;
        stage.active = active[d] = active_in(engine, d);
        if (active[d])
            work_on(&stage, stage.one ? MOVE_ONE : DECIDE, moved);
        else
            no_events(engine, d);
    }
    enter_all_heads(engine, active);
    for (unsigned d = NET_DIMENSIONS; d-- > 0;) {
        stage.dimension = d;
        stage.active = active[d];
#ifdef VEC_AVX512
        for (unsigned priority = 0; stage.one && priority < NET_PRIORITIES; priority++)
            if (active[d] >> priority & 1)
                renew_wants(&stage, priority);
#endif
        if (!stage.one)
            work_on(&stage, APPLY, moved);
    }
}

/* The copies: small meshes and large ones with the parameters as built; and one for
 * everything else, blocked wires too. */
static void move_small(PlaneEngine *engine, Moved *moved) {
    const Stage stage = {.engine = engine,
                         .capacity = 2,
                         .words = PLANE_SMALL_WORDS,
                         .stride = PLANE_SMALL_STRIDE,
                         .head_stride = PLANE_SMALL_WORDS,
                         .one = PLANE_SMALL_WORDS == VEC_WORDS,
                         .drops = true,
                         .shared_wires = true,
                         .enter_on_lost_wire = true};
    move_all(stage, moved);
}

static void move_large(PlaneEngine *engine, Moved *moved) {
    const Stage stage = {.engine = engine,
                         .capacity = 2,
                         .words = engine->words,
                         .stride = engine->stride,
                         .head_stride = engine->heads[0].words,
                         .drops = true,
                         .shared_wires = true,
                         .enter_on_lost_wire = true};
    move_all(stage, moved);
}

static void move_any(PlaneEngine *engine, Moved *moved) {
    const Stage stage = {.engine = engine,
                         .capacity = engine->capacity,
                         .words = engine->words,
                         .stride = engine->stride,
                         .head_stride = engine->heads[0].words,
                         .drops = engine->header_flits == NET_DIMENSIONS,
                         .shared_wires = engine->shared_wires,
                         .enter_on_lost_wire = engine->enter_on_lost_wire,
                         .fair = engine->fair,
                         .wired_turns = engine->wired_turns,
                         .blocked = engine->blocked,
                         .yielding = engine->yielding};
    move_all(stage, moved);
}

static void move(PlaneEngine *engine, Moved *moved) {
    if (!engine->as_built || engine->blocked || engine->yielding)
        move_any(engine, moved);
    else if (engine->stride == PLANE_SMALL_STRIDE && engine->words == PLANE_SMALL_WORDS)
        move_small(engine, moved);
    else
        move_large(engine, moved);
}

#endif
