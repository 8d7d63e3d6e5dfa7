/* The memory of one node: 2^20 words, allocated page by page on the first write. For
 * emu/node and emu/machine. Addresses are always physical; operands apply the priority
 * switch before they come here.
 *
 * Pages are shared and reference-counted: the page of NILs, a page of the program image
 * that many nodes read, a page that a checkpoint keeps. A page is copied when its node
 * first writes to it, unless nobody else holds it any more. Holders may belong to
 * different machines in different threads.
 *
 * A write that runs out of host memory is lost, and marks the machine as starved: it
 * must not run on, and its caller reports the error. */
#ifndef JM_NODE_MEMORY_H
#define JM_NODE_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/core/word.h"

enum {
    /* Pages are small so that words that nodes write lie close together in the host's
     * caches, and read-only words, above all code, stay shared. */
    MEMORY_PAGE_BITS = 6, /* 64 words, 512 bytes */
    MEMORY_PAGE_WORDS = 1 << MEMORY_PAGE_BITS,
    MEMORY_ROM = 0x1000,
    MEMORY_EXTERNAL = 0x2000,                               /* first word of DRAM */
    MEMORY_LOW_PAGES = MEMORY_EXTERNAL >> MEMORY_PAGE_BITS, /* on chip and ROM */
    MEMORY_PAGE_ALIGNMENT = 64, /* bytes: pages begin at cache lines of the host */
    MEMORY_GROUP_PAGES = 64,    /* pages in a MemoryGroup: bits of `owned` */
    /* groups in all of memory */
    MEMORY_GROUPS = 1 << (JM_ADDRESS_BITS - MEMORY_PAGE_BITS - 6),
    MEMORY_PAGES = 1 << (JM_ADDRESS_BITS - MEMORY_PAGE_BITS)
};

/* 64 pages of external memory. Most nodes touch none, so groups are allocated on
 * demand. */
typedef struct {
    JmWord *page[MEMORY_GROUP_PAGES]; /* NULL: untouched, reads as NIL */
    uint64_t owned;                   /* bit per page: private, may be written */
    uint64_t used;                    /* bit per page: may be touched */
} MemoryGroup;

/* The memory of one node. Low pages are looked up directly, for every fetch and on-chip
 * operand; external ones through their group. */
typedef struct {
    JmWord *nil_page; /* the machine's page of NILs */
    /* MEMORY_GROUPS pointers; NULL while no external page is touched */
    MemoryGroup **groups;
    /* bit per low page: may differ from the page of NILs */
    uint64_t low_used[MEMORY_LOW_PAGES / 64];
    /* bit per group: it is allocated */
    uint64_t groups_used[MEMORY_GROUPS / 64];
    JmWord *low[MEMORY_LOW_PAGES]; /* on chip and ROM: shared or own, never NULL */
    /* bit per low page: private, may be written. Last, as every write reads it: the
     * node's registers follow in the same cache line. */
    uint64_t low_owned[MEMORY_LOW_PAGES / 64];
} Memory;

/* Allocates `bytes`, aligned to a cache line, or to a huge page of the host if it is as
 * large as one. The caller frees it with free(). NULL: no memory. */
void *memory_large(size_t bytes);

/* Makes every word NIL: `nil_page`, which must outlive the memory, gets a reference for
 * each low page. */
void memory_init(Memory *memory, JmWord *nil_page);
/* Drops all pages; frees those that nobody else holds. */
void memory_free(Memory *memory);

/* Reads a word at MEMORY_EXTERNAL or above: NIL if its page was never touched. */
JmWord memory_read_external(const Memory *memory, uint32_t address);
/* Writes to a page that is not known to be private: copies it first if it is shared.
 * memory_write() calls it. */
void memory_write_slow(Memory *memory, uint32_t address, JmWord word);

/* Returns the words of the page that holds `address`, MEMORY_EXTERNAL or above, or NULL
 * if it was never touched. */
const JmWord *memory_external_page(const Memory *memory, uint32_t address);
/* Returns the address of the word at `address` if its page is private, so that the
 * caller may write it there; else NULL. */
JmWord *memory_own_word(Memory *memory, uint32_t address);
/* Returns a page of NILs, with one reference, allocated separately; NULL: no memory.
 * Every holder drops a page with memory_drop_page(); the last one frees it. */
JmWord *memory_new_page(void);
/* Returns the first page of a new machine, all NIL: pages that its nodes write later
 * are allocated near it. One reference; NULL: no memory. */
