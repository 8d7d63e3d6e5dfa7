/* The arena: blocks in a list, the newest first; only that one has room left.
 *
 *     blocks -> [next | used bytes | free ]     used, size: of this block
 *                 |
 *                [next | used bytes ......]     full, or given up with little left
 *                 |
 *                NULL
 *
 * Blocks are freed with the heap. Data that does not last for the whole run uses
 * heap_alloc(). */
#include "asm/assembler/arena.h"

#include "asm/objects/mem.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 16 };

struct AsBlock {
    AsBlock *next;
    alignas(max_align_t) unsigned char bytes[];
};

/* A request larger than a block gets a block of its own; the rest of the newest one is
 * abandoned. Blocks are zeroed when they are made, and no byte is handed out twice. */
void *as_arena_alloc(AsArena *arena, size_t size) {
    const size_t unit = alignof(max_align_t);
    size = (size + unit - 1) / unit * unit;
    if (!arena->blocks || arena->size - arena->used < size) {
        const size_t room = size > BLOCK_BYTES ? size : BLOCK_BYTES;
        AsBlock *block = heap_alloc(arena->heap, sizeof *block + room);
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

void *as_grow(Heap *heap, void *array, int count, int *capacity, size_t element) {
    if (count < *capacity)
        return array;
    *capacity = *capacity ? 2 * *capacity : 16;
    return heap_resize(heap, array, (size_t)*capacity * element);
}
