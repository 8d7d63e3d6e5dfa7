/* What a source is made of, for editors: its files, messages, symbols and macros, where
 * each of them is written, and what its lines make. The assembler keeps it only if
 * AsmOptions.index asks for it. All of it lives as long as the result. */
#ifndef JM_ASM_INDEX_H
#define JM_ASM_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A piece of a line. */
typedef struct {
    int file;                 /* index in AsmIndex.files; -1: not in any source */
    int line, column, length; /* 1.., 1.., bytes */
} AsmSpot;

typedef struct {
    const char *name;
    const char *text; /* without a byte order mark */
    size_t length;
} AsmIndexFile;

typedef enum { ASM_ERROR, ASM_WARNING, ASM_NOTE } AsmSeverity;

/* A line that the assembler prints; notes follow the message that they belong to. */
typedef struct {
    AsmSeverity severity;
    AsmSpot at; /* without a length; line 0: of the whole file */
    const char *text;
    const char *suggestion; /* likely intended name for the token there; NULL: none */
} AsmIndexMessage;

typedef enum {
    ASM_SYMBOL_UNDEFINED,
    ASM_SYMBOL_LABEL,
    ASM_SYMBOL_EQU,
    ASM_SYMBOL_SET
} AsmSymbolKind;

typedef struct {
    const char *name; /* Label.name for a local one; made-up names hold an '@' */
    AsmSymbolKind kind;
    bool global, external; /* declared by .global, .extern */
    bool known;            /* it has a number, in `section` if that is not -1 */
    int section;
    int64_t number;
    AsmSpot at; /* its definition, else the first use */
} AsmIndexSymbol;

typedef struct {
    const char *name, *standard; /* `standard` is "" without a default */
    bool required, vararg;
} AsmIndexParameter;

typedef struct {
    const char *name;
    AsmSpot at;
    int end; /* line of its .endm */
    const AsmIndexParameter *parameters;
    int count;
} AsmIndexMacro;

typedef struct {
    const char *name, *place;
    int32_t address; /* in words; negative: the linker places it */
} AsmIndexSection;

typedef enum { ASM_USE_SYMBOL, ASM_USE_MACRO, ASM_USE_FILE } AsmUseKind;
typedef enum { ASM_ROLE_USE, ASM_ROLE_DEFINITION, ASM_ROLE_DECLARATION } AsmUseRole;

/* A token that names something. */
typedef struct {
    AsmSpot at; /* without a length if a macro puts the name together */
    AsmUseKind kind;
    AsmUseRole role;
    int index; /* of its symbol, macro or file */
} AsmIndexUse;

/* The output of a line, as in the listing. */
typedef struct {
    int file, line;
    bool macro; /* the line was read in an expansion of a macro */
    bool plain; /* it is only kept for a macro or repeat, or left out by a condition */
    int section;
    uint32_t offset, end;   /* words */
    int phase;              /* of its instruction; -1: none */
    unsigned cycles, taken; /* not jumping, jumping; 0: none */
    unsigned run;           /* of the straight-line run that ends here; 0: none ends */
} AsmIndexLine;

typedef struct AsmIndex {
    const AsmIndexFile *files; /* the first is the main one */
    const AsmIndexMessage *messages;
    const AsmIndexSymbol *symbols;
    const AsmIndexMacro *macros;
    const AsmIndexSection *sections;
    const AsmIndexUse *uses;
    const AsmIndexLine *lines;
    int file_count, message_count, symbol_count, macro_count, section_count, use_count,
        line_count;
    struct Heap *heap; /* of the assembler: everything above is in it */
} AsmIndex;

/* The assembler's own reading of a line. */
typedef enum {
    ASM_LEXEME_NAME,    /* with the mark of a register, as in fip'p */
    ASM_LEXEME_NUMBER,  /* `value`; also a character constant */
    ASM_LEXEME_STRING,  /* with its quotes */
    ASM_LEXEME_NUMERIC, /* 1f, 1b */
    ASM_LEXEME_PUNCT,
    ASM_LEXEME_BAD,
    ASM_LEXEME_COMMENT /* up to the end of the line */
} AsmLexemeKind;

typedef struct {
    AsmLexemeKind kind;
    int offset, length; /* bytes */
    int64_t value;
} AsmLexeme;

/* Splits a line, without its end, into at most as many lexemes as it has bytes; returns
 * how many there are. Blanks are not lexemes. */
int asm_lex_line(const char *text, int length, AsmLexeme *lexemes);

#ifdef __cplusplus
}
#endif

#endif
