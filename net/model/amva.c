/* The mean value analysis: checks a problem, solves it, and fills in the result. */
#include "net/model/amva.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "net/model/iteration.h"

AmvaProblem net_amva_problem_default(void) {
    return (AmvaProblem){.request = 8, .reply = 8, .outstanding = 5, .service = 25};
}

/* ---- checks ---------------------------------------------------------------------- */

static bool check_length(unsigned flits, JmError *error) {
    return (flits >= 1 && flits <= AMVA_MAX_LENGTH) ||
           jm_fail(error, NULL, "a message of %u flits: it has 1 to %d", flits,
                   AMVA_MAX_LENGTH);
}

static bool check(const NetGraph *graph, const AmvaProblem *problem, JmError *error) {
    if (graph->nodes < 2 || graph->nodes > AMVA_MAX_NODES)
        return jm_fail(error, NULL, "%u nodes: a model has 2 to %d", graph->nodes,
                       AMVA_MAX_NODES);
    if (problem->outstanding < 1 || problem->outstanding > AMVA_MAX_OUTSTANDING)
        return jm_fail(error, NULL, "%u messages outstanding: there can be 1 to %d",
                       problem->outstanding, AMVA_MAX_OUTSTANDING);
    if (!(problem->alpha >= 0) || problem->alpha > 1)
        return jm_fail(error, NULL, "alpha is %g: it is in 0..1", problem->alpha);
    if (!(problem->regularity >= 0) || problem->regularity > 1)
        return jm_fail(error, NULL, "a variance of services of %g: it is in 0..1",
                       1 - problem->regularity);
    if (problem->regularity > 0 && problem->workload != AMVA_SNAKES)
        return jm_fail(
            error, NULL,
            "services of requests are exponential: a variance is for snakes");
    if (!(problem->weight >= 0) || problem->weight > 1)
        return jm_fail(error, NULL, "a weight of %g: it is in 0..1", problem->weight);
    if (!(problem->service > 0) || problem->service > 1e9)
        return jm_fail(error, NULL,
                       "a service of %g cycles: it is above 0, at most 1e9",
                       problem->service);
    return check_length(problem->request, error) && check_length(problem->reply, error);
}

/* ---- the result ------------------------------------------------------------------ */

/* Solves the first node of each orbit, in orbit order. */
static void solve_nodes(const Iteration *iteration, AmvaNode *node) {
    const AmvaLayout *layout = iteration->layout;
    const AmvaUnknowns *x = &iteration->unknowns;
    const uint32_t orbits = layout->node_orbits;
    double *const values = heap_doubles(layout->heap, 4 * (size_t)orbits);
    double *const requests = values, *const replies = values + orbits;
    double *const times = values + 2 * orbits, *const answers = values + 3 * orbits;
    amva_node_queues(layout, &iteration->sums, x, requests, replies);
    amva_network_times(layout, &iteration->sums, x, times);
    amva_answer_waits(layout, &iteration->sums, x, answers);
    for (uint32_t i = 0; i < orbits; i++) {
        const double cycle = x->cycle[layout->kinds == 2 ? i : 0];
        node[i] = (AmvaNode){
            .node_queue = requests[i] + replies[i],
            .processor_queue = x->queue[i],
            .cycle = cycle,
            .request_wait = x->node_wait[i],
            .reply_wait = answers[i],
            .network_time = times[i],
        };
    }
    heap_free(values);
}

/* Sets the service rate of each node: its own replies and others' requests. */
static void set_rates(const Iteration *iteration, AmvaNode *node) {
    const AmvaLayout *layout = iteration->layout;
    const double *cycle = iteration->unknowns.cycle;
    double all = 0;
    for (uint32_t i = 0; i < layout->node_orbits; i++)
        all += layout->kinds == 2 ? layout->node_size[i] / cycle[i] : 0;
    for (uint32_t i = 0; i < layout->node_orbits; i++) {
        if (layout->kinds == 1) {
            node[i].rate = layout->customers / cycle[0];
            continue;
        }
        const double served = (all - 1 / cycle[i]) / (layout->nodes - 1.0);
        node[i].rate = layout->customers * (1 / cycle[i] + served);
    }
}

/* Returns the flits a cycle and link over the middle of a dimension, both directions
 * (4.3). */
