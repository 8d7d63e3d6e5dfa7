/* Makes names that can be assembled, and labels.
 *
 * An ELF file may hold any name: one with blanks, one of a register, one twice. A name
 * that the assembler would not accept as a symbol is changed ("name" in front, '_'
 * inside, ".1" behind), in its definition and its uses alike. The words do not depend
 * on names, so the text still assembles to the same words. */
#include "asm/disassembler/disassemble.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- names ----------------------------------------------------------------------- */

/* Replaces isalpha, which depends on the locale. */
static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name_part(char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '$';
}

/* Whether a name has a meaning to the assembler. Includes names that would be legal but
 * confusing, such as a label `add:`. */
static bool is_reserved(const char *name) {
    static const char *const words[] = {"move", "nil", "true", "false", "local"};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcasecmp(name, words[i]) == 0)
            return true;
    }
    return jm_reg_by_name(name, length) >= 0 || jm_op_by_name(name, length) >= 0 ||
           jm_tag_by_name(name, length) >= 0 || strncasecmp(name, "TAG_", 4) == 0;
}

/* Returns a name that is not in use: `base`, or `base` with a number behind it. The map
 * counts requests for each base, so that a thousand equal names do not take a million
 * look-ups. */
static char *unique(const Disassembly *dis, Names *taken, const char *base) {
    const size_t room = strlen(base) + 16;
    char *name = heap_alloc(dis->heap, room);
    snprintf(name, room, "%s", base);
    int count = names_find(taken, base);
    if (count >= 0) { /* how often this base was asked for */
        do
            snprintf(name, room, "%s.%d", base, ++count);
        while (names_find(taken, name) >= 0);
        names_set(taken, base, count);
    }
    names_set(taken, name, 0);
    return name;
}

/* Returns a copy of `name` without characters that the assembler cannot read. A name
 * may hold any byte but zero. */
static char *safe_name(Disassembly *dis, const char *name) {
    const size_t length = strlen(name);
    char *safe = heap_alloc(dis->heap, length + sizeof "name");
    if (length == 0 || !is_letter(name[0]) || is_reserved(name))
        strcpy(safe, "name");
    const size_t prefix = strlen(safe);
    for (size_t i = 0; i < length; i++)
        safe[prefix + i] = is_name_part(name[i]) ? name[i] : '_';
    char *made = unique(dis, &dis->taken, safe);
    heap_free(safe);
    return made;
}

/* Whether a name begins as the assembler wants it, outside of quotes: with a letter, or
 * with a dot and what may follow one. */
static bool begins_well(const char *name) {
    return is_letter(name[0]) ||
           (name[0] == '.' && (is_letter(name[1]) || name[1] == '.'));
}

/* Returns a section's name without what the assembler cannot read. */
static char *safe_section(const Disassembly *dis, const char *name) {
    const size_t length = strlen(name);
    char *safe = heap_alloc(dis->heap, length + sizeof "_");
    size_t used = 0;
    if (!begins_well(name))
        safe[used++] = '_';
    for (const char *c = name; *c; c++)
        safe[used++] = is_name_part(*c) ? *c : '_';
    return safe;
}

/* Sections have names of their own. Sections of one name in an image lie apart, so each
 * gets a name that no other has. */
static void name_sections(Disassembly *dis) {
    const AsmObject *object = dis->object;
    Names taken = {.heap = dis->heap};
    dis->section_names = heap_alloc(dis->heap, (size_t)object->section_count *
                                                   sizeof *dis->section_names);
    for (int i = 0; i < object->section_count; i++) {
        char *safe = safe_section(dis, object->sections[i].name);
        dis->section_names[i] = unique(dis, &taken, safe);
        heap_free(safe);
    }
    names_free(&taken);
}

/* ---- labels ---------------------------------------------------------------------- */

