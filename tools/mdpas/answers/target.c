/* Finds what a place in a document names, and the comments of definitions. */
#include "tools/mdpas/answers/answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"

/* The macro that a lexeme may be a parameter of: the one around, behind a backslash
 * or in its own line; the one that is called, in front of an equals sign. */
static const AsmIndexMacro *parameter_of(const At *at, const AsmLexeme *lexeme,
                                         int *length) {
    const AsmIndexMacro *macro = macro_around(at);
    *length = lexeme->length;
    if (macro && line_is_parameter(&at->line, at->lexeme, length))
        return macro;
    if (macro && at->row + 1 == macro->at.line)
        return macro;
    return line_is(&at->line, at->lexeme + 1, "=") ? head_macro(at) : NULL;
}

static Target parameter_at(const At *at, const AsmLexeme *lexeme) {
    int length;
    const AsmIndexMacro *macro = parameter_of(at, lexeme, &length);
    if (!macro)
        return (Target){0};
    for (int i = 0; i < macro->count; i++)
        if (text_is(at->line.text + lexeme->offset, length, macro->parameters[i].name))
            return (Target){TARGET_PARAMETER, i, macro, lexeme->offset, length};
    return (Target){0};
}

/* A name in lines that are not assembled, such as the body of a macro. */
static Target named(const At *at, const AsmLexeme *lexeme) {
    const AsmIndex *index = at->unit->result.index;
    const char *text = at->line.text + lexeme->offset;
    const int macro = macro_named(index, text, lexeme->length);
    if (macro >= 0 && at->lexeme == at->line.head)
        return (Target){TARGET_MACRO, macro, NULL, lexeme->offset, lexeme->length};
    for (int i = 0; i < index->symbol_count; i++)
        if (text_is(text, lexeme->length, index->symbols[i].name) &&
            index->symbols[i].at.file >= 0)
            return (Target){TARGET_SYMBOL, i, NULL, lexeme->offset, lexeme->length};
    return (Target){0};
}

Target target_at(const At *at) {
    static const TargetKind kinds[] = {[ASM_USE_SYMBOL] = TARGET_SYMBOL,
                                       [ASM_USE_MACRO] = TARGET_MACRO,
                                       [ASM_USE_FILE] = TARGET_FILE};
    if (at->lexeme < 0)
        return (Target){0};
    const AsmLexeme *lexeme = &at->line.lexemes[at->lexeme];
    const AsmIndexUse *use = use_at(at);
    if (use)
        return (Target){kinds[use->kind], use->index, NULL, use->at.column - 1,
                        use->at.length};
    if (lexeme->kind != ASM_LEXEME_NAME)
        return (Target){0};
    const Target parameter = parameter_at(at, lexeme);
    return parameter.kind ? parameter : named(at, lexeme);
}

AsmSpot symbol_definition(const AsmIndex *index, int symbol) {
    const AsmIndexSymbol *of = &index->symbols[symbol];
    return of->kind == ASM_SYMBOL_UNDEFINED ? (AsmSpot){.file = -1} : of->at;
}

/* ---- comments -------------------------------------------------------------------- */

/* Whether a row is nothing but a comment. */
static bool is_comment(const Text *text, int row) {
    Line line = line_read(text, row);
    const bool alone = line.code == 0 && line.count > 0;
    line_free(&line);
    return alone;
}

/* Writes the comment of a row, if it has one, without its semicolons. */
static void write_comment(FILE *out, const Text *text, int row) {
    Line line = line_read(text, row);
    if (line.code < line.count) {
        const AsmLexeme *comment = &line.lexemes[line.code];
        int from = comment->offset;
        while (from < line.length && strchr("; \t", line.text[from]))
            from++;
        fprintf(out, "%.*s\n", line.length - from, line.text + from);
    }
    line_free(&line);
}

static void write_above(FILE *out, const Text *text, int row) {
    int first = row;
    while (first > 0 && is_comment(text, first - 1))
        first--;
    for (; first < row; first++)
        write_comment(out, text, first);
}

char *comment_of(const Work *work, Unit *unit, AsmSpot spot, CommentPlace first) {
    char *comment = NULL;
    size_t size;
    FILE *out = memory_checked(open_memstream(&comment, &size));
    const Text *text = spot.file >= 0 ? unit_text(work, unit, spot.file) : NULL;
    if (text && spot.line > 0 && spot.line <= text->row_count)
        for (int i = 0; i < 2 && ftell(out) == 0; i++) {
            ((i == 0) == (first == COMMENT_ABOVE) ? write_above : write_comment)(
                out, text, spot.line - 1);
            fflush(out);
        }
    fclose(out);
    return memory_checked(comment);
}
