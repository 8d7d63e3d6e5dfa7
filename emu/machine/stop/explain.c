/* Explains in words why a machine stopped, or what it is doing. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "emu/core/printable.h"
#include "emu/core/sourcetext.h"
#include "emu/machine/calls_inline.h"
#include "emu/machine/machine.h"
#include "emu/machine/stop/deadlock.h"

/* Where rows of an explanation go. */
typedef struct {
    JmRowWriter *writer;
    void *context;
    bool chain;  /* also say how a fault became a stop */
    bool *newer; /* set if a line is not quoted: its file is newer than the image */
    Heap *heap;  /* for the explanation */
} Explain;

/* Writes a row of text; it is cut off after ROW_MAX characters. */
static void explain_row(const Explain *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- rows and names -------------------------------------------------------------- */

/* characters of a row; nodes of a deadlock that are explained */
enum { ROW_MAX = 512, EXPLAINED_NODES = 16, NAMED_RANGES = 16 };

static void explain_row(const Explain *out, const char *format, ...) {
    char text[ROW_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    out->writer(out->context, text);
}

/* Writes the name of a node: "node 5 (5,0,0)". */
static void explain_node(const JmMachine *machine, unsigned node, char *text,
                         size_t size) {
    unsigned x, y, z;
    jm_node_position(machine, node, &x, &y, &z);
    snprintf(text, size, "node %u (%u,%u,%u)", node, x, y, z);
}

unsigned machine_nodes_text(const JmMachine *machine, MachineMember *member,
                            const void *set, char *text, size_t size) {
    unsigned count = 0, named = 0, last = 0;
    size_t length = (size_t)snprintf(text, size, "nodes ");
    for (unsigned i = 0, ranges = 0; i < machine->nodes; i++) {
        if (!member(set, &machine->node[i]))
            continue;
        const unsigned first = i;
        while (i + 1 < machine->nodes && member(set, &machine->node[i + 1]))
            i++;
        count += i - first + 1;
        last = i;
        if (++ranges > NAMED_RANGES)
            continue;
        length += (size_t)snprintf(text + length, size - length,
                                   first < i ? "%s%u-%u" : "%s%u",
                                   ranges > 1 ? "," : "", first, i);
        named = count;
    }
    if (count == 1)
        explain_node(machine, last, text, size);
    else if (named < count)
        snprintf(text + length, size - length, " and %u more", count - named);
    return count;
}

/* Writes a place in the program, "01012 main+4 (prog.s:12)", for the first or second
 * (`low`) instruction of a word. */
static void explain_place(const JmMachine *machine, uint32_t address, bool low,
                          char *text, size_t size) {
    char symbol[128], name[101], line_text[128] = "";
    const char *file;
    int line;
    jm_symbol_at(machine, address, symbol, sizeof symbol);
    if (jm_instruction_line(machine, address, low, &file, &line))
        snprintf(line_text, sizeof line_text, " (%s:%d)",
                 jm_printable(file, name, sizeof name), line);
    snprintf(text, size, "%05X%s%s%s", address, symbol[0] ? " " : "", symbol,
             line_text);
}

/* ---- nodes that have stopped ----------------------------------------------------- */

/* Explains nodes that have stopped: what happened there first, because that is the
 * cause, and the stop may come much later. Nodes with the same report are grouped. */

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
                cycles, jm_context_name(stop->context), place);
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
            "  EARLY can never end: the message has arrived whole, with %u word%s, "
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
                jm_context_name(stop->context), place);
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
    return machine_node_has_stopped(node) && same_report(group->node, node);
}

/* Whether a running node is in the handler of the fault that stopped the group. If
 * every node takes the same fault, the run ends when the first of them has reported
 * it. */
static bool takes_the_same(const void *context_group, const Node *node) {
    const Group *group = context_group;
    const NodeFault *first = first_fault(group->node);
    const NodeFault *taken = &node->fault[node->running];
    const Context *context = &node->context[node->running];
    return first && !is_repaired(first) && !machine_node_has_stopped(node) &&
           node->running == group->node->stop.context && taken->taken &&
           (jm_data(context->ip) & JM_IP_FAULT) && jm_same(context->fip, taken->fip) &&
           taken->fault == first->fault &&
           same_place(taken->address, taken->low, first->address, first->low);
}

