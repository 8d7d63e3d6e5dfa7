/* Commands that change registers, memory and messages. Every change goes through
 * travel_change() and is one of a few kinds, so that replay can repeat it. */
#include <string.h>

#include "emu/debug/change/change.h"
#include "emu/debug/past/track.h"
#include "emu/debug/talk/names.h"
#include "net/net.h"

/* ---- set ------------------------------------------------------------------------- */

static bool take_equals(Args *args) {
    skip_blanks(args);
    if (*args->at != '=' || args->at[1] == '=')
        return fail_at(args, args->at, "'=' expected");
    args->at++;
    return true;
}

/* Converts a value to a word; a plain number becomes an INT. False and a message if it
 * does not fit 32 bits. */
static bool word_for(Args *args, const char *at, const Value *value, JmWord *word) {
    if (value->is_word) {
        *word = value->word;
        return true;
    }
    if (value->number < INT32_MIN || value->number > UINT32_MAX)
        return fail_at(args, at, "%" PRId64 " does not fit 32 bits", value->number);
    *word = jm_word(JM_TAG_INT, (uint32_t)value->number);
    return true;
}

static bool is_flag(JmReg r) {
    return r == JM_REG_P || r == JM_REG_B || r == JM_REG_I || r == JM_REG_F ||
           r == JM_REG_U || r == JM_REG_Q;
}

/* Converts a value to a word for a register: a BOOL for a flag; for an IP a plain
 * number is the address of code, and the flags stay. */
static bool word_for_register(Args *args, const char *at, const Place *place,
                              const Value *value, JmWord *word) {
    const JmReg r = place->reg;
    const bool is_ip = r == JM_REG_IP || r == JM_REG_FIP;
    if (!word_for(args, at, value, word))
        return false;
    const bool is_bit = jm_tag(*word) == JM_TAG_BOOL || jm_data(*word) <= 1;
    if (is_flag(r) && !is_bit)
        return fail_at(args, at, "%s is one bit", jm_reg_name(r));
    if (is_flag(r))
        *word = jm_word(JM_TAG_BOOL, jm_data(*word) & 1);
    if (!is_ip || value->is_word)
        return true;
    if (value_address(value) == UINT32_MAX)
        return fail_at(args, at, "no address: memory is 0..0xFFFFF");
    const JmWord now = jm_register(args->d->machine, place->node, place->context, r);
    *word = jm_ip(value_address(value),
                  JM_IP_ABSOLUTE |
                      (jm_data(now) & (uint32_t)(JM_IP_UNCHECKED | JM_IP_FAULT)));
    return true;
}

bool take_new_word(Args *args, JmWord *word) {
    Value value;
    if (!take_equals(args))
        return false;
    skip_blanks(args);
    const char *at = args->at;
    return take_value(args, &value) && expect_end(args) &&
           word_for(args, at, &value, word);
}

/* Sets a word of memory or a register after checking that it exists. */
static bool set_checked(Args *args, const char *at, const Place *place, JmWord word) {
    JmDebug *d = args->d;
    const bool machine_word = place->kind == PLACE_MEMORY;
    const uint32_t host = place->address - NODE_HOST_PAGE;
    if (machine_word && d->machine->config.host_page && host < NODE_HOST_WORDS)
        return fail_at(args, at, "this is the host's page, not memory");
    const bool in_background = place->context == JM_CONTEXT_BACKGROUND;
    const JmReg r = place->reg;
    if (!machine_word && in_background &&
        (r == JM_REG_QBM || r == JM_REG_QHL || r == JM_REG_Q ||
         (r >= JM_REG_ID0 && r <= JM_REG_ID3) || (r >= JM_REG_FIR && r <= JM_REG_FOP1)))
        return fail_at(args, at, "background has no %s; say $%s.0 or .1",
                       jm_reg_name(r), jm_reg_name(r));
    travel_change(d, (Change){.kind = machine_word ? CHANGE_MEMORY : CHANGE_REGISTER,
                              .node = place->node,
                              .address = place->address,
                              .context = place->context,
                              .reg = place->reg,
                              .word = word});
    return true;
}

