#include "asm/names.h"

#include "asm/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Fowler, Noll and Vo's 64-bit FNV-1a. */
static uint64_t hash(const char *key) {
    uint64_t h = UINT64_C(0xCBF29CE484222325);
    for (; *key; key++)
        h = (h ^ (unsigned char)*key) * UINT64_C(0x100000001B3);
    return h ^ (h >> 32);
}

/* The slot that holds `key`, or the free one where it belongs. */
static NamesSlot *find_slot(NamesSlot *slots, size_t size, const char *key) {
    size_t i = (size_t)hash(key) & (size - 1);
    while (slots[i].key && strcmp(slots[i].key, key) != 0)
        i = (i + 1) & (size - 1);
    return &slots[i];
}

int names_find(const Names *names, const char *key) {
    if (names->size == 0)
        return -1;
    const NamesSlot *slot = find_slot(names->slots, names->size, key);
    return slot->key ? slot->value : -1;
}

static void grow(Names *names) {
    const size_t size = names->size ? 2 * names->size : 16;
    NamesSlot *slots = mem_alloc(size * sizeof *slots);
    for (size_t i = 0; i < names->size; i++) {
        if (names->slots[i].key)
            *find_slot(slots, size, names->slots[i].key) = names->slots[i];
    }
    free(names->slots);
    names->slots = slots;
    names->size = size;
}

void names_set(Names *names, const char *key, int value) {
    if (2 * (names->used + 1) > names->size)
        grow(names);
    NamesSlot *slot = find_slot(names->slots, names->size, key);
    if (!slot->key) {
        slot->key = key;
        names->used++;
    }
    slot->value = value;
}

void names_free(Names *names) {
    free(names->slots);
    *names = (Names){0};
}
