/* The linker: joining, placing, resolving, relocating, and errors. */
#include "asm/asm.h"
#include "emu/isa/isa.h"
#include "tests/asm/objects.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Assembles a source written by hand for these tests. */
static AsmObject *source(const char *name, const char *text) {
    AsmResult result = asm_assemble(text, strlen(text), name, &(AsmOptions){0});
    cr_assert_not_null(result.object, "%s", result.diagnostics);
    AsmObject *object = result.object;
    result.object = NULL;
    asm_result_free(&result);
    return object;
}

/* Links sources "0.s", "1.s", ... given as objects "0.o", "1.o", ... up to NULL. */
static AsmLinkResult link_sources(const char *const *texts,
                                  const AsmLinkOptions *options) {
    AsmLinkInput *input = asm_link_input_new();
    for (int i = 0; texts[i]; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d.s", i);
        AsmObject *object = source(name, texts[i]);
        snprintf(name, sizeof name, "%d.o", i);
        asm_link_input_add_object(input, object, name);
    }
    const AsmLinkResult result = asm_link_objects(input, options);
    asm_link_input_free(input);
    return result;
}

#define LINK(options, ...)                                                             \
    link_sources((const char *const[]){__VA_ARGS__, NULL}, options)

static uint32_t address(const AsmLinkResult *result, const char *name) {
    const AsmObjectSymbol *symbol = asm_object_symbol(result->image, name);
    cr_assert_not_null(symbol, "no %s", name);
    return (uint32_t)symbol->value;
}

static JmWord word_at(const AsmLinkResult *result, uint32_t at) {
    for (int i = 0; i < result->image->section_count; i++) {
        const AsmObjectSection *s = &result->image->sections[i];
        if (at - (uint32_t)s->address < s->size)
            return s->fill ? JM_NIL : s->words[at - (uint32_t)s->address];
    }
    cr_assert_fail("no word at %05X", at);
    return JM_NIL;
}

static void good(const AsmLinkResult *result) {
    cr_assert_not_null(result->image, "%s", result->diagnostics);
    cr_expect_str_eq(result->diagnostics, "");
    cr_expect_eq(result->errors, 0);
}

/* Every line of `messages` (up to NULL) must be there, and as many errors. */
static void bad(AsmLinkResult *result, const char *const *messages) {
    int count = 0;
    cr_expect_null(result->image);
    for (; messages[count]; count++)
        cr_expect_not_null(strstr(result->diagnostics, messages[count]),
                           "no '%s' in:\n%s", messages[count], result->diagnostics);
    cr_expect_eq(result->errors, count, "%s", result->diagnostics);
    asm_link_result_free(result);
}

#define BAD(result, ...) bad(result, (const char *const[]){__VA_ARGS__, NULL})

Test(link, joins_sections_of_one_name_in_order) {
    AsmLinkResult r = LINK(NULL, ".global a\na: .word 1,2\n .data\nd: .word 7\n",
                           " .align 4\n .extern a\n .global b\nb: .word 3, a\n"
                           " .data\ne: .word 8\n");
    good(&r);
    cr_expect_eq(address(&r, "a"), 0x100u);
    cr_expect_eq(address(&r, "b"), 0x104u);
    cr_expect_eq(address(&r, "d"), 0x106u); /* data behind all code */
    cr_expect_eq(address(&r, "e"), 0x107u);
    cr_expect(jm_same(word_at(&r, 0x102), jm_instruction_word(0, 0))); /* padding */
    cr_expect(jm_same(word_at(&r, 0x105), jm_int(0x100)));
    cr_expect_eq(r.image->section_count, 2);
    asm_link_result_free(&r);
}

/* The section keeps the largest alignment of its parts, in any order. */
Test(link, parts_of_different_alignment) {
    static const char *const parts[] = {
        " .word 1\n .section d\na: .word 2\n", " .section d\n .align 4\nb: .word 3\n",
        " .section d\n .align 8\nc: .word 4\n", " .section d\n .align 2\nd: .word 5\n"};
    for (unsigned first = 0; first < 4; first++) {
        AsmLinkResult r = LINK(NULL, parts[first], parts[(first + 1) % 4],
                               parts[(first + 2) % 4], parts[(first + 3) % 4]);
        good(&r);
        cr_expect_eq(address(&r, "b") % 4, 0u, "first %u", first);
        cr_expect_eq(address(&r, "c") % 8, 0u, "first %u", first);
        cr_expect_eq(address(&r, "d") % 2, 0u, "first %u", first);
        asm_link_result_free(&r);
    }
}

