/* Which flits move, given the state at the start of the cycle. A flit could move if the
 * next point is its message's own and has a place, or loses its own front flit in the
 * same cycle. One lane of a wire sends: the first, from the turn on, that could; lanes
 * of priority 1 have a turn of their own and go before the others.
 *
 *     wish    all that could move, if each had its wire to itself
 *     pick    each track chooses one of its lanes
 *     strike  a flit that needs the place of one not chosen cannot move: final
 *     again   tracks whose choice was struck choose another, until none has to
 *
 * All tracks pick before any flit is struck, and which flits are struck depends only on
 * the picks, so the order of visiting does not matter. */
#include "net/flow/flow.h"

static uint32_t winner_of(const FlowEngine *engine, uint32_t track) {
    return engine->user[track * NET_MAX_LANES + engine->track[track].winner];
}

static void break_link(FlowEngine *engine, uint32_t s) {
    net_bits_put(&engine->broken, s, true);
    engine->any_broken = true;
}

/* Records the wish of another lane for a track that has a wish. */
static void compete(FlowEngine *engine, const FlowPoint *point) {
    const FlowTrack *track = &engine->track[point->track];
    const uint32_t other = winner_of(engine, point->track);
    if (engine->point[other].stream_out)
        break_link(engine, other);
    else if (!(track->wish & (track->wish - 1)))
        flow_list_add(&engine->picks, point->track);
}

/* Records the first wish for a track. */
static inline void wish(FlowEngine *engine, const FlowPoint *point) {
    FlowTrack *track = &engine->track[point->track];
    if (track->wish) {
        compete(engine, point);
    } else {
        flow_list_add(&engine->wishers, point->track);
        track->winner = point->lane;
    }
    track->wish |= (uint8_t)(1u << point->lane);
}

/* The point whose flit can have the place that `s` gives up, or NET_NONE. If `s` has
 * another place its feeder does not depend on other moves. */
static inline uint32_t behind(const FlowEngine *engine, uint32_t s) {
    const FlowPoint *point = &engine->point[s];
    if (s >= engine->first_source || !flow_is_full(point) || point->owner == NET_NONE)
        return NET_NONE;
    return flow_can_send(&engine->point[point->from]) ? point->from : NET_NONE;
}

/* Walks backwards along the worm from a flit that finds a place. A stream moves as a
 * whole, so the walk goes on behind its first point. */
static inline void wish_behind(FlowEngine *engine, uint32_t t) {
    for (uint32_t s; (s = behind(engine, t)) != NET_NONE; t = s)
        if (engine->point[s].stream_out)
            s = engine->stream[engine->stream_of[t]].first;
        else
            wish(engine, &engine->point[s]);
}

static void collect_ready(FlowEngine *engine) {
    NetBitsRun run = net_bits_run(&engine->ready);
    uint32_t s;
    while (net_bits_next(&run, &s)) {
        const FlowPoint *point = &engine->point[s];
        if (point->next >= engine->first_sink)
            flow_list_add(&engine->leaving, s);
        wish(engine, point);
        if (engine->through)
            wish_behind(engine, s);
    }
}

/* Collects the flits that rely on places of the first points of streams. Returns
 * whether there are streams that rely on a place of their last points. */
static bool collect_behind_streams(FlowEngine *engine) {
    const FlowStream *stream = engine->stream, *end = stream + engine->streams;
    bool rely = false;
    for (; stream < end; stream++)
        if (flow_is_full(&engine->point[stream->last]))
            rely = true;
        else
            wish_behind(engine, stream->first);
    return rely;
}

/* Breaks the streams whose last points are full and do not move. */
static void break_streams(FlowEngine *engine) {
    for (uint32_t i = 0; i < engine->streams; i++) {
        const FlowPoint *last = &engine->point[engine->stream[i].last];
        const unsigned wishes = engine->track[last->track].wish;
        if (flow_is_full(last) && !(wishes >> last->lane & 1))
            break_link(engine, last->from);
    }
}

static void collect_wishes(FlowEngine *engine) {
    collect_ready(engine);
    if (engine->through && collect_behind_streams(engine))
        break_streams(engine);
}

/* The first lane from the turn on that is in `lanes`, which is not empty. */
static uint8_t first_from(uint8_t turn, unsigned lanes) {
    const unsigned twice = lanes | lanes << NET_MAX_LANES;
    const unsigned lane = turn + (unsigned)__builtin_ctz(twice >> turn);
    return lane % NET_MAX_LANES;
}

static void pick(FlowEngine *engine) {
    for (uint32_t i = 0; i < engine->picks.count; i++) {
        FlowTrack *track = &engine->track[engine->picks.items[i]];
        const unsigned lanes = track->wish & (unsigned)~track->struck;
        const unsigned urgent = lanes & engine->urgent;
        track->winner = urgent ? first_from(track->turns >> 4, urgent)
                               : first_from(track->turns & 0xF, lanes);
    }
}

