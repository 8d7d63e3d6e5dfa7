/* The moves of a dimension of the plane engine, as plane_decide.h has chosen them. A
 * part of plane_step.h. */
#ifndef JM_NET_PLANE_MOVE_H
#define JM_NET_PLANE_MOVE_H

#include "net/plane_decide.h"
#include "net/plane_heads.h"

/* Moves the flits of a channel up behind those that leave, and puts in those that
 * enter. There is room for them even if nobody leaves. Returns where there are flits
 * now. */
PLANE_INLINE Vec advance(Planes c, uint64_t *const *newest, unsigned capacity,
                         unsigned wants, size_t w, Vec leave, Vec push, Vec tails) {
    Vec before = all_or_none(true), any_flits = {0};
    PLANE_UNROLL
    for (unsigned slot = 0; slot < capacity; slot++) {
        const bool last = slot + 1 == capacity;
        const unsigned behind = last ? slot : slot + 1;
        const Vec flits = at(valid(c, slot), w);
        const Vec kept =
            last ? flits & ~leave : choose(leave, at(valid(c, behind), w), flits);
        const Vec here = push & ~kept & before;
        put(valid(c, slot), w, kept | here);
        put(tail(c, slot), w,
            choose(here, tails,
                   choose(leave, at(tail(c, behind), w), at(tail(c, slot), w))));
        PLANE_UNROLL
        for (unsigned i = 0; i < wants; i++)
            put(want(c, slot, i), w,
                choose(
                    here, at(newest[i], w),
                    choose(leave, at(want(c, behind, i), w), at(want(c, slot, i), w))));
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

/* Where the messages that entered last go next. */
PLANE_INLINE uint64_t *const *newest(const Stage *stage, unsigned priority,
                                     unsigned kind) {
    return stage->engine->channels[priority][stage->dimension][kind].newest;
}

/* All moves of the dimension. */
PLANE_INLINE void apply(const Stage *stage, unsigned priority, unsigned capacity) {
    PlaneEngine *engine = stage->engine;
    const unsigned d = stage->dimension;
    const Planes c = lines_of(stage, priority), moves = moves_of(stage, priority);
    const Planes p = kind_of(c, P), n = kind_of(c, N), r = kind_of(c, R);
    Vec in_line = {0}, in_r = {0}, blocked = at(engine->blocked_cycles, 0);
    for (size_t w = 0; w < stage->words; w += VEC_WORDS) {
        const Vec leave_p = at(plane(moves, PLANE_CROSS_P), w);
        const Vec leave_n = at(plane(moves, PLANE_LEAVE_N), w);
        const Vec leave_r = at(leave_of(stage, priority, d + 1), w);
        const Vec p_stays = at(valid(p, 0), w) & ~leave_p;
        const Vec n_stays = at(valid(n, 0), w) & ~leave_n;
        const Vec r_stays = at(valid(r, 0), w) & ~leave_r;
        blocked += bits_in_three(p_stays, n_stays, r_stays);
        pass_going(p, w, leave_p);
        pass_going(n, w, leave_n);
        in_line |= advance(p, newest(stage, priority, P), capacity, 1, w, leave_p,
                           at(plane(moves, PLANE_PUSH + P), w),
                           at(plane(moves, PLANE_ENTERING_TAIL + P), w));
        in_line |= advance(n, newest(stage, priority, N), capacity, 1, w, leave_n,
                           at(plane(moves, PLANE_PUSH + N), w),
                           at(plane(moves, PLANE_ENTERING_TAIL + N), w));
        const Vec push_r = at(plane(moves, PLANE_PUSH + R), w);
        const Vec tails_r = at(plane(moves, PLANE_ENTERING_TAIL + R), w);
        if (d + 1 < NET_DIMENSIONS)
            in_r |= advance(r, newest(stage, priority, R), capacity, 2, w, leave_r,
                            push_r, tails_r);
        else
            in_r |= advance(r, newest(stage, priority, R), capacity, 0, w, leave_r,
                            push_r, tails_r);
    }
    put(engine->blocked_cycles, 0, blocked);
    engine->occupied_r[priority][d] = any(in_r);
    engine->occupied[priority][d] = any(in_line | in_r);
}

PLANE_INLINE void decide_of_kind(const Stage *stage, unsigned capacity,
                                 PlaneShiftKind kind, Moved *moved) {
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        if (stage->active >> priority & 1)
            bid(stage, priority, capacity, kind);
    cross(stage, kind);
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        if (stage->active >> priority & 1)
            enter(stage, priority, capacity, kind, moved);
}

PLANE_INLINE void decide(const Stage *stage, unsigned capacity, Moved *moved) {
    switch (stage->engine->shift[stage->dimension].kind) {
    case PLANE_WITHIN:
        decide_of_kind(stage, capacity, PLANE_WITHIN, moved);
        break;
    case PLANE_WORDS:
        decide_of_kind(stage, capacity, PLANE_WORDS, moved);
        break;
    case PLANE_ACROSS:
        decide_of_kind(stage, capacity, PLANE_ACROSS, moved);
        break;
    }
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

/* All dimensions: first everything is decided, then heads are looked at one by one,
 * whose branches then need not wait for anything, then everything moves. */
PLANE_INLINE void move_all(Stage stage, unsigned capacity, Moved *moved) {
    PlaneEngine *engine = stage.engine;
    unsigned active[NET_DIMENSIONS];
    for (unsigned d = NET_DIMENSIONS; d-- > 0;) {
        stage.dimension = d;
        stage.active = active[d] = active_in(engine, d);
        if (active[d])
            decide(&stage, capacity, moved);
        else
            no_events(engine, d);
    }
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        if ((active[0] | active[1] | active[2]) >> priority & 1)
            plane_enter_heads(engine, priority);
    for (unsigned d = NET_DIMENSIONS; d-- > 0;)
        for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
            stage.dimension = d;
            if (active[d] >> priority & 1)
                apply(&stage, priority, capacity);
        }
}

/* The copies: small meshes and large ones with two places in a channel, as built; and
 * one for everything else, blocked wires too. */
static void move_small(PlaneEngine *engine, Moved *moved) {
    const Stage stage = {.engine = engine,
                         .words = PLANE_SMALL_WORDS,
                         .stride = PLANE_SMALL_STRIDE,
                         .head_stride = PLANE_SMALL_WORDS,
                         .fair = false};
    move_all(stage, 2, moved);
}

static void move_large(PlaneEngine *engine, Moved *moved) {
    const Stage stage = {.engine = engine,
                         .words = engine->words,
                         .stride = engine->stride,
                         .head_stride = engine->heads[0].words,
                         .fair = false};
    move_all(stage, 2, moved);
}

static void move_any(PlaneEngine *engine, Moved *moved) {
    const Stage stage = {.engine = engine,
                         .words = engine->words,
                         .stride = engine->stride,
                         .head_stride = engine->heads[0].words,
                         .fair = engine->fair,
                         .wired_turns = engine->wired_turns,
                         .blocked = engine->blocked};
    move_all(stage, engine->capacity, moved);
}

static void move(PlaneEngine *engine, Moved *moved) {
    if (engine->fair || engine->wired_turns || engine->blocked || engine->capacity != 2)
        move_any(engine, moved);
    else if (engine->stride == PLANE_SMALL_STRIDE && engine->words == PLANE_SMALL_WORDS)
        move_small(engine, moved);
    else
        move_large(engine, moved);
}

#endif
