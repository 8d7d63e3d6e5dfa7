/* Explains nodes that have stopped: what happened there first, because that is the
 * cause, and the stop may come much later. Nodes with the same report are grouped. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/sourcetext.h"
#include "emu/machine/stop/explain.h"

/* Limits of an explanation; anything beyond is counted, or cut off. */
enum {
    EXPLAINED_GROUPS = 16,
    SHOWN_WORDS = 8,
    NAME_MAX = 256,
    PLACE_MAX = 300,
    DETAILS_MAX = 1024
};

/* ---- what happened --------------------------------------------------------------- */

/* Returns the fault outside a handler that led to the stop, or NULL if there was only
 * the stop. */
static const NodeFault *first_fault(const Node *node) {
    return node->stop.noted ? &node->fault[node->stop.context] : NULL;
}

/* Whether such a fault became a CATASTROPHE because its own task was in fault mode. An
 * MSG fault is taken whatever F is. */
static bool was_in_fault_mode(const NodeFault *first) {
    return first->fault != JM_FAULT_MSG && (jm_data(first->fip) & JM_IP_FAULT) != 0;
}

/* Returns the cycle in which it happened. */
static uint64_t first_cycle(const Node *node) {
    const NodeFault *first = first_fault(node);
    return first ? first->cycle : node->stop.cycle;
}

static bool same_place(uint32_t address_a, bool low_a, uint32_t address_b, bool low_b) {
    return address_a == address_b && low_a == low_b;
}

/* Whether two stopped nodes have the same report apart from cycles, operands and
 * messages. */
static bool same_report(const Node *a, const Node *b) {
    const NodeStop *s = &a->stop, *t = &b->stop;
    const NodeFault *f = first_fault(a), *g = first_fault(b);
    if (s->why != t->why || s->context != t->context || s->fault != t->fault ||
        s->in_fault != t->in_fault || !jm_same(s->word, t->word) || !f != !g ||
        !same_place(s->address, s->low, t->address, t->low))
        return false;
    return !f ||
           (f->fault == g->fault && was_in_fault_mode(f) == was_in_fault_mode(g) &&
            same_place(f->address, f->low, g->address, g->low));
}

/* Whether a handler was expected to repair the fault: then the handler's failure
 * matters too. */
static bool is_repaired(const NodeFault *first) {
    const JmFault fault = first->fault;
    return !was_in_fault_mode(first) &&
           (fault == JM_FAULT_QUEUE || fault == JM_FAULT_SEND ||
            fault == JM_FAULT_EARLY || fault == JM_FAULT_INTERRUPT);
}

/* ---- rows of one node ------------------------------------------------------------ */

/* Rows of a report that may differ from node to node, each ending in a newline. */
typedef struct {
    char text[DETAILS_MAX];
    size_t length;
} Details;

