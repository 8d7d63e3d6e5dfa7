/* Tori and meshes, solved by equations and by counting. `shared`: shared memory (Adve
 * and Vernon), with the settings and figures of the simulation `memory`. `ordered`:
 * messages at random times in dimension order, by the same equations, and `adaptive`:
 * minimal adaptive routing (Quaglia, Ciciani and Colajanni), with those of the
 * simulation `poisson`. `routes`: counts over all routes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/model/adaptive/adaptive.h"
#include "net/model/shared/shared.h"
#include "net/topology/topology.h"
#include "net/traffic/traffic.h"
#include "tools/exp/models/parts.h"
#include "tools/host/memory.h"

enum { TEXT_MAX = 256 };

/* ---- shared: the problem --------------------------------------------------------- */

/* A workload and its values. */
typedef struct {
    const NetWorkload *rows;
    NetOptionValues values;
} Workload;

static double value_of(const Workload *workload, const char *name) {
    return net_workload_value(workload->rows, &workload->values, name);
}

static unsigned whole(const Workload *workload, const char *name) {
    return (unsigned)value_of(workload, name);
}

static SharedProblem problem_of(const Workload *w, const Settings *settings) {
    const double reads = value_of(w, "p_1"), busy = value_of(w, "d_mem");
    const char *terms = settings_text(settings, "terms");
    SharedProblem problem = {.buffers = settings_has(settings, "buffers", "unlimited")
                                            ? SHARED_UNLIMITED
                                            : SHARED_ONE_FLIT,
                             .customers = whole(w, "n_out"),
                             .service = value_of(w, "tau"),
                             .pair = {{whole(w, "l_msg1"), whole(w, "l_resp1"), reads,
                                       busy, value_of(w, "read")},
                                      {whole(w, "l_msg2"), whole(w, "l_resp2"),
                                       1 - reads, busy, value_of(w, "write")}},
                             .no_symmetry = model_whole(settings, "no_symmetry"),
                             .weight = settings_number(settings, "weight"),
                             .tolerance = settings_number(settings, "tolerance"),
                             .sweeps = model_whole(settings, "sweeps")};
    if (terms)
        net_shared_terms(terms, &problem.terms);
    return problem;
}

/* Node 2,2, in a mesh of three dimensions 2,2,0, as the workload has it; else the
 * first. */
static uint32_t hot_place(const NetGraph *graph, uint32_t processors) {
    const uint32_t terminals = graph->nodes / processors;
    char name[32];
    for (uint32_t i = 0; i < processors; i++) {
        graph->node_name(graph, i * terminals, name, sizeof name);
        if (strcmp(name, "2,2") == 0 || strcmp(name, "2,2,0") == 0)
            return i;
    }
    return 0;
}

/* Returns processors x processors shares of requests (net_shared_routing()), for the
 * caller to free; NULL and `error`. */
static double *routing_of(const char *tool, const Workload *workload,
                          const NetGraph *graph, JmError *error) {
    const uint32_t processors = net_graph_processors(graph);
    if (processors > SHARED_MAX_PROCESSORS) {
        jm_fail(error, tool, "%u processors are more than %d", processors,
                SHARED_MAX_PROCESSORS);
        return NULL;
    }
    double *routing = memory_array((size_t)processors * processors, sizeof *routing);
    if (net_shared_routing(graph, value_of(workload, "f_nn"),
                           value_of(workload, "f_hot"), hot_place(graph, processors),
                           routing, error))
        return routing;
    free(routing);
    return NULL;
}

/* If a network does not give its channel capacity, the parameter does. */
static bool check_capacity(const char *tool, const char *topology,
                           const NetGraph *graph, const NetParams *params,
                           const SharedProblem *problem, JmError *error) {
    return graph->places || problem->buffers == SHARED_UNLIMITED ||
           params->channel_capacity == 1 ||
           jm_fail(error, tool,
                   "'%s': a channel holds %u flits: the model is of channels that hold "
                   "one, or, with --buffers unlimited, any number",
                   topology, params->channel_capacity);
}

/* ---- shared: solving ------------------------------------------------------------- */

/* Adds the waits of messages that leave the nodes of the column left of the middle
 * (Adve and Vernon's figure 16): over the inner half of the rows, and over the first
 * and the last. */
