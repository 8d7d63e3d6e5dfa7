/* emu/core: words, host errors, random numbers. */
#include <criterion/criterion.h>
#include <string.h>

#include "emu/core/printable.h"
#include "emu/core/rng.h"
#include "emu/core/status.h"
#include "emu/core/word.h"

Test(word, shapes) {
    const JmWord addr = jm_addr(0x12345, 0x3FF);
    cr_assert_eq(jm_tag(addr), JM_TAG_ADDR);
    cr_assert_eq(jm_field20(jm_data(addr)), 0x12345);
    cr_assert_eq(jm_field10(jm_data(addr)), 0x3FF);
    cr_assert_eq(jm_addr(0x100000, 0x400).bits, jm_addr(0, 0).bits, "fields are cut");
    const JmWord ip = jm_ip(0x01000, JM_IP_UNCHECKED | JM_IP_ABSOLUTE);
    cr_assert_eq(ip.bits, UINT64_C(0x480400100));
    cr_assert_eq(jm_msg(0x100, 4).bits, UINT64_C(0x500040004));
    cr_assert_eq(jm_int(-1).bits, UINT64_C(0x1FFFFFFFF));
    cr_assert_eq(jm_bool(true).bits, UINT64_C(0x200000001));
    cr_assert_eq(JM_NIL.bits, 0);
}

Test(word, instructions_come_high_first) {
    const JmWord word = jm_instruction_word(0x1ABCD, 0x05432);
    cr_assert(jm_is_instruction(word));
    cr_assert_eq(jm_instruction(word, 0), 0x1ABCD);
    cr_assert_eq(jm_instruction(word, 1), 0x05432);
    cr_assert_eq(jm_tag(jm_instruction_word(0, 0x1FFFF)), JM_TAG_INST0);
    cr_assert_not(jm_is_instruction(jm_word(JM_TAG_TAGB, UINT32_MAX)));
}

Test(rng, same_seed_same_numbers) {
    JmRng a = jm_rng(7), b = jm_rng(7), c = jm_rng(8);
    for (int i = 0; i < 100; i++) {
        const uint64_t draw = jm_rng_next(&a);
        cr_assert_eq(draw, jm_rng_next(&b));
        cr_assert_neq(draw, jm_rng_next(&c));
    }
    cr_assert_neq(jm_rng_mix(1, 0), jm_rng_mix(1, 1));
    cr_assert_neq(jm_rng_mix(1, 0), jm_rng_mix(2, 0));
}

/* Published first outputs of SplitMix64 for seed 1234567. */
Test(rng, is_splitmix64) {
    JmRng rng = jm_rng(1234567);
    cr_assert_eq(jm_rng_next(&rng), UINT64_C(6457827717110365317));
    cr_assert_eq(jm_rng_next(&rng), UINT64_C(3203168211198807973));
    cr_assert_eq(jm_rng_next(&rng), UINT64_C(9817491932198370423));
}

/* Chi-square of 7 cells, 6 degrees of freedom: above 22.5 once in a thousand seeds. */
Test(rng, below_is_uniform) {
    enum { CELLS = 7, DRAWS = 70000 };
    unsigned counts[CELLS] = {0};
    JmRng rng = jm_rng(42);
    for (int i = 0; i < DRAWS; i++) {
        const uint32_t draw = jm_rng_below(&rng, CELLS);
        cr_assert_lt(draw, CELLS);
        counts[draw]++;
    }
    double chi_square = 0;
    for (int i = 0; i < CELLS; i++) {
        const double difference = counts[i] - (double)DRAWS / CELLS;
        chi_square += difference * difference / ((double)DRAWS / CELLS);
    }
    cr_assert_lt(chi_square, 22.5);
}

Test(rng, below_takes_the_extremes) {
    JmRng rng = jm_rng(1);
    cr_assert_eq(jm_rng_below(&rng, 1), 0);
    for (int i = 0; i < 100; i++)
        cr_assert_lt(jm_rng_below(&rng, UINT32_MAX), UINT32_MAX);
}

Test(status, long_texts_are_cut_not_spilled) {
    JmError error;
    char file[2000], text[64];
    memset(file, 'f', sizeof file - 1);
    file[sizeof file - 1] = 0;
    jm_fail(&error, file, "%s", file);
    cr_assert_eq(strlen(error.file), sizeof error.file - 1);
    cr_assert_eq(strlen(error.text), sizeof error.text - 1);
    cr_assert_eq(strlen(jm_error_format(&error, text, sizeof text)), sizeof text - 1);
}

Test(status, is_false_if_nobody_wants_to_know) {
    cr_expect_not(jm_fail(NULL, "a", "text"));
    cr_expect_not(jm_fail_at(NULL, "a", 1, "text"));
    cr_expect_not(jm_fail_line(NULL, "a", 1, 1, "text"));
}

