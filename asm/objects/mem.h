/* Text and arrays on a heap (emu/core/heap.h), for the assembler, linker and
 * disassembler: each call of one of them is work with a heap of its own. None of these
 * functions returns NULL: if memory runs out the work is abandoned. */
#ifndef JM_ASM_MEM_H
#define JM_ASM_MEM_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "asm/objects/object.h"
#include "emu/core/heap.h"

/* Copies a string into malloc'ed memory, for an owner outside the heap. */
char *mem_outside(Heap *heap, const char *text);

/* Copies a string with control characters shown (jm_printable): for names from
 * files. */
char *mem_printable(Heap *heap, const char *text);

/* Formats as vprintf does, with control characters shown (jm_printable). */
char *mem_print(Heap *heap, const char *format, va_list args);

/* Makes room for one more item in an array of `count` items that only grows by this
 * function: its capacity is the power of two at or above `count`. Returns the array,
 * which may have moved. */
void *mem_grow(Heap *heap, void *array, size_t count, size_t item_size);

/* Returns the capacity that mem_grow expects of an array of `count` items. */
size_t mem_capacity(size_t count);

/* An arena: many small pieces of memory that stay to the end of the work.
 * Zero-initialised except for the heap, it is empty. */
typedef struct MemBlock MemBlock;
typedef struct {
    Heap *heap;
    MemBlock *blocks;
    size_t used, size; /* bytes of the newest block */
} MemArena;

/* Returns `size` zeroed bytes, aligned for any type. */
void *mem_arena_alloc(MemArena *arena, size_t size);
/* Returns a terminated copy of `length` characters in the arena. */
char *mem_arena_copy(MemArena *arena, const char *text, size_t length);

/* Returns `index`, the result of a function of object.h; abandons the work if it is
 * -1. */
int mem_index(Heap *heap, int index);

/* Appends a file that the object is known not to have. Returns its index; -1 without
 * memory. */
int object_append_file(AsmObject *object, const char *name);

/* Returns the numbers of an image's sections by address, `*count` of them; only of
 * those that hold words, unless the `empty` ones count too. */
int *object_by_address(Heap *heap, const AsmObject *image, bool empty, int *count);

/* Returns the index of the first row of the line table at or after a place. The rows
 * are sorted, as reading and linking leave them. */
int object_first_row(const AsmObject *object, int section, uint32_t offset, bool low);

/* Text that is printed piece by piece. */
typedef struct {
    FILE *out;
    char *text;
    size_t size;
} MemText;
MemText *mem_text_open(Heap *heap);
/* Ends a text and returns it, malloc'ed; it is freed when the heap ends, unless it is
 * kept. */
char *mem_text_close(Heap *heap, MemText *text);

#endif
