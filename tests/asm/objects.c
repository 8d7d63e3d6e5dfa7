#include "tests/asm/objects.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm/objects/bytes.h"
#include "emu/isa/isa.h"

static void set_place(AsmObjectSymbol *symbol, const char *file, int line) {
    symbol->file = strdup(file);
    symbol->line = line;
}

uint32_t append_word(AsmObject *object, int section, JmWord word) {
    AsmObjectSection *into = &object->sections[section];
    into->words = realloc(into->words, (into->size + 1) * sizeof word);
    into->words[into->size] = word;
    return into->size++;
}

static void add_words(AsmObject *object, int section, int count) {
    for (int i = 0; i < count; i++)
        append_word(object, section, jm_word((unsigned)i % 16, (uint32_t)-i));
}

/* One relocation of each type, at the words they are for. */
static void add_relocs(AsmObject *object, int section, int file) {
    const JmWord branch =
        jm_instruction_word(JM_OP_BR << 11 | 0x20, JM_OP_BR << 11 | 0x20);
    const JmWord load =
        jm_instruction_word(JM_OP_READ << 11 | 0x41, JM_OP_READ << 11 | 0x41);
    const JmWord words[ASM_OBJECT_RELOC_COUNT] = {
        jm_int(0), jm_int(0), jm_addr(0, 0), jm_addr(0, 0), branch,
        branch,    load,      load,          branch,        branch,
    };
    for (int type = 0; type < ASM_OBJECT_RELOC_COUNT; type++) {
        const uint32_t at = append_word(object, section, words[type]);
        asm_object_add_reloc(object,
                             (AsmObjectReloc){.section = section,
                                              .offset = at,
                                              .type = (AsmObjectRelocType)type,
                                              .symbol = type % 3,
                                              .addend = type - 3,
                                              .file = type % 2 ? file : -1,
                                              .line = type % 2 ? 10 + type : 0});
    }
}

AsmObject *sample_object(void) {
    AsmObject *object = asm_object_new();
    const int code =
        asm_object_add_section(object, "code", ASM_OBJECT_PLACE_ONCHIP, true);
    const int rom = asm_object_add_section(object, "rom", ASM_OBJECT_PLACE_ROM, true);
    const int vectors =
        asm_object_add_section(object, "vectors", ASM_OBJECT_PLACE_VECTORS, false);
    const int bss =
        asm_object_add_section(object, "bss", ASM_OBJECT_PLACE_EXTERNAL, false);
    object->sections[vectors].address = 0x40;
    object->sections[rom].align = 16;
    object->sections[bss].fill = true;
    object->sections[bss].size = 300;
    add_words(object, code, 9);
    add_words(object, rom, 33);
    add_words(object, vectors, 5);

    asm_object_add_symbol(object, "elsewhere", ASM_OBJECT_UNDEFINED, 0, true);
    asm_object_add_symbol(object, "start", code, 2, true);
    asm_object_add_symbol(object, ".loop", code, 3, false);
    asm_object_add_symbol(object, "limit", ASM_OBJECT_ABSOLUTE, -12, true);
    asm_object_add_symbol(object, "before", bss, -4, false);
    asm_object_add_symbol(object, "end", bss, 300, false);
    const int file = asm_object_add_file(object, "a.s");
    const int included = asm_object_add_file(object, "include/b.inc");
    set_place(&object->symbols[0], "a.s", 7);
    set_place(&object->symbols[2], "include/b.inc", 70000);
    add_relocs(object, code, included);
    add_relocs(object, rom, file);
    AsmObjectAssert assert = {ASM_OBJECT_NE,   -70000,       3,
                              .text = "apart", .file = file, .line = 9};
    assert.term[0] = (AsmObjectTerm){1, false};
    assert.term[1] = (AsmObjectTerm){5, true};
    assert.term[2] = (AsmObjectTerm){0, false};
    asm_object_add_assert(object, &assert);
    assert =
        (AsmObjectAssert){ASM_OBJECT_GT, INT32_MAX, 1, .text = "", .file = included};
    assert.term[0].symbol = 4;
    asm_object_add_assert(object, &assert);
    asm_object_add_line(object, (AsmObjectLine){code, 0, file, 3, false, false});
    asm_object_add_line(object,
                        (AsmObjectLine){code, 4, included, 70000, false, false});
    asm_object_add_line(object, (AsmObjectLine){rom, 2, file, 4, false, false});
    return object;
}

AsmObject *sample_image(void) {
    AsmObject *image = asm_object_new();
    image->image = true;
    const int data =
        asm_object_add_section(image, "data", ASM_OBJECT_PLACE_EXTERNAL, false);
    const int code =
        asm_object_add_section(image, "code", ASM_OBJECT_PLACE_ONCHIP, true);
    image->sections[data].address = 0x2000;
    image->sections[code].address = 0x100;
    add_words(image, code, 8);
    add_words(image, data, 8);
    asm_object_add_symbol(image, "twice", data, 0x2002, false);
    asm_object_add_symbol(image, "twice", data, 0x2004, true);
    asm_object_add_symbol(image, "start", code, 0x100, true);
    asm_object_add_symbol(image, "answer", ASM_OBJECT_ABSOLUTE, 0x101, true);
    const int file = asm_object_add_file(image, "a.s");
    asm_object_add_line(image, (AsmObjectLine){code, 0, file, 3, false, false});
    asm_object_add_line(image, (AsmObjectLine){code, 2, file, 9, false, false});
    asm_object_add_line(image, (AsmObjectLine){code, 3, file, 0, false, false});
    return image;
}

