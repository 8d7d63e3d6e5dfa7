/* Makes an object of the sections, symbols, relocations and lines of a run.
 *
 * The object renumbers them. It leaves out sections without words and symbols, .local
 * names and numeric labels; it has symbols of other files only if a relocation uses
 * them. object_index is the number of a section or symbol in the object, or -1. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/assembler/assemble.h"

/* A symbol of a name made up from `base` that the source does not use. "begin.text",
 * or "begin.text.1" if the source has that name. */
static AsSymbol *fresh_symbol(Assembler *as, const char *base, AsValue value) {
    const size_t room = strlen(base) + 16;
    char *name = heap_alloc(as->heap, room);
    AsSymbol *symbol;
    int number = 0;
    snprintf(name, room, "%s", base);
    while ((symbol = as_symbol(as, name, (int)strlen(name)))->kind !=
               ASM_SYMBOL_UNDEFINED ||
           symbol->place.statement)
        snprintf(name, room, "%s.%d", base, ++number);
    symbol->kind = ASM_SYMBOL_LABEL;
    symbol->known = true;
    symbol->value = value;
    symbol->value.symbol = symbol;
    return symbol;
}

/* A relocation needs a symbol; numeric labels and `.` have none of their own. Made
 * only if no label of the source can serve. */
AsSymbol *as_section_anchor(Assembler *as, int section) {
    AsSection *of = &as->sections[section];
    if (of->anchor)
        return of->anchor;
    const size_t room = strlen(of->name) + sizeof "begin";
    char *name = heap_alloc(as->heap, room);
    snprintf(name, room, "begin%s", of->name);
    of->anchor =
        fresh_symbol(as, name, (AsValue){.kind = AS_VALUE_SECTION, .section = section});
    return of->anchor;
}

/* Makes an absolute symbol, for branches to a number from a section that is not fixed.
 */
AsSymbol *as_symbol_absolute(Assembler *as, int64_t number) {
    char name[32];
    snprintf(name, sizeof name, "at.%" PRIX64, (uint64_t)number);
    AsSymbol *symbol = as_symbol(as, name, (int)strlen(name));
    if (symbol->known && symbol->value.kind == AS_VALUE_ABSOLUTE &&
        symbol->value.number == number)
        return symbol;
    return fresh_symbol(as, name, as_absolute_value(number));
}

/* Empty sections without labels are left out. Words are copied: the assembler frees
 * its own. */
static void output_sections(const Assembler *as, AsmObject *object) {
    for (int i = 0; i < as->symbol_count; i++) {
        const AsSymbol *symbol = as->symbols[i];
        if (symbol->known && symbol->value.kind == AS_VALUE_SECTION)
            as->sections[symbol->value.section].used = true;
    }
    for (int i = 0; i < as->section_count; i++) {
        AsSection *section = &as->sections[i];
        section->object_index = -1;
        if (section->size == 0 && !section->used)
            continue;
        const int index =
            mem_index(as->heap, asm_object_add_section(object, section->name,
                                                       section->place, section->code));
        section->object_index = index;
        AsmObjectSection *out = &object->sections[index];
        if (!section->fill)
            out->words =
                heap_need(as->heap, calloc(section->size + 1, sizeof *out->words));
        if (section->size > 0 && !section->fill)
            memcpy(out->words, section->words, section->size * sizeof *out->words);
        out->address = section->address;
        out->align = section->align;
        out->fill = section->fill;
        out->size = section->size;
    }
}

/* Returns the object's symbol for one of the assembler's, made on first use. It takes
 * its place along, so that the linker's messages can name the line. */
static int symbol_index(const Assembler *as, AsmObject *object, AsSymbol *symbol) {
    if (symbol->object_index >= 0)
        return symbol->object_index;
    int section = ASM_OBJECT_UNDEFINED;
    if (symbol->kind != ASM_SYMBOL_UNDEFINED)
        section = symbol->value.kind == AS_VALUE_SECTION
                      ? as->sections[symbol->value.section].object_index
                      : ASM_OBJECT_ABSOLUTE;
    const bool undefined = section == ASM_OBJECT_UNDEFINED;
    const int index =
        mem_index(as->heap, asm_object_add_symbol(object, symbol->name, section,
                                                  undefined ? 0 : symbol->value.number,
                                                  undefined || symbol->global));
    if (symbol->place.statement) {
        const AsStatement *statement = as_called_at(symbol->place.statement);
        object->symbols[index].file =
            mem_outside(as->heap, as->sources[statement->source].name);
        object->symbols[index].line = statement->line;
    }
    return symbol->object_index = index;
}

