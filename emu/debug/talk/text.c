/* Growing text buffers, in a heap; see text.h. Without memory the heap abandons the
 * work, so nothing here can fail. */
#include "emu/debug/talk/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "emu/core/printable.h"

void text_add_list(Text *text, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    const size_t needed = text->length + (size_t)(length < 0 ? 0 : length) + 1;
    if (needed > text->capacity) {
        text->bytes = heap_resize(text->heap, text->bytes, needed * 2);
        text->capacity = needed * 2;
    }
    vsnprintf(text->bytes + text->length, text->capacity - text->length, format, again);
    va_end(again);
    text->length = needed - 1;
}

void text_add(Text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_add_list(text, format, arguments);
    va_end(arguments);
}

void text_escape(Text *text, size_t from) {
    for (size_t i = from; i < text->length; i++) {
        const unsigned char c = (unsigned char)text->bytes[i];
        const int size = jm_printable_length(text->bytes + i, text->length - i);
        if (size > 0 || c == '\n' || c == '\t') {
            i += size > 0 ? (size_t)size - 1 : 0;
            continue;
        }
        char *rest = text_copy_all(text->heap, text->bytes + i + 1);
        text->length = i;
        text_add(text, "\\x%02X%s", c, rest);
        heap_free(rest);
        i += strlen("\\xHH") - 1;
    }
}

void text_clear(Text *text) {
    text->length = 0;
    if (text->bytes)
        text->bytes[0] = '\0';
}

void text_free(Text *text) {
    heap_free(text->bytes);
    *text = (Text){.heap = text->heap};
}

const char *text_get(const Text *text) {
    return text->bytes ? text->bytes : "";
}

char *text_copy(Heap *heap, const char *bytes, size_t length) {
    char *copy = heap_alloc(heap, length + 1);
    memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

char *text_copy_all(Heap *heap, const char *string) {
    return text_copy(heap, string, strlen(string));
}
