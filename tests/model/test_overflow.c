/* Overflow of closed networks: what chapter 3 of the thesis states. */

#include "net/model/queueing.h"
#include "rig.h"

enum { N = 512 };

static ModelClosed closed(unsigned servers, double per_server, unsigned queue) {
    return (ModelClosed){servers, (unsigned)(servers * per_server), queue};
}

static double p_none(ModelClosed system) {
    double p;
    JmError error;
    cr_assert(net_model_p_no_overflow(system, &p, &error), "%s", error.text);
    return p;
}

static ModelRates rates_of(ModelClosed system) {
    ModelRates rates;
    JmError error;
    cr_assert(net_model_overflow_rates(system, &rates, &error), "%s", error.text);
    return rates;
}

/* ---- probability of no overflow -------------------------------------------------- */

Test(overflow, example_of_five_servers) {
    NEAR(p_none((ModelClosed){5, 3, 1}), 10.0 / 35, 1e-12);
}

/* From exact integers. */
Test(overflow, probability_to_nine_digits) {
    NEAR(p_none(closed(N, 6, 64)), 0.9791359760927341, 1e-9);
    NEAR(p_none(closed(N, 9, 64)), 0.5833301926746729, 1e-9);
    NEAR(p_none(closed(N, 12, 128)), 0.9846797365128449, 1e-9);
    NEAR(p_none((ModelClosed){N, 13000, 64}), 3.315875514268364e-32, 1e-9);
}

Test(overflow, run_length_inversions) {
    NEAR(net_model_run_length_m(N, 64, 0.5), 9.35, 1e-3);
    NEAR(p_none(closed(N, 9.3, 64)), 0.512, 5e-3);
    NEAR(net_model_run_length_q(32768, 5, 0.5), 59.04, 1e-4);
    NEAR(net_model_run_length_q(32768, 5, 1e-4), 107.54, 1e-4);
    /* Queues longer than all customers never overflow, whatever is asked for. */
    cr_assert_eq(net_model_run_length_q(4, 5, 1e-300), 20);
}

/* ---- rates ----------------------------------------------------------------------- */

Test(overflow, rates_that_the_thesis_reads_off) {
    const ModelRates at2 = rates_of(closed(N, 2, 64));
    NEAR(at2.upper, 5.04e-10, 5e-3);
    NEAR(at2.exact, 3.29e-10, 5e-3);
    NEAR(rates_of(closed(N, 5, 128)).upper, 3.9e-9, 1e-2);
    const ModelRates at5 = rates_of(closed(N, 5, 64));
    NEAR(at5.upper, 6.63e-4, 5e-3);
    NEAR(at5.exact, 5.50e-4, 5e-3);
}

/* (3.50) as printed: a sum over the number i of full servers. */
static double sum_350(unsigned n, unsigned k, unsigned q) {
    double sum = 0, ways = 1; /* C(n,i) */
    for (unsigned i = 1; i <= n && i * q <= k; i++) {
        ways = ways * (n - i + 1) / i;
        sum += i * ways * t_exact(n - i, k - q * i, q - 1);
    }
    return (n - 1) * sum / (n * exp(net_model_ln_s(n, k)));
}

Test(overflow, the_sum_over_full_servers_is_one_term) {
    for (unsigned n = 2; n <= 6; n++)
        for (unsigned q = 1; q <= 3; q++)
            for (unsigned k = q; k <= n * q; k++)
                NEAR(rates_of((ModelClosed){n, k, q}).upper, sum_350(n, k, q), 1e-9);
}

/* (3.14): all states one by one, with all senders that are not empty. */
typedef struct {
    unsigned n, q, left, at, customers[6];
    double sum, states;
} Walk;

static void add_state(Walk *walk) {
    unsigned full = 0, able = 0;
    walk->states++;
    for (unsigned i = 0; i < walk->n; i++) {
        if (walk->customers[i] > walk->q)
            return;
        full += walk->customers[i] == walk->q;
        able += walk->customers[i] > 0;
    }
    /* Each full server is reached from every other that is not empty. */
    walk->sum += (double)full * (able - 1) / walk->n;
}

static void walk_states(Walk *walk) {
    if (walk->at + 1 == walk->n) {
        walk->customers[walk->at] = walk->left;
        add_state(walk);
        return;
    }
    const unsigned left = walk->left;
    for (unsigned k = 0; k <= left; k++) {
        walk->customers[walk->at++] = k;
        walk->left = left - k;
        walk_states(walk);
        walk->at--;
    }
    walk->left = left;
}

Test(overflow, exact_rate_counts_senders_that_are_not_empty) {
    for (unsigned n = 2; n <= 5; n++)
        for (unsigned q = 1; q <= 4; q++)
            for (unsigned k = 1; k <= 10; k++) {
                Walk walk = {.n = n, .q = q, .left = k};
                walk_states(&walk);
                const ModelRates rates = rates_of((ModelClosed){n, k, q});
                cr_assert_float_eq(rates.exact, walk.sum / walk.states, 1e-9,
                                   "n %u q %u k %u: %g, not %g", n, q, k, rates.exact,
                                   walk.sum / walk.states);
                cr_assert_leq(rates.exact, rates.upper * (1 + 1e-12));
            }
}

/* The first term is that of one full server: (3.51) with t(N-1, K-Q, Q-1). */
Test(overflow, first_term_is_of_one_full_server) {
    const ModelRates rates = rates_of((ModelClosed){5, 9, 3});
    NEAR(rates.first, 4 * t_exact(4, 6, 2) / exp(net_model_ln_s(5, 9)), 1e-9);
    cr_assert_lt(rates.first, rates.upper);
}

/* ---- slow servers ---------------------------------------------------------------- */

