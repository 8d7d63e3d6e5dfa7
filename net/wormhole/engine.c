/* The graph engine: moves flits on any channel graph, plainly. The reference for the
 * other engines.
 *
 * A cycle decides only on the state at its start and then applies the decisions:
 *
 *     sort     every flit that could move: it follows its head and needs no wire (it
 *              moves), or it bids for a wire, or it is a head that would enter
 *     wires    choose among their bidders
 *     enter    heads take channels that nothing crosses into
 *     apply    all moves, in any order
 *
 * Points that cannot move sleep: the sorting removes them from the set `awake`, and
 * anything that can make them ready (a flit arrives, the next channel gets room or is
 * freed, a gate opens) wakes them. So a cycle costs time for flits that move or compete
 * and none for those that wait. */
#include "net/wormhole/order_inline.h"

#include <assert.h>

/* Creation. */

static void create_lists(Heap *heap, GraphEngine *engine, const NetGraph *graph) {
    size_t wired = 0;
    for (uint32_t point = 0; point < graph->channels; point++)
        wired += graph->wire[point] != NET_NONE;
    const size_t unwired = engine->first_sink - wired;
    engine->through.points = heap_alloc(heap, unwired * sizeof(uint32_t));
    engine->bidders = heap_alloc(heap, wired * sizeof *engine->bidders);
    engine->entering.points = heap_alloc(heap, unwired * sizeof(uint32_t));
}

/* Sets the lane of each channel with a wire; others have 0. */
static void set_lanes(GraphEngine *engine, const NetGraph *graph) {
    for (uint32_t channel = 0; channel < graph->channels; channel++) {
        const NetLabel *label = &graph->label[channel];
        const unsigned bid = 1u << (2 * label->priority + label->downward);
        const unsigned counted =
            label->dimension + (label->on_bisection ? LANE_ON_BISECTION : 0u);
        if (graph->wire[channel] != NET_NONE)
            engine->lanes[channel] = bid | counted << LANE_CLASS_SHIFT |
                                     graph->wire[channel] << LANE_WIRE_SHIFT;
    }
}

/* Returns the bid that wins a wire: of the priority `first` if there is one, then of
 * the direction that did not move last. */
static unsigned winning_bid(unsigned wire, unsigned first) {
    const unsigned urgent = 2 * first, other = 2 - urgent;
    const unsigned shift = wire >> urgent & 3 ? urgent : other;
    const unsigned directions = wire >> shift & 3;
    if (directions != 3)
        return directions << shift;
    return (wire & WIRE_LAST_DOWN ? 1u : 2u) << shift;
}

/* Returns the least shift with 1 << shift >= size. */
static unsigned shift_for(size_t size) {
    unsigned shift = 0;
    while ((size_t)1 << shift < size)
        shift++;
    return shift;
}

/* Allocates the records of points. Rings and records are powers of 2 in size, so that a
 * channel's state and its usual two flits lie in one cache line. */
static void create_records(Heap *heap, GraphEngine *engine, uint32_t points) {
    const size_t places = (size_t)1 << shift_for(engine->capacity);
    engine->ring_mask = (uint32_t)places - 1;
    engine->record_shift = shift_for(sizeof(Point) + places * sizeof(NetFlit));
    engine->records = heap_lines(heap, (size_t)points << engine->record_shift);
    for (uint32_t number = 0; number < points; number++)
        *graph_point(engine, number) = (Point){.owner = NET_NONE};
}

/* Whether bids for wires depend on more than direction and priority. */
static bool weighs_bids(const GraphEngine *engine) {
    return engine->net->params.age == 2 || engine->net->graph->copies > 1;
}

static void allocate(Heap *heap, GraphEngine *engine, const NetGraph *graph) {
    create_records(heap, engine, net_graph_points(graph));
    engine->wires = heap_alloc(heap, graph->wires * sizeof *engine->wires);
    engine->lanes = heap_alloc(heap, engine->first_sink * sizeof *engine->lanes);
    engine->awake = net_bits(heap, engine->first_sink);
    if (weighs_bids(engine))
        engine->best = heap_alloc(heap, graph->wires * sizeof *engine->best);
    for (uint32_t wire = 0; wire < graph->wires; wire++)
        engine->wires[wire] = WIRE_LAST_DOWN; /* so that upward goes first */
    set_lanes(engine, graph);
    create_lists(heap, engine, graph);
}

