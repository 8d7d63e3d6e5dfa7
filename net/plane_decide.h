/* Who moves in a dimension of the plane engine: bids, wires, entering. A part of
 * plane_step.h; the rules are those of README.md, for all nodes at once.
 *
 * Dimensions go Z, Y, X. Each reads its own channels and the front of what enters it;
 * nothing of these is changed before, so all is judged on the start of the cycle. */
#ifndef JM_NET_PLANE_DECIDE_H
#define JM_NET_PLANE_DECIDE_H

#include "net/plane_count.h"

enum { P = NET_CHANNEL_P, N = NET_CHANNEL_N, R = NET_CHANNEL_R };

/* What is the same all through a cycle of one dimension. Constants of each copy of the
 * functions below: the sizes if they are small, `kind`, what is seldom, and a capacity
 * of 2. */
typedef struct {
    PlaneEngine *engine;
    size_t words, stride, head_stride;
    unsigned dimension;
    unsigned active; /* bit p: there is something to do for priority p */
    bool fair;
    bool wired_turns, blocked; /* see hold_back(), from_p() */
} Stage;

/* Planes that follow each other: of the channels of a kind, or of a priority. */
typedef struct {
    uint64_t *first;
    size_t stride;
} Planes;

PLANE_INLINE uint64_t *plane(Planes planes, unsigned number) {
    return planes.first + number * planes.stride;
}

PLANE_INLINE Planes planes_from(const Stage *stage, unsigned first) {
    return (Planes){stage->engine->planes + first * stage->stride, stage->stride};
}

PLANE_INLINE uint64_t *leave_of(const Stage *stage, unsigned priority, unsigned from) {
    return plane(planes_from(stage, plane_of_priority(priority)), PLANE_LEAVE + from);
}

/* The channels of P; those of N and R follow. */
PLANE_INLINE Planes lines_of(const Stage *stage, unsigned priority) {
    return planes_from(stage, plane_of_channels(priority, stage->dimension, P));
}

PLANE_INLINE Planes kind_of(Planes lines, unsigned kind) {
    return (Planes){plane(lines, kind * PLANE_CHANNEL_SIZE), lines.stride};
}

PLANE_INLINE Planes moves_of(const Stage *stage, unsigned priority) {
    return planes_from(stage, plane_of_moves(priority, stage->dimension));
}

PLANE_INLINE uint64_t *valid(Planes channels, unsigned slot) {
    return plane(channels, PLANE_SLOT + slot * PLANE_SLOT_SIZE);
}

PLANE_INLINE uint64_t *tail(Planes channels, unsigned slot) {
    return plane(channels, PLANE_SLOT + slot * PLANE_SLOT_SIZE + 1);
}

PLANE_INLINE uint64_t *want(Planes channels, unsigned slot, unsigned i) {
    return plane(channels, PLANE_SLOT + slot * PLANE_SLOT_SIZE + 2 + i);
}

/* Flits at the front of P of the node below or N of the node above: over the wire. */
typedef struct {
    Vec valid, going, to_r;
} Arrival;

/* Nothing is seen behind a blocked wire. */
PLANE_INLINE Vec visible(const Stage *stage, unsigned kind, size_t w, Vec flits) {
    if (!stage->blocked)
        return flits;
    const Planes shut = planes_from(stage, PLANE_SHUT + 2 * stage->dimension);
    return flits & ~at(plane(shut, kind), w);
}

PLANE_INLINE Arrival from_p(const Stage *stage, Planes p, size_t w,
                            PlaneShiftKind kind) {
    const PlaneShift *shift = &stage->engine->shift[stage->dimension];
    return (Arrival){visible(stage, P, w, below(valid(p, 0), w, shift, kind)),
                     below(plane(p, PLANE_GOING), w, shift, kind),
                     below(want(p, 0, 0), w, shift, kind)};
}

PLANE_INLINE Arrival from_n(const Stage *stage, Planes n, size_t w,
                            PlaneShiftKind kind) {
    const PlaneShift *shift = &stage->engine->shift[stage->dimension];
    return (Arrival){visible(stage, N, w, above(valid(n, 0), w, shift, kind)),
                     above(plane(n, PLANE_GOING), w, shift, kind),
                     above(want(n, 0, 0), w, shift, kind)};
}

