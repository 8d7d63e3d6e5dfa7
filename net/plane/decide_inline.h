/* Decides who moves in a dimension of the plane engine: bids, wires, entering. A part
 * of step_inline.h; the rules are those of README.md, for all nodes at once.
 *
 * Dimensions go Z, Y, X. Each reads its own channels and the front of what enters it.
 * No earlier dimension changes these, so all decisions see the start of the cycle. */
#ifndef JM_NET_PLANE_DECIDE_INLINE_H
#define JM_NET_PLANE_DECIDE_INLINE_H

#include "net/plane/neighbour_inline.h"

enum { P = NET_CHANNEL_P, N = NET_CHANNEL_N, R = NET_CHANNEL_R };

/* The setting of a cycle in one dimension. Fields from `live` on are constant in each
 * copy of the functions below, except in the copy for rare settings, which reads them
 * from the engine; in small meshes the dimension is constant too. Frequently used
 * fields are copied from the engine, because the compiler must assume that a write to a
 * plane may change the engine. */
typedef struct {
    PlaneEngine *engine;
    uint64_t *planes, *heads[NET_PRIORITIES]; /* the first of each */
    PlaneShift shift;
    unsigned dimension;
    unsigned live; /* bit p: there are messages of priority p */
    PlaneShiftKind kind;
    unsigned capacity;
    size_t words, stride, head_stride;
    bool small; /* up to 512 nodes: planes lie at constant distances */
    bool fused; /* each vector is decided and moved in one go: see fused_inline.h */
    bool drops, shared_wires, enter_on_lost_wire;
    bool fair, wired_turns, blocked; /* see hold_back(), visible() */
    unsigned yielding;               /* dimensions: see let_enter() */
    unsigned urgent;                 /* the priority that goes first over wires */
} Stage;

PLANE_INLINE Planes planes_from(const Stage *stage, unsigned first) {
    return (Planes){stage->planes + first * stage->stride, stage->stride};
}

PLANE_INLINE uint64_t *leave_of(const Stage *stage, unsigned priority, unsigned from) {
    return plane(planes_from(stage, plane_of_priority(priority)), PLANE_LEAVE + from);
}

/* Returns the channels P of the dimension; those of N and R follow. */
PLANE_INLINE Planes lines_of(const Stage *stage, unsigned priority) {
    return planes_from(stage, plane_of_channels(priority, stage->dimension, P));
}

PLANE_INLINE Planes kind_of(Planes lines, unsigned kind) {
    return (Planes){plane(lines, kind * PLANE_CHANNEL_SIZE), lines.stride};
}

PLANE_INLINE Planes moves_of(const Stage *stage, unsigned priority) {
    return planes_from(stage, plane_of_moves(priority, stage->dimension));
}

/* Whether each plane is one vector, as the copies for small meshes know. */
PLANE_INLINE bool is_one(const Stage *stage) {
    return stage->small && stage->words == VEC_WORDS;
}

/* Whether there are messages of a priority. */
PLANE_INLINE bool is_live(const Stage *stage, unsigned priority) {
    return stage->live >> priority & 1;
}

/* Returns the plane's bits of the lower neighbours. */
PLANE_INLINE Vec lower(const Stage *stage, const uint64_t *plane, size_t w) {
    const PlaneShift *shift = &stage->shift;
#ifdef VEC_AVX512
    if (is_one(stage))
        return moved_up(at(plane, w), shift, stage->kind);
#endif
    return below(plane, w, shift, stage->kind);
}

/* Returns the plane's bits of the higher neighbours. */
PLANE_INLINE Vec higher(const Stage *stage, const uint64_t *plane, size_t w) {
    const PlaneShift *shift = &stage->shift;
#ifdef VEC_AVX512
    if (is_one(stage))
        return moved_down(at(plane, w), shift, stage->kind);
#endif
    return above(plane, w, shift, stage->kind);
}

/* Flits ready to cross a wire: from the front of P of the node below, or of N of the
 * node above. */
