/* Seeded random numbers without hidden state: the same seed gives the same numbers on
 * every host. Anyone may include this header.
 * Source: Steele, Lea and Flood 2014, SplitMix64. */
#ifndef JM_CORE_RNG_H
#define JM_CORE_RNG_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint64_t state;
} JmRng;

static inline JmRng jm_rng(uint64_t seed) {
    return (JmRng){seed};
}

/* The next 64 random bits. */
static inline uint64_t jm_rng_next(JmRng *rng) {
    uint64_t z = (rng->state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Returns a number uniform in 0 .. bound-1; bound 1 .. 2^32-1. Draws below 2^32 mod
 * `bound` are rejected: the remainder would favour small numbers. */
static inline uint32_t jm_rng_below(JmRng *rng, uint32_t bound) {
    const uint32_t reject = (uint32_t)(-bound) % bound; /* 2^32 mod bound */
    uint32_t draw;
    do {
        draw = (uint32_t)(jm_rng_next(rng) >> 32);
    } while (draw < reject);
    return draw % bound;
}

/* Derives a seed for item `index` of a run with `seed`, so that each node or trial has
 * its own independent sequence. */
static inline uint64_t jm_rng_mix(uint64_t seed, uint64_t index) {
    JmRng rng = {seed ^ (index * UINT64_C(0xD1342543DE82EF95))};
    jm_rng_next(&rng);
    return jm_rng_next(&rng);
}

#ifdef __cplusplus
}
#endif

#endif
