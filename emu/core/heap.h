/* An arena for one piece of work. Code that allocates in the middle of it need not
 * check for failure: if memory runs out, the work is abandoned, and all its memory is
 * freed.
 *
 *     heap_run(work, context)
 *         work(heap, context)
 *             heap_alloc(heap, 100)     enough memory: continues
 *                                       none: empties the heap, heap_run() is false
 *
 * When work ends, successfully or not, everything still in its heap is freed. Results
 * for others do not belong to the heap: they are malloc'ed, checked with heap_need()
 * and, until they are handed over, freed by heap_at_end(). Files and handles of other
 * libraries are closed in the same way.
 *
 * One kind of memory is allocated otherwise: the pages of nodes (emu/node/memory.h).
 * Threads execute nodes at the same time, and none can abandon a cycle for the others.
 * A write that finds no memory is lost, and the machine is starved. So are objects
 * that other calls find after a failed one: an Archive, whose functions return nothing;
 * JmInputs, which then refuses every output; a debugging session, which is over.
 *
 * For libraries only. A heap belongs to one thread. */
#ifndef JM_CORE_HEAP_H
#define JM_CORE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

#include "emu/core/status.h"

typedef struct Heap Heap;

/* HeapWork is a piece of work; heap_run() does it in a heap of its own. Returns false
 * if memory ran out in it; the work was then abandoned at that point. */
typedef void HeapWork(Heap *heap, void *context);
bool heap_run(HeapWork *work, void *context);
/* The same for work that returns whether it succeeded, or has set an error. False, with
 * `error` "no memory for " and the formatted rest, if memory ran out. */
typedef bool HeapTask(Heap *heap, void *context);
bool heap_do(HeapTask *task, void *context, JmError *error, const char *file,
             const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Makes a heap that outlives the pieces of work done in it: what they leave there stays
 * until the heap is deleted. Returns NULL if there is no memory. */
Heap *heap_new(void);
/* Makes a heap for temporary memory: if that runs out, the work of `outer` is
 * abandoned. It is deleted with `outer`. */
Heap *heap_within(Heap *outer);
void heap_delete(Heap *heap); /* NULL is ignored; one within another may go early */
/* Makes something in a new heap, which belongs to it. `plan` is what make() needs to
 * know; if it returns NULL, it has set an error. NULL: failed; `error` is "no memory
 * for " and the formatted rest if memory ran out, and the heap is gone. */
typedef void *HeapMake(Heap *heap, const void *plan);
void *heap_make(HeapMake *make, const void *plan, JmError *error, const char *file,
                const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Does a piece of work in such a heap, or a piece within a piece. Returns false if
 * memory ran out in it; its allocations in the heap stay. */
bool heap_work(Heap *heap, HeapWork *work, void *context);
/* The same, but all blocks that a piece which fails has allocated or resized are
 * freed. */
bool heap_try(Heap *heap, HeapWork *work, void *context);

/* Returns `size` bytes, zeroed; never NULL, not even for 0. */
void *heap_alloc(Heap *heap, size_t size);
/* Returns an array of `count` zeros. */
static inline double *heap_doubles(Heap *heap, size_t count) {
    return heap_alloc(heap, count * sizeof(double));
}
/* The same, aligned to cache lines. They are not written: the system allocates pages of
 * many zeros on first use. */
void *heap_lines(Heap *heap, size_t size);
/* Resizes `block` (of this heap, or NULL) to `size` bytes, and returns its new address;
 * the new bytes are not zeroed. */
void *heap_resize(Heap *heap, void *block, size_t size);
/* Makes room for the item `number` of the list `items`, which has room for `*capacity`
 * items of `size` bytes, or is NULL; returns its new address. */
void *heap_grow(Heap *heap, void *items, size_t number, size_t *capacity, size_t size);
/* Frees a block before the end of the work; NULL is ignored. */
void heap_free(void *block);
/* Returns a copy of `size` bytes, or NULL of NULL. */
void *heap_copy(Heap *heap, const void *bytes, size_t size);
/* Frees all blocks that have been allocated or resized since heap_mark(). */
typedef struct HeapLink HeapMark;
HeapMark *heap_mark(const Heap *heap);
void heap_release(Heap *heap, const HeapMark *mark);

/* Abandons the work: jumps back to the enclosing heap_run() or heap_work(). */
_Noreturn void heap_fail(Heap *heap);
/* Returns `memory`, allocated by malloc() or another library, and abandons the work if
 * it is NULL. */
void *heap_need(Heap *heap, void *memory);
/* The same, and `memory` is freed by free() when the work ends. */
void *heap_adopt(Heap *heap, void *memory);

/* Registers end(what) to be called when the work ends; the newest runs first. */
typedef void HeapEnd(void *what);
void heap_at_end(Heap *heap, HeapEnd *end, void *what);
/* Cancels a heap_at_end(): `what` is handed over, or was ended already. */
void heap_keep(Heap *heap, const void *what);

#endif