typedef struct {
    Vec valid, going, to_r, tail;
} Arrival;

typedef struct {
    Arrival p, n;
} Arrivals;

/* Hides flits behind a blocked wire. */
PLANE_INLINE Vec visible(const Stage *stage, unsigned kind, size_t w, Vec flits) {
    if (!stage->blocked)
        return flits;
    const Planes shut = planes_from(stage, PLANE_SHUT + 2 * stage->dimension);
    return flits & ~at(plane(shut, kind), w);
}

PLANE_INLINE Arrivals arrivals(const Stage *stage, unsigned priority, size_t w) {
    const Planes c = lines_of(stage, priority), p = kind_of(c, P), n = kind_of(c, N);
    return (Arrivals){{visible(stage, P, w, lower(stage, valid(p, 0), w)),
                       lower(stage, plane(p, PLANE_GOING), w),
                       lower(stage, want(p, 0, 0), w), lower(stage, tail(p, 0), w)},
                      {visible(stage, N, w, higher(stage, valid(n, 0), w)),
                       higher(stage, plane(n, PLANE_GOING), w),
                       higher(stage, want(n, 0, 0), w), higher(stage, tail(n, 0), w)}};
}

/* Heads waiting to cross a wire into P, N or R, whether or not they can move. */
typedef struct {
    Vec p_to_p, p_to_r, n_to_n, n_to_r;
} WiredHeads;

PLANE_INLINE WiredHeads wired_heads(const Arrivals *from) {
    const Vec p_head = without(from->p.valid, from->p.going);
    const Vec n_head = without(from->n.valid, from->n.going);
    return (WiredHeads){without(p_head, from->p.to_r), p_head & from->p.to_r,
                        without(n_head, from->n.to_r), n_head & from->n.to_r};
}

/* Front flits entering the dimension here, by target. */
typedef struct {
    Vec to[3], going, tail;
} Entry;

/* The flits that could enter a dimension at a node: the front of the output buffer, or
 * of R of the previous dimension. */
typedef struct {
    uint64_t *valid, *tail, *going, *want[2];
} PlaneFront;

PLANE_INLINE PlaneFront front_of(const Stage *stage, unsigned priority) {
    if (stage->dimension == 0) {
        const Planes own = planes_from(stage, plane_of_priority(priority));
        return (PlaneFront){
            plane(own, PLANE_SOURCE_VALID),
            plane(own, PLANE_SOURCE_TAIL),
            plane(own, PLANE_SOURCE_GOING),
            {plane(own, PLANE_SOURCE_WANT), plane(own, PLANE_SOURCE_WANT + 1)}};
    }
    const Planes r =
        planes_from(stage, plane_of_channels(priority, stage->dimension - 1, R));
    return (PlaneFront){
        valid(r, 0), tail(r, 0), plane(r, PLANE_GOING), {want(r, 0, 0), want(r, 0, 1)}};
}

PLANE_INLINE Entry entry_at(const PlaneFront *front, size_t w) {
    const Vec valid = at(front->valid, w);
    const Vec to_p = valid & at(front->want[0], w),
              to_n = valid & at(front->want[1], w);
    return (Entry){{to_p, to_n, without(valid, to_p | to_n)},
                   at(front->going, w),
                   at(front->tail, w)};
}

/* Fair arbitration: the first of the heads waiting for a channel, starting at its
 * turn. */
typedef struct {
    Vec p, n, entering;
} Pick;

PLANE_INLINE Pick pick_of_turn(Planes target, size_t w, Vec p, Vec n, Vec entering) {
    const Vec from_n_on = at(plane(target, PLANE_TURN), w);
    const Vec from_inner_on = at(plane(target, PLANE_TURN + 1), w);
    const Vec from_p_on = ~(from_n_on | from_inner_on);
    return (Pick){
        p & (from_p_on | ~(entering | (from_n_on & n))),
        n & (from_n_on | ~(p | (from_inner_on & entering))),
        entering & (from_inner_on | ~(n | (from_p_on & p))),
    };
}

