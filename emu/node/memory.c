/* The pages of one node: reads, copy on write, sharing, freezing and thawing.
 *
 * Two facts decide a write: whether the page is private (a bit in `low_owned` or
 * `owned`, read on every write), and its reference count (in the page's header, read
 * only when the bit is clear). Freezing clears the bits; the first write after it finds
 * the other reference and copies or, if the checkpoint is gone, sets the bit again. */
#include "emu/node/memory.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = MEMORY_PAGE_WORDS * sizeof(JmWord) };

static uint32_t group_of(uint32_t address) {
    return address >> (MEMORY_PAGE_BITS + 6);
}

static uint32_t page_in_group(uint32_t address) {
    return (address >> MEMORY_PAGE_BITS) % MEMORY_GROUP_PAGES;
}

/* Returns the number of the first used group from `first` on, MEMORY_GROUPS if there is
 * none. */
static uint32_t next_group(const Memory *memory, uint32_t first) {
    for (uint32_t i = first / 64; i < MEMORY_GROUPS / 64; i++) {
        const uint64_t from =
            i == first / 64 ? ~UINT64_C(0) << first % 64 : ~UINT64_C(0);
        const uint64_t used = memory->groups_used[i] & from;
        if (used)
            return i * 64 + (uint32_t)__builtin_ctzll(used);
    }
    return MEMORY_GROUPS;
}

/* ---- a node's pages -------------------------------------------------------------- */

void memory_init(Memory *memory, JmWord *nil_page) {
    *memory = (Memory){.nil_page = nil_page};
    for (int i = 0; i < MEMORY_LOW_PAGES; i++)
        memory->low[i] = nil_page;
    memory_hold_times(nil_page, MEMORY_LOW_PAGES);
}

/* Drops the pages of 64 places. Places that are not `used` hold the page of NILs. */
static void drop_used(JmWord *const *place, uint64_t used) {
    for (; used; used &= used - 1)
        memory_drop_page(place[__builtin_ctzll(used)]);
}

void memory_free(Memory *memory) {
    uint32_t used = 0;
    for (unsigned i = 0; i < MEMORY_LOW_PAGES / 64; i++) {
        drop_used(&memory->low[i * 64], memory->low_used[i]);
        used += (uint32_t)__builtin_popcountll(memory->low_used[i]);
    }
    memory_drop_times(memory->nil_page, MEMORY_LOW_PAGES - used);
    for (uint32_t g = 0; memory->groups && (g = next_group(memory, g)) < MEMORY_GROUPS;
         g++) {
        drop_used(memory->groups[g]->page, memory->groups[g]->used);
        free(memory->groups[g]);
    }
    free(memory->groups);
}

JmWord memory_read_external(const Memory *memory, uint32_t address) {
    const JmWord *page = memory_external_page(memory, address);
    return page ? page[address % MEMORY_PAGE_WORDS] : JM_NIL;
}

const JmWord *memory_external_page(const Memory *memory, uint32_t address) {
    const MemoryGroup *group = memory_group(memory, address >> MEMORY_PAGE_BITS);
    return group ? group->page[page_in_group(address)] : NULL;
}

JmWord *memory_own_word(Memory *memory, uint32_t address) {
    const uint32_t in_page = address % MEMORY_PAGE_WORDS;
    if (address < MEMORY_EXTERNAL) {
        const uint32_t index = address >> MEMORY_PAGE_BITS;
        return memory_owns_low(memory, index) ? &memory->low[index][in_page] : NULL;
    }
    const MemoryGroup *group = memory_group(memory, address >> MEMORY_PAGE_BITS);
    const uint32_t index = page_in_group(address);
    return group && (group->owned >> index & 1) ? &group->page[index][in_page] : NULL;
}

/* Returns the group of `address`, allocated if need be. NULL: no memory, and the
 * machine is starved. */
