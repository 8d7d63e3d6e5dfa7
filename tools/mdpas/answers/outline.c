/* The symbols that a document or the workspace defines. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/host/memory.h"
#include "tools/host/values.h"
#include "tools/mdpas/answers/answers.h"

/* Kinds of symbols of the protocol: a macro is an operator, a local label a method. */
enum {
    METHOD_KIND = 6,
    FUNCTION_KIND = 12,
    VARIABLE_KIND = 13,
    CONSTANT_KIND = 14,
    OPERATOR_KIND = 25
};

static int kind_of(const AsmIndexSymbol *symbol) {
    switch (symbol->kind) {
    case ASM_SYMBOL_LABEL:
        return strchr(symbol->name, '.') ? METHOD_KIND : FUNCTION_KIND;
    case ASM_SYMBOL_EQU:
        return CONSTANT_KIND;
    default:
        return VARIABLE_KIND;
    }
}

/* Whether a file defines a symbol under the name that it has. */
static bool is_defined(const AsmIndexSymbol *symbol) {
    return symbol->kind != ASM_SYMBOL_UNDEFINED && symbol->at.length > 0 &&
           !strchr(symbol->name, '@');
}

/* ---- of a document --------------------------------------------------------------- */

typedef struct {
    const At *at;
    const Text *text;
    const int *ends; /* of scope_ends() */
} Outline;

static json_t *item(const Outline *outline, const char *name, int kind,
                    const char *detail, Bytes whole, Bytes own) {
    return json_pack("{s:o,s:i,s:o,s:o,s:o,s:[]}", "name", jvalue_text(name), "kind",
                     kind, "detail", jvalue_text(detail), "range",
                     text_range(outline->text, whole.from, whole.to), "selectionRange",
                     text_range(outline->text, own.from, own.to), "children");
}

/* The bytes from a place to the end of a line (1..), without its line end. */
static Bytes up_to(const Text *text, size_t from, int line) {
    const int row = line < text->row_count ? line : text->row_count;
    size_t to = text->rows[row];
    while (to > from && strchr("\r\n", text->bytes[to - 1]))
        to--;
    return (Bytes){from, to > from ? to : from};
}

/* Returns, malloc'ed, for each line the one (1..) in front of the next outer label. */
static int *scope_ends(const Outline *outline) {
    const AsmIndex *index = outline->at->unit->result.index;
    const int rows = outline->text->row_count;
    int *ends = memory_array((size_t)rows + 1, sizeof *ends);
    for (int i = 0; i < index->symbol_count; i++) {
        const AsmIndexSymbol *symbol = &index->symbols[i];
        if (is_defined(symbol) && kind_of(symbol) == FUNCTION_KIND &&
            symbol->at.file == outline->at->file && symbol->at.line <= rows)
            ends[symbol->at.line - 1] = symbol->at.line - 1;
    }
    int end = rows;
    for (int row = rows - 1; row >= 0; row--) {
        const int next = ends[row] ? ends[row] : end;
        ends[row] = end;
        end = next;
    }
    return ends;
}

static json_t *symbol_item(const Outline *outline, const AsmIndexSymbol *symbol) {
    const AsmIndex *index = outline->at->unit->result.index;
    const Bytes own = spot_bytes(outline->text, symbol->at);
    const int kind = kind_of(symbol);
    const int line = symbol->at.line;
    const int end = kind == FUNCTION_KIND && line <= outline->text->row_count
                        ? outline->ends[line - 1]
                        : line;
    const char *dot = strrchr(symbol->name, '.');
    char *detail = symbol_line(index, symbol);
    json_t *made = item(outline, kind == METHOD_KIND && dot ? dot : symbol->name, kind,
                        detail, up_to(outline->text, own.from, end), own);
    free(detail);
    return made;
}