static void *create(Heap *heap, Net *net) {
    GraphEngine *engine = heap_alloc(heap, sizeof *engine);
    engine->capacity = net->params.channel_capacity;
    engine->first_source = net->graph->channels;
    engine->first_sink = net_graph_first_sink(net->graph);
    engine->fair = net->params.fair != 0;
    engine->wired_turns = net->params.r_order != 0;
    engine->turns = engine->fair || engine->wired_turns;
    engine->by_age = net->params.age != 0;
    engine->picks = engine->turns || engine->by_age;
    engine->net = net;
    engine->enter_on_lost_wire = net->params.enter_on_lost_wire != 0;
    for (unsigned first = 0; first < NET_PRIORITIES; first++)
        for (unsigned wire = 0; wire < WIRE_STATES; wire++)
            engine->winners[first][wire] = (uint8_t)winning_bid(wire, first);
    allocate(heap, engine, net->graph);
    return engine;
}

/* Deciding. Everything here reads the state at the start of the cycle. */

static inline void list_add(PointList *list, uint32_t point) {
    list->points[list->count++] = point;
}

/* Lists a ready flit by what it needs: nothing, a wire, or an entrance. */
static inline void sort_point(const NetGraph *graph, GraphEngine *engine, uint32_t s) {
    const Point *point = graph_point(engine, s);
    const uint32_t lane = engine->lanes[s];
    if (lane == 0) {
        list_add(point->next_taken ? &engine->through : &engine->entering, s);
    } else if (point->next_taken || graph_head_may_bid(graph, engine, s, point->next)) {
        engine->wires[lane >> LANE_WIRE_SHIFT] |= lane & WIRE_BIDS;
        const uint32_t head = point->next_taken ? 0 : LANE_IS_HEAD;
        engine->bidders[engine->bidder_count++] = (Bidder){s, lane | head};
    }
}

/* Iterates over the awake points; those that cannot move are put to sleep. */
static void sort_ready_flits(const NetGraph *graph, GraphEngine *engine) {
    engine->through.count = engine->entering.count = engine->bidder_count = 0;
    NetBitsRun run = net_bits_run(&engine->awake);
    uint32_t s;
    while (net_bits_next(&run, &s)) {
        if (graph_is_ready(engine, s))
            sort_point(graph, engine, s);
        else
            net_bits_put(&engine->awake, s, false);
    }
}

/* Reduces the bidders to those that win their wires, and claims the points their heads
 * enter. */
static void choose_for_wires(GraphEngine *engine) {
    uint32_t winners = 0;
    for (uint32_t i = 0; i < engine->bidder_count; i++) {
        const Bidder bidder = engine->bidders[i];
        const unsigned wire = engine->wires[bidder.lane >> LANE_WIRE_SHIFT];
        if (engine->winner[wire] != (bidder.lane & WIRE_BIDS))
            continue;
        if (bidder.lane & LANE_IS_HEAD)
            graph_point(engine, graph_point(engine, bidder.point)->next)->claimed =
                true;
        engine->bidders[winners++] = bidder;
    }
    engine->bidder_count = winners;
}

/* Reduces the entering heads to those that may enter. */
static void choose_entering(const NetGraph *graph, GraphEngine *engine) {
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < engine->entering.count; i++) {
        const uint32_t s = engine->entering.points[i];
        if (graph_head_may_enter(graph, engine, s))
            engine->entering.points[chosen++] = s;
    }
    engine->entering.count = chosen;
}

/* Applying. The moves may be made in any order. */

static inline void wake(GraphEngine *engine, uint32_t point) {
    net_bits_put(&engine->awake, point, true);
}

/* Wakes the feeders that can use point `t`, which has gained room or become free. */
static inline void wake_feeders(const NetGraph *graph, GraphEngine *engine,
                                uint32_t t) {
    const Point *point = graph_point(engine, t);
    if (point->owner != NET_NONE) {
        wake(engine, point->from);
        return;
    }
    for (uint32_t i = graph->feeder_start[t]; i < graph->feeder_start[t + 1]; i++)
        wake(engine, graph->feeders[i]);
}

/* Returns the k-th place behind the first flit of a channel. */
static inline NetFlit *place_in_ring(const GraphEngine *engine, Point *point,
                                     uint32_t k) {
    return &point->ring[(point->first + k) & engine->ring_mask];
}

/* Finds the next point of the message whose head is now at the front of `s`. */
static void route(const Net *net, GraphEngine *engine, uint32_t s, uint32_t message) {
    graph_point(engine, s)->next =
        net->graph->next(net->graph, s, net->messages[message].address);
}

/* Recomputes whether a source can send. */
static void refresh_source(const Net *net, GraphEngine *engine, uint32_t s) {
    Point *point = graph_point(engine, s);
    point->flits = net_buffer_can_send(net, s);
    if (point->flits && !point->next_taken)
        route(net, engine, s, net_buffer(net, s)->first);
}

