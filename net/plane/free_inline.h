/* Moves of uncontended vectors, as at light load: an unobstructed message has one flit
 * in every channel of its path, and all of them move. Then there is nothing to decide,
 * and second places stay empty. For one priority and default parameters. A part of
 * step_inline.h. */
#ifndef JM_NET_PLANE_FREE_INLINE_H
#define JM_NET_PLANE_FREE_INLINE_H

#include "net/plane/apply_inline.h"

/* Flits that enter a channel together, heads among them, and tails. */
typedef struct {
    Vec flits, tails;
} Inflow;

/* Whether second places are taken in vectors from word w up to `end`. */
PLANE_INLINE bool is_crowded(const Stage *stage, size_t w, size_t end) {
    const Planes c = lines_of(stage, 0);
    Vec second = {0};
    PLANE_UNROLL
    for (size_t v = w; v < end; v += VEC_WORDS)
        second |= at(valid(kind_of(c, P), 1), v) | at(valid(kind_of(c, N), 1), v) |
                  at(valid(kind_of(c, R), 1), v);
    return any(second);
}

/* Records the heads that enter channels, for heads_inline.h and let_flow(). Returns
 * where some are in the way: a flit stays in R, both directions of a wire are used, or
 * a head goes to a channel that is owned or wanted by another head. Other flits go to
 * channels they own. */
PLANE_INLINE Vec note_heads(const Stage *stage, unsigned priority, size_t w) {
    const Planes c = lines_of(stage, priority);
    const Planes p = kind_of(c, P), n = kind_of(c, N), r = kind_of(c, R);
    const Arrivals from = arrivals(stage, priority, w);
    const PlaneFront front = front_of(stage, priority);
    const Entry entry = entry_at(&front, w);
    const WiredHeads over = wired_heads(&from);
    const Vec inner_p = without(entry.to[P], entry.going);
    const Vec inner_n = without(entry.to[N], entry.going);
    const Vec inner_r = without(entry.to[R], entry.going);
    const Vec over_r = over.p_to_r | over.n_to_r;
    put(heads_of(stage, priority, P, PLANE_WIRED), w, over.p_to_p);
    put(heads_of(stage, priority, N, PLANE_WIRED), w, over.n_to_n);
    put(heads_of(stage, priority, R, PLANE_WIRED), w, over.p_to_r);
    put(heads_of(stage, priority, R, PLANE_ABOVE), w, over.n_to_r);
    put(heads_of(stage, priority, P, PLANE_INNER), w, inner_p);
    put(heads_of(stage, priority, N, PLANE_INNER), w, inner_n);
    put(heads_of(stage, priority, R, PLANE_INNER), w, inner_r);
    return without(at(valid(r, 0), w),
                   at(leave_of(stage, priority, stage->dimension + 1), w)) |
           (at(valid(p, 0), w) & from.n.valid) | (over.p_to_p & inner_p) |
           ((over.p_to_p | inner_p) & at(plane(p, PLANE_OWNED), w)) |
           (over.n_to_n & inner_n) |
           ((over.n_to_n | inner_n) & at(plane(n, PLANE_OWNED), w)) |
           (over.p_to_r & over.n_to_r) | (over_r & inner_r) |
           ((over_r | inner_r) & at(plane(r, PLANE_OWNED), w));
}

/* Stores the flits that enter P or N, whose previous flits have all left, in its
 * planes. The head of the message that owned it has left. */
PLANE_INLINE void refill_line(const Stage *stage, unsigned priority, unsigned kind,
                              size_t w, Inflow in) {
    const Planes c = kind_of(lines_of(stage, priority), kind);
    const Vec owned = at(plane(c, PLANE_OWNED), w);
    const Vec heads = at(heads_of(stage, priority, kind, PLANE_WIRED), w) |
                      at(heads_of(stage, priority, kind, PLANE_INNER), w);
    put(valid(c, 0), w, in.flits);
    put(tail(c, 0), w, in.tails);
    put(plane(c, PLANE_GOING), w, owned);
    put(plane(c, PLANE_OWNED), w, without(owned | heads, in.tails));
}

/* The same for R, which heads enter without taking a place. Returns the heads. */
PLANE_INLINE Vec refill_r(const Stage *stage, unsigned priority, size_t w, Inflow in) {
    const Planes c = kind_of(lines_of(stage, priority), R);
    const Vec heads = at(heads_of(stage, priority, R, PLANE_WIRED), w) |
                      at(heads_of(stage, priority, R, PLANE_ABOVE), w) |
                      at(heads_of(stage, priority, R, PLANE_INNER), w);
    put(valid(c, 0), w, without(in.flits, heads));
    put(tail(c, 0), w, in.tails);
    put(plane(c, PLANE_OWNED), w,
        without(at(plane(c, PLANE_OWNED), w) | heads, in.tails));
    return heads;
}

/* Moves all flits that arrive at the nodes of a vector; `n` are those from above. */
PLANE_INLINE void let_flow(const Stage *stage, unsigned priority, size_t w, Arrival n,
                           Moved *moved) {
    const Planes c = lines_of(stage, priority);
    const Arrival p = arrivals(stage, priority, w).p;
    const PlaneFront front = front_of(stage, priority);
    const Entry entry = entry_at(&front, w);
    const Vec up = at(valid(kind_of(c, P), 0), w);
    const Vec tails[] = {p.valid & p.tail, n.valid & n.tail};
    const Inflow to_p = {without(p.valid, p.to_r) | entry.to[P],
                         without(tails[P], p.to_r) | (entry.to[P] & entry.tail)};
    const Inflow to_n = {without(n.valid, n.to_r) | entry.to[N],
                         without(tails[N], n.to_r) | (entry.to[N] & entry.tail)};
    const Inflow to_r = {(p.valid & p.to_r) | (n.valid & n.to_r) | entry.to[R],
                         (tails[P] & p.to_r) | (tails[N] & n.to_r) |
                             (entry.to[R] & entry.tail)};
    const Vec own = at(front.valid, w);
    note_wires(stage, w, (Crossing){up, n.valid});
    refill_line(stage, priority, P, w, to_p);
    refill_line(stage, priority, N, w, to_n);
    const Vec r_heads = refill_r(stage, priority, w, to_r);
    put(front.going, w, without(entry.going | own, own & entry.tail));
    put(leave_of(stage, priority, stage->dimension), w, own);
    moved->moved |= own;
    moved->progressed |= p.valid | n.valid | r_heads;
}

/* Moves vectors that are each other's neighbours and not crowded, from word w up to
 * `end`, if nothing in them is in the way. Returns whether it did. Lower vectors go
 * last, because flits from there are looked at late. */
PLANE_INLINE bool move_freely(const Stage *stage, unsigned priority, size_t w,
                              size_t end, Moved *moved) {
    Arrival from_above[PLANE_SMALL_WORDS / VEC_WORDS];
    Vec stopped = {0};
    PLANE_UNROLL
    for (size_t v = w; v < end; v += VEC_WORDS)
        stopped |= note_heads(stage, priority, v);
    if (any(stopped))
        return false;
    PLANE_UNROLL
    for (size_t v = w; v < end; v += VEC_WORDS)
        from_above[(v - w) / VEC_WORDS] = arrivals(stage, priority, v).n;
    PLANE_UNROLL
    for (size_t v = end; v > w; v -= VEC_WORDS)
        let_flow(stage, priority, v - VEC_WORDS, from_above[(v - w) / VEC_WORDS - 1],
                 moved);
    return true;
}

#endif
