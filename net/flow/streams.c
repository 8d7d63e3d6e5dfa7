/* Streams: runs of points through which a message moves by a flit a cycle, while no
 * other lane wishes for their wires. A channel in a stream takes a flit in every cycle
 * in which it gives one. Only the index of its first flit changes, and that follows
 * from the clock, so a cycle costs nothing for the links inside a stream.
 *
 *     first -> ... -> last     points of a stream, and the links between them
 *
 * At the first point a source gives a flit a cycle. A channel there is fed by ordinary
 * moves; when these stop it goes on until it is empty, and then the stream loses its
 * first link. At the last point a sink takes a flit a cycle; the flits of a channel
 * there leave it by ordinary moves.
 *
 * A move becomes a link if another flit of the message has followed, so a stream grows
 * with each move of the head. A stream loses its last link when the last point keeps
 * its first flit. Any link ends when another lane wishes for its wire, when the wire is
 * blocked or the gate shut, when another message takes a channel that the tail has
 * entered, and when a client wants each flit reported. */
#include "net/flow/flow.h"

/* ---- ends ------------------------------------------------------------------------ */

/* Sets the points of a stream; without a link there is none. */
static inline void set_stream(FlowEngine *engine, uint32_t number, uint32_t first,
                              uint32_t last) {
    engine->stream[number] = (FlowStream){first, last};
    engine->stream_of[first] = engine->stream_of[last] = number;
}

static void add_stream(FlowEngine *engine, uint32_t first, uint32_t last) {
    set_stream(engine, engine->streams++, first, last);
}

static void remove_stream(FlowEngine *engine, uint32_t number) {
    const FlowStream moved = engine->stream[--engine->streams];
    if (number < engine->streams)
        set_stream(engine, number, moved.first, moved.last);
}

static inline void renew_ready(FlowEngine *engine, uint32_t s) {
    net_bits_put(&engine->ready, s, flow_is_ready(engine, &engine->point[s]));
}

/* Removes the link from `s` to `t` from a stream. */
static inline void split(FlowEngine *engine, uint32_t number, uint32_t s, uint32_t t) {
    const FlowStream stream = engine->stream[number];
    if (s != stream.first && t != stream.last)
        add_stream(engine, t, stream.last);
    if (s != stream.first)
        set_stream(engine, number, stream.first, s);
    else if (t != stream.last)
        set_stream(engine, number, t, stream.last);
    else
        remove_stream(engine, number);
}

/* ---- leaving --------------------------------------------------------------------- */

/* Writes the flits of a point that leaves its stream, if it is a channel. */
static inline void write_flits(FlowEngine *engine, uint32_t s) {
    if (s >= engine->first_source)
        return;
    for (uint32_t k = 0; k < engine->point[s].flits; k++)
        *flow_place(engine, s, k) = flow_stream_flit(engine, s, k);
}

/* Ends the link from `s` to `t`. */
static inline void unlink(FlowEngine *engine, uint32_t s, uint32_t t) {
    FlowPoint *point = &engine->point[s];
    point->stream_out = point->ends = engine->point[t].stream_in = false;
    flow_clear_track(engine, point->track);
    engine->crossed[s] += engine->cycle;
    engine->links--;
    if (t >= engine->first_sink)
        net_bits_put(&engine->drains, s, false);
}

/* Removes the first point, which has no flit to give, from a stream. */
static void lose_first(FlowEngine *engine, uint32_t number) {
    FlowStream *stream = &engine->stream[number];
    const uint32_t s = stream->first, t = engine->point[s].next;
    unlink(engine, s, t);
    if (t == stream->last) {
        write_flits(engine, t);
        remove_stream(engine, number);
    } else {
        stream->first = t;
        engine->stream_of[t] = number;
    }
    if (s >= engine->first_source)
        flow_list_add(&engine->freed, s);
}

/* Ends the link of a stream that leaves `s`. The stream keeps the links before it or
 * those behind, or becomes two. */
static void cut(FlowEngine *engine, uint32_t number, uint32_t s) {
    const FlowStream stream = engine->stream[number];
    const uint32_t t = engine->point[s].next;
    unlink(engine, s, t);
    if (s == stream.first)
        write_flits(engine, s);
    if (t == stream.last)
        write_flits(engine, t);
    split(engine, number, s, t);
    renew_ready(engine, s);
}

