/* Growing lists outside of heaps (heap.h has heap_grow()); tools/host/memory.h has
 * lists of programs. Includes libc alone. */
#ifndef JM_CORE_GROW_H
#define JM_CORE_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The part of jm_grow() for a list that is full. */
bool jm_grow_full(void *items, size_t number, size_t *capacity, size_t size);

/* Makes room for the item `number` of a list: `items` is the address of the pointer to
 * its `*capacity` items of `size` bytes, malloc'ed or NULL. Returns false, leaving the
 * list as it was, if there is no memory. */
static inline bool jm_grow(void *items, size_t number, size_t *capacity, size_t size) {
    return number < *capacity || jm_grow_full(items, number, capacity, size);
}

/* Makes room for one more item in a list whose capacity is not stored: it always has
 * room for the power of two at or above `count`. Returns the list, which may have
 * moved; or NULL, leaving the old one valid, if there is no memory. */
void *jm_grow_by_count(void *items, size_t count, size_t size);
/* Returns the bytes that such a list needs for one more item; 0 if it has room. It is
 * full exactly when its count is a power of two: then it doubles, and n appends move
 * fewer than 2n items in all. */
static inline size_t jm_grow_bytes(size_t count, size_t size) {
    if (count & (count - 1))
        return 0;
    const size_t capacity = count ? 2 * count : 1;
    return capacity > SIZE_MAX / size ? SIZE_MAX : capacity * size;
}

#endif
