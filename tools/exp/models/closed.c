/* The model `closed`: a closed queueing network in equilibrium (thesis, chapter 3). */
#include <math.h>

#include "net/model/queueing.h"
#include "tools/exp/models/parts.h"

/* Adds the figures of a system with slow servers. */
static bool add_slow(ModelClosed system, const Settings *settings, json_t *record,
                     JmError *error) {
    const char *count = settings_text(settings, "slow_servers");
    const unsigned servers =
        count ? (unsigned)settings_number(settings, "slow_servers") : 1;
    if (servers > system.servers)
        return jm_fail(error, "jm exp", "slow_servers=%u of %u", servers,
                       system.servers);
    ModelSlow slow;
    const bool good = net_model_slow_solve(
        &slow, system, settings_number(settings, "slow"), servers, error);
    if (good) {
        model_add(record, "mean_first", net_model_slow_mean(&slow));
        model_add(record, "p_full", net_model_slow_p_ge(&slow, system.queue));
        model_add(record, "overflow_rate", net_model_slow_p_equal(&slow, system.queue));
    }
    net_model_slow_free(&slow);
    return good;
}

/* Adds the figures of a system whose servers are identical. */
static bool add_uniform(ModelClosed system, json_t *record, JmError *error) {
    double p, ln_t;
    ModelRates rates;
    if (!net_model_p_no_overflow(system, &p, error) ||
        !net_model_ln_t(system.servers, system.customers, system.queue, &ln_t, error) ||
        !net_model_overflow_rates(system, &rates, error))
        return false;
    const double n = system.servers, m = system.customers / n;
    model_add(record, "p_no_overflow", p);
    model_add(record, "log10_s",
              net_model_ln_s(system.servers, system.customers) / log(10));
    model_add(record, "log10_t", ln_t / log(10));
    model_add(record, "p_run_length", net_model_run_length_p(n, m, system.queue));
    model_add(record, "p_product", net_model_p_product(system));
    model_add(record, "overflow_rate", rates.upper);
    model_add(record, "rate_exact", rates.exact);
    model_add(record, "rate_first", rates.first);
    return true;
}

bool solve_closed(ModelPoint *point, json_t *record, JmError *error) {
    const Settings *settings = point->settings;
    ModelClosed system = {.servers = model_servers_of(settings),
                          .queue =
                              (unsigned)settings_number(settings, "overflow_above")};
    if (!model_customers_of(settings, &system.customers, error))
        return false;
    model_add(record, "per_node", system.customers / (double)system.servers);
    return settings_text(settings, "slow") ? add_slow(system, settings, record, error)
                                           : add_uniform(system, record, error);
}

/* The model `estimate`: the same figures estimated by run lengths (3.3.4). */
bool solve_estimate(ModelPoint *point, json_t *record, JmError *error) {
    const Settings *settings = point->settings;
    const double servers = settings_number(settings, "servers");
    const double m = settings_number(settings, "m");
    const double queue = settings_number(settings, "overflow_above");
    const double share = settings_number(settings, "share");
    (void)error;
    model_add(record, "p_run_length", net_model_run_length_p(servers, m, queue));
    model_add(record, "queue_needed", net_model_run_length_q(servers, m, share));
    model_add(record, "most_per_node", net_model_run_length_m(servers, queue, share));
    return true;
}
