/* Resolves fixups: puts values into their words once they are known, or leaves them to
 * the linker as relocations.
 *
 *     fixup       is a number            is an address
 *     DATA32      data[31:0]             DATA32
 *     FIELD20     data[29:10]            FIELD20
 *     FIELD10     data[9:0]              FIELD10
 *     VALUE       immediate, constant    IMM_H, IMM_L
 *     OFFSET      memory offset          OFFSET_H, OFFSET_L
 *     BRANCH      see resolve_branch     BRANCH_H, BRANCH_L
 *     PRIORITY    op2                    an error
 *
 * Values that are known at once also go through a fixup, so that ranges are checked and
 * messages written in one place. */
#include "asm/assembler/assemble.h"

typedef struct {
    Assembler *as;
    const AsFixup *fixup;
    AsPlace place;
    JmWord *word;
    unsigned op; /* of the instruction */
    JmForm form;
    AsValue value;
} Fix;

/* Puts the number into its field of a word's data. */
static void set_field(Fix *fix, unsigned shift, uint32_t mask) {
    const uint32_t bits = ((uint32_t)fix->value.number & mask) << shift;
    fix->word->bits = (fix->word->bits & ~((uint64_t)mask << shift)) | bits;
}

/* False and a message if the number does not fit its field. */
static bool in_range(const Fix *fix, const char *what, int64_t low, int64_t high) {
    const int64_t number = fix->value.number;
    if (number >= low && number <= high)
        return true;
    as_error(fix->as, fix->place, "%s %lld is not in %lld .. %lld", what,
             (long long)number, (long long)low, (long long)high);
    return false;
}

/* Replaces what the instruction of the fixup holds in op0. The A register of a memory
 * operand and the other half of the word stay. */
static void set_op0(Fix *fix, JmMode mode, unsigned reg, int64_t number) {
    const unsigned phase = fix->fixup->phase;
    JmDecoded decoded = jm_decode(jm_instruction(*fix->word, phase));
    decoded.mode = (uint8_t)mode;
    decoded.reg = (uint8_t)reg;
    decoded.value = (int8_t)number;
    const uint32_t other = jm_instruction(*fix->word, !phase);
    const uint32_t this = jm_encode(&decoded);
    *fix->word =
        phase ? jm_instruction_word(other, this) : jm_instruction_word(this, other);
}

/* Index of the constant operand with this number, or -1. INT:80000000 is found as
 * 0x80000000 and as -0x80000000. */
static int constant_index(int64_t number) {
    for (unsigned index = 0; index < 8; index++) {
        const JmWord constant = jm_operand_constant(index);
        if (jm_tag(constant) == JM_TAG_INT &&
            ((int64_t)jm_data(constant) == number ||
             (int64_t)(int32_t)jm_data(constant) == number))
            return (int)index;
    }
    return -1;
}

/* A number that is both an immediate and one of the constants becomes an immediate. */
static void fix_value(Fix *fix) {
    const int64_t number = fix->value.number;
    const int low = jm_immediate_min(fix->form);
    const int high = jm_immediate_max(fix->form);
    const int index = constant_index(number);
    if (number >= low && number <= high)
        set_op0(fix, JM_MODE_IMMEDIATE, 0, number);
    else if (index >= 0)
        set_op0(fix, JM_MODE_CONSTANT, (unsigned)index, 0);
    else
        as_error(fix->as, fix->place,
                 "immediate %lld is not in %d .. %d and none of the constants "
                 "0x80000000, 0xFF, 0x3FF, 0xFFFF, 0xFFFFF; an inline constant "
                 "(.%s %lld) loads it into r0",
                 (long long)number, low, high, fix->op == JM_OP_LDIP ? "ip" : "word",
                 (long long)number);
}

/* `distance` counts from the word after the branch, as the machine does. */
static void fix_branch(Fix *fix, int64_t distance) {
    const int low = jm_immediate_min(fix->form);
    const int high = jm_immediate_max(fix->form);
    if (distance < low || distance > high)
        as_error(
            fix->as, fix->place,
            "branch target is %lld words away, a branch reaches %d .. %d; load the "
            "distance into a register",
            (long long)distance, low, high);
    else
        set_op0(fix, JM_MODE_IMMEDIATE, 0, distance);
}

