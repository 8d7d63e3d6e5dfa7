/* Counts of states: the thesis's tables 3.1 to 3.3, and the forms of t against each
 * other. */
#include "net/model/queueing.h"
#include "numbers.h"
#include "oracles.h"

enum { FREE = 100 }; /* a queue that no customers of the tables fill */

typedef struct {
    unsigned n, k, count;
} Cell;

static const Cell table_3_1[] = {
    {0, 0, 1},  {0, 1, 0},  {0, 2, 0}, {0, 3, 0},  {0, 5, 0},  {0, 6, 0}, {0, 7, 0},
    {1, 0, 1},  {1, 1, 1},  {1, 2, 1}, {1, 3, 1},  {1, 4, 1},  {1, 6, 1}, {1, 7, 1},
    {2, 0, 1},  {2, 1, 2},  {2, 2, 3}, {2, 3, 4},  {2, 4, 5},  {2, 5, 6}, {2, 7, 8},
    {3, 0, 1},  {3, 1, 3},  {3, 2, 6}, {3, 3, 10}, {3, 4, 15}, {4, 0, 1}, {4, 1, 4},
    {4, 3, 20}, {4, 4, 35}, {5, 0, 1}, {5, 1, 5},
};

static const Cell table_3_2[] = {
    {0, 0, 1}, {0, 1, 0}, {0, 2, 0},  {0, 3, 0},  {0, 4, 0}, {0, 6, 0}, {0, 7, 0},
    {1, 0, 1}, {1, 1, 1}, {1, 2, 0},  {1, 3, 0},  {1, 4, 0}, {1, 6, 0}, {1, 7, 0},
    {2, 0, 1}, {2, 1, 2}, {2, 2, 1},  {2, 3, 0},  {2, 4, 0}, {2, 6, 0}, {2, 7, 0},
    {3, 0, 1}, {3, 1, 3}, {3, 2, 3},  {3, 3, 1},  {3, 4, 0}, {3, 6, 0}, {3, 7, 0},
    {4, 0, 1}, {4, 1, 4}, {4, 2, 6},  {4, 3, 4},  {4, 4, 1}, {4, 6, 0}, {4, 7, 0},
    {5, 0, 1}, {5, 1, 5}, {5, 2, 10}, {5, 3, 10}, {5, 4, 5}, {5, 6, 0}, {5, 7, 0},
    {6, 0, 1}, {6, 1, 6},
};

static const Cell table_3_3[] = {
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

static void check_table(const Cell *cells, size_t count, unsigned queue) {
    for (const Cell *c = cells; c < cells + count; c++) {
        cr_assert_eq(t_exact(c->n, c->k, queue), c->count, "t(%u,%u)", c->n, c->k);
        cr_assert_float_eq(t_tilted(c->n, c->k, queue), c->count, 1e-9 * c->count,
                           "t(%u,%u)", c->n, c->k);
    }
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

Test(counts, thesis_tables_3_1_to_3_3) {
    check_table(table_3_1, COUNT(table_3_1), FREE);
    check_table(table_3_2, COUNT(table_3_2), 1);
    check_table(table_3_3, COUNT(table_3_3), 2);
    for (const Cell *c = table_3_1; c < table_3_1 + COUNT(table_3_1); c++)
        cr_assert_float_eq(exp(net_model_ln_s(c->n, c->k)), c->count, 1e-9 * c->count);
}

Test(counts, states_of_512_servers_and_1024_customers) {
    NEAR(net_model_ln_s(512, 1024) / log(10), 422 + log10(2.888), 1e-6);
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

Test(counts, systems_out_of_range_are_refused) {
    double ln_t;
    JmError error;
    cr_assert_not(net_model_ln_t(1 << 20, 1 << 20, 64, &ln_t, &error));
    cr_assert(strstr(error.text, "too many"));
    cr_assert_not(net_model_ln_t(1 << 21, 1, 64, &ln_t, &error));
    cr_assert_not(net_model_ln_t(2, (1u << 24) + 1, UINT32_MAX, &ln_t, &error));
}

Test(counts, t_512_512_64) {
    NEAR(t_tilted(512, 512, 64), 2.2406272e306, 1e-7);
}
