/* emu/core/sourcetext: single lines of source files, safe to show. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/core/sourcetext.h"

static struct { char path[32]; } source = {"/tmp/source.XXXXXX"};

static void write_text(const char *text) {
    FILE *file = fdopen(mkstemp(source.path), "w");
    cr_assert(file);
    fputs(text, file);
    fclose(file);
}

static void write_source(void) {
    write_text("first\n  \tsecond \x1B[31m \x7F\n\n \t\nfifth~!");
}

static void write_marked(void) {
    write_text("\xEF\xBB\xBF \xC3\xA4 \xE2\x82\xAC!\r\nx\xFF\xC2\x85y \xC3\n"
               "\xEF\xBB\xBFz");
}

static void remove_source(void) {
    unlink(source.path);
}

static void expect_line(int line, size_t size, const char *expected) {
    char text[32];
    memset(text, 'x', sizeof text);
    const bool found = source_text_line(source.path, line, text, size);
    cr_expect_eq(found, expected != NULL, "line %d", line);
    if (found)
        cr_expect_str_eq(text, expected);
}

Test(sourcetext, a_line_without_blanks_around_and_controls, .init = write_source,
     .fini = remove_source) {
    expect_line(1, 32, "first");
    expect_line(2, 32, "second  [31m");
    expect_line(5, 32, "fifth~!");
}

Test(sourcetext, no_such_line_and_empty_ones, .init = write_source,
     .fini = remove_source) {
    const int lines[] = {-1, 0, 3, 4, 6, 7};
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++)
        expect_line(lines[i], 32, NULL);
    char text[8];
    cr_expect_not(source_text_line("/nowhere", 1, text, sizeof text));
    cr_expect_not(source_text_line("/dev/zero", 1, text, sizeof text));
}

Test(sourcetext, long_lines_are_cut, .init = write_source, .fini = remove_source) {
    expect_line(1, 6, "first");
    expect_line(1, 5, "firs");
    expect_line(2, 9, "second");
    expect_line(1, 1, NULL);
}

/* Characters of several bytes stay, or are cut away whole; a mark of byte order is none
 * of the text, but only at the start of the file. */
Test(sourcetext, letters_of_several_bytes, .init = write_marked,
     .fini = remove_source) {
    expect_line(1, 32, "\xC3\xA4 \xE2\x82\xAC!");
    expect_line(1, 7, "\xC3\xA4 \xE2\x82\xAC");
    expect_line(1, 6, "\xC3\xA4");
    expect_line(1, 3, "\xC3\xA4");
    expect_line(1, 2, NULL);
    expect_line(2, 32, "x   y");
    expect_line(3, 32, "\xEF\xBB\xBFz");
}

Test(sourcetext, marks_of_byte_order) {
    cr_expect_eq(jm_text_mark("\xEF\xBB\xBF", 3), 3);
    cr_expect_eq(jm_text_mark("\xEF\xBB\xBFx", 4), 3);
    cr_expect_eq(jm_text_mark("\xEF\xBB\xBF", 2), 0);
    cr_expect_eq(jm_text_mark("\xEF\xBB\xBEx", 4), 0);
    cr_expect_eq(jm_text_mark("", 0), 0);
}

Test(sourcetext, times_of_files) {
    cr_expect_eq(jm_text_time("/nowhere"), INT64_MIN);
    cr_expect_gt(jm_text_time("/"), 0);
}
