/* Prints instructions, registers and words in the assembler's notation. */
#include "emu/isa/isa.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* A text under construction in a buffer that may be too small. */
typedef struct {
    char *buffer;
    size_t size; /* bytes of `buffer`; 0: count only */
    int length;  /* characters of the whole text, including those that did not fit */
} Text;

static void add(Text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(Text *text, const char *format, ...) {
    const size_t used = (size_t)text->length;
    const size_t room = used < text->size ? text->size - used : 0;
    va_list args;
    va_start(args, format);
    text->length += vsnprintf(room ? text->buffer + used : NULL, room, format, args);
    va_end(args);
}

static Text text_into(char *buffer, size_t size) {
    if (size > 0)
        buffer[0] = '\0';
    return (Text){buffer, size, 0};
}

/* Tables hold names in upper case; the assembler's texts are in lower case. */
static void add_lower(Text *text, const char *name) {
    for (; *name; name++)
        add(text, "%c", *name >= 'A' && *name <= 'Z' ? *name - 'A' + 'a' : *name);
}

/* "r1'p" is of the other priority, "r1'b" of the other context, "r1'bp" of both. A
 * number without a name is written as reg1f, which does not assemble. */
static void add_register(Text *text, unsigned op0) {
    const char *name = jm_reg_name(op0 & JM_REG_N);
    if (name)
        add_lower(text, name);
    else
        add(text, "reg%02x", op0 & JM_REG_N);
    if (op0 & (JM_REG_OTHER_PRIORITY | JM_REG_OTHER_CONTEXT))
        add(text, "'%s%s", op0 & JM_REG_OTHER_CONTEXT ? "b" : "",
            op0 & JM_REG_OTHER_PRIORITY ? "p" : "");
}

/* Constants are written by value: the assembler finds the encoding again. */
static void add_constant(Text *text, unsigned index) {
    const JmWord constant = jm_operand_constant(index);
    if (jm_same(constant, JM_NIL))
        add(text, "nil");
    else if (jm_tag(constant) == JM_TAG_BOOL)
        add(text, "%s", jm_data(constant) ? "true" : "false");
    else
        add(text, "0x%" PRIX32, jm_data(constant));
}

static void add_operand(Text *text, const JmDecoded *d) {
    switch ((JmMode)d->mode) {
    case JM_MODE_REG:
        add_register(text, d->reg); /* regs.def begins with R0-R3 and A0-A3 */
        break;
    case JM_MODE_CONSTANT:
        add_constant(text, d->reg);
        break;
    case JM_MODE_INDEXED:
        add(text, "[r%d,a%d]", d->reg, d->areg);
        break;
    case JM_MODE_IMMEDIATE:
        add(text, "%d", d->value);
        break;
    case JM_MODE_OFFSET:
        add(text, "[%d,a%d]", d->value, d->areg);
        break;
    }
}

/* Whether the assembler turns `move` with these operands into this same opcode. Where
 * two opcodes would do, it picks READ for a move to Rn, WRITER for a move to An, and
 * register mode for all other registers. */
static bool is_move(const JmDecoded *d) {
    const unsigned first_special = JM_REG_ID0;
    switch (d->op) {
    case JM_OP_READ:
        return true;
    case JM_OP_WRITE:
        return d->mode == JM_MODE_INDEXED || d->mode == JM_MODE_OFFSET;
    case JM_OP_READR:
        return d->reg >= first_special;
    case JM_OP_WRITER:
        return d->reg >= JM_REG_A0;
    default:
        return false;
    }
}

/* Operands appear in the order Rs, op0, Rd, priority. SEND2 and SEND2E put Rs after
 * op0, in the order in which the two words are sent. */
static void add_operands(Text *text, const JmDecoded *d, const JmOpInfo *info) {
    const JmFormInfo *form = jm_form_info(info->form);
    const char *separator = " ";
    if (form->has_rs && info->form != JM_FORM_O_S_P) {
        add(text, "%sr%d", separator, d->rs);
        separator = ",";
    }
    if (form->op0 != JM_OP0_NONE) {
        add(text, "%s", separator);
        if (form->op0 == JM_OP0_REG)
            add_register(text, d->reg);
        else
            add_operand(text, d);
    }
    if (form->has_rd)
        add(text, ",r%d", d->rd);
    if (info->form == JM_FORM_O_S_P)
        add(text, ",r%d", d->rs);
    if (info->form == JM_FORM_O_P || info->form == JM_FORM_O_S_P)
        add(text, ",%d", d->rd);
}

int jm_disassemble(uint32_t instruction, char *buffer, size_t size) {
    Text text = text_into(buffer, size);
    const JmDecoded d = jm_decode(instruction);
    const JmOpInfo *info = jm_op_info(d.op);
    if (!info->name) {
        add(&text, "op 0x%02x", d.op);
        return text.length;
    }
    if (is_move(&d))
        add(&text, "move");
    else
        add_lower(&text, info->name);
    add_operands(&text, &d, info);
    return text.length;
}

int jm_word_print(JmWord word, char *buffer, size_t size) {
    Text text = text_into(buffer, size);
    add(&text, "%s:%08" PRIX32, jm_tag_name(jm_tag(word)), jm_data(word));
    return text.length;
}