Test(link, places_go_to_their_memories) {
    AsmLinkResult r =
        LINK(NULL, " .vectors\nv: .word 1\n .rom\nr: nop\n .ext\nx: .word 2\n"
                   " .section b,external,fill\nfill: .space 500\n .text\nt: nop\n");
    good(&r);
    cr_expect_eq(address(&r, "v"), 0x40u);
    cr_expect_eq(address(&r, "t"), 0x100u);
    cr_expect_eq(address(&r, "r"), 0x1000u);
    cr_expect_eq(address(&r, "x"), 0x2000u);
    cr_expect_eq(address(&r, "fill"), 0x2001u);
    asm_link_result_free(&r);
}

Test(link, fills_the_gaps_between_fixed_sections) {
    AsmLinkResult r = LINK(NULL, " .section f1\n .org 0x102\n .word 1\n"
                                 " .section f2\n .org 0x110\n .word 2\n"
                                 " .section big\nbig: .space 20,INT:1\n"
                                 " .section mid\nmid: .space 13,INT:1\n"
                                 " .section small\nsmall: .word 1,2\n");
    good(&r);
    cr_expect_eq(address(&r, "big"), 0x111u);
    cr_expect_eq(address(&r, "mid"), 0x103u);
    cr_expect_eq(address(&r, "small"), 0x100u);
    asm_link_result_free(&r);
}

Test(link, placements) {
    const AsmLinkPlacement placements[] = {{".data", 0x3000}, {".text", 0x20}};
    AsmLinkResult r =
        LINK((&(AsmLinkOptions){placements, 2}), "t: nop\n .data\nd: .word t\n",
             " .data\ne: .word d2\nd2:\n");
    good(&r);
    cr_expect_eq(address(&r, "t"), 0x20u);
    cr_expect_eq(address(&r, "d"), 0x3000u);
    cr_expect_eq(address(&r, "e"), 0x3001u);
    cr_expect(jm_same(word_at(&r, 0x3001), jm_int(0x3002)));
    asm_link_result_free(&r);
}

Test(link, wrong_placements) {
    const AsmLinkPlacement placements[] = {{"nothing", 0x10}};
    AsmLinkResult r = LINK((&(AsmLinkOptions){placements, 1}), " nop\n");
    BAD(&r, "link: error: -T nothing=10: there is no such section");
    const AsmLinkPlacement fixed[] = {{"f", 0x10}};
    r = LINK((&(AsmLinkOptions){fixed, 1}), " .section f\n .org 0x20\n nop\n");
    BAD(&r, "0.o: error: section f is fixed at 00020, -T cannot move it to 00010");
    const AsmLinkPlacement crooked[] = {{"c", 0x11}};
    r = LINK((&(AsmLinkOptions){crooked, 1}), " .section c\n .align 4\n nop\n");
    BAD(&r, "section c at 00011 is not aligned to 4 words");
}

Test(link, overlaps_name_both_sections) {
    AsmLinkResult r = LINK(NULL, " .section one\n .org 0x200\n .space 16,INT:1\n",
                           " .section two\n .org 0x20C\n .space 16,INT:1\n");
    BAD(&r, "sections one (00200-0020F) and two (0020C-0021B) overlap by 4 words");
}

Test(link, overflows_say_by_how_much) {
    AsmLinkResult r =
        LINK(NULL, " .space 3840,INT:1\n .data\n .space 5,INT:1\n .vectors\n"
                   " .space 200,INT:1\n");
    BAD(&r, "section .data (5 words) overflows on-chip memory (00100-00FFF) by 5 words",
        "section .vectors (200 words) overflows the vectors (00040-000FF) by 8 words");
    r = LINK(NULL, " .section s,rom\n .org 0x1FFE\n .space 5,INT:1\n");
    BAD(&r, "section s at 01FFE overflows ROM by 3 words");
    r = LINK(NULL, " .section s,external,fill\n .space 0xFDF01\n");
    BAD(&r, "overflows external memory (02000-FFEFF) by 1 word\n");
    r = LINK(NULL, " .section s,rom\n .org 0x1FFE\n .space 3,INT:1\n");
    BAD(&r, "section s at 01FFE overflows ROM by 1 word\n");
    r = LINK(NULL, " .section s,onchip\n .org 0xFFF\n .space 2,INT:1\n");
    BAD(&r, "section s at 00FFF overflows on-chip memory by 1 word\n");
}