static ModelSlow slow_of(unsigned customers, double load, unsigned count) {
    ModelSlow slow;
    JmError error;
    cr_assert(net_model_slow_solve(&slow, (ModelClosed){N, customers, 64}, load, count,
                                   &error),
              "%s", error.text);
    return slow;
}

static double mean_of(unsigned customers, double load) {
    ModelSlow slow = slow_of(customers, load, 1);
    const double mean = net_model_slow_mean(&slow);
    net_model_slow_free(&slow);
    return mean;
}

static double p_ge_64(double per_server, double load, unsigned count) {
    ModelSlow slow = slow_of((unsigned)(N * per_server), load, count);
    const double p = net_model_slow_p_ge(&slow, 64);
    net_model_slow_free(&slow);
    return p;
}

Test(slow, mean_queue_of_table_3_5) {
    NEAR(mean_of(512, 2), 25.27, 5e-4);
    for (unsigned customers = 768; customers <= 2048; customers += 256) {
        const double wanted = customers - N / (2.0 - 1) + 1;
        cr_assert_float_eq(mean_of(customers, 2), wanted, 0.05);
    }
    NEAR(mean_of(2048, 1.1), 7.29, 1e-3);
    NEAR(mean_of(2560, 1.25), 516.0, 2e-4);
}

Test(slow, a_load_of_one_is_no_load) {
    ModelSlow slow = slow_of(300, 1, 2);
    for (unsigned k = 0; k <= 300; k++)
        cr_assert_float_eq(slow.ln_g[k], net_model_ln_s(N, k), 1e-9);
    NEAR(net_model_slow_mean(&slow), 300.0 / N, 1e-9);
    net_model_slow_free(&slow);
}

Test(slow, probabilities_add_up) {
    ModelSlow slow = slow_of(300, 1.5, 2);
    double sum = 0;
    for (unsigned q = 0; q <= 300; q++)
        sum += net_model_slow_p_equal(&slow, q);
    NEAR(sum, 1, 1e-9);
    cr_assert_eq(net_model_slow_p_ge(&slow, 301), 0);
    net_model_slow_free(&slow);
}

/* Two servers and two customers: states (2,0) (1,1) (0,2) weigh 9, 3 and 1 at B = 3. */
/* A queue that is almost certain to be full: rounding must not exceed certainty. */
Test(slow, no_probability_is_above_one_or_below_zero) {
    for (double load = 1.5; load < 9; load += 0.25) {
        ModelSlow slow;
        JmError error;
        cr_assert(
            net_model_slow_solve(&slow, (ModelClosed){64, 200, 16}, load, 1, &error));
        for (unsigned q = 0; q <= 200; q++) {
            const double least = net_model_slow_p_ge(&slow, q);
            const double equal = net_model_slow_p_equal(&slow, q);
            cr_assert(least <= 1 && !signbit(equal) && equal <= 1, "%g: %u", load, q);
        }
        net_model_slow_free(&slow);
    }
}

Test(slow, the_smallest_network) {
    ModelSlow slow;
    JmError error;
    cr_assert(net_model_slow_solve(&slow, (ModelClosed){2, 2, 1}, 3, 1, &error));
    NEAR(net_model_slow_p_equal(&slow, 0), 1.0 / 13, 1e-12);
    NEAR(net_model_slow_p_equal(&slow, 1), 3.0 / 13, 1e-12);
    NEAR(net_model_slow_p_equal(&slow, 2), 9.0 / 13, 1e-12);
    net_model_slow_free(&slow);
}

Test(slow, residency_jumps_at_the_threshold) {
    NEAR(p_ge_64(2, 1.5, 1), 0.253, 5e-3);
    NEAR(p_ge_64(2.1, 1.5, 1), 0.517, 5e-3);
    NEAR(p_ge_64(2.3, 1.5, 1), 0.951, 5e-3);
    NEAR(p_ge_64(9, 1.1, 1), 0.464, 5e-3);
    NEAR(p_ge_64(10, 1.1, 1), 0.795, 5e-3);
    NEAR(p_ge_64(2, 1.5, 2), 0.156, 5e-3);
    NEAR(p_ge_64(3, 1.5, 2), 0.876, 5e-3);
}

Test(slow, thresholds) {
    NEAR(net_model_threshold_m(1.1, 64, 1), 10, 1e-9);
    NEAR(net_model_threshold_m(1.5, 64, 1), 2, 1e-12);
    /* (3.85) with an assurance. */
    NEAR(net_model_threshold_m(1.5 * pow(1e3, -1.0 / 64), 64, 1e3), 2, 1e-9);
}

/* Below the threshold the odds are at least ((N+K) / (B K))^Q, what (3.86) assures, and
 * not much better. */
Test(slow, odds_are_as_assured) {
    for (double load = 1.1; load < 1.4; load += 0.1) {
        ModelSlow slow = slow_of(1024, load, 1);
        const double over = net_model_slow_p_ge(&slow, 65);
        const double assured = pow((512 + 1024) / (load * 1024), 64);
        WITHIN((1 - over) / over / assured, 1, 10);
        net_model_slow_free(&slow);
    }
}

/* Mean values and convolution are two ways to the same network. */
Test(slow, mean_values_agree_with_convolution) {
    double service[8], visits[8], queues[8];
    for (unsigned i = 0; i < 8; i++)
        service[i] = i == 0 ? 1.5 : 1, visits[i] = 1;
    mva_exact(8, service, visits, 0, 30, queues);
    ModelSlow slow;
    JmError error;
    cr_assert(net_model_slow_solve(&slow, (ModelClosed){8, 30, 64}, 1.5, 1, &error));
    NEAR(queues[0], net_model_slow_mean(&slow), 1e-9);
    net_model_slow_free(&slow);
}
