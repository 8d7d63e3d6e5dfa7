/* Words, their relocations, sections and places. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/asm/assembling.h"
#include "tests/asm/objects.h"

#define I(n) jm_int(n)
#define NOPS jm_instruction_word(0, 0)

Test(assembler_data, words_of_every_tag) {
    check_text(
        " .word 5, -1, INT:7, NIL, TRUE, false, SYM:0xFF, ADDR:1, cfut:2\n"
        " .word TAG8:0xFFFFFFFF, TAGB:-1, INST3:1, MSG:0b101, FUT:0o17, IP:'A'\n",
        15,
        (JmWord[]){I(5), I(-1), I(7), JM_NIL, jm_bool(true), jm_bool(false),
                   jm_word(JM_TAG_SYM, 0xFF), jm_word(JM_TAG_ADDR, 1),
                   jm_word(JM_TAG_CFUT, 2), jm_word(JM_TAG_TAG8, 0xFFFFFFFF),
                   jm_word(JM_TAG_TAGB, 0xFFFFFFFF), jm_word(JM_TAG_INST3, 1),
                   jm_word(JM_TAG_MSG, 5), jm_word(JM_TAG_FUT, 15),
                   jm_word(JM_TAG_IP, 65)});
}

Test(assembler_data, shapes) {
    check_text(" .addr 0x12345, 1023\n .addr 1,2,R\n .addr 1,2,i,r\n .ip 0x1000\n"
               " .ip 5, U, F, rel\n .ip 5, low\n .msg 0x40, 3\n .msg 1, 2, u, f\n",
               8,
               (JmWord[]){jm_addr(0x12345, 1023),
                          jm_word(JM_TAG_ADDR, 1u << 31 | 1 << 10 | 2),
                          jm_word(JM_TAG_ADDR, 3u << 30 | 1 << 10 | 2),
                          jm_ip(0x1000, JM_IP_ABSOLUTE),
                          jm_ip(5, JM_IP_UNCHECKED | JM_IP_FAULT),
                          jm_ip(5, JM_IP_ABSOLUTE | JM_IP_PHASE), jm_msg(0x40, 3),
                          jm_word(JM_TAG_MSG, 3u << 30 | 1 << 10 | 2)});
}

Test(assembler_data, text) {
    check_text(" .ascii \"a;\\n\", \"\\x41\\\"\"\n .asciz \"b\"", 7,
               (JmWord[]){I('a'), I(';'), I('\n'), I('A'), I('"'), I('b'), I(0)});
}

Test(assembler_data, escapes) {
    check_text(" .ascii \"\\n\\t\\r\\0\\a\\e\\\\\\\"\\'\\xfE\\x05\"\n"
               " .word '\\a', '\\e', '\\'', '\\x7f'\n",
               15,
               (JmWord[]){I(10), I(9), I(13), I(0), I(7), I(27), I('\\'), I('"'),
                          I('\''), I(0xFE), I(5), I(7), I(27), I('\''), I(0x7F)});
}

Test(assembler_data, space) {
    check_text(" .space 2\n .space 2, TAG9:1\n .space 0\n .space 1, 7", 5,
               (JmWord[]){JM_NIL, JM_NIL, jm_word(JM_TAG_TAG9, 1),
                          jm_word(JM_TAG_TAG9, 1), I(7)});
}

Test(assembler_data, fields_are_relocated_against_their_label) {
    static const struct {
        const char *source;
        AsmObjectRelocType type;
        const char *symbol;
        int64_t addend;
    } rows[] = {{" .word here+1\n nop\nhere:", ASM_OBJECT_RELOC_DATA32, "here", 1},
                {" .addr 1+here, 2\nhere:", ASM_OBJECT_RELOC_FIELD20, "here", 1},
                {" .ip here-1\nhere:", ASM_OBJECT_RELOC_FIELD20, "here", -1},
                {" .msg here, 2\nhere:", ASM_OBJECT_RELOC_FIELD20, "here", 0},
                {" .extern n\n .addr 1, n+3", ASM_OBJECT_RELOC_FIELD10, "n", 3},
                {" .extern n\n .msg 1, n", ASM_OBJECT_RELOC_FIELD10, "n", 0},
                {" .global n\n .word SYM:n", ASM_OBJECT_RELOC_DATA32, "n", 0},
                {"here: nop\n .ip 1f\n 1:", ASM_OBJECT_RELOC_FIELD20, "here", 2},
                {" nop\n .word .", ASM_OBJECT_RELOC_DATA32, "begin.text", 1},
                {" .equ x, y+1\n .equ y, here+1\n .word x\nhere:",
                 ASM_OBJECT_RELOC_DATA32, "here", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AsmObject *object = assembled(rows[i].source);
        const AsmObjectReloc *reloc = only_reloc(object);
        cr_assert_eq(reloc->type, rows[i].type, "%s", rows[i].source);
        cr_assert_str_eq(object->symbols[reloc->symbol].name, rows[i].symbol, "%s",
                         rows[i].source);
        cr_assert_eq(reloc->addend, rows[i].addend, "%s", rows[i].source);
        cr_assert_str_eq(object->files[reloc->file], "t.s");
        asm_object_free(object);
    }
}

Test(assembler_data, the_location_counter) {
    AsmObject *object =
        assembled("s: nop\n nop\n nop\n .word .-s, $-s\n nop\n .equ n, .-s\n br ^.\n"
                  " .word n\n");
    cr_assert(jm_same(word_of(object, ".text", 2), I(2)));
    cr_assert(jm_same(word_of(object, ".text", 3), I(3)));
    cr_assert_eq(jm_decode(jm_instruction(word_of(object, ".text", 4), 1)).value, -1);
    cr_assert(jm_same(word_of(object, ".text", 5), I(5)));
    asm_object_free(object);
}

Test(assembler_data, label_differences_are_numbers) {
    AsmObject *object =
        assembled("a: .space 5\nc: .word c-a, (c-a)*2, c>a, later-c\nlater:");
    cr_assert_eq(object->reloc_count, 0);
    cr_assert(jm_same(word_of(object, ".text", 5), I(5)));
    cr_assert(jm_same(word_of(object, ".text", 6), I(10)));
    cr_assert(jm_same(word_of(object, ".text", 7), I(1)));
    cr_assert(jm_same(word_of(object, ".text", 8), I(4)));
    asm_object_free(object);
}

/* The section of an object by name. */
static const AsmObjectSection *section(const AsmObject *object, const char *name) {
    for (int i = 0; i < object->section_count; i++)
        if (strcmp(object->sections[i].name, name) == 0)
            return &object->sections[i];
    cr_assert_fail("no section %s", name);
    return NULL;
}

