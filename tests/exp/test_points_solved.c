/* Solved points against direct calls of the library with the same problem: each
 * setting reaches it, and the record holds what it found. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "net/model/adaptive/adaptive.h"
#include "net/model/amva.h"
#include "net/model/pipelined/node.h"
#include "net/model/shared/shared.h"
#include "net/net.h"
#include "net/topology/topology.h"
#include "tests/exp/made.h"

enum { SEED = 5, TEXT_MAX = 256 };

static NetGraph *graph_of(const char *topology) {
    JmError error;
    NetParams params = net_params_default();
    cr_assert(net_specification_params(topology, &params, &error), "%s", error.text);
    NetGraph *graph = net_topology_build(topology, &params, &error);
    cr_assert(graph, "%s: %s", topology, error.text);
    return graph;
}

/* ---- mean values of chapter 5 ---------------------------------------------------- */

static void expect_amva(const char *settings, const char *topology,
                        const AmvaProblem *problem) {
    JmError error;
    AmvaResult result = {0};
    json_t *record = made_point("model=amva", settings, SEED);
    NetGraph *graph = graph_of(topology);
    cr_assert(net_amva_solve(graph, problem, &result, &error), "%s", error.text);
    const json_t *node = json_object_get(record, "node_queue");
    const json_t *processor = json_object_get(record, "processor_queue");
    cr_expect_str_eq(json_string_value(json_object_get(record, "stop")),
                     net_model_state_name(result.state));
    made_expect(record, "per_node", problem->outstanding, settings);
    made_expect(record, "sweeps", result.sweeps, settings);
    made_expect(record, "rate", result.rate, settings);
    made_expect(record, "bisection", result.bisection, settings);
    cr_assert_eq(json_array_size(node), result.nodes);
    for (uint32_t i = 0; i < result.nodes; i++) {
        cr_expect(made_same(json_number_value(json_array_get(node, i)),
                            result.node[i].node_queue),
                  "%s: node %u", settings, i);
        cr_expect(made_same(json_number_value(json_array_get(processor, i)),
                            result.node[i].processor_queue),
                  "%s: processor %u", settings, i);
    }
    net_amva_result_free(&result);
    net_graph_destroy(graph);
    json_decref(record);
}

Test(points_solved, amva) {
    AmvaProblem p = net_amva_problem_default();
    expect_amva("mesh=3x2x2", "mesh=3x2x2", &p);
    p.outstanding = 3;
    p.service = 11;
    expect_amva("mesh=3x3x1 m=3 tau=11", "mesh=3x3x1", &p);
    p.pair[0].request = p.pair[0].reply = 12;
    expect_amva("mesh=3x3x1 m=3 tau=11 flits=12", "mesh=3x3x1", &p);
    p.fair = true;
    expect_amva("mesh=3x3x1 m=3 tau=11 flits=12 fair=1", "mesh=3x3x1", &p);
    p.fair = false;
    p.alpha = 0.3;
    p.p_first = true;
    expect_amva("mesh=3x3x1 m=3 tau=11 flits=12 alpha=0.3 p_first=1", "mesh=3x3x1", &p);
    p.equal_aside = true;
    p.weight = 0.2;
    expect_amva("mesh=3x3x1 m=3 tau=11 flits=12 alpha=0.3 p_first=1 equal_aside=1 "
                "weight=0.2",
                "mesh=3x3x1", &p);
    p = net_amva_problem_default();
    p.workload = AMVA_SNAKES;
    expect_amva("mesh=4x2x1 workload=snakes", "mesh=4x2x1", &p);
    p = net_amva_problem_default();
    p.form = AMVA_PREFIXES;
    expect_amva("mesh=4x2x1 form=prefixes", "mesh=4x2x1", &p);
}

/* Values by type, flit, and two of each, at each node by home. Twice the flits are
 * twice the values, and Snakes have one type of two. */
