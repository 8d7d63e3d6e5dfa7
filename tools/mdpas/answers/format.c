/* Lines put into columns:
 *
 *     0       8       16                      40
 *     label:  add     r0,1,r0                 ; comment
 *
 * Only blanks between these parts change. What is inside a part stays as it is, so that
 * the object stays the same, too. A comment that stands alone keeps its column if that
 * is the first or the one for comments, else it goes with the instructions. A line that
 * cannot be read whole stays as it is, but for blanks at its end. */
#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"
#include "tools/host/values.h"
#include "tools/mdpas/lsp/server.h"

enum { STATEMENT = 8, OPERANDS = 16, COMMENT = 40, COMMENT_FROM = 32, LONGEST = 8000 };

/* A line that is being written. */
typedef struct {
    char *text; /* room for the line with all blanks that can be added */
    size_t length;
} Formatted;

/* The column of what comes next: characters, not bytes. */
static size_t column(const Formatted *formatted) {
    size_t count = 0;
    for (size_t i = 0; i < formatted->length; i++)
        count += ((unsigned char)formatted->text[i] & 0xC0) != 0x80;
    return count;
}

/* Appends a part at a column, or after a blank if the line already reaches it. */
static void put(Formatted *formatted, size_t at, const Line *line, int from, int to) {
    const bool first = formatted->length == 0;
    do {
        if (!first || at > 0)
            formatted->text[formatted->length++] = ' ';
    } while (column(formatted) < at);
    memcpy(formatted->text + formatted->length, line->text + from, (size_t)(to - from));
    formatted->length += (size_t)(to - from);
}

static int end_of(const Line *line, int lexeme) {
    return line->lexemes[lexeme].offset + line->lexemes[lexeme].length;
}

/* The columns that a text takes up to an offset, tabs and all. */
static size_t column_in(const Line *line, int offset) {
    size_t at = 0;
    for (int i = 0; i < offset; i++)
        at = line->text[i] == '\t'
                 ? (at / 8 + 1) * 8
                 : at + (((unsigned char)line->text[i] & 0xC0) != 0x80);
    return at;
}

/* Labels, statement and operands. `name = value` is one part, in the first column if no
 * label is there. */
static void put_code(Formatted *formatted, const Line *line) {
    const int last = line->code - 1, head = line->head;
    const int end = line->assigns ? last : head;
    if (head > 0)
        put(formatted, 0, line, line->lexemes[0].offset, end_of(line, head - 1));
    if (head <= last)
        put(formatted, line->assigns && head == 0 ? 0 : STATEMENT, line,
            line->lexemes[head].offset, end_of(line, end));
    if (last > end)
        put(formatted, OPERANDS, line, line->lexemes[end + 1].offset,
            end_of(line, last));
}

static void put_comment(Formatted *formatted, const Line *line) {
    const AsmLexeme *comment = &line->lexemes[line->code];
    const size_t from = column_in(line, comment->offset);
    size_t at = COMMENT;
    if (line->code == 0)
        at = from == 0 ? 0 : from < COMMENT_FROM ? STATEMENT : COMMENT;
    put(formatted, at, line, comment->offset, end_of(line, line->code));
}

/* Whether a lexeme that is none hides what the line is: a quote that opens nothing, or
 * the backslash of a parameter in a label or the name of the statement. */
static bool hides(const Line *line, int lexeme) {
    const AsmLexeme *bad = &line->lexemes[lexeme];
    return lexeme <= line->head || line->text[bad->offset] != '\\' ||
           bad->offset == end_of(line, line->head);
}

static bool is_readable(const Line *line) {
    if (line->length > LONGEST || memchr(line->text, '\0', (size_t)line->length) ||
        memchr(line->text, '\r', (size_t)line->length))
        return false;
    for (int i = 0; i < line->code; i++)
        if (line->lexemes[i].kind == ASM_LEXEME_BAD && hides(line, i))
            return false;
    return true;
}

/* The line as it should be, malloc'ed. */
static char *format(const Line *line) {
    Formatted formatted = {
        .text = memory_array((size_t)line->length + COMMENT + OPERANDS + 8, 1)};
    if (!is_readable(line)) {
        formatted.length = (size_t)line->length;
        memcpy(formatted.text, line->text, formatted.length);
    } else {
        if (line->code > 0)
            put_code(&formatted, line);
        if (line->code < line->count)
            put_comment(&formatted, line);
    }
    while (formatted.length > 0 && strchr(" \t", formatted.text[formatted.length - 1]))
        formatted.length--;
    formatted.text[formatted.length] = '\0';
    return formatted.text;
}

static void format_row(const Text *text, int row, json_t *edits) {
    Line line = line_read(text, row);
    char *wanted = format(&line);
    const size_t length = strlen(wanted);
    if (!memchr(line.text, '\0', (size_t)line.length) &&
        (length != (size_t)line.length || memcmp(wanted, line.text, length) != 0))
        json_array_append_new(
            edits,
            text_edit(text, line.start, line.start + (size_t)line.length, wanted));
    free(wanted);
    line_free(&line);
}

static json_t *format_rows(Server *server, const json_t *params, const json_t *range) {
    At at;
    json_t *edits = json_array();
    if (!find_document(server, params, &at))
        return edits;
    const Rows rows = text_rows(&at.document->text, range);
    for (int row = rows.first; row <= rows.last; row++)
        format_row(&at.document->text, row, edits);
    return edits;
}

json_t *answer_formatting(Server *server, const json_t *params) {
    return format_rows(server, params, NULL);
}

json_t *answer_rangeFormatting(Server *server, const json_t *params) {
    return format_rows(server, params, json_object_get(params, "range"));
}
