/* emu/node/memory: pages allocated on touch, shared until written. */
#include <criterion/criterion.h>

#include "emu/node/memory.h"

static const uint32_t PLACES[] = {0,      0x1FF,  0x200,  0xFFF,   0x1000,
                                  0x1FFF, 0x2000, 0x2345, 0x80000, 0xFFFFF};
enum { PLACE_COUNT = sizeof PLACES / sizeof PLACES[0] };

Test(memory, untouched_reads_nil_and_costs_nothing) {
    JmWord *nil_page = memory_new_page();
    Memory memory;
    memory_init(&memory, nil_page);
    for (int i = 0; i < PLACE_COUNT; i++)
        cr_assert_eq(memory_read(&memory, PLACES[i]).bits, 0);
    for (uint32_t page = 0; page < MEMORY_LOW_PAGES; page++)
        cr_assert(!memory_owns_low(&memory, page));
    for (uint32_t page = MEMORY_LOW_PAGES; page < MEMORY_PAGES; page++)
        cr_assert_null(memory_group(&memory, page));
    memory_free(&memory);
    memory_drop_page(nil_page);
}

static void check_sharing(uint32_t address) {
    JmWord *shared = memory_new_page();
    const uint32_t in_page = address % MEMORY_PAGE_WORDS;
    shared[in_page] = jm_int(5);
    JmWord *nil_page = memory_new_page();
    Memory a, b;
    memory_init(&a, nil_page);
    memory_init(&b, nil_page);
    memory_share_page(&a, address, shared);
    memory_share_page(&b, address, shared);
    cr_assert_eq(memory_page(&a, address), memory_page(&b, address));
    memory_write(&a, address ^ 1, jm_int(6));
    cr_assert_eq(memory_read(&a, address).bits, jm_int(5).bits, "the copy is whole");
    cr_assert_eq(memory_read(&b, address ^ 1).bits, 0, "the other does not see it");
    cr_assert_eq(shared[in_page ^ 1].bits, 0);
    memory_free(&a);
    memory_free(&b);
    memory_drop_page(shared);
    memory_drop_page(nil_page);
}

Test(memory, shared_pages_are_copied_when_written) {
    for (int i = 0; i < PLACE_COUNT; i++)
        check_sharing(PLACES[i]);
}

Test(memory, sharing_replaces_a_private_page) {
    JmWord *nil_page = memory_new_page();
    Memory memory;
    memory_init(&memory, nil_page);
    memory_write(&memory, 0x100, jm_int(1));
    memory_write(&memory, 0x3000, jm_int(1));
    memory_share_page(&memory, 0x100, nil_page);
    memory_share_page(&memory, 0x3000, nil_page);
    cr_assert_eq(memory_read(&memory, 0x100).bits, 0);
    cr_assert_eq(memory_read(&memory, 0x3000).bits, 0);
    memory_free(&memory);
    memory_drop_page(nil_page);
}

Test(memory, a_page_given_up_by_others_is_written_in_place) {
    JmWord *nil_page = memory_new_page();
    Memory memory;
    memory_init(&memory, nil_page);
    for (int i = 0; i < PLACE_COUNT; i++) {
        JmWord *shared = memory_new_page();
        memory_share_page(&memory, PLACES[i], shared);
        memory_drop_page(shared);
        memory_write(&memory, PLACES[i], jm_int(i));
        cr_assert_eq(memory_page(&memory, PLACES[i]), shared);
    }
    memory_free(&memory);
    cr_assert_eq(memory_page_holders(nil_page), 1);
    memory_drop_page(nil_page);
}

Test(memory, frozen_pages_keep_what_they_held) {
    static MemoryPage pages[MEMORY_PAGES];
    JmWord *nil_page = memory_new_page();
    Memory memory;
    memory_init(&memory, nil_page);
    memory_write(&memory, 0x100, jm_int(1));
    memory_write(&memory, 0x3000, jm_int(2));
    const uint32_t count = memory_freeze(&memory, nil_page, pages);
    cr_assert_eq(count, 2);
    cr_assert_eq(pages[1].number, 0x3000 >> MEMORY_PAGE_BITS);
    memory_write(&memory, 0x100, jm_int(3));
    memory_write(&memory, 0x3000, jm_int(4));
    memory_write(&memory, 0x80000, jm_int(5));
    cr_assert_eq(pages[0].words[0x100 % MEMORY_PAGE_WORDS].bits, jm_int(1).bits);
    memory_thaw(&memory, nil_page, pages, count);
    cr_assert_eq(memory_read(&memory, 0x100).bits, jm_int(1).bits);
    cr_assert_eq(memory_read(&memory, 0x3000).bits, jm_int(2).bits);
    cr_assert_eq(memory_read(&memory, 0x80000).bits, 0);
    memory_free(&memory);
    for (uint32_t i = 0; i < count; i++) {
        cr_assert_eq(memory_page_holders(pages[i].words), 1);
        memory_drop_page(pages[i].words);
    }
    memory_drop_page(nil_page);
}

Test(memory, rom_is_01000_to_01FFF) {
    cr_assert_not(memory_is_rom(0x0FFF));
    cr_assert(memory_is_rom(0x1000));
    cr_assert(memory_is_rom(0x1FFF));
    cr_assert_not(memory_is_rom(0x2000));
}
