/* Messages to and from the editor, and what the debugger says and asks while it works.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"
#include "tools/host/progress.h"
#include "tools/host/word_list.h"
#include "tools/jm/dap/dap.h"

/* ---- sending --------------------------------------------------------------------- */

static void send(Dap *dap, const char *type, json_t *message) {
    json_object_set_new(message, "seq", json_integer(++dap->sequence));
    json_object_set_new(message, "type", jvalue_text(type));
    rpc_write(&dap->rpc, message);
}

void dap_event(Dap *dap, const char *name, json_t *body) {
    json_t *event = json_pack("{s:o}", "event", jvalue_text(name));
    if (body)
        json_object_set_new(event, "body", body);
    send(dap, "event", event);
}

void dap_answer(Dap *dap, const json_t *request) {
    const char *command = json_string_value(json_object_get(request, "command"));
    json_t *answer =
        json_pack("{s:I,s:o,s:b}", "request_seq",
                  json_integer_value(json_object_get(request, "seq")), "command",
                  jvalue_text(command ? command : ""), "success", dap->failure == NULL);
    if (dap->failure)
        json_object_set_new(answer, "message",
                            jvalue_text(dap->cancelled ? "cancelled" : dap->failure));
    else if (dap->body)
        json_object_set(answer, "body", dap->body);
    json_decref(dap->body);
    free(dap->failure);
    dap->body = NULL;
    dap->failure = NULL;
    dap->cancelled = false;
    send(dap, "response", answer);
}

bool dap_give(Dap *dap, json_t *body) {
    dap->body = body;
    return true;
}

bool dap_fail(Dap *dap, const char *format, ...) {
    va_list list;
    va_start(list, format);
    free(dap->failure);
    dap->failure = memory_vtext(format, list);
    va_end(list);
    return false;
}

void dap_output(Dap *dap, const char *category, const char *text, size_t length) {
    if (length)
        dap_event(dap, "output",
                  json_pack("{s:o,s:o}", "category", jvalue_text(category), "output",
                            jvalue_text_of(text, length)));
}

/* ---- reading --------------------------------------------------------------------- */

/* Answers a malformed request at once, even while another one is being handled. */
static void refuse(Dap *dap, const json_t *message, const char *format,
                   const char *why) {
    json_t *body = dap->body;
    char *failure = dap->failure;
    dap->body = NULL;
    dap->failure = NULL;
    dap_fail(dap, format, why);
    dap_answer(dap, message);
    dap->body = body;
    dap->failure = failure;
}

/* Puts a request behind those that wait. */
static void take_request(Dap *dap, json_t *message) {
    const char *type = json_string_value(json_object_get(message, "type"));
    if (type && strcmp(type, "request") == 0 &&
        json_is_string(json_object_get(message, "command")) &&
        json_is_integer(json_object_get(message, "seq"))) {
        json_array_append(dap->waiting, message);
        return;
    }
    refuse(dap, message, "this is not a request: %s expected",
           "'type', 'seq' and 'command'");
}

void dap_read(Dap *dap, bool wait) {
    json_t *message;
    for (int time = wait ? RPC_FOR_EVER : 0; !dap->ends; time = 0) {
        const RpcResult result = rpc_read(&dap->rpc, time, &message);
        if (result == RPC_NOTHING)
            return;
        if (result == RPC_MESSAGE)
            take_request(dap, message);
        else if (result == RPC_NO_JSON)
            refuse(dap, NULL, "this is not JSON: %s", dap->rpc.wrong);
        else
            dap->ends = true;
        if (result == RPC_BROKEN)
            dap->status = RPC_BROKEN_STATUS;
        json_decref(message);
    }
}

json_t *dap_next(Dap *dap) {
    json_t *request = json_incref(json_array_get(dap->waiting, 0));
    json_array_remove(dap->waiting, 0);
    return request;
}

/* ---- arguments ------------------------------------------------------------------- */

/* Takes an argument; *value is NULL if it is missing. */
static bool take(Dap *dap, const json_t *arguments, const char *name, const char *kind,
                 bool want, json_t **value) {
    *value = json_object_get(arguments, name);
    if (json_is_null(*value))
        *value = NULL;
    if (want && !*value)
        return dap_fail(dap, "'%s' is missing: %s expected", name, kind);
    return true;
}

