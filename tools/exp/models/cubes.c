/* The models `cube`, `optimum` and `cube_node`, `whole` and `whole_form`: k-ary n-cubes
 * with pipelined wires (Scott and Goodman 1991). */
#include <math.h>
#include <stdio.h>

#include "net/model/pipelined/node.h"
#include "tools/exp/models/parts.h"

static PipelinedConstraint constraint_of(const Settings *settings) {
    return (PipelinedConstraint)model_choice(settings, "constraint");
}

static double wires_of(const Settings *settings) {
    const double usual = net_pipelined_budget(constraint_of(settings),
                                              settings_number(settings, "nodes"));
    return model_number_or(settings, "wires", usual);
}

static PipelinedCube cube_of(const Settings *settings) {
    const double nodes = settings_number(settings, "nodes");
    const unsigned n = model_whole(settings, "dimensions");
    const unsigned radix =
        model_whole_or(settings, "radix", net_pipelined_radix(nodes, n));
    return (PipelinedCube){
        .dimensions = n,
        .radix = radix,
        .nodes = nodes,
        .width = net_pipelined_width(constraint_of(settings), wires_of(settings), nodes,
                                     n, radix),
        .ratio = settings_number(settings, "ratio"),
        .data_share = model_number_or(settings, "data_share", PIPELINED_DATA_SHARE),
        .lengths = settings_has(settings, "lengths", "linear") ? PIPELINED_LINEAR
                                                               : PIPELINED_POWERS,
        .synchronous = settings_has(settings, "network", "synchronous")};
}

static bool check(const Settings *settings, const PipelinedCube *cube, JmError *error) {
    return cube->width ? net_pipelined_check(cube, error)
                       : jm_fail(error, NULL, "%g wires are too few for links of a bit",
                                 wires_of(settings));
}

/* Returns the problem for the usual message, an address packet and a data packet. */
static PipelinedContinuum continuum_of(const Settings *settings) {
    return (PipelinedContinuum){.variant =
                                    (PipelinedVariant)model_choice(settings, "variant"),
                                .constraint = constraint_of(settings),
                                .nodes = settings_number(settings, "nodes"),
                                .ratio = settings_number(settings, "ratio"),
                                .bits = {PIPELINED_ADDRESS_BITS, PIPELINED_DATA_BITS}};
}

static PipelinedLoad load_of(const Settings *settings, uint64_t seed) {
    return (PipelinedLoad){.cube = cube_of(settings),
                           .load = settings_number(settings, "load"),
                           .ring_buffer = model_whole(settings, "ring_buffer"),
                           .input_queue = model_whole(settings, "input_queue"),
                           .output_queue = model_whole(settings, "output_queue"),
                           .cycles = model_whole(settings, "cycles"),
                           .ramp = model_whole_or(settings, "ramp", 3),
                           .confidence = model_number_or(settings, "confidence", 0.95),
                           .seed = seed};
}

bool solve_cube(ModelPoint *point, Result *record, JmError *error) {
    const PipelinedCube cube = cube_of(point->settings);
    PipelinedFigures f;
    if (!check(point->settings, &cube, error))
        return false;
    net_pipelined_figures(&cube, &f);
    const bool sync = cube.synchronous;
    result_add(record, "radix", cube.radix);
    result_add(record, "link_width", f.width);
    result_add(record, "wires_per_node", f.node_wires);
    result_add(record, "wires_across_bisection", f.bisection_wires);
    result_add(record, "decode_delay", f.decode);
    result_add(record, "max_throughput", f.throughput);
    result_add(record, "wire_delay_max", sync ? NAN : (double)f.wire_longest);
    result_add(record, "wire_delay_actual", sync ? NAN : f.wire_mean);
    result_add(record, "roundtrip_latency_max_wire", sync ? NAN : f.round_trip_longest);
    result_add(record, "roundtrip_latency_actual_wire", sync ? NAN : f.round_trip_mean);
    result_add(record, "cycle_time_increase", sync ? f.cycle : NAN);
    result_add(record, "roundtrip_latency_synchronous",
               sync ? f.round_trip_synchronous : NAN);
    return true;
}

