/* The memory of one node: 2^20 words, allocated page by page on the first write.
 * For emu/node and emu/machine. Physical addresses throughout; the priority switch is
 * the operand's business.
 *
 * Pages are shared and know how many hold them: the page of NILs, a page of the program
 * image that many nodes read, a page that a checkpoint keeps. A page is copied when its
 * node first writes to it, unless nobody else holds it any more. Holders may belong to
 * different machines in different threads.
 *
 * A write for which there is no memory is lost, and the machine is starved: it must not
 * run on.
 */
#ifndef JM_NODE_MEMORY_H
#define JM_NODE_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/core/word.h"

enum {
    /* Small: what nodes write lies close together in the host's caches, and what they
     * only read, code above all, stays shared. */
    MEMORY_PAGE_BITS = 6, /* 64 words, 512 bytes */
    MEMORY_PAGE_WORDS = 1 << MEMORY_PAGE_BITS,
    MEMORY_ROM = 0x1000,
    MEMORY_EXTERNAL = 0x2000,                               /* first word of DRAM */
    MEMORY_LOW_PAGES = MEMORY_EXTERNAL >> MEMORY_PAGE_BITS, /* on chip and ROM */
    MEMORY_PAGE_ALIGNMENT = 64, /* of a page in the host's memory */
    MEMORY_GROUP_PAGES = 64,
    MEMORY_GROUPS = 1 << (JM_ADDRESS_BITS - MEMORY_PAGE_BITS - 6),
    MEMORY_PAGES = 1 << (JM_ADDRESS_BITS - MEMORY_PAGE_BITS)
};

/* 64 pages of external memory. */
typedef struct {
    JmWord *page[MEMORY_GROUP_PAGES]; /* NULL: untouched */
    uint64_t owned;                   /* bit per page: private, may be written */
} MemoryGroup;

typedef struct {
    JmWord *low[MEMORY_LOW_PAGES];             /* never NULL */
    uint64_t low_owned[MEMORY_LOW_PAGES / 64]; /* bit per low page */
    JmWord *nil_page;                          /* of the machine */
    MemoryGroup **groups; /* MEMORY_GROUPS of them, NULL while none is touched */
} Memory;

/* Room for free(), on a cache line, and on large pages of the host if it is large. NULL
 * if there is none. */
void *memory_large(size_t bytes);

/* Every word NIL: the page of NILs is held for each page on chip. */
void memory_init(Memory *memory, JmWord *nil_page);
void memory_free(Memory *memory);

JmWord memory_read_external(const Memory *memory, uint32_t address);
void memory_write_slow(Memory *memory, uint32_t address, JmWord word);

/* The page that holds `address`, or NULL if untouched external memory. */
const JmWord *memory_page(const Memory *memory, uint32_t address);
/* Where the word at `address` lies if its page is private, else NULL. */
JmWord *memory_own_word(Memory *memory, uint32_t address);
/* A page of NILs on a cache line, held once; NULL, as below, if there is no memory.
 * Where a page is held, memory_drop_page() gives it up, and frees it if it was the
 * last to. */
JmWord *memory_new_page(void);
/* The same as the first page of a machine: what its nodes write will lie near it. */
JmWord *memory_new_nil_page(void);
/* A copy of `page`, held once. */
JmWord *memory_copy_page(const JmWord *page);
/* The same among the pages of the machine that `near` is from; NULL stands for NILs. */
JmWord *memory_copy_page_near(const JmWord *page, const JmWord *near);
void memory_hold_page(JmWord *page);
void memory_drop_page(JmWord *page);
uint32_t memory_page_holders(const JmWord *page);
/* Lets the page of `address` be `page`, which is held once more; who holds it must not
 * write it. Without memory for that the machine is starved. */
void memory_share_page(Memory *memory, uint32_t address, JmWord *page);

/* Writes words within the page of `address` without copying it: for all who hold it.
 */
void memory_write_shared(Memory *memory, uint32_t address, const JmWord *words,
                         uint32_t count);

/* A page and where it lies. */
typedef struct {
    uint32_t number; /* address >> MEMORY_PAGE_BITS */
    JmWord *words;
} MemoryPage;

/* How many pages are not `nil_page`, and were ever touched. */
uint32_t memory_count_pages(const Memory *memory, const JmWord *nil_page);
/* Lists these by their numbers, to `pages`, which has room for them; returns how many
 * there are. Each is held once more, so from now on the node writes to copies. */
uint32_t memory_freeze(Memory *memory, const JmWord *nil_page, MemoryPage *pages);
/* Makes these pages, and NILs elsewhere, what the memory holds. False if there is no
 * memory: then only some of it has been done, and the machine is starved. */
bool memory_thaw(Memory *memory, JmWord *nil_page, const MemoryPage *pages,
                 uint32_t count);

/* Whether the machine with this page of NILs has lost something for want of memory. Any
 * thread may say so. */
_Atomic bool *memory_starved(const JmWord *nil_page);

static inline void memory_starve(const JmWord *nil_page) {
    atomic_store_explicit(memory_starved(nil_page), true, memory_order_relaxed);
}

/* Bytes allocated for this node alone. */
size_t memory_bytes(const Memory *memory);

/* The group of external pages that holds page number `page`, or NULL if untouched. */
static inline MemoryGroup *memory_group(const Memory *memory, uint32_t page) {
    return memory->groups ? memory->groups[page / MEMORY_GROUP_PAGES] : NULL;
}

static inline bool memory_owns_low(const Memory *memory, uint32_t page) {
    return memory->low_owned[page / 64] >> page % 64 & 1;
}

static inline JmWord memory_read(const Memory *memory, uint32_t address) {
    if (address < MEMORY_EXTERNAL)
        return memory->low[address >> MEMORY_PAGE_BITS][address % MEMORY_PAGE_WORDS];
    return memory_read_external(memory, address);
}

/* Writes anywhere, ROM included: who must not write ROM asks memory_is_rom(). */
static inline void memory_write(Memory *memory, uint32_t address, JmWord word) {
    const uint32_t page = address >> MEMORY_PAGE_BITS;
    if (page < MEMORY_LOW_PAGES && memory_owns_low(memory, page))
        memory->low[page][address % MEMORY_PAGE_WORDS] = word;
    else
        memory_write_slow(memory, address, word);
}

static inline bool memory_is_rom(uint32_t address) {
    return address - MEMORY_ROM < MEMORY_EXTERNAL - MEMORY_ROM;
}

#endif
