/* What a lexeme of a line is by itself, without knowing what names mean: its kind, for
 * colours, and its description. The language server and the editor of the page ask. */
#ifndef JM_MDPAS_LEXEMES_H
#define JM_MDPAS_LEXEMES_H

#include "tools/mdpas/lsp/text.h"

/* Kinds of tokens, in the order of their numbers.
 *
 * TOKEN(kind, "name of the protocol") */
#define TOKEN_KINDS                                                                    \
    TOKEN(INSTRUCTION, "keyword")                                                      \
    TOKEN(DIRECTIVE, "modifier")                                                       \
    TOKEN(MACRO, "macro")                                                              \
    TOKEN(LABEL, "function")                                                           \
    TOKEN(CONSTANT, "enumMember")                                                      \
    TOKEN(REGISTER, "variable")                                                        \
    TOKEN(TAG, "type")                                                                 \
    TOKEN(PARAMETER, "parameter")                                                      \
    TOKEN(NUMBER, "number")                                                            \
    TOKEN(STRING, "string")                                                            \
    TOKEN(COMMENT, "comment")

typedef enum {
    KIND_NONE = -1,
#define TOKEN(kind, name) KIND_##kind,
    TOKEN_KINDS
#undef TOKEN
} TokenKind;

TokenKind lexeme_kind(const Line *line, int lexeme);

/* What an editor shows of a number or a word of the language, as Markdown, malloc'ed;
 * NULL: it is neither. */
char *lexeme_describe(const Line *line, int lexeme);

#endif
