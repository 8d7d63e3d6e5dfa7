/* Prints objects and images as source text: assembled by mdpas and linked by mdpld it
 * gives the same words at the same addresses. A word whose text would not do that is
 * printed as a number.
 *
 *     .equ, .extern                 symbols that are not labels
 *     for each section, code first:
 *         .section name,place,kind  and .org or .align
 *         .equ name,$-4             symbols before or after the section
 *         label:                    every symbol and branch target, where it is
 *         ; file:line text          the source, if requested
 *         words                     runs of equal ones as .space
 *
 * A word is two instructions only if both halves encode back to the very same bits;
 * else it is data, whose text loses nothing. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "asm/disassembler/disassembler.h"
#include "asm/objects/mem.h"
#include "asm/objects/names.h"
#include "asm/objects/object.h"
#include "emu/isa/isa.h"

/* A name for a word of a section, or for its end. */
typedef struct {
    int section;
    uint32_t offset;
    int rank; /* of several labels in one place the lowest is used: globals, then
                 locals, then made-up ones */
    char *name;
} Label;

typedef struct {
    Heap *heap; /* of this disassembly */
    const AsmObject *object;
    const AsmDisassembleOptions *options;
    FILE *out;
    int *shown; /* of each source file: the last line whose text was printed */
    int last_file, last_line; /* whose text was printed last; line 0: none */
    Names taken;              /* names that are in use */
    char **symbol_names;      /* a name that can be assembled for every symbol */
    char **section_names;
    Label *labels; /* sorted by section, offset, rank */
    int label_count;
    int *by_address; /* image: sections with words by address */
    int by_address_count;
    const AsmObjectReloc **relocs; /* sorted by section and offset */
} Disassembly;

/* ---- names and labels ------------------------------------------------------------ */

/* Makes names that can be assembled, and labels.
 *
 * An ELF file may hold any name: one with blanks, one of a register, one twice. A name
 * that the assembler would not accept as a symbol is changed (prefix "name", '_'
 * inside, suffix ".1"), in its definition and its uses alike. The words do not depend
 * on names, so the text still assembles to the same words. */

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

/* Returns a name that is not in use: `base`, or `base` followed by a number. The map
 * counts requests for each base, so that a thousand equal names do not take a million
 * look-ups. */