static bool is_of_kind(Dap *dap, bool is, const char *name, const char *kind) {
    return is || dap_fail(dap, "'%s': %s expected", name, kind);
}

static bool take_text(Dap *dap, const json_t *arguments, const char *name, bool want,
                      const char **value) {
    json_t *found;
    if (!take(dap, arguments, name, "a text", want, &found) ||
        !is_of_kind(dap, !found || json_is_string(found), name, "a text"))
        return false;
    if (found)
        *value = json_string_value(found);
    return true;
}

/* Whether a value is an integer in [low, high]. Callers give limits whose sums do not
 * overflow. */
static bool is_number(const json_t *value, int64_t low, int64_t high) {
    return json_is_integer(value) && json_integer_value(value) >= low &&
           json_integer_value(value) <= high;
}

static bool take_number(Dap *dap, const json_t *arguments, const char *name, bool want,
                        int64_t *value) {
    static const char kind[] = "an integer";
    static const int64_t most = INT64_C(1) << 53;
    json_t *found;
    if (!take(dap, arguments, name, kind, want, &found) ||
        !is_of_kind(dap, !found || is_number(found, -most, most), name, kind))
        return false;
    if (found)
        *value = json_integer_value(found);
    return true;
}

bool want_text(Dap *dap, const json_t *arguments, const char *name,
               const char **value) {
    return take_text(dap, arguments, name, true, value);
}

bool may_text(Dap *dap, const json_t *arguments, const char *name, const char **value) {
    return take_text(dap, arguments, name, false, value);
}

bool want_number(Dap *dap, const json_t *arguments, const char *name, int64_t *value) {
    return take_number(dap, arguments, name, true, value);
}

bool may_number(Dap *dap, const json_t *arguments, const char *name, int64_t *value) {
    return take_number(dap, arguments, name, false, value);
}

bool want_line(Dap *dap, const json_t *arguments, const char *name, int *line) {
    static const char kind[] = "the number of a line";
    json_t *found;
    if (!take(dap, arguments, name, kind, true, &found) ||
        !is_of_kind(dap, is_number(found, 0, INT32_MAX - 1), name, kind))
        return false;
    *line = (int)json_integer_value(found) + dap->lines_from_0;
    return true;
}

bool may_truth(Dap *dap, const json_t *arguments, const char *name, bool *value) {
    json_t *found;
    if (!take(dap, arguments, name, "", false, &found) ||
        !is_of_kind(dap, !found || json_is_boolean(found), name, "true or false"))
        return false;
    if (found)
        *value = json_is_true(found);
    return true;
}

bool may_list(Dap *dap, const json_t *arguments, const char *name, json_t **value) {
    return take(dap, arguments, name, "", false, value) &&
           is_of_kind(dap, !*value || json_is_array(*value), name, "a list");
}

/* ---- the debugger ---------------------------------------------------------------- */

/* Executes a user's line; the debugger's output is in dap->said. A line ends at a
 * control character, so that no text of the editor's is two. */
bool dap_do_users(Dap *dap, const char *text, size_t length) {
    char *line = memory_text("%.*s", (int)length, text);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    dap->said.length = 0;
    dap->interrupted = false;
    memory_append(&dap->said, "", 0);
    const bool good = jm_debug_do(dap->debug, line);
    free(line);
    return good;
}

/* Lines that the user has begun to give to a stop end here. */
bool dap_do(Dap *dap, const char *format, ...) {
    static const char end[] = "end";
    va_list list;
    if (strcmp(jm_debug_prompt(dap->debug), "> ") == 0)
        dap_do_users(dap, end, sizeof end - 1);
    va_start(list, format);
    char *line = memory_vtext(format, list);
    va_end(list);
    const bool good = dap_do_users(dap, line, strlen(line));
    free(line);
    return good;
}

/* JmDebugHost.write: keeps the output of a command. */
static void keep(void *context, const char *text, size_t length) {
    Dap *dap = context;
    memory_append(&dap->said, text, length);
}

