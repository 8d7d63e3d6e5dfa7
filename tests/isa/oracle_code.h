/* A tiny encoder for tests, independent of the assembler: instructions from fields. */
#ifndef TESTS_ISA_ORACLE_CODE_H
#define TESTS_ISA_ORACLE_CODE_H

#include "emu/core/word.h"

/* Opcodes, written out once more on purpose. */
enum {
    OP_NOP = 0x00,
    OP_READ,
    OP_WRITE,
    OP_READR,
    OP_WRITER,
    OP_RTAG,
    OP_WTAG,
    OP_LDIP,
    OP_LDIPR,
    OP_CHECK,
    OP_CARRY,
    OP_ADD,
    OP_SUB,
    OP_MULH = 0x0E,
    OP_MUL,
    OP_ASH,
    OP_LSH,
    OP_ROT,
    OP_AND = 0x18,
    OP_OR,
    OP_XOR,
    OP_FFB,
    OP_NOT,
    OP_NEG,
    OP_LT = 0x20,
    OP_LE,
    OP_GE,
    OP_GT,
    OP_EQUAL,
    OP_NEQUAL,
    OP_EQ,
    OP_NEQ,
    OP_XLATE,
    OP_ENTER,
    OP_INVAL,
    OP_PROBE = 0x2D,
    OP_SUSPEND = 0x30,
    OP_CALL,
    OP_SEND = 0x34,
    OP_SENDE,
    OP_SEND2,
    OP_SEND2E,
    OP_BR,
    OP_BNIL = 0x3A,
    OP_BNNIL,
    OP_BF,
    OP_BT,
    OP_BZ,
    OP_BNZ
};

static inline uint32_t code(unsigned op, unsigned op2, unsigned op1, unsigned op0) {
    return (op & 63) << 11 | (op2 & 3) << 9 | (op1 & 3) << 7 | (op0 & 127);
}

/* op0 patterns. Immediates and offsets are cut to their short fields. */
static inline unsigned op0_r(unsigned n) {
    return n & 3;
}

static inline unsigned op0_a(unsigned n) {
    return 0x04 | (n & 3);
}

static inline unsigned op0_index(unsigned r, unsigned a) {
    return 0x10 | (r & 3) << 2 | (a & 3);
}

static inline unsigned op0_immediate(int value) {
    return 0x20 | ((unsigned)value & 0x1F);
}

static inline unsigned op0_offset(unsigned offset, unsigned a) {
    return 0x40 | (offset & 0xF) << 2 | (a & 3);
}

/* The extension field of a 7-bit immediate. */
static inline unsigned extend_immediate(int value) {
    return ((unsigned)value >> 5) & 3;
}

#endif