/* Names the nodes that took the same fault and are still running. */
static void explain_others(const JmMachine *machine, const Explain *out,
                           const Group *group) {
    char name[NAME_MAX];
    if (!machine_nodes_text(machine, takes_the_same, group, name, sizeof name))
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
    machine_nodes_text(machine, is_in, group, name, sizeof name);
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

/* Explains all nodes that have stopped, grouped by equal reports. */
static void explain_stopped(const JmMachine *machine, const Explain *out) {
    Groups *groups = heap_alloc(out->heap, sizeof *groups);
    for (unsigned i = 0; i < machine->nodes; i++)
        if (machine_node_has_stopped(&machine->node[i]))
            sort_in(machine, groups, &machine->node[i]);
    for (unsigned i = 0; i < groups->groups; i++)
        explain_group(machine, out, &groups->group[i]);
    if (groups->others)
        explain_row(out, "and %u more stopped node%s", groups->others,
                    groups->others == 1 ? "" : "s");
}

/* ---- a machine that can continue ------------------------------------------------- */

/* Explains what the nodes of a machine that can continue are doing, for a run that ends
 * at a limit or by a signal. Nodes doing the same are grouped. */

enum { CROWDS = 16, WHERE_MAX = 340, NOBODY = 0xFF };

/* The routine of kernel/boot.s in which an idle node loops. */
static const char kernel_idle[] = "kernel_idle";

/* What a node is doing. */
typedef struct {
    bool started, asleep, sends, waits, masked;
    JmContext context;
    char routine[128]; /* routine of the next instruction; "": no symbol */
} Doing;

/* A crowd: nodes that do the same. */
typedef struct {
    Doing doing;
    uint32_t address; /* of the next instruction of the first node */
    bool low;
    bool scattered;    /* some other node is elsewhere */
    uint32_t words[2]; /* longest queues */
} Crowd;

typedef struct {
    Crowd crowd[CROWDS];
    unsigned crowds;
    uint32_t others; /* nodes for which no crowd was left */
    uint8_t *of;     /* by rank: the node's crowd; NOBODY: none */
} Crowds;

/* Nodes of a crowd, as a set of nodes. */
typedef struct {
    const Crowds *crowds;
    unsigned index;
} Set;

static bool is_in_crowd(const void *context, const Node *node) {
    const Set *set = context;
    return set->crowds->of[node->rank] == set->index;
}

static uint32_t next_address(const Node *node) {
    const uint32_t ip = jm_data(node->current->ip);
    return node_code_address(node, ip, jm_field20(ip));
}

/* The routine is the symbol without its local part; nodes are grouped by it. */
static Doing doing_of(const JmMachine *machine, const Node *node) {
    Doing doing = {.started = node->stop.why != NODE_NOT_STARTED,
                   .asleep = node->asleep,
                   .sends = node->send_open,
                   .waits = node->send_wait != 0,
                   .masked = node->masked,
                   .context = (JmContext)node->running};
    if (!doing.started)
        return (Doing){0};
    jm_symbol_at(machine, next_address(node), doing.routine, sizeof doing.routine);
    doing.routine[strcspn(doing.routine, "+.")] = '\0';
    return doing;
}

static bool does_same(const Doing *a, const Doing *b) {
    return a->started == b->started && a->asleep == b->asleep && a->sends == b->sends &&
           a->waits == b->waits && a->masked == b->masked && a->context == b->context &&
           strcmp(a->routine, b->routine) == 0;
}

/* Adds a node to the crowd of those that do the same. */
static void join_crowd(const JmMachine *machine, Crowds *crowds, const Node *node) {
    const Doing doing = doing_of(machine, node);
    const uint32_t address = next_address(node);
    const bool low = jm_data(node->current->ip) & JM_IP_PHASE;
    unsigned i = 0;
    while (i < crowds->crowds && !does_same(&crowds->crowd[i].doing, &doing))
        i++;
    if (i == CROWDS) {
        crowds->others++;
        return;
    }
    Crowd *crowd = &crowds->crowd[i];
    if (i == crowds->crowds) {
        crowds->crowds++;
        *crowd = (Crowd){.doing = doing, .address = address, .low = low};
    }
    crowds->of[node->rank] = (uint8_t)i;
    crowd->scattered |= crowd->address != address || crowd->low != low;
    for (unsigned p = 0; p < 2; p++) {
        const uint32_t words = node_queue_length(node, p);
        crowd->words[p] = words > crowd->words[p] ? words : crowd->words[p];
    }
}

/* Writes where the nodes of a crowd are. */
static void print_where(const JmMachine *machine, const Crowd *crowd,
                        char text[WHERE_MAX]) {
    char place[PLACE_MAX];
    explain_place(machine, crowd->address, crowd->low, place, sizeof place);
    if (crowd->scattered && *crowd->doing.routine)
        snprintf(text, WHERE_MAX, "in %s", crowd->doing.routine);
    else
        snprintf(text, WHERE_MAX, "at %s%s", place,
                 crowd->scattered ? " and elsewhere" : "");
}

static void explain_crowd(const JmMachine *machine, const Explain *out,
                          const Crowds *crowds, unsigned index) {
    const Crowd *crowd = &crowds->crowd[index];
    const Doing *doing = &crowd->doing;
    char nodes[NAME_MAX], where[WHERE_MAX], queues[64] = "";
    machine_nodes_text(machine, is_in_crowd, &(Set){crowds, index}, nodes,
                       sizeof nodes);
    if (!doing->started) {
        explain_row(out, "%s: not started", nodes);
        return;
    }
    const bool idle = strcmp(doing->routine, kernel_idle) == 0;
    const bool task = doing->context != JM_CONTEXT_BACKGROUND;
    print_where(machine, crowd, where);
    if (crowd->words[0] || crowd->words[1])
        snprintf(queues, sizeof queues, "; queues hold up to %u and %u words",
                 crowd->words[0], crowd->words[1]);
    explain_row(out, "%s: %s%s %s%s%s%s%s%s", nodes, doing->asleep ? "idle, " : "",
                jm_context_name(doing->context), where,
                !idle  ? ""
                : task ? ", the kernel's idle loop: a task that never ends"
                       : ", the kernel's idle loop",
                doing->sends ? ", in the middle of a send" : "",
                doing->waits ? ", waits for room to send" : "",
                doing->masked ? ", I = 1" : "", queues);
}

/* Explains what the nodes of a machine that can continue are doing. */
static void explain_going(const JmMachine *machine, const Explain *out) {
    Crowds crowds = {.of = heap_alloc(out->heap, machine->nodes)};
    memset(crowds.of, NOBODY, machine->nodes);
    for (unsigned i = 0; i < machine->nodes; i++)
        if (!machine_node_has_stopped(&machine->node[i]))
            join_crowd(machine, &crowds, &machine->node[i]);
    for (unsigned i = 0; i < crowds.crowds; i++)
        explain_crowd(machine, out, &crowds, i);
    if (crowds.others)
        explain_row(out, "and %u more node%s elsewhere", crowds.others,
                    crowds.others == 1 ? "" : "s");
    explain_stopped(machine, out);
    if (netif_has_messages(machine))
        explain_row(out, "messages are in the network");
}

/* ---- a whole machine ------------------------------------------------------------- */

/* Explains a node whose network input is closed, that has a message half sent, or that
 * rests before a message or fault it will never take. */
static void explain_waiting(const JmMachine *machine, const Explain *out,
                            const Node *node) {
    char name[64], place[300];
    const uint32_t ip = jm_data(node->current->ip);
    explain_node(machine, node->rank, name, sizeof name);
    explain_place(machine, node_code_address(node, ip, jm_field20(ip)),
                  ip & JM_IP_PHASE, place, sizeof place);
    const char *state = node->stop.why == NODE_NOT_STARTED ? "not started"
                        : machine_node_has_stopped(node)   ? "stopped"
                        : node->asleep                     ? "idle"
                                       : jm_context_name((JmContext)node->running);
    explain_row(out, "%s: %s at %s%s%s%s", name, state, place,
                node->masked ? ", I = 1" : "",
                node->send_open ? ", in the middle of a send" : "",
                node->posted ? ", an external fault waits" : "");
    for (unsigned p = 0; p < 2; p++) {
        const Priority *q = &node->priority[p];
        if (q->qbm & JM_ADDR_INVALID)
            explain_row(out, "  queue %u is disabled", p);
        else
            explain_row(out, "  queue %u holds %u of %u words%s%s", p,
                        node_queue_length(node, p), node_queue_size(node, p),
                        q->gate ? ""
                        : p == 0 && node->brake == NODE_BRAKE_ON
                            ? ", its brake is on"
                            : ", its input is closed",
                        q->active ? ", a task is active" : "");
    }
    for (unsigned i = 0; i < REST_PLACES; i++) {
        const char *text;
        const uint32_t words = machine_words_left(machine, node, i, &text);
        if (words)
            explain_row(out, "  %u words %s", words, text);
    }
}

/* Explains the nodes at the ends of chains of waiting: those at which flits wait to be
 * ejected, that have a message open, or that rest before something they will never
 * take. At most EXPLAINED_NODES. */
static void explain_nodes(const JmMachine *machine, const Explain *out) {
    bool *awaited = heap_alloc(out->heap, machine->nodes * sizeof *awaited);
    netif_mark_awaited(machine, awaited);
    unsigned shown = 0;
    for (unsigned i = 0; i < machine->nodes && shown < EXPLAINED_NODES; i++) {
        const Node *node = &machine->node[i];
        if (!awaited[i] && !node->send_open && !machine_leaves(machine, node))
            continue;
        explain_waiting(machine, out, node);
        shown++;
    }
}

/* Explains that messages bounce: where most of them are returned, and what the task
 * there is doing. At most EXPLAINED_NODES. */
static void explain_livelock(const JmMachine *machine, const Explain *out,
                             const char *how) {
    explain_row(out, "livelock: %s; the nodes that returned them:", how);
    for (unsigned i = 0, shown = 0; i < machine->nodes && shown < EXPLAINED_NODES;
         i++) {
        const Node *node = &machine->node[i];
        JmNodeStatistics s;
        char name[64];
        jm_node_statistics(machine, i, &s);
        if (s.returns_out == 0 || node_queue_length(node, 0) < NODE_ROW_WORDS)
            continue;
        explain_node(machine, i, name, sizeof name);
        explain_row(out, "  %s: %" PRIu64 " so far; queue 0 holds %u of %u words%s",
                    name, s.returns_out, node_queue_length(node, 0),
                    node_queue_size(node, 0),
                    node->send_wait & 1 ? "; its task waits for room to send" : "");
        shown++;
    }
}

static void explain_deadlock(const JmMachine *machine, const Explain *out) {
    char how[ROW_MAX];
    if (interface_livelock(machine, how, sizeof how)) {
        explain_livelock(machine, out, how);
        return;
    }
    explain_row(out, "%s",
                netif_has_messages(machine)
                    ? "messages are in the network and nothing moves "
                      "any more; who waits for whom:"
                    : "every node is idle, and no node will ever take what is left:");
    netif_explain(machine, out->writer, out->context);
    explain_nodes(machine, out);
    explain_stopped(machine, out);
}

static void explain(const JmMachine *machine, const Explain *out) {
    switch (machine->stop) {
    case JM_STOP_EXIT:
        explain_row(out, "HOST_EXIT with status %d", machine->exit_value);
        break;
    case JM_STOP_IDLE:
        explain_row(out, "every node is idle and the network is empty");
        explain_stopped(machine, out);
        break;
    case JM_STOP_STOPPED:
        explain_stopped(machine, out);
        break;
    case JM_STOP_DEADLOCK:
        explain_deadlock(machine, out);
        break;
    case JM_STOP_MEMORY:
        explain_row(out, "the host ran out of memory; the machine's state is lost");
        break;
    default:
        explain_going(machine, out);
    }
}

/* An explanation of a machine. */
typedef struct {
    const JmMachine *machine;
    Explain out;
} Explanation;

/* Explains, and says why source lines are not quoted. */
static void explain_all(Heap *heap, void *context) {
    const Explanation *e = context;
    bool newer = false;
    Explain out = e->out;
    out.heap = heap;
    out.newer = &newer;
    explain(e->machine, &out);
    const char *file;
    for (unsigned i = 0; newer && (file = jm_source_name(e->machine, i)); i++)
        if (jm_source_is_newer(e->machine, file))
            explain_row(&out, "warning: %s is newer than the image: it is not quoted",
                        JM_SHOWN(file));
}

static void begin(const JmMachine *machine, JmRowWriter *writer, void *context,
                  bool chain) {
    Explanation e = {machine, {.writer = writer, .context = context, .chain = chain}};
    call_looks(machine);
    assert(writer);
    if (!heap_run(explain_all, &e))
        explain_row(&e.out, "not enough memory to explain the rest");
}

void jm_explain(const JmMachine *machine, JmRowWriter *writer, void *context) {
    begin(machine, writer, context, false);
}

void jm_explain_chain(const JmMachine *machine, JmRowWriter *writer, void *context) {
    begin(machine, writer, context, true);
}
