/* Counts of states: the thesis's table 3.3, and the forms of t against each other. */
#include "net/model/queueing.h"
#include "rig.h"

static const struct {
    unsigned n, k, count;
} table_3_3[] = {
    {0, 0, 1}, {0, 1, 0}, {0, 3, 0},  {0, 4, 0},  {0, 5, 0},  {0, 6, 0},  {0, 7, 0},
    {1, 0, 1}, {1, 1, 1}, {1, 3, 0},  {1, 4, 0},  {1, 5, 0},  {1, 6, 0},  {1, 7, 0},
    {2, 0, 1}, {2, 1, 2}, {2, 3, 2},  {2, 4, 1},  {2, 5, 0},  {2, 6, 0},  {2, 7, 0},
    {3, 0, 1}, {3, 1, 3}, {3, 3, 7},  {3, 4, 6},  {3, 5, 3},  {3, 6, 1},  {3, 7, 0},
    {4, 0, 1}, {4, 1, 4}, {4, 3, 16}, {4, 4, 19}, {4, 5, 16}, {4, 6, 10}, {4, 7, 4},
    {5, 0, 1}, {5, 1, 5}, {5, 3, 30}, {5, 4, 45}, {5, 5, 51}, {5, 6, 45}, {5, 7, 30},
    {6, 0, 1}, {6, 1, 6},
};

static double t_tilted(unsigned n, unsigned k, unsigned q) {
    double ln_t;
    JmError error;
    cr_assert(net_model_ln_t(n, k, q, &ln_t, &error), "%s", error.text);
    return exp(ln_t);
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

Test(counts, thesis_table_3_3) {
    for (size_t i = 0; i < COUNT(table_3_3); i++) {
        const unsigned n = table_3_3[i].n, k = table_3_3[i].k;
        const double count = table_3_3[i].count;
        cr_assert_eq(t_exact(n, k, 2), count, "t(%u,%u)", n, k);
        cr_assert_float_eq(t_tilted(n, k, 2), count, 1e-9 * count, "t(%u,%u)", n, k);
    }
}

enum { N = 6, K = 12 };

Test(counts, a_queue_that_cannot_fill_does_not_matter) {
    for (unsigned k = 0; k <= K; k++)
        NEAR(t_tilted(N, k, K), exp(net_model_ln_s(N, k)), 1e-9);
}

Test(counts, queues_cut_the_states_off) {
    for (unsigned q = 1; q <= 4; q++)
        for (unsigned k = 0; k <= N * q; k++)
            NEAR(t_tilted(N, k, q), t_exact(N, k, q), 1e-9);
    cr_assert_eq(t_tilted(N, N * 2 + 1, 2), 0);
}

/* Equations 3.24 and 3.28: (1 - z) / (1 - y - z), and (1 - y) / (1 - y - z + z y^(q+1))
 * with y for customers and z for servers. */
Test(counts, generating_functions_multiplied_out) {
    for (unsigned n = 2; n <= N; n++)
        for (unsigned k = 1; k <= K; k++) {
            NEAR(exp(net_model_ln_s(n, k)),
                 exp(net_model_ln_s(n - 1, k)) + exp(net_model_ln_s(n, k - 1)), 1e-9);
            for (unsigned q = 1; q <= 4; q++) {
                const double full = k > q ? t_tilted(n - 1, k - q - 1, q) : 0;
                NEAR(t_tilted(n, k, q) + full,
                     t_tilted(n - 1, k, q) + t_tilted(n, k - 1, q), 1e-9);
            }
        }
}

Test(counts, a_row_is_a_distribution) {
    double row[6 * 5 + 1];
    const double p[] = {0.2, 0.9, 0.9999, 1.0};
    for (size_t i = 0; i < COUNT(p); i++) {
        cr_assert(net_model_t_row(6, 30, 5, p[i], row));
        double sum = 0;
        for (unsigned k = 0; k <= 30; k++)
            sum += row[k];
        NEAR(sum, 1, 1e-12);
        NEAR(row[3] / row[0], t_exact(6, 3, 5) * pow(p[i], 3), 1e-9);
    }
}

/* With q = 1 a state says which k of n servers are busy. */
Test(counts, nothing_vanishes_in_large_systems) {
    double ln_t;
    JmError error;
    cr_assert(net_model_ln_t(20000, 10000, 1, &ln_t, &error));
    NEAR(ln_t, net_model_ln_s(10001, 10000), 1e-9);
}