bool cmd_set(JmDebug *d, Args *args) {
    static const char *const own[] = {"cycle",   "node",    "nodes",
                                      "context", "running", "old"};
    Place place;
    Value value;
    JmWord word = JM_NIL;
    skip_blanks(args);
    const char *start = args->at;
    if (!take_place(args, &place) || !take_equals(args))
        return false;
    skip_blanks(args);
    const char *at = args->at;
    if (!take_value(args, &value) || !expect_end(args))
        return false;
    if (place.kind == PLACE_REGISTER)
        return word_for_register(args, at, &place, &value, &word) &&
               set_checked(args, start, &place, word);
    if (place.kind == PLACE_MEMORY)
        return word_for(args, at, &value, &word) &&
               set_checked(args, start, &place, word);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(own[i], place.name) == 0)
            return fail_at(args, start, "$%s is the debugger's own", place.name);
    set_variable(d, place.name, value);
    return true;
}

/* ---- inject ---------------------------------------------------------------------- */

/* Whether part of a message has arrived in a queue. A message put in then would end up
 * inside it. */
static bool is_arriving(const JmDebug *d, unsigned node, unsigned priority) {
    const Net *net = netif_network(d->machine);
    const uint32_t most = net_message_numbers(net);
    if (d->machine->node[node].priority[priority].gathered)
        return true;
    for (uint32_t i = 0; i < most; i++) {
        NetMessageState m;
        if (message_flies(net, i, &m) && m.destination == node &&
            m.priority == priority && m.words_delivered > 0)
            return true;
    }
    return false;
}

/* Whether a message of `words` words can be put into a queue. Else false and a
 * message. */
static bool has_room(JmDebug *d, unsigned node, unsigned priority, uint32_t words) {
    const Node *n = node_at(d, node);
    const uint32_t rounded = (words + NODE_ROW_WORDS - 1) & ~(NODE_ROW_WORDS - 1u);
    const uint32_t after = node_queue_length(n, priority) + rounded;
    if (n->priority[priority].qbm & JM_ADDR_INVALID)
        return fail(d, "queue %u of node %u is disabled", priority, node);
    if (after > node_queue_size(n, priority) || after > NODE_QUEUE_MAX_WORDS)
        return fail(d, "queue %u of node %u has no room for %" PRIu32 " words",
                    priority, node, rounded);
    if (is_arriving(d, node, priority))
        return fail(d,
                    "a message is arriving in queue %u of node %u; `deliver` it first",
                    priority, node);
    return true;
}

/* Takes the words of a message up to the end of the line. */
static bool take_message(Args *args, Change *change) {
    size_t capacity = 0;
    while (!at_end(args)) {
        Value value;
        const char *at = args->at;
        change->words = text_grow(args->d->heap, change->words, change->count,
                                  &capacity, sizeof(JmWord));
        if (!take_value(args, &value) ||
            !word_for(args, at, &value, &change->words[change->count]))
            return false;
        change->count++;
        skip_blanks(args);
        args->at += *args->at == ',';
    }
    return change->count > 0 ||
           fail_at(args, args->at, "the header of a message expected");
}

bool cmd_inject(JmDebug *d, Args *args) {
    Change change = {.kind = CHANGE_MESSAGE};
    int64_t priority;
    if (!take_node(args, &change.node) ||
        !take_number(args, "the priority", 0, 1, &priority))
        return false;
    change.priority = (unsigned)priority;
    if (!take_message(args, &change) ||
        !has_room(d, change.node, change.priority, change.count)) {
        heap_free(change.words);
        return false;
    }
    const JmWord header = change.words[0];
    if (jm_tag(header) != JM_TAG_MSG || jm_field10(jm_data(header)) != change.count)
        say(d, "note: the header does not say MSG and %" PRIu32 " words\n",
            change.count);
    travel_change(d, change);
    return true;
}

/* ---- post ------------------------------------------------------------------------ */

bool cmd_post(JmDebug *d, Args *args) {
    Change change = {.kind = CHANGE_POST, .node = d->node};
    skip_blanks(args);
    const char *at = args->at;
    if (take_word(args, "INTERRUPT"))
        change.fault = JM_FAULT_INTERRUPT;
    else if (take_word(args, "DRAMERR"))
        change.fault = JM_FAULT_DRAMERR;
    else
        return fail_at(args, at, "INTERRUPT or DRAMERR expected");
    if (!at_end(args) && (!take_node(args, &change.node) || !expect_end(args)))
        return false;
    travel_change(d, change);
    return true;
}
