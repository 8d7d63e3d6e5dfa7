/* Vectors of 64-bit words, as wide as the file that includes this has asked for. A part
 * of plane_step.h; uses no more of a vector than C's operators, so that a single word
 * will do. Bits of a plane are nodes: see plane.h. */
#ifndef JM_NET_PLANE_VECTOR_H
#define JM_NET_PLANE_VECTOR_H

#include "net/plane.h"

#ifdef VEC_INTRINSICS
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
#elif defined VEC_INTRINSICS
    return _mm512_test_epi64_mask((__m512i)value, (__m512i)value) != 0;
#else
    uint64_t all = value[0];
    for (unsigned i = 1; i < VEC_WORDS; i++)
        all |= value[i];
    return all != 0;
#endif
}

/* Of three: where any number of them that is odd; where two or more. */
#ifdef VEC_INTRINSICS
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

/* How many bits each word has. */
#ifdef VEC_INTRINSICS
PLANE_INLINE Vec bits_in(Vec v) {
    return (Vec)_mm512_popcnt_epi64((__m512i)v);
}
#else
PLANE_INLINE Vec bits_in(Vec v) {
    v -= v >> 1 & 0x5555555555555555;
    v = (v & 0x3333333333333333) + (v >> 2 & 0x3333333333333333);
    v = (v + (v >> 4)) & 0x0F0F0F0F0F0F0F0F;
    v += v >> 8;
    v += v >> 16;
    return (v + (v >> 32)) & 0x7F;
}
#endif

/* The same of three together, which are added to two first: a sum and its carry. */
PLANE_INLINE Vec bits_in_three(Vec a, Vec b, Vec c) {
    return bits_in(odd_of(a, b, c)) + 2 * bits_in(most_of(a, b, c));
}

/* `yes` where `mask`, else `no`. */
PLANE_INLINE Vec choose(Vec mask, Vec yes, Vec no) {
#ifdef VEC_INTRINSICS
    return (Vec)_mm512_ternarylogic_epi64((__m512i)mask, (__m512i)yes, (__m512i)no,
                                          0xCA);
#else
    return (mask & yes) | (~mask & no);
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

/* The same for planes that are one vector, which is in a register. */
#ifdef VEC_INTRINSICS
PLANE_INLINE Vec words_up(Vec v, unsigned words) {
    const __m512i lane = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i from = _mm512_sub_epi64(lane, _mm512_set1_epi64(words));
    return (Vec)_mm512_maskz_permutexvar_epi64(_cvtu32_mask8(0xFFu << words & 0xFF),
                                               from, (__m512i)v);
}

PLANE_INLINE Vec words_down(Vec v, unsigned words) {
    const __m512i lane = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i from = _mm512_add_epi64(lane, _mm512_set1_epi64(words));
    return (Vec)_mm512_maskz_permutexvar_epi64(_cvtu32_mask8(0xFFu >> words), from,
                                               (__m512i)v);
}

PLANE_INLINE Vec moved_up(Vec v, const PlaneShift *shift, PlaneShiftKind kind) {
    if (kind == PLANE_WITHIN)
        return v << shift->bits;
    if (kind == PLANE_WORDS)
        return words_up(v, shift->words);
    return words_up(v, shift->words) << shift->bits |
           words_up(v, shift->words + 1) >> (64 - shift->bits);
}

PLANE_INLINE Vec moved_down(Vec v, const PlaneShift *shift, PlaneShiftKind kind) {
    if (kind == PLANE_WITHIN)
        return v >> shift->bits;
    if (kind == PLANE_WORDS)
        return words_down(v, shift->words);
    return words_down(v, shift->words) >> shift->bits | words_down(v, shift->words + 1)
                                                            << (64 - shift->bits);
}
#endif

#endif
