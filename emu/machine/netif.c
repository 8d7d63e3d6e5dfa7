/* Between the machine and the network.
 *
 * Flits carry no data. The words of a message stay here, by the network's message
 * number: the sender appends, the receiver takes the k-th word when the network says
 * that its k-th word has been ejected.
 */
#include <stdlib.h>

#include "emu/machine/interface/interface.h"
#include "emu/machine/interface/rts.h"
#include "emu/machine/interface/spill.h"
#include "emu/machine/network.h"

/* ---- life ------------------------------------------------------------------------ */

/* Makes tables for the ends (node, priority) of a network, which it takes over. False:
 * no memory. `by_age`: routers go by age. */
static bool allocate(Netif *netif, Net *net, bool by_age) {
    const size_t ends = (size_t)net_node_count(net) * 2;
    netif->net = net;
    netif->open = calloc(ends, sizeof *netif->open);
    netif->arriving = calloc(ends, sizeof *netif->arriving);
    netif->senders = calloc(ends, sizeof *netif->senders);
    if (by_age)
        netif->ages = calloc(ends, sizeof *netif->ages);
    return (!by_age || netif->ages) && netif->open && netif->arriving && netif->senders;
}

Netif *netif_create(const JmConfig *config, JmError *error) {
    const NetParams params = network_params(config);
    Net *net = net_create_mesh_with(config->size_x, config->size_y, config->size_z,
                                    &params, config->engine, error);
    if (!net)
        return NULL;
    Netif *netif = calloc(1, sizeof *netif);
    if (netif && allocate(netif, net, params.age != 0))
        return netif;
    jm_fail(error, NULL, "no memory for the messages of a machine");
    if (!netif)
        net_destroy(net);
    netif_destroy(netif);
    return NULL;
}

void netif_destroy(Netif *netif) {
    if (!netif)
        return;
    for (size_t i = 0; i < netif->messages; i++)
        message_free(&netif->message[i]);
    free(netif->message);
    free(netif->open);
    free(netif->arriving);
    free(netif->senders);
    free(netif->ages);
    net_destroy(netif->net);
    free(netif);
}

/* ---- sending --------------------------------------------------------------------- */

