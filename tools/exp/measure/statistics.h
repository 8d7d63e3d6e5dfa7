/* Statistics of a sample, by the GNU Scientific Library. */
#ifndef JM_TOOLS_EXP_MEASURE_STATISTICS_H
#define JM_TOOLS_EXP_MEASURE_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/* NaN where the sample is too small. */
typedef struct {
    size_t n;
    double mean, sd; /* sd: of the sample, n - 1 */
    double ci95;     /* half width of the 95 % confidence interval of the mean */
    double min, p10, p50, p90, max;
} Summary;

/* `values` are sorted; NaNs among them are left out. */
Summary statistics_of(double *values, size_t count);

/* Counts the values in `bins` equal bins from `low` to `high`, the last one with its
 * upper end; false if that cannot be. */
bool statistics_histogram(const double *values, size_t count, double low, double high,
                          size_t *bins, size_t bin_count);

/* Spearman's rank correlation; NaN if there is none. */
double statistics_rank_correlation(const double *x, const double *y, size_t count);

#endif
