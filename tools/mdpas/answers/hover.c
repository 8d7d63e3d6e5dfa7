/* What an editor shows of the thing under the pointer: words of the language by their
 * tables, names by their definitions and comments, numbers as words. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"
#include "tools/host/values.h"
#include "tools/mdpas/answers/describe.h"
#include "tools/mdpas/answers/words.h"

/* A number as it is, in hexadecimal, and as a word where it fits one. */
static char *describe_number(int64_t number) {
    char word[16] = "";
    if (number >= INT32_MIN && number <= UINT32_MAX)
        jm_word_print(jm_word(JM_TAG_INT, (uint32_t)number), word, sizeof word);
    return memory_text("%" PRId64 " = 0x%" PRIX64 "%s%s", number, (uint64_t)number,
                       word[0] ? " = " : "", word);
}

static bool colon_follows(const At *at) {
    return line_is(&at->line, at->lexeme + 1, ":");
}

/* Whether the operand is the one of WTAG and CHECK that names a tag. */
static bool names_tag(const At *at) {
    const Line *line = &at->line;
    const bool takes =
        line_is(line, line->head, "wtag") || line_is(line, line->head, "check");
    return takes && at->lexeme == line->head + 3;
}

/* A word of the language; NULL if it is none. IP is a register and a tag. */
static char *describe_word(const At *at, const AsmLexeme *lexeme) {
    const char *text = at->line.text + lexeme->offset;
    const size_t length = (size_t)lexeme->length;
    const Word *word;
    if (at->lexeme == at->line.head &&
        (word = word_find(word_instructions, text, length)))
        return word_describe_instruction(word);
    if (at->lexeme == at->line.head && text[0] == '.' &&
        (word = word_find(word_directives, text + 1, length - 1)))
        return word_describe_directive(word);
    if ((colon_follows(at) || names_tag(at)) &&
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

static char *describe(Server *server, const At *at, const Target *target) {
    const AsmLexeme *lexeme = &at->line.lexemes[at->lexeme];
    if (target->kind)
        return describe_target(&server->work, at, target);
    if (lexeme->kind == ASM_LEXEME_NUMBER)
        return describe_number(lexeme->value);
    return lexeme->kind == ASM_LEXEME_NAME ? describe_word(at, lexeme) : NULL;
}

json_t *answer_hover(Server *server, const json_t *params) {
    At at;
    json_t *hover = NULL;
    if (at_find(server, params, &at) && at.lexeme >= 0) {
        const Target target = target_at(&at);
        char *text = describe(server, &at, &target);
        if (text)
            hover = json_pack("{s:o,s:o}", "contents", markdown(text), "range",
                              lexeme_range(server, &at, at.lexeme));
    }
    at_free(&at);
    return hover;
}
