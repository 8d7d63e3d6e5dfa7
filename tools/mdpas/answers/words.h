/* The words of the language, with their descriptions from the tables. */
#ifndef JM_MDPAS_WORDS_H
#define JM_MDPAS_WORDS_H

#include <stddef.h>

#include "emu/isa/isa.h"

/* A row of a table. */
typedef struct {
    const char *name;     /* in upper case; of directives in lower, without the dot */
    const char *operands; /* of instructions and directives */
    const char *text;     /* what it is or does */
    const char *source;   /* of instructions: a section of the architecture's manual */
} Word;

/* Lists, ended by a row without a name. */
extern const Word word_registers[], word_tags[], word_constants[], word_directives[];
/* MOVE comes first: it is written for four of the others. */
extern const Word word_instructions[];

/* The row with this name, ignoring case; NULL: none. */
const Word *word_find(const Word *list, const char *name, size_t length);
/* The register of a name that may end in 'p or 'b. */
const Word *word_register(const char *name, size_t length);

/* The name as sources write it, in a buffer of the enclosing block. */
#define WORD_NAME(word) word_lower((word)->name, (char[32]){0}, 32)
char *word_lower(const char *name, char *buffer, size_t size);

/* Return the description of a word, as Markdown, malloc'ed. */
char *word_describe_instruction(const Word *instruction);
char *word_describe_directive(const Word *directive);
char *word_describe(const Word *word, const char *kind);

#endif
