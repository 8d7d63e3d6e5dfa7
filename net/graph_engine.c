/* The graph engine: moves flits on any channel graph, plainly. The reference for
 * others.
 *
 * The set `ready` holds the points whose front flit could move on the state at the
 * start of the cycle. A cycle decides on that state alone and then applies the moves:
 *
 *     sort     every ready flit: it is in its message's own track and needs no wire
 *              (moves), or it bids for a wire, or it is a head that wants to enter
 *     wires    choose among their bidders
 *     enter    heads take what nobody crossed into
 *     apply    all moves, in any order
 *     refresh  the readiness of the points that the moves touched
 *
 * so a cycle costs time for flits that move or compete and none for those that wait. */
#include "net/graph_engine.h"

#include <assert.h>

/* Creation. */

static bool create_lists(GraphEngine *engine, const NetGraph *graph) {
    const size_t points = net_graph_points(graph);
    size_t wired = 0;
    for (uint32_t point = 0; point < graph->channels; point++)
        wired += graph->wire[point] != NET_NONE;
    const size_t unwired = engine->first_sink - wired;
    engine->through.points = malloc((unwired + 1) * sizeof(uint32_t));
    engine->bidders.points = malloc((wired + 1) * sizeof(uint32_t));
    engine->entering.points = malloc((unwired + 1) * sizeof(uint32_t));
    engine->dirty.points = malloc(points * sizeof(uint32_t));
    return engine->through.points && engine->bidders.points &&
           engine->entering.points && engine->dirty.points;
}

static void destroy(void *state) {
    GraphEngine *engine = state;
    free(engine->points);
    free(engine->flits);
    free(engine->wires);
    net_bits_destroy(&engine->ready);
    free(engine->through.points);
    free(engine->bidders.points);
    free(engine->entering.points);
    free(engine->dirty.points);
    free(engine);
}

static bool allocate(GraphEngine *engine, const NetGraph *graph) {
    const size_t points = net_graph_points(graph);
    engine->points = calloc(points, sizeof *engine->points);
    engine->flits =
        calloc((size_t)graph->channels * engine->capacity, sizeof *engine->flits);
    engine->wires = malloc((size_t)graph->wires + 1);
    const bool bits = net_bits_create(&engine->ready, engine->first_sink);
    if (!engine->points || !engine->flits || !engine->wires || !bits)
        return false;
    for (size_t point = 0; point < points; point++)
        engine->points[point].owner = NET_NONE;
    for (uint32_t wire = 0; wire < graph->wires; wire++)
        engine->wires[wire] = WIRE_LAST_DOWN; /* so that upward goes first */
    return create_lists(engine, graph);
}

static void *create(Net *net) {
    GraphEngine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return NULL;
    engine->capacity = net->params.channel_capacity;
    engine->first_source = net->graph->channels;
    engine->first_sink = net_graph_first_sink(net->graph);
    engine->fair = net->params.fair != 0;
    engine->enter_on_lost_wire = net->params.enter_on_lost_wire != 0;
    if (allocate(engine, net->graph))
        return engine;
    destroy(engine);
    return NULL;
}

/* Decide: who moves. Reads the state at the start of the cycle. */

static inline void list_add(PointList *list, uint32_t point) {
    list->points[list->count++] = point;
}

/* Fair arbitration: the first waiting head from the turn on. At least one waits. */
static uint32_t pick_of_turn(const NetGraph *graph, const GraphEngine *engine,
                             uint32_t t) {
    const uint32_t start = graph->feeder_start[t];
    const uint32_t count = graph->feeder_start[t + 1] - start;
    uint32_t place = engine->points[t].turn;
    while (!graph_head_waits(engine, graph->feeders[start + place], t))
        place = place + 1 == count ? 0 : place + 1;
    return graph->feeders[start + place];
}

/* Whether a head at a feeder of `t` that precedes `s` waits for `t`; only feeders with
 * a wire count, or only those without. */
