/* Memory that never fails for its callers: see mem.h. */
#include "asm/objects/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"

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

char *mem_printable(const char *text) {
    const size_t room = strlen(text) * JM_PRINTABLE_FACTOR + 1;
    return jm_printable(text, mem_alloc(room), room);
}

char *mem_print(const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        abort();
    char *text = mem_alloc((size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, args);
    char *shown = mem_printable(text);
    free(text);
    return shown;
}

/* The invariant of mem_grow: an array of `count` items has room for the power of two
 * at or above it, so that the capacity need not be stored. Arrays that are not made
 * item by item (words of a section that is read) get this much at once. */
size_t mem_capacity(size_t count) {
    size_t capacity = 1;
    while (capacity < count)
        capacity *= 2;
    return count ? capacity : 0;
}

/* The array is full exactly when its count is a power of two: then it doubles, and n
 * appends move fewer than 2n items in all. */
void *mem_grow(void *array, size_t count, size_t item_size) {
    if (count & (count - 1))
        return array; /* below its power of two */
    const size_t capacity = count ? 2 * count : 1;
    if (capacity > SIZE_MAX / item_size)
        abort();
    return mem_resize(array, capacity * item_size);
}