Test(assembler_data, sections) {
    AsmObject *object = assembled(
        " nop\n .data\n .word 1\n .rom\n nop\n .ext\n nop\n .vectors\n .word 2\n"
        " .section mine, external, fill\n .space 100\n .section \"two words\"\n .word "
        "3\n"
        " .section hot, onchip, code\n nop\n .section v, vectors\n .word 4\n"
        " .text\n suspend\n");
    static const struct {
        const char *name;
        AsmObjectPlace place;
        bool code, fill;
        uint32_t size;
    } rows[] = {{".text", ASM_OBJECT_PLACE_ONCHIP, true, false, 2},
                {".data", ASM_OBJECT_PLACE_ONCHIP, false, false, 1},
                {".rom", ASM_OBJECT_PLACE_ROM, true, false, 1},
                {".ext", ASM_OBJECT_PLACE_EXTERNAL, true, false, 1},
                {".vectors", ASM_OBJECT_PLACE_VECTORS, false, false, 1},
                {"mine", ASM_OBJECT_PLACE_EXTERNAL, false, true, 100},
                {"two words", ASM_OBJECT_PLACE_ONCHIP, false, false, 1},
                {"hot", ASM_OBJECT_PLACE_ONCHIP, true, false, 1},
                {"v", ASM_OBJECT_PLACE_VECTORS, false, false, 1}};
    cr_assert_eq(object->section_count, 9);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const AsmObjectSection *found = section(object, rows[i].name);
        cr_assert_eq(found->place, rows[i].place, "%s", rows[i].name);
        cr_assert_eq(found->code, rows[i].code, "%s", rows[i].name);
        cr_assert_eq(found->fill, rows[i].fill, "%s", rows[i].name);
        cr_assert_eq(found->size, rows[i].size, "%s", rows[i].name);
        cr_assert_eq(found->address, ASM_OBJECT_NO_ADDRESS);
    }
    asm_object_free(object);
}

/* Attributes of a section persist when it is re-entered, empty or not. */
Test(assembler_data, sections_entered_again) {
    static const char *const between[] = {"", " .space 1\n", "here:\n"};
    for (size_t i = 0; i < sizeof between / sizeof *between; i++) {
        char source[256];
        snprintf(source, sizeof source,
                 " .section s, external, fill\n%s .text\n nop\n .section s\n"
                 " .space 5\n .section t, rom, code\n .data\n .section t\n nop\n",
                 between[i]);
        AsmObject *object = assembled(source);
        cr_expect_eq(section(object, "s")->place, ASM_OBJECT_PLACE_EXTERNAL);
        cr_expect(section(object, "s")->fill);
        cr_expect_eq(section(object, "t")->place, ASM_OBJECT_PLACE_ROM);
        cr_expect(section(object, "t")->code);
        asm_object_free(object);
    }
    check_message(" .section s, onchip, fill\n .data\n .section s\n .word 1\n",
                  "t.s:4:2: error: section 's' has no contents");
}

