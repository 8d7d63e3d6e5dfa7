/* Where in the operands of a line a place is, and what may stand there. */
#ifndef JM_MDPAS_OPERANDS_H
#define JM_MDPAS_OPERANDS_H

#include "tools/mdpas/answers/words.h"
#include "tools/mdpas/lsp/server.h"

typedef struct {
    int number;  /* of the operand at the place, 0..; -1: not behind the head */
    bool memory; /* inside brackets */
    bool second; /* behind a comma in the brackets */
} Operand;

Operand operand_at(const At *at);
/* The text of an operand of an instruction, by number, in its form: "op0", "Rd";
 * `length` bytes of it; NULL: it has no such operand. */
const char *operand_name(const Word *instruction, int number, size_t *length);
/* The operands of an instruction as text. */
const char *operand_names(const Word *instruction);

/* The instruction, directive and macro at the head of the line; NULL: it is none. */
const Word *head_instruction(const At *at);
const Word *head_directive(const At *at);
const AsmIndexMacro *head_macro(const At *at);

#endif
