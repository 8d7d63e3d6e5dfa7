#include "solving.h"

#include "net/topology/mesh.h"
#include "numbers.h"

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
