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
 * functions below: `kind`, `fair` and, in advance(), small. */
typedef struct {
    PlaneEngine *engine;
    unsigned dimension;
    unsigned active; /* bit p: there is something to do for priority p */
} Stage;

/* Flits at the front of P of the node below or N of the node above: over the wire. */
typedef struct {
    Vec valid, going, to_r;
} Arrival;

PLANE_INLINE Arrival from_p(const PlaneChannels *p, size_t w, const PlaneShift *shift,
                            PlaneShiftKind kind) {
    return (Arrival){below(p->valid[0], w, shift, kind),
                     below(p->going, w, shift, kind),
                     below(p->want[0][0], w, shift, kind)};
}

PLANE_INLINE Arrival from_n(const PlaneChannels *n, size_t w, const PlaneShift *shift,
                            PlaneShiftKind kind) {
    return (Arrival){above(n->valid[0], w, shift, kind),
                     above(n->going, w, shift, kind),
                     above(n->want[0][0], w, shift, kind)};
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

PLANE_INLINE Pick pick_of_turn(const PlaneChannels *target, size_t w, Vec p, Vec n,
                               Vec entering) {
    const Vec from_n_on = at(target->turn[0], w),
              from_inner_on = at(target->turn[1], w);
    const Vec from_p_on = ~(from_n_on | from_inner_on);
    return (Pick){
        p & (from_p_on | ~(entering | (from_n_on & n))),
        n & (from_n_on | ~(p | (from_inner_on & entering))),
        entering & (from_inner_on | ~(n | (from_p_on & p))),
    };
}

PLANE_INLINE Vec room_of(const PlaneEngine *engine, const PlaneChannels *channels,
                         size_t w) {
    return ~at(channels->valid[engine->capacity - 1], w);
}

/* Those of an arrival that find room, in a channel that is their own or free. */
PLANE_INLINE Vec ready(const PlaneEngine *engine, const PlaneChannels *straight,
                       const PlaneChannels *r, Arrival arrival, size_t w) {
    const Vec to_straight =
        room_of(engine, straight, w) & (arrival.going | ~at(straight->owned, w));
    const Vec to_r = room_of(engine, r, w) & (arrival.going | ~at(r->owned, w));
    return arrival.valid & choose(arrival.to_r, to_r, to_straight);
}

/* Heads that may not bid although they are ready. */
PLANE_INLINE void hold_back(const PlaneEngine *engine, const Stage *stage,
                            unsigned priority, size_t w, WiredHeads heads, Vec *p_bids,
                            Vec *n_bids, bool fair) {
    if (!fair) {
        *n_bids &= ~(heads.n_to_r & heads.p_to_r); /* P before N */
        return;
    }
    const PlaneChannels *c = engine->channels[priority][stage->dimension];
    const Entry entry = entry_at(&engine->front[priority][stage->dimension], w);
    const Vec head = ~entry.going, none = {0};
    const Pick to_p = pick_of_turn(&c[P], w, heads.p_to_p, none, entry.to[P] & head);
    const Pick to_n = pick_of_turn(&c[N], w, none, heads.n_to_n, entry.to[N] & head);
    const Pick to_r =
        pick_of_turn(&c[R], w, heads.p_to_r, heads.n_to_r, entry.to[R] & head);
    *p_bids &= ~((heads.p_to_p & ~to_p.p) | (heads.p_to_r & ~to_r.p));
    *n_bids &= ~((heads.n_to_n & ~to_n.n) | (heads.n_to_r & ~to_r.n));
}

/* Step 1: bids, kept at the node at the far end of the wire. */
PLANE_INLINE void bid(const Stage *stage, unsigned priority, PlaneShiftKind kind,
                      bool fair) {
    const PlaneEngine *engine = stage->engine;
    const PlaneShift *shift = &engine->shift[stage->dimension];
    const PlaneChannels *c = engine->channels[priority][stage->dimension];
    const PlaneMoves *moves = &engine->moves[priority];
    for (size_t w = 0; w < engine->words; w += VEC_WORDS) {
        const Arrival p = from_p(&c[P], w, shift, kind);
        const Arrival n = from_n(&c[N], w, shift, kind);
        Vec p_bids = ready(engine, &c[P], &c[R], p, w);
        Vec n_bids = ready(engine, &c[N], &c[R], n, w);
        hold_back(engine, stage, priority, w, wired_heads(p, n), &p_bids, &n_bids,
                  fair);
        put(moves->bid[0], w, p_bids);
        put(moves->bid[1], w, n_bids);
    }
}

/* Step 2: the wire above each node. Priority 1 goes first, then the direction that did
 * not move last. Bids up are known to the node above, bids down to this one. */
PLANE_INLINE void cross(const Stage *stage, PlaneShiftKind kind) {
    PlaneEngine *engine = stage->engine;
    const PlaneShift *shift = &engine->shift[stage->dimension];
    uint64_t *wire_down = engine->wire_down[stage->dimension];
    const Vec shared = all_or_none(engine->shared_wires);
    for (size_t w = 0; w < engine->words; w += VEC_WORDS) {
        const Vec last_down = at(wire_down, w);
        Vec up_used = {0}, down_used = {0};
        for (unsigned priority = NET_PRIORITIES; priority-- > 0;) {
            if (!(stage->active >> priority & 1))
                continue;
            const PlaneMoves *moves = &engine->moves[priority];
            const Vec up_bids = above(moves->bid[0], w, shift, kind) &
                                ~(up_used | (down_used & shared));
            const Vec down_bids =
                at(moves->bid[1], w) & ~(down_used | (up_used & shared));
            const Vec both = up_bids & down_bids & shared;
            const Vec up = up_bids & ~(both & ~last_down);
            const Vec down = down_bids & ~(both & last_down);
            put(moves->cross[0], w, up);
            put(moves->cross[1], w, down);
            up_used |= up;
            down_used |= down;
        }
        put(wire_down, w, (last_down & ~up_used) | down_used);
        put(event_plane(engine, PLANE_UP + stage->dimension), w, up_used);
        put(event_plane(engine, PLANE_DOWN + stage->dimension), w, down_used);
    }
}

/* Which entering heads may take a channel that has room and is free. */
PLANE_INLINE Vec entering_allowed(const PlaneEngine *engine,
                                  const PlaneChannels *target, size_t w, Vec p, Vec n,
                                  Vec entering, bool fair) {
    if (engine->enter_on_lost_wire)
        return all_or_none(true);
    if (fair)
        return pick_of_turn(target, w, p, n, entering).entering;
    return ~(p | n);
}

/* The channel that the heads `from_p`, `from_n` and `inner` enter: whose turn is next.
 */
PLANE_INLINE void pass_turn(const PlaneChannels *target, size_t w, Vec p, Vec n,
                            Vec inner) {
    const Vec keep = ~(p | n | inner);
    put(target->turn[0], w, (at(target->turn[0], w) & keep) | p);
    put(target->turn[1], w, (at(target->turn[1], w) & keep) | n);
}

/* Step 3 for one target: flits of this node enter it, besides those (`crossed`, with
 * `crossed_heads` and `crossed_tails`) that come over wires. Returns who enters. */
PLANE_INLINE Vec enter_target(const PlaneEngine *engine, const PlaneMoves *moves,
                              const PlaneChannels *target, unsigned t, size_t w,
                              Entry entry, Vec allowed, Vec crossed, Vec crossed_heads,
                              Vec crossed_tails) {
    const Vec owned = at(target->owned, w);
    const Vec entering = entry.to[t] & room_of(engine, target, w) &
                         (entry.going | (allowed & ~owned & ~crossed_heads));
    const Vec inner = entering & ~entry.going;
    const Vec heads = crossed_heads | inner;
    const Vec tails = crossed_tails | (entering & entry.tail);
    const bool drops = t == R && engine->header_flits == NET_DIMENSIONS;
    put(moves->push[t], w, (crossed | entering) & ~(heads & all_or_none(drops)));
    put(moves->tail[t], w, tails);
    put(moves->head[t], w, heads);
    put(moves->inner[t], w, inner);
    put(target->owned, w, (owned | heads) & ~tails);
    return entering;
}

/* Flits, heads and tails that cross wires to this node. */
typedef struct {
    Vec flits, heads, tails;
} Crossed;

PLANE_INLINE Crossed crossed(Vec flits, Vec going, Vec tails) {
    return (Crossed){flits, flits & ~going, flits & tails};
}

typedef struct {
    Vec moved, progressed; /* any node */
} Moved;

PLANE_INLINE void enter(const Stage *stage, unsigned priority, PlaneShiftKind kind,
                        bool fair, Moved *moved) {
    const PlaneEngine *engine = stage->engine;
    const unsigned d = stage->dimension;
    const PlaneShift *shift = &engine->shift[d];
    const PlaneChannels *c = engine->channels[priority][d];
    const PlaneMoves *moves = &engine->moves[priority];
    const PlaneFront *front = &engine->front[priority][d];
    const bool drops = engine->header_flits == NET_DIMENSIONS;
    for (size_t w = 0; w < engine->words; w += VEC_WORDS) {
        const Arrival p = from_p(&c[P], w, shift, kind);
        const Arrival n = from_n(&c[N], w, shift, kind);
        const WiredHeads waiting = wired_heads(p, n);
        const Crossed up = crossed(below(moves->cross[0], w, shift, kind), p.going,
                                   below(c[P].tail[0], w, shift, kind));
        const Crossed down = crossed(at(moves->cross[1], w), n.going,
                                     above(c[N].tail[0], w, shift, kind));
        const Entry entry = entry_at(front, w);
        const Vec none = {0}, head = ~entry.going;

        const Vec to_p =
            enter_target(engine, moves, &c[P], P, w, entry,
                         entering_allowed(engine, &c[P], w, waiting.p_to_p, none,
                                          entry.to[P] & head, fair),
                         up.flits & ~p.to_r, up.heads & ~p.to_r, up.tails & ~p.to_r);
        const Vec to_n = enter_target(
            engine, moves, &c[N], N, w, entry,
            entering_allowed(engine, &c[N], w, none, waiting.n_to_n, entry.to[N] & head,
                             fair),
            down.flits & ~n.to_r, down.heads & ~n.to_r, down.tails & ~n.to_r);
        const Vec r_up = up.heads & p.to_r, r_down = down.heads & n.to_r;
        const Vec to_r =
            enter_target(engine, moves, &c[R], R, w, entry,
                         entering_allowed(engine, &c[R], w, waiting.p_to_r,
                                          waiting.n_to_r, entry.to[R] & head, fair),
                         (up.flits & p.to_r) | (down.flits & n.to_r), r_up | r_down,
                         (up.tails & p.to_r) | (down.tails & n.to_r));
        put(moves->above, w, r_down);
        if (fair) {
            pass_turn(&c[P], w, up.heads & ~p.to_r, none, to_p & head);
            pass_turn(&c[N], w, none, down.heads & ~n.to_r, to_n & head);
            pass_turn(&c[R], w, r_up, r_down, to_r & head);
        }
        const Vec entering = to_p | to_n | to_r;
        put(front->going, w, (entry.going | entering) & ~(entering & entry.tail));
        put(engine->leave[priority][d], w, entering);
        put(moves->leave_n, w, below(moves->cross[1], w, shift, kind));
        moved->moved |= entering;
        moved->progressed |=
            up.flits | down.flits | (at(moves->head[R], w) & all_or_none(drops));
    }
}

/* Moves the flits of a channel up behind those that leave, and puts in those that
 * enter. There is room for them even if nobody leaves. Returns where there are flits
 * now. */
PLANE_INLINE Vec advance(const PlaneChannels *c, unsigned capacity, unsigned wants,
                         size_t w, Vec leave, Vec push, Vec tail) {
    Vec before = all_or_none(true), any_flits = {0};
    for (unsigned slot = 0; slot < capacity; slot++) {
        const bool last = slot + 1 == capacity;
        const unsigned behind = last ? slot : slot + 1;
        const Vec valid = at(c->valid[slot], w);
        const Vec kept =
            last ? valid & ~leave : choose(leave, at(c->valid[behind], w), valid);
        const Vec here = push & ~kept & before;
        put(c->valid[slot], w, kept | here);
        put(c->tail[slot], w,
            choose(here, tail,
                   choose(leave, at(c->tail[behind], w), at(c->tail[slot], w))));
        for (unsigned i = 0; i < wants; i++)
            put(c->want[slot][i], w,
                choose(
                    here, at(c->newest[i], w),
                    choose(leave, at(c->want[behind][i], w), at(c->want[slot][i], w))));
        before = kept;
        if (slot == 0)
            any_flits = kept | here;
    }
    return any_flits;
}

PLANE_INLINE void pass_going(const PlaneChannels *c, size_t w, Vec leave) {
    put(c->going, w, (at(c->going, w) | leave) & ~(leave & at(c->tail[0], w)));
}

/* All moves of the dimension; `capacity` is a constant if it is 2. */
PLANE_INLINE void apply(const Stage *stage, unsigned priority, unsigned capacity) {
    PlaneEngine *engine = stage->engine;
    const unsigned d = stage->dimension;
    const PlaneChannels *c = engine->channels[priority][d];
    const PlaneMoves *moves = &engine->moves[priority];
    uint64_t *blocked = event_plane(engine, plane_blocked(priority, d));
    Vec in_line = {0}, in_r = {0};
    for (size_t w = 0; w < engine->words; w += VEC_WORDS) {
        const Vec leave_p = at(moves->cross[0], w), leave_n = at(moves->leave_n, w);
        const Vec leave_r = at(engine->leave[priority][d + 1], w);
        const Vec p = at(c[P].valid[0], w) & ~leave_p;
        const Vec n = at(c[N].valid[0], w) & ~leave_n;
        const Vec r = at(c[R].valid[0], w) & ~leave_r;
        put(blocked, w, p ^ n ^ r);
        put(blocked + engine->words, w, (p & n) | (r & (p | n)));
        pass_going(&c[P], w, leave_p);
        pass_going(&c[N], w, leave_n);
        in_line |= advance(&c[P], capacity, 1, w, leave_p, at(moves->push[P], w),
                           at(moves->tail[P], w));
        in_line |= advance(&c[N], capacity, 1, w, leave_n, at(moves->push[N], w),
                           at(moves->tail[N], w));
        in_r |= advance(&c[R], capacity, d + 1 < NET_DIMENSIONS ? 2 : 0, w, leave_r,
                        at(moves->push[R], w), at(moves->tail[R], w));
    }
    engine->occupied_r[priority][d] = any(in_r);
    engine->occupied[priority][d] = any(in_line | in_r);
}

PLANE_INLINE void dimension_of_kind(const Stage *stage, PlaneShiftKind kind, bool fair,
                                    Moved *moved) {
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        if (stage->active >> priority & 1)
            bid(stage, priority, kind, fair);
    cross(stage, kind);
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        if (stage->active >> priority & 1)
            enter(stage, priority, kind, fair, moved);
}

static void move_fairly(const Stage *stage, Moved *moved) {
    switch (stage->engine->shift[stage->dimension].kind) {
    case PLANE_WITHIN:
        dimension_of_kind(stage, PLANE_WITHIN, true, moved);
        break;
    case PLANE_WORDS:
        dimension_of_kind(stage, PLANE_WORDS, true, moved);
        break;
    case PLANE_ACROSS:
        dimension_of_kind(stage, PLANE_ACROSS, true, moved);
        break;
    }
}

static void move_unfairly(const Stage *stage, Moved *moved) {
    switch (stage->engine->shift[stage->dimension].kind) {
    case PLANE_WITHIN:
        dimension_of_kind(stage, PLANE_WITHIN, false, moved);
        break;
    case PLANE_WORDS:
        dimension_of_kind(stage, PLANE_WORDS, false, moved);
        break;
    case PLANE_ACROSS:
        dimension_of_kind(stage, PLANE_ACROSS, false, moved);
        break;
    }
}

static void step_dimension(PlaneEngine *engine, unsigned dimension, Moved *moved) {
    Stage stage = {.engine = engine, .dimension = dimension};
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        const bool entering = dimension ? engine->occupied_r[priority][dimension - 1]
                                        : engine->sending[priority];
        if (entering || engine->occupied[priority][dimension])
            stage.active |= 1u << priority;
        else
            memset(engine->leave[priority][dimension], 0,
                   engine->words * sizeof(uint64_t));
    }
    if (!stage.active)
        return;
    if (engine->fair)
        move_fairly(&stage, moved);
    else
        move_unfairly(&stage, moved);
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        if (!(stage.active >> priority & 1))
            continue;
        plane_enter_heads(engine, priority, dimension);
        if (engine->capacity == 2)
            apply(&stage, priority, 2);
        else
            apply(&stage, priority, engine->capacity);
    }
}

