/* Quick fixes: the suggestion of an assembler message as an edit. */
#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"
#include "tools/host/values.h"
#include "tools/mdpas/lsp/server.h"

/* The part of a suggested symbol that replaces its token: of a local label the short
 * name, if it belongs to the same label. */
static const char *replacement(const AsmIndex *index, const AsmIndexMessage *message,
                               const char *token) {
    for (int i = 0; token[0] == '.' && i < index->use_count; i++) {
        const AsmIndexUse *use = &index->uses[i];
        if (use->kind != ASM_USE_SYMBOL || use->at.file != message->at.file ||
            use->at.line != message->at.line || use->at.column != message->at.column)
            continue;
        const char *name = index->symbols[use->index].name;
        const char *dot = strrchr(name, '.');
        const size_t scope = dot ? (size_t)(dot - name) : 0;
        if (strncmp(name, message->suggestion, scope) == 0 &&
            message->suggestion[scope] == '.')
            return message->suggestion + scope;
    }
    return message->suggestion;
}

/* The messages that the client shows for the range. */
static json_t *of_range(const json_t *params, const json_t *range) {
    json_t *of = json_array();
    size_t i;
    json_t *one;
    json_array_foreach (
        json_object_get(json_object_get(params, "context"), "diagnostics"), i, one)
        if (json_equal(json_object_get(one, "range"), range))
            json_array_append(of, one);
    return of;
}

static json_t *fix(const At *at, const json_t *params, Bytes bytes, const char *text) {
    const Text *document = &at->document->text;
    json_t *range = text_range(document, bytes.from, bytes.to);
    json_t *changes = json_object();
    jvalue_set(changes, at->document->uri,
               json_pack("[o]", text_edit(document, bytes.from, bytes.to, text)));
    json_t *action = json_pack("{s:o,s:o,s:b,s:o,s:{s:o}}", "title",
                               jvalue_textf("Change to '%s'", text), "kind",
                               jvalue_text("quickfix"), "isPreferred", 1, "diagnostics",
                               of_range(params, range), "edit", "changes", changes);
    json_decref(range);
    return action;
}

static void add_fix(const At *at, const json_t *params, const AsmIndexMessage *message,
                    json_t *fixes) {
    const Text *text = &at->document->text;
    const json_t *range = json_object_get(params, "range");
    const Bytes bytes = spot_bytes(text, message->at);
    const size_t from = text_offset(text, json_object_get(range, "start"));
    const size_t to = text_offset(text, json_object_get(range, "end"));
    if (bytes.to < from || bytes.from > to)
        return;
    char *token =
        memory_text("%.*s", (int)(bytes.to - bytes.from), text->bytes + bytes.from);
    json_array_append_new(
        fixes,
        fix(at, params, bytes, replacement(at->unit->result.index, message, token)));
    free(token);
}

/* An editor may ask for some kinds of actions only, as when it saves a file. */
static bool wants_fixes(const json_t *params) {
    json_t *only = json_object_get(json_object_get(params, "context"), "only");
    bool wants = !json_is_array(only);
    size_t i;
    json_t *kind;
    json_array_foreach (only, i, kind) {
        const char *name = json_string_value(kind);
        wants |= name && (!*name || strcmp(name, "quickfix") == 0);
    }
    return wants;
}

json_t *answer_codeAction(Server *server, const json_t *params) {
    At at;
    json_t *fixes = json_array();
    if (!wants_fixes(params) || !find_document(server, params, &at))
        return fixes;
    const AsmIndex *index = at.unit->result.index;
    for (int i = 0; i < index->message_count; i++)
        if (index->messages[i].suggestion && index->messages[i].at.file == at.file)
            add_fix(&at, params, &index->messages[i], fixes);
    return fixes;
}
