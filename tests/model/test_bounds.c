/* The bounds of the models' arguments, which commands do not reach: the first values
 * beyond are refused, the last values within are taken. */
#include <string.h>

#include "net/model/adaptive/adaptive.h"
#include "net/model/pipelined/pipelined.h"
#include "net/model/shared/shared.h"
#include "net/topology/topology.h"
#include "rig.h"

static bool takes_shared(const char *specification, const SharedProblem *problem) {
    const NetParams params = net_params_default();
    NetGraph *graph = net_topology_build(specification, &params, NULL);
    SharedResult result;
    const bool taken = net_shared_solve(graph, problem, &result, NULL);
    net_shared_result_free(&result);
    net_graph_destroy(graph);
    return taken;
}

/* Changes a problem that is taken otherwise. */
#define SHARED(taken, change)                                                          \
    do {                                                                               \
        SharedProblem p = net_shared_problem_default();                                \
        p.sweeps = 1;                                                                  \
        change;                                                                        \
        cr_expect_eq(takes_shared("torus=2x2", &p), taken, #change);                   \
    } while (0)

Test(bounds, of_shared_memory) {
    double routing[16];
    for (unsigned i = 0; i < 16; i++)
        routing[i] = i / 4 == i % 4 ? 0 : 1.0 / 3;
    SHARED(false, p.pair[0].request = 0);
    SHARED(false, p.pair[0].reply = 0);
    SHARED(false, p.pair[1].request = SHARED_MAX_LENGTH + 1);
    SHARED(false, p.pair[1].reply = SHARED_MAX_LENGTH + 1);
    SHARED(true, p.pair[1].reply = SHARED_MAX_LENGTH);
    SHARED(false, p.pair[1].share = -0.25);
    SHARED(false, p.pair[0].share = 0.5);
    SHARED(false, p.pair[1].busy = -1);
    SHARED(false, p.pair[0].answer = INFINITY);
    SHARED(false, p.customers = 0);
    SHARED(false, p.customers = SHARED_MAX_OUT + 1);
    SHARED(true, p.customers = SHARED_MAX_OUT);
    SHARED(false, p.service = 1);
    SHARED(false, p.service = 1e9);
    SHARED(false, p.weight = -0.5);
    SHARED(false, p.weight = 1.5);
    SHARED(true, p.weight = 1);
    SHARED(false, p.rate = -0.25);
    SHARED(false, p.rate = 1.25);
    SHARED(false, p.rate = 0.25; p.buffers = SHARED_UNLIMITED);
    SHARED(true, p.routing = routing);
    SHARED(false, p.routing = routing; routing[14] = -0.5);
    SHARED(false, p.routing = routing; routing[14] = 0.5);
}

#define CUBE(taken, change)                                                            \
    do {                                                                               \
        PipelinedCube c = {                                                            \
            .dimensions = 2, .radix = 4, .nodes = 16, .width = 8, .ratio = 2};         \
        change;                                                                        \
        cr_expect_eq(net_pipelined_check(&c, NULL), taken, #change);                   \
    } while (0)

Test(bounds, of_pipelined_cubes) {
    CUBE(false, c.dimensions = PIPELINED_MAX_DIMENSIONS + 1);
    CUBE(true, c.dimensions = PIPELINED_MAX_DIMENSIONS);
    CUBE(false, c.radix = 1);
    CUBE(false, c.radix = PIPELINED_MAX_RADIX + 1);
    CUBE(true, c.radix = PIPELINED_MAX_RADIX);
    CUBE(false, c.width = 0);
    CUBE(false, c.width = PIPELINED_MAX_WIDTH + 1);
    CUBE(true, c.width = PIPELINED_MAX_WIDTH);
    CUBE(false, c.nodes = NAN);
    CUBE(false, c.nodes = 0x1p61);
    CUBE(true, c.nodes = 0x1p60);
    CUBE(false, c.ratio = 2e9);
    CUBE(true, c.ratio = 1e9);
    CUBE(false, c.data_share = -0.25);
}

#define ADAPTIVE(taken, change)                                                        \
    do {                                                                               \
        AdaptiveProblem p = {.side = 8, .rate = 0.001, .length = 12};                  \
        AdaptiveResult result;                                                         \
        change;                                                                        \
        cr_expect_eq(net_adaptive_solve(&p, &result, NULL), taken, #change);           \
    } while (0)

Test(bounds, of_adaptive_routing) {
    ADAPTIVE(false, p.side = 6);
    ADAPTIVE(false, p.side = ADAPTIVE_MAX_SIDE + 4);
    ADAPTIVE(true, p.side = 4);
    ADAPTIVE(false, p.rate = -0.25);
    ADAPTIVE(false, p.rate = 1.25);
    ADAPTIVE(false, p.length = 0.5);
    ADAPTIVE(false, p.length = 2e6);
    ADAPTIVE(true, p.length = 1);
}

/* Refuses a problem that is taken otherwise, and says why. */
static void refuse_amva(NetGraph *graph, const AmvaProblem *problem, const char *says) {
    AmvaResult result;
    JmError error;
    cr_expect_not(net_amva_solve(graph, problem, &result, &error), "%s", says);
    cr_expect_not_null(strstr(error.text, says), "'%s' is not '%s'", error.text, says);
    net_amva_result_free(&result);
    net_graph_destroy(graph);
}

#define AMVA(problem, change, says)                                                    \
    do {                                                                               \
        AmvaProblem p = problem(2, 20);                                                \
        change;                                                                        \
        refuse_amva(mesh_graph(2, 2, 1), &p, says);                                    \
    } while (0)

Test(bounds, of_mean_values) {
    AMVA(requests, p.outstanding = 0, "outstanding");
    AMVA(requests, p.service = 0, "service");
    AMVA(requests, p.service = NAN, "service");
    AMVA(requests, p.alpha = 1.5, "alpha");
    AMVA(requests, p.reply = 0, "0 flits");
    AMVA(requests, p.reply = 65, "65 flits");
    AMVA(snakes, p.request = 65, "65 flits");
    AMVA(requests, p.weight = 1.25, "weight of 1.25");
    AMVA(requests, p.weight = -0.5, "weight of -0.5");
    AMVA(requests, p.regularity = 0.5, "a variance is for snakes");
    AMVA(snakes, p.regularity = 1.5, "a variance of services of -0.5");
}

/* From 0 to 2 there are two ways around. */
Test(bounds, of_prefixes) {
    const NetParams params = net_params_default();
    AmvaProblem problem = requests(2, 20);
    problem.form = AMVA_PREFIXES;
    refuse_amva(net_topology_build("torus=4", &params, NULL), &problem, "one path");
}
