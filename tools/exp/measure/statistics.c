/* Statistics of a sample; see statistics.h. */
#include "tools/exp/measure/statistics.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "net/model/interval.h"
#include "tools/host/memory.h"

/* Moves the numbers to the front, in their order, and returns how many there are. */
static size_t drop_nans(double *values, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            values[kept++] = values[i];
    return kept;
}

Summary statistics_of(double *values, size_t count) {
    const size_t n = drop_nans(values, count);
    Summary s = {.n = n,
                 .mean = NAN,
                 .sd = NAN,
                 .ci95 = NAN,
                 .min = NAN,
                 .p10 = NAN,
                 .p50 = NAN,
                 .p90 = NAN,
                 .max = NAN};
    if (n == 0)
        return s;
    gsl_sort(values, 1, n);
    s.mean = gsl_stats_mean(values, 1, n);
    s.min = values[0];
    s.max = values[n - 1];
    s.p10 = gsl_stats_quantile_from_sorted_data(values, 1, n, 0.1);
    s.p50 = gsl_stats_quantile_from_sorted_data(values, 1, n, 0.5);
    s.p90 = gsl_stats_quantile_from_sorted_data(values, 1, n, 0.9);
    if (n < 2)
        return s;
    s.sd = gsl_stats_sd_m(values, 1, n, s.mean);
    s.ci95 = net_half_width(s.sd, (unsigned)n, 0.95);
    return s;
}

double statistics_figure(Summary summary, size_t offset) {
    double value;
    memcpy(&value, (const char *)&summary + offset, sizeof value);
    return value;
}

/* NaNs and values outside the range are in no bin. */
bool statistics_histogram(const double *values, size_t count, double low, double high,
                          size_t *bins, size_t bin_count) {
    if (!(low < high) || bin_count == 0)
        return false;
    for (size_t i = 0; i < bin_count; i++)
        bins[i] = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(values[i] >= low && values[i] <= high))
            continue;
        const double place = (values[i] - low) / (high - low) * (double)bin_count;
        bins[place < (double)bin_count ? (size_t)place : bin_count - 1]++;
    }
    return true;
}

/* Two points always correlate perfectly, so at least three are needed. */
double statistics_rank_correlation(const double *x, const double *y, size_t count) {
    if (count < 3)
        return NAN;
    double *work = memory_array(2 * count, sizeof *work);
    const double rho = gsl_stats_spearman(x, 1, y, 1, count, work);
    free(work);
    return rho;
}
