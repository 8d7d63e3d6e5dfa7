/* Texts and places in them; see text.h. */
#include "tools/mdpas/lsp/text.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "emu/core/sourcetext.h"
#include "tools/host/memory.h"

/* ---- lines ----------------------------------------------------------------------- */

/* Whether a line ends behind this byte. */
static bool ends_line(const Text *text, size_t at, bool rows) {
    const char c = text->bytes[at];
    return c == '\n' || (!rows && c == '\r' && text->bytes[at + 1] != '\n');
}

/* The starts of the lines that begin behind `from`, up to `to`; `*count` of them. */
static size_t *find_lines(const Text *text, size_t from, size_t to, bool rows,
                          int *count) {
    *count = 0;
    for (size_t i = from; i < to; i++)
        *count += ends_line(text, i, rows);
    size_t *starts = memory_array((size_t)*count, sizeof *starts);
    int line = 0;
    for (size_t i = from; i < to; i++)
        if (ends_line(text, i, rows))
            starts[line++] = i + 1;
    return starts;
}

/* Puts the lines that begin behind `from`, up to `to`, in the place of those numbered
 * `first` to before `end`; later ones have moved by `moved` bytes. */
static void replace_lines(Text *text, int first, int end, size_t from, size_t to,
                          size_t moved) {
    int count;
    size_t *found = find_lines(text, from, to, false, &count);
    const int rest = text->line_count - end;
    size_t *lines =
        memory_array((size_t)(first + count + rest) + 1, sizeof *text->lines);
    memcpy(lines, text->lines, (size_t)first * sizeof *lines);
    memcpy(lines + first, found, (size_t)count * sizeof *lines);
    for (int i = 0; i < rest; i++)
        lines[first + count + i] = text->lines[end + i] + moved;
    free(found);
    free(text->lines);
    text->lines = lines;
    text->line_count = first + count + rest;
    lines[text->line_count] = text->length;
}

void text_finish(Text *text) {
    int count;
    size_t *found = find_lines(text, 0, text->length, true, &count);
    free(text->rows);
    text->rows = memory_array((size_t)count + 2, sizeof *text->rows);
    memcpy(text->rows + 1, found, (size_t)count * sizeof *found);
    text->row_count = count + 1;
    text->rows[text->row_count] = text->length;
    free(found);
}

Text text_new(TextUnits units, const char *bytes, size_t length) {
    Text text = {.units = units,
                 .bytes = memory_array(1, 1),
                 .lines = memory_array(2, sizeof *text.lines),
                 .line_count = 1};
    text_replace(&text, 0, 0, bytes, length);
    text_finish(&text);
    return text;
}

void text_drop(Text *text) {
    free(text->bytes);
    free(text->lines);
    free(text->rows);
    *text = (Text){0};
}

/* A line end may be put together or taken apart at both ends of what is replaced: the
 * lines around it are found again too. */
void text_replace(Text *text, size_t from, size_t to, const char *bytes,
                  size_t length) {
    const int before = text_line(text, from);
    const int first = before > 0 ? before : 1;
    const int behind = text_line(text, to) + 1;
    const int end = behind < text->line_count ? behind : text->line_count;
    const size_t moved = length - (to - from);
    const size_t stop = text->lines[end] + moved;
    const size_t rest = text->length - to;
    if (length > to - from)
        text->bytes = memory_checked(realloc(text->bytes, text->length + moved + 1));
    memmove(text->bytes + from + length, text->bytes + to, rest + 1);
    memcpy(text->bytes + from, bytes, length);
    text->length += moved;
    replace_lines(text, first, end, text->lines[first - 1],
                  end < text->line_count ? stop - 1 : text->length, moved);
}

/* The last of `count` starts that is not behind `offset`. */
static int find(const size_t *starts, int count, size_t offset) {
    int low = 0;
    int high = count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        *(starts[middle] <= offset ? &low : &high) = middle;
    }
    return low;
}

int text_line(const Text *text, size_t offset) {
    return find(text->lines, text->line_count, offset);
}

int text_row(const Text *text, size_t offset) {
    return find(text->rows, text->row_count, offset);
}

/* The assembler does not count a byte order mark. */
size_t text_at(const Text *text, int line, int column) {
    if (line < 1 || line > text->row_count)
        return line < 1 ? 0 : text->length;
    const size_t mark = line == 1 ? jm_text_mark(text->bytes, text->length) : 0;
    const size_t at = text->rows[line - 1] + mark + (size_t)(column - 1);
    const size_t end = text->rows[line];
    return at < end ? at : end;
}

bool text_is(const char *text, int length, const char *name) {
    return strlen(name) == (size_t)length && memcmp(text, name, (size_t)length) == 0;
}

/* ---- a line that is read --------------------------------------------------------- */

static bool is_punct(const Line *line, int lexeme, char c) {
    return lexeme < line->count && line->lexemes[lexeme].kind == ASM_LEXEME_PUNCT &&
           line->lexemes[lexeme].length == 1 &&
           line->text[line->lexemes[lexeme].offset] == c;
}

static bool is_label(const Line *line, int lexeme) {
    const AsmLexemeKind kind = line->lexemes[lexeme].kind;
    return (kind == ASM_LEXEME_NAME || kind == ASM_LEXEME_NUMBER) &&
           is_punct(line, lexeme + 1, ':');
}

Line line_read(const Text *text, int row) {
    const size_t mark = row == 0 ? jm_text_mark(text->bytes, text->length) : 0;
    Line line = {.start = text->rows[row] + mark};
    size_t end = text->rows[row + 1];
    if (end > line.start && text->bytes[end - 1] == '\n')
        end--;
    if (end > line.start && text->bytes[end - 1] == '\r')
        end--;
    line.text = text->bytes + line.start;
    line.length = (int)(end - line.start);
    line.lexemes = memory_array((size_t)line.length + 1, sizeof *line.lexemes);
    line.count = asm_lex_line(line.text, line.length, line.lexemes);
    line.code = line.count;
    if (line.count > 0 && line.lexemes[line.count - 1].kind == ASM_LEXEME_COMMENT)
        line.code--;
    while (line.head < line.code && is_label(&line, line.head))
        line.head += 2;
    line.assigns = is_punct(&line, line.head + 1, '=');
    return line;
}

void line_free(Line *line) {
    free(line->lexemes);
}

int line_lexeme(const Line *line, int offset) {
    int found = -1;
    for (int i = 0; i < line->count; i++) {
        const AsmLexeme *lexeme = &line->lexemes[i];
        if (offset >= lexeme->offset && offset <= lexeme->offset + lexeme->length &&
            (found < 0 || lexeme->kind != ASM_LEXEME_PUNCT))
            found = i;
    }
    return found;
}

bool line_is(const Line *line, int lexeme, const char *text) {
    return lexeme < line->count && line->lexemes[lexeme].length == (int)strlen(text) &&
           strncasecmp(line->text + line->lexemes[lexeme].offset, text, strlen(text)) ==
               0;
}

bool line_is_parameter(const Line *line, int lexeme, int *length) {
    const AsmLexeme *at = &line->lexemes[lexeme];
    if (at->kind != ASM_LEXEME_NAME || at->offset == 0 ||
        line->text[at->offset - 1] != '\\')
        return false;
    const char *name = line->text + at->offset;
    *length = 0;
    while (*length < at->length &&
           (isalnum((unsigned char)name[*length]) || name[*length] == '_'))
        ++*length;
    return true;
}
