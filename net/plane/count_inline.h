/* Counts events per node, a plane of each kind per cycle, with binary counters whose
 * bits are planes. A part of step_inline.h.
 *
 * Level k has planes of weight 2^k: `sum`, and `pending`, which waits for a second one
 * of its weight. Two pending ones and the sum make a new sum and a carry for level k+1,
 * so level k is processed in every 2^k-th cycle. Bit k of `ticks`: one is pending at
 * level k. The planes of all kinds lie one after the other and are added as one. */
#ifndef JM_NET_PLANE_COUNT_INLINE_H
#define JM_NET_PLANE_COUNT_INLINE_H

#include <string.h>

#include "net/plane/vector_inline.h"

/* Where to store this cycle's events: as pending at level 0, or next to the pending
 * ones. All of their planes must be written. */
static inline void begin_events(PlaneEngine *engine) {
    engine->events = engine->ticks % 2 ? engine->carry[1] : engine->pending[0];
}

static inline uint64_t *event_plane(const PlaneEngine *engine, unsigned event) {
    return engine->events + event * engine->words;
}

/* Counts no crossings of a dimension's wires. */
static inline void no_events(PlaneEngine *engine, unsigned dimension) {
    const size_t bytes = engine->words * sizeof(uint64_t);
    memset(event_plane(engine, PLANE_UP + dimension), 0, bytes);
    memset(event_plane(engine, PLANE_DOWN + dimension), 0, bytes);
}

/* Adds the cycle's events, on planes of `plane_words` words, to the tally, which must
 * be read out before PLANE_MAX_TICKS. */
PLANE_INLINE void end_events(PlaneEngine *engine, size_t plane_words) {
    const uint64_t *x = engine->events;
    const size_t words = PLANE_EVENTS * plane_words;
    for (unsigned level = 0; engine->ticks >> level & 1; level++) {
        uint64_t *sum = engine->sum[level];
        uint64_t *carry = engine->ticks >> (level + 1) & 1 ? engine->carry[level % 2]
                                                           : engine->pending[level + 1];
        for (size_t w = 0; w < words; w += VEC_WORDS) {
            const Vec a = at(sum, w), b = at(engine->pending[level], w), c = at(x, w);
            put(sum, w, odd_of(a, b, c));
            put(carry, w, most_of(a, b, c));
        }
        x = carry;
    }
    engine->ticks++;
}

#endif
