/* Shared by the answers to requests: what a place names, its description, and where
 * else it is written. */
#ifndef JM_MDPAS_ANSWERS_H
#define JM_MDPAS_ANSWERS_H

#include "tools/mdpas/answers/words.h"
#include "tools/mdpas/lsp/server.h"

/* ---- target.c: what a place in a document names ---------------------------------- */

typedef enum {
    TARGET_NONE,
    TARGET_SYMBOL,
    TARGET_MACRO,
    TARGET_PARAMETER, /* of `macro` */
    TARGET_FILE
} TargetKind;

typedef struct {
    TargetKind kind;
    int index; /* of the symbol, macro, file; number of the parameter */
    const AsmIndexMacro *macro;
    int from, length; /* where its name stands in the line */
} Target;

Target target_at(const At *at);

/* The place of a symbol's definition; line 0: there is none. */
AsmSpot symbol_definition(const AsmIndex *index, int symbol);
/* The comment of what is defined at a place: above its line or behind it, where it is
 * `first` looked for; malloc'ed, "" if there is none. */
typedef enum { COMMENT_ABOVE, COMMENT_BEHIND } CommentPlace;
char *comment_of(const Work *work, Unit *unit, AsmSpot spot, CommentPlace first);

/* ---- describe.c: what sources define, as text ------------------------------------ */

/* The call of a macro with its parameters, malloc'ed: `push value:req, top=a2`. */
char *macro_call_text(const AsmIndexMacro *macro);
/* Returns a symbol's description in one line, malloc'ed: `constant 5 = 0x5`. */
char *symbol_line(const AsmIndex *index, const AsmIndexSymbol *symbol);
/* A text of Markdown as a value of the protocol; frees it. */
json_t *markdown(char *text);

/* A definition in any source of a name that is global there. */
typedef struct {
    Unit *unit; /* NULL: none */
    int symbol;
} Definition;
Definition find_global(Work *work, const char *name);

/* ---- sites.c: everywhere that a name is written, in all sources that know it ----- */

typedef struct {
    Unit *unit;
    AsmSpot at; /* without a length where a macro puts the name together */
    AsmUseRole role;
} Site;

typedef struct {
    Site *items;
    int count;
} Sites;

void sites_free(Sites *sites);
/* Adds a place, unless it is there. */
void sites_add(Sites *sites, Site site);

/* The thing that a request names, and its sites, each once. */
typedef struct {
    Server *server;
    At at;
    Target target;
    Sites sites;
} Named;

/* Finds what the place of `params` names; false and a refusal if there is no such
 * place. named_free() ends it in both cases. */
bool named_find(Named *named, Server *server, const json_t *params);
void named_free(Named *named);

/* ---- operands.c: where in the operands of a line a place is ---------------------- */

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

/* The number of a macro in an index, ignoring case; -1: it has none of this name. */
int macro_named(const AsmIndex *index, const char *name, int length);
/* The instruction, directive and macro at the head of the line; NULL: it is none. */
const Word *head_instruction(const At *at);
const Word *head_directive(const At *at);
const AsmIndexMacro *head_macro(const At *at);

/* ---- tokens.c -------------------------------------------------------------------- */

/* The kinds and modifiers of semantic tokens, by the names of the protocol. */
json_t *token_legend(void);

#endif
