/* The command `jm model pipelined`: k-ary n-cubes with pipelined wires, in closed
 * form and simulated. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/exp/models/problems.h"
#include "tools/host/values.h"
#include "tools/model/model.h"

/* Most cycles of a simulation times dimensions: some minutes. */
static const double work_max = 1e10;

enum { VARIANTS = 4 };
static const char *const variant_names[VARIANTS] = {
    [PIPELINED_UNIT_DELAY] = "unit_delay",
    [PIPELINED_MEAN_WIRE] = "mean_wire",
    [PIPELINED_LONGEST_WIRE] = "longest_wire",
    [PIPELINED_SYNCHRONOUS] = "synchronous"};

typedef struct {
    PipelinedFigures figures;
    double optimum[VARIANTS];
    PipelinedResult simulated;
} Answer;

/* ---- bad input ------------------------------------------------------------------- */

static bool check(const ModelRequest *r, const PipelinedLoad *load, JmError *error) {
    static const char needing[] =
        "ring_buffer|input_queue|output_queue|cycles|ramp|confidence|seed";
    const PipelinedCube *cube = &load->cube;
    const double most = pow(PIPELINED_MAX_RADIX, cube->dimensions);
    if (!model_given(r, "radix") && cube->nodes > most)
        return jm_fail(error, r->command,
                       "--nodes %.10g: dimensions of radix %d, %u of them, hold %.10g",
                       cube->nodes, PIPELINED_MAX_RADIX, cube->dimensions, most);
    if (!cube->width)
        return jm_fail(error, r->command, "%g wires are too few for links of a bit",
                       model_cube_wires(&r->settings));
    if (!net_pipelined_check(cube, error) ||
        (load->load <= 0 && !model_refuse(r, needing, "--load", error)))
        return false;
    return (double)load->cycles * cube->dimensions <= work_max ||
           jm_fail(error, r->command, "%u cycles of %u dimensions are too many",
                   (unsigned)load->cycles, cube->dimensions);
}

/* ---- output ---------------------------------------------------------------------- */

static json_t *optima_json(const Answer *answer) {
    json_t *object = json_object();
    for (unsigned i = 0; i < VARIANTS; i++)
        json_object_set_new(object, variant_names[i],
                            jvalue_number(answer->optimum[i]));
    return object;
}

static json_t *simulated_json(const PipelinedResult *s) {
    return json_pack("{s:o,s:o,s:{s:o,s:o,s:o,s:o},s:o,s:o,s:i,s:b}", "throughput",
                     jvalue_number(s->throughput), "offered", jvalue_number(s->offered),
                     "latency", "address", jvalue_number(s->latency[0]), "data",
                     jvalue_number(s->latency[1]), "round_trip",
                     jvalue_number(s->round_trip), "half_width",
                     jvalue_number(s->half_width), "dropped", jvalue_number(s->dropped),
                     "used", jvalue_number(s->used), "iterations", (int)s->iterations,
                     "converged", s->converged);
}

static json_t *to_json(const PipelinedLoad *load, const Answer *answer) {
    const PipelinedCube *cube = &load->cube;
    const PipelinedFigures *f = &answer->figures;
    json_t *root = json_pack(
        "{s:i,s:i,s:o,s:i,s:o,s:o,s:i,s:o,s:i,s:o,s:o,s:o,s:o,s:o,s:o}", "dimensions",
        (int)cube->dimensions, "radix", (int)cube->radix, "nodes",
        jvalue_number(cube->nodes), "link_width", (int)f->width, "wires_per_node",
        jvalue_number(f->node_wires), "wires_across_bisection",
        jvalue_number(f->bisection_wires), "decode_delay", (int)f->decode,
        "max_throughput", jvalue_number(f->throughput), "wire_delay_max",
        (int)f->wire_longest, "wire_delay_actual", jvalue_number(f->wire_mean),
        "roundtrip_latency_max_wire", jvalue_number(f->round_trip_longest),
        "roundtrip_latency_actual_wire", jvalue_number(f->round_trip_mean),
        "cycle_time_increase", jvalue_number(f->cycle), "roundtrip_latency_synchronous",
        jvalue_number(f->round_trip_synchronous), "optimum", optima_json(answer));
    if (root && load->load > 0)
        json_object_set_new(root, "simulated", simulated_json(&answer->simulated));
    return root;
}

static void print_simulated(double load, const PipelinedResult *s) {
    printf("simulated at %.4g of the highest throughput%s\n", load,
           s->converged ? "" : ", whose latency did not stand still");
    printf("  throughput        %.6g bits a cycle and processor, of %.6g\n",
           s->throughput, s->offered);
    printf("  round trip        %.6g cycles, %.4g more or less; address %.6g, data "
           "%.6g\n",
           s->round_trip, s->half_width, s->latency[0], s->latency[1]);
    printf("  dropped           %.4g of the packets at an input queue\n", s->dropped);
    printf("  links             used in %.4g of all cycles\n", s->used);
}

static void print(const PipelinedLoad *load, const Answer *answer) {
    const PipelinedCube *cube = &load->cube;
    const PipelinedFigures *f = &answer->figures;
    printf("%g nodes, %u dimensions of radix %u, %s\n", cube->nodes, cube->dimensions,
           cube->radix, cube->synchronous ? "synchronous" : "pipelined");
    printf("  links             %u bits; %.10g wires a node, %.10g across the "
           "bisection\n",
           f->width, f->node_wires, f->bisection_wires);
    printf("  decoding          %u cycles a hop\n", f->decode);
    printf("  throughput        at most %.6g bits a cycle and processor\n",
           f->throughput);
    if (cube->synchronous)
        printf("  cycle             %.6g with wires\n"
               "  round trip        %.6g cycles without wires, in an empty network\n",
               f->cycle, f->round_trip_synchronous);
    else
        printf("  wires             %.6g cycles a hop on the mean, at most %u\n"
               "  round trip        %.6g cycles in an empty network; %.6g with the "
               "longest wires\n",
               f->wire_mean, f->wire_longest, f->round_trip_mean,
               f->round_trip_longest);
    fputs("  best dimensions   if nothing is rounded:", stdout);
    for (unsigned i = 0; i < VARIANTS; i++)
        printf("%s %s %.2f", i ? "," : "", variant_names[i], answer->optimum[i]);
    putchar('\n');
    if (load->load > 0)
        print_simulated(load->load, &answer->simulated);
}

/* ---- the command ----------------------------------------------------------------- */

bool model_pipelined(ModelRequest *r, JmError *error) {
    PipelinedLoad load = model_cube_load(&r->settings, model_count(r, "seed", 1));
    PipelinedContinuum continuum = model_continuum(&r->settings);
    Answer answer = {.optimum = {0}};
    if (!model_given(r, "load"))
        load.load = 0;
    if (!check(r, &load, error) || !model_check_json(r, error))
        return false;
    net_pipelined_figures(&load.cube, &answer.figures);
    for (unsigned i = 0; i < VARIANTS; i++) {
        continuum.variant = (PipelinedVariant)i;
        answer.optimum[i] = net_pipelined_optimum(&continuum);
    }
    if (load.load > 0 && !net_pipelined_simulate(&load, &answer.simulated, error))
        return false;
    if (model_has_text(r, "json"))
        print(&load, &answer);
    return model_put_json(r, to_json(&load, &answer), error);
}