/* The ejection: R of Z, behind an open gate. */
static void eject(Net *net, PlaneEngine *engine, unsigned priority, Moved *moved) {
    const PlaneChannels *r = &engine->channels[priority][NET_DIMENSIONS - 1][R];
    const PlaneSinks *sinks = &engine->sinks[priority];
    uint64_t *heads = engine->moves[priority].head[0];
    uint64_t *headers_out = engine->moves[priority].head[1];
    const uint32_t headers = engine->header_flits % NET_DIMENSIONS;
    for (size_t w = 0; w < engine->words; w += VEC_WORDS) {
        const Vec flits = at(r->valid[0], w) & at(sinks->gate, w);
        const Vec going = at(r->going, w), tails = flits & at(r->tail[0], w);
        const Vec second = at(sinks->second, w), half = at(sinks->half, w);
        const Vec dropped = flits & ((~going & all_or_none(headers > 0)) |
                                     (second & all_or_none(headers > 1)));
        const Vec data = flits & ~dropped;
        put(engine->leave[priority][NET_DIMENSIONS], w, flits);
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
    plane_eject_heads(engine, priority);
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
    const PlaneMoves *moves = &engine->moves[priority];
    uint64_t *starts = moves->head[0], *spent = moves->head[1];
    const uint32_t headers = engine->header_flits;
    Vec sending = {0};
    for (size_t w = 0; w < engine->words; w += VEC_WORDS) {
        const Vec left = at(engine->leave[priority][0], w);
        const Vec heads = left & (at(moves->inner[P], w) | at(moves->inner[N], w) |
                                  at(moves->inner[R], w));
        const Vec odd = at(sources->credit[0], w);
        const Vec freed = left & ((odd & ~(heads & all_or_none(headers == 3))) |
                                  (heads & all_or_none(headers == 0)));
        const Vec credit = spend(sources, w, left);
        put(net->drained[priority], w, freed);
        put(event_plane(engine, PLANE_SENT + priority), w, left);
        put(sources->valid, w, credit);
        put(starts, w, heads);
        put(spent, w, left & ~credit);
        sending |= credit;
        moved->progressed |= left;
    }
    engine->sending[priority] = any(sending);
    plane_free_places(net, engine, priority);
    plane_start_messages(net, engine, priority, starts);
    plane_spend_credits(net, engine, priority, spent);
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
