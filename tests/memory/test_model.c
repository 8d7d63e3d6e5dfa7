/* The analytic models with every request for memory failing: an error to the caller,
 * and nothing left behind. */
#include <criterion/criterion.h>

#include "net/model/amva.h"
#include "net/model/pipelined/node.h"
#include "net/model/queueing.h"
#include "net/model/servers.h"
#include "net/model/shared/shared.h"
#include "net/topology/mesh.h"
#include "net/topology/torus.h"
#include "tests/memory/failing.h"

/* The problem of the work of a test: a global, because work has no argument. */
static struct {
    NetGraph *graph; /* made before requests fail */
    AmvaProblem problem;
    ModelState state; /* that the solution shall have */
} made;

/* ---- chapter 3 ------------------------------------------------------------------- */

static const ModelClosed closed = {.servers = 12, .customers = 30, .queue = 8};

static bool work_row(void) {
    double row[64];
    return net_model_t_row(closed.servers, closed.customers, closed.queue, 0.7, row);
}

static bool work_count(void) {
    JmError error = {.text = ""};
    double ln_t;
    return failing_told(
        net_model_ln_t(closed.servers, closed.customers, closed.queue, &ln_t, &error),
        &error);
}

static bool work_probability(void) {
    JmError error = {.text = ""};
    double p;
    return failing_told(net_model_p_no_overflow(closed, &p, &error), &error);
}

static bool work_rates(void) {
    JmError error = {.text = ""};
    ModelRates rates;
    return failing_told(net_model_overflow_rates(closed, &rates, &error), &error);
}

static bool work_slow(void) {
    JmError error = {.text = ""};
    ModelSlow slow;
    const bool good = net_model_slow_solve(&slow, closed, 2, 3, &error);
    net_model_slow_free(&slow);
    return failing_told(good, &error);
}

Test(memory, models_of_queues) {
    FailingWork *const works[] = {work_row, work_count, work_probability, work_rates,
                                  work_slow};
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++)
        cr_expect_gt(failing_everywhere(works[i]), 0, "work %zu", i);
}

static const ServersProblem servers = {.servers = 5,
                                       .customers = 12,
                                       .queue = 4,
                                       .slow = 1,
                                       .requests = true,
                                       .warm_up = 10,
                                       .duration = 100,
                                       .seed = 1};

static bool work_servers(void) {
    JmError error = {.text = ""};
    ServersResult result;
    return failing_told(net_servers_run(&servers, &result, &error), &error);
}

static bool work_steps(void) {
    JmError error = {.text = ""};
    return failing_told(net_servers_step(&servers, 0.5, 100, &error), &error);
}

Test(memory, simulated_servers) {
    cr_expect_gt(failing_everywhere(work_servers), 0);
    cr_expect_gt(failing_everywhere(work_steps), 0);
}

/* ---- pipelined cubes ------------------------------------------------------------- */

static bool work_node(void) {
    const PipelinedLoad load = {
        .cube = {.dimensions = 2, .radix = 4, .nodes = 16, .width = 8, .ratio = 2},
        .load = 2,
        .cycles = 1000,
        .ramp = 1,
        .confidence = 0.95};
    JmError error = {.text = ""};
    PipelinedResult result;
    return failing_told(net_pipelined_simulate(&load, &result, &error), &error);
}

/* A load above the capacity makes the queue of the processor grow. */
Test(memory, pipelined_node) {
    cr_expect_gt(failing_everywhere(work_node), 10);
}

/* ---- chapter 5 ------------------------------------------------------------------- */

static bool work_amva(void) {
    JmError error = {.text = ""};
    AmvaResult result;
    const bool good = net_amva_solve(made.graph, &made.problem, &result, &error);
    if (good)
        cr_expect_eq(result.state, made.state, "%s",
                     net_model_state_name(result.state));
    net_amva_result_free(&result);
    return failing_told(good, &error);
}

/* Returns how many requests a solution on x by y by 2 nodes needs. */
static unsigned amva_requests_on(unsigned x, unsigned y, AmvaProblem problem,
                                 ModelState state) {
    const NetParams params = net_params_default();
    made.graph = net_mesh_create(x, y, 2, &params, NULL);
    cr_assert(made.graph);
    made.problem = problem;
    made.state = state;
    const unsigned requests = failing_everywhere(work_amva);
    net_graph_destroy(made.graph);
    return requests;
}

static unsigned amva_requests(AmvaProblem problem, ModelState state) {
    return amva_requests_on(3, 3, problem, state);
}

Test(memory, mean_values) {
    for (int workload = AMVA_REQUESTS; workload <= AMVA_SNAKES; workload++) {
        for (int form = AMVA_TREES; form <= AMVA_PREFIXES; form++) {
            AmvaProblem problem = net_amva_problem_default();
            problem.workload = (AmvaWorkload)workload;
            problem.form = (AmvaForm)form;
            problem.outstanding = 2;
            problem.service = 100;
            if (workload == AMVA_REQUESTS && form == AMVA_PREFIXES)
                problem.uncorrected = true;
            cr_expect_gt(amva_requests(problem, MODEL_SOLVED), 20);
            problem.no_symmetry = problem.fair = true;
            cr_expect_gt(amva_requests(problem, MODEL_SOLVED), 20);
        }
    }
}

/* If the usual schedule fails, others are tried, each with memory of its own. */
Test(memory, mean_values_without_solution) {
    AmvaProblem problem = net_amva_problem_default();
    problem.sweeps = 5;
    cr_expect_gt(amva_requests(problem, MODEL_NOT_CONVERGED), 40);
}

/* More than 512 nodes: a correction for own replies, whose lists grow. */
Test(memory, mean_values_of_many_nodes) {
    AmvaProblem problem = net_amva_problem_default();
    problem.sweeps = 1;
    problem.first_try_only = true;
    cr_expect_gt(amva_requests_on(29, 9, problem, MODEL_NOT_CONVERGED), 45);
}

/* ---- shared memory --------------------------------------------------------------- */

static bool solve_shared(SharedBuffers buffers) {
    JmError error = {.text = ""};
    SharedResult result;
    SharedProblem problem = net_shared_problem_default();
    problem.buffers = buffers;
    const bool good = net_shared_solve(made.graph, &problem, &result, &error);
    if (good)
        cr_expect_eq(result.state, MODEL_SOLVED);
    net_shared_result_free(&result);
    return failing_told(good, &error);
}

static bool work_one_flit(void) {
    return solve_shared(SHARED_ONE_FLIT);
}

static bool work_unlimited(void) {
    return solve_shared(SHARED_UNLIMITED);
}

Test(memory, shared_memory_on_a_torus) {
    NetTorus torus = {.ends = true, .places = 1, .priorities = 1};
    net_torus_set_sizes(&torus, (const unsigned[]){3, 3}, 2);
    made.graph = net_torus_create(&torus, NULL);
    cr_assert(made.graph);
    cr_expect_gt(failing_everywhere(work_one_flit), 20);
    cr_expect_gt(failing_everywhere(work_unlimited), 20);
    net_graph_destroy(made.graph);
}
