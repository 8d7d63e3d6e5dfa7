/* Memory for the assembler and linker: running out of it stops the program, as
 * everywhere in this library. Includes emu/core only. */
#ifndef JM_ASM_MEM_H
#define JM_ASM_MEM_H

#include <stdarg.h>
#include <stddef.h>

/* `size` bytes, zeroed; never NULL, also for 0. */
void *mem_alloc(size_t size);

/* `memory` (from mem_alloc, or NULL) with room for `size` bytes; new ones are not
 * zeroed. */
void *mem_resize(void *memory, size_t size);

/* A copy of `length` characters, terminated. */
char *mem_string(const char *text, size_t length);

/* A copy with control characters shown (jm_printable): for names out of files. */
char *mem_printable(const char *text);

/* What vprintf would print, shown in the same way. */
char *mem_print(const char *format, va_list args);

/* Room for one more item in an array of `count` items that only grows by this
 * function: its capacity is the power of two at or above `count`. */
void *mem_grow(void *array, size_t count, size_t item_size);

/* The capacity that mem_grow expects of an array of `count` items. */
size_t mem_capacity(size_t count);

#endif
