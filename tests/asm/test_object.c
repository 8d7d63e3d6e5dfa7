/* Objects: building, round trip through ELF files, look-ups, relocation. */
#include "asm/objects/object.h"
#include "emu/isa/isa.h"
#include "tests/asm/assembling.h"
#include "tests/asm/objects.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An object comes back from a file, and what was read makes the same file. */
static void survives_a_file(AsmObject *object) {
    AsmObject *again = through_file(object);
    same_object(object, again);
    size_t size_a, size_b;
    unsigned char *a = file_bytes(object, &size_a), *b = file_bytes(again, &size_b);
    cr_assert_eq(size_a, size_b);
    cr_expect_eq(memcmp(a, b, size_a), 0);
    free(a);
    free(b);
    asm_object_free(object);
    asm_object_free(again);
}

Test(object, survives_a_file) {
    survives_a_file(sample_object());
    survives_a_file(sample_image());
}

Test(object, fill_takes_no_room_in_the_file) {
    AsmObject *object = asm_object_new();
    int section =
        asm_object_add_section(object, "bss", ASM_OBJECT_PLACE_EXTERNAL, false);
    object->sections[section].fill = true;
    object->sections[section].size = 100000;
    section = asm_object_add_section(object, "zero", ASM_OBJECT_PLACE_ONCHIP, false);
    for (int i = 0; i < 1000; i++)
        append_word(object, section, JM_NIL);
    size_t size;
    free(file_bytes(object, &size));
    cr_expect_lt(size, 1500u);
    AsmObject *again = through_file(object);
    cr_expect_eq(again->sections[0].size, 100000u);
    cr_expect_eq(again->sections[1].size, 1000u);
    cr_expect(again->sections[1].fill);
    asm_object_free(object);
    asm_object_free(again);
}

static void is_refused(const AsmObject *object, const char *why) {
    size_t size;
    JmError error;
    cr_expect_null(asm_object_bytes(object, "x.o", &size, &error));
    cr_expect_not_null(strstr(error.text, why), "%s", error.text);
}

Test(object, what_cannot_be_kept_is_refused) {
    AsmObject *object = sample_object();
    object->relocs[0].offset = 10000;
    is_refused(object, "patches no word");
    object->relocs[0].offset = 0;
    object->symbols[1].value = ASM_OBJECT_VALUE_MAX + 1;
    is_refused(object, "too far");
    object->symbols[1].value = 0;
    object->image = true; /* without addresses */
    is_refused(object, "no address");
    asm_object_free(object);
}

Test(object, files_that_cannot_be_read) {
    JmError error;
    cr_expect_null(asm_object_read_memory("", 0, "empty", &error));
    cr_expect_eq(error.offset, 0);
    cr_expect_not_null(strstr(error.text, "empty"));
    cr_expect_null(asm_object_read_memory("\177ELF", 4, "short", &error));
    cr_expect_eq(error.offset, 4);
    cr_expect_null(asm_object_read_memory("hello", 5, "text", NULL));
}

/* The last word of memory can be written and read back. */
Test(object, a_section_at_the_top_of_memory) {
    AsmObject *image = asm_object_new();
    image->image = true;
    asm_object_add_section(image, "top", ASM_OBJECT_PLACE_EXTERNAL, false);
    image->sections[0].address = JM_ADDRESS_MASK;
    append_word(image, 0, jm_int(5));
    survives_a_file(image);
}

/* A section may begin at address 0; one without an address holds none. */
Test(object, the_symbol_at_the_bottom_of_memory) {
    AsmObject *image = asm_object_new();
    image->image = true;
    asm_object_add_section(image, "nowhere", ASM_OBJECT_PLACE_ONCHIP, false);
    asm_object_add_section(image, "low", ASM_OBJECT_PLACE_ONCHIP, false);
    image->sections[1].address = 0;
    append_word(image, 0, JM_NIL);
    append_word(image, 1, JM_NIL);
    append_word(image, 1, JM_NIL);
    asm_object_add_symbol(image, "bottom", 1, 0, false);
    uint32_t offset = 99;
    const AsmObjectSymbol *symbol = asm_object_symbol_at(image, 0, &offset);
    cr_assert_not_null(symbol);
    cr_expect_eq(offset, 0u);
    symbol = asm_object_symbol_at(image, 1, &offset);
    cr_assert_not_null(symbol);
    cr_expect_eq(offset, 1u);
    cr_expect_null(asm_object_symbol_at(image, 2, &offset));
    asm_object_free(image);
}

