/* The flow engine: moves flits on any channel graph by the rules of the simulators of
 * Adve and Vernon (1994) and of Quaglia, Ciciani and Colajanni (2002):
 *
 *     heads    take free channels, first come, first served; a taken channel can be
 *              entered in the same cycle, and is free again when the tail has entered
 *     flits    move if there is a place, including one given up in the same cycle
 *     lanes    of a wire take turns; one that cannot move is skipped
 *
 * A cycle decides on the state at its start and then applies the decisions, in any
 * order. Its cost depends on the flits that move and the heads that wait; flits waiting
 * behind a head are not examined. */
#include "net/flow/flow.h"

#include <assert.h>

/* ---- moves ----------------------------------------------------------------------- */

/* Copies for loops over moves: the compiler must assume that their byte writes could
 * change any field of the engine. */
typedef struct {
    FlowPoint *point;
    NetFlit *flits;
    const uint32_t *offset;
    uint64_t *crossed;
    unsigned shift, mask;
    uint32_t first_source, first_sink, occupied, cycle;
} Rings;

static Rings rings_of(const FlowEngine *engine) {
    return (Rings){.point = engine->point,
                   .flits = engine->flits,
                   .offset = engine->offset,
                   .crossed = engine->crossed,
                   .shift = engine->ring_shift,
                   .mask = (1u << engine->ring_shift) - 1,
                   .first_source = engine->first_source,
                   .first_sink = engine->first_sink,
                   .occupied = engine->occupied,
                   .cycle = (uint32_t)engine->cycle};
}

/* Returns the first flit of a stream's point, which it gives to `point->next`. */
static inline NetFlit stream_flit(const Rings *rings, uint32_t s) {
    const FlowPoint *point = &rings->point[s];
    NetFlit flit = {.message = rings->point[point->next].owner,
                    .index = (rings->offset[s] + rings->cycle) & INT32_MAX};
    if (point->ends && point->flits == 1)
        flit.tail = 1;
    return flit;
}

static inline NetFlit pop(Net *net, Rings *rings, uint32_t s) {
    if (s >= rings->first_source)
        return net_buffer_take(net, s);
    FlowPoint *point = &rings->point[s];
    if (flow_is_in_stream(point))
        return stream_flit(rings, s);
    const uint32_t first = point->first;
    point->first = (first + 1) & rings->mask & UINT8_MAX;
    rings->occupied -= --point->flits == 0;
    return rings->flits[((size_t)s << rings->shift) + first];
}

static inline void push(Rings *rings, uint32_t t, NetFlit flit) {
    FlowPoint *point = &rings->point[t];
    if (point->stream_out)
        return;
    const uint32_t place = (point->first + (uint32_t)point->flits) & rings->mask;
    rings->flits[((size_t)t << rings->shift) + place] = flit;
    rings->occupied += point->flits++ == 0;
}

static void report_move(const Net *net, const FlowEngine *engine,
                        const FlowMove *move) {
    const int32_t from = move->from >= engine->first_source ? -1 : (int32_t)move->from;
    const int32_t to = move->to >= engine->first_sink ? -1 : (int32_t)move->to;
    net->hook(net->hook_context, net->now, move->flit.message, move->flit.index, from,
              to, net->graph->label[move->to].node);
}

static inline void renew(Net *net, FlowEngine *engine, uint32_t s) {
    if (s >= engine->first_sink)
        return;
    FlowPoint *point = &engine->point[s];
    net_bits_put(&engine->ready, s, flow_is_ready(engine, point));
    if (point->flits > 0 && !point->next_taken && !point->waits)
        flow_head_arrives(net, engine, s);
}

/* The same for a point that a flit has entered, or left from behind. If a flit of its
 * own has moved, that move updates it. With `commit` heads may draw when they arrive,
 * so the order of examining points would matter. */
static inline void renew_still(Net *net, FlowEngine *engine, uint32_t s) {
    if (engine->commit || !flow_wins(engine, &engine->point[s]))
        renew(net, engine, s);
}

static inline void renew_around(Net *net, FlowEngine *engine, const FlowMove *move,
                                bool streams) {
    FlowPoint *from = &engine->point[move->from];
    const bool is_source = move->from >= engine->first_source;
    if (is_source)
        from->flits = net_buffer_can_send(net, move->from);
    renew_still(net, engine, move->to);
    if (streams && flow_join(engine, move))
        return;
    if (!is_source && from->owner != NET_NONE)
        renew_still(net, engine, from->from);
    renew(net, engine, move->from);
}

/* Moves flits into their sinks, in the order of `drains`, and lists them. Those of
 * streams go on in the next cycle and are not listed. */
