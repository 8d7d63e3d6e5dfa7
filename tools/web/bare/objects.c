/* Objects as bytes where there is no libelf: asm/objects/object.h, with a serial format
 * in place of ELF. The format is for one build of the machine alone, so it names no
 * version: the objects that come with it, and the programs inside saved machines.
 *
 *     4  magic
 *        arrays of the object in the order of AsmObject, each behind its count
 */
#include <stdlib.h>
#include <string.h>

#include "asm/objects/object.h"
#include "emu/core/archive.h"

enum { MAGIC_BYTES = 4, LINE_MAX = 0x7FFFFFFF };
static const char MAGIC[MAGIC_BYTES + 1] = "MDPO";

/* Signed numbers are saved one above a least value. */
static void archive_signed(Archive *a, int64_t *value, int64_t least, int64_t most) {
    uint64_t number = (uint64_t)(*value - least);
    jm_archive_u64(a, &number, (uint64_t)(most - least));
    *value = least + (int64_t)number;
}

static void archive_int(Archive *a, int *value, int least, int most) {
    int64_t number = *value;
    archive_signed(a, &number, least, most);
    *value = (int)number;
}

/* Makes room for `*count` items of an array, which a loading archive reads. */
static void *archive_items(Archive *a, void *items, int *count, size_t size) {
    uint32_t number = (uint32_t)*count;
    jm_archive_count(a, &number);
    if (!archive_good(a))
        number = 0;
    *count = (int)number;
    if (a->saving || !number)
        return items;
    items = calloc(number, size);
    if (!items)
        jm_archive_starve(a);
    if (!items)
        *count = 0;
    return items;
}

/* A text that may be NULL; a loaded one is freed with its object. */
static void archive_text(Archive *a, char **text) {
    bool there = *text != NULL;
    jm_archive_bool(a, &there);
    if (there)
        jm_archive_text(a, text);
}

static void archive_name(Archive *a, char **name) {
    archive_text(a, name);
    archive_demand(a, *name != NULL);
}

static void archive_section(Archive *a, AsmObjectSection *s) {
    uint8_t place = (uint8_t)s->place;
    int address = s->address;
    archive_name(a, &s->name);
    jm_archive_u8(a, &place, ASM_OBJECT_PLACE_EXTERNAL);
    jm_archive_bool(a, &s->code);
    jm_archive_bool(a, &s->fill);
    archive_int(a, &address, ASM_OBJECT_NO_ADDRESS, JM_ADDRESS_MASK);
    jm_archive_u32(a, &s->align, ASM_OBJECT_WORDS_MAX);
    jm_archive_u32(a, &s->size, ASM_OBJECT_WORDS_MAX);
    s->place = (AsmObjectPlace)place;
    s->address = address;
    archive_demand(a, s->align && !(s->align & (s->align - 1)));
    if (s->fill || !s->size || !archive_good(a))
        return;
    if (!a->saving && archive_demand(a, s->size <= (size_t)(a->end - a->at)))
        s->words = calloc(s->size, sizeof *s->words);
    if (!s->words)
        jm_archive_starve(a);
    for (uint32_t i = 0; i < s->size && archive_good(a); i++)
        jm_archive_word(a, &s->words[i]);
}

static void archive_symbol(Archive *a, AsmObjectSymbol *s, int sections) {
    archive_name(a, &s->name);
    archive_int(a, &s->section, ASM_OBJECT_ABSOLUTE, sections - 1);
    archive_signed(a, &s->value, INT64_MIN / 2, INT64_MAX / 2);
    jm_archive_bool(a, &s->global);
    archive_text(a, &s->file);
    archive_int(a, &s->line, 0, LINE_MAX);
    if (s->section >= 0)
        archive_demand(a, s->value >= -ASM_OBJECT_VALUE_MAX &&
                              s->value <= ASM_OBJECT_VALUE_MAX);
}

static void archive_assert(Archive *a, AsmObjectAssert *s, const AsmObject *object) {
    uint8_t compare = (uint8_t)s->compare;
    jm_archive_u8(a, &compare, ASM_OBJECT_COMPARE_COUNT - 1);
    archive_signed(a, &s->number, INT32_MIN, INT32_MAX);
    archive_int(a, &s->terms, 0, ASM_OBJECT_TERMS);
    for (int i = 0; i < s->terms && archive_good(a); i++) {
        archive_int(a, &s->term[i].symbol, 0, object->symbol_count - 1);
        jm_archive_bool(a, &s->term[i].minus);
    }
    archive_name(a, &s->text);
    archive_int(a, &s->file, 0, object->file_count - 1);
    archive_int(a, &s->line, 0, LINE_MAX);
    s->compare = (AsmObjectCompare)compare;
}