Test(object, symbols_and_lines_of_an_image) {
    AsmObject *image = sample_image();
    uint32_t offset = 99;
    const AsmObjectSymbol *symbol = asm_object_symbol_at(image, 0x102, &offset);
    cr_assert_not_null(symbol);
    cr_expect_str_eq(symbol->name, "start");
    cr_expect_eq(offset, 2u);
    cr_expect_null(asm_object_symbol_at(image, 0xFFFFF, &offset));
    cr_expect_null(asm_object_symbol_at(image, 0x2000, &offset)); /* before the first */
    cr_expect_not_null(asm_object_symbol(image, "start"));
    cr_expect(asm_object_symbol(image, "twice")->global);
    cr_expect_null(asm_object_symbol(image, "nothing"));

    const char *file;
    int line;
    cr_assert(asm_object_line_at(image, 0x101, &file, &line));
    cr_expect_str_eq(file, "a.s");
    cr_expect_eq(line, 3);
    cr_assert(asm_object_line_at(image, 0x102, &file, &line));
    cr_expect_eq(line, 9);
    cr_expect_not(
        asm_object_line_at(image, 0x103, &file, &line)); /* line 0: not known */
    cr_expect_not(asm_object_line_at(image, 0x2001, &file, &line));
    cr_expect_not(asm_object_line_at(image, 0x8000, &file, &line));
    asm_object_free(image);
}

