/* Settles what the plane engine defers, counts and the sent flits of messages, and
 * checks the invariants of its planes. */
#include <string.h>

#include "net/plane/plane.h"

static uint64_t bits_in(const PlaneEngine *engine, const uint64_t *plane) {
    uint64_t bits = 0;
    for (size_t w = 0; w < engine->words; w++)
        bits += (unsigned)__builtin_popcountll(plane[w]);
    return bits;
}

static void settle_blocked(Net *net, PlaneEngine *engine) {
    for (unsigned part = 0; part < PLANE_PARTS; part++)
        net->statistics.blocked_cycles += engine->blocked_cycles[part];
    memset(engine->blocked_cycles, 0, sizeof engine->blocked_cycles);
}

/* Returns the flits of `messages` messages with a total of words. */
static uint64_t flits_of(const PlaneEngine *engine, uint64_t messages, uint64_t words) {
    return engine->header_flits * messages + NET_FLITS_PER_WORD * words;
}

/* Settles the counts of the ends. Ejected flits are those of the words delivered, plus
 * half a word if one is incomplete. Flits that have left the buffers are those sent by
 * messages in use, and all flits of messages that are gone. */
static void settle_ends(Net *net, PlaneEngine *engine, unsigned priority) {
    NetStatistics *seen = &net->statistics;
    uint64_t messages = seen->messages_opened[priority];
    uint64_t words = seen->words_offered[priority], sent = 0;
    for (uint32_t i = 0; i < net->message_count; i++) {
        const NetMessage *message = &net->messages[i];
        if (!message->in_use || message->priority != priority)
            continue;
        messages--;
        words -= message->words_offered;
        sent += message->flits_sent;
    }
    seen->flits_injected[priority] = flits_of(engine, messages, words) + sent;
    seen->flits_ejected[priority] =
        flits_of(engine, 0, seen->words_delivered[priority]) +
        bits_in(engine, plane(plane_ends(engine, priority), PLANE_SINK_HALF));
    seen->flits_dropped[priority] += engine->headers_dropped[priority];
    engine->headers_dropped[priority] = 0;
}

/* Settles the sent flits of a message: all if it has left its buffer, none if it waits
 * in it. */
static void settle_sent(Net *net, const PlaneEngine *engine, uint32_t number) {
    NetMessage *message = &net->messages[number];
    const uint32_t end = message->source * NET_PRIORITIES + message->priority;
    if (net->buffers[end].first != number) {
        message->flits_sent =
            message->started
                ? engine->header_flits + NET_FLITS_PER_WORD * message->words_offered
                : 0;
        return;
    }
    message->flits_sent = plane_source_sent(engine, end);
}

static void settle_delivered(Net *net, const PlaneEngine *engine, unsigned priority) {
    const Planes r = plane_from(
        engine, plane_of_channels(priority, NET_DIMENSIONS - 1, NET_CHANNEL_R));
    for (uint32_t node = 0; node < engine->nodes; node++)
        if (plane_has(plane(r, PLANE_GOING), node)) {
            const PlaneComing coming = engine->coming[priority][node];
            net->messages[coming.message].words_delivered = coming.words;
        }
}

void plane_settle(Net *net, void *state) {
    PlaneEngine *engine = state;
    settle_blocked(net, engine);
    for (uint32_t number = 0; number < net->message_count; number++)
        if (net->messages[number].in_use)
            settle_sent(net, engine, number);
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        settle_ends(net, engine, priority);
        settle_delivered(net, engine, priority);
    }
    plane_settle_wires(net, engine);
}

/* Whether a plane has bits beyond the last node, which must be 0. */
static bool has_stray_bits(const PlaneEngine *engine, const uint64_t *plane) {
    for (size_t w = engine->nodes / 64; w < engine->words; w++) {
        const uint64_t own =
            w == engine->nodes / 64 ? (UINT64_C(1) << (engine->nodes % 64)) - 1 : 0;
        if (plane[w] & ~own)
            return true;
    }
    return false;
}

static bool check_channels(const PlaneEngine *engine, unsigned priority,
                           unsigned dimension, unsigned kind, JmError *error) {
    const Planes c = plane_from(engine, plane_of_channels(priority, dimension, kind));
    if (has_stray_bits(engine, valid(c, 0)) ||
        has_stray_bits(engine, plane(c, PLANE_OWNED)))
        return jm_fail(error, NULL, "there are flits beyond the last node");
    for (uint32_t slot = 1; slot < engine->capacity; slot++)
        for (size_t w = 0; w < engine->words; w++)
            if (valid(c, slot)[w] & ~valid(c, slot - 1)[w])
                return jm_fail(error, NULL, "a channel has a gap before slot %u", slot);
    return true;
}

static bool check_sources(const PlaneEngine *engine, unsigned priority,
                          JmError *error) {
    const Planes own = plane_ends(engine, priority);
    for (size_t w = 0; w < engine->words; w++) {
        uint64_t credit = 0;
        for (unsigned bit = 0; bit < PLANE_CREDIT; bit++)
            credit |= plane(own, PLANE_SOURCE + bit)[w];
        if (credit != plane(own, PLANE_SOURCE_VALID)[w])
            return jm_fail(error, NULL, "the credit of a source is not as marked");
    }
    return true;
}

bool plane_check(const Net *net, const void *state, JmError *error) {
    const PlaneEngine *engine = state;
    (void)net;
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        if (!check_sources(engine, priority, error))
            return false;
        for (unsigned item = 0; item < NET_MESH_CHANNELS; item++)
            if (!check_channels(engine, priority, item / NET_MESH_KINDS,
                                item % NET_MESH_KINDS, error))
                return false;
    }
    return true;
}
