/* Objects in memory: building them, and looking up symbols and lines. */
#include "asm/objects/object.h"

#include "asm/objects/mem.h"

#include <stdlib.h>
#include <string.h>

#include "emu/core/grow.h"

const char *asm_object_place_name(AsmObjectPlace place) {
    static const char *const names[] = {[ASM_OBJECT_PLACE_VECTORS] = "vectors",
                                        [ASM_OBJECT_PLACE_ONCHIP] = "onchip",
                                        [ASM_OBJECT_PLACE_ROM] = "rom",
                                        [ASM_OBJECT_PLACE_EXTERNAL] = "external"};
    return names[place];
}

/* Returns an empty object that is not an image. */
AsmObject *asm_object_new(void) {
    return calloc(1, sizeof(AsmObject));
}

/* The object owns copies of all its strings. */
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
    for (int i = 0; i < object->assert_count; i++)
        free(object->asserts[i].text);
    free(object->sections);
    free(object->symbols);
    free(object->relocs);
    free(object->asserts);
    free(object->lines);
    free(object->files);
    free(object->parts);
    free(object);
}

/* Appends `item` to the array `array` with `count` items of its type, unless something
 * that it needs is not `there`. Without memory: `lost`, and -1. */
#define APPEND_IF(there, lost, array, count, item)                                     \
    void *const grown =                                                                \
        (there) ? jm_grow_by_count((array), (size_t)(count), sizeof *(array)) : NULL;  \
    if (!grown) {                                                                      \
        lost;                                                                          \
        return -1;                                                                     \
    }                                                                                  \
    (array) = grown;                                                                   \
    (array)[count] = (item);                                                           \
    return (count)++
#define APPEND(array, count, item) APPEND_IF(true, (void)0, array, count, item)
/* The same for an item that owns `text`, which is NULL if memory ran out for it. */
#define APPEND_WITH(text, array, count, item)                                          \
    APPEND_IF(text, free(text), array, count, item)

/* Address, alignment and fill have defaults that the caller may change afterwards. */
int asm_object_add_section(AsmObject *object, const char *name, AsmObjectPlace place,
                           bool code) {
    const AsmObjectSection section = {.name = strdup(name),
                                      .place = place,
                                      .code = code,
                                      .address = ASM_OBJECT_NO_ADDRESS,
                                      .align = 1};
    APPEND_WITH(section.name, object->sections, object->section_count, section);
}

/* Adds a symbol. The caller may set its source place. */
int asm_object_add_symbol(AsmObject *object, const char *name, int section,
                          int64_t value, bool global) {
    const AsmObjectSymbol symbol = {
        .name = strdup(name), .section = section, .value = value, .global = global};
    APPEND_WITH(symbol.name, object->symbols, object->symbol_count, symbol);
}

int asm_object_add_reloc(AsmObject *object, AsmObjectReloc reloc) {
    APPEND(object->relocs, object->reloc_count, reloc);
}

int asm_object_add_assert(AsmObject *object, const AsmObjectAssert *assert) {
    AsmObjectAssert copy = *assert;
    copy.text = strdup(assert->text);
    APPEND_WITH(copy.text, object->asserts, object->assert_count, copy);
}

/* Searches from the end, since successive lines mostly belong to the file added last.
 * Callers with many files keep their own map, as the linker does. */
int asm_object_add_file(AsmObject *object, const char *name) {
    for (int i = object->file_count - 1; i >= 0; i--) {
        if (strcmp(object->files[i], name) == 0)
            return i;
    }
    return object_append_file(object, name);
}

int object_append_file(AsmObject *object, const char *name) {
    char *copy = strdup(name);
    APPEND_WITH(copy, object->files, object->file_count, copy);
}

int asm_object_add_part(AsmObject *object, AsmObjectPart part) {
    part.object = strdup(part.object);
    APPEND_WITH(part.object, object->parts, object->part_count, part);
}

int asm_object_add_line(AsmObject *object, AsmObjectLine line) {
    APPEND(object->lines, object->line_count, line);
}

/* Rows without a line (0) come first at their place, because a look-up takes the last
 * row at or before the place. */
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

/* Most tables are already sorted. qsort must not be called with NULL: C leaves that
 * undefined even for no items. */
void asm_object_sort_lines(AsmObjectLine *lines, int count) {
    int sorted = 1;
    while (sorted < count && compare_lines(&lines[sorted - 1], &lines[sorted]) <= 0)
        sorted++;
    if (sorted < count)
        qsort(lines, (size_t)count, sizeof *lines, compare_lines);
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

int *object_by_address(Heap *heap, const AsmObject *image, bool empty, int *count) {
    Placed *placed = heap_alloc(heap, (size_t)image->section_count * sizeof *placed);
    *count = 0;
    for (int i = 0; i < image->section_count; i++) {
        if (empty || image->sections[i].size > 0)
            placed[(*count)++] = (Placed){image->sections[i].address, i};
    }
    qsort(placed, (size_t)*count, sizeof *placed, compare_placed);
    int *order = heap_alloc(heap, (size_t)*count * sizeof *order);
    for (int i = 0; i < *count; i++)
        order[i] = placed[i].section;
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

/* Only symbols of the same section count: the last label of one section has nothing to
 * do with the next section, even if it is the nearest. Symbols before their section
 * (label - 4) have values of their own and take part like all others. */
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
        /* A global name is preferred to a local one of the same address. */
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

bool asm_object_is_file(const char *name, const char *file, size_t length) {
    const size_t whole = strlen(name);
    return whole >= length && memcmp(name + whole - length, file, length) == 0 &&
           (whole == length || name[whole - length - 1] == '/');
}

int object_first_row(const AsmObject *object, int section, uint32_t offset, bool low) {
    int from = 0, to = object->line_count;
    while (from < to) {
        const int middle = from + (to - from) / 2;
        const AsmObjectLine *row = &object->lines[middle];
        if (row->section < section ||
            (row->section == section &&
             (row->offset < offset || (row->offset == offset && row->low < low))))
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

bool asm_object_instruction_line(const AsmObject *image, uint32_t address,
                                 bool low_half, const char **file, int *line) {
    const int section = section_at(image, address);
    if (section < 0)
        return false;
    const uint32_t offset = address - (uint32_t)image->sections[section].address;
    /* The last row at or before this half is the one before the next half's first. */
    const int next = object_first_row(image, section, offset + low_half, !low_half);
    if (next == 0)
        return false;
    const AsmObjectLine *row = &image->lines[next - 1];
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

bool asm_object_covers(const AsmObject *image, uint32_t address) {
    return section_at(image, address) >= 0;
}
