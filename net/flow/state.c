/* Creation of the flow engine, the graphs and parameters it can run, and its state from
 * images and bytes. */
#include <stdlib.h>

#include "net/flow/flow.h"

/* ---- what it runs ---------------------------------------------------------------- */

/* The engine has its own rules of precedence: parameters that change those of the mesh
 * must have the engine's values. */
static bool params_run(const NetParams *params, JmError *error) {
    const NetParams standard = net_params_default();
    const struct {
        const char *name;
        uint32_t value, supported;
    } rows[] = {
        {"wire_turns", params->wire_turns, 1},
        {"fair", params->fair, standard.fair},
        {"yield", params->yield, standard.yield},
        {"yield_dims", params->yield_dims, standard.yield_dims},
        {"r_order", params->r_order, standard.r_order},
        {"enter_on_lost_wire", params->enter_on_lost_wire, standard.enter_on_lost_wire},
        {"virtual_channels", params->virtual_channels, standard.virtual_channels},
        {"rts_priority", params->rts_priority, standard.rts_priority},
        {"age", params->age, standard.age},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].value != rows[i].supported)
            return jm_fail(error, NULL, "it does not support %s=%u", rows[i].name,
                           rows[i].value);
    if (params->heads == 0)
        return jm_fail(error, NULL, "it does not support heads=0");
    if (params->header_flits == 0 && params->flits_per_word == 1)
        return jm_fail(error, NULL,
                       "header_flits=0: with flits_per_word=1 a message needs one");
    return true;
}

/* A flit in flight to a sink would find its gate closed. */
static bool sinks_are_near(const NetGraph *graph, JmError *error) {
    const uint32_t first = graph->feeder_start[net_graph_first_sink(graph)];
    const uint32_t end = graph->feeder_start[net_graph_points(graph)];
    for (uint32_t i = first; graph->delay && i < end; i++) {
        const uint32_t wire = graph->wire[graph->feeders[i]];
        if (wire != NET_NONE && graph->delay[wire] > 0)
            return jm_fail(error, NULL, "wire %u has a delay and ends at a sink", wire);
    }
    return true;
}

/* The engine has no wires that both directions share, no channels that drop headers, no
 * lane that is of priority 1 on some wires only, and no delay before a sink. */
static bool graph_runs(Heap *heap, const NetGraph *graph, JmError *error) {
    uint8_t *ways = heap_alloc(heap, graph->wires);
    unsigned lanes[NET_PRIORITIES] = {0};
    for (uint32_t c = 0; c < graph->channels; c++) {
        const NetLabel *label = &graph->label[c];
        if (label->drops_header)
            return jm_fail(error, NULL, "channel %u drops headers", c);
        if (graph->wire[c] == NET_NONE)
            continue;
        ways[graph->wire[c]] |= (uint8_t)(1u << label->downward);
        if (ways[graph->wire[c]] == 3)
            return jm_fail(error, NULL, "wire %u is shared by both directions",
                           graph->wire[c]);
        lanes[label->priority] |= 1u << net_graph_lane(graph, c);
    }
    heap_free(ways);
    if (lanes[0] & lanes[1])
        return jm_fail(error, NULL,
                       "a lane is of priority 0 on one wire and 1 on another");
    return sinks_are_near(graph, error);
}

bool flow_runs(Heap *heap, const NetGraph *graph, const NetParams *params,
               JmError *error) {
    if (!params_run(params, error) || !graph_runs(heap, graph, error))
        return false;
    return params->heads != FLOW_TURNS || !graph->choices || params->commit ||
           jm_fail(error, NULL, "heads=%u needs heads that have one channel to go to",
                   FLOW_TURNS);
}

/* ---- creation -------------------------------------------------------------------- */

/* Empties a point. A point without a wire gets a track of its own, after those of the
 * wires: all flits move over a track. */
