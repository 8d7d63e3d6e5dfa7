/* Joins the sections of one name and finds room for them.
 *
 *     a.o .text  b.o .text  c.o .text at 00200
 *          \        /            |
 *           .text             .text at 00200      two sections of the image
 *             |                    |
 *        lowest gap          where it says
 *
 * Sections of one name and without an address of their own become one, in the order of
 * their objects, each part with its own alignment. Those with an address (.org, -T) are
 * placed first, then the others, each in the memory of its place, code before data: at
 * the lowest address with room for it. At the end sections are numbered by address. */
#include "asm/linker/link.h"

#include "asm/objects/mem.h"
#include "emu/core/word.h"

#include <stdlib.h>
#include <string.h>

static const LinkRegion regions[] = {
    [ASM_OBJECT_PLACE_VECTORS] = {"the vectors", 0x00040, 0x000FF},
    [ASM_OBJECT_PLACE_ONCHIP] = {"on-chip memory", 0x00100, 0x00FFF},
    [ASM_OBJECT_PLACE_ROM] = {"ROM", 0x01000, 0x01FFF},
    [ASM_OBJECT_PLACE_EXTERNAL] = {"external memory", 0x02000, 0xFFEFF},
};

/* The memories of a node. A section with a fixed address must not cross their bounds.
 */
static const LinkRegion memories[] = {
    {"on-chip memory", 0x00000, 0x00FFF},
    {"ROM", 0x01000, 0x01FFF},
    {"external memory", 0x02000, 0xFFFFF},
};

const LinkRegion *link_region(AsmObjectPlace place) {
    return &regions[place];
}

static uint32_t align_up(uint32_t value, uint32_t align) {
    return (value + align - 1) & ~(align - 1);
}

static const char *plural(uint32_t count) {
    return count == 1 ? "" : "s";
}

/* ---- joining --------------------------------------------------------------------- */

/* The sections of an object that hold words or symbols; the others are left out. */
static bool *used_sections(const Linker *linker, const AsmObject *object) {
    bool *used = heap_alloc(linker->heap, (size_t)object->section_count * sizeof *used);
    for (int i = 0; i < object->section_count; i++)
        used[i] = object->sections[i].size > 0;
    for (int i = 0; i < object->symbol_count; i++) {
        if (object->symbols[i].section >= 0)
            used[object->symbols[i].section] = true;
    }
    return used;
}

/* Returns the -T option for a section, the last of several; NULL if there is none. */
static const AsmLinkPlacement *placement(const Linker *linker, const char *name) {
    const AsmLinkOptions *options = linker->options;
    for (int i = options ? options->placement_count : 0; i > 0; i--) {
        if (strcmp(options->placements[i - 1].section, name) == 0)
            return &options->placements[i - 1];
    }
    return NULL;
}

/* A new section has no contents (`fill`) until a part with contents joins it. */
static int new_section(Linker *linker, const AsmObjectSection *section) {
    const int index =
        mem_index(linker->heap, asm_object_add_section(linker->image, section->name,
                                                       section->place, section->code));
    linker->image->sections[index].fill = true;
    linker->image->sections[index].address = section->address;
    return index;
}

/* The image's section that `section` goes into. */
static int target(Linker *linker, Names *joined, const LinkObject *object,
                  const AsmObjectSection *section) {
    if (section->address != ASM_OBJECT_NO_ADDRESS) {
        const AsmLinkPlacement *wanted = placement(linker, section->name);
        if (wanted && wanted->address != (uint32_t)section->address)
            link_error(linker, object->name, 0,
                       "section %s is fixed at %05X, -T cannot move it to %05X",
                       section->name, (unsigned)section->address, wanted->address);
        return new_section(linker, section);
    }
    int index = names_find(joined, section->name);
    if (index < 0) {
        index = new_section(linker, section);
        names_set(joined, section->name, index); /* the object outlives the map */
    } else if (linker->image->sections[index].place != section->place) {
        link_error(linker, object->name, 0,
                   "section %s belongs to %s here, but to %s in other objects",
                   section->name, link_region(section->place)->name,
                   link_region(linker->image->sections[index].place)->name);
    }
    return index;
}

/* Adds a section to the end of its target: only its size; words are copied later. */
static void join(Linker *linker, Names *joined, LinkObject *object, int number) {
    const AsmObjectSection *section = &object->object->sections[number];
    const int index = target(linker, joined, object, section);
    AsmObjectSection *into = &linker->image->sections[index];
    const uint32_t offset = align_up(into->size, section->align);
    if (offset + (uint64_t)section->size > ASM_OBJECT_WORDS_MAX) {
        link_error(linker, object->name, 0, "section %s grows beyond %d words",
                   section->name, ASM_OBJECT_WORDS_MAX);
        return;
    }
    object->section_of[number] = index;
    object->offset_of[number] = offset;
    into->size = offset + section->size;
    into->code |= section->code;
    into->fill &= section->fill || section->size == 0;
    if (into->align < section->align)
        into->align = section->align;
    if (section->size > 0)
        mem_index(linker->heap,
                  asm_object_add_part(linker->image,
                                      (AsmObjectPart){.section = index,
                                                      .offset = offset,
                                                      .size = section->size,
                                                      .object = object->name}));
}