static void archive_reloc(Archive *a, AsmObjectReloc *r, const AsmObject *object) {
    uint8_t type = (uint8_t)r->type;
    archive_int(a, &r->section, 0, object->section_count - 1);
    jm_archive_u32(a, &r->offset, ASM_OBJECT_WORDS_MAX);
    jm_archive_u8(a, &type, ASM_OBJECT_RELOC_COUNT - 1);
    archive_int(a, &r->symbol, 0, object->symbol_count - 1);
    archive_signed(a, &r->addend, INT64_MIN / 2, INT64_MAX / 2);
    archive_int(a, &r->file, -1, object->file_count - 1);
    archive_int(a, &r->line, 0, LINE_MAX);
    r->type = (AsmObjectRelocType)type;
    if (archive_good(a))
        archive_demand(a, r->offset < object->sections[r->section].size);
}

static void archive_line(Archive *a, AsmObjectLine *l, const AsmObject *object) {
    archive_int(a, &l->section, 0, object->section_count - 1);
    jm_archive_u32(a, &l->offset, ASM_OBJECT_WORDS_MAX);
    archive_int(a, &l->file, -1, object->file_count - 1);
    archive_int(a, &l->line, 0, LINE_MAX);
    jm_archive_bool(a, &l->low);
    jm_archive_bool(a, &l->goes_on);
    if (archive_good(a))
        archive_demand(a, l->offset <= object->sections[l->section].size &&
                              (l->file >= 0 || l->line == 0));
}

/* Saves the object, or loads it into an empty one. */
static void archive_object(Archive *a, AsmObject *o) {
    jm_archive_bool(a, &o->image);
    o->files = archive_items(a, o->files, &o->file_count, sizeof *o->files);
    for (int i = 0; i < o->file_count && archive_good(a); i++)
        archive_name(a, &o->files[i]);
    o->sections = archive_items(a, o->sections, &o->section_count, sizeof *o->sections);
    for (int i = 0; i < o->section_count && archive_good(a); i++)
        archive_section(a, &o->sections[i]);
    o->symbols = archive_items(a, o->symbols, &o->symbol_count, sizeof *o->symbols);
    for (int i = 0; i < o->symbol_count && archive_good(a); i++)
        archive_symbol(a, &o->symbols[i], o->section_count);
    o->relocs = archive_items(a, o->relocs, &o->reloc_count, sizeof *o->relocs);
    for (int i = 0; i < o->reloc_count && archive_good(a); i++)
        archive_reloc(a, &o->relocs[i], o);
    o->asserts = archive_items(a, o->asserts, &o->assert_count, sizeof *o->asserts);
    for (int i = 0; i < o->assert_count && archive_good(a); i++)
        archive_assert(a, &o->asserts[i], o);
    o->lines = archive_items(a, o->lines, &o->line_count, sizeof *o->lines);
    for (int i = 0; i < o->line_count && archive_good(a); i++)
        archive_line(a, &o->lines[i], o);
}

bool asm_object_is_elf(const void *bytes, size_t size) {
    return size >= MAGIC_BYTES && memcmp(bytes, MAGIC, MAGIC_BYTES) == 0;
}

AsmObject *asm_object_read_memory(const void *bytes, size_t size, const char *name,
                                  JmError *error) {
    AsmObject *object = asm_object_new();
    if (!object) {
        jm_fail(error, name, "out of memory");
        return NULL;
    }
    Archive a = jm_archive_load(bytes, size);
    uint8_t magic[MAGIC_BYTES] = {0};
    jm_archive_block(&a, magic, MAGIC_BYTES);
    if (archive_demand(&a, memcmp(magic, MAGIC, MAGIC_BYTES) == 0))
        archive_object(&a, object);
    archive_demand(&a, a.at == a.end);
    if (archive_good(&a))
        return object;
    jm_fail(error, name,
            a.starved ? "out of memory" : "no object of this build of the machine");
    asm_object_free(object);
    return NULL;
}

/* Saving leaves the object as it is. */
void *asm_object_bytes(const AsmObject *object, const char *name, size_t *size,
                       JmError *error) {
    Archive a = jm_archive_save();
    AsmObject copy = *object;
    jm_archive_block(&a, (void *)MAGIC, MAGIC_BYTES);
    archive_object(&a, &copy);
    *size = a.size;
    if (archive_good(&a))
        return a.bytes;
    jm_fail(error, name,
            a.starved ? "out of memory" : "it has what no object can hold");
    jm_archive_free(&a);
    return NULL;
}
