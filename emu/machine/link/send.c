/* Sending: room, routing words, opening messages, words appended and offered to the
 * network. */
#include "emu/machine/link/interface.h"
#include "emu/machine/link/netif.h"

/* Returns the birth of a message that the node opens: the arrival of the message it
 * handles, or now. */
static uint64_t birth(const Netif *netif, const Node *node) {
    const uint64_t now = net_now(netif->net);
    if (!netif->ages || node->background)
        return now;
    const uint64_t came =
        *age_of(&netif->ages[node->rank * 2 + node->p], &node->priority[node->p], 0);
    return came ? came : now;
}

/* Opens a message of a task, with `reserved` words of return memory. False: no
 * memory. */
static bool open_message(JmMachine *machine, const Node *node, unsigned priority,
                         uint32_t destination, uint32_t reserved) {
    Netif *netif = machine->netif;
    const uint32_t number = netif_open(machine, node->rank, priority, destination,
                                       birth(netif, node), MESSAGE_DATA, reserved);
    netif->open[node->rank * 2 + priority] = number;
    return number != NET_NONE;
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
    if (routing && (netif_destination(&m->config, *routing) < 0 || m->netif->ages))
        return 0;
    return net_room(m->netif->net, node->rank, priority);
}

NodeSendResult netif_can_send(const JmMachine *machine, const Node *node,
                              unsigned priority, const JmWord *words, unsigned count,
                              bool opens) {
    const uint32_t least = opens ? machine->config.interface.open_words : 0;
    const unsigned room = net_room(machine->netif->net, node->rank, priority);
    if (room < count || room < least ||
        (interface_sends(machine) &&
         !machine->unit->may_send(machine, node, priority, words, count, opens)))
        return NODE_SEND_NO_ROOM;
    if (opens && netif_destination(&machine->config, words[0]) < 0)
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

/* Ends a message; its header may have given another length. */
static void end_message(JmMachine *machine, const Node *node, const NodeSend *send,
                        Message *message) {
    machine->closed = net_now(machine->netif->net) + 1;
    if (message->promised != message->sent)
        message_note_length(message, node, send->priority, machine->closed - 1,
                            send->place, &machine->wrong_length);
    message->promised = 0; /* keep saved states minimal */
    message->handler = 0;
    if (interface_sends(machine)) /* it may be waiting for the end */
        interface_note_alarm(machine, node, &machine->alarms.next);
}

/* Notes the length and the handler that the header of a message promises. */
static inline void note_header(Message *message, JmWord header) {
    if (jm_tag(header) != JM_TAG_MSG)
        return;
    message->promised = (uint16_t)jm_field10(jm_data(header));
    message->handler = jm_field20(jm_data(header));
}

/* What a SEND offers. */
static Offer offer_of(JmMachine *machine, const Node *node, const NodeSend *send) {
    Offer offer = {.opens = send->opens,
                   .routing = send->word[0],
                   .words = send->word + send->opens,
                   .count = send->count - send->opens};
    if (interface_sends(machine))
        machine->unit->offers(machine, node, send->priority, &offer);
    return offer;
}

/* Takes the words of any SEND. */
static void take_any(JmMachine *machine, const Node *node, const NodeSend *send) {
    Netif *netif = machine->netif;
    const unsigned priority = send->priority;
    const uint32_t *open = &netif->open[node->rank * 2 + priority];
    const Offer offer = offer_of(machine, node, send);
    if (!offer.opens && !offer.count)
        return;
    const uint32_t destination =
        offer.opens ? (uint32_t)netif_destination(&machine->config, offer.routing) : 0;
    if (offer.opens &&
        !open_message(machine, node, priority, destination, offer.reserved))
        return;
    Message *message = &netif->message[*open];
    if (!message->sent && offer.count)
        note_header(message, offer.words[0]);
    for (unsigned i = 0; i < offer.count; i++)
        if (!message_append(message, offer.words[i])) {
            machine_starve(machine);
            return;
        }
    if (offer.count)
        net_offer(netif->net, node->rank, priority, offer.count, send->end);
    if (send->end)
        end_message(machine, node, send, message);
    if (machine->observed >> JM_EVENT_SEND & 1)
        observe_send(machine, node, priority,
                     offer.opens ? offer.routing : offer.words[0],
                     offer.count + offer.opens, offer.opens, destination, *open);
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

/* Opens a message with only its routing word. */
static void open_alone(JmMachine *machine, const Node *node, const NodeSend *send) {
    const uint32_t to = (uint32_t)netif_destination(&machine->config, send->word[0]);
    open_message(machine, node, send->priority, to, 0);
}

/* Most SENDs add to an open message; most others only open one. */
void netif_take(JmMachine *machine, const Node *node, const NodeSend *send) {
    if (machine->observed || interface_sends(machine) ||
        (send->opens && send->count > 1))
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
