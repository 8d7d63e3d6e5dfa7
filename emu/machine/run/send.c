/* What nodes send: room, routing words, messages opened, words appended and offered to
 * the network. */
#include "emu/machine/interface/rts.h"
#include "emu/machine/run/run.h"

/* Since when a message that the node opens is on its way: since the message that it
 * handles came, or from now on. */
static uint64_t birth(const Netif *netif, const Node *node) {
    const uint64_t now = net_now(netif->net);
    if (!netif->ages || node->background)
        return now;
    const uint64_t came =
        *age_of(&netif->ages[node->rank * 2 + node->p], &node->priority[node->p], 0);
    return came ? came : now;
}

/* Opens a message in the network and here. False: no memory. */
static bool open_message(Netif *netif, const Node *node, unsigned priority,
                         uint32_t destination) {
    const uint32_t number = net_open_aged(netif->net, node->rank, priority, destination,
                                          birth(netif, node));
    if (number == NET_NONE || !netif_make_room(netif, number))
        return false;
    Message *message = &netif->message[number];
    message->sent = message->delivered = message->promised = 0;
    message->source = node->rank;
    netif->open[node->rank * 2 + priority] = number;
    return true;
}

/* Returns the rank that a routing word names: x in bits 0 to 4, y in 5 to 9, z in 10 to
 * 15. -1: no node of this machine. */
static int64_t destination_of(const JmConfig *config, JmWord routing) {
    const uint32_t x = jm_data(routing) & 31;
    const uint32_t y = jm_data(routing) >> 5 & 31;
    const uint32_t z = jm_data(routing) >> 10 & 63;
    if (x >= config->size_x || y >= config->size_y || z >= config->size_z)
        return -1;
    return x + (int64_t)config->size_x * (y + (int64_t)config->size_y * z);
}

/* Returns the address of the word whose instruction the node is issuing; its IP has
 * moved on. */
static uint32_t issued_at(const Node *node) {
    const uint32_t ip = jm_data(node->current->ip);
    const uint32_t back = ip & JM_IP_PHASE ? 0 : 1;
    return node_code_address(node, ip, jm_field20(ip) - back);
}

unsigned netif_room(void *machine, const Node *node, unsigned priority,
                    const JmWord *routing) {
    const JmMachine *m = machine;
    if (routing && (destination_of(&m->config, *routing) < 0 || m->netif->ages))
        return 0;
    return net_room(m->netif->net, node->rank, priority);
}

NodeSendResult netif_can_send(const JmMachine *machine, const Node *node,
                              unsigned priority, const JmWord *words, unsigned count,
                              bool opens) {
    const uint32_t least = opens ? machine->config.interface.open_words : 0;
    const unsigned room = net_room(machine->netif->net, node->rank, priority);
    if (room < count || room < least ||
        (machine->rts && !rts_has_room(machine, node, priority, words, count, opens)))
        return NODE_SEND_NO_ROOM;
    if (opens && destination_of(&machine->config, words[0]) < 0)
        return NODE_SEND_NOWHERE;
    return NODE_SEND_TAKEN;
}

/* Reports a SEND. */
static void observe_send(JmMachine *machine, const Node *node, unsigned priority,
                         JmWord word, unsigned count, bool opens, uint32_t destination,
                         uint32_t message) {
    machine->env.observe(machine, &(JmEvent){.kind = JM_EVENT_SEND,
                                             .cycle = machine->env.now,
                                             .node = node->rank,
                                             .context = (JmContext)node->running,
                                             .address = issued_at(node),
                                             .priority = priority,
                                             .word = word,
                                             .count = count,
                                             .opens = opens,
                                             .destination = destination,
                                             .redirected = node->redirected,
                                             .message = message});
}

/* Opens a message that may come back when its header is there, with which room for it
 * is reserved; until then only its destination is kept. */
static void open_returnable(JmMachine *machine, const Node *node, const NodeSend *send,
                            uint32_t destination) {
    const bool header_waits = send->opens && send->count == 1;
    if (header_waits)
        rts_hold(machine, node, destination);
    const uint32_t to = send->opens ? destination : rts_release(machine, node);
    if (to == NET_NONE || header_waits)
        return;
    if (open_message(machine->netif, node, 0, to))
        rts_reserve(machine, node, machine->netif->open[node->rank * 2],
                    send->word[send->opens]);
    else
        machine_starve(machine);
}

