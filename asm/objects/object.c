/* Objects in memory: building them, and looking up symbols and lines. */
#include "asm/objects/object.h"

#include "asm/objects/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *asm_object_place_name(AsmObjectPlace place) {
    static const char *const names[] = {[ASM_OBJECT_PLACE_VECTORS] = "vectors",
                                        [ASM_OBJECT_PLACE_ONCHIP] = "onchip",
                                        [ASM_OBJECT_PLACE_ROM] = "rom",
                                        [ASM_OBJECT_PLACE_EXTERNAL] = "external"};
    return names[place];
}

/* Returns an empty object that is not an image. */
AsmObject *asm_object_new(void) {
    return mem_alloc(sizeof(AsmObject));
}

/* The object owns all its strings: what is added is copied. */
void asm_object_free(AsmObject *object) {
    if (!object)
        return;
    for (int i = 0; i < object->section_count; i++) {
        free(object->sections[i].name);
        free(object->sections[i].words);
    }
    for (int i = 0; i < object->symbol_count; i++) {
        free(object->symbols[i].name);
        free(object->symbols[i].file);
    }
    for (int i = 0; i < object->file_count; i++)
        free(object->files[i]);
    for (int i = 0; i < object->part_count; i++)
        free(object->parts[i].object);
    free(object->sections);
    free(object->symbols);
    free(object->relocs);
    free(object->lines);
    free(object->files);
    free(object->parts);
    free(object);
}

/* Appends *item to the array `array` with `count` items of its type. */
#define APPEND(array, count, item)                                                     \
    ((array) = mem_grow((array), (size_t)(count), sizeof *(array)),                    \
     (array)[count] = (item), (count)++)

/* Address, alignment and fill have defaults that the caller may change afterwards. */
int asm_object_add_section(AsmObject *object, const char *name, AsmObjectPlace place,
                           bool code) {
    const AsmObjectSection section = {.name = mem_string(name, strlen(name)),
                                      .place = place,
                                      .code = code,
                                      .address = ASM_OBJECT_NO_ADDRESS,
                                      .align = 1};
    return APPEND(object->sections, object->section_count, section);
}

/* Its source place is set by callers that know it. */
int asm_object_add_symbol(AsmObject *object, const char *name, int section,
                          int64_t value, bool global) {
    const AsmObjectSymbol symbol = {.name = mem_string(name, strlen(name)),
                                    .section = section,
                                    .value = value,
                                    .global = global};
    return APPEND(object->symbols, object->symbol_count, symbol);
}

int asm_object_add_reloc(AsmObject *object, AsmObjectReloc reloc) {
    return APPEND(object->relocs, object->reloc_count, reloc);
}

/* Searches from the end, since successive lines mostly belong to the file added last.
 * Callers with many files keep their own map, as the linker does. */
int asm_object_add_file(AsmObject *object, const char *name) {
    for (int i = object->file_count - 1; i >= 0; i--) {
        if (strcmp(object->files[i], name) == 0)
            return i;
    }
    char *copy = mem_string(name, strlen(name));
    return APPEND(object->files, object->file_count, copy);
}

int asm_object_add_line(AsmObject *object, AsmObjectLine line) {
    return APPEND(object->lines, object->line_count, line);
}

/* Rows of no line (0) come first in their place: whoever looks a place up takes the
 * last row at or before it. */
static int compare_lines(const void *a, const void *b) {
    const AsmObjectLine *x = a, *y = b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    if (x->low != y->low)
        return x->low ? 1 : -1;
    return (x->line > y->line) - (x->line < y->line);
}

/* Does not call qsort with NULL: C leaves that undefined even for no items. */
void asm_object_sort_lines(AsmObjectLine *lines, int count) {
    if (count > 0)
        qsort(lines, (size_t)count, sizeof *lines, compare_lines);
}

int asm_object_add_part(AsmObject *object, AsmObjectPart part) {
    part.object = mem_string(part.object, strlen(part.object));
    return APPEND(object->parts, object->part_count, part);
}

/* The index stays valid, the pointer to the section does not: adding a section may
 * move them all. */