static void add_column(const SharedResult *result, Result *record) {
    const unsigned k = (unsigned)sqrt(result->processors); /* of a square */
    double wait[2] = {0}, first[2] = {0}, count[2] = {0};
    for (unsigned row = 0; k >= 4 && row < k; row++) {
        const SharedProcessor *p = &result->processor[row * k + k / 2 - 1];
        const bool end = row == 0 || row == k - 1;
        if (!end && (4 * row < k || 4 * (row + 1) > 3 * k))
            continue;
        wait[end] += p->node_wait;
        first[end] += p->first_channel;
        count[end]++;
    }
    result_add(record, "node_wait_middle", wait[0] / count[0]);
    result_add(record, "node_wait_ends", wait[1] / count[1]);
    result_add(record, "first_channel_middle", first[0] / count[0]);
    result_add(record, "first_channel_ends", first[1] / count[1]);
}

static void add_result(const SharedResult *result, Result *record) {
    result_add_text(record, "stop", net_model_state_name(result->state));
    result_add(record, "sweeps", result->sweeps);
    result_add(record, "processor_efficiency", 100 * result->efficiency);
    result_add(record, "max_efficiency", 100 * result->highest);
    result_add(record, "min_efficiency", 100 * result->lowest);
    result_add(record, "max_min_ratio", result->highest / result->lowest);
    result_add(record, "network_residence_time", result->network);
    result_add(record, "response_time", result->network + result->memory);
    record->throughput = result->throughput; /* messages */
    record->memory_time = result->memory;
    if (result->state != MODEL_SOLVED)
        return;
    ResultList *list = result_add_list(record, "by_processor");
    for (uint32_t i = 0; i < result->processors; i++)
        result_push(list, &(double){100 * result->processor[i].efficiency});
}

bool model_solve_shared(ModelPoint *point, const char *tool, const char *topology,
                        const char *text, Result *record, JmError *error) {
    NetParams params = net_params_default();
    Workload workload;
    workload.rows = net_workload_read(text, &workload.values, error);
    if (!workload.rows || !net_specification_params(topology, &params, error))
        return false;
    SharedProblem problem = problem_of(&workload, point->settings);
    NetGraph *graph = net_topology_build(topology, &params, error);
    double *routing =
        graph && check_capacity(tool, topology, graph, &params, &problem, error)
            ? routing_of(tool, &workload, graph, error)
            : NULL;
    problem.routing = routing;
    problem.stop = model_is_stopped;
    problem.context = point;
    SharedResult result = {0};
    const bool good = routing && net_shared_solve(graph, &problem, &result, error);
    if (good) {
        add_result(&result, record);
        add_column(&result, record);
    }
    net_shared_result_free(&result);
    free(routing);
    net_graph_destroy(graph);
    return good;
}

bool solve_shared(ModelPoint *point, Result *record, JmError *error) {
    char topology[TEXT_MAX], traffic[TEXT_MAX];
    model_shared_memory(point->settings, topology, traffic, TEXT_MAX);
    return model_solve_shared(point, NULL, topology, traffic, record, error);
}

/* ---- ordered --------------------------------------------------------------------- */

/* A wire has two lanes of a flit, a processor a source for each first channel. Figures
 * are the mean latency from the first wire to the last and, per hop, the part of it in
 * excess of an empty network. */

/* Cycles of a residence that do not count as latency here: the links from the processor
 * to its switch and from the last switch to the processor. */
static const double ENDS = 2;

/* Mean number of wires that a message crosses: flits a cycle over all wires, divided by
 * those of all processors. */
static double hops_of(const SharedResult *result, const SharedProblem *problem) {
    double load = 0;
    for (uint32_t i = 0; i < result->wires; i++)
        load += result->load[i];
    return load / (result->processors * problem->rate * problem->pair[0].request);
}

static void add_ordered(const SharedResult *result, const SharedProblem *problem,
                        Result *record) {
    result_add_text(record, "stop", net_model_state_name(result->state));
    const double hops = hops_of(result, problem), latency = result->network - ENDS;
    const double empty = hops + problem->pair[0].request - 1;
    result_add(record, "sweeps", result->sweeps);
    result_add(record, "mean_latency", latency);
    result_add(record, "latency_more", latency - empty);
    result_add(record, "blocking_per_hop", (latency - empty) / hops);
}

bool solve_ordered(ModelPoint *point, Result *record, JmError *error) {
    char text[TEXT_MAX];
    const NetParams params = net_params_default();
    const unsigned k = model_whole(point->settings, "k");
    snprintf(text, sizeof text, "torus=%ux%u,links=multiple", k, k);
    NetGraph *graph = net_topology_build(text, &params, error);
    SharedProblem problem = net_shared_problem_default();
    problem.rate = settings_number(point->settings, "rate");
    problem.pair[0].request = model_whole(point->settings, "length");
    problem.stop = model_is_stopped;
    problem.context = point;
    SharedResult result = {0};
    const bool good = graph && net_shared_solve(graph, &problem, &result, error);
    if (good)
        add_ordered(&result, &problem, record);
    net_shared_result_free(&result);
    net_graph_destroy(graph);
    return good;
}

