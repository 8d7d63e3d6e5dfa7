/* Prints the map of a linked image: memory, sections and their origins, symbols.
 *
 *     Memory      one row for each region: words used and free
 *     Sections    by address; below each the objects whose words it holds
 *     Symbols     by value, absolute ones at the end
 *
 * Addresses are hexadecimal, counts of words decimal. */
#include "asm/linker/link.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Returns how many words of `section` lie in the region. A section with a fixed address
 * may lie across two regions. */
static uint32_t words_in(const AsmObjectSection *section, const LinkRegion *region) {
    const int64_t start = section->address > (int64_t)region->low
                              ? section->address
                              : (int64_t)region->low;
    const int64_t end = section->address + (int64_t)section->size;
    const int64_t limit =
        end < (int64_t)region->high + 1 ? end : (int64_t)region->high + 1;
    return limit > start ? (uint32_t)(limit - start) : 0;
}

/* Prints a name and ends the line. */
static void print_name(Heap *heap, FILE *out, const char *name) {
    fprintf(out, "%s\n", mem_printable(heap, name));
}

static void print_region(const AsmObject *image, const LinkRegion *region, FILE *out) {
    const uint32_t size = region->high - region->low + 1;
    uint32_t used = 0;
    for (int i = 0; i < image->section_count; i++)
        used += words_in(&image->sections[i], region);
    fprintf(out, "%05X-%05X  %8u  %8u  %5.1f%%  %s\n", region->low, region->high, used,
            size - used, 100.0 * used / size, region->name);
}

/* In addition to the linker's regions there are two rows for memory that only sections
 * with fixed addresses can use. */
static void print_memory(const AsmObject *image, FILE *out) {
    static const LinkRegion beside[] = {
        {"the priority-switched words", 0x00000, 0x0003F},
        {"the host page", 0xFFF00, 0xFFFFF},
    };
    fprintf(out, "Memory\n\n%-11s  %8s  %8s  %6s  region\n", "addresses", "used",
            "free", "used");
    print_region(image, &beside[0], out);
    for (int place = 0; place <= ASM_OBJECT_PLACE_EXTERNAL; place++)
        print_region(image, link_region((AsmObjectPlace)place), out);
    print_region(image, &beside[1], out);
}

static void print_sections(Heap *heap, const AsmObject *image, FILE *out) {
    fprintf(out, "\nSections\n\n%-7s  %8s  section and object\n", "address", "words");
    int at = 0; /* in the parts */
    for (int s = 0; s < image->section_count; s++) {
        const AsmObjectSection *section = &image->sections[s];
        fprintf(out, "%05X    %8u  ", (unsigned)section->address, section->size);
        print_name(heap, out, section->name);
        for (; at < image->part_count && image->parts[at].section == s; at++) {
            const AsmObjectPart *part = &image->parts[at];
            fprintf(out, "%05X    %8u      ", (unsigned)section->address + part->offset,
                    part->size);
            print_name(heap, out, part->object);
        }
    }
}

/* The name breaks ties, so that labels of one place have the same order on every host.
 */
static int compare_symbols(const void *a, const void *b) {
    const AsmObjectSymbol *x = *(const AsmObjectSymbol *const *)a;
    const AsmObjectSymbol *y = *(const AsmObjectSymbol *const *)b;
    const bool fixed_x = x->section < 0, fixed_y = y->section < 0;
    if (fixed_x != fixed_y)
        return fixed_x - fixed_y;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Prints symbols by address, then the absolute ones. */
static void print_symbols(Heap *heap, const AsmObject *image, FILE *out) {
    const AsmObjectSymbol **order =
        heap_alloc(heap, (size_t)image->symbol_count * sizeof *order);
    for (int i = 0; i < image->symbol_count; i++)
        order[i] = &image->symbols[i];
    qsort(order, (size_t)image->symbol_count, sizeof *order, compare_symbols);
    fprintf(out, "\nSymbols\n\n%-7s  %-8s  name\n", "value", "kind");
    for (int i = 0; i < image->symbol_count; i++) {
        const AsmObjectSymbol *symbol = order[i];
        const char *kind = symbol->global ? "global" : "local";
        if (symbol->section < 0)
            fprintf(out, "%-7" PRId64 "  %-8s  ", symbol->value, "absolute");
        else
            fprintf(out, "%05" PRIX64 "    %-8s  ", (uint64_t)symbol->value, kind);
        print_name(heap, out, symbol->name);
    }
}

typedef struct {
    const AsmObject *image;
    char *text;
} Mapping;

static void map_work(Heap *heap, void *context) {
    Mapping *mapping = context;
    MemText *text = mem_text_open(heap);
    print_memory(mapping->image, text->out);
    print_sections(heap, mapping->image, text->out);
    print_symbols(heap, mapping->image, text->out);
    mapping->text = mem_text_close(heap, text);
    heap_keep(heap, mapping->text);
}

char *asm_link_map(const AsmObject *image) {
    Mapping mapping = {.image = image};
    return heap_run(map_work, &mapping) ? mapping.text : NULL;
}
