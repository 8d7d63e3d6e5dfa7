/* Growing lists: see grow.h. */
#include "emu/core/grow.h"

#include <stdlib.h>
#include <string.h>

/* `items` is the address of a pointer of any type, so it is copied as bytes. */
bool jm_grow_full(void *items, size_t number, size_t *capacity, size_t size) {
    size_t more = *capacity ? *capacity * 2 : 16;
    while (more <= number)
        more *= 2;
    void *block;
    memcpy(&block, items, sizeof block);
    block = realloc(block, more * size);
    if (!block)
        return false;
    memcpy(items, &block, sizeof block);
    *capacity = more;
    return true;
}

void *jm_grow_by_count(void *items, size_t count, size_t size) {
    const size_t bytes = jm_grow_bytes(count, size);
    return bytes ? realloc(items, bytes) : items;
}
