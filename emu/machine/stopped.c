/* Nodes that have stopped: what happened there first. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/sourcetext.h"
#include "emu/machine/explain.h"

enum {
    EXPLAINED_GROUPS = 16,
    NAMED_RANGES = 16,
    SHOWN_WORDS = 8,
    NAME_MAX = 256,
    PLACE_MAX = 300,
    DETAILS_MAX = 1024
};

/* ---- what happened --------------------------------------------------------------- */

/* The fault outside fault mode that led to the stop; NULL: the stop itself is all. */
static const NodeFault *first_fault(const Node *node) {
    return node->stop.noted ? &node->fault[node->stop.context] : NULL;
}

static uint64_t first_cycle(const Node *node) {
    const NodeFault *first = first_fault(node);
    return first ? first->cycle : node->stop.cycle;
}

static bool same_place(uint32_t address_a, bool low_a, uint32_t address_b, bool low_b) {
    return address_a == address_b && low_a == low_b;
}

/* Whether two stopped nodes tell the same but for cycles, operands and messages. */
static bool same_report(const Node *a, const Node *b) {
    const NodeStop *s = &a->stop, *t = &b->stop;
    const NodeFault *f = first_fault(a), *g = first_fault(b);
    if (s->why != t->why || s->context != t->context || s->fault != t->fault ||
        s->in_fault != t->in_fault || !jm_same(s->word, t->word) || !f != !g ||
        !same_place(s->address, s->low, t->address, t->low))
        return false;
    return !f ||
           (f->fault == g->fault && same_place(f->address, f->low, g->address, g->low));
}

/* Faults that a handler is to repair: one that did not is worth a word. */
static bool is_repaired(JmFault fault) {
    return fault == JM_FAULT_QUEUE || fault == JM_FAULT_SEND ||
           fault == JM_FAULT_EARLY || fault == JM_FAULT_INTERRUPT;
}

/* ---- rows of one node ------------------------------------------------------------ */

/* Rows that tell one node from another, one below the other. */
typedef struct {
    char text[DETAILS_MAX];
    size_t length;
} Details;

static void add(Details *details, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(Details *details, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const size_t room = sizeof details->text - details->length;
    const int length = vsnprintf(details->text + details->length, room, format, args);
    va_end(args);
    details->length += (size_t)length < room ? (size_t)length : room - 1;
}

static void add_word(Details *details, const char *before, JmWord word) {
    char text[32];
    jm_word_print(word, text, sizeof text);
    add(details, "%s%s", before, text);
}

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

/* Where the words of a message lie: in the queue, which wraps, or in memory. */
typedef struct {
    const Node *node;
    const Priority *queue; /* NULL: in memory, */
    uint32_t base;         /* from here on */
} Hand;

static JmWord hand_word(const Hand *hand, uint32_t index) {
    const uint32_t place = hand->base + index;
    const uint32_t address =
        hand->queue ? node_queue_address(hand->queue, place) : place & JM_ADDRESS_MASK;
    return memory_read(&hand->node->memory, address);
}

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

/* What the task of a priority works on. */
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

/* A word that should have been a header. */
static void add_head(Details *details, const JmMachine *machine, const Node *node,
                     unsigned priority) {
    const Priority *queue = &node->priority[priority];
    const Hand hand = {node, queue, jm_field20(queue->qhl)};
    add(details, "  head of queue %u:", priority);
    add_word(details, " ", hand_word(&hand, 0));
    add(details, "\n");
    add_sender(details, machine, node, priority);
}

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

static void explain_source(const JmMachine *machine, const Explain *out,
                           uint32_t address, bool low) {
    char text[NAME_MAX];
    const char *file;
    int line;
    if (jm_instruction_line(machine, address, low, &file, &line) &&
        source_text_line(file, line, text, sizeof text))
        explain_row(out, "  %d | %s", line, text);
}

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
}