Test(link, undefined_and_duplicate_symbols_with_their_places) {
    AsmLinkResult r =
        LINK(NULL, " .global twice\ntwice: nop\n .extern no, nay\n .word no\n",
             " .extern no\n .global twice\ntwice:\n nop\n .word 1,no\n");
    BAD(&r, "link: error: symbol 'twice' is defined in 0.o (0.s:2) and in 1.o (1.s:3)",
        "0.s:4: error: undefined symbol 'no', used in 0.o",
        "1.s:5: error: undefined symbol 'no', used in 1.o");
}

Test(link, locals_do_not_meet) {
    AsmLinkResult r = LINK(NULL, "here: .word here\n", "here: .word here\n");
    good(&r);
    cr_expect(jm_same(word_at(&r, 0x100), jm_int(0x100)));
    cr_expect(jm_same(word_at(&r, 0x101), jm_int(0x101)));
    asm_link_result_free(&r);
}

Test(link, bounds_of_sections) {
    AsmLinkResult r =
        LINK(NULL, " .extern __start_.data, __stop_.data\n"
                   " .word __start_.data, __stop_.data\n .data\n .word 1,2,3\n");
    good(&r);
    cr_expect(jm_same(word_at(&r, 0x100), jm_int(0x102)));
    cr_expect(jm_same(word_at(&r, 0x101), jm_int(0x105)));
    asm_link_result_free(&r);
}

/* Two sections of the same name, the second fixed after or before the first. */
Test(link, bounds_of_two_sections_of_one_name) {
    static const char *const places[] = {"0x200", "0xF0"};
    static const uint32_t bounds[][2] = {{0x102, 0x202}, {0xF0, 0x105}};
    for (int i = 0; i < 2; i++) {
        char second[128];
        snprintf(second, sizeof second, " .data\n .org %s\n .word 4,5\n", places[i]);
        AsmLinkResult r =
            LINK(NULL,
                 " .extern __start_.data, __stop_.data\n"
                 " .word __start_.data, __stop_.data\n .data\n .word 1,2,3\n",
                 second);
        good(&r);
        cr_expect_eq(jm_data(word_at(&r, 0x100)), bounds[i][0]);
        cr_expect_eq(jm_data(word_at(&r, 0x101)), bounds[i][1]);
        asm_link_result_free(&r);
    }
}

Test(link, relocations_out_of_range_have_their_line) {
    AsmLinkResult r =
        LINK(NULL,
             " .extern far, big\n nop\n br ^far\n add r0,big,r0\n"
             " move [big,a1],r0\n .addr 0,big\n .msg far,1\n",
             " .space 200,INT:1\n .global far, big\nfar: nop\nbig = 1024\n");
    BAD(&r, "0.s:3: error: branch displacement", "0.s:4: error: immediate 1024",
        "0.s:5: error: memory offset 1024", "0.s:6: error: length 1024");
}

Test(link, branches_between_objects) {
    AsmLinkResult r = LINK(NULL, " .extern next\n br ^next\n nop\n br ^next\n",
                           " .global next\nnext: suspend\n");
    good(&r);
    const uint32_t next = address(&r, "next");
    const JmDecoded d = jm_decode(jm_instruction(word_at(&r, 0x100), 0));
    cr_expect_eq(0x101u + (uint32_t)d.value, next);
    asm_link_result_free(&r);
}

Test(link, a_section_cannot_be_in_two_memories) {
    AsmLinkResult r =
        LINK(NULL, " .section s,onchip\n .word 1\n", " .section s,rom\n .word 1\n");
    BAD(&r, "1.o: error: section s belongs to ROM here, but to on-chip memory");
}

Test(link, fill_and_contents_join) {
    AsmLinkResult r = LINK(NULL, " .section s,onchip,fill\n .space 3\n",
                           " .section s,onchip,data\ns1: .word 5\n");
    good(&r);
    cr_expect_not(r.image->sections[0].fill);
    cr_expect(jm_same(word_at(&r, 0x100), JM_NIL));
    cr_expect(jm_same(word_at(&r, 0x103), jm_int(5)));
    asm_link_result_free(&r);
}

