/* Words between nodes and network. For netif.c, which moves them, and netif_state.c,
 * which saves, restores and shows them. */
#ifndef JM_MACHINE_NETIF_H
#define JM_MACHINE_NETIF_H

#include "emu/machine/machine.h"
#include "emu/machine/message.h"
#include "emu/machine/sender.h"
#include "net/net.h"

/* The row that is arriving at (node, priority). */
typedef struct {
    uint32_t message; /* number of the message that the words belong to */
    uint8_t words;    /* words of the row so far */
    uint8_t kept;     /* words of the row that the node has not been given yet */
} Arriving;

/* Everything between the nodes and the network. An end is (node, priority), numbered
 * node * 2 + priority. */
struct Netif {
    Net *net;
    Message *message;          /* messages by their numbers in the network */
    size_t messages, capacity; /* messages in use; room for them */
    uint32_t *open;            /* by end: number of the node's open message */
    Arriving *arriving;        /* by end */
    Senders *senders;          /* by end */
    Ages *ages;                /* by end; NULL where routers do not go by age */
};

/* Returns the rank that a routing word names: x in bits 0 to 4, y in 5 to 9, z in 10 to
 * 15. -1: not a node of this machine. */
static inline int64_t netif_destination(const JmConfig *config, JmWord routing) {
    const uint32_t x = jm_data(routing) & 31;
    const uint32_t y = jm_data(routing) >> 5 & 31;
    const uint32_t z = jm_data(routing) >> 10 & 63;
    if (x >= config->size_x || y >= config->size_y || z >= config->size_z)
        return -1;
    return x + (int64_t)config->size_x * (y + (int64_t)config->size_y * z);
}

/* Makes room for the words of messages up to `number`. False: no memory. */
bool netif_make_room(Netif *netif, uint32_t number);
/* Opens a message in the network, and resets everything kept under its number. Every
 * message of the machine is opened here. `born` as in net_open_aged(), `kind` and
 * `reserved` as in Message. NET_NONE: no memory, and the machine is starved. */
static inline uint32_t netif_open(JmMachine *machine, unsigned node, unsigned priority,
                                  uint32_t destination, uint64_t born, MessageKind kind,
                                  uint32_t reserved) {
    Netif *netif = machine->netif;
    const uint32_t number =
        net_open_aged(netif->net, node, priority, destination, born);
    if (number == NET_NONE || !netif_make_room(netif, number)) {
        machine_starve(machine);
        return NET_NONE;
    }
    message_begin(&netif->message[number], node, kind, reserved);
    return number;
}

#endif
