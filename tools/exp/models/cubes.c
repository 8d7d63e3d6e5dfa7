/* The models `cube`, `optimum` and `cube_node`: k-ary n-cubes with pipelined wires
 * (Scott and Goodman 1991). */
#include <math.h>
#include <string.h>

#include "net/model/pipelined/node.h"
#include "tools/exp/models/parts.h"

/* Returns the index of a setting's value among `words`, which ends with NULL; 0 if it
 * is not set. The setting's row allows no other. */
static unsigned word_of(const Settings *settings, const char *name,
                        const char *const *words) {
    const char *text = settings_text(settings, name);
    unsigned i = 0;
    while (text && words[i] && strcmp(words[i], text) != 0)
        i++;
    return words[i] ? i : 0;
}

static PipelinedConstraint constraint_of(const Settings *settings) {
    static const char *const words[] = {"link_width", "node_size", "bisection_width",
                                        NULL};
    return (PipelinedConstraint)word_of(settings, "constraint", words);
}

double model_cube_wires(const Settings *settings) {
    const double usual = net_pipelined_budget(constraint_of(settings),
                                              settings_number(settings, "nodes"));
    return model_number_or(settings, "wires", usual);
}

PipelinedCube model_cube(const Settings *settings) {
    const double nodes = settings_number(settings, "nodes");
    const unsigned n = model_whole(settings, "dimensions");
    const unsigned radix =
        model_whole_or(settings, "radix", net_pipelined_radix(nodes, n));
    return (PipelinedCube){
        .dimensions = n,
        .radix = radix,
        .nodes = nodes,
        .width = net_pipelined_width(constraint_of(settings),
                                     model_cube_wires(settings), nodes, n, radix),
        .ratio = settings_number(settings, "ratio"),
        .data_share = model_number_or(settings, "data_share", PIPELINED_DATA_SHARE),
        .lengths = settings_has(settings, "lengths", "linear") ? PIPELINED_LINEAR
                                                               : PIPELINED_POWERS,
        .synchronous = settings_has(settings, "network", "synchronous")};
}

PipelinedContinuum model_continuum(const Settings *settings) {
    static const char *const variants[] = {"unit_delay", "mean_wire", "longest_wire",
                                           "synchronous", NULL};
    return (PipelinedContinuum){
        .variant = (PipelinedVariant)word_of(settings, "variant", variants),
        .constraint = constraint_of(settings),
        .nodes = settings_number(settings, "nodes"),
        .ratio = settings_number(settings, "ratio"),
        .bits = {PIPELINED_ADDRESS_BITS, PIPELINED_DATA_BITS}};
}

PipelinedLoad model_cube_load(const Settings *settings, uint64_t seed) {
    return (PipelinedLoad){.cube = model_cube(settings),
                           .load = settings_number(settings, "load"),
                           .ring_buffer = model_whole(settings, "ring_buffer"),
                           .input_queue = model_whole(settings, "input_queue"),
                           .output_queue = model_whole(settings, "output_queue"),
                           .cycles = model_whole(settings, "cycles"),
                           .ramp = model_whole_or(settings, "ramp", 3),
                           .tolerance = 0.02,
                           .confidence = model_number_or(settings, "confidence", 0.95),
                           .seed = seed};
}

bool solve_cube(ModelPoint *point, Result *record, JmError *error) {
    const PipelinedCube cube = model_cube(point->settings);
    PipelinedFigures f;
    if (!net_pipelined_check(&cube, error))
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
    PipelinedContinuum continuum = model_continuum(settings);
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
    PipelinedLoad load = model_cube_load(point->settings, point->seed);
    PipelinedResult result;
    load.stop = model_is_stopped;
    load.context = point;
    if (!net_pipelined_check(&load.cube, error) ||
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
    return true;
}