static uint32_t eject_flits(Net *net, FlowEngine *engine, Rings *rings) {
    FlowMove *leaves = engine->leaves;
    NetBitsRun run = net_bits_run(&engine->drains);
    uint32_t s;
    while (net_bits_next(&run, &s)) {
        const uint32_t sink = rings->point[s].next;
        if (rings->point[s].stream_out) {
            net_eject_flit(net, sink - rings->first_sink, stream_flit(rings, s));
            continue;
        }
        const NetFlit flit = pop(net, rings, s);
        net_eject_flit(net, sink - rings->first_sink, flit);
        net_bits_put(&engine->drains, s, false);
        rings->crossed[s]++;
        if (flit.tail)
            flow_pass_tail(net, engine, s, sink);
        *leaves++ = (FlowMove){s, sink, flit};
    }
    return (uint32_t)(leaves - engine->leaves);
}

/* All flits leave before any arrives, because they may need each other's places. */
static void move_flits(Net *net, FlowEngine *engine, Rings *rings, bool delays) {
    const uint32_t count = engine->move_count;
    FlowMove *moves = engine->moves;
    for (uint32_t i = 0; i < count; i++) {
        moves[i].flit = pop(net, rings, moves[i].from);
        rings->crossed[moves[i].from]++;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!delays || !flow_sets_out(net, engine, &moves[i]))
            push(rings, moves[i].to, moves[i].flit);
        if (moves[i].flit.tail)
            flow_pass_tail(net, engine, moves[i].from, moves[i].to);
    }
}

static void report_moves(const Net *net, const FlowEngine *engine) {
    for (uint32_t i = 0; i < engine->leave_count; i++)
        report_move(net, engine, &engine->leaves[i]);
    for (uint32_t i = 0; i < engine->move_count; i++)
        report_move(net, engine, &engine->moves[i]);
}

static void apply_moves(Net *net, FlowEngine *engine) {
    Rings rings = rings_of(engine);
    const bool delays = engine->flights.slots > 0;
    const bool streams = !delays && !engine->commit && !net->hook;
    engine->leave_count = eject_flits(net, engine, &rings);
    move_flits(net, engine, &rings, delays);
    engine->occupied = rings.occupied;
    if (net->hook)
        report_moves(net, engine);
    const FlowFlight *landed = NULL;
    const uint32_t landed_count = delays ? flow_land(net, engine, &landed) : 0;
    engine->cycle++;
    flow_move_streams(net, engine);
    for (uint32_t i = 0; i < engine->freed.count; i++)
        renew(net, engine, engine->freed.items[i]);
    engine->freed.count = 0;
    for (uint32_t i = 0; i < engine->leave_count; i++)
        renew_around(net, engine, &engine->leaves[i], streams);
    for (uint32_t i = 0; i < engine->move_count; i++)
        renew_around(net, engine, &engine->moves[i], streams);
    for (uint32_t i = 0; i < landed_count; i++)
        renew(net, engine, landed[i].to);
    if (delays)
        flow_clear_landed(net, engine);
}

/* ---- the cycle ------------------------------------------------------------------- */

static uint64_t flits_injected(const Net *net) {
    return net->statistics.flits_injected[0] + net->statistics.flits_injected[1];
}

static bool step(Net *net, void *state) {
    FlowEngine *engine = state;
    if (net->hook)
        flow_end_streams(engine);
    net_clear_sets(net, 0, NET_PRIORITIES);
    flow_queue_arrived(engine);
    flow_take_channels(net, engine);
    flow_choose_winners(engine);
    const uint32_t links = engine->links; /* whose flits move as well */
    const uint32_t waiting = engine->occupied;
    const uint64_t injected = flits_injected(net);
    const bool flying = engine->flights.flying > 0;
    apply_moves(net, engine);
    const uint32_t moves = engine->leave_count + engine->move_count + links;
    flow_forget_winners(engine);
    const uint64_t from_sources = flits_injected(net) - injected;
    net->statistics.blocked_cycles += waiting - (moves - from_sources);
    net->progressed = moves > 0 || flying;
    return net->progressed;
}

/* Adds the crossings of wires since the last call to the statistics. For a link the
 * total is the cycle, plus the crossings counted. */
