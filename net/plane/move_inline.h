/* The moves of all dimensions of the plane engine, in the copies for small and large
 * meshes. A part of step_inline.h. */
#ifndef JM_NET_PLANE_MOVE_INLINE_H
#define JM_NET_PLANE_MOVE_INLINE_H

#include "net/plane/apply_inline.h"
#include "net/plane/fused_inline.h"
#include "net/plane/heads_inline.h"

/* Decides a dimension step by step: all dimensions are decided first, then heads are
 * handled, then everything moves. */
PLANE_INLINE void decide_many(const Stage *stage, Moved *moved) {
    stage->engine->crowded[stage->dimension] = UINT8_MAX;
    for (size_t w = 0; w < stage->words; w += VEC_WORDS)
        bid_at(stage, w);
    for (size_t w = 0; w < stage->words; w += VEC_WORDS)
        cross_at(stage, w);
    for (size_t w = 0; w < stage->words; w += VEC_WORDS)
        enter_at(stage, w, moved);
}

PLANE_INLINE void apply_many(const Stage *stage) {
    for (size_t w = 0; w < stage->words; w += VEC_WORDS)
        apply_at(stage, w);
}

/* The work for a dimension, in a copy for each kind of shift. */
typedef enum { MOVE_FUSED, DECIDE, APPLY } Work;

PLANE_INLINE void work_of_kind(const Stage *stage, PlaneShiftKind kind, Work work,
                               Moved *moved) {
    Stage here = *stage;
    here.kind = kind;
    if (work == MOVE_FUSED)
        move_fused(&here, moved);
    if (work == DECIDE)
        decide_many(&here, moved);
    if (work == APPLY)
        apply_many(&here);
}

/* Chooses the copy. Those for small meshes are few: see move(). */
PLANE_INLINE void work_on(const Stage *stage, Work work, Moved *moved) {
    const PlaneShiftKind kind = stage->shift.kind;
    if (kind == PLANE_WITHIN || (stage->small && stage->dimension < 2))
        work_of_kind(stage, PLANE_WITHIN, work, moved);
    else if (kind == PLANE_WORDS || stage->small)
        work_of_kind(stage, PLANE_WORDS, work, moved);
    else
        work_of_kind(stage, PLANE_ACROSS, work, moved);
}

PLANE_INLINE Stage stage_of(const Stage *stage, unsigned dimension) {
    PlaneEngine *engine = stage->engine;
    Stage own = *stage;
    own.planes = engine->planes;
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        own.heads[priority] = engine->heads[priority].planes;
    own.shift = engine->shift[dimension];
    own.dimension = dimension;
    return own;
}

/* The first half of a dimension's work. */
PLANE_INLINE void begin_dimension(const Stage *stage, unsigned dimension,
                                  Moved *moved) {
    const Stage own = stage_of(stage, dimension);
    work_on(&own, stage->fused ? MOVE_FUSED : DECIDE, moved);
}

/* The second half, after heads have been handled. */
PLANE_INLINE void end_dimension(const Stage *stage, unsigned dimension, Moved *moved) {
    const Stage own = stage_of(stage, dimension);
    for (unsigned priority = 0; stage->fused && priority < NET_PRIORITIES; priority++)
        if (is_live(&own, priority))
            renew_wants(&own, priority, priority ? 0 : moved->freely[dimension]);
    if (!stage->fused)
        work_on(&own, APPLY, moved);
}

PLANE_INLINE void enter_all_heads(const Stage *stage) {
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        if (is_live(stage, priority))
            plane_enter_heads(stage->engine, priority);
}

/* Moves all dimensions, Z first: see decide_inline.h. Heads are handled one by one
 * after everything is decided, so that their branches need not wait. */
PLANE_INLINE void move_all(const Stage *stage, Moved *moved) {
    for (unsigned d = NET_DIMENSIONS; d-- > 0;)
        begin_dimension(stage, d, moved);
    enter_all_heads(stage);
    for (unsigned d = NET_DIMENSIONS; d-- > 0;)
        end_dimension(stage, d, moved);
}

/* As move_all(), with constant dimensions. */
PLANE_INLINE void move_each(const Stage *stage, Moved *moved) {
    begin_dimension(stage, 2, moved);
    begin_dimension(stage, 1, moved);
    begin_dimension(stage, 0, moved);
    enter_all_heads(stage);
    end_dimension(stage, 2, moved);
    end_dimension(stage, 1, moved);
    end_dimension(stage, 0, moved);
}

/* The settings of the copies: for small and for large meshes with default parameters,
 * and for everything else, including blocked wires. */
PLANE_INLINE Stage small_stage(PlaneEngine *engine, unsigned live) {
    return (Stage){.engine = engine,
                   .live = live,
                   .capacity = 2,
                   .words = PLANE_SMALL_WORDS,
                   .stride = PLANE_SMALL_STRIDE,
                   .head_stride = PLANE_SMALL_WORDS,
                   .small = true,
                   .fused = true,
                   .drops = true,
                   .shared_wires = true,
                   .enter_on_lost_wire = true,
                   .urgent = 1};
}

PLANE_INLINE Stage large_stage(PlaneEngine *engine, unsigned live) {
    return (Stage){.engine = engine,
                   .live = live,
                   .capacity = 2,
                   .words = engine->words,
                   .stride = engine->stride,
                   .head_stride = engine->heads[0].words,
                   .fused = true,
                   .drops = true,
                   .shared_wires = true,
                   .enter_on_lost_wire = true,
                   .urgent = 1};
}

PLANE_INLINE Stage any_stage(PlaneEngine *engine, unsigned live) {
    return (Stage){.engine = engine,
                   .live = live,
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
                   .yielding = engine->yielding,
                   .urgent = engine->urgent};
}

/* Whether the copy for default parameters can be used. */
static bool is_standard(const PlaneEngine *engine) {
    return engine->as_built && !engine->blocked && !engine->yielding;
}

/* The copies of the moves: for small meshes, with and without only priority 0 live, and
 * for large ones with default parameters, and for everything else. */
static __attribute__((noinline)) void move_alone_small(PlaneEngine *engine,
                                                       Moved *moved) {
    const Stage stage = small_stage(engine, 1);
    move_each(&stage, moved);
}

static __attribute__((noinline)) void move_small(PlaneEngine *engine, unsigned live,
                                                 Moved *moved) {
    const Stage stage = small_stage(engine, live);
    move_each(&stage, moved);
}

static void move_large(PlaneEngine *engine, unsigned live, Moved *moved) {
    const Stage stage = large_stage(engine, live);
    move_all(&stage, moved);
}

static void move_any(PlaneEngine *engine, unsigned live, Moved *moved) {
    const Stage stage = any_stage(engine, live);
    move_all(&stage, moved);
}

/* Moves everything that moves in a cycle, in the copy of `stage`. */
PLANE_INLINE void move(const Stage *stage, Moved *moved) {
    if (stage->small && stage->live == 1)
        move_alone_small(stage->engine, moved);
    else if (stage->small)
        move_small(stage->engine, stage->live, moved);
    else if (is_standard(stage->engine))
        move_large(stage->engine, stage->live, moved);
    else
        move_any(stage->engine, stage->live, moved);
}

#endif
