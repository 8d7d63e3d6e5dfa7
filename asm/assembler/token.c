/* Looking at the tokens of the line that is being assembled, and at lines that are not
 * made into tokens. Everything that parses goes through these: as->at is the next
 * token, and the END token behind the last one is never stepped over. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "asm/assembler/assemble.h"

bool as_is(const AsToken *token, int op) {
    return token->kind == AS_TOKEN_PUNCT && token->op == op;
}

bool as_accept(Assembler *as, int op) {
    if (!as_is(as->at, op))
        return false;
    as->at++;
    return true;
}

bool as_at_end(const Assembler *as) {
    return as->at->kind == AS_TOKEN_END;
}

AsText as_token_text(const AsToken *token) {
    return (AsText){token->text, token->length};
}

/* A place is a statement and a column: file and line are the statement's. */
AsPlace as_here(const Assembler *as, const AsToken *token) {
    return (AsPlace){as->line.statement, token->column};
}

bool as_text_is(AsText text, const char *other) {
    return strlen(other) == (size_t)text.length &&
           strncasecmp(text.text, other, (size_t)text.length) == 0;
}

/* Only names: a string or number of that text is something else. */
bool as_word_is(const AsToken *token, const char *text) {
    return token->kind == AS_TOKEN_NAME && as_text_is(as_token_text(token), text);
}

/* A wrong token has its own message; else what was wanted and what is there. Long
 * tokens are cut: the line is shown anyway. */
void as_unexpected(Assembler *as, const char *wanted) {
    const AsToken *token = as->at;
    const AsPlace place = as_here(as, token);
    if (token->kind == AS_TOKEN_BAD &&
        strcmp(token->message, "unexpected character") == 0)
        as_error(as, place, "unexpected byte 0x%02X", (unsigned)token->op);
    else if (token->kind == AS_TOKEN_BAD)
        as_error(as, place, "%s", token->message);
    else if (token->kind == AS_TOKEN_END)
        as_error(as, place, "%s expected before the end of the line", wanted);
    else
        as_error(as, place, "%s expected, not '%.*s'", wanted,
                 token->length > 60 ? 60 : token->length, token->text);
}

/* `where` says what the missing character is for. */
bool as_expect(Assembler *as, int op, const char *where) {
    if (as_accept(as, op))
        return true;
    char wanted[80];
    snprintf(wanted, sizeof wanted, "'%c' %s", op, where);
    as_unexpected(as, wanted);
    return false;
}

/* Checks that the line ends here. After an error it says nothing, because the rest of
 * the line was not parsed. */
void as_expect_end(Assembler *as) {
    if (!as->failed && !as_at_end(as))
        as_unexpected(as, "end of the statement");
}

/* Skips blanks and labels in text that has not been split into tokens. It must accept
 * the labels that statement.c accepts. */
static const char *skip_labels(const char *at, const char *end) {
    for (;;) {
        while (at < end && isspace((unsigned char)*at))
            at++;
        const char *name = at;
        while (name < end && (as_is_name_part(*name)))
            name++;
        if (name == at || name == end || *name != ':')
            return at;
        at = name + 1;
    }
}

/* Works on text, not tokens, because lines of macros and of false branches need not be
 * valid. Returns the name without its dot; empty for an instruction or macro. */
AsText as_line_directive(const AsLine *line) {
    const char *end = line->text + line->length;
    const char *at = skip_labels(line->text, end);
    if (at == end || *at != '.')
        return (AsText){"", 0};
    int length = 0;
    while (at + 1 + length < end && as_is_name_part(at[1 + length]))
        length++;
    return (AsText){at + 1, length};
}
