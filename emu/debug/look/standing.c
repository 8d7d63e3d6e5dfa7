/* Bare `why`: why the machine stands, or that it runs. Nodes that wait for the same are
 * one line; messages are counted by what is before them. */
#include <string.h>

#include "emu/debug/look/look.h"
#include "net/net.h"

/* ---- nodes that do the same ------------------------------------------------------ */

typedef struct {
    char *text;
    NodeSet nodes;
} Group;

/* Groups in the order of their first nodes. */
typedef struct {
    Group *list;
    size_t count, capacity;
} Groups;

/* Adds a node to the group with this text. */
static void sort_in(JmDebug *d, Groups *groups, unsigned node, const char *text) {
    size_t i = 0;
    while (i < groups->count && strcmp(groups->list[i].text, text) != 0)
        i++;
    if (i == groups->count) {
        groups->list = heap_grow(d->heap, groups->list, groups->count,
                                 &groups->capacity, sizeof *groups->list);
        groups->list[groups->count++] = (Group){
            text_copy_all(d->heap, text),
            {heap_alloc(d->heap, (d->machine->nodes / 64 + 1) * sizeof(uint64_t)),
             d->machine->nodes}};
    }
    groups->list[i].nodes.bits[node / 64] |= UINT64_C(1) << (node % 64);
}

/* Prints the groups, and frees them. */
static void say_groups(JmDebug *d, Groups *groups) {
    enum { GROUPS_SHOWN = 24 };
    for (size_t i = 0; i < groups->count; i++) {
        Text nodes = {.heap = d->heap};
        nodes_text(d, &groups->list[i].nodes, &nodes);
        if (i < GROUPS_SHOWN)
            say(d, "  %s: %s\n", text_get(&nodes), groups->list[i].text);
        text_free(&nodes);
        heap_free(groups->list[i].text);
        nodeset_free(&groups->list[i].nodes);
    }
    if (groups->count > GROUPS_SHOWN)
        say(d, "  and %zu more kinds\n", groups->count - GROUPS_SHOWN);
    heap_free(groups->list);
}

/* ---- what holds up the messages of nodes ----------------------------------------- */

Hold hold_behind(const JmDebug *d, uint32_t channel) {
    const Net *net = netif_network(d->machine);
    for (uint32_t steps = 0; steps < net_channel_count(net); steps++) {
        const NetChannelState c = net_channel_state(net, channel);
        if (!c.flits && !c.owned)
            return (Hold){HELD_NOT, c.node, c.priority};
        if (c.wire_blocked)
            return (Hold){HELD_BY_WIRE, c.node, c.priority};
        if (c.next < 0) {
            const bool open = node_at(d, c.node)->priority[c.priority].gate;
            return (Hold){open ? HELD_NOT : HELD_BY_QUEUE, c.node, c.priority};
        }
        channel = (uint32_t)c.next;
    }
    return (Hold){.by = HELD_IN_CIRCLE};
}

/* Returns by node, priority and NetChannelKind the channel of dimension X that a
 * message enters first; -1: there is none. */
static int32_t (*first_channels(JmDebug *d, const Net *net))[2][3] {
    int32_t(*first)[2][3] = heap_alloc(d->heap, d->machine->nodes * sizeof *first);
    memset(first, -1, d->machine->nodes * sizeof *first);
    for (uint32_t i = net_channel_count(net); i-- > 0;) {
        const NetChannelState c = net_channel_state(net, i);
        if (c.dimension == 0 && c.priority < 2 && c.kind < 3)
            first[c.node][c.priority][c.kind] = (int32_t)i;
    }
    return first;
}

/* Returns by node what holds up one of its messages. */
static Hold *holds_of(JmDebug *d) {
    const Net *net = netif_network(d->machine);
    Hold *holds = heap_alloc(d->heap, d->machine->nodes * sizeof *holds);
    int32_t(*first)[2][3] = first_channels(d, net);
    for (uint32_t i = 0; i < net_message_numbers(net); i++) {
        NetMessageState m;
        if (!message_flies(net, i, &m) || holds[m.source].by != HELD_NOT)
            continue;
        const int32_t channel =
            first[m.source][m.priority][first_kind(d, m.source, m.destination)];
        if (channel >= 0)
            holds[m.source] = hold_behind(d, (uint32_t)channel);
    }
    heap_free(first);
    return holds;
}

/* ---- what a node does or waits for ----------------------------------------------- */

Rest rest_of(const JmDebug *d, unsigned node) {
    const Node *n = node_at(d, node);
    if (machine_has_pending(n))
        return REST_STUCK;
    return n->asleep && n->masked &&
                   (node_queue_length(n, 0) || node_queue_length(n, 1))
               ? REST_MASKED
               : REST_NONE;
}