static inline NetFlit take_from_channel(const Net *net, GraphEngine *engine,
                                        uint32_t s) {
    Point *point = graph_point(engine, s);
    const NetFlit flit = *place_in_ring(engine, point, 0);
    if (point->flits == engine->capacity)
        wake_feeders(net->graph, engine, s);
    point->first = (point->first + 1u) & engine->ring_mask & 0xFF;
    point->flits--;
    engine->occupied -= point->flits == 0;
    return flit;
}

static inline void put_into_channel(const Net *net, GraphEngine *engine, uint32_t t,
                                    NetFlit flit) {
    Point *point = graph_point(engine, t);
    *place_in_ring(engine, point, point->flits++) = flit;
    if (point->flits > 1)
        return;
    engine->occupied++;
    wake(engine, t);
    if (!point->next_taken)
        route(net, engine, t, flit.message);
}

/* Gives point `t` to a message whose head comes from `s`. */
static void take_point(const NetGraph *graph, GraphEngine *engine, uint32_t s,
                       uint32_t t, uint32_t message) {
    Point *point = graph_point(engine, t);
    assert(point->owner == NET_NONE);
    point->owner = message;
    point->from = s;
    point->claimed = false;
    if (engine->turns)
        graph_pass_turn(graph, engine, s, t);
}

/* Frees `t`: the tail of the front message of `s` has left for it. */
static void pass_tail(const Net *net, GraphEngine *engine, uint32_t s, uint32_t t) {
    Point *point = graph_point(engine, s);
    point->next_taken = false;
    if (s < engine->first_source && point->flits > 0)
        route(net, engine, s, place_in_ring(engine, point, 0)->message);
    graph_point(engine, t)->owner = NET_NONE;
    wake_feeders(net->graph, engine, t);
}

/* Calls the hook for a flit that has moved. */
static void report_move(const Net *net, const GraphEngine *engine, NetFlit flit,
                        uint32_t s, uint32_t t) {
    const int32_t from = s >= engine->first_source ? -1 : (int32_t)s;
    const int32_t to = t >= engine->first_sink ? -1 : (int32_t)t;
    net->hook(net->hook_context, net->now, flit.message, flit.index, from, to,
              net->graph->label[t].node);
}

/* The ways in which a flit moves. The way is a constant in each caller, which gets a
 * specialised copy of move_flit(). */
typedef enum { ALONG_ITS_TRACK, OVER_A_WIRE, ENTERING } Way;

/* Puts a flit at its destination: out of the network, nowhere (a dropped header), or
 * into a channel. */
static inline void put(Net *net, GraphEngine *engine, uint32_t t, NetFlit flit,
                       bool head) {
    if (t >= engine->first_sink)
        net_eject_flit(net, t - engine->first_sink, flit);
    else if (head && net->graph->label[t].drops_header)
        net_drop_flit(net, flit);
    else
        put_into_channel(net, engine, t, flit);
}

static inline __attribute__((always_inline)) void
move_flit(Net *net, GraphEngine *engine, uint32_t s, Way way) {
    Point *point = graph_point(engine, s);
    const uint32_t t = point->next;
    const bool from_source = way != OVER_A_WIRE && s >= engine->first_source;
    const bool head = way == ENTERING || (way == OVER_A_WIRE && !point->next_taken);
    const NetFlit flit =
        from_source ? net_buffer_take(net, s) : take_from_channel(net, engine, s);
    if (head) {
        point->next_taken = true;
        take_point(net->graph, engine, s, t, flit.message);
    }
    put(net, engine, t, flit, head);
    if (flit.tail)
        pass_tail(net, engine, s, t);
    if (from_source)
        refresh_source(net, engine, s);
    /* Puts `s` to sleep at once if it is already known that its next flit cannot move:
     * there is none, or it follows this one and `t` is full. */
    const bool full = graph_point(engine, t)->flits == engine->capacity;
    net_bits_remove_if(&engine->awake, s, (point->flits == 0) | (full & !flit.tail));
    if (net->hook)
        report_move(net, engine, flit, s, t);
}

static void move_along(Net *net, GraphEngine *engine) {
    for (uint32_t i = 0; i < engine->through.count; i++)
        move_flit(net, engine, engine->through.points[i], ALONG_ITS_TRACK);
}

