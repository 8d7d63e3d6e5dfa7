/* The command `jm model pipelined`: k-ary n-cubes with pipelined wires, in closed
 * form and simulated. */
#include "net/model/pipelined/pipelined.h"

#include <stdio.h>
#include <string.h>

#include "net/model/pipelined/node.h"
#include "tools/host/host.h"
#include "tools/host/values.h"
#include "tools/jm/commands.h"
#include "tools/model/arguments.h"
#include "tools/model/model.h"

static const char command[] = "jm model pipelined";

/* Most cycles of a simulation times dimensions: some minutes. */
static const double work_max = 1e10;

enum { VARIANTS = 4 };
static const char *const variant_names[VARIANTS] = {
    [PIPELINED_UNIT_DELAY] = "unit_delay",
    [PIPELINED_MEAN_WIRE] = "mean_wire",
    [PIPELINED_LONGEST_WIRE] = "longest_wire",
    [PIPELINED_SYNCHRONOUS] = "synchronous"};

typedef struct {
    PipelinedLoad load; /* with the cube; `load` 0: not simulated */
    unsigned constraint, lengths, cycles, seed;
    double wires; /* 0: those of the paper */
    const char *json;
    bool help;
} Request;

typedef struct {
    PipelinedFigures figures;
    double optimum[VARIANTS];
    PipelinedResult simulated;
} Answer;

enum { OPTIONS = 20 };

static void make_options(Request *r, Argument options[OPTIONS]) {
    PipelinedLoad *const l = &r->load;
    PipelinedCube *const c = &l->cube;
    const Argument table[OPTIONS] = {
#define ARGUMENT ARGUMENT_ROW
#include "tools/model/pipelined.def"
#undef ARGUMENT
    };
    memcpy(options, table, sizeof table);
}

/* ---- bad input ------------------------------------------------------------------- */

static bool check_simulation(const Request *r, const Argument *options,
                             JmError *error) {
    static const char *const needing[] = {"ring-buffer", "input-queue", "output-queue",
                                          "cycles",      "ramp",        "confidence",
                                          "seed"};
    for (unsigned i = 0; i < sizeof needing / sizeof needing[0]; i++)
        if (arguments_given(options, needing[i]) && !arguments_given(options, "load"))
            return jm_fail(error, command, "--%s needs --load", needing[i]);
    const double work = (double)r->cycles * r->load.cube.dimensions;
    return work <= work_max ||
           jm_fail(error, command, "%u cycles of %u dimensions are too many", r->cycles,
                   r->load.cube.dimensions);
}

static bool settle(Request *r, const Argument *options, JmError *error) {
    PipelinedCube *cube = &r->load.cube;
    if (!arguments_given(options, "dimensions"))
        return jm_fail(error, command, "--dimensions is missing");
    if (!cube->radix)
        cube->radix = net_pipelined_radix(cube->nodes, cube->dimensions);
    const PipelinedConstraint constraint = (PipelinedConstraint)r->constraint;
    if (!arguments_given(options, "wires"))
        r->wires = net_pipelined_budget(constraint, cube->nodes);
    cube->width = net_pipelined_width(constraint, r->wires, cube->nodes,
                                      cube->dimensions, cube->radix);
    if (!cube->width)
        return jm_fail(error, command, "%g wires are too few for links of a bit",
                       r->wires);
    cube->lengths = (PipelinedLengths)r->lengths;
    r->load.cycles = r->cycles;
    r->load.seed = r->seed;
    return net_pipelined_check(cube, error) && check_simulation(r, options, error) &&
           (!r->json || jm_outfile_check(r->json, NULL, error));
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

static json_t *to_json(const Request *r, const Answer *answer) {
    const PipelinedCube *cube = &r->load.cube;
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
    if (root && r->load.load > 0)
        json_object_set_new(root, "simulated", simulated_json(&answer->simulated));
    return root;
}

static void print_simulated(const Request *r, const PipelinedResult *s) {
    printf("simulated at %.4g of the highest throughput%s\n", r->load.load,
           s->converged ? "" : ", whose latency did not stand still");
    printf("  throughput        %.6g bits a cycle and processor, of %.6g\n",
           s->throughput, s->offered);
    printf("  round trip        %.6g cycles, %.4g more or less; address %.6g, data "
           "%.6g\n",
           s->round_trip, s->half_width, s->latency[0], s->latency[1]);
    printf("  dropped           %.4g of the packets at an input queue\n", s->dropped);
    printf("  links             used in %.4g of all cycles\n", s->used);
}

static void print(const Request *r, const Answer *answer) {
    const PipelinedCube *cube = &r->load.cube;
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
    if (r->load.load > 0)
        print_simulated(r, &answer->simulated);
}

/* ---- the command ----------------------------------------------------------------- */

static bool answer_all(const Request *r, Answer *answer, JmError *error) {
    PipelinedContinuum continuum = {
        .constraint = (PipelinedConstraint)r->constraint,
        .nodes = r->load.cube.nodes,
        .ratio = r->load.cube.ratio,
        .bits = {PIPELINED_ADDRESS_BITS, PIPELINED_DATA_BITS}};
    *answer = (Answer){0};
    net_pipelined_figures(&r->load.cube, &answer->figures);
    for (unsigned i = 0; i < VARIANTS; i++) {
        continuum.variant = (PipelinedVariant)i;
        answer->optimum[i] = net_pipelined_optimum(&continuum);
    }
    return r->load.load <= 0 ||
           net_pipelined_simulate(&r->load, &answer->simulated, error);
}

static void help(const Argument *options) {
    printf("Usage: %s --dimensions N [OPTION]...\n"
           "Solves a k-ary n-cube with pipelined or synchronous wires, and simulates\n"
           "a node of it under load (Scott and Goodman 1991).\n\n",
           command);
    arguments_help(options, stdout);
}

int model_pipelined(int argc, char **argv) {
    Request request = {.load = {.cube = {.nodes = 4096,
                                         .ratio = PIPELINED_RATIO,
                                         .data_share = PIPELINED_DATA_SHARE},
                                .ramp = 4,
                                .tolerance = 0.02,
                                .confidence = 0.95},
                       .cycles = 200000,
                       .seed = 1};
    Argument options[OPTIONS];
    JmError error;
    make_options(&request, options);
    if (!arguments_parse(command, options, argc, argv, &error))
        return host_report(&error) ? EXIT_SUCCESS : EXIT_USAGE;
    if (request.help) {
        help(options);
        return EXIT_SUCCESS;
    }
    Answer answer;
    const bool only_json = request.json && strcmp(request.json, "-") == 0;
    bool good =
        settle(&request, options, &error) && answer_all(&request, &answer, &error);
    if (good && !only_json)
        print(&request, &answer);
    if (good && request.json)
        good = model_write_json(request.json, to_json(&request, &answer), &error);
    return good || host_report(&error) ? EXIT_SUCCESS : EXIT_USAGE;
}