/* An .org to the current place adds no words. */
Test(assembler_data, org_and_align) {
    AsmObject *object = assembled(
        " .data\n .org 0x123\nd: .word 1\n .align 8\n .word 2\n"
        " .org 0x130\n .org 0x130\n .word d>>4\n .text\n nop\n .align 4\n nop");
    cr_assert_eq(section(object, ".data")->address, 0x123);
    cr_assert_eq(section(object, ".data")->size, 0xE);
    cr_assert(jm_same(word_of(object, ".data", 1), JM_NIL));
    cr_assert(jm_same(word_of(object, ".data", 5), I(2)));
    cr_assert(jm_same(word_of(object, ".data", 13), I(0x12)));
    cr_assert_eq(section(object, ".text")->align, 4);
    cr_assert_eq(section(object, ".text")->size, 5);
    cr_assert(jm_same(word_of(object, ".text", 3), NOPS));
    asm_object_free(object);
}

Test(assembler_data, symbols) {
    AsmObject *object =
        assembled(" .global g, c\n .extern unused\ng: nop\n.l: nop\n1: nop\n"
                  "h: nop\n.l: nop\nc = 5\n .set s, 1\n .set s, s+1\n");
    static const struct {
        const char *name;
        int section;
        int64_t value;
        bool global;
        int line;
    } rows[] = {{"g", 0, 0, true, 3},
                {"g.l", 0, 1, false, 4},
                {"h", 0, 3, false, 6},
                {"h.l", 0, 4, false, 7},
                {"c", ASM_OBJECT_ABSOLUTE, 5, true, 8},
                {"s", ASM_OBJECT_ABSOLUTE, 2, false, 10}};
    cr_assert_eq(object->symbol_count, 6);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const AsmObjectSymbol *symbol = asm_object_symbol(object, rows[i].name);
        cr_assert_not_null(symbol, "%s", rows[i].name);
        cr_assert_eq(symbol->section, rows[i].section, "%s", rows[i].name);
        cr_assert_eq(symbol->value, rows[i].value, "%s", rows[i].name);
        cr_assert_eq(symbol->global, rows[i].global, "%s", rows[i].name);
        cr_assert_eq(symbol->line, rows[i].line, "%s", rows[i].name);
        cr_assert_str_eq(symbol->file, "t.s");
    }
    asm_object_free(object);
}

/* One row for each line, and for each round of a repeat; the row of an instruction in a
 * low half follows one for its word, which may be the end of the row before. */
Test(assembler_data, line_table) {
    AsmObject *source = assembled("\n nop\n nop\n nop\n .data\n .word 1,2\n .word 3\n"
                                  " .text\n suspend\n nop\n nop\n nop\n"
                                  " .rept 3\n nop\n .endr\n"
                                  " .macro two\n nop\n nop\n .endm\n two\n nop\n");
    AsmObject *object = through_file(source);
    asm_object_free(source);
    static const AsmObjectLine rows[] = {
        {0, 0, 0, 2, false, false}, {0, 0, 0, 3, true, false},
        {0, 1, 0, 4, false, false}, {0, 2, 0, 9, false, false},
        {0, 2, 0, 10, true, false}, {0, 3, 0, 11, false, false},
        {0, 3, 0, 12, true, false}, {0, 4, 0, 14, false, false},
        {0, 4, 0, 14, true, false}, {0, 5, 0, 14, false, false},
        {0, 5, 0, 20, true, false}, {0, 6, 0, 20, false, true},
        {0, 6, 0, 21, true, false}, {1, 0, 0, 6, false, false},
        {1, 2, 0, 7, false, false}};
    const int count = sizeof rows / sizeof *rows;
    cr_assert_eq(object->line_count, count);
    for (int i = 0; i < count; i++) {
        cr_expect_eq(object->lines[i].section, rows[i].section, "row %d", i);
        cr_expect_eq(object->lines[i].offset, rows[i].offset, "row %d", i);
        cr_expect_eq(object->lines[i].line, rows[i].line, "row %d", i);
        cr_expect_eq(object->lines[i].low, rows[i].low, "row %d", i);
        cr_expect_eq(object->lines[i].goes_on, rows[i].goes_on, "row %d", i);
    }
    cr_assert_str_eq(object->files[0], "t.s");
    asm_object_free(object);
}

/* Line ends of other systems, a missing last line end, an empty file. */
Test(assembler_data, ends_of_lines) {
    check_text(" .word 1\r\n .word 2\r\n\r\n .word 3", 3, (JmWord[]){I(1), I(2), I(3)});
    AsmObject *object = assembled("");
    cr_assert_eq(object->section_count, 0);
    asm_object_free(object);
}

Test(assembler_data, letters_may_be_symbols_as_well) {
    AsmObject *object = assembled("b: br ^b\n .equ Q, 3\n add r0,(Q),r0\n move b'p,r0");
    cr_assert_eq(object->reloc_count, 0);
    asm_object_free(object);
    check_message(" .equ q, 1\n move q,r0",
                  "t.s:2:7: error: 'q' is a register and a symbol");
    check_message(" move i,r0\ni: nop",
                  "t.s:2:1: error: 'i' stood for the register before");
}
