/* Messages of the assembler, sent to the client by itself. They are those that mdpas
 * prints, and one more: a declared symbol that nothing defines. */
#include <stdlib.h>
#include <string.h>

#include "tools/host/values.h"
#include "tools/mdpas/lsp/server.h"

enum { SEVERITY_ERROR = 1, SEVERITY_WARNING = 2 };

/* ---- one message ----------------------------------------------------------------- */

/* A place that is in a file; else the main file's begin. */
static AsmSpot in_file(const Unit *unit, AsmSpot spot) {
    const bool there = spot.file >= 0 && unit->reals[spot.file][0];
    return there ? spot : (AsmSpot){0};
}

static json_t *related(const Server *server, Unit *unit, const AsmIndexMessage *note) {
    return json_pack("{s:o,s:o}", "location",
                     spot_location(&server->work, unit, in_file(unit, note->at)),
                     "message", jvalue_text(note->text));
}

static json_t *diagnostic(const Server *server, Unit *unit, AsmSpot at, int severity,
                          const char *text) {
    return json_pack("{s:o,s:i,s:o,s:o,s:[]}", "range",
                     spot_range(&server->work, unit, at), "severity", severity,
                     "source", jvalue_text("mdpas"), "message", jvalue_text(text),
                     "relatedInformation");
}

/* Adds a message to those of its file. */
static void add(const Server *server, json_t *all, Unit *unit, AsmSpot at,
                json_t *message) {
    char *uri = unit_uri(&server->work, unit, at.file);
    json_t *messages = json_object_get(all, uri);
    if (!messages) {
        messages = json_array();
        jvalue_set(all, uri, messages);
    }
    free(uri);
    json_array_append_new(messages, message);
}

static bool same_member(const json_t *one, const json_t *other, const char *key) {
    return json_equal(json_object_get(one, key), json_object_get(other, key));
}

/* Whether the first `count` messages have this one, with other notes perhaps. */
static bool has_message(const json_t *messages, size_t count, const json_t *message) {
    for (size_t i = 0; i < count; i++) {
        const json_t *other = json_array_get(messages, i);
        if (same_member(other, message, "range") &&
            same_member(other, message, "message"))
            return true;
    }
    return false;
}

/* Adds the messages of a unit to those of others, which may have said the same of a
 * file that they all include. */
static void merge(json_t *all, json_t *unit) {
    const char *uri;
    json_t *messages;
    json_object_foreach (unit, uri, messages) {
        json_t *before = json_object_get(all, uri);
        const size_t count = json_array_size(before);
        size_t i;
        json_t *message;
        if (!before)
            jvalue_set(all, uri, json_incref(messages));
        else
            json_array_foreach (messages, i, message)
                if (!has_message(before, count, message))
                    json_array_append(before, message);
    }
    json_decref(unit);
}

/* The messages of a unit. Of a source that is not open only those in open files. */
static void add_messages(const Server *server, json_t *all, Unit *unit) {
    const AsmIndex *index = unit->result.index;
    for (int i = 0; i < index->message_count; i++) {
        const AsmIndexMessage *from = &index->messages[i];
        const AsmSpot at = in_file(unit, from->at);
        json_t *message =
            diagnostic(server, unit, at,
                       from->severity == ASM_ERROR ? SEVERITY_ERROR : SEVERITY_WARNING,
                       from->text);
        json_t *notes = json_object_get(message, "relatedInformation");
        for (; i + 1 < index->message_count &&
               index->messages[i + 1].severity == ASM_NOTE;
             i++)
            json_array_append_new(notes,
                                  related(server, unit, &index->messages[i + 1]));
        if (unit->document || document_of(&server->work, unit->reals[at.file]))
            add(server, all, unit, at, message);
        else
            json_decref(message);
    }
}

/* ---- symbols of other sources ---------------------------------------------------- */

static bool is_undefined(const AsmIndexSymbol *symbol) {
    return symbol->kind == ASM_SYMBOL_UNDEFINED && (symbol->external || symbol->global);
}

static void add_defined(json_t *defined, const AsmIndex *index) {
    for (int i = 0; i < index->symbol_count; i++)
        if (index->symbols[i].global && index->symbols[i].kind != ASM_SYMBOL_UNDEFINED)
            jvalue_set(defined, index->symbols[i].name, json_true());
}