/* Joins all sections. An input may be linked again, so results of an earlier link are
 * freed first. */
static void join_all(Linker *linker) {
    Names joined = {.heap = linker->heap};
    for (int i = 0; i < linker->taken; i++) {
        LinkObject *object = &linker->input->objects[linker->order[i]];
        const size_t count = (size_t)object->object->section_count;
        object->section_of =
            heap_need(linker->heap, realloc(object->section_of,
                                            (count + 1) * sizeof *object->section_of));
        object->offset_of =
            heap_need(linker->heap, realloc(object->offset_of,
                                            (count + 1) * sizeof *object->offset_of));
        bool *used = used_sections(linker, object->object);
        for (int s = 0; s < object->object->section_count; s++) {
            object->section_of[s] = -1;
            if (used[s])
                join(linker, &joined, object, s);
        }
    }
}

/* ---- placing --------------------------------------------------------------------- */

/* The words taken so far, sorted, without overlap. */
typedef struct {
    uint32_t start, end; /* end: the first word after it */
    int section;
} Extent;

typedef struct {
    Linker *linker;
    Extent *extents;
    int count;
} Map;

static const char *section_name(const Map *map, int section) {
    return map->linker->image->sections[section].name;
}

/* Returns the index of the first extent that ends after `address`. A binary search
 * works because extents do not overlap, so their ends are sorted like their starts. */
