/* The blocks of a heap form a ring, so that a block can leave it without knowing its
 * heap; the heap's own link is where the ring begins and ends. */
#include "emu/core/heap.h"

#include <assert.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct HeapLink {
    struct HeapLink *older, *newer;
} Link;

typedef struct {
    Link link;
    HeapEnd *end; /* ends `what`; NULL: a plain block of memory */
    void *what;
    alignas(max_align_t) unsigned char bytes[];
} Block;

struct Heap {
    Link ring;
    jmp_buf *given_up; /* of the current piece of work */
    Heap *outer;       /* whose work is abandoned instead; NULL: none */
};

static void leave_ring(Link *link) {
    link->older->newer = link->newer;
    link->newer->older = link->older;
}

static void enter_ring(Link *link, Heap *heap) {
    link->older = heap->ring.older;
    link->newer = &heap->ring;
    link->older->newer = link;
    heap->ring.older = link;
}

HeapMark *heap_mark(const Heap *heap) {
    return heap->ring.older;
}

/* `older` of the ring itself is the newest block. A block is unlinked before its end
 * function is called. */
void heap_release(Heap *heap, const HeapMark *mark) {
    while (heap->ring.older != mark) {
        Block *block = (Block *)heap->ring.older;
        leave_ring(&block->link);
        if (block->end)
            block->end(block->what);
        free(block);
    }
}

static void begin(Heap *heap) {
    *heap = (Heap){.ring = {&heap->ring, &heap->ring}};
}

/* After setjmp() has returned a second time only `heap` and `outer` are used; they do
 * not change after setjmp(), so they need not be volatile. */
bool heap_work(Heap *heap, HeapWork *work, void *context) {
    jmp_buf here, *const outer = heap->given_up;
    if (setjmp(here) != 0) {
        heap->given_up = outer;
        return false;
    }
    heap->given_up = &here;
    work(heap, context);
    heap->given_up = outer;
    return true;
}

bool heap_try(Heap *heap, HeapWork *work, void *context) {
    const HeapMark *mark = heap_mark(heap);
    const bool done = heap_work(heap, work, context);
    if (!done)
        heap_release(heap, mark);
    return done;
}

bool heap_run(HeapWork *work, void *context) {
    Heap heap;
    begin(&heap);
    const bool done = heap_work(&heap, work, context);
    heap_release(&heap, &heap.ring);
    return done;
}

Heap *heap_new(void) {
    Heap *heap = malloc(sizeof *heap);
    if (heap)
        begin(heap);
    return heap;
}

void heap_delete(Heap *heap) {
    if (heap && heap->outer)
        heap_keep(heap->outer, heap);
    if (heap)
        heap_release(heap, &heap->ring);
    free(heap);
}

static void fail(JmError *error, const char *file, const char *format, va_list args) {
    char text[JM_ERROR_TEXT_MAX];
    vsnprintf(text, sizeof text, format, args);
    jm_fail_memory(error, file, "no memory for %s", text);
}

/* A task, or something to be made. */
typedef struct {
    HeapTask *task;
    HeapMake *make;
    void *context;
    const void *plan;
    bool done;
    void *made;
} Job;

static void do_job(Heap *heap, void *context) {
    Job *job = context;
    if (job->task)
        job->done = job->task(heap, job->context);
    else
        job->made = job->make(heap, job->plan);
}

bool heap_do(HeapTask *task, void *context, JmError *error, const char *file,
             const char *format, ...) {
    Job job = {.task = task, .context = context};
    if (!heap_run(do_job, &job)) {
        va_list args;
        va_start(args, format);
        fail(error, file, format, args);
        va_end(args);
    }
    return job.done;
}

void *heap_make(HeapMake *make, const void *plan, JmError *error, const char *file,
                const char *format, ...) {
    Job job = {.make = make, .plan = plan};
    Heap *heap = heap_new();
    if (!heap || !heap_work(heap, do_job, &job)) {
        va_list args;
        va_start(args, format);
        fail(error, file, format, args);
        va_end(args);
    }
    if (!job.made)
        heap_delete(heap);
    return job.made;
}

static void end_heap(void *what) {
    Heap *heap = what;
    heap->outer = NULL;
    heap_delete(heap);
}

Heap *heap_within(Heap *outer) {
    Heap *heap = heap_need(outer, heap_new());
    heap->outer = outer;
    heap_at_end(outer, end_heap, heap);
    return heap;
}

_Noreturn void heap_fail(Heap *heap) {
    while (heap->outer)
        heap = heap->outer;
    assert(heap->given_up && "allocation outside of any work");
    longjmp(*heap->given_up, 1);
}

void *heap_need(Heap *heap, void *memory) {
    if (!memory)
        heap_fail(heap);
    return memory;
}

static Block *block_of(void *bytes) {
    return (Block *)(void *)((unsigned char *)bytes - offsetof(Block, bytes));
}

void *heap_alloc(Heap *heap, size_t size) {
    if (size > SIZE_MAX - sizeof(Block))
        heap_fail(heap);
    Block *block = heap_need(heap, calloc(1, sizeof *block + size));
    enter_ring(&block->link, heap);
    return block->bytes;
}

void *heap_lines(Heap *heap, size_t size) {
    enum { LINE = 64 };
    unsigned char *bytes = heap_alloc(heap, size + LINE);
    return bytes + LINE - (uintptr_t)bytes % LINE;
}

/* The old block stays in the ring until the new one is there. */
void *heap_resize(Heap *heap, void *block, size_t size) {
    if (!block)
        return heap_alloc(heap, size);
    if (size > SIZE_MAX - sizeof(Block))
        heap_fail(heap);
    Block *old = block_of(block);
    leave_ring(&old->link);
    Block *grown = realloc(old, sizeof *grown + size);
    enter_ring(grown ? &grown->link : &old->link, heap);
    if (!grown)
        heap_fail(heap);
    return grown->bytes;
}

void *heap_grow(Heap *heap, void *items, size_t number, size_t *capacity, size_t size) {
    if (number < *capacity)
        return items;
    size_t room = *capacity ? *capacity : 16;
    while (room <= number)
        room *= 2;
    items = heap_resize(heap, items, room * size);
    *capacity = room; /* not before: heap_resize() may not return */
    return items;
}

void heap_free(void *block) {
    if (!block)
        return;
    leave_ring(&block_of(block)->link);
    free(block_of(block));
}

void *heap_copy(Heap *heap, const void *bytes, size_t size) {
    return bytes ? memcpy(heap_alloc(heap, size), bytes, size) : NULL;
}

void heap_at_end(Heap *heap, HeapEnd *end, void *what) {
    Block *block = calloc(1, sizeof *block);
    if (!block) {
        end(what);
        heap_fail(heap);
    }
    block->end = end;
    block->what = what;
    enter_ring(&block->link, heap);
}

void *heap_adopt(Heap *heap, void *memory) {
    heap_at_end(heap, free, heap_need(heap, memory));
    return memory;
}

void heap_keep(Heap *heap, const void *what) {
    for (Link *link = heap->ring.older; link != &heap->ring; link = link->older) {
        Block *block = (Block *)link;
        if (!block->end || block->what != what)
            continue;
        leave_ring(link);
        free(block);
        return;
    }
    assert(false && "heap_keep() without a heap_at_end()");
}