/* Heads that wait for P, N and R, whether or not they can move. */
typedef struct {
    Vec p_to_p, p_to_r, n_to_n, n_to_r;
} WiredHeads;

PLANE_INLINE WiredHeads wired_heads(Arrival p, Arrival n) {
    const Vec p_head = p.valid & ~p.going, n_head = n.valid & ~n.going;
    return (WiredHeads){p_head & ~p.to_r, p_head & p.to_r, n_head & ~n.to_r,
                        n_head & n.to_r};
}

/* Flits at the front of what enters the dimension here, by target. */
typedef struct {
    Vec to[3], going, tail;
} Entry;

PLANE_INLINE Entry entry_at(const PlaneFront *front, size_t w) {
    const Vec valid = at(front->valid, w);
    const Vec to_p = valid & at(front->want[0], w),
              to_n = valid & at(front->want[1], w);
    return (Entry){
        {to_p, to_n, valid & ~(to_p | to_n)}, at(front->going, w), at(front->tail, w)};
}

/* Fair arbitration: of the heads that wait for a channel, the first from its turn on.
 */
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

PLANE_INLINE Vec room_of(Planes channels, unsigned capacity, size_t w) {
    return ~at(valid(channels, capacity - 1), w);
}

/* Those of an arrival that find room, in a channel that is their own or free. */
PLANE_INLINE Vec ready(Planes straight, Planes r, unsigned capacity, Arrival arrival,
                       size_t w) {
    const Vec to_straight = room_of(straight, capacity, w) &
                            (arrival.going | ~at(plane(straight, PLANE_OWNED), w));
    const Vec to_r =
        room_of(r, capacity, w) & (arrival.going | ~at(plane(r, PLANE_OWNED), w));
    return arrival.valid & choose(arrival.to_r, to_r, to_straight);
}

/* Unfair: of two heads for the same R that on the N-side does not bid, or that whose
 * turn it is not. Fair: only heads whose turn it is. */
PLANE_INLINE void hold_back(const Stage *stage, unsigned priority, size_t w,
                            WiredHeads heads, Vec *p_bids, Vec *n_bids) {
    const Planes c = lines_of(stage, priority);
    const Vec both = heads.n_to_r & heads.p_to_r;
    if (stage->wired_turns) {
        const Vec n_first = at(plane(kind_of(c, R), PLANE_TURN), w);
        *p_bids &= ~(both & n_first);
        *n_bids &= ~(both & ~n_first);
        return;
    }
    if (!stage->fair) {
        *n_bids &= ~both;
        return;
    }
    const Entry entry = entry_at(&stage->engine->front[priority][stage->dimension], w);
    const Vec head = ~entry.going, none = {0};
    const Pick to_p =
        pick_of_turn(kind_of(c, P), w, heads.p_to_p, none, entry.to[P] & head);
    const Pick to_n =
        pick_of_turn(kind_of(c, N), w, none, heads.n_to_n, entry.to[N] & head);
    const Pick to_r =
        pick_of_turn(kind_of(c, R), w, heads.p_to_r, heads.n_to_r, entry.to[R] & head);
    *p_bids &= ~((heads.p_to_p & ~to_p.p) | (heads.p_to_r & ~to_r.p));
    *n_bids &= ~((heads.n_to_n & ~to_n.n) | (heads.n_to_r & ~to_r.n));
}

/* Step 1: bids, kept at the node at the far end of the wire. */
PLANE_INLINE void bid(const Stage *stage, unsigned priority, unsigned capacity,
                      PlaneShiftKind kind) {
    const Planes c = lines_of(stage, priority), moves = moves_of(stage, priority);
    const Planes to_p = kind_of(c, P), to_n = kind_of(c, N), r = kind_of(c, R);
    for (size_t w = 0; w < stage->words; w += VEC_WORDS) {
        const Arrival p = from_p(stage, to_p, w, kind);
        const Arrival n = from_n(stage, to_n, w, kind);
        Vec p_bids = ready(to_p, r, capacity, p, w);
        Vec n_bids = ready(to_n, r, capacity, n, w);
        hold_back(stage, priority, w, wired_heads(p, n), &p_bids, &n_bids);
        put(plane(moves, PLANE_BID_P), w, p_bids);
        put(plane(moves, PLANE_BID_N), w, n_bids);
    }
}

/* Step 2: the wire above each node. Priority 1 goes first, then the direction that did
 * not move last. Bids up are known to the node above, bids down to this one. */
