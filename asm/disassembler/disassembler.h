/* The disassembler's public interface: it prints objects and images as source text. Any
 * higher layer may include it. */
#ifndef JM_ASM_DISASSEMBLER_H
#define JM_ASM_DISASSEMBLER_H

#include <stdbool.h>
#include <stdio.h>

#include "asm/objects/object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A function of the caller that returns line `line` (1..) of a source file, without its
 * line end and control characters; NULL if it is not available. The text is valid until
 * the next call. */
typedef const char *AsmSourceLine(void *context, const char *file, int line);

/* Options of a disassembly: what it shows in addition to the words. */
typedef struct {
    bool equates;               /* also constants that nothing in the object needs */
    AsmSourceLine *source_line; /* source text is shown before its words; may be NULL */
    void *context;              /* of source_line */
} AsmDisassembleOptions;

/* Prints a disassembly that assembles back to the same words at the same places; code
 * comes before data. `options` may be NULL: words alone. Returns false if there is no
 * memory; then a part of it may have been printed. The caller checks whether `out` took
 * all that was printed (ferror). */
bool asm_disassemble(const AsmObject *object, const AsmDisassembleOptions *options,
                     FILE *out);

#ifdef __cplusplus
}
#endif

#endif
