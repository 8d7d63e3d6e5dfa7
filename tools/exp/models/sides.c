/* The models `open` and `open_solved`: one load on the networks of all five sources, 64
 * processors, with equal cost. A message has a fixed number of bits; its number of
 * flits follows from the width of a channel. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "net/model/adaptive/adaptive.h"
#include "net/model/amva.h"
#include "net/model/pipelined/node.h"
#include "net/model/shared/shared.h"
#include "net/topology/topology.h"
#include "tools/exp/models/parts.h"

enum {
    PROCESSORS = 64,
    MESSAGE_BITS = 384,
    /* Cost of an 8x8 torus with flits of 24 bits, 16 to a message. */
    FLIT_BITS = 24,
    BISECTION_WIRES = 32 * FLIT_BITS,
    NODE_PINS = 8 * FLIT_BITS,
    /* Of the cube: four nodes in each ring of three dimensions. */
    CUBE_DIMENSIONS = 3,
    CUBE_RADIX = 4,
    TEXT_MAX = 160
};

/* A network whose channels are one bit wide. A wire that carries both directions counts
 * once. `across`: wires cut by a bisection. `pins`: ends of wires at the router of a
 * node in the middle of the network; there are none between a node and its router,
 * which are one chip. A router of the Mesh of Clos is a chip of its own, with eight
 * channels each way; its processors are other chips. */
typedef struct {
    const char *name;
    const char *topology; /* NULL: the cube, of which only one node is simulated */
    unsigned across, pins;
} Side;

/* In the order of the words of the setting `on`. */
static const Side sides[] = {
    {"jmachine", "mesh=4x4x4", 16, 6},
    {"adve", "torus=8x8,lanes=2,places=1,links=single", 32, 8},
    {"quaglia", "torus=8x8,lanes=4,escape=2,places=2,links=4", 32, 8},
    {"pipelined", NULL, 2 * CUBE_RADIX *CUBE_RADIX, 2 * CUBE_DIMENSIONS},
    /* 16 routers, and a channel each way at each of 64 processors. */
    {"clos_3_2", "clos=4x4,levels=1,places=1", 8, (16 * 16 + 2 * 64) / 64},
    {"clos_3_1", "clos=2x2,levels=2,places=1", 16, (32 * 16 + 2 * 64) / 64},
};

static const Side *side_of(const Settings *settings) {
    return &sides[model_choice(settings, "on")];
}

/* Bits of a channel for equal cost. */
static unsigned width_of(const Settings *settings, const Side *side) {
    if (settings_has(settings, "equal", "bisection"))
        return BISECTION_WIRES / side->across;
    return settings_has(settings, "equal", "pins") ? NODE_PINS / side->pins : FLIT_BITS;
}

static unsigned flits_of(unsigned width) {
    return (MESSAGE_BITS + width - 1) / width;
}

static void add_side(const Side *side, unsigned width, Result *record) {
    result_add(record, "link_width", width);
    result_add(record, "message_flits", side->topology ? (double)flits_of(width) : NAN);
    result_add(record, "wires_across_bisection", side->across * width);
    result_add(record, "wires_per_node", side->pins * width);
}

/* Adds throughput in bits per cycle and processor, and latency in cycles from the birth
 * of a message to the arrival of its last flit. */
static void add_figures(double throughput, double latency, Result *record) {
    result_add(record, "throughput", throughput);
    result_add(record, "open_latency", latency);
}

static double offered(const Settings *settings) {
    return settings_number(settings, "offered");
}

/* ---- simulated ------------------------------------------------------------------- */

/* The J-Machine's mesh has its own rules and words of two flits, the first of which is
 * the head: messages would be a header longer than in networks without one. */
static NetParams params_of(const Side *side) {
    enum { WORDS = 64 };
    NetParams params = net_params_default();
    if (strcmp(side->name, "jmachine") == 0) {
        params.header_flits = 0;
        params.buffer_words = WORDS;
    }
    return params;
}

static bool simulate_side(ModelPoint *point, const Side *side, unsigned flits,
                          Result *record, JmError *error) {
    enum { END_CYCLES = 2, MIDDLE = 21 }; /* excluded from mean_latency; hot node */
    const NetParams params = params_of(side);
    char traffic[TEXT_MAX];
    snprintf(traffic, sizeof traffic, "poisson,rate=%.10g,length=%u,f_hot=%.10g,hot=%d",
             offered(point->settings) / MESSAGE_BITS, flits,
             settings_number(point->settings, "f_hot"), MIDDLE);
    if (!model_run_traffic(point, side->topology, &params, traffic, record, error))
        return false;
    add_figures(record->messages_arrived * MESSAGE_BITS,
                record->mean_latency + END_CYCLES, record);
    result_add(record, "open_latency_half", record->mean_latency_half);
    return true;
}

/* Packets of 128 and of 640 bits, half of each, have the mean length of the others'
 * messages. */
static PipelinedCube cube_of(unsigned width) {
    return (PipelinedCube){.dimensions = CUBE_DIMENSIONS,
                           .radix = CUBE_RADIX,
                           .nodes = PROCESSORS,
                           .width = width,
                           .ratio = PIPELINED_RATIO,
                           .data_share = 0.5};
}

static bool check_pattern(const Settings *settings, JmError *error) {
    return !(settings_number(settings, "f_hot") > 0) ||
           jm_fail(error, NULL,
                   "on=%s: f_hot: there is no hot spot where one node "
                   "stands for all, nor in what is solved",
                   settings_text(settings, "on"));
}

