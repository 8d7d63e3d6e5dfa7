/* A set of small numbers as bits, with a summary bit per 64-bit word, so that iterating
 * over a nearly empty set costs nearly nothing. Internal to net/. */
#ifndef JM_NET_GRAPH_BITS_INLINE_H
#define JM_NET_GRAPH_BITS_INLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/core/heap.h"

/* A set of numbers below the size it was created with. */
typedef struct {
    uint64_t *words;
    uint64_t *summary; /* bit w: words[w] may be nonzero */
    uint32_t summary_words;
} NetBits;

/* Makes an empty set for numbers up to `size`. */
static inline NetBits net_bits(Heap *heap, uint32_t size) {
    const uint32_t words = size / 64 + 1, summary_words = words / 64 + 1;
    return (NetBits){.words = heap_alloc(heap, words * sizeof(uint64_t)),
                     .summary = heap_alloc(heap, summary_words * sizeof(uint64_t)),
                     .summary_words = summary_words};
}

/* Whether `item` is in the set. */
static inline bool net_bits_has(const NetBits *bits, uint32_t item) {
    return bits->words[item / 64] >> (item % 64) & 1;
}

/* Adds or removes `item`. */
static inline void net_bits_put(NetBits *bits, uint32_t item, bool present) {
    const uint32_t word = item / 64;
    const uint64_t bit = UINT64_C(1) << (item % 64);
    if (!present) {
        bits->words[word] &= ~bit; /* the next iteration corrects the summary */
        return;
    }
    if (bits->words[word] == 0)
        bits->summary[word / 64] |= UINT64_C(1) << (word % 64);
    bits->words[word] |= bit;
}

/* Removes `item` if `absent`, without a branch, which would be unpredictable here. */
static inline void net_bits_remove_if(NetBits *bits, uint32_t item, bool absent) {
    bits->words[item / 64] &= ~((uint64_t)absent << (item % 64));
}

/* An iteration over a set in ascending order. Meanwhile the set may lose items, but
 * must not gain any. */
typedef struct {
    NetBits *bits;
    uint64_t summary, word; /* Begins an iteration. */
    uint32_t summary_at, word_at;
} NetBitsRun;

/* Starts an iteration. */
static inline NetBitsRun net_bits_run(NetBits *bits) {
    return (NetBitsRun){.bits = bits, .summary = bits->summary[0]};
}

/* Advances to the next non-empty word. False: there is none. */
static inline bool net_bits_next_word(NetBitsRun *run) {
    for (;;) {
        while (run->summary == 0) {
            if (++run->summary_at == run->bits->summary_words)
                return false;
            run->summary = run->bits->summary[run->summary_at];
        }
        const uint64_t lowest = run->summary & -run->summary;
        run->word_at = run->summary_at * 64 + (uint32_t)__builtin_ctzll(lowest);
        run->summary ^= lowest;
        run->word = run->bits->words[run->word_at];
        if (run->word)
            return true;
        run->bits->summary[run->summary_at] &= ~lowest;
    }
}

/* Finds the next item of the set. False at its end. */
static inline bool net_bits_next(NetBitsRun *run, uint32_t *item) {
    if (run->word == 0 && !net_bits_next_word(run))
        return false;
    *item = run->word_at * 64 + (uint32_t)__builtin_ctzll(run->word);
    run->word &= run->word - 1;
    return true;
}

/* The same, and removes the item. */
static inline bool net_bits_take_next(NetBitsRun *run, uint32_t *item) {
    const bool found = net_bits_next(run, item);
    if (found)
        run->bits->words[run->word_at] = run->word;
    return found;
}

#endif
