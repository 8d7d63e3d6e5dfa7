/* Output buffers of the plane engine. The front message of each is sent on credit: a
 * count of flits, a plane per bit, that the cycle decrements. A message's record is
 * examined when its credit is used up, not for each flit. A credit ends with a whole
 * word, so its lowest bit marks the second flit of a word. */
#include <assert.h>

#include "net/plane/plane.h"

enum { MAX_CREDIT = (1 << PLANE_CREDIT) - 1 };

static inline uint32_t set_way(const Net *net, PlaneEngine *engine, uint32_t number) {
    const NetMessage *message = &net->messages[number];
    assert(number < engine->ways);
    const uint32_t way = plane_way(engine->place[message->source], message->address);
    engine->way[number] = way;
    return way;
}

uint32_t plane_set_way(const Net *net, PlaneEngine *engine, uint32_t number) {
    return set_way(net, engine, number);
}

static inline void begin(const Net *net, PlaneEngine *engine,
                         const PlaneSources *sources, uint32_t node, uint32_t message) {
    const uint32_t way = set_way(net, engine, message);
    sources->id[node] = plane_id(message, way, 0);
    plane_put(sources->want[0], node, way >> PLANE_UPWARD & 1);
    plane_put(sources->want[1], node, way >> PLANE_DOWNWARD & 1);
}

void plane_source_begin(const Net *net, PlaneEngine *engine, unsigned priority,
                        uint32_t node, uint32_t message) {
    begin(net, engine, &engine->sources[priority], node, message);
}

/* Returns the number of a message's sendable flits without credit. A message starts
 * when it may, and then continues with what there is. */
static uint32_t flits_to_send(const Net *net, const NetMessage *message,
                              uint32_t loaded) {
    if (loaded == 0 && !net_message_can_start(net, message))
        return 0;
    return net->params.header_flits + NET_FLITS_PER_WORD * message->words_visible -
           loaded;
}

/* Stores a credit; the last one ends with the tail. */
static inline void load_credit(PlaneEngine *engine, const PlaneSources *sources,
                               unsigned priority, uint32_t node, uint32_t credit,
                               bool last) {
    const uint64_t bit = UINT64_C(1) << (node % 64);
    const size_t w = node / 64;
    uint64_t *const planes = sources->credit[0] + w; /* the others follow */
    for (; credit; credit &= credit - 1) /* two of its bits are set, as a rule */
        planes[(unsigned)__builtin_ctz(credit) * engine->stride] |= bit;
    sources->last[w] = (sources->last[w] & ~bit) | (uint64_t)last << (node % 64);
    sources->valid[w] |= bit;
    engine->sending |= (uint8_t)(1u << priority);
}

/* Gives credit for the sendable flits of a buffer's front message, at most MAX_CREDIT
 * flits and whole words. */
static inline void refill(const Net *net, PlaneEngine *engine, uint32_t end) {
    const unsigned priority = end % NET_PRIORITIES;
    const uint32_t node = end / NET_PRIORITIES;
    const PlaneSources *sources = &engine->sources[priority];
    const uint32_t number = net->buffers[end].first, loaded = sources->loaded[node];
    if (number == NET_NONE)
        return;
    const NetMessage *message = &net->messages[number];
    uint32_t credit = flits_to_send(net, message, loaded);
    bool last = message->closed_visible;
    if (credit == 0)
        return;
    if (credit > MAX_CREDIT) {
        credit = MAX_CREDIT - (credit + 1) % 2;
        last = false;
    }
    if (loaded == 0)
        begin(net, engine, sources, node, number);
    sources->loaded[node] = loaded + credit;
    engine->waits[end] = PLANE_HAS_CREDIT;
    load_credit(engine, sources, priority, node, credit, last);
}

/* Refills buffers by node * NET_PRIORITIES + priority. */
static void refill_all(const Net *net, PlaneEngine *engine, const uint32_t *ends,
                       uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (engine->waits[ends[i]] != PLANE_HAS_CREDIT)
            refill(net, engine, ends[i]);
}

void plane_source_refill(const Net *net, PlaneEngine *engine, unsigned priority,
                         uint32_t node) {
    const uint32_t end = node * NET_PRIORITIES + priority;
    refill_all(net, engine, &end, 1);
}

void plane_sources_dry(const Net *net, PlaneEngine *engine, unsigned priority,
                       uint32_t *nodes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        nodes[i] = nodes[i] * NET_PRIORITIES + priority;
        engine->waits[nodes[i]] = PLANE_WAITS_FOR_WORDS;
    }
    refill_all(net, engine, nodes, count);
}

void plane_sources_done(Net *net, PlaneEngine *engine, unsigned priority,
                        uint32_t *nodes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        engine->sources[priority].loaded[nodes[i]] = 0;
        nodes[i] = nodes[i] * NET_PRIORITIES + priority;
        net_buffer_pass_tail(net, &net->buffers[nodes[i]]);
        engine->waits[nodes[i]] = PLANE_WAITS_TO_START;
    }
    refill_all(net, engine, nodes, count);
}

/* Most messages that are offered words are in a buffer with credit left, or may not
 * start yet. The others are found first, without branches, which would be
 * unpredictable: those of a buffer that waits for words, and those that may start in a
 * buffer that waits for that. */
void plane_sources_changed(Net *net, void *state, uint32_t *messages, uint32_t count) {
    PlaneEngine *engine = state;
    const uint32_t start_words = net->start_words;
    uint32_t needy = 0;
    for (uint32_t i = 0; i < count; i++) {
        NetMessage *message = &net->messages[messages[i]];
        const uint32_t end = message->source * NET_PRIORITIES + message->priority;
        net_message_show(message);
        const unsigned can_start =
            message->closed | (1 + message->words_offered >= start_words);
        messages[needy] = end;
        needy += engine->waits[end] + can_start >= PLANE_WAITS_FOR_WORDS;
    }
    refill_all(net, engine, messages, needy);
}

/* Takes credit for flits of words that were taken back. */
static void take_credit(PlaneEngine *engine, unsigned priority, uint32_t node,
                        uint32_t flits) {
    const PlaneSources *sources = &engine->sources[priority];
    uint32_t credit = 0;
    for (unsigned bit = 0; bit < PLANE_CREDIT; bit++)
        credit |= (uint32_t)plane_has(sources->credit[bit], node) << bit;
    assert(credit >= flits);
    credit -= flits;
    sources->loaded[node] -= flits;
    for (unsigned bit = 0; bit < PLANE_CREDIT; bit++)
        plane_put(sources->credit[bit], node, credit >> bit & 1);
    plane_put(sources->last, node, false);
    if (credit > 0)
        return;
    plane_put(sources->valid, node, false);
    engine->waits[node * NET_PRIORITIES + priority] = PLANE_WAITS_FOR_WORDS;
}

void plane_taken_back(Net *net, void *state, uint32_t number) {
    PlaneEngine *engine = state;
    const NetMessage *message = &net->messages[number];
    const unsigned priority = message->priority;
    const uint32_t node = message->source;
    const uint32_t flits = net_flits_of(net, message->words_visible);
    const uint32_t loaded = engine->sources[priority].loaded[node];
    if (net->buffers[node * NET_PRIORITIES + priority].first == number &&
        loaded > flits)
        take_credit(engine, priority, node, loaded - flits);
}
