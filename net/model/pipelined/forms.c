/* The closed forms of SC: with whole numbers of flits and cycles, figures 5, 7 and 9,
 * and without rounding, figures 4, 11 and 12. */
#include <math.h>
#include <stddef.h>

#include "net/model/pipelined/pipelined.h"

/* Rounds up, except for whole numbers within the error of pow(): 8^(1/3)/2 is 1. */
static double round_up(double x) {
    return ceil(x - 1e-9);
}

static double round_down(double x) {
    return floor(x + 1e-9);
}

/* ---- width ----------------------------------------------------------------------- */

unsigned net_pipelined_radix(double nodes, unsigned dimensions) {
    const double root = round(pow(nodes, 1.0 / dimensions));
    return (unsigned)fmin(fmax(root, 2), PIPELINED_MAX_RADIX);
}

double net_pipelined_budget(PipelinedConstraint constraint, double nodes) {
    const bool large = nodes > 4096;
    switch (constraint) {
    case PIPELINED_NODE_SIZE:
        return large ? 160 : 192;
    case PIPELINED_BISECTION_WIDTH:
        return large ? 1048576 : 16384;
    default:
        return 32;
    }
}

unsigned net_pipelined_width(PipelinedConstraint constraint, double budget,
                             double nodes, unsigned dimensions, unsigned radix) {
    double width = budget;
    if (constraint == PIPELINED_NODE_SIZE)
        width = budget / (2.0 * dimensions);
    else if (constraint == PIPELINED_BISECTION_WIDTH)
        width = radix * budget / (2 * nodes);
    return (unsigned)fmin(round_down(width), PIPELINED_MAX_WIDTH);
}

/* ---- checking -------------------------------------------------------------------- */

bool net_pipelined_check(const PipelinedCube *cube, JmError *error) {
    if (cube->dimensions < 1 || cube->dimensions > PIPELINED_MAX_DIMENSIONS)
        return jm_fail(error, NULL, "%u dimensions: there can be 1 to %d",
                       cube->dimensions, PIPELINED_MAX_DIMENSIONS);
    if (cube->radix < 2 || cube->radix > PIPELINED_MAX_RADIX)
        return jm_fail(error, NULL, "radix %u: it can be 2 to %d", cube->radix,
                       PIPELINED_MAX_RADIX);
    if (cube->width < 1 || cube->width > PIPELINED_MAX_WIDTH)
        return jm_fail(error, NULL, "links of %u bits: they can have 1 to %d",
                       cube->width, PIPELINED_MAX_WIDTH);
    if (!(cube->nodes >= 2 && cube->nodes <= 0x1p60))
        return jm_fail(error, NULL, "%g nodes: there can be 2 to 2^60", cube->nodes);
    if (!(cube->ratio > 0 && cube->ratio <= 1e9))
        return jm_fail(error, NULL, "S = %g: it must be above 0, to 1e9", cube->ratio);
    return (cube->data_share >= 0 && cube->data_share <= 1) ||
           jm_fail(error, NULL, "a share of data packets of %g: it can be 0 to 1",
                   cube->data_share);
}

/* ---- packets and wires ----------------------------------------------------------- */

unsigned net_pipelined_flits(const PipelinedCube *cube, unsigned bits) {
    return (bits + cube->width - 1) / cube->width;
}

unsigned net_pipelined_decode(const PipelinedCube *cube) {
    return (unsigned)round_up(log2(cube->nodes) / cube->width);
}

/* Returns the length of the longest wire relative to a network of three dimensions. */
static double longest(const PipelinedCube *cube) {
    return fmax(1, pow(cube->radix, cube->dimensions / 3.0 - 1));
}

/* Three logical dimensions, one in each physical one, have wires of the same length.
 * Any left over are numbered from the shortest. */
static double length_of(const PipelinedCube *cube, unsigned dimension) {
    const unsigned n = cube->dimensions, inside = n - n % 3;
    if (n <= 3)
        return 1;
    if (dimension >= inside)
        return dimension - inside + 1;
    const double exponent = n / 3.0 - (dimension / 3 + 1);
    return cube->lengths == PIPELINED_LINEAR ? fmax(1, exponent)
                                             : pow(cube->radix, exponent);
}

void net_pipelined_wires(const PipelinedCube *cube,
                         unsigned delays[PIPELINED_MAX_DIMENSIONS]) {
    for (unsigned d = 0; d < cube->dimensions; d++)
        delays[d] = (unsigned)fmin(round_up(length_of(cube, d) / cube->ratio), 1e9);
}

/* Returns the delay of the longest wire, (5). */
static unsigned longest_delay(const PipelinedCube *cube) {
    return (unsigned)fmin(round_up(longest(cube) / cube->ratio), 1e9);
}

double net_pipelined_cycle(const PipelinedCube *cube) {
    return cube->synchronous ? 1 + longest(cube) / cube->ratio : 1;
}

/* ---- latency and throughput ------------------------------------------------------ */

double net_pipelined_latency(const PipelinedCube *cube, double wire, unsigned bits) {
    const double k = cube->radix;
    const double dimension = k / 2 * (wire + net_pipelined_decode(cube)) +
                             (k - 2) / 2 * PIPELINED_PASS + PIPELINED_SWITCH;
    return PIPELINED_SWITCH + cube->dimensions * (k - 1) / k * dimension +
           net_pipelined_flits(cube, bits) - 1;
}

static double round_trip(const PipelinedCube *cube, double wire) {
    return net_pipelined_latency(cube, wire, PIPELINED_ADDRESS_BITS) +
           net_pipelined_latency(cube, wire, PIPELINED_DATA_BITS);
}

double net_pipelined_capacity(const PipelinedCube *cube) {
    const double data = cube->data_share, address = 1 - data;
    const double bits = data * PIPELINED_DATA_BITS + address * PIPELINED_ADDRESS_BITS;
    const double flits = data * net_pipelined_flits(cube, PIPELINED_DATA_BITS) +
                         address * net_pipelined_flits(cube, PIPELINED_ADDRESS_BITS) +
                         net_pipelined_flits(cube, PIPELINED_ACK_BITS);
    return 2 * bits / ((cube->radix - 1.0) * flits) / net_pipelined_cycle(cube);
}

void net_pipelined_figures(const PipelinedCube *cube, PipelinedFigures *figures) {
    unsigned delays[PIPELINED_MAX_DIMENSIONS];
    const unsigned n = cube->dimensions;
    double sum = 0;
    net_pipelined_wires(cube, delays);
    for (unsigned d = 0; d < n; d++)
        sum += delays[d];
    const double cycle = 1 + longest(cube) / cube->ratio;
    *figures = (PipelinedFigures){
        .width = cube->width,
        .node_wires = 2.0 * n * cube->width,
        .bisection_wires = 2.0 * cube->width * pow(cube->radix, n - 1.0),
        .decode = net_pipelined_decode(cube),
        .throughput = net_pipelined_capacity(cube),
        .wire_longest = longest_delay(cube),
        .wire_mean = sum / n,
        .round_trip_longest = round_trip(cube, longest_delay(cube)),
        .round_trip_mean = round_trip(cube, sum / n),
        .cycle = cycle,
        .round_trip_synchronous = cycle * round_trip(cube, 0)};
}

/* ---- without rounding ------------------------------------------------------------ */

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