static char *unique(const Disassembly *dis, Names *taken, const char *base) {
    const size_t room = strlen(base) + 16;
    char *name = heap_alloc(dis->heap, room);
    snprintf(name, room, "%s", base);
    int count = names_find(taken, base);
    if (count >= 0) { /* how often this base was requested */
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
        memcpy(safe, "name", sizeof "name");
    const size_t prefix = strlen(safe);
    for (size_t i = 0; i < length; i++)
        safe[prefix + i] = is_name_part(name[i]) ? name[i] : '_';
    return unique(dis, &dis->taken, safe);
}

/* Whether a name may begin like this without quotes: with a letter, or with a dot and a
 * character that may follow it. */
static bool begins_well(const char *name) {
    return is_letter(name[0]) ||
           (name[0] == '.' && (is_letter(name[1]) || name[1] == '.'));
}

/* Returns a section's name without characters that the assembler cannot read. */
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

/* Names of sections need not differ from names of symbols. Sections of the same name in
 * an image are separate, so each gets a unique name. */
static void name_sections(Disassembly *dis) {
    const AsmObject *object = dis->object;
    Names taken = {.heap = dis->heap};
    dis->section_names = heap_alloc(dis->heap, (size_t)object->section_count *
                                                   sizeof *dis->section_names);
    for (int i = 0; i < object->section_count; i++) {
        const char *safe = safe_section(dis, object->sections[i].name);
        dis->section_names[i] = unique(dis, &taken, safe);
    }
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

/* Returns the index of the first label at or after a place. */
static int disassembly_label(const Disassembly *dis, int section, uint32_t offset) {
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

/* Returns the name of a place, NULL if it has none. If several labels stand there, the
 * first is used: a global one if there is one. */
static const char *disassembly_label_at(const Disassembly *dis, int section,
                                        uint32_t offset) {
    const int at = disassembly_label(dis, section, offset);
    if (at == dis->label_count || dis->labels[at].section != section ||
        dis->labels[at].offset != offset)
        return NULL;
    return dis->labels[at].name;
}

/* A symbol outside its section is not a label (print_beside). */
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

/* Returns the first relocation of a word; `*count` gets how many there are. A binary
 * search finds the first; those of one word are adjacent. */
static const AsmObjectReloc *const *
disassembly_relocs(const Disassembly *dis, int section, uint32_t offset, int *count) {
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

/* The half of an instruction word that a relocation patches, and the operand it needs;
 * false if it does not patch instructions. */
static bool operand_reloc(AsmObjectRelocType type, unsigned *phase, JmMode *mode) {
    *phase = type == ASM_OBJECT_RELOC_IMM_L || type == ASM_OBJECT_RELOC_OFFSET_L ||
             type == ASM_OBJECT_RELOC_BRANCH_L;
    *mode = type == ASM_OBJECT_RELOC_OFFSET_H || type == ASM_OBJECT_RELOC_OFFSET_L
                ? JM_MODE_OFFSET
                : JM_MODE_IMMEDIATE;
    return type >= ASM_OBJECT_RELOC_IMM_H && type <= ASM_OBJECT_RELOC_BRANCH_L;
}

static bool is_branch_reloc(AsmObjectRelocType type) {
    return type == ASM_OBJECT_RELOC_BRANCH_H || type == ASM_OBJECT_RELOC_BRANCH_L;
}

static bool is_branch(const JmDecoded *d) {
    const JmForm form = jm_op_info(d->op)->form;
    return form == JM_FORM_BR || form == JM_FORM_S_BR;
}

/* Whether `reloc` can be written as an operand of one half of the word. */
static bool reloc_fits(JmWord word, const AsmObjectReloc *reloc) {
    unsigned phase;
    JmMode mode;
    if (!operand_reloc(reloc->type, &phase, &mode))
        return false;
    const JmDecoded d = jm_decode(jm_instruction(word, phase));
    const JmOp0Use use = jm_form_info(jm_op_info(d.op)->form)->op0;
    return (use == JM_OP0_READ || use == JM_OP0_WRITE) && d.mode == mode &&
           (!is_branch_reloc(reloc->type) || is_branch(&d));
}

/* The one relocation of a half; NULL if there is none. A second one of the same half
 * makes the word data (disassembly_is_code). */
static const AsmObjectReloc *half_reloc(const Disassembly *dis, int section,
                                        uint32_t offset, unsigned phase) {
    int count;
    const AsmObjectReloc *const *relocs =
        disassembly_relocs(dis, section, offset, &count);
    for (int i = 0; i < count; i++) {
        unsigned half;
        JmMode mode;
        if (operand_reloc(relocs[i]->type, &half, &mode) && half == phase)
            return relocs[i];
    }
    return NULL;
}

/* Whether the word is written as one or two instructions, not as data. An instruction
 * must be canonical, that is, equal to the encoding of its decoded form: its text would
 * lose bits that the opcode does not use. */
static bool disassembly_is_code(const Disassembly *dis, int section, uint32_t offset) {
    const AsmObjectSection *s = &dis->object->sections[section];
    if (s->fill || !jm_is_instruction(s->words[offset]))
        return false;
    const JmWord word = s->words[offset];
    if (!jm_is_canonical(jm_instruction(word, 0)) ||
        !jm_is_canonical(jm_instruction(word, 1)))
        return false;
    int count;
    const AsmObjectReloc *const *relocs =
        disassembly_relocs(dis, section, offset, &count);
    for (int i = 0; i < count; i++) {
        unsigned phase;
        JmMode mode;
        operand_reloc(relocs[i]->type, &phase, &mode);
        if (!reloc_fits(word, relocs[i]) ||
            half_reloc(dis, section, offset, phase) != relocs[i])
            return false;
    }
    return true;
}

/* Finds the section of an image that holds `address` or, if there is none, ends there;
 * false if there is neither. The end of a section counts as its own, unless the next
 * one begins there. */
static bool disassembly_find(const Disassembly *dis, uint32_t address, int *section,
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

/* Whether the half word is an instruction that branches to a fixed place in the object.
 * If so, `*to_section` and `*to_offset` get the place. In an object, a branch with a
 * relocation has a displacement of zero and is printed with the relocation's symbol
 * instead. */
static bool disassembly_target(const Disassembly *dis, int section, uint32_t offset,
                               uint32_t instruction, int *to_section,
                               uint32_t *to_offset) {
    const JmDecoded d = jm_decode(instruction);
    if (!is_branch(&d) || d.mode != JM_MODE_IMMEDIATE)
        return false;
    const AsmObjectSection *s = &dis->object->sections[section];
    const int64_t target = (int64_t)offset + 1 + d.value;
    if (dis->object->image)
        return disassembly_find(dis, (uint32_t)(s->address + target) & JM_ADDRESS_MASK,
                                to_section, to_offset);
    *to_section = section;
    *to_offset = (uint32_t)target;
    return target >= 0 && target <= s->size;
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
 * before targets of the same place: a target after a label at the same place is not
 * needed. */
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

/* Makes names for symbols and sections, and labels for symbols and branch targets.
 * Targets are collected after symbols have their labels, and named after sorting. */
static void disassembly_name(Disassembly *dis) {
    const AsmObject *object = dis->object;
    if (object->image)
        dis->by_address =
            object_by_address(dis->heap, object, false, &dis->by_address_count);
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

/* ---- words ----------------------------------------------------------------------- */

/* Prints single words as source: as instructions, shaped words (ADDR, IP, MSG) or
 * numbers. Each line ends with the word's address and contents, as a comment:
 *
 *             move    [3,a1],r0                        ; 00100 C109A0000
 *             nop
 *             .msg    handler,4                        ; 00101 500040C04
 *
 * Every function that prints returns the number of characters, for that column. */

enum { COMMENT_COLUMN = 48 };

static uint32_t address_of(const Disassembly *dis, int section, uint32_t offset) {
    const AsmObjectSection *s = &dis->object->sections[section];
    return s->address == ASM_OBJECT_NO_ADDRESS ? offset : (uint32_t)s->address + offset;
}

/* Ends a line of `column` characters with the address and the contents of its word. */
static void end_line(const Disassembly *dis, int column, int section, uint32_t offset,
                     bool contents) {
    if (!contents) {
        fputc('\n', dis->out);
        return;
    }
    const JmWord word = dis->object->sections[section].words[offset];
    fprintf(dis->out, "%*s ; %05X %09" PRIX64 "\n",
            column < COMMENT_COLUMN ? COMMENT_COLUMN - column : 0, "",
            address_of(dis, section, offset), word.bits);
}

/* ---- relocations ----------------------------------------------------------------- */

/* "symbol+addend"; returns the number of characters. */
static int print_reloc(const Disassembly *dis, const AsmObjectReloc *reloc) {
    const char *name = dis->symbol_names[reloc->symbol];
    if (reloc->addend == 0)
        return fprintf(dis->out, "%s", name);
    return fprintf(dis->out, "%s%+" PRId64, name, reloc->addend);
}

/* ---- instructions ---------------------------------------------------------------- */

/* Finds the number in the text of an instruction that is its operand: the first one
 * that is not part of a register's name. NULL if there is none. */
static char *operand_number(char *text) {
    for (char *c = text + 1; *c; c++) {
        if (strchr(" ,[", c[-1]) && (*c == '-' || (*c >= '0' && *c <= '9')))
            return c;
    }
    return NULL;
}

/* Prints the relocation or branch target that replaces the operand's number; 0 if there
 * is none. */
static int print_operand(const Disassembly *dis, int section, uint32_t offset,
                         unsigned phase) {
    const AsmObjectReloc *reloc = half_reloc(dis, section, offset, phase);
    if (reloc) {
        int length = 0;
        if (is_branch_reloc(reloc->type))
            length += fprintf(dis->out, "^");
        return length + print_reloc(dis, reloc);
    }
    int to;
    uint32_t at;
    const JmWord word = dis->object->sections[section].words[offset];
    if (!disassembly_target(dis, section, offset, jm_instruction(word, phase), &to,
                            &at))
        return 0;
    const char *label = disassembly_label_at(dis, to, at);
    return label ? fprintf(dis->out, "^%s", label) : 0;
}

/* The text comes from the instruction set (jm_disassemble); only the number in it is
 * replaced by a symbol. */
static void print_instruction(const Disassembly *dis, int section, uint32_t offset,
                              unsigned phase) {
    char text[64];
    const JmWord word = dis->object->sections[section].words[offset];
    jm_disassemble(jm_instruction(word, phase), text, sizeof text);
    char *operands = strchr(text, ' ');
    int column;
    if (!operands) {
        column = fprintf(dis->out, "        %s", text);
        end_line(dis, column, section, offset, phase == 0);
        return;
    }
    char *number = operand_number(text);
    const size_t before =
        number ? (size_t)(number - operands - 1) : strlen(operands + 1);
    column = fprintf(dis->out, "        %-7.*s %.*s", (int)(operands - text), text,
                     (int)before, operands + 1);
    if (number) {
        const size_t digits = strspn(number, "-0123456789xABCDEF");
        const int length = print_operand(dis, section, offset, phase);
        column += length + fprintf(dis->out, "%s", length ? number + digits : number);
    }
    end_line(dis, column, section, offset, phase == 0);
}

/* ---- data ------------------------------------------------------------------------ */

/* A 20-bit field: a label of an image if one matches, else the number. */
static int print_field20(const Disassembly *dis, uint32_t address,
                         const AsmObjectReloc *reloc) {
    int section;
    uint32_t offset;
    if (reloc)
        return print_reloc(dis, reloc);
    if (dis->object->image && disassembly_find(dis, address, &section, &offset)) {
        const char *label = disassembly_label_at(dis, section, offset);
        if (label)
            return fprintf(dis->out, "%s", label);
    }
    return fprintf(dis->out, "0x%05" PRIX32, address);
}

static int print_field10(const Disassembly *dis, uint32_t data,
                         const AsmObjectReloc *reloc) {
    const int comma = fprintf(dis->out, ",");
    return comma + (reloc ? print_reloc(dis, reloc)
                          : fprintf(dis->out, "%" PRIu32, jm_field10(data)));
}

static int print_flag(const Disassembly *dis, uint32_t data, uint32_t bit,
                      const char *name) {
    return data & bit ? fprintf(dis->out, ",%s", name) : 0;
}

/* Relocations of a data word by the field they patch. */
typedef struct {
    const AsmObjectReloc *data, *field20, *field10;
} DataRelocs;

/* Finds the relocations of a data word, at most one of each kind; false if there is one
 * that a directive cannot express. */
static bool data_relocs(const Disassembly *dis, int section, uint32_t offset,
                        DataRelocs *found) {
    int count;
    const AsmObjectReloc *const *relocs =
        disassembly_relocs(dis, section, offset, &count);
    *found = (DataRelocs){0};
    for (int i = 0; i < count; i++) {
        const AsmObjectReloc **place =
            relocs[i]->type == ASM_OBJECT_RELOC_DATA32    ? &found->data
            : relocs[i]->type == ASM_OBJECT_RELOC_FIELD20 ? &found->field20
            : relocs[i]->type == ASM_OBJECT_RELOC_FIELD10 ? &found->field10
                                                          : NULL;
        if (!place || *place)
            return relocs[i]->type == ASM_OBJECT_RELOC_NONE;
        *place = relocs[i];
    }
    return true;
}

/* A word as `.word`: TAG:value, or a constant's name. INTs are signed, all other data
 * is unsigned. */
static int print_plain(const Disassembly *dis, JmWord word,
                       const AsmObjectReloc *reloc) {
    const unsigned tag = jm_tag(word);
    if (reloc) {
        const int length = fprintf(dis->out, "%s:", jm_tag_name(tag));
        return length + print_reloc(dis, reloc);
    }
    if (jm_same(word, JM_NIL))
        return fprintf(dis->out, "NIL");
    if (tag == JM_TAG_BOOL && jm_data(word) <= 1)
        return fprintf(dis->out, "%s", jm_data(word) ? "TRUE" : "FALSE");
    if (tag == JM_TAG_INT)
        return fprintf(dis->out, "INT:%" PRId32, (int32_t)jm_data(word));
    return fprintf(dis->out, "%s:0x%08" PRIX32, jm_tag_name(tag), jm_data(word));
}

/* Relative offsets are not addresses, so they get no label. */
static int print_ip(const Disassembly *dis, uint32_t data, const DataRelocs *relocs) {
    const bool absolute = data & JM_IP_ABSOLUTE;
    int column = fprintf(dis->out, "        .ip     ");
    if (absolute)
        column += print_field20(dis, jm_field20(data), relocs->field20);
    else if (relocs->field20)
        column += print_reloc(dis, relocs->field20);
    else
        column += fprintf(dis->out, "0x%05" PRIX32, jm_field20(data));
    column += print_flag(dis, data, JM_IP_UNCHECKED, "U");
    column += print_flag(dis, data, JM_IP_FAULT, "F");
    column += absolute ? 0 : fprintf(dis->out, ",rel");
    return column + print_flag(dis, data, JM_IP_PHASE, "low");
}

/* ADDR and MSG: field, length, two flags. */
static int print_shaped(const Disassembly *dis, JmWord word, const DataRelocs *relocs) {
    const bool addr = jm_tag(word) == JM_TAG_ADDR;
    const uint32_t data = jm_data(word);
    int column = fprintf(dis->out, "        %-7s ", addr ? ".addr" : ".msg");
    column += print_field20(dis, jm_field20(data), relocs->field20);
    column += print_field10(dis, data, relocs->field10);
    column += print_flag(dis, data, JM_ADDR_RELOCATABLE, addr ? "R" : "U");
    return column + print_flag(dis, data, JM_ADDR_INVALID, addr ? "I" : "F");
}

/* A length that the directive refuses, and a relocation of the whole word, need .word,
 * whatever the tag. */
static int print_data(const Disassembly *dis, JmWord word, const DataRelocs *relocs) {
    const unsigned tag = jm_tag(word);
    const bool shaped = relocs->field20 || relocs->field10 ||
                        (int)jm_field10(jm_data(word)) >= asm_object_length_min(tag);
    if (!relocs->data && (tag == JM_TAG_ADDR || tag == JM_TAG_MSG) && shaped)
        return print_shaped(dis, word, relocs);
    if (!relocs->data && tag == JM_TAG_IP && (jm_data(word) & 0xFF) == 0)
        return print_ip(dis, jm_data(word), relocs);
    const int column = fprintf(dis->out, "        .word   ");
    return column + print_plain(dis, word, relocs->data);
}

enum { BEFORE_MAX = 5 };

static void print_line(const Disassembly *dis, int file, int line) {
    const char *name = dis->object->files[file];
    const char *text = dis->options->source_line(dis->options->context, name, line);
    if (!text)
        return;
    char *shown =
        mem_printable(dis->heap, name); /* a newline in it would end the comment */
    fprintf(dis->out, "; %s:%d %s\n", shown, line, text);
    heap_free(shown);
}

static void print_row(Disassembly *dis, const AsmObjectLine *row) {
    int from = row->line;
    if (dis->last_file == row->file && dis->last_line == row->line)
        return;
    dis->last_file = row->file;
    dis->last_line = row->line;
    if (dis->shown[row->file] < row->line) {
        from = dis->shown[row->file] + 1;
        if (from < row->line - BEFORE_MAX)
            from = row->line - BEFORE_MAX;
        dis->shown[row->file] = row->line;
    }
    for (int line = from; line <= row->line; line++)
        print_line(dis, row->file, line);
}

/* Prints the source line that begins at this word, or (`low`) at the instruction in its
 * low half, and lines before it that were not printed yet. Prints nothing if there is
 * no source. */
static void disassembly_source(Disassembly *dis, int section, uint32_t offset,
                               bool low) {
    const AsmObject *object = dis->object;
    if (!dis->options->source_line)
        return;
    const int first = object_first_row(object, section, offset, low);
    for (int i = first; i < object->line_count; i++) {
        const AsmObjectLine *row = &object->lines[i];
        if (row->section != section || row->offset != offset || row->low != low)
            return;
        if (row->line > 0)
            print_row(dis, row);
    }
}

/* Prints one word in one or two lines. */
static void disassembly_word(Disassembly *dis, int section, uint32_t offset) {
    if (disassembly_is_code(dis, section, offset)) {
        print_instruction(dis, section, offset, 0);
        disassembly_source(dis, section, offset, true);
        print_instruction(dis, section, offset, 1);
        return;
    }
    DataRelocs relocs;
    const bool said = data_relocs(dis, section, offset, &relocs);
    const JmWord word = dis->object->sections[section].words[offset];
    if (!said) {
        fprintf(dis->out, "        ; relocations of the next word cannot be written\n");
        relocs = (DataRelocs){0};
    }
    end_line(dis, print_data(dis, word, &relocs), section, offset, true);
}

/* Prints a run of equal words in one line. */
static void disassembly_run(const Disassembly *dis, int section, uint32_t offset,
                            uint32_t count) {
    const AsmObjectSection *s = &dis->object->sections[section];
    int column = fprintf(dis->out, "        .space  %" PRIu32, count);
    if (!s->fill && !jm_same(s->words[offset], JM_NIL)) {
        column += fprintf(dis->out, ",");
        column += print_plain(dis, s->words[offset], NULL);
    }
    end_line(dis, column, section, offset, !s->fill);
}

/* ---- the source ------------------------------------------------------------------ */

/* Source text among the words of a disassembly, from the line table.
 *
 *     main.loop:
 *     ; sum.s:4 .loop:  add     r1,r0,r1
 *             add     r1,r0,r1                ; 00103 ...
 *
 * Source lines are comments, so that the text still assembles. A line that made words
 * in several places is shown at each, unless nothing else comes between. Of the lines
 * before it that made no words, only the last few are shown, once: they are its comment
 * and label. */

/* Returns the offset of the first word after `offset` that comes from another source
 * line; at most `limit`. Returns `limit` if there is no source. */
static uint32_t disassembly_source_end(const Disassembly *dis, int section,
                                       uint32_t offset, uint32_t limit) {
    const AsmObject *object = dis->object;
    const int next = object_first_row(object, section, offset + 1, false);
    if (!dis->options->source_line || next == object->line_count ||
        object->lines[next].section != section || object->lines[next].offset > limit)
        return limit;
    return object->lines[next].offset;
}

/* ---- sections -------------------------------------------------------------------- */

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
}

/* Prints the symbols that lie before or after their section, relative to its start. */
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

/* Labels after the last word, such as the end of a table, are printed too. */
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
