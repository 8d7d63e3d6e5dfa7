/* Solutions of the mean value analysis: small ones, the thesis's lines of 16 and its
 * machine of 512 nodes. The numbers are this solver's and those of another program that
 * was written from the same equations; what the thesis prints stands beside them. */
#include <sys/resource.h>

#include "numbers.h"
#include "solving.h"

static const double OWN = 5e-3; /* own numbers may differ by half a percent */

/* A sanitizer keeps shadows of all memory. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const double LARGER = 30;
#else
static const double LARGER = 1;
#endif

/* ---- small meshes ---------------------------------------------------------------- */

Test(points, requests_on_4x4x4) {
    Solution s = solve(4, 4, 4, requests(5, 15));
    NEAR(queue_at(&s, 0, 0, 1), 1.488, 1e-3);
    NEAR(queue_at(&s, 1, 0, 1), 3.541, 1e-3);
    NEAR(queue_at(&s, 0, 1, 1), 2.548, 1e-3);
    NEAR(queue_at(&s, 1, 1, 1), 5.481, 1e-3);
    NEAR(s.result.rate, 0.03413, 1e-3);
    free_solution(&s);
}

Test(points, snakes_on_4x4x4) {
    Solution s = solve(4, 4, 4, snakes(5, 15));
    NEAR(peak_of(&s, -1), 16.535, 1e-3);
    NEAR(s.result.rate, 0.03290, 1e-3);
    free_solution(&s);
}

Test(points, requests_on_4x6x5) {
    Solution s = solve(4, 6, 5, requests(4, 15));
    NEAR(queue_at(&s, 1, 2, 2), 5.875, 1e-3);
    NEAR(peak_of(&s, -1), 5.875, 1e-3);
    NEAR(s.result.rate, 0.02718, 1e-3);
    free_solution(&s);
}

/* ---- the line of 16 (5.3) -------------------------------------------------------- */

static void check_line(AmvaProblem problem, const double *half, size_t count) {
    Solution s = solve(16, 1, 1, problem);
    for (unsigned x = 0; x < count; x++) {
        cr_assert_float_eq(queue_at(&s, x, 0, 0), half[x], OWN * half[x] + 0.005);
        NEAR(queue_at(&s, 15 - x, 0, 0), queue_at(&s, x, 0, 0), 1e-6);
    }
    free_solution(&s);
}

/* Figure 5-10: severe accumulation at the ends. */
Test(points, fair_line) {
    AmvaProblem problem = requests(5, 10);
    problem.fair = true;
    const double half[] = {14.25, 14.61, 2.61, 0.59, 0.23};
    check_line(problem, half, 5);
}

/* Figure 5-12: two peaks of about 8 inside. */
Test(points, unfair_line) {
    AmvaProblem problem = requests(5, 10);
    problem.alpha = 0.1;
    Solution s = solve(16, 1, 1, problem);
    NEAR(queue_at(&s, 6, 0, 0), 9.28, OWN);
    NEAR(queue_at(&s, 9, 0, 0), 9.28, OWN);
    NEAR(queue_at(&s, 7, 0, 0), 8.45, OWN);
    NEAR(peak_of(&s, -1), 9.28, OWN);
    free_solution(&s);
}

Test(points, unfair_line_that_prefers_p) {
    AmvaProblem problem = requests(5, 10);
    problem.alpha = 0.1;
    problem.p_first = true;
    Solution s = solve(16, 1, 1, problem);
    NEAR(queue_at(&s, 6, 0, 0), 9.00, OWN);
    NEAR(queue_at(&s, 9, 0, 0), 9.58, OWN);
    free_solution(&s);
}

/* ---- 512 nodes and more ---------------------------------------------------------- */

/* A solution with a peak, at a place: messages of each node and cycles of a service. */
typedef struct {
    unsigned size[3], outstanding;
    double service, peak;
    unsigned at[3];
    bool snakes, fair, equal_aside;
    double alpha; /* 0: that of the machine, 1/8 (5.18) */
} Peak;

static const Peak peaks[] = {
    /* Figures 5-14 and 5-21: less at longer services. */
    {{8, 8, 8}, 4, 25, 17.44, {3, 3, 3}, .snakes = false},
    {{8, 8, 8}, 5, 55, 0.135, {3, 3, 3}, .snakes = false},
    /* Each message more on every node is 512 more on the 8 nodes in the middle. */
    {{8, 8, 8}, 3, 25, 67.07, {3, 3, 3}, .snakes = true},
    {{8, 8, 8}, 4, 25, 130.58, {4, 3, 3}, .snakes = true},
    {{8, 8, 8}, 4, 25, 139.4, {3, 3, 4}, .snakes = true, .alpha = 0.1},
    {{8, 8, 8}, 4, 25, 131.8, {3, 3, 3}, .snakes = true, .equal_aside = true},
    {{8, 8, 8}, 4, 25, 53.1, {1, 1, 1}, .snakes = true, .fair = true},
    /* Section 5.5.6: two stacks, with the correction for own replies. */
    {{8, 8, 16}, 3, 25, 54.08, {4, 4, 8}, .snakes = false},
};