Test(points_solved, size_of_amva) {
    json_t *plain = made_point("model=amva", "mesh=3x3x1", SEED),
           *long_ = made_point("model=amva", "mesh=3x3x1 flits=16", SEED);
    json_t *snakes = made_point("model=amva", "mesh=3x3x1 workload=snakes", SEED);
    made_expect(plain, "node_values", 9. * 9 * 2 * 8 * 2, "requests");
    made_expect(long_, "node_values", 9. * 9 * 2 * 16 * 2, "long");
    made_expect(snakes, "node_values", 9. * 9 * 8 * 2, "snakes");
    made_expect(long_, "channel_values", 2 * made_figure(plain, "channel_values"),
                "long");
    made_expect(snakes, "channel_values", made_figure(plain, "channel_values") / 2,
                "snakes");
    json_decref(plain);
    json_decref(long_);
    json_decref(snakes);
}

/* ---- shared memory --------------------------------------------------------------- */

/* Columns left of the middle: the inner rows and the ends, of 4x4 and of 8x8. */
static void expect_column(const json_t *record, const SharedResult *r, unsigned k,
                          const char *point) {
    double wait[2] = {0}, first[2] = {0};
    const unsigned inner = k == 4 ? 2 : 4;
    for (unsigned i = 0; i < 2; i++) {
        const SharedProcessor *end = &r->processor[(i ? k - 1 : 0) * k + k / 2 - 1];
        wait[1] += end->node_wait / 2;
        first[1] += end->first_channel / 2;
    }
    for (unsigned row = k / 4; row < k / 4 + inner; row++) {
        const SharedProcessor *p = &r->processor[row * k + k / 2 - 1];
        wait[0] += p->node_wait / inner;
        first[0] += p->first_channel / inner;
    }
    made_expect(record, "node_wait_middle", wait[0], point);
    made_expect(record, "node_wait_ends", wait[1], point);
    made_expect(record, "first_channel_middle", first[0], point);
    made_expect(record, "first_channel_ends", first[1], point);
}

static void expect_shared(const char *settings, const char *topology, unsigned k,
                          SharedProblem *problem, const double routing[2]) {
    static double shares[64 * 64];
    JmError error;
    SharedResult r = {0};
    json_t *record = made_point("model=shared", settings, SEED);
    NetGraph *graph = graph_of(topology);
    cr_assert(
        net_shared_routing(graph, routing[0], routing[1], 2 * k + 2, shares, &error) &&
            (problem->routing = shares, net_shared_solve(graph, problem, &r, &error)),
        "%s", error.text);
    made_expect(record, "sweeps", r.sweeps, settings);
    made_expect(record, "processor_efficiency", 100 * r.efficiency, settings);
    made_expect(record, "max_efficiency", 100 * r.highest, settings);
    made_expect(record, "min_efficiency", 100 * r.lowest, settings);
    made_expect(record, "max_min_ratio", r.highest / r.lowest, settings);
    made_expect(record, "network_residence_time", r.network, settings);
    made_expect(record, "response_time", r.network + r.memory, settings);
    expect_column(record, &r, k, settings);
    const json_t *list = json_object_get(record, "by_processor");
    cr_expect_eq(json_array_size(list), k * k);
    for (unsigned i = 0; i < k * k; i++)
        cr_expect(made_same(json_number_value(json_array_get(list, i)),
                            100 * r.processor[i].efficiency));
    net_shared_result_free(&r);
    net_graph_destroy(graph);
    json_decref(record);
}

