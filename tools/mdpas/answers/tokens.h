/* Kinds and modifiers of semantic tokens, by the names of the protocol, in the order of
 * their numbers. */
#ifndef JM_MDPAS_TOKENS_H
#define JM_MDPAS_TOKENS_H

#include <jansson.h>

/* TOKEN(kind, "name of the protocol") */
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

json_t *token_legend(void);

#endif