/* Puts a known number into its word. */
static void fix_number(Fix *fix) {
    switch (fix->fixup->kind) {
    case AS_FIX_DATA32:
        if (in_range(fix, "value", INT32_MIN, UINT32_MAX))
            set_field(fix, 0, UINT32_MAX);
        break;
    case AS_FIX_FIELD20:
        if (in_range(fix, "address", 0, JM_ADDRESS_MASK))
            set_field(fix, 10, JM_ADDRESS_MASK);
        break;
    case AS_FIX_FIELD10:
        if (in_range(fix, "length", asm_object_length_min(jm_tag(*fix->word)),
                     JM_LENGTH_MASK))
            set_field(fix, 0, JM_LENGTH_MASK);
        break;
    case AS_FIX_OFFSET:
        if (in_range(fix, "memory offset", 0, jm_offset_max(fix->form)))
            set_op0(fix, JM_MODE_OFFSET, 0, fix->value.number);
        break;
    case AS_FIX_PRIORITY:
        if (in_range(fix, "priority", 0, 1))
            set_field(fix, (fix->fixup->phase ? 0 : 17) + 9, 1);
        break;
    case AS_FIX_VALUE:
        fix_value(fix);
        break;
    case AS_FIX_BRANCH:
        break; /* resolve_branch() has made it a distance or a relocation */
    }
}

static AsmObjectRelocType reloc_type(const AsFixup *fixup) {
    switch (fixup->kind) {
    case AS_FIX_DATA32:
        return ASM_OBJECT_RELOC_DATA32;
    case AS_FIX_FIELD20:
        return ASM_OBJECT_RELOC_FIELD20;
    case AS_FIX_FIELD10:
        return ASM_OBJECT_RELOC_FIELD10;
    case AS_FIX_VALUE:
        return fixup->phase ? ASM_OBJECT_RELOC_IMM_L : ASM_OBJECT_RELOC_IMM_H;
    case AS_FIX_OFFSET:
        return fixup->phase ? ASM_OBJECT_RELOC_OFFSET_L : ASM_OBJECT_RELOC_OFFSET_H;
    case AS_FIX_BRANCH:
        return fixup->phase ? ASM_OBJECT_RELOC_BRANCH_L : ASM_OBJECT_RELOC_BRANCH_H;
    case AS_FIX_PRIORITY:
        break;
    }
    return ASM_OBJECT_RELOC_NONE;
}

/* Leaves the value to the linker, against the label it came from, or any other label
 * of its section. Even a branch to a number needs a symbol in the object, since only
 * the linker knows where the branch itself will be. */
static void relocate(Fix *fix) {
    Assembler *as = fix->as;
    AsReloc reloc = {.section = fix->fixup->section,
                     .offset = fix->fixup->offset,
                     .type = reloc_type(fix->fixup),
                     .symbol = fix->value.symbol,
                     .addend = fix->value.number,
                     .statement = fix->place.statement};
    if (fix->value.kind == AS_VALUE_SECTION) {
        if (!reloc.symbol)
            reloc.symbol = as_section_anchor(as, fix->value.section);
        reloc.addend -= reloc.symbol->value.number;
    } else if (fix->value.kind == AS_VALUE_ABSOLUTE) {
        reloc.symbol = as_symbol_absolute(as, fix->value.number);
        reloc.addend = 0;
    }
    as->relocs =
        mem_grow(as->heap, as->relocs, (size_t)as->reloc_count, sizeof *as->relocs);
    as->relocs[as->reloc_count++] = reloc;
}

/* The distance to a target in the same section does not depend on the section's
 * address. A target given as a number is an address, not a distance: the distance is
 * known here if the branch's section is fixed, else at the link. */