static void set_point(FlowEngine *engine, const NetParams *params, uint32_t number,
                      uint32_t *tracks) {
    const NetGraph *graph = engine->graph;
    const bool wired = graph->wire[number] != NET_NONE;
    const bool channel = number < engine->first_source;
    FlowPoint *point = &engine->point[number];
    *point = (FlowPoint){
        .owner = NET_NONE,
        .track = wired ? graph->wire[number] : (*tracks)++,
        .lane = wired ? net_graph_lane(graph, number) & UINT8_MAX : 0,
        .places = channel ? net_graph_places(graph, params, number) & UINT8_MAX : 1,
    };
    engine->user[point->track * NET_MAX_LANES + point->lane] = number;
    if (wired && graph->label[number].priority)
        engine->urgent |= 1u << point->lane;
    engine->served[number] = NET_NONE;
    while (channel && 1u << engine->ring_shift < point->places)
        engine->ring_shift++;
}

/* Creates a list with room for `count`. */
static NetList create_list(Heap *heap, size_t count) {
    return (NetList){.items = heap_alloc(heap, count * sizeof(uint32_t))};
}

static void create_lists(Heap *heap, FlowEngine *engine, size_t tracks) {
    engine->heads = create_list(heap, engine->points);
    engine->hopeful = create_list(heap, engine->points);
    engine->wishers = create_list(heap, tracks);
    engine->picks = create_list(heap, tracks);
    engine->later = create_list(heap, tracks);
    engine->leaving = create_list(heap, engine->points);
    engine->mixed = create_list(heap, engine->points);
    engine->freed = create_list(heap, engine->points);
    engine->drains = net_bits(heap, engine->points);
    engine->broken = net_bits(heap, engine->points);
    engine->ready = net_bits(heap, engine->points);
    engine->arrived = net_bits(heap, engine->points);
}

/* Allocates what there is by point. */
static void create_points(Heap *heap, FlowEngine *engine) {
    const size_t points = engine->points;
    engine->point = heap_alloc(heap, points * sizeof *engine->point);
    engine->stream = heap_alloc(heap, points * sizeof *engine->stream);
    engine->stream_of = heap_alloc(heap, points * sizeof *engine->stream_of);
    engine->offset = heap_alloc(heap, points * sizeof *engine->offset);
    engine->crossed = heap_alloc(heap, points * sizeof *engine->crossed);
    engine->settled = heap_alloc(heap, points * sizeof *engine->settled);
    engine->leaves = heap_alloc(heap, (points + 1) * sizeof *engine->leaves);
    engine->moves = heap_alloc(heap, (points + 1) * sizeof *engine->moves);
    engine->stamp = heap_alloc(heap, points * sizeof *engine->stamp);
    engine->served = heap_alloc(heap, points * sizeof *engine->served);
    engine->bidder = heap_alloc(heap, points * sizeof *engine->bidder);
    engine->chosen = heap_alloc(heap, points * sizeof *engine->chosen);
}

/* Allocates all memory and sets each point. */
static void allocate(Heap *heap, FlowEngine *engine, const NetParams *params) {
    const NetGraph *graph = engine->graph;
    const size_t most_tracks = (size_t)graph->wires + engine->points;
    const size_t users = most_tracks * NET_MAX_LANES;
    engine->user = heap_alloc(heap, users * sizeof *engine->user);
    engine->track = heap_alloc(heap, most_tracks * sizeof *engine->track);
    engine->lanes_held = heap_alloc(heap, graph->wires);
    engine->counts = heap_alloc(heap, graph->channels * sizeof *engine->counts);
    create_points(heap, engine);
    create_lists(heap, engine, most_tracks);
    for (size_t i = 0; i < users; i++)
        engine->user[i] = NET_NONE;
    uint32_t tracks = graph->wires;
    for (uint32_t number = 0; number < engine->points; number++)
        set_point(engine, params, number, &tracks);
    for (size_t track = 0; track < most_tracks; track++)
        engine->track[track].winner = FLOW_NO_LANE;
    engine->flits =
        heap_alloc(heap, graph->channels * sizeof(NetFlit) << engine->ring_shift);
    flow_flights_create(heap, engine);
}