static void settle(Net *net, void *state) {
    FlowEngine *engine = state;
    const NetGraph *graph = net->graph;
    NetStatistics *statistics = &net->statistics;
    for (uint32_t s = 0; s < engine->points; s++) {
        const uint64_t streamed = engine->point[s].stream_out ? engine->cycle : 0;
        const uint64_t flits = engine->crossed[s] + streamed;
        engine->crossed[s] = -streamed;
        engine->settled[s] += flits;
        if (graph->wire[s] == NET_NONE || flits == 0)
            continue;
        const NetLabel label = graph->label[s];
        net->wire_flits[2 * graph->wire[s] + label.downward] += flits;
        statistics->wire_flits[label.dimension] += flits;
        if (label.on_bisection)
            statistics->bisection_flits[label.dimension] += flits;
    }
}

/* ---- between steps --------------------------------------------------------------- */

static void sources_changed(Net *net, void *state, uint32_t *messages, uint32_t count) {
    FlowEngine *engine = state;
    net_messages_show(net, messages, count);
    for (uint32_t i = 0; i < count; i++) {
        const NetMessage *message = &net->messages[messages[i]];
        const uint32_t source =
            net_graph_source(net->graph, message->source, message->priority);
        engine->point[source].flits = net_buffer_can_send(net, source);
        renew(net, engine, source);
    }
}

/* Marks the feeders of `t` to be examined again. */
static void renew_feeder(Net *net, FlowEngine *engine, uint32_t t) {
    if (engine->point[t].owner != NET_NONE)
        renew(net, engine, engine->point[t].from);
}

static void gate_changed(Net *net, void *state, uint32_t sink, bool open) {
    FlowEngine *engine = state;
    if (engine->point[sink].owner != NET_NONE)
        flow_end_link(engine, engine->point[sink].from);
    engine->point[sink].flits = !open;
    renew_feeder(net, engine, sink);
}

/* All lanes of the wire have the same direction. */
static void wire_changed(Net *net, void *state, uint32_t channel, bool blocked) {
    FlowEngine *engine = state;
    const uint32_t wire = net->graph->wire[channel];
    for (unsigned lane = 0; wire != NET_NONE && lane < NET_MAX_LANES; lane++) {
        const uint32_t s = engine->user[wire * NET_MAX_LANES + lane];
        if (s == NET_NONE)
            continue;
        flow_end_link(engine, s);
        engine->point[s].blocked = blocked;
        renew(net, engine, s);
    }
}

static NetFlit flit_of(const Net *net, const void *state, uint32_t channel,
                       uint32_t k) {
    const FlowEngine *engine = state;
    const FlowPoint *point = &engine->point[channel];
    assert(channel < net->graph->channels &&
           k < (uint32_t)point->flits + point->coming);
    return flow_is_in_stream(point) ? flow_stream_flit(engine, channel, k)
                                    : *flow_place(engine, channel, k);
}

static NetPoint point_state(const Net *net, const void *state, uint32_t number) {
    const FlowEngine *engine = state;
    const FlowPoint *point = &engine->point[number];
    const bool is_sink = number >= engine->first_sink;
    const uint32_t flits = is_sink ? 0 : (uint32_t)point->flits + point->coming;
    NetPoint seen = {
        .flits = flits,
        .owner = point->owner,
        .from = point->owner == NET_NONE ? NET_NONE : point->from,
        .next = NET_NONE,
        .turn = NET_NONE,
        .next_taken = point->next_taken,
        .closed = is_sink && point->flits > 0,
    };
    if (number < engine->first_source && flits > 0) {
        seen.front = flit_of(net, state, number, 0);
        seen.back = flit_of(net, state, number, flits - 1);
    }
    if (!is_sink && (point->flits > 0 || point->next_taken))
        seen.next = point->next;
    else if (flits > 0)
        seen.next = engine->graph->next(engine->graph, number,
                                        net->messages[seen.front.message].address);
    return seen;
}

/* No wire is shared by both directions: see flow_runs(). */
static bool wire_down(const Net *net, const void *state, uint32_t channel) {
    (void)state;
    return net->graph->label[channel].downward;
}

static NetChannelCounts counts_of(const void *state, uint32_t channel) {
    const FlowEngine *engine = state;
    const FlowCounts *counts = &engine->counts[channel];
    return (NetChannelCounts){counts->messages, counts->held, counts->waits,
                              engine->settled[channel]};
}

const NetEngine net_flow_engine = {
    .name = "flow",
    .reports_flits = true,
    .runs = flow_runs,
    .create = flow_create,
    .step = step,
    .sources_changed = sources_changed,
    .gate_changed = gate_changed,
    .wire_changed = wire_changed,
    .point = point_state,
    .flit = flit_of,
    .wire_down = wire_down,
    .settle = settle,
    .load = flow_load,
    .check = flow_check,
    .archive = flow_archive,
    .counts = counts_of,
};
