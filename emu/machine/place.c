/* Putting words into nodes. Words for all nodes go into pages that the nodes share
 * until they write to them. */
#include <stdlib.h>

#include "emu/machine/program.h"

static JmWord *new_shared_page(JmMachine *machine) {
    JmWord *page = memory_new_page();
    machine->shared_pages =
        machine_grow(machine->shared_pages, machine->shared_count,
                     &machine->shared_capacity, sizeof *machine->shared_pages);
    machine->shared_pages[machine->shared_count++] = page;
    return page;
}

static bool is_private(const Memory *memory, uint32_t address) {
    const uint32_t page = address >> MEMORY_PAGE_BITS;
    if (page < MEMORY_LOW_PAGES)
        return memory_owns_low(memory, page);
    const MemoryGroup *group = memory->group[page / MEMORY_GROUP_PAGES];
    return group && (group->owned >> page % MEMORY_GROUP_PAGES & 1);
}

static void place_private(Memory *memory, uint32_t address, const JmWord *words,
                          uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        memory_write(memory, address + i, words[i]);
}

/* Words within one page, on every node. A page that nodes share is written in place:
 * all who see it are to see the words. Nodes without a page get a new one to share; a
 * node with a page of its own keeps it. */
static void place_in_page(JmMachine *machine, uint32_t address, const JmWord *words,
                          uint32_t count) {
    JmWord *fresh = NULL;
    const JmWord *written = NULL;
    for (unsigned i = 0; i < machine->nodes; i++) {
        Memory *memory = &machine->node[i].memory;
        const JmWord *page = memory_page(memory, address);
        if (is_private(memory, address)) {
            place_private(memory, address, words, count);
            continue;
        }
        if (!page || page == machine->nil_page) {
            if (!fresh)
                fresh = new_shared_page(machine);
            memory_share_page(memory, address, fresh);
            page = fresh;
        }
        if (page != written)
            memory_write_shared(memory, address, words, count);
        written = page;
    }
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

/* Whether a page has ever been written on the node, or on any (JM_ALL_NODES). */
static bool is_written(const JmMachine *machine, int node, uint32_t address) {
    const unsigned first = node == JM_ALL_NODES ? 0 : (unsigned)node;
    const unsigned last = node == JM_ALL_NODES ? machine->nodes - 1 : (unsigned)node;
    for (unsigned i = first; i <= last; i++) {
        const JmWord *page = memory_page(&machine->node[i].memory, address);
        if (page && page != machine->nil_page)
            return true;
    }
    return false;
}

void loader_clear(JmMachine *machine, int node, uint32_t address, uint32_t count) {
    while (count) {
        const uint32_t room = MEMORY_PAGE_WORDS - address % MEMORY_PAGE_WORDS;
        const uint32_t now = count < room ? count : room;
        if (is_written(machine, node, address))
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
    loader_place(machine, JM_ALL_NODES, address, &value, 1);
    for (unsigned i = 0; i < machine->nodes; i++)
        machine_touch(machine, i);
}
