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

/* ---- messages whose words are known in advance ----------------------------------- */

/* The SENDs with which a message ends, all issued ahead. */
typedef struct {
    unsigned sends;
    uint32_t sent;  /* words of the message before them */
    uint32_t words; /* words that they add */
    uint64_t shown; /* the cycle with which the message may begin to leave, or the first
                       SEND's if it might have left before */
} Rest;

/* Finds the rest of a message among `count` SENDs. False: it is not all there, or some
 * word comes later than it could leave, so the network could tell. */
static inline bool find_rest(const Netif *netif, const NodeSend *send, unsigned count,
                             Rest *rest) {
    const unsigned priority = send->priority;
    uint64_t latest = UINT64_MAX; /* for the words of a SEND */
    uint32_t words = rest->sent;
    for (unsigned i = 0; i < count && send[i].priority == priority; i++) {
        if (send[i].cycle > latest)
            return false;
        const uint32_t added = (uint32_t)send[i].count - (i == 0 && send->opens);
        words += added;
        if (latest != UINT64_MAX) {
            latest += added * netif->word_flits;
        } else if (1 + words >= netif->start_words || send[i].end) {
            const bool left = 1 + rest->sent >= netif->start_words;
            rest->shown = send[i].cycle;
            latest = rest->shown +
                     (words - (left ? rest->sent : 0)) * netif->word_flits +
                     (left ? 0 : netif->header_flits);
        }
        if (send[i].end) {
            rest->sends = i + 1;
            rest->words = words - rest->sent;
            return true;
        }
    }
    return false;
}

/* Returns the first word of a message that these SENDs open. */
static inline JmWord header_of(const NodeSend *send) {
    return send->count > 1 ? send->word[1] : send[1].word[0];
}

/* Appends the words of the rest of a message. */
static inline void add_rest(Message *message, const NodeSend *send, const Rest *rest) {
    uint32_t sent = message->sent;
    unsigned first = send->opens;
    for (unsigned i = 0; i < rest->sends; i++, first = 0)
        for (unsigned k = first; k < send[i].count; k++)
            *message_word(message, sent++) = send[i].word[k];
    message->sent = sent;
}

/* Notes that a message of a node has ended, or will in a coming cycle. The one before
 * it has ended. */
static inline void note_end(JmMachine *machine, const Node *node, uint64_t cycle) {
    uint64_t *closed = &machine->netif->closed[node->rank];
    if (*closed > machine->closed)
        machine->closed = *closed;
    *closed = cycle + 1;
}

/* Takes the whole rest of a message, the SEND that opens it included. */
static bool open_with_rest(JmMachine *machine, const Node *node, const NodeSend *send,
                           const Rest *rest) {
    Netif *netif = machine->netif;
    const JmWord header = header_of(send);
    if (rest->words > MESSAGE_FEW_WORDS ||
        (jm_tag(header) == JM_TAG_MSG && jm_field10(jm_data(header)) != rest->words))
        return false;
    const uint32_t to = (uint32_t)netif_destination(&machine->config, send->word[0]);
    const uint32_t number =
        net_send(netif->net, node->rank, send->priority, to, rest->words, rest->shown);
    netif->open[node->rank * 2 + send->priority] = number;
    if (number == NET_NONE || !netif_make_room(netif, number)) {
        machine_starve(machine);
        return true;
    }
    Message *message = &netif->message[number];
    message_begin(message, node->rank, MESSAGE_DATA, 0);
    note_header(message, header);
    add_rest(message, send, rest);
    note_end(machine, node, send[rest->sends - 1].cycle);
    return true;
}

/* Takes the whole rest of an open message. */
static bool end_with_rest(JmMachine *machine, const Node *node, const NodeSend *send,
                          const Rest *rest) {
    Netif *netif = machine->netif;
    Message *message = &netif->message[netif->open[node->rank * 2 + send->priority]];
    const uint32_t words = message->sent + rest->words;
    if (words - message->delivered > message->capacity)
        return false;
    if (!message->sent)
        note_header(message, send->word[0]);
    if (message->promised && message->promised != words)
        return false;
    add_rest(message, send, rest);
    note_end(machine, node, send[rest->sends - 1].cycle);
    net_offer_rest(netif->net, node->rank, send->priority, rest->words, rest->shown);
    return true;
}

unsigned netif_take_ahead(JmMachine *machine, const Node *node, const NodeSend *send,
                          unsigned count) {
    const Netif *netif = machine->netif;
    const unsigned priority = send->priority;
    Rest rest = {0};
    if (!send->opens)
        rest.sent = netif->message[netif->open[node->rank * 2 + priority]].sent;
    if (!machine->observed && !machine->slabs && find_rest(netif, send, count, &rest) &&
        net_room(netif->net, node->rank, priority) >= rest.words + send->opens &&
        (send->opens ? open_with_rest(machine, node, send, &rest)
                     : end_with_rest(machine, node, send, &rest)))
        return rest.sends;
    netif_take(machine, node, send);
    return 1;
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