/* ---- adaptive -------------------------------------------------------------------- */

bool model_solve_adaptive(const ModelPoint *point, unsigned side, double rate,
                          double length, Result *record, JmError *error) {
    const Settings *settings = point->settings;
    const bool printed = settings_has(settings, "reading", "printed");
    const AdaptiveProblem problem = {
        .side = side,
        .rate = rate,
        .length = length,
        .product = printed || settings_has(settings, "reading", "product"),
        .printed_flow = printed || settings_has(settings, "reading", "flow"),
        .printed_holding = printed || settings_has(settings, "reading", "holding"),
        .lengths_apart = printed};
    const double hops = side / 2.0; /* of the average message */
    AdaptiveResult result;
    if (!net_adaptive_solve(&problem, &result, error))
        return false;
    result_add_text(record, "stop", net_model_state_name(result.state));
    result_add(record, "mean_latency", result.latency);
    result_add(record, "latency_more", result.latency - result.zero_load);
    result_add(record, "blocking_per_hop", (result.latency - result.zero_load) / hops);
    record->sweeps = result.iterations;
    record->zero_load = result.state == MODEL_SOLVED ? result.zero_load : NAN;
    record->busy_x = result.busy[0];
    record->busy_y = result.busy[1];
    record->wait_we = result.wait[0];
    record->wait_ne = result.wait[1];
    record->wait_ns = result.wait[2];
    record->wait_ws = result.wait[3];
    return true;
}

bool solve_adaptive(ModelPoint *point, Result *record, JmError *error) {
    const Settings *settings = point->settings;
    return model_solve_adaptive(point, model_whole(settings, "k"),
                                settings_number(settings, "rate"),
                                settings_number(settings, "length"), record, error);
}

/* ---- routes: each pair of nodes once for every way round ------------------------- */

/* Sums over all routes. */
typedef struct {
    double ways, wires;      /* routes, and the wires that they cross */
    double on_wire, on_high; /* those that use the wire in question, and its upper
                              * lane */
} Crossed;

static void walk(const NetGraph *graph, uint32_t from, uint32_t to, uint32_t draw,
                 uint32_t wire, Crossed *crossed) {
    const uint32_t address = net_graph_address(graph, from, to, draw);
    uint32_t at = net_graph_source(graph, from, 0);
    crossed->ways++;
    for (; at < net_graph_first_sink(graph); at = graph->next(graph, at, address)) {
        if (graph->wire[at] == NET_NONE)
            continue;
        crossed->wires++;
        crossed->on_wire += graph->wire[at] == wire;
        crossed->on_high += graph->wire[at] == wire && graph->lane[at] == 1;
    }
}

static Crossed walk_all(const NetGraph *graph, uint32_t wire) {
    Crossed crossed = {0};
    const uint32_t draws = graph->draws ? graph->draws : 1;
    for (uint32_t from = 0; from < graph->nodes; from++)
        for (uint32_t to = 0; to < graph->nodes; to++)
            for (uint32_t draw = 0; from != to && draw < draws; draw++)
                walk(graph, from, to, draw, wire, &crossed);
    return crossed;
}

/* The wire that leaves the first node of a row downwards along its column. */
static uint32_t wire_down(const NetGraph *graph, unsigned node) {
    const uint32_t channel = graph->link(graph, node, 0, 1, false);
    return channel == NET_NONE ? NET_NONE : graph->wire[channel];
}

bool solve_routes(ModelPoint *point, Result *record, JmError *error) {
    char text[TEXT_MAX];
    NetParams params = net_params_default();
    const unsigned k = model_whole(point->settings, "k");
    const unsigned row = model_whole(point->settings, "row");
    if (row >= k)
        return jm_fail(error, NULL, "row=%u: there are %u rows", row, k);
    model_torus(point->settings, text, sizeof text);
    NetGraph *graph = net_specification_params(text, &params, error)
                          ? net_topology_build(text, &params, error)
                          : NULL;
    if (!graph)
        return false;
    const Crossed crossed = walk_all(graph, wire_down(graph, row * k));
    net_graph_destroy(graph);
    result_add(record, "mean_distance", crossed.wires / crossed.ways);
    result_add(record, "high_share", 100 * crossed.on_high / crossed.on_wire);
    return true;
}
