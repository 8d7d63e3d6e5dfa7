/* Flits in flight over wires that take several cycles. A flit that leaves in cycle t
 * over a wire with a delay of d can be sent on from cycle t + d + 1. Its place in the
 * next channel is taken when it leaves, and it is in the ring of that channel from then
 * on, so landing only changes a count. The channel is free for another head when the
 * tail has landed. */
#include "net/flow/flow.h"

static uint32_t delay_of(const FlowEngine *engine, uint32_t from) {
    const uint32_t wire = engine->graph->wire[from];
    return wire == NET_NONE ? 0 : engine->graph->delay[wire];
}

void flow_flights_create(Heap *heap, FlowEngine *engine) {
    const NetGraph *graph = engine->graph;
    FlowFlights *flights = &engine->flights;
    uint32_t longest = 0;
    for (uint32_t wire = 0; graph->delay && wire < graph->wires; wire++) {
        flights->room += graph->delay[wire] > 0;
        if (graph->delay[wire] > longest)
            longest = graph->delay[wire];
    }
    if (longest == 0)
        return;
    flights->slots = longest + 1;
    const size_t most = (size_t)flights->slots * flights->room;
    flights->count = heap_alloc(heap, flights->slots * sizeof *flights->count);
    flights->flight = heap_alloc(heap, most * sizeof *flights->flight);
}

/* ---- in a cycle ------------------------------------------------------------------ */

static FlowFlight *slot_of(const FlowFlights *flights, uint64_t cycle) {
    return &flights->flight[(size_t)(cycle % flights->slots) * flights->room];
}

static void add_flight(FlowFlights *flights, uint64_t cycle, FlowFlight flight) {
    slot_of(flights, cycle)[flights->count[cycle % flights->slots]++] = flight;
    flights->flying++;
}

bool flow_sets_out(const Net *net, FlowEngine *engine, const FlowMove *move) {
    const uint32_t delay = delay_of(engine, move->from);
    if (delay == 0)
        return false;
    FlowPoint *to = &engine->point[move->to];
    const uint32_t place = (uint32_t)to->first + to->flits + to->coming;
    const uint32_t mask = (1u << engine->ring_shift) - 1;
    engine->flits[((size_t)move->to << engine->ring_shift) + (place & mask)] =
        move->flit;
    to->coming++;
    to->places--;
    if (move->flit.tail)
        engine->counts[move->to].held += delay;
    add_flight(&engine->flights, net->now + delay, (FlowFlight){move->from, move->to});
    return true;
}

uint32_t flow_land(const Net *net, FlowEngine *engine, const FlowFlight **landed) {
    FlowFlights *flights = &engine->flights;
    const uint32_t count = flights->count[net->now % flights->slots];
    *landed = slot_of(flights, net->now);
    for (uint32_t i = 0; i < count; i++) {
        FlowPoint *to = &engine->point[(*landed)[i].to];
        to->coming--;
        to->places++;
        engine->occupied += to->flits++ == 0;
    }
    flights->flying -= count;
    return count;
}

void flow_clear_landed(const Net *net, FlowEngine *engine) {
    engine->flights.count[net->now % engine->flights.slots] = 0;
}

/* ---- between steps --------------------------------------------------------------- */

bool flow_flights_check(const FlowEngine *engine, const NetParams *params,
                        JmError *error) {
    uint32_t coming = 0, listed = 0;
    for (uint32_t c = 0; c < engine->first_source; c++) {
        const FlowPoint *point = &engine->point[c];
        coming += point->coming;
        if (point->places + point->coming !=
            (int)net_graph_places(engine->graph, params, c))
            return jm_fail(error, NULL, "channel %u has %u places and %u flits coming",
                           c, point->places, point->coming);
    }
    for (uint32_t slot = 0; slot < engine->flights.slots; slot++)
        listed += engine->flights.count[slot];
    return (coming == listed && listed == engine->flights.flying) ||
           jm_fail(error, NULL, "%u flits are on their way, %u are listed", coming,
                   listed);
}

/* Whether a flit may be in flight with `left` cycles to go, as the only one of its wire
 * then: `last` gives, by wire, the cycle of the previous one. */
static bool may_fly(const FlowEngine *engine, FlowFlight flight, uint32_t left,
                    uint32_t *last) {
    const uint32_t delay = delay_of(engine, flight.from);
    const FlowPoint *to = &engine->point[flight.to];
    if (left >= delay || !net_graph_feeds(engine->graph, flight.from, flight.to) ||
        to->flits == 0)
        return false;
    /* A channel belongs to its message until the tail departs. */
    const uint32_t mask = (1u << engine->ring_shift) - 1;
    const uint32_t last_place =
        ((uint32_t)to->first + to->flits + to->coming - 1) & mask;
    const NetFlit *flit =
        &engine->flits[((size_t)flight.to << engine->ring_shift) + last_place];
    if (to->owner == NET_NONE ? !flit->tail : to->from != flight.from)
        return false;
    uint32_t *before = &last[engine->graph->wire[flight.from]];
    const bool first = *before <= left;
    *before = left + 1;
    return first;
}

/* Takes a flit from the end of those in a channel. */
static void lift(FlowEngine *engine, FlowFlight flight, uint64_t cycle) {
    FlowPoint *to = &engine->point[flight.to];
    engine->occupied -= --to->flits == 0;
    to->coming++;
    to->places--;
    add_flight(&engine->flights, cycle, flight);
}

static void archive_slot(const Net *net, FlowEngine *engine, Archive *archive,
                         uint32_t left, uint32_t *last) {
    FlowFlights *flights = &engine->flights;
    const uint64_t cycle = net->now + left;
    uint32_t count = flights->count[cycle % flights->slots];
    jm_archive_u32(archive, &count, flights->room);
    for (uint32_t i = 0; i < count && archive_good(archive); i++) {
        FlowFlight flight = {0};
        if (archive->saving)
            flight = slot_of(flights, cycle)[i];
        jm_archive_below(archive, &flight.from, engine->first_source);
        jm_archive_below(archive, &flight.to, engine->first_source);
        if (archive->saving || !archive_good(archive))
            continue;
        if (archive_demand(archive, may_fly(engine, flight, left, last)))
            lift(engine, flight, cycle);
    }
}

void flow_flights_archive(Heap *heap, const Net *net, FlowEngine *engine,
                          Archive *archive) {
    if (engine->flights.slots == 0)
        return;
    uint32_t *last = heap_alloc(heap, engine->graph->wires * sizeof *last);
    for (uint32_t left = 0; left + 1 < engine->flights.slots; left++)
        if (archive_good(archive))
            archive_slot(net, engine, archive, left, last);
}
