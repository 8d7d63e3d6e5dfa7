/* Solutions of the mean value analysis: small ones, the thesis's lines of 16 and its
 * machine of 512 nodes. The numbers are this solver's and those of another program that
 * was written from the same equations; the thesis's figures are beside them. */
#include <sys/resource.h>

#include "rig.h"

/* A sanitizer keeps shadows of all memory. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const double LARGER = 30;
#else
static const double LARGER = 1;
#endif

/* A problem: messages of each node and cycles of a service; and known figures of its
 * solution, 0 where there is none. */
typedef struct {
    unsigned size[3], outstanding;
    double service;
    bool snakes, fair, equal_aside, p_first;
    double alpha;     /* 0: that of the machine, 1/8 (5.18) */
    unsigned request; /* flits; 0: 8 */
    double peak, rate, bisection;
    struct {
        unsigned at[3];
        double queue;
    } points[5];
} Row;

static const Row known[] = {
    {{4, 4, 4},
     5,
     15,
     .rate = 0.03413,
     .points = {{{0, 0, 1}, 1.488},
                {{1, 0, 1}, 3.541},
                {{0, 1, 1}, 2.548},
                {{1, 1, 1}, 5.481}}},
    {{4, 4, 4}, 5, 15, .snakes = true, .peak = 16.535, .rate = 0.03290},
    {{4, 6, 5}, 4, 15, .peak = 5.875, .rate = 0.02718, .points = {{{1, 2, 2}, 5.875}}},
    /* Figure 5-10: severe accumulation at the ends of fair lines. */
    {{16, 1, 1},
     5,
     10,
     .fair = true,
     .points = {{{0}, 14.25}, {{1}, 14.61}, {{2}, 2.61}, {{3}, 0.59}, {{4}, 0.23}}},
    /* Figure 5-12: two peaks of about 8 inside unfair ones. */
    {{16, 1, 1},
     5,
     10,
     .alpha = 0.1,
     .peak = 9.28,
     .points = {{{6}, 9.28}, {{9}, 9.28}, {{7}, 8.45}}},
    {{16, 1, 1},
     5,
     10,
     .alpha = 0.1,
     .p_first = true,
     .points = {{{6}, 9.00}, {{9}, 9.58}}},
    /* Figures 5-14 and 5-21: less at longer services. */
    {{8, 8, 8}, 4, 25, .peak = 17.44, .points = {{{3, 3, 3}, 17.44}}},
    {{8, 8, 8}, 5, 55, .peak = 0.135, .points = {{{3, 3, 3}, 0.135}}},
    /* Each message more on every node is 512 more on the 8 nodes in the middle. */
    {{8, 8, 8}, 3, 25, .snakes = true, .peak = 67.07, .points = {{{3, 3, 3}, 67.07}}},
    {{8, 8, 8}, 4, 25, .snakes = true, .peak = 130.58, .points = {{{4, 3, 3}, 130.58}}},
    {{8, 8, 8}, 4, 25, .snakes = true, .alpha = 0.1, .peak = 139.4},
    {{8, 8, 8}, 4, 25, .snakes = true, .equal_aside = true, .peak = 131.8},
    {{8, 8, 8},
     4,
     25,
     .snakes = true,
     .fair = true,
     .peak = 53.1,
     .points = {{{1, 1, 1}, 53.1}}},
    {{8, 8, 8},
     4,
     25,
     .snakes = true,
     .request = 11,
     .peak = 141.5,
     .bisection = 0.541},
    /* Figure 5-5: plane 3 of fair routers, 6.5 at its peak. */
    {{8, 8, 8},
     5,
     25,
     .fair = true,
     .peak = 7.607,
     .points = {{{1, 1, 3}, 6.530}, {{0, 3, 3}, 3.30}, {{3, 3, 3}, 0.54}}},
    /* Section 5.5.6: two stacks, with the correction for own replies. */
    {{8, 8, 16}, 3, 25, .peak = 54.08, .points = {{{4, 4, 8}, 54.08}}},
};

