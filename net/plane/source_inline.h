/* Output buffers of the plane engine. The front message of each is sent on credit: a
 * count of flits, a plane per bit, that the cycle decrements. A message's record is
 * examined when its credit is used up, not for each flit. A credit ends with a whole
 * word, so its lowest bit marks the second flit of a word. Buffers are numbered node *
 * NET_PRIORITIES + priority. A part of step_inline.h and of source.c. */
#ifndef JM_NET_PLANE_SOURCE_INLINE_H
#define JM_NET_PLANE_SOURCE_INLINE_H

#include "net/plane/vector_inline.h"

enum { MAX_CREDIT = (1 << PLANE_CREDIT) - 1 };

/* Returns the word with a node's bit in a plane of a priority; planes are `stride`
 * words apart. */
PLANE_INLINE uint64_t *source_word(const PlaneEngine *engine, size_t stride,
                                   unsigned priority, uint32_t node, unsigned number) {
    return engine->planes + (plane_of_priority(priority) + number) * stride + node / 64;
}

/* Sets the bit of a node in its word of a plane. */
PLANE_INLINE void put_bit(uint64_t *word, uint32_t node, uint64_t value) {
    *word = (*word & ~(UINT64_C(1) << node % 64)) | value << node % 64;
}

/* Brings a message to the front of its buffer: its number, and the channel it wants. */
PLANE_INLINE void begin_source(const Net *net, PlaneEngine *engine, size_t stride,
                               unsigned priority, uint32_t node, uint32_t number) {
    const uint32_t way = plane_way(engine->place[node], net->messages[number].address);
    const uint32_t turn = plane_turn(engine, way, 0);
    uint64_t *const up = source_word(engine, stride, priority, node, PLANE_SOURCE_WANT);
    engine->way[number] = way;
    engine->heads[priority].source[node] = plane_id(number, turn);
    put_bit(up, node, turn >> PLANE_UPWARD & 1);
    put_bit(up + stride, node, turn >> PLANE_DOWNWARD & 1);
}

/* Returns the number of a message's sendable flits without credit. A message starts
 * when it may, and then continues with what there is. */
PLANE_INLINE uint32_t flits_to_send(const Net *net, const NetMessage *message,
                                    uint32_t loaded) {
    if (loaded == 0 && !net_message_can_start(net, message))
        return 0;
    return net->params.header_flits + NET_FLITS_PER_WORD * message->words_visible -
           loaded;
}

/* Stores a credit; the last one ends with the tail. */
PLANE_INLINE void load_credit(PlaneEngine *engine, size_t stride, unsigned priority,
                              uint32_t node, uint32_t credit, bool last) {
    const uint64_t bit = UINT64_C(1) << node % 64;
    uint64_t *const planes = source_word(engine, stride, priority, node, PLANE_SOURCE);
    for (; credit; credit &= credit - 1) /* two of its bits are set, as a rule */
        planes[(unsigned)__builtin_ctz(credit) * stride] |= bit;
    planes[(PLANE_SOURCE_LAST - PLANE_SOURCE) * stride] |= (uint64_t)last << node % 64;
    planes[(PLANE_SOURCE_VALID - PLANE_SOURCE) * stride] |= bit;
}

/* Gives credit for the sendable flits of a buffer's front message, at most MAX_CREDIT
 * flits and whole words. */
PLANE_INLINE void refill(const Net *net, PlaneEngine *engine, size_t stride,
                         unsigned priority, uint32_t node) {
    const uint32_t end = node * NET_PRIORITIES + priority;
    const uint32_t number = net->buffers[end].first, loaded = engine->loaded[end];
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
        begin_source(net, engine, stride, priority, node, number);
    engine->loaded[end] = loaded + credit;
    engine->waits[end] = PLANE_HAS_CREDIT;
    load_credit(engine, stride, priority, node, credit, last);
}

#endif