static bool preceded(const NetGraph *graph, const GraphEngine *engine, uint32_t s,
                     uint32_t t, bool wired) {
    const uint32_t *feeder = &graph->feeders[graph->feeder_start[t]];
    for (; *feeder != s; feeder++)
        if ((graph->wire[*feeder] != NET_NONE) == wired &&
            graph_head_waits(engine, *feeder, t))
            return true;
    return false;
}

/* Whether the ready head of `s` may bid for the wire to `t`. */
static bool head_may_bid(const NetGraph *graph, const GraphEngine *engine, uint32_t s,
                         uint32_t t) {
    if (engine->fair)
        return pick_of_turn(graph, engine, t) == s;
    return !preceded(graph, engine, s, t, true);
}

static bool wired_head_waits(const NetGraph *graph, const GraphEngine *engine,
                             uint32_t t) {
    for (uint32_t i = graph->feeder_start[t]; i < graph->feeder_start[t + 1]; i++)
        if (graph->wire[graph->feeders[i]] != NET_NONE &&
            graph_head_waits(engine, graph->feeders[i], t))
            return true;
    return false;
}

/* Whether the ready head of `s`, which needs no wire, may enter `t`. */
static bool head_may_enter(const NetGraph *graph, const GraphEngine *engine,
                           uint32_t s) {
    const uint32_t t = engine->points[s].next;
    if (engine->points[t].claimed)
        return false;
    if (engine->fair) {
        const uint32_t pick = pick_of_turn(graph, engine, t);
        if (graph->wire[pick] == NET_NONE)
            return pick == s;
    }
    /* Whoever waits at a wire has lost it. */
    if (!engine->enter_on_lost_wire && wired_head_waits(graph, engine, t))
        return false;
    return !preceded(graph, engine, s, t, false);
}

/* A bidder's bit in the byte of its wire. */
static inline unsigned bid_of(const NetLabel *label) {
    return 1u << (2 * label->priority + label->downward);
}

/* The bid that wins: priority 1 first, then the direction that did not move last. */
static inline unsigned winning_bid(unsigned wire) {
    const unsigned shift = wire & 0x0C ? 2 : 0;
    const unsigned directions = wire >> shift & 3;
    if (directions != 3)
        return directions << shift;
    return (wire & WIRE_LAST_DOWN ? 1u : 2u) << shift;
}

static void sort_ready_flits(const NetGraph *graph, GraphEngine *engine) {
    engine->through.count = engine->bidders.count = engine->entering.count = 0;
    NetBitsRun run = net_bits_run(&engine->ready);
    uint32_t s;
    while (net_bits_next(&run, &s)) {
        const Point *point = &engine->points[s];
        const uint32_t wire = graph->wire[s];
        if (wire == NET_NONE) {
            list_add(point->next_taken ? &engine->through : &engine->entering, s);
        } else if (point->next_taken || head_may_bid(graph, engine, s, point->next)) {
            engine->wires[wire] |= (uint8_t)bid_of(&graph->label[s]);
            list_add(&engine->bidders, s);
        }
    }
}

static void choose_for_wires(const NetGraph *graph, GraphEngine *engine) {
    uint32_t winners = 0;
    for (uint32_t i = 0; i < engine->bidders.count; i++) {
        const uint32_t s = engine->bidders.points[i];
        if (winning_bid(engine->wires[graph->wire[s]]) != bid_of(&graph->label[s]))
            continue;
        const Point *point = &engine->points[s];
        if (!point->next_taken)
            engine->points[point->next].claimed = true;
        engine->bidders.points[winners++] = s;
    }
    engine->bidders.count = winners;
}

static void choose_entering(const NetGraph *graph, GraphEngine *engine) {
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < engine->entering.count; i++) {
        const uint32_t s = engine->entering.points[i];
        if (head_may_enter(graph, engine, s))
            engine->entering.points[chosen++] = s;
    }
    engine->entering.count = chosen;
}

/* Apply: the moves, in any order; each leaves word of the points it touches. */

static inline void touch(GraphEngine *engine, uint32_t point) {
    if (engine->points[point].dirty)
        return;
    engine->points[point].dirty = true;
    list_add(&engine->dirty, point);
}

