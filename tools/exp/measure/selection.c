/* Statistics of columns, load points, curves, samples and handlers: rows of
 * measure.def. */
#include "tools/exp/measure/selection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/measure/row.h"
#include "tools/exp/measure/statistics.h"
#include "tools/host/memory.h"

/* Summarises the column words[0] over all runs. */
static Summary summarise(const Selection *s) {
    return row_summary_of(s->runs, s->count, s->words[0]);
}

double statistic_mean(const Selection *s) {
    return summarise(s).mean;
}

double statistic_sd(const Selection *s) {
    return summarise(s).sd;
}

double statistic_cv(const Selection *s) {
    const Summary summary = summarise(s);
    return summary.sd / summary.mean;
}

double statistic_min(const Selection *s) {
    return summarise(s).min;
}

double statistic_max(const Selection *s) {
    return summarise(s).max;
}

double statistic_median(const Selection *s) {
    return summarise(s).p50;
}

double statistic_count(const Selection *s) {
    return s->runs ? (double)s->count : NAN;
}

/* Runs without either figure are left out. */
double statistic_rank(const Selection *s) {
    double *x = memory_array(2 * s->count, sizeof *x);
    double *y = x + s->count;
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        x[count] = row_number(s->runs[i], s->words[0]);
        y[count] = row_number(s->runs[i], s->words[1]);
        count += isnan(x[count]) || isnan(y[count]) ? 0 : 1;
    }
    const double rho = statistics_rank_correlation(x, y, count);
    free(x);
    return rho;
}

/* ---- load points ----------------------------------------------------------------- */

double statistic_least_mean(const Selection *s) {
    LoadPoints all = load_points_open(s->runs, s->count);
    double least = NAN;
    for (size_t i = 0; i < all.count; i++)
        least = fmin(least, row_summary(&all.points[i], s->words[0]).mean);
    load_points_close(&all);
    return least;
}

double statistic_mixed_points(const Selection *s) {
    const double limit = strtod(s->words[0], NULL) / 100;
    LoadPoints all = load_points_open(s->runs, s->count);
    double mixed = 0, overflows = 0;
    for (size_t i = 0; i < all.count; i++) {
        const Summary makespan = row_summary(&all.points[i], "T_ms");
        if (makespan.n < 2)
            continue;
        const double most = row_summary(&all.points[i], "overflows").max;
        const bool spread = makespan.sd >= limit * makespan.mean;
        mixed += spread != (most > 0);
        overflows += most;
    }
    load_points_close(&all);
    return overflows > 0 ? mixed : NAN;
}

/* ---- curves ---------------------------------------------------------------------- */

/* Returns the mean of a column over the runs where another is `place`. */
static double mean_at(const Selection *s, const char *column, const char *other,
                      double place) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < s->count; i++)
        if (row_number(s->runs[i], other) == place) {
            sum += row_number(s->runs[i], column);
            count++;
        }
    return sum / count;
}

/* A place of a curve: y over x, both columns; runs with the same x are averaged. */
typedef struct {
    double x, y;
} Place;

/* Finds the next place above x, or below it; its x is NaN if there is none. */
static Place next_place(const Selection *s, double x, bool below) {
    Place place = {.x = NAN};
    for (size_t i = 0; i < s->count; i++) {
        const double own = row_number(s->runs[i], s->words[0]);
        if (below ? own < x && !(own <= place.x) : own > x && !(own >= place.x))
            place.x = own;
    }
    place.y = mean_at(s, s->words[1], s->words[0], place.x);
    return place;
}

/* Returns the curve of two columns over the runs of a selection. */
static Selection curve_of(const Selection *s, const char *x, const char *y) {
    return (Selection){
        .runs = s->runs, .count = s->count, .words = {x, y}, .word_count = 2};
}

/* Walks down from the longest handlers, where processors are the limit, to the first
 * point above the wanted stretch, T / (m L h), and interpolates. */
double statistic_knee(const Selection *s) {
    const Selection curve = curve_of(s, "h", "stretch");
    Place before = next_place(&curve, INFINITY, true);
    const double wanted = before.y * (1 + strtod(s->words[0], NULL) / 100);
    for (;;) {
        const Place here = next_place(&curve, before.x, true);
        if (isnan(here.x))
            return NAN;
        if (here.y > wanted)
            return before.x -
                   (before.x - here.x) * (wanted - before.y) / (here.y - before.y);
        before = here;
    }
}

/* Moves right until y is on the other side of the level, and interpolates. */
double statistic_crossing(const Selection *s) {
    const double level = strtod(s->words[2], NULL);
    Place before = next_place(s, -INFINITY, false);
    while (!isnan(before.x)) {
        const Place here = next_place(s, before.x, false);
        if ((before.y - level) * (here.y - level) <= 0 && here.y != before.y)
            return before.x +
                   (here.x - before.x) * (level - before.y) / (here.y - before.y);
        before = here;
    }
    return NAN;
}

/* Follows the curve by increasing words[3], because neither x nor y need increase along
 * it. */
double statistic_reached(const Selection *s) {
    const double level = strtod(s->words[2], NULL);
    const Selection by_parameter = curve_of(s, s->words[3], s->words[1]);
    Place before = next_place(&by_parameter, -INFINITY, false);
    while (!isnan(before.x)) {
        const Place here = next_place(&by_parameter, before.x, false);
        if ((before.y - level) * (here.y - level) <= 0 && here.y != before.y) {
            const double part = (level - before.y) / (here.y - before.y);
            const double x = mean_at(s, s->words[0], s->words[3], before.x);
            return x + part * (mean_at(s, s->words[0], s->words[3], here.x) - x);
        }
        before = here;
    }
    return NAN;
}

