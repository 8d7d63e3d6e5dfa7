/* The bounds of what models take: the first values beyond, and what is said of them;
 * the last values within are taken. */
#include <math.h>
#include <string.h>

#include "net/model/adaptive/adaptive.h"
#include "net/model/pipelined/pipelined.h"
#include "net/model/shared/shared.h"
#include "net/topology/topology.h"
#include "numbers.h"

/* Whether a model refuses for the reason `says`; NULL: whether it does not. */
static void expect(bool solved, const JmError *error, const char *says,
                   const char *what) {
    cr_expect_eq(solved, says == NULL, "%s: %s", what, error->text);
    cr_expect(solved || !says || strstr(error->text, says), "%s: '%s' is not '%s'",
              what, error->text, says);
}

/* ---- shared memory --------------------------------------------------------------- */

static void try_shared(const char *specification, const SharedProblem *problem,
                       const char *says, const char *what) {
    const NetParams params = net_params_default();
    JmError error = {.text = ""};
    NetGraph *graph = net_topology_build(specification, &params, &error);
    SharedResult result;
    cr_assert_not_null(graph, "%s", error.text);
    expect(net_shared_solve(graph, problem, &result, &error), &error, says, what);
    net_shared_result_free(&result);
    net_graph_destroy(graph);
}

