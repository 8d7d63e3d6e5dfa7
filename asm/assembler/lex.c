/* Splits a line into tokens. A malformed one becomes a BAD token, which the parser
 * reports if it gets there.
 *
 *     name      [A-Za-z_] or '.' and a name part, then [A-Za-z0-9_.$@]*
 *     register  a name that is a register, with 'p 'b 'bp 'pb behind it
 *     number    10  0x1F  0b101  0o17  'c'  with '_' between digits
 *     numeric   0f .. 99f, 0b .. 99b: the next and the last label of that number
 *     string    "..." with escapes
 *     operator  one or two characters
 *
 * Tokens point into the line and are valid as long as it is. Only registers are looked
 * up here, because of the suffix that may follow them. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "asm/assembler/assemble.h"

typedef struct {
    const char *at, *end;
    bool written; /* the line is as the source has it, without made-up names */
    AsToken token;
} Lexer;

bool as_is_name_start(char c) {
    return isalpha((unsigned char)c) || c == '_';
}

/* '@' occurs only in names that .local made; they are never in the object. */
bool as_is_name_part(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' || c == '@';
}

/* Returns 0 after the end. A zero byte in the source is an unknown character. */
static char peek(const Lexer *lexer, int ahead) {
    return lexer->end - lexer->at > ahead ? lexer->at[ahead] : '\0';
}

/* The token keeps its place and text: the parser reports it when it gets there. */
static void bad(Lexer *lexer, const char *message) {
    lexer->token.kind = AS_TOKEN_BAD;
    lexer->token.message = message;
}

/* fip'p, r1'bp: the suffix for another priority or context, only after registers.
 * Elsewhere an apostrophe starts a character constant. */
static void lex_suffix(Lexer *lexer, const char *start) {
    lexer->token.suffix = -1;
    if (peek(lexer, 0) != '\'' ||
        jm_reg_by_name(start, (size_t)(lexer->at - start)) < 0)
        return;
    int bits = 0;
    int length = 1;
    for (;; length++) {
        const int c = tolower((unsigned char)peek(lexer, length));
        const int bit = c == 'p'   ? JM_REG_OTHER_PRIORITY
                        : c == 'b' ? JM_REG_OTHER_CONTEXT
                                   : 0;
        if (bit == 0 || (bits & bit))
            break;
        bits |= bit;
    }
    if (bits == 0 || as_is_name_part(peek(lexer, length))) {
        bad(lexer, "after a register: 'p for the other priority, 'b for the other "
                   "context, 'bp for both");
        return;
    }
    lexer->at += length;
    lexer->token.suffix = bits;
}

static void lex_name(Lexer *lexer) {
    const char *start = lexer->at;
    lexer->at++;
    while (lexer->at < lexer->end && as_is_name_part(*lexer->at) &&
           !(lexer->written && *lexer->at == '@'))
        lexer->at++;
    lexer->token.kind = AS_TOKEN_NAME;
    lex_suffix(lexer, start);
}

/* Returns 99, not a digit in any base, for other characters. */
static int digit_value(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    const int letter = tolower((unsigned char)c);
    return letter >= 'a' && letter <= 'z' ? letter - 'a' + 10 : 99;
}

/* 1f and 1b: the next and the last definition of label 1. At most two digits, not
 * followed by a name character: 0b1 is a binary number, 1bis an error. */
static bool lex_numeric(Lexer *lexer) {
    int digits = 0;
    int64_t value = 0;
    while (isdigit((unsigned char)peek(lexer, digits)) && digits < 3)
        value = value * 10 + (peek(lexer, digits++) - '0');
    const int way = tolower((unsigned char)peek(lexer, digits));
    if (digits == 0 || digits > 2 || (way != 'f' && way != 'b') ||
        as_is_name_part(peek(lexer, digits + 1)))
        return false;
    lexer->at += digits + 1;
    lexer->token.kind = AS_TOKEN_NUMERIC;
    lexer->token.value = value;
    lexer->token.op = way;
    return true;
}

/* Reads a decimal, 0x, 0b or 0o number; a leading zero alone has no meaning. The token
 * takes all letters and digits that follow, so that a wrong digit is one error, not
 * two. */
static void lex_number(Lexer *lexer) {
    if (lex_numeric(lexer))
        return;
    int base = 10;
    if (peek(lexer, 0) == '0') {
        const int mark = tolower((unsigned char)peek(lexer, 1));
        base = mark == 'x' ? 16 : mark == 'b' ? 2 : mark == 'o' ? 8 : 10;
    }
    lexer->at += base == 10 ? 0 : 2;
    lexer->token.kind = AS_TOKEN_NUMBER;
    int64_t value = 0;
    int digits = 0;
    for (; lexer->at < lexer->end && as_is_name_part(*lexer->at); lexer->at++) {
        const int digit = digit_value(*lexer->at);
        if (*lexer->at == '_' && digits > 0)
            continue;
        if (digit >= base)
            bad(lexer, "wrong digit in a number");
        else if (__builtin_mul_overflow(value, base, &value) ||
                 __builtin_add_overflow(value, digit, &value))
            bad(lexer, "number does not fit 64 bits");
        digits++;
    }
    if (digits == 0)
        bad(lexer, "number without digits");
    lexer->token.value = value;
}

