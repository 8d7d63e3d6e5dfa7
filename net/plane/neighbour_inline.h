/* Neighbours' bits of a vector held in a register: for rows within words, and with
 * AVX-512 for planes that are one vector. A part of step_inline.h. */
#ifndef JM_NET_PLANE_NEIGHBOUR_INLINE_H
#define JM_NET_PLANE_NEIGHBOUR_INLINE_H

#include "net/plane/vector_inline.h"

#ifdef VEC_AVX512
/* Moves a plane by whole words; zeros follow. */
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

#endif

/* The bit of the lower neighbour, for each node: in the same words, or with AVX-512 in
 * the same vector. */
PLANE_INLINE Vec moved_up(Vec v, const PlaneShift *shift, PlaneShiftKind kind) {
#ifdef VEC_AVX512
    if (kind == PLANE_WORDS)
        return words_up(v, shift->words);
    if (kind == PLANE_ACROSS)
        return words_up(v, shift->words) << shift->bits |
               words_up(v, shift->words + 1) >> (64 - shift->bits);
#endif
    (void)kind;
    return v << shift->bits;
}

/* The bit of the higher neighbour. */
PLANE_INLINE Vec moved_down(Vec v, const PlaneShift *shift, PlaneShiftKind kind) {
#ifdef VEC_AVX512
    if (kind == PLANE_WORDS)
        return words_down(v, shift->words);
    if (kind == PLANE_ACROSS)
        return words_down(v, shift->words) >> shift->bits |
               words_down(v, shift->words + 1) << (64 - shift->bits);
#endif
    (void)kind;
    return v >> shift->bits;
}

#endif