uint32_t asm_object_append_word(AsmObject *object, int section, JmWord word) {
    assert(section >= 0 && section < object->section_count);
    AsmObjectSection *into = &object->sections[section];
    if (into->fill) { /* it gets contents now */
        into->words = mem_alloc(mem_capacity(into->size) * sizeof *into->words);
        into->fill = false;
    }
    into->words = mem_grow(into->words, into->size, sizeof *into->words);
    into->words[into->size] = word;
    return into->size++;
}

typedef struct {
    int32_t address;
    int section;
} Placed;

/* In a wrong image sections may share an address; their numbers break the tie, so that
 * the order does not depend on qsort. */
static int compare_placed(const void *a, const void *b) {
    const Placed *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return x->section - y->section;
}

int *asm_object_by_address(const AsmObject *image, int *count) {
    Placed *placed = mem_alloc((size_t)image->section_count * sizeof *placed);
    *count = 0;
    for (int i = 0; i < image->section_count; i++) {
        if (image->sections[i].size > 0)
            placed[(*count)++] = (Placed){image->sections[i].address, i};
    }
    qsort(placed, (size_t)*count, sizeof *placed, compare_placed);
    int *order = mem_alloc((size_t)*count * sizeof *order);
    for (int i = 0; i < *count; i++)
        order[i] = placed[i].section;
    free(placed);
    return order;
}

/* The section of an image that holds `address`; -1 if none. Sections of an image are
 * few and do not overlap; the first that holds the address is the only one. */
static int section_at(const AsmObject *image, uint32_t address) {
    for (int i = 0; i < image->section_count; i++) {
        const AsmObjectSection *section = &image->sections[i];
        const int64_t offset = (int64_t)address - section->address;
        if (section->address >= 0 && offset >= 0 && offset < section->size)
            return i;
    }
    return -1;
}

/* Only symbols of the same section count: the last label of one section says nothing
 * about the next one, though it may be nearer than any other. Symbols before their
 * section (label - 4) have values of their own and take part like all others. */
const AsmObjectSymbol *asm_object_symbol_at(const AsmObject *image, uint32_t address,
                                            uint32_t *offset) {
    const int section = section_at(image, address);
    const AsmObjectSymbol *best = NULL;
    if (section < 0)
        return NULL;
    for (int i = 0; i < image->symbol_count; i++) {
        const AsmObjectSymbol *symbol = &image->symbols[i];
        if (symbol->section != section || symbol->value > address || symbol->value < 0)
            continue;
        /* Of several names for one address a global one says more. */
        if (!best || symbol->value > best->value ||
            (symbol->value == best->value && symbol->global && !best->global))
            best = symbol;
    }
    if (best && offset)
        *offset = address - (uint32_t)best->value;
    return best;
}

/* A linear search: callers ask for a few names, and an image has a few hundred. */
const AsmObjectSymbol *asm_object_symbol(const AsmObject *object, const char *name) {
    const AsmObjectSymbol *local = NULL;
    for (int i = 0; i < object->symbol_count; i++) {
        const AsmObjectSymbol *symbol = &object->symbols[i];
        if (strcmp(symbol->name, name) != 0)
            continue;
        if (symbol->global)
            return symbol;
        if (!local)
            local = symbol;
    }
    return local;
}

/* Requires sorted rows; reading and linking leave them sorted. */
bool asm_object_instruction_line(const AsmObject *image, uint32_t address,
                                 bool low_half, const char **file, int *line) {
    const int section = section_at(image, address);
    if (section < 0)
        return false;
    const uint32_t offset = address - (uint32_t)image->sections[section].address;

    /* The last row at or before {section, offset, half}; rows are sorted. */
    int low = 0, high = image->line_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const AsmObjectLine *row = &image->lines[middle];
        if (row->section < section ||
            (row->section == section &&
             (row->offset < offset || (row->offset == offset && row->low <= low_half))))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return false;
    const AsmObjectLine *row = &image->lines[low - 1];
    if (row->section != section || row->line <= 0)
        return false;
    *file = image->files[row->file];
    *line = row->line;
    return true;
}

bool asm_object_line_at(const AsmObject *image, uint32_t address, const char **file,
                        int *line) {
    return asm_object_instruction_line(image, address, false, file, line);
}