static void touch_feeders(const NetGraph *graph, GraphEngine *engine, uint32_t t) {
    for (uint32_t i = graph->feeder_start[t]; i < graph->feeder_start[t + 1]; i++)
        touch(engine, graph->feeders[i]);
}

/* Where the message whose head is now in front of `s` goes. */
static void route(const Net *net, GraphEngine *engine, uint32_t s, uint32_t message) {
    engine->points[s].next =
        net->graph->next(net->graph, s, net->messages[message].address);
}

static void refresh_source(const Net *net, GraphEngine *engine, uint32_t s) {
    Point *point = &engine->points[s];
    point->flits = net_buffer_can_send(net, s);
    if (point->flits && !point->next_taken)
        route(net, engine, s, net_buffer(net, s)->first);
}

static NetFlit take_from_channel(const Net *net, GraphEngine *engine, uint32_t s) {
    Point *point = &engine->points[s];
    NetFlit *flits = &engine->flits[(size_t)s * engine->capacity];
    const NetFlit flit = flits[0];
    if (point->flits == engine->capacity && point->owner != NET_NONE)
        touch(engine, point->from);
    else if (point->flits == engine->capacity)
        touch_feeders(net->graph, engine, s);
    point->flits--;
    for (uint32_t k = 0; k < point->flits; k++)
        flits[k] = flits[k + 1];
    engine->occupied -= point->flits == 0;
    return flit;
}

static void put_into_channel(const Net *net, GraphEngine *engine, uint32_t t,
                             NetFlit flit) {
    Point *point = &engine->points[t];
    engine->flits[(size_t)t * engine->capacity + point->flits++] = flit;
    if (point->flits > 1)
        return;
    engine->occupied++;
    touch(engine, t);
    if (!point->next_taken)
        route(net, engine, t, flit.message);
}

static void put(Net *net, GraphEngine *engine, uint32_t t, NetFlit flit, bool head) {
    const NetLabel *label = &net->graph->label[t];
    if (label->kind == NET_POINT_SINK)
        net_eject_flit(net, label->node, flit);
    else if (head && label->drops_header)
        net_drop_flit(net, flit);
    else
        put_into_channel(net, engine, t, flit);
}

/* A head takes `t`: the other heads that wait for it are no longer ready. */
static void take_point(const NetGraph *graph, GraphEngine *engine, uint32_t s,
                       uint32_t t, uint32_t message) {
    Point *point = &engine->points[t];
    assert(point->owner == NET_NONE);
    point->owner = message;
    point->from = s;
    point->claimed = false;
    touch_feeders(graph, engine, t);
    if (!engine->fair)
        return;
    const uint32_t start = graph->feeder_start[t];
    uint32_t place = start;
    while (graph->feeders[place] != s)
        place++;
    const bool last = place + 1 == graph->feeder_start[t + 1];
    point->turn = last ? 0 : (uint8_t)(place + 1 - start);
}

/* The tail of the front message has left `s` for `t`, which is free again. */
static void pass_tail(const Net *net, GraphEngine *engine, uint32_t s, uint32_t t) {
    Point *point = &engine->points[s];
    point->next_taken = false;
    if (s < engine->first_source && point->flits > 0)
        route(net, engine, s, engine->flits[(size_t)s * engine->capacity].message);
    engine->points[t].owner = NET_NONE;
    touch_feeders(net->graph, engine, t);
}

static void report_move(const Net *net, const GraphEngine *engine, NetFlit flit,
                        uint32_t s, uint32_t t) {
    const int32_t from = s >= engine->first_source ? -1 : (int32_t)s;
    const int32_t to = t >= engine->first_sink ? -1 : (int32_t)t;
    net->hook(net->hook_context, net->now, flit.message, flit.index, from, to,
              net->graph->label[t].node);
}