static MemoryGroup *touch_group(Memory *memory, uint32_t address) {
    if (!memory->groups)
        memory->groups = calloc(MEMORY_GROUPS, sizeof *memory->groups);
    MemoryGroup **group = memory->groups ? &memory->groups[group_of(address)] : NULL;
    if (group && !*group)
        *group = calloc(1, sizeof **group);
    if (group && *group) {
        const uint32_t number = group_of(address);
        memory->groups_used[number / 64] |= UINT64_C(1) << number % 64;
        return *group;
    }
    memory_starve(memory->nil_page);
    return NULL;
}

/* Makes the page in `place` private to this node, by a copy if it is shared. False: no
 * memory, and the machine is starved. */
static bool make_private(const Memory *memory, JmWord **place) {
    if (*place && memory_page_holders(*place) == 1)
        return true; /* the others have dropped it */
    JmWord *copy = memory_copy_page_near(*place, memory->nil_page);
    if (!copy) {
        memory_starve(memory->nil_page);
        return false;
    }
    memory_drop_page(*place);
    *place = copy;
    return true;
}

void memory_write_slow(Memory *memory, uint32_t address, JmWord word) {
    if (address < MEMORY_EXTERNAL) {
        const uint32_t index = address >> MEMORY_PAGE_BITS;
        if (!memory_owns_low(memory, index)) {
            if (!make_private(memory, &memory->low[index]))
                return;
            memory->low_owned[index / 64] |= UINT64_C(1) << index % 64;
            memory->low_used[index / 64] |= UINT64_C(1) << index % 64;
        }
        memory->low[index][address % MEMORY_PAGE_WORDS] = word;
        return;
    }
    MemoryGroup *group = touch_group(memory, address);
    const uint32_t index = page_in_group(address);
    if (!group)
        return;
    if (!(group->owned >> index & 1)) {
        if (!make_private(memory, &group->page[index]))
            return;
        group->owned |= UINT64_C(1) << index;
        group->used |= UINT64_C(1) << index;
    }
    group->page[index][address % MEMORY_PAGE_WORDS] = word;
}

/* Exchanges the page in `place`, NULL for none, and corrects both reference counts. The
 * new page is referenced first, so that exchanging a page for itself does not free
 * it. */
static void replace_page(JmWord **place, JmWord *page) {
    if (page)
        memory_hold_page(page);
    memory_drop_page(*place);
    *place = page;
}

void memory_share_page(Memory *memory, uint32_t address, JmWord *page) {
    if (address < MEMORY_EXTERNAL) {
        const uint32_t index = address >> MEMORY_PAGE_BITS;
        memory->low_owned[index / 64] &= ~(UINT64_C(1) << index % 64);
        memory->low_used[index / 64] |= UINT64_C(1) << index % 64;
        replace_page(&memory->low[index], page);
        return;
    }
    MemoryGroup *group = touch_group(memory, address);
    const uint32_t index = page_in_group(address);
    if (!group)
        return;
    group->owned &= ~(UINT64_C(1) << index);
    group->used |= UINT64_C(1) << index;
    replace_page(&group->page[index], page);
}

void memory_write_shared(Memory *memory, uint32_t address, const JmWord *words,
                         uint32_t count) {
    JmWord *page = address < MEMORY_EXTERNAL
                       ? memory->low[address >> MEMORY_PAGE_BITS]
                       : memory_group(memory, address >> MEMORY_PAGE_BITS)
                             ->page[page_in_group(address)];
    memcpy(&page[address % MEMORY_PAGE_WORDS], words, count * sizeof *words);
}

/* Returns how many of 64 places hold pages other than `nil_page`. Only `used` ones
 * can. */
static uint32_t count_places(JmWord *const *place, uint64_t used,
                             const JmWord *nil_page) {
    uint32_t count = 0;
    for (; used; used &= used - 1) {
        const JmWord *page = place[__builtin_ctzll(used)];
        count += page && page != nil_page;
    }
    return count;
}

