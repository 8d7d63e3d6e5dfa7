/* Objects as JSON, for mdpobjdump --format json. */
#ifndef JM_TOOLS_MDPOBJDUMP_JSON_H
#define JM_TOOLS_MDPOBJDUMP_JSON_H

#include <stdbool.h>

#include "asm/asm.h"
#include "tools/host/json_out.h"

/* The parts that are written. */
typedef struct {
    bool sections, symbols, relocations, words;
} JsonParts;

/* Writes an object as the next item of an array, rows of its arrays on lines of their
 * own; numbers are in words. What is not known (an address before the link, a line) is
 * left out or null. */
void json_object_write(const AsmObject *object, const char *name, JsonParts parts,
                       Json *json);

#endif
