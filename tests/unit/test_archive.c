/* emu/core/archive: saved values are loaded again; other bytes are refused. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/archive.h"

static void save_u64(Archive *archive, uint64_t value) {
    jm_archive_u64(archive, &value, UINT64_MAX);
}

static Archive loading(const Archive *saved) {
    return jm_archive_load(saved->bytes, saved->size);
}

/* Returns the bytes that a number takes; loading must give the number again. */
static size_t bytes_of(uint64_t value) {
    Archive saved = jm_archive_save();
    save_u64(&saved, value);
    Archive load = loading(&saved);
    uint64_t again = ~value;
    jm_archive_u64(&load, &again, UINT64_MAX);
    cr_assert(archive_good(&load));
    cr_assert_eq(again, value);
    cr_assert_eq(load.at, load.end);
    load = loading(&saved);
    if (value > 0) {
        jm_archive_u64(&load, &again, value - 1);
        cr_assert(load.bad && again == 0, "above the maximum");
    }
    const size_t size = saved.size;
    jm_archive_free(&saved);
    cr_assert_null(saved.bytes);
    return size;
}

Test(archive, seven_bits_of_a_number_take_a_byte) {
    cr_expect_eq(bytes_of(0), 1);
    for (unsigned bits = 1; bits <= 64; bits++) {
        const uint64_t low = UINT64_C(1) << (bits - 1);
        cr_expect_eq(bytes_of(low), (bits + 6) / 7, "%u bits", bits);
        cr_expect_eq(bytes_of(low + (low - 1)), (bits + 6) / 7, "%u bits", bits);
    }
}

Test(archive, every_kind_of_value_comes_back) {
    Archive archive = jm_archive_save(), saved = archive;
    uint32_t u32 = UINT32_MAX, below = 6, index = 9, none = UINT32_MAX, count = 2;
    uint8_t u8 = 200;
    bool yes = true, no = false;
    JmWord word = jm_word(JM_TAG_ADDR, 0x12345678);
    char block[] = "block", *text = "text", *empty = "";
    for (int loads = 0; loads < 2; loads++) {
        jm_archive_u32(&archive, &u32, UINT32_MAX);
        jm_archive_u8(&archive, &u8, 200);
        jm_archive_bool(&archive, &yes);
        jm_archive_bool(&archive, &no);
        jm_archive_word(&archive, &word);
        jm_archive_below(&archive, &below, 7);
        jm_archive_index(&archive, &index, 10);
        jm_archive_index(&archive, &none, 10);
        jm_archive_count(&archive, &count);
        jm_archive_text(&archive, &text);
        jm_archive_text(&archive, &empty);
        jm_archive_block(&archive, block, sizeof block);
        if (loads)
            break;
        saved = archive;
        archive = jm_archive_load(saved.bytes, saved.size);
        u32 = below = index = none = count = u8 = 0;
        yes = false, no = true;
        word = JM_NIL;
        memset(block, 0, sizeof block);
        text = empty = NULL;
    }
    cr_expect(archive_good(&archive));
    cr_expect_eq(archive.at, archive.end);
    cr_expect(u32 == UINT32_MAX && u8 == 200 && yes && !no);
    cr_expect_eq(word.bits, jm_word(JM_TAG_ADDR, 0x12345678).bits);
    cr_expect(below == 6 && index == 9 && none == UINT32_MAX && count == 2);
    cr_expect_str_eq(text, "text");
    cr_expect_str_eq(empty, "");
    cr_expect_str_eq(block, "block");
    jm_archive_free(&saved);
    free(text);
    free(empty);
}

/* Loads a number below or up to 300 from these bytes: it is bad, and all after it. */
static void expect_bad(const char *bytes, size_t size) {
    Archive load = jm_archive_load(bytes, size);
    uint64_t value = 1;
    jm_archive_u64(&load, &value, 300);
    cr_expect(load.bad && value == 0, "%zu bytes, first %02x", size, (uint8_t)*bytes);
}

Test(archive, numbers_that_are_cut_or_too_long_are_bad) {
    expect_bad("", 0);
    expect_bad("\x80", 1);
    expect_bad("\xFF\xFF", 2);
    expect_bad("\xAD\x02", 2); /* 301 */
    expect_bad("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02", 10);
    expect_bad("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 11);
    expect_bad("\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80", 10);
}

Test(archive, nothing_is_good_after_something_bad) {
    Archive load = jm_archive_load("\x05\x06\x07", 3);
    uint32_t value = 1;
    jm_archive_u32(&load, &value, 4);
    cr_expect(load.bad && value == 0);
    jm_archive_u32(&load, &value, 100);
    cr_expect(load.bad && value == 0);
}

Test(archive, bounds_are_checked) {
    uint32_t value = 1;
    Archive load = jm_archive_load("\x07", 1);
    jm_archive_below(&load, &value, 7);
    cr_expect(load.bad, "7 is not below 7");
    load = jm_archive_load("\x00", 1);
    jm_archive_below(&load, &value, 0);
    cr_expect(load.bad, "nothing is below 0");
    load = jm_archive_load("\x0B", 1);
    jm_archive_index(&load, &value, 10);
    cr_expect(load.bad, "index 10 of 10");
    load = jm_archive_load("\x03..", 3);
    jm_archive_count(&load, &value);
    cr_expect(load.bad && value == 0, "more items than bytes");
    load = jm_archive_load("\x03...", 4);
    jm_archive_count(&load, &value);
    cr_expect(archive_good(&load) && value == 3);
    char block[4] = "";
    jm_archive_block(&load, block, 4);
    cr_expect(load.bad && !*block, "a block that is cut");
}

/* The buffer grows from 4096 bytes on: numbers and blocks that meet its end. */
Test(archive, holds_more_than_its_first_buffer) {
    for (size_t before = 4080; before <= 4100; before++) {
        Archive saved = jm_archive_save();
        uint8_t *const filler = calloc(1, 20000);
        jm_archive_block(&saved, filler, before);
        save_u64(&saved, UINT64_MAX);
        jm_archive_block(&saved, filler, 20000);
        save_u64(&saved, 42);
        cr_assert_eq(saved.size, before + 10 + 20000 + 1);
        Archive load = loading(&saved);
        uint64_t first = 0, second = 0;
        jm_archive_block(&load, filler, before);
        jm_archive_u64(&load, &first, UINT64_MAX);
        jm_archive_block(&load, filler, 20000);
        jm_archive_u64(&load, &second, UINT64_MAX);
        cr_assert(archive_good(&load) && first == UINT64_MAX && second == 42);
        jm_archive_free(&saved);
        free(filler);
    }
}
