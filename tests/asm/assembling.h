/* Helpers of the assembler's tests. */
#ifndef TESTS_ASM_ASSEMBLING_H
#define TESTS_ASM_ASSEMBLING_H

#include "asm/asm.h"

/* Assembles text as "t.s" without options; the test fails on any message. The object
 * is the caller's. */
AsmObject *assembled(const char *source);

/* The same under another name; warnings are let pass. */
AsmObject *assembled_as(const char *name, const char *source);

/* Word `offset` of the section with this name; the test fails if there is none. */
JmWord word_of(const AsmObject *object, const char *section, uint32_t offset);

#endif
