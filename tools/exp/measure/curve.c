/* Statistics of curves (rows of measure.def): y over x, both columns; runs with the
 * same x are averaged. */
#include <math.h>
#include <stdlib.h>

#include "tools/exp/measure/row.h"
#include "tools/exp/measure/selection.h"

/* A place of a curve. */
typedef struct {
    double x, y;
    size_t runs; /* whose mean is y */
} Place;

/* Finds the place of smallest x above `left`; x is NaN if there is none. */
static Place next_place(const Selection *s, double left) {
    Place place = {.x = NAN, .y = 0};
    for (size_t i = 0; i < s->count; i++) {
        const double x = row_number(s->runs[i], s->words[0]);
        if (x > left && !(x >= place.x))
            place.x = x;
    }
    for (size_t i = 0; i < s->count; i++)
        if (row_number(s->runs[i], s->words[0]) == place.x) {
            place.y += row_number(s->runs[i], s->words[1]);
            place.runs++;
        }
    place.y /= (double)place.runs;
    return place;
}

/* Moves right until y is on the other side of the level, and interpolates. */
double statistic_crossing(const Selection *s) {
    const double level = strtod(s->words[2], NULL);
    Place before = next_place(s, -INFINITY);
    while (!isnan(before.x)) {
        const Place here = next_place(s, before.x);
        if ((before.y - level) * (here.y - level) <= 0 && here.y != before.y)
            return before.x +
                   (here.x - before.x) * (level - before.y) / (here.y - before.y);
        before = here;
    }
    return NAN;
}

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

/* Follows the curve by increasing words[3], because neither x nor y need increase along
 * it. */
double statistic_reached(const Selection *s) {
    const double level = strtod(s->words[2], NULL);
    const Selection by_parameter = {
        .runs = s->runs,
        .count = s->count,
        .words = {s->words[3], s->words[1]},
        .word_count = 2,
    };
    Place before = next_place(&by_parameter, -INFINITY);
    while (!isnan(before.x)) {
        const Place here = next_place(&by_parameter, before.x);
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
    for (Place here = next_place(s, -INFINITY); !isnan(here.x);
         here = next_place(s, here.x))
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
    for (Place here = next_place(s, -INFINITY); !isnan(here.x);
         here = next_place(s, here.x)) {
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
    for (Place here = next_place(s, -INFINITY); !isnan(here.x);
         here = next_place(s, here.x)) {
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
