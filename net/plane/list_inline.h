/* Lists the members of sets. A part of step_inline.h.
 *
 * How many members a word has cannot be predicted, and a mispredicted branch costs more
 * than a member. So words without any are skipped by a mask, and a word's members are
 * written without asking how many there are. */
#ifndef JM_NET_PLANE_LIST_INLINE_H
#define JM_NET_PLANE_LIST_INLINE_H

#include "net/plane/vector_inline.h"

enum { LIST_WORDS = PLANE_ENTRY_WORDS }; /* words of a set listed at a time */

PLANE_INLINE uint32_t *list_bits(uint64_t bits, uint32_t base, uint32_t *list) {
    for (; bits; bits &= bits - 1)
        *list++ = base + (uint32_t)__builtin_ctzll(bits);
    return list;
}

/* Returns which of eight words are not empty. */
PLANE_INLINE uint64_t filled_words(const uint64_t *words) {
#if defined VEC_AVX512
    const __m512i all = _mm512_loadu_si512(words);
    return _cvtmask8_u32(_mm512_test_epi64_mask(all, all));
#elif defined VEC_AVX2
    const __m256i low = _mm256_loadu_si256((const __m256i *)words);
    const __m256i high = _mm256_loadu_si256((const __m256i *)(words + 4));
    const __m256i none = _mm256_setzero_si256();
    const int empty =
        _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(low, none))) |
        _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(high, none))) << 4;
    return (uint64_t)empty ^ 0xFF;
#else
    uint64_t filled = 0;
    PLANE_UNROLL
    for (unsigned i = 0; i < LIST_WORDS; i++)
        filled |= (uint64_t)(words[i] != 0) << i;
    return filled;
#endif
}

#ifdef VEC_AVX512
/* Lists the members of a word all at once: of the bytes 0 to 63 those of the set are
 * kept. Eight are written at a time; a word seldom has more. */
PLANE_INLINE uint32_t *list_word(uint64_t bits, uint32_t base, uint32_t *list) {
    const __m512i numbers = _mm512_set_epi64(
        0x3F3E3D3C3B3A3938, 0x3736353433323130, 0x2F2E2D2C2B2A2928, 0x2726252423222120,
        0x1F1E1D1C1B1A1918, 0x1716151413121110, 0x0F0E0D0C0B0A0908, 0x0706050403020100);
    const __m512i kept = _mm512_maskz_compress_epi8(bits, numbers);
    const __m256i members = _mm256_cvtepu8_epi32(_mm512_castsi512_si128(kept));
    _mm256_storeu_si256((__m256i *)list,
                        _mm256_add_epi32(members, _mm256_set1_epi32((int)base)));
    const unsigned count = (unsigned)__builtin_popcountll(bits);
    if (count > 8)
        list_bits(bits, base, list);
    return list + count;
}
#else
/* Lists the members of a word. The first two are written without testing whether they
 * exist. */
PLANE_INLINE uint32_t *list_word(uint64_t bits, uint32_t base, uint32_t *list) {
#ifdef VEC_AVX2
    const uint64_t more = bits & (bits - 1), rest = more & (more - 1);
    list[0] = base + (uint32_t)_tzcnt_u64(bits);
    list[1] = base + (uint32_t)_tzcnt_u64(more);
    if (rest)
        list_bits(rest, base, list + 2);
    return list + __builtin_popcountll(bits);
#else
    const uint64_t end = UINT64_C(1) << 63; /* so that some bit is found */
    for (unsigned i = 0; i < 2; i++, bits &= bits - 1) {
        *list = base + (uint32_t)__builtin_ctzll(bits | end);
        list += bits != 0;
    }
    return list_bits(bits, base, list);
#endif
}
#endif

/* Returns which words of up to eight sets are not empty, a byte each. The sets follow
 * each other, `stride` words apart; eight words are examined, starting at `words` in
 * the first set. */
PLANE_INLINE uint64_t filled_sets(const uint64_t *words, size_t stride, unsigned from,
                                  unsigned sets) {
    uint64_t filled = 0;
    PLANE_UNROLL
    for (unsigned set = 0; set < sets; set++)
        filled |= filled_words(words + (from + set) * stride) << (set * LIST_WORDS);
    return filled;
}

/* Lists the nodes of a set in its words w to w + 7, in ascending order. `list` has room
 * for PLANE_LIST. Returns their number. */
PLANE_INLINE uint32_t list_nodes(const uint64_t *set, size_t w, uint32_t *list) {
    uint32_t *next = list;
    for (uint64_t filled = filled_words(set + w); filled; filled &= filled - 1) {
        const size_t word = w + (unsigned)__builtin_ctzll(filled);
        next = list_word(set[word], (uint32_t)word * 64, next);
    }
    return (uint32_t)(next - list);
}

/* Decrements the numbers, a byte each, of the members of LIST_WORDS words. */
PLANE_INLINE void count_down(uint8_t *numbers, const uint64_t *words, uint32_t *list) {
#ifdef VEC_AVX512
    (void)list;
    for (unsigned i = 0; i < LIST_WORDS; i++, numbers += 64) {
        const __m512i old = _mm512_loadu_si512(numbers);
        _mm512_storeu_si512(
            numbers, _mm512_mask_sub_epi8(old, words[i], old, _mm512_set1_epi8(1)));
    }
#elif defined VEC_AVX2
    /* Each byte gets the byte of the word in which its bit is, then that bit alone. */
    const __m256i from =
        _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2,
                         2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201);
    (void)list;
    for (uint64_t left = filled_words(words); left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(left);
        for (unsigned half = 0; half < 2; half++) {
            __m256i *const place = (__m256i *)(numbers + 64 * i + 32 * half);
            const __m256i bits = _mm256_and_si256(
                _mm256_shuffle_epi8(_mm256_set1_epi32((int)(words[i] >> (32 * half))),
                                    from),
                bit);
            _mm256_storeu_si256(place, _mm256_add_epi8(_mm256_loadu_si256(place),
                                                       _mm256_cmpeq_epi8(bits, bit)));
        }
    }
#else
    const uint32_t count = list_nodes(words, 0, list);
    for (uint32_t i = 0; i < count; i++)
        numbers[list[i]]--;
#endif
}

#endif
