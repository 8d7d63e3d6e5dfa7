/* Memory that is there; see memory.h. */
#include "tools/host/memory.h"

#include <stdlib.h>

#include "tools/host/host.h"

void *memory_checked(void *block) {
    if (!block)
        host_no_memory();
    return block;
}

void *memory_array(size_t count, size_t size) {
    return memory_checked(calloc(count ? count : 1, size));
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
