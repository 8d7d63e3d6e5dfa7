/* Pipelined and synchronous k-ary n-cubes: the closed forms of S. L. Scott and J. R.
 * Goodman, Performance of Pipelined k-ary n-cube Networks, University of Wisconsin
 * technical report 1010, 1991 ("SC"). Part of libjmodel.a; anyone may include this
 * header.
 *
 * N = k^n nodes are connected by n one-way rings of k nodes each. Links are W bits
 * wide; a flit of W bits leaves a node in each cycle of its switch. In a pipelined
 * network wires add cycles to the latency of a packet; in a synchronous one the cycle
 * itself includes the longest wire. All times are in cycles of a switch without
 * wires. */
#ifndef JM_NET_MODEL_PIPELINED_PIPELINED_H
#define JM_NET_MODEL_PIPELINED_PIPELINED_H

#include <stdbool.h>

#include "emu/core/status.h"

enum {
    PIPELINED_MAX_DIMENSIONS = 32,
    PIPELINED_MAX_RADIX = 1 << 20,
    PIPELINED_MAX_WIDTH = 1 << 20
};

/* Packets (3.2), in bits, and the cycles of a node (2.1). */
enum {
    PIPELINED_ADDRESS_BITS = 128,
    PIPELINED_DATA_BITS = 640,
    PIPELINED_ACK_BITS = 64,
    PIPELINED_PASS = 1,
    PIPELINED_SWITCH = 2
};

/* Share of data packets. SC 3.2 prints 0.3, but the throughputs of figures 5, 7 and 9
 * need a third: the last row of 5(a) has 52.706, where 0.3 gives 52.148. */
#define PIPELINED_DATA_SHARE (1.0 / 3)
/* S, cycles of the switch in the delay of a wire of length 1 (3.2). */
#define PIPELINED_RATIO 2.0

/* What stays constant while n grows (2.2.2). */
typedef enum {
    PIPELINED_LINK_WIDTH,     /* bits of a link */
    PIPELINED_NODE_SIZE,      /* wires of a node, 2 n W */
    PIPELINED_BISECTION_WIDTH /* wires across the bisection, 2 W k^(n-1) */
} PipelinedConstraint;

/* Wire length of the j-th logical dimension within a physical one (2.2.1). */
typedef enum {
    PIPELINED_POWERS, /* k^(n/3 - j), which gives all printed delays */
    PIPELINED_LINEAR  /* n/3 - j, as printed, but at least 1 */
} PipelinedLengths;

typedef struct {
    unsigned dimensions; /* n, 1 .. PIPELINED_MAX_DIMENSIONS */
    unsigned radix;      /* k, 2 .. PIPELINED_MAX_RADIX */
    /* N, which determines the length of addresses; k^n may differ slightly (102^3
     * stands for 1M nodes). */
    double nodes;
    unsigned width;    /* W, bits of a link, 1 .. PIPELINED_MAX_WIDTH */
    double ratio;      /* S > 0 */
    double data_share; /* f_data, 0 .. 1 */
    PipelinedLengths lengths;
    bool synchronous;
} PipelinedCube;

/* A row of figures 5, 7 and 9. */
typedef struct {
    unsigned width;         /* bits */
    double node_wires;      /* 2 n W */
    double bisection_wires; /* 2 W k^(n-1) */
    unsigned decode;        /* cycles a hop, (2) */
    double throughput;      /* maximum bits a cycle and processor, (13), (14) */
    unsigned wire_longest;  /* cycles a hop, (5) */
    double wire_mean;       /* mean over dimensions, each rounded up */
    /* Cycles: an address and a data packet in an empty network, all wires as long as
     * the longest, or with their own lengths, (4). */
    double round_trip_longest, round_trip_mean;
    /* Synchronous: cycle relative to that without wires. */
    double cycle;
    double round_trip_synchronous; /* cycles without wires, (8) */
} PipelinedFigures;

/* Returns the radix of a cube of about `nodes` nodes: their n-th root rounded to a
 * whole number, at least 2. */
unsigned net_pipelined_radix(double nodes, unsigned dimensions);

/* Returns the value that SC holds constant for up to 4096 nodes and for more: 32 bits;
 * 192 or 160 wires of a node; 16384 or 1048576 wires across the bisection. */
double net_pipelined_budget(PipelinedConstraint constraint, double nodes);

/* Returns the link width for n dimensions under a constraint, rounded down; 0 if the
 * wires do not suffice for one bit (7). */
unsigned net_pipelined_width(PipelinedConstraint constraint, double budget,
                             double nodes, unsigned dimensions, unsigned radix);

/* False and an error if a field is out of range. */
bool net_pipelined_check(const PipelinedCube *cube, JmError *error);

/* The functions below expect a checked cube. */

/* Returns the flits of a packet, (1), and the cycles that its address takes, (2). */
unsigned net_pipelined_flits(const PipelinedCube *cube, unsigned bits);
unsigned net_pipelined_decode(const PipelinedCube *cube);

/* Writes the wire delay of each dimension in cycles, rounded up (2.2.1). */
void net_pipelined_wires(const PipelinedCube *cube,
                         unsigned delays[PIPELINED_MAX_DIMENSIONS]);

/* Returns the factor by which wires stretch the cycle of a synchronous network, 1 or
 * more, not rounded (8). */
double net_pipelined_cycle(const PipelinedCube *cube);

/* Returns the mean latency of a packet of `bits` in an empty network whose wires take
 * `wire` cycles, (4). */
double net_pipelined_latency(const PipelinedCube *cube, double wire, unsigned bits);

/* Returns the maximum throughput, bits a cycle and processor: (13), (14). */
double net_pipelined_capacity(const PipelinedCube *cube);

void net_pipelined_figures(const PipelinedCube *cube, PipelinedFigures *figures);

/* ---- continuous (figures 4, 11, 12) ---------------------------------------------- */

/* The networks of 2.3. */
typedef enum {
    PIPELINED_UNIT_DELAY,   /* wires of 1 cycle */
    PIPELINED_MEAN_WIRE,    /* PipeAvg: the mean length, (6) */
    PIPELINED_LONGEST_WIRE, /* PipeMax: all wires as long as the longest */
    PIPELINED_SYNCHRONOUS   /* Synch */
} PipelinedVariant;

/* Nothing is rounded here: neither n nor k, flits, decoding nor wires. Widths are those
 * of figure 4: 32 bits; 96/n for 192 wires of a node; k for a bisection of N wires each
 * way, which gives the hypercube 2 bits. (Figures 5(c) and 7(c) have 2k and k/2.) */
typedef struct {
    PipelinedVariant variant;
    PipelinedConstraint constraint;
    double nodes;   /* N, 2 .. 1e300 */
    double ratio;   /* S > 0 */
    double bits[2]; /* packets whose latencies are added; 0: no second packet */
} PipelinedContinuum;

/* Returns the latency in cycles at `dimensions`, which need not be whole. */
double net_pipelined_continuous(const PipelinedContinuum *continuum, double dimensions);

/* Returns the dimensionality with the least latency, in steps of 0.01 from 1 to log2
 * N. */
double net_pipelined_optimum(const PipelinedContinuum *continuum);

#endif