static int compare_labels(const void *a, const void *b) {
    const Label *x = a, *y = b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static void sort_labels(Disassembly *dis) {
    if (dis->label_count > 0)
        qsort(dis->labels, (size_t)dis->label_count, sizeof *dis->labels,
              compare_labels);
}

static void add_label(Disassembly *dis, Label label) {
    dis->labels =
        mem_grow(dis->heap, dis->labels, (size_t)dis->label_count, sizeof *dis->labels);
    dis->labels[dis->label_count++] = label;
}

int disassembly_label(const Disassembly *dis, int section, uint32_t offset) {
    int low = 0, high = dis->label_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const Label *label = &dis->labels[middle];
        if (label->section < section ||
            (label->section == section && label->offset < offset))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the label of a place, NULL if it has none. If several labels stand there, the
 * first is used: a global one if there is one. */
const char *disassembly_label_at(const Disassembly *dis, int section, uint32_t offset) {
    const int at = disassembly_label(dis, section, offset);
    if (at == dis->label_count || dis->labels[at].section != section ||
        dis->labels[at].offset != offset)
        return NULL;
    return dis->labels[at].name;
}

/* A symbol outside its section is no label (print_beside). */
static void label_symbols(Disassembly *dis) {
    const AsmObject *object = dis->object;
    for (int i = 0; i < object->symbol_count; i++) {
        const AsmObjectSymbol *symbol = &object->symbols[i];
        if (symbol->section < 0)
            continue;
        const AsmObjectSection *section = &object->sections[symbol->section];
        const int64_t offset = symbol->value - (object->image ? section->address : 0);
        if (offset < 0 || offset > section->size)
            continue;
        add_label(dis, (Label){.section = symbol->section,
                               .offset = (uint32_t)offset,
                               .rank = symbol->global ? i : object->symbol_count + i,
                               .name = dis->symbol_names[i]});
    }
    sort_labels(dis);
}

/* Collects branch targets; name_targets() names them later. A target gets a label even
 * in the middle of data, since the branch says that it is code. */
static void collect_targets(Disassembly *dis, int section) {
    const AsmObjectSection *from = &dis->object->sections[section];
    for (uint32_t offset = 0; !from->fill && offset < from->size; offset++) {
        for (unsigned phase = 0; phase < 2; phase++) {
            int to;
            uint32_t at;
            if (disassembly_is_code(dis, section, offset) &&
                disassembly_target(dis, section, offset,
                                   jm_instruction(from->words[offset], phase), &to,
                                   &at))
                add_label(dis, (Label){.section = to, .offset = at, .rank = INT32_MAX});
        }
    }
}

/* Names the targets that no symbol names; drops the others. Sorted, symbols come
 * before targets of the same place: a target behind a kept label is not needed. */
static void name_targets(Disassembly *dis) {
    int kept = 0;
    for (int i = 0; i < dis->label_count; i++) {
        Label label = dis->labels[i];
        const Label *last = kept > 0 ? &dis->labels[kept - 1] : NULL;
        if (!label.name && last && last->section == label.section &&
            last->offset == label.offset)
            continue;
        if (!label.name) {
            char name[32];
            if (dis->object->image)
                snprintf(name, sizeof name, "L_%05X",
                         (unsigned)dis->object->sections[label.section].address +
                             label.offset);
            else
                snprintf(name, sizeof name, "L%d_%05X", label.section, label.offset);
            label.name = unique(dis, &dis->taken, name);
        }
        dis->labels[kept++] = label;
    }
    dis->label_count = kept;
}

/* ---- places ---------------------------------------------------------------------- */

/* The end of a section counts as its own, unless the next one begins there. */
bool disassembly_find(const Disassembly *dis, uint32_t address, int *section,
                      uint32_t *offset) {
    int low = 0, high = dis->by_address_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if ((uint32_t)dis->object->sections[dis->by_address[middle]].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return false;
    const AsmObjectSection *found = &dis->object->sections[dis->by_address[low - 1]];
    *section = dis->by_address[low - 1];
    *offset = address - (uint32_t)found->address;
    return *offset <= found->size;
}

static int compare_relocs(const void *a, const void *b) {
    const AsmObjectReloc *x = *(const AsmObjectReloc *const *)a;
    const AsmObjectReloc *y = *(const AsmObjectReloc *const *)b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return (x > y) - (x < y);
}

/* Sorts by section and offset, then by place in the object, which keeps the order of
 * the relocations of one word. */
static void sort_relocs(Disassembly *dis) {
    const AsmObject *object = dis->object;
    dis->relocs =
        heap_alloc(dis->heap, (size_t)object->reloc_count * sizeof *dis->relocs);
    for (int i = 0; i < object->reloc_count; i++)
        dis->relocs[i] = &object->relocs[i];
    qsort(dis->relocs, (size_t)object->reloc_count, sizeof *dis->relocs,
          compare_relocs);
}

/* A binary search for the first; those of one word are neighbours. */
const AsmObjectReloc *const *disassembly_relocs(const Disassembly *dis, int section,
                                                uint32_t offset, int *count) {
    int low = 0, high = dis->object->reloc_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const AsmObjectReloc *reloc = dis->relocs[middle];
        if (reloc->section < section ||
            (reloc->section == section && reloc->offset < offset))
            low = middle + 1;
        else
            high = middle;
    }
    int end = low;
    while (end < dis->object->reloc_count && dis->relocs[end]->section == section &&
           dis->relocs[end]->offset == offset)
        end++;
    *count = end - low;
    return dis->relocs + low;
}

/* Targets are collected when symbols have their labels, named when all are sorted. */
void disassembly_name(Disassembly *dis) {
    const AsmObject *object = dis->object;
    if (object->image)
        dis->by_address = object_by_address(dis->heap, object, &dis->by_address_count);
    sort_relocs(dis);
    name_sections(dis);
    dis->symbol_names =
        heap_alloc(dis->heap, (size_t)object->symbol_count * sizeof *dis->symbol_names);
    /* Globals first: they keep their names if that is possible. */
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < object->symbol_count; i++) {
            if (object->symbols[i].global == (pass == 0))
                dis->symbol_names[i] = safe_name(dis, object->symbols[i].name);
        }
    }
    label_symbols(dis);
    for (int i = 0; i < object->section_count; i++)
        collect_targets(dis, i);
    sort_labels(dis);
    name_targets(dis);
}
