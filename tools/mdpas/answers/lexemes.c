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

static bool colon_follows(const Line *line, int lexeme) {
    return line_is(line, lexeme + 1, ":");
}

/* Whether the operand is the one of WTAG and CHECK that names a tag. */
static bool names_tag(const Line *line, int lexeme) {
    const bool takes =
        line_is(line, line->head, "wtag") || line_is(line, line->head, "check");
    return takes && lexeme == line->head + 3;
}

/* A word of the language where it stands; KIND_NONE: it is none. */
typedef struct {
    TokenKind kind;
    const Word *word;
} Known;

/* Finds a name among the words of the language. IP is a register and a tag. */
static Known find_word(const Line *line, int lexeme) {
    const char *text = line->text + line->lexemes[lexeme].offset;
    const size_t length = (size_t)line->lexemes[lexeme].length;
    const bool leads = lexeme == line->head;
    const Word *word;
    if (leads && text[0] == '.' &&
        (word = word_find(word_directives, text + 1, length - 1)))
        return (Known){KIND_DIRECTIVE, word};
    if (leads && !line->assigns && (word = word_find(word_instructions, text, length)))
        return (Known){KIND_INSTRUCTION, word};
    const Word *tag = word_find(word_tags, text, length);
    if (tag && (colon_follows(line, lexeme) || names_tag(line, lexeme)))
        return (Known){KIND_TAG, tag};
    if ((word = word_register(text, length)))
        return (Known){KIND_REGISTER, word};
    if ((word = word_find(word_constants, text, length)))
        return (Known){KIND_CONSTANT, word};
    return (Known){tag ? KIND_TAG : KIND_NONE, tag};
}

/* Returns the kind of a name that no use explains: a word of the language, or in lines
 * that are not assembled. */
static TokenKind kind_of_name(const Line *line, int lexeme) {
    int ignored;
    if (line_is_parameter(line, lexeme, &ignored) || is_declared(line, lexeme))
        return KIND_PARAMETER;
    return lexeme < line->head ? KIND_LABEL : find_word(line, lexeme).kind;
}

TokenKind lexeme_kind(const Line *line, int lexeme) {
    switch (line->lexemes[lexeme].kind) {
    case ASM_LEXEME_NAME:
        return kind_of_name(line, lexeme);
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

/* A word of the language; NULL if it is none. */
static char *describe_word(const Line *line, int lexeme) {
    static const char *const names[] = {
        [KIND_TAG] = "tag", [KIND_REGISTER] = "register", [KIND_CONSTANT] = "constant"};
    const Known known = find_word(line, lexeme);
    if (known.kind == KIND_INSTRUCTION)
        return word_describe_instruction(known.word);
    if (known.kind == KIND_DIRECTIVE)
        return word_describe_directive(known.word);
    return known.word ? word_describe(known.word, names[known.kind]) : NULL;
}

char *lexeme_describe(const Line *line, int lexeme) {
    if (line->lexemes[lexeme].kind == ASM_LEXEME_NUMBER)
        return describe_number(line->lexemes[lexeme].value);
    return line->lexemes[lexeme].kind == ASM_LEXEME_NAME ? describe_word(line, lexeme)
                                                         : NULL;
}
