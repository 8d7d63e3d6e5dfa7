/* A closed workload: abstract processors on the nodes of a network that behave like the
 * Snakes (thesis 4.1). Each node starts with some messages; it takes one, works on it,
 * and sends one of four words to a random node, itself included. So the number of
 * messages is constant. Uses net.h alone; running out of memory is a broken assertion.
 *
 * Processors learn of changes (net_drained(), net_deliveries()) and poll nothing, so
 * that waiting or working ones cost no time. */
#ifndef JM_TESTS_BENCH_CLOSED_H
#define JM_TESTS_BENCH_CLOSED_H

#include "net/net.h"

enum {
    NET_CLOSED_WORDS = 4,       /* of a message, the routing word not counted */
    NET_CLOSED_SEND_CYCLES = 3, /* cycles that sending takes if there is room */
};

/* A workload. */
typedef struct {
    unsigned load; /* messages that start at each node, 1 to 65535 */
    unsigned work; /* cycles a node spends on each, sending included; 3 to 8191 */
    uint64_t seed;
} NetClosedPlan;

typedef struct NetClosed NetClosed;

/* Creates the processors for `net`, which must be new and outlive them. */
NetClosed *net_closed_create(Net *net, const NetClosedPlan *plan);
void net_closed_destroy(NetClosed *closed);

/* Runs processors and network for `cycles` cycles. */
void net_closed_run(NetClosed *closed, unsigned cycles);

#endif
