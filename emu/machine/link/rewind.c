/* Rewinds nodes that have issued instructions ahead, and withdraws words sent early. */
#include "emu/machine/link/netif.h"

/* Withdraws the words that a node has sent early and that are due in `cycle` or
 * later. */
static void take_back(JmMachine *machine, const Node *node, uint64_t cycle) {
    const NodeAhead *ahead = &machine->ahead[node->rank];
    Netif *netif = machine->netif;
    unsigned words = 0, first = ahead->sent;
    while (first > 0 && ahead->send[first - 1].cycle >= cycle)
        words += ahead->send[--first].count;
    const unsigned priority = ahead->send[first].priority;
    netif->message[netif->open[node->rank * 2 + priority]].sent -= words;
    net_take_back(netif->net, node->rank, priority, words);
    netif->closed[node->rank] = 0;
}

void machine_rewind(JmMachine *machine, NodeEnv *env, Node *node, uint64_t cycle) {
    const uint64_t ready = node->ready;
    NodeAhead *ahead = &machine->ahead[node->rank];
    if (!node->ahead || ready <= cycle)
        return;
    if (ahead->sent < ahead->sends)
        wheel_clear_send(&machine->wheel, node->rank, ahead->send[ahead->sent].cycle);
    if (ahead->sent > 0 && ahead->send[ahead->sent - 1].cycle >= cycle)
        take_back(machine, node, cycle);
    node_rewind(node, env, ahead, cycle);
    if (machine->watch)
        machine_note_mark(machine, node);
    wheel_clear(&machine->wheel, node->rank, ready);
    wheel_set(&machine->wheel, node->rank, node->ready);
}

void netif_note_closed(JmMachine *machine) {
    uint64_t *closed = machine->netif->closed;
    for (unsigned i = 0; i < machine->nodes; i++) {
        if (closed[i] > machine->closed)
            machine->closed = closed[i];
        closed[i] = 0;
    }
}
