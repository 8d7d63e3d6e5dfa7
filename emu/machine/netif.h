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
    uint32_t message; /* number of the message that the words are from */
    uint8_t words;    /* words of the row so far */
    uint8_t kept;     /* words of the row that the node has not been given yet */
} Arriving;

/* Everything between the nodes and the network. An end is (node, priority), numbered
 * node * 2 + priority. */
struct Netif {
    Net *net;
    Message *message;          /* messages by their numbers in the network */
    size_t messages, capacity; /* messages in use; room for them */
    uint32_t *open;     /* by end: number of the message that the node has open */
    Arriving *arriving; /* by end */
    Senders *senders;   /* by end */
    Ages *ages;         /* by end; NULL where routers do not go by age */
};

/* Makes room for the words of messages up to `number`. False: no memory. */
bool netif_make_room(Netif *netif, uint32_t number);

#endif
