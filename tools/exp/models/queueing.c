/* The models `closed` and `estimate`, a closed queueing network in equilibrium, and
 * `servers`, the same simulated (thesis, chapter 3). */
#include "net/model/queueing.h"

#include <math.h>
#include <stdlib.h>

#include "net/model/servers.h"
#include "tools/exp/models/parts.h"
#include "tools/host/memory.h"

/* ---- closed, estimate ------------------------------------------------------------ */

static ModelClosed closed_of(const Settings *settings) {
    const double servers = settings_number(settings, "servers");
    const double customers = model_number_or(settings, "customers",
                                             settings_number(settings, "m") * servers);
    return (ModelClosed){.servers = (unsigned)servers,
                         .customers = (unsigned)fmin(customers + 0.5, UINT32_MAX / 2.0),
                         .queue = model_whole(settings, "overflow_above")};
}

/* Adds the figures of the first of the slow servers. */
static bool add_slow(ModelClosed system, const Settings *settings, Result *record,
                     JmError *error) {
    const unsigned servers = model_whole_or(settings, "slow_servers", 1);
    if (servers > system.servers)
        return jm_fail(error, NULL, "slow_servers=%u of %u", servers, system.servers);
    ModelSlow slow;
    const bool good = net_model_slow_solve(
        &slow, system, settings_number(settings, "slow"), servers, error);
    if (good) {
        result_add(record, "mean_first", net_model_slow_mean(&slow));
        result_add(record, "p_full", net_model_slow_p_ge(&slow, system.queue));
        result_add(record, "overflow_rate",
                   net_model_slow_p_equal(&slow, system.queue));
    }
    net_model_slow_free(&slow);
    return good;
}

/* Adds the figures of a system whose servers are identical. */
static bool add_uniform(ModelClosed system, Result *record, JmError *error) {
    const double n = system.servers, m = system.customers / n;
    double p_no_overflow, ln_t;
    ModelRates rates;
    if (!net_model_p_no_overflow(system, &p_no_overflow, error) ||
        !net_model_ln_t(system.servers, system.customers, system.queue, &ln_t, error) ||
        !net_model_overflow_rates(system, &rates, error))
        return false;
    result_add(record, "p_no_overflow", p_no_overflow);
    result_add(record, "log10_s",
               net_model_ln_s(system.servers, system.customers) / log(10));
    result_add(record, "log10_t", ln_t / log(10));
    result_add(record, "p_run_length",
               m > 0 ? net_model_run_length_p(n, m, system.queue) : 1);
    result_add(record, "p_product", net_model_p_product(system));
    result_add(record, "overflow_rate", rates.upper);
    result_add(record, "rate_exact", rates.exact);
    result_add(record, "rate_first", rates.first);
    return true;
}

/* Refuses points that `m` leaves without customers. */
static bool has_customers(const Settings *settings, JmError *error) {
    return settings_text(settings, "customers") || closed_of(settings).customers > 0 ||
           jm_fail(error, NULL, "m=%s: there are no customers",
                   settings_text(settings, "m"));
}

