/* Operands of instructions, for operand.c, which parses them, and instruction.c. */
#ifndef JM_ASM_OPERAND_H
#define JM_ASM_OPERAND_H

#include "asm/assembler/assemble.h"

typedef enum {
    AS_OPERAND_REGISTER, /* R0..R3, A0..A3: `reg` 0..7 */
    AS_OPERAND_SPECIAL,  /* register mode only: `reg` is its op0 */
    AS_OPERAND_CONSTANT, /* `reg` 0..7 */
    AS_OPERAND_VALUE,    /* `expr` */
    AS_OPERAND_INDEXED,  /* [Rreg, Aareg] */
    AS_OPERAND_OFFSET,   /* [expr, Aareg] */
    AS_OPERAND_BRANCH    /* ^expr */
} AsOperandKind;

typedef struct {
    AsOperandKind kind;
    unsigned reg, areg;
    AsNode *expr;
    AsPlace place;
} AsOperand;

/* `tags`: names of tags stand for their numbers. */
bool as_operand(Assembler *as, bool tags, AsOperand *operand);

#endif
