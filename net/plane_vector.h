/* Vectors of 64-bit words, as wide as the file that includes this has asked for. A part
 * of plane_step.h; uses no more of a vector than C's operators, so that a single word
 * will do. Bits of a plane are nodes: see plane.h. */
#ifndef JM_NET_PLANE_VECTOR_H
#define JM_NET_PLANE_VECTOR_H

#include "net/plane.h"

#ifndef VEC_WORDS
#define VEC_WORDS 1
#endif

#if VEC_WORDS == 1
typedef uint64_t Vec;
typedef uint64_t VecAt;
#else
typedef uint64_t Vec __attribute__((vector_size(8 * VEC_WORDS)));
typedef uint64_t VecAt
    __attribute__((vector_size(8 * VEC_WORDS), aligned(8), may_alias));
#endif

#define PLANE_INLINE static inline __attribute__((always_inline))
#ifdef __clang__
#define PLANE_UNROLL /* it unrolls short loops by itself */
#else
#define PLANE_UNROLL _Pragma("GCC unroll 8")
#endif

/* Words w, w+1, ... of a plane. */
PLANE_INLINE Vec at(const uint64_t *plane, size_t w) {
    return *(const VecAt *)(plane + w);
}

PLANE_INLINE void put(uint64_t *plane, size_t w, Vec value) {
    *(VecAt *)(plane + w) = value;
}

PLANE_INLINE bool any(Vec value) {
#if VEC_WORDS == 1
    return value != 0;
#else
    uint64_t all = value[0];
    for (unsigned i = 1; i < VEC_WORDS; i++)
        all |= value[i];
    return all != 0;
#endif
}

/* `yes` where `mask`, else `no`. */
PLANE_INLINE Vec choose(Vec mask, Vec yes, Vec no) {
    return (mask & yes) | (~mask & no);
}

PLANE_INLINE Vec all_or_none(bool all) {
    const Vec none = {0};
    return all ? ~none : none;
}

/* The bit of the lower neighbour, for each node; `kind` is a constant. */
PLANE_INLINE Vec below(const uint64_t *plane, size_t w, const PlaneShift *shift,
                       PlaneShiftKind kind) {
    if (kind == PLANE_WITHIN)
        return at(plane, w) << shift->bits;
    const uint64_t *there = plane - shift->words;
    if (kind == PLANE_WORDS)
        return at(there, w);
    return at(there, w) << shift->bits | at(there - 1, w) >> (64 - shift->bits);
}

/* The bit of the higher neighbour. */
PLANE_INLINE Vec above(const uint64_t *plane, size_t w, const PlaneShift *shift,
                       PlaneShiftKind kind) {
    if (kind == PLANE_WITHIN)
        return at(plane, w) >> shift->bits;
    const uint64_t *there = plane + shift->words;
    if (kind == PLANE_WORDS)
        return at(there, w);
    return at(there, w) >> shift->bits | at(there + 1, w) << (64 - shift->bits);
}

#endif