const char *scratch_path(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "/tmp/jm-test-%ld-%s", (long)getpid(), name);
    return path;
}

unsigned char *file_bytes(const AsmObject *object, size_t *size) {
    const char *path = scratch_path("bytes.o");
    JmError error;
    cr_assert(asm_object_write(object, path, &error), "%s", error.text);
    unsigned char *bytes = asm_bytes_read(path, size, &error);
    cr_assert_not_null(bytes);
    unlink(path);
    return bytes;
}

AsmObject *through_file(const AsmObject *object) {
    size_t size;
    JmError error;
    unsigned char *bytes = file_bytes(object, &size);
    AsmObject *again = asm_object_read_memory(bytes, size, "again", &error);
    cr_assert_not_null(again, "%s at %ld", error.text, (long)error.offset);
    free(bytes);
    return again;
}

static void same_section(const AsmObjectSection *a, const AsmObjectSection *b) {
    cr_expect_str_eq(a->name, b->name);
    cr_expect_eq(a->place, b->place);
    cr_expect_eq(a->code, b->code);
    cr_expect_eq(a->fill, b->fill);
    cr_expect_eq(a->address, b->address);
    cr_expect_eq(a->align, b->align);
    cr_assert_eq(a->size, b->size);
    for (uint32_t i = 0; !a->fill && i < a->size; i++)
        cr_expect(jm_same(a->words[i], b->words[i]), "%s word %u", a->name, i);
}

static void same_symbol(const AsmObjectSymbol *a, const AsmObjectSymbol *b) {
    cr_expect_str_eq(a->name, b->name);
    cr_expect_eq(a->section, b->section);
    cr_expect_eq(a->value, b->value);
    cr_expect_eq(a->global, b->global);
    cr_expect_eq(a->line, b->line);
    cr_assert_eq(!a->file, !b->file);
    if (a->file)
        cr_expect_str_eq(a->file, b->file);
}

static void same_reloc(const AsmObject *a, const AsmObject *b, int i) {
    const AsmObjectReloc *x = &a->relocs[i], *y = &b->relocs[i];
    cr_expect_eq(x->section, y->section);
    cr_expect_eq(x->offset, y->offset);
    cr_expect_eq(x->type, y->type);
    cr_expect_eq(x->addend, y->addend);
    cr_expect_eq(x->file, y->file);
    cr_expect_eq(x->line, y->line);
    cr_expect_str_eq(a->symbols[x->symbol].name, b->symbols[y->symbol].name);
}

static void same_assert(const AsmObject *a, const AsmObject *b, int i) {
    const AsmObjectAssert *x = &a->asserts[i], *y = &b->asserts[i];
    cr_expect_eq(x->compare, y->compare);
    cr_expect_eq(x->number, y->number);
    cr_expect_eq(x->file, y->file);
    cr_expect_eq(x->line, y->line);
    cr_expect_str_eq(x->text, y->text);
    cr_assert_eq(x->terms, y->terms);
    for (int k = 0; k < x->terms; k++) {
        cr_expect_eq(x->term[k].minus, y->term[k].minus);
        cr_expect_str_eq(a->symbols[x->term[k].symbol].name,
                         b->symbols[y->term[k].symbol].name);
    }
}

static void same_line(const AsmObjectLine *a, const AsmObjectLine *b) {
    cr_expect_eq(a->section, b->section);
    cr_expect_eq(a->offset, b->offset);
    cr_expect_eq(a->file, b->file);
    cr_expect_eq(a->line, b->line);
    cr_expect_eq(a->low, b->low);
}

void same_object(const AsmObject *a, const AsmObject *b) {
    cr_assert_eq(a->section_count, b->section_count);
    cr_assert_eq(a->symbol_count, b->symbol_count);
    cr_assert_eq(a->reloc_count, b->reloc_count);
    cr_assert_eq(a->line_count, b->line_count);
    cr_assert_eq(a->file_count, b->file_count);
    cr_assert_eq(a->assert_count, b->assert_count);
    for (int i = 0; i < a->assert_count; i++)
        same_assert(a, b, i);
    for (int i = 0; i < a->section_count; i++)
        same_section(&a->sections[i], &b->sections[i]);
    for (int i = 0; i < a->reloc_count; i++)
        same_reloc(a, b, i);
    for (int i = 0; i < a->file_count; i++)
        cr_expect_str_eq(a->files[i], b->files[i]);
    for (int i = 0; i < a->line_count; i++)
        same_line(&a->lines[i], &b->lines[i]);
    int next[2] = {0, 0}; /* locals and globals keep their order among themselves */
    for (int i = 0; i < a->symbol_count; i++) {
        int *j = &next[a->symbols[i].global];
        while (*j < b->symbol_count && b->symbols[*j].global != a->symbols[i].global)
            ++*j;
        cr_assert_lt(*j, b->symbol_count);
        same_symbol(&a->symbols[i], &b->symbols[(*j)++]);
    }
}