void flow_end_link(FlowEngine *engine, uint32_t s) {
    uint32_t last = s;
    while (engine->point[last].stream_out)
        last = engine->point[last].next;
    if (last != s)
        cut(engine, engine->stream_of[last], s);
}

void flow_end_streams(FlowEngine *engine) {
    while (engine->streams > 0)
        cut(engine, engine->streams - 1, engine->stream[engine->streams - 1].first);
}

/* Ends the link that leaves `s`, and those that rely on its place. Otherwise each would
 * be found by a search of its own. */
static void end_links_behind(FlowEngine *engine, uint32_t s) {
    while (engine->point[s].stream_out) {
        flow_end_link(engine, s);
        if (s >= engine->first_source || !flow_is_full(&engine->point[s]))
            return;
        s = engine->point[s].from;
    }
}

void flow_end_broken(FlowEngine *engine) {
    NetBitsRun run = net_bits_run(&engine->broken);
    uint32_t s;
    while (net_bits_next(&run, &s)) {
        net_bits_put(&engine->broken, s, false);
        end_links_behind(engine, s);
    }
    engine->any_broken = false;
}

/* ---- tails ----------------------------------------------------------------------- */

void flow_pass_tail(const Net *net, FlowEngine *engine, uint32_t s, uint32_t t) {
    engine->point[s].next_taken = false;
    engine->point[t].owner = NET_NONE;
    if (t >= engine->first_source)
        return;
    FlowCounts *counts = &engine->counts[t];
    counts->messages++;
    counts->held += net->now + 1 - counts->taken_at;
    if (net->graph->wire[t] != NET_NONE)
        engine->lanes_held[net->graph->wire[t]]--;
}

/* ---- the end of a cycle ---------------------------------------------------------- */

/* Lets the tail go from a stream's first point into the next. */
static void pass_tail(const Net *net, FlowEngine *engine, uint32_t first) {
    const uint32_t next = engine->point[first].next;
    flow_pass_tail(net, engine, first, next);
    engine->point[next].ends = engine->point[next].stream_out;
}

/* Moves a flit from a stream's first point, a source. Returns whether there is another
 * one. */
static inline bool feed_from_source(Net *net, FlowEngine *engine, uint32_t source) {
    FlowPoint *point = &engine->point[source];
    const NetFlit flit = net_buffer_take(net, source);
    const bool more = flit.tail
                          ? net_buffer_can_send(net, source)
                          : net_message_has_flits(net, &net->messages[flit.message]);
    point->flits = more;
    if (flit.tail)
        pass_tail(net, engine, source);
    return more && !flit.tail;
}

/* Corrects the number of flits of a stream's first point, a channel, if none has
 * entered. Returns whether any is left. */
static bool feed_channel(const Net *net, FlowEngine *engine, uint32_t first) {
    FlowPoint *point = &engine->point[first];
    const bool tail_was_in = point->ends;
    point->ends = point->owner == NET_NONE;
    if (!tail_was_in && flow_wins(engine, &engine->point[point->from]))
        return true;
    engine->occupied -= --point->flits == 0;
    if (!tail_was_in)
        renew_ready(engine, point->from);
    else if (point->flits == 0)
        pass_tail(net, engine, first);
    return point->flits > 0;
}

static inline bool feed(Net *net, FlowEngine *engine, uint32_t first) {
    return first >= engine->first_source ? feed_from_source(net, engine, first)
                                         : feed_channel(net, engine, first);
}

/* Whether the stream's last point has given a flit; the gates of sinks are open. */
static inline bool last_moved(const FlowEngine *engine, uint32_t last) {
    return last >= engine->first_sink || flow_wins(engine, &engine->point[last]);
}

/* The last channel has kept its first flit and taken another. */
static void halt_last(FlowEngine *engine, uint32_t last) {
    engine->offset[last]--;
    engine->point[last].flits++;
}