/* Within half a percent, or of small queues half of the last digit. */
static void expect(double value, double wanted) {
    cr_expect_float_eq(value, wanted, 5e-3 * wanted + (wanted < 1 ? 0.005 : 0),
                       "%g, not %g", value, wanted);
}

Test(points, are_those_of_another_program) {
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const Row *row = &known[i];
        AmvaProblem problem = row->snakes ? snakes(row->outstanding, row->service)
                                          : requests(row->outstanding, row->service);
        problem.form = row->snakes ? AMVA_PREFIXES : AMVA_TREES;
        problem.fair = row->fair;
        problem.equal_aside = row->equal_aside;
        problem.p_first = row->p_first;
        problem.alpha = row->alpha;
        problem.request = row->request ? row->request : 8;
        Solution s = solve(row->size[0], row->size[1], row->size[2], problem);
        for (unsigned k = 0; k < 5 && row->points[k].queue > 0; k++)
            expect(queue_at(&s, row->points[k].at[0], row->points[k].at[1],
                            row->points[k].at[2]),
                   row->points[k].queue);
        expect(peak_of(&s), row->peak > 0 ? row->peak : peak_of(&s));
        NEAR(s.result.rate, row->rate > 0 ? row->rate : s.result.rate, 1e-3);
        NEAR(s.result.bisection,
             row->bisection > 0 ? row->bisection : s.result.bisection, 5e-3);
        free_solution(&s);
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    cr_assert_lt((double)usage.ru_maxrss, 81920 * LARGER); /* kilobytes */
}

/* ---- the iteration --------------------------------------------------------------- */

/* Solves with at most `sweeps` sweeps of each schedule. */
static AmvaResult within(NetGraph *graph, AmvaProblem problem, unsigned sweeps,
                         bool first_only) {
    AmvaResult result;
    JmError error;
    problem.sweeps = sweeps;
    problem.first_try_only = first_only;
    cr_assert(net_amva_solve(graph, &problem, &result, &error), "%s", error.text);
    net_graph_destroy(graph);
    return result;
}

/* 5.5.5: without under-relaxation the iteration thrashes; at light load it does not. */
Test(points, under_relaxation_is_needed) {
    AmvaProblem heavy = requests(5, 25), light = requests(2, 100);
    heavy.weight = light.weight = 1;
    AmvaResult result = within(mesh_graph(8, 8, 8), heavy, 80, false);
    cr_assert_eq(result.state, MODEL_NOT_CONVERGED);
    cr_assert(isnan(result.rate) && isnan(result.bisection) && !result.node);
    net_amva_result_free(&result);
    result = within(mesh_graph(8, 8, 8), light, 20, false);
    cr_assert_eq(result.state, MODEL_SOLVED);
    net_amva_result_free(&result);
}

/* If no schedule converges from an empty network, one that starts from fewer messages
 * does: it leads to the same solution, and is the last of all. */
Test(points, from_fewer_messages) {
    const struct {
        AmvaProblem problem;
        unsigned tries; /* requests can also start from replies that wait alike */
    } rows[] = {{snakes(5, 25), 4}, {requests(5, 25), 5}, {snakes(40, 25), 4}};
    for (unsigned i = 0; i < 3; i++) {
        AmvaResult usual = within(mesh_graph(4, 4, 4), rows[i].problem, 0, false);
        AmvaResult climbed = within(mesh_graph(4, 4, 4), rows[i].problem, 60, false);
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
    AmvaResult result = within(mesh_graph(4, 4, 4), snakes(5, 25), 60, true);
    cr_expect_eq(result.state, MODEL_NOT_CONVERGED);
    cr_expect_eq(result.tries, 1);
    net_amva_result_free(&result);
    result = within(mesh_graph(4, 4, 4), snakes(5, 25), 3, false);
    cr_expect_eq(result.state, MODEL_NOT_CONVERGED);
    cr_expect_eq(result.tries, 4);
    cr_expect(isnan(result.rate) && !result.node);
    net_amva_result_free(&result);
}