/* Returns why nothing can arrive at a queue; NULL: it can. */
static const char *door_text(const Node *node, unsigned priority) {
    const char *gate = gate_text(node, priority, "full");
    return gate && node->priority[priority].qbm & JM_ADDR_INVALID ? "disabled" : gate;
}

static void add_hold(const JmDebug *d, const Hold *hold, Text *text) {
    switch (hold->by) {
    case HELD_BY_QUEUE:
        text_add(text, ", held up by queue %u of %s, which is %s", hold->priority,
                 node_text(d, hold->node),
                 door_text(node_at(d, hold->node), hold->priority));
        break;
    case HELD_BY_WIRE:
        text_add(text, ", held up by a blocked wire of %s", node_text(d, hold->node));
        break;
    case HELD_IN_CIRCLE:
        text_add(text, ", held up by messages that wait for each other");
        break;
    case HELD_NOT:
        text_add(text, " after messages that continue");
        break;
    }
}

static void add_doing(const JmDebug *d, unsigned node, const Hold *hold, Text *text) {
    static const char *const rests[] = {
        [REST_NONE] = ", waiting for a message",
        [REST_MASKED] = " with I = 1, taking no message",
        [REST_STUCK] = " before what cannot be taken: a task never ended"};
    const Activity activity = activity_of(d, node);
    text_add(text, "%s", activity_text(activity));
    if (activity == ACTIVITY_IDLE)
        text_add(text, "%s%s", rests[rest_of(d, node)],
                 node_at(d, node)->send_open ? ", its own half sent" : "");
    if (activity == ACTIVITY_WAITING)
        add_hold(d, hold, text);
}

/* Whether a node is at work, not waiting for anything. */
static bool works(const JmDebug *d, unsigned node) {
    const Activity activity = activity_of(d, node);
    return activity != ACTIVITY_STOPPED && activity != ACTIVITY_NOT_STARTED &&
           activity != ACTIVITY_IDLE && activity != ACTIVITY_WAITING;
}

/* ---- the machine ----------------------------------------------------------------- */

/* Prints what nodes do or wait for, and then which queues take nothing. */
static void say_nodes(JmDebug *d) {
    Groups doings = {.list = NULL}, doors = {.list = NULL};
    Hold *holds = holds_of(d);
    Text text = {.heap = d->heap};
    for (unsigned i = 0; i < d->machine->nodes; i++) {
        text_clear(&text);
        add_doing(d, i, &holds[i], &text);
        sort_in(d, &doings, i, text_get(&text));
        for (unsigned p = 0; p < 2; p++) {
            const char *door = door_text(node_at(d, i), p);
            text_clear(&text);
            text_add(&text, "queue %u is %s: nothing can arrive", p, door ? door : "");
            if (door)
                sort_in(d, &doors, i, text_get(&text));
        }
    }
    text_free(&text);
    heap_free(holds);
    say_groups(d, &doings);
    say_groups(d, &doors);
}

static void say_messages(JmDebug *d) {
    static const char *const heads[HEADS] = {
        [HEAD_ARRIVING] = "arriving",          [HEAD_FREE] = "on the way",
        [HEAD_QUEUE] = "before closed queues", [HEAD_WIRE] = "before blocked wires",
        [HEAD_HELD] = "before others",         [HEAD_BEHIND] = "behind others",
        [HEAD_UNSENT] = "in output buffers"};
    uint32_t counts[HEADS], sum = 0;
    count_heads(d, counts);
    for (unsigned i = 0; i < HEADS; i++)
        sum += counts[i];
    if (!sum)
        return;
    say(d, "  %" PRIu32 " message%s in flight", sum, plural(sum));
    for (unsigned i = 0, said = 0; i < HEADS; i++)
        if (counts[i])
            say(d, "%s%" PRIu32 " %s", said++ ? ", " : ": ", counts[i], heads[i]);
    say(d, "\n");
}

/* Prints the machine's own explanation of its end; that of a deadlock has a line for
 * each message. */
static void say_end(JmDebug *d) {
    if (d->machine->stop == JM_STOP_DEADLOCK) {
        say(d, "`why stopped` shows which node waits for which\n");
        return;
    }
    Text text = {.heap = d->heap};
    jm_explain(d->machine, add_row, &(Rows){d, &text, ""});
    rows_end(d);
    say(d, "%s", text_get(&text));
    text_free(&text);
}

void say_standing(JmDebug *d) {
    unsigned at_work = 0;
    for (unsigned i = 0; i < d->machine->nodes; i++)
        at_work += works(d, i);
    say(d, "cycle %" PRIu64 ": ", d->machine->now);
    if (d->machine->stop != JM_STOP_NONE)
        say(d, "the machine has ended: %s\n", jm_stop_name(d->machine->stop));
    else
        say(d, "the machine can continue, with %u of %u nodes at work\n", at_work,
            d->machine->nodes);
    say_nodes(d);
    say_messages(d);
    if (d->machine->stop != JM_STOP_NONE)
        say_end(d);
}
