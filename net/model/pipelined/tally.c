/* Computes the latency of packets from a simulation's tallies. */
#include <math.h>

#include "net/model/pipelined/parts.h"

static void add_mean(Mean *to, const Mean *from) {
    to->sum += from->sum;
    to->count += from->count;
}

static void add_dimension(DimensionTally *to, const DimensionTally *from) {
    for (unsigned type = 0; type < TYPES; type++) {
        add_mean(&to->alpha[type], &from->alpha[type]);
        add_mean(&to->beta[type], &from->beta[type]);
        add_mean(&to->gamma[type], &from->gamma[type]);
        add_mean(&to->delta[type], &from->delta[type]);
        to->offered[type] += from->offered[type];
        to->dropped[type] += from->dropped[type];
    }
}

void pipelined_tally_add(Tally *to, const Tally *from) {
    for (unsigned d = 0; d < PIPELINED_MAX_DIMENSIONS; d++)
        add_dimension(&to->dimension[d], &from->dimension[d]);
    for (unsigned type = 0; type < TYPES; type++)
        add_mean(&to->entry[type], &from->entry[type]);
    to->born += from->born;
    to->sent += from->sent;
    to->link_flits += from->link_flits;
    to->nacks += from->nacks;
    to->acks += from->acks;
    to->cycles += from->cycles;
}

/* The mean or, if nothing was counted, that of an empty network. */
static double mean_or(const Mean *mean, double otherwise) {
    return mean->count > 0 ? mean->sum / mean->count : otherwise;
}

double pipelined_tally_latency(const PipelinedCube *cube, const Tally *tally,
                               double (*share)[TYPES], unsigned type) {
    static const unsigned bits[TYPES] = {PIPELINED_ADDRESS_BITS, PIPELINED_DATA_BITS};
    const double k = cube->radix;
    unsigned wires[PIPELINED_MAX_DIMENSIONS];
    net_pipelined_wires(cube, wires);
    double latency = net_pipelined_flits(cube, bits[type]) - 1 +
                     mean_or(&tally->entry[type], PIPELINED_SWITCH);
    for (unsigned d = 0; d < cube->dimensions; d++) {
        const DimensionTally *in = &tally->dimension[d];
        const double hop =
            (cube->synchronous ? 0 : wires[d]) + net_pipelined_decode(cube);
        const double alpha = mean_or(&in->alpha[type], PIPELINED_PASS);
        const double beta = mean_or(&in->beta[type], PIPELINED_SWITCH);
        const double gamma = mean_or(&in->gamma[type], PIPELINED_PASS);
        const double delta = mean_or(&in->delta[type], PIPELINED_PASS);
        const double once = k / 2 * hop + (k - 2) / 2 * alpha + beta;
        const double again = k * hop + (k - 2) * alpha + gamma + delta;
        const double lambda = share[d][type];
        latency += (k - 1) / k * (once + lambda / (1 - lambda) * again);
    }
    return latency;
}
