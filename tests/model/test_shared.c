/* The model of shared memory on tori (Adve and Vernon 1994): against an independent
 * solver of the same equations, and invariants. The paper's tables:
 * tests/exp/test_papers.sh. */

#include "net/model/shared/shared.h"
#include "net/topology/topology.h"
#include "rig.h"

typedef struct {
    NetGraph *graph;
    SharedResult result;
} Solved;

static NetGraph *graph_of(const char *specification) {
    const NetParams params = net_params_default();
    JmError error;
    NetGraph *graph = net_topology_build(specification, &params, &error);
    cr_assert_not_null(graph, "%s", error.text);
    return graph;
}

/* Table II with other memory times: D and the mean time to the reply. */
static SharedProblem problem_of(unsigned n_out, double tau, double d, double answer) {
    SharedProblem problem = net_shared_problem_default();
    problem.customers = n_out;
    problem.service = tau;
    for (unsigned i = 0; i < SHARED_PAIRS; i++) {
        problem.pair[i].busy = d;
        problem.pair[i].answer = answer;
    }
    return problem;
}

static Solved solved(const char *specification, SharedProblem problem) {
    Solved solved = {.graph = graph_of(specification)};
    JmError error;
    cr_assert(net_shared_solve(solved.graph, &problem, &solved.result, &error), "%s",
              error.text);
    return solved;
}

static void done(Solved *solved) {
    net_shared_result_free(&solved->result);
    net_graph_destroy(solved->graph);
}

/* ---- the other solver ------------------------------------------------------------ */

static const char small[] = "torus=4x4,links=multiple",
                  many[] = "torus=8x8,links=multiple",
                  single[] = "torus=8x8,links=single";

/* What a solver of the same equations that was written apart, in another language and
 * with quadrants folded, gives for efficiency, in percent, and residence. */
Test(shared, agrees_with_another_solver) {
    static const struct {
        const char *network;
        unsigned n_out;
        double tau, d, answer, efficiency, residence;
    } rows[] = {
        {small, 1, 5, 10, 11.2, 11.938382, 25.039420},
        {small, 1, 100, 10, 11.2, 76.024808, 20.164929},
        {small, 2, 5, 10, 11.2, 19.007457, 35.010485},
        {small, 2, 25, 10, 11.2, 70.052125, 27.234491},
        {small, 4, 5, 10, 11.2, 23.992260, 65.026748},
        {small, 4, 25, 10, 11.2, 97.645753, 36.827050},
        {small, 4, 100, 10, 11.2, 100, 20.836012},
        {many, 1, 20, 4, 4.8, 34.215770, 33.638461},
        {single, 1, 25, 4, 4.8, 38.756155, 34.693086},
        {single, 4, 40, 4, 4.8, 93.226015, 80.110360},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Solved s = solved(rows[i].network, problem_of(rows[i].n_out, rows[i].tau,
                                                      rows[i].d, rows[i].answer));
        cr_assert_eq(s.result.state, MODEL_SOLVED);
        NEAR(100 * s.result.efficiency, rows[i].efficiency, 1e-5);
        NEAR(s.result.network, rows[i].residence, 1e-5);
        cr_assert_lt(fabs(s.result.population), 1e-4);
        done(&s);
    }
}

/* Figure 16(b): the end and the middle of column 3. */
Test(shared, processors_at_an_end_wait_longer) {
    Solved s = solved(single, problem_of(4, 25, 4, 4.8));
    cr_assert_eq(s.result.state, MODEL_SOLVED);
    const SharedProcessor *end = &s.result.processor[3],
                          *middle = &s.result.processor[3 * 8 + 3];
    cr_assert_gt(end->node_wait, 1.05 * middle->node_wait);
    cr_assert_gt(end->first_channel, 1.05 * middle->first_channel);
    for (unsigned i = 0; i < 64; i++)
        NEAR(s.result.processor[i].efficiency, s.result.processor[63 - i].efficiency,
             1e-9);
    done(&s);
}

/* ---- what must hold -------------------------------------------------------------- */

/* Wires between two digits of a ring of 8, the shorter way, or down alone. */
static unsigned steps(int from, int to, bool one_way) {
    const int below = (from - to + 8) % 8;
    return (unsigned)(one_way || below <= 4 ? below : 8 - below);
}

static double mean_distance(bool one_way) {
    double sum = 0;
    for (int from = 0; from < 64; from++)
        for (int to = 0; to < 64; to++)
            sum += steps(from / 8, to / 8, one_way) + steps(from % 8, to % 8, one_way);
    return sum / 64 / 63;
}

