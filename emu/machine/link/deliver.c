/* Arrivals: words that the network has ejected become rows of queues. */
#include "emu/machine/link/interface.h"
#include "emu/machine/link/netif.h"
#include "emu/node/plain/stretch.h"

/* Words of memory before a row overwrote them. */
typedef struct {
    JmWord word[NODE_ROW_WORDS];
} Overwritten;

/* Returns the words that the next row of a queue will overwrite. */
static Overwritten behind_queue(const Node *node, unsigned priority) {
    const Priority *queue = &node->priority[priority];
    const uint32_t length = node_queue_length(node, priority);
    Overwritten old;
    for (uint32_t i = 0; i < NODE_ROW_WORDS; i++)
        old.word[i] = memory_read(&node->memory, node_queue_place(queue, length + i));
    return old;
}

/* Reports a row that made a queue full, and each of its words written to marked
 * memory. */
static void observe_row(JmMachine *machine, const Node *node, unsigned priority,
                        uint32_t message, uint32_t length, const Overwritten *old) {
    const Priority *queue = &node->priority[priority];
    JmEvent event = {.kind = JM_EVENT_OVERFLOW,
                     .cycle = machine->now,
                     .node = node->rank,
                     .context = (JmContext)node->running,
                     .priority = priority,
                     .message = message,
                     .access = JM_ACCESS_ROW,
                     .by_network = true};
    const uint32_t size = node_queue_size(node, priority);
    if (machine->observed >> JM_EVENT_OVERFLOW & 1 && length < size &&
        length + NODE_ROW_WORDS >= size)
        machine->env.observe(machine, &event);
    event.kind = JM_EVENT_WRITE;
    const bool writes = machine->observed >> JM_EVENT_WRITE & 1;
    for (uint32_t i = 0; writes && i < NODE_ROW_WORDS; i++) {
        event.address = node_queue_place(queue, length + i);
        if (!node_sees_access(machine->env.marks, event.address))
            continue;
        event.word = memory_read(&node->memory, event.address);
        event.old = old->word[i];
        machine->env.observe(machine, &event);
    }
}

/* Records when `message` is complete, for a row of it that has arrived; `tail`: the
 * last. It records the following cycle, because 0 means that the message is
 * incomplete. */
static void note_age(JmMachine *machine, const Node *node, unsigned priority,
                     const Message *message, bool tail) {
    const uint32_t rows = (message->delivered + NODE_ROW_WORDS - 1) / NODE_ROW_WORDS;
    const uint32_t start = node_queue_length(node, priority) - rows * NODE_ROW_WORDS;
    *age_of(&machine->netif->ages[node->rank * 2 + priority], &node->priority[priority],
            start) = tail ? machine->now + 1 : 0;
}

/* Returns rank + 1 of the sender if the row that ends at the last word delivered begins
 * the message, else 0. */
static uint32_t sender_of_row(const Message *message) {
    return message->delivered <= NODE_ROW_WORDS ? message->source + 1 : 0;
}

/* Same as node_receive(), where rows may go elsewhere than to queue 0. */
static bool receive_or_divert(JmMachine *machine, Node *node, uint32_t number,
                              const JmWord *words, unsigned count, bool tail) {
    const Message *message = &machine->netif->message[number];
    ArrivedRow row = {.sender = sender_of_row(message),
                      .behind = (message->delivered - 1) / NODE_ROW_WORDS,
                      .came = machine->now + 1};
    if (!node_gather(node, 0, words, count, tail, &row.row) ||
        machine->unit->takes_row(machine, node, number, &row))
        return false;
    node_write_row(node, 0, &row.row, machine->now);
    return true;
}

/* Hands the kept words over to their node. `tail`: they end the message. Records the
 * sender if they begin a message in the queue. Returns whether a row has entered the
 * queue. */