Test(link, lines_follow_their_words) {
    AsmLinkResult r = LINK(NULL, " .word 1\n .word 2\n", "\n\n .word 3\n");
    good(&r);
    const char *file;
    int line;
    cr_assert(asm_object_line_at(r.image, 0x101, &file, &line));
    cr_expect_str_eq(file, "0.s");
    cr_expect_eq(line, 2);
    cr_assert(asm_object_line_at(r.image, 0x102, &file, &line));
    cr_expect_str_eq(file, "1.s");
    cr_expect_eq(line, 3);
    asm_link_result_free(&r);
}

/* A part without lines does not inherit those of the part before it. */
Test(link, words_without_lines_have_none) {
    AsmLinkInput *input = asm_link_input_new();
    asm_link_input_add_object(input, source("0.s", " .word 1\n"), "0.o");
    AsmObject *bare = asm_object_new();
    const int section =
        asm_object_add_section(bare, ".text", ASM_OBJECT_PLACE_ONCHIP, true);
    asm_object_append_word(bare, section, jm_int(2));
    asm_link_input_add_object(input, bare, "1.o");
    AsmLinkResult r = asm_link_objects(input, NULL);
    good(&r);
    const char *file;
    int line;
    cr_expect(asm_object_line_at(r.image, 0x100, &file, &line));
    cr_expect_not(asm_object_line_at(r.image, 0x101, &file, &line));
    asm_link_result_free(&r);
    asm_link_input_free(input);
}

Test(link, same_input_same_bytes) {
    unsigned char *bytes[2];
    size_t sizes[2];
    for (int i = 0; i < 2; i++) {
        AsmLinkResult r = LINK(NULL, "a: br ^a\n .data\n .word a\n", "b: .word b\n");
        good(&r);
        bytes[i] = file_bytes(r.image, &sizes[i]);
        asm_link_result_free(&r);
    }
    cr_assert_eq(sizes[0], sizes[1]);
    cr_expect_eq(memcmp(bytes[0], bytes[1], sizes[0]), 0);
    free(bytes[0]);
    free(bytes[1]);
}

Test(link, nothing_is_an_error) {
    AsmLinkInput *input = asm_link_input_new();
    AsmLinkResult r = asm_link_objects(input, NULL);
    BAD(&r, "nothing to link");
    asm_link_input_free(input);
}

Test(link, an_image_is_no_input) {
    AsmObject *image = sample_image();
    size_t size;
    JmError error;
    unsigned char *bytes = file_bytes(image, &size);
    AsmLinkInput *input = asm_link_input_new();
    cr_expect_not(asm_link_input_add_memory(input, bytes, size, "p.elf", &error));
    cr_expect_not_null(strstr(error.text, "linked already"));
    asm_link_input_free(input);
    free(bytes);
    asm_object_free(image);
}

Test(link, the_map_shows_memory_sections_and_symbols) {
    AsmLinkResult r = LINK(NULL,
                           " .global start, b\nstart: nop\nsame: .equ limit,99\n"
                           " .section low\n .org 0x3E\nb: a: .word 1,2,3\n",
                           " .word 1,2\n .section x,external,fill\n .space 1000\n"
                           " .data\n .section page,external\n .org 0xFFEFF\n"
                           " .word 1,2\n .equ least,-5\n");
    good(&r);
    char *map = asm_link_map(r.image);
    cr_expect_str_eq(map,
                     "Memory\n\naddresses        used      free    used  region\n"
                     "00000-0003F         2        62    3.1%  the "
                     "priority-switched words\n"
                     "00040-000FF         1       191    0.5%  the vectors\n"
                     "00100-00FFF         3      3837    0.1%  on-chip memory\n"
                     "01000-01FFF         0      4096    0.0%  ROM\n"
                     "02000-FFEFF      1001   1039127    0.1%  external memory\n"
                     "FFF00-FFFFF         1       255    0.4%  the host page\n"
                     "\nSections\n\naddress     words  section and object\n"
                     "0003E           3  low\n0003E           3      0.o\n"
                     "00100           3  .text\n00100           1      0.o\n"
                     "00101           2      1.o\n"
                     "02000        1000  x\n02000        1000      1.o\n"
                     "FFEFF           2  page\nFFEFF           2      1.o\n"
                     "\nSymbols\n\nvalue    kind      name\n"
                     "0003E    local     a\n0003E    global    b\n"
                     "00100    global    start\n00101    local     same\n"
                     "-5       absolute  least\n99       absolute  limit\n",
                     "%s", map);
    free(map);
    asm_link_result_free(&r);
}

