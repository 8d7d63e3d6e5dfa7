/* A cycle of the plane engine: the hot path, see README.md. Included by plane_plain.c,
 * plane_sse2.c, ..., each of which sets VEC_WORDS and PLANE_STEP.
 *
 * Dimensions go Z, Y, X. Each reads its own channels and the front of what enters it;
 * nothing of these is changed before, so all is judged on the start of the cycle. */
#ifndef JM_NET_PLANE_STEP_H
#define JM_NET_PLANE_STEP_H

#include "net/plane_count.h"
#include "net/plane_heads.h"

enum { P = NET_CHANNEL_P, N = NET_CHANNEL_N, R = NET_CHANNEL_R };

/* What is the same all through a cycle of one dimension. Constants of each copy of the
 * functions below: the sizes if they are small, `kind`, `fair`, and a capacity of 2. */
typedef struct {
    PlaneEngine *engine;
    size_t words, stride;
    unsigned dimension;
    unsigned active; /* bit p: there is something to do for priority p */
    bool fair;
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

/* The channels of P; those of N and R follow. */
PLANE_INLINE Planes lines_of(const Stage *stage, unsigned priority) {
    return planes_from(stage, plane_of_channels(priority, stage->dimension, P));
}

PLANE_INLINE Planes kind_of(Planes lines, unsigned kind) {
    return (Planes){plane(lines, kind * PLANE_CHANNEL_SIZE), lines.stride};
}

PLANE_INLINE Planes moves_of(const Stage *stage, unsigned priority) {
    return planes_from(stage, plane_of_priority(priority));
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

PLANE_INLINE Arrival from_p(Planes p, size_t w, const PlaneShift *shift,
                            PlaneShiftKind kind) {
    return (Arrival){below(valid(p, 0), w, shift, kind),
                     below(plane(p, PLANE_GOING), w, shift, kind),
                     below(want(p, 0, 0), w, shift, kind)};
}

PLANE_INLINE Arrival from_n(Planes n, size_t w, const PlaneShift *shift,
                            PlaneShiftKind kind) {
    return (Arrival){above(valid(n, 0), w, shift, kind),
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

/* Unfair: of two heads for the same R that on the N-side does not bid. Fair: only heads
 * whose turn it is. */
PLANE_INLINE void hold_back(const Stage *stage, unsigned priority, size_t w,
                            WiredHeads heads, Vec *p_bids, Vec *n_bids) {
    if (!stage->fair) {
        *n_bids &= ~(heads.n_to_r & heads.p_to_r);
        return;
    }
    const Planes c = lines_of(stage, priority);
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
    const PlaneShift *shift = &stage->engine->shift[stage->dimension];
    const Planes c = lines_of(stage, priority), moves = moves_of(stage, priority);
    const Planes to_p = kind_of(c, P), to_n = kind_of(c, N), r = kind_of(c, R);
    for (size_t w = 0; w < stage->words; w += VEC_WORDS) {
        const Arrival p = from_p(to_p, w, shift, kind);
        const Arrival n = from_n(to_n, w, shift, kind);
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

/* Step 3 for one target, a constant: flits of this node enter it, besides those that
 * come over wires. Returns who enters. */
PLANE_INLINE Vec enter_target(Planes target, Planes moves, unsigned t,
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
    put(plane(moves, PLANE_HEAD + t), w, heads);
    put(plane(moves, PLANE_INNER + t), w, inner);
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
        const Arrival p = from_p(to_p, w, shift, kind);
        const Arrival n = from_n(to_n, w, shift, kind);
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
            to_p, moves, P, capacity, w, entry,
            entering_allowed(stage, to_p, w, waiting.p_to_p, none, entry.to[P] & head),
            up_p, false);
        const Vec n_entry = enter_target(
            to_n, moves, N, capacity, w, entry,
            entering_allowed(stage, to_n, w, none, waiting.n_to_n, entry.to[N] & head),
            down_n, false);
        const Vec r_entry =
            enter_target(to_r, moves, R, capacity, w, entry,
                         entering_allowed(stage, to_r, w, waiting.p_to_r,
                                          waiting.n_to_r, entry.to[R] & head),
                         both_of(up_r, down_r), drops);
        put(plane(moves, PLANE_ABOVE), w, down_r.heads);
        if (stage->fair) {
            pass_turn(to_p, w, up_p.heads, none, p_entry & head);
            pass_turn(to_n, w, none, down_n.heads, n_entry & head);
            pass_turn(to_r, w, up_r.heads, down_r.heads, r_entry & head);
        }
        const Vec entering = p_entry | n_entry | r_entry;
        put(front.going, w, (entry.going | entering) & ~(entering & entry.tail));
        put(plane(moves, PLANE_LEAVE + stage->dimension), w, entering);
        put(plane(moves, PLANE_LEAVE_N), w,
            below(plane(moves, PLANE_CROSS_N), w, shift, kind));
        moved->moved |= entering;
        moved->progressed |= up.flits | down.flits;
        if (drops)
            moved->progressed |= up_r.heads | down_r.heads | (r_entry & head);
    }
}

/* Moves the flits of a channel up behind those that leave, and puts in those that
 * enter. There is room for them even if nobody leaves. Returns where there are flits
 * now. */
PLANE_INLINE Vec advance(Planes c, unsigned capacity, unsigned wants, size_t w,
                         Vec leave, Vec push, Vec tails) {
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
                    here, at(plane(c, PLANE_NEWEST + i), w),
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

/* All moves of the dimension. */
PLANE_INLINE void apply(const Stage *stage, unsigned priority, unsigned capacity) {
    PlaneEngine *engine = stage->engine;
    const unsigned d = stage->dimension;
    const Planes c = lines_of(stage, priority), moves = moves_of(stage, priority);
    const Planes p = kind_of(c, P), n = kind_of(c, N), r = kind_of(c, R);
    uint64_t *blocked = event_plane(engine, plane_blocked(priority, d));
    Vec in_line = {0}, in_r = {0};
    for (size_t w = 0; w < stage->words; w += VEC_WORDS) {
        const Vec leave_p = at(plane(moves, PLANE_CROSS_P), w);
        const Vec leave_n = at(plane(moves, PLANE_LEAVE_N), w);
        const Vec leave_r = at(plane(moves, PLANE_LEAVE + 1 + d), w);
        const Vec p_stays = at(valid(p, 0), w) & ~leave_p;
        const Vec n_stays = at(valid(n, 0), w) & ~leave_n;
        const Vec r_stays = at(valid(r, 0), w) & ~leave_r;
        put(blocked, w, p_stays ^ n_stays ^ r_stays);
        put(blocked + stage->words, w,
            (p_stays & n_stays) | (r_stays & (p_stays | n_stays)));
        pass_going(p, w, leave_p);
        pass_going(n, w, leave_n);
        in_line |=
            advance(p, capacity, 1, w, leave_p, at(plane(moves, PLANE_PUSH + P), w),
                    at(plane(moves, PLANE_ENTERING_TAIL + P), w));
        in_line |=
            advance(n, capacity, 1, w, leave_n, at(plane(moves, PLANE_PUSH + N), w),
                    at(plane(moves, PLANE_ENTERING_TAIL + N), w));
        in_r |= advance(r, capacity, 2, w, leave_r, at(plane(moves, PLANE_PUSH + R), w),
                        at(plane(moves, PLANE_ENTERING_TAIL + R), w));
    }
    engine->occupied_r[priority][d] = any(in_r);
    engine->occupied[priority][d] = any(in_line | in_r);
}

PLANE_INLINE void move_of_kind(const Stage *stage, unsigned capacity,
                               PlaneShiftKind kind, Moved *moved) {
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        if (stage->active >> priority & 1)
            bid(stage, priority, capacity, kind);
    cross(stage, kind);
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        if (stage->active >> priority & 1)
            enter(stage, priority, capacity, kind, moved);
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        if (stage->active >> priority & 1) {
            plane_enter_heads(stage->engine, priority, stage->dimension);
            apply(stage, priority, capacity);
        }
}

PLANE_INLINE void move(const Stage *stage, unsigned capacity, Moved *moved) {
    switch (stage->engine->shift[stage->dimension].kind) {
    case PLANE_WITHIN:
        move_of_kind(stage, capacity, PLANE_WITHIN, moved);
        break;
    case PLANE_WORDS:
        move_of_kind(stage, capacity, PLANE_WORDS, moved);
        break;
    case PLANE_ACROSS:
        move_of_kind(stage, capacity, PLANE_ACROSS, moved);
        break;
    }
}

/* The copies: small meshes and large ones with two places in a channel, as built; and
 * one for everything else. */
static void move_small(PlaneEngine *engine, unsigned dimension, unsigned active,
                       Moved *moved) {
    const Stage stage = {.engine = engine,
                         .words = PLANE_SMALL_WORDS,
                         .stride = PLANE_SMALL_STRIDE,
                         .dimension = dimension,
                         .active = active,
                         .fair = false};
    move(&stage, 2, moved);
}

static void move_large(PlaneEngine *engine, unsigned dimension, unsigned active,
                       Moved *moved) {
    const Stage stage = {.engine = engine,
                         .words = engine->words,
                         .stride = engine->stride,
                         .dimension = dimension,
                         .active = active,
                         .fair = false};
    move(&stage, 2, moved);
}

static void move_any(PlaneEngine *engine, unsigned dimension, unsigned active,
                     Moved *moved) {
    const Stage stage = {.engine = engine,
                         .words = engine->words,
                         .stride = engine->stride,
                         .dimension = dimension,
                         .active = active,
                         .fair = engine->fair};
    move(&stage, engine->capacity, moved);
}

static void step_dimension(PlaneEngine *engine, unsigned dimension, Moved *moved) {
    unsigned active = 0;
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        const bool entering = dimension ? engine->occupied_r[priority][dimension - 1]
                                        : engine->sending[priority];
        if (entering || engine->occupied[priority][dimension])
            active |= 1u << priority;
        else
            memset(of_priority(engine, priority, PLANE_LEAVE + dimension), 0,
                   engine->words * sizeof(uint64_t));
    }
    if (!active)
        return;
    if (engine->fair || engine->capacity != 2)
        move_any(engine, dimension, active, moved);
    else if (engine->stride == PLANE_SMALL_STRIDE && engine->words == PLANE_SMALL_WORDS)
        move_small(engine, dimension, active, moved);
    else
        move_large(engine, dimension, active, moved);
}

/* The ejection: R of Z, behind an open gate. */
static void eject(Net *net, PlaneEngine *engine, unsigned priority, Moved *moved) {
    const PlaneChannels *r = &engine->channels[priority][NET_DIMENSIONS - 1][R];
    const PlaneSinks *sinks = &engine->sinks[priority];
    uint64_t *heads = of_priority(engine, priority, PLANE_HEAD);
    uint64_t *headers_out = of_priority(engine, priority, PLANE_HEAD + 1);
    uint64_t *leave = of_priority(engine, priority, PLANE_LEAVE + NET_DIMENSIONS);
    const uint32_t headers = engine->header_flits % NET_DIMENSIONS;
    for (size_t w = 0; w < engine->words; w += VEC_WORDS) {
        const Vec flits = at(r->valid[0], w) & at(sinks->gate, w);
        const Vec going = at(r->going, w), tails = flits & at(r->tail[0], w);
        const Vec second = at(sinks->second, w), half = at(sinks->half, w);
        const Vec dropped = flits & ((~going & all_or_none(headers > 0)) |
                                     (second & all_or_none(headers > 1)));
        const Vec data = flits & ~dropped;
        put(leave, w, flits);
        put(event_plane(engine, PLANE_OUT + priority), w, flits);
        put(heads, w, flits & ~going);
        put(headers_out, w, dropped);
        put(sinks->second, w, (second & ~flits) | (flits & ~going));
        put(sinks->half, w, half ^ data);
        put(sinks->word, w, half & data);
        put(sinks->tail, w, tails);
        put(net->received[priority], w, half & data);
        put(r->going, w, (going | flits) & ~tails);
        moved->progressed |= flits;
    }
    plane_eject_heads(engine, priority, heads);
    for (size_t w = 0; headers && w < engine->words; w++)
        engine->headers_dropped[priority] +=
            (unsigned)__builtin_popcountll(headers_out[w]);
}

/* Before the cycle: which of the flits that could leave the buffers are tails. */
static void mark_tails(const PlaneSources *sources, size_t words) {
    for (size_t w = 0; w < words; w += VEC_WORDS) {
        Vec more = {0};
        for (unsigned bit = 1; bit < PLANE_CREDIT; bit++)
            more |= at(sources->credit[bit], w);
        put(sources->tail, w, at(sources->last, w) & ~more);
    }
}

/* Takes one off the credit where a flit has left. Returns what is left. */
PLANE_INLINE Vec spend(const PlaneSources *sources, size_t w, Vec left) {
    Vec credit = {0};
    for (unsigned bit = 0; bit < PLANE_CREDIT; bit++) {
        const Vec old = at(sources->credit[bit], w);
        put(sources->credit[bit], w, old ^ left);
        credit |= old ^ left;
        left &= ~old;
    }
    return credit;
}

/* A place is free with the last header flit (H = 0: the first data flit) and with each
 * word's second flit. A flit is the second of its word, and of three headers the first
 * or last, if the credit is odd. */
static void leave_sources(Net *net, PlaneEngine *engine, unsigned priority,
                          Moved *moved) {
    const PlaneSources *sources = &engine->sources[priority];
    const uint64_t *leave = of_priority(engine, priority, PLANE_LEAVE);
    const uint64_t *inner[] = {of_priority(engine, priority, PLANE_INNER + P),
                               of_priority(engine, priority, PLANE_INNER + N),
                               of_priority(engine, priority, PLANE_INNER + R)};
    uint64_t *starts = of_priority(engine, priority, PLANE_HEAD);
    uint64_t *done = of_priority(engine, priority, PLANE_HEAD + 1);
    uint64_t *dry = of_priority(engine, priority, PLANE_HEAD + 2);
    const uint32_t headers = engine->header_flits;
    Vec sending = {0};
    for (size_t w = 0; w < engine->words; w += VEC_WORDS) {
        const Vec left = at(leave, w);
        const Vec heads = left & (at(inner[P], w) | at(inner[N], w) | at(inner[R], w));
        const Vec odd = at(sources->credit[0], w);
        const Vec freed = left & ((odd & ~(heads & all_or_none(headers == 3))) |
                                  (heads & all_or_none(headers == 0)));
        const Vec credit = spend(sources, w, left);
        put(net->drained[priority], w, freed);
        put(event_plane(engine, PLANE_SENT + priority), w, left);
        put(sources->valid, w, credit);
        put(starts, w, heads);
        const Vec spent = left & ~credit, last = at(sources->last, w);
        put(done, w, spent & last);
        put(dry, w, spent & ~last);
        sending |= credit;
        moved->progressed |= left;
    }
    engine->sending[priority] = any(sending);
    plane_free_places(net, engine, priority);
    plane_start_messages(net, engine, priority, starts);
    plane_spend_credits(net, engine, priority, done, dry);
}

static void clear_sets(Net *net, PlaneEngine *engine, unsigned priority) {
    const size_t bytes = engine->words * sizeof(uint64_t);
    if (engine->sets_clear[priority])
        return;
    memset(net->drained[priority], 0, bytes);
    memset(net->received[priority], 0, bytes);
    memset(engine->sinks[priority].word, 0, bytes);
    engine->sets_clear[priority] = true;
}

static bool has_messages(const Net *net, unsigned priority) {
    const NetStatistics *seen = &net->statistics;
    return seen->messages_opened[priority] != seen->messages_delivered[priority];
}

bool PLANE_STEP(Net *net, void *state) {
    PlaneEngine *engine = state;
    const Vec none = {0};
    Moved moved = {none, none};
    bool live[NET_PRIORITIES];
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        live[priority] = has_messages(net, priority);
        if (live[priority])
            engine->sets_clear[priority] = false;
        else
            clear_sets(net, engine, priority);
    }
    net->progressed = false;
    if (!live[0] && !live[1])
        return false;
    begin_events(engine);
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        if (live[priority]) {
            eject(net, engine, priority, &moved);
            mark_tails(&engine->sources[priority], engine->words);
        }
    for (unsigned d = NET_DIMENSIONS; d-- > 0;)
        step_dimension(engine, d, &moved);
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        if (live[priority])
            leave_sources(net, engine, priority, &moved);
    plane_deliver_words(net, engine, live[0] | (unsigned)live[1] << 1);
    end_events(engine);
    if (engine->ticks >= PLANE_MAX_TICKS)
        plane_settle(net, engine);
    net->progressed = any(moved.progressed);
    return any(moved.moved | moved.progressed);
}

#endif