PLANE_INLINE Vec full_of(const Stage *stage, Planes channels, size_t w) {
    return at(valid(channels, stage->capacity - 1), w);
}

/* Returns the flits of an arrival that find room in a free channel or in their own. */
PLANE_INLINE Vec ready(const Stage *stage, Planes straight, Planes r, Arrival arrival,
                       size_t w) {
    const Vec held = choose(arrival.to_r, at(plane(r, PLANE_OWNED), w),
                            at(plane(straight, PLANE_OWNED), w));
    const Vec full =
        choose(arrival.to_r, full_of(stage, r, w), full_of(stage, straight, w));
    return without(without(arrival.valid, full), without(held, arrival.going));
}

/* Flits over wires, or bids for them: upward, downward. */
typedef struct {
    Vec up, down;
} Crossing;

/* Holds back bids without precedence. Unfair: when P- and N-side heads want the same R,
 * P bids (r_order=1: they alternate). Fair: only heads whose turn it is bid. */
PLANE_INLINE Crossing hold_back(const Stage *stage, unsigned priority, size_t w,
                                WiredHeads heads, Crossing bids) {
    const Planes c = lines_of(stage, priority);
    const Vec both = heads.n_to_r & heads.p_to_r;
    if (stage->wired_turns) {
        const Vec n_first = at(plane(kind_of(c, R), PLANE_TURN), w);
        return (Crossing){bids.up & ~(both & n_first), bids.down & ~(both & ~n_first)};
    }
    if (!stage->fair)
        return (Crossing){bids.up, without(bids.down, both)};
    const PlaneFront front = front_of(stage, priority);
    const Entry entry = entry_at(&front, w);
    const Vec head = ~entry.going, none = {0};
    const Pick to_p =
        pick_of_turn(kind_of(c, P), w, heads.p_to_p, none, entry.to[P] & head);
    const Pick to_n =
        pick_of_turn(kind_of(c, N), w, none, heads.n_to_n, entry.to[N] & head);
    const Pick to_r =
        pick_of_turn(kind_of(c, R), w, heads.p_to_r, heads.n_to_r, entry.to[R] & head);
    return (Crossing){bids.up & ~((heads.p_to_p & ~to_p.p) | (heads.p_to_r & ~to_r.p)),
                      bids.down &
                          ~((heads.n_to_n & ~to_n.n) | (heads.n_to_r & ~to_r.n))};
}

/* Whether entering heads go first in this cycle. */
PLANE_INLINE bool yields(const Stage *stage) {
    return stage->yielding >> stage->dimension & 1;
}

/* Holds back heads going straight on where an entering head goes first in this
 * cycle. */
PLANE_INLINE Crossing let_enter(const Stage *stage, unsigned priority, size_t w,
                                WiredHeads heads, Crossing bids) {
    if (!yields(stage))
        return bids;
    const PlaneFront front = front_of(stage, priority);
    const Entry entry = entry_at(&front, w);
    return (Crossing){bids.up & ~(heads.p_to_p & entry.to[P] & ~entry.going),
                      bids.down & ~(heads.n_to_n & entry.to[N] & ~entry.going)};
}

/* Step 1: bids. Each is known at the node at the far end of the wire. */
PLANE_INLINE Crossing bids_of(const Stage *stage, unsigned priority, size_t w,
                              const Arrivals *from) {
    const Planes c = lines_of(stage, priority), r = kind_of(c, R);
    const Crossing bids = {ready(stage, kind_of(c, P), r, from->p, w),
                           ready(stage, kind_of(c, N), r, from->n, w)};
    const WiredHeads heads = wired_heads(from);
    return let_enter(stage, priority, w, heads,
                     hold_back(stage, priority, w, heads, bids));
}

/* Step 2: the wire above each node, for one priority after the other, first the one
 * whose turn it is; within it the direction goes first that did not move last. */