/* Local labels below theirs. */
static void add_symbols(const Outline *outline, json_t *items) {
    const AsmIndex *index = outline->at->unit->result.index;
    json_t *labels = json_object();
    for (int i = 0; i < index->symbol_count; i++) {
        const AsmIndexSymbol *symbol = &index->symbols[i];
        if (!is_defined(symbol) || symbol->at.file != outline->at->file)
            continue;
        const char *dot =
            kind_of(symbol) == METHOD_KIND ? strrchr(symbol->name, '.') : NULL;
        char *scope =
            memory_text("%.*s", dot ? (int)(dot - symbol->name) : 0, symbol->name);
        json_t *parent = json_object_get(labels, scope);
        json_t *made = symbol_item(outline, symbol);
        jvalue_set(labels, symbol->name, json_incref(made));
        json_array_append_new(parent ? json_object_get(parent, "children") : items,
                              made);
        free(scope);
    }
    json_decref(labels);
}

static void add_macros(const Outline *outline, json_t *items) {
    const AsmIndex *index = outline->at->unit->result.index;
    for (int i = 0; i < index->macro_count; i++) {
        const AsmIndexMacro *macro = &index->macros[i];
        if (macro->at.file != outline->at->file)
            continue;
        const Bytes own = spot_bytes(outline->text, macro->at);
        char *call = macro_call_text(macro);
        json_array_append_new(items,
                              item(outline, macro->name, OPERATOR_KIND, call,
                                   up_to(outline->text, own.from, macro->end), own));
        free(call);
    }
}

json_t *answer_documentSymbol(Server *server, const json_t *params) {
    At at;
    json_t *items = json_array();
    if (!find_document(server, params, &at) || at.file < 0)
        return items;
    Outline outline = {.at = &at, .text = &at.document->text};
    int *ends = scope_ends(&outline);
    outline.ends = ends;
    add_symbols(&outline, items);
    add_macros(&outline, items);
    free(ends);
    return items;
}

/* ---- of the workspace ------------------------------------------------------------ */

enum { FOUND_MAX = 500 };

typedef struct {
    const Server *server;
    const char *query;
    json_t *items;
    json_t *places; /* that are among them */
} Query;

static bool matches(const char *name, const char *query) {
    const size_t length = strlen(query);
    for (; strlen(name) >= length; name++)
        if (strncasecmp(name, query, length) == 0)
            return true;
    return false;
}

static void add_found(Query *query, Unit *unit, const char *name, int kind,
                      AsmSpot at) {
    if (!matches(name, query->query) || !unit->reals[at.file][0] ||
        json_array_size(query->items) == FOUND_MAX)
        return;
    char *place = memory_text("%s:%d:%d", unit->reals[at.file], at.line, at.column);
    if (!json_object_get(query->places, place))
        json_array_append_new(query->items,
                              json_pack("{s:o,s:i,s:o}", "name", jvalue_text(name),
                                        "kind", kind, "location",
                                        spot_location(&query->server->work, unit, at)));
    jvalue_set(query->places, place, json_true());
    free(place);
}

static void find_in(Query *query, Work *work, Unit *unit) {
    const AsmIndex *index = unit_index(work, unit);
    for (int i = 0; i < index->symbol_count; i++)
        if (is_defined(&index->symbols[i]) &&
            kind_of(&index->symbols[i]) != METHOD_KIND)
            add_found(query, unit, index->symbols[i].name, kind_of(&index->symbols[i]),
                      index->symbols[i].at);
    for (int i = 0; i < index->macro_count; i++)
        add_found(query, unit, index->macros[i].name, OPERATOR_KIND,
                  index->macros[i].at);
}

json_t *answer_workspaceSymbol(Server *server, const json_t *params) {
    const char *wanted = json_string_value(json_object_get(params, "query"));
    Query query = {server, wanted ? wanted : "", json_array(), json_object()};
    Unit *unit;
    for (int i = 0; (unit = work_unit(&server->work, true, i)); i++)
        find_in(&query, &server->work, unit);
    json_decref(query.places);
    return query.items;
}
