/* The disassembler's face: objects and images in, source text out. Anyone above may
 * include it. */
#ifndef JM_ASM_DISASSEMBLER_H
#define JM_ASM_DISASSEMBLER_H

#include <stdbool.h>
#include <stdio.h>

#include "asm/objects/object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Line `line` (1..) of a source file without its end and without control characters,
 * valid until the next call; NULL if it cannot be had. */
typedef const char *AsmSourceLine(void *context, const char *file, int line);

/* What a disassembly shows beside the words. */
typedef struct {
    bool equates; /* also constants that nothing in the object needs */
    AsmSourceLine
        *source_line; /* source text goes before what came of it; may be NULL */
    void *context;    /* of source_line */
} AsmDisassembleOptions;

/* Prints a disassembly that assembles back to the same words at the same places; code
 * comes before data. NULL for the options: words alone. */
void asm_disassemble(const AsmObject *object, const AsmDisassembleOptions *options,
                     FILE *out);

#ifdef __cplusplus
}
#endif

#endif
