/* Commands that show the network: channels, wires, messages in flight. */
#include <string.h>

#include "emu/debug/look/look.h"
#include "emu/debug/talk/names.h"
#include "net/net.h"

/* Words shown of a message; columns that a hop and the text after it may take. */
enum { WORDS_SHOWN = 6, PATH_LEFT_FREE = 40 };

/* ---- channels -------------------------------------------------------------------- */

/* Prints the contents of a channel and why it does not move, as far as its state
 * shows. */
static void say_channel(JmDebug *d, const Net *net, const NetChannelState *c) {
    say(d, "%-18s %" PRIu32 " flits", channel_text(d, c), c->flits);
    if (c->owned)
        say(d, ", held by message %" PRIu32, c->owner);
    if (c->flits && c->front_message != c->owner)
        say(d, ", in front message %" PRIu32, c->front_message);
    if (!c->flits) {
        say(d, "\n");
        return;
    }
    if (c->next < 0) {
        const bool open = node_at(d, c->node)->priority[c->priority].gate;
        say(d, " -> the queue%s\n", open ? "" : ", which is closed");
        return;
    }
    const NetChannelState to = net_channel_state(net, (uint32_t)c->next);
    say(d, " -> %s%s\n", channel_text(d, &to),
        c->wire_blocked                            ? ", the wire is blocked"
        : to.owned && to.owner != c->front_message ? ", held by another"
                                                   : "");
}

bool cmd_channels(JmDebug *d, Args *args) {
    NodeSet set;
    if (!take_nodes_or_all(args, &set))
        return false;
    const Net *net = netif_network(d->machine);
    const size_t said = d->out.length;
    for (uint32_t i = 0; i < net_channel_count(net); i++) {
        const NetChannelState c = net_channel_state(net, i);
        if (nodeset_has(&set, c.node) && (c.flits || c.owned))
            say_channel(d, net, &c);
    }
    if (d->out.length == said)
        say(d, "these channels are empty\n");
    return true;
}

/* Prints how many flits a node has sent over each of its wires. */
static void say_wires(JmDebug *d, unsigned node) {
    say(d, "%s:", node_text(d, node));
    for (unsigned i = 0; i < 6; i++) {
        const bool up = i % 2 == 0;
        say(d, "  %c%c %" PRIu64 "%s", up ? '+' : '-', "XYZ"[i / 2],
            jm_link_flits(d->machine, node, i / 2, up),
            net_link_blocked(netif_network(d->machine), node, i / 2, up) ? " blocked"
                                                                         : "");
    }
    say(d, "\n");
}

bool cmd_wires(JmDebug *d, Args *args) {
    (void)d;
    return for_nodes(args, say_wires, NULL);
}

/* ---- messages -------------------------------------------------------------------- */

/* The channels that a message is in. */
typedef struct {
    /* first and last channel; -1: it has not left its output buffer */
    int32_t tail, head;
} Path;

/* Whether the front flits of a channel continue into a channel that their message
 * holds. */
static bool goes_on(const Net *net, const NetChannelState *c, uint32_t message) {
    if (c->next < 0)
        return false;
    const NetChannelState next = net_channel_state(net, (uint32_t)c->next);
    return next.owned && next.owner == message;
}

/* Returns the message whose flits leave a channel next: this may differ from the owner,
 * which has come in behind it. */
static uint32_t front_of(const NetChannelState *c) {
    return c->flits ? c->front_message : c->owner;
}

/* Records the heads in a channel, and the next channel of each message. */
static void find_heads(const Net *net, uint32_t channel, Path *paths, bool *entered) {
    const NetChannelState c = net_channel_state(net, channel);
    if (!c.flits && !c.owned)
        return;
    if (goes_on(net, &c, front_of(&c)))
        entered[c.next] = true;
    else
        paths[front_of(&c)].head = (int32_t)channel;
    if (c.owned && c.owner != front_of(&c))
        paths[c.owner].head = (int32_t)channel;
}

/* Finds the paths of all messages at once, in one pass over the channels for heads and
 * one for tails. */
static Path *find_paths(Heap *heap, const Net *net, uint32_t messages) {
    const uint32_t channels = net_channel_count(net);
    Path *paths = heap_alloc(heap, messages * sizeof *paths);
    bool *entered = heap_alloc(heap, channels); /* by its owner, from another channel */
    for (uint32_t i = 0; i < messages; i++)
        paths[i].head = paths[i].tail = -1;
    for (uint32_t i = 0; messages && i < channels; i++)
        find_heads(net, i, paths, entered);
    for (uint32_t i = 0; messages && i < channels; i++) {
        const NetChannelState c = net_channel_state(net, i);
        if (c.owned && !entered[i])
            paths[c.owner].tail = (int32_t)i;
        if (c.flits && !(c.owned && c.owner == c.front_message))
            paths[c.front_message].tail = (int32_t)i;
    }
    return paths;
}

