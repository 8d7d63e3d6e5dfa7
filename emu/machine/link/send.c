/* Sending: room, routing words, opening messages, words appended and offered to the
 * network. */
#include <string.h>

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

/* Opens a message of a task, with `reserved` words of return memory. */
static void open_message(JmMachine *machine, const Node *node, unsigned priority,
                         uint32_t destination, uint32_t reserved) {
    Netif *netif = machine->netif;
    netif->open[node->rank * 2 + priority] =
        netif_open(machine, node->rank, priority, destination, birth(netif, node),
                   MESSAGE_DATA, reserved);
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
    const unsigned needed =
        interface_sends(machine)
            ? machine->unit->room_to_send(machine, node, priority, words, count, opens)
            : count;
    if (room < needed || room < least)
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
    if (interface_sends(machine)) /* a unit may be waiting for the end */
        interface_note_alarm(machine, node, &machine->alarms.next);
}

/* Notes the length and the handler that the header of a message promises. */
static inline void note_header(Message *message, JmWord header) {
    if (jm_tag(header) != JM_TAG_MSG)
        return;
    message->promised = (uint16_t)jm_field10(jm_data(header));
    message->handler = jm_field20(jm_data(header));
}

/* Returns the words that a SEND offers. */
static Offer offer_of(JmMachine *machine, const Node *node, const NodeSend *send,
                      const JmWord *words) {
    Offer offer = {.opens = send->opens,
                   .routing = words[0],
                   .words = words + send->opens,
                   .count = (unsigned)send->count - send->opens};
    if (interface_sends(machine))
        machine->unit->offers(machine, node, send->priority, &offer);
    return offer;
}

void netif_take(JmMachine *machine, const Node *node, const NodeSend *send,
                const JmWord *words) {
    Netif *netif = machine->netif;
    const unsigned priority = send->priority;
    const uint32_t *open = &netif->open[node->rank * 2 + priority];
    const Offer offer = offer_of(machine, node, send, words);
    if (!offer.opens && !offer.count)
        return;
    const uint32_t destination =
        offer.opens ? (uint32_t)netif_destination(&machine->config, offer.routing) : 0;
    if (offer.opens)
        open_message(machine, node, priority, destination, offer.reserved);
    Message *message = &netif->message[*open];
    if (!message->sent && offer.count)
        note_header(message, offer.words[0]);
    for (unsigned i = 0; i < offer.count; i++)
        message_append(message, netif->heap, offer.words[i]);
    if (offer.count)
        net_offer(netif->net, node->rank, priority, offer.count, send->end);
    if (send->end)
        end_message(machine, node, send, message);
    if (machine->observed >> JM_EVENT_SEND & 1)
        observe_send(machine, node, priority,
                     offer.opens ? offer.routing : offer.words[0],
                     offer.count + offer.opens, offer.opens, destination, *open);
}

/* ---- messages whose words are known in advance ----------------------------------- */

/* The SENDs with which a message ends, all issued ahead. */
typedef struct {
    unsigned sends;
    uint32_t words; /* that they send, the routing word included */
    /* Cycle from which the message may begin to leave; if it may have begun before,
     * the cycle of the first of these SENDs. */
    uint64_t shown;
} Rest;

/* Finds the rest of a message among `count` SENDs; `sent` of its words, the routing
 * word included, were sent before. Returns false if its end is missing, or some word
 * comes later than it could leave. */
static inline bool find_rest(const Netif *netif, const NodeSend *send, unsigned count,
                             uint32_t sent, Rest *rest) {
    const unsigned priority = send->priority;
    uint32_t words = sent + send->count;
    unsigned i = 0;
    while (!send[i].end && words < netif->start_words) {
        if (++i == count || send[i].priority != priority)
            return false;
        words += send[i].count;
    }
    /* Words after `shown` cannot leave before the flits of the words up to there. */
    rest->shown = send[i].cycle;
    const uint64_t latest =
        rest->shown + (sent < netif->start_words
                           ? netif->header_flits + (words - 1) * netif->word_flits
                           : (words - sent) * netif->word_flits);
    while (!send[i].end) {
        if (++i == count || send[i].priority != priority)
            return false;
        words += send[i].count;
    }
    rest->sends = i + 1;
    rest->words = words - sent;
    return send[i].cycle <= latest;
}

