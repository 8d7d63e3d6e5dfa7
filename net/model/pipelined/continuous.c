/* The closed forms of SC without rounding: figures 4, 11 and 12. */
#include <math.h>

#include "net/model/pipelined/pipelined.h"

static double width_of(const PipelinedContinuum *c, double n, double k) {
    switch (c->constraint) {
    case PIPELINED_NODE_SIZE:
        return 96 / n;
    case PIPELINED_BISECTION_WIDTH:
        return k;
    default:
        return 32;
    }
}

/* Length times S of the wires: (5) and (6); (6) holds only for n >= 3. */
static double longest_wire(const PipelinedContinuum *c, double n, double k) {
    return fmax(1, pow(k, n / 3 - 1)) / c->ratio;
}

static double mean_wire(const PipelinedContinuum *c, double n, double k) {
    return (n > 3 ? (pow(k, n / 3) - 1) / (k - 1) * 3 / n : 1) / c->ratio;
}

static double wire_of(const PipelinedContinuum *c, double n, double k) {
    switch (c->variant) {
    case PIPELINED_UNIT_DELAY:
        return 1;
    case PIPELINED_MEAN_WIRE:
        return mean_wire(c, n, k);
    case PIPELINED_LONGEST_WIRE:
        return longest_wire(c, n, k);
    default:
        return 0; /* the cycle includes it */
    }
}

double net_pipelined_continuous(const PipelinedContinuum *c, double n) {
    const double k = pow(c->nodes, 1 / n), width = width_of(c, n, k);
    const double hop = wire_of(c, n, k) + log2(c->nodes) / width;
    const double dimension =
        k / 2 * hop + (k - 2) / 2 * PIPELINED_PASS + PIPELINED_SWITCH;
    double sum = 0;
    for (unsigned i = 0; i < 2; i++)
        if (c->bits[i] > 0)
            sum +=
                PIPELINED_SWITCH + n * (k - 1) / k * dimension + c->bits[i] / width - 1;
    return c->variant == PIPELINED_SYNCHRONOUS ? (1 + longest_wire(c, n, k)) * sum
                                               : sum;
}

double net_pipelined_optimum(const PipelinedContinuum *c) {
    enum { STEPS = 100 }; /* in a dimension */
    const unsigned last = (unsigned)(STEPS * log2(c->nodes));
    double best = 1, least = net_pipelined_continuous(c, 1);
    for (unsigned step = STEPS + 1; step <= last; step++) {
        const double n = (double)step / STEPS, latency = net_pipelined_continuous(c, n);
        if (latency < least) {
            least = latency;
            best = n;
        }
    }
    return best;
}
