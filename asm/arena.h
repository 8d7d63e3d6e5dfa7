/* Memory of the assembler: an arena for what lives to the end of a run, and growing
 * arrays. Running out of memory aborts. Includes nothing but libc.
 */
#ifndef JM_ASM_ARENA_H
#define JM_ASM_ARENA_H

#include <stddef.h>

typedef struct AsBlock AsBlock;

typedef struct {
    AsBlock *blocks;
    size_t used, size; /* of the newest block */
} AsArena;

/* `size` zeroed bytes that stay until the arena goes. */
void *as_arena_alloc(AsArena *arena, size_t size);
char *as_arena_copy(AsArena *arena, const char *text, size_t length); /* terminated */
void as_arena_free(AsArena *arena);

void *as_alloc(size_t size); /* zeroed; free() it */

/* Makes room for `count` + 1 elements; the new array. `*capacity` counts elements. */
void *as_grow(void *array, int count, int *capacity, size_t element);

#endif