#define SHARED(change, says)                                                           \
    do {                                                                               \
        SharedProblem p = net_shared_problem_default();                                \
        p.sweeps = 1;                                                                  \
        change;                                                                        \
        try_shared("torus=2x2", &p, says, #change);                                    \
    } while (0)

Test(bounds, of_shared_memory) {
    double routing[16] = {0};
    for (unsigned i = 0; i < 16; i++)
        routing[i] = i / 4 == i % 4 ? 0 : 1.0 / 3;
    SHARED(p.pair[0].request = 0, "a message of 0 or 9 flits");
    SHARED(p.pair[0].reply = 0, "a message of 3 or 0 flits");
    SHARED(p.pair[1].request = SHARED_MAX_LENGTH + 1, "flits: 1 to");
    SHARED(p.pair[1].reply = SHARED_MAX_LENGTH + 1, "flits: 1 to");
    SHARED(p.pair[1].reply = SHARED_MAX_LENGTH, NULL);
    SHARED(p.pair[1].share = -0.25, "a share of -0.25");
    SHARED(p.pair[0].share = 1.25, "a share of 1.25");
    SHARED(p.pair[0].share = 0.5, "shares of requests add up to 0.7");
    SHARED(p.pair[1].busy = -1, "memory times of -1 and");
    SHARED(p.pair[1].answer = -2, "and -2");
    SHARED(p.pair[0].answer = INFINITY, "and inf");
    SHARED(p.customers = 0, "0 customers");
    SHARED(p.customers = SHARED_MAX_OUT + 1, "customers: 1 to");
    SHARED(p.customers = SHARED_MAX_OUT, NULL);
    SHARED(p.service = 1, "a service of 1 cycles");
    SHARED(p.service = 1e9, "a service of 1e+09 cycles");
    SHARED(p.weight = -0.5, "a weight of -0.5");
    SHARED(p.weight = 1.5, "a weight of 1.5");
    SHARED(p.weight = 1, NULL);
    SHARED(p.rate = -0.25, "a rate of -0.25");
    SHARED(p.rate = 1.25, "a rate of 1.25");
    SHARED(p.rate = 0.25; p.buffers = SHARED_UNLIMITED, "needs channels of one flit");
    SHARED(p.routing = routing, NULL);
    SHARED(p.routing = routing; routing[14] = -0.5, "a share of -0.5");
    SHARED(p.routing = routing; routing[14] = 0.5, "1.16667");
    SharedProblem p = net_shared_problem_default();
    try_shared("torus=4x4,places=2", &p, "2", "places=2");
    try_shared("torus=4x4,links=4", &p, "one source for each processor", "links=4");
    try_shared("torus=4x4,lanes=4,escape=2", &p, "one route", "escape=2");
    p.buffers = SHARED_UNLIMITED;
    try_shared("torus=4x4,delay=2", &p, "several cycles", "delay=2");
}

static bool stop_third(void *context) {
    return ++*(unsigned *)context == 3;
}

Test(bounds, shared_memory_stops_when_asked) {
    NetParams params = net_params_default();
    JmError error;
    SharedProblem problem = net_shared_problem_default();
    SharedResult result;
    unsigned asked = 0;
    problem.stop = stop_third;
    problem.context = &asked;
    NetGraph *graph = net_topology_build("torus=2x3", &params, &error);
    cr_assert(net_shared_solve(graph, &problem, &result, &error), "%s", error.text);
    cr_expect_eq(result.state, SHARED_STOPPED);
    cr_expect_str_eq(net_shared_state_name(result.state), "stopped");
    cr_expect_eq(asked, 3);
    cr_expect_eq(result.sweeps, 3);
    net_shared_result_free(&result);
    net_graph_destroy(graph);
}

/* ---- pipelined cubes ------------------------------------------------------------- */

#define CUBE(change, says)                                                             \
    do {                                                                               \
        PipelinedCube c = {                                                            \
            .dimensions = 2, .radix = 4, .nodes = 16, .width = 8, .ratio = 2};         \
        JmError error = {.text = ""};                                                  \
        change;                                                                        \
        expect(net_pipelined_check(&c, &error), &error, says, #change);                \
    } while (0)

Test(bounds, of_pipelined_cubes) {
    CUBE(c.dimensions = 0, "0 dimensions");
    CUBE(c.dimensions = PIPELINED_MAX_DIMENSIONS + 1, "33 dimensions");
    CUBE(c.dimensions = PIPELINED_MAX_DIMENSIONS, NULL);
    CUBE(c.radix = 1, "radix 1");
    CUBE(c.radix = PIPELINED_MAX_RADIX + 1, "radix 1048577");
    CUBE(c.radix = PIPELINED_MAX_RADIX, NULL);
    CUBE(c.width = 0, "links of 0 bits");
    CUBE(c.width = PIPELINED_MAX_WIDTH + 1, "links of 1048577 bits");
    CUBE(c.width = PIPELINED_MAX_WIDTH, NULL);
    CUBE(c.nodes = 1, "1 nodes");
    CUBE(c.nodes = NAN, "nan nodes");
    CUBE(c.nodes = 0x1p61, "nodes: there can be 2 to 2^60");
    CUBE(c.nodes = 0x1p60, NULL);
    CUBE(c.ratio = 0, "S = 0");
    CUBE(c.ratio = 2e9, "S = 2e+09");
    CUBE(c.ratio = 1e9, NULL);
    CUBE(c.data_share = -0.25, "data packets of -0.25");
    CUBE(c.data_share = 1.25, "data packets of 1.25");
    CUBE(c.data_share = 1, NULL);
}

/* ---- adaptive routing ------------------------------------------------------------ */

#define ADAPTIVE(change, says)                                                         \
    do {                                                                               \
        AdaptiveProblem p = {.side = 8, .rate = 0.001, .length = 12};                  \
        AdaptiveResult result;                                                         \
        JmError error = {.text = ""};                                                  \
        change;                                                                        \
        expect(net_adaptive_solve(&p, &result, &error), &error, says, #change);        \
    } while (0)

Test(bounds, of_adaptive_routing) {
    ADAPTIVE(p.side = 0, "a side of 0");
    ADAPTIVE(p.side = 6, "a side of 6");
    ADAPTIVE(p.side = ADAPTIVE_MAX_SIDE + 4, "a side of 260");
    ADAPTIVE(p.side = 4, NULL);
    ADAPTIVE(p.rate = -0.25, "a rate of -0.25");
    ADAPTIVE(p.rate = 1.25, "a rate of 1.25");
    ADAPTIVE(p.rate = NAN, "a rate of nan");
    ADAPTIVE(p.length = 0.5, "a length of 0.5 flits");
    ADAPTIVE(p.length = 2e6, "a length of 2e+06 flits");
    ADAPTIVE(p.length = 1, NULL);
}