Test(shared, empty_network_takes_its_distances) {
    for (unsigned one_way = 0; one_way < 2; one_way++)
        for (unsigned buffers = 0; buffers < 2; buffers++) {
            SharedProblem problem = problem_of(1, 1e8, 4, 4);
            problem.buffers = (SharedBuffers)buffers;
            Solved s = solved(one_way ? "torus=8x8,oneway=1" : single, problem);
            /* wires, source, last channel, and the flits behind the head */
            const double flits = 0.8 * (3 + 9) + 0.2 * (11 + 3);
            NEAR(s.result.network, 2 * (mean_distance(one_way) + 2) + flits - 2, 1e-6);
            NEAR(s.result.memory, 4, 1e-6);
            if (problem.buffers == SHARED_ONE_FLIT) {
                NEAR(s.result.processor[9].first_channel, 1, 1e-6);
                cr_assert_lt(s.result.processor[9].node_wait, 1e-6);
            }
            done(&s);
        }
}

Test(shared, wires_carry_what_processors_send) {
    for (unsigned buffers = 0; buffers < 2; buffers++) {
        SharedProblem problem = problem_of(4, 30, 4, 4);
        problem.buffers = (SharedBuffers)buffers;
        Solved s = solved(single, problem);
        double load = 0;
        for (uint32_t i = 0; i < s.result.wires; i++)
            load += s.result.load[i];
        const double flits = (0.8 * (3 + 9) + 0.2 * (11 + 3)) / 2;
        NEAR(load, 64 * s.result.throughput * flits * mean_distance(false), 1e-6);
        done(&s);
    }
}

/* A prototype of the same equations, which took no customer out of what it finds, gave
 * these residences and efficiencies. With its own taken out a message waits less. */
Test(shared, unlimited_buffers_as_in_a_prototype) {
    const struct {
        unsigned n_out;
        double tau, residence, efficiency;
    } points[] = {{1, 25, 35.3, 38.4},
                  {2, 25, 46.2, 61.0},
                  {4, 25, 64.1, 86.8},
                  {4, 50, 41.4, 100}};
    for (unsigned i = 0; i < 4; i++) {
        SharedProblem problem = problem_of(points[i].n_out, points[i].tau, 4, 4.8);
        problem.buffers = SHARED_UNLIMITED;
        Solved less = solved(single, problem);
        problem.terms.keep_own = true;
        Solved s = solved(single, problem);
        NEAR(s.result.network, points[i].residence, 3e-3);
        NEAR(100 * s.result.efficiency, points[i].efficiency, 2e-3);
        WITHIN(less.result.network / s.result.network, 0.94, 0.985);
        done(&less);
        done(&s);
    }
}

/* The memory of one place gets all and serves a request in 40 cycles. The waits are
 * those that an observer would find, so a few percent more may seem to be served. */
Test(shared, all_to_one_memory) {
    SharedProblem problem = problem_of(2, 5, 40, 40);
    NetGraph *graph = graph_of("torus=3x3");
    double routing[81];
    cr_assert(net_shared_routing(graph, 0, 1, 4, routing, NULL));
    problem.routing = routing;
    SharedResult result;
    JmError error;
    cr_assert(net_shared_solve(graph, &problem, &result, &error), "%s", error.text);
    cr_assert_eq(result.state, MODEL_SOLVED);
    double rate = 0;
    for (unsigned i = 0; i < 9; i++)
        rate += i == 4 ? 0 : 2 / result.processor[i].cycle;
    WITHIN(rate, 0.9 / 40, 1.05 / 40);
    net_shared_result_free(&result);
    net_graph_destroy(graph);
}

Test(shared, routing_adds_up) {
    NetGraph *graph = graph_of("torus=4x4");
    double routing[256];
    cr_assert(net_shared_routing(graph, 0.4, 0.1, 10, routing, NULL));
    for (unsigned from = 0; from < 16; from++) {
        double sum = 0;
        for (unsigned to = 0; to < 16; to++)
            sum += routing[16 * from + to];
        NEAR(sum, 1, 1e-12);
        cr_assert_eq(routing[17 * from], 0);
    }
    NEAR(routing[10 * 16 + 9], 0.4 / 4 + 0.6 / 15, 1e-12); /* the hot one itself */
    NEAR(routing[1], 0.9 * (0.4 / 4 + 0.6 / 15), 1e-12);
    NEAR(routing[2], 0.9 * 0.6 / 15, 1e-12);
    NEAR(routing[10], 0.9 * 0.6 / 15 + 0.1, 1e-12);
    cr_assert_not(net_shared_routing(graph, 0, 0.1, 16, routing, NULL));
    cr_assert_not(net_shared_routing(graph, 1.1, 0, 0, routing, NULL));
    net_graph_destroy(graph);
}

Test(shared, mirrors_change_nothing) {
    SharedProblem problem = problem_of(4, 40, 4, 4.8);
    for (unsigned i = 0; i < 3; i++) {
        const char *const networks[] = {"torus=5x4,links=multiple", "torus=4x4,ends=0",
                                        "torus=4x4"};
        problem.no_symmetry = false;
        Solved with = solved(networks[i], problem);
        problem.no_symmetry = true;
        Solved without = solved(networks[i], problem);
        cr_assert_eq(with.graph->mirrors, 2);
        NEAR(with.result.efficiency, without.result.efficiency, 1e-6);
        done(&with);
        done(&without);
    }
}