void *flow_create(Heap *heap, Net *net) {
    FlowEngine *engine = heap_alloc(heap, sizeof *engine);
    engine->graph = net->graph;
    engine->first_source = net->graph->channels;
    engine->first_sink = net_graph_first_sink(net->graph);
    engine->points = net_graph_points(net->graph);
    engine->through = net->params.through;
    engine->select = net->params.select;
    engine->commit = net->params.commit;
    engine->atomic = net->params.atomic;
    engine->one_way = !net->graph->choices || engine->commit;
    engine->turns = net->params.heads == FLOW_TURNS;
    allocate(heap, engine, &net->params);
    engine->tails_keep = engine->atomic || engine->flights.slots > 0;
    return engine;
}

/* ---- images ---------------------------------------------------------------------- */

/* Loads a point of an image, which holds at most `image->capacity` flits of each
 * channel. */
static void load_point(FlowEngine *engine, const NetImage *image, uint32_t number) {
    const NetPoint *seen = &image->points[number];
    FlowPoint *point = &engine->point[number];
    point->next = seen->next == NET_NONE ? 0 : seen->next;
    point->owner = seen->owner;
    point->from = seen->from;
    point->flits = seen->closed ? 1 : seen->flits & UINT8_MAX;
    point->next_taken = seen->next_taken;
    if (number >= engine->first_source)
        return;
    for (uint32_t k = 0; k < seen->flits; k++)
        engine->flits[((size_t)number << engine->ring_shift) + k] =
            image->flits[(size_t)number * image->capacity + k];
    engine->occupied += seen->flits > 0;
    const uint32_t wire = engine->graph->wire[number];
    if (wire != NET_NONE && seen->owner != NET_NONE)
        engine->lanes_held[wire]++;
}

/* Lists ready points and waiting heads by number; flow_archive() restores the order of
 * arrival. */
static void list_heads(const Net *net, FlowEngine *engine) {
    engine->heads.count = 0;
    for (uint32_t number = 0; number < engine->first_sink; number++) {
        FlowPoint *point = &engine->point[number];
        net_bits_put(&engine->ready, number, flow_is_ready(engine, point));
        point->since = net->now;
        point->waits = point->flits > 0 && !point->next_taken;
        if (point->waits)
            flow_list_add(&engine->heads, number);
    }
}

void flow_load(Heap *heap, Net *net, void *state, const NetImage *image) {
    FlowEngine *engine = state;
    (void)heap;
    for (uint32_t number = 0; number < engine->points; number++)
        load_point(engine, image, number);
    list_heads(net, engine);
}

/* ---- bytes ----------------------------------------------------------------------- */

/* A waiting head, for sorting. */
typedef struct {
    uint64_t since;
    uint32_t point;
} Arrival;

/* For qsort: by arrival; equal ones by the lowest point. */
static int by_age(const void *a, const void *b) {
    const Arrival *x = a, *y = b;
    if (x->since != y->since)
        return x->since < y->since ? -1 : 1;
    return x->point < y->point ? -1 : x->point > y->point;
}

/* Sorts the waiting heads by age, the engine's order. */
static void order_heads(Heap *heap, FlowEngine *engine) {
    const uint32_t count = engine->heads.count;
    Arrival *arrivals = heap_alloc(heap, count * sizeof *arrivals);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t s = engine->heads.items[i];
        arrivals[i] = (Arrival){engine->point[s].since, s};
    }
    qsort(arrivals, count, sizeof *arrivals, by_age);
    for (uint32_t i = 0; i < count; i++)
        engine->heads.items[i] = arrivals[i].point;
}

/* Archives the feeder last served and the choice last made, where they matter. */
static void archive_turns(FlowEngine *engine, Archive *a) {
    for (uint32_t t = 0; engine->turns && t < engine->points && archive_good(a); t++) {
        bool any = engine->served[t] != NET_NONE;
        jm_archive_bool(a, &any);
        if (!any)
            engine->served[t] = NET_NONE;
        else
            jm_archive_below(a, &engine->served[t], engine->first_sink);
    }
    if (engine->select == FLOW_SELECT_TURNS)
        for (uint32_t s = 0; s < engine->first_sink && archive_good(a); s++)
            jm_archive_u8(a, &engine->chosen[s], NET_MAX_CHOICES);
}

