/* The model `amva`: mean values of a wormhole network (thesis, chapter 5). */
#include "net/model/amva.h"

#include <math.h>
#include <string.h>

#include "net/topology/mesh.h"
#include "tools/exp/models/parts.h"
#include "tools/exp/plan/setting_rows.h"

/* Called by the solver after each sweep: reports progress to the process that waits for
 * this one. */
static void look(void *context, unsigned sweep, double change) {
    ModelPoint *point = context;
    (void)sweep;
    (void)change;
    point->stopped |= point->stop && point->stop(point->context);
}

AmvaProblem model_amva_problem(const Settings *settings) {
    AmvaProblem problem = net_amva_problem_default();
    const unsigned flits = model_whole(settings, "flits");
    problem.workload =
        settings_has(settings, "workload", "snakes") ? AMVA_SNAKES : AMVA_REQUESTS;
    problem.form =
        settings_has(settings, "form", "prefixes") ? AMVA_PREFIXES : AMVA_TREES;
    problem.outstanding = model_whole(settings, "m");
    problem.service = settings_number(settings, "tau");
    problem.regularity = 1 - settings_number(settings, "variance");
    problem.pair[0].request = flits;
    problem.pair[0].reply = model_whole_or(settings, "reply_flits", flits);
    problem.alpha = settings_number(settings, "alpha");
    problem.fair = model_whole(settings, "fair");
    problem.p_first = model_whole(settings, "p_first");
    problem.equal_aside = model_whole(settings, "equal_aside");
    problem.no_symmetry = model_whole(settings, "no_symmetry");
    problem.uncorrected = model_whole(settings, "uncorrected");
    problem.weight = settings_number(settings, "weight");
    problem.tolerance = settings_number(settings, "tolerance");
    problem.sweeps = model_whole(settings, "sweeps");
    problem.first_try_only = model_whole(settings, "first_try");
    return problem;
}

NetGraph *model_amva_graph(const Settings *settings, JmError *error) {
    NetParams params = net_params_default();
    unsigned size[3];
    params.shared_wires = !model_whole(settings, "separate_wires");
    setting_parse_mesh(settings_text(settings, "mesh"), size);
    return net_mesh_create(size[0], size[1], size[2], &params, error);
}

/* Adds a list by node to the record; `field` is its offset in an AmvaNode. */
static void add_list(const AmvaResult *result, Result *record, const char *name,
                     size_t field) {
    ResultList *list = result_add_list(record, name);
    for (uint32_t i = 0; i < result->nodes; i++) {
        double value;
        memcpy(&value, (const char *)&result->node[i] + field, sizeof value);
        result_push(list, &value);
    }
}

/* Adds the results to the record; lists only for a solved point. */
static void add_result(const AmvaResult *result, Result *record) {
    result_add_text(record, "stop", net_model_state_name(result->state));
    result_add(record, "sweeps", result->sweeps);
    result_add(record, "rate", result->rate);
    result_add(record, "bisection", result->bisection);
    if (result->state != MODEL_SOLVED)
        return;
    add_list(result, record, "node_queue", offsetof(AmvaNode, node_queue));
    add_list(result, record, "processor_queue", offsetof(AmvaNode, processor_queue));
}

/* Adds the size of the model without symmetry. Each channel has, by port, type of
 * message and flit, the time and the probability that the flit is there; each node has
 * the same by home, type and flit. */
static void add_size(const NetGraph *graph, const AmvaProblem *problem,
                     Result *record) {
    enum { LONG_AND_LIKELY = 2 };
    const unsigned types = problem->workload == AMVA_REQUESTS ? 2 : 1;
    const double each = types * problem->pair[0].request * LONG_AND_LIKELY;
    double channels = 0, ports = 0;
    for (uint32_t i = 0; i < graph->channels; i++)
        if (graph->label[i].priority == 0) {
            channels++;
            ports += graph->feeder_start[i + 1] - graph->feeder_start[i];
        }
    const double nodes = graph->nodes;
    result_add(record, "channels", channels / nodes);
    result_add(record, "channel_values", ports * each);
    result_add(record, "node_values", nodes * nodes * each);
}

bool solve_amva(ModelPoint *point, Result *record, JmError *error) {
    AmvaProblem problem = model_amva_problem(point->settings);
    problem.progress = look;
    problem.context = point;
    NetGraph *graph = model_amva_graph(point->settings, error);
    if (!graph)
        return false;
    AmvaResult result = {0};
    const bool good = net_amva_solve(graph, &problem, &result, error);
    result_add(record, "per_node", problem.outstanding);
    add_size(graph, &problem, record);
    if (good)
        add_result(&result, record);
    net_amva_result_free(&result);
    net_graph_destroy(graph);
    return good;
}
