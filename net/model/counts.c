/* Counts of the states of a closed network. */
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "net/model/counts.h"

double net_model_ln_s(unsigned servers, unsigned customers) {
    if (servers == 0)
        return customers == 0 ? 0.0 : -INFINITY;
    return gsl_sf_lnchoose(servers + customers - 1, customers);
}

/* ---- tilted rows ----------------------------------------------------------------- */

double counts_scale(double p, unsigned queue) {
    /* (1-p) / (1 - p^(q+1)) by the sum 1 + p + .. + p^q where p is near 1. */
    if (1 - p > 1e-3)
        return (1 - p) / -expm1((queue + 1.0) * log(p));
    double sum = 0;
    for (double power = 1, left = queue + 1.0; left > 0 && power > 0; left--) {
        sum += power;
        power *= p;
    }
    return 1 / sum;
}

/* Computes row n from row n-1: v(k) = p v(k-1) + g old(k) - g p^(q+1) old(k-q-1). Row n
 * is zero beyond n q. Values that rounding makes slightly negative are clamped to 0. */
static void next_row(const double *old, double *row, size_t places, unsigned queue,
                     double p, double scale) {
    const size_t cut = (size_t)queue + 1 < places ? (size_t)queue + 1 : places;
    double v = 0;
    for (size_t k = 0; k < cut; k++)
        row[k] = v = p * v + scale * old[k];
    const double drop = scale * pow(p, queue + 1.0);
    for (size_t k = cut; k < places; k++) {
        v = p * v + (scale * old[k] - drop * old[k - cut]);
        v = v > 0 ? v : 0;
        row[k] = v;
    }
}

bool net_model_t_row(unsigned servers, unsigned customers, unsigned queue, double p,
                     double *row) {
    const size_t places = (size_t)customers + 1;
    double *const other = calloc(places, sizeof *other);
    if (!other)
        return false;
    memset(row, 0, places * sizeof *row);
    double *now = servers % 2 ? other : row, *next = servers % 2 ? row : other;
    now[0] = 1;
    const double scale = counts_scale(p, queue);
    for (unsigned n = 1; n <= servers; n++) {
        const double reach = (double)n * queue;
        const size_t used = reach < customers ? (size_t)reach + 1 : places;
        next_row(now, next, used, queue, p, scale);
        double *const swap = now;
        now = next;
        next = swap;
    }
    free(other);
    return true;
}

/* Returns the mean of a geometric variable truncated at q: sum i p^i / sum p^i. */
static double cut_mean(double p, unsigned queue) {
    const double n = queue + 1.0, left = 1 - p;
    if (left * n < 1e-3) /* to first order in 1-p */
        return queue / 2.0 - left * queue * (queue + 2.0) / 12;
    const double power = pow(p, n);
    return p / left - n * power / (1 - power);
}

double counts_tilt(unsigned servers, double customers, unsigned queue) {
    const double mean = customers / servers;
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        *(cut_mean(middle, queue) < mean ? &low : &high) = middle;
    }
    return high;
}

bool counts_check(double servers, double customers, JmError *error) {
    if (servers < 1 || servers > MODEL_MAX_SERVERS)
        return jm_fail(error, NULL, "%.0f servers: there can be 1 to %d", servers,
                       MODEL_MAX_SERVERS);
    if (customers < 0 || customers > MODEL_MAX_CUSTOMERS)
        return jm_fail(error, NULL, "%.0f customers: there can be 0 to %d", customers,
                       MODEL_MAX_CUSTOMERS);
    if (servers * customers > MODEL_MAX_STEPS)
        return jm_fail(error, NULL,
                       "%.0f servers and %.0f customers are too many: their product "
                       "may be %.0e at most",
                       servers, customers, MODEL_MAX_STEPS);
    return true;
}

bool net_model_ln_t(unsigned servers, unsigned customers, unsigned queue, double *ln_t,
                    JmError *error) {
    double k = customers;
    const double reach = (double)servers * queue;
    *ln_t = k > 0 ? -INFINITY : 0;
    if (k > reach || k <= 0)
        return true;
    if (k > reach / 2)
        k = reach - k;
    *ln_t = 0;
    if (k <= 0)
        return true;
    if (!counts_check(servers, k, error))
        return false;
    double *const row = malloc(((size_t)k + 1) * sizeof *row);
    const double p = counts_tilt(servers, k, queue);
    const bool good = row && net_model_t_row(servers, (unsigned)k, queue, p, row);
    if (good)
        *ln_t =
            log(row[(size_t)k]) - k * log(p) - servers * log(counts_scale(p, queue));
    free(row);
    return good || jm_fail_memory(error, NULL, "no memory for %.0f customers", k);
}
