/* Statistics of samples and of selected runs, against plain computations. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "tests/exp/made.h"
#include "tools/exp/measure/statistics.h"

enum { SAMPLE_MAX = 40 };

/* ---- by hand --------------------------------------------------------------------- */

static double mean_of(const double *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

static double sd_of(const double *values, size_t count) {
    const double mean = mean_of(values, count);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return sqrt(sum / (double)(count - 1));
}

/* How many values are smaller, and half of the others that are equal, from 0. */
static double rank_of(const double *values, size_t count, size_t index) {
    double smaller = 0, equal = 0;
    for (size_t i = 0; i < count; i++) {
        smaller += values[i] < values[index];
        equal += values[i] == values[index];
    }
    return smaller + (equal - 1) / 2;
}

/* Of a share q of the way from the least to the greatest, on a line between two. */
static double quantile_of(const double *values, size_t count, double q) {
    double sorted[SAMPLE_MAX];
    for (size_t i = 0; i < count; i++) {
        size_t place = 0;
        for (size_t k = 0; k < count; k++)
            place += values[k] < values[i] || (values[k] == values[i] && k < i);
        sorted[place] = values[i];
    }
    const double at = q * (double)(count - 1);
    const size_t low = (size_t)at;
    return low + 1 < count
               ? sorted[low] + (at - (double)low) * (sorted[low + 1] - sorted[low])
               : sorted[low];
}

static double correlation_of(const double *x, const double *y, size_t count) {
    const double mx = mean_of(x, count), my = mean_of(y, count);
    double xy = 0, xx = 0, yy = 0;
    for (size_t i = 0; i < count; i++) {
        xy += (x[i] - mx) * (y[i] - my);
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
    }
    return xy / sqrt(xx * yy);
}

static double rank_correlation_of(const double *x, const double *y, size_t count) {
    double a[SAMPLE_MAX], b[SAMPLE_MAX];
    for (size_t i = 0; i < count; i++) {
        a[i] = rank_of(x, count, i);
        b[i] = rank_of(y, count, i);
    }
    return correlation_of(a, b, count);
}

static void draw_values(uint64_t *state, double *values, size_t count, unsigned range) {
    for (size_t i = 0; i < count; i++)
        values[i] = made_number(state, range);
}

/* ---- samples --------------------------------------------------------------------- */

static void expect(const char *what, size_t count, double got, double wanted) {
    cr_expect(made_same(got, wanted), "%s of %zu: %.12g instead of %.12g", what, count,
              got, wanted);
}

Test(statistics, summary) {
    uint64_t state = 1;
    for (size_t count = 2; count <= SAMPLE_MAX; count++) {
        double values[SAMPLE_MAX], copy[SAMPLE_MAX];
        draw_values(&state, values, count, 30);
        for (size_t i = 0; i < count; i++)
            copy[i] = values[i];
        const Summary s = statistics_of(copy, count);
        cr_expect_eq(s.n, count);
        expect("mean", count, s.mean, mean_of(values, count));
        expect("sd", count, s.sd, sd_of(values, count));
        expect("min", count, s.min, quantile_of(values, count, 0));
        expect("p10", count, s.p10, quantile_of(values, count, 0.1));
        expect("p50", count, s.p50, quantile_of(values, count, 0.5));
        expect("p90", count, s.p90, quantile_of(values, count, 0.9));
        expect("max", count, s.max, quantile_of(values, count, 1));
    }
}

/* Student's t from a table: 0.975 of 2, 4 and 23 degrees of freedom. */
Test(statistics, interval) {
    static const struct {
        size_t count;
        double t;
    } rows[] = {{3, 4.30265273}, {5, 2.77644511}, {24, 2.06865761}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        double values[SAMPLE_MAX];
        for (size_t i = 0; i < rows[k].count; i++)
            values[i] = (double)(i * i);
        const Summary s = statistics_of(values, rows[k].count);
        const double wanted = rows[k].t * s.sd / sqrt((double)rows[k].count);
        cr_expect(fabs(s.ci95 / wanted - 1) < 1e-8, "%zu: %g", rows[k].count, s.ci95);
    }
}

Test(statistics, small_samples) {
    double values[] = {NAN, 7, NAN};
    const Summary none = statistics_of(values, 1);
    cr_expect(none.n == 0 && isnan(none.mean) && isnan(none.p90));
    const Summary one = statistics_of(values, 3);
    cr_expect(one.n == 1 && one.mean == 7 && one.p10 == 7 && one.p90 == 7);
    cr_expect(isnan(one.sd) && isnan(one.ci95));
    double with_gap[] = {4, NAN, 2};
    const Summary two = statistics_of(with_gap, 3);
    cr_expect(two.n == 2 && two.min == 2 && two.max == 4 && two.mean == 3);
}

Test(statistics, histogram) {
    const double values[] = {0, 0.9, 1, 2.5, 4, 4.1, -1};
    size_t bins[4];
    cr_assert(statistics_histogram(values, 7, 0, 4, bins, 4));
    cr_expect(bins[0] == 2 && bins[1] == 1 && bins[2] == 1 && bins[3] == 1,
              "%zu %zu %zu %zu", bins[0], bins[1], bins[2], bins[3]);
    cr_expect_not(statistics_histogram(values, 7, 4, 4, bins, 4));
}

Test(statistics, rank_correlation) {
    uint64_t state = 2;
    for (size_t count = 3; count <= SAMPLE_MAX; count++) {
        double x[SAMPLE_MAX], y[SAMPLE_MAX];
        draw_values(&state, x, count, 12); /* with many ties */
        draw_values(&state, y, count, 9);
        expect("rank correlation", count, statistics_rank_correlation(x, y, count),
               rank_correlation_of(x, y, count));
    }
    const double up[] = {1, 10, 100}, down[] = {3, 2, 1};
    expect("rank correlation", 3, statistics_rank_correlation(up, down, 3), -1);
    cr_expect(isnan(statistics_rank_correlation(up, down, 2)));
}

/* ---- runs ------------------------------------------------------------------------ */

/* Makespans of every run, which are its record's T over 10000. */
static size_t draw_runs(Campaign *campaign, uint64_t *state, double *T,
                        double *overflows) {
    for (size_t i = 0; i < campaign->run_count; i++) {
        const int t = 10000 * (int)(1 + made_number(state, 50));
        const int n = (int)made_number(state, 5);
        made_set(campaign->runs[i], "T", json_integer(t));
        made_set(campaign->runs[i], "overflows", json_integer(n));
        T[i] = t / 10000.0;
        overflows[i] = n;
    }
    return campaign->run_count;
}

Test(statistics, of_a_column) {
    uint64_t state = 3;
    for (unsigned runs = 3; runs < 20; runs++) {
        Campaign campaign = made_campaign("m=5", runs);
        double T[SAMPLE_MAX], overflows[SAMPLE_MAX];
        const size_t n = draw_runs(&campaign, &state, T, overflows);
        expect("mean", n, made_measure(&campaign, "mean T_ms of made"), mean_of(T, n));
        expect("sd", n, made_measure(&campaign, "sd T_ms of made"), sd_of(T, n));
        expect("cv", n, made_measure(&campaign, "cv T_ms of made"),
               sd_of(T, n) / mean_of(T, n));
        expect("min", n, made_measure(&campaign, "min T_ms of made"),
               quantile_of(T, n, 0));
        expect("max", n, made_measure(&campaign, "max T_ms of made"),
               quantile_of(T, n, 1));
        expect("median", n, made_measure(&campaign, "median T_ms of made"),
               quantile_of(T, n, 0.5));
        expect("count", n, made_measure(&campaign, "count of made"), (double)n);
        expect("rank", n, made_measure(&campaign, "rank T_ms overflows of made"),
               rank_correlation_of(T, overflows, n));
        campaign_close(&campaign);
    }
}

/* Runs that lack one of the figures are no pairs, whichever of the two it is. */
Test(statistics, rank_of_runs_with_gaps) {
    uint64_t state = 5;
    for (unsigned missing = 0; missing < 2; missing++) {
        Campaign campaign = made_campaign("m=5", 15);
        double T[SAMPLE_MAX], overflows[SAMPLE_MAX], x[SAMPLE_MAX], y[SAMPLE_MAX];
        size_t count = 0;
        draw_runs(&campaign, &state, T, overflows);
        for (size_t i = 0; i < campaign.run_count; i++) {
            if (i % 4 == 1) {
                made_set(campaign.runs[i], missing ? "T" : "overflows", json_null());
                continue;
            }
            x[count] = T[i];
            y[count++] = overflows[i];
        }
        expect("rank", count, made_measure(&campaign, "rank T_ms overflows of made"),
               rank_correlation_of(x, y, count));
        expect("rank", count, made_measure(&campaign, "rank overflows T_ms of made"),
               rank_correlation_of(x, y, count));
        campaign_close(&campaign);
    }
}

/* Three load points with as many runs, by place in the sweep. */
Test(statistics, of_load_points) {
    uint64_t state = 4;
    for (unsigned runs = 2; runs < 8; runs++) {
        Campaign campaign = made_campaign("m=5; h=45; h=55; h=65", runs);
        double T[SAMPLE_MAX], overflows[SAMPLE_MAX], least = INFINITY, mixed = 0;
        draw_runs(&campaign, &state, T, overflows);
        for (unsigned point = 0; point < 3; point++) {
            const double *t = T + point * runs;
            bool any = false;
            for (unsigned i = 0; i < runs; i++)
                any |= overflows[point * runs + i] > 0;
            least = fmin(least, mean_of(t, runs));
            mixed += any != (sd_of(t, runs) / mean_of(t, runs) >= 0.7);
        }
        expect("least_mean", runs, made_measure(&campaign, "least_mean T_ms of made"),
               least);
        expect("mixed_points", runs, made_measure(&campaign, "mixed_points 70 of made"),
               mixed);
        campaign_close(&campaign);
    }
}

/* The claim that points of small spread did not overflow, in its four cases. */
Test(statistics, mixed_points) {
    static const struct {
        int T[2], overflows;
        double wanted;
    } rows[] = {
        {{100, 101}, 0, 0}, {{100, 101}, 1, 1}, {{100, 200}, 0, 1}, {{100, 200}, 1, 0}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        Campaign campaign = made_campaign("m=5; h=45; h=90", 2);
        for (size_t i = 0; i < 4; i++) {
            /* The other point is as it should be: wide, with overflows. */
            const int T = i < 2 ? rows[k].T[i] : i == 2 ? 100 : 300;
            made_set(campaign.runs[i], "T", json_integer(T * 10000));
            made_set(campaign.runs[i], "overflows",
                     json_integer(i == 1 ? rows[k].overflows : i == 3));
        }
        expect("mixed", k, made_measure(&campaign, "mixed_points 5 of made"),
               rows[k].wanted);
        campaign_close(&campaign);
    }
    Campaign calm = made_campaign("m=5", 2);
    cr_expect(isnan(made_measure(&calm, "mixed_points 5 of made")));
    campaign_close(&calm);
}

/* T / (m L h) by h, from a table; the knee by the first of them that is above, from the
 * right, and the line to its neighbour. */
Test(statistics, knee) {
    static const struct {
        double stretch[4]; /* at h = 100, 200, 300, 400 */
        double wanted;
    } rows[] = {{{2, 1, 1, 1}, 185},
                {{3, 2, 1, 1}, 285},
                {{1, 1, 1, 1}, NAN},
                {{9, 1.1, 1.5, 1}, 370}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        Campaign campaign = made_campaign("m=5 L=10 h=200,100,400,300", 2);
        for (size_t i = 0; i < campaign.run_count; i++) {
            const double h = settings_number(&campaign.runs[i]->settings, "h");
            const double s =
                rows[k].stretch[(int)(h / 100) - 1] + (i % 2 ? 0.01 : -0.01);
            made_set(campaign.runs[i], "T", json_real(50 * h * s));
        }
        expect("knee", k, made_measure(&campaign, "knee 15 of made"), rows[k].wanted);
        campaign_close(&campaign);
    }
}

/* R squared is the square of the correlation of x with the means of y at each x. */
Test(statistics, linear) {
    enum { PLACES = 7, EACH = 3 };
    uint64_t state = 9;
    for (unsigned bend = 0; bend < 20; bend++) {
        Campaign campaign = made_campaign("model=servers m=1..7/1", EACH);
        double x[PLACES], y[PLACES] = {0};
        for (unsigned i = 0; i < PLACES * EACH; i++) {
            const unsigned place = i / EACH;
            const double noise = bend ? made_number(&state, 100 * bend) / 100. : 0;
            x[place] = place + 1;
            y[place] += (7 - 3. * place + noise) / EACH;
            made_set(campaign.runs[i], "p_full", json_real(7 - 3. * place + noise));
        }
        const double wanted = pow(correlation_of(x, y, PLACES), 2);
        expect("linear", bend, made_measure(&campaign, "linear m p_full of made"),
               bend ? wanted : 1);
        campaign_close(&campaign);
    }
}