/* Labels and constants; names of other files come when a relocation needs them. A
 * constant that is an external symbol plus a number has no section to be in and is
 * left out. */
static void output_symbols(const Assembler *as, AsmObject *object) {
    for (int i = 0; i < as->symbol_count; i++) {
        AsSymbol *symbol = as->symbols[i];
        if (symbol->kind != ASM_SYMBOL_UNDEFINED && !symbol->anonymous &&
            symbol->value.kind != AS_VALUE_EXTERNAL)
            symbol_index(as, object, symbol);
    }
}

/* Numbers of the object's files for the sources, -1 until they are needed. */
static int file_index(const Assembler *as, AsmObject *object, int *files, int source) {
    if (files[source] < 0)
        files[source] =
            mem_index(as->heap, asm_object_add_file(object, as->sources[source].name));
    return files[source];
}

/* Adds a row. Each round of a repeat has rows of its own, so that a debugger finds all
 * places of a line. */
static void add_line(const Assembler *as, AsmObject *object, AsmObjectLine line) {
    const AsmObjectLine *last =
        object->line_count > 0 ? &object->lines[object->line_count - 1] : NULL;
    if (last && line.low && last->offset != line.offset) {
        AsmObjectLine high = *last; /* a low half has a row behind that of its word */
        high.offset = line.offset;
        high.low = false;
        high.goes_on = true;
        mem_index(as->heap, asm_object_add_line(object, high));
    }
    mem_index(as->heap, asm_object_add_line(object, line));
}

/* Rows were made in the order of the source; the table is by section and offset. */
static void output_lines(const Assembler *as, AsmObject *object, int *files) {
    AsmObjectLine *lines = heap_alloc(as->heap, (size_t)as->row_count * sizeof *lines);
    for (int i = 0; i < as->row_count; i++) {
        const AsRow *row = &as->rows[i];
        lines[i] = (AsmObjectLine){
            .section = as->sections[row->section].object_index,
            .offset = row->offset,
            .low = row->low,
            .file = file_index(as, object, files, row->statement->source),
            .line = row->statement->line};
    }
    asm_object_sort_lines(lines, as->row_count);
    for (int i = 0; i < as->row_count; i++)
        add_line(as, object, lines[i]);
}

static void output_relocs(const Assembler *as, AsmObject *object, int *files) {
    for (int i = 0; i < as->reloc_count; i++) {
        const AsReloc *reloc = &as->relocs[i];
        const AsStatement *statement = as_called_at(reloc->statement);
        const AsmObjectReloc out = {
            .section = as->sections[reloc->section].object_index,
            .offset = reloc->offset,
            .type = reloc->type,
            .symbol = symbol_index(as, object, reloc->symbol),
            .addend = reloc->addend,
            .file = file_index(as, object, files, statement->source),
            .line = statement->line};
        mem_index(as->heap, asm_object_add_reloc(object, out));
    }
}

/* Assertions for the linker. */
static void output_assert(const Assembler *as, AsmObject *object, int *files,
                          const AsAssert *assert) {
    const AsStatement *statement = as_called_at(assert->place.statement);
    char *text = heap_alloc(as->heap, (size_t)assert->text.length + 1);
    memcpy(text, assert->text.text, (size_t)assert->text.length);
    AsmObjectAssert out = {.compare = assert->compare,
                           .number = assert->number,
                           .terms = assert->terms,
                           .text = text,
                           .file = file_index(as, object, files, statement->source),
                           .line = statement->line};
    for (int i = 0; i < assert->terms; i++)
        out.term[i] = (AsmObjectTerm){symbol_index(as, object, assert->term[i].symbol),
                                      assert->term[i].minus};
    mem_index(as->heap, asm_object_add_assert(object, &out));
}

static void end_object(void *object) {
    asm_object_free(object);
}

/* Relocations come last, because they add the symbols of other files. */
AsmObject *as_output(Assembler *as) {
    AsmObject *object = heap_need(as->heap, asm_object_new());
    heap_at_end(as->heap, end_object, object);
    int *files = heap_alloc(as->heap, (size_t)as->source_count * sizeof *files);
    for (int i = 0; i < as->source_count; i++)
        files[i] = -1;
    output_sections(as, object);
    output_symbols(as, object);
    output_lines(as, object, files);
    output_relocs(as, object, files);
    for (int i = 0; i < as->deferred_count; i++)
        output_assert(as, object, files, &as->deferred[i]);
    return object;
}
