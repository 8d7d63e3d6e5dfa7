/* Neighbours' bits of planes that are one vector of 512 bits, which is in a register.
 * For AVX-512 alone; without it this header is empty. A part of step_inline.h. */
#ifndef JM_NET_PLANE_VECTOR_AVX512_INLINE_H
#define JM_NET_PLANE_VECTOR_AVX512_INLINE_H

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

/* The bit of the lower neighbour, for each node. */
PLANE_INLINE Vec moved_up(Vec v, const PlaneShift *shift, PlaneShiftKind kind) {
    if (kind == PLANE_WITHIN)
        return v << shift->bits;
    if (kind == PLANE_WORDS)
        return words_up(v, shift->words);
    return words_up(v, shift->words) << shift->bits |
           words_up(v, shift->words + 1) >> (64 - shift->bits);
}

/* The bit of the higher neighbour. */
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
