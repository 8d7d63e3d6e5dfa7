#include "tests/asm/objects.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm/objects/bytes.h"
#include "emu/isa/isa.h"

static void set_place(ObjectSymbol *symbol, const char *file, int line) {
    symbol->file = strdup(file);
    symbol->line = line;
}

static void add_words(Object *object, int section, int count) {
    for (int i = 0; i < count; i++)
        object_append_word(object, section, jm_word((unsigned)i % 16, (uint32_t)-i));
}

/* One relocation of each type, at the words they are for. */
static void add_relocs(Object *object, int section, int file) {
    const JmWord branch =
        jm_instruction_word(JM_OP_BR << 11 | 0x20, JM_OP_BR << 11 | 0x20);
    const JmWord load =
        jm_instruction_word(JM_OP_READ << 11 | 0x41, JM_OP_READ << 11 | 0x41);
    const JmWord words[OBJECT_RELOC_COUNT] = {
        jm_int(0), jm_int(0), jm_addr(0, 0), jm_addr(0, 0), branch,
        branch,    load,      load,          branch,        branch,
    };
    for (int type = 0; type < OBJECT_RELOC_COUNT; type++) {
        const uint32_t at = object_append_word(object, section, words[type]);
        object_add_reloc(object, (ObjectReloc){.section = section,
                                               .offset = at,
                                               .type = (ObjectRelocType)type,
                                               .symbol = type % 3,
                                               .addend = type - 3,
                                               .file = type % 2 ? file : -1,
                                               .line = type % 2 ? 10 + type : 0});
    }
}

Object *sample_object(void) {
    Object *object = object_new();
    const int code = object_add_section(object, "code", OBJECT_PLACE_ONCHIP, true);
    const int rom = object_add_section(object, "rom", OBJECT_PLACE_ROM, true);
    const int vectors =
        object_add_section(object, "vectors", OBJECT_PLACE_VECTORS, false);
    const int bss = object_add_section(object, "bss", OBJECT_PLACE_EXTERNAL, false);
    object->sections[vectors].address = 0x40;
    object->sections[rom].align = 16;
    object->sections[bss].fill = true;
    object->sections[bss].size = 300;
    add_words(object, code, 9);
    add_words(object, rom, 33);
    add_words(object, vectors, 5);

    object_add_symbol(object, "elsewhere", OBJECT_UNDEFINED, 0, true);
    object_add_symbol(object, "start", code, 2, true);
    object_add_symbol(object, ".loop", code, 3, false);
    object_add_symbol(object, "limit", OBJECT_ABSOLUTE, -12, true);
    object_add_symbol(object, "before", bss, -4, false);
    object_add_symbol(object, "end", bss, 300, false);
    const int file = object_add_file(object, "a.s");
    const int included = object_add_file(object, "include/b.inc");
    set_place(&object->symbols[0], "a.s", 7);
    set_place(&object->symbols[2], "include/b.inc", 70000);
    add_relocs(object, code, included);
    add_relocs(object, rom, file);
    object_add_line(object, (ObjectLine){code, 0, file, 3, false});
    object_add_line(object, (ObjectLine){code, 4, included, 70000, false});
    object_add_line(object, (ObjectLine){rom, 2, file, 4, false});
    return object;
}

Object *sample_image(void) {
    Object *image = object_new();
    image->image = true;
    const int data = object_add_section(image, "data", OBJECT_PLACE_EXTERNAL, false);
    const int code = object_add_section(image, "code", OBJECT_PLACE_ONCHIP, true);
    image->sections[data].address = 0x2000;
    image->sections[code].address = 0x100;
    add_words(image, code, 8);
    add_words(image, data, 8);
    object_add_symbol(image, "twice", data, 0x2002, false);
    object_add_symbol(image, "twice", data, 0x2004, true);
    object_add_symbol(image, "start", code, 0x100, true);
    object_add_symbol(image, "answer", OBJECT_ABSOLUTE, 0x101, true);
    const int file = object_add_file(image, "a.s");
    object_add_line(image, (ObjectLine){code, 0, file, 3, false});
    object_add_line(image, (ObjectLine){code, 2, file, 9, false});
    object_add_line(image, (ObjectLine){code, 3, file, 0, false});
    return image;
}

const char *scratch_path(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "/tmp/jm-test-%ld-%s", (long)getpid(), name);
    return path;
}

unsigned char *file_bytes(const Object *object, size_t *size) {
    const char *path = scratch_path("bytes.o");
    JmError error;
    cr_assert(object_write(object, path, &error), "%s", error.text);
    unsigned char *bytes = bytes_read(path, size, &error);
    cr_assert_not_null(bytes);
    unlink(path);
    return bytes;
}

Object *through_file(const Object *object) {
    size_t size;
    JmError error;
    unsigned char *bytes = file_bytes(object, &size);
    Object *again = object_read_memory(bytes, size, "again", &error);
    cr_assert_not_null(again, "%s at %ld", error.text, (long)error.offset);
    free(bytes);
    return again;
}

static void same_section(const ObjectSection *a, const ObjectSection *b) {
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

static void same_symbol(const ObjectSymbol *a, const ObjectSymbol *b) {
    cr_expect_str_eq(a->name, b->name);
    cr_expect_eq(a->section, b->section);
    cr_expect_eq(a->value, b->value);
    cr_expect_eq(a->global, b->global);
    cr_expect_eq(a->line, b->line);
    cr_assert_eq(!a->file, !b->file);
    if (a->file)
        cr_expect_str_eq(a->file, b->file);
}

static void same_reloc(const Object *a, const Object *b, int i) {
    const ObjectReloc *x = &a->relocs[i], *y = &b->relocs[i];
    cr_expect_eq(x->section, y->section);
    cr_expect_eq(x->offset, y->offset);
    cr_expect_eq(x->type, y->type);
    cr_expect_eq(x->addend, y->addend);
    cr_expect_eq(x->file, y->file);
    cr_expect_eq(x->line, y->line);
    cr_expect_str_eq(a->symbols[x->symbol].name, b->symbols[y->symbol].name);
}

static void same_line(const ObjectLine *a, const ObjectLine *b) {
    cr_expect_eq(a->section, b->section);
    cr_expect_eq(a->offset, b->offset);
    cr_expect_eq(a->file, b->file);
    cr_expect_eq(a->line, b->line);
    cr_expect_eq(a->low, b->low);
}

void same_object(const Object *a, const Object *b) {
    cr_assert_eq(a->section_count, b->section_count);
    cr_assert_eq(a->symbol_count, b->symbol_count);
    cr_assert_eq(a->reloc_count, b->reloc_count);
    cr_assert_eq(a->line_count, b->line_count);
    cr_assert_eq(a->file_count, b->file_count);
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
