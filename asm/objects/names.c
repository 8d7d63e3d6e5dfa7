/* Maps from names to numbers, as hash tables; see names.h. */
#include "asm/objects/names.h"

#include "asm/objects/mem.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Fowler, Noll and Vo's 64-bit FNV-1a; the upper half is folded in because the low bits
 * choose the slot. */
static uint64_t hash(const char *key, size_t length) {
    uint64_t h = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)key[i]) * UINT64_C(0x100000001B3);
    return h ^ (h >> 32);
}

/* Keys in the table are terminated; the key looked up need not be. */
static bool same(const char *terminated, const char *key, size_t length) {
    return strncmp(terminated, key, length) == 0 && terminated[length] == '\0';
}

/* The slot that holds a key, or the free one where it belongs: open addressing with
 * linear probing. At least half of the slots are free, so that a search ends soon.
 * Keys are never removed, so a free slot ends a search. */
static NamesSlot *find_slot(NamesSlot *slots, size_t size, const char *key,
                            size_t length) {
    size_t i = (size_t)hash(key, length) & (size - 1);
    while (slots[i].key && !same(slots[i].key, key, length))
        i = (i + 1) & (size - 1);
    return &slots[i];
}

int names_find_part(const Names *names, const char *key, size_t length) {
    if (names->size == 0)
        return -1;
    const NamesSlot *slot = find_slot(names->slots, names->size, key, length);
    return slot->key ? slot->value : -1;
}

int names_find(const Names *names, const char *key) {
    return names_find_part(names, key, strlen(key));
}

/* Doubles the number of slots and inserts every key again, since the mask has changed.
 */
static void grow(Names *names) {
    const size_t size = names->size ? 2 * names->size : 16;
    NamesSlot *slots = heap_alloc(names->heap, size * sizeof *slots);
    for (size_t i = 0; i < names->size; i++) {
        const char *key = names->slots[i].key;
        if (key)
            *find_slot(slots, size, key, strlen(key)) = names->slots[i];
    }
    heap_free(names->slots);
    names->slots = slots;
    names->size = size;
}

/* Room is made first: the slot of a new key must be one of the larger table. */
void names_set(Names *names, const char *key, int value) {
    if (2 * (names->used + 1) > names->size)
        grow(names);
    NamesSlot *slot = find_slot(names->slots, names->size, key, strlen(key));
    if (!slot->key) {
        slot->key = key;
        names->used++;
    }
    slot->value = value;
}
