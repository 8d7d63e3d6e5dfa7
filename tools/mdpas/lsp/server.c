/* The language server: messages come in, are put in order, and answered.
 *
 *     rpc    bytes to messages                   methods.def  a row for each request
 *     units  documents, and what they are made of by the assembler
 *
 * There are no threads. Messages are read until none is there before one is answered,
 * so that a request can be cancelled; when all are answered and no more come for a
 * moment, changed documents are assembled and their messages sent. */
#include "tools/mdpas/lsp/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/host/host.h"
#include "tools/host/memory.h"
#include "tools/host/values.h"
#include "tools/mdpas/lsp/lsp.h"

enum { QUIET_MILLISECONDS = 25 };

/* ---- messages out ---------------------------------------------------------------- */

static void send(Server *server, json_t *message) {
    jvalue_set(message, "jsonrpc", jvalue_text("2.0"));
    rpc_write(&server->rpc, message);
}

/* Answers a request with `result`, which it takes over, or with the refusal. */
static void respond(Server *server, json_t *id, json_t *result) {
    json_t *message = json_pack("{s:O}", "id", id);
    if (server->problem)
        json_decref(result);
    if (server->problem)
        json_object_set_new(message, "error",
                            json_pack("{s:i,s:o}", "code", (int)server->problem,
                                      "message", jvalue_text(server->why)));
    else
        json_object_set_new(message, "result", result ? result : json_null());
    send(server, message);
}

static void refuse_message(Server *server, json_t *id, Problem problem,
                           const char *why) {
    refuse(server, problem, "%s", why);
    json_t *none = json_null();
    respond(server, id ? id : none, NULL);
    json_decref(none);
}

/* ---- notifications --------------------------------------------------------------- */

typedef void Notice(Server *server, const json_t *params);

static void did_open(Server *server, const json_t *params) {
    const json_t *item = json_object_get(params, "textDocument");
    Document *already = document_find(&server->work, params);
    if (already)
        document_close(&server->work, already);
    if (json_is_string(json_object_get(item, "uri")) &&
        json_is_string(json_object_get(item, "text")))
        document_open(&server->work, item);
}

static void did_change(Server *server, const json_t *params) {
    Document *document = document_find(&server->work, params);
    if (document)
        document_change(&server->work, document, params);
}

static void did_close(Server *server, const json_t *params) {
    Document *document = document_find(&server->work, params);
    if (document)
        document_close(&server->work, document);
}

static void files_changed(Server *server, const json_t *params) {
    (void)params;
    work_forget(&server->work);
}

static void exits(Server *server, const json_t *params) {
    (void)params;
    server->exits = true;
}

static const struct {
    const char *method;
    Notice *notice;
} notices[] = {{"textDocument/didOpen", did_open},
               {"textDocument/didChange", did_change},
               {"textDocument/didClose", did_close},
               {"textDocument/didSave", files_changed},
               {"workspace/didChangeWatchedFiles", files_changed},
               {"exit", exits}};

static const struct {
    const char *method;
    Answer *answer;
} requests[] = {
#define METHOD(name, function) {name, answer_##function},
#include "tools/mdpas/lsp/methods.def"
#undef METHOD
};

/* ---- messages in ----------------------------------------------------------------- */

/* Before the client has initialized the server only its end may be asked for. */
static void take_notice(Server *server, const char *method, const json_t *params) {
    const bool ends = strcmp(method, "exit") == 0;
    server->current = false;
    for (size_t i = 0; i < sizeof notices / sizeof *notices; i++)
        if (strcmp(method, notices[i].method) == 0 && (server->initialized || ends))
            notices[i].notice(server, params);
}

/* Whether the request fits the state of the server; the refusal if not. */
static bool is_in_order(Server *server, const char *method) {
    const bool first = strcmp(method, "initialize") == 0;
    if (server->shut_down)
        refuse(server, PROBLEM_INVALID_REQUEST, "the server was shut down");
    else if (first && server->initialized)
        refuse(server, PROBLEM_INVALID_REQUEST, "the server is initialized already");
    else if (!first && !server->initialized)
        refuse(server, PROBLEM_NOT_INITIALIZED, "the server is not initialized");
    return !server->problem;
}