static int extent_after(const Map *map, uint32_t address) {
    int low = 0, high = map->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (map->extents[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* `at` keeps the order by address. */
static void insert(Map *map, int at, Extent extent) {
    map->extents = mem_grow(map->linker->heap, map->extents, (size_t)map->count,
                            sizeof *map->extents);
    memmove(map->extents + at + 1, map->extents + at,
            (size_t)(map->count - at) * sizeof *map->extents);
    map->extents[at] = extent;
    map->count++;
}

/* On-chip memory, ROM and DRAM are different memories: a section that runs across the
 * end of one is a mistake, even though the addresses are contiguous. */
static void check_memory(Map *map, const AsmObjectSection *section) {
    const uint32_t end = (uint32_t)section->address + section->size;
    for (size_t i = 0; i < sizeof memories / sizeof memories[0]; i++) {
        const LinkRegion *memory = &memories[i];
        if ((uint32_t)section->address >= memory->low &&
            (uint32_t)section->address <= memory->high && end > memory->high + 1)
            link_error(map->linker, NULL, 0,
                       "section %s at %05X overflows %s by %u word%s", section->name,
                       (unsigned)section->address, memory->name, end - memory->high - 1,
                       plural(end - memory->high - 1));
    }
}

/* Places a section with a fixed address, which must not overlap another section. */
static void place_fixed(Map *map, int index) {
    AsmObjectSection *section = &map->linker->image->sections[index];
    const uint32_t start = (uint32_t)section->address;
    const uint32_t end = start + section->size;
    check_memory(map, section);
    if (section->size == 0)
        return;
    const int at = extent_after(map, start);
    if (at < map->count && map->extents[at].start < end) {
        const Extent *other = &map->extents[at];
        const uint32_t from = start > other->start ? start : other->start;
        const uint32_t to = end < other->end ? end : other->end;
        link_error(map->linker, NULL, 0,
                   "sections %s (%05X-%05X) and %s (%05X-%05X) overlap by %u word%s",
                   section_name(map, other->section), other->start, other->end - 1,
                   section->name, start, end - 1, to - from, plural(to - from));
        return;
    }
    insert(map, at, (Extent){start, end, index});
}

/* Finds the lowest place for a section in its region. If there is none, `*missing` gets
 * the number of words by which the largest gap is too small. The gaps of the region are
 * tried from low to high:
 *
 *     low                                            high
 *      |  gap  [extent]  gap  [extent][extent]   gap   |
 *         at..limit      at..limit
 */
static bool find_room(const Map *map, const AsmObjectSection *section,
                      uint32_t *address, uint32_t *missing) {
    const LinkRegion *region = link_region(section->place);
    uint32_t at = align_up(region->low, section->align);
    *missing = UINT32_MAX;
    for (int i = extent_after(map, region->low);; i++) {
        uint32_t limit = region->high + 1;
        if (i < map->count && map->extents[i].start < limit)
            limit = map->extents[i].start;
        if (at + section->size <= limit) {
            *address = at;
            return true;
        }
        const uint32_t room = at < limit ? limit - at : 0;
        if (section->size - room < *missing)
            *missing = section->size - room;
        if (limit == region->high + 1)
            return false;
        at = align_up(map->extents[i].end, section->align);
    }
}

/* Sections without words are placed too: they may have labels. */
static bool place_free(Map *map, int index) {
    AsmObjectSection *section = &map->linker->image->sections[index];
    uint32_t address = 0, missing;
    if (!find_room(map, section, &address, &missing)) {
        const LinkRegion *region = link_region(section->place);
        link_error(map->linker, NULL, 0,
                   "section %s (%u word%s) overflows %s (%05X-%05X) by %u word%s",
                   section->name, section->size, plural(section->size), region->name,
                   region->low, region->high, missing, plural(missing));
        return false;
    }
    section->address = (int32_t)address;
    if (section->size > 0)
        insert(map, extent_after(map, address),
               (Extent){address, address + section->size, index});
    return true;
}

/* -T gives joined sections their addresses; every -T must name a section. Fixed
 * sections of that name were checked when they were joined (target). */
static bool apply_placements(Linker *linker) {
    const int before = linker->errors;
    const AsmLinkOptions *options = linker->options;
    for (int p = 0; options && p < options->placement_count; p++) {
        const AsmLinkPlacement *wanted = &options->placements[p];
        bool found = false;
        for (int i = 0; i < linker->image->section_count; i++) {
            AsmObjectSection *section = &linker->image->sections[i];
            if (strcmp(section->name, wanted->section) != 0)
                continue;
            found = true;
            if (section->address != ASM_OBJECT_NO_ADDRESS)
                continue; /* fixed, or already placed by the last -T of that name */
            section->address = (int32_t)placement(linker, section->name)->address;
            if ((uint32_t)section->address % section->align != 0)
                link_error(linker, NULL, 0,
                           "section %s at %05X is not aligned to %u words",
                           section->name, (unsigned)section->address, section->align);
        }
        if (!found)
            link_error(linker, NULL, 0, "-T %s=%X: there is no such section",
                       wanted->section, wanted->address);
    }
    return linker->errors == before;
}

/* Runs before placing, which treats addresses as unsigned numbers. */
static bool check_addresses(Linker *linker) {
    const int before = linker->errors;
    for (int i = 0; i < linker->image->section_count; i++) {
        const AsmObjectSection *section = &linker->image->sections[i];
        if (section->address != ASM_OBJECT_NO_ADDRESS &&
            (section->address < 0 || section->address > JM_ADDRESS_MASK))
            link_error(linker, NULL, 0, "section %s: address %X is outside 00000-FFFFF",
                       section->name, (unsigned)section->address);
    }
    return linker->errors == before;
}

/* Notes first which sections have fixed addresses, since placing gives all sections an
 * address. */
static bool place_all(Linker *linker) {
    Map map = {.linker = linker};
    AsmObject *image = linker->image;
    bool *fixed =
        heap_alloc(linker->heap, (size_t)image->section_count * sizeof *fixed);
    bool well = true;
    for (int i = 0; i < image->section_count; i++) {
        fixed[i] = image->sections[i].address != ASM_OBJECT_NO_ADDRESS;
        if (fixed[i])
            place_fixed(&map, i);
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < image->section_count; i++) {
            if (!fixed[i] && image->sections[i].code == (pass == 0))
                well &= place_free(&map, i);
        }
    }
    return well;
}

/* ---- in the order of addresses --------------------------------------------------- */

static int compare_parts(const void *a, const void *b) {
    const AsmObjectPart *x = a, *y = b;
    if (x->section != y->section)
        return x->section - y->section;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void renumber(Linker *linker, const int *new_of) {
    for (int i = 0; i < linker->taken; i++) {
        LinkObject *object = &linker->input->objects[linker->order[i]];
        for (int s = 0; s < object->object->section_count; s++) {
            if (object->section_of[s] >= 0)
                object->section_of[s] = new_of[object->section_of[s]];
        }
    }
    for (int i = 0; i < linker->image->part_count; i++)
        linker->image->parts[i].section = new_of[linker->image->parts[i].section];
    if (linker->image->part_count > 0)
        qsort(linker->image->parts, (size_t)linker->image->part_count,
              sizeof *linker->image->parts, compare_parts);
}

/* Sorts the sections by address and renumbers all references to them. */
static void sort_sections(Linker *linker) {
    AsmObject *image = linker->image;
    int count;
    const int *order = object_by_address(linker->heap, image, true, &count);
    int *new_of = heap_alloc(linker->heap, (size_t)count * sizeof *new_of);
    AsmObjectSection *sorted = heap_need(
        linker->heap, calloc(mem_capacity((size_t)count) + 1, sizeof *sorted));
    for (int i = 0; i < count; i++) {
        sorted[i] = image->sections[order[i]];
        new_of[order[i]] = i;
    }
    renumber(linker, new_of);
    free(image->sections);
    image->sections = sorted;
}

/* Stops after a step with errors: the next step would only add misleading ones. */
bool link_layout(Linker *linker) {
    const int before = linker->errors;
    join_all(linker);
    if (linker->image->section_count > ASM_OBJECT_SECTIONS_MAX)
        link_error(linker, NULL, 0, "more than %d sections", ASM_OBJECT_SECTIONS_MAX);
    if (linker->errors != before || !apply_placements(linker) ||
        !check_addresses(linker) || !place_all(linker) || linker->errors != before)
        return false;
    sort_sections(linker);
    return true;
}
