/* A closed workload: abstract processors on the nodes of a network that behave like the
 * Snakes (thesis 4.1). Each node has some messages at first; it takes one, works on it,
 * and sends one of four words to a random node, itself included. So there are always as
 * many messages as at first. Uses net.h alone; want of memory is a broken assertion.
 *
 * Processors are told what has changed (net_drained(), net_deliveries()) and ask for
 * nothing, so that those that wait or work cost no time. */
#ifndef JM_TESTS_NET_CLOSED_H
#define JM_TESTS_NET_CLOSED_H

#include "net/net.h"

enum {
    NET_CLOSED_WORDS = 4,       /* of a message, the routing word not counted */
    NET_CLOSED_SEND_CYCLES = 3, /* that sending takes if there is room */
};

/* A workload. */
typedef struct {
    unsigned load; /* messages of a node at first, 1 to 65535 */
    unsigned work; /* cycles a node spends on each, sending included; 3 to 8191 */
    uint64_t seed;
    bool count_waiting; /* for net_closed_waiting() */
} NetClosedPlan;

typedef struct NetClosed NetClosed;

/* Makes the processors for `net`, which must be new and outlive them. */
NetClosed *net_closed_create(Net *net, const NetClosedPlan *plan);
void net_closed_destroy(NetClosed *closed);

/* Runs processors and network for some cycles. */
void net_closed_run(NetClosed *closed, unsigned cycles);

/* Returns the messages that wait at `node`, without the one in hand, summed over all
 * cycles. Only if the plan says count_waiting. */
uint64_t net_closed_waiting(const NetClosed *closed, uint32_t node);

#endif
