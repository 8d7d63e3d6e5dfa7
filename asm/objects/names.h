/* A map from names to numbers, for objects with any number of symbols and files. Keys
 * are not copied: they must outlive the map. Includes emu/core only. */
#ifndef JM_ASM_NAMES_H
#define JM_ASM_NAMES_H

#include <stddef.h>

#include "emu/core/heap.h"

typedef struct {
    const char *key; /* NULL: free slot */
    int value;
} NamesSlot;

typedef struct {
    Heap *heap;
    NamesSlot *slots;
    size_t size; /* a power of two, or 0 */
    size_t used;
} Names; /* empty if all but the heap is zero */

/* Returns the number of `key`; -1 if it is not in the map. */
int names_find(const Names *names, const char *key);

/* Same as names_find(), for the `length` characters at `key`, none of them zero. */
int names_find_part(const Names *names, const char *key, size_t length);

/* Sets the number of `key` to `value`, >= 0. A key already in the map keeps its old
 * pointer. */
void names_set(Names *names, const char *key, int value);

#endif
