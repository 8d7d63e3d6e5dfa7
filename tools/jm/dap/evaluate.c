/* Expressions, commands and their completion. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"
#include "tools/jm/dap/dap.h"

/* ---- looking from a frame -------------------------------------------------------- */

/* Looks from a frame's node and context; returns what was selected before. */
static JmDebugState look_from(Dap *dap, const JmDebugFrame *frame) {
    const JmDebugState before = jm_debug_state(dap->debug);
    if (!frame)
        return before;
    const bool runs = jm_running(dap->machine, frame->node) == frame->context;
    jm_debug_look(dap->debug, frame->node, runs ? -1 : (int)frame->context);
    return before;
}

static void look_back(Dap *dap, const JmDebugState *before) {
    jm_debug_look(dap->debug, before->node, before->context);
}

/* ---- values ---------------------------------------------------------------------- */

/* Finds the value that a name in the source has for its reader: "total" is the word,
 * "R0" the register. Anything else is an expression. */
static bool hover_value(Dap *dap, const char *text, JmDebugValue *value) {
    uint32_t address;
    char *other = jm_symbol_word(dap->machine, text, &address)
                      ? memory_text("[%s]", text)
                      : memory_text("$%s", text);
    const bool found = jm_debug_evaluate(dap->debug, other, value);
    free(other);
    return found || jm_debug_evaluate(dap->debug, text, value);
}

/* `points`: it is an address, and not a number that could be one. */
static json_t *value_body(const JmDebugState *at, const JmDebugValue *value,
                          bool points) {
    json_t *body = json_pack("{s:o,s:i}", "result", jvalue_text(value->text),
                             "variablesReference", 0);
    if (value->address != UINT32_MAX && points)
        json_object_set_new(body, "memoryReference",
                            place_reference(at->node, value->address, false));
    return body;
}

static bool evaluate_value(Dap *dap, const char *text, const JmDebugFrame *frame,
                           bool hover) {
    JmDebugValue value;
    const JmDebugState before = look_from(dap, frame);
    const bool good = hover ? hover_value(dap, text, &value)
                            : jm_debug_evaluate(dap->debug, text, &value);
    const JmDebugState at = jm_debug_state(dap->debug);
    look_back(dap, &before);
    if (!good)
        return dap_fail(dap, "%s", value.text);
    uint32_t address;
    const bool points = value.is_word ? jm_tag(value.word) != JM_TAG_INT
                                      : jm_symbol_word(dap->machine, text, &address);
    return dap_give(dap, value_body(&at, &value, points));
}

/* ---- commands -------------------------------------------------------------------- */

/* Does the lines of a text. The frame that the user looks at is selected if it is
 * another than before: `node` stays in force until then. */
static bool do_commands(Dap *dap, const char *text, const JmDebugFrame *frame) {
    const int64_t id = frame ? frame - dap->frames + 1 : 0;
    MemoryBytes answer = {0};
    bool good = true;
    if (id && id != dap->repl_frame)
        look_from(dap, frame);
    dap->repl_frame = id;
    memory_append(&answer, "", 0);
    dap_wait(dap, text, dap->request);
    for (bool more = true; more && good; text++) {
        const size_t length = strcspn(text, "\r\n");
        good = length == 0 || dap_do_users(dap, text, length);
        if (length)
            memory_append(&answer, dap->said.bytes, dap->said.length);
        text += length;
        more = *text != '\0';
    }
    dap_wait(dap, NULL, 0);
    if (good)
        dap_give(dap, json_pack("{s:o,s:i}", "result", jvalue_text(answer.bytes),
                                "variablesReference", 0));
    else
        dap_fail(dap, "%.*s", (int)(answer.length ? answer.length - 1 : 0),
                 answer.bytes);
    free(answer.bytes);
    return good;
}

bool request_evaluate(Dap *dap, const json_t *arguments) {
    const JmDebugFrame *frame;
    const char *text, *context = "watch";
    if (!want_text(dap, arguments, "expression", &text) ||
        !may_text(dap, arguments, "context", &context) ||
        !may_frame(dap, arguments, &frame))
        return false;
    if (strcmp(context, "repl") == 0)
        return do_commands(dap, text, frame);
    return evaluate_value(dap, text, frame, strcmp(context, "hover") == 0);
}

bool request_setExpression(Dap *dap, const json_t *arguments) {
    const JmDebugFrame *frame;
    const char *text, *value;
    if (!want_text(dap, arguments, "expression", &text) ||
        !want_text(dap, arguments, "value", &value) ||
        !may_frame(dap, arguments, &frame))
        return false;
    const JmDebugState before = look_from(dap, frame);
    const bool good = variable_set(dap, text, value);
    look_back(dap, &before);
    return good;
}

/* ---- completion ------------------------------------------------------------------ */

/* Returns the byte at which a column of UTF-16 units stands. */
static size_t byte_at(const char *text, int64_t units) {
    size_t at = 0;
    for (; units > 0 && text[at]; units--) {
        const unsigned char first = (unsigned char)text[at++];
        units -= first >= 0xF0;
        while (((unsigned char)text[at] & 0xC0) == 0x80)
            at++;
    }
    return at;
}

/* Completes the word in front of a column. */
bool request_completions(Dap *dap, const json_t *arguments) {
    const char *text;
    int64_t column;
    if (!want_text(dap, arguments, "text", &text) ||
        !want_number(dap, arguments, "column", &column))
        return false;
    const size_t end = byte_at(text, column - !dap->columns_from_0);
    char *line = memory_text("%.*s", (int)end, text), *found;
    size_t start = end;
    while (start > 0 && !strchr(" \t\n", line[start - 1]))
        start--;
    json_t *targets = json_array();
    for (unsigned i = 0; (found = jm_debug_complete(dap->debug, line, start, i)); i++) {
        const int64_t word = (int64_t)(end - start);
        json_array_append_new(targets,
                              json_pack("{s:o,s:I,s:I}", "label", jvalue_text(found),
                                        "start", (json_int_t)(column - word), "length",
                                        (json_int_t)word));
        free(found);
    }
    free(line);
    return dap_give(dap, json_pack("{s:o}", "targets", targets));
}