bool solve_closed(ModelPoint *point, Result *record, JmError *error) {
    const Settings *settings = point->settings;
    const ModelClosed system = closed_of(settings);
    if (!has_customers(settings, error))
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

/* ---- servers: states ------------------------------------------------------------- */

/* Time is recorded by state for networks with few states. The code of a state is a
 * number whose digits, in base K+1, are the customers at all servers but the last. */
enum { CODES_MAX = 65536 };

/* The time spent in each state. */
typedef struct {
    unsigned servers, customers;
    unsigned codes;
    double *time; /* by code; NULL: not kept */
} States;

/* Prepares to record states, unless there are too many. */
static States open_states(unsigned servers, unsigned customers) {
    double codes = 1;
    for (unsigned i = 0; i + 1 < servers && codes <= CODES_MAX; i++)
        codes *= customers + 1;
    States states = {.servers = servers, .customers = customers};
    if (codes <= CODES_MAX) {
        states.codes = (unsigned)codes;
        states.time = memory_array(states.codes, sizeof *states.time);
    }
    return states;
}

/* Receives a state from the simulation. */
static void note(void *context, const uint32_t *customers, double time) {
    States *states = context;
    unsigned code = 0;
    for (unsigned i = 0; i + 1 < states->servers; i++)
        code = code * (states->customers + 1) + customers[i];
    states->time[code] += time;
}

/* Returns the sum of the squares of the customers at each server; 0 if the code is not
 * a state, because it has too many customers. */
static unsigned squares(const States *states, unsigned code) {
    unsigned left = states->customers, sum = 0;
    for (unsigned i = 0; i + 1 < states->servers; i++) {
        const unsigned here = code % (states->customers + 1);
        code /= states->customers + 1;
        if (here > left)
            return 0;
        left -= here;
        sum += here * here;
    }
    return sum + left * left;
}

/* Returns the mean time of the states with this sum of squares. */
static double mean_time(const States *states, unsigned wanted) {
    double sum = 0;
    unsigned count = 0;
    for (unsigned code = 0; code < states->codes; code++)
        if (squares(states, code) == wanted) {
            sum += states->time[code];
            count++;
        }
    return sum / count;
}

/* Adds the deviation of the times from equal ones, as if the state were drawn anew in
 * each mean service, and the ratio of the mean time of states with all customers at one
 * server to that of states which spread them evenly. */
static void add_states(const States *states, Result *record) {
    double all = 0, chi_square = 0;
    unsigned count = 0;
    for (unsigned code = 0; code < states->codes; code++) {
        all += states->time[code];
        count += squares(states, code) > 0;
    }
    for (unsigned code = 0; code < states->codes; code++)
        if (squares(states, code) > 0)
            chi_square += pow(states->time[code] - all / count, 2) / (all / count);
    const unsigned n = states->servers, k = states->customers;
    const unsigned each = k / n, more = k % n;
    const unsigned even = (n - more) * each * each + more * (each + 1) * (each + 1);
    result_add(record, "chi_square", chi_square);
    result_add(record, "stacked", mean_time(states, k * k) / mean_time(states, even));
}

/* ---- the first server ------------------------------------------------------------ */

/* The customers at the first server. */
typedef struct {
    uint32_t queue;
    double full, all; /* time with so many or more there; total time */
} First;

static void note_first(void *context, const uint32_t *customers, double time) {
    First *first = context;
    first->full += customers[0] >= first->queue ? time : 0;
    first->all += time;
}

/* ---- simulating ------------------------------------------------------------------ */

/* Simulates the system and adds its means to the record. */
static bool simulate(const ServersProblem *problem, Result *record, JmError *error) {
    ServersResult result;
    if (!net_servers_run(problem, &result, error))
        return false;
    result_add(record, "mean_first", result.mean_first);
    result_add(record, "p_no_overflow", 1 - result.overflow_share);
    result_add(record, "overflow_rate", result.overflow_entries);
    record->services = result.services;
    return true;
}

static ServersProblem problem_of(const Settings *settings, uint64_t seed) {
    const ModelClosed system = closed_of(settings);
    return (ServersProblem){.servers = system.servers,
                            .customers = system.customers,
                            .queue = system.queue,
                            .slow = model_number_or(settings, "slow", 1),
                            .constant = settings_has(settings, "service", "constant"),
                            .requests = settings_has(settings, "requests", "1"),
                            .spread = model_number_or(settings, "spread", 0.05),
                            .warm_up = settings_number(settings, "warm_up"),
                            .duration = settings_number(settings, "time"),
                            .seed = seed};
}

bool solve_servers(ModelPoint *point, Result *record, JmError *error) {
    const Settings *settings = point->settings;
    const bool synchronous = settings_has(settings, "service", "synchronous");
    ServersProblem problem = problem_of(settings, point->seed);
    if (!has_customers(settings, error))
        return false;
    States states = open_states(problem.servers, problem.customers);
    First first = {.queue = problem.queue};
    problem.observe = states.time ? note : note_first;
    problem.context = states.time ? (void *)&states : (void *)&first;
    result_add(record, "per_node", problem.customers / (double)problem.servers);
    const bool good = synchronous
                          ? net_servers_step(&problem, settings_number(settings, "end"),
                                             (uint64_t)problem.duration, error)
                          : simulate(&problem, record, error);
    if (good && states.time)
        add_states(&states, record);
    else if (good)
        result_add(record, "p_full", first.full / first.all);
    free(states.time);
    return good;
}
