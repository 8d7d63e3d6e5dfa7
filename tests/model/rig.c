#include "rig.h"

#include <assert.h>
#include <string.h>

#include "net/topology/mesh.h"

NetGraph *mesh_graph(unsigned x, unsigned y, unsigned z) {
    const NetParams params = net_params_default();
    JmError error;
    NetGraph *const graph = net_mesh_create(x, y, z, &params, &error);
    cr_assert(graph, "%s", error.text);
    return graph;
}

Solution solve(unsigned x, unsigned y, unsigned z, AmvaProblem problem) {
    Solution solution = {.graph = mesh_graph(x, y, z), .x = x, .y = y, .z = z};
    JmError error;
    cr_assert(net_amva_solve(solution.graph, &problem, &solution.result, &error), "%s",
              error.text);
    cr_assert_eq(solution.result.state, MODEL_SOLVED, "%s after %u sweeps",
                 net_model_state_name(solution.result.state), solution.result.sweeps);
    cr_assert_lt(fabs(solution.result.population), 1e-4);
    return solution;
}

void free_solution(Solution *solution) {
    net_amva_result_free(&solution->result);
    net_graph_destroy(solution->graph);
}

double queue_at(const Solution *solution, unsigned x, unsigned y, unsigned z) {
    return solution->result.node[x + solution->x * (y + solution->y * z)].node_queue;
}

double peak_of(const Solution *solution) {
    double peak = 0;
    for (uint32_t i = 0; i < solution->result.nodes; i++)
        peak = fmax(peak, solution->result.node[i].node_queue);
    return peak;
}

AmvaProblem requests(unsigned outstanding, double service) {
    AmvaProblem problem = net_amva_problem_default();
    problem.outstanding = outstanding;
    problem.service = service;
    return problem;
}

AmvaProblem snakes(unsigned outstanding, double service) {
    AmvaProblem problem = requests(outstanding, service);
    problem.workload = AMVA_SNAKES;
    return problem;
}

/* ---- networks of servers --------------------------------------------------------- */

enum { MOST_CUSTOMERS = 32, SCHWEITZER_ROUNDS = 100000 };

/* Servers are added one by one: the last one has 0 to q of the customers. */
double t_exact(unsigned servers, unsigned customers, unsigned queue) {
    assert(customers <= MOST_CUSTOMERS);
    double t[MOST_CUSTOMERS + 1] = {1};
    for (unsigned n = 0; n < servers; n++)
        for (unsigned k = customers; k > 0; k--)
            for (unsigned last = 1; last <= queue && last <= k; last++)
                t[k] += t[k - last];
    return t[customers];
}

/* Does one pass: the throughput of `customers` when those who arrive see `share` of the
 * mean queues (5.6, 5.7), and new queues by Little's law (5.8). *change gets the
 * largest change. */
static double pass(unsigned servers, const double *service, const double *visits,
                   double delay, double customers, double share, double *queues,
                   double *change) {
    double cycle = delay;
    for (unsigned i = 0; i < servers; i++)
        cycle += visits[i] * service[i] * (1 + share * queues[i]);
    const double rate = customers / cycle;
    *change = 0;
    for (unsigned i = 0; i < servers; i++) {
        const double queue = rate * visits[i] * service[i] * (1 + share * queues[i]);
        *change = fmax(*change, fabs(queue - queues[i]));
        queues[i] = queue;
    }
    return rate;
}

double mva_exact(unsigned servers, const double *service, const double *visits,
                 double delay, unsigned customers, double *queues) {
    memset(queues, 0, servers * sizeof *queues);
    double rate = 0, change;
    for (unsigned k = 1; k <= customers; k++)
        rate = pass(servers, service, visits, delay, k, 1, queues, &change);
    return rate;
}

double mva_schweitzer(unsigned servers, const double *service, const double *visits,
                      double delay, unsigned customers, double *queues) {
    for (unsigned i = 0; i < servers; i++)
        queues[i] = (double)customers / servers;
    if (customers == 0)
        return 0;
    double rate = 0, change = 1;
    for (unsigned round = 0; round < SCHWEITZER_ROUNDS && change > 1e-12; round++)
        rate = pass(servers, service, visits, delay, customers, 1 - 1.0 / customers,
                    queues, &change);
    return rate;
}