static bool hand_over(JmMachine *machine, Node *node, unsigned priority, bool tail) {
    Arriving *arriving = &machine->netif->arriving[node->rank * 2 + priority];
    Message *message = &machine->netif->message[arriving->message];
    const unsigned kept = arriving->kept;
    const JmWord *words = message_words(message, message->delivered, kept);
    message->delivered += kept;
    const bool row =
        priority == 0 && machine->unit && machine->unit->takes_row
            ? receive_or_divert(machine, node, arriving->message, words, kept, tail)
            : node_receive(node, priority, words, kept, tail, machine->now);
    arriving->kept = 0;
    if (row)
        *sender_of(&machine->netif->senders[node->rank * 2 + priority],
                   &node->priority[priority],
                   node_queue_length(node, priority) - NODE_ROW_WORDS) =
            sender_of_row(message);
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
 * touched, unless the machine is being observed. */
static inline bool deliver(JmMachine *machine, NodeEnv *env,
                           const NetDelivery *delivery, bool observed) {
    Arriving *arriving =
        &machine->netif->arriving[delivery->node * 2 + delivery->priority];
    const bool row = delivery->tail || arriving->words == NODE_ROW_WORDS - 1;
    arriving->message = delivery->message;
    arriving->kept++;
    arriving->words = row ? 0 : arriving->words + 1;
    if (!row && !observed)
        return false;
    Node *node = &machine->node[delivery->node];
    if (row && node->ahead && node_row_disturbs(node, delivery->priority, machine->now))
        machine_rewind(machine, env, node, machine->now + 1);
    hand_over(machine, node, delivery->priority, delivery->tail);
    return row;
}

/* Reports a message that has arrived whole, and the row that was written over `old`. */
static void observe_delivery(JmMachine *machine, const NetDelivery *delivery, bool row,
                             const Overwritten *old) {
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
                    node_queue_length(node, delivery->priority) - NODE_ROW_WORDS, old);
}

/* As deliver(), and reports the arrival. */
static __attribute__((noinline)) bool deliver_observed(JmMachine *machine,
                                                       const NetDelivery *delivery) {
    const Overwritten old =
        behind_queue(&machine->node[delivery->node], delivery->priority);
    const bool row = deliver(machine, &machine->env, delivery, true);
    observe_delivery(machine, delivery, row, &old);
    return row;
}

/* Offers a word to its node's unit. Returns whether the unit took it. */
static bool take_word(JmMachine *machine, const NetDelivery *delivery) {
    Node *node = &machine->node[delivery->node];
    if (!machine->unit->takes_word(machine, node, delivery))
        return false;
    interface_update_gates(machine, NULL, node);
    return true;
}

/* Delivers the words for nodes of one slab, of a machine without units; NULL: for all
 * nodes. A sleeper is woken
 * even if it cannot dispatch: its branch may read the queue. */
static inline void deliver_words(JmMachine *machine, Slab *slab,
                                 const NetDelivery *delivery, size_t count) {
    const InterfaceUnit *unit = machine->unit;
    NodeEnv *env = slab ? &slab->env : &machine->env;
    uint32_t *awake = slab ? &slab->woken : &machine->wheel.awake;
    const bool unit_takes = !slab && unit && unit->takes_word;
    const bool observed = machine->observer || machine->watch;
    for (; count > 0; count--, delivery++) {
        if (unit_takes && take_word(machine, delivery))
            continue;
        const bool row = !slab && __builtin_expect(machine->observed != 0, false)
                             ? deliver_observed(machine, delivery)
                             : deliver(machine, env, delivery, observed);
        if (!row)
            continue;
        Node *node = &machine->node[delivery->node];
        if (node->gate_changed)
            interface_update_gates(machine, slab, node);
        if (node->asleep) {
            node_wake(node, machine->now + 1);
            wheel_set(&machine->wheel, node->rank, node->ready);
            ++*awake;
        }
    }
}

void netif_deliver(JmMachine *machine) {
    size_t count;
    const NetDelivery *deliveries = net_deliveries(machine->netif->net, &count);
    if (count)
        deliver_words(machine, NULL, deliveries, count);
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
    assert(!machine->unit && "units take words in one thread");
    const NetDelivery *deliveries = net_deliveries(machine->netif->net, &count);
    const size_t first = first_delivery(deliveries, count, slab->first);
    const size_t end = first_delivery(deliveries, count, slab->end);
    deliver_words(machine, slab, deliveries + first, end - first);
}
