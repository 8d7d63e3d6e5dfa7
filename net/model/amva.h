/* Mean value analysis of a wormhole network: Lethin's thesis, chapter 5 and appendix A.
 * Part of libjmodel.a, which needs GSL; anyone may include this header.
 *
 * Walks the channel graph that the engines run (net/graph), which may be any with
 * deterministic routes, and finds the mean waits for channels, wires, node queues and
 * processors by iteration. Times are in cycles, lengths in flits (1 word = 2 flits),
 * queues in messages, rates per cycle. There are two workloads: in Request/Reply each
 * node has a fixed number of its own messages outstanding, and each destination
 * answers; Snakes travel from node to node without a home. Only priority 0 is modelled.
 *
 * The same input gives the same bits. No function keeps state outside its arguments. */
#ifndef JM_NET_MODEL_AMVA_H
#define JM_NET_MODEL_AMVA_H

#include "net/graph/graph.h"
#include "net/model/state.h"

typedef enum { AMVA_REQUESTS, AMVA_SNAKES } AmvaWorkload;

/* How a sweep sums the traffic across a channel. Trees, of all routes to each
 * destination, work for any routes. Prefixes, for graphs with one path between any two
 * nodes, cost far less with thousands of nodes; when requested, they omit the
 * correction for a node's own replies, which is of the order 1/nodes.
 * When trees are requested on such a graph of more than 512 nodes, prefixes compute the
 * same, with the correction. */
typedef enum { AMVA_TREES, AMVA_PREFIXES } AmvaForm;

enum {
    AMVA_MAX_LENGTH = 64,   /* flits */
    AMVA_MAX_NODES = 32768, /* 32x32x32 */
    AMVA_MAX_OUTSTANDING = 1000000,
};

/* A problem to be solved. Nodes send to all others alike. */
typedef struct {
    AmvaWorkload workload;
    AmvaForm form;
    unsigned request, reply; /* flits, 1 .. AMVA_MAX_LENGTH; Snakes are requests */
    unsigned outstanding;    /* messages of each node; Snakes: on average */
    double service;          /* tau: mean time of a message at a processor, > 0 */
    /* 1 less the squared coefficient of variation of services, 0..1: 0 exponential, as
     * the thesis has them, 1 constant. Snakes only. */
    double regularity;
    double alpha; /* per flit (5.18); 0: 1 / mean length */
    /* Routers serve heads round-robin, not by precedence (A.7). */
    bool fair;
    bool p_first;     /* of two wires into a channel, the first has precedence */
    bool equal_aside; /* heads of equal precedence do not block each other */
    bool no_symmetry; /* ignore the graph's mirrors */
    bool uncorrected; /* treat a node's own replies like any others (2.6) */
    double weight;    /* of new values, 0..1; 0: default schedule */
    /* A sweep with a smaller change ends the iteration; 0: 1e-6. */
    double tolerance;
    unsigned sweeps;     /* at most; 0: 2000 */
    bool first_try_only; /* try no other schedule if the first fails */
    /* Called after every sweep; may be NULL. */
    void (*progress)(void *context, unsigned sweep, double change);
    void *context;
} AmvaProblem;

/* Returns the thesis's table 5.1: Request/Reply of 8 flits, 5 outstanding, service
 * 25. */
AmvaProblem net_amva_problem_default(void);

/* The values of a node. */
typedef struct {
    double node_queue; /* Q: messages waiting to enter the network */
    /* Q: messages at the processor, including the one in service. */
    double processor_queue;
    double rate; /* services a cycle */
    /* R: cycles between departures of a message from home; Snakes: of a full set of
     * visits, the same for all. */
    double cycle;
    double request_wait; /* W: cycles in the node queue, of a request or a snake */
    double reply_wait;   /* of a reply, on average */
    /* Cycles from the node queue to the last flit's arrival, of a request and its reply
     * together; Snakes: of a hop. */
    double network_time;
} AmvaNode;

/* How often the last sweep hit each bound that keeps values meaningful. */
typedef struct {
    unsigned wire; /* a wire's free share is below 0.02 */
    /* A port's free share, without its own last worm, is below 0.02. */
    unsigned own_worm;
    unsigned idle;       /* a feeder's idle share is below 0.001 */
    unsigned passing;    /* heads of higher precedence leave a share below 0.001 */
    unsigned wait;       /* a wait above 1e6 */
    unsigned overloaded; /* wires that carry more than a flit a cycle at the end */
    unsigned population; /* 1: the population is off by more than 1e-4 */
} AmvaGuards;

/* The result of solving a problem. */
typedef struct {
    ModelState state;
    unsigned sweeps;      /* sweeps of the reported try and of those before it */
    unsigned tries;       /* 1: the usual schedule worked */
    const char *schedule; /* name of the last try */
    double change;        /* change of the last sweep */
    AmvaGuards guards;
    /* Everything from here on is NaN unless `state` is MODEL_SOLVED. */
    double rate; /* services a cycle and node, on average */
    /* Flits a cycle and link of the bisection, the largest of the dimensions; 0 if the
     * graph names none. */
    double bisection;
    double population; /* relative population error: (found - put in) / put in */
    AmvaNode *node;    /* by rank */
    uint32_t nodes;
} AmvaResult;

/* Solves `problem` on `graph`. False and `error` for bad input, lack of memory or
 * values that are not finite; an operating point without a solution is a state, not an
 * error. Free the result with net_amva_result_free(), even after a failure. */
bool net_amva_solve(const NetGraph *graph, const AmvaProblem *problem,
                    AmvaResult *result, JmError *error);
void net_amva_result_free(AmvaResult *result);

#endif