Test(points_solved, shared) {
    static const double even[2] = {0, 0}, uneven[2] = {0.3, 0.1};
    const SharedProblem plain = {.customers = 1,
                                 .service = 25,
                                 .pair = {{3, 9, 0.8, 4, 4}, {11, 3, 1 - 0.8, 4, 4}}};
    SharedProblem p = plain;
    expect_shared("k=4", "torus=4x4,links=single", 4, &p, even);
    expect_shared("k=8", "torus=8x8,links=single", 8, &p, even);
    expect_shared("k=4 f_nn=0.3 f_hot=0.1", "torus=4x4,links=single", 4, &p, uneven);
    expect_shared("k=4 links=multiple tie=nowrap",
                  "torus=4x4,links=multiple,tie=nowrap", 4, &p, even);
    p.customers = 3;
    p.service = 12.5;
    p.pair[0].busy = p.pair[1].busy = 5;
    p.pair[0].answer = 7;
    p.pair[1].answer = 11;
    expect_shared("k=4 n_out=3 tau=12.5 d_mem=5 read=7 write=11",
                  "torus=4x4,links=single", 4, &p, even);
    p = plain;
    p.pair[0].request = 2;
    p.pair[0].reply = 5;
    p.pair[1].request = 6;
    p.pair[1].reply = 2;
    expect_shared("k=4 topology=uni_torus", "torus=4x4,oneway=1,links=single", 4, &p,
                  even);
    p.pair[0].request = 4;
    p.pair[0].reply = 10;
    p.pair[1].request = 12;
    p.pair[1].reply = 4;
    expect_shared("k=4 topology=mesh flit_lengths=section_iv_e",
                  "torus=4x4,ends=0,links=single", 4, &p, even);
}

Test(points_solved, buffers_and_terms_of_shared) {
    static const char *const sets[] = {"queue",   "twice", "worst",  "rate",
                                       "no_tail", "own",   "longer", "thesis"};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        for (int unlimited = 0; unlimited < 2; unlimited++) {
            char settings[TEXT_MAX];
            JmError error;
            SharedResult r = {0};
            SharedProblem p = {.customers = 4,
                               .service = 10,
                               .buffers =
                                   unlimited ? SHARED_UNLIMITED : SHARED_ONE_FLIT,
                               .pair = {{3, 9, 0.8, 4, 4}, {11, 3, 1 - 0.8, 4, 4}}};
            cr_assert(net_shared_terms(sets[i], &p.terms));
            snprintf(settings, sizeof settings, "k=4 n_out=4 tau=10 terms=%s%s",
                     sets[i], unlimited ? " buffers=unlimited" : "");
            json_t *record = made_point("model=shared", settings, SEED);
            NetGraph *graph = graph_of("torus=4x4,links=single");
            cr_assert(net_shared_solve(graph, &p, &r, &error), "%s", error.text);
            made_expect(record, "processor_efficiency", 100 * r.efficiency, settings);
            made_expect(record, "network_residence_time", r.network, settings);
            net_shared_result_free(&r);
            net_graph_destroy(graph);
            json_decref(record);
        }
}

/* ---- latencies of tori ----------------------------------------------------------- */

Test(points_solved, adaptive) {
    static const struct {
        const char *settings;
        AdaptiveProblem problem;
    } rows[] = {
        {"k=8 rate=0.01", {.side = 8, .rate = 0.01, .length = 12}},
        {"k=12 rate=0.004 length=20", {.side = 12, .rate = 0.004, .length = 20}},
        {"k=8 rate=0.01 reading=product",
         {.side = 8, .rate = 0.01, .length = 12, .product = true}},
        {"k=8 rate=0.01 reading=flow",
         {.side = 8, .rate = 0.01, .length = 12, .printed_flow = true}},
        {"k=8 rate=0.01 reading=holding",
         {.side = 8, .rate = 0.01, .length = 12, .printed_holding = true}},
        {"k=8 rate=0.01 reading=printed",
         {.side = 8,
          .rate = 0.01,
          .length = 12,
          .product = true,
          .printed_flow = true,
          .printed_holding = true,
          .moment = ADAPTIVE_LENGTHS}}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        AdaptiveResult r;
        JmError error;
        json_t *record = made_point("model=adaptive", rows[i].settings, SEED);
        cr_assert(net_adaptive_solve(&rows[i].problem, &r, &error), "%s", error.text);
        const double more = r.latency - r.zero_load;
        made_expect(record, "mean_latency", r.latency, rows[i].settings);
        made_expect(record, "latency_more", more, rows[i].settings);
        /* The average message goes k/4 hops in each dimension. */
        made_expect(record, "blocking_per_hop", more / (rows[i].problem.side / 2.),
                    rows[i].settings);
        json_decref(record);
    }
}

