/* Mean value analysis of a shared-memory multiprocessor on a wormhole network with
 * virtual channels: V. S. Adve and M. K. Vernon, *Performance Analysis of Mesh
 * Interconnection Networks with Deterministic Routing*, IEEE Transactions on Parallel
 * and Distributed Systems 5 (1994), "AV". Part of libjmodel.a; anyone may include this
 * header.
 *
 * Each processor has a fixed number of customers. It serves one at a time; after
 * service the customer goes to another node's memory as a read or a write, and returns
 * as the reply. Requests and replies travel as worms on the channel graph that the
 * engines run, which may be any with deterministic routes, one flit in a channel; lanes
 * of a wire share it. The waits for channels, wires, sources and memories are found by
 * iteration. Times are in cycles, lengths in flits.
 *
 * With a rate the network is open: processors send messages at random times and get no
 * replies. The waits are the same except that no customer has to be excluded from them.
 *
 * The same input gives the same bits. No function keeps state outside its arguments. */
#ifndef JM_NET_MODEL_SHARED_SHARED_H
#define JM_NET_MODEL_SHARED_SHARED_H

#include "net/graph/graph.h"
#include "net/model/state.h"

enum {
    SHARED_PAIRS = 2,       /* kinds of request: read, write */
    SHARED_MAX_LENGTH = 64, /* flits of a message */
    SHARED_MAX_PROCESSORS = 1024,
    SHARED_MAX_OUT = 4096,
};

/* What a channel may hold. */
typedef enum {
    SHARED_ONE_FLIT, /* AV's model */
    /* Any number of whole messages: wires, sources and last channels are unbounded
     * queues, and lanes do not matter. AV refer to another model for this and print
     * none; these equations are ours. */
    SHARED_UNLIMITED
} SharedBuffers;

/* The wait of a flit for its wire, when other lanes use a share u of it. */
typedef enum {
    SHARED_LINK_LOAD,  /* u: AV (4) */
    SHARED_LINK_QUEUE, /* u/(1-u): Lethin 1997, (A.13) */
    SHARED_LINK_TWICE  /* 2 u: in no paper; for sensitivity tests */
} SharedLink;

/* Variants of AV's equations. All 0: as AV. */
typedef struct {
    SharedLink link;
    /* Flits behind a head wait for the worst wire along the worm, not for their own:
     * Lethin 1997, (A.5), (A.6). */
    bool worst_wire;
    bool by_rate;  /* means of a port are weighted by 1/R: Lethin 1997, (A.8) */
    bool no_tail;  /* omit the second line of (6): the own port's last worm */
    bool keep_own; /* SHARED_UNLIMITED: messages also wait for their own customer's */
} SharedTerms;

/* A kind of request with its reply. */
typedef struct {
    unsigned request, reply; /* flits, 1 .. SHARED_MAX_LENGTH */
    double share;            /* of all requests; the shares add up to 1 */
    double busy;             /* D: cycles for which it keeps a memory busy */
    double answer;           /* cycles from the start of its service to the reply */
} SharedPair;

typedef struct {
    SharedBuffers buffers;
    unsigned customers; /* N_out of each processor, 1 .. SHARED_MAX_OUT */
    double service;     /* tau: mean of the geometric time of service, > 1 */
    SharedPair pair[SHARED_PAIRS];
    /* If positive: messages a cycle and processor, of `pair[0].request` flits, that get
     * no replies; customers, service and the other pair fields are ignored. Not with
     * SHARED_UNLIMITED. */
    double rate;
    SharedTerms terms; /* for channels of one flit, except keep_own */
    /* processors x processors: share of the requests of row s that go to column d; the
     * diagonal is 0; a row adds up to 1. NULL: uniform. */
    const double *routing;
    bool no_symmetry; /* ignore the graph's mirrors */
    double weight;    /* of new values in a sweep, 0 .. 1; 0: default schedule */
    double tolerance; /* a sweep with a smaller change ends the iteration; 0: 1e-6 */
    unsigned sweeps;  /* at most, in total; 0: 20000 */
    /* Polled after every sweep; true cancels. May be NULL. */
    bool (*stop)(void *context);
    void *context;
} SharedProblem;

/* Values of a processor. */
typedef struct {
    double efficiency; /* share of time spent serving, at most 1; NaN if open */
    double cycle;      /* R: cycles from one departure of a customer to its next */
    /* Residence: request and reply from birth to arrival; if open, of its messages. */
    double network;
    double memory; /* from arrival at a memory to the birth of the reply */
    /* Means over the messages that leave its node: cycles of waiting for the source,
     * and of a head on the first channel. NaN with unlimited buffers. */
    double node_wait, first_channel;
} SharedProcessor;

typedef struct {
    ModelState state;
    unsigned sweeps;
    double change; /* of the last sweep */
    /* Everything from here on is NaN unless `state` is MODEL_SOLVED. */
    double efficiency, highest, lowest; /* the mean and the extremes; NaN if open */
    double network, memory;             /* means */
    double throughput;                  /* messages a cycle and processor */
    /* Relative excess of the customers found by Little's law over those put in; 0 if
     * open. */
    double population;
    SharedProcessor *processor; /* by number */
    uint32_t processors;
    double *load; /* by wire of the graph: flits a cycle */
    uint32_t wires;
} SharedResult;

/* Returns AV's table II with 1 customer and a service of 25 cycles. */
SharedProblem net_shared_problem_default(void);

/* Fills in a set of terms by its name: "printed" (as AV), "queue", "twice", "worst",
 * "rate", "no_tail", "own", each a single change, "longer" (twice and no_tail), or
 * "thesis" (queue, worst and rate). False: unknown name. */
bool net_shared_terms(const char *name, SharedTerms *terms);

/* Fills in processors x processors shares of requests (AV II): uniform over the others,
 * except for a share `neighbours` spread over the adjacent processors, and `hot` to
 * processor `place`, which itself sends as if there were no hot processor. Neighbours
 * are those that a wire leads to. */
bool net_shared_routing(const NetGraph *graph, double neighbours, double hot,
                        uint32_t place, double *routing, JmError *error);

/* Solves `problem` on `graph`. False and `error` for bad input or lack of memory; an
 * operating point without a solution is a state, not an error. Free the result with
 * net_shared_result_free(), even after a failure. */
bool net_shared_solve(const NetGraph *graph, const SharedProblem *problem,
                      SharedResult *result, JmError *error);
void net_shared_result_free(SharedResult *result);

#endif
