/* Converts instruction bits to fields and back. Source: MDP Architecture, Version 11,
 * section 4. The operand field op0 is one of
 *
 *     op0: 00000nn Rn           00001nn An          0001ccc constant
 *          001rraa [Rr,Aa]      01iiiii immediate   1iiiiaa [offset,Aa]
 *
 * If the form leaves one of the two-bit fields op1 and op2 unused and forms.def names
 * it as `ext`, that field extends the immediate to {ext, iiiii} and the offset to {ext,
 * iiii}.
 */
#include "emu/isa/isa.h"

#include <string.h>

/* Each flag is the top bit of its pattern in op0. Test them from the highest down: bits
 * below a set flag are operands. */
enum {
    OP0_CONSTANT = 0x08,
    OP0_INDEXED = 0x10,
    OP0_IMMEDIATE = 0x20,
    OP0_OFFSET = 0x40,
    IMMEDIATE_BITS = 5,
    OFFSET_BITS = 4,
    EXT_BITS = 2
};

/* SENDs have no destination register; the low bit of op2 is the network priority. */
static bool is_send_form(JmForm form) {
    return form == JM_FORM_O_P || form == JM_FORM_O_S_P;
}

/* Returns the low `bits` bits of `value` as a two's complement number. */
static int sign_extend(unsigned value, unsigned bits) {
    const unsigned sign = 1u << (bits - 1);
    return (int)((value & (2 * sign - 1)) ^ sign) - (int)sign;
}

/* Fills in mode and operand of `d`. `ext` is the value of the field that extends op0,
 * and 0 if the form has none (`has_ext` false). */
static void decode_operand(JmDecoded *d, unsigned op0, unsigned ext, bool has_ext) {
    if (op0 & OP0_OFFSET) {
        d->mode = JM_MODE_OFFSET;
        d->value = (int8_t)(ext << OFFSET_BITS | ((op0 >> 2) & 0xF));
        d->areg = op0 & 3;
    } else if (op0 & OP0_IMMEDIATE) {
        const unsigned bits = IMMEDIATE_BITS + (has_ext ? EXT_BITS : 0);
        d->mode = JM_MODE_IMMEDIATE;
        d->value = (int8_t)sign_extend(ext << IMMEDIATE_BITS | (op0 & 0x1F), bits);
    } else if (op0 & OP0_INDEXED) {
        d->mode = JM_MODE_INDEXED;
        d->reg = (op0 >> 2) & 3;
        d->areg = op0 & 3;
    } else {
        d->mode = op0 & OP0_CONSTANT ? JM_MODE_CONSTANT : JM_MODE_REG;
        d->reg = op0 & 7;
    }
}

/* Fields that the form does not use decode as 0, so that two encodings of one
 * instruction compare equal. */
static void decode_registers(JmDecoded *d, const JmOpInfo *info, unsigned op1,
                             unsigned op2) {
    const JmFormInfo *form = jm_form_info(info->form);
    d->rs = (uint8_t)(form->has_rs ? op1 : 0);
    d->rd = (uint8_t)(form->has_rd ? op2 : is_send_form(info->form) ? op2 & 1 : 0);
}

JmDecoded jm_decode(uint32_t instruction) {
    const unsigned op = (instruction >> 11) & 0x3F;
    const unsigned op2 = (instruction >> 9) & 3;
    const unsigned op1 = (instruction >> 7) & 3;
    const unsigned op0 = instruction & 0x7F;
    const JmOpInfo *info = jm_op_info(op);
    const JmFormInfo *form = jm_form_info(info->form);

    JmDecoded d = {.op = (uint8_t)op, .op_class = (uint8_t)info->op_class};
    decode_registers(&d, info, op1, op2);
    if (form->op0 == JM_OP0_REG) {
        d.reg = (uint8_t)op0;
    } else if (form->op0 != JM_OP0_NONE) {
        const unsigned ext = form->ext == 0 ? 0 : form->ext == 1 ? op1 : op2;
        decode_operand(&d, op0, ext, form->ext != 0);
    }
    return d;
}

/* Fills in the 16 patterns of one opcode and op0. The operand is decoded once for each
 * value of the field that extends it; the patterns of one value differ in their
 * register numbers only. This makes the table cheap to build. */
static void decode_patterns(JmDecoded *table, unsigned op, unsigned op0) {
    const JmOpInfo *info = jm_op_info(op);
    const unsigned ext = jm_form_info(info->form)->ext;
    JmDecoded by_ext[4];
    for (unsigned e = 0; e < 4; e++)
        by_ext[e] = e && !ext ? by_ext[0]
                              : jm_decode(jm_encode_fields(op, ext == 2 ? e : 0,
                                                           ext == 1 ? e : 0, op0));
    for (unsigned fields = 0; fields < 16; fields++) {
        const unsigned op2 = fields >> 2, op1 = fields & 3;
        JmDecoded *d = &table[jm_encode_fields(op, op2, op1, op0)];
        *d = by_ext[ext == 1 ? op1 : op2];
        decode_registers(d, info, op1, op2);
    }
}

enum { OP_PATTERNS = JM_DECODE_PATTERNS / JM_OP_COUNT };

/* Copies the patterns of opcode `from` to `op`, which has the same form: they differ in
 * opcode and class only. */
