/* Finds the place that a request is about, and refuses requests. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/mdpas/lsp/server.h"

json_t *refuse(Server *server, Problem problem, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(server->why, sizeof server->why, format, arguments);
    va_end(arguments);
    server->problem = problem;
    return NULL;
}

bool find_document(Server *server, const json_t *params, At *at) {
    *at = (At){.file = -1, .lexeme = -1};
    at->document = document_find(&server->work, params);
    if (!at->document) {
        refuse(server, PROBLEM_INVALID_PARAMS, "the document is not open");
        return false;
    }
    at->unit = unit_of(&server->work, at->document);
    at->file = unit_file(at->unit, at->document->real);
    return true;
}

bool at_find(Server *server, const json_t *params, At *at) {
    const json_t *position = json_object_get(params, "position");
    if (!find_document(server, params, at))
        return false;
    if (!json_is_integer(json_object_get(position, "line")) ||
        !json_is_integer(json_object_get(position, "character"))) {
        refuse(server, PROBLEM_INVALID_PARAMS, "the request has no position");
        return false;
    }
    const Text *text = &at->document->text;
    const size_t offset = text_offset(text, position);
    at->row = text_row(text, offset);
    at->line = line_read(text, at->row);
    at->offset = offset > at->line.start ? (int)(offset - at->line.start) : 0;
    at->lexeme = line_lexeme(&at->line, at->offset);
    return true;
}

void at_free(At *at) {
    line_free(&at->line);
}

json_t *lexeme_range(const At *at, int lexeme) {
    const AsmLexeme *of = &at->line.lexemes[lexeme];
    const size_t from = at->line.start + (size_t)of->offset;
    return text_range(&at->document->text, from, from + (size_t)of->length);
}

/* A use that only ends at the place counts if none begins there. */
const AsmIndexUse *use_at(const At *at) {
    const AsmIndex *index = at->unit->result.index;
    const AsmIndexUse *found = NULL;
    for (int i = 0; i < index->use_count; i++) {
        const AsmIndexUse *use = &index->uses[i];
        const int from = use->at.column - 1;
        if (use->at.file != at->file || use->at.line != at->row + 1 ||
            at->offset < from || at->offset > from + use->at.length)
            continue;
        if (!found || at->offset < from + use->at.length)
            found = use;
        if (at->offset < from + use->at.length)
            break;
    }
    return found;
}

const AsmIndexMacro *macro_around(const At *at) {
    const AsmIndex *index = at->unit->result.index;
    const AsmIndexMacro *found = NULL;
    for (int i = 0; i < index->macro_count; i++) {
        const AsmIndexMacro *macro = &index->macros[i];
        if (macro->at.file == at->file && macro->at.line <= at->row + 1 &&
            macro->end >= at->row + 1 && (!found || macro->at.line > found->at.line))
            found = macro;
    }
    return found;
}