static void resolve_branch(Fix *fix) {
    const AsFixup *fixup = fix->fixup;
    AsValue here = {.kind = AS_VALUE_SECTION,
                    .section = fixup->section,
                    .number = (int64_t)fixup->offset + 1};
    if (fix->value.kind == AS_VALUE_SECTION && fix->value.section == fixup->section)
        fix_branch(fix, fix->value.number - here.number);
    else if (fix->value.kind == AS_VALUE_ABSOLUTE &&
             !in_range(fix, "address", 0, JM_ADDRESS_MASK))
        return;
    else if (fix->value.kind == AS_VALUE_ABSOLUTE && as_make_absolute(fix->as, &here))
        fix_branch(fix, fix->value.number - here.number);
    else
        relocate(fix);
}

static bool is_branch_form(JmForm form) {
    return form == JM_FORM_BR || form == JM_FORM_S_BR;
}

/* A number goes into its word, an address to the linker. */
static void resolve(Fix *fix) {
    const AsFixKind kind = fix->fixup->kind;
    if (fix->value.kind == AS_VALUE_ERROR)
        return;
    if (kind == AS_FIX_BRANCH)
        resolve_branch(fix);
    else if (fix->value.kind == AS_VALUE_ABSOLUTE)
        fix_number(fix);
    else if (kind == AS_FIX_PRIORITY)
        as_error(fix->as, fix->place, "a priority must be 0 or 1, not an address");
    else if (kind == AS_FIX_VALUE && fix->op == JM_OP_LDIP)
        as_error(fix->as, fix->place,
                 "ldip takes an IP word, not an address: an inline constant (.ip %s) "
                 "loads one into r0, and ldip r0 goes there",
                 fix->value.symbol ? fix->value.symbol->name : "and the place");
    else if (kind == AS_FIX_VALUE && is_branch_form(fix->form) &&
             fix->value.kind == AS_VALUE_SECTION)
        as_error(fix->as, fix->place, "a branch to a label is written '^label'");
    else
        relocate(fix);
}

/* Evaluates a constant that nobody used, to report its errors too. */
static void finish_constant(Assembler *as, AsSymbol *symbol) {
    if (symbol->kind != ASM_SYMBOL_EQU || symbol->known)
        return;
    symbol->value = as_evaluate(as, symbol->expr);
    symbol->known = true;
}

/* Refuses a global constant that is an external symbol plus a number: an object file
 * cannot express it. */
static void check_global(Assembler *as, const AsSymbol *symbol) {
    if (symbol->global && symbol->kind != ASM_SYMBOL_UNDEFINED &&
        symbol->value.kind == AS_VALUE_EXTERNAL)
        as_error(as, symbol->place,
                 "'%s' cannot be global: it depends on '%s' of another file",
                 symbol->name, symbol->value.symbol->name);
}

/* A symbol may lie outside its section, within the range that an object file can hold.
 */
static void check_place(Assembler *as, const AsSymbol *symbol) {
    const AsValue *value = &symbol->value;
    if (symbol->known && value->kind == AS_VALUE_SECTION &&
        (value->number < -ASM_OBJECT_VALUE_MAX || value->number > ASM_OBJECT_VALUE_MAX))
        as_error(as, symbol->place, "'%s' is %lld words away from its section",
                 symbol->name, (long long)value->number);
}

/* Resolves all fixups in the order of the source. */
void as_resolve(Assembler *as) {
    for (int i = 0; i < as->fixup_count && !as->stop; i++) {
        const AsFixup *fixup = &as->fixups[i];
        JmWord *word = &as->sections[fixup->section].words[fixup->offset];
        Fix fix = {.as = as, .fixup = fixup, .place = fixup->expr->place, .word = word};
        fix.op = jm_decode(jm_instruction(*word, fixup->phase)).op;
        fix.form = jm_op_info(fix.op)->form;
        fix.value = as_evaluate(as, fixup->expr);
        resolve(&fix);
    }
    for (int i = 0; i < as->symbol_count && !as->stop; i++)
        finish_constant(as, as->symbols[i]);
    for (int i = 0; i < as->symbol_count && !as->stop; i++) {
        check_global(as, as->symbols[i]);
        check_place(as, as->symbols[i]);
    }
}
