/* Queueing models of Lethin's thesis, chapter 3: how often some queue of a machine
 * overflows. Part of libjmodel.a, which needs GSL; anyone may include this header.
 *
 * A closed network has N servers and K customers, m = K/N on each. A server overflows
 * when more than Q customers are at it, including the one in service. The network is
 * uniform when all servers are equally fast and a customer goes to each of the N with
 * the same probability, including the one it is at. Equation numbers are the thesis's.
 * Overflow rates are per service of one processor.
 *
 * Functions keep no state. Functions that need memory return false and an error if it
 * runs out or if the system is out of range; the others take any argument in the stated
 * range. Probabilities are 0..1; ln is the natural logarithm, and -INFINITY stands for
 * ln 0. */
#ifndef JM_NET_MODEL_QUEUEING_H
#define JM_NET_MODEL_QUEUEING_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/core/status.h"

enum {
    MODEL_MAX_SERVERS = 1 << 20,
    MODEL_MAX_CUSTOMERS = 1 << 24,
};
/* Upper bound on the work of a count, servers times customers: about a minute. */
#define MODEL_MAX_STEPS 1e10

/* ---- counts of states (3.3.1, 3.3.2) --------------------------------------------- */

/* Returns ln s(n,k), s = C(n+k-1, k): ways to place k customers on n servers (3.1). */
double net_model_ln_s(unsigned servers, unsigned customers);

/* t(n,k,q) is s(n,k) with at most q customers at each server. Computes the row T(n,
 * 0..k) = t(n, ., q) p^. g^n, g = (1-p) / (1 - p^(q+1)): the probability that n
 * geometric variables, each truncated at q, have a given sum. No T overflows, and those
 * near the mean do not underflow. `row` has k+1 places, 0 < p <= 1 (at p = 1 the limit
 * g = 1/(q+1)). False if out of memory. */
bool net_model_t_row(unsigned servers, unsigned customers, unsigned queue, double p,
                     double *row);

/* Computes ln t(n,k,q); the relative error of t is about 1e-11 at n = 512, k =
 * 13000. */
bool net_model_ln_t(unsigned servers, unsigned customers, unsigned queue, double *ln_t,
                    JmError *error);

/* ---- overflow of a uniform network (3.3.3 to 3.3.6) ------------------------------ */

/* A uniform closed network. */
typedef struct {
    unsigned servers;   /* N, 1 .. MODEL_MAX_SERVERS */
    unsigned customers; /* K, 0 .. MODEL_MAX_CUSTOMERS; N K <= MODEL_MAX_STEPS */
    unsigned queue;     /* Q >= 1 */
} ModelClosed;

/* Computes P(no server overflows) = t/s (3.19). */
bool net_model_p_no_overflow(ModelClosed system, double *p, JmError *error);

/* Rates of overflow, per service of one processor. */
typedef struct {
    double upper; /* (3.50): as if every other server could send */
    double exact; /* without the senders that are empty */
    double first; /* only the first term of (3.50); (3.51) with t(N-1, ..) corrected */
} ModelRates;

/* Computes the overflows per service of one processor. The sum (3.50) over the number
 * of full servers collapses to one term, (N-1) t(N-1, K-Q, Q) / s: over all states
 * without overflow, the number of full servers totals N t(N-1, K-Q, Q). */
bool net_model_overflow_rates(ModelClosed system, ModelRates *rates, JmError *error);

/* Returns the product of the marginal probabilities, an upper bound of P(no overflow):
 * (1 - s(N, K-Q-1) / s(N, K))^N. */
double net_model_p_product(ModelClosed system);

/* ---- estimate by run lengths (3.3.4) --------------------------------------------- */

/* Returns P(no overflow) = exp(-N (m/(m+1))^(Q+1)) (3.33); m > 0. */
double net_model_run_length_p(double servers, double per_server, double queue);
/* Returns the Q for which overflow has the probability `share`, 0 < share < 1 (3.36),
 * which counts one more place than (3.33); at most N m, the total number of
 * customers. */
double net_model_run_length_q(double servers, double per_server, double share);
/* Returns the m for which overflow has the probability `share` (3.37). */
double net_model_run_length_m(double servers, double queue, double share);

/* ---- slow servers (3.4) ---------------------------------------------------------- */

/* N servers, of which `slow` have B times the load of the others. */
typedef struct {
    ModelClosed system;
    double load;   /* B > 0 */
    unsigned slow; /* 0 .. N */
    double *ln_g;  /* ln G(0..K): Buzen's normalisation constants */
} ModelSlow;

/* Finds G by convolution, adding the slow servers one by one: G'(k) = G(k) + B G'(k-1).
 * Free it with net_model_slow_free(), even after a failure. */
bool net_model_slow_solve(ModelSlow *slow, ModelClosed system, double load,
                          unsigned count, JmError *error);
void net_model_slow_free(ModelSlow *slow);

/* The next three concern the first slow server; 0 if q > K. */
double net_model_slow_p_ge(const ModelSlow *slow, unsigned q); /* P(k_1 >= q) (3.87) */
/* P(k_1 = q): with q = Q, overflows per service (3.91). */
double net_model_slow_p_equal(const ModelSlow *slow, unsigned q);
double net_model_slow_mean(const ModelSlow *slow); /* mean customers, E[k_1] */

/* Returns the customers per server up to which P(k_1 <= Q) > A P(k_1 > Q) for a server
 * of load B (3.85): 1/(B A^(1/Q) - 1), for B A^(1/Q) > 1. */
double net_model_threshold_m(double load, double queue, double assurance);

#endif