PLANE_INLINE void cross(const Stage *stage, PlaneShiftKind kind) {
    const PlaneEngine *engine = stage->engine;
    const PlaneShift *shift = &engine->shift[stage->dimension];
    uint64_t *wire_down = plane(planes_from(stage, PLANE_WIRES), stage->dimension);
    uint64_t *ups = event_plane(engine, PLANE_UP + stage->dimension);
    uint64_t *downs = event_plane(engine, PLANE_DOWN + stage->dimension);
    const Vec shared = all_or_none(engine->shared_wires);
    for (size_t w = 0; w < stage->words; w += VEC_WORDS) {
        const Vec last_down = at(wire_down, w);
        Vec up_used = {0}, down_used = {0};
        for (unsigned priority = NET_PRIORITIES; priority-- > 0;) {
            if (!(stage->active >> priority & 1))
                continue;
            const Planes moves = moves_of(stage, priority);
            const Vec up_bids = above(plane(moves, PLANE_BID_P), w, shift, kind) &
                                ~(up_used | (down_used & shared));
            const Vec down_bids =
                at(plane(moves, PLANE_BID_N), w) & ~(down_used | (up_used & shared));
            const Vec both = up_bids & down_bids & shared;
            const Vec up = up_bids & ~(both & ~last_down);
            const Vec down = down_bids & ~(both & last_down);
            put(plane(moves, PLANE_CROSS_P), w, up);
            put(plane(moves, PLANE_CROSS_N), w, down);
            up_used |= up;
            down_used |= down;
        }
        put(wire_down, w, (last_down & ~up_used) | down_used);
        put(ups, w, up_used);
        put(downs, w, down_used);
    }
}

/* Which entering heads may take a channel that has room and is free. */
PLANE_INLINE Vec entering_allowed(const Stage *stage, Planes target, size_t w, Vec p,
                                  Vec n, Vec entering) {
    if (stage->engine->enter_on_lost_wire)
        return all_or_none(true);
    if (stage->fair)
        return pick_of_turn(target, w, p, n, entering).entering;
    return ~(p | n);
}

/* Heads enter a channel: whose turn is next. */
PLANE_INLINE void pass_turn(Planes target, size_t w, Vec p, Vec n, Vec inner) {
    const Vec keep = ~(p | n | inner);
    uint64_t *turn[] = {plane(target, PLANE_TURN), plane(target, PLANE_TURN + 1)};
    put(turn[0], w, (at(turn[0], w) & keep) | p);
    put(turn[1], w, (at(turn[1], w) & keep) | n);
}

/* The same where only the sides take turns: the other one goes first. */
PLANE_INLINE void pass_wired_turn(Planes target, size_t w, Vec p, Vec n) {
    uint64_t *n_first = plane(target, PLANE_TURN);
    put(n_first, w, (at(n_first, w) & ~n) | p);
}

/* Flits, heads and tails that cross wires to this node. */
typedef struct {
    Vec flits, heads, tails;
} Crossed;

PLANE_INLINE Crossed crossed(Vec flits, Vec going, Vec tails) {
    return (Crossed){flits, flits & ~going, flits & tails};
}

PLANE_INLINE Crossed those_to(Crossed all, Vec where) {
    return (Crossed){all.flits & where, all.heads & where, all.tails & where};
}

PLANE_INLINE Crossed both_of(Crossed a, Crossed b) {
    return (Crossed){a.flits | b.flits, a.heads | b.heads, a.tails | b.tails};
}

/* Who enters a channel as a head, and who of them from this node. */
typedef struct {
    uint64_t *entered, *inner;
} HeadPlanes;

PLANE_INLINE HeadPlanes heads_of(const Stage *stage, unsigned priority, unsigned kind) {
    const PlaneHeads *heads = &stage->engine->heads[priority];
    const size_t at = plane_set(stage->dimension, kind) * stage->head_stride;
    return (HeadPlanes){heads->head + at, heads->inner + at};
}

/* Heads that enter R from above. */
PLANE_INLINE uint64_t *above_of(const Stage *stage, unsigned priority) {
    return stage->engine->heads[priority].above +
           plane_set(stage->dimension, R) * stage->head_stride;
}

/* Step 3 for one target, a constant: flits of this node enter it, besides those that
 * come over wires. Returns who enters. */
