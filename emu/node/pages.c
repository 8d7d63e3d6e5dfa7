/* Allocates the pages of a machine's memory and counts references to them.
 *
 * Pages that the nodes of one machine write come from the machine's arena: blocks that
 * double from 32 KB to the host's huge page of 2 MB. A large machine thus needs few TLB
 * entries; with pages scattered over the heap nearly every visit of a node would miss
 * the TLB too. A freed page goes to a list of its arena, and the blocks are freed with
 * the arena's last page: checkpoints may hold pages after their machine is gone, and
 * nobody else knows when the last one is freed.
 *
 *   arena --blocks--> | link | head page | head page | ...next      end|
 *                        |                a head is one cache line
 *                        v the block before
 *
 * Program images and single copies are allocated separately (arena NULL). */
#define _DEFAULT_SOURCE /* madvise() */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "emu/node/memory.h"

/* The arena of one machine. It lives as long as any of its pages is referenced. */
typedef struct {
    pthread_mutex_t lock;
    size_t pages; /* pages with references */
    JmWord *free; /* freed pages, linked through their first words; NULL: none */
    unsigned char *next, *end; /* unused rest of the newest block */
    size_t block_bytes;        /* size of the newest block */
    void *blocks; /* newest block; the first bytes of each point to the one before */
    _Atomic bool starved; /* see memory_starved() */
} Arena;

/* Header of a page, in the cache line before its words. The count is atomic because
 * holders may belong to machines in different threads. */
typedef struct {
    _Atomic uint32_t holders;
    Arena *arena; /* NULL: the page was allocated separately */
} PageHead;

enum {
    PAGE_BYTES = MEMORY_PAGE_WORDS * sizeof(JmWord),
    WHOLE_BYTES = MEMORY_PAGE_ALIGNMENT + PAGE_BYTES, /* a page with its header */
    FIRST_BLOCK = 1 << 15, /* bytes of an arena's first block */
    LARGE_PAGE = 1 << 21   /* bytes of the host's huge pages; no block is larger */
};

/* Returns the header of a page, given the page's first word. */
static PageHead *head_of(const JmWord *page) {
    return (PageHead *)((uintptr_t)page - MEMORY_PAGE_ALIGNMENT);
}

void *memory_large(size_t bytes) {
    const bool large = bytes >= LARGE_PAGE;
    const size_t alignment = large ? LARGE_PAGE : MEMORY_PAGE_ALIGNMENT;
    bytes = (bytes + alignment - 1) & ~(alignment - 1);
    void *block = aligned_alloc(alignment, bytes);
#ifdef MADV_HUGEPAGE
    if (block && large)
        (void)madvise(block, bytes, MADV_HUGEPAGE);
#endif
    return block;
}

/* ---- blocks ---------------------------------------------------------------------- */

static Arena *new_arena(void) {
    Arena *arena = calloc(1, sizeof *arena);
    if (arena)
        pthread_mutex_init(&arena->lock, NULL);
    return arena;
}

/* Adds a block, twice as large as the one before it up to LARGE_PAGE, so that a small
 * machine stays small. The rest of the newest block is abandoned. False: no memory. */
static bool add_block(Arena *arena) {
    const size_t bytes = !arena->blocks                    ? FIRST_BLOCK
                         : arena->block_bytes < LARGE_PAGE ? 2 * arena->block_bytes
                                                           : LARGE_PAGE;
    unsigned char *block = memory_large(bytes);
    if (!block)
        return false;
    *(void **)block = arena->blocks;
    arena->blocks = block;
    arena->block_bytes = bytes;
    arena->next = block + MEMORY_PAGE_ALIGNMENT;
    arena->end = block + bytes;
    return true;
}

static void free_arena(Arena *arena) {
    for (void *block = arena->blocks; block;) {
        void *before = *(void **)block;
        free(block);
        block = before;
    }
    pthread_mutex_destroy(&arena->lock);
    free(arena);
}

/* Takes a page, its words uninitialised, from the list of freed pages or else from the
 * newest block. NULL: no memory. Threads of one machine call this concurrently. */
static PageHead *take(Arena *arena) {
    PageHead *head = NULL;
    pthread_mutex_lock(&arena->lock);
    if (arena->free) {
        head = head_of(arena->free);
        arena->free = *(JmWord **)arena->free;
    } else if ((size_t)(arena->end - arena->next) >= WHOLE_BYTES || add_block(arena)) {
        head = (PageHead *)arena->next;
        arena->next += WHOLE_BYTES;
    }
    arena->pages += head != NULL;
    pthread_mutex_unlock(&arena->lock);
    return head;
}

/* Puts an unreferenced page on the arena's list. Frees the arena with its last page: no
 * machine is left then that could ask for another, because a machine holds its page of
 * NILs. */
static void give_back(Arena *arena, JmWord *page) {
    pthread_mutex_lock(&arena->lock);
    *(JmWord **)page = arena->free;
    arena->free = page;
    const bool empty = --arena->pages == 0;
    pthread_mutex_unlock(&arena->lock);
    if (empty)
        free_arena(arena);
}

/* ---- pages ----------------------------------------------------------------------- */

/* Returns a page with one reference, its words uninitialised, from `arena` or, if that
 * is NULL, allocated separately. NULL: no memory. */
static JmWord *allocate_page(Arena *arena) {
    PageHead *head = arena ? take(arena) : memory_large(WHOLE_BYTES);
    if (!head)
        return NULL;
    JmWord *page = (JmWord *)((unsigned char *)head + MEMORY_PAGE_ALIGNMENT);
    atomic_init(&head->holders, 1);
    head->arena = arena;
    return page;
}

JmWord *memory_new_page(void) {
    JmWord *page = allocate_page(NULL);
    return page ? memset(page, 0, PAGE_BYTES) : NULL;
}

JmWord *memory_new_nil_page(void) {
    Arena *arena = new_arena();
    JmWord *page = arena ? allocate_page(arena) : NULL;
    if (page)
        return memset(page, 0, PAGE_BYTES);
    if (arena)
        free_arena(arena);
    return NULL;
}

JmWord *memory_copy_page(const JmWord *page) {
    JmWord *copy = allocate_page(NULL);
    return copy ? memcpy(copy, page, PAGE_BYTES) : NULL;
}

JmWord *memory_copy_page_near(const JmWord *page, const JmWord *near) {
    JmWord *copy = allocate_page(head_of(near)->arena);
    if (!copy)
        return NULL;
    return page ? memcpy(copy, page, PAGE_BYTES) : memset(copy, 0, PAGE_BYTES);
}

void memory_hold_times(JmWord *page, uint32_t count) {
    atomic_fetch_add(&head_of(page)->holders, count);
}

void memory_drop_times(JmWord *page, uint32_t count) {
    if (!page || atomic_fetch_sub(&head_of(page)->holders, count) != count)
        return;
    Arena *arena = head_of(page)->arena;
    if (arena)
        give_back(arena, page);
    else
        free(head_of(page));
}

_Atomic bool *memory_starved(const JmWord *nil_page) {
    return &head_of(nil_page)->arena->starved;
}

uint32_t memory_page_holders(const JmWord *page) {
    return atomic_load(&head_of(page)->holders);
}
