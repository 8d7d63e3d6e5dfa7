/* Counting events per node, a plane of them a cycle, without a counter per node: a
 * binary counter whose bits are planes. A part of plane_step.h.
 *
 * Level k has planes of weight 2^k: `sum`, and `pending`, which waits for a second one
 * of its weight. Two pending ones and the sum make a new sum and a carry for level k+1;
 * level k is touched in every 2^k-th cycle. Bit k of `ticks`: level k has one pending.
 */
#ifndef JM_NET_PLANE_COUNT_H
#define JM_NET_PLANE_COUNT_H

#include "net/plane_vector.h"

/* sum, pending, x (each of one weight) -> sum and, in `x`, the carry. */
static inline void add_planes(uint64_t *sum, const uint64_t *pending, const uint64_t *x,
                              uint64_t *carry, size_t words) {
    for (size_t w = 0; w < words; w += VEC_WORDS) {
        const Vec a = at(sum, w), b = at(pending, w), c = at(x, w);
        put(sum, w, a ^ b ^ c);
        put(carry, w, (a & b) | (c & (a | b)));
    }
}

static inline void copy_plane(uint64_t *to, const uint64_t *from, size_t words) {
    for (size_t w = 0; w < words; w += VEC_WORDS)
        put(to, w, at(from, w));
}

static inline void count_plane(const PlaneEngine *engine, PlaneCounter *counter,
                               uint32_t ticks, const uint64_t *x) {
    unsigned level = 0;
    for (; ticks >> level & 1; level++) {
        uint64_t *carry = engine->carry[level % 2];
        add_planes(counter->sum[level], counter->pending[level], x, carry,
                   engine->words);
        x = carry;
    }
    copy_plane(counter->pending[level], x, engine->words);
}

/* One cycle's events; the tally must be read out before PLANE_MAX_TICKS. */
static inline void tally(const PlaneEngine *engine, PlaneTally *tally,
                         const uint64_t *first, const uint64_t *second) {
    count_plane(engine, &tally->counter[0], tally->ticks, first);
    count_plane(engine, &tally->counter[1], tally->ticks, second);
    tally->ticks++;
}

#endif
