/* The latency of minimal adaptive wormhole routing in a two-dimensional torus: F.
 * Quaglia, B. Ciciani and M. Colajanni, *Performance Analysis of Adaptive Wormhole
 * Routing in a Two-Dimensional Torus*, Parallel Computing 28 (2002), "QU". Part of
 * libjmodel.a; anyone may include this header.
 *
 * One average message goes k/4 hops in each dimension; its ways lie on a grid of k/4
 * + 1 by k/4 + 1 nodes. Waits and the probabilities that both channels of a
 * dimension are busy are found by iteration. Times are in cycles, lengths in flits,
 * rates in messages a cycle and node. */
#ifndef JM_NET_MODEL_ADAPTIVE_ADAPTIVE_H
#define JM_NET_MODEL_ADAPTIVE_ADAPTIVE_H

#include <stdbool.h>

#include "emu/core/status.h"
#include "net/model/state.h"

enum { ADAPTIVE_MAX_SIDE = 256 }; /* k */

typedef struct {
    unsigned side; /* k, a multiple of 4 up to ADAPTIVE_MAX_SIDE */
    double rate;   /* >= 0 */
    double length; /* mean, >= 1 */
    /* Options where the print is ambiguous or wrong. All false reproduces the printed
     * tables. */
    bool product; /* (35), (39) as printed: wait times residual time, not plus */
    bool printed_holding; /* (28) to (31) as printed: one cycle less */
    bool printed_flow;    /* (25) as printed: F^Y where F^X is meant */
    /* The second moment of the time T that a link is held: of exponential lengths and
     * waits, independent of each other; false: 2 T^2. */
    bool lengths_apart;
} AdaptiveProblem;

typedef struct {
    ModelState state;
    unsigned iterations;
    double latency;   /* mean, cycles; this and the rest is NaN unless solved */
    double zero_load; /* the same at rate 0; always known */
    double busy[2];   /* p: both channels onward in X, in Y are busy */
    double wait[4];   /* W for a channel, by arrival and departure: WE, NE, NS, WS */
} AdaptiveResult;

/* False and `error` if a number is out of its range. */
bool net_adaptive_solve(const AdaptiveProblem *problem, AdaptiveResult *result,
                        JmError *error);

#endif
