/* The overflow rate of a balanced closed network, by counting placements. */
#include "tools/exp/measure/balanced.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdlib.h>

/* Returns ln s(n, k), the logarithm of the number of ways to place k customers on n
 * servers (eq. 3.1). The numbers have hundreds of digits, but only their ratios are
 * needed. */
static double log_placements(double n, double k) {
    return gsl_sf_lnchoose((unsigned)(n + k - 1), (unsigned)k);
}

/* Returns t(n, k, q) / e^scale, where t is the number of placements with at most q
 * customers on each server, by inclusion and exclusion over the servers that hold more.
 * The terms fall fast where overflows are rare. */
static double bounded_placements(double n, double k, double q, double scale) {
    double sum = 0;
    for (double full = 0; full <= n && full * (q + 1) <= k; full++) {
        const double log_term = gsl_sf_lnchoose((unsigned)n, (unsigned)full) +
                                log_placements(n, k - full * (q + 1)) - scale;
        sum += fmod(full, 2) == 0 ? exp(log_term) : -exp(log_term);
    }
    return sum;
}

double balanced_overflow_rate(unsigned servers, unsigned each, unsigned queue) {
    const double n = servers, customers = n * each, q = queue;
    const double all = log_placements(n, customers);
    double sum = 0;
    for (double full = 1; full < n && full * q <= customers; full++)
        sum +=
            full * bounded_placements(n - full, customers - full * q, q - 1,
                                      all - gsl_sf_lnchoose(servers, (unsigned)full));
    return (n - 1) / n * sum;
}

double statistic_balanced(const Selection *s) {
    return balanced_overflow_rate(512, (unsigned)atoi(s->words[0]),
                                  (unsigned)atoi(s->words[1]));
}
