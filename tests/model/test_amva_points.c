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

/* Figure 5-11: near the ends, which are empty. */
Test(points, unfair_line_without_runs) {
    AmvaProblem problem = requests(5, 10);
    problem.alpha = 1;
    Solution s = solve(16, 1, 1, problem);
    NEAR(queue_at(&s, 5, 0, 0), 31.1, OWN);
    NEAR(queue_at(&s, 10, 0, 0), 31.1, OWN);
    NEAR(queue_at(&s, 0, 0, 0), 0.08, 0.07);
    NEAR(peak_of(&s, -1), 31.1, OWN);
    free_solution(&s);
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

/* ---- 512 nodes ------------------------------------------------------------------- */

/* Figure 5-5: plane 3 of fair routers, 6.5 at the peak. */
Test(points, fair_512) {
    AmvaProblem problem = requests(5, 25);
    problem.fair = true;
    Solution s = solve(8, 8, 8, problem);
    NEAR(peak_of(&s, 3), 6.530, OWN);
    NEAR(queue_at(&s, 1, 1, 3), 6.530, OWN);
    NEAR(queue_at(&s, 0, 0, 3), 4.99, OWN);
    NEAR(queue_at(&s, 0, 3, 3), 3.30, OWN);
    NEAR(queue_at(&s, 3, 0, 3), 0.67, 1e-2);
    NEAR(queue_at(&s, 3, 3, 3), 0.54, 1e-2);
    NEAR(queue_at(&s, 1, 1, 1), 7.607, OWN);
    NEAR(peak_of(&s, -1), 7.607, OWN);
    free_solution(&s);
}

static double peak_at_centre(AmvaProblem problem) {
    Solution s = solve(8, 8, 8, problem);
    const double centre = queue_at(&s, 3, 3, 3);
    cr_assert_leq(peak_of(&s, -1), centre * (1 + 1e-9));
    free_solution(&s);
    return centre;
}

/* Figure 5-14 with alpha 1/8 (5.18), and 0.1 as in the example of the line. A step from
 * 5 to 7 is 16 messages in the thesis. */
Test(points, requests_512_over_outstanding) {
    const double wanted[] = {1.95, 17.44, 42.69, 57.51}; /* the step is 14.8 */
    const unsigned outstanding[] = {2, 4, 6, 7};
    for (unsigned i = 0; i < 4; i++)
        NEAR(peak_at_centre(requests(outstanding[i], 25)), wanted[i], OWN);
}

Test(points, requests_512_over_outstanding_at_alpha_a_tenth) {
    const double wanted[] = {20.24, 65.49};
    for (unsigned i = 0; i < 2; i++) {
        AmvaProblem problem = requests(4 + 3 * i, 25);
        problem.alpha = 0.1;
        NEAR(peak_at_centre(problem), wanted[i], OWN);
    }
}

/* Messages of each node at which a peak that grows from n to n + 1 reaches 128. */
static double crossing(unsigned n, double below, double above) {
    cr_assert(below < 128 && above > 128);
    return n + (128 - below) / (above - below);
}

/* Each message more on every node is 512 more on the 8 nodes in the middle. 128 are
 * reached between 4 and 5 messages in the thesis. */
Test(points, snakes_512_over_outstanding) {
    const double wanted[] = {8.35, 67.07, 130.58, 194.40};
    double peak[4];
    for (unsigned n = 2; n <= 5; n++) {
        peak[n - 2] = peak_at_centre(snakes(n, 25));
        NEAR(peak[n - 2], wanted[n - 2], OWN);
    }
    NEAR((peak[3] - peak[1]) / 2, 512.0 / 8, 1e-2);
    cr_assert_float_eq(crossing(3, peak[1], peak[2]), 3.96, 0.005);
}

Test(points, snakes_512_at_alpha_a_tenth) {
    double peak[2];
    for (unsigned n = 3; n <= 4; n++) {
        AmvaProblem problem = snakes(n, 25);
        problem.alpha = 0.1;
        peak[n - 3] = peak_at_centre(problem);
    }
    NEAR(peak[1], 139.4, OWN);
    cr_assert_float_eq(crossing(3, peak[0], peak[1]), 3.82, 0.005);
}

Test(points, snakes_512_with_headers) {
    const double wanted[] = {141.5, 205.1};
    for (unsigned n = 4; n <= 5; n++) {
        AmvaProblem problem = snakes(n, 25);
        problem.pair[0].request = 11;
        Solution s = solve(8, 8, 8, problem);
        NEAR(peak_of(&s, -1), wanted[n - 4], OWN);
        NEAR(s.result.bisection, 0.541, OWN);
        free_solution(&s);
    }
}

/* Figure 5-21: services of 15 to 55 cycles. */
Test(points, requests_512_over_service) {
    const double wanted[] = {36.5, 18.7, 0.135};
    for (unsigned i = 0; i < 3; i++)
        NEAR(peak_at_centre(requests(5, 15 + 20 * i)), wanted[i], OWN);
}

Test(points, mean_queue_at_light_load) {
    Solution s = solve(8, 8, 8, requests(2, 25));
    double mean = 0;
    for (unsigned i = 0; i < 512; i++)
        mean += s.result.node[i].node_queue / 512;
    NEAR(mean, 0.43, 1e-2);
    free_solution(&s);
}

Test(points, bisection_of_512) {
    Solution r = solve(8, 8, 8, requests(5, 25)), s = solve(8, 8, 8, snakes(4, 25));
    NEAR(r.result.bisection, 0.560, OWN);
    NEAR(s.result.bisection, 0.549, OWN);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    cr_assert_lt((double)usage.ru_maxrss, 40960 * LARGER); /* kilobytes */
    free_solution(&r);
    free_solution(&s);
}

Test(points, variants_of_512) {
    AmvaProblem problem = requests(5, 25);
    problem.alpha = 1;
    NEAR(peak_at_centre(problem), 11.75, OWN);
    problem.alpha = 0.1;
    problem.equal_aside = true;
    NEAR(peak_at_centre(problem), 35.0, OWN);
    problem = snakes(4, 25);
    problem.equal_aside = true;
    NEAR(peak_at_centre(problem), 131.8, OWN);
}

Test(points, fair_snakes_512) {
    AmvaProblem problem = snakes(4, 25);
    problem.fair = true;
    Solution s = solve(8, 8, 8, problem);
    NEAR(queue_at(&s, 1, 1, 1), 53.1, OWN);
    NEAR(peak_of(&s, -1), 53.1, OWN);
    free_solution(&s);
}

Test(points, snakes_8x8x16) {
    AmvaProblem problem = snakes(5, 25);
    problem.form = AMVA_PREFIXES;
    Solution s = solve(8, 8, 16, problem);
    NEAR(queue_at(&s, 3, 3, 7), 489.6, OWN);
    NEAR(queue_at(&s, 3, 3, 8), 489.6, OWN);
    NEAR(peak_of(&s, -1), 489.6, OWN);
    free_solution(&s);
}

/* Section 5.5.6: requests on two stacks, with the correction for own replies. */
Test(points, requests_8x8x16) {
    const double wanted[] = {54.08, 285.03};
    for (unsigned i = 0; i < 2; i++) {
        Solution s = solve(8, 8, 16, requests(3 + 4 * i, 25));
        NEAR(queue_at(&s, 3, 3, 7), wanted[i], OWN);
        NEAR(peak_of(&s, -1), wanted[i], OWN);
        NEAR(queue_at(&s, 4, 4, 8), queue_at(&s, 3, 3, 7), 1e-9);
        free_solution(&s);
    }
}

/* The same by small steps alone. */
Test(points, requests_8x8x16_by_small_steps) {
    AmvaProblem slow = requests(1, 25);
    slow.weight = 0.3;
    Solution quick = solve(8, 8, 16, requests(1, 25)), plain = solve(8, 8, 16, slow);
    cr_expect_str_eq(plain.result.schedule, "given weight");
    cr_expect(quick.result.tries == 1 && plain.result.tries == 1);
    for (uint32_t i = 0; i < quick.result.nodes; i++)
        NEAR(quick.result.node[i].node_queue, plain.result.node[i].node_queue, 1e-4);
    NEAR(quick.result.rate, plain.result.rate, 1e-6);
    free_solution(&quick);
    free_solution(&plain);
}

/* 4096 nodes: by prefixes, in less than a minute. */
Test(points, snakes_4096) {
    AmvaProblem problem = snakes(4, 25);
    problem.form = AMVA_PREFIXES;
    problem.tolerance = 1e-4;
    Solution s = solve(16, 16, 16, problem);
    NEAR(queue_at(&s, 7, 7, 7), 1607.02, OWN);
    free_solution(&s);
}

/* Above 4096 nodes a climb through fewer messages comes first. Past saturation the same
 * services go on, and more messages only wait in the middle. */
Test(points, snakes_4352) {
    AmvaProblem problem = snakes(2, 25);
    problem.form = AMVA_PREFIXES;
    problem.tolerance = 1e-4;
    Solution s = solve(17, 16, 16, problem);
    cr_expect_str_eq(s.result.schedule, "from fewer messages");
    cr_expect_eq(s.result.tries, 1);
    NEAR(s.result.rate, 0.00859749, OWN);
    NEAR(peak_of(&s, -1), queue_at(&s, 8, 7, 7), 1e-9);
    free_solution(&s);
}

/* ---- the iteration --------------------------------------------------------------- */

static AmvaState state_with(unsigned outstanding, double service, double weight,
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
    cr_assert_eq(state_with(5, 25, 1, 300, &result), AMVA_NOT_CONVERGED);
    cr_assert(isnan(result.rate) && isnan(result.bisection) && !result.node);
    net_amva_result_free(&result);
    cr_assert_eq(state_with(2, 100, 1, 20, &result), AMVA_SOLVED);
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
        cr_assert_eq(climbed.state, AMVA_SOLVED);
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
    cr_expect_eq(result.state, AMVA_NOT_CONVERGED);
    cr_expect_eq(result.tries, 1);
    net_amva_result_free(&result);
    result = within(snakes(5, 25), 3, false);
    cr_expect_eq(result.state, AMVA_NOT_CONVERGED);
    cr_expect_eq(result.tries, 4);
    cr_expect(isnan(result.rate) && !result.node);
    net_amva_result_free(&result);
}

/* p_first breaks the symmetry of the sides: all nodes are solved. */
Test(points, requests_512_that_prefer_p) {
    AmvaProblem problem = requests(5, 25);
    problem.p_first = true;
    problem.form = AMVA_PREFIXES;
    Solution s = solve(8, 8, 8, problem);
    NEAR(queue_at(&s, 4, 4, 4), 33.0, OWN);
    NEAR(queue_at(&s, 3, 3, 3), 26.7, 1e-2);
    free_solution(&s);
}
