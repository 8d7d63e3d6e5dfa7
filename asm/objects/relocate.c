/* Applies relocations; asm/objects/relocs.def lists them.
 *
 *     ADDR        [31]R  [30]I  [29:10] FIELD20  [9:0] FIELD10
 *     MSG         [31]U  [30]F  [29:10] FIELD20  [9:0] FIELD10
 *     IP          [31]U  [30]F  [29:10] FIELD20  [9] phase  [8] A
 *     not INSTx   [31:0] DATA32
 *     INST0..3    high: tag[33:32] data[31:17]   _H relocations
 *                 low:  data[16:0]               _L relocations
 *
 * Fields of an instruction are not patched as bits: it is decoded, its operand
 * replaced, and encoded again, so that only the forms of emu/isa/forms.def determine
 * where an operand is and whether op1 or op2 extends it. Every value is checked against
 * its field before anything is written: a word is patched whole or not at all. */
#include "asm/objects/object.h"
#include "emu/isa/isa.h"

#include <inttypes.h>

/* Reports a value that is outside low..high; true if it is inside. */
static bool in_range(int64_t value, int64_t low, int64_t high, const char *what,
                     JmError *error) {
    if (value >= low && value <= high)
        return true;
    return jm_fail(error, NULL, "%s %" PRId64 " is out of range %" PRId64 "..%" PRId64,
                   what, value, low, high);
}

/* Values may be signed or unsigned: -1 and 0xFFFFFFFF give the same word. The tag stays
 * as the assembler set it. */
static bool relocate_data(JmWord *word, int64_t value, JmError *error) {
    if (jm_is_instruction(*word))
        return jm_fail(error, NULL,
                       "a data value does not go into an instruction word");
    if (!in_range(value, INT32_MIN, UINT32_MAX, "data value", error))
        return false;
    *word = jm_word(jm_tag(*word), (uint32_t)value);
    return true;
}

int asm_object_length_min(unsigned tag) {
    return tag == JM_TAG_MSG;
}

/* A length patched into an IP word, or anything into an INT, would set bits that mean
 * something else: the tag says which fields there are. */
static bool relocate_field(JmWord *word, int64_t value, bool length, JmError *error) {
    const unsigned tag = jm_tag(*word);
    const bool has_field = tag == JM_TAG_ADDR || tag == JM_TAG_MSG;
    if (!has_field && (length || tag != JM_TAG_IP))
        return jm_fail(error, NULL, "a word of tag %s has no %s field",
                       jm_tag_name(tag), length ? "length" : "address");
    const unsigned shift = length ? 0 : 10;
    const uint32_t mask = length ? JM_LENGTH_MASK : JM_ADDRESS_MASK;
    if (!in_range(value, length ? asm_object_length_min(tag) : 0, mask,
                  length ? "length" : "address", error))
        return false;
    *word =
        jm_word(tag, (jm_data(*word) & ~(mask << shift)) | (uint32_t)value << shift);
    return true;
}

/* The displacement from the word after `place` to `target`, wrapped at 20 bits. The
 * machine wraps addresses at 20 bits, so the top of memory is near its bottom; of the
 * two ways round this is the shorter one. */
static int64_t displacement(int64_t target, uint32_t place) {
    const int64_t distance = (target - place - 1) & JM_ADDRESS_MASK;
    return distance > JM_ADDRESS_MASK / 2 ? distance - (JM_ADDRESS_MASK + 1) : distance;
}

/* `mode` must be that of the operand that the instruction already has: a relocation
 * replaces a number, never the kind of an operand. */
static bool relocate_operand(JmWord *word, unsigned phase, JmMode mode, int64_t value,
                             const char *what, JmError *error) {
    if (!jm_is_instruction(*word))
        return jm_fail(error, NULL, "%s does not go into a word of tag %s", what,
                       jm_tag_name(jm_tag(*word)));
    JmDecoded d = jm_decode(jm_instruction(*word, phase));
    const JmOpInfo *info = jm_op_info(d.op);
    const JmOp0Use use = jm_form_info(info->form)->op0;
    if ((use != JM_OP0_READ && use != JM_OP0_WRITE) || d.mode != mode)
        return jm_fail(error, NULL, "the instruction has no operand for %s", what);
    const bool offset = mode == JM_MODE_OFFSET;
    const int low = offset ? 0 : jm_immediate_min(info->form);
    const int high = offset ? jm_offset_max(info->form) : jm_immediate_max(info->form);
    if (!in_range(value, low, high, what, error))
        return false;
    d.value = (int8_t)value;
    const uint32_t patched = jm_encode(&d);
    *word = phase ? jm_instruction_word(jm_instruction(*word, 0), patched)
                  : jm_instruction_word(patched, jm_instruction(*word, 1));
    return true;
}

/* The target is checked as well as the distance: beyond 20 bits the wrap would make a
 * wrong address look near. */
static bool relocate_branch(JmWord *word, unsigned phase, int64_t target,
                            uint32_t place, JmError *error) {
    return in_range(target, 0, JM_ADDRESS_MASK, "branch target", error) &&
           relocate_operand(word, phase, JM_MODE_IMMEDIATE, displacement(target, place),
                            "branch displacement", error);
}

bool asm_object_relocate(JmWord *word, AsmObjectRelocType type, int64_t value,
                         uint32_t place, JmError *error) {
    switch (type) {
    case ASM_OBJECT_RELOC_NONE:
        return true;
    case ASM_OBJECT_RELOC_DATA32:
        return relocate_data(word, value, error);
    case ASM_OBJECT_RELOC_FIELD20:
        return relocate_field(word, value, false, error);
    case ASM_OBJECT_RELOC_FIELD10:
        return relocate_field(word, value, true, error);
    case ASM_OBJECT_RELOC_IMM_H:
    case ASM_OBJECT_RELOC_IMM_L:
        return relocate_operand(word, type == ASM_OBJECT_RELOC_IMM_L, JM_MODE_IMMEDIATE,
                                value, "immediate", error);
    case ASM_OBJECT_RELOC_OFFSET_H:
    case ASM_OBJECT_RELOC_OFFSET_L:
        return relocate_operand(word, type == ASM_OBJECT_RELOC_OFFSET_L, JM_MODE_OFFSET,
                                value, "memory offset", error);
    case ASM_OBJECT_RELOC_BRANCH_H:
    case ASM_OBJECT_RELOC_BRANCH_L:
        return relocate_branch(word, type == ASM_OBJECT_RELOC_BRANCH_L, value, place,
                               error);
    case ASM_OBJECT_RELOC_COUNT:
        break;
    }
    return jm_fail(error, NULL, "unknown relocation type %d", (int)type);
}