Test(points, peaks_of_512_nodes_and_more) {
    for (size_t i = 0; i < sizeof peaks / sizeof peaks[0]; i++) {
        const Peak *row = &peaks[i];
        AmvaProblem problem = requests(row->outstanding, row->service);
        problem.workload = row->snakes ? AMVA_SNAKES : AMVA_REQUESTS;
        problem.form = row->snakes ? AMVA_PREFIXES : AMVA_TREES;
        problem.fair = row->fair;
        problem.equal_aside = row->equal_aside;
        problem.alpha = row->alpha;
        Solution s = solve(row->size[0], row->size[1], row->size[2], problem);
        NEAR(queue_at(&s, row->at[0], row->at[1], row->at[2]), row->peak, OWN);
        NEAR(peak_of(&s, -1), row->peak, OWN);
        free_solution(&s);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    cr_assert_lt((double)usage.ru_maxrss, 81920 * LARGER); /* kilobytes */
}

/* Figure 5-5: plane 3 of fair routers, 6.5 at the peak. */
Test(points, fair_512) {
    AmvaProblem problem = requests(5, 25);
    problem.fair = true;
    Solution s = solve(8, 8, 8, problem);
    NEAR(peak_of(&s, 3), 6.530, OWN);
    NEAR(queue_at(&s, 1, 1, 3), 6.530, OWN);
    NEAR(queue_at(&s, 0, 3, 3), 3.30, OWN);
    NEAR(queue_at(&s, 3, 3, 3), 0.54, 1e-2);
    NEAR(peak_of(&s, -1), 7.607, OWN);
    free_solution(&s);
}

Test(points, snakes_512_with_headers) {
    AmvaProblem problem = snakes(4, 25);
    problem.pair[0].request = 11;
    Solution s = solve(8, 8, 8, problem);
    NEAR(peak_of(&s, -1), 141.5, OWN);
    NEAR(s.result.bisection, 0.541, OWN);
    free_solution(&s);
}

/* ---- the iteration --------------------------------------------------------------- */

static ModelState state_with(unsigned outstanding, double service, double weight,
                             unsigned sweeps, AmvaResult *result) {
    NetGraph *const graph = mesh_graph(8, 8, 8);
    AmvaProblem problem = requests(outstanding, service);
    problem.weight = weight;
    problem.sweeps = sweeps;
    JmError error;
    cr_assert(net_amva_solve(graph, &problem, result, &error), "%s", error.text);
    net_graph_destroy(graph);
    return result->state;
}

/* 5.5.5: without under-relaxation the iteration thrashes; at light load it does not. */
Test(points, under_relaxation_is_needed) {
    AmvaResult result;
    cr_assert_eq(state_with(5, 25, 1, 80, &result), MODEL_NOT_CONVERGED);
    cr_assert(isnan(result.rate) && isnan(result.bisection) && !result.node);
    net_amva_result_free(&result);
    cr_assert_eq(state_with(2, 100, 1, 20, &result), MODEL_SOLVED);
    net_amva_result_free(&result);
}

/* ---- schedules ------------------------------------------------------------------- */

/* Solves with at most `sweeps` sweeps of each schedule. */
static AmvaResult within(AmvaProblem problem, unsigned sweeps, bool first_only) {
    NetGraph *const graph = mesh_graph(4, 4, 4);
    AmvaResult result;
    JmError error;
    problem.sweeps = sweeps;
    problem.first_try_only = first_only;
    cr_assert(net_amva_solve(graph, &problem, &result, &error), "%s", error.text);
    net_graph_destroy(graph);
    return result;
}

/* If no schedule converges from an empty network, one that starts from fewer messages
 * does: it leads to the same solution, and is the last of all. */
Test(points, from_fewer_messages) {
    const struct {
        AmvaProblem problem;
        unsigned tries; /* requests can also start from replies that wait alike */
    } rows[] = {{snakes(5, 25), 4}, {requests(5, 25), 5}, {snakes(40, 25), 4}};
    for (unsigned i = 0; i < 3; i++) {
        AmvaResult usual = within(rows[i].problem, 0, false);
        AmvaResult climbed = within(rows[i].problem, 60, false);
        cr_assert_str_eq(usual.schedule, "usual");
        cr_assert_gt(usual.sweeps, 60);
        cr_assert_eq(climbed.state, MODEL_SOLVED);
        cr_expect_str_eq(climbed.schedule, "from fewer messages");
        cr_expect_eq(climbed.tries, rows[i].tries);
        NEAR(climbed.rate, usual.rate, 1e-5);
        for (uint32_t k = 0; k < usual.nodes; k++)
            NEAR(climbed.node[k].node_queue, usual.node[k].node_queue, 1e-4);
        net_amva_result_free(&usual);
        net_amva_result_free(&climbed);
    }
}

/* Other schedules are not tried with first_try_only. */
Test(points, schedules_end) {
    AmvaResult result = within(snakes(5, 25), 60, true);
    cr_expect_eq(result.state, MODEL_NOT_CONVERGED);
    cr_expect_eq(result.tries, 1);
    net_amva_result_free(&result);
    result = within(snakes(5, 25), 3, false);
    cr_expect_eq(result.state, MODEL_NOT_CONVERGED);
    cr_expect_eq(result.tries, 4);
    cr_expect(isnan(result.rate) && !result.node);
    net_amva_result_free(&result);
}