/* Sends a piece of a line that a program has written. */
static void send_output(Dap *dap, const char *text, size_t length) {
    const int node = jm_debug_writer(dap->debug);
    json_t *body = json_pack("{s:o,s:o}", "category", jvalue_text("stdout"), "output",
                             jvalue_text_of(text, length));
    if (node >= 0)
        json_object_set_new(body, "data", json_pack("{s:i}", "node", node));
    dap_event(dap, "output", body);
}

/* JmDebugHost.guest: lines come in pieces, several lines in one. */
static void write_guest(void *context, const char *text, size_t length) {
    while (length > 0) {
        const char *end = memchr(text, '\n', length);
        const size_t piece = end ? (size_t)(end - text) + 1 : length;
        send_output(context, text, piece);
        text += piece;
        length -= piece;
    }
}

/* ---- while the debugger works ---------------------------------------------------- */

static const double POLL_SECONDS = 0.01, SHOW_SECONDS = 1, UPDATE_SECONDS = 0.5;

/* Returns the progress id of the operation that the user waits for. */
static json_t *progress_id(const Dap *dap) {
    return jvalue_textf("wait-%" PRId64, dap->wait.request);
}

void dap_wait(Dap *dap, const char *title, int64_t request) {
    if (dap->wait.shown)
        dap_event(dap, "progressEnd",
                  json_pack("{s:o}", "progressId", progress_id(dap)));
    dap->wait =
        (Wait){.title = title, .request = request, .begun = progress_clock(NULL)};
}

static void show_progress(Dap *dap, double now) {
    Wait *w = &dap->wait;
    if (!w->title || !dap->shows_progress || now - w->begun < SHOW_SECONDS ||
        now - w->shown_at < UPDATE_SECONDS)
        return;
    json_t *body = json_pack("{s:o,s:o}", "progressId", progress_id(dap), "message",
                             jvalue_textf("cycle %" PRIu64, jm_now(dap->machine)));
    if (!w->shown) {
        json_object_set_new(body, "title", jvalue_text(w->title));
        json_object_set_new(body, "cancellable", json_true());
        json_object_set_new(body, "requestId", json_integer(w->request));
    }
    dap_event(dap, w->shown ? "progressUpdate" : "progressStart", body);
    w->shown = true;
    w->shown_at = now;
}

bool dap_cancels(const Dap *dap, const json_t *arguments) {
    const json_t *id = json_object_get(arguments, "requestId");
    const char *progress = json_string_value(json_object_get(arguments, "progressId"));
    if (json_is_integer(id))
        return json_integer_value(id) == dap->wait.request;
    json_t *own = progress_id(dap);
    const bool same = progress && strcmp(progress, json_string_value(own)) == 0;
    json_decref(own);
    return same;
}

/* Whether the debugger must end what it does for a request: for one that ends it, or
 * for one that moves the machine, if what it does is but looking at the past. */
static bool ends_work(Dap *dap, const json_t *request) {
    static const char ending[] = "pause disconnect terminate restart";
    static const char moving[] =
        "continue next stepIn stepOut goto stepBack reverseContinue";
    const char *command = json_string_value(json_object_get(request, "command"));
    if (strcmp(command, "cancel") == 0 &&
        dap_cancels(dap, json_object_get(request, "arguments")))
        return dap->cancelled = true;
    return word_list_has(ending, ' ', command) ||
           (!dap->motion.line && word_list_has(moving, ' ', command));
}

static bool must_stop(Dap *dap) {
    size_t index;
    json_t *request;
    dap->must_end = dap->ends;
    json_array_foreach (dap->waiting, index, request)
        dap->must_end |= ends_work(dap, request);
    return dap->must_end || (dap->interrupts_all && json_array_size(dap->waiting));
}

/* JmDebugHost.interrupted: called often while the machine moves. */
static bool look_for_requests(void *context) {
    Dap *dap = context;
    const double now = progress_clock(NULL);
    if (now - dap->polled < POLL_SECONDS)
        return false;
    dap->polled = now;
    dap_read(dap, false);
    show_progress(dap, now);
    return dap->interrupted = must_stop(dap);
}

JmDebugHost dap_host(Dap *dap) {
    return (JmDebugHost){.context = dap,
                         .write = keep,
                         .guest = write_guest,
                         .interrupted = look_for_requests,
                         .clock = progress_clock};
}