static inline void move_stream(Net *net, FlowEngine *engine, uint32_t number) {
    const FlowStream stream = engine->stream[number];
    const bool halts = !last_moved(engine, stream.last);
    if (halts)
        halt_last(engine, stream.last);
    if (!feed(net, engine, stream.first))
        lose_first(engine, number);
    if (halts)
        flow_end_link(engine, engine->point[stream.last].from);
}

void flow_move_streams(Net *net, FlowEngine *engine) {
    for (uint32_t i = engine->streams; i-- > 0;)
        move_stream(net, engine, i);
}

/* ---- joining --------------------------------------------------------------------- */

/* Whether a channel holds only flits of one message: it holds a single flit, or has
 * given one in this cycle. */
static inline bool goes_on(const FlowEngine *engine, uint32_t t, uint32_t message) {
    const FlowPoint *point = &engine->point[t];
    if (!engine->through && flow_is_full(point))
        return false;
    return point->flits == 1 ||
           (flow_wins(engine, point) && flow_place(engine, t, 0)->message == message);
}

/* Whether a move may become a link: another flit of the message has followed, no other
 * lane wished for the wire, and the flit moves on, or may. */
static inline bool may_join(const FlowEngine *engine, const FlowMove *move) {
    const FlowPoint *from = &engine->point[move->from];
    return flow_is_refilled(engine, move->from) &&
           (move->from >= engine->first_source || from->owner == move->flit.message) &&
           engine->track[from->track].wish == 1u << from->lane &&
           (move->to >= engine->first_sink ||
            goes_on(engine, move->to, move->flit.message));
}

/* Makes a stream of the link from `s` to `t`, or adds the link to those at its ends. */
static inline void tie(FlowEngine *engine, uint32_t s, uint32_t t) {
    const bool before = engine->point[s].stream_in,
               behind = engine->point[t].stream_out;
    uint32_t last = t;
    if (before && behind) {
        last = engine->stream[engine->stream_of[t]].last;
        remove_stream(engine, engine->stream_of[t]);
    }
    if (before) {
        engine->stream[engine->stream_of[s]].last = last;
        engine->stream_of[last] = engine->stream_of[s];
    } else if (behind) {
        engine->stream[engine->stream_of[t]].first = s;
        engine->stream_of[s] = engine->stream_of[t];
    } else {
        add_stream(engine, s, t);
    }
}

bool flow_join(FlowEngine *engine, const FlowMove *move) {
    const uint32_t s = move->from, t = move->to;
    if (!may_join(engine, move))
        return false;
    const uint32_t next = move->flit.index + 1 - (uint32_t)engine->cycle;
    engine->offset[s] = next;
    engine->offset[t] = next - engine->point[t].flits;
    tie(engine, s, t);
    engine->point[s].stream_out = engine->point[t].stream_in = true;
    net_bits_put(&engine->ready, s, false);
    engine->crossed[s] -= engine->cycle;
    engine->links++;
    if (t >= engine->first_sink)
        net_bits_put(&engine->drains, s, true);
    return true;
}

/* ---- invariants ------------------------------------------------------------------ */

static bool check_stream(const FlowEngine *engine, uint32_t number, uint32_t *links,
                         JmError *error) {
    const FlowPoint *point = engine->point;
    const FlowStream stream = engine->stream[number];
    const uint32_t owner = point[point[stream.first].next].owner;
    uint32_t last = stream.first;
    for (; point[last].stream_out; last = point[last].next) {
        const uint32_t next = point[last].next;
        ++*links;
        if (point[next].owner != owner || point[next].from != last ||
            !point[next].stream_in || point[last].flits == 0)
            return jm_fail(error, NULL, "point %u streams into %u, which is another's",
                           last, next);
    }
    return (stream.last == last && engine->stream_of[stream.first] == number &&
            engine->stream_of[last] == number && owner != NET_NONE &&
            !point[stream.first].stream_in && last != stream.first) ||
           jm_fail(error, NULL, "the stream from point %u does not end in %u",
                   stream.first, stream.last);
}

bool flow_streams_check(const FlowEngine *engine, JmError *error) {
    uint32_t links = 0;
    for (uint32_t i = 0; i < engine->streams; i++)
        if (!check_stream(engine, i, &links, error))
            return false;
    return links == engine->links ||
           jm_fail(error, NULL, "streams have %u links, not %u", links, engine->links);
}
