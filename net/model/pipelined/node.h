/* Simulates a node of a pipelined k-ary n-cube under load, and iterates to the network
 * made of such nodes (SC 3.1). Part of libjmodel.a; anyone may include this header.
 *
 * One node represents all. Packets arrive from its processor and over its n links as
 * Poisson streams; those on the links carry what nodes like this one emit. Packets that
 * find no room in an input queue are dropped and sent again, which adds traffic. The
 * streams are adjusted to what the last simulation dropped and let through until the
 * latency converges. The same seed gives the same bits. */
#ifndef JM_NET_MODEL_PIPELINED_NODE_H
#define JM_NET_MODEL_PIPELINED_NODE_H

#include <stdint.h>

#include "net/model/pipelined/pipelined.h"

enum {
    /* 100 bytes, for all queues and buffers together (3.2). */
    PIPELINED_QUEUE_BITS = 800,
    PIPELINED_UNLIMITED = 1 << 24, /* flits of a queue that never fills */
    PIPELINED_BATCHES = 10,        /* for the confidence interval */
    PIPELINED_MAX_ITERATIONS = 15,
    PIPELINED_MAX_LOAD = 4 /* relative to the capacity, (13) */
};

typedef struct {
    PipelinedCube cube;
    /* Offered, relative to net_pipelined_capacity(): > 0, at most
     * PIPELINED_MAX_LOAD. */
    double load;
    unsigned ring_buffer;  /* flits; 0: PIPELINED_QUEUE_BITS. This and the */
    unsigned input_queue;  /* input queue hold at least a data packet */
    unsigned output_queue; /* at least 1 flit */
    /* Measured cycles of a simulation, after a warm-up of a tenth as many; at least 100
     * a batch. */
    uint64_t cycles;
    unsigned ramp;     /* lower loads solved first as starting points */
    double confidence; /* of the interval, 0 .. 1 (0.95; the paper has 0.9) */
    uint64_t seed;
    bool (*stop)(void *context); /* polled between simulations; may be NULL */
    void *context;
} PipelinedLoad;

/* In cycles and bits of a network's base cycle, that of a switch without wires: those
 * of a synchronous network are scaled (3.2). */
typedef struct {
    bool converged, stopped;
    unsigned iterations; /* simulations of the load itself */
    double throughput;   /* bits a cycle and processor sent */
    double offered;      /* the same, generated */
    double latency[2];   /* of an address and of a data packet, (16) */
    double round_trip;   /* their sum, as plotted in figures 6, 8, 10 and 13 */
    double half_width;   /* of its confidence interval, from batch means */
    double dropped;      /* share of packets dropped at an input queue */
    double used;         /* share of cycles in which a link carries a flit */
} PipelinedResult;

/* False for bad input or if out of memory. */
bool net_pipelined_simulate(const PipelinedLoad *load, PipelinedResult *result,
                            JmError *error);

#endif
