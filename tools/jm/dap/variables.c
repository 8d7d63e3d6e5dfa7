/* Scopes of a frame and the variables in them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"
#include "tools/jm/dap/dap.h"
#include "tools/jm/setup.h"

static const char *const context_suffixes[] = {"0", "1", "b"};

/* ---- scopes ---------------------------------------------------------------------- */

/* Keeps a scope; returns its variablesReference. */
static int64_t keep(Dap *dap, Scope scope) {
    for (size_t i = 0; i < dap->scope_count; i++)
        if (dap->scopes[i].kind == scope.kind && dap->scopes[i].node == scope.node &&
            dap->scopes[i].context == scope.context &&
            dap->scopes[i].priority == scope.priority &&
            dap->scopes[i].index == scope.index)
            return (int64_t)i + 1;
    dap->scopes = memory_more(dap->scopes, dap->scope_count, sizeof *dap->scopes);
    dap->scopes[dap->scope_count++] = scope;
    return (int64_t)dap->scope_count;
}

static void add_scope(Dap *dap, json_t *scopes, json_t *name, bool expensive,
                      Scope scope) {
    json_t *object = json_pack("{s:o,s:I,s:b}", "name", name, "variablesReference",
                               (json_int_t)keep(dap, scope), "expensive", expensive);
    if (scope.kind == SCOPE_REGISTERS)
        json_object_set_new(object, "presentationHint", jvalue_text("registers"));
    json_array_append_new(scopes, object);
}

/* Adds the registers of a frame's context, then those of the other contexts. */
static void add_registers(Dap *dap, json_t *scopes, unsigned node, JmContext context) {
    add_scope(dap, scopes, jvalue_text("Registers"), false,
              (Scope){.kind = SCOPE_REGISTERS, .node = node, .context = context});
    for (JmContext other = JM_CONTEXT_0; other <= JM_CONTEXT_BACKGROUND; other++)
        if (other != context)
            add_scope(dap, scopes,
                      jvalue_textf("Registers of %s", jm_context_name(other)), true,
                      (Scope){.kind = SCOPE_REGISTERS, .node = node, .context = other});
}

static void add_task_scopes(Dap *dap, json_t *scopes, const JmDebugFrame *frame) {
    const unsigned node = frame->node;
    add_registers(dap, scopes, node, frame->context);
    if (frame->context != JM_CONTEXT_BACKGROUND)
        add_scope(
            dap, scopes, jvalue_text("Message in hand"), false,
            (Scope){.kind = SCOPE_MESSAGE, .node = node, .priority = frame->context});
    for (unsigned priority = 0; priority < 2; priority++)
        add_scope(dap, scopes, jvalue_textf("Queue %u", priority), false,
                  (Scope){.kind = SCOPE_QUEUE, .node = node, .priority = priority});
    add_scope(dap, scopes, jvalue_text("Globals"), true,
              (Scope){.kind = SCOPE_GLOBALS, .node = node});
    add_scope(dap, scopes, jvalue_text("Node"), true,
              (Scope){.kind = SCOPE_NODE, .node = node});
}

/* A sender is a thing of the past: of it only its message is shown. */
bool request_scopes(Dap *dap, const json_t *arguments) {
    const JmDebugFrame *frame;
    if (!may_frame(dap, arguments, &frame))
        return false;
    if (!frame)
        return dap_fail(dap, "'frameId' is missing: an integer expected");
    json_t *scopes = json_array();
    if (frame->sender)
        add_scope(dap, scopes, jvalue_text("Message sent"), false,
                  (Scope){.kind = SCOPE_SENT,
                          .node = frame->node,
                          .index = (unsigned)(frame - dap->frames)});
    else
        add_task_scopes(dap, scopes, frame);
    return dap_give(dap, json_pack("{s:o}", "scopes", scopes));
}

/* ---- variables ------------------------------------------------------------------- */

/* Adds a variable with a text as its value. */
static json_t *add_text(json_t *variables, const char *name, json_t *value) {
    json_t *variable = json_pack("{s:o,s:o,s:i}", "name", jvalue_text(name), "value",
                                 value, "variablesReference", 0);
    json_array_append_new(variables, variable);
    return variable;
}

/* Adds a word of memory. */
static json_t *add_word(const Dap *dap, json_t *variables, const char *name,
                        unsigned node, uint32_t address) {
    const JmWord word = jm_read(dap->machine, node, address);
    json_t *variable =
        add_text(variables, name, jvalue_text(jm_debug_word_text(dap->debug, word)));
    json_object_set_new(variable, "evaluateName",
                        jvalue_textf("[0x%05" PRIX32 "]@%u", address, node));
    json_object_set_new(variable, "memoryReference",
                        place_reference(node, address, false));
    return variable;
}

/* Where a register is shown: once for each context, or of the node. */
typedef enum { OF_CONTEXT, OF_PRIORITY, OF_NODE } RegisterPlace;

