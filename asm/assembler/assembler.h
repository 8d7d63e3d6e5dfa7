/* The assembler's public interface: it turns source text into an object, a listing and
 * messages. Any higher layer may include it. Nothing is kept between calls, so threads
 * may call it at the same time. */
#ifndef JM_ASM_ASSEMBLER_H
#define JM_ASM_ASSEMBLER_H

#include <stdbool.h>
#include <stddef.h>

#include "asm/assembler/index.h"
#include "asm/objects/object.h"
#include "emu/core/inputs.h"
#include "emu/isa/isa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A file in memory. */
typedef struct {
    const char *name; /* as it appears in .include and in messages */
    const char *text;
    size_t length;
} AsmFile;

/* The warnings: rows of warnings.def. */
typedef enum {
#define WARNING(id, name) ASM_WARNING_##id,
#include "asm/assembler/warnings.def"
#undef WARNING
    ASM_WARNING_COUNT
} AsmWarning;

const char *asm_warning_name(AsmWarning warning);

typedef struct {
    const char *const *include_dirs; /* searched after the including file's folder */
    int include_count;
    const AsmFile
        *files; /* files in memory, included when no folder has the name. A file
                             in memory itself includes from memory first */
    int file_count;
    const char *const *defines; /* "sym=expression" or "sym" (= 1) */
    int define_count;
    const JmTiming *timing; /* for the listing's cycle counts; NULL: defaults */
    bool listing;           /* make one */
    uint32_t silent;        /* warnings that are not given: bits 1 << AsmWarning */
    bool strict;            /* warnings are errors */
    JmInputs *inputs;       /* gets the files that are read; may be NULL */
    bool index;             /* make one */
    const AsmFile *open;    /* an editor's unsaved texts, used in place of the files on
                               disk that they name if there is an index */
    int open_count;
} AsmOptions;

typedef struct {
    AsmObject *object; /* NULL if there was an error */
    char *listing;     /* NULL if not requested or on error; malloc'ed */
    char *diagnostics; /* all messages with source line and caret, "" if none;
                          malloc'ed. NULL: out of memory, the only error */
    int errors, warnings;
    AsmIndex *index; /* NULL if not requested; made even if there was an error */
} AsmResult;

/* Assembles `text` (`length` bytes, called `name` in messages). Reads included files.
 * At most 20 errors are reported, then it gives up. */
AsmResult asm_assemble(const char *text, size_t length, const char *name,
                       const AsmOptions *options);
/* Assembles a file. If it cannot be read, `diagnostics` says so. */
AsmResult asm_assemble_file(const char *path, const AsmOptions *options);
void asm_result_free(AsmResult *result); /* leaves *result empty */

#ifdef __cplusplus
}
#endif

#endif
