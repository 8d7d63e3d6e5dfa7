/* Small simulations of closed networks of servers without a wire between them, to set
 * beside the formulas of queueing.h (thesis 3.3.1, 3.5.2). Part of libjmodel.a; anyone
 * may include this header.
 *
 * Each of N servers serves one customer at a time; a customer that is served goes to
 * any of the N with the same probability, also back to where it is. Mean service is 1
 * except at server 0; times are in mean services. The same seed gives the same bits. */
#ifndef JM_NET_MODEL_SERVERS_H
#define JM_NET_MODEL_SERVERS_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/core/status.h"

/* A system to be simulated. */
typedef struct {
    unsigned servers,
        customers;            /* 1 or more; K/N start at each, the rest at the first */
    unsigned queue;           /* Q: more than so many at one server is an overflow */
    double slow;              /* mean service of server 0, > 0 */
    bool constant;            /* service is the mean, up to a share `spread` more or
                                    less; else exponential */
    double spread;            /* 0 .. 1 */
    double warm_up, duration; /* measured from warm_up to warm_up + duration */
    uint64_t seed;
    /* Called for every state that is measured, with the time it lasted; may be NULL.
     * `customers` are those at each server. */
    void (*observe)(void *context, const uint32_t *customers, double time);
    void *context;
} ServersProblem;

/* The means of a simulation. */
typedef struct {
    double mean_first;       /* customers at server 0 */
    double services;         /* services that ended */
    double overflow_share;   /* of time in which some server is overflowed */
    double overflow_entries; /* for each service time: how frequently from a state
                                without overflow into one with it */
} ServersResult;

/* Simulates a system in continuous time. False for bad input or without memory. */
bool net_servers_run(const ServersProblem *problem, ServersResult *result,
                     JmError *error);

/* Simulates a system in discrete time: in each step every busy server ends its service
 * with probability `end`, then all customers that were served move at once. Only
 * `servers`, `customers`, `seed` and `observe` of the problem count. */
bool net_servers_step(const ServersProblem *problem, double end, uint64_t steps,
                      JmError *error);

#endif
