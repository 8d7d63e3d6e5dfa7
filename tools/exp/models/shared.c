/* The model `shared`: shared memory on a torus or mesh, by the equations of Adve and
 * Vernon. Its settings and figures are those of the simulation `memory`. */
#include "net/model/shared/shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "net/topology/topology.h"
#include "tools/exp/models/parts.h"
#include "tools/host/values.h"

static SharedProblem problem_of(ModelPoint *point) {
    const Settings *settings = point->settings;
    const unsigned *lengths = model_lengths(settings);
    const char *buffers = settings_text(settings, "buffers");
    const char *terms = settings_text(settings, "terms");
    const double busy = settings_number(settings, "d_mem");
    SharedTerms set = {0};
    if (terms)
        net_shared_terms(terms, &set);
    return (SharedProblem){.terms = set,
                           .buffers = buffers && strcmp(buffers, "unlimited") == 0
                                          ? SHARED_UNLIMITED
                                          : SHARED_ONE_FLIT,
                           .customers = model_whole(settings, "n_out"),
                           .service = settings_number(settings, "tau"),
                           .pair = {{lengths[0], lengths[1], model_read_share, busy,
                                     settings_number(settings, "read")},
                                    {lengths[2], lengths[3], 1 - model_read_share, busy,
                                     settings_number(settings, "write")}},
                           .stop = model_is_stopped,
                           .context = point};
}

/* Where requests go, to be freed; NULL and `error`. */
static double *routing_of(const Settings *settings, const NetGraph *graph,
                          JmError *error) {
    const unsigned k = model_whole(settings, "k");
    double *routing = malloc((size_t)k * k * k * k * sizeof *routing);
    if (routing && net_shared_routing(graph, settings_number(settings, "f_nn"),
                                      settings_number(settings, "f_hot"),
                                      k > 2 ? 2 * k + 2 : 0, routing, error))
        return routing;
    if (!routing)
        jm_fail(error, "jm exp", "no memory for a network of %ux%u", k, k);
    free(routing);
    return NULL;
}

/* Adds the waits of messages that leave the nodes of the column left of the middle
 * (Adve and Vernon's figure 16): over the inner half of the rows, and over the first
 * and the last. */
static void add_column(const SharedResult *result, unsigned k, json_t *record) {
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
    model_add(record, "node_wait_middle", wait[0] / count[0]);
    model_add(record, "node_wait_ends", wait[1] / count[1]);
    model_add(record, "first_channel_middle", first[0] / count[0]);
    model_add(record, "first_channel_ends", first[1] / count[1]);
}

static void add_result(const SharedResult *result, json_t *record) {
    json_object_set_new(record, "stop",
                        jvalue_text(net_shared_state_name(result->state)));
    model_add(record, "sweeps", result->sweeps);
    model_add(record, "processor_efficiency", 100 * result->efficiency);
    model_add(record, "max_efficiency", 100 * result->highest);
    model_add(record, "min_efficiency", 100 * result->lowest);
    model_add(record, "max_min_ratio", result->highest / result->lowest);
    model_add(record, "network_residence_time", result->network);
    model_add(record, "response_time", result->network + result->memory);
    if (result->state != SHARED_SOLVED)
        return;
    json_t *list = json_array();
    for (uint32_t i = 0; i < result->processors; i++)
        json_array_append_new(list,
                              jvalue_number(100 * result->processor[i].efficiency));
    json_object_set_new(record, "by_processor", list);
}

static bool solve_on(ModelPoint *point, const NetGraph *graph, json_t *record,
                     JmError *error) {
    SharedProblem problem = problem_of(point);
    SharedResult result = {0};
    double *routing = routing_of(point->settings, graph, error);
    problem.routing = routing;
    const bool good = routing && net_shared_solve(graph, &problem, &result, error);
    if (good) {
        add_result(&result, record);
        add_column(&result, model_whole(point->settings, "k"), record);
    }
    net_shared_result_free(&result);
    free(routing);
    return good;
}

bool solve_shared(ModelPoint *point, json_t *record, JmError *error) {
    enum { TEXT_MAX = 256 };
    char text[TEXT_MAX];
    const NetParams params = net_params_default();
    model_torus(point->settings, text, sizeof text);
    NetGraph *graph = net_topology_build(text, &params, error);
    const bool good = graph && solve_on(point, graph, record, error);
    net_graph_destroy(graph);
    return good;
}
