/* bench_model FOLDER: CPU time of the analytic models, compared with a bound and with
 * the thesis's own times: 20 hours for a mean value analysis on a machine of 166 MHz
 * (A.1), about a minute for t(512,512,64) (3.3.2). Figures also go to
 * FOLDER/model.json. */
#include <math.h>
#include <sys/resource.h>

#include "net/model/amva.h"
#include "net/model/queueing.h"
#include "net/topology/mesh.h"
#include "tests/bench/bench.h"

enum { COUNTS = 50, ROUNDS = 3 };
static const double THESIS_SOLVE = 20 * 3600, THESIS_COUNT = 60; /* seconds */

static double count_seconds(unsigned customers, unsigned queue) {
    const double start = cpu_seconds();
    JmError error;
    double ln_t;
    for (unsigned i = 0; i < COUNTS; i++)
        if (!net_model_ln_t(512, customers, queue, &ln_t, &error))
            fail(error.text);
    return (cpu_seconds() - start) / COUNTS;
}

static double solve_seconds(unsigned side, AmvaProblem problem) {
    const NetParams params = net_params_default();
    JmError error;
    NetGraph *const graph = net_mesh_create(side, side, side, &params, &error);
    AmvaResult result;
    const double start = cpu_seconds();
    if (!graph || !net_amva_solve(graph, &problem, &result, &error))
        fail(error.text);
    const double seconds = cpu_seconds() - start;
    if (result.state != MODEL_SOLVED)
        fail("a point was not solved");
    net_amva_result_free(&result);
    net_graph_destroy(graph);
    return seconds;
}

/* Adds a row. `bound`: maximum seconds; `thesis`: seconds there, 0 if it gives none. */
static void add(json_t *root, const char *key, const char *what, double seconds,
                double bound, double thesis) {
    json_t *const row = json_pack("{s:s,s:f,s:f,s:f}", "what", what, "per_cpu_second",
                                  1 / seconds, "seconds", seconds, "bound", bound);
    printf("%10.2f a CPU second: %s (%.3g s, %s %.3g s", 1 / seconds, what, seconds,
           seconds < bound ? "below" : "NOT below", bound);
    if (thesis > 0) {
        printf("; thesis: %g s", thesis);
        json_object_set_new(row, "ratio", json_real(thesis / seconds));
        json_object_set_new(row, "beside", json_string("the thesis's"));
    }
    puts(")");
    json_object_set_new(root, key, row);
}

static AmvaProblem problem_of(AmvaWorkload workload, unsigned outstanding,
                              double service, double alpha) {
    AmvaProblem problem = net_amva_problem_default();
    problem.workload = workload;
    problem.outstanding = outstanding;
    problem.service = service;
    problem.alpha = alpha;
    return problem;
}

/* The other points of 512 nodes that figures 5-5 to 5-27 rest on and that take longest:
 * fair routers, most messages, no runs, headers counted. */
static double longest_of_others(void) {
    AmvaProblem fair = problem_of(AMVA_REQUESTS, 5, 25, 0);
    AmvaProblem headers = problem_of(AMVA_SNAKES, 5, 25, 0);
    fair.fair = true;
    headers.request = 11;
    const AmvaProblem others[] = {fair,
                                  headers,
                                  problem_of(AMVA_REQUESTS, 7, 25, 0.1),
                                  problem_of(AMVA_REQUESTS, 7, 25, 0),
                                  problem_of(AMVA_REQUESTS, 5, 25, 1),
                                  problem_of(AMVA_REQUESTS, 5, 15, 0),
                                  problem_of(AMVA_SNAKES, 5, 25, 0.1)};
    double longest = 0;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        longest = fmax(longest, solve_seconds(8, others[i]));
    return longest;
}

static double least_of_rounds(AmvaProblem problem) {
    double least = INFINITY;
    for (unsigned i = 0; i < ROUNDS; i++)
        least = fmin(least, solve_seconds(8, problem));
    return least;
}

int main(int argc, char **argv) {
    const char *folder = bench_folder(argc, argv);
    AmvaProblem large = problem_of(AMVA_SNAKES, 4, 25, 0);
    json_t *const root = json_object();
    add(root, "count", "model, t(512,512,64)", count_seconds(512, 64), 1e-3,
        THESIS_COUNT);
    add(root, "longest", "model, longest point of figure 3-1",
        count_seconds(512 * 20, 128), 0.02, 0);
    add(root, "requests", "model, 8x8x8, Request/Reply, 5 out, service 25",
        least_of_rounds(problem_of(AMVA_REQUESTS, 5, 25, 0)), 5, THESIS_SOLVE);
    add(root, "snakes", "model, 8x8x8, Snakes, 4 out, service 25",
        least_of_rounds(large), 1.5, THESIS_SOLVE);
    add(root, "others", "model, 8x8x8, the longest of 7 other points",
        longest_of_others(), 10, THESIS_SOLVE);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%10.1f megabytes at the most, below 40; thesis: 30\n",
           (double)usage.ru_maxrss / 1024);
    large.form = AMVA_PREFIXES;
    add(root, "large", "model, 16x16x16 by prefixes, Snakes, 4 out, service 25",
        solve_seconds(16, large), 60, 0);
    return bench_write(root, folder, "model");
}
