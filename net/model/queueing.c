/* The formulas of queueing.h. */
#include "net/model/queueing.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/heap.h"

/* ---- states: counts and tilted rows ---------------------------------------------- */

double net_model_ln_s(unsigned servers, unsigned customers) {
    if (servers == 0)
        return customers == 0 ? 0.0 : -INFINITY;
    return gsl_sf_lnchoose(servers + customers - 1, customers);
}

/* ---- tilted rows ----------------------------------------------------------------- */

/* Returns g of net_model_t_row(): (1-p) / (1 - p^(q+1)). */
static double scale_of(double p, unsigned queue) {
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

/* Returns the row of net_model_t_row(). */
static const double *find_row(Heap *heap, unsigned servers, unsigned customers,
                              unsigned queue, double p) {
    const size_t places = (size_t)customers + 1;
    double *now = heap_doubles(heap, places), *next = heap_doubles(heap, places);
    now[0] = 1;
    const double scale = scale_of(p, queue);
    for (unsigned n = 1; n <= servers; n++) {
        const double reach = (double)n * queue;
        const size_t used = reach < customers ? (size_t)reach + 1 : places;
        next_row(now, next, used, queue, p, scale);
        double *const swap = now;
        now = next;
        next = swap;
    }
    return now;
}

/* A row that is asked for. */
typedef struct {
    unsigned servers, customers, queue;
    double p;
    double *row;
} Row;

static void give_row(Heap *heap, void *context) {
    const Row *r = context;
    memcpy(r->row, find_row(heap, r->servers, r->customers, r->queue, r->p),
           ((size_t)r->customers + 1) * sizeof *r->row);
}

bool net_model_t_row(unsigned servers, unsigned customers, unsigned queue, double p,
                     double *row) {
    return heap_run(give_row, &(Row){servers, customers, queue, p, row});
}

/* Returns the mean of a geometric variable truncated at q: sum i p^i / sum p^i. */
static double cut_mean(double p, unsigned queue) {
    const double n = queue + 1.0, left = 1 - p;
    if (left * n < 1e-3) /* to first order in 1-p */
        return queue / 2.0 - left * queue * (queue + 2.0) / 12;
    const double power = pow(p, n);
    return p / left - n * power / (1 - power);
}

/* Returns the p in 0..1 for which the sum of `servers` geometric variables truncated at
 * `queue` has mean `customers`, for 0 < customers <= servers queue / 2. */
static double tilt(unsigned servers, double customers, unsigned queue) {
    const double mean = customers / servers;
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        *(cut_mean(middle, queue) < mean ? &low : &high) = middle;
    }
    return high;
}

/* Whether a system is small enough to be counted; otherwise an error. */
static bool check_size(double servers, double customers, JmError *error) {
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

/* A sum that is asked for. */
typedef struct {
    unsigned servers, queue;
    double low, high;
    double *ln_sum;
} Window;

static void sum_window(Heap *heap, void *context) {
    const Window *w = context;
    const double half = (double)w->servers * w->queue / 2;
    const double p = tilt(w->servers, fmin(w->high, half), w->queue);
    const double *row = find_row(heap, w->servers, (unsigned)w->high, w->queue, p);
    double sum = 0;
    for (double i = w->low; i <= w->high; i++)
        sum += row[(size_t)i] * pow(p, w->high - i);
    *w->ln_sum = log(sum) - w->high * log(p) - w->servers * log(scale_of(p, w->queue));
}

/* Computes ln of the sum of t(n, low..high). */
static bool ln_window(unsigned servers, double low, double high, unsigned queue,
                      double *ln_sum, JmError *error) {
    const double reach = (double)servers * queue;
    high = fmin(high, reach);
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
    return check_size(servers, high, error) &&
           (heap_run(sum_window, &(Window){servers, queue, low, high, ln_sum}) ||
            jm_fail_memory(error, NULL, "no memory for %.0f customers", high));
}

bool net_model_ln_t(unsigned servers, unsigned customers, unsigned queue, double *ln_t,
                    JmError *error) {
    return ln_window(servers, customers, customers, queue, ln_t, error);
}

/* ---- overflow of a uniform network ----------------------------------------------- */

static bool check_closed(ModelClosed system, JmError *error) {
    if (system.queue == 0)
        return jm_fail(error, NULL, "a queue has room for 1 customer or more");
    return check_size(system.servers, system.customers, error);
}

bool net_model_p_no_overflow(ModelClosed system, double *p, JmError *error) {
    double ln_t;
    if (!check_closed(system, error) ||
        !net_model_ln_t(system.servers, system.customers, system.queue, &ln_t, error))
        return false;
    *p = fmin(1, exp(ln_t - net_model_ln_s(system.servers, system.customers)));
    return true;
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
    /* With one more server the sum of t(n, k-q..k-1) is t(n+1, k, q) - t(n, k, q): the
     * states in which the added server is not empty. */
    if (!ln_window(n - 2, fmax(0, (double)left - q), left - 1.0, q, &ln_busy, error) ||
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

/* ---- slow servers: Buzen's convolution; thresholds ------------------------------- */

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
    if (!check_size(system.servers, system.customers, error))
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