static bool simulate_cube(ModelPoint *point, unsigned width, Result *record,
                          JmError *error) {
    enum { QUEUE_BITS = PIPELINED_QUEUE_BITS, RAMP = 3 };
    PipelinedLoad load = {.cube = cube_of(width),
                          .cycles = model_whole(point->settings, "cycles"),
                          .ramp = RAMP,
                          .output_queue = QUEUE_BITS / width,
                          .confidence = 0.95,
                          .seed = point->seed,
                          .stop = model_is_stopped,
                          .context = point};
    PipelinedResult result;
    load.load = offered(point->settings) / net_pipelined_capacity(&load.cube);
    if (!check_pattern(point->settings, error) ||
        !net_pipelined_simulate(&load, &result, error))
        return false;
    add_figures(result.throughput, result.round_trip / 2, record);
    result_add(record, "open_latency_half", result.half_width / 2);
    result_add(record, "converged", result.converged);
    return true;
}

bool solve_open(ModelPoint *point, Result *record, JmError *error) {
    const Side *side = side_of(point->settings);
    const unsigned width = width_of(point->settings, side);
    add_side(side, width, record);
    return side->topology ? simulate_side(point, side, flits_of(width), record, error)
                          : simulate_cube(point, width, record, error);
}

/* ---- solved ---------------------------------------------------------------------- */

/* Outstanding requests of each processor in the closed models: enough to keep it nearly
 * always busy, so that it sends at its service rate whatever comes back. */
enum { CUSTOMERS = 8 };

/* Maximum number of sweeps: points below saturation take some tens to hundreds, one
 * above may take any number. */
enum { SWEEPS = 2000 };

/* Every request is answered by a message of the same length. */
static bool solve_shared_graph(ModelPoint *point, const NetGraph *graph, unsigned flits,
                               Result *record, JmError *error) {
    const double sent = offered(point->settings) / MESSAGE_BITS;
    const SharedProblem problem = {
        .customers = CUSTOMERS,
        .service = 2 / sent,
        .pair = {{flits, flits, 1, 1, 1}, {flits, flits, 0, 1, 1}},
        .sweeps = SWEEPS,
        .stop = model_is_stopped,
        .context = point};
    SharedResult result = {0};
    const bool good = net_shared_solve(graph, &problem, &result, error);
    if (good) {
        result_add_text(record, "stop", net_model_state_name(result.state));
        add_figures(result.throughput * MESSAGE_BITS, result.network / 2, record);
    }
    net_shared_result_free(&result);
    return good;
}

/* The thesis's model has services of requests and of replies: each sends one
 * message. */
static bool solve_amva_graph(ModelPoint *point, const NetGraph *graph, unsigned flits,
                             Result *record, JmError *error) {
    AmvaProblem problem = net_amva_problem_default();
    AmvaResult result = {0};
    double latency = 0;
    problem.outstanding = CUSTOMERS;
    problem.service = MESSAGE_BITS / offered(point->settings);
    problem.request = problem.reply = flits;
    const bool good = net_amva_solve(graph, &problem, &result, error);
    if (good) {
        result_add_text(record, "stop", net_model_state_name(result.state));
        for (uint32_t i = 0; result.state == MODEL_SOLVED && i < result.nodes; i++)
            latency += (result.node[i].request_wait + result.node[i].reply_wait +
                        result.node[i].network_time) /
                       2 / result.nodes;
        add_figures(result.rate * MESSAGE_BITS, latency, record);
    }
    net_amva_result_free(&result);
    return good;
}

static bool solve_on_graph(ModelPoint *point, const Side *side, unsigned flits,
                           Result *record, JmError *error) {
    const NetParams params = params_of(side);
    NetGraph *graph = net_topology_build(side->topology, &params, error);
    const bool thesis = strcmp(side->name, "jmachine") == 0;
    const bool good =
        graph && (thesis ? solve_amva_graph(point, graph, flits, record, error)
                         : solve_shared_graph(point, graph, flits, record, error));
    net_graph_destroy(graph);
    return good;
}

static bool solve_adaptive_torus(ModelPoint *point, unsigned flits, Result *record,
                                 JmError *error) {
    enum { SIDE = 8, END_CYCLES = 2 };
    const AdaptiveProblem problem = {
        .side = SIDE, .rate = offered(point->settings) / MESSAGE_BITS, .length = flits};
    AdaptiveResult result;
    if (!net_adaptive_solve(&problem, &result, error))
        return false;
    result_add_text(record, "stop", net_model_state_name(result.state));
    if (isfinite(result.latency))
        add_figures(offered(point->settings), result.latency + END_CYCLES, record);
    return true;
}

/* Closed forms: a constant latency, that of the empty network, up to the highest
 * throughput. */
static void solve_cube_form(ModelPoint *point, unsigned width, Result *record) {
    const PipelinedCube cube = cube_of(width);
    PipelinedFigures figures;
    net_pipelined_figures(&cube, &figures);
    if (offered(point->settings) > figures.throughput)
        result_add_text(record, "stop", "clipped");
    else
        add_figures(offered(point->settings), figures.round_trip_mean / 2, record);
}

bool solve_open_solved(ModelPoint *point, Result *record, JmError *error) {
    const Side *side = side_of(point->settings);
    const unsigned width = width_of(point->settings, side);
    add_side(side, width, record);
    if (strcmp(side->name, "quaglia") == 0)
        return solve_adaptive_torus(point, flits_of(width), record, error);
    if (side->topology)
        return solve_on_graph(point, side, flits_of(width), record, error);
    solve_cube_form(point, width, record);
    return true;
}
