/* A min-heap of keys. A key is a time with a number in its low bits, so that events of
 * one cycle come in order of their numbers. */
#ifndef JM_NET_PROGRAMS_KEYS_INLINE_H
#define JM_NET_PROGRAMS_KEYS_INLINE_H

#include <stdint.h>

#include "emu/core/heap.h"

enum { KEY_TIME_SHIFT = 24 };

typedef struct {
    uint64_t *key;
    uint32_t count, size;
} Keys;

static inline uint64_t key_of(uint64_t time, uint32_t number) {
    return time << KEY_TIME_SHIFT | number;
}

static inline uint64_t key_time(uint64_t key) {
    return key >> KEY_TIME_SHIFT;
}

static inline uint32_t key_number(uint64_t key) {
    return key & ((1u << KEY_TIME_SHIFT) - 1);
}

static inline uint64_t keys_first_time(const Keys *keys) {
    return keys->count ? key_time(keys->key[0]) : UINT64_MAX;
}

static inline void keys_add(Heap *heap, Keys *keys, uint64_t key) {
    if (keys->count == keys->size) {
        keys->size = keys->size ? 2 * keys->size : 64;
        keys->key = heap_resize(heap, keys->key, keys->size * sizeof *keys->key);
    }
    uint32_t i = keys->count++;
    for (; i > 0 && keys->key[(i - 1) / 2] > key; i = (i - 1) / 2)
        keys->key[i] = keys->key[(i - 1) / 2];
    keys->key[i] = key;
}

/* Removes the least key of a heap that is not empty. */
static inline uint64_t keys_take(Keys *keys) {
    const uint64_t first = keys->key[0], last = keys->key[--keys->count];
    uint32_t i = 0;
    for (uint32_t child = 1; child < keys->count; child = 2 * i + 1) {
        child += child + 1 < keys->count && keys->key[child + 1] < keys->key[child];
        if (last <= keys->key[child])
            break;
        keys->key[i] = keys->key[child];
        i = child;
    }
    keys->key[i] = last;
    return first;
}

#endif