/* Records that a message of a node has ended, or will end in a coming cycle. The one
 * before it has ended. */
static inline void note_end(JmMachine *machine, const Node *node, uint64_t cycle) {
    uint64_t *closed = &machine->netif->closed[node->rank];
    if (*closed > machine->closed)
        machine->closed = *closed;
    *closed = cycle + 1;
}

/* Whether a header gives a length other than `words`. */
static inline bool is_wrong(JmWord header, uint32_t words) {
    return jm_tag(header) == JM_TAG_MSG && jm_field10(jm_data(header)) != words;
}

/* Opens a message all of whose words are known, if they are few enough to need no
 * ring. */
static bool open_whole(JmMachine *machine, const Node *node, unsigned priority,
                       const JmWord *words, const Rest *rest) {
    Netif *netif = machine->netif;
    const uint32_t count = rest->words - 1;
    if (count > MESSAGE_FEW_WORDS || is_wrong(words[1], count))
        return false;
    const uint32_t to = netif_rank(&machine->config, words[0]);
    const uint32_t number =
        net_send(netif->net, node->rank, priority, to, count, rest->shown);
    netif->open[node->rank * 2 + priority] = number;
    if (__builtin_expect(number >= netif->messages, false)) {
        if (number == NET_NONE)
            heap_fail(netif->heap);
        netif_make_room(netif, number);
    }
    Message *message = &netif->message[number];
    message_begin(message, node->rank, MESSAGE_DATA, 0);
    note_header(message, words[1]);
    /* Copies as many words as fit: a constant size is faster, and the excess is
     * ignored. */
    memcpy(message->more ? message->more : message->few, words + 1,
           sizeof message->few);
    message->sent = count;
    return true;
}

/* Takes all other words of an open message. */
static bool end_whole(JmMachine *machine, const Node *node, unsigned priority,
                      const JmWord *words, const Rest *rest) {
    const Netif *netif = machine->netif;
    Message *message = &netif->message[netif->open[node->rank * 2 + priority]];
    const uint32_t sent = message->sent + rest->words;
    if (sent - message->delivered > message->capacity)
        return false;
    if (!message->sent)
        note_header(message, words[0]);
    if (message->promised && message->promised != sent)
        return false;
    message_fill(message, words, rest->words);
    net_offer_rest(netif->net, node->rank, priority, rest->words, rest->shown);
    return true;
}

void netif_take_ahead(JmMachine *machine, const Node *node, NodeAhead *ahead,
                      unsigned room) {
    const Netif *netif = machine->netif;
    const NodeSend *send = &ahead->send[ahead->sent];
    const JmWord *words = &ahead->word[ahead->words];
    const unsigned priority = send->priority, count = ahead->sends - ahead->sent;
    const uint32_t *open = &netif->open[node->rank * 2 + priority];
    const uint32_t sent = send->opens ? 0 : 1 + netif->message[*open].sent;
    Rest rest;
    if (!machine->observed && !machine->slabs &&
        find_rest(netif, send, count, sent, &rest) && room >= rest.words &&
        (send->opens ? open_whole(machine, node, priority, words, &rest)
                     : end_whole(machine, node, priority, words, &rest))) {
        note_end(machine, node, send[rest.sends - 1].cycle);
        node_note_taken(ahead, rest.sends, rest.words);
        return;
    }
    netif_take(machine, node, send, words);
    node_note_taken(ahead, 1, send->count);
}

NodeSendResult netif_send(void *machine, Node *node, unsigned priority,
                          const JmWord *words, unsigned count, bool opens, bool end) {
    JmMachine *m = machine;
    netif_skip_to(m, m->env.now); /* the node may have run ahead of an empty network */
    const NodeSendResult result =
        netif_can_send(m, node, priority, words, count, opens);
    if (result == NODE_SEND_TAKEN)
        netif_take(m, node,
                   &(NodeSend){.priority = (uint8_t)priority,
                               .count = (uint8_t)count,
                               .opens = opens,
                               .end = end,
                               .place = NODE_PLACE_BEHIND},
                   words);
    return result;
}