static void show(Server *server) {
    publish(server);
    server->current = true;
}

/* The answer is about the present texts; what they are wrong in goes before it. */
static void take_request(Server *server, json_t *id, const char *method,
                         const json_t *params) {
    Answer *answer = NULL;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if (strcmp(method, requests[i].method) == 0)
            answer = requests[i].answer;
    if (!server->current)
        show(server);
    server->problem = PROBLEM_NONE;
    json_t *result = NULL;
    if (!answer && server->initialized)
        refuse(server, PROBLEM_NO_METHOD, "there is no method '%.100s'", method);
    else if (is_in_order(server, method))
        result = answer(server, params);
    respond(server, id, result);
}

static void take_message(Server *server, json_t *message) {
    json_t *id = json_object_get(message, "id");
    const char *method = json_string_value(json_object_get(message, "method"));
    const json_t *params = json_object_get(message, "params");
    const bool answers =
        json_object_get(message, "result") || json_object_get(message, "error");
    if (json_object_get(message, "cancelled"))
        refuse_message(server, id, PROBLEM_CANCELLED, "the request was cancelled");
    else if (method && id)
        take_request(server, id, method, params);
    else if (method)
        take_notice(server, method, params);
    else if (!answers)
        refuse_message(server, id, PROBLEM_INVALID_REQUEST, "this is no request");
}

/* Marks the request that a notification cancels, if it still waits. */
static bool cancels(const Server *server, const json_t *message) {
    const char *method = json_string_value(json_object_get(message, "method"));
    if (!method || strcmp(method, "$/cancelRequest") != 0)
        return false;
    const json_t *id = json_object_get(json_object_get(message, "params"), "id");
    size_t i;
    json_t *waiting;
    json_array_foreach (server->queue, i, waiting)
        if (id && json_equal(json_object_get(waiting, "id"), id) &&
            json_object_get(waiting, "method"))
            json_object_set_new(waiting, "cancelled", json_true());
    return true;
}

/* Reads messages into the queue: waits for the first, takes those that are there. */
static RpcResult read_messages(Server *server, int milliseconds) {
    for (;;) {
        json_t *message;
        const RpcResult result = rpc_read(&server->rpc, milliseconds, &message);
        if (result == RPC_NO_JSON)
            refuse_message(server, NULL, PROBLEM_PARSE, server->rpc.wrong);
        else if (result != RPC_MESSAGE)
            return result;
        else if (cancels(server, message))
            json_decref(message);
        else
            json_array_append_new(server->queue, message);
        milliseconds = 0;
    }
}

static void take_first(Server *server) {
    json_t *message = json_incref(json_array_get(server->queue, 0));
    json_array_remove(server->queue, 0);
    take_message(server, message);
    json_decref(message);
}

/* Queued requests are answered even if no more can be read. */
static int serve(Server *server) {
    RpcResult last = RPC_NOTHING;
    server->current = true;
    while (!server->exits) {
        const bool waiting = json_array_size(server->queue) > 0;
        if (last == RPC_NOTHING)
            last = read_messages(server, waiting           ? 0
                                         : server->current ? RPC_FOR_EVER
                                                           : QUIET_MILLISECONDS);
        if (json_array_size(server->queue) > 0) {
            take_first(server);
        } else if (!server->current) {
            show(server);
        } else if (last != RPC_NOTHING) {
            break;
        }
    }
    if (last == RPC_BROKEN)
        return RPC_BROKEN_STATUS;
    return server->shut_down ? EXIT_SUCCESS : EXIT_FAILURE;
}

int lsp_serve(const AsmOptions *options, const char *log) {
    JmError error = {.offset = -1};
    Server server = {.work.options = *options};
    if (!rpc_open(&server.rpc, "mdpas", log, &error)) {
        host_report(&error);
        return EXIT_FAILURE;
    }
    kernel_folders(&server.work);
    server.work.kernel = kernel_names();
    server.queue = json_array();
    server.shown = json_object();
    const int status = serve(&server);
    work_free(&server.work);
    rpc_close(&server.rpc);
    json_decref(server.queue);
    json_decref(server.shown);
    kernel_folders_free(&server.work);
    return status;
}
