/* The linker as a library: the same input linked twice, lines of words, objects that
 * no assembler makes. What mdpld links and refuses is in
 * tests/recorded/link*.cases. */
#include "tests/asm/assembling.h"
#include "tests/asm/objects.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Objects "0.o" and "1.o" of sources "0.s" and "1.s". */
static AsmLinkInput *input_of(const char *first, const char *second) {
    AsmLinkInput *input = asm_link_input_new();
    asm_link_input_add_object(input, assembled_as("0.s", first), "0.o");
    asm_link_input_add_object(input, assembled_as("1.s", second), "1.o");
    return input;
}

static const AsmObjectSection *data_of(const AsmLinkResult *result) {
    cr_assert_not_null(result->image, "%s", result->diagnostics);
    for (int i = 0; i < result->image->section_count; i++)
        if (strcmp(result->image->sections[i].name, ".data") == 0)
            return &result->image->sections[i];
    cr_assert_fail("no section .data");
    return NULL;
}

/* An archive of one object. */
static unsigned char *archive_of(const char *text, size_t *size) {
    char *bytes = NULL;
    size_t length;
    AsmObject *object = assembled_as("m.s", text);
    unsigned char *member = file_bytes(object, &length);
    FILE *out = open_memstream(&bytes, size);
    fprintf(out, "!<arch>\n%-48s%-10zu`\n", "m.o/", length);
    fwrite(member, 1, length, out);
    if (length % 2)
        fputc('\n', out);
    fclose(out);
    free(member);
    asm_object_free(object);
    return (unsigned char *)bytes;
}

/* Links the same input again after a link with the section elsewhere: the third image
 * equals the first, whatever the second link left in the input. */
Test(link_again, the_same_image) {
    AsmLinkInput *input = input_of(" .extern more\n .data\n .align 4\n .word more\n",
                                   " .data\n .word 5\n .text\nl: br ^l\n");
    size_t size, sizes[3];
    unsigned char *bytes[3];
    JmError error;
    unsigned char *archive =
        archive_of(" .global more\n .data\nmore: .word 7\n", &size);
    cr_assert(asm_link_input_add_memory(input, archive, size, "lib.a", &error));
    for (unsigned i = 0; i < 3; i++) {
        const AsmLinkPlacement there = {".data", 0x400};
        const AsmLinkOptions options = {&there, i == 1};
        AsmLinkResult r = asm_link_objects(input, &options);
        cr_expect_eq(data_of(&r)->address, i == 1 ? 0x400 : 0x104);
        cr_expect_eq(data_of(&r)->size, 3u);
        bytes[i] = file_bytes(r.image, &sizes[i]);
        asm_link_result_free(&r);
    }
    cr_assert_eq(sizes[0], sizes[2]);
    cr_expect_eq(memcmp(bytes[0], bytes[2], sizes[0]), 0);
    for (unsigned i = 0; i < 3; i++)
        free(bytes[i]);
    free(archive);
    asm_link_input_free(input);
}

/* A part without lines does not inherit those of the part before it. */
Test(link, words_without_lines_have_none) {
    AsmLinkInput *input = asm_link_input_new();
    asm_link_input_add_object(input, assembled_as("0.s", " .word 1\n"), "0.o");
    AsmObject *bare = asm_object_new();
    const int section =
        asm_object_add_section(bare, ".text", ASM_OBJECT_PLACE_ONCHIP, true);
    append_word(bare, section, jm_int(2));
    asm_link_input_add_object(input, bare, "1.o");
    AsmLinkResult r = asm_link_objects(input, NULL);
    cr_assert_not_null(r.image, "%s", r.diagnostics);
    const char *file;
    int line;
    cr_expect(asm_object_line_at(r.image, 0x100, &file, &line));
    cr_expect_not(asm_object_line_at(r.image, 0x101, &file, &line));
    asm_link_result_free(&r);
    asm_link_input_free(input);
}

/* The image's sections stand in another order than those of the object. */
Test(link, lines_go_with_their_sections) {
    AsmLinkInput *input = input_of(" .ext\n nop\n .data\n .word 1\n\n .word 2\n",
                                   " .data\n .word 3\n .text\n nop\n");
    AsmLinkResult r = asm_link_objects(input, NULL);
    asm_link_input_free(input);
    cr_assert_not_null(r.image, "%s", r.diagnostics);
    static const struct {
        uint32_t address;
        const char *file;
        int line;
    } rows[] = {{0x2000, "0.s", 2},
                {0x101, "0.s", 4},
                {0x102, "0.s", 6},
                {0x103, "1.s", 2},
                {0x100, "1.s", 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *file;
        int line;
        cr_assert(asm_object_line_at(r.image, rows[i].address, &file, &line));
        cr_expect_str_eq(file, rows[i].file, "%05X", rows[i].address);
        cr_expect_eq(line, rows[i].line, "%05X", rows[i].address);
    }
    asm_link_result_free(&r);
}

/* Objects that the assembler has not made may name a file without a line. */
Test(link, places_that_are_not_whole_are_not_shown) {
    AsmLinkInput *input = asm_link_input_new();
    for (int i = 0; i < 2; i++) {
        AsmObject *object = asm_object_new();
        const int symbol =
            asm_object_add_symbol(object, "x", ASM_OBJECT_ABSOLUTE, 1, true);
        object->symbols[symbol].file = strdup("a.s");
        asm_link_input_add_object(input, object, i ? "two.o" : "one.o");
    }
    AsmLinkResult r = asm_link_objects(input, NULL);
    asm_link_input_free(input);
    asm_link_input_free(NULL);
    cr_expect_null(r.image);
    cr_expect_not_null(
        strstr(r.diagnostics, "symbol 'x' is defined in one.o and in two.o\n"));
    asm_link_result_free(&r);
}