static const AsmIndexUse *declaration(const AsmIndex *index, int symbol) {
    for (int i = 0; i < index->use_count; i++) {
        const AsmIndexUse *use = &index->uses[i];
        if (use->kind == ASM_USE_SYMBOL && use->index == symbol &&
            use->role == ASM_ROLE_DECLARATION)
            return use;
    }
    return NULL;
}

/* A program is linked with the kernel and with its other sources. */
static void add_undefined(const Server *server, json_t *all, Unit *unit,
                          const json_t *defined) {
    const AsmIndex *index = unit->result.index;
    for (int i = 0; i < index->symbol_count; i++) {
        const AsmIndexSymbol *symbol = &index->symbols[i];
        const AsmIndexUse *use = is_undefined(symbol) ? declaration(index, i) : NULL;
        if (!use || json_object_get(server->work.kernel, symbol->name) ||
            json_object_get(defined, symbol->name))
            continue;
        json_t *text = jvalue_textf("undefined symbol '%s': no source here and no part "
                                    "of the kernel defines it",
                                    symbol->name);
        const AsmSpot at = in_file(unit, use->at);
        add(server, all, unit, at,
            diagnostic(server, unit, at, SEVERITY_WARNING, json_string_value(text)));
        json_decref(text);
    }
}

static bool any_undefined(const List *units) {
    for (int i = 0; i < units->count; i++) {
        const AsmIndex *index = ((Unit *)units->items[i])->result.index;
        for (int j = 0; j < index->symbol_count; j++)
            if (is_undefined(&index->symbols[j]))
                return true;
    }
    return false;
}

/* Other sources are read only if there is something to find, and only where the kernel
 * is known. */
static void add_all_undefined(Server *server, json_t *all, const List *units) {
    if (json_object_size(server->work.kernel) == 0 || !any_undefined(units))
        return;
    json_t *defined = json_object();
    Unit *unit;
    for (int i = 0; (unit = work_unit(&server->work, true, i)); i++)
        add_defined(defined, unit_index(&server->work, unit));
    for (int i = 0; i < units->count; i++)
        add_undefined(server, all, units->items[i], defined);
    json_decref(defined);
}

/* ---- sending --------------------------------------------------------------------- */

/* The units that open documents are understood in, each once. */
static List active_units(Work *work) {
    List units = {0};
    for (int i = 0; i < work->documents.count; i++) {
        Unit *unit = unit_of(work, work->documents.items[i]);
        bool there = false;
        for (int j = 0; j < units.count; j++)
            there = there || units.items[j] == unit;
        if (!there)
            list_add(&units, unit);
    }
    return units;
}

/* Sends the messages of a file if they are others than before, or its text is. */
static void send_file(Server *server, const char *uri, json_t *messages) {
    Document *document = document_named(&server->work, uri);
    json_t *before = json_object_get(server->shown, uri);
    if ((!document || document->published) && before && json_equal(before, messages))
        return;
    json_t *params =
        json_pack("{s:o,s:O}", "uri", jvalue_text(uri), "diagnostics", messages);
    if (document && json_is_integer(document->version))
        json_object_set(params, "version", document->version);
    if (document)
        document->published = true;
    rpc_write(&server->rpc,
              json_pack("{s:o,s:o,s:o}", "jsonrpc", jvalue_text("2.0"), "method",
                        jvalue_text("textDocument/publishDiagnostics"), "params",
                        params));
}

void publish(Server *server) {
    Work *work = &server->work;
    json_t *all = json_object();
    List units = active_units(work);
    for (int i = 0; i < units.count; i++) {
        json_t *messages = json_object();
        add_messages(server, messages, units.items[i]);
        merge(all, messages);
    }
    add_all_undefined(server, all, &units);
    free(units.items);
    /* Files that have none now. */
    json_t *none = json_array();
    for (int i = 0; i < work->documents.count; i++) {
        const Document *document = work->documents.items[i];
        if (!json_object_get(all, document->uri))
            jvalue_set(all, document->uri, json_incref(none));
    }
    const char *uri;
    json_t *messages;
    json_object_foreach (server->shown, uri, messages)
        if (!json_object_get(all, uri) && json_array_size(messages) > 0)
            jvalue_set(all, uri, json_incref(none));
    json_object_foreach (all, uri, messages)
        send_file(server, uri, messages);
    json_decref(none);
    json_decref(server->shown);
    server->shown = all;
}