void flow_archive(Heap *heap, Net *net, void *state, Archive *a) {
    FlowEngine *engine = state;
    flow_flights_archive(heap, net, engine, a);
    if (!a->saving)
        list_heads(net, engine);
    for (uint32_t s = 0; s < engine->first_sink && archive_good(a); s++)
        if (engine->point[s].waits)
            jm_archive_u64(a, &engine->point[s].since, net->now);
    for (uint32_t wire = 0; wire < net->graph->wires && archive_good(a); wire++) {
        FlowTrack *track = &engine->track[wire];
        uint8_t turn = track->turns & 0xF, urgent_turn = track->turns >> 4;
        jm_archive_u8(a, &turn, NET_MAX_LANES - 1);
        if (engine->urgent)
            jm_archive_u8(a, &urgent_turn, NET_MAX_LANES - 1);
        track->turns = ((unsigned)urgent_turn << 4 | turn) & 0xFF;
    }
    for (uint32_t c = 0; c < net->graph->channels && archive_good(a); c++) {
        FlowCounts *counts = &engine->counts[c];
        jm_archive_u64(a, &counts->messages, UINT64_MAX);
        jm_archive_u64(a, &counts->held, UINT64_MAX);
        jm_archive_u64(a, &counts->waits, UINT64_MAX);
        jm_archive_u64(a, &counts->taken_at, net->now);
    }
    archive_turns(engine, a);
    jm_archive_u64(a, &net->draws.state, UINT64_MAX);
    if (!a->saving)
        order_heads(heap, engine);
}

/* ---- invariants ------------------------------------------------------------------ */

/* The set of ready points and the mark of waiting heads follow from the flits. */
static bool check_point(const FlowEngine *engine, uint32_t s, JmError *error) {
    const FlowPoint *point = &engine->point[s];
    if (net_bits_has(&engine->ready, s) != flow_is_ready(engine, point))
        return jm_fail(error, NULL, "point %u is not as ready as it seems", s);
    if (point->waits != (point->flits > 0 && !point->next_taken))
        return jm_fail(error, NULL, "the head of point %u is not where it waits", s);
    return true;
}

static bool check_heads(const FlowEngine *engine, uint32_t waiting, JmError *error) {
    uint64_t before = 0;
    for (uint32_t i = 0; i < engine->heads.count; i++) {
        const FlowPoint *point = &engine->point[engine->heads.items[i]];
        if (!point->waits || point->since < before)
            return jm_fail(error, NULL, "waiting heads are not in order of age");
        before = point->since;
    }
    uint32_t listed = engine->heads.count;
    for (uint32_t s = 0; s < engine->first_sink; s++)
        listed += net_bits_has(&engine->arrived, s);
    return listed == waiting ||
           jm_fail(error, NULL, "%u heads wait, %u are listed", waiting, listed);
}

/* Only a stream keeps its wish for a wire. */
static bool check_track(const FlowEngine *engine, uint32_t wire) {
    const FlowTrack *track = &engine->track[wire];
    unsigned streams = 0;
    for (unsigned lane = 0; lane < NET_MAX_LANES; lane++) {
        const uint32_t s = engine->user[wire * NET_MAX_LANES + lane];
        if (s != NET_NONE && engine->point[s].stream_out)
            streams |= 1u << lane;
    }
    return track->wish == streams && track->struck == 0 &&
           (streams == 0 || streams == 1u << track->winner);
}

bool flow_check(const Net *net, const void *state, JmError *error) {
    const FlowEngine *engine = state;
    uint32_t occupied = 0, waiting = 0;
    for (uint32_t s = 0; s < engine->first_sink; s++) {
        if (!check_point(engine, s, error))
            return false;
        occupied += s < engine->first_source && engine->point[s].flits > 0;
        waiting += engine->point[s].waits;
    }
    for (uint32_t wire = 0; wire < net->graph->wires; wire++)
        if (!check_track(engine, wire))
            return jm_fail(error, NULL, "wire %u keeps a wish of the last cycle", wire);
    if (occupied != engine->occupied)
        return jm_fail(error, NULL, "%u channels are occupied, not %u", occupied,
                       engine->occupied);
    return check_heads(engine, waiting, error) && flow_streams_check(engine, error) &&
           flow_flights_check(engine, &net->params, error);
}
