/* The command `jm model pipelined`: k-ary n-cubes with pipelined wires, in closed
 * form and simulated. */
#include <math.h>
#include <stdio.h>

#include "net/model/pipelined/pipelined.h"
#include "tools/model/model.h"

/* Most cycles of a simulation times dimensions: some minutes. */
static const double work_max = 1e10;

/* Checks what single options cannot. */
static bool check(const ModelRequest *r, JmError *error) {
    static const char needing[] =
        "ring-buffer|input-queue|output-queue|cycles|ramp|confidence|seed";
    const Settings *s = &r->settings;
    const unsigned dimensions = model_whole(s, "dimensions");
    const double nodes = settings_number(s, "nodes");
    const double most = pow(PIPELINED_MAX_RADIX, dimensions);
    if (!model_given(r, "radix") && nodes > most)
        return jm_fail(error, r->options->command,
                       "--nodes %.10g: dimensions of radix %d, %u of them, hold %.10g",
                       nodes, PIPELINED_MAX_RADIX, dimensions, most);
    if (!model_given(r, "load") && !model_refuse(r, needing, "--load", error))
        return false;
    return settings_number(s, "cycles") * dimensions <= work_max ||
           jm_fail(error, r->options->command,
                   "%u cycles of %u dimensions are too many", model_whole(s, "cycles"),
                   dimensions);
}

static void print_loaded(const Settings *s, const Result *loaded) {
    printf("simulated at %.4g of the highest throughput%s\n",
           settings_number(s, "load"),
           loaded->converged != 0 ? "" : ", whose latency did not stand still");
    printf("  throughput        %.6g bits a cycle and processor, of %.6g\n",
           loaded->throughput, loaded->bits_offered);
    printf("  round trip        %.6g cycles, %.4g more or less; address %.6g, data "
           "%.6g\n",
           loaded->latency, loaded->latency_half, loaded->latency_address,
           loaded->latency_data);
    printf("  dropped           %.4g of the packets at an input queue\n",
           loaded->dropped);
    printf("  links             used in %.4g of all cycles\n", loaded->link_used);
}

static void print_best(const ModelRequest *r) {
    printf(
        "  best dimensions   if nothing is rounded: unit_delay %.2f, mean_wire %.2f, "
        "longest_wire %.2f, synchronous %.2f\n",
        r->part[PART_pipelined_BEST_UNIT]->best_dimensions,
        r->part[PART_pipelined_BEST_MEAN]->best_dimensions,
        r->part[PART_pipelined_BEST_LONGEST]->best_dimensions,
        r->part[PART_pipelined_BEST_SYNCHRONOUS]->best_dimensions);
}

static void print(const ModelRequest *r) {
    const Settings *s = &r->settings;
    const bool synchronous = settings_has(s, "network", "synchronous");
    const Result *cube = r->part[PART_pipelined_CUBE];
    printf("%g nodes, %u dimensions of radix %.0f, %s\n", settings_number(s, "nodes"),
           model_whole(s, "dimensions"), cube->radix,
           synchronous ? "synchronous" : "pipelined");
    printf("  links             %.0f bits; %.10g wires a node, %.10g across the "
           "bisection\n",
           cube->link_width, cube->wires_per_node, cube->wires_across_bisection);
    printf("  decoding          %.0f cycles a hop\n", cube->decode_delay);
    printf("  throughput        at most %.6g bits a cycle and processor\n",
           cube->max_throughput);
    if (synchronous)
        printf("  cycle             %.6g with wires\n"
               "  round trip        %.6g cycles without wires, in an empty network\n",
               cube->cycle_time_increase, cube->roundtrip_latency_synchronous);
    else
        printf("  wires             %.6g cycles a hop on the mean, at most %.0f\n"
               "  round trip        %.6g cycles in an empty network; %.6g with the "
               "longest wires\n",
               cube->wire_delay_actual, cube->wire_delay_max,
               cube->roundtrip_latency_actual_wire, cube->roundtrip_latency_max_wire);
    print_best(r);
    if (r->part[PART_pipelined_LOADED])
        print_loaded(s, r->part[PART_pipelined_LOADED]);
}

bool model_pipelined(ModelRequest *r, JmError *error) {
    return check(r, error) && model_give(r, "pipelined", print, error);
}

#define OPTIONS "tools/model/pipelined.def"
#define OPTION_FIELDS ModelRequest
#include "tools/host/option_table.def"

const OptionSet model_pipelined_options = MODEL_OPTIONS("jm model pipelined");
