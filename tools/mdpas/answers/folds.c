/* Foldable ranges, and links to the files that a document includes. */
#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"
#include "tools/host/values.h"
#include "tools/mdpas/lsp/server.h"

/* The directives that begin and end a fold. */
static const struct {
    const char *begin, *end;
} pairs[] = {{".macro", ".endm"}, {".rept", ".endr"},   {".irp", ".endr"},
             {".if", ".endif"},   {".ifdef", ".endif"}, {".ifndef", ".endif"}};

enum { PAIRS = sizeof pairs / sizeof *pairs, DEEP = 100 };

typedef struct {
    const Text *text;
    json_t *folds;
    int rows[DEEP], kinds[DEEP]; /* that are open */
    int depth;
    int label, comment; /* the row where one began; -1: none is open */
} Folding;

static void add(Folding *folding, int first, int last, const char *kind) {
    if (first < 0 || last <= first)
        return;
    const Text *text = folding->text;
    json_t *fold =
        json_pack("{s:i,s:i}", "startLine", text_line(text, text->rows[first]),
                  "endLine", text_line(text, text->rows[last]));
    if (kind)
        json_object_set_new(fold, "kind", jvalue_text(kind));
    json_array_append_new(folding->folds, fold);
}

static void take_pair(Folding *folding, const Line *line, int row) {
    for (int i = 0; i < PAIRS; i++)
        if (line_is(line, line->head, pairs[i].begin) && folding->depth < DEEP) {
            folding->rows[folding->depth] = row;
            folding->kinds[folding->depth++] = i;
            return;
        }
    const int top = folding->depth - 1;
    if (top >= 0 && line_is(line, line->head, pairs[folding->kinds[top]].end)) {
        add(folding, folding->rows[top], row, "region");
        folding->depth--;
    }
}

/* A label that is not local: a name without a dot in front. */
static bool begins_scope(const Line *line) {
    return line->head > 0 && line->lexemes[0].kind == ASM_LEXEME_NAME &&
           line->text[line->lexemes[0].offset] != '.';
}

/* `last`: the last row that is not blank or a comment. */
static void take_row(Folding *folding, int row, int *last) {
    Line line = line_read(folding->text, row);
    const bool comment = line.code == 0 && line.count > 0;
    if (!comment && folding->comment >= 0) {
        add(folding, folding->comment, row - 1, "comment");
        folding->comment = -1;
    } else if (comment && folding->comment < 0) {
        folding->comment = row;
    }
    if (begins_scope(&line)) {
        add(folding, folding->label, *last, NULL);
        folding->label = row;
    }
    if (line.head < line.code)
        take_pair(folding, &line, row);
    if (line.code > 0)
        *last = row;
    line_free(&line);
}

json_t *answer_foldingRange(Server *server, const json_t *params) {
    At at;
    json_t *folds = json_array();
    if (!find_document(server, params, &at))
        return folds;
    Folding folding = {
        .text = &at.document->text, .folds = folds, .label = -1, .comment = -1};
    int last = 0;
    for (int row = 0; row < folding.text->row_count; row++)
        take_row(&folding, row, &last);
    add(&folding, folding.comment, folding.text->row_count - 1, "comment");
    add(&folding, folding.label, last, NULL);
    return folds;
}

json_t *answer_documentLink(Server *server, const json_t *params) {
    At at;
    json_t *links = json_array();
    if (!find_document(server, params, &at))
        return links;
    const AsmIndex *index = at.unit->result.index;
    for (int i = 0; i < index->use_count; i++) {
        const AsmIndexUse *use = &index->uses[i];
        if (use->kind != ASM_USE_FILE || use->at.file != at.file || use->at.length < 2)
            continue;
        Bytes bytes = spot_bytes(&at.document->text, use->at);
        char *uri = unit_uri(&server->work, at.unit, use->index);
        json_array_append_new(links, json_pack("{s:o,s:o}", "range",
                                               text_range(&at.document->text,
                                                          bytes.from + 1, bytes.to - 1),
                                               "target", jvalue_text(uri)));
        free(uri);
    }
    return links;
}
