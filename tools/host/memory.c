/* Memory that is there; see memory.h. */
#include "tools/host/memory.h"

#include <stdlib.h>
#include <string.h>

#include "emu/core/grow.h"
#include "tools/host/host.h"

void *memory_checked(void *block) {
    if (!block)
        host_no_memory();
    return block;
}

void *memory_array(size_t count, size_t size) {
    return memory_checked(calloc(count ? count : 1, size));
}

void *memory_more(void *list, size_t count, size_t size) {
    return memory_checked(jm_grow_by_count(list, count, size));
}

char *memory_vtext(const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = memory_array((size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

char *memory_text(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = memory_vtext(format, arguments);
    va_end(arguments);
    return text;
}

char *memory_room(MemoryBytes *text, size_t length) {
    if (!jm_grow(&text->bytes, text->length + length, &text->capacity, 1))
        host_no_memory();
    return text->bytes + text->length;
}

void memory_append(MemoryBytes *text, const char *bytes, size_t length) {
    memcpy(memory_room(text, length), bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}
