/* Vectors of 64-bit words, of the width that the including file requests. A part of
 * step_inline.h; uses only C's operators on vectors, so that a single word works too.
 * Bits of a plane are nodes: see plane.h. */
#ifndef JM_NET_PLANE_VECTOR_INLINE_H
#define JM_NET_PLANE_VECTOR_INLINE_H

#include "net/plane/plane.h"

#if defined VEC_AVX512 || defined VEC_AVX2
#include <immintrin.h>
#endif

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

PLANE_INLINE uint64_t word_of(Vec value, unsigned i) {
#if VEC_WORDS == 1
    (void)i;
    return value;
#else
    return value[i];
#endif
}

PLANE_INLINE bool any(Vec value) {
#if VEC_WORDS == 1
    return value != 0;
#elif defined VEC_AVX512
    return _mm512_test_epi64_mask((__m512i)value, (__m512i)value) != 0;
#elif defined VEC_AVX2
    return !_mm256_testz_si256((__m256i)value, (__m256i)value);
#else
    uint64_t all = value[0];
    for (unsigned i = 1; i < VEC_WORDS; i++)
        all |= value[i];
    return all != 0;
#endif
}

/* Of three: where an odd number is set; where two or more are. */
#ifdef VEC_AVX512
PLANE_INLINE Vec odd_of(Vec a, Vec b, Vec c) {
    return (Vec)_mm512_ternarylogic_epi64((__m512i)a, (__m512i)b, (__m512i)c, 0x96);
}

PLANE_INLINE Vec most_of(Vec a, Vec b, Vec c) {
    return (Vec)_mm512_ternarylogic_epi64((__m512i)a, (__m512i)b, (__m512i)c, 0xE8);
}
#else
PLANE_INLINE Vec odd_of(Vec a, Vec b, Vec c) {
    return a ^ b ^ c;
}

PLANE_INLINE Vec most_of(Vec a, Vec b, Vec c) {
    return (a & b) | (c & (a | b));
}
#endif

/* The bit counts of the words of three planes, which are first added into two: a sum
 * and its carry. */
PLANE_INLINE Vec bits_in_three(Vec a, Vec b, Vec c) {
    const Vec ones = odd_of(a, b, c), twos = most_of(a, b, c);
#ifdef VEC_AVX512
    return (Vec)_mm512_popcnt_epi64((__m512i)ones) +
           2 * (Vec)_mm512_popcnt_epi64((__m512i)twos);
#else
    const uint64_t pairs = 0x5555555555555555, fours = 0x3333333333333333;
    const uint64_t eights = 0x0F0F0F0F0F0F0F0F;
    Vec x = ones - (ones >> 1 & pairs), y = twos - (twos >> 1 & pairs);
    x = (x & fours) + (x >> 2 & fours);
    y = (y & fours) + (y >> 2 & fours);
    x += y << 1; /* at most 12 in four bits */
    x = (x & eights) + (x >> 4 & eights);
    x += x >> 8;
    x += x >> 16;
    return (x + (x >> 32)) & 0xFF;
#endif
}

/* `all` where not `but`. The compiler would invert `but` first if used more than
 * once. */
PLANE_INLINE Vec without(Vec all, Vec but) {
#ifdef VEC_AVX2
    return (Vec)_mm256_andnot_si256((__m256i)but, (__m256i)all);
#else
    return all & ~but;
#endif
}

/* `yes` where `mask`, otherwise `no`. */
PLANE_INLINE Vec choose(Vec mask, Vec yes, Vec no) {
#ifdef VEC_AVX512
    return (Vec)_mm512_ternarylogic_epi64((__m512i)mask, (__m512i)yes, (__m512i)no,
                                          0xCA);
#else
    return (mask & yes) | without(no, mask);
#endif
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
