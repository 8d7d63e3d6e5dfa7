/* Memory of the assembler, linker and disassembler: see mem.h. */
#include "asm/objects/mem.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/grow.h"
#include "emu/core/printable.h"

char *mem_outside(Heap *heap, const char *text) {
    return heap_need(heap, strdup(text));
}

char *mem_printable(Heap *heap, const char *text) {
    const size_t room = strlen(text) * JM_PRINTABLE_FACTOR + 1;
    return jm_printable(text, heap_alloc(heap, room), room);
}

/* vsnprintf() itself may run out of memory for a wide field. */
char *mem_print(Heap *heap, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        heap_fail(heap);
    char *text = heap_alloc(heap, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, args);
    char *shown = mem_printable(heap, text);
    heap_free(text);
    return shown;
}

/* The invariant of mem_grow: an array of `count` items has room for the power of two
 * at or above it, so that the capacity need not be stored. Arrays made as a whole get
 * this capacity at once. */
size_t mem_capacity(size_t count) {
    size_t capacity = 1;
    while (capacity < count)
        capacity *= 2;
    return count ? capacity : 0;
}

void *mem_grow(Heap *heap, void *array, size_t count, size_t item_size) {
    const size_t bytes = jm_grow_bytes(count, item_size);
    return bytes ? heap_resize(heap, array, bytes) : array;
}

int mem_index(Heap *heap, int index) {
    if (index < 0)
        heap_fail(heap);
    return index;
}

static void end_text(void *what) {
    MemText *text = what;
    fclose(text->out);
    free(text->text);
}

MemText *mem_text_open(Heap *heap) {
    MemText *text = heap_alloc(heap, sizeof *text);
    text->out = heap_need(heap, open_memstream(&text->text, &text->size));
    heap_at_end(heap, end_text, text);
    return text;
}

/* Writing to memory can fail only for want of memory. */
char *mem_text_close(Heap *heap, MemText *text) {
    const bool lost = ferror(text->out);
    heap_keep(heap, text);
    const bool closed = fclose(text->out) == 0;
    char *whole = text->text;
    heap_free(text);
    heap_at_end(heap, free, heap_need(heap, whole));
    if (lost || !closed)
        heap_fail(heap);
    return whole;
}

/* ---- arenas ---------------------------------------------------------------------- */

/* Blocks are a list, the newest first; only that one has room left. They are freed with
 * the heap. */

enum { BLOCK_BYTES = 1 << 16 };

struct MemBlock {
    MemBlock *next;
    alignas(max_align_t) unsigned char bytes[];
};

/* A request larger than a block gets a block of its own; the rest of the newest one is
 * abandoned. Blocks are zeroed when they are made, and no byte is handed out twice. */
void *mem_arena_alloc(MemArena *arena, size_t size) {
    const size_t unit = alignof(max_align_t);
    size = (size + unit - 1) / unit * unit;
    if (!arena->blocks || arena->size - arena->used < size) {
        const size_t room = size > BLOCK_BYTES ? size : BLOCK_BYTES;
        MemBlock *block = heap_alloc(arena->heap, sizeof *block + room);
        block->next = arena->blocks;
        arena->blocks = block;
        arena->used = 0;
        arena->size = room;
    }
    void *memory = arena->blocks->bytes + arena->used;
    arena->used += size;
    return memory;
}

char *mem_arena_copy(MemArena *arena, const char *text, size_t length) {
    char *copy = mem_arena_alloc(arena, length + 1);
    if (length > 0)
        memcpy(copy, text, length);
    return copy;
}
