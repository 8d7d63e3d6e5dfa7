/* The moves of all dimensions of the plane engine, in the copies for small and large
 * meshes. A part of step_inline.h. */
#ifndef JM_NET_PLANE_MOVE_INLINE_H
#define JM_NET_PLANE_MOVE_INLINE_H

#include "net/plane/apply_inline.h"
#include "net/plane/heads_inline.h"
#include "net/plane/one_avx512_inline.h"

/* Clears the planes of a dimension that nothing enters and in which no head is. */
static void rest(PlaneEngine *engine, unsigned priority, unsigned dimension) {
    const PlaneHeads *heads = &engine->heads[priority];
    const size_t bytes = engine->words * sizeof(uint64_t);
    memset(of_priority(engine, priority, PLANE_LEAVE + dimension), 0, bytes);
    for (unsigned kind = 0; kind < NET_MESH_KINDS; kind++)
        memset(heads->head + plane_set(dimension, kind) * heads->words, 0, bytes);
}

/* Returns the priorities that have something to do in a dimension, a bit each. */
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

/* Decides a dimension whose planes are many vectors, step by step, because each vector
 * needs what its neighbours decide. First all dimensions are decided, then heads are
 * handled, then everything moves. */
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

/* Makes the moves that decide_many() has noted. */
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

/* The work to be done for a dimension, in a copy for each kind of shift. */
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

/* Moves all dimensions, Z first: see decide_inline.h. Heads are handled one by one when
 * everything is decided, so that their branches need not wait for anything. */
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

/* The copies of move_all(): for small meshes and for large ones with default
 * parameters, and one for everything else, also blocked wires. */
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
