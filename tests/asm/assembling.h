/* Helpers of the assembler's tests. */
#ifndef TESTS_ASM_ASSEMBLING_H
#define TESTS_ASM_ASSEMBLING_H

#include "asm/asm.h"

/* Assembles text as "t.s" without options; the test fails on any message. The object
 * is the caller's. */
AsmObject *assembled(const char *source);

/* The diagnostics of a text that must not assemble; the caller frees it. */
char *refused(const char *source);

/* Word `offset` of the section with this name; the test fails if there is none. */
JmWord word_of(const AsmObject *object, const char *section, uint32_t offset);

/* Checks that section .text holds exactly these words. */
void check_text(const char *source, int count, const JmWord *words);

/* Checks that section .text holds exactly these INTs. */
void check_ints(const char *source, int count, const int32_t *numbers);

#define CHECK_INTS(source, ...)                                                        \
    check_ints(source, sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t),             \
               (int32_t[]){__VA_ARGS__})

/* The single relocation of the object. */
const AsmObjectReloc *only_reloc(const AsmObject *object);

/* Checks that `source` is rejected and that its messages contain `expected`. */
void check_message(const char *source, const char *expected);

#endif
