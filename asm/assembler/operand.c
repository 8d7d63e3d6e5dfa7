/* Parses operands of instructions, without knowing which operands the opcode takes.
 *
 *     operand  = '[' ( Rn | expression ) [ ',' An ] ']'      INDEXED, OFFSET
 *              | '^' expression                              BRANCH
 *              | r0..r3 | a0..a3                             REGISTER
 *              | special register, any with 'p or 'b         SPECIAL
 *              | NIL | TRUE | FALSE | INT:80000000 ...       CONSTANT
 *              | [ INT ':' ] expression                      VALUE
 *
 * Here it is decided which operand is a register and which a number; instruction.c
 * decides which of them fits where. */
#include <string.h>
#include <strings.h>

#include "asm/assembler/operand.h"

/* R0..R3 as 0..3, A0..A3 as 4..7; -1 if the token is neither. */
static int general_register(const AsToken *token) {
    if (token->kind != AS_TOKEN_NAME || token->suffix >= 0)
        return -1;
    const int reg = jm_reg_by_name(token->text, (size_t)token->length);
    return reg >= JM_REG_R0 && reg <= JM_REG_A3 ? reg : -1;
}

/* Parses the A register behind the comma of a memory operand. */
static bool address_register(Assembler *as, unsigned *areg) {
    const int reg = general_register(as->at);
    if (reg < JM_REG_A0) {
        as_unexpected(as, "an address register a0 .. a3");
        return false;
    }
    *areg = (unsigned)reg - JM_REG_A0;
    as->at++;
    return true;
}

/* Parses [expr,aN] or [rN,aN]. Without a register it is a0: the thesis writes absolute
 * addressing, which goes through A0, without a register. */
static bool memory_operand(Assembler *as, AsOperand *operand) {
    const int index = general_register(as->at);
    operand->kind = AS_OPERAND_OFFSET;
    if (index >= JM_REG_A0) {
        as_error(as, as_here(as, as->at),
                 "a memory operand is [offset,aN] or [rN,aN]: "
                 "the address register comes second");
        return false;
    }
    if (index >= 0) {
        operand->kind = AS_OPERAND_INDEXED;
        operand->reg = (unsigned)index;
        as->at++;
    } else {
        operand->expr = as_expression(as);
        if (!operand->expr)
            return false;
    }
    operand->areg = 0;
    if (as_accept(as, ',') && !address_register(as, &operand->areg))
        return false;
    return as_expect(as, ']', "to close the '['");
}

/* NIL, TRUE, FALSE, and the constants INT:80000000 .. INT:FFFFF, as they are written
 * in the architecture: hexadecimal. The names are in the order of the operand field:
 * NIL 08, FALSE 09, TRUE 0A, then the numbers 0B to 0F. A hexadecimal 80000000 is a
 * number token, FF a name: the text is what is compared. */
static bool constant_operand(Assembler *as, AsOperand *operand) {
    static const char *const names[] = {"nil", "false", "true"};
    static const char *const numbers[] = {"80000000", "ff", "3ff", "ffff", "fffff"};
    const AsToken *token = as->at;
    operand->kind = AS_OPERAND_CONSTANT;
    for (unsigned i = 0; i < 3; i++)
        if (as_word_is(token, names[i])) {
            operand->reg = i;
            as->at++;
            return true;
        }
    if (!as_word_is(token, "int") || !as_is(token + 1, ':'))
        return false;
    for (unsigned i = 0; i < 5; i++)
        if (as_text_is(as_token_text(token + 2), numbers[i])) {
            operand->reg = 3 + i;
            as->at += 3;
            return true;
        }
    return false;
}

/* B, I, P, F, U and Q may be symbols as well. An operand that is just the letter means
 * the register; a symbol of that very name in the same file makes it an error. */
static void check_letter(Assembler *as, const AsToken *token) {
    AsSymbol *symbol = as_symbol_token(as, token);
    if (symbol->kind != AS_SYMBOL_UNDEFINED) {
        as_error(as, as_here(as, token),
                 "'%s' is a register and a symbol; write (%s) for the symbol, '%c' for "
                 "the register",
                 symbol->name, symbol->name, token->text[0] ^ 0x20);
        as_note(as, symbol->place, "the symbol is defined here");
    } else if (!symbol->register_place.statement) {
        symbol->register_place = as_here(as, token);
    }
}

/* A register name that is not R0..R3, A0..A3, or has a mark of another context. False
 * without an error if it is no register: it may be an expression. */
static bool special_register(Assembler *as, const AsToken *token, AsOperand *operand) {
    if (token->kind != AS_TOKEN_NAME)
        return false;
    const AsToken *next = token + 1;
    if (token->length == 1 && next->kind != AS_TOKEN_END && !as_is(next, ','))
        return false; /* an expression with a symbol of one letter */
    size_t length = (size_t)token->length;
    if (token->suffix >= 0)
        length =
            (size_t)((const char *)memchr(token->text, '\'', length) - token->text);
    const int reg = jm_reg_by_name(token->text, length);
    if (reg < 0)
        return false;
    operand->reg = (unsigned)reg | (unsigned)(token->suffix < 0 ? 0 : token->suffix);
    operand->kind = AS_OPERAND_SPECIAL;
    if (token->length == 1)
        check_letter(as, token);
    return !as->failed;
}

/* Parses the name of a tag. Here IP is the tag, not the register. */
static bool tag_operand(Assembler *as, AsOperand *operand) {
    const AsToken *token = as->at;
    if (token->kind != AS_TOKEN_NAME ||
        (!as_is(token + 1, ',') && token[1].kind != AS_TOKEN_END))
        return false;
    const int tag = jm_tag_by_name(token->text, (size_t)token->length);
    if (tag < 0)
        return false;
    operand->kind = AS_OPERAND_VALUE;
    operand->expr = as_value_node(as, as_absolute_value(tag), operand->place);
    as->at++;
    return true;
}

/* Parses a value; INT: in front of a number changes nothing. */
static bool value_operand(Assembler *as, AsOperand *operand) {
    operand->kind = AS_OPERAND_VALUE;
    if (as_word_is(as->at, "int") && as_is(as->at + 1, ':'))
        as->at += 2;
    operand->expr = as_expression(as);
    return operand->expr != NULL;
}

/* Registers come before symbols: their names are reserved. */
bool as_operand(Assembler *as, bool tags, AsOperand *operand) {
    *operand = (AsOperand){.place = as_here(as, as->at)};
    if (as_accept(as, '['))
        return memory_operand(as, operand);
    if (as_accept(as, '^')) {
        operand->kind = AS_OPERAND_BRANCH;
        operand->expr = as_expression(as);
        return operand->expr != NULL;
    }
    if (tags && tag_operand(as, operand))
        return true;
    const int reg = general_register(as->at);
    if (reg >= 0) {
        operand->kind = AS_OPERAND_REGISTER;
        operand->reg = (unsigned)reg;
        as->at++;
        return true;
    }
    if (special_register(as, as->at, operand)) {
        as->at++;
        return true;
    }
    return !as->failed && (constant_operand(as, operand) || value_operand(as, operand));
}