static void move_flit(Net *net, GraphEngine *engine, uint32_t s) {
    Point *point = &engine->points[s];
    const uint32_t t = point->next;
    const bool from_source = s >= engine->first_source;
    const NetFlit flit =
        from_source ? net_buffer_take(net, s) : take_from_channel(net, engine, s);
    const bool head = !point->next_taken;
    touch(engine, s);
    if (head) {
        point->next_taken = true;
        take_point(net->graph, engine, s, t, flit.message);
    }
    put(net, engine, t, flit, head);
    if (flit.tail)
        pass_tail(net, engine, s, t);
    if (from_source)
        refresh_source(net, engine, s);
    if (net->hook)
        report_move(net, engine, flit, s, t);
}

static void move_all(Net *net, GraphEngine *engine, const PointList *list) {
    for (uint32_t i = 0; i < list->count; i++)
        move_flit(net, engine, list->points[i]);
}

static void cross_wires(Net *net, GraphEngine *engine) {
    for (uint32_t i = 0; i < engine->bidders.count; i++) {
        const uint32_t s = engine->bidders.points[i];
        engine->wires[net->graph->wire[s]] =
            net->graph->label[s].downward ? WIRE_LAST_DOWN : 0;
        net_count_crossing(net, s);
        move_flit(net, engine, s);
    }
}

static inline void refresh_point(GraphEngine *engine, uint32_t point) {
    net_bits_put(&engine->ready, point, graph_is_ready(engine, point));
}

static void refresh_touched(GraphEngine *engine) {
    for (uint32_t i = 0; i < engine->dirty.count; i++) {
        const uint32_t point = engine->dirty.points[i];
        engine->points[point].dirty = false;
        refresh_point(engine, point);
    }
    engine->dirty.count = 0;
}

static bool step(Net *net, void *state) {
    GraphEngine *engine = state;
    sort_ready_flits(net->graph, engine);
    choose_for_wires(net->graph, engine);
    choose_entering(net->graph, engine);

    const uint32_t waiting = engine->occupied;
    const uint64_t injected =
        net->statistics.flits_injected[0] + net->statistics.flits_injected[1];
    const uint32_t moves =
        engine->through.count + engine->bidders.count + engine->entering.count;
    move_all(net, engine, &engine->through);
    cross_wires(net, engine);
    move_all(net, engine, &engine->entering);
    refresh_touched(engine);

    const uint64_t from_sources = net->statistics.flits_injected[0] +
                                  net->statistics.flits_injected[1] - injected;
    net->statistics.blocked_cycles += waiting - (moves - from_sources);
    return moves > 0;
}

/* Between steps. */

static void source_changed(Net *net, void *state, uint32_t source) {
    GraphEngine *engine = state;
    refresh_source(net, engine, source);
    refresh_point(engine, source);
}

static void gate_changed(Net *net, void *state, uint32_t sink, bool open) {
    GraphEngine *engine = state;
    engine->points[sink].flits = open ? 0 : (uint8_t)engine->capacity;
    touch_feeders(net->graph, engine, sink);
    refresh_touched(engine);
}

static NetFlit flit_of(const Net *net, const void *state, uint32_t channel,
                       uint32_t k) {
    const GraphEngine *engine = state;
    assert(channel < net->graph->channels && k < engine->points[channel].flits);
    return engine->flits[(size_t)channel * engine->capacity + k];
}

static NetPoint point_state(const Net *net, const void *state, uint32_t number) {
    const GraphEngine *engine = state;
    const Point *point = &engine->points[number];
    const bool is_sink = number >= engine->first_sink;
    NetPoint seen = {
        .flits = is_sink ? 0 : point->flits,
        .owner = point->owner,
        .from = point->owner == NET_NONE ? NET_NONE : point->from,
        .next = NET_NONE,
        .next_taken = point->next_taken,
    };
    if (!is_sink && (point->flits > 0 || point->next_taken))
        seen.next = point->next;
    if (number < engine->first_source && point->flits > 0) {
        seen.front = flit_of(net, state, number, 0);
        seen.back = flit_of(net, state, number, point->flits - 1u);
    }
    return seen;
}

const NetEngine net_graph_engine = {
    .name = "graph",
    .create = create,
    .destroy = destroy,
    .step = step,
    .source_changed = source_changed,
    .gate_changed = gate_changed,
    .point = point_state,
    .flit = flit_of,
    .check = graph_engine_check,
};