PLANE_INLINE Crossing winners(const Stage *stage, Vec last_down, Crossing bids,
                              Crossing *used) {
    const Vec shared = all_or_none(stage->shared_wires);
    bids.up = without(bids.up, used->up | (used->down & shared));
    bids.down = without(bids.down, used->down | (used->up & shared));
    const Vec both = bids.up & bids.down & shared;
    const Crossing won = {without(bids.up, without(both, last_down)),
                          without(bids.down, both & last_down)};
    used->up |= won.up;
    used->down |= won.down;
    return won;
}

PLANE_INLINE Vec last_down(const Stage *stage, size_t w) {
    return at(plane(planes_from(stage, PLANE_WIRES), stage->dimension), w);
}

/* Records the last direction of each wire. */
PLANE_INLINE void note_wires(const Stage *stage, size_t w, Crossing used) {
    uint64_t *down = plane(planes_from(stage, PLANE_WIRES), stage->dimension);
    put(down, w, without(at(down, w), used.up) | used.down);
}

/* Returns the entering heads that may take a free channel with room. */
PLANE_INLINE Vec entering_allowed(const Stage *stage, Planes target, size_t w, Vec p,
                                  Vec n, Vec entering) {
    if (stage->enter_on_lost_wire)
        return all_or_none(true);
    if (stage->fair)
        return pick_of_turn(target, w, p, n, entering).entering;
    return ~(p | n);
}

/* Passes the turn on where heads enter a channel. */
PLANE_INLINE void pass_turn(Planes target, size_t w, Vec p, Vec n, Vec inner) {
    const Vec keep = ~(p | n | inner);
    uint64_t *turn[] = {plane(target, PLANE_TURN), plane(target, PLANE_TURN + 1)};
    put(turn[0], w, (at(turn[0], w) & keep) | p);
    put(turn[1], w, (at(turn[1], w) & keep) | n);
}

/* Passes the turn on when only the sides take turns: the other side goes first next
 * time. */
PLANE_INLINE void pass_wired_turn(Planes target, size_t w, Vec p, Vec n) {
    uint64_t *n_first = plane(target, PLANE_TURN);
    put(n_first, w, (at(n_first, w) & ~n) | p);
}

/* Flits, heads and tails that cross wires to this node. */
typedef struct {
    Vec flits, heads, tails;
} Crossed;

PLANE_INLINE Crossed crossed(Vec flits, Arrival from) {
    return (Crossed){flits, without(flits, from.going), flits & from.tail};
}

PLANE_INLINE Crossed those_to(Crossed all, Vec where) {
    return (Crossed){all.flits & where, all.heads & where, all.tails & where};
}

PLANE_INLINE Crossed those_not_to(Crossed all, Vec where) {
    return (Crossed){without(all.flits, where), without(all.heads, where),
                     without(all.tails, where)};
}

PLANE_INLINE Crossed both_of(Crossed a, Crossed b) {
    return (Crossed){a.flits | b.flits, a.heads | b.heads, a.tails | b.tails};
}

/* Returns a plane of heads (PLANE_WIRED, ...) of a kind of channel. */
PLANE_INLINE uint64_t *heads_of(const Stage *stage, unsigned priority, unsigned kind,
                                unsigned item) {
    return stage->heads[priority] +
           (item + plane_set(stage->dimension, kind)) * stage->head_stride;
}

/* Flits entering a channel: those that take a place, tails, heads, and heads from this
 * node. */
typedef struct {
    Vec push, tails, heads, inner;
} Entering;

/* Step 3 for one target: flits of this node enter it, next to those that cross wires.
 * Returns the flits of this node. */
