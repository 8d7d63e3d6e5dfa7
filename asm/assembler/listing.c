/* The listing: address, word, cycles, source; and the cycles of each straight-line
 * run, as the thesis prints them (Lethin 1997, figure 4-3).
 *
 *     00000.0  C104BF63F       1             1  start: move 5,r0
 *     00000.1                1/2             2          bz   r0,^start
 *     00001.0  F00000000       2      4      3          suspend
 *     |     |  |              |      |      |
 *     |     |  word           |      |      source line, '+' out of a macro
 *     |     phase             |      sum of the run that ends here
 *     address                 cycles: not jumping/jumping
 *
 * An r follows a word that the linker still changes; if it changes the instruction in
 * the low half, the r is in that line too.
 *
 * A run starts at a label or after a control transfer and ends at the next one;
 * conditional branches in it count as not taken. An inline constant between
 * instructions counts too. Lines are kept as they are read and printed at the end, when
 * fixups have filled in the words. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/assembler/assemble.h"

enum { WORDS_SHOWN = 16 };

static AsListed *add_listed(Assembler *as, const AsLine *line) {
    as->listed =
        mem_grow(as->heap, as->listed, (size_t)as->listed_count, sizeof *as->listed);
    AsListed *listed = &as->listed[as->listed_count++];
    const AsStatement *statement = line->statement;
    *listed =
        (AsListed){.line = *line,
                   .made = {.file = statement->source,
                            .line = statement->line,
                            .macro = statement->context && statement->context->call,
                            .section = as->section,
                            .phase = -1}};
    return listed;
}

void as_list_plain(Assembler *as, const AsLine *line) {
    if (as_lists(as))
        add_listed(as, line)->made.plain = true;
}

void as_list_line(Assembler *as, const AsLine *line, AsValue before) {
    AsListed *listed = add_listed(as, line);
    AsmIndexLine *made = &listed->made;
    listed->label = as->labelled;
    made->phase = as->phase;
    made->end = as_current(as)->size;
    made->offset = made->end;
    if (as->phase >= 0)
        made->offset = made->end - 1;
    else if (before.section == as->section)
        made->offset = (uint32_t)before.number;
}

static JmDecoded decoded(const Assembler *as, const AsmIndexLine *made) {
    const JmWord word = as->sections[made->section].words[made->offset];
    return jm_decode(jm_instruction(word, (unsigned)made->phase));
}

/* A jump that is always taken has one number, a conditional one two. */
static void count_instruction(const JmTiming *timing, AsmIndexLine *made,
                              const JmDecoded *instruction) {
    const bool jumps = as_ends_run(instruction);
    made->cycles = jm_cycles(timing, instruction, jumps, false);
    if (as_is_conditional(instruction))
        made->taken = jm_cycles(timing, instruction, true, false);
}

/* Fills in the cycles of lines and runs. Words between two instructions in a section of
 * code are inline constants: `constant` cycles each. */
void as_count_cycles(Assembler *as) {
    const JmTiming standard = jm_timing_default();
    const JmTiming *const timing =
        as->options->timing ? as->options->timing : &standard;
    AsmIndexLine *last = NULL; /* the last instruction of the run so far */
    unsigned sum = 0;
    for (int i = 0; i < as->listed_count; i++) {
        AsmIndexLine *made = &as->listed[i].made;
        const bool closes =
            as->listed[i].label || (last && last->section != made->section);
        if (closes && last)
            last->run = sum;
        if (closes)
            last = NULL, sum = 0;
        if (made->phase < 0 && last && as->sections[made->section].code)
            made->cycles = timing->constant * (made->end - made->offset);
        sum += made->cycles;
        if (made->phase < 0)
            continue;
        const JmDecoded instruction = decoded(as, made);
        count_instruction(timing, made, &instruction);
        sum += made->cycles;
        last = made;
        if (!as_ends_run(&instruction))
            continue;
        last->run = sum;
        last = NULL;
        sum = 0;
    }
    if (last)
        last->run = sum;
}

/* The address of an offset: for a section that is not fixed, the offset itself. */
static uint32_t address(const AsSection *section, uint32_t offset) {
    return (section->address == ASM_OBJECT_NO_ADDRESS ? 0
                                                      : (uint32_t)section->address) +
           offset;
}

static JmWord word_at(const AsSection *section, uint32_t offset) {
    return section->fill ? JM_NIL : section->words[offset];
}

