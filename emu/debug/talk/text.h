/* Growing text buffers, in the heap of the debugger. For emu/debug. */
#ifndef JM_DEBUG_TEXT_H
#define JM_DEBUG_TEXT_H

#include <stdarg.h>
#include <stddef.h>

#include "emu/core/heap.h"

/* A growing text. */
typedef struct {
    Heap *heap;
    char *bytes; /* always terminated; NULL: nothing yet */
    size_t length, capacity;
} Text;

/* Appends formatted text. */
void text_add(Text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Appends formatted text, arguments as a list. */
void text_add_list(Text *text, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
/* Makes the text empty; its memory stays. */
void text_clear(Text *text);
/* Frees the text's memory; it may be used again. */
void text_free(Text *text);
/* Returns the text, "" if there is none. It lives until the text changes. */
const char *text_get(const Text *text);

/* Writes control characters from position `from` on as \xHH, but not newlines and tabs:
 * names in foreign files must not steer a terminal. */
void text_escape(Text *text, size_t from);

/* Returns a copy of `length` bytes, terminated. */
char *text_copy(Heap *heap, const char *bytes, size_t length);
/* Returns a copy of a string. */
char *text_copy_all(Heap *heap, const char *string);

#endif
