#include "asm/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *mem_alloc(size_t size) {
    void *memory = calloc(1, size ? size : 1);
    if (!memory)
        abort();
    return memory;
}

void *mem_resize(void *memory, size_t size) {
    void *grown = realloc(memory, size ? size : 1);
    if (!grown)
        abort();
    return grown;
}

char *mem_string(const char *text, size_t length) {
    char *copy = mem_alloc(length + 1);
    memcpy(copy, text, length);
    return copy;
}

size_t mem_capacity(size_t count) {
    size_t capacity = 1;
    while (capacity < count)
        capacity *= 2;
    return count ? capacity : 0;
}

void *mem_grow(void *array, size_t count, size_t item_size) {
    if (count & (count - 1))
        return array; /* below its power of two */
    const size_t capacity = count ? 2 * count : 1;
    if (capacity > SIZE_MAX / item_size)
        abort();
    return mem_resize(array, capacity * item_size);
}
