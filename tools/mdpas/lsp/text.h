/* Texts and places in them: the protocol counts lines and UTF-16 units from 0, the
 * assembler lines and bytes from 1. */
#ifndef JM_MDPAS_TEXT_H
#define JM_MDPAS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "asm/asm.h"

/* How a client counts the characters of a line. */
typedef enum { TEXT_UTF16, TEXT_UTF8 } TextUnits;

typedef struct {
    TextUnits units;
    char *bytes; /* terminated */
    size_t length;
    size_t *lines; /* where each line of the protocol begins: behind LF, CR, CR LF */
    int line_count;
    size_t *rows; /* where each line of the assembler begins: behind LF */
    int row_count;
} Text;

/* Makes a copy of `bytes`, with its lines. */
Text text_new(TextUnits units, const char *bytes, size_t length);
void text_drop(Text *text);
/* Replaces the bytes from `from` to before `to`. The lines of the assembler are not
 * there again until text_finish(). */
void text_replace(Text *text, size_t from, size_t to, const char *bytes, size_t length);
void text_finish(Text *text);

/* The line (0..) of the protocol and of the assembler that holds a byte. */
int text_line(const Text *text, size_t offset);
int text_row(const Text *text, size_t offset);
/* Where a place of the assembler is; the end of the text if there is no such line. */
size_t text_at(const Text *text, int line, int column);

/* Whether `length` bytes of a text are a name. */
bool text_is(const char *text, int length, const char *name);

/* A line of the assembler, read: `label ':' ... head operands ; comment`. */
typedef struct {
    const char *text;
    size_t start; /* where it begins in its text */
    int length;   /* without its end */
    AsmLexeme *lexemes;
    int count; /* of all */
    int code;  /* of those that are no comment */
    int head;  /* instruction, directive, macro, name that is assigned; `code`: none */
    bool assigns; /* it is `name = value` */
} Line;

/* Reads line `row` (0..), which must be there. */
Line line_read(const Text *text, int row);
void line_free(Line *line);
/* The lexeme at a byte of the line, or just behind it; -1: none. */
int line_lexeme(const Line *line, int offset);
/* Whether a lexeme is this text, ignoring case. */
bool line_is(const Line *line, int lexeme, const char *text);
/* Whether the name at this lexeme stands behind a backslash: a parameter. The length
 * is that of the parameter, which ends at a dot. */
bool line_is_parameter(const Line *line, int lexeme, int *length);

#endif
