/* Customers of a closed network: the workloads of chapter 5 of the thesis on a real
 * network. Each node starts with some messages of its own. A processor takes arrivals
 * in order, spends the same time on each, and sends it on to any other node (Snakes)
 * or, when it is not at home, home (Request/Reply). Input queues are unbounded; output
 * buffers are the network's. Uses net.h alone. */
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
    unsigned load;  /* messages of each node, 1 to MAX_LOAD */
    unsigned words; /* of a message without its routing word, 1 to MAX_WORDS */
    /* Cycles of a processor for a message, sending included: at least 1 + words / 2, up
     * to MAX_SERVICE. */
    unsigned service;
    bool home; /* every second hop leads home */
    uint64_t seed;
} NetCustomersPlan;

typedef struct NetCustomers NetCustomers;

/* Creates the processors for `net`, which must be new, have at least two nodes, and
 * outlive them. NULL and `error` if the plan is out of range or memory runs out. */
NetCustomers *net_customers_create(Net *net, const NetCustomersPlan *plan,
                                   JmError *error);
void net_customers_destroy(NetCustomers *customers); /* NULL is ignored */

/* Runs processors and network for `cycles` cycles. False: out of memory; the run has
 * stopped and both can only be destroyed. */
bool net_customers_run(NetCustomers *customers, unsigned cycles);

/* Resets the statistics below. */
void net_customers_forget(NetCustomers *customers);
/* Returns the mean number of messages at a node since the last reset, counted from
 * arrival until they have left its output buffer. NaN if no cycle was counted. */
double net_customers_queue(const NetCustomers *customers, uint32_t node);
/* Returns the number of services completed by all nodes since the last reset. */
uint64_t net_customers_served(const NetCustomers *customers);

#endif
