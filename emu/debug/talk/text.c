#include "emu/debug/talk/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *block) {
    if (!block)
        abort(); /* out of memory: nothing sensible can go on */
    return block;
}

void *text_zeros(size_t count, size_t size) {
    return checked(calloc(count, size));
}

void *text_grow(void *items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity)
        return items;
    *capacity = *capacity ? *capacity * 2 : 16;
    return checked(realloc(items, *capacity * size));
}

void text_add_list(Text *text, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    const size_t needed = text->length + (size_t)(length < 0 ? 0 : length) + 1;
    if (needed > text->capacity) {
        text->capacity = needed * 2;
        text->bytes = checked(realloc(text->bytes, text->capacity));
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

static bool is_control(unsigned char c) {
    return (c < ' ' && c != '\n' && c != '\t') || c == 0x7F;
}

void text_escape(Text *text, size_t from) {
    for (size_t i = from; i < text->length; i++) {
        const unsigned char c = (unsigned char)text->bytes[i];
        if (!is_control(c))
            continue;
        char *rest = text_copy_all(text->bytes + i + 1);
        text->length = i;
        text_add(text, "\\x%02X%s", c, rest);
        free(rest);
        i += strlen("\\xHH") - 1;
    }
}

void text_clear(Text *text) {
    text->length = 0;
    if (text->bytes)
        text->bytes[0] = '\0';
}

void text_free(Text *text) {
    free(text->bytes);
    *text = (Text){NULL, 0, 0};
}

const char *text_get(const Text *text) {
    return text->bytes ? text->bytes : "";
}

char *text_copy(const char *bytes, size_t length) {
    char *copy = checked(malloc(length + 1));
    memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

char *text_copy_all(const char *string) {
    return text_copy(string, strlen(string));
}