/* ---- pipelined cubes ------------------------------------------------------------- */

static const char *const constraints[] = {"link_width", "node_size", "bisection_width"};

Test(points_solved, optimum) {
    static const char *const variants[] = {"unit_delay", "mean_wire", "longest_wire",
                                           "synchronous"};
    for (unsigned i = 0; i < 4 * 3 * 2 * 2; i++) {
        const unsigned variant = i % 4, constraint = i / 4 % 3;
        const bool one = i / 12 % 2, set = i / 24;
        PipelinedContinuum c = {.variant = (PipelinedVariant)variant,
                                .constraint = (PipelinedConstraint)constraint,
                                .nodes = 65536,
                                .ratio = 3,
                                .bits = {one ? 256 : 128, one ? 0 : 640}};
        char settings[TEXT_MAX];
        snprintf(settings, sizeof settings,
                 "nodes=65536 ratio=3 variant=%s constraint=%s%s%s", variants[variant],
                 constraints[constraint], one ? " bits=256" : "",
                 set ? " dimensions=2.5" : "");
        json_t *record = made_point("model=optimum", settings, SEED);
        const double best = net_pipelined_optimum(&c);
        const double latency = net_pipelined_continuous(&c, set ? 2.5 : best);
        made_expect(record, "best_dimensions", best, settings);
        made_expect(record, "best_radix", pow(65536, 1 / best), settings);
        made_expect(record, "latency", latency, settings);
        /* In cycles of a switch that takes two of the shortest wire. */
        made_expect(record, "latency_wires", latency * 3 / 2, settings);
        json_decref(record);
    }
}

static const struct {
    const char *settings;
    PipelinedCube cube; /* its width is that of the constraint */
    PipelinedConstraint constraint;
} cubes[] = {
#define CUBE .nodes = 4096, .ratio = 2, .data_share = 1. / 3
    {"dimensions=4", {CUBE, .dimensions = 4, .radix = 8}, PIPELINED_LINK_WIDTH},
    {"dimensions=3 constraint=node_size lengths=linear",
     {CUBE, .dimensions = 3, .radix = 16, .lengths = PIPELINED_LINEAR},
     PIPELINED_NODE_SIZE},
    {"dimensions=6 constraint=bisection_width network=synchronous",
     {CUBE, .dimensions = 6, .radix = 4, .synchronous = true},
     PIPELINED_BISECTION_WIDTH},
    {"nodes=1000 dimensions=2 radix=30 ratio=3.5 data_share=0.75",
     {.nodes = 1000, .ratio = 3.5, .data_share = 0.75, .dimensions = 2, .radix = 30},
     PIPELINED_LINK_WIDTH},
};
enum { CUBES = sizeof cubes / sizeof cubes[0] };

static PipelinedCube cube_at(unsigned i) {
    PipelinedCube cube = cubes[i].cube;
    cube.width = net_pipelined_width(
        cubes[i].constraint, net_pipelined_budget(cubes[i].constraint, cube.nodes),
        cube.nodes, cube.dimensions, cube.radix);
    return cube;
}