static void add(Details *details, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends formatted text; it is cut off when the room is used up. */
static void add(Details *details, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const size_t room = sizeof details->text - details->length;
    const int length = vsnprintf(details->text + details->length, room, format, args);
    va_end(args);
    details->length += (size_t)length < room ? (size_t)length : room - 1;
}

/* Appends a word as "TAG:data" behind some text. */
static void add_word(Details *details, const char *before, JmWord word) {
    char text[32];
    jm_word_print(word, text, sizeof text);
    add(details, "%s%s", before, text);
}

/* Appends the faulting instruction with the values of its operands, if there is one. */
static void add_operands(Details *details, const NodeFault *fault) {
    char instruction[64];
    if (jm_same(fault->fir, JM_NIL))
        return;
    const JmDecoded d = jm_decode(jm_data(fault->fir) & 0x1FFFF);
    jm_disassemble(jm_data(fault->fir) & 0x1FFFF, instruction, sizeof instruction);
    add(details, "  %s:", instruction);
    add_word(details, " operand ", fault->fop0);
    if (jm_form_info(jm_op_info(d.op)->form)->has_rs) {
        add(details, ", r%u ", d.rs);
        add_word(details, "", fault->fop1);
    }
    add(details, "\n");
}

/* The message that a task works on: in the queue, where it wraps, or in memory. */
typedef struct {
    const Node *node;
    const Priority *queue; /* NULL: in memory */
    uint32_t base;         /* position in the queue, or address, of its first word */
} Hand;

/* Returns a word of the message. */
static JmWord hand_word(const Hand *hand, uint32_t index) {
    const uint32_t place = hand->base + index;
    const uint32_t address =
        hand->queue ? node_queue_address(hand->queue, place) : place & JM_ADDRESS_MASK;
    return memory_read(&hand->node->memory, address);
}

/* Appends the sender of the message at the head of a queue. After a QUEUE fault it is
 * unknown, because the overflow handler has emptied the queue. */
static void add_sender(Details *details, const JmMachine *machine, const Node *node,
                       unsigned priority) {
    char name[NAME_MAX];
    const int64_t sender = netif_sender(machine, node, priority);
    /* An overflow handler empties the queue. */
    if (sender < 0 || node->statistics.faults[JM_FAULT_QUEUE])
        return;
    explain_node(machine, (unsigned)sender, name, sizeof name);
    add(details, "  it was sent by %s\n", name);
}

/* Appends the message: its handler, its length by its header, and its first words. */
static void add_words(Details *details, const JmMachine *machine, const Hand *hand,
                      uint32_t available) {
    char place[PLACE_MAX];
    const JmWord header = hand_word(hand, 0);
    const uint32_t length = jm_field10(jm_data(header));
    explain_place(machine, jm_field20(jm_data(header)), false, place, sizeof place);
    add(details, "  message in hand: to %s, %u word%s", place, length,
        length == 1 ? "" : "s");
    const uint32_t there = length < available ? length : available;
    for (uint32_t i = 0; i < there && i < SHOWN_WORDS; i++)
        add_word(details, i ? " " : ": ", hand_word(hand, i));
    if (there > SHOWN_WORDS)
        add(details, " ...");
    if (there < length)
        add(details, " (%u of them in the queue)", there);
    add(details, "\n");
}

/* Appends the message that the task of a priority works on. A task whose message was
 * moved to memory has Q = 0, and A3 leads to it. */
static void add_message(Details *details, const JmMachine *machine, const Node *node,
                        unsigned priority) {
    const Priority *queue = &node->priority[priority];
    const JmWord a3 = node->context[priority].a[3];
    Hand hand = {node, queue, jm_field20(queue->qhl)};
    if (!queue->active)
        return;
    if (queue->q) {
        if (jm_tag(hand_word(&hand, 0)) != JM_TAG_MSG)
            return;
        add_words(details, machine, &hand, node_queue_length(node, priority));
        add_sender(details, machine, node, priority);
        return;
    }
    hand = (Hand){node, NULL, jm_field20(jm_data(a3))};
    if (jm_tag(a3) == JM_TAG_ADDR && jm_tag(hand_word(&hand, 0)) == JM_TAG_MSG)
        add_words(details, machine, &hand, UINT32_MAX);
}

/* Appends the word that should have been a header, after an MSG fault. */
static void add_head(Details *details, const JmMachine *machine, const Node *node,
                     unsigned priority) {
    const Priority *queue = &node->priority[priority];
    const Hand hand = {node, queue, jm_field20(queue->qhl)};
    add(details, "  head of queue %u:", priority);
    add_word(details, " ", hand_word(&hand, 0));
    add(details, "\n");
    add_sender(details, machine, node, priority);
}

/* Collects the rows of a node's report that may differ from those of others. */
static Details details_of(const JmMachine *machine, const Node *node) {
    Details details = {.length = 0};
    const NodeFault *first = first_fault(node);
    const JmContext context = node->stop.context;
    if (first)
        add_operands(&details, first);
    if (context == JM_CONTEXT_BACKGROUND)
        return details;
    if (first && first->fault == JM_FAULT_MSG)
        add_head(&details, machine, node, context);
    else
        add_message(&details, machine, node, context);
    return details;
}

/* ---- rows that nodes share ------------------------------------------------------- */

/* Shows the line of source of an instruction, if the file can be read. */
static void explain_source(const JmMachine *machine, const Explain *out,
                           uint32_t address, bool low) {
    char text[NAME_MAX];
    const char *file;
    int line;
    if (!jm_instruction_line(machine, address, low, &file, &line))
        return;
    const bool newer = jm_source_is_newer(machine, file);
    *out->newer |= newer;
    if (!newer && source_text_line(file, line, text, sizeof text))
        explain_row(out, "  %d | %s", line, text);
}

/* Explains how a fault became a CATASTROPHE, and that a stop. */
static void explain_chain(const JmMachine *machine, const Explain *out,
                          const Node *node) {
    char place[PLACE_MAX], word[32];
    const NodeStop *stop = &node->stop;
    const char *name = jm_fault_name(stop->fault);
    explain_place(machine, stop->address, stop->low, place, sizeof place);
    jm_word_print(stop->word, word, sizeof word);
    if (stop->in_fault && stop->noted)
        explain_row(out, "  -> %s in its handler, cycle %llu, at %s: %s", name,
                    (unsigned long long)stop->cycle, place, jm_fault_text(stop->fault));
    if (stop->in_fault)
        explain_row(out, "  -> CATASTROPHE: %s was raised in fault mode (F = 1)", name);
    else if (stop->fault != JM_FAULT_CATASTROPHE)
        explain_row(out, "  -> CATASTROPHE: the vector of %s is not an IP word", name);
    explain_row(out, "  -> stopped: the vector of CATASTROPHE is %s, not an IP word",
                word);
}

/* Explains which fault happened where. */
static void explain_fault(const JmMachine *machine, const Explain *out,
                          const Node *node, const char *name, const char *cycles) {
    char place[PLACE_MAX];
    const NodeStop *stop = &node->stop;
    const NodeFault *first = first_fault(node);
    const JmFault fault = first ? first->fault : stop->fault;
    const uint32_t address = first ? first->address : stop->address;
    const bool low = first ? first->low : stop->low;
    explain_place(machine, address, low, place, sizeof place);
    explain_row(out, "%s: fault %s in %s, %s, at %s", name, jm_fault_name(fault),
                cycles, explain_context(stop->context), place);
    explain_source(machine, out, address, low);
    explain_row(out, "  %s", jm_fault_text(fault));
    if (first && was_in_fault_mode(first))
        explain_row(out, "  in fault mode (F = 1) this is a CATASTROPHE");
}

/* Explains an EARLY fault that never ends. If the queue holds only the current message,
 * its true length is known; otherwise only that of all messages together. */
static void explain_short(const Explain *out, const Node *node) {
    const Priority *state = &node->priority[node->stop.context];
    const uint32_t promised =
        jm_field10(jm_data(node->context[node->stop.context].a[3]));
    const uint32_t queued = node_queue_length(node, node->stop.context);
    if (queued < state->came + NODE_ROW_WORDS)
        explain_row(
            out,
            "  EARLY can never end: the message has come whole, with %u word%s, "
            "and its header says %u",
            state->came, state->came == 1 ? "" : "s", promised);
    else
        explain_row(
            out,
            "  EARLY can never end: all messages in the queue are whole, %u words "
            "with padding, and the header of the first says %u",
            queued, promised);
}

/* Explains a stop that is not a CATASTROPHE. */
static void explain_other(const JmMachine *machine, const Explain *out,
                          const Node *node, const char *name, const char *cycles) {
    char place[PLACE_MAX];
    const NodeStop *stop = &node->stop;
    explain_place(machine, stop->address, stop->low, place, sizeof place);
    explain_row(out, "%s: stopped in %s, %s, at %s", name, cycles,
                explain_context(stop->context), place);
    explain_source(machine, out, stop->address, stop->low);
    if (stop->why == NODE_BACKGROUND_SUSPEND)
        explain_row(out, "  SUSPEND in background: there is no task to end");
    else if (stop->why == NODE_SHORT_MESSAGE)
        explain_short(out, node);
    else if (stop->why == NODE_LONG_MESSAGE)
        explain_row(out,
                    "  the message at the head of queue 0 has %u words by its header; "
                    "the marks let in no more than %u of a message",
                    jm_field10(jm_data(stop->word)), node_longest_message(node));
    else
        explain_row(out,
                    "  the routing word %u,%u,%u names no node of a %ux%ux%u machine",
                    jm_data(stop->word) & 31, jm_data(stop->word) >> 5 & 31,
                    jm_data(stop->word) >> 10 & 63, machine->config.size_x,
                    machine->config.size_y, machine->config.size_z);
}

/* ---- nodes with the same report -------------------------------------------------- */

/* Nodes that have the same report. */
typedef struct {
    const Node *node; /* the first of them, in the order of ranks */
    uint32_t nodes;
    uint64_t from, to; /* cycles in which it happened */
    Details details;   /* of the first */
    bool differ;       /* details of some other node differ */
} Group;

/* Groups in the order of their first nodes. */
typedef struct {
    Group group[EXPLAINED_GROUPS];
    unsigned groups;
    uint32_t others; /* nodes for whose reports no group was left */
} Groups;

/* Adds a node to its group. */
static void join_group(const JmMachine *machine, Group *group, const Node *node) {
    const uint64_t cycle = first_cycle(node);
    group->nodes++;
    group->from = cycle < group->from ? cycle : group->from;
    group->to = cycle > group->to ? cycle : group->to;
    if (!group->differ) {
        const Details details = details_of(machine, node);
        group->differ = strcmp(details.text, group->details.text) != 0;
    }
}

/* Finds the group of a node, or makes one. */
static void sort_in(const JmMachine *machine, Groups *groups, const Node *node) {
    for (unsigned i = 0; i < groups->groups; i++)
        if (same_report(groups->group[i].node, node)) {
            join_group(machine, &groups->group[i], node);
            return;
        }
    if (groups->groups == EXPLAINED_GROUPS) {
        groups->others++;
        return;
    }
    groups->group[groups->groups++] = (Group){.node = node,
                                              .nodes = 1,
                                              .from = first_cycle(node),
                                              .to = first_cycle(node),
                                              .details = details_of(machine, node)};
}

static bool is_in(const void *context, const Node *node) {
    const Group *group = context;
    return explain_has_stopped(node) && same_report(group->node, node);
}

/* Whether a running node is in the handler of the fault that stopped the group. If
 * every node takes the same fault, the run ends when the first of them has reported
 * it. */
static bool takes_the_same(const void *context_group, const Node *node) {
    const Group *group = context_group;
    const NodeFault *first = first_fault(group->node);
    const NodeFault *taken = &node->fault[node->running];
    const Context *context = &node->context[node->running];
    return first && !is_repaired(first) && !explain_has_stopped(node) &&
           node->running == group->node->stop.context && taken->taken &&
           (jm_data(context->ip) & JM_IP_FAULT) && jm_same(context->fip, taken->fip) &&
           taken->fault == first->fault &&
           same_place(taken->address, taken->low, first->address, first->low);
}

/* Names the nodes that took the same fault and are still running. */
static void explain_others(const JmMachine *machine, const Explain *out,
                           const Group *group) {
    char name[NAME_MAX];
    if (!explain_nodes_where(machine, takes_the_same, group, name, sizeof name))
        return;
    explain_row(out, "  %s took the same fault, and had not stopped yet", name);
}

/* Writes the details of the first node; it is named if others differ. */
static void explain_details(const JmMachine *machine, const Explain *out,
                            Group *group) {
    char name[NAME_MAX];
    explain_node(machine, group->node->rank, name, sizeof name);
    if (group->differ)
        explain_row(out, "  on %s:", name);
    for (char *row = group->details.text; *row;) {
        char *end = strchr(row, '\n');
        if (end)
            *end = '\0';
        explain_row(out, "%s%s", group->differ ? "  " : "", row);
        row = end ? end + 1 : row + strlen(row);
    }
}

/* Writes the whole report of a group. */
static void explain_group(const JmMachine *machine, const Explain *out, Group *group) {
    char name[NAME_MAX], cycles[64];
    const Node *node = group->node;
    const NodeFault *first = first_fault(node);
    explain_nodes_where(machine, is_in, group, name, sizeof name);
    if (group->from == group->to)
        snprintf(cycles, sizeof cycles, "cycle %llu", (unsigned long long)group->from);
    else
        snprintf(cycles, sizeof cycles, "cycles %llu to %llu",
                 (unsigned long long)group->from, (unsigned long long)group->to);
    if (node->stop.why != NODE_CATASTROPHE) {
        explain_other(machine, out, node, name, cycles);
        explain_details(machine, out, group);
        return;
    }
    explain_fault(machine, out, node, name, cycles);
    explain_details(machine, out, group);
    explain_others(machine, out, group);
    if (out->chain || !first || is_repaired(first))
        explain_chain(machine, out, node);
    else if (!node->stop.in_fault)
        explain_row(out, "  nobody handles it: neither its vector nor that of "
                         "CATASTROPHE is an IP word");
}

void explain_stopped(const JmMachine *machine, const Explain *out) {
    Groups *groups = calloc(1, sizeof *groups);
    if (!groups) {
        explain_row(out, "no memory to name the nodes that have stopped");
        return;
    }
    for (unsigned i = 0; i < machine->nodes; i++)
        if (explain_has_stopped(&machine->node[i]))
            sort_in(machine, groups, &machine->node[i]);
    for (unsigned i = 0; i < groups->groups; i++)
        explain_group(machine, out, &groups->group[i]);
    if (groups->others)
        explain_row(out, "and %u more stopped nodes", groups->others);
    free(groups);
}
