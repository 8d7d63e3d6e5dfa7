/* The instruction set as tables: names, decoding, encoding, disassembly, timing. This
 * folder includes only emu/core. The assembler, the emulator, the documentation and the
 * tests all read these tables; no fact about an instruction is stated anywhere else.
 *
 *     16    11 10  9 8   7 6            0
 *    +--------+-----+-----+--------------+
 *    |   op   | op2 | op1 |     op0      |
 *    +--------+-----+-----+--------------+ */
#ifndef JM_ISA_ISA_H
#define JM_ISA_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/core/word.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
#define OP(name, code, ...) JM_OP_##name = (code),
#include "emu/isa/ops.def"
#undef OP
    JM_OP_COUNT = 64
} JmOp;

typedef enum {
#define FAULT(name, number, ...) JM_FAULT_##name = (number),
#include "emu/isa/faults.def"
#undef FAULT
    JM_FAULT_COUNT = 0x13
} JmFault;

typedef enum {
#define FORM(name, ...) JM_FORM_##name,
#include "emu/isa/forms.def"
#undef FORM
    JM_FORM_COUNT
} JmForm;

typedef enum {
#define CLASS(name, key, text) JM_CLASS_##name,
#include "emu/isa/classes.def"
#undef CLASS
    JM_CLASS_FAULT, /* the class of fault f is JM_CLASS_FAULT + f */
    JM_CLASS_COUNT = JM_CLASS_FAULT + JM_FAULT_COUNT
} JmClass;

typedef enum {
#define REG(name, number, ...) JM_REG_##name = (number),
#include "emu/isa/regs.def"
#undef REG
    JM_REG_COUNT = 32
} JmReg;

/* Bits of register mode: op0 = {b[6], p[5], n[4:0]}. */
enum { JM_REG_N = 0x1F, JM_REG_OTHER_PRIORITY = 0x20, JM_REG_OTHER_CONTEXT = 0x40 };

/* Which rows of timing.def make up the cycles of an instruction; see jm_cycles(). */
typedef enum { JM_TIME_BASE, JM_TIME_JUMP, JM_TIME_SUSPEND, JM_TIME_XLATE } JmTimeRule;

/* How a form uses op0; see forms.def. */
typedef enum {
    JM_OP0_NONE,
    JM_OP0_READ,
    JM_OP0_WRITE,
    JM_OP0_REG,
    JM_OP0_DST
} JmOp0Use;

/* Memory that an instruction accesses besides its operand; see ops.def. */
typedef enum {
    JM_MEMORY_NONE,
    JM_MEMORY_ROW_OF_RS,  /* reads the row of the translation table for key Rs */
    JM_MEMORY_ROW_OF_OP0, /* reads the row for key op0, and writes one of its ways */
    JM_MEMORY_CALL_VECTOR /* reads the vector with number op0 */
} JmOpMemory;

/* A set of faults has bit JM_FAULT_x set for fault x. JM_FAULTS_BY_TAG holds all faults
 * that a wrong tag can raise (F_TF in ops.def). */
#define JM_FAULT_BIT(fault) (UINT32_C(1) << (fault))
#define JM_FAULTS_BY_TAG                                                               \
    (JM_FAULT_BIT(JM_FAULT_CFUT) | JM_FAULT_BIT(JM_FAULT_FUT) |                        \
     JM_FAULT_BIT(JM_FAULT_TAG8) | JM_FAULT_BIT(JM_FAULT_TAG9) |                       \
     JM_FAULT_BIT(JM_FAULT_TAGA) | JM_FAULT_BIT(JM_FAULT_TAGB) |                       \
     JM_FAULT_BIT(JM_FAULT_TYPE))

/* One opcode: a row of ops.def. */
typedef struct {
    const char *name; /* mnemonic, upper case; NULL: undefined opcode */
    JmForm form;
    JmClass op_class; /* class in which its cycles are counted */
    JmTimeRule time;
    uint32_t faults; /* JM_FAULT_BITs that the operation itself can raise */
    JmOpMemory memory;
    const char *transfer; /* register transfer, for the documentation */
} JmOpInfo;

/* One operand form: a row of forms.def. */
typedef struct {
    const char *operands; /* in the assembler's notation */
    unsigned ext;         /* field that extends op0: 0 none, 1 op1, 2 op2 */
    bool has_rs, has_rd;  /* op1 names a source register, op2 a destination register */
    JmOp0Use op0;
} JmFormInfo;

/* Returns the row of opcode `op`, 0..63; never NULL. Undefined opcodes share a row
 * whose `name` is NULL. */
const JmOpInfo *jm_op_info(unsigned op);
const JmFormInfo *jm_form_info(JmForm form);

/* The name functions return upper case, and NULL for a number without a name. The
 * `jm_*_by_name` functions ignore case and return -1 if the name is not in the table;
 * the name has `length` characters and need not be terminated. */
const char *jm_tag_name(unsigned tag);
const char *jm_fault_name(unsigned fault);
const char *jm_reg_name(unsigned n);
const char *jm_class_key(unsigned cycle_class); /* "fault_send" for fault classes */
const char *jm_fault_text(unsigned fault);
/* Whether WRITER to the named register `n` faults. */
bool jm_reg_is_read_only(unsigned n);
int jm_op_by_name(const char *name, size_t length);
int jm_tag_by_name(const char *name, size_t length);
int jm_reg_by_name(const char *name, size_t length);

