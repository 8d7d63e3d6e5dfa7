/* The model `closed`: a closed queueing network in equilibrium (thesis, chapter 3). */
#include <math.h>

#include "net/model/queueing.h"
#include "tools/exp/models/parts.h"

ModelClosed model_closed(const Settings *settings) {
    const double servers = settings_number(settings, "servers");
    const double customers = model_number_or(settings, "customers",
                                             settings_number(settings, "m") * servers);
    return (ModelClosed){.servers = (unsigned)servers,
                         .customers = (unsigned)fmin(customers + 0.5, UINT32_MAX / 2.0),
                         .queue = model_whole(settings, "overflow_above")};
}

bool model_closed_slow(ModelClosed system, const Settings *settings,
                       ClosedSlow *figures, JmError *error) {
    const unsigned servers = model_whole_or(settings, "slow_servers", 1);
    if (servers > system.servers)
        return jm_fail(error, "jm exp", "slow_servers=%u of %u", servers,
                       system.servers);
    ModelSlow slow;
    const bool good = net_model_slow_solve(
        &slow, system, settings_number(settings, "slow"), servers, error);
    if (good)
        *figures = (ClosedSlow){net_model_slow_mean(&slow),
                                net_model_slow_p_ge(&slow, system.queue),
                                net_model_slow_p_equal(&slow, system.queue)};
    net_model_slow_free(&slow);
    return good;
}

bool model_closed_uniform(ModelClosed system, ClosedUniform *figures, JmError *error) {
    const double n = system.servers, m = system.customers / n;
    double ln_t;
    if (!net_model_p_no_overflow(system, &figures->p_no_overflow, error) ||
        !net_model_ln_t(system.servers, system.customers, system.queue, &ln_t, error) ||
        !net_model_overflow_rates(system, &figures->rates, error))
        return false;
    figures->log10_s = net_model_ln_s(system.servers, system.customers) / log(10);
    figures->log10_t = ln_t / log(10);
    figures->p_run_length =
        system.customers == 0 ? 1 : net_model_run_length_p(n, m, system.queue);
    return true;
}

/* Adds the figures of a system with slow servers. */
static bool add_slow(ModelClosed system, const Settings *settings, Result *record,
                     JmError *error) {
    ClosedSlow figures;
    if (!model_closed_slow(system, settings, &figures, error))
        return false;
    result_add(record, "mean_first", figures.mean_first);
    result_add(record, "p_full", figures.p_full);
    result_add(record, "overflow_rate", figures.overflow_rate);
    return true;
}

/* Adds the figures of a system whose servers are identical. */
static bool add_uniform(ModelClosed system, Result *record, JmError *error) {
    ClosedUniform figures;
    if (!model_closed_uniform(system, &figures, error))
        return false;
    result_add(record, "p_no_overflow", figures.p_no_overflow);
    result_add(record, "log10_s", figures.log10_s);
    result_add(record, "log10_t", figures.log10_t);
    result_add(record, "p_run_length", figures.p_run_length);
    result_add(record, "p_product", net_model_p_product(system));
    result_add(record, "overflow_rate", figures.rates.upper);
    result_add(record, "rate_exact", figures.rates.exact);
    result_add(record, "rate_first", figures.rates.first);
    return true;
}

bool model_has_customers(const Settings *settings, JmError *error) {
    return model_closed(settings).customers > 0 ||
           jm_fail(error, "jm exp", "m=%s: there are no customers",
                   settings_text(settings, "m"));
}

bool solve_closed(ModelPoint *point, Result *record, JmError *error) {
    const Settings *settings = point->settings;
    const ModelClosed system = model_closed(settings);
    if (!model_has_customers(settings, error))
        return false;
    result_add(record, "per_node", system.customers / (double)system.servers);
    return settings_text(settings, "slow") ? add_slow(system, settings, record, error)
                                           : add_uniform(system, record, error);
}

/* The model `estimate`: the same figures estimated by run lengths (3.3.4). */
bool solve_estimate(ModelPoint *point, Result *record, JmError *error) {
    const Settings *settings = point->settings;
    const double servers = settings_number(settings, "servers");
    const double m = settings_number(settings, "m");
    const double queue = settings_number(settings, "overflow_above");
    const double share = settings_number(settings, "share");
    (void)error;
    result_add(record, "p_run_length", net_model_run_length_p(servers, m, queue));
    result_add(record, "queue_needed", net_model_run_length_q(servers, m, share));
    result_add(record, "most_per_node", net_model_run_length_m(servers, queue, share));
    return true;
}