static bool stop_third(void *context) {
    return ++*(unsigned *)context == 3;
}

Test(shared, stops_when_asked) {
    SharedProblem problem = net_shared_problem_default();
    unsigned asked = 0;
    problem.stop = stop_third;
    problem.context = &asked;
    Solved s = solved("torus=2x3", problem);
    cr_expect_eq(s.result.state, MODEL_STOPPED);
    cr_expect(asked == 3 && s.result.sweeps == 3);
    done(&s);
}

/* ---- open networks --------------------------------------------------------------- */

static SharedProblem open_of(double rate, unsigned length) {
    SharedProblem problem = net_shared_problem_default();
    problem.rate = rate;
    problem.pair[0].request = length;
    return problem;
}

/* Mean wires between two nodes of a torus of k x k: all pairs, the shorter way. */
static double mean_way(unsigned k) {
    double sum = 0;
    for (unsigned a = 0; a < k; a++)
        sum += a < k - a ? a : k - a;
    return 2 * sum / k * k * k / (k * k - 1.0);
}

Test(shared, open_and_empty) {
    Solved s = solved(many, open_of(1e-9, 12));
    NEAR(s.result.network, mean_way(8) + 2 + 11, 1e-6);
    cr_assert(isnan(s.result.efficiency) && isnan(s.result.processor[5].efficiency));
    cr_assert_eq(s.result.throughput, 1e-9);
    done(&s);
}

/* A closed network whose customers are nearly all at home sends at random times. Its
 * memories take no time and its replies are of a flit. */
Test(shared, open_as_a_closed_one_of_many_customers) {
    const double rate = 0.01;
    Solved open = solved("torus=4x4,links=multiple", open_of(rate, 12));
    double load = 0;
    for (uint32_t i = 0; i < open.result.wires; i++)
        load += open.result.load[i];
    NEAR(load, 16 * rate * 12 * mean_way(4), 1e-9);
    SharedProblem problem = net_shared_problem_default();
    problem.customers = 4000;
    problem.service = 1 / rate;
    problem.pair[0] = (SharedPair){12, 1, 1, 0, 0};
    problem.pair[1] = (SharedPair){12, 1, 0, 0, 0};
    Solved closed = solved("torus=4x4,links=multiple", problem);
    cr_assert_eq(closed.result.state, MODEL_SOLVED);
    NEAR(closed.result.throughput, 2 * rate, 1e-3);
    /* a reply waits as long as a request, and its flit adds 2 % to the waits of both;
     * 0.4 % more if the open one left out a customer */
    const double more = open.result.network - 2 - mean_way(4) - 11;
    const double with_replies = closed.result.network - 2 * (mean_way(4) + 2) - 11;
    WITHIN(with_replies / more, 2, 2.05);
    done(&open);
    done(&closed);
}

/* Snakes of the thesis send at the same rate everywhere. With its terms and fair
 * routers the two solvers have the same equations, on the same graph, but for the wait
 * for the source, where one customer of all is left out. */
Test(shared, terms_of_the_thesis_give_its_waits) {
    AmvaProblem closed = snakes(2, 45);
    closed.fair = true;
    Solution theirs = solve(4, 3, 2, closed);
    SharedProblem problem = open_of(theirs.result.rate, 8);
    problem.tolerance = 1e-9;
    cr_assert(net_shared_terms("thesis", &problem.terms));
    Solved s = {.graph = mesh_graph(4, 3, 2)};
    JmError error;
    cr_assert(net_shared_solve(s.graph, &problem, &s.result, &error), "%s", error.text);
    cr_assert_eq(s.result.state, MODEL_SOLVED);
    for (unsigned i = 0; i < 24; i++)
        NEAR(s.result.processor[i].network - s.result.processor[i].node_wait,
             theirs.result.node[i].network_time - theirs.result.node[i].request_wait,
             1e-6);
    /* as AV have it, waits are shorter */
    problem.terms = (SharedTerms){0};
    Solved plain = {.graph = mesh_graph(4, 3, 2)};
    cr_assert(net_shared_solve(plain.graph, &problem, &plain.result, &error));
    cr_assert_lt(plain.result.network, 0.98 * s.result.network);
    done(&s);
    done(&plain);
    free_solution(&theirs);
}

Test(shared, open_waits_grow_with_the_rate) {
    /* Half the rate is a little less than half the waits. */
    Solved low = solved(many, open_of(0.001, 12)),
           high = solved(many, open_of(0.002, 12));
    const double empty = mean_way(8) + 13;
    WITHIN((high.result.network - empty) / (low.result.network - empty), 2, 2.2);
    done(&low);
    done(&high);
    Solved full = solved("torus=4x4,links=multiple", open_of(0.5, 12));
    cr_assert_neq(full.result.state, MODEL_SOLVED);
    done(&full);
}
