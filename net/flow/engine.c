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
    unsigned shift, mask;
    uint32_t first_source, first_sink, occupied;
} Rings;

static Rings rings_of(const FlowEngine *engine) {
    return (Rings){engine->point,        engine->flits,
                   engine->ring_shift,   (1u << engine->ring_shift) - 1,
                   engine->first_source, engine->first_sink,
                   engine->occupied};
}

static inline NetFlit pop(Net *net, Rings *rings, uint32_t s) {
    if (s >= rings->first_source)
        return net_buffer_take(net, s);
    FlowPoint *point = &rings->point[s];
    const uint32_t first = point->first;
    point->first = (first + 1) & rings->mask & UINT8_MAX;
    rings->occupied -= --point->flits == 0;
    return rings->flits[((size_t)s << rings->shift) + first];
}

static inline void push(Net *net, Rings *rings, uint32_t t, NetFlit flit) {
    if (t >= rings->first_sink) {
        net_eject_flit(net, t - rings->first_sink, flit);
        return;
    }
    FlowPoint *point = &rings->point[t];
    const uint32_t place = (point->first + (uint32_t)point->flits) & rings->mask;
    rings->flits[((size_t)t << rings->shift) + place] = flit;
    rings->occupied += point->flits++ == 0;
}

/* Handles a tail moving from `s` to `t`, which is free again. */
static void pass_tail(const Net *net, FlowEngine *engine, uint32_t s, uint32_t t) {
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

static inline void count_wire(const NetGraph *graph, uint64_t *wire_flits,
                              NetStatistics *statistics, uint32_t s) {
    const uint32_t wire = graph->wire[s];
    if (wire == NET_NONE)
        return;
    const NetLabel label = graph->label[s];
    wire_flits[2 * wire + label.downward]++;
    statistics->wire_flits[label.dimension]++;
    statistics->bisection_flits[label.dimension] += label.on_bisection;
}

static void report_move(const Net *net, const FlowEngine *engine,
                        const FlowMove *move) {
    const int32_t from = move->from >= engine->first_source ? -1 : (int32_t)move->from;
    const int32_t to = move->to >= engine->first_sink ? -1 : (int32_t)move->to;
    net->hook(net->hook_context, net->now, move->flit.message, move->flit.index, from,
              to, net->graph->label[move->to].node);
}

/* Updates a point after a change of its flits, its owner or its next point. An arriving
 * head has no next point yet. */
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

static inline void renew_around(Net *net, FlowEngine *engine, const FlowMove *move) {
    FlowPoint *from = &engine->point[move->from];
    if (move->from >= engine->first_source)
        from->flits = net_buffer_can_send(net, move->from);
    else if (from->owner != NET_NONE)
        renew_still(net, engine, from->from);
    renew(net, engine, move->from);
    renew_still(net, engine, move->to);
}

/* All flits leave before any arrives, because they may need each other's places. */
static void apply_moves(Net *net, FlowEngine *engine) {
    const uint32_t count = engine->move_count;
    FlowMove *moves = engine->moves;
    Rings rings = rings_of(engine);
    const bool delays = engine->flights.slots > 0;
    for (uint32_t i = 0; i < count; i++) {
        moves[i].flit = pop(net, &rings, moves[i].from);
        count_wire(net->graph, net->wire_flits, &net->statistics, moves[i].from);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!delays || !flow_sets_out(net, engine, &moves[i]))
            push(net, &rings, moves[i].to, moves[i].flit);
        if (moves[i].flit.tail)
            pass_tail(net, engine, moves[i].from, moves[i].to);
    }
    engine->occupied = rings.occupied;
    for (uint32_t i = 0; net->hook && i < count; i++)
        report_move(net, engine, &moves[i]);
    const FlowFlight *landed = NULL;
    const uint32_t landed_count = delays ? flow_land(net, engine, &landed) : 0;
    for (uint32_t i = 0; i < count; i++)
        renew_around(net, engine, &moves[i]);
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
    net_clear_sets(net, 0);
    net_clear_sets(net, 1);
    flow_queue_arrived(engine);
    flow_take_channels(net, engine);
    flow_choose_winners(engine);
    const uint32_t waiting = engine->occupied;
    const uint64_t injected = flits_injected(net);
    const bool moves = engine->move_count > 0 || engine->flights.flying > 0;
    apply_moves(net, engine);
    flow_forget_winners(engine);
    const uint64_t from_sources = flits_injected(net) - injected;
    net->statistics.blocked_cycles += waiting - (engine->move_count - from_sources);
    net->progressed = moves;
    return moves;
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

/* The feeders of `t` must be examined again. */
static void renew_feeder(Net *net, FlowEngine *engine, uint32_t t) {
    if (engine->point[t].owner != NET_NONE)
        renew(net, engine, engine->point[t].from);
}

static void gate_changed(Net *net, void *state, uint32_t sink, bool open) {
    FlowEngine *engine = state;
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
    const uint32_t place = (point->first + k) & ((1u << engine->ring_shift) - 1);
    return engine->flits[((size_t)channel << engine->ring_shift) + place];
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
    return (NetChannelCounts){counts->messages, counts->held, counts->waits};
}

const NetEngine net_flow_engine = {
    .name = "flow",
    .reports_flits = true,
    .runs = flow_runs,
    .create = flow_create,
    .destroy = flow_destroy,
    .step = step,
    .sources_changed = sources_changed,
    .gate_changed = gate_changed,
    .wire_changed = wire_changed,
    .point = point_state,
    .flit = flit_of,
    .wire_down = wire_down,
    .load = flow_load,
    .check = flow_check,
    .archive = flow_archive,
    .counts = counts_of,
};
