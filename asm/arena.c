#include "asm/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 16 };

struct AsBlock {
    AsBlock *next;
    alignas(max_align_t) unsigned char bytes[];
};

void *as_alloc(size_t size) {
    void *memory = calloc(1, size ? size : 1);
    if (!memory)
        abort();
    return memory;
}

void *as_arena_alloc(AsArena *arena, size_t size) {
    const size_t unit = alignof(max_align_t);
    size = (size + unit - 1) / unit * unit;
    if (!arena->blocks || arena->size - arena->used < size) {
        const size_t room = size > BLOCK_BYTES ? size : BLOCK_BYTES;
        AsBlock *block = as_alloc(sizeof *block + room);
        block->next = arena->blocks;
        arena->blocks = block;
        arena->used = 0;
        arena->size = room;
    }
    void *memory = arena->blocks->bytes + arena->used;
    arena->used += size;
    return memory;
}

char *as_arena_copy(AsArena *arena, const char *text, size_t length) {
    char *copy = as_arena_alloc(arena, length + 1);
    if (length > 0)
        memcpy(copy, text, length);
    return copy;
}

void as_arena_free(AsArena *arena) {
    while (arena->blocks) {
        AsBlock *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    *arena = (AsArena){0};
}

void *as_grow(void *array, int count, int *capacity, size_t element) {
    if (count < *capacity)
        return array;
    const int room = *capacity ? 2 * *capacity : 16;
    void *grown = realloc(array, (size_t)room * element);
    if (!grown)
        abort();
    *capacity = room;
    return grown;
}