/* Of several names of a place: the first global one, or else the first. */
Test(object, the_symbol_of_a_place) {
    static const struct {
        bool global[2];
        const char *name;
    } rows[] = {{{false, false}, "first"},
                {{true, true}, "first"},
                {{true, false}, "first"},
                {{false, true}, "second"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AsmObject *image = sample_image();
        const int section = asm_object_symbol(image, "start")->section;
        asm_object_add_symbol(image, "first", section, 0x102, rows[i].global[0]);
        asm_object_add_symbol(image, "second", section, 0x102, rows[i].global[1]);
        cr_expect_str_eq(asm_object_symbol_at(image, 0x103, NULL)->name, rows[i].name,
                         "row %zu", i);
        asm_object_free(image);
    }
}

/* Relocations of two sections in turn: each keeps its own line. */
Test(object, places_of_relocations_survive_a_file) {
    AsmObject *object = assembled(" .extern a, b, c, d\n .word a\n .data\n .word 1\n"
                                  " .word b\n .text\n .word 2\n .word c\n .data\n"
                                  " .word d\n");
    AsmObject *again = through_file(object);
    static const int lines[] = {2, 5, 8, 10}; /* of a, b, c, d */
    cr_assert(again->reloc_count == 4);
    for (int i = 0; i < again->reloc_count; i++) {
        const AsmObjectReloc *reloc = &again->relocs[i];
        const char name = again->symbols[reloc->symbol].name[0];
        cr_expect_eq(reloc->line, lines[name - 'a'], "%c", name);
        cr_expect_str_eq(again->files[reloc->file], "t.s");
    }
    asm_object_free(object);
    asm_object_free(again);
}

/* Three sections side by side, lines only in the middle: none in front of the first
 * row, none of the section before. */
Test(object, lines_of_other_sections) {
    AsmObject *image = asm_object_new();
    image->image = true;
    for (int i = 0; i < 4; i++) {
        asm_object_add_section(image, (char[]){'a' + (char)i, 0},
                               ASM_OBJECT_PLACE_ONCHIP, i == 1);
        image->sections[i].address = i < 3 ? 0x100 + 2 * i : 0x200;
        for (int w = 0; i < 3 && w < 2; w++)
            append_word(image, i, JM_NIL);
    }
    asm_object_add_line(image, (AsmObjectLine){.section = 1,
                                               .offset = 0,
                                               .low = true,
                                               .file = asm_object_add_file(image, "f"),
                                               .line = 5});
    static const int lines[][2] = {{0, 0}, {0, 0}, {0, 5}, {5, 5}, {0, 0}, {0, 0}};
    for (uint32_t i = 0; i < 6; i++)
        for (int low = 0; low < 2; low++) {
            const char *file;
            int line = 0;
            const bool found =
                asm_object_instruction_line(image, 0x100 + i, low, &file, &line);
            cr_expect_eq(found, lines[i][low] > 0, "word %u, half %d", i, low);
            cr_expect_eq(line, lines[i][low], "word %u, half %d", i, low);
        }
    /* An object covers its words, and no address of an empty section. */
    static const uint32_t places[] = {0, 0xFF, 0x106, 0x200, 0xFFFFF};
    for (uint32_t i = 0x100; i < 0x106; i++)
        cr_expect(asm_object_covers(image, i), "%X", i);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        cr_expect_not(asm_object_covers(image, places[i]), "%X", places[i]);
    asm_object_free(image);
}

/* A file may be named by the last parts of its path. */
Test(object, names_of_files) {
    static const struct {
        const char *name, *file;
        bool is;
    } rows[] = {{"a.s", "a.s", true},           {"dir/a.s", "a.s", true},
                {"x/dir/a.s", "dir/a.s", true}, {"/a.s", "a.s", true},
                {"ba.s", "a.s", false},         {"x/ydir/a.s", "dir/a.s", false},
                {"a.s", "dir/a.s", false},      {"a.s", "b.s", false},
                {"a.sx", "a.s", false},         {"dir/a.s", "dir", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_expect_eq(
            asm_object_is_file(rows[i].name, rows[i].file, strlen(rows[i].file)),
            rows[i].is, "%s, %s", rows[i].name, rows[i].file);
    cr_expect(asm_object_is_file("dir/a.s", "a.s:12", 3));
}

/* ---- relocation ------------------------------------------------------------------ */

static const uint32_t add_imm = JM_OP_ADD << 11 | 0x20;
static const uint32_t move_imm = JM_OP_READ << 11 | 0x20;
static const uint32_t add_mem = JM_OP_ADD << 11 | 0x41;
static const uint32_t move_mem = JM_OP_READ << 11 | 0x41;
static const uint32_t br = JM_OP_BR << 11 | 0x20;
static const uint32_t nop = 0;

/* The range of each type: both ends, and nothing beyond, including where an end recurs
 * after that many bits. */
static void check_range(AsmObjectRelocType type, JmWord word, uint32_t place,
                        int64_t low, int64_t high) {
    const int64_t wraps[] = {1 << 5,  1 << 7,           1 << 10,
                             1 << 20, INT64_C(1) << 32, INT64_C(1) << 62};
    int64_t values[64] = {low, high, low - 1, high + 1, INT64_MIN, INT64_MAX};
    int count = 6;
    for (size_t i = 0; i < sizeof wraps / sizeof *wraps; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            values[count++] = low + sign * wraps[i];
            values[count++] = high + sign * wraps[i];
        }
    for (int i = 0; i < count; i++) {
        JmWord patched = word;
        JmError error = {.text = ""};
        const bool inside = values[i] >= low && values[i] <= high;
        cr_expect_eq(asm_object_relocate(&patched, type, values[i], place, &error),
                     inside, "type %d, value %lld: %s", (int)type, (long long)values[i],
                     error.text);
        cr_expect(inside == !error.text[0]);
        cr_expect(inside || jm_same(patched, word));
    }
}

/* A type without a row here fails. */
Test(relocate, ranges) {
    const struct {
        JmWord word;
        int64_t low, high;
        AsmObjectRelocType type;
    } rows[] = {
        {jm_int(0), INT32_MIN, UINT32_MAX, ASM_OBJECT_RELOC_DATA32},
        {jm_addr(0, 5), 0, 0xFFFFF, ASM_OBJECT_RELOC_FIELD20},
        {jm_ip(0, 0), 0, 0xFFFFF, ASM_OBJECT_RELOC_FIELD20},
        {jm_msg(0, 5), 0, 0xFFFFF, ASM_OBJECT_RELOC_FIELD20},
        {jm_addr(7, 0), 0, 1023, ASM_OBJECT_RELOC_FIELD10},
        {jm_msg(7, 1), 1, 1023, ASM_OBJECT_RELOC_FIELD10},
        {jm_instruction_word(add_imm, nop), -16, 15, ASM_OBJECT_RELOC_IMM_H},
        {jm_instruction_word(nop, add_imm), -16, 15, ASM_OBJECT_RELOC_IMM_L},
        {jm_instruction_word(move_imm, nop), -64, 63, ASM_OBJECT_RELOC_IMM_H},
        {jm_instruction_word(nop, move_imm), -64, 63, ASM_OBJECT_RELOC_IMM_L},
        {jm_instruction_word(add_mem, nop), 0, 15, ASM_OBJECT_RELOC_OFFSET_H},
        {jm_instruction_word(nop, add_mem), 0, 15, ASM_OBJECT_RELOC_OFFSET_L},
        {jm_instruction_word(move_mem, nop), 0, 63, ASM_OBJECT_RELOC_OFFSET_H},
        {jm_instruction_word(nop, move_mem), 0, 63, ASM_OBJECT_RELOC_OFFSET_L},
        {jm_instruction_word(br, nop), 0xFC1, 0x1040, ASM_OBJECT_RELOC_BRANCH_H},
        {jm_instruction_word(nop, br), 0xFC1, 0x1040, ASM_OBJECT_RELOC_BRANCH_L},
    };
    unsigned seen = 1u << ASM_OBJECT_RELOC_NONE;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_range(rows[i].type, rows[i].word, 0x1000, rows[i].low, rows[i].high);
        seen |= 1u << rows[i].type;
    }
    cr_expect_eq(seen, (1u << ASM_OBJECT_RELOC_COUNT) - 1);
}

/* The target of a branch near an end of memory, across the wrap: to all places so far,
 * and from each of them by the path that the machine takes. */
Test(relocate, branches_wrap) {
    static const uint32_t places[] = {0, 0x20, 0xFFFC0, 0xFFFFE, 0xFFFFF};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
        for (int distance = -70; distance <= 70; distance++)
            for (int beyond = -1; beyond <= 1; beyond++) {
                const uint32_t to =
                    (uint32_t)((int)places[p] + 1 + distance) & JM_ADDRESS_MASK;
                JmWord word = jm_instruction_word(br, br);
                const bool good = asm_object_relocate(
                    &word, ASM_OBJECT_RELOC_BRANCH_L,
                    to + beyond * (int64_t)(JM_ADDRESS_MASK + 1), places[p], NULL);
                cr_expect_eq(good, distance >= -64 && distance <= 63 && !beyond);
                cr_expect(!good ||
                          jm_decode(jm_instruction(word, 1)).value == distance);
            }
}
