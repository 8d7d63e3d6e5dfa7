/* Output buffers of the plane engine between two cycles. */
#include <assert.h>

#include "net/plane/source_inline.h"

uint32_t plane_set_way(const Net *net, PlaneEngine *engine, uint32_t number) {
    const NetMessage *message = &net->messages[number];
    assert(number < engine->ways);
    const uint32_t way = plane_way(engine->place[message->source], message->address);
    engine->way[number] = way;
    return way;
}

/* Returns the credit of a source. */
static uint32_t credit_of(const PlaneEngine *engine, uint32_t end) {
    const Planes own = plane_ends(engine, end % NET_PRIORITIES);
    uint32_t credit = 0;
    for (unsigned bit = 0; bit < PLANE_CREDIT; bit++)
        credit |=
            (uint32_t)plane_has(plane(own, PLANE_SOURCE + bit), end / NET_PRIORITIES)
            << bit;
    return credit;
}

/* Marks whether the next flit of a source is the tail, as the cycle does where a flit
 * leaves. */
static void mark_tail(PlaneEngine *engine, uint32_t end) {
    const Planes own = plane_ends(engine, end % NET_PRIORITIES);
    const uint32_t node = end / NET_PRIORITIES;
    plane_put(plane(own, PLANE_SOURCE_TAIL), node,
              plane_has(plane(own, PLANE_SOURCE_LAST), node) &&
                  credit_of(engine, end) == 1);
}

void plane_source_begin(const Net *net, PlaneEngine *engine, unsigned priority,
                        uint32_t node, uint32_t message) {
    assert(message < engine->ways);
    begin_source(net, engine, engine->stride, priority, node, message);
}

void plane_source_refill(const Net *net, PlaneEngine *engine, unsigned priority,
                         uint32_t node) {
    refill(net, engine, engine->stride, priority, node);
    mark_tail(engine, node * NET_PRIORITIES + priority);
}

uint32_t plane_source_sent(const PlaneEngine *engine, uint32_t end) {
    return engine->loaded[end] - credit_of(engine, end);
}

/* Takes credit for flits of words that were taken back. */
static void take_credit(PlaneEngine *engine, uint32_t end, uint32_t flits) {
    const Planes own = plane_ends(engine, end % NET_PRIORITIES);
    const uint32_t node = end / NET_PRIORITIES;
    uint32_t credit = credit_of(engine, end);
    assert(credit >= flits);
    credit -= flits;
    engine->loaded[end] -= flits;
    for (unsigned bit = 0; bit < PLANE_CREDIT; bit++)
        plane_put(plane(own, PLANE_SOURCE + bit), node, credit >> bit & 1);
    plane_put(plane(own, PLANE_SOURCE_LAST), node, false);
    plane_put(plane(own, PLANE_SOURCE_TAIL), node, false);
    if (credit > 0)
        return;
    plane_put(plane(own, PLANE_SOURCE_VALID), node, false);
    engine->waits[end] = PLANE_WAITS_FOR_WORDS;
}

void plane_taken_back(Net *net, void *state, uint32_t number) {
    PlaneEngine *engine = state;
    const NetMessage *message = &net->messages[number];
    const uint32_t end = message->source * NET_PRIORITIES + message->priority;
    const uint32_t flits = net_flits_of(net, message->words_visible);
    const uint32_t loaded = engine->loaded[end];
    if (net->buffers[end].first == number && loaded > flits)
        take_credit(engine, end, loaded - flits);
}
