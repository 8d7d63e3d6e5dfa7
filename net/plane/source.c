/* Output buffers of the plane engine. The front message of each is sent on credit: a
 * count of flits, a plane per bit, that the cycle takes from. A message's record is
 * looked at when its credit is used up, not for each flit. A credit ends with a whole
 * word, so its lowest bit says which flits are the second of their word. */
#include <assert.h>

#include "net/plane/plane.h"

enum { MAX_CREDIT = (1 << PLANE_CREDIT) - 1 };

uint32_t plane_set_way(const Net *net, PlaneEngine *engine, uint32_t number) {
    const NetMessage *message = &net->messages[number];
    assert(number < engine->ways);
    const uint32_t way = plane_way(engine->place[message->source], message->address);
    engine->way[number] = way;
    return way;
}

void plane_source_begin(const Net *net, PlaneEngine *engine, unsigned priority,
                        uint32_t node, uint32_t message) {
    const PlaneSources *sources = &engine->sources[priority];
    const uint32_t way = plane_set_way(net, engine, message);
    sources->id[node] = plane_id(message, way, 0);
    plane_put(sources->want[0], node, way >> PLANE_UPWARD & 1);
    plane_put(sources->want[1], node, way >> PLANE_DOWNWARD & 1);
}

/* Returns how many flits of a message can leave that have not been given as credit. A
 * message starts when it may, and then goes on with what there is. */
static uint32_t flits_to_send(const Net *net, const NetMessage *message,
                              uint32_t loaded) {
    if (loaded == 0 && !net_message_can_start(net, message))
        return 0;
    return net->params.header_flits + NET_FLITS_PER_WORD * message->words_visible -
           loaded;
}

/* Stores a credit; the last one ends with the tail. */
static void load_credit(PlaneEngine *engine, unsigned priority, uint32_t node,
                        uint32_t credit, bool last) {
    const PlaneSources *sources = &engine->sources[priority];
    const uint64_t bit = UINT64_C(1) << (node % 64);
    const size_t w = node / 64;
    for (; credit; credit &= credit - 1) /* two bits of it are set, as a rule */
        sources->credit[__builtin_ctz(credit)][w] |= bit;
    sources->last[w] = (sources->last[w] & ~bit) | (uint64_t)last << (node % 64);
    sources->valid[w] |= bit;
    engine->sending |= (uint8_t)(1u << priority);
}

/* Gives credit for what can be sent, at most MAX_CREDIT flits and whole words. */
static void refill(const Net *net, PlaneEngine *engine, unsigned priority,
                   uint32_t node, uint32_t number) {
    const NetMessage *message = &net->messages[number];
    uint32_t *loaded = &engine->sources[priority].loaded[node];
    uint32_t credit = flits_to_send(net, message, *loaded);
    bool last = message->closed_visible;
    if (credit == 0)
        return;
    if (credit > MAX_CREDIT) {
        credit = MAX_CREDIT - (credit + 1) % 2;
        last = false;
    }
    if (*loaded == 0)
        plane_source_begin(net, engine, priority, node, number);
    *loaded += credit;
    load_credit(engine, priority, node, credit, last);
}

void plane_source_refill(const Net *net, PlaneEngine *engine, unsigned priority,
                         uint32_t node) {
    const uint32_t first = net->buffers[node * NET_PRIORITIES + priority].first;
    if (first != NET_NONE)
        refill(net, engine, priority, node, first);
}

void plane_source_next(Net *net, PlaneEngine *engine, unsigned priority,
                       uint32_t node) {
    NetBuffer *buffer = &net->buffers[node * NET_PRIORITIES + priority];
    engine->sources[priority].loaded[node] = 0;
    net_buffer_pass_tail(net, buffer);
}

/* Most messages that are offered words have credit left, or may not start yet. Those
 * that need credit are found first, without branches, which could not be predicted. */
void plane_sources_changed(Net *net, void *state, uint32_t *messages, uint32_t count) {
    PlaneEngine *engine = state;
    uint32_t needy = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = messages[i];
        const NetMessage *message = &net->messages[number];
        const uint32_t end = message->source * NET_PRIORITIES + message->priority;
        const PlaneSources *sources = &engine->sources[message->priority];
        const bool may_start = (sources->loaded[message->source] > 0) |
                               net_message_can_start(net, message);
        messages[needy] = number;
        needy += (net->buffers[end].first == number) & may_start &
                 !plane_has(sources->valid, message->source);
    }
    for (uint32_t i = 0; i < needy; i++) {
        const NetMessage *message = &net->messages[messages[i]];
        refill(net, engine, message->priority, message->source, messages[i]);
    }
}
