/* Expands the rows of the .def files into look-up tables, and finds rows by name. */
#include "emu/isa/isa.h"

/* The fault column of ops.def: one bit per row of faults.def. */
enum {
#define FAULT(name, number, ...) F_##name = 1 << (number),
#include "emu/isa/faults.def"
#undef FAULT
    F_TF = JM_FAULTS_BY_TAG
};

static const JmOpInfo ops[JM_OP_COUNT] = {
#define OP(name, code, form, class, time, faults, memory, transfer, source)            \
    [code] = {#name,  JM_FORM_##form,     JM_CLASS_##class, JM_TIME_##time,            \
              faults, JM_MEMORY_##memory, transfer},
#include "emu/isa/ops.def"
#undef OP
};

/* Row of every opcode that ops.def does not list. Its operand is not decoded, so the
 * only fault is ILGINST. */
static const JmOpInfo undefined_op = {
    .form = JM_FORM_NONE, .op_class = JM_CLASS_CONTROL, .faults = F_ILGINST};

static const JmFormInfo forms[JM_FORM_COUNT] = {
#define FORM(name, operands, ext, rs, rd, op0)                                         \
    [JM_FORM_##name] = {operands, ext, rs, rd, JM_OP0_##op0},
#include "emu/isa/forms.def"
#undef FORM
};

static const char *const op_names[JM_OP_COUNT] = {
#define OP(name, code, ...) [code] = #name,
#include "emu/isa/ops.def"
#undef OP
};

static const char *const tag_names[16] = {
#define TAG(name, number, text) [number] = #name,
#include "emu/isa/tags.def"
#undef TAG
};

static const char *const reg_names[JM_REG_COUNT] = {
#define REG(name, number, access, text) [number] = #name,
#include "emu/isa/regs.def"
#undef REG
};

enum { RW, RO };
static const unsigned char reg_access[JM_REG_COUNT] = {
#define REG(name, number, access, text) [number] = (access),
#include "emu/isa/regs.def"
#undef REG
};

static const char *const fault_names[JM_FAULT_COUNT] = {
#define FAULT(name, number, key, text) [number] = #name,
#include "emu/isa/faults.def"
#undef FAULT
};

static const char *const fault_texts[JM_FAULT_COUNT] = {
#define FAULT(name, number, key, text) [number] = text,
#include "emu/isa/faults.def"
#undef FAULT
};

static const char *const class_keys[JM_CLASS_COUNT] = {
#define CLASS(name, key, text) [JM_CLASS_##name] = key,
#include "emu/isa/classes.def"
#undef CLASS
#define FAULT(name, number, key, text) [JM_CLASS_FAULT + (number)] = "fault_" #key,
#include "emu/isa/faults.def"
#undef FAULT
};

const JmOpInfo *jm_op_info(unsigned op) {
    assert(op < JM_OP_COUNT);
    return ops[op].name ? &ops[op] : &undefined_op;
}

const JmFormInfo *jm_form_info(JmForm form) {
    assert(form < JM_FORM_COUNT);
    return &forms[form];
}

const char *jm_tag_name(unsigned tag) {
    return tag < 16 ? tag_names[tag] : NULL;
}

const char *jm_fault_name(unsigned fault) {
    return fault < JM_FAULT_COUNT ? fault_names[fault] : NULL;
}

const char *jm_fault_text(unsigned fault) {
    return fault < JM_FAULT_COUNT ? fault_texts[fault] : NULL;
}

bool jm_reg_is_read_only(unsigned n) {
    return n < JM_REG_COUNT && reg_access[n] == RO;
}

const char *jm_reg_name(unsigned n) {
    return n < JM_REG_COUNT ? reg_names[n] : NULL;
}

const char *jm_class_key(unsigned cycle_class) {
    return cycle_class < JM_CLASS_COUNT ? class_keys[cycle_class] : NULL;
}

/* Works on ASCII only: the result must not depend on the locale. */
static char to_upper(char c) {
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* Whether the `length` characters at `name` spell `entry`, whatever their case. `entry`
 * is in upper case and terminated. */
static bool names_equal(const char *entry, const char *name, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (entry[i] == '\0' || entry[i] != to_upper(name[i]))
            return false;
    }
    return entry[length] == '\0';
}

/* Returns the index of a name, or -1. Numbers without a name are NULL in the table.
 * Most names differ in the first letter. */
static int find_name(const char *const *table, int count, const char *name,
                     size_t length) {
    const char first = length > 0 ? to_upper(*name) : '\0';
    for (int i = 0; i < count; i++) {
        if (table[i] && *table[i] == first && names_equal(table[i], name, length))
            return i;
    }
    return -1;
}

int jm_op_by_name(const char *name, size_t length) {
    return find_name(op_names, JM_OP_COUNT, name, length);
}

int jm_tag_by_name(const char *name, size_t length) {
    return find_name(tag_names, 16, name, length);
}

int jm_reg_by_name(const char *name, size_t length) {
    return find_name(reg_names, JM_REG_COUNT, name, length);
}
