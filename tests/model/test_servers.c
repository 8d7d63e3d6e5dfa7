/* Small simulations of closed networks against formulas, and what the thesis says of
 * other services than exponential ones. */

#include "net/model/queueing.h"
#include "net/model/servers.h"
#include "rig.h"

static ServersResult simulate(ServersProblem problem) {
    ServersResult result;
    JmError error;
    cr_assert(net_servers_run(&problem, &result, &error), "%s", error.text);
    return result;
}

/* ---- three servers, four customers: 15 states ------------------------------------ */

enum { STATES = 15, VISITS = 25 }; /* (first, second) in 0..4 */

static void note(void *context, const uint32_t *customers, double time) {
    double *const shares = context;
    shares[customers[0] * 5 + customers[1]] += time;
}

/* Every placement of the customers is equally likely. */
Test(servers, placements_are_equally_likely) {
    double shares[VISITS] = {0};
    const double duration = 200000;
    simulate((ServersProblem){.servers = 3,
                              .customers = 4,
                              .queue = 4,
                              .slow = 1,
                              .duration = duration,
                              .seed = 1,
                              .observe = note,
                              .context = shares});
    double chi_square = 0;
    unsigned states = 0;
    for (unsigned i = 0; i < VISITS; i++) {
        if (i / 5 + i % 5 > 4) {
            cr_assert_eq(shares[i], 0);
            continue;
        }
        states++;
        /* As if the state were looked at anew after each service time. */
        const double wanted = duration / STATES;
        chi_square += (shares[i] - wanted) * (shares[i] - wanted) / wanted;
    }
    cr_assert_eq(states, STATES);
    cr_assert_lt(chi_square, 36.1, "chi-square %g", chi_square); /* 14 degrees, 0.1 % */
}

/* In synchronous steps of geometric services spread-out placements are more likely. */
Test(servers, synchronous_steps_spread_customers) {
    double shares[VISITS] = {0};
    const ServersProblem problem = {
        .servers = 3, .customers = 4, .seed = 1, .observe = note, .context = shares};
    JmError error;
    cr_assert(net_servers_step(&problem, 0.8, 300000, &error));
    const double stacked = shares[4 * 5] + shares[4] + shares[0];
    const double spread = shares[2 * 5 + 1] + shares[1 * 5 + 2] + shares[1 * 5 + 1];
    cr_assert_gt(spread, 2 * stacked);
}

/* ---- customers that go home ------------------------------------------------------ */

/* Of five servers e = 4 at home and 1 elsewhere (eq. 3.102). Two customers of the first
 * server are both there with weight 4 * 4 * 2!, one of them is with 2 * 4 * 4, neither
 * with 4 * 2! + 4 * 3. */
Test(servers, requests_come_home_after_every_visit) {
    static const double at_home[] = {0.5, (2 * 32 + 32) / 84.0};
    for (uint32_t customers = 1; customers <= 2; customers++) {
        const ServersProblem problem = {.servers = 5,
                                        .customers = customers,
                                        .queue = 2,
                                        .slow = 1,
                                        .requests = true,
                                        .duration = 200000,
                                        .seed = 1};
        const double mean = simulate(problem).mean_first;
        cr_assert_float_eq(mean, at_home[customers - 1], 0.01, "%g of %u at home", mean,
                           customers);
    }
}

/* At a slow server the customers of three homes wait for their turn. It sends its own
 * away for one service, another home, where it stays or goes on from with the same
 * probability: for x = 1 + (1 + x) / 2 = 3. */
Test(servers, requests_are_served_in_turn) {
    const ServersProblem problem = {.servers = 3,
                                    .customers = 3,
                                    .queue = 3,
                                    .slow = 40,
                                    .constant = true,
                                    .requests = true,
                                    .duration = 400000,
                                    .seed = 1};
    WITHIN(40 * (3 - simulate(problem).mean_first), 7.0 / 3 - 0.1, 7.0 / 3 + 0.1);
}

/* Weights of (first, second) by eq. 3.98 to 3.102: three servers, from each of which
 * one customer comes; the place of customer c is digit c. */
