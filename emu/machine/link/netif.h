/* Words between nodes and network: for this room, and for emu/machine/run. */
#ifndef JM_MACHINE_NETIF_H
#define JM_MACHINE_NETIF_H

#include "emu/machine/link/message.h"
#include "emu/machine/slab.h"
#include "net/net.h"

enum { SENDER_ROWS = 1024 / NODE_ROW_WORDS }; /* of the longest queue */

/* The sender of each message in a queue, for error reports: a message does not carry
 * it. Indexed by row of the queue: rank + 1 of the node that sent the message beginning
 * there, 0 where none begins. A message that a program puts there itself, as an
 * overflow handler may, has no sender. */
typedef struct {
    uint32_t of_row[SENDER_ROWS];
} Senders;

/* Returns the entry of the row that begins `offset` words behind the head of a
 * queue. */
static inline uint32_t *sender_of(Senders *senders, const Priority *queue,
                                  uint32_t offset) {
    const uint32_t place = jm_field20(queue->qhl) + offset;
    return &senders->of_row[(place & jm_field10(queue->qbm)) / NODE_ROW_WORDS];
}

/* Ages of messages, indexed by row of the queue: the cycle in which the message that
 * begins there was complete, 0 while it is not. A message that a program puts there has
 * the age of the network's last one in that row. */
typedef struct {
    uint64_t of_row[SENDER_ROWS];
} Ages;

static inline uint64_t *age_of(Ages *ages, const Priority *queue, uint32_t offset) {
    const uint32_t place = jm_field20(queue->qhl) + offset;
    return &ages->of_row[(place & jm_field10(queue->qbm)) / NODE_ROW_WORDS];
}

/* The row that is arriving at (node, priority). */
typedef struct {
    uint32_t message; /* number of the message that the words belong to */
    uint8_t words;    /* words of the row so far */
    uint8_t kept;     /* words of the row that the node has not been given yet */
} Arriving;

/* Everything between the nodes and the network. An end is (node, priority), numbered
 * node * 2 + priority. */
struct Netif {
    Heap *heap; /* the machine's */
    Net *net;
    Message *message;          /* messages by their numbers in the network */
    size_t messages, capacity; /* messages in use; room for them */
    uint32_t *open;            /* by end: number of the node's open message */
    Arriving *arriving;        /* by end */
    Senders *senders;          /* by end */
    uint64_t *closed;     /* by node: cycles done when its last message that was offered
                         early ends; 0: JmMachine.closed includes it */
    uint32_t start_words; /* words with which a message starts to leave, the routing
                              word included */
    uint32_t header_flits; /* of a message */
    uint32_t word_flits;   /* of a word */
    Ages *ages;            /* by end; NULL unless routers arbitrate by age */
};

/* Returns the rank that a routing word names, which must be a node of this machine. */
static inline uint32_t netif_rank(const JmConfig *config, JmWord routing) {
    const uint32_t to = jm_data(routing);
    return (to & 31) +
           config->size_x * ((to >> 5 & 31) + config->size_y * (to >> 10 & 63));
}

/* Returns the rank that a routing word names: x in bits 0 to 4, y in 5 to 9, z in 10 to
 * 15. -1: not a node of this machine. */
static inline int64_t netif_destination(const JmConfig *config, JmWord routing) {
    const uint32_t x = jm_data(routing) & 31;
    const uint32_t y = jm_data(routing) >> 5 & 31;
    const uint32_t z = jm_data(routing) >> 10 & 63;
    if (x >= config->size_x || y >= config->size_y || z >= config->size_z)
        return -1;
    return netif_rank(config, routing);
}

/* Returns the network's parameters of a configuration. */
NetParams netif_params(const JmConfig *config);
/* Makes room for the words of messages up to `number`. */
void netif_make_room(Netif *netif, uint32_t number);
/* Opens a message in the network, and resets everything kept under its number. `born`
 * as in net_open_aged(), `kind` and `reserved` as in Message. Messages that are known
 * whole before they open are opened in send.c. */
static inline uint32_t netif_open(JmMachine *machine, unsigned node, unsigned priority,
                                  uint32_t destination, uint64_t born, MessageKind kind,
                                  uint32_t reserved) {
    Netif *netif = machine->netif;
    const uint32_t number =
        net_open_aged(netif->net, node, priority, destination, born);
    if (number == NET_NONE)
        heap_fail(netif->heap);
    netif_make_room(netif, number);
    message_begin(&netif->message[number], node, kind, reserved);
    return number;
}

/* ---- send.c: from nodes to the network ------------------------------------------- */

/* Implements NodeEnv.send for one thread. */
NodeSendResult netif_send(void *machine, Node *node, unsigned priority,
                          const JmWord *words, unsigned count, bool opens, bool end);
/* Whether the words of a SEND would be taken: the first half of netif_send(). */
NodeSendResult netif_can_send(const JmMachine *machine, const Node *node,
                              unsigned priority, const JmWord *words, unsigned count,
                              bool opens);
/* Takes the words of a SEND that netif_can_send() has accepted. */
void netif_take(JmMachine *machine, const Node *node, const NodeSend *send,
                const JmWord *words);
/* Takes, in its cycle, the next SEND that a node has issued ahead, and with it the rest
 * of its message if the network cannot tell the difference. The buffer has room for
 * `room` words, which must be enough for the first SEND. Otherwise the same as
 * netif_take(). */
void netif_take_ahead(JmMachine *machine, const Node *node, NodeAhead *ahead,
                      unsigned room);

/* ---- state.c --------------------------------------------------------------------- */

/* Saves the network and the messages in transit. */
void netif_save(const JmMachine *machine, Archive *archive);
/* Restores the network and the messages in transit; net_restore() explains
 * `trusted`. */
bool netif_restore(JmMachine *machine, Archive *archive, bool trusted);

/* ---- deliver.c: from the network to nodes ---------------------------------------- */

/* Delivers the words that the network's last cycle ejected, and wakes sleepers. */
void netif_deliver(JmMachine *machine);
/* Same as netif_deliver() for the nodes of one slab, called by its thread. The machine
 * has no units: they allocate. */
void netif_deliver_slab(JmMachine *machine, Slab *slab);
/* Hands the words of incomplete rows to the nodes too, for callers that inspect
 * them. */
void netif_hand_over(JmMachine *machine);

#endif
