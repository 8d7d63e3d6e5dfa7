/* One link, from a list of objects to an image. input.c selects the objects and
 * layout.c places their sections; this file copies words, gives symbols their values
 * and applies relocations.
 *
 *     offset in the object's section
 *       + offset_of[section]                  offset in the image's section
 *       + address of the image's section      word address
 *
 * section_of and offset_of of every object lead from its own numbers to the image's. */
#include "asm/linker/link.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ----------------------------------------------------------------------- */

/* A part without contents in a section with contents is filled with NIL. */
static void copy_part(AsmObjectSection *into, const AsmObjectSection *part,
                      uint32_t offset) {
    for (uint32_t i = 0; !into->fill && i < part->size; i++)
        into->words[offset + i] = part->fill ? JM_NIL : part->words[i];
}

/* Gives the image's sections their words. Padding between two parts of a section that
 * holds code is NOPs, because code may run through it from one part into the next. */
static void copy_words(Linker *linker) {
    AsmObject *image = linker->image;
    for (int i = 0; i < image->section_count; i++) {
        AsmObjectSection *section = &image->sections[i];
        section->fill &= section->size > 0;
        if (section->fill)
            continue;
        const JmWord padding = section->code ? jm_instruction_word(0, 0) : JM_NIL;
        section->words =
            heap_need(linker->heap, calloc(section->size + 1, sizeof(JmWord)));
        for (uint32_t w = 0; w < section->size; w++)
            section->words[w] = padding;
    }
    for (int i = 0; i < linker->taken; i++) {
        const LinkObject *object = &linker->input->objects[linker->order[i]];
        for (int s = 0; s < object->object->section_count; s++) {
            if (object->section_of[s] >= 0)
                copy_part(&image->sections[object->section_of[s]],
                          &object->object->sections[s], object->offset_of[s]);
        }
    }
}

/* ---- symbols --------------------------------------------------------------------- */

/* Returns the value of a defined symbol: a word address, or the value of an absolute
 * one. Its section is in the image, because a section with symbols is used. */
static int64_t symbol_value(const Linker *linker, const LinkObject *object,
                            const AsmObjectSymbol *symbol) {
    if (symbol->section < 0)
        return symbol->value;
    const AsmObjectSection *section =
        &linker->image->sections[object->section_of[symbol->section]];
    return section->address + (int64_t)object->offset_of[symbol->section] +
           symbol->value;
}

/* Copies local symbols too, for maps and debuggers; several may have one name. */
static void copy_symbols(Linker *linker) {
    AsmObject *image = linker->image;
    for (int i = 0; i < linker->taken; i++) {
        const LinkObject *object = &linker->input->objects[linker->order[i]];
        for (int s = 0; s < object->object->symbol_count; s++) {
            const AsmObjectSymbol *symbol = &object->object->symbols[s];
            if (symbol->section == ASM_OBJECT_UNDEFINED)
                continue;
            const int section = symbol->section >= 0
                                    ? object->section_of[symbol->section]
                                    : ASM_OBJECT_ABSOLUTE;
            const int64_t value = symbol_value(linker, object, symbol);
            const int index = mem_index(
                linker->heap, asm_object_add_symbol(image, symbol->name, section, value,
                                                    symbol->global));
            if (symbol->file)
                image->symbols[index].file = mem_outside(linker->heap, symbol->file);
            image->symbols[index].line = symbol->line;
        }
    }
}

/* __start_NAME and __stop_NAME: the bounds of section NAME, as GNU ld has them.
 * Several sections of that name: from the lowest start to the highest end. */
static bool section_bound(const Linker *linker, const char *name, int64_t *value) {
    const bool start = strncmp(name, "__start_", 8) == 0;
    if (!start && strncmp(name, "__stop_", 7) != 0)
        return false;
    const char *wanted = name + (start ? 8 : 7);
    bool found = false;
    for (int i = 0; i < linker->image->section_count; i++) {
        const AsmObjectSection *section = &linker->image->sections[i];
        if (strcmp(section->name, wanted) != 0)
            continue;
        const int64_t bound =
            start ? section->address : section->address + (int64_t)section->size;
        if (!found || (start ? bound < *value : bound > *value))
            *value = bound;
        found = true;
    }
    return found;
}

/* Finds the value of a symbol of `object`; false if no object defines it. A symbol of
 * the source comes before a bound of the same name. */
