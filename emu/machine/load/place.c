/* Puts words into nodes. Words for all nodes go into pages that the nodes share until
 * they write to them, so that memory holds the program only once. */
#include <string.h>

#include "emu/machine/calls_inline.h"
#include "emu/machine/load/program.h"

#include "emu/machine/run/run.h"

/* Whether the page of `address` is private to this memory. */
static bool is_private(const Memory *memory, uint32_t address) {
    const uint32_t page = address >> MEMORY_PAGE_BITS;
    if (page < MEMORY_LOW_PAGES)
        return memory_owns_low(memory, page);
    const MemoryGroup *group = memory_group(memory, page);
    return group && (group->owned >> page % MEMORY_GROUP_PAGES & 1);
}

/* Writes words to one node. */
static void place_private(Memory *memory, uint32_t address, const JmWord *words,
                          uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        memory_write(memory, address + i, words[i]);
}

/* A page that several nodes see at an address. */
typedef struct {
    const JmWord *words;
    unsigned users; /* nodes that see it */
} Shared;

/* Returns the words that a node sees in the page of `address`: the page of NILs where
 * nothing has been written. */
static const JmWord *page_seen(const JmMachine *machine, unsigned node,
                               uint32_t address) {
    const JmWord *page = memory_page(&machine->node[node].memory, address);
    return page ? page : machine->nil_page;
}

/* Returns the page shared by most nodes at `address`, of those private to none; words
 * NULL if every node has a private one. */
static Shared shared_page(const JmMachine *machine, uint32_t address) {
    Shared shared = {NULL, 0};
    for (unsigned i = 0; i < machine->nodes; i++) {
        const JmWord *page = page_seen(machine, i, address);
        if (page == shared.words) {
            shared.users++;
            continue;
        }
        if (!is_private(&machine->node[i].memory, address) &&
            (!shared.words ||
             memory_page_holders(page) > memory_page_holders(shared.words)))
            shared = (Shared){page, 1};
    }
    return shared;
}

/* Writes words that lie in one page to every node. Nodes that share the page get a new
 * shared page, because a checkpoint may hold the old one; if only they hold it, it is
 * written in place. */
static void place_in_page(JmMachine *machine, uint32_t address, const JmWord *words,
                          uint32_t count) {
    const Shared shared = shared_page(machine, address);
    const bool in_place =
        shared.words && memory_page_holders(shared.words) == shared.users;
    JmWord *fresh = shared.words && !in_place ? memory_copy_page(shared.words) : NULL;
    if (shared.words && !in_place && !fresh) {
        machine_starve(machine);
        return;
    }
    if (fresh)
        memcpy(&fresh[address % MEMORY_PAGE_WORDS], words, count * sizeof *words);
    bool written = false;
    for (unsigned i = 0; i < machine->nodes; i++) {
        Memory *memory = &machine->node[i].memory;
        if (page_seen(machine, i, address) != shared.words)
            place_private(memory, address, words, count);
        else if (fresh)
            memory_share_page(memory, address, fresh);
        else if (!written)
            memory_write_shared(memory, address, words, count);
        written |= page_seen(machine, i, address) == shared.words;
    }
    memory_drop_page(fresh);
}

void loader_place(JmMachine *machine, int node, uint32_t address, const JmWord *words,
                  uint32_t count) {
    assert(address <= JM_ADDRESS_MASK && count <= JM_ADDRESS_MASK + 1 - address);
    if (node != JM_ALL_NODES) {
        place_private(&machine->node[node].memory, address, words, count);
        return;
    }
    while (count) {
        const uint32_t room = MEMORY_PAGE_WORDS - address % MEMORY_PAGE_WORDS;
        const uint32_t now = count < room ? count : room;
        place_in_page(machine, address, words, now);
        address += now;
        words += now;
        count -= now;
    }
}

/* Adds to a set the pages [first, end) that a node has ever written or been given.
 * Untouched groups of pages are skipped as a whole. */
static void add_written(const JmMachine *machine, unsigned node, uint32_t first,
                        uint32_t end, uint64_t *set) {
    const Memory *memory = &machine->node[node].memory;
    for (uint32_t page = first; page < end; page++) {
        if (page >= MEMORY_LOW_PAGES && !memory_group(memory, page)) {
            page |= MEMORY_GROUP_PAGES - 1;
            continue;
        }
        const JmWord *words = memory_page(memory, page << MEMORY_PAGE_BITS);
        if (words && words != machine->nil_page)
            set[page / 64] |= UINT64_C(1) << page % 64;
    }
}

void loader_clear(JmMachine *machine, int node, uint32_t address, uint32_t count) {
    uint64_t written[MEMORY_PAGES / 64] = {0};
    const unsigned one = node == JM_ALL_NODES ? 0 : (unsigned)node;
    const unsigned nodes = node == JM_ALL_NODES ? machine->nodes : 1;
    if (count == 0)
        return;
    for (unsigned i = one; i < one + nodes; i++)
        add_written(machine, i, address >> MEMORY_PAGE_BITS,
                    ((address + count - 1) >> MEMORY_PAGE_BITS) + 1, written);
    while (count) {
        const uint32_t room = MEMORY_PAGE_WORDS - address % MEMORY_PAGE_WORDS;
        const uint32_t now = count < room ? count : room;
        const uint32_t page = address >> MEMORY_PAGE_BITS;
        if (written[page / 64] >> page % 64 & 1)
            loader_place(machine, node, address, machine->nil_page, now);
        address += now;
        count -= now;
    }
}

void loader_start(JmMachine *machine, int node) {
    const unsigned first = node == JM_ALL_NODES ? 0 : (unsigned)node;
    const unsigned last = node == JM_ALL_NODES ? machine->nodes - 1 : (unsigned)node;
    for (unsigned i = first; i <= last; i++) {
        machine_start(machine, i);
        machine_touch(machine, i);
    }
}

void jm_write_all(JmMachine *machine, uint32_t address, JmWord value) {
    call_changes(machine);
    call_address(address);
    call_word(value);
    loader_place(machine, JM_ALL_NODES, address, &value, 1);
    for (unsigned i = 0; i < machine->nodes; i++)
        machine_touch(machine, i);
}
