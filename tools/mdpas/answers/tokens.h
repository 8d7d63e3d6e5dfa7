/* Kinds and modifiers of semantic tokens, by the names of the protocol. */
#ifndef JM_MDPAS_TOKENS_H
#define JM_MDPAS_TOKENS_H

#include <jansson.h>

json_t *token_legend(void);

#endif