static bool resolve(const Linker *linker, const LinkObject *object, int symbol,
                    int64_t *value) {
    const AsmObjectSymbol *named = &object->object->symbols[symbol];
    if (named->section != ASM_OBJECT_UNDEFINED) {
        *value = symbol_value(linker, object, named);
        return true;
    }
    const int index = names_find(&linker->globals, named->name);
    if (index < 0)
        return section_bound(linker, named->name, value);
    const LinkDefinition *d = &linker->definitions[index];
    const LinkObject *definer = &linker->input->objects[d->object];
    *value = symbol_value(linker, definer, &definer->object->symbols[d->symbol]);
    return true;
}

/* ---- undefined symbols ----------------------------------------------------------- */

/* Where each symbol of an object is first used by a relocation with a source line. */
static const AsmObjectReloc **first_uses(const Linker *linker,
                                         const AsmObject *object) {
    const AsmObjectReloc **uses =
        heap_alloc(linker->heap, (size_t)object->symbol_count * sizeof *uses);
    for (int i = 0; i < object->reloc_count; i++) {
        const AsmObjectReloc *reloc = &object->relocs[i];
        if (reloc->file >= 0 && !uses[reloc->symbol])
            uses[reloc->symbol] = reloc;
    }
    return uses;
}

/* Reports each undefined symbol once, at the line of its first use, where its name may
 * be misspelt. */
static void check_undefined(Linker *linker, const LinkObject *object) {
    const AsmObjectReloc **uses = first_uses(linker, object->object);
    int64_t bound;
    for (int i = 0; i < object->object->symbol_count; i++) {
        const AsmObjectSymbol *symbol = &object->object->symbols[i];
        if (symbol->section != ASM_OBJECT_UNDEFINED ||
            names_find(&linker->globals, symbol->name) >= 0 ||
            section_bound(linker, symbol->name, &bound))
            continue;
        const char *file =
            uses[i] ? object->object->files[uses[i]->file] : symbol->file;
        const int line = uses[i] ? uses[i]->line : symbol->line;
        if (file && line > 0)
            link_error(linker, file, line, "undefined symbol '%s', used in %s",
                       symbol->name, object->name);
        else
            link_error(linker, object->name, 0, "undefined symbol '%s'", symbol->name);
    }
}

/* ---- relocations ----------------------------------------------------------------- */

/* P is the address of the patched word, which branches need. */
static void relocate(Linker *linker, const LinkObject *object,
                     const AsmObjectReloc *reloc) {
    int64_t value;
    if (!resolve(linker, object, reloc->symbol, &value))
        return; /* check_undefined() has reported it */
    AsmObjectSection *section =
        &linker->image->sections[object->section_of[reloc->section]];
    const uint32_t at = object->offset_of[reloc->section] + reloc->offset;
    JmError error = {.text = "the value is out of range"};
    if (!__builtin_add_overflow(value, reloc->addend, &value) &&
        asm_object_relocate(&section->words[at], reloc->type, value,
                            (uint32_t)section->address + at, &error))
        return;
    const char *name = object->object->symbols[reloc->symbol].name;
    if (reloc->file >= 0)
        link_error(linker, object->object->files[reloc->file], reloc->line,
                   "%s, in the reference to '%s'", error.text, name);
    else
        link_error(linker, object->name, 0, "%s, in the reference to '%s' at %s+%X",
                   error.text, name, object->object->sections[reloc->section].name,
                   reloc->offset);
}

static void relocate_all(Linker *linker) {
    for (int i = 0; i < linker->taken; i++) {
        const LinkObject *object = &linker->input->objects[linker->order[i]];
        for (int r = 0; r < object->object->reloc_count; r++)
            relocate(linker, object, &object->object->relocs[r]);
    }
}

/* ---- assertions ------------------------------------------------------------------ */

static bool holds(AsmObjectCompare compare, int64_t sum) {
    switch (compare) {
    case ASM_OBJECT_LT:
        return sum < 0;
    case ASM_OBJECT_LE:
        return sum <= 0;
    case ASM_OBJECT_EQ:
        return sum == 0;
    case ASM_OBJECT_NE:
        return sum != 0;
    case ASM_OBJECT_GE:
        return sum >= 0;
    default:
        return sum > 0;
    }
}

/* Checks an assertion, unless check_undefined() has reported a symbol of it. Values of
 * absolute symbols are of any size. */
