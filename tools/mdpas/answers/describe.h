/* Descriptions of what sources define, as Markdown. */
#ifndef JM_MDPAS_DESCRIBE_H
#define JM_MDPAS_DESCRIBE_H

#include "tools/mdpas/answers/target.h"

/* All of these are malloc'ed. */
char *describe_target(Work *work, const At *at, const Target *target);
char *describe_symbol(Work *work, Unit *unit, int symbol);
/* The call of a macro with its parameters: `push value:req, top=a2`. */
char *macro_call_text(const AsmIndexMacro *macro);
/* What a symbol is, in a line: `constant 5 = 0x5`. */
char *symbol_line(const AsmIndex *index, const AsmIndexSymbol *symbol);

/* A text of Markdown as a value of the protocol; frees it. */
json_t *markdown(char *text);

/* A definition in any source of a name that is global there. */
typedef struct {
    Unit *unit; /* NULL: none */
    int symbol;
} Definition;
Definition find_global(Work *work, const char *name);

#endif
