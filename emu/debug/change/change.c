/* Commands that change registers, memory and messages, block queues and wires, and edit
 * the contents of queues, so that a user can provoke SEND faults, overflows and
 * deadlocks. Every change goes through travel_change() and is one of a few kinds, so
 * that replay can repeat it. */
#include <ctype.h>
#include <string.h>

#include "emu/debug/past/past.h"
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

/* Takes "= EXPRESSION" up to the end of the line, as a word. False and a message. */
static bool take_new_word(Args *args, JmWord *word) {
    Value value;
    if (!take_equals(args))
        return false;
    const char *at = next_at(args);
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
    Place place;
    Value value;
    JmWord word = JM_NIL;
    const char *start = next_at(args);
    if (!take_place(args, &place) || !take_equals(args))
        return false;
    const char *at = next_at(args);
    if (!take_value(args, &value) || !expect_end(args))
        return false;
    if (place.kind == PLACE_REGISTER)
        return word_for_register(args, at, &place, &value, &word) &&
               set_checked(args, start, &place, word);
    if (place.kind == PLACE_MEMORY)
        return word_for(args, at, &value, &word) &&
               set_checked(args, start, &place, word);
    for (unsigned i = 0; own_variable(i); i++)
        if (strcmp(own_variable(i), place.name) == 0)
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
    const uint32_t rounded = node_in_rows(words);
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
        change->words = heap_grow(args->d->work, change->words, change->count,
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
        !has_room(d, change.node, change.priority, change.count))
        return false;
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
    const int fault = take_choice(args, "INTERRUPT DRAMERR");
    if (fault < 0)
        return false;
    change.fault = fault == 0 ? JM_FAULT_INTERRUPT : JM_FAULT_DRAMERR;
    if (!at_end(args) && (!take_node(args, &change.node) || !expect_end(args)))
        return false;
    travel_change(d, change);
    return true;
}

/* ---- block, unblock -------------------------------------------------------------- */

/* Blocks or frees a queue by the I bit of QBM, which closes its network input, as a
 * program could. */
static bool block_queue(JmDebug *d, Args *args, bool on) {
    unsigned node;
    int64_t priority;
    if (!take_node(args, &node) ||
        !take_number(args, "the priority", 0, 1, &priority) || !expect_end(args))
        return false;
    const JmContext context = (JmContext)priority;
    const JmWord qbm = jm_register(d->machine, node, context, JM_REG_QBM);
    const uint32_t data = jm_data(qbm) & ~JM_ADDR_INVALID;
    travel_change(
        d, (Change){.kind = CHANGE_REGISTER,
                    .node = node,
                    .context = context,
                    .reg = JM_REG_QBM,
                    .word = jm_word(JM_TAG_ADDR, data | (on ? JM_ADDR_INVALID : 0))});
    return true;
}

/* Takes a direction like "+X": a dimension, and whether it goes up. */
static bool take_direction(Args *args, unsigned *dimension, bool *up) {
    static const char letters[] = "XYZ";
    const char *at = next_at(args);
    const char *letter =
        *at ? memchr(letters, toupper((unsigned char)at[1]), strlen(letters)) : NULL;
    if ((*at != '+' && *at != '-') || !letter ||
        (at[2] && !isspace((unsigned char)at[2])))
        return fail_at(args, at, "a direction expected: +X -X +Y -Y +Z or -Z");
    args->at += 2;
    *dimension = (unsigned)(letter - letters);
    *up = *at == '+';
    return true;
}

/* Whether the mesh has a wire in that direction. */
static bool has_wire(const JmDebug *d, unsigned node, unsigned dimension, bool up) {
    const JmConfig *c = &d->machine->config;
    const unsigned size[3] = {c->size_x, c->size_y, c->size_z};
    unsigned at[3];
    jm_node_position(d->machine, node, &at[0], &at[1], &at[2]);
    return up ? at[dimension] + 1 < size[dimension] : at[dimension] > 0;
}