/* Prints the channels from a message's tail to its head. Lines break between nodes. */
static void say_path(JmDebug *d, const Net *net, uint32_t message, const Path *path) {
    Text text = {.heap = d->work};
    unsigned node = 0;
    const uint32_t most = net_channel_count(net);
    int32_t channel = path->tail;
    for (uint32_t steps = 0; channel >= 0 && steps < most; steps++) {
        const NetChannelState c = net_channel_state(net, (uint32_t)channel);
        if (text.length + PATH_LEFT_FREE > d->host.columns && node != c.node) {
            say(d, "%s;\n       ", text_get(&text));
            text_clear(&text);
        }
        path_add(d, &text, &node, (uint32_t)channel);
        channel = goes_on(net, &c, message) ? c.next : -1;
    }
    say(d, "%s", text_get(&text));
}

static Head head_of(const JmDebug *d, const Net *net, uint32_t message,
                    const Path *path) {
    if (path->head < 0)
        return HEAD_UNSENT;
    const NetChannelState c = net_channel_state(net, (uint32_t)path->head);
    if (c.flits && c.front_message != message)
        return HEAD_BEHIND;
    if (c.next < 0)
        return node_at(d, c.node)->priority[c.priority].gate ? HEAD_ARRIVING
                                                             : HEAD_QUEUE;
    const NetChannelState next = net_channel_state(net, (uint32_t)c.next);
    if (c.wire_blocked)
        return HEAD_WIRE;
    return next.owned && next.owner != message ? HEAD_HELD : HEAD_FREE;
}

void count_heads(JmDebug *d, uint32_t counts[HEADS]) {
    const Net *net = netif_network(d->machine);
    const uint32_t limit = net_message_numbers(net);
    Path *paths = find_paths(d->work, net, limit);
    NetMessageState m;
    memset(counts, 0, HEADS * sizeof *counts);
    for (uint32_t i = 0; i < limit; i++)
        if (message_flies(net, i, &m))
            counts[head_of(d, net, i, &paths[i])]++;
}

/* Prints where a message is and what is before it. */
static void say_head(JmDebug *d, const Net *net, uint32_t message,
                     const NetMessageState *m, const Path *path) {
    const Head head = head_of(d, net, message, path);
    if (head == HEAD_UNSENT) {
        say(d,
            m->words_delivered ? "    the rest has not been sent\n"
                               : "    in the output buffer of %s%s\n",
            position_text(d, m->source),
            m->closed ? "" : ", its sender has not ended it");
        return;
    }
    say(d, "    in ");
    say_path(d, net, message, path);
    const NetChannelState c = net_channel_state(net, (uint32_t)path->head);
    if (head == HEAD_BEHIND) {
        say(d, ", behind message %" PRIu32 "\n", c.front_message);
        return;
    }
    if (c.next < 0) {
        say(d, head == HEAD_ARRIVING ? ", arriving\n" : ", before a closed queue\n");
        return;
    }
    const NetChannelState next = net_channel_state(net, (uint32_t)c.next);
    say(d, " -> %s", channel_text(d, &next));
    if (head == HEAD_WIRE)
        say(d, ", the wire is blocked");
    else if (head == HEAD_HELD)
        say(d, ", held by message %" PRIu32, next.owner);
    say(d, "\n");
}

static void say_message(JmDebug *d, const Net *net, uint32_t number,
                        const NetMessageState *m, const Path *path) {
    JmWord word;
    say(d,
        "%" PRIu32 ": p%u %s -> %s, sent in cycle %" PRIu64 ", %" PRIu64
        " ago; %" PRIu32 "%s word%s, %" PRIu32 " delivered\n",
        number, m->priority, position_text(d, m->source),
        position_text(d, m->destination), m->opened_cycle,
        d->machine->now - m->opened_cycle, m->words_offered, m->closed ? "" : "+",
        plural(m->words_offered), m->words_delivered);
    if (m->words_offered > m->words_delivered)
        say(d, "   ");
    for (uint32_t i = 0; i < WORDS_SHOWN && netif_word(d->machine, number, i, &word);
         i++)
        say(d, " %s",
            i == 0 && !m->words_delivered ? word_text(d, word) : bits_text(d, word));
    if (m->words_offered > m->words_delivered)
        say(d, "\n");
    say_head(d, net, number, m, path);
}

bool cmd_messages(JmDebug *d, Args *args) {
    NodeSet set;
    if (!take_nodes_or_all(args, &set))
        return false;
    const Net *net = netif_network(d->machine);
    const uint32_t limit = net_message_numbers(net);
    Path *paths = find_paths(d->work, net, limit);
    const size_t said = d->out.length;
    for (uint32_t i = 0; i < limit; i++) {
        NetMessageState m;
        if (message_flies(net, i, &m) &&
            (nodeset_has(&set, m.source) || nodeset_has(&set, m.destination)))
            say_message(d, net, i, &m, &paths[i]);
    }
    if (d->out.length == said)
        say(d, "no messages are in flight\n");
    return true;
}
