/* Assembles one instruction: checks its operands against the form of its opcode,
 * encodes and emits it. emu/isa/forms.def lists the forms as text:
 *
 *     "Rs,op0,Rd"      add r0,[1,a2],r1
 *     "op0,Rs,p"       send2 [0,a3],r3,0
 *
 * The operands of a statement are matched with these names one by one. A new form made
 * of known operands needs no change here. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

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

/* ---- operands -------------------------------------------------------------------- */

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
 * number token, FF a name, so the texts are compared. */
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
    if (symbol->kind != ASM_SYMBOL_UNDEFINED) {
        as_error(as, as_here(as, token),
                 "'%s' is a register and a symbol; write (%s) for the symbol, '%c' for "
                 "the register",
                 symbol->name, symbol->name, token->text[0] ^ 0x20);
        as_note(as, symbol->place, "the symbol is defined here");
    } else if (!symbol->register_place.statement) {
        symbol->register_place = as_here(as, token);
    }
}

/* A register name that is not R0..R3, A0..A3, or has a mark of another context. Returns
 * false without an error if it is not a register: it may be an expression. */
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

/* `tags`: names of tags stand for their numbers. Registers come before symbols: their
 * names are reserved. */
static bool read_operand(Assembler *as, bool tags, AsOperand *operand) {
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

/* ---- instructions ---------------------------------------------------------------- */

enum { OPERANDS_MAX = 4 };

/* An instruction under construction. */
typedef struct {
    const AsToken *mnemonic;
    char name[16]; /* lower case, for messages */
    unsigned op;
    const JmFormInfo *form;
    AsOperand operands[OPERANDS_MAX];
    int count;
    JmDecoded decoded;
    AsNode *value, *priority; /* to be filled in at the end, or NULL */
    AsFixKind value_kind;
} Instruction;

bool as_is_mnemonic(AsText name) {
    return as_text_is(name, "move") ||
           jm_op_by_name(name.text, (size_t)name.length) >= 0;
}

static AsPlace mnemonic_place(const Assembler *as, const Instruction *in) {
    return as_here(as, in->mnemonic);
}

/* Reports a wrong number of operands by showing the right ones. */
static void wrong_count(Assembler *as, const Instruction *in, const char *operands) {
    if (operands[0])
        as_error(as, mnemonic_place(as, in), "%s takes the operands %s", in->name,
                 operands);
    else
        as_error(as, mnemonic_place(as, in), "%s takes no operands", in->name);
}

/* Reports an operand of the wrong form: says what is allowed there, and shows the whole
 * form. */
static bool wrong_operand(Assembler *as, const Instruction *in,
                          const AsOperand *operand, const char *wanted) {
    as_error(as, operand->place, "this operand of %s must be %s (%s %s)", in->name,
             wanted, in->name, in->form->operands);
    return false;
}

/* The fields op1 and op2 have two bits: R0 to R3. */
static bool data_register(Assembler *as, const Instruction *in,
                          const AsOperand *operand, uint8_t *reg) {
    if (operand->kind != AS_OPERAND_REGISTER || operand->reg > 3)
        return wrong_operand(as, in, operand, "a data register r0 .. r3");
    *reg = (uint8_t)operand->reg;
    return true;
}

static bool is_branch(const Instruction *in) {
    const JmForm form = jm_op_info(in->op)->form;
    return form == JM_FORM_BR || form == JM_FORM_S_BR;
}

/* The value of op0 is filled in when all symbols are known. */
static void defer(Instruction *in, AsFixKind kind, AsNode *expr) {
    in->value = expr;
    in->value_kind = kind;
}

static bool is_memory(const AsOperand *operand) {
    return operand->kind == AS_OPERAND_INDEXED || operand->kind == AS_OPERAND_OFFSET;
}

/* Encodes op0 of the forms that read it, write it or name a destination. Numbers are
 * zero until their fixup is resolved. */
static bool encode_op0(Assembler *as, Instruction *in, const AsOperand *operand) {
    JmDecoded *d = &in->decoded;
    const bool write = in->form->op0 == JM_OP0_WRITE;
    const bool dst = in->form->op0 == JM_OP0_DST;
    if (write && !is_memory(operand))
        return wrong_operand(as, in, operand,
                             "a memory operand [offset,aN] or [rN,aN]");
    if (dst && operand->kind != AS_OPERAND_REGISTER)
        return wrong_operand(as, in, operand, "a register r0 .. r3 or a0 .. a3");
    switch (operand->kind) {
    case AS_OPERAND_REGISTER:
        d->mode = JM_MODE_REG;
        break;
    case AS_OPERAND_CONSTANT:
        d->mode = JM_MODE_CONSTANT;
        break;
    case AS_OPERAND_INDEXED:
        d->mode = JM_MODE_INDEXED;
        break;
    case AS_OPERAND_OFFSET:
        d->mode = JM_MODE_OFFSET;
        defer(in, AS_FIX_OFFSET, operand->expr);
        break;
    case AS_OPERAND_VALUE:
        d->mode = JM_MODE_IMMEDIATE;
        defer(in, AS_FIX_VALUE, operand->expr);
        break;
    case AS_OPERAND_BRANCH:
        if (!is_branch(in))
            return wrong_operand(as, in, operand,
                                 "no branch target: '^' is for branches");
        d->mode = JM_MODE_IMMEDIATE;
        defer(in, AS_FIX_BRANCH, operand->expr);
        break;
    case AS_OPERAND_SPECIAL:
        return wrong_operand(as, in, operand,
                             "no special register: only move, readr, writer and ldipr "
                             "take one");
    }
    d->reg = (uint8_t)operand->reg;
    d->areg = (uint8_t)operand->areg;
    return true;
}

/* Register mode: any register, R0-R3 and A0-A3 too. */
static bool encode_special(Assembler *as, Instruction *in, const AsOperand *operand) {
    if (operand->kind != AS_OPERAND_REGISTER && operand->kind != AS_OPERAND_SPECIAL)
        return wrong_operand(as, in, operand, "a register");
    if (jm_op_info(in->op)->form == JM_FORM_S_G &&
        jm_reg_is_read_only(operand->reg & JM_REG_N))
        return wrong_operand(as, in, operand,
                             "a register that can be written: this one is read-only");
    in->decoded.reg = (uint8_t)operand->reg;
    return true;
}

/* The network priority of SENDs. */
static bool encode_priority(Assembler *as, Instruction *in, const AsOperand *operand) {
    if (operand->kind != AS_OPERAND_VALUE)
        return wrong_operand(as, in, operand, "a priority 0 or 1");
    in->priority = operand->expr;
    return true;
}

/* One operand by its name in forms.def. */
static bool encode_operand(Assembler *as, Instruction *in, const char *name,
                           size_t length, const AsOperand *operand) {
    if (strncmp(name, "Rs", length) == 0)
        return data_register(as, in, operand, &in->decoded.rs);
    if (strncmp(name, "Rd", length) == 0)
        return data_register(as, in, operand, &in->decoded.rd);
    if (strncmp(name, "reg", length) == 0)
        return encode_special(as, in, operand);
    if (strncmp(name, "p", length) == 0)
        return encode_priority(as, in, operand);
    return encode_op0(as, in, operand); /* "op0" or "dst" */
}

/* Counts the operands of a form by the commas in its text in forms.def. */
static int operand_count(const JmFormInfo *form) {
    int count = form->operands[0] != '\0';
    for (const char *at = form->operands; *at; at++)
        count += *at == ',';
    return count;
}

/* Matches the operands with those of the form, one by one. The text of the form is the
 * only list of operands. */
static bool encode(Assembler *as, Instruction *in) {
    in->decoded.op = (uint8_t)in->op;
    if (in->count != operand_count(in->form)) {
        wrong_count(as, in, in->form->operands);
        return false;
    }
    const char *name = in->form->operands;
    for (int i = 0; i < in->count; i++) {
        const size_t length = strcspn(name, ",");
        if (!encode_operand(as, in, name, length, &in->operands[i]))
            return false;
        name += length + 1;
    }
    return true;
}

/* Returns the opcode that `move` stands for; -1 after an error. Data register, memory
 * or constant to data register is READ; special register to data register is READR;
 * data register to memory is WRITE; data register to any other register is WRITER. */
static int move_op(Assembler *as, const Instruction *in) {
    const AsOperand *from = &in->operands[0];
    const AsOperand *to = &in->operands[1];
    if (in->count != 2) {
        wrong_count(as, in, "source,destination");
        return -1;
    }
    const bool from_data = from->kind == AS_OPERAND_REGISTER && from->reg <= 3;
    const bool to_register =
        to->kind == AS_OPERAND_SPECIAL || to->kind == AS_OPERAND_REGISTER;
    if (to->kind == AS_OPERAND_REGISTER && to->reg <= 3)
        return from->kind == AS_OPERAND_SPECIAL ? JM_OP_READR : JM_OP_READ;
    if (!to_register && !is_memory(to)) {
        as_error(as, to->place, "the destination of move must be a register or memory");
        return -1;
    }
    if (!from_data) {
        as_error(
            as, from->place,
            "no instruction moves this to %s: only a data register r0 .. r3 goes there",
            to_register ? "an address or special register" : "memory");
        return -1;
    }
    return to_register ? JM_OP_WRITER : JM_OP_WRITE;
}

/* `tags`: the second operand may be the name of a tag. More operands than any form has
 * are an error at the first that is too many. */
static bool parse_operands(Assembler *as, Instruction *in, bool tags) {
    while (!as_at_end(as)) {
        if (in->count == OPERANDS_MAX) {
            as_unexpected(as, "end of the statement");
            return false;
        }
        if (!read_operand(as, tags && in->count == 1, &in->operands[in->count]))
            return false;
        in->count++;
        if (as_at_end(as))
            return true;
        if (!as_expect(as, ',', "or the end of the statement"))
            return false;
        if (as_at_end(as)) {
            as_unexpected(as, "an operand");
            return false;
        }
    }
    return true;
}

/* Parses and encodes; false after an error. */
static bool build(Assembler *as, Instruction *in) {
    const int op = jm_op_by_name(in->mnemonic->text, (size_t)in->mnemonic->length);
    if (!parse_operands(as, in, op == JM_OP_WTAG || op == JM_OP_CHECK))
        return false;
    const int chosen = op >= 0 ? op : move_op(as, in);
    if (chosen < 0)
        return false;
    in->op = (unsigned)chosen;
    in->form = jm_form_info(jm_op_info(in->op)->form);
    return encode(as, in);
}

/* An instruction with an error is emitted as a NOP, so that later addresses, and
 * messages about them, are right. */
void as_instruction(Assembler *as, const AsToken *mnemonic) {
    Instruction in = {.mnemonic = mnemonic};
    for (int i = 0; i < mnemonic->length && i < (int)sizeof in.name - 1; i++)
        in.name[i] = (char)tolower((unsigned char)mnemonic->text[i]);
    as->in_instruction = true;
    const bool good = build(as, &in);
    as->in_instruction = false;
    const int phase = as_emit_instruction(as, good ? jm_encode(&in.decoded) : 0);
    as_flow_instruction(as, good && phase >= 0 ? &in.decoded : NULL);
    if (!good || phase < 0)
        return;
    if (in.value)
        as_add_fixup(as, in.value_kind, (unsigned)phase, in.value);
    if (in.priority)
        as_add_fixup(as, AS_FIX_PRIORITY, (unsigned)phase, in.priority);
}
