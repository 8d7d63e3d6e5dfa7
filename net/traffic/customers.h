/* Customers of a closed network: the workloads of chapter 5 of the thesis on a real
 * network. Each node has some messages of its own at first. A processor takes those
 * that have come in order, spends the same time on each, and sends it on: to any
 * other node (Snakes), or, from elsewhere, home (Request/Reply). Input queues have no
 * end; output buffers are the network's. Uses net.h alone. */
#ifndef JM_NET_TRAFFIC_CUSTOMERS_H
#define JM_NET_TRAFFIC_CUSTOMERS_H

#include "net/net.h"

enum {
    NET_CUSTOMERS_MAX_LOAD = 1024,
    NET_CUSTOMERS_MAX_SERVICE = 8000, /* cycles */
    NET_CUSTOMERS_MAX_WORDS = 32
};

/* A workload. */
typedef struct {
    unsigned load;    /* messages of each node, 1 to MAX_LOAD */
    unsigned words;   /* of a message without its routing word, 1 to MAX_WORDS */
    unsigned service; /* cycles of a processor for a message, sending included: at least
                         1 + words / 2, up to MAX_SERVICE */
    bool home;        /* every second hop leads home */
    uint64_t seed;
} NetCustomersPlan;

typedef struct NetCustomers NetCustomers;

/* Makes the processors for `net`, which must be new, have two nodes or more, and
 * outlive them. NULL and `error` if the plan is out of range or there is no memory. */
NetCustomers *net_customers_create(Net *net, const NetCustomersPlan *plan,
                                   JmError *error);
void net_customers_destroy(NetCustomers *customers); /* NULL is ignored */

/* Runs processors and network for some cycles. False: no memory for a message; the run
 * has stopped there, and both can only be destroyed. */
bool net_customers_run(NetCustomers *customers, unsigned cycles);

/* Begins the counts below anew: what was counted up to now is forgotten. */
void net_customers_forget(NetCustomers *customers);
/* Returns the mean number of messages at a node since the counts began, from their
 * arrival until they have left its output buffer. NaN if no cycle has been counted. */
double net_customers_queue(const NetCustomers *customers, uint32_t node);
/* Returns how many services all nodes have ended since then. */
uint64_t net_customers_served(const NetCustomers *customers);

#endif
