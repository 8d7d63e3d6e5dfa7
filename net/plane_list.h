/* The members of a set of nodes, one by one. A part of plane_step.h. */
#ifndef JM_NET_PLANE_LIST_H
#define JM_NET_PLANE_LIST_H

#include "net/plane_vector.h"

PLANE_INLINE bool is_empty(const uint64_t *set, size_t words) {
    Vec all = {0};
    for (size_t w = 0; w < words; w += VEC_WORDS)
        all |= at(set, w);
    return !any(all);
}

PLANE_INLINE uint16_t *list_bits(uint64_t bits, uint32_t base, uint16_t *list) {
    for (; bits; bits &= bits - 1)
        *list++ = (uint16_t)(base + (uint32_t)__builtin_ctzll(bits));
    return list;
}

#ifdef VEC_INTRINSICS
/* The nodes of a word, all at once: bytes 0 to 63 of which those of the set are kept.
 * Sixteen are written at a time; a word seldom has more. */
PLANE_INLINE uint16_t *list_word(uint64_t bits, uint32_t base, uint16_t *list) {
    const __m512i numbers = _mm512_set_epi64(
        0x3F3E3D3C3B3A3938, 0x3736353433323130, 0x2F2E2D2C2B2A2928, 0x2726252423222120,
        0x1F1E1D1C1B1A1918, 0x1716151413121110, 0x0F0E0D0C0B0A0908, 0x0706050403020100);
    const __m512i kept = _mm512_maskz_compress_epi8(bits, numbers);
    const __m256i nodes = _mm256_cvtepu8_epi16(_mm512_castsi512_si128(kept));
    _mm256_storeu_si256((__m256i *)list,
                        _mm256_add_epi16(nodes, _mm256_set1_epi16((short)base)));
    const unsigned count = (unsigned)__builtin_popcountll(bits);
    if (count > 16)
        list_bits(bits, base, list);
    return list + count;
}
#else
/* The nodes of a word. The first two are written without asking whether they are there:
 * most words have few, and how many nobody can foretell. */
PLANE_INLINE uint16_t *list_word(uint64_t bits, uint32_t base, uint16_t *list) {
    const uint64_t end = UINT64_C(1) << 63; /* so that some bit is found */
    for (unsigned i = 0; i < 2; i++, bits &= bits - 1) {
        *list = (uint16_t)(base + (uint32_t)__builtin_ctzll(bits | end));
        list += bits != 0;
    }
    return list_bits(bits, base, list);
}
#endif

/* The nodes of a set in ascending order; `list` has room for PLANE_LIST_SPARE more. */
PLANE_INLINE uint32_t list_nodes(const uint64_t *set, size_t words, uint16_t *list) {
    uint16_t *next = list;
    if (is_empty(set, words))
        return 0;
    for (size_t w = 0; w < words; w++)
        next = list_word(set[w], (uint32_t)(w * 64), next);
    return (uint32_t)(next - list);
}

#endif