/* Whether the winner `s` needs a place that stays taken. */
static bool is_in_vain(const FlowEngine *engine, uint32_t s) {
    const FlowPoint *next = &engine->point[engine->point[s].next];
    return flow_is_full(next) && !flow_wins(engine, next);
}

/* Strikes `s` and all flits that needed its place, up to a stream. */
static void strike(FlowEngine *engine, uint32_t s) {
    do {
        if (engine->point[s].stream_out) {
            break_link(engine, s);
            return;
        }
        const FlowPoint *point = &engine->point[s];
        FlowTrack *track = &engine->track[point->track];
        track->struck |= (uint8_t)(1u << point->lane);
        track->winner = FLOW_NO_LANE;
        if (track->wish & ~track->struck)
            flow_list_add(&engine->later, point->track);
        s = behind(engine, s);
    } while (s != NET_NONE && flow_wins(engine, &engine->point[s]));
}

/* Strikes the winners of the tracks in `picks` that cannot move. */
static void strike_winners(FlowEngine *engine) {
    for (uint32_t i = 0; i < engine->picks.count; i++) {
        const uint32_t track = engine->picks.items[i];
        if (engine->track[track].winner == FLOW_NO_LANE)
            continue;
        const uint32_t s = winner_of(engine, track);
        if (is_in_vain(engine, s))
            strike(engine, s);
    }
}

/* Strikes all winners that cannot move, before any has been struck: they relied on one
 * that lost a track in `picks`. */
static void strike_behind_losers(FlowEngine *engine) {
    for (uint32_t i = 0; i < engine->picks.count; i++) {
        const uint32_t track = engine->picks.items[i];
        unsigned lost = engine->track[track].wish;
        for (; lost; lost &= lost - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(lost);
            if (lane == engine->track[track].winner)
                continue;
            const uint32_t s =
                behind(engine, engine->user[track * NET_MAX_LANES + lane]);
            if (s != NET_NONE && flow_wins(engine, &engine->point[s]))
                strike(engine, s);
        }
    }
}

static void choose_lanes(FlowEngine *engine) {
    pick(engine);
    strike_behind_losers(engine);
    while (engine->later.count > 0) {
        const NetList done = engine->picks;
        engine->picks = engine->later;
        engine->later = done;
        engine->later.count = 0;
        pick(engine);
        strike_winners(engine);
    }
}

/* Forgets what this cycle's search has found so far. */
static void begin_again(FlowEngine *engine) {
    for (uint32_t i = 0; i < engine->wishers.count; i++)
        flow_clear_track(engine, engine->wishers.items[i]);
}

/* Streams that cannot go on as they are end, and the search begins again. */
static void search(FlowEngine *engine) {
    for (;;) {
        engine->wishers.count = engine->leaving.count = 0;
        engine->picks.count = engine->later.count = 0;
        collect_wishes(engine);
        if (!engine->any_broken)
            choose_lanes(engine);
        if (!engine->any_broken)
            return;
        begin_again(engine);
        flow_end_broken(engine);
    }
}

void flow_choose_winners(FlowEngine *engine) {
    search(engine);
    for (uint32_t i = 0; i < engine->leaving.count; i++) {
        const uint32_t s = engine->leaving.items[i];
        if (flow_wins(engine, &engine->point[s]))
            net_bits_put(&engine->drains, s, true);
    }
    FlowMove *moves = engine->moves;
    for (uint32_t i = 0; i < engine->wishers.count; i++) {
        const uint32_t track = engine->wishers.items[i];
        if (engine->track[track].winner == FLOW_NO_LANE)
            continue;
        const uint32_t s = winner_of(engine, track), t = engine->point[s].next;
        if (t < engine->first_sink)
            *moves++ = (FlowMove){.from = s, .to = t};
    }
    engine->move_count = (uint32_t)(moves - engine->moves);
}

/* In the next cycle the lane that has sent is examined last of its priority. */
static inline void pass_turn(unsigned urgent, FlowTrack *track) {
    const unsigned after = (track->winner + 1u) % NET_MAX_LANES;
    if (!urgent)
        track->turns = after & 0xF;
    else if (urgent >> track->winner & 1)
        track->turns = (after << 4 | (track->turns & 0xFu)) & 0xFF;
    else
        track->turns = ((track->turns & 0xF0u) | after) & 0xFF;
}

static inline __attribute__((always_inline)) void forget(FlowEngine *engine,
                                                         unsigned urgent) {
    for (uint32_t i = 0; i < engine->wishers.count; i++) {
        const uint32_t number = engine->wishers.items[i];
        FlowTrack *track = &engine->track[number];
        if (track->winner != FLOW_NO_LANE) {
            pass_turn(urgent, track);
            if (engine->point[winner_of(engine, number)].stream_out)
                continue;
        }
        flow_clear_track(engine, number);
    }
}

/* Does not look for lanes of priority 1 where there are none. */
void flow_forget_winners(FlowEngine *engine) {
    if (engine->urgent)
        forget(engine, engine->urgent);
    else
        forget(engine, 0);
}