static void check_assert(Linker *linker, const LinkObject *object,
                         const AsmObjectAssert *assert) {
    int64_t sum = assert->number, value;
    bool lost = false;
    for (int i = 0; i < assert->terms; i++) {
        if (!resolve(linker, object, assert->term[i].symbol, &value))
            return;
        lost |= assert->term[i].minus ? __builtin_sub_overflow(sum, value, &sum)
                                      : __builtin_add_overflow(sum, value, &sum);
    }
    const char *file = object->object->files[assert->file];
    if (lost)
        link_error(linker, file, assert->line, "an assertion does not fit 64 bits: %s",
                   assert->text);
    else if (!holds(assert->compare, sum))
        link_error(linker, file, assert->line,
                   "assertion failed: %s (left - right is %" PRId64 ")", assert->text,
                   sum);
}

static void check_asserts(Linker *linker) {
    for (int i = 0; i < linker->taken; i++) {
        const LinkObject *object = &linker->input->objects[linker->order[i]];
        for (int a = 0; a < object->object->assert_count; a++)
            check_assert(linker, object, &object->object->asserts[a]);
    }
}

/* ---- lines ----------------------------------------------------------------------- */

/* Returns the image's numbers of an object's files. Files of one name are one file in
 * the image, because many sources include the same headers. */
static int *map_files(Linker *linker, Names *files, const AsmObject *object) {
    AsmObject *image = linker->image;
    int *numbers =
        heap_alloc(linker->heap, (size_t)object->file_count * sizeof *numbers);
    for (int i = 0; i < object->file_count; i++) {
        const char *name = object->files[i];
        numbers[i] = names_find(files, name);
        if (numbers[i] >= 0)
            continue;
        numbers[i] = mem_index(linker->heap, object_append_file(image, name));
        names_set(files, name, numbers[i]); /* the object outlives the map */
    }
    return numbers;
}

static void copy_lines(Linker *linker) {
    AsmObject *image = linker->image;
    Names files = {.heap = linker->heap};
    for (int i = 0; i < linker->taken; i++) {
        const LinkObject *object = &linker->input->objects[linker->order[i]];
        int *numbers = map_files(linker, &files, object->object);
        for (int l = 0; l < object->object->line_count; l++) {
            AsmObjectLine row = object->object->lines[l];
            if (object->section_of[row.section] < 0)
                continue;
            row.offset += object->offset_of[row.section];
            row.section = object->section_of[row.section];
            row.file = numbers[row.file];
            mem_index(linker->heap, asm_object_add_line(image, row));
        }
    }
    /* A part without lines must not seem to come from the last line before it. */
    for (int i = 0; image->file_count > 0 && i < image->part_count; i++)
        mem_index(linker->heap,
                  asm_object_add_line(
                      image, (AsmObjectLine){.section = image->parts[i].section,
                                             .offset = image->parts[i].offset}));
    asm_object_sort_lines(image->lines, image->line_count);
}

/* ---- the run --------------------------------------------------------------------- */

/* Undefined symbols are reported even if the layout failed; relocations are then
 * skipped, because values are meaningless. */
static void link_run(Linker *linker) {
    linker->image->image = true;
    link_choose(linker);
    const bool placed = link_layout(linker);
    for (int i = 0; i < linker->taken; i++)
        check_undefined(linker, &linker->input->objects[linker->order[i]]);
    if (linker->taken == 0)
        link_error(linker, NULL, 0, "nothing to link");
    if (!placed)
        return;
    copy_words(linker);
    copy_symbols(linker);
    copy_lines(linker);
    relocate_all(linker);
    check_asserts(linker);
}

static void end_object(void *object) {
    asm_object_free(object);
}

typedef struct {
    AsmLinkInput *input;
    const AsmLinkOptions *options;
    AsmLinkResult result;
} Work;

static void link_work(Heap *heap, void *context) {
    Work *work = context;
    Linker linker = {.heap = heap,
                     .input = work->input,
                     .options = work->options,
                     .image = heap_need(heap, asm_object_new()),
                     .globals = {.heap = heap}};
    heap_at_end(heap, end_object, linker.image);
    linker.messages = mem_text_open(heap);
    link_run(&linker);
    work->result.diagnostics = link_messages_close(&linker);
    heap_keep(heap, work->result.diagnostics);
    work->result.errors = linker.errors;
    if (linker.errors > 0)
        return;
    work->result.image = linker.image;
    heap_keep(heap, linker.image);
}

AsmLinkResult asm_link_objects(AsmLinkInput *input, const AsmLinkOptions *options) {
    Work work = {.input = input, .options = options};
    return heap_run(link_work, &work) ? work.result : (AsmLinkResult){.errors = 1};
}

void asm_link_result_free(AsmLinkResult *result) {
    asm_object_free(result->image);
    free(result->diagnostics);
    *result = (AsmLinkResult){0};
}
