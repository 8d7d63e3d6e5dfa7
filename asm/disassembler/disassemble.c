/* Prints objects and images as source text; disassemble.h says what the text promises.
 *
 *     .equ, .extern                 symbols that are no labels
 *     for each section, code first:
 *         .section name,place,kind  and .org or .align
 *         .equ name,$-4             symbols before or behind the section
 *         label:                    every symbol and branch target, where it is
 *         ; file:line text          the source, if it is asked for
 *         words                     runs of equal ones as .space
 *
 * A word is two instructions only if both halves encode back to the very same bits;
 * else it is data, where nothing can be lost. */
#include "asm/disassembler/disassemble.h"

#include <inttypes.h>

/* Runs of at least this many equal data words become one .space. */
enum { RUN_LEAST = 4 };

/* Returns, for each symbol, whether it is an absolute symbol that the words or another
 * file may need. An image needs none: its relocations are applied. */
static bool *needed_constants(const Disassembly *dis) {
    const AsmObject *object = dis->object;
    bool *needed = heap_alloc(dis->heap, (size_t)object->symbol_count * sizeof *needed);
    for (int i = 0; i < object->symbol_count; i++)
        needed[i] = !object->image && object->symbols[i].global;
    for (int i = 0; i < object->reloc_count; i++)
        needed[object->relocs[i].symbol] = true;
    return needed;
}

static void print_global(const Disassembly *dis, int symbol) {
    if (dis->object->symbols[symbol].global)
        fprintf(dis->out, "        .global %s\n", dis->symbol_names[symbol]);
}

/* Prints the symbols that are in no section. */
static void print_constants(const Disassembly *dis) {
    const AsmObject *object = dis->object;
    bool *needed = needed_constants(dis);
    for (int i = 0; i < object->symbol_count; i++) {
        const AsmObjectSymbol *symbol = &object->symbols[i];
        if (symbol->section == ASM_OBJECT_UNDEFINED)
            fprintf(dis->out, "        .extern %s\n", dis->symbol_names[i]);
        if (symbol->section != ASM_OBJECT_ABSOLUTE ||
            !(needed[i] || dis->options->equates))
            continue;
        print_global(dis, i);
        fprintf(dis->out, "        .equ    %s,%" PRId64 "\n", dis->symbol_names[i],
                symbol->value);
    }
    heap_free(needed);
}

/* Prints the symbols that lie before or behind their section, relative to its start. */
static void print_beside(const Disassembly *dis, int section) {
    const AsmObject *object = dis->object;
    const AsmObjectSection *s = &object->sections[section];
    for (int i = 0; i < object->symbol_count; i++) {
        const AsmObjectSymbol *symbol = &object->symbols[i];
        const int64_t start = object->image ? s->address : 0;
        if (symbol->section != section ||
            (symbol->value >= start && symbol->value - start <= s->size))
            continue;
        print_global(dis, i);
        fprintf(dis->out, "        .equ    %s,$%+" PRId64 "\n", dis->symbol_names[i],
                symbol->value - start);
    }
}

static void print_section_start(const Disassembly *dis, int section) {
    const AsmObjectSection *s = &dis->object->sections[section];
    fprintf(dis->out, "\n        .section %s,%s,%s\n", dis->section_names[section],
            asm_object_place_name(s->place),
            s->fill   ? "fill"
            : s->code ? "code"
                      : "data");
    if (s->address != ASM_OBJECT_NO_ADDRESS)
        fprintf(dis->out, "        .org    0x%05" PRIX32 "\n", (uint32_t)s->address);
    else if (s->align > 1)
        fprintf(dis->out, "        .align  %" PRIu32 "\n", s->align);
}

/* Returns how many words from `offset` on, before `limit`, can be printed as one run.
 * A word with relocations is never part of a run. */
static uint32_t run_length(const Disassembly *dis, int section, uint32_t offset,
                           uint32_t limit) {
    const AsmObjectSection *s = &dis->object->sections[section];
    if (s->fill)
        return limit - offset;
    int count;
    uint32_t end = offset;
    while (end < limit && jm_same(s->words[end], s->words[offset]) &&
           !disassembly_is_code(dis, section, end)) {
        disassembly_relocs(dis, section, end, &count);
        if (count > 0)
            break;
        end++;
    }
    return end - offset;
}

/* Prints the words up to the next label. */
static void print_words(Disassembly *dis, int section, uint32_t offset,
                        uint32_t limit) {
    const bool fill = dis->object->sections[section].fill;
    while (offset < limit) {
        disassembly_source(dis, section, offset, false);
        const uint32_t end = disassembly_source_end(dis, section, offset, limit);
        const uint32_t run = run_length(dis, section, offset, end);
        if (fill || run >= RUN_LEAST) {
            disassembly_run(dis, section, offset, run);
            offset += run;
        } else {
            disassembly_word(dis, section, offset++);
        }
    }
}

/* Globals are declared where they are defined. Symbols come in the order of `rank`,
 * which is their number for globals. */
static void print_label(const Disassembly *dis, const Label *label) {
    if (label->rank < dis->object->symbol_count)
        print_global(dis, label->rank);
    fprintf(dis->out, "%s:\n", label->name);
}

/* Labels behind the last word are printed too: end of a table. */
static void print_section(Disassembly *dis, int section) {
    const AsmObjectSection *s = &dis->object->sections[section];
    print_section_start(dis, section);
    dis->last_line = 0;
    print_beside(dis, section);
    int label = disassembly_label(dis, section, 0);
    for (uint32_t offset = 0;;) {
        while (label < dis->label_count && dis->labels[label].section == section &&
               dis->labels[label].offset == offset)
            print_label(dis, &dis->labels[label++]);
        if (offset == s->size)
            return;
        const bool more =
            label < dis->label_count && dis->labels[label].section == section;
        const uint32_t limit = more ? dis->labels[label].offset : s->size;
        print_words(dis, section, offset, limit);
        offset = limit;
    }
}

static void print_kind(Disassembly *dis, bool code) {
    for (int i = 0; i < dis->object->section_count; i++) {
        const AsmObjectSection *section = &dis->object->sections[i];
        const int label = disassembly_label(dis, i, 0);
        const bool labelled =
            label < dis->label_count && dis->labels[label].section == i;
        if (section->code == code && (section->size > 0 || labelled))
            print_section(dis, i);
    }
}

/* Prints code before data, since readers look for code and tables may take pages. The
 * linker places code before data too, so that the order changes no address. */
static void disassemble_work(Heap *heap, void *context) {
    Disassembly *dis = context;
    dis->heap = dis->taken.heap = heap;
    dis->shown = heap_alloc(heap, (size_t)dis->object->file_count * sizeof *dis->shown);
    disassembly_name(dis);
    print_constants(dis);
    print_kind(dis, true);
    print_kind(dis, false);
}

bool asm_disassemble(const AsmObject *object, const AsmDisassembleOptions *options,
                     FILE *out) {
    static const AsmDisassembleOptions standard = {0};
    Disassembly dis = {
        .object = object, .options = options ? options : &standard, .out = out};
    return heap_run(disassemble_work, &dis);
}