static RegisterPlace place_of(JmReg reg) {
    switch (reg) {
    case JM_REG_TBM:
    case JM_REG_NNR:
    case JM_REG_MAR:
    case JM_REG_P:
    case JM_REG_B:
    case JM_REG_I:
        return OF_NODE;
    case JM_REG_ID0:
    case JM_REG_ID1:
    case JM_REG_ID2:
    case JM_REG_ID3:
    case JM_REG_FIR:
    case JM_REG_FOP0:
    case JM_REG_FOP1:
    case JM_REG_QBM:
    case JM_REG_QHL:
    case JM_REG_Q:
        return OF_PRIORITY;
    default:
        return OF_CONTEXT;
    }
}

static void add_register(const Dap *dap, json_t *variables, const Scope *scope,
                         JmReg reg, const char *what) {
    const RegisterPlace place = place_of(reg);
    if ((scope->kind == SCOPE_NODE) != (place == OF_NODE) ||
        (place == OF_PRIORITY && scope->context == JM_CONTEXT_BACKGROUND))
        return;
    const JmWord word = jm_register(dap->machine, scope->node, scope->context, reg);
    json_t *variable = add_text(variables, jm_reg_name(reg),
                                jvalue_text(jm_debug_word_text(dap->debug, word)));
    json_object_set_new(variable, "type", jvalue_text(what));
    json_object_set_new(
        variable, "evaluateName",
        place == OF_NODE ? jvalue_textf("$%s@%u", jm_reg_name(reg), scope->node)
                         : jvalue_textf("$%s.%s@%u", jm_reg_name(reg),
                                        context_suffixes[scope->context], scope->node));
    const uint32_t base = jm_field20(jm_data(word));
    if (jm_tag(word) == JM_TAG_ADDR)
        json_object_set_new(variable, "memoryReference",
                            place_reference(scope->node, base, false));
}

