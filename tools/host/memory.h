/* Memory of programs: without it they end (host_no_memory()), so that nothing here
 * returns NULL. For all tools. */
#ifndef JM_TOOLS_HOST_MEMORY_H
#define JM_TOOLS_HOST_MEMORY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* Returns a block that malloc() or a function like it gave, or an opened stream. */
void *memory_checked(void *block);
/* Returns `count` zeroed items of `size` bytes, malloc'ed. */
void *memory_array(size_t count, size_t size);
/* Returns a text made as by printf(), malloc'ed. */
char *memory_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *memory_vtext(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0)));

#endif