static double bisection(const Iteration *iteration) {
    const AmvaLayout *layout = iteration->layout;
    double load[NET_DIMENSIONS] = {0}, largest = 0;
    unsigned links[NET_DIMENSIONS] = {0};
    for (uint32_t c = 0; c < layout->graph->channels; c++) {
        const NetLabel label = layout->graph->label[c];
        const uint32_t orbit = layout->channel_orbit[c];
        if (orbit == NET_NONE || !label.on_bisection ||
            label.dimension >= NET_DIMENSIONS)
            continue;
        load[label.dimension] += iteration->load[orbit];
        links[label.dimension] += !label.downward;
    }
    for (unsigned i = 0; i < NET_DIMENSIONS; i++)
        if (links[i] > 0)
            largest = fmax(largest, load[i] / links[i]);
    return largest;
}

/* Returns the relative population error: messages in queues, at processors and in
 * flight, against those put in. */
static double population_error(const AmvaLayout *layout, const AmvaNode *node,
                               const AmvaSums *sums) {
    double found = 0, put_in = 0;
    for (uint32_t i = 0; i < layout->node_orbits; i++) {
        const double departures = layout->customers / node[i].cycle;
        found +=
            layout->node_size[i] * (node[i].node_queue + node[i].processor_queue +
                                    departures * (sums->sent[i] + sums->answered[i]));
        put_in += layout->node_size[i] * (double)layout->problem.outstanding;
    }
    return found / put_in - 1;
}

/* Fills in the result, which owns its list of nodes. */
static void give_result(const Iteration *iteration, AmvaResult *result) {
    const AmvaLayout *layout = iteration->layout;
    Heap *const heap = layout->heap;
    AmvaNode *const node = heap_alloc(heap, layout->node_orbits * sizeof *node);
    result->nodes = layout->nodes;
    result->node = heap_need(heap, calloc(layout->nodes, sizeof *result->node));
    solve_nodes(iteration, node);
    set_rates(iteration, node);
    for (uint32_t i = 0; i < layout->nodes; i++) {
        result->node[i] = node[layout->node_orbit[i]];
        result->rate += result->node[i].rate / layout->nodes;
    }
    result->bisection = bisection(iteration);
    result->population = population_error(layout, node, &iteration->sums);
}

/* Flags a fixed point that no network can reach: a wire with more than a flit a cycle,
 * or a population that differs from the one put in. */
static void check_result(const Iteration *iteration, AmvaResult *result) {
    const AmvaLayout *layout = iteration->layout;
    AmvaGuards *const guards = &result->guards;
    for (uint32_t c = 0; c < layout->channel_orbits; c++) {
        double load = iteration->load[c];
        for (uint32_t i = layout->others.start[c]; i < layout->others.start[c + 1]; i++)
            load += iteration->load[layout->others.item[i]];
        guards->overloaded += load > 1;
    }
    guards->population = fabs(result->population) > 1e-4;
    if (guards->overloaded || guards->population)
        result->state = MODEL_CLIPPED;
}

/* Sets the values of an unsolved result to NaN so that they cannot be used. */
static void take_back(AmvaResult *result) {
    free(result->node);
    result->node = NULL;
    result->rate = result->bisection = result->population = NAN;
}

/* A problem, and where its result goes. */
typedef struct {
    const NetGraph *graph;
    const AmvaProblem *problem;
    AmvaResult *result;
    JmError *error;
} Solve;

static bool solve(Heap *heap, void *context) {
    const Solve *const s = context;
    AmvaResult *const result = s->result;
    AmvaLayout layout;
    Iteration iteration;
    if (!check(s->graph, s->problem, s->error) ||
        !amva_layout_build(&layout, heap, s->graph, s->problem, s->error))
        return false;
    iteration_create(&iteration, &layout);
    const bool good = schedules_try(&iteration, &layout, result, s->error);
    result->sweeps = iteration.sweeps;
    result->change = iteration.change;
    result->guards = iteration.guards;
    if (good && result->state == MODEL_SOLVED) {
        give_result(&iteration, result);
        check_result(&iteration, result);
    }
    return good;
}

bool net_amva_solve(const NetGraph *graph, const AmvaProblem *problem,
                    AmvaResult *result, JmError *error) {
    *result = (AmvaResult){0};
    const bool good = heap_do(solve, &(Solve){graph, problem, result, error}, error,
                              NULL, "a model of %u nodes", graph->nodes);
    if (!good || result->state != MODEL_SOLVED)
        take_back(result);
    return good;
}

void net_amva_result_free(AmvaResult *result) {
    take_back(result);
    *result = (AmvaResult){0};
}