/* With `dimensions` the latency for it; otherwise the best number of dimensions. */
bool solve_optimum(ModelPoint *point, Result *record, JmError *error) {
    const Settings *settings = point->settings;
    PipelinedContinuum continuum = continuum_of(settings);
    (void)error;
    if (settings_text(settings, "bits")) {
        continuum.bits[0] = settings_number(settings, "bits");
        continuum.bits[1] = 0;
    }
    const double best = net_pipelined_optimum(&continuum);
    const double n = settings_text(settings, "dimensions")
                         ? settings_number(settings, "dimensions")
                         : best;
    const double latency = net_pipelined_continuous(&continuum, n);
    result_add(record, "best_dimensions", best);
    result_add(record, "best_radix", pow(continuum.nodes, 1 / best));
    result_add(record, "latency", latency);
    result_add(record, "latency_wires", latency * continuum.ratio / PIPELINED_RATIO);
    return true;
}

bool solve_cube_node(ModelPoint *point, Result *record, JmError *error) {
    PipelinedLoad load = load_of(point->settings, point->seed);
    PipelinedResult result;
    load.stop = model_is_stopped;
    load.context = point;
    if (!check(point->settings, &load.cube, error) ||
        !net_pipelined_simulate(&load, &result, error))
        return false;
    const double capacity = net_pipelined_capacity(&load.cube);
    result_add(record, "radix", load.cube.radix);
    result_add(record, "link_width", load.cube.width);
    result_add(record, "max_throughput", capacity);
    result_add(record, "throughput", result.throughput);
    result_add(record, "latency", result.round_trip);
    result_add(record, "latency_half", result.half_width);
    result_add(record, "dropped", result.dropped);
    result_add(record, "link_used", result.used);
    result_add(record, "converged", result.converged);
    result_add(record, "iterations", result.iterations);
    record->bits_offered = result.offered;
    record->latency_address = result.latency[0];
    record->latency_data = result.latency[1];
    return true;
}

/* ---- a whole network ------------------------------------------------------------- */

/* All nodes of a cube of two dimensions under light load, and Scott and Goodman's
 * latency of an empty network, (4). */
enum { DIMENSIONS = 2, WIDTH = 32, BITS = PIPELINED_DATA_BITS };

static PipelinedCube whole_cube(const Settings *settings) {
    const unsigned k = model_whole(settings, "k");
    return (PipelinedCube){.dimensions = DIMENSIONS,
                           .radix = k,
                           .nodes = (double)k * k,
                           .width = WIDTH,
                           .ratio = PIPELINED_RATIO,
                           .data_share = 1};
}

/* Cycles of a head from node to node: crossing the wire, decoding, passing. */
static unsigned hop_cycles(const Settings *settings, const PipelinedCube *cube) {
    return model_whole(settings, "wire") + net_pipelined_decode(cube) + PIPELINED_PASS;
}

/* A node has a link into its switch and one out of it, as in (4), but turning into
 * another dimension takes as long as going straight on. All messages have the length of
 * a data packet, without acknowledgements, at a fraction of the links' capacity. */
bool solve_whole(ModelPoint *point, Result *record, JmError *error) {
    enum { TEXT_MAX = 100, PLACES = 32 };
    const Settings *settings = point->settings;
    const PipelinedCube cube = whole_cube(settings);
    const unsigned flits = net_pipelined_flits(&cube, BITS);
    const double most = 2 / ((cube.radix - 1.0) * flits);
    const NetParams params = net_params_default();
    char topology[TEXT_MAX], traffic[TEXT_MAX];
    snprintf(topology, sizeof topology, "torus=%ux%u,oneway=1,places=%d,delay=%u",
             cube.radix, cube.radix, PLACES, hop_cycles(settings, &cube));
    snprintf(traffic, sizeof traffic, "poisson,rate=%.10g,length=%u",
             most * settings_number(settings, "load"), flits);
    return model_run_traffic(point, topology, &params, traffic, record, error);
}

/* (4) without the cycles at the ends, which mean_latency does not count, and without
 * the extra cycles of a turn; and over other nodes only, where (4) has the node itself
 * among the targets. */
bool solve_whole_form(ModelPoint *point, Result *record, JmError *error) {
    const PipelinedCube cube = whole_cube(point->settings);
    if (!net_pipelined_check(&cube, error))
        return false;
    const double turns = DIMENSIONS * (1 - 1.0 / cube.radix);
    const double behind = net_pipelined_flits(&cube, BITS) - 1;
    const double heads =
        net_pipelined_latency(&cube, model_whole(point->settings, "wire"), BITS) -
        behind - PIPELINED_SWITCH - turns * (PIPELINED_SWITCH - PIPELINED_PASS);
    result_add(record, "mean_latency", heads * cube.nodes / (cube.nodes - 1) + behind);
    return true;
}