/* Moves the flits that have won wires, and counts crossings by dimension. */
static void cross_wires(Net *net, GraphEngine *engine) {
    uint32_t crossings[LANE_CLASSES] = {0};
    for (uint32_t i = 0; i < engine->bidder_count; i++) {
        const Bidder bidder = engine->bidders[i];
        const uint32_t wire = bidder.lane >> LANE_WIRE_SHIFT;
        const bool downward = (bidder.lane & WIRE_DOWNWARD_BIDS) != 0;
        engine->wires[wire] = downward ? WIRE_LAST_DOWN : 0;
        net->wire_flits[2 * wire + downward]++;
        crossings[bidder.lane >> LANE_CLASS_SHIFT & (LANE_CLASSES - 1)]++;
        move_flit(net, engine, bidder.point, OVER_A_WIRE);
    }
    for (unsigned dimension = 0; dimension < NET_DIMENSIONS; dimension++) {
        const uint32_t on_bisection = crossings[dimension + LANE_ON_BISECTION];
        net->statistics.wire_flits[dimension] += crossings[dimension] + on_bisection;
        net->statistics.bisection_flits[dimension] += on_bisection;
    }
}

static void enter(Net *net, GraphEngine *engine) {
    for (uint32_t i = 0; i < engine->entering.count; i++)
        move_flit(net, engine, engine->entering.points[i], ENTERING);
}

static uint64_t flits_injected(const Net *net) {
    return net->statistics.flits_injected[0] + net->statistics.flits_injected[1];
}

static uint64_t flits_gone(const Net *net) {
    const NetStatistics *seen = &net->statistics;
    return seen->flits_ejected[0] + seen->flits_ejected[1] + seen->flits_dropped[0] +
           seen->flits_dropped[1];
}

/* A front flit that has not moved counts as blocked for this cycle. */
static bool step(Net *net, void *state) {
    GraphEngine *engine = state;
    net_clear_sets(net, 0, NET_PRIORITIES);
    engine->yielding = net_yielding(net);
    engine->winner = engine->winners[net_first_priority(net)];
    if (net->graph->copies > 1)
        graph_choose_copies(engine);
    sort_ready_flits(net->graph, engine);
    if (engine->best)
        graph_weigh_bids(engine);
    else
        choose_for_wires(engine);
    choose_entering(net->graph, engine);

    const uint32_t waiting = engine->occupied;
    const uint64_t injected = flits_injected(net), gone = flits_gone(net);
    const uint32_t moves =
        engine->through.count + engine->bidder_count + engine->entering.count;
    move_along(net, engine);
    cross_wires(net, engine);
    enter(net, engine);

    const uint64_t from_sources = flits_injected(net) - injected;
    net->statistics.blocked_cycles += waiting - (moves - from_sources);
    net->progressed =
        from_sources > 0 || engine->bidder_count > 0 || flits_gone(net) > gone;
    return moves > 0;
}

/* Between steps. */

static void sources_changed(Net *net, void *state, uint32_t *messages, uint32_t count) {
    GraphEngine *engine = state;
    net_messages_show(net, messages, count);
    for (uint32_t i = 0; i < count; i++) {
        const NetMessage *message = &net->messages[messages[i]];
        const uint32_t source =
            net_graph_source(net->graph, message->source, message->priority);
        refresh_source(net, engine, source);
        wake(engine, source);
    }
}

static void gate_changed(Net *net, void *state, uint32_t sink, bool open) {
    GraphEngine *engine = state;
    graph_point(engine, sink)->flits = open ? 0 : engine->capacity & 0xFF;
    wake_feeders(net->graph, engine, sink);
}

static void wire_changed(Net *net, void *state, uint32_t channel, bool blocked) {
    GraphEngine *engine = state;
    (void)net;
    graph_point(engine, channel)->blocked = blocked;
    wake(engine, channel);
}

static NetFlit flit_of(const Net *net, const void *state, uint32_t channel,
                       uint32_t k) {
    const GraphEngine *engine = state;
    assert(channel < net->graph->channels && k < graph_point(engine, channel)->flits);
    return *place_in_ring(engine, graph_point(engine, channel), k);
}

static NetPoint point_state(const Net *net, const void *state, uint32_t number) {
    const GraphEngine *engine = state;
    const Point *point = graph_point(engine, number);
    const bool is_sink = number >= engine->first_sink;
    NetPoint seen = {
        .flits = is_sink ? 0 : point->flits,
        .owner = point->owner,
        .from = point->owner == NET_NONE ? NET_NONE : point->from,
        .next = NET_NONE,
        .turn = NET_NONE,
        .next_taken = point->next_taken,
        .closed = is_sink && point->flits > 0,
    };
    const uint32_t start = net->graph->feeder_start[number];
    if (engine->fair
            ? net->graph->feeder_start[number + 1] > start
            : engine->wired_turns && graph_wired_feeders(net->graph, number) > 0)
        seen.turn = net->graph->feeders[start + point->turn];
    if (!is_sink && (point->flits > 0 || point->next_taken))
        seen.next = point->next;
    if (number < engine->first_source && point->flits > 0) {
        seen.front = flit_of(net, state, number, 0);
        seen.back = flit_of(net, state, number, point->flits - 1u);
    }
    return seen;
}

