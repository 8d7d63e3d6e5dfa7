#include "tests/asm/objects.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/core/outfile.h"
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

void *file_bytes(const AsmObject *object, size_t *size) {
    JmError error;
    void *bytes = asm_object_bytes(object, "bytes.o", size, &error);
    cr_assert_not_null(bytes, "%s", error.text);
    return bytes;
}

void write_object(const AsmObject *object, const char *path) {
    size_t size;
    JmError error;
    void *bytes = file_bytes(object, &size);
    cr_assert(jm_outfile_write(path, bytes, size, NULL, &error), "%s", error.text);
    free(bytes);
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

static void put_section(FILE *out, const AsmObjectSection *s) {
    fprintf(out, "section %s place %d code %d fill %d address %lld align %u size %u",
            s->name, (int)s->place, s->code, s->fill, (long long)s->address, s->align,
            s->size);
    for (uint32_t i = 0; !s->fill && i < s->size; i++)
        fprintf(out, " %llx", (unsigned long long)s->words[i].bits);
    fputc('\n', out);
}

static void put_symbol(FILE *out, const AsmObjectSymbol *s) {
    fprintf(out, "symbol %s section %d value %lld global %d place %s:%d\n", s->name,
            s->section, (long long)s->value, s->global, s->file ? s->file : "none",
            s->line);
}

static void put_reloc(FILE *out, const AsmObject *object, const AsmObjectReloc *r) {
    fprintf(out, "reloc %d+%u type %d symbol %s%+lld place %d:%d\n", r->section,
            r->offset, (int)r->type, object->symbols[r->symbol].name,
            (long long)r->addend, r->file, r->line);
}

static void put_assert(FILE *out, const AsmObject *object, const AsmObjectAssert *a) {
    fprintf(out, "assert %d %lld place %d:%d '%s'", (int)a->compare,
            (long long)a->number, a->file, a->line, a->text);
    for (int i = 0; i < a->terms; i++)
        fprintf(out, " %c%s", a->term[i].minus ? '-' : '+',
                object->symbols[a->term[i].symbol].name);
    fputc('\n', out);
}

/* All of an object as text, local symbols before global ones. */
static char *description(const AsmObject *object) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "image %d\n", object->image);
    for (int i = 0; i < object->section_count; i++)
        put_section(out, &object->sections[i]);
    for (int i = 0; i < 2 * object->symbol_count; i++) {
        const AsmObjectSymbol *s = &object->symbols[i % object->symbol_count];
        if (s->global == (i >= object->symbol_count))
            put_symbol(out, s);
    }
    for (int i = 0; i < object->reloc_count; i++)
        put_reloc(out, object, &object->relocs[i]);
    for (int i = 0; i < object->assert_count; i++)
        put_assert(out, object, &object->asserts[i]);
    for (int i = 0; i < object->file_count; i++)
        fprintf(out, "file %s\n", object->files[i]);
    for (int i = 0; i < object->line_count; i++) {
        const AsmObjectLine *l = &object->lines[i];
        fprintf(out, "line %d+%u low %d goes on %d place %d:%d\n", l->section,
                l->offset, l->low, l->goes_on, l->file, l->line);
    }
    fclose(out);
    return text;
}

void same_object(const AsmObject *a, const AsmObject *b) {
    char *one = description(a), *other = description(b);
    cr_expect_str_eq(one, other);
    free(one);
    free(other);
}
