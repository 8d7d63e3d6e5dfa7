/* Objects for the tests of this folder, and comparing them. */
#ifndef TESTS_ASM_OBJECTS_H
#define TESTS_ASM_OBJECTS_H

#include "asm/objects/object.h"

/* A relocatable object with every feature: every place, fixed address, fill, every
 * relocation type, local, global, absolute and undefined symbols, source lines. */
AsmObject *sample_object(void);

/* Appends a word to a section that has contents; returns its offset. */
uint32_t append_word(AsmObject *object, int section, JmWord word);

/* A linked image with symbols and lines; `start` is at 00100. */
AsmObject *sample_image(void);

/* The bytes of its file; malloc'ed. */
void *file_bytes(const AsmObject *object, size_t *size);
/* Writes it to a file. */
void write_object(const AsmObject *object, const char *path);

/* Written to a file and read back. */
AsmObject *through_file(const AsmObject *object);

/* Asserts that two objects are equal, apart from the order of symbols. */
void same_object(const AsmObject *a, const AsmObject *b);

/* A path in the temporary folder that no other test uses; static storage. */
const char *scratch_path(const char *name);

#endif