static bool wire_down(const Net *net, const void *state, uint32_t channel) {
    const GraphEngine *engine = state;
    return engine->wires[net->graph->wire[channel]] & WIRE_LAST_DOWN;
}

static void load_point(const Net *net, GraphEngine *engine, const NetImage *image,
                       uint32_t number) {
    const NetPoint *seen = &image->points[number];
    Point *point = graph_point(engine, number);
    point->next = seen->next == NET_NONE ? 0 : seen->next;
    point->owner = seen->owner;
    point->from = seen->from;
    point->flits = seen->closed ? engine->capacity & 0xFF : seen->flits & 0xFF;
    point->next_taken = seen->next_taken;
    for (uint32_t k = 0; number < engine->first_source && k < seen->flits; k++)
        point->ring[k] = image->flits[(size_t)number * image->capacity + k];
    engine->occupied += number < engine->first_source && seen->flits > 0;
    for (uint32_t i = net->graph->feeder_start[number]; seen->turn != NET_NONE; i++)
        if (net->graph->feeders[i] == seen->turn) {
            point->turn = (i - net->graph->feeder_start[number]) & 0xFF;
            break;
        }
    if (number < engine->first_sink)
        net_bits_put(&engine->awake, number, true);
}

static void load(Heap *heap, Net *net, void *state, const NetImage *image) {
    GraphEngine *engine = state;
    (void)heap;
    for (uint32_t number = 0; number < net_graph_points(net->graph); number++)
        load_point(net, engine, image, number);
    for (uint32_t wire = 0; wire < net->graph->wires; wire++)
        engine->wires[wire] = image->down[wire] ? WIRE_LAST_DOWN : 0;
}

/* Any sound graph runs if its numbers fit into the fields of a Point and a lane. */
static bool runs(Heap *heap, const NetGraph *graph, const NetParams *params,
                 JmError *error) {
    (void)heap;
    enum { MOST_FEEDERS = UINT8_MAX };
    if (!net_graph_is_plain(graph, params, error))
        return false;
    if (graph->wires > LANE_MAX_WIRES)
        return jm_fail(error, NULL, "%u wires are more than %d", graph->wires,
                       LANE_MAX_WIRES);
    for (uint32_t point = 0; point < net_graph_points(graph); point++) {
        const uint32_t feeders =
            graph->feeder_start[point + 1] - graph->feeder_start[point];
        if (feeders > MOST_FEEDERS)
            return jm_fail(error, NULL, "point %u has %u feeders, more than %d", point,
                           feeders, MOST_FEEDERS);
    }
    return true;
}

/* Checks that a point has no mark left from the last cycle, and that it is awake if it
 * can move. */
static bool check_point(const GraphEngine *engine, uint32_t number, JmError *error) {
    const Point *point = graph_point(engine, number);
    if (point->claimed)
        return jm_fail(error, NULL, "point %u keeps a mark of the last cycle", number);
    if (graph_is_ready(engine, number) && !net_bits_has(&engine->awake, number))
        return jm_fail(error, NULL, "point %u sleeps although it can move", number);
    return true;
}

static bool check(const Net *net, const void *state, JmError *error) {
    const GraphEngine *engine = state;
    uint32_t occupied = 0;
    for (uint32_t number = 0; number < engine->first_sink; number++) {
        if (!check_point(engine, number, error))
            return false;
        occupied +=
            number < engine->first_source && graph_point(engine, number)->flits > 0;
    }
    for (uint32_t wire = 0; wire < net->graph->wires; wire++)
        if (engine->wires[wire] & WIRE_BIDS)
            return jm_fail(error, NULL, "wire %u keeps a bid of the last cycle", wire);
    if (occupied == engine->occupied)
        return true;
    return jm_fail(error, NULL, "%u channels are occupied, not %u", occupied,
                   engine->occupied);
}

const NetEngine net_graph_engine = {
    .name = "graph",
    .reports_flits = true,
    .runs = runs,
    .create = create,
    .step = step,
    .sources_changed = sources_changed,
    .gate_changed = gate_changed,
    .wire_changed = wire_changed,
    .point = point_state,
    .flit = flit_of,
    .wire_down = wire_down,
    .load = load,
    .check = check,
};
