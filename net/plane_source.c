/* Output buffers of the plane engine. The front message of each is sent on credit: a
 * count of flits, a plane per bit, that the cycle takes from. A message's record is
 * looked at when its credit is used up, not for each flit. A credit ends with a whole
 * word, so its lowest bit says which flits are the second of their word. */
#include "net/plane.h"

enum { MAX_CREDIT = (1 << PLANE_CREDIT) - 1 };

static uint32_t node_of(const Net *net, uint32_t source) {
    return (source - net->graph->channels) / NET_PRIORITIES;
}

static unsigned priority_of(const Net *net, uint32_t source) {
    return (source - net->graph->channels) % NET_PRIORITIES;
}

void plane_source_begin(const Net *net, PlaneEngine *engine, unsigned priority,
                        uint32_t node, uint32_t message) {
    PlaneSources *sources = &engine->sources[priority];
    const uint32_t address = net->messages[message].address;
    const unsigned here = net_mesh_coordinate(engine->place[node], 0);
    const unsigned there = net_mesh_coordinate(address, 0);
    sources->id[node] = plane_id(message, address);
    plane_put(sources->want[0], node, there > here);
    plane_put(sources->want[1], node, there < here);
}

void plane_source_refill(Net *net, PlaneEngine *engine, unsigned priority,
                         uint32_t node) {
    const uint32_t source = net_graph_source(net->graph, node, priority);
    if (!net_buffer_can_send(net, source))
        return;
    PlaneSources *sources = &engine->sources[priority];
    const uint32_t number = net_buffer(net, source)->first;
    const NetMessage *message = &net->messages[number];
    const uint32_t loaded = sources->loaded[node];
    uint32_t credit =
        engine->header_flits + NET_FLITS_PER_WORD * message->words_visible - loaded;
    if (credit == 0)
        return;
    sources->last[node / 64] &= ~(UINT64_C(1) << (node % 64));
    if (credit > MAX_CREDIT)
        credit = credit % 2 ? MAX_CREDIT : MAX_CREDIT - 1;
    else if (message->closed_visible)
        sources->last[node / 64] |= UINT64_C(1) << (node % 64);
    if (loaded == 0)
        plane_source_begin(net, engine, priority, node, number);
    sources->loaded[node] = loaded + credit;
    for (unsigned bit = 0; bit < PLANE_CREDIT; bit++)
        sources->credit[bit][node / 64] |= (uint64_t)(credit >> bit & 1) << (node % 64);
    sources->valid[node / 64] |= UINT64_C(1) << (node % 64);
    engine->sending[priority] = true;
}

void plane_source_next(Net *net, PlaneEngine *engine, unsigned priority,
                       uint32_t node) {
    NetBuffer *buffer = net_buffer(net, net_graph_source(net->graph, node, priority));
    net->messages[buffer->first].flits_sent = engine->sources[priority].loaded[node];
    engine->sources[priority].loaded[node] = 0;
    net_buffer_pass_tail(net, buffer);
}

void plane_source_changed(Net *net, void *state, uint32_t source) {
    PlaneEngine *engine = state;
    const uint32_t node = node_of(net, source);
    const unsigned priority = priority_of(net, source);
    if (!plane_has(engine->sources[priority].valid, node))
        plane_source_refill(net, engine, priority, node);
}

uint32_t plane_places_freed(const Net *net, const void *state, uint32_t source) {
    const PlaneEngine *engine = state;
    const uint32_t node = node_of(net, source);
    const PlaneSources *sources = &engine->sources[priority_of(net, source)];
    uint32_t freed = 0;
    for (uint32_t bit = 0; bit < engine->freed_bits; bit++)
        freed |= (uint32_t)plane_has(sources->freed[bit], node) << bit;
    return freed;
}
