/* Closed networks with slow servers: Buzen's convolution; thresholds. */
#include <math.h>
#include <stdlib.h>

#include "net/model/counts.h"

/* Adds a server of load B to ln G(0..K). All terms are positive, so nothing cancels. */
static void add_server(double *ln_g, unsigned customers, double load) {
    const double ln_load = log(load);
    for (unsigned k = 1; k <= customers; k++) {
        const double with = ln_load + ln_g[k - 1], without = ln_g[k];
        const double high = fmax(with, without);
        ln_g[k] = high + log1p(exp(fmin(with, without) - high));
    }
}

bool net_model_slow_solve(ModelSlow *slow, ModelClosed system, double load,
                          unsigned count, JmError *error) {
    *slow = (ModelSlow){.system = system, .load = load, .slow = count};
    if (!counts_check(system.servers, system.customers, error))
        return false;
    if (!(load > 0) || isinf(load))
        return jm_fail(error, NULL, "a load of %g: it must be above 0", load);
    if (count > system.servers)
        return jm_fail(error, NULL, "%u slow servers of %u", count, system.servers);
    slow->ln_g = malloc((system.customers + (size_t)1) * sizeof *slow->ln_g);
    if (!slow->ln_g)
        return jm_fail_memory(error, NULL, "no memory for %u customers",
                              system.customers);
    for (unsigned k = 0; k <= system.customers; k++)
        slow->ln_g[k] = net_model_ln_s(system.servers - count, k);
    for (unsigned i = 0; i < count; i++)
        add_server(slow->ln_g, system.customers, load);
    return true;
}

void net_model_slow_free(ModelSlow *slow) {
    free(slow->ln_g);
    slow->ln_g = NULL;
}

double net_model_slow_p_ge(const ModelSlow *slow, unsigned q) {
    const unsigned all = slow->system.customers;
    if (q > all)
        return 0;
    return exp(fmin(q * log(slow->load) + slow->ln_g[all - q] - slow->ln_g[all], 0));
}

double net_model_slow_p_equal(const ModelSlow *slow, unsigned q) {
    const unsigned all = slow->system.customers;
    if (q >= all)
        return net_model_slow_p_ge(slow, q);
    const double ln_ratio =
        log(slow->load) + slow->ln_g[all - q - 1] - slow->ln_g[all - q];
    /* Through rounding the ratio may reach 1: the probability is then taken as 0. */
    return ln_ratio < 0 ? net_model_slow_p_ge(slow, q) * -expm1(ln_ratio) : 0;
}

double net_model_slow_mean(const ModelSlow *slow) {
    double sum = 0;
    for (unsigned q = 1; q <= slow->system.customers; q++)
        sum += net_model_slow_p_ge(slow, q);
    return sum;
}

double net_model_threshold_m(double load, double queue, double assurance) {
    return 1 / (load * exp(log(assurance) / queue) - 1);
}
