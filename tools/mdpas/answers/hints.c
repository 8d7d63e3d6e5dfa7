/* Cycles behind each instruction, as the listing has them. */
#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"
#include "tools/host/values.h"
#include "tools/mdpas/lsp/server.h"

static json_t *label(const AsmIndexLine *made, bool sums) {
    if (made->taken > 0)
        return jvalue_textf("%u/%u", made->cycles, made->taken);
    return sums ? jvalue_textf("%u, in all %u", made->cycles, made->run)
                : jvalue_textf("%u", made->cycles);
}

static const char *tooltip(const AsmIndexLine *made, bool sums) {
    if (made->taken > 0)
        return "cycles: not jumping/jumping";
    return sums ? "cycles; in all: straight on from the label or jump before"
                : "cycles";
}

/* At a SUSPEND also the sum of the straight way to it. */
static void add_hint(const Text *text, const AsmIndexLine *made, json_t *hints) {
    Line line = line_read(text, made->line - 1);
    const bool sums = line_is(&line, line.head, "suspend") && made->run > 0;
    if (line.code > 0) {
        const AsmLexeme *last = &line.lexemes[line.code - 1];
        const size_t end = line.start + (size_t)(last->offset + last->length);
        json_array_append_new(
            hints, json_pack("{s:o,s:o,s:o,s:b}", "position", text_position(text, end),
                             "label", label(made, sums), "tooltip",
                             jvalue_text(tooltip(made, sums)), "paddingLeft", 1));
    }
    line_free(&line);
}

/* A line that is read several times has the cycles of the first. */
json_t *answer_inlayHint(Server *server, const json_t *params) {
    At at;
    json_t *hints = json_array();
    if (!find_document(server, params, &at))
        return hints;
    const Text *text = &at.document->text;
    const Rows rows = text_rows(text, json_object_get(params, "range"));
    const AsmIndex *index = at.unit->result.index;
    char *seen = memory_array((size_t)text->row_count + 1, 1);
    for (int i = 0; i < index->line_count; i++) {
        const AsmIndexLine *made = &index->lines[i];
        const int row = made->line - 1;
        if (made->file != at.file || made->macro || made->cycles == 0 ||
            row < rows.first || row > rows.last || seen[row])
            continue;
        seen[row] = true;
        add_hint(text, made, hints);
    }
    free(seen);
    return hints;
}
