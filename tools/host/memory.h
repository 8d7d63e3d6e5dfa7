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
/* Makes room for one more item of `size` bytes in a list of `count` that grows by this
 * function alone; see jm_grow_by_count(). Returns the list, which may have moved. */
void *memory_more(void *list, size_t count, size_t size);
/* Returns a text made as by printf(), malloc'ed. */
char *memory_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *memory_vtext(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0)));

/* Bytes that grow; zeroed, there are none. */
typedef struct {
    char *bytes;
    size_t length, capacity;
} MemoryBytes;

/* Makes room for `length` more bytes and a zero. Returns where they begin. */
char *memory_room(MemoryBytes *text, size_t length);
/* Appends bytes and terminates the whole. */
void memory_append(MemoryBytes *text, const char *bytes, size_t length);

#endif