static void check_printable(const char *text, const char *expected) {
    char buffer[64];
    cr_expect_str_eq(jm_printable(text, buffer, sizeof buffer), expected);
}

Test(printable, shows_controls_and_keeps_the_rest) {
    check_printable("", "");
    check_printable("kernel_boot.loop $", "kernel_boot.loop $");
    check_printable("\x1B[31m\n\t\x7F", "\\x1B[31m\\x0A\\x09\\x7F");
    check_printable("\x01\x1F ~", "\\x01\\x1F ~");
    check_printable("\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80",
                    "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80");
    check_printable("\xC2\x9B"
                    "1m\xC2\x80\xC2\xA0",
                    "\\xC2\\x9B"
                    "1m\\xC2\\x80\xC2\xA0");
}

/* Invalid UTF-8: single bytes, cut off, longer than needed, surrogates, too large.
 */
Test(printable, shows_bytes_that_are_no_character) {
    check_printable("\x80", "\\x80");
    check_printable("\xC3", "\\xC3");
    check_printable("\xE2\x82", "\\xE2\\x82");
    check_printable("\xC1\xBF", "\\xC1\\xBF");
    check_printable("\xE0\x9F\xBF", "\\xE0\\x9F\\xBF");
    check_printable("\xE0\xA0\x80", "\xE0\xA0\x80");
    check_printable("\xED\xA0\x80", "\\xED\\xA0\\x80");
    check_printable("\xED\x9F\xBF", "\xED\x9F\xBF");
    check_printable("\xF0\x8F\xBF\xBF", "\\xF0\\x8F\\xBF\\xBF");
    check_printable("\xF4\x90\x80\x80", "\\xF4\\x90\\x80\\x80");
    check_printable("\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF");
    check_printable("\xF5\x80\x80\x80", "\\xF5\\x80\\x80\\x80");
}

Test(printable, words_have_no_blanks) {
    char buffer[16];
    cr_expect_str_eq(jm_printable_word("a b\n!", buffer, sizeof buffer),
                     "a\\x20b\\x0A!");
    cr_expect_str_eq(jm_printable_word("abc d", buffer, 7), "abc");
}

Test(printable, replaces_what_is_no_character) {
    char buffer[16];
    cr_expect_str_eq(jm_utf8("a\n\x1B\x7F \xC3\xA4", buffer, sizeof buffer),
                     "a\n\x1B\x7F \xC3\xA4");
    cr_expect_str_eq(jm_utf8("\xFFz\xE2\x82", buffer, sizeof buffer),
                     "\xEF\xBF\xBDz\xEF\xBF\xBD\xEF\xBF\xBD");
    cr_expect_str_eq(jm_utf8("abc\x80", buffer, 6), "abc");
    cr_expect_str_eq(jm_utf8("abc\x80", buffer, 7), "abc\xEF\xBF\xBD");
}

/* A row: bytes, how many of them begin a printable character, and whether all of them
 * are UTF-8. */
Test(printable, characters_at_the_end_of_bytes) {
    static const struct {
        const char *bytes;
        size_t size;
        int length;
        bool utf8;
    } rows[] = {{"a", 1, 1, true},
                {"", 0, 0, true},
                {"\0", 1, 0, false},
                {"\n", 1, 0, true},
                {"\x7F", 1, 0, true},
                {"\xC3\xA4", 2, 2, true},
                {"\xC3\xA4", 1, 0, false},
                {"\xE2\x82\xACx", 4, 3, true},
                {"\xE2\x82\xAC", 2, 0, false},
                {"\xF0\x9F\x98\x80\xFF", 4, 4, true},
                {"\xF0\x9F\x98\x80\xFF", 5, 4, false},
                {"\xF0\x9F\x98\x80", 3, 0, false},
                {"\xC2\x85", 2, 0, true},
                {"x\xED\xA0\x80", 4, 1, false},
                {"x\0y", 3, 1, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect_eq(jm_printable_length(rows[i].bytes, rows[i].size), rows[i].length,
                     "row %zu", i);
        cr_expect_eq(jm_is_utf8(rows[i].bytes, rows[i].size), rows[i].utf8, "row %zu",
                     i);
    }
}

Test(printable, cuts_between_characters) {
    char buffer[8];
    cr_expect_str_eq(jm_printable("abcdefghij", buffer, sizeof buffer), "abcdefg");
    cr_expect_str_eq(jm_printable("abcd\n", buffer, sizeof buffer), "abcd");
    cr_expect_str_eq(jm_printable("abc\n", buffer, sizeof buffer), "abc\\x0A");
    cr_expect_str_eq(jm_printable("abcde\xE2\x82\xAC", buffer, sizeof buffer), "abcde");
    cr_expect_str_eq(jm_printable("\n", buffer, 1), "");
}