Test(points_solved, cube) {
    for (unsigned i = 0; i < CUBES; i++) {
        const char *settings = cubes[i].settings;
        const PipelinedCube cube = cube_at(i);
        PipelinedFigures f;
        net_pipelined_figures(&cube, &f);
        json_t *r = made_point("model=cube", settings, SEED);
        const bool sync = cube.synchronous;
        made_expect(r, "radix", cube.radix, settings);
        made_expect(r, "link_width", cube.width, settings);
        made_expect(r, "wires_per_node", f.node_wires, settings);
        made_expect(r, "wires_across_bisection", f.bisection_wires, settings);
        made_expect(r, "decode_delay", f.decode, settings);
        made_expect(r, "max_throughput", f.throughput, settings);
        made_expect(r, "wire_delay_max", sync ? NAN : (double)f.wire_longest, settings);
        made_expect(r, "wire_delay_actual", sync ? NAN : f.wire_mean, settings);
        made_expect(r, "roundtrip_latency_max_wire", sync ? NAN : f.round_trip_longest,
                    settings);
        made_expect(r, "roundtrip_latency_actual_wire", sync ? NAN : f.round_trip_mean,
                    settings);
        made_expect(r, "cycle_time_increase", sync ? f.cycle : NAN, settings);
        made_expect(r, "roundtrip_latency_synchronous",
                    sync ? f.round_trip_synchronous : NAN, settings);
        json_decref(r);
    }
}

static void expect_cube_node(unsigned i, const char *more, PipelinedLoad load) {
    char settings[TEXT_MAX];
    JmError error;
    PipelinedResult result;
    snprintf(settings, sizeof settings, "%s cycles=3000 %s", cubes[i].settings, more);
    load.cube = cube_at(i);
    load.cycles = 3000;
    load.ramp = 3;
    load.tolerance = 0.02;
    load.confidence = 0.95;
    load.seed = SEED;
    json_t *r = made_point("model=cube_node", settings, SEED);
    cr_assert(net_pipelined_simulate(&load, &result, &error), "%s", error.text);
    made_expect(r, "radix", load.cube.radix, settings);
    made_expect(r, "link_width", load.cube.width, settings);
    made_expect(r, "max_throughput", net_pipelined_capacity(&load.cube), settings);
    made_expect(r, "throughput", result.throughput, settings);
    made_expect(r, "latency", result.round_trip, settings);
    made_expect(r, "latency_half", result.half_width, settings);
    made_expect(r, "dropped", result.dropped, settings);
    made_expect(r, "link_used", result.used, settings);
    made_expect(r, "converged", result.converged, settings);
    made_expect(r, "iterations", result.iterations, settings);
    json_decref(r);
}

Test(points_solved, cube_node) {
    for (unsigned i = 0; i < CUBES; i++)
        expect_cube_node(i, "", (PipelinedLoad){.load = 0.5});
    expect_cube_node(0, "load=0.9 ring_buffer=30",
                     (PipelinedLoad){.load = 0.9, .ring_buffer = 30});
    expect_cube_node(0, "load=0.9 input_queue=40",
                     (PipelinedLoad){.load = 0.9, .input_queue = 40});
    expect_cube_node(0, "load=0.9 output_queue=3",
                     (PipelinedLoad){.load = 0.9, .output_queue = 3});
}

/* Scott and Goodman's (4) for k x k nodes with links of 32 bits, by hand: 640 bits are
 * 20 flits behind one of address, decoding takes the address. */
Test(points_solved, whole_form) {
    for (unsigned k = 4; k <= 16; k += 4)
        for (unsigned wire = 1; wire <= 3; wire++) {
            char settings[TEXT_MAX];
            snprintf(settings, sizeof settings, "k=%u wire=%u", k, wire);
            const PipelinedCube cube = {.dimensions = 2,
                                        .radix = k,
                                        .nodes = k * k,
                                        .width = 32,
                                        .ratio = 2,
                                        .data_share = 1};
            const double flits = net_pipelined_flits(&cube, 640);
            /* (k-1)/2 wires in each dimension, on the mean over all k^2 targets. */
            const double hops = (k - 1.0) * k * k / (k * k - 1.0);
            const double hop = wire + net_pipelined_decode(&cube) + 1;
            json_t *record = made_point("model=whole_form", settings, SEED);
            made_expect(record, "mean_latency", hops * hop + flits - 1, settings);
            json_decref(record);
        }
}