/* Blocks or frees one direction of a wire. */
static bool block_wire(JmDebug *d, Args *args, bool on) {
    Change change = {.kind = CHANGE_WIRE, .blocked = on};
    if (!take_node(args, &change.node))
        return false;
    const char *at = next_at(args);
    if (!take_direction(args, &change.dimension, &change.up) || !expect_end(args))
        return false;
    if (!has_wire(d, change.node, change.dimension, change.up))
        return fail_at(args, at, "the mesh ends there: %s has no such wire",
                       node_text(d, change.node));
    if (net_link_blocked(netif_network(d->machine), change.node, change.dimension,
                         change.up) == on)
        return fail_at(args, at, "this wire is%s blocked", on ? " already" : " not");
    travel_change(d, change);
    return true;
}

/* Calls `function` for each blocked direction of a wire. False: there is none. */
static bool for_blocked(JmDebug *d, void (*function)(JmDebug *d, const Change *wire)) {
    const Net *net = netif_network(d->machine);
    bool any = false;
    for (unsigned i = 0; net_blocked_links(net) && i < d->machine->nodes * 6; i++) {
        const Change wire = {.kind = CHANGE_WIRE,
                             .node = i / 6,
                             .dimension = i / 2 % 3,
                             .up = i % 2 == 0};
        if (!net_link_blocked(net, wire.node, wire.dimension, wire.up))
            continue;
        any = true;
        function(d, &wire);
    }
    return any;
}

static void free_wire(JmDebug *d, const Change *wire) {
    travel_change(d, *wire);
}

bool cmd_block(JmDebug *d, Args *args) {
    const int what = take_choice(args, "queue wire");
    return what == 0 ? block_queue(d, args, true)
                     : what == 1 && block_wire(d, args, true);
}

bool cmd_unblock(JmDebug *d, Args *args) {
    const int what = take_choice(args, "queue wire wires");
    if (what == 0)
        return block_queue(d, args, false);
    if (what == 1)
        return block_wire(d, args, false);
    if (what < 0 || !expect_end(args))
        return false;
    return for_blocked(d, free_wire) || fail(d, "no wire is blocked");
}

static void say_blocked_wire(JmDebug *d, const Change *wire) {
    say(d, "the wire from %s to %c%c\n", node_text(d, wire->node), wire->up ? '+' : '-',
        "XYZ"[wire->dimension]);
}

/* `info blocked`: blocked wires, and queues that have a size but let nothing in. */
void info_blocked(JmDebug *d) {
    bool any = for_blocked(d, say_blocked_wire);
    for (unsigned i = 0; i < d->machine->nodes * 2; i++) {
        const uint32_t qbm = node_at(d, i / 2)->priority[i % 2].qbm;
        if (!(qbm & JM_ADDR_INVALID) || !jm_field10(qbm))
            continue;
        any = true;
        say(d, "queue %u of %s\n", i % 2, node_text(d, i / 2));
    }
    if (!any)
        say(d, "nothing is blocked\n");
}

/* ---- edit ------------------------------------------------------------------------ */

/* Whether the kernel's overflow token is behind a message. The kernel keeps the token's
 * address, so nothing before it may change in length. */
static bool token_is_behind(const JmDebug *d, unsigned node, unsigned priority,
                            JmDebugMessage item) {
    uint32_t token;
    if (!jm_symbol(d->machine, "overflow_token", &token))
        return false;
    while (queue_next(d, node, priority, &item))
        if (item.good && jm_field20(jm_data(item.header)) == token)
            return true;
    return false;
}

/* Whether a message may change in length: it must not be running, must have arrived
 * whole, and must not move the token. Otherwise false and a message. */