static void copy_patterns(JmDecoded *table, unsigned from, unsigned op) {
    const uint8_t op_class = (uint8_t)jm_op_info(op)->op_class;
    JmDecoded *copy = table + op * OP_PATTERNS;
    memcpy(copy, table + from * OP_PATTERNS, OP_PATTERNS * sizeof *copy);
    for (JmDecoded *end = copy + OP_PATTERNS; copy < end; copy++) {
        copy->op = (uint8_t)op;
        copy->op_class = op_class;
    }
}

void jm_decode_table(JmDecoded *table) {
    for (unsigned op = 0; op < JM_OP_COUNT; op++) {
        unsigned same = 0;
        while (jm_op_info(same)->form != jm_op_info(op)->form)
            same++;
        if (same < op)
            copy_patterns(table, same, op);
        for (unsigned op0 = 0; op0 < 128 && same == op; op0++)
            decode_patterns(table, op, op0);
    }
}

uint32_t jm_encode_fields(unsigned op, unsigned op2, unsigned op1, unsigned op0) {
    return (op & 0x3F) << 11 | (op2 & 3) << 9 | (op1 & 3) << 7 | (op0 & 0x7F);
}

/* Returns the op0 field. `*ext` gets the bits for the extension field; it is unchanged
 * for operands that have none. */
static unsigned encode_operand(const JmDecoded *d, unsigned *ext) {
    const unsigned value = (unsigned)d->value;
    switch ((JmMode)d->mode) {
    case JM_MODE_REG:
        return d->reg & 7u;
    case JM_MODE_CONSTANT:
        return OP0_CONSTANT | (d->reg & 7u);
    case JM_MODE_INDEXED:
        return OP0_INDEXED | (d->reg & 3u) << 2 | (d->areg & 3u);
    case JM_MODE_IMMEDIATE:
        *ext = (value >> IMMEDIATE_BITS) & 3;
        return OP0_IMMEDIATE | (value & 0x1F);
    case JM_MODE_OFFSET:
        *ext = (value >> OFFSET_BITS) & 3;
        return OP0_OFFSET | (value & 0xF) << 2 | (d->areg & 3u);
    }
    assert(false && "no such mode");
    return 0;
}

uint32_t jm_encode(const JmDecoded *decoded) {
    const JmOpInfo *info = jm_op_info(decoded->op);
    const JmFormInfo *form = jm_form_info(info->form);
    unsigned op0 = 0, ext = 0;
    if (form->op0 == JM_OP0_REG)
        op0 = decoded->reg;
    else if (form->op0 != JM_OP0_NONE)
        op0 = encode_operand(decoded, &ext);

    unsigned op1 = form->has_rs ? decoded->rs : 0;
    unsigned op2 = form->has_rd ? decoded->rd : 0;
    if (is_send_form(info->form))
        op2 = decoded->rd & 1u;
    if (form->ext == 1)
        op1 = ext;
    else if (form->ext == 2)
        op2 = ext;
    return jm_encode_fields(decoded->op, op2, op1, op0);
}

static bool is_memory_mode(unsigned mode) {
    return mode == JM_MODE_INDEXED || mode == JM_MODE_OFFSET;
}

bool jm_is_canonical(uint32_t instruction) {
    const JmDecoded d = jm_decode(instruction);
    const JmOpInfo *info = jm_op_info(d.op);
    if (!info->name || jm_encode(&d) != instruction)
        return false;
    switch (jm_form_info(info->form)->op0) {
    case JM_OP0_REG:
        return jm_reg_name(d.reg & JM_REG_N) != NULL &&
               (info->form != JM_FORM_S_G || !jm_reg_is_read_only(d.reg & JM_REG_N));
    case JM_OP0_WRITE:
        return is_memory_mode(d.mode);
    case JM_OP0_DST:
        return d.mode == JM_MODE_REG;
    case JM_OP0_NONE:
    case JM_OP0_READ:
        return true;
    }
    return false;
}

bool jm_reads_data_register(const JmDecoded *d, unsigned r) {
    const JmForm form = jm_op_info(d->op)->form;
    const JmFormInfo *info = jm_form_info(form);
    if (info->has_rs && d->rs == r)
        return true;
    if (info->op0 == JM_OP0_REG)
        return form != JM_FORM_S_G && d->reg == r;
    const bool named = d->mode == JM_MODE_REG && info->op0 == JM_OP0_READ;
    const bool index = d->mode == JM_MODE_INDEXED && info->op0 != JM_OP0_NONE;
    return (named || index) && d->reg == r;
}

bool jm_writes_data_register(const JmDecoded *d, unsigned r) {
    const JmForm form = jm_op_info(d->op)->form;
    const JmFormInfo *info = jm_form_info(form);
    if (info->has_rd)
        return d->rd == r;
    const bool named = info->op0 == JM_OP0_DST && d->mode == JM_MODE_REG;
    return (named || form == JM_FORM_S_G) && d->reg == r;
}

int jm_immediate_min(JmForm form) {
    return jm_form_info(form)->ext ? -64 : -16;
}

int jm_immediate_max(JmForm form) {
    return jm_form_info(form)->ext ? 63 : 15;
}

int jm_offset_max(JmForm form) {
    return jm_form_info(form)->ext ? 63 : 15;
}
