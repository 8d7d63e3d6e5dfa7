/* Statistics of samples, of selected runs and of curves, against plain computations. */
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

/* ---- samples --------------------------------------------------------------------- */

static void expect(const char *what, size_t count, double got, double wanted) {
    cr_expect(made_same(got, wanted), "%s of %zu: %.12g instead of %.12g", what, count,
              got, wanted);
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
        const struct {
            const char *measure;
            double wanted;
        } rows[] = {
            {"mean T_ms of made", mean_of(T, n)},
            {"sd T_ms of made", sd_of(T, n)},
            {"cv T_ms of made", sd_of(T, n) / mean_of(T, n)},
            {"min T_ms of made", quantile_of(T, n, 0)},
            {"max T_ms of made", quantile_of(T, n, 1)},
            {"median T_ms of made", quantile_of(T, n, 0.5)},
            {"count of made", (double)n},
            {"rank T_ms overflows of made", rank_correlation_of(T, overflows, n)}};
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
            expect(rows[i].measure, n, made_measure(&campaign, rows[i].measure),
                   rows[i].wanted);
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

/* ---- curves ---------------------------------------------------------------------- */

/* Solved points, with y as p_full and, if there is one, x as overflow_rate. */
static Campaign curve(const char *sweep, const double *y, const double *x) {
    Campaign campaign = made_campaign(sweep, 1);
    for (size_t i = 0; i < campaign.run_count; i++) {
        made_set(campaign.runs[i], "p_full", json_real(y[i]));
        if (x)
            made_set(campaign.runs[i], "overflow_rate", json_real(x[i]));
    }
    return campaign;
}

static void expect_measure(const Campaign *campaign, const char *measure,
                           double wanted) {
    expect(measure, campaign->run_count, made_measure(campaign, measure), wanted);
}

/* y is 1, 3, 2 at m = 1, 2, 4, the last as the mean of two. */
Test(statistics, curves) {
    static const double y[] = {2.5, 1, 3, 1.5};
    Campaign campaign = curve("model=closed; m=4,1,2; slow=1 m=4", y, NULL);
    expect_measure(&campaign, "crossing m p_full 2 of made", 1.5);
    expect_measure(&campaign, "crossing m p_full 2.5 of made", 1.75);
    expect_measure(&campaign, "crossing m p_full 2.25 of made where m>1", 3.5);
    expect_measure(&campaign, "crossing m p_full 9 of made", NAN);
    expect_measure(&campaign, "highest m p_full of made", 2);
    campaign_close(&campaign);
}

/* As m grows from 1 to 4 y does, 1, 3, 10, 12, but x turns back: 2, 4, 3, 1. */
Test(statistics, curve_that_turns_back) {
    static const double x[] = {1, 2, 3, 4, 4}, y[] = {12, 1, 10, 2, 4};
    Campaign campaign = curve("model=closed; m=4,1,3,2; slow=1 m=2", y, x);
    expect_measure(&campaign, "reached overflow_rate p_full 2 m of made", 3);
    expect_measure(&campaign, "reached overflow_rate p_full 11 m of made", 2);
    expect_measure(&campaign, "reached overflow_rate p_full 6.5 m of made", 3.5);
    expect_measure(&campaign, "reached overflow_rate p_full 13 m of made", NAN);
    campaign_close(&campaign);
}

/* With the setting y is higher at m = 1, the same at 2, lower at 3, higher at 4. A
 * place that has no figure on one side makes the whole share unknown. */
Test(statistics, longer) {
    static const double y[] = {1, 2, 3, 4, 2, 2, 1, 5};
    Campaign campaign = curve("model=closed; m=1,2,3,4; slow=2 m=1,2,3,4", y, NULL);
    expect_measure(&campaign, "longer m p_full slow of made", 0.5);
    expect_measure(&campaign, "longer m p_full slow of made where m<=2", 0.5);
    expect_measure(&campaign, "longer m p_full slow of made where m>=4", 1);
    expect_measure(&campaign, "longer m p_full slow of made where slow=2", NAN);
    made_set(campaign.runs[6], "p_full", json_null());
    expect_measure(&campaign, "longer m p_full slow of made", NAN);
    expect_measure(&campaign, "longer m p_full slow of made where m<=2", 0.5);
    campaign_close(&campaign);
}
