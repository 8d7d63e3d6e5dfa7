/* The model `ordered`: messages at random times on a torus in dimension order, by the
 * equations of Adve and Vernon. Its figures are those of the model `adaptive`, with
 * which Quaglia, Ciciani and Colajanni compare such a model: mean latency from the
 * first wire to the last, and per hop the part of it in excess of an empty network.
 *
 * A wire has two lanes of a flit, a processor a source for each first channel. */
#include <math.h>
#include <stdio.h>

#include "net/model/shared/shared.h"
#include "net/topology/topology.h"
#include "tools/exp/models/parts.h"

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

static void add_result(const SharedResult *result, const SharedProblem *problem,
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
    enum { TEXT_MAX = 64 };
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
        add_result(&result, &problem, record);
    net_shared_result_free(&result);
    net_graph_destroy(graph);
    return good;
}