static void list_registers(Dap *dap, const Scope *scope, json_t *variables) {
#define REG(name, number, access, what)                                                \
    add_register(dap, variables, scope, JM_REG_##name, what);
#include "emu/isa/regs.def"
#undef REG
}

/* Adds the words of a message. */
static void list_message(Dap *dap, const Scope *scope, json_t *variables) {
    JmDebugMessage message;
    if (!jm_debug_message(dap->debug, scope->node, scope->priority, scope->index,
                          &message))
        return;
    for (uint32_t i = 0; i < message.there; i++) {
        char name[16];
        snprintf(name, sizeof name, "%" PRIu32, i);
        add_word(dap, variables, name, scope->node,
                 jm_debug_message_word(dap->debug, scope->node, scope->priority,
                                       &message, i));
    }
}

/* The message whose task runs or was interrupted is the first of its queue. */
static void list_hand(Dap *dap, const Scope *scope, json_t *variables) {
    JmDebugMessage message;
    if (jm_debug_message(dap->debug, scope->node, scope->priority, 0, &message) &&
        message.runs)
        list_message(dap, scope, variables);
}

static void list_queue(Dap *dap, const Scope *scope, json_t *variables) {
    JmDebugMessage message;
    for (unsigned i = 0;
         jm_debug_message(dap->debug, scope->node, scope->priority, i, &message); i++) {
        char name[16];
        snprintf(name, sizeof name, "%u", i);
        json_t *variable = add_text(
            variables, name,
            message.good
                ? jvalue_textf("%s%s%s", jm_debug_word_text(dap->debug, message.header),
                               message.runs ? ", runs" : "",
                               message.whole ? "" : ", arriving")
                : jvalue_textf("no header: %" PRIu32 " words", message.there));
        json_object_set_new(variable, "variablesReference",
                            json_integer(keep(dap, (Scope){.kind = SCOPE_QUEUED,
                                                           .node = scope->node,
                                                           .priority = scope->priority,
                                                           .index = i})));
        json_object_set_new(variable, "indexedVariables", json_integer(message.there));
    }
}

/* Adds the words that have names and are not code. */
static void list_globals(Dap *dap, const Scope *scope, json_t *variables) {
    const char *name;
    for (unsigned i = 0; (name = jm_symbol_name(dap->machine, i)); i++) {
        uint32_t address;
        if (jm_symbol_word(dap->machine, name, &address) &&
            !setup_is_code(dap->machine, address))
            add_word(dap, variables, name, scope->node, address);
    }
}

static void list_node(Dap *dap, const Scope *scope, json_t *variables) {
    JmNodeStatistics s;
    unsigned x, y, z;
    jm_node_statistics(dap->machine, scope->node, &s);
    jm_node_position(dap->machine, scope->node, &x, &y, &z);
    add_text(variables, "rank", jvalue_textf("%u", scope->node));
    add_text(variables, "position", jvalue_textf("%u,%u,%u", x, y, z));
    add_text(variables, "activity",
             jvalue_text(jm_debug_node(dap->debug, scope->node).activity));
    add_text(variables, "cycle", jvalue_textf("%" PRIu64, jm_now(dap->machine)));
    add_text(variables, "instructions", jvalue_textf("%" PRIu64, s.instructions));
    for (unsigned p = 0; p < 2; p++) {
        char name[32];
        snprintf(name, sizeof name, "messages in, %u", p);
        add_text(variables, name, jvalue_textf("%" PRIu64, s.messages_in[p]));
        snprintf(name, sizeof name, "messages out, %u", p);
        add_text(variables, name, jvalue_textf("%" PRIu64, s.messages_out[p]));
        snprintf(name, sizeof name, "words in queue %u", p);
        add_text(
            variables, name,
            jvalue_textf("%" PRIu32, jm_queue_words(dap->machine, scope->node, p)));
    }
    list_registers(dap, scope, variables);
}

static void list_sent(Dap *dap, const Scope *scope, json_t *variables) {
    const JmDebugFrame *frame = &dap->frames[scope->index];
    add_text(variables, "header",
             jvalue_text(jm_debug_word_text(dap->debug, frame->header)));
    add_text(variables, "cycle", jvalue_textf("%" PRIu64, frame->cycle));
    add_text(variables, "sender",
             jvalue_textf("node %u, %s", frame->node, jm_context_name(frame->context)));
}

/* Returns the variables of a scope; NULL after a failure. */
static json_t *variables_of(Dap *dap, int64_t reference) {
    static void (*const lists[])(Dap * dap, const Scope *scope, json_t *variables) = {
        [SCOPE_REGISTERS] = list_registers,
        [SCOPE_MESSAGE] = list_hand,
        [SCOPE_QUEUE] = list_queue,
        [SCOPE_QUEUED] = list_message,
        [SCOPE_GLOBALS] = list_globals,
        [SCOPE_NODE] = list_node,
        [SCOPE_SENT] = list_sent};
    if (reference < 1 || reference > (int64_t)dap->scope_count) {
        dap_fail(dap, "there is no scope %" PRId64 " now", reference);
        return NULL;
    }
    const Scope scope = dap->scopes[reference - 1]; /* more may be kept meanwhile */
    json_t *variables = json_array();
    lists[scope.kind](dap, &scope, variables);
    return variables;
}

/* Whether a range of a list is asked for, by the `filter` of variables by number. */
bool request_variables(Dap *dap, const json_t *arguments) {
    int64_t reference, start = 0, count = 0;
    if (!want_number(dap, arguments, "variablesReference", &reference) ||
        !may_number(dap, arguments, "start", &start) ||
        !may_number(dap, arguments, "count", &count))
        return false;
    if (start < 0 || count < 0)
        return dap_fail(dap, "'start' and 'count' are 0 or more");
    json_t *all = variables_of(dap, reference);
    if (!all)
        return false;
    const size_t end = count ? (size_t)(start + count) : json_array_size(all);
    json_t *some = json_array();
    for (size_t i = (size_t)start; i < end && i < json_array_size(all); i++)
        json_array_append(some, json_array_get(all, i));
    json_decref(all);
    return dap_give(dap, json_pack("{s:o}", "variables", some));
}

/* ---- setting --------------------------------------------------------------------- */

char *variable_expression(Dap *dap, int64_t reference, const char *name) {
    json_t *variables = variables_of(dap, reference), *variable;
    char *expression = NULL;
    size_t i;
    if (!variables)
        return NULL;
    json_array_foreach (variables, i, variable) {
        const char *text = json_string_value(json_object_get(variable, "evaluateName"));
        if (text &&
            strcmp(json_string_value(json_object_get(variable, "name")), name) == 0)
            expression = memory_text("%s", text);
    }
    json_decref(variables);
    if (!expression)
        dap_fail(dap, "'%s' is no register and no word", name);
    return expression;
}

/* Editors let the user change the text of a value, which is a word and, behind two
 * blanks, what it means: "INT:00000007  7". Takes of such a text the part that differs
 * from `before`, as the first `*length` bytes of what is returned. */
static const char *changed_part(const char *before, const char *value, size_t *length) {
    const char *blanks = strstr(value, "  ");
    *length = strlen(value);
    if (!strstr(before, "  ") || !blanks)
        return value;
    *length = (size_t)(blanks - value);
    if (strncmp(before, value, *length + 2) != 0 || strcmp(before, value) == 0)
        return value;
    *length = strlen(blanks);
    return blanks;
}

bool variable_set(Dap *dap, const char *expression, const char *value) {
    JmDebugValue now = {.text = ""};
    size_t length;
    jm_debug_evaluate(dap->debug, expression, &now);
    const char *part = changed_part(now.text, value, &length);
    if (!dap_do(dap, "set %s = %.*s", expression, (int)length, part))
        return dap_fail(dap, "%s", jm_debug_error(dap->debug));
    jm_debug_evaluate(dap->debug, expression, &now);
    return dap_give(dap, json_pack("{s:o}", "value", jvalue_text(now.text)));
}

bool request_setVariable(Dap *dap, const json_t *arguments) {
    int64_t reference;
    const char *name, *value;
    if (!want_number(dap, arguments, "variablesReference", &reference) ||
        !want_text(dap, arguments, "name", &name) ||
        !want_text(dap, arguments, "value", &value))
        return false;
    char *expression = variable_expression(dap, reference, name);
    if (!expression)
        return false;
    const bool good = variable_set(dap, expression, value);
    free(expression);
    return good;
}
