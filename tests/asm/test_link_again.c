/* The linker: the same input linked again, options given twice, parts that differ, and
 * messages beyond the first. */
#include "asm/asm.h"
#include "emu/isa/isa.h"
#include "tests/asm/assembling.h"
#include "tests/asm/objects.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Objects "0.o", "1.o", ... of texts up to NULL. */
static AsmLinkInput *input_of(const char *const *texts) {
    AsmLinkInput *input = asm_link_input_new();
    for (int i = 0; texts[i]; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d.o", i);
        asm_link_input_add_object(input, assembled(texts[i]), name);
    }
    return input;
}

static AsmLinkResult linked(const char *const *texts, const AsmLinkOptions *options) {
    AsmLinkInput *input = input_of(texts);
    const AsmLinkResult result = asm_link_objects(input, options);
    asm_link_input_free(input);
    return result;
}

#define LINKED(options, ...) linked((const char *const[]){__VA_ARGS__, NULL}, options)

static const AsmObjectSection *section_of(const AsmLinkResult *result,
                                          const char *name) {
    cr_assert_not_null(result->image, "%s", result->diagnostics);
    for (int i = 0; i < result->image->section_count; i++)
        if (strcmp(result->image->sections[i].name, name) == 0)
            return &result->image->sections[i];
    cr_assert_fail("no section %s", name);
    return NULL;
}

static void says(const AsmLinkResult *result, const char *text) {
    cr_expect_null(result->image);
    cr_expect_not_null(strstr(result->diagnostics, text), "no '%s' in:\n%s", text,
                       result->diagnostics);
}

/* An archive of one object. */
static unsigned char *archive_of(const char *text, size_t *size) {
    char *bytes = NULL;
    size_t length;
    AsmObject *object = assembled(text);
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
    AsmLinkInput *input = input_of(
        (const char *const[]){" .extern more\n .data\n .align 4\n .word more\n",
                              " .data\n .word 5\n .text\nl: br ^l\n", NULL});
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
        cr_assert_not_null(r.image, "%s", r.diagnostics);
        cr_expect_eq(section_of(&r, ".data")->address, i == 1 ? 0x400 : 0x104);
        cr_expect_eq(section_of(&r, ".data")->size, 3u);
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

Test(link_again, the_last_place_of_a_section_counts) {
    const AsmLinkPlacement places[] = {{"s", 0x300}, {".text", 0x200}, {"s", 0x400}};
    AsmLinkResult r =
        LINKED((&(AsmLinkOptions){places, 3}), " nop\n .section s\n .word 1\n");
    cr_expect_eq(section_of(&r, "s")->address, 0x400);
    cr_expect_eq(section_of(&r, ".text")->address, 0x200);
    asm_link_result_free(&r);
}

/* A section is code if any of its parts is: it comes before data, and gaps between the
 * parts are NOPs. */
Test(link_again, one_part_makes_a_section_code) {
    static const char *const parts[] = {" .section s, onchip, data\n .word 1\n",
                                        " .section s, onchip, code\n .align 4\n nop\n"};
    for (unsigned first = 0; first < 2; first++) {
        AsmLinkResult r = LINKED(NULL, " .data\n .word 9\n", parts[first],
                                 parts[!first], " .section s\n .align 8\n .word 2\n");
        const AsmObjectSection *s = section_of(&r, "s");
        cr_expect(s->code, "first %u", first);
        cr_expect_eq(s->address, 0x100, "first %u", first);
        cr_expect(jm_same(s->words[s->size - 2], jm_instruction_word(0, 0)));
        asm_link_result_free(&r);
    }
}

/* The number of words by which the largest gap is too small, wherever that gap lies. */
Test(link_again, an_overflow_is_measured_by_the_largest_gap) {
    static const char *const fixed[] = {"0x1F00", "0x1100", "0x1800"};
    static const char *const by[] = {"by 256 words", "by 257 words", "by 2048 words"};
    for (unsigned i = 0; i < 3; i++) {
        char text[160];
        snprintf(text, sizeof text,
                 " .section f, rom\n .org %s\n .word 1\n .section s, rom, fill\n"
                 " .space 4096\n",
                 fixed[i]);
        AsmLinkResult r = LINKED(NULL, text);
        says(&r, by[i]);
        asm_link_result_free(&r);
    }
}

/* The first use of an undefined symbol, not its declaration. */
Test(link_again, undefined_symbols_have_the_line_of_their_first_use) {
    AsmLinkResult r = LINKED(NULL, " .extern no, nay\n nop\n .word no\n .word nay\n"
                                   " .word no, nay\n");
    says(&r, "t.s:3: error: undefined symbol 'no', used in 0.o\n");
    says(&r, "t.s:4: error: undefined symbol 'nay', used in 0.o\n");
    cr_expect_eq(r.errors, 2);
    asm_link_result_free(&r);
}

/* The place of a symbol is that of its definition, even if .global follows it. */
Test(link_again, symbols_are_defined_where_they_stand) {
    static const char *const twice = " nop\nx: nop\n .global x\n";
    AsmLinkResult r = LINKED(NULL, twice, twice);
    says(&r, "symbol 'x' is defined in 0.o (t.s:2) and in 1.o (t.s:2)\n");
    asm_link_result_free(&r);
}

/* A bound that an object defines is no bound of a section. */
Test(link_again, definitions_come_before_bounds) {
    AsmLinkResult r = LINKED(NULL,
                             " .extern __start_.data, __stop_.data\n"
                             " .word __start_.data, __stop_.data\n"
                             " .data\n .word 1, 2\n",
                             " .global __start_.data\n__start_.data = 7\n");
    const AsmObjectSection *text = section_of(&r, ".text");
    cr_expect_eq(jm_data(text->words[0]), 7u);
    cr_expect_eq(jm_data(text->words[1]), 0x104u);
    asm_link_result_free(&r);
    r = LINKED(NULL, " .extern __stop_x\n .word __stop_x\n");
    says(&r, "t.s:2: error: undefined symbol '__stop_x', used in 0.o\n");
    asm_link_result_free(&r);
}

/* What an object defines is taken from no archive, whoever asks for it. */
Test(link_again, definitions_come_before_members) {
    size_t size;
    JmError error;
    unsigned char *archive =
        archive_of(" .global one, two\none: two: .word 9\n", &size);
    AsmLinkInput *input =
        input_of((const char *const[]){" .global one, two\none: .word 5\ntwo:\n",
                                       " .extern one, two\n .word one, two\n", NULL});
    cr_assert(asm_link_input_add_memory(input, archive, size, "lib.a", &error));
    AsmLinkResult r = asm_link_objects(input, NULL);
    cr_expect_eq(section_of(&r, ".text")->size, 3u);
    asm_link_result_free(&r);
    asm_link_input_free(input);
    free(archive);
}

/* A hundred are shown, the rest counted. */
Test(link_again, many_errors_are_counted) {
    enum { ERRORS = 137 };
    char *text;
    size_t size, lines = 0;
    FILE *out = open_memstream(&text, &size);
    for (unsigned i = 0; i < ERRORS; i++)
        fprintf(out, " .extern x%u\n .word x%u\n", i, i);
    fclose(out);
    AsmLinkResult r = LINKED(NULL, text);
    for (const char *at = r.diagnostics; (at = strchr(at, '\n')); at++)
        lines++;
    cr_expect_eq(r.errors, ERRORS);
    cr_expect_eq(lines, 101);
    says(&r, "link: error: 37 more errors\n");
    asm_link_result_free(&r);
    free(text);
}