/* Opens the message of a SEND, at once or with its header. False: no memory for it. */
static bool open_for(JmMachine *machine, const Node *node, const NodeSend *send,
                     uint32_t destination) {
    if (machine->rts && send->priority == 0)
        open_returnable(machine, node, send, destination);
    else if (!open_message(machine->netif, node, send->priority, destination))
        machine_starve(machine);
    return !send->opens || !machine_is_starved(machine);
}

/* Ends a message; its header may have said another length. */
static void end_message(JmMachine *machine, const Node *node, const NodeSend *send,
                        Message *message) {
    machine->closed = net_now(machine->netif->net) + 1;
    if (message->promised != message->sent)
        message_note_length(message, node, send->priority, machine->closed - 1,
                            send->place, &machine->wrong_length);
    message->promised = message->handler = 0; /* a state says no more than it must */
}

/* Notes the length and the handler that the header of a message promises. */
static inline void note_header(Message *message, JmWord header) {
    if (jm_tag(header) != JM_TAG_MSG)
        return;
    message->promised = jm_field10(jm_data(header));
    message->handler = jm_field20(jm_data(header));
}

/* Takes the words of any SEND. */
static void take_any(JmMachine *machine, const Node *node, const NodeSend *send) {
    Netif *netif = machine->netif;
    const unsigned priority = send->priority;
    const unsigned count = send->count, opens = send->opens, data = count - opens;
    const uint32_t *open = &netif->open[node->rank * 2 + priority];
    const bool returns = machine->rts && priority == 0;
    const uint32_t destination =
        opens ? (uint32_t)destination_of(&machine->config, send->word[0]) : 0;
    if ((opens || returns) && !open_for(machine, node, send, destination))
        return;
    if (returns && !data) { /* it has no number yet */
        if (machine->observed >> JM_EVENT_SEND & 1)
            observe_send(machine, node, 0, send->word[0], 1, true, destination,
                         NET_NONE);
        return;
    }
    Message *message = &netif->message[*open];
    if (!message->sent && data)
        note_header(message, send->word[opens]);
    for (unsigned i = opens; i < count; i++)
        if (!message_append(message, send->word[i])) {
            machine_starve(machine);
            return;
        }
    if (data)
        net_offer(netif->net, node->rank, priority, data, send->end);
    if (send->end)
        end_message(machine, node, send, message);
    if (machine->observed >> JM_EVENT_SEND & 1)
        observe_send(machine, node, priority, send->word[0], count, opens, destination,
                     *open);
}

/* Adds words to a message that is open. */
static void add_words(JmMachine *machine, const Node *node, const NodeSend *send) {
    const Netif *netif = machine->netif;
    Message *message = &netif->message[netif->open[node->rank * 2 + send->priority]];
    const uint32_t sent = message->sent, count = send->count;
    if (sent - message->delivered + count > message->capacity) {
        take_any(machine, node, send);
        return;
    }
    if (!sent)
        note_header(message, send->word[0]);
    *message_word(message, sent) = send->word[0];
    if (count > 1)
        *message_word(message, sent + 1) = send->word[1];
    message->sent = sent + count;
    if (send->end)
        end_message(machine, node, send, message);
    net_offer(netif->net, node->rank, send->priority, count, send->end);
}

/* Opens a message with its routing word alone. */
static void open_alone(JmMachine *machine, const Node *node, const NodeSend *send) {
    const uint32_t to = (uint32_t)destination_of(&machine->config, send->word[0]);
    if (!open_message(machine->netif, node, send->priority, to))
        machine_starve(machine);
}

/* Most SENDs add to a message that is open; most others open one, no more. */
void netif_take(JmMachine *machine, const Node *node, const NodeSend *send) {
    if (machine->observed || machine->rts || (send->opens && send->count > 1))
        take_any(machine, node, send);
    else if (send->opens)
        open_alone(machine, node, send);
    else
        add_words(machine, node, send);
}

NodeSendResult netif_send(void *machine, Node *node, unsigned priority,
                          const JmWord *words, unsigned count, bool opens, bool end) {
    JmMachine *m = machine;
    netif_skip_to(m, m->env.now); /* the node may have run ahead of an empty network */
    const NodeSendResult result =
        netif_can_send(m, node, priority, words, count, opens);
    if (result == NODE_SEND_TAKEN)
        netif_take(m, node,
                   &(NodeSend){.word = {words[0], count > 1 ? words[1] : JM_NIL},
                               .priority = (uint8_t)priority,
                               .count = (uint8_t)count,
                               .opens = opens,
                               .end = end,
                               .place = NODE_PLACE_BEHIND});
    return result;
}