/* The strings are parallel: escape names[i] stands for values[i]. */
int as_character(const char **at, const char *end) {
    const char *c = *at;
    if (c >= end)
        return -1;
    *at = c + 1;
    if (*c != '\\')
        return (unsigned char)*c;
    if (c + 1 >= end)
        return -1;
    *at = c + 2;
    static const char names[] = "ntr0\\'\"ae";
    static const char values[] = "\n\t\r\0\\'\"\a\x1B";
    const char *found = c[1] ? strchr(names, c[1]) : NULL;
    if (found)
        return values[found - names];
    if (c[1] != 'x' || end - c < 4 || digit_value(c[2]) > 15 || digit_value(c[3]) > 15)
        return -1;
    *at = c + 4;
    return digit_value(c[2]) * 16 + digit_value(c[3]);
}

/* After an error only the quote is stepped over: what follows may be right. */
static void lex_quoted_character(Lexer *lexer) {
    const char *at = lexer->at + 1;
    lexer->token.kind = AS_TOKEN_NUMBER;
    lexer->token.value = as_character(&at, lexer->end);
    if (lexer->token.value < 0 || at >= lexer->end || *at != '\'') {
        lexer->at++;
        bad(lexer, "wrong character constant, write 'c'");
        return;
    }
    lexer->at = at + 1;
}

/* The token holds the quotes; escapes are taken when the bytes are used. A quote
 * behind a backslash does not end it. */
static void lex_string(Lexer *lexer) {
    lexer->token.kind = AS_TOKEN_STRING;
    lexer->at++;
    for (; lexer->at < lexer->end && *lexer->at != '"'; lexer->at++)
        if (*lexer->at == '\\' && lexer->at + 1 < lexer->end)
            lexer->at++;
    if (lexer->at < lexer->end)
        lexer->at++;
    else
        bad(lexer, "unterminated string");
}

/* Tries operators of two characters first. '#' and '\' get their own messages, because
 * users of other assemblers write them. */
static void lex_punct(Lexer *lexer) {
    static const struct {
        char text[3];
        int op;
    } pairs[] = {{"<<", AS_OP_SHL}, {">>", AS_OP_SHR}, {"==", AS_OP_EQ},
                 {"!=", AS_OP_NE},  {"<=", AS_OP_LE},  {">=", AS_OP_GE},
                 {"&&", AS_OP_AND}, {"||", AS_OP_OR}};
    lexer->token.kind = AS_TOKEN_PUNCT;
    const char next = peek(lexer, 1);
    for (size_t i = 0; strchr("<>=&|", next) && i < sizeof pairs / sizeof *pairs; i++)
        if (*lexer->at == pairs[i].text[0] && next == pairs[i].text[1]) {
            lexer->token.op = pairs[i].op;
            lexer->at += 2;
            return;
        }
    const char c = *lexer->at++;
    lexer->token.op = (unsigned char)c;
    if (c == '#')
        bad(lexer, "unexpected '#': immediates are written without a mark, comments "
                   "start with ';'");
    else if (c == '\\')
        bad(lexer,
            "'\\' is followed by the name of a macro's parameter, and this is none");
    else if (c == '\0' || !strchr("+-*/%&|^~!<>=?:()[],.$", c))
        bad(lexer, "unexpected character");
}

/* A dot alone is the location counter, in front of a letter it begins a name. */
static void lex_token(Lexer *lexer) {
    const char c = *lexer->at;
    if (as_is_name_start(c) ||
        (c == '.' && (as_is_name_start(peek(lexer, 1)) || peek(lexer, 1) == '.')))
        lex_name(lexer);
    else if (isdigit((unsigned char)c))
        lex_number(lexer);
    else if (c == '"')
        lex_string(lexer);
    else if (c == '\'')
        lex_quoted_character(lexer);
    else
        lex_punct(lexer);
}

/* An offset past the last byte has the column after that byte. */
int as_column(const AsLine *line, int offset) {
    if (!line->map)
        return offset + 1;
    if (offset < line->length)
        return line->map[offset];
    return line->length > 0 ? line->map[line->length - 1] + 1 : 1;
}

/* A line has at most a token for each byte, and the END. */
static void make_room(Assembler *as, const AsLine *line) {
    if (line->length < as->token_room)
        return;
    as->token_room = line->length + 1;
    as->tokens =
        heap_resize(as->heap, as->tokens, (size_t)as->token_room * sizeof *as->tokens);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* Always ends with an END token, at the comment or the end of the line. */
void as_lex(Assembler *as, const AsLine *line) {
    Lexer lexer = {
        .at = line->text, .end = line->text + line->length, .written = !line->map};
    make_room(as, line);
    as->token_count = 0;
    while (lexer.at < lexer.end && *lexer.at != ';') {
        if (is_blank(*lexer.at)) {
            lexer.at++;
            continue;
        }
        const char *start = lexer.at;
        lexer.token = (AsToken){.text = start, .suffix = -1};
        lexer.token.column = as_column(line, (int)(start - line->text));
        lex_token(&lexer);
        lexer.token.length = (int)(lexer.at - start);
        as->tokens[as->token_count++] = lexer.token;
    }
    const int offset = (int)(lexer.at - line->text);
    as->tokens[as->token_count++] = (AsToken){.kind = AS_TOKEN_END,
                                              .text = lexer.at,
                                              .column = as_column(line, offset),
                                              .suffix = -1};
    as->at = as->tokens;
}

/* ---- tokens of the line ---------------------------------------------------------- */

/* Looking at the tokens of the line that is being assembled, and at lines that are not
 * made into tokens. Everything that parses goes through these: as->at is the next
 * token, and the final END token is never stepped over. */

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

/* Only names match, not a string or number with that text. */
bool as_word_is(const AsToken *token, const char *text) {
    return token->kind == AS_TOKEN_NAME && as_text_is(as_token_text(token), text);
}

/* A BAD token has its own message; otherwise the message says what was expected and
 * what was found. Long tokens are cut, because the line is shown anyway. */
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