static double weigh(double *weights) {
    static const double factorial[] = {1, 1, 2, 6};
    double all = 0;
    for (unsigned state = 0; state < 27; state++) {
        const unsigned place[] = {state % 3, state / 3 % 3, state / 9};
        unsigned at[3] = {0};
        double weight = 1;
        for (unsigned c = 0; c < 3; c++) {
            at[place[c]]++;
            weight *= place[c] == c ? 2 : 1;
        }
        weight *= factorial[at[0]] * factorial[at[1]] * factorial[at[2]];
        weights[at[0] * 5 + at[1]] += weight;
        all += weight;
    }
    return all;
}

/* Customers of three homes are where the product form has them. */
Test(servers, requests_have_the_product_form) {
    double shares[VISITS] = {0}, weights[VISITS] = {0};
    const double all = weigh(weights), duration = 300000;
    simulate((ServersProblem){.servers = 3,
                              .customers = 3,
                              .queue = 3,
                              .slow = 1,
                              .requests = true,
                              .duration = duration,
                              .seed = 2,
                              .observe = note,
                              .context = shares});
    for (unsigned i = 0; i < VISITS; i++)
        cr_assert_float_eq(shares[i] / duration, weights[i] / all, 0.004,
                           "(%u, %u): %g, not %g", i / 5, i % 5, shares[i] / duration,
                           weights[i] / all);
}

/* A request goes to another server. */
Test(servers, requests_need_two_servers) {
    ServersResult result;
    JmError error;
    ServersProblem problem = {
        .servers = 1, .customers = 1, .slow = 1, .requests = true, .duration = 1};
    cr_assert_not(net_servers_run(&problem, &result, &error));
    cr_assert_str_eq(error.text, "requests need another server to go to");
    problem.servers = 2;
    cr_assert(net_servers_run(&problem, &result, &error));
}

/* ---- constant services ----------------------------------------------------------- */

static ServersProblem balanced(bool constant) {
    return (ServersProblem){.servers = 128,
                            .customers = 128 * 6,
                            .queue = 42,
                            .slow = 1,
                            .constant = constant,
                            .spread = 0.05,
                            .warm_up = 2000,
                            .duration = 10000,
                            .seed = 1};
}

/* Balanced, constant service overflows less, in number and in time. */
Test(servers, constant_service_overflows_less) {
    const ServersResult constant = simulate(balanced(true));
    const ServersResult exponential = simulate(balanced(false));
    cr_assert_gt(constant.overflow_entries, 0);
    cr_assert_lt(constant.overflow_entries, 0.7 * exponential.overflow_entries);
    cr_assert_lt(constant.overflow_share, 0.7 * exponential.overflow_share);
}

/* Small enough to come to an equilibrium: the formulas of chapter 3. */
Test(servers, overflow_agrees_with_the_formulas) {
    ServersProblem problem = {.servers = 8,
                              .customers = 24,
                              .queue = 7,
                              .slow = 1,
                              .warm_up = 50000,
                              .duration = 200000,
                              .seed = 2};
    const ServersResult result = simulate(problem);
    double p;
    ModelRates rates;
    JmError error;
    const ModelClosed system = {8, 24, 7};
    cr_assert(net_model_p_no_overflow(system, &p, &error));
    cr_assert(net_model_overflow_rates(system, &rates, &error));
    NEAR(result.overflow_share, 1 - p, 0.02);
    NEAR(result.overflow_entries, rates.exact, 0.03);
    NEAR(result.mean_first, 3, 0.03);
    problem.slow = 1.5;
    ModelSlow slow;
    cr_assert(net_model_slow_solve(&slow, system, 1.5, 1, &error));
    NEAR(simulate(problem).mean_first, net_model_slow_mean(&slow), 0.03);
    net_model_slow_free(&slow);
}

Test(servers, one_server_keeps_all) {
    const ServersResult result = simulate((ServersProblem){.servers = 1,
                                                           .customers = 3,
                                                           .queue = 2,
                                                           .slow = 2,
                                                           .constant = true,
                                                           .duration = 100.5,
                                                           .seed = 1});
    NEAR(result.mean_first, 3, 1e-12);
    NEAR(result.overflow_share, 1, 1e-12);
    WITHIN(result.services, 50, 51);
}
