/* Prints single words as source: as instructions, shaped words (ADDR, IP, MSG) or
 * numbers. Each line ends with the word's address and contents, as a comment:
 *
 *             move    [3,a1],r0                        ; 00100 C109A0000
 *             nop
 *             .msg    handler,4                        ; 00101 500040C04
 *
 * Every function that prints returns the number of characters, for that column. */
#include "asm/disassembler/disassemble.h"

#include <inttypes.h>
#include <string.h>

enum { COMMENT_COLUMN = 48 };

static uint32_t address_of(const Disassembly *dis, int section, uint32_t offset) {
    const AsmObjectSection *s = &dis->object->sections[section];
    return s->address == ASM_OBJECT_NO_ADDRESS ? offset : (uint32_t)s->address + offset;
}

/* Ends a line of `column` characters with the place and the contents of its word. */
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

/* "symbol+addend"; returns the number of characters. */
static int print_reloc(const Disassembly *dis, const AsmObjectReloc *reloc) {
    const char *name = dis->symbol_names[reloc->symbol];
    if (reloc->addend == 0)
        return fprintf(dis->out, "%s", name);
    return fprintf(dis->out, "%s%+" PRId64, name, reloc->addend);
}

/* ---- instructions ---------------------------------------------------------------- */

/* Canonical: what the encoder gives for the decoded instruction. Bits that an opcode
 * does not use would be lost in its text. */
bool disassembly_is_code(const Disassembly *dis, int section, uint32_t offset) {
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

/* In an object, a branch with a relocation has a displacement of zero and is printed
 * with the relocation's symbol instead. */
bool disassembly_target(const Disassembly *dis, int section, uint32_t offset,
                        uint32_t instruction, int *to_section, uint32_t *to_offset) {
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

/* The text comes from the instruction set (jm_disassemble); only the number in it
 * gives way to a symbol. */
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

/* Relocations of a data word by what they patch; false if there is one that a directive
 * cannot say. */
typedef struct {
    const AsmObjectReloc *data, *field20, *field10;
} DataRelocs;

/* A word has at most one of each. */
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

/* A word as `.word`: TAG:value, or a name where one is more telling. INTs are signed,
 * everything else is bits. */
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

/* Relative offsets are no addresses: they get no label. */
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

void disassembly_word(Disassembly *dis, int section, uint32_t offset) {
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

void disassembly_run(const Disassembly *dis, int section, uint32_t offset,
                     uint32_t count) {
    const AsmObjectSection *s = &dis->object->sections[section];
    int column = fprintf(dis->out, "        .space  %" PRIu32, count);
    if (!s->fill && !jm_same(s->words[offset], JM_NIL)) {
        column += fprintf(dis->out, ",");
        column += print_plain(dis, s->words[offset], NULL);
    }
    end_line(dis, column, section, offset, !s->fill);
}