PLANE_INLINE Vec enter_target(const Stage *stage, Planes target, unsigned priority,
                              unsigned kind, size_t w, Vec wanting, const Entry *entry,
                              Vec allowed, Crossed over, bool drops,
                              Entering *entering) {
    const Vec owned = at(plane(target, PLANE_OWNED), w);
    const Vec may = entry->going | without(without(allowed, owned), over.heads);
    const Vec own = without(wanting & may, full_of(stage, target, w));
    const Vec inner = without(own, entry->going);
    const Vec heads = over.heads | inner, tails = over.tails | (own & entry->tail);
    const Vec flits = over.flits | own;
    put(heads_of(stage, priority, kind, PLANE_INNER), w, inner);
    put(plane(target, PLANE_OWNED), w, without(owned | heads, tails));
    *entering = (Entering){drops ? without(flits, heads) : flits, tails, heads, inner};
    return own;
}

typedef struct {
    Vec moved, progressed; /* any node */
    /* By dimension, a bit for each vector: nothing of priority 0 was in the way. Only
     * for small meshes; set when the dimension is moved. */
    unsigned freely[NET_DIMENSIONS];
} Moved;

/* Step 3: who enters P, N and R, next to the flits crossing wires to this node. */
PLANE_INLINE void enter(const Stage *stage, unsigned priority, size_t w,
                        const Arrivals *from, Crossing crossing,
                        Entering to[NET_MESH_KINDS], Moved *moved) {
    const Planes c = lines_of(stage, priority);
    const Planes to_p = kind_of(c, P), to_n = kind_of(c, N), to_r = kind_of(c, R);
    const PlaneFront front = front_of(stage, priority);
    WiredHeads ahead = wired_heads(from); /* of those that enter */
    const Crossed up = crossed(crossing.up, from->p),
                  down = crossed(crossing.down, from->n);
    const Crossed up_r = those_to(up, from->p.to_r),
                  down_r = those_to(down, from->n.to_r);
    const Crossed up_p = those_not_to(up, from->p.to_r);
    const Crossed down_n = those_not_to(down, from->n.to_r);
    const Entry entry = entry_at(&front, w);
    const Vec none = {0}, head = ~entry.going;
    if (yields(stage))
        ahead.p_to_p = ahead.n_to_n = none;

    const Vec own_p = enter_target(
        stage, to_p, priority, P, w, entry.to[P], &entry,
        entering_allowed(stage, to_p, w, ahead.p_to_p, none, entry.to[P] & head), up_p,
        false, &to[P]);
    const Vec own_n = enter_target(
        stage, to_n, priority, N, w, entry.to[N], &entry,
        entering_allowed(stage, to_n, w, none, ahead.n_to_n, entry.to[N] & head),
        down_n, false, &to[N]);
    const Vec own_r = enter_target(stage, to_r, priority, R, w, entry.to[R], &entry,
                                   entering_allowed(stage, to_r, w, ahead.p_to_r,
                                                    ahead.n_to_r, entry.to[R] & head),
                                   both_of(up_r, down_r), stage->drops, &to[R]);
    if (stage->fair) {
        pass_turn(to_p, w, up_p.heads, none, to[P].inner);
        pass_turn(to_n, w, none, down_n.heads, to[N].inner);
        pass_turn(to_r, w, up_r.heads, down_r.heads, to[R].inner);
    } else if (stage->wired_turns) {
        pass_wired_turn(to_r, w, up_r.heads, down_r.heads);
    }
    put(heads_of(stage, priority, P, PLANE_WIRED), w, up_p.heads);
    put(heads_of(stage, priority, N, PLANE_WIRED), w, down_n.heads);
    put(heads_of(stage, priority, R, PLANE_WIRED), w, up_r.heads);
    put(heads_of(stage, priority, R, PLANE_ABOVE), w, down_r.heads);
    const Vec own = own_p | own_n | own_r;
    put(front.going, w, without(entry.going | own, own & entry.tail));
    put(leave_of(stage, priority, stage->dimension), w, own);
    moved->moved |= own;
    moved->progressed |= up.flits | down.flits;
    if (stage->drops)
        moved->progressed |= to[R].heads;
}

#endif
