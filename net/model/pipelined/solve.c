/* The iteration from one node to a network (SC 3.1, (15)). Undamped, it oscillates
 * between storms of dropped packets and calm when links are nearly full, so shares of
 * dropped packets move half way, and a load starts from lower ones. */
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "net/model/interval.h"
#include "net/model/pipelined/parts.h"

/* ---- tallies --------------------------------------------------------------------- */

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

static void add_tally(Tally *to, const Tally *from) {
    for (unsigned d = 0; d < PIPELINED_MAX_DIMENSIONS; d++)
        add_dimension(&to->dimension[d], &from->dimension[d]);
    for (unsigned type = 0; type < TYPES; type++)
        add_mean(&to->entry[type], &from->entry[type]);
    to->born += from->born;
    to->sent += from->sent;
    to->link_flits += from->link_flits;
    to->cycles += from->cycles;
}

/* The mean or, if nothing was counted, that of an empty network. */
static double mean_or(const Mean *mean, double otherwise) {
    return mean->count > 0 ? mean->sum / mean->count : otherwise;
}

/* Returns the latency of a packet, (16), with T_wire for T_switch in two places, a
 * misprint according to (4). `share` is the share of packets that each dimension drops,
 * by type. */
static double latency_of(const PipelinedCube *cube, const Tally *tally,
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

/* ---- streams and shares ---------------------------------------------------------- */

static const double most_dropped = 0.95;

/* What the streams of a load depend on. */
typedef struct {
    double share[PIPELINED_MAX_DIMENSIONS][TYPES]; /* of packets that are dropped */
    double realised; /* packets a cycle that a processor sends */
    bool saturated;  /* at this load less than 97 % of it was sent in some simulation */
} State;

typedef struct {
    const PipelinedLoad *load;
    PipelinedResult *result;
    Heap *heap;
    State state;
    uint64_t seeds; /* simulations so far */
    Tally batches[PIPELINED_BATCHES], all;
} Solve;

static double share_of_type(const PipelinedCube *cube, unsigned type) {
    return type == PACKET_DATA ? cube->data_share : 1 - cube->data_share;
}

/* Packets a cycle of a processor at a load. */
static double rate_of(const PipelinedCube *cube, double load) {
    const double bits = cube->data_share * PIPELINED_DATA_BITS +
                        (1 - cube->data_share) * PIPELINED_ADDRESS_BITS;
    return load * net_pipelined_capacity(cube) * net_pipelined_cycle(cube) / bits;
}

/* A packet crosses an average of (k-1)/2 links of each dimension, and so does its
 * acknowledgement. A share f of dropped packets multiplies packets by 1/(1-f) (15); the
 * excess comes with negative acknowledgements. */
static void make_streams(const PipelinedCube *cube, const State *state, double rate,
                         Streams *streams) {
    const double base = (cube->radix - 1.0) / 2 * state->realised;
    *streams = (Streams){.processor = rate};
    for (unsigned d = 0; d < cube->dimensions; d++) {
        double *link = streams->link[d];
        for (unsigned type = 0; type < TYPES; type++) {
            const double own = base * share_of_type(cube, type);
            const double all = own / (1 - state->share[d][type]);
            link[type] = all;
            streams->again[d][type] = all - own;
            link[PACKET_NACK] += all - own;
        }
        link[PACKET_ACK] = base;
    }
}

/* ---- results --------------------------------------------------------------------- */

static void shares_of(const Tally *tally, double share[][TYPES]) {
    for (unsigned d = 0; d < PIPELINED_MAX_DIMENSIONS; d++)
        for (unsigned type = 0; type < TYPES; type++) {
            const DimensionTally *in = &tally->dimension[d];
            share[d][type] =
                in->offered[type] > 0
                    ? fmin(in->dropped[type] / in->offered[type], most_dropped)
                    : 0;
        }
}

static double round_trip(const PipelinedCube *cube, const Tally *tally,
                         double latency[TYPES]) {
    double share[PIPELINED_MAX_DIMENSIONS][TYPES];
    double sum = 0;
    shares_of(tally, share);
    for (unsigned type = 0; type < TYPES; type++) {
        latency[type] =
            net_pipelined_cycle(cube) * latency_of(cube, tally, share, type);
        sum += latency[type];
    }
    return sum;
}

/* From the means of batches: a window of net/traffic samples a Net, which this node is
 * not, and joins 320 parts of a run as their correlation allows. */
static double half_width(const Solve *solve) {
    double values[PIPELINED_BATCHES], unused[TYPES];
    for (unsigned i = 0; i < PIPELINED_BATCHES; i++)
        values[i] = round_trip(&solve->load->cube, &solve->batches[i], unused);
    return net_half_width(gsl_stats_sd(values, 1, PIPELINED_BATCHES), PIPELINED_BATCHES,
                          solve->load->confidence);
}

static double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

/* Returns the packets sent by a processor over those generated. Times the nominal rate
 * this is its throughput, free of the randomness in the number generated: with many
 * nodes in a ring only a few are. */
static double sent_share(const Tally *all) {
    return all->born > 0 ? all->sent / all->born : 1;
}

static void fill(const Solve *solve, double rate) {
    PipelinedResult *const result = solve->result;
    const PipelinedCube *cube = &solve->load->cube;
    const Tally *all = &solve->all;
    const double cycle = net_pipelined_cycle(cube);
    double offered = 0, dropped = 0;
    for (unsigned d = 0; d < cube->dimensions; d++)
        for (unsigned type = 0; type < TYPES; type++) {
            offered += all->dimension[d].offered[type];
            dropped += all->dimension[d].dropped[type];
        }
    result->offered = rate / cycle *
                      (cube->data_share * PIPELINED_DATA_BITS +
                       (1 - cube->data_share) * PIPELINED_ADDRESS_BITS);
    result->throughput = result->offered * sent_share(all);
    result->round_trip = round_trip(cube, all, result->latency);
    result->half_width = half_width(solve);
    result->dropped = ratio(dropped, offered);
    result->used = all->link_flits / all->cycles / cube->dimensions;
}

/* ---- the iteration --------------------------------------------------------------- */

/* While a processor sends nearly all its packets, the streams follow its load. Once it
 * has failed to do so at a load, their rate moves half way to the rate achieved, as the
 * shares do. */
static void move_rate(State *state, double rate, double sent) {
    state->saturated |= sent < 0.97 * rate;
    state->realised = state->saturated ? (state->realised + sent) / 2 : rate;
}

/* Simulates once and moves the state towards the outcome. */
static void step(Solve *solve, double rate, uint64_t cycles) {
    PipelinedLoad load = *solve->load;
    Streams streams;
    load.cycles = cycles;
    make_streams(&load.cube, &solve->state, rate, &streams);
    pipelined_run(solve->heap, &load, &streams, jm_rng_mix(load.seed, solve->seeds++),
                  solve->batches);
    solve->all = (Tally){0};
    for (unsigned i = 0; i < PIPELINED_BATCHES; i++)
        add_tally(&solve->all, &solve->batches[i]);
    double share[PIPELINED_MAX_DIMENSIONS][TYPES];
    shares_of(&solve->all, share);
    for (unsigned d = 0; d < PIPELINED_MAX_DIMENSIONS; d++)
        for (unsigned type = 0; type < TYPES; type++)
            solve->state.share[d][type] =
                (solve->state.share[d][type] + share[d][type]) / 2;
    move_rate(&solve->state, rate, rate * sent_share(&solve->all));
}

static bool is_stopped(const PipelinedLoad *load) {
    return load->stop && load->stop(load->context);
}

/* Solves one load with `cycles` and at most `most` simulations. */
static void solve_load(Solve *solve, double load, uint64_t cycles, unsigned most) {
    static const double tolerance = 0.02; /* a change of latency that is small enough */
    PipelinedResult *const result = solve->result;
    const PipelinedCube *cube = &solve->load->cube;
    const double rate = rate_of(cube, load);
    double last = INFINITY, unused[TYPES];
    solve->state.saturated = false;
    result->iterations = 0;
    result->converged = false;
    while (!result->converged && result->iterations < most) {
        if ((result->stopped = is_stopped(solve->load)))
            return;
        step(solve, rate, cycles);
        const double now = round_trip(cube, &solve->all, unused);
        result->iterations++;
        result->converged = fabs(now - last) < tolerance * last;
        last = now;
    }
}

static bool check(const PipelinedLoad *load, JmError *error) {
    if (!net_pipelined_check(&load->cube, error))
        return false;
    if (!(load->load > 0 && load->load <= PIPELINED_MAX_LOAD))
        return jm_fail(error, NULL, "a load of %g: it must be above 0, to %d",
                       load->load, PIPELINED_MAX_LOAD);
    if (load->cycles < 100 * PIPELINED_BATCHES)
        return jm_fail(error, NULL, "too few cycles: at least %d",
                       100 * PIPELINED_BATCHES);
    if (!(load->confidence > 0 && load->confidence < 1))
        return jm_fail(error, NULL, "confidence must be above 0 and below 1");
    return (load->ring_buffer <= PIPELINED_UNLIMITED &&
            load->input_queue <= PIPELINED_UNLIMITED &&
            load->output_queue <= PIPELINED_UNLIMITED) ||
           jm_fail(error, NULL, "a queue is longer than %d flits", PIPELINED_UNLIMITED);
}

static void solve_all(Heap *heap, void *context) {
    Solve *const solve = context;
    const PipelinedLoad *load = solve->load;
    enum { RAMP_CYCLES = 4, RAMP_ITERATIONS = 3 };
    solve->heap = heap;
    for (unsigned i = 0; i < load->ramp && !solve->result->stopped; i++)
        solve_load(solve, load->load * (i + 1) / (load->ramp + 1),
                   load->cycles / RAMP_CYCLES, RAMP_ITERATIONS);
    if (!solve->result->stopped)
        solve_load(solve, load->load, load->cycles, PIPELINED_MAX_ITERATIONS);
    if (!solve->result->stopped)
        fill(solve, rate_of(&load->cube, load->load));
}

bool net_pipelined_simulate(const PipelinedLoad *load, PipelinedResult *result,
                            JmError *error) {
    *result = (PipelinedResult){0};
    if (!check(load, error))
        return false;
    Solve solve = {.load = load, .result = result};
    solve.state.realised = rate_of(&load->cube, load->load / (load->ramp + 1));
    return heap_run(solve_all, &solve) ||
           jm_fail_memory(error, NULL, "no memory for the packets of a node");
}
