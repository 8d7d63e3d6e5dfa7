/* Statistics of a sample, computed with the GNU Scientific Library. */
#ifndef JM_TOOLS_EXP_MEASURE_STATISTICS_H
#define JM_TOOLS_EXP_MEASURE_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/* A figure is NaN if the sample is too small for it. */
typedef struct {
    size_t n;        /* numbers in the sample, NaNs not counted */
    double mean, sd; /* sd: sample standard deviation, with divisor n - 1 */
    double ci95;     /* half width of the 95 % confidence interval of the mean */
    double min, p10, p50, p90, max;
} Summary;

/* Summarises a sample; NaNs are left out. `values` are sorted in place. */
Summary statistics_of(double *values, size_t count);

/* Returns the double at this offset of a summary. */
double statistics_figure(Summary summary, size_t offset);

/* Counts the values in `bin_count` equal bins from `low` to `high`; the last bin
 * includes its upper end. Returns false if the range is empty. */
bool statistics_histogram(const double *values, size_t count, double low, double high,
                          size_t *bins, size_t bin_count);

/* Returns Spearman's rank correlation; NaN for fewer than three points. */
double statistics_rank_correlation(const double *x, const double *y, size_t count);

#endif
