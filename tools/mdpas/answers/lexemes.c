/* Kinds and descriptions of lexemes; see lexemes.h. */
#include "tools/mdpas/answers/lexemes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emu/core/word.h"
#include "tools/host/memory.h"
#include "tools/mdpas/answers/words.h"

/* ---- kinds ----------------------------------------------------------------------- */

/* Whether a name is a parameter in the first line of its macro; not its default. */
static bool is_declared(const Line *line, int lexeme) {
    return line_is(line, line->head, ".macro") && lexeme > line->head + 1 &&
           !line_is(line, lexeme - 1, "=") && !line_is(line, lexeme - 1, ":");
}

/* A name that no use explains: a word of the language, or in lines that are not
 * assembled. */
static TokenKind kind_of_word(const Line *line, int lexeme) {
    const char *text = line->text + line->lexemes[lexeme].offset;
    const size_t length = (size_t)line->lexemes[lexeme].length;
    int ignored;
    if (line_is_parameter(line, lexeme, &ignored) || is_declared(line, lexeme))
        return KIND_PARAMETER;
    if (lexeme == line->head && text[0] == '.' &&
        word_find(word_directives, text + 1, length - 1))
        return KIND_DIRECTIVE;
    if (lexeme == line->head && !line->assigns &&
        word_find(word_instructions, text, length))
        return KIND_INSTRUCTION;
    if (lexeme < line->head)
        return KIND_LABEL;
    if (line_is(line, lexeme + 1, ":") && word_find(word_tags, text, length))
        return KIND_TAG;
    if (word_register(text, length))
        return KIND_REGISTER;
    if (word_find(word_constants, text, length))
        return KIND_CONSTANT;
    return word_find(word_tags, text, length) ? KIND_TAG : KIND_NONE;
}

TokenKind lexeme_kind(const Line *line, int lexeme) {
    switch (line->lexemes[lexeme].kind) {
    case ASM_LEXEME_NAME:
        return kind_of_word(line, lexeme);
    case ASM_LEXEME_NUMBER:
        return KIND_NUMBER;
    case ASM_LEXEME_STRING:
        return KIND_STRING;
    case ASM_LEXEME_NUMERIC:
        return KIND_LABEL;
    case ASM_LEXEME_COMMENT:
        return KIND_COMMENT;
    default:
        return KIND_NONE;
    }
}

/* ---- descriptions ---------------------------------------------------------------- */

/* A number as it is, in hexadecimal, and as a word where it fits one. */
static char *describe_number(int64_t number) {
    char word[16] = "";
    if (number >= INT32_MIN && number <= UINT32_MAX)
        jm_word_print(jm_word(JM_TAG_INT, (uint32_t)number), word, sizeof word);
    return memory_text("%" PRId64 " = 0x%" PRIX64 "%s%s", number, (uint64_t)number,
                       word[0] ? " = " : "", word);
}

static bool colon_follows(const Line *line, int lexeme) {
    return line_is(line, lexeme + 1, ":");
}

/* Whether the operand is the one of WTAG and CHECK that names a tag. */
static bool names_tag(const Line *line, int lexeme) {
    const bool takes =
        line_is(line, line->head, "wtag") || line_is(line, line->head, "check");
    return takes && lexeme == line->head + 3;
}

/* A word of the language; NULL if it is none. IP is a register and a tag. */
static char *describe_word(const Line *line, int lexeme) {
    const char *text = line->text + line->lexemes[lexeme].offset;
    const size_t length = (size_t)line->lexemes[lexeme].length;
    const Word *word;
    if (lexeme == line->head && (word = word_find(word_instructions, text, length)))
        return word_describe_instruction(word);
    if (lexeme == line->head && text[0] == '.' &&
        (word = word_find(word_directives, text + 1, length - 1)))
        return word_describe_directive(word);
    if ((colon_follows(line, lexeme) || names_tag(line, lexeme)) &&
        (word = word_find(word_tags, text, length)))
        return word_describe(word, "tag");
    if ((word = word_register(text, length)))
        return word_describe(word, "register");
    if ((word = word_find(word_constants, text, length)))
        return word_describe(word, "constant");
    if ((word = word_find(word_tags, text, length)))
        return word_describe(word, "tag");
    return NULL;
}

char *lexeme_describe(const Line *line, int lexeme) {
    if (line->lexemes[lexeme].kind == ASM_LEXEME_NUMBER)
        return describe_number(line->lexemes[lexeme].value);
    return line->lexemes[lexeme].kind == ASM_LEXEME_NAME ? describe_word(line, lexeme)
                                                         : NULL;
}