static bool can_edit(const Args *args, const char *at, unsigned node, unsigned priority,
                     const JmDebugMessage *item) {
    if (item->runs)
        return fail_at(args, at, "its task runs: only its words can be changed");
    if (!item->whole)
        return fail_at(args, at, "it has not arrived whole; `deliver` it first");
    if (token_is_behind(args->d, node, priority, *item))
        return fail_at(args, at,
                       "the kernel's overflow_token is behind it and would move");
    return true;
}

/* Makes the change that leaves `room` words to a message, 0 to drop it: its words, then
 * everything behind it in the queue. New words are NIL. */
static Change edited(const JmDebug *d, unsigned node, unsigned priority,
                     const JmDebugMessage *item, uint32_t room) {
    const Priority *queue = &node_at(d, node)->priority[priority];
    const uint32_t head = jm_field20(queue->qhl), length = jm_field10(queue->qhl);
    const uint32_t behind = length - item->position - item->room;
    Change change = {.kind = CHANGE_QUEUE,
                     .node = node,
                     .priority = priority,
                     .first = item->position,
                     .shift = (int32_t)room - (int32_t)item->room,
                     .drops = room == 0};
    size_t capacity = 0;
    for (uint32_t i = 0; i < room + behind; i++) {
        const uint32_t from = item->position + (i < room ? i : item->room + (i - room));
        const bool is_new = i < room && i >= item->room;
        change.words = heap_grow(d->work, change.words, change.count, &capacity,
                                 sizeof *change.words);
        change.words[change.count++] =
            is_new ? JM_NIL
                   : jm_read(d->machine, node, node_queue_address(queue, head + from));
    }
    return change;
}

/* `edit NODE PRIORITY INDEX word I = WORD`. */
static bool edit_word(JmDebug *d, Args *args, unsigned node, unsigned priority,
                      const JmDebugMessage *item) {
    const Priority *queue = &node_at(d, node)->priority[priority];
    int64_t index;
    JmWord word = JM_NIL;
    const uint32_t there = item->words < item->room ? item->words : item->room;
    if (!take_number(args, "the word", 0, there - 1, &index) ||
        !take_new_word(args, &word))
        return false;
    travel_change(d, (Change){.kind = CHANGE_MEMORY,
                              .node = node,
                              .address = node_queue_place(queue, item->position +
                                                                     (uint32_t)index),
                              .word = word});
    return true;
}

/* `edit NODE PRIORITY INDEX length N`: room and the length in the header change
 * together. */
static bool edit_length(JmDebug *d, Args *args, unsigned node, unsigned priority,
                        const JmDebugMessage *item, const char *at) {
    const Node *n = node_at(d, node);
    int64_t words;
    if (!take_number(args, "the length", 1, NODE_QUEUE_MAX_WORDS, &words) ||
        !expect_end(args) || !can_edit(args, at, node, priority, item))
        return false;
    const uint32_t room = node_in_rows((uint32_t)words);
    const uint32_t length = node_queue_length(n, priority) + room - item->room;
    if (length > node_queue_size(n, priority) || length > NODE_QUEUE_MAX_WORDS)
        return fail_at(args, at, "the queue has no room for that");
    Change change = edited(d, node, priority, item, room);
    change.words[0] =
        jm_word(JM_TAG_MSG,
                (jm_data(item->header) & ~(uint32_t)JM_LENGTH_MASK) | (uint32_t)words);
    travel_change(d, change);
    return true;
}

bool cmd_edit(JmDebug *d, Args *args) {
    unsigned node, priority;
    JmDebugMessage item;
    if (!take_queue_item(args, &node, &priority, &item))
        return false;
    const char *at = next_at(args);
    const int what = take_choice(args, "word length drop");
    if (what == 0)
        return edit_word(d, args, node, priority, &item);
    if (what == 1)
        return edit_length(d, args, node, priority, &item, at);
    if (what < 0 || !expect_end(args) || !can_edit(args, at, node, priority, &item))
        return false;
    travel_change(d, edited(d, node, priority, &item, 0));
    return true;
}