double statistic_highest(const Selection *s) {
    Place best = {.x = NAN, .y = -INFINITY};
    for (Place here = next_place(s, -INFINITY, false); !isnan(here.x);
         here = next_place(s, here.x, false))
        best = here.y > best.y ? here : best;
    return best.x;
}

/* Returns the mean of y at a place over the runs with, or without, the setting
 * words[2]; NaN if there is none or one has no y. */
static double mean_of_side(const Selection *s, double x, bool set) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < s->count; i++)
        if (row_number(s->runs[i], s->words[0]) == x &&
            (settings_text(&s->runs[i]->settings, s->words[2]) != NULL) == set) {
            sum += row_number(s->runs[i], s->words[1]);
            count++;
        }
    return sum / count;
}

double statistic_longer(const Selection *s) {
    double longer = 0, places = 0;
    for (Place here = next_place(s, -INFINITY, false); !isnan(here.x);
         here = next_place(s, here.x, false)) {
        const double with = mean_of_side(s, here.x, true);
        const double without = mean_of_side(s, here.x, false);
        if (isnan(with) || isnan(without))
            return NAN;
        longer += with > without;
        places++;
    }
    return longer / places;
}

double statistic_linear(const Selection *s) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (Place here = next_place(s, -INFINITY, false); !isnan(here.x);
         here = next_place(s, here.x, false)) {
        n++;
        x += here.x;
        y += here.y;
        xx += here.x * here.x;
        xy += here.x * here.y;
        yy += here.y * here.y;
    }
    const double both = n * xy - x * y;
    return both * both / ((n * xx - x * x) * (n * yy - y * y));
}

/* ---- samples --------------------------------------------------------------------- */

/* Summarises, over all series, the fullest queue at the sample with this number. */
static Summary fullest(const Selection *s, size_t sample) {
    return row_samples(s->runs, s->count, sample, SAMPLE_FULLEST);
}

/* Summarises the fullest queues at the first sample not before time words[0], in ms.
 * All runs are sampled at the same times; runs that ended earlier are left out. */
static Summary fullest_at_time(const Selection *s) {
    const double wanted = strtod(s->words[0], NULL) * RESULT_CYCLES_IN_MS;
    size_t sample = 0;
    bool earlier = s->count > 0;
    while (earlier) {
        earlier = false;
        for (size_t i = 0; i < s->count; i++)
            earlier |= row_sample(s->runs[i], sample, SAMPLE_TIME) < wanted;
        sample += earlier;
    }
    return fullest(s, sample);
}

double statistic_fullest_at(const Selection *s) {
    return fullest_at_time(s).mean;
}

double statistic_fullest_sd_at(const Selection *s) {
    return fullest_at_time(s).sd;
}

/* Returns the number of samples of the shortest run. */
static size_t common_samples(const Selection *s) {
    size_t count = s->count ? SIZE_MAX : 0;
    for (size_t i = 0; i < s->count; i++) {
        const size_t own = s->runs[i]->result->series.count;
        count = own < count ? own : count;
    }
    return count;
}

/* The level is the mean over the last third of the samples. The search goes back from
 * the end while the mean stays above 0.9 of the level; a queue that has fallen below it
 * by the last sample settles there at the earliest. */
double statistic_settled(const Selection *s) {
    const size_t count = common_samples(s), tail = count - count / 3;
    double level = 0;
    for (size_t i = tail; i < count; i++)
        level += fullest(s, i).mean / (double)(count - tail);
    if (!count)
        return NAN;
    size_t first = count - 1;
    while (first > 0 && fullest(s, first - 1).mean >= 0.9 * level &&
           fullest(s, count - 1).mean >= 0.9 * level)
        first--;
    return row_sample(s->runs[0], first, SAMPLE_TIME) / RESULT_CYCLES_IN_MS;
}

/* ---- handlers, configuration ----------------------------------------------------- */

double statistic_cost(const Selection *s) {
    double cycles = 0, units = 0;
    for (size_t i = 0; i < s->count; i++) {
        const json_t *cost = json_object_get(s->runs[i]->result->costs, s->words[0]);
        cycles += result_tree_number(cost, "cycles");
        units += result_tree_number(cost, "units");
    }
    return units > 0 ? cycles / units : NAN;
}

/* Looks up a default, so that a CHECK can compare it with the sources. */
double statistic_standard(const Selection *s) {
    for (unsigned i = 0; jm_parameter(i); i++)
        if (strcmp(jm_parameter(i)->name, s->words[0]) == 0)
            return (double)jm_parameter(i)->standard;
    return NAN;
}

Statistic *statistic_find(const char *name, const char **words) {
    static const struct {
        const char *name, *words;
        Statistic *function;
    } rows[] = {
#define STATISTIC(name, words, text) {#name, words, statistic_##name},
#include "tools/exp/measure/measure.def"
#undef STATISTIC
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0) {
            *words = rows[i].words;
            return rows[i].function;
        }
    return NULL;
}

void statistic_suggest(JmSuggestion *suggestion) {
#define STATISTIC(name, words, text) jm_suggest_consider(suggestion, #name);
#include "tools/exp/measure/measure.def"
#undef STATISTIC
}
