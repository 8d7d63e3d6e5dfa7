#include "emu/node/memory.h"

#include <stdlib.h>
#include <string.h>

static void *allocate(size_t bytes) {
    void *block = calloc(1, bytes);
    if (!block)
        abort(); /* out of memory: nothing sensible can go on */
    return block;
}

static uint32_t group_of(uint32_t address) {
    return address >> (MEMORY_PAGE_BITS + 6);
}

static uint32_t page_in_group(uint32_t address) {
    return (address >> MEMORY_PAGE_BITS) % MEMORY_GROUP_PAGES;
}

void memory_init(Memory *memory, JmWord *nil_page) {
    *memory = (Memory){.low_owned = {0}};
    for (int i = 0; i < MEMORY_LOW_PAGES; i++)
        memory->low[i] = nil_page;
}

void memory_free(Memory *memory) {
    for (int i = 0; i < MEMORY_LOW_PAGES; i++) {
        if (memory_owns_low(memory, (uint32_t)i))
            free(memory->low[i]);
    }
    for (int g = 0; g < MEMORY_GROUPS; g++) {
        MemoryGroup *group = memory->group[g];
        for (int i = 0; group && i < MEMORY_GROUP_PAGES; i++) {
            if (group->owned >> i & 1)
                free(group->page[i]);
        }
        free(group);
    }
}

JmWord memory_read_external(const Memory *memory, uint32_t address) {
    const JmWord *page = memory_page(memory, address);
    return page ? page[address % MEMORY_PAGE_WORDS] : JM_NIL;
}

const JmWord *memory_page(const Memory *memory, uint32_t address) {
    if (address < MEMORY_EXTERNAL)
        return memory->low[address >> MEMORY_PAGE_BITS];
    const MemoryGroup *group = memory->group[group_of(address)];
    return group ? group->page[page_in_group(address)] : NULL;
}

JmWord *memory_own_word(Memory *memory, uint32_t address) {
    const uint32_t in_page = address % MEMORY_PAGE_WORDS;
    if (address < MEMORY_EXTERNAL) {
        const uint32_t index = address >> MEMORY_PAGE_BITS;
        return memory_owns_low(memory, index) ? &memory->low[index][in_page] : NULL;
    }
    const MemoryGroup *group = memory->group[group_of(address)];
    const uint32_t index = page_in_group(address);
    return group && (group->owned >> index & 1) ? &group->page[index][in_page] : NULL;
}

static MemoryGroup *touch_group(Memory *memory, uint32_t address) {
    MemoryGroup **group = &memory->group[group_of(address)];
    if (!*group)
        *group = allocate(sizeof **group);
    return *group;
}

JmWord *memory_new_page(void) {
    const size_t bytes = MEMORY_PAGE_WORDS * sizeof(JmWord);
    JmWord *page = aligned_alloc(MEMORY_PAGE_ALIGNMENT, bytes);
    if (!page)
        abort(); /* out of memory: nothing sensible can go on */
    memset(page, 0, bytes);
    return page;
}

/* A private copy of `shared`, or a page of NILs. */
static JmWord *copy_page(const JmWord *shared) {
    JmWord *page = memory_new_page();
    if (shared)
        memcpy(page, shared, MEMORY_PAGE_WORDS * sizeof *page);
    return page;
}

void memory_write_slow(Memory *memory, uint32_t address, JmWord word) {
    if (address < MEMORY_EXTERNAL) {
        const uint32_t index = address >> MEMORY_PAGE_BITS;
        if (!memory_owns_low(memory, index)) {
            memory->low[index] = copy_page(memory->low[index]);
            memory->low_owned[index / 64] |= UINT64_C(1) << index % 64;
        }
        memory->low[index][address % MEMORY_PAGE_WORDS] = word;
        return;
    }
    MemoryGroup *group = touch_group(memory, address);
    const uint32_t index = page_in_group(address);
    if (!(group->owned >> index & 1)) {
        group->page[index] = copy_page(group->page[index]);
        group->owned |= UINT64_C(1) << index;
    }
    group->page[index][address % MEMORY_PAGE_WORDS] = word;
}

void memory_share_page(Memory *memory, uint32_t address, JmWord *words) {
    if (address < MEMORY_EXTERNAL) {
        const uint32_t index = address >> MEMORY_PAGE_BITS;
        if (memory_owns_low(memory, index))
            free(memory->low[index]);
        memory->low_owned[index / 64] &= ~(UINT64_C(1) << index % 64);
        memory->low[index] = words;
        return;
    }
    MemoryGroup *group = touch_group(memory, address);
    const uint32_t index = page_in_group(address);
    if (group->owned >> index & 1)
        free(group->page[index]);
    group->owned &= ~(UINT64_C(1) << index);
    group->page[index] = words;
}

void memory_write_shared(Memory *memory, uint32_t address, const JmWord *words,
                         uint32_t count) {
    JmWord *page = address < MEMORY_EXTERNAL
                       ? memory->low[address >> MEMORY_PAGE_BITS]
                       : memory->group[group_of(address)]->page[page_in_group(address)];
    memcpy(&page[address % MEMORY_PAGE_WORDS], words, count * sizeof *words);
}

size_t memory_bytes(const Memory *memory) {
    const size_t page_bytes = MEMORY_PAGE_WORDS * sizeof(JmWord);
    size_t bytes = 0;
    for (uint32_t i = 0; i < MEMORY_LOW_PAGES; i++)
        bytes += memory_owns_low(memory, i) ? page_bytes : 0;
    for (int g = 0; g < MEMORY_GROUPS; g++) {
        const MemoryGroup *group = memory->group[g];
        if (group)
            bytes +=
                sizeof *group + (size_t)__builtin_popcountll(group->owned) * page_bytes;
    }
    return bytes;
}
