/* Explains what the nodes of a machine that can continue are doing, for a run that ends
 * at a limit or by a signal. Nodes doing the same are grouped. */
#include "emu/machine/stop/explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 16, NAME_MAX = 256, PLACE_MAX = 300, WHERE_MAX = 340, NOBODY = 0xFF };

/* The routine of kernel/boot.s in which a node rests. */
static const char kernel_idle[] = "kernel_idle";

/* What a node does. */
typedef struct {
    bool started, asleep, sends, waits, masked;
    JmContext context;
    char routine[128]; /* routine of the next instruction; "": no symbol */
} Doing;

/* Nodes that do the same. */
typedef struct {
    Doing doing;
    uint32_t address; /* of the next instruction of the first node */
    bool low;
    bool scattered;    /* some other node is elsewhere */
    uint32_t words[2]; /* longest queues */
} Group;

typedef struct {
    Group group[GROUPS];
    unsigned groups;
    uint32_t others; /* nodes for which no group was left */
    uint8_t *of;     /* by rank: the node's group; NOBODY: none */
} Groups;

/* A group, as a set of nodes. */
typedef struct {
    const Groups *groups;
    unsigned index;
} Set;

static bool is_in(const void *context, const Node *node) {
    const Set *set = context;
    return set->groups->of[node->rank] == set->index;
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

/* Adds a node to the group of those that do the same. */
static void sort_in(const JmMachine *machine, Groups *groups, const Node *node) {
    const Doing doing = doing_of(machine, node);
    const uint32_t address = next_address(node);
    const bool low = jm_data(node->current->ip) & JM_IP_PHASE;
    unsigned i = 0;
    while (i < groups->groups && !does_same(&groups->group[i].doing, &doing))
        i++;
    if (i == GROUPS) {
        groups->others++;
        return;
    }
    Group *group = &groups->group[i];
    if (i == groups->groups) {
        groups->groups++;
        *group = (Group){.doing = doing, .address = address, .low = low};
    }
    groups->of[node->rank] = (uint8_t)i;
    group->scattered |= group->address != address || group->low != low;
    for (unsigned p = 0; p < 2; p++) {
        const uint32_t words = node_queue_length(node, p);
        group->words[p] = words > group->words[p] ? words : group->words[p];
    }
}

/* Writes where the nodes of a group are. */
static void print_where(const JmMachine *machine, const Group *group,
                        char text[WHERE_MAX]) {
    char place[PLACE_MAX];
    explain_place(machine, group->address, group->low, place, sizeof place);
    if (group->scattered && *group->doing.routine)
        snprintf(text, WHERE_MAX, "in %s", group->doing.routine);
    else
        snprintf(text, WHERE_MAX, "at %s%s", place,
                 group->scattered ? " and elsewhere" : "");
}

static void explain_group(const JmMachine *machine, const Explain *out,
                          const Groups *groups, unsigned index) {
    const Group *group = &groups->group[index];
    const Doing *doing = &group->doing;
    char nodes[NAME_MAX], where[WHERE_MAX], queues[64] = "";
    explain_nodes_where(machine, is_in, &(Set){groups, index}, nodes, sizeof nodes);
    if (!doing->started) {
        explain_row(out, "%s: not started", nodes);
        return;
    }
    const bool idle = strcmp(doing->routine, kernel_idle) == 0;
    const bool task = doing->context != JM_CONTEXT_BACKGROUND;
    print_where(machine, group, where);
    if (group->words[0] || group->words[1])
        snprintf(queues, sizeof queues, "; queues hold up to %u and %u words",
                 group->words[0], group->words[1]);
    explain_row(out, "%s: %s%s %s%s%s%s%s%s", nodes, doing->asleep ? "idle, " : "",
                explain_context(doing->context), where,
                !idle  ? ""
                : task ? ", the kernel's idle loop: a task that never ends"
                       : ", the kernel's idle loop",
                doing->sends ? ", in the middle of a send" : "",
                doing->waits ? ", waits for room to send" : "",
                doing->masked ? ", I = 1" : "", queues);
}

void explain_going(const JmMachine *machine, const Explain *out) {
    Groups groups = {.of = malloc(machine->nodes)};
    if (!groups.of) {
        explain_row(out, "no memory to tell what nodes are at");
        return;
    }
    memset(groups.of, NOBODY, machine->nodes);
    for (unsigned i = 0; i < machine->nodes; i++)
        if (!explain_has_stopped(&machine->node[i]))
            sort_in(machine, &groups, &machine->node[i]);
    for (unsigned i = 0; i < groups.groups; i++)
        explain_group(machine, out, &groups, i);
    if (groups.others)
        explain_row(out, "and %u more nodes elsewhere", groups.others);
    free(groups.of);
    explain_stopped(machine, out);
    if (netif_has_messages(machine))
        explain_row(out, "messages are in the network");
}
