/* Objects as JSON, for mdpobjdump --format json. */
#ifndef JM_TOOLS_MDPOBJDUMP_JSON_H
#define JM_TOOLS_MDPOBJDUMP_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "asm/asm.h"

/* The parts that are written. */
typedef struct {
    bool sections, symbols, relocations, words;
} JsonParts;

/* Writes an object, a row of an array on a line of its own; numbers are in words. What
 * is not known (an address before the link, a line) is left out or null. */
void json_object_write(const AsmObject *object, const char *name, JsonParts parts,
                       FILE *out);

#endif
