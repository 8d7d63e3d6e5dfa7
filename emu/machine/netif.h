/* What lies between the machine and the network: for netif.c, which moves words, and
 * netif_state.c, which saves, restores and shows them. */
#ifndef JM_MACHINE_NETIF_H
#define JM_MACHINE_NETIF_H

#include "emu/machine/machine.h"
#include "emu/machine/message.h"
#include "emu/machine/sender.h"
#include "net/net.h"

/* The words of the next row that the network has delivered to (node, priority). */
typedef struct {
    uint32_t message; /* number of the message that the words are from */
    uint8_t words;    /* words of the row so far */
    uint8_t kept;     /* those of these words that the node has not been given */
} Arriving;

struct Netif {
    Net *net;
    Message *message; /* the messages, by the network's number */
    size_t messages, capacity;
    uint32_t *open;     /* number of the open message; index: node * 2 + priority */
    Arriving *arriving; /* by the same */
    Senders *senders;   /* by the same */
};

/* Makes room for the words of the messages up to `number`. False if there is no memory.
 */
bool netif_make_room(Netif *netif, uint32_t number);

#endif