JmWord *memory_new_nil_page(void);
/* Returns a copy of `page`, allocated separately, with one reference; NULL: no
 * memory. */
JmWord *memory_copy_page(const JmWord *page);
/* Returns a copy of `page`, or a page of NILs if `page` is NULL, among the pages of the
 * machine that `near` is from. One reference; NULL: no memory. */
JmWord *memory_copy_page_near(const JmWord *page, const JmWord *near);
/* Adds `count` references. */
void memory_hold_times(JmWord *page, uint32_t count);
/* Drops `count` references and frees the page if no more are left. NULL is ignored. */
void memory_drop_times(JmWord *page, uint32_t count);

static inline void memory_hold_page(JmWord *page) {
    memory_hold_times(page, 1);
}

static inline void memory_drop_page(JmWord *page) {
    memory_drop_times(page, 1);
}

/* Returns the reference count of a page. Above 1 it must not be written. */
uint32_t memory_page_holders(const JmWord *page);
/* Lets `page` hold the words around `address` and adds a reference, so that the first
 * write makes a copy. Without host memory for the group the machine is starved. */
void memory_share_page(Memory *memory, uint32_t address, JmWord *page);

/* Writes `count` words from `address` on, which lie in one page, in place: every holder
 * of the page sees them. The page must exist. */
void memory_write_shared(Memory *memory, uint32_t address, const JmWord *words,
                         uint32_t count);

/* A page of a frozen memory. */
typedef struct {
    uint32_t number; /* address >> MEMORY_PAGE_BITS */
    JmWord *words;
} MemoryPage;

/* Returns how many pages differ from `nil_page` and were ever touched: the room that
 * memory_freeze() needs. */
uint32_t memory_count_pages(const Memory *memory, const JmWord *nil_page);
/* Lists the pages that memory_count_pages() counts, in ascending order, and adds a
 * reference to each, so that the node's next write to one makes a copy. Returns how
 * many there are. */
uint32_t memory_freeze(Memory *memory, const JmWord *nil_page, MemoryPage *pages);
/* Makes the memory hold exactly `pages`, in ascending order of numbers, and NILs
 * elsewhere. False: no memory; then it is only partly done and the machine is
 * starved. */
bool memory_thaw(Memory *memory, JmWord *nil_page, const MemoryPage *pages,
                 uint32_t count);

/* Returns the flag that the machine with this page of NILs has lost a write because
 * memory ran out. Any thread of the machine may set it. */
_Atomic bool *memory_starved(const JmWord *nil_page);

/* Sets that flag. Relaxed order suffices: the machine reads it after its threads have
 * synchronised. */
static inline void memory_starve(const JmWord *nil_page) {
    atomic_store_explicit(memory_starved(nil_page), true, memory_order_relaxed);
}

/* Returns the group of external page number `page`, or NULL if it is untouched. */
static inline MemoryGroup *memory_group(const Memory *memory, uint32_t page) {
    return memory->groups ? memory->groups[page / MEMORY_GROUP_PAGES] : NULL;
}

/* Whether low page number `page` is private and may be written in place. */
static inline bool memory_owns_low(const Memory *memory, uint32_t page) {
    return memory->low_owned[page / 64] >> page % 64 & 1;
}

/* Returns the words of the page that holds `address`, or NULL for external memory that
 * was never touched. */
static inline const JmWord *memory_page(const Memory *memory, uint32_t address) {
    if (address < MEMORY_EXTERNAL)
        return memory->low[address >> MEMORY_PAGE_BITS];
    return memory_external_page(memory, address);
}

/* Reads the word at a physical address. */
static inline JmWord memory_read(const Memory *memory, uint32_t address) {
    if (address < MEMORY_EXTERNAL)
        return memory->low[address >> MEMORY_PAGE_BITS][address % MEMORY_PAGE_WORDS];
    return memory_read_external(memory, address);
}

/* Writes the word at a physical address, even in ROM: callers for which ROM is
 * read-only check memory_is_rom() first. */
static inline void memory_write(Memory *memory, uint32_t address, JmWord word) {
    const uint32_t page = address >> MEMORY_PAGE_BITS;
    if (page < MEMORY_LOW_PAGES && memory_owns_low(memory, page))
        memory->low[page][address % MEMORY_PAGE_WORDS] = word;
    else
        memory_write_slow(memory, address, word);
}

/* Whether a physical address lies in ROM, 0x1000 to 0x1FFF. */
static inline bool memory_is_rom(uint32_t address) {
    return address - MEMORY_ROM < MEMORY_EXTERNAL - MEMORY_ROM;
}

#endif
