/* Every word of a document with its kind: colours by what names mean. */
#include "tools/mdpas/answers/answers.h"

#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"
#include "tools/host/values.h"
#include "tools/mdpas/answers/lexemes.h"
#include "tools/mdpas/lsp/server.h"

enum { DEFINITION = 1 }; /* the one modifier */

json_t *token_legend(void) {
    json_t *kinds = json_array();
#define TOKEN(kind, name) json_array_append_new(kinds, jvalue_text(name));
    TOKEN_KINDS
#undef TOKEN
    return json_pack("{s:o,s:[o]}", "tokenTypes", kinds, "tokenModifiers",
                     jvalue_text("definition"));
}

/* ---- what a name is -------------------------------------------------------------- */

typedef struct {
    const At *at; /* its document and unit */
    int *first;   /* by row: the first use of a name there, -1: none */
    int *next;    /* by use: the next one in its row */
    json_t *data;
    int line; /* of the last token */
    int character;
} Tokens;

static void sort_uses(Tokens *tokens) {
    const AsmIndex *index = tokens->at->unit->result.index;
    const int rows = tokens->at->document->text.row_count;
    tokens->first = memory_array((size_t)rows, sizeof *tokens->first);
    tokens->next = memory_array((size_t)index->use_count, sizeof *tokens->next);
    memset(tokens->first, -1, (size_t)rows * sizeof *tokens->first);
    for (int i = index->use_count - 1; i >= 0; i--) {
        const AsmSpot *at = &index->uses[i].at;
        if (at->file != tokens->at->file || at->line > rows)
            continue;
        tokens->next[i] = tokens->first[at->line - 1];
        tokens->first[at->line - 1] = i;
    }
}

/* The use of a name that a lexeme is; NULL: none. */
static const AsmIndexUse *use_of(const Tokens *tokens, int row,
                                 const AsmLexeme *lexeme) {
    const AsmIndex *index = tokens->at->unit->result.index;
    for (int i = tokens->first[row]; i >= 0; i = tokens->next[i])
        if (index->uses[i].at.column - 1 == lexeme->offset &&
            index->uses[i].at.length > 0)
            return &index->uses[i];
    return NULL;
}

static TokenKind kind_of_use(const Tokens *tokens, const AsmIndexUse *use) {
    const AsmIndex *index = tokens->at->unit->result.index;
    if (use->kind == ASM_USE_MACRO)
        return KIND_MACRO;
    if (use->kind == ASM_USE_FILE)
        return KIND_STRING;
    const AsmSymbolKind kind = index->symbols[use->index].kind;
    return kind == ASM_SYMBOL_EQU || kind == ASM_SYMBOL_SET ? KIND_CONSTANT
                                                            : KIND_LABEL;
}

static TokenKind kind_of(const Tokens *tokens, const Line *line, int row, int lexeme,
                         bool *defines) {
    const AsmIndexUse *use = use_of(tokens, row, &line->lexemes[lexeme]);
    *defines = use && use->role == ASM_ROLE_DEFINITION;
    if (use)
        return kind_of_use(tokens, use);
    return lexeme_kind(line, lexeme);
}

/* ---- the data -------------------------------------------------------------------- */

static int integer(const json_t *position, const char *key) {
    return (int)json_integer_value(json_object_get(position, key));
}

/* Adds five numbers: lines and characters since the last token, length, kind and
 * modifiers. A token that a line end of the protocol would break is left out. */
static void add_token(Tokens *tokens, size_t from, size_t to, TokenKind kind,
                      bool defines) {
    json_t *range = text_range(&tokens->at->document->text, from, to);
    const json_t *start = json_object_get(range, "start");
    const int line = integer(start, "line"), character = integer(start, "character");
    const int end = integer(json_object_get(range, "end"), "line");
    const int length = integer(json_object_get(range, "end"), "character") - character;
    json_decref(range);
    if (end != line || length <= 0)
        return;
    const int numbers[] = {line - tokens->line,
                           line == tokens->line ? character - tokens->character
                                                : character,
                           length, (int)kind, defines ? DEFINITION : 0};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        json_array_append_new(tokens->data, json_integer(numbers[i]));
    tokens->line = line;
    tokens->character = character;
}

static void add_row(Tokens *tokens, int row) {
    Line line = line_read(&tokens->at->document->text, row);
    for (int i = 0; i < line.count; i++) {
        bool defines;
        const TokenKind kind = kind_of(tokens, &line, row, i, &defines);
        int length = line.lexemes[i].length;
        if (kind == KIND_PARAMETER)
            line_is_parameter(&line, i, &length);
        const size_t from = line.start + (size_t)line.lexemes[i].offset;
        if (kind != KIND_NONE)
            add_token(tokens, from, from + (size_t)length, kind, defines);
    }
    line_free(&line);
}

static json_t *tokens_of(Server *server, const json_t *params, const json_t *range) {
    At at;
    json_t *data = json_array();
    if (!find_document(server, params, &at))
        return data;
    Tokens tokens = {.at = &at, .data = data};
    const Rows rows = text_rows(&at.document->text, range);
    sort_uses(&tokens);
    for (int row = rows.first; row <= rows.last; row++)
        add_row(&tokens, row);
    free(tokens.first);
    free(tokens.next);
    return json_pack("{s:o}", "data", data);
}

json_t *answer_semanticTokens(Server *server, const json_t *params) {
    return tokens_of(server, params, NULL);
}

json_t *answer_semanticTokensRange(Server *server, const json_t *params) {
    return tokens_of(server, params, json_object_get(params, "range"));
}