/* The queue holds only the message in hand, or more: then how long it is can no longer
 * be told. */
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
    else
        explain_row(out,
                    "  the routing word %u,%u,%u names no node of a %ux%ux%u machine",
                    jm_data(stop->word) & 31, jm_data(stop->word) >> 5 & 31,
                    jm_data(stop->word) >> 10 & 63, machine->config.size_x,
                    machine->config.size_y, machine->config.size_z);
}

/* ---- nodes with the same report -------------------------------------------------- */

typedef struct {
    const Node *node; /* the first */
    uint32_t nodes;
    uint64_t from, to; /* cycles in which it happened */
    Details details;   /* of the first */
    bool differ;       /* others have other ones */
} Group;

typedef struct {
    Group group[EXPLAINED_GROUPS];
    unsigned groups;
    uint32_t others; /* nodes that found no place */
} Groups;

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

static bool is_in(const Group *group, const Node *node) {
    return explain_has_stopped(node) && same_report(group->node, node);
}

/* Whether a node that runs is in the handler of the fault that stopped the group: where
 * every node takes the same fault, the run ends when the first of them has told it. */
static bool takes_the_same(const Group *group, const Node *node) {
    const NodeFault *first = first_fault(group->node);
    const NodeFault *taken = &node->fault[node->running];
    const Context *context = &node->context[node->running];
    return first && !is_repaired(first->fault) && !explain_has_stopped(node) &&
           node->running == group->node->stop.context && taken->taken &&
           (jm_data(context->ip) & JM_IP_FAULT) && jm_same(context->fip, taken->fip) &&
           taken->fault == first->fault &&
           same_place(taken->address, taken->low, first->address, first->low);
}

typedef bool Member(const Group *group, const Node *node);

static unsigned count_members(const JmMachine *machine, const Group *group,
                              Member *member) {
    unsigned count = 0;
    for (unsigned i = 0; i < machine->nodes; i++)
        count += member(group, &machine->node[i]);
    return count;
}

/* "nodes 0-3,7,9-511": the ranks of `count` members. */
static void print_ranges(const JmMachine *machine, const Group *group, Member *member,
                         unsigned count, char *text, size_t size) {
    size_t length = (size_t)snprintf(text, size, count == 1 ? "node " : "nodes ");
    unsigned ranges = 0, named = 0;
    for (unsigned i = 0; i < machine->nodes && ranges < NAMED_RANGES; i++) {
        if (!member(group, &machine->node[i]))
            continue;
        const unsigned first = i;
        while (i + 1 < machine->nodes && member(group, &machine->node[i + 1]))
            i++;
        length += (size_t)snprintf(text + length, size - length,
                                   first < i ? "%s%u-%u" : "%s%u", ranges ? "," : "",
                                   first, i);
        ranges++;
        named += i - first + 1;
    }
    if (named < count)
        snprintf(text + length, size - length, " and %u more", count - named);
}

/* One node by its name, several by their ranks. */
static void print_nodes(const JmMachine *machine, const Group *group, char *text,
                        size_t size) {
    if (group->nodes == 1)
        explain_node(machine, group->node->rank, text, size);
    else
        print_ranges(machine, group, is_in, group->nodes, text, size);
}

static void explain_others(const JmMachine *machine, const Explain *out,
                           const Group *group) {
    char name[NAME_MAX];
    const unsigned count = count_members(machine, group, takes_the_same);
    if (!count)
        return;
    print_ranges(machine, group, takes_the_same, count, name, sizeof name);
    explain_row(out, "  %s took the same fault, and had not stopped yet", name);
}

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

static void explain_group(const JmMachine *machine, const Explain *out, Group *group) {
    char name[NAME_MAX], cycles[64];
    const Node *node = group->node;
    const NodeFault *first = first_fault(node);
    print_nodes(machine, group, name, sizeof name);
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
    if (out->chain || !first || is_repaired(first->fault))
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