/* The image's sections stand in another order than those of the object. */
Test(link, lines_go_with_their_sections) {
    AsmLinkResult r = LINK(NULL, " .ext\n nop\n .data\n .word 1\n\n .word 2\n",
                           " .data\n .word 3\n .text\n nop\n");
    good(&r);
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

/* Objects made by hand may know a file without a line. */
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
    BAD(&r, "symbol 'x' is defined in one.o and in two.o\n");
}

/* ---- archives -------------------------------------------------------------------- */

/* An archive of objects made from sources, by hand: without a symbol table, and with a
 * long name for the first. */
static unsigned char *make_archive(const char *const *texts, size_t *size) {
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, size);
    static const char names[] = "a_name_of_a_member_that_is_long.o/\n";
    fprintf(out, "!<arch>\n%-48s%-10zu`\n%s", "//", sizeof names - 1, names);
    if ((sizeof names - 1) % 2)
        fputc('\n', out);
    for (int i = 0; texts[i]; i++) {
        char name[16];
        size_t length;
        snprintf(name, sizeof name, "m%d.s", i);
        AsmObject *object = source(name, texts[i]);
        unsigned char *member = file_bytes(object, &length);
        snprintf(name, sizeof name, "m%d.o/", i);
        fprintf(out, "%-48s%-10zu`\n", i == 0 ? "/0" : name, length);
        fwrite(member, 1, length, out);
        if (length % 2)
            fputc('\n', out);
        free(member);
        asm_object_free(object);
    }
    fclose(out);
    return (unsigned char *)bytes;
}

static AsmLinkResult link_archive(const char *main_text, const char *const *members) {
    size_t size;
    JmError error;
    unsigned char *archive = make_archive(members, &size);
    AsmLinkInput *input = asm_link_input_new();
    cr_assert(asm_link_input_add_memory(input, archive, size, "lib.a", &error), "%s",
              error.text);
    asm_link_input_add_object(input, source("main.s", main_text), "main.o");
    const AsmLinkResult result = asm_link_objects(input, NULL);
    asm_link_input_free(input);
    free(archive);
    return result;
}

/* one needs two, two needs one and three; nobody needs four. */
static const char *const members[] = {
    " .global one\n .extern two\none: .word two\n",
    " .global two\n .extern one, three\ntwo: .word one, three\n",
    " .global three\nthree: .word 3\n",
    " .global four, one\nfour: .word 4\none: .word 44\n",
    NULL,
};

Test(link_archive, members_are_pulled_as_needed_in_circles_too) {
    AsmLinkResult r = link_archive(" .extern two\n .word two\n", members);
    good(&r);
    cr_expect_not_null(asm_object_symbol(r.image, "one"));
    cr_expect_not_null(asm_object_symbol(r.image, "three"));
    cr_expect_null(asm_object_symbol(r.image, "four"));
    cr_expect(
        jm_same(word_at(&r, address(&r, "one")), jm_int((int)address(&r, "two"))));
    char *map = asm_link_map(r.image);
    cr_expect_not_null(strstr(map, "lib.a(a_name_of_a_member_that_is_long.o)"));
    cr_expect_not_null(strstr(map, "lib.a(m1.o)"));
    free(map);
    asm_link_result_free(&r);
}

Test(link_archive, nothing_is_pulled_for_what_is_defined) {
    AsmLinkResult r = link_archive(" .global one\none: .word one\n", members);
    good(&r);
    cr_expect_eq(r.image->sections[0].size, 1u);
    asm_link_result_free(&r);
}

Test(link_archive, a_member_may_bring_a_duplicate) {
    AsmLinkResult r =
        link_archive(" .extern four\n .global one\none: .word four\n", members);
    BAD(&r, "symbol 'one' is defined in main.o (main.s:3) and in lib.a(m3.o) (m3.s:3)");
}

Test(link_archive, an_undefined_symbol_of_a_member_is_named_with_it) {
    AsmLinkResult r = link_archive(" .extern odd\n .word odd\n",
                                   (const char *const[]){" .global odd\n .extern even\n"
                                                         "odd: .word even\n",
                                                         NULL});
    BAD(&r, "m0.s:3: error: undefined symbol 'even', used in lib.a(");
}
