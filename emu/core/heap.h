/* Memory of one piece of work. Whoever needs memory in the middle of it need not think
 * of what happens if there is none: the work is given up, and all its memory with it.
 *
 *     heap_run(work, context)
 *         work(heap, context)
 *             heap_alloc(heap, 100)     enough memory: goes on
 *                                       none: empties the heap, heap_run() is false
 *
 * Where work ends, well or not, everything that is still in its heap goes. What the
 * work makes for others is not of the heap: it is malloc'ed, checked with heap_need()
 * and, until it is handed over, freed by heap_at_end(). Files and handles of other
 * libraries are closed in the same way.
 *
 * For libraries only. Includes libc alone. A heap belongs to one thread.
 */
#ifndef JM_CORE_HEAP_H
#define JM_CORE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Heap Heap;

/* HeapWork is a piece of work; heap_run() does it in a heap of its own. Returns false
 * if memory ran out in it; then it was left where that happened. */
typedef void HeapWork(Heap *heap, void *context);
bool heap_run(HeapWork *work, void *context);

/* Makes a heap that outlives the pieces of work that are done in it: what they leave in
 * it stays until it is deleted. Returns NULL if there is no memory. */
Heap *heap_new(void);
void heap_delete(Heap *heap); /* NULL is ignored */
/* Does a piece of work in such a heap, or a piece within a piece. Returns false if
 * memory ran out in it; what it has in the heap stays there. */
bool heap_work(Heap *heap, HeapWork *work, void *context);

/* Returns `size` bytes, zeroed; never NULL, not even for 0. */
void *heap_alloc(Heap *heap, size_t size);
/* Gives `block` (of this heap, or NULL) room for `size` bytes, and returns where it
 * lies now; the new bytes are not zeroed. */
void *heap_resize(Heap *heap, void *block, size_t size);
/* Frees a block before the end of the work; NULL is ignored. */
void heap_free(void *block);

/* Gives the work up: goes back to the heap_run() or heap_work() around it. */
_Noreturn void heap_fail(Heap *heap);
/* Returns `memory`, which malloc() or another library has made, and gives the work up
 * if it is NULL. */
void *heap_need(Heap *heap, void *memory);

/* Calls end(what) when the work ends; the newest first. */
typedef void HeapEnd(void *what);
void heap_at_end(Heap *heap, HeapEnd *end, void *what);
/* Takes a heap_at_end() back: `what` is handed over, or was ended already. */
void heap_keep(Heap *heap, const void *what);

#endif