/* Records which halves of which words the linker changes: bit 1 << phase, by word. A
 * section without contents has none. */
static void find_relocated(Assembler *as) {
    for (int i = 0; i < as->section_count; i++)
        as->sections[i].relocated =
            as->sections[i].fill ? NULL
                                 : heap_alloc(as->heap, as->sections[i].size + 1);
    for (int i = 0; i < as->reloc_count; i++) {
        const AsReloc *reloc = &as->relocs[i];
        const bool low = reloc->type == ASM_OBJECT_RELOC_IMM_L ||
                         reloc->type == ASM_OBJECT_RELOC_OFFSET_L ||
                         reloc->type == ASM_OBJECT_RELOC_BRANCH_L;
        as->sections[reloc->section].relocated[reloc->offset] |= low ? 2 : 1;
    }
}

/* The mark of a word, or of the instruction in its low half alone. */
static char mark_at(const AsSection *section, uint32_t offset, bool low) {
    const unsigned char halves = section->relocated ? section->relocated[offset] : 0;
    return (low ? halves & 2 : halves) ? 'r' : ' ';
}

static void print_place(const Assembler *as, const AsmIndexLine *made, FILE *out) {
    const AsSection *section = &as->sections[made->section];
    const uint32_t at = address(section, made->offset);
    if (made->phase == 1)
        fprintf(out, "%05" PRIX32 ".1           %c", at,
                mark_at(section, made->offset, true));
    else if (made->phase == 0 || made->offset < made->end)
        fprintf(out, "%05" PRIX32 "%s  %09" PRIX64 "%c", at,
                made->phase == 0 ? ".0" : "  ", word_at(section, made->offset).bits,
                mark_at(section, made->offset, false));
    else
        fprintf(out, "%19s", "");
}

/* Zero is left blank: the line has nothing that counts. */
static void print_cycles(const AsmIndexLine *made, FILE *out) {
    char cycles[32] = "";
    char run[16] = "";
    if (made->taken)
        snprintf(cycles, sizeof cycles, "%u/%u", made->cycles, made->taken);
    else if (made->cycles)
        snprintf(cycles, sizeof cycles, "%u", made->cycles);
    if (made->run)
        snprintf(run, sizeof run, "%u", made->run);
    fprintf(out, " %6s  %5s", cycles, run);
}

/* Prints the words of a line after its first, but at most a screenful: .space may make
 * any number. */
static void print_more(const Assembler *as, const AsmIndexLine *made, FILE *out) {
    const AsSection *section = &as->sections[made->section];
    for (uint32_t at = made->offset + 1; made->phase < 0 && at < made->end; at++) {
        if (at - made->offset == WORDS_SHOWN) {
            fprintf(out, "...      %" PRIu32 " more words\n", made->end - at);
            return;
        }
        const char mark = mark_at(section, at, false);
        fprintf(out, "%05" PRIX32 "    %09" PRIX64 "%.*s\n", address(section, at),
                word_at(section, at).bits, mark == 'r', &mark);
    }
}

static void print_line(const Assembler *as, const AsListed *listed, FILE *out) {
    print_place(as, &listed->made, out);
    print_cycles(&listed->made, out);
    fprintf(out, "  %5d%c ", listed->made.line,
            listed->line.statement->context ? '+' : ' ');
    for (int i = 0; i < listed->line.length; i++)
        fputc(listed->line.text[i] ? listed->line.text[i] : '?', out);
    fputc('\n', out);
    print_more(as, &listed->made, out);
}

/* A line with the name of the file or section where it changes. */
char *as_listing(Assembler *as) {
    int section = -1;
    int source = -1;
    MemText *const text = mem_text_open(as->heap);
    FILE *const out = text->out;
    as_count_cycles(as);
    find_relocated(as);
    fputs("; address  word       cycles    run   line  source"
          "   (r: the linker changes this word)\n",
          out);
    for (int i = 0; i < as->listed_count; i++) {
        const AsmIndexLine *made = &as->listed[i].made;
        if (made->file != source)
            fprintf(out, "; file %s\n", as->sources[source = made->file].name);
        if (made->section != section && made->offset < made->end)
            fprintf(out, "; section %s\n", as->sections[section = made->section].name);
        print_line(as, &as->listed[i], out);
    }
    return mem_text_close(as->heap, text);
}
