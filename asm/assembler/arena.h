/* Memory of the assembler: an arena for data that lasts to the end of a run
 * (statements, symbols, expressions), and arrays that are emptied and refilled. Both
 * belong to the run's heap. */
#ifndef JM_ASM_ARENA_H
#define JM_ASM_ARENA_H

#include <stddef.h>

#include "emu/core/heap.h"

typedef struct AsBlock AsBlock;

/* An arena: many small pieces of memory that are freed together. Zero-initialised
 * except for the heap, it is empty. */
typedef struct {
    Heap *heap;
    AsBlock *blocks;
    size_t used, size; /* bytes of the newest block */
} AsArena;

/* Returns `size` zeroed bytes, aligned for any type, valid until the arena is freed. */
void *as_arena_alloc(AsArena *arena, size_t size);

/* Returns a terminated copy of `length` characters in the arena. */
char *as_arena_copy(AsArena *arena, const char *text, size_t length);

/* Returns `array` (of the heap, or NULL) with room for `count` + 1 elements of
 * `element` bytes. `*capacity` counts elements. Unlike mem_grow(), this keeps the room
 * of an array whose count went down. */
void *as_grow(Heap *heap, void *array, int count, int *capacity, size_t element);

#endif
