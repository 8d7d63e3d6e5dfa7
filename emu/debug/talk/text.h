/* Text that grows, in the heap of the debugger. For emu/debug. */
#ifndef JM_DEBUG_TEXT_H
#define JM_DEBUG_TEXT_H

#include <stdarg.h>
#include <stddef.h>

#include "emu/core/heap.h"

typedef struct {
    Heap *heap;
    char *bytes; /* always terminated; NULL: nothing yet */
    size_t length, capacity;
} Text;

void text_add(Text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void text_add_list(Text *text, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
void text_clear(Text *text);
void text_free(Text *text);
/* The text, "" if there is none. */
const char *text_get(const Text *text);

/* Writes control characters from `from` on as \xHH, but newlines and tabs: names in
 * foreign files must not steer a terminal. */
void text_escape(Text *text, size_t from);

/* A copy of `length` bytes, terminated; of a whole string. */
char *text_copy(Heap *heap, const char *bytes, size_t length);
char *text_copy_all(Heap *heap, const char *string);
/* Grows `items` so that one more fits behind `count`. */
void *text_grow(Heap *heap, void *items, size_t count, size_t *capacity, size_t size);

#endif