bool netif_make_room(Netif *netif, uint32_t number) {
    while (netif->messages <= number) {
        if (!machine_grow(&netif->message, netif->messages, &netif->capacity,
                          sizeof *netif->message))
            return false;
        netif->message[netif->messages++] = message_new();
    }
    return true;
}

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
    if (net_room(machine->netif->net, node->rank, priority) < count ||
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

void netif_take(JmMachine *machine, const Node *node, const NodeSend *send) {
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
    if (!message->sent && data && jm_tag(send->word[opens]) == JM_TAG_MSG) {
        message->promised = jm_field10(jm_data(send->word[opens]));
        message->handler = jm_field20(jm_data(send->word[opens]));
    }
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

void netif_set_gate(JmMachine *machine, unsigned node, unsigned priority, bool open) {
    net_set_gate(machine->netif->net, node, priority, open);
}

void netif_update_gates(JmMachine *machine, Node *node) {
    node->gate_changed = false;
    if (node->bounded)
        interface_note_alarm(machine, node, &machine->alarms.next);
    for (unsigned p = 0; p < 2; p++) {
        const bool open = node_gate_open(node, p);
        if (open != node->priority[p].gate)
            net_set_gate(machine->netif->net, node->rank, p, open);
        node->priority[p].gate = open;
    }
}

void netif_settle_gates(JmMachine *machine) {
    net_settle_gates(machine->netif->net);
}

/* ---- a cycle --------------------------------------------------------------------- */

/* Reports a row that made a queue full, and each of its words that fell on marked
 * memory. */
static void observe_row(JmMachine *machine, const Node *node, unsigned priority,
                        uint32_t message, uint32_t length) {
    const Priority *queue = &node->priority[priority];
    JmEvent event = {.kind = JM_EVENT_OVERFLOW,
                     .cycle = machine->now,
                     .node = node->rank,
                     .context = (JmContext)node->running,
                     .priority = priority,
                     .message = message,
                     .by_network = true};
    const uint32_t size = node_queue_size(node, priority);
    if (machine->observed >> JM_EVENT_OVERFLOW & 1 && length < size &&
        length + NODE_ROW_WORDS >= size)
        machine->env.observe(machine, &event);
    event.kind = JM_EVENT_WRITE;
    const bool writes = machine->observed >> JM_EVENT_WRITE & 1;
    for (uint32_t i = 0; writes && i < NODE_ROW_WORDS; i++) {
        event.address = node_queue_address(queue, jm_field20(queue->qhl) + length + i);
        if (!node_sees_access(machine->env.marks, event.address))
            continue;
        event.word = memory_read(&node->memory, event.address);
        machine->env.observe(machine, &event);
    }
}

int64_t netif_sender(const JmMachine *machine, const Node *node, unsigned priority) {
    Senders *senders = &machine->netif->senders[node->rank * 2 + priority];
    return (int64_t)*sender_of(senders, &node->priority[priority], 0) - 1;
}

/* A row of `message` has come; it ends it if `tail`. The cycle after counts, as 0 says
 * that a message is not complete. */
static void note_age(JmMachine *machine, const Node *node, unsigned priority,
                     const Message *message, bool tail) {
    const uint32_t rows = (message->delivered + NODE_ROW_WORDS - 1) / NODE_ROW_WORDS;
    const uint32_t start = node_queue_length(node, priority) - rows * NODE_ROW_WORDS;
    *age_of(&machine->netif->ages[node->rank * 2 + priority], &node->priority[priority],
            start) = tail ? machine->now + 1 : 0;
}

void netif_note_row(JmMachine *machine, const Node *node, uint32_t sender,
                    uint32_t behind, uint64_t age) {
    Netif *netif = machine->netif;
    const Priority *queue = &node->priority[0];
    const uint32_t length = node_queue_length(node, 0);
    *sender_of(&netif->senders[node->rank * 2], queue, length - NODE_ROW_WORDS) =
        sender;
    if (netif->ages)
        *age_of(&netif->ages[node->rank * 2], queue,
                length - (behind + 1) * NODE_ROW_WORDS) = age;
}

/* As node_receive() for queue 0 of a node that spills; also notes the sender. */
static bool receive_or_spill(JmMachine *machine, Node *node, const Message *message,
                             const JmWord *words, unsigned count, bool tail) {
    SpillRow row = {.sender =
                        message->delivered <= NODE_ROW_WORDS ? message->source + 1 : 0,
                    .behind = (message->delivered - 1) / NODE_ROW_WORDS,
                    .came = machine->now + 1};
    if (!node_gather(node, 0, words, count, tail, &row.row) ||
        spill_takes(machine, node, &row))
        return false;
    node_write_row(node, 0, &row.row, machine->now);
    return true;
}

/* Hands the kept words over to their node. `tail`: they end the message. Notes the
 * sender if they begin a message in the queue. Returns whether a row has come into the
 * queue. */
static bool hand_over(JmMachine *machine, Node *node, unsigned priority, bool tail) {
    Arriving *arriving = &machine->netif->arriving[node->rank * 2 + priority];
    Message *message = &machine->netif->message[arriving->message];
    JmWord words[NODE_ROW_WORDS];
    for (unsigned i = 0; i < arriving->kept; i++)
        words[i] = *message_word(message, message->delivered++);
    const unsigned kept = arriving->kept;
    const bool row =
        machine->spills && priority == 0
            ? receive_or_spill(machine, node, message, words, kept, tail)
            : node_receive(node, priority, words, kept, tail, machine->now);
    arriving->kept = 0;
    if (row)
        *sender_of(&machine->netif->senders[node->rank * 2 + priority],
                   &node->priority[priority],
                   node_queue_length(node, priority) - NODE_ROW_WORDS) =
            message->delivered <= NODE_ROW_WORDS ? message->source + 1 : 0;
    if (row && machine->netif->ages)
        note_age(machine, node, priority, message, tail);
    return row;
}

void netif_hand_over(JmMachine *machine) {
    for (unsigned end = 0; end < machine->nodes * 2; end++)
        if (machine->netif->arriving[end].kept)
            hand_over(machine, &machine->node[end / 2], end % 2, false);
}

/* Takes a word for a node. Returns whether it completed a row. Nobody sees the words of
 * a row before the row is written, so until then they are kept here and the node is not
 * touched, unless somebody looks on. */
static inline bool deliver(JmMachine *machine, NodeEnv *env,
                           const NetDelivery *delivery) {
    Arriving *arriving =
        &machine->netif->arriving[delivery->node * 2 + delivery->priority];
    const bool row = delivery->tail || arriving->words == NODE_ROW_WORDS - 1;
    arriving->message = delivery->message;
    arriving->kept++;
    arriving->words = row ? 0 : arriving->words + 1;
    if (!row && !machine->observer && !machine->watch)
        return false;
    Node *node = &machine->node[delivery->node];
    if (row && node->ahead && node_row_disturbs(node, delivery->priority, machine->now))
        machine_rewind(machine, env, node, machine->now + 1);
    hand_over(machine, node, delivery->priority, delivery->tail);
    return row;
}

/* Reports a message that has arrived whole, and the row that was written. */
static void observe_delivery(JmMachine *machine, const NetDelivery *delivery,
                             bool row) {
    const Node *node = &machine->node[delivery->node];
    if (delivery->tail && machine->observed >> JM_EVENT_ARRIVE & 1)
        machine->env.observe(machine, &(JmEvent){.kind = JM_EVENT_ARRIVE,
                                                 .cycle = machine->now,
                                                 .node = node->rank,
                                                 .context = (JmContext)node->running,
                                                 .priority = delivery->priority,
                                                 .message = delivery->message});
    if (row)
        observe_row(machine, node, delivery->priority, delivery->message,
                    node_queue_length(node, delivery->priority) - NODE_ROW_WORDS);
}

/* Hands over all words of a network cycle with one thread. A sleeper is woken even if
 * it cannot dispatch: its branch may read the queue. */
static void deliver_all(JmMachine *machine) {
    size_t count;
    const NetDelivery *deliveries = net_deliveries(machine->netif->net, &count);
    for (size_t i = 0; i < count; i++) {
        Node *node = &machine->node[deliveries[i].node];
        if (machine->rts && rts_takes(machine, node, &deliveries[i])) {
            netif_update_gates(machine, node);
            continue;
        }
        const bool row = deliver(machine, &machine->env, &deliveries[i]);
        if (__builtin_expect(machine->observed != 0, false))
            observe_delivery(machine, &deliveries[i], row);
        if (!row)
            continue;
        netif_update_gates(machine, node);
        if (node->asleep) { /* also if it cannot dispatch: its branch may read the
                               queue */
            node_wake(node, machine->now + 1);
            wheel_add(&machine->wheel, node->rank, node->ready);
        }
    }
}

size_t netif_words_delivered(const JmMachine *machine) {
    size_t count;
    net_deliveries(machine->netif->net, &count);
    return count;
}

/* Returns the first delivery for `node` or one above it; deliveries are sorted by
 * node. */
static size_t first_delivery(const NetDelivery *deliveries, size_t count,
                             unsigned node) {
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (deliveries[middle].node < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void netif_deliver_slab(JmMachine *machine, Slab *slab) {
    size_t count;
    const NetDelivery *deliveries = net_deliveries(machine->netif->net, &count);
    for (size_t i = first_delivery(deliveries, count, slab->first);
         i < count && deliveries[i].node < slab->end; i++) {
        Node *node = &machine->node[deliveries[i].node];
        if (machine->rts && rts_takes(machine, node, &deliveries[i])) {
            slab_note_gates(slab, node);
            continue;
        }
        if (!deliver(machine, &slab->env, &deliveries[i]))
            continue;
        slab_note_gates(slab, node);
        if (node->asleep) {
            node_wake(node, machine->now + 1);
            wheel_set(&machine->wheel, node->rank, node->ready);
            slab->woken++;
        }
    }
}

void netif_step(JmMachine *machine) {
    Net *net = machine->netif->net;
    net_step(net);
    if (machine->slabs && !machine->observer)
        slabs_deliver(machine->slabs);
    else
        deliver_all(machine);
    net_settle_gates(net);
    if (net_progressed(net))
        machine->moved = machine->now + 1;
}

void netif_skip_to(JmMachine *machine, uint64_t cycle) {
    Net *net = machine->netif->net;
    if (net_now(net) < cycle)
        net_skip(net, cycle - net_now(net));
}

bool netif_is_quiet(const JmMachine *machine) {
    return net_is_quiet(machine->netif->net);
}

bool netif_flits_wait(const JmMachine *machine) {
    return net_flits_wait(machine->netif->net);
}

bool netif_is_stuck(const JmMachine *machine) {
    const Net *net = machine->netif->net;
    return net_is_quiet(net) || !net_moved(net);
}

bool netif_has_messages(const JmMachine *machine) {
    const NetStatistics *s = net_statistics(machine->netif->net);
    return s->messages_opened[0] + s->messages_opened[1] !=
           s->messages_delivered[0] + s->messages_delivered[1];
}
