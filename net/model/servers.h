/* Small simulations of closed networks of servers without wires between them, for
 * comparison with the formulas of queueing.h (thesis 3.3.1, 3.5.2). Part of
 * libjmodel.a; anyone may include this header.
 *
 * Each of N servers serves one customer at a time; a served customer goes to each of
 * the N with the same probability, including the one it is at, or with requests to
 * another one and from there back. Mean service is 1 except at server 0; times are in
 * mean services. The same seed gives the same bits. */
#ifndef JM_NET_MODEL_SERVERS_H
#define JM_NET_MODEL_SERVERS_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/core/status.h"

/* A system to simulate. */
typedef struct {
    /* 1 or more; K/N start at each, the remainder at the first. */
    unsigned servers, customers;
    /* Q: more customers than this at one server is an overflow. */
    unsigned queue;
    double slow; /* mean service of server 0, > 0 */
    /* Service is the mean, plus or minus a share of up to `spread`; otherwise
     * exponential. */
    bool constant;
    double spread; /* 0 .. 1 */
    /* From where it starts, its home, a customer goes to any other server, and from
     * there home (thesis 3.5.3); needs two servers. */
    bool requests;
    double warm_up, duration; /* measured from warm_up to warm_up + duration */
    uint64_t seed;
    /* Called for every measured state with its duration; may be NULL. `customers` are
     * those at each server. */
    void (*observe)(void *context, const uint32_t *customers, double time);
    void *context;
} ServersProblem;

/* The means of a simulation. */
typedef struct {
    double mean_first;     /* customers at server 0 */
    double services;       /* services completed */
    double overflow_share; /* share of time in which some server overflows */
    /* Per service time: transitions from a state without overflow into one with it. */
    double overflow_entries;
} ServersResult;

/* Simulates a system in continuous time. False for bad input or if out of memory. */
bool net_servers_run(const ServersProblem *problem, ServersResult *result,
                     JmError *error);

/* Simulates a system in discrete time: in each step every busy server ends its service
 * with probability `end`, then all served customers move at once. Only `servers`,
 * `customers`, `seed` and `observe` of the problem are used. */
bool net_servers_step(const ServersProblem *problem, double end, uint64_t steps,
                      JmError *error);

#endif