PLANE_INLINE Vec enter_target(Planes target, Planes moves, HeadPlanes head, unsigned t,
                              unsigned capacity, size_t w, Entry entry, Vec allowed,
                              Crossed over, bool drops) {
    const Vec owned = at(plane(target, PLANE_OWNED), w);
    const Vec entering = entry.to[t] & room_of(target, capacity, w) &
                         (entry.going | (allowed & ~owned & ~over.heads));
    const Vec inner = entering & ~entry.going;
    const Vec heads = over.heads | inner, tails = over.tails | (entering & entry.tail);
    const Vec flits = over.flits | entering;
    put(plane(moves, PLANE_PUSH + t), w, drops ? flits & ~heads : flits);
    put(plane(moves, PLANE_ENTERING_TAIL + t), w, tails);
    put(head.entered, w, heads);
    put(head.inner, w, inner);
    put(plane(target, PLANE_OWNED), w, (owned | heads) & ~tails);
    return entering;
}

typedef struct {
    Vec moved, progressed; /* any node */
} Moved;

PLANE_INLINE void enter(const Stage *stage, unsigned priority, unsigned capacity,
                        PlaneShiftKind kind, Moved *moved) {
    const PlaneEngine *engine = stage->engine;
    const PlaneShift *shift = &engine->shift[stage->dimension];
    const Planes c = lines_of(stage, priority), moves = moves_of(stage, priority);
    const Planes to_p = kind_of(c, P), to_n = kind_of(c, N), to_r = kind_of(c, R);
    const PlaneFront front = engine->front[priority][stage->dimension];
    const bool drops = engine->header_flits == NET_DIMENSIONS;
    for (size_t w = 0; w < stage->words; w += VEC_WORDS) {
        const Arrival p = from_p(stage, to_p, w, kind);
        const Arrival n = from_n(stage, to_n, w, kind);
        const WiredHeads waiting = wired_heads(p, n);
        const Crossed up = crossed(below(plane(moves, PLANE_CROSS_P), w, shift, kind),
                                   p.going, below(tail(to_p, 0), w, shift, kind));
        const Crossed down = crossed(at(plane(moves, PLANE_CROSS_N), w), n.going,
                                     above(tail(to_n, 0), w, shift, kind));
        const Crossed up_r = those_to(up, p.to_r), down_r = those_to(down, n.to_r);
        const Crossed up_p = those_to(up, ~p.to_r), down_n = those_to(down, ~n.to_r);
        const Entry entry = entry_at(&front, w);
        const Vec none = {0}, head = ~entry.going;

        const Vec p_entry = enter_target(
            to_p, moves, heads_of(stage, priority, P), P, capacity, w, entry,
            entering_allowed(stage, to_p, w, waiting.p_to_p, none, entry.to[P] & head),
            up_p, false);
        const Vec n_entry = enter_target(
            to_n, moves, heads_of(stage, priority, N), N, capacity, w, entry,
            entering_allowed(stage, to_n, w, none, waiting.n_to_n, entry.to[N] & head),
            down_n, false);
        const Vec r_entry = enter_target(
            to_r, moves, heads_of(stage, priority, R), R, capacity, w, entry,
            entering_allowed(stage, to_r, w, waiting.p_to_r, waiting.n_to_r,
                             entry.to[R] & head),
            both_of(up_r, down_r), drops);
        put(above_of(stage, priority), w, down_r.heads);
        if (stage->fair) {
            pass_turn(to_p, w, up_p.heads, none, p_entry & head);
            pass_turn(to_n, w, none, down_n.heads, n_entry & head);
            pass_turn(to_r, w, up_r.heads, down_r.heads, r_entry & head);
        } else if (stage->wired_turns) {
            pass_wired_turn(to_r, w, up_r.heads, down_r.heads);
        }
        const Vec entering = p_entry | n_entry | r_entry;
        put(front.going, w, (entry.going | entering) & ~(entering & entry.tail));
        put(leave_of(stage, priority, stage->dimension), w, entering);
        put(plane(moves, PLANE_LEAVE_N), w,
            below(plane(moves, PLANE_CROSS_N), w, shift, kind));
        moved->moved |= entering;
        moved->progressed |= up.flits | down.flits;
        if (drops)
            moved->progressed |= up_r.heads | down_r.heads | (r_entry & head);
    }
}

#endif
