/* Answers the page's editor about its source, as the language server answers other
 * editors. */
#include <string.h>

#include "tools/host/memory.h"
#include "tools/mdpas/answers/lexemes.h"
#include "tools/web/web.h"

static void colour_line(const Line *line, char *letters) {
    for (int i = 0; i < line->count; i++) {
        const TokenKind kind = lexeme_kind(line, i);
        if (kind != KIND_NONE)
            memset(letters + line->lexemes[i].offset, 'a' + (int)kind,
                   (size_t)line->lexemes[i].length);
    }
}

char *web_colours(const char *text) {
    Text source = text_new(TEXT_UTF8, text, strlen(text));
    char *letters = memory_array(source.length + 1, 1);
    memset(letters, ' ', source.length);
    for (int row = 0; row < source.row_count; row++) {
        Line line = line_read(&source, row);
        colour_line(&line, letters + line.start);
        line_free(&line);
    }
    text_drop(&source);
    return letters;
}

char *web_describe(const char *text, size_t at) {
    Text source = text_new(TEXT_UTF8, text, strlen(text));
    Line line = line_read(&source, 0);
    const int lexeme = line_lexeme(&line, (int)at);
    char *description = lexeme >= 0 ? lexeme_describe(&line, lexeme) : NULL;
    line_free(&line);
    text_drop(&source);
    return description;
}