/* An operand mode: what the op0 field of a READ, WRITE or DST form denotes. */
typedef enum {
    JM_MODE_REG,       /* Rn, An: `reg` 0..3 data, 4..7 address */
    JM_MODE_CONSTANT,  /* op0 08..0F: a constant word; `reg` 0..7 */
    JM_MODE_INDEXED,   /* [Rr, Aa]: `reg` r, `areg` a */
    JM_MODE_IMMEDIATE, /* INT, `value` */
    JM_MODE_OFFSET     /* [imm, Aa]: `value` 0..63, `areg` a */
} JmMode;

/* A decoded instruction: 8 bytes, one per 17-bit pattern. */
typedef struct {
    uint8_t op;       /* 0..63 */
    uint8_t mode;     /* JmMode, for READ, WRITE and DST forms */
    uint8_t rs;       /* op1, 0..3 */
    uint8_t rd;       /* op2, 0..3; its low bit is the priority of SENDs */
    uint8_t reg;      /* see JmMode; register mode: the whole 7-bit op0 */
    uint8_t areg;     /* 0..3 */
    int8_t value;     /* immediate -64..63 or offset 0..63 */
    uint8_t op_class; /* JmClass */
} JmDecoded;

/* Decodes any 17-bit pattern; it cannot fail. An undefined opcode keeps its number and
 * has no operands. */
JmDecoded jm_decode(uint32_t instruction);

enum { JM_DECODE_PATTERNS = 1 << 17 };

/* Fills `table` (JM_DECODE_PATTERNS entries) with every pattern decoded. */
void jm_decode_table(JmDecoded *table);

/* The constant of op0 = 8 + index, index 0..7: NIL FALSE TRUE INT:80000000 INT:FF
 * INT:3FF INT:FFFF INT:FFFFF. */
static inline JmWord jm_operand_constant(unsigned index) {
    static const JmWord constants[8] = {
        {0},
        {(uint64_t)JM_TAG_BOOL << 32},
        {(uint64_t)JM_TAG_BOOL << 32 | 1},
        {(uint64_t)JM_TAG_INT << 32 | 0x80000000},
        {(uint64_t)JM_TAG_INT << 32 | 0xFF},
        {(uint64_t)JM_TAG_INT << 32 | 0x3FF},
        {(uint64_t)JM_TAG_INT << 32 | 0xFFFF},
        {(uint64_t)JM_TAG_INT << 32 | 0xFFFFF},
    };
    assert(index < 8);
    return constants[index];
}

/* Packs the four fields of an instruction; each is cut to its width. */
uint32_t jm_encode_fields(unsigned op, unsigned op2, unsigned op1, unsigned op0);

/* Encodes the result of jm_decode(), with unused fields zero. jm_decode() of the result
 * gives the same fields again. */
uint32_t jm_encode(const JmDecoded *decoded);

/* Whether the text of `instruction` assembles back to the same bits: its opcode is
 * defined, its unused fields are zero, and its register-mode number is in the table.
 * False for a WRITE to anything but memory, for XLATE or PROBE into anything but a
 * register, and for WRITER to a read-only one: these can only fault, and the assembler
 * has no text for them. */
bool jm_is_canonical(uint32_t instruction);

/* Bounds, inclusive, of an immediate (min..max) and of an offset (0..max) of a form. */
int jm_immediate_min(JmForm form);
int jm_immediate_max(JmForm form);
int jm_offset_max(JmForm form);

/* How an instruction itself uses data register `r` (0..3) of the running context. Uses
 * by a fault handler or another context do not count. */
bool jm_reads_data_register(const JmDecoded *d, unsigned r);
bool jm_writes_data_register(const JmDecoded *d, unsigned r);

/* Writes the assembler text of one instruction ("add r2,[3,a1],r2"), lower case,
 * always terminated; returns the length it would need. A pattern that is not
 * canonical is written as if it were; an undefined opcode as "op 0x..". */
int jm_disassemble(uint32_t instruction, char *buffer, size_t size);

/* Writes a word as TAG:HEX8 ("INT:0000002A"); size at least 16. */
int jm_word_print(JmWord word, char *buffer, size_t size);

/* Processor timing: one field per row of timing.def, in cycles. */
typedef struct {
#define TIMING(name, standard, maximum, text, source) uint32_t name;
#include "emu/isa/timing.def"
#undef TIMING
} JmTiming;

/* Returns the `default` column of timing.def. */
JmTiming jm_timing_default(void);

/* Sets one parameter by name: 0 done, -1 no such name, -2 above its maximum. */
int jm_timing_set(JmTiming *timing, const char *name, uint32_t value);

/* Returns the cycles of an instruction without its fetch. `taken`: it jumps.
 * `external`: its memory operand lies in external DRAM. */
unsigned jm_cycles(const JmTiming *timing, const JmDecoded *decoded, bool taken,
                   bool external);

#ifdef __cplusplus
}
#endif

#endif
