/* Overflow of a uniform closed network: its probability and rate. */
#include <math.h>
#include <stdlib.h>

#include "net/model/counts.h"

static bool check_closed(ModelClosed system, JmError *error) {
    if (system.queue == 0)
        return jm_fail(error, NULL, "a queue has room for 1 customer or more");
    return counts_check(system.servers, system.customers, error);
}

bool net_model_p_no_overflow(ModelClosed system, double *p, JmError *error) {
    double ln_t;
    if (!check_closed(system, error) ||
        !net_model_ln_t(system.servers, system.customers, system.queue, &ln_t, error))
        return false;
    *p = fmin(1, exp(ln_t - net_model_ln_s(system.servers, system.customers)));
    return true;
}

/* Computes ln of the sum of t(n, k-q..k-1). With one more server that sum is t(n+1, k,
 * q) - t(n, k, q): the states in which the added server is not empty. */
static bool ln_window(unsigned servers, double k, unsigned queue, double *ln_sum,
                      JmError *error) {
    const double reach = (double)servers * queue;
    double low = fmax(0, k - queue), high = fmin(k - 1, reach);
    *ln_sum = -INFINITY;
    if (low > high)
        return true;
    if (low + high > reach) { /* the mirror image has fewer customers */
        const double swap = low;
        low = reach - high;
        high = reach - swap;
    }
    if (high <= 0) {
        *ln_sum = 0;
        return true;
    }
    if (!counts_check(servers, high, error))
        return false;
    const double p = counts_tilt(servers, fmin(high, reach / 2), queue);
    double *const row = malloc(((size_t)high + 1) * sizeof *row);
    const bool good = row && net_model_t_row(servers, (unsigned)high, queue, p, row);
    double sum = 0;
    for (double i = low; good && i <= high; i++)
        sum += row[(size_t)i] * pow(p, high - i);
    if (good)
        *ln_sum = log(sum) - high * log(p) - servers * log(counts_scale(p, queue));
    free(row);
    return good || jm_fail_memory(error, NULL, "no memory for %.0f customers", high);
}

/* Returns ln(e^a + e^b). */
static double ln_add(double a, double b) {
    const double high = fmax(a, b);
    return isinf(high) ? high : high + log1p(exp(fmin(a, b) - high));
}

bool net_model_overflow_rates(ModelClosed system, ModelRates *rates, JmError *error) {
    *rates = (ModelRates){0};
    if (!check_closed(system, error))
        return false;
    const unsigned n = system.servers, q = system.queue;
    if (n < 2 || system.customers < q)
        return true;
    const unsigned left = system.customers - q;
    double ln_busy, ln_idle, ln_first;
    if (!ln_window(n - 2, left, q, &ln_busy, error) ||
        !net_model_ln_t(n - 2, left, q, &ln_idle, error) ||
        !net_model_ln_t(n - 1, left, q - 1, &ln_first, error))
        return false;
    const double ln_each = log(n - 1) - net_model_ln_s(n, system.customers);
    rates->exact = exp(ln_each + ln_busy);
    rates->upper = exp(ln_each + ln_add(ln_busy, ln_idle));
    rates->first = exp(ln_each + ln_first);
    return true;
}

double net_model_p_product(ModelClosed system) {
    if (system.customers <= system.queue)
        return 1;
    const double ln_over =
        net_model_ln_s(system.servers, system.customers - system.queue - 1) -
        net_model_ln_s(system.servers, system.customers);
    return exp(system.servers * log1p(-exp(ln_over)));
}

/* ---- run lengths ----------------------------------------------------------------- */

double net_model_run_length_p(double servers, double per_server, double queue) {
    return exp(-servers * exp((queue + 1) * -log1p(1 / per_server)));
}

double net_model_run_length_q(double servers, double per_server, double share) {
    const double wanted = log(servers) - log(-log1p(-share));
    return fmin(wanted / log1p(1 / per_server), servers * per_server);
}

double net_model_run_length_m(double servers, double queue, double share) {
    return 1 / expm1(log(servers / -log1p(-share)) / (queue + 1));
}
