/* The beginning and the end of a session. */
#include <stdlib.h>
#include <string.h>

#include "emu/jm.h"
#include "tools/host/values.h"
#include "tools/mdpas/answers/answers.h"
#include "tools/mdpas/lsp/server.h"

static void add_folder(Work *work, const char *uri) {
    if (uri && strncmp(uri, "file://", 7) == 0)
        list_add(&work->folders, path_of(uri));
}

static void take_folders(Work *work, const json_t *params) {
    const json_t *folders = json_object_get(params, "workspaceFolders");
    size_t i;
    json_t *folder;
    json_array_foreach (folders, i, folder)
        add_folder(work, json_string_value(json_object_get(folder, "uri")));
    if (json_array_size(folders) == 0)
        add_folder(work, json_string_value(json_object_get(params, "rootUri")));
}

/* How positions are counted: in bytes if the client can, else in units of UTF-16. */
static TextUnits units_for(const json_t *params) {
    const json_t *general =
        json_object_get(json_object_get(params, "capabilities"), "general");
    size_t i;
    json_t *encoding;
    json_array_foreach (json_object_get(general, "positionEncodings"), i, encoding)
        if (json_is_string(encoding) &&
            strcmp(json_string_value(encoding), "utf-8") == 0)
            return TEXT_UTF8;
    return TEXT_UTF16;
}

static json_t *capabilities(TextUnits units) {
    static const char *const plain[] = {"hoverProvider",
                                        "definitionProvider",
                                        "referencesProvider",
                                        "documentHighlightProvider",
                                        "documentSymbolProvider",
                                        "workspaceSymbolProvider",
                                        "foldingRangeProvider",
                                        "inlayHintProvider",
                                        "documentFormattingProvider",
                                        "documentRangeFormattingProvider",
                                        "codeActionProvider"};
    json_t *able = json_object();
    enum { INCREMENTAL = 2 };
    json_object_set_new(able, "positionEncoding",
                        jvalue_text(units == TEXT_UTF8 ? "utf-8" : "utf-16"));
    json_object_set_new(able, "textDocumentSync",
                        json_pack("{s:b,s:i,s:b}", "openClose", 1, "change",
                                  (int)INCREMENTAL, "save", 1));
    json_object_set_new(able, "completionProvider",
                        json_pack("{s:[o,o,o,o]}", "triggerCharacters",
                                  jvalue_text("."), jvalue_text("\\"), jvalue_text("^"),
                                  jvalue_text("\"")));
    json_object_set_new(able, "signatureHelpProvider",
                        json_pack("{s:[o,o]}", "triggerCharacters", jvalue_text(" "),
                                  jvalue_text(",")));
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        json_object_set_new(able, plain[i], json_true());
    json_object_set_new(able, "documentLinkProvider", json_object());
    json_object_set_new(
        able, "semanticTokensProvider",
        json_pack("{s:o,s:b,s:b}", "legend", token_legend(), "full", 1, "range", 1));
    json_object_set_new(able, "renameProvider",
                        json_pack("{s:b}", "prepareProvider", 1));
    return able;
}

json_t *answer_initialize(Server *server, const json_t *params) {
    server->work.units = units_for(params);
    take_folders(&server->work, params);
    server->initialized = true;
    return json_pack("{s:o,s:{s:o,s:o}}", "capabilities",
                     capabilities(server->work.units), "serverInfo", "name",
                     jvalue_text("mdpas"), "version", jvalue_text(JM_VERSION));
}

json_t *answer_shutdown(Server *server, const json_t *params) {
    (void)params;
    server->shut_down = true;
    return NULL;
}
