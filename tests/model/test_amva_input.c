/* Mixing, refused problems and determinism of the mean value analysis. */
#include <string.h>

#include "net/model/mixing.h"
#include "numbers.h"
#include "solving.h"

/* ---- mixing ---------------------------------------------------------------------- */

/* A linear map of three places is solved after as many steps. */
static void linear_map(const double *y, double *g) {
    g[0] = 0.9 * y[0] + 0.05 * y[1] + 0.3;
    g[1] = -0.5 * y[0] + 0.8 * y[1] + 0.1 * y[2];
    g[2] = 0.2 * y[1] - 0.95 * y[2] + 0.5;
}

static void solve_linear_map(Heap *heap, void *context) {
    Mixing mixing;
    (void)context;
    mixing_create(&mixing, heap, 3);
    mixing_clear(&mixing);
    double y[3] = {0}, g[3];
    for (unsigned i = 0; i < 8; i++) {
        linear_map(y, g);
        mixing_step(&mixing, y, g);
        for (unsigned k = 0; k < 3; k++) {
            cr_assert_leq(fabs(g[k] - y[k]), 1 + 1e-12);
            y[k] = g[k];
        }
    }
    linear_map(y, g);
    for (unsigned k = 0; k < 3; k++)
        cr_assert_float_eq(g[k], y[k], 1e-6);
}

Test(parts, mixing_solves_a_linear_map) {
    cr_assert(heap_run(solve_linear_map, NULL));
}

/* ---- bad input ------------------------------------------------------------------- */

static void refuse(AmvaProblem problem, const char *text) {
    NetGraph *const graph = mesh_graph(2, 2, 1);
    AmvaResult result;
    JmError error;
    cr_assert_not(net_amva_solve(graph, &problem, &result, &error), "%s", text);
    cr_assert(strstr(error.text, text), "'%s' does not say '%s'", error.text, text);
    net_amva_result_free(&result);
    net_graph_destroy(graph);
}

Test(parts, bad_problems_are_refused) {
    refuse(requests(0, 20), "outstanding");
    refuse(requests(2, 0), "service");
    refuse(requests(2, NAN), "service");
    AmvaProblem problem = requests(2, 20);
    problem.alpha = 1.5;
    refuse(problem, "alpha");
    problem = requests(2, 20);
    problem.pair[0].reply = 0;
    refuse(problem, "0 flits");
    problem.pair[0].reply = 65;
    refuse(problem, "65 flits");
    problem = requests(2, 20);
    problem.pair[0].share = 0.9;
    refuse(problem, "0.9");
    problem = requests(2, 20);
    problem.pair[0].share = 1.5;
    problem.pair[1] = (AmvaPair){.request = 3, .reply = 3, .share = -0.5};
    problem.pairs = 2;
    refuse(problem, "a share of 1.5");
    problem.pair[0].share = -0.5;
    problem.pair[1].share = 1.5;
    refuse(problem, "a share of -0.5");
    problem = requests(2, 20);
    problem.weight = 1.25;
    refuse(problem, "weight of 1.25");
    problem.weight = -0.5;
    refuse(problem, "weight of -0.5");
    problem = snakes(2, 20);
    problem.pairs = 2;
    refuse(problem, "kinds");
    problem = requests(2, 20);
    problem.regularity = 0.5;
    refuse(problem, "a variance is for snakes");
    problem = snakes(2, 20);
    problem.regularity = 1.5;
    refuse(problem, "a variance of services of -0.5");
    double routing[16] = {0};
    problem = requests(2, 20);
    problem.routing = routing;
    refuse(problem, "add up to 0");
    routing[0] = 1;
    refuse(problem, "node 0 sends a share of 1 to node 0");
}

Test(parts, same_input_same_bits) {
    Solution a = solve(4, 3, 2, requests(3, 15)), b = solve(4, 3, 2, requests(3, 15));
    cr_assert_eq(memcmp(a.result.node, b.result.node, 24 * sizeof(AmvaNode)), 0);
    cr_assert_eq(a.result.sweeps, b.result.sweeps);
    free_solution(&a);
    free_solution(&b);
}