uint32_t memory_count_pages(const Memory *memory, const JmWord *nil_page) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < MEMORY_LOW_PAGES / 64; i++)
        count += count_places(&memory->low[i * 64], memory->low_used[i], nil_page);
    for (uint32_t g = 0; (g = next_group(memory, g)) < MEMORY_GROUPS; g++)
        count +=
            count_places(memory->groups[g]->page, memory->groups[g]->used, nil_page);
    return count;
}

/* Appends the pages of 64 places, the first with number `first`, to a list of `count`,
 * and adds a reference to each; returns the new length. */
static uint32_t list_pages(JmWord *const *place, uint64_t used, uint32_t first,
                           const JmWord *nil_page, MemoryPage *pages, uint32_t count) {
    for (; used; used &= used - 1) {
        const uint32_t i = (uint32_t)__builtin_ctzll(used);
        if (!place[i] || place[i] == nil_page)
            continue;
        memory_hold_page(place[i]);
        pages[count++] = (MemoryPage){first + i, place[i]};
    }
    return count;
}

uint32_t memory_freeze(Memory *memory, const JmWord *nil_page, MemoryPage *pages) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < MEMORY_LOW_PAGES / 64; i++)
        count = list_pages(&memory->low[i * 64], memory->low_used[i], i * 64, nil_page,
                           pages, count);
    memset(memory->low_owned, 0, sizeof memory->low_owned);
    for (uint32_t g = 0; (g = next_group(memory, g)) < MEMORY_GROUPS; g++) {
        MemoryGroup *group = memory->groups[g];
        count = list_pages(group->page, group->used, g * MEMORY_GROUP_PAGES, nil_page,
                           pages, count);
        group->owned = 0;
    }
    return count;
}

/* Puts the listed pages into 64 places, the first with number `first`, and `rest` into
 * all other used ones. Returns the first entry of the list that lies beyond. */
static const MemoryPage *place_pages(JmWord **place, uint64_t *used, uint32_t first,
                                     JmWord *rest, const MemoryPage *next,
                                     const MemoryPage *end) {
    uint64_t listed = 0;
    for (; next < end && next->number - first < 64; next++) {
        const uint32_t i = next->number - first;
        listed |= UINT64_C(1) << i;
        if (place[i] != next->words)
            replace_page(&place[i], next->words);
    }
    for (uint64_t others = *used & ~listed; others; others &= others - 1) {
        JmWord **other = &place[__builtin_ctzll(others)];
        if (*other != rest)
            replace_page(other, rest);
    }
    *used = listed;
    return next;
}

/* Allocates the groups of the listed pages. False: no memory. */
static bool touch_groups(Memory *memory, const MemoryPage *pages,
                         const MemoryPage *end) {
    uint32_t touched = 0; /* no group of external memory has number 0 */
    for (const MemoryPage *page = pages; page < end; page++) {
        const uint32_t number = page->number / MEMORY_GROUP_PAGES;
        if (page->number < MEMORY_LOW_PAGES || number == touched)
            continue;
        if (!touch_group(memory, page->number << MEMORY_PAGE_BITS))
            return false;
        touched = number;
    }
    return true;
}

bool memory_thaw(Memory *memory, JmWord *nil_page, const MemoryPage *pages,
                 uint32_t count) {
    const MemoryPage *const end = pages + count;
    if (!touch_groups(memory, pages, end))
        return false;
    for (uint32_t i = 0; i < MEMORY_LOW_PAGES / 64; i++)
        pages = place_pages(&memory->low[i * 64], &memory->low_used[i], i * 64,
                            nil_page, pages, end);
    memset(memory->low_owned, 0, sizeof memory->low_owned);
    for (uint32_t g = 0; (g = next_group(memory, g)) < MEMORY_GROUPS; g++) {
        MemoryGroup *group = memory->groups[g];
        pages = place_pages(group->page, &group->used, g * MEMORY_GROUP_PAGES, NULL,
                            pages, end);
        group->owned = 0;
    }
    return true;
}
