/* The assembler and the linker as libraries: source text in, objects out.
 * Uses emu/core, emu/isa and asm/object.h. Never prints: diagnostics are collected
 * as text. The programs mdpas and mdpld are thin mains over this face.
 *
 *     text  --asm_assemble-->  Object  --link_objects-->  image (an Object)
 *     Object or image  --asm_disassemble-->  text
 *
 * Each call is a run of its own: nothing is kept between calls, and calls in different
 * threads do not meet. Running out of memory aborts.
 */
#ifndef JM_ASM_ASM_H
#define JM_ASM_ASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "asm/object.h"
#include "emu/core/status.h"
#include "emu/isa/isa.h"

/* A file in memory. */
typedef struct {
    const char *name; /* as .include names it and messages show it */
    const char *text;
    size_t length;
} AsmFile;

typedef struct {
    const char *const *include_dirs; /* searched after the including file's folder */
    int include_count;
    const AsmFile *files; /* included when no folder has the name; one of them looks
                             among them first, and in no folder of its own */
    int file_count;
    const char *const *defines; /* "sym=expression" or "sym" (= 1) */
    int define_count;
    const JmTiming *timing; /* for the listing's cycle counts; NULL: defaults */
    bool listing;           /* make one */
} AsmOptions;

typedef struct {
    Object *object;    /* NULL if there was an error */
    char *listing;     /* NULL if not asked for or on error; malloc'ed */
    char *diagnostics; /* "" if none: every message with source line and caret;
                          malloc'ed */
    int errors, warnings;
} AsmResult;

/* Assembles `text` (`length` bytes, called `name` in messages). Reads included files.
 * At most 20 errors are reported, then it gives up. */
AsmResult asm_assemble(const char *text, size_t length, const char *name,
                       const AsmOptions *options);
/* The same for a file; a file that cannot be read is a diagnostic like any other. */
AsmResult asm_assemble_file(const char *path, const AsmOptions *options);
void asm_result_free(AsmResult *result); /* leaves *result empty */

/* "section=address" as of mdpld -T: word address, hexadecimal (0x optional, as ld's -T
 * options) */
typedef struct {
    const char *section;
    uint32_t address;
} LinkPlacement;

typedef struct {
    const LinkPlacement *placements;
    int placement_count;
} LinkOptions;

typedef struct LinkInput LinkInput; /* a growing list of objects and archives */

LinkInput *link_input_new(void);
void link_input_free(LinkInput *input);
/* An object is taken always; an archive's members only when they define a symbol that
 * is undefined so far. `link_input_add_file` reads either. Objects given become the
 * input's. Archive bytes (`memory`) must stay valid until the link. */
bool link_input_add_file(LinkInput *input, const char *path, JmError *error);
bool link_input_add_memory(LinkInput *input, const void *bytes, size_t size,
                           const char *name, JmError *error);
void link_input_add_object(LinkInput *input, Object *object, const char *name);

typedef struct {
    Object *image;     /* NULL if there was an error */
    char *diagnostics; /* one line each, "" if none; malloc'ed */
    int errors;
} LinkResult;

LinkResult link_objects(LinkInput *input, const LinkOptions *options);
void link_result_free(LinkResult *result);

/* Text of the map file of a linked image; malloc'ed. */
char *link_map(const Object *image);

/* Line `line` (1..) of a source file without its end and without control characters,
 * valid until the next call; NULL if it cannot be had. */
typedef const char *AsmSourceLine(void *context, const char *file, int line);

/* What a disassembly shows beside the words. */
typedef struct {
    bool equates; /* also constants that nothing in the object needs */
    AsmSourceLine
        *source_line; /* source text goes before what came of it; may be NULL */
    void *context;    /* of source_line */
} DisassembleOptions;

/* Prints a disassembly that assembles back to the same words at the same places; code
 * comes before data. NULL for the options: words alone. */
void asm_disassemble(const Object *object, const DisassembleOptions *options,
                     FILE *out);

#endif
