/* Computes the figures of results.def. A figure of what a result lacks is NaN, but 0
 * for what is in trees, and for the longest of an empty list. */
#include "tools/exp/measure/row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/measure/places.h"
#include "tools/exp/measure/selection.h"
#include "tools/host/memory.h"

/* The number of hops that makespans are scaled to. */
static const double standard_hops = 1000;

/* Whether a traffic run had settled: 1 or 0; NaN for other runs. */
static double settled(const Result *r) {
    return r->state ? strcmp(r->state, "settled") == 0 : NAN;
}

/* Returns the overflows of both priorities; models may not have the second. */
static double filled(const Result *r) {
    return r->overflows + (isnan(r->overflows1) ? 0 : r->overflows1);
}

static double setting(const Run *run, const char *name) {
    return settings_number(&run->settings, name);
}

static double milliseconds(double cycles) {
    return cycles / RESULT_CYCLES_IN_MS;
}

/* Returns the makespan for 1000 hops at the rate of the run, in ms. */
static double scaled(const Run *run) {
    return milliseconds(run->result->T) * standard_hops / setting(run, "L");
}

static double setting_or_nan(const Run *run, const char *name) {
    return settings_text(&run->settings, name) ? setting(run, name) : NAN;
}

/* Returns how often a hop of the Snakes is drawn again, on the mean: addresses are
 * drawn from the smallest mesh of powers of two around this one. */
static double redraws(const Run *run) {
    double around = 1, nodes = 1;
    unsigned size[3];
    settings_mesh(&run->settings, size);
    for (unsigned d = 0; d < 3; d++) {
        around *= exp2(ceil(log2(size[d])));
        nodes *= size[d];
    }
    return around / nodes - 1;
}

/* Returns the cycles of a processor's work: m L h, and its redraws, which h leaves out
 * (programs/snakes); NaN of a named program. */
static double work(const Run *run) {
    enum { REDRAW = 18, XORSHIFT = 22 }; /* cycles of one, measured */
    const char *generator = settings_text(&run->settings, "generator");
    const bool xorshift = generator && strtod(generator, NULL) == 1;
    const double h = setting(run, "h") + redraws(run) * (xorshift ? XORSHIFT : REDRAW);
    return setting_or_nan(run, "m") * setting(run, "L") * h;
}

/* Returns the utilisation of the bisection by equation 4.3. Its N^(2/3), the wires
 * across the middle, is Y Z here, so that machines need not be cubes. */
static double bisection(const Run *run) {
    unsigned size[3];
    settings_mesh(&run->settings, size);
    const double volume = (setting_or_nan(run, "p") + 1) * setting(run, "m") *
                          setting(run, "L") * size[0] * size[1] * size[2];
    return volume / (size[1] * size[2] * run->result->T);
}

/* Returns the share of data flits in all flits of a message of p payload words and a
 * header: 2 flits a word, and 3 header flits unless header_flits is set. */
static double data_share(const Run *run) {
    const char *headers = settings_text(&run->settings, "header_flits");
    const double flits = 2 * (setting_or_nan(run, "p") + 1);
    return flits / (flits + (headers ? strtod(headers, NULL) : 3));
}

/* Customers of a model are whole, so K/N may differ from the setting. */
static double per_node(const Run *run) {
    const double got = run->result->per_node;
    return isnan(got) ? setting_or_nan(run, "m") : got;
}

static bool is_machine(const Run *run) {
    return !settings_text(&run->settings, "model");
}

static double service(const Run *run) {
    return setting_or_nan(run, is_machine(run) ? "h" : "tau");
}

static double rate(const Run *run) {
    if (!is_machine(run))
        return run->result->rate;
    unsigned size[3];
    settings_mesh(&run->settings, size);
    return run->result->hops / (run->result->T * size[0] * size[1] * size[2]);
}

static double largest(const ResultList *list) {
    double most = 0;
    for (size_t i = 0; i < list->count; i++)
        most = fmax(most, list->value[i]);
    return most;
}

/* Returns the words in the fullest queue at the first sample not before a time. */
static double fullest_after(const Result *r, double ms) {
    for (size_t i = 0; i < r->series.count; i++) {
        const double *sample = result_row(&r->series, i);
        if (sample[SAMPLE_TIME] >= ms * RESULT_CYCLES_IN_MS)
            return sample[SAMPLE_FULLEST];
    }
    return NAN;
}

/* Returns the share of the samples after the first overflow in which some node has
 * messages in its overflow buffer. */
static double residency(const Result *r) {
    double samples = 0, overflowed = 0;
    for (size_t i = 0; i < r->series.count; i++) {
        const double *sample = result_row(&r->series, i);
        if (!(sample[SAMPLE_TIME] > r->first_overflow))
            continue;
        samples++;
        overflowed += sample[SAMPLE_OVERFLOWED] > 0;
    }
    return samples > 0 ? overflowed / samples : NAN;
}

/* ---- named programs -------------------------------------------------------------- */

static double nodes(const Run *run) {
    unsigned size[3];
    return settings_mesh(&run->settings, size) ? (double)size[0] * size[1] * size[2]
                                               : NAN;
}

/* Returns a count of the timed part; NaN if there is none. */
static double timed(const Result *r, const char *name) {
    const json_t *count = json_object_get(r->timed, name);
    return json_is_number(count) ? json_number_value(count) : NAN;
}

/* Returns a count of cycles as percent of those of all nodes. */
static double share(const Result *r, const char *name) {
    return 100 * timed(r, name) / timed(r, "cycles");
}

/* Without a probe the handlers' cycles are known only where nothing overflows. */
static double time_overflow(const Result *r) {
    const double handlers = timed(r, "overflows") == 0 ? 0 : share(r, "overflow");
    return share(r, "faults") + handlers;
}

/* Applies a statistic to one run. */
static double of_places(const Run *run, Statistic *statistic, const char *word) {
    const Run *runs[] = {run};
    const Selection selection = {
        .runs = runs, .count = 1, .words = {word}, .word_count = 1};
    return statistic(&selection);
}

/* ---- by name --------------------------------------------------------------------- */

/* The compiler rejects two columns with the same name. */
typedef enum {
#define MACHINE(column, value, text) ROW_##column,
#include "tools/exp/result/results.def"
    ROW_MACHINE,                  /* number of the figures of a run of the machine */
    ROW_BEFORE = ROW_MACHINE - 1, /* the others go on from there */
#define COLUMN(column, value, text) ROW_##column,
#include "tools/exp/result/results.def"
    ROWS
} RowId;

static const char *const columns[ROWS] = {
#define MACHINE(column, value, text) #column,
#include "tools/exp/result/results.def"
#define COLUMN(column, value, text) #column,
#include "tools/exp/result/results.def"
};

unsigned row_count(bool with_models) {
    return with_models ? ROWS : ROW_MACHINE;
}

const char *row_column(unsigned index) {
    return columns[index];
}

static double figure(const Run *run, unsigned index) {
    const Result *r = run->result;
    if (index < ROW_MACHINE && !is_machine(run))
        return NAN;
    switch (index) {
#define COLUMN(column, value, text)                                                    \
    case ROW_##column:                                                                 \
        return value;
#define MACHINE COLUMN
#include "tools/exp/result/results.def"
    default:
        return NAN;
    }
}

/* Returns the place of a column; ROWS if there is none. */
static unsigned place_of(const char *column) {
    unsigned i = 0;
    while (i < ROWS && strcmp(columns[i], column) != 0)
        i++;
    return i;
}

double row_number(const Run *run, const char *column) {
    if (settings_text(&run->settings, column))
        return settings_number(&run->settings, column);
    return run->result ? figure(run, place_of(column)) : NAN;
}

Summary row_summary_of(const Run **runs, size_t count, const char *column) {
    double *values = memory_array(count, sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = row_number(runs[i], column);
    const Summary summary = statistics_of(values, count);
    free(values);
    return summary;
}

Summary row_summary(const Point *point, const char *column) {
    return row_summary_of(point->runs, point->run_count, column);
}

/* ---- samples --------------------------------------------------------------------- */

double row_sample(const Run *run, size_t sample, size_t field) {
    const Result *r = run->result;
    return r && sample < r->series.count ? result_row(&r->series, sample)[field] : NAN;
}

Summary row_samples(const Run **runs, size_t count, size_t sample, size_t field) {
    double *values = memory_array(count, sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = row_sample(runs[i], sample, field);
    const Summary summary = statistics_of(values, count);
    free(values);
    return summary;
}

/* ---- load points ----------------------------------------------------------------- */

LoadPoints load_points_open(const Run **runs, size_t count) {
    LoadPoints all = {.points = memory_array(count, sizeof *all.points)};
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || !settings_equal(&runs[i]->settings, &runs[i - 1]->settings))
            all.points[all.count++] = (Point){&runs[i]->settings, &runs[i], 0};
        all.points[all.count - 1].run_count++;
    }
    return all;
}

void load_points_close(LoadPoints *all) {
    free(all->points);
    *all = (LoadPoints){.points = NULL};
}

/* ---- names of columns ------------------------------------------------------------ */

bool row_is_figure(const char *column) {
    return place_of(column) < ROWS;
}

bool row_has(const char *column) {
    return row_is_figure(column) || settings_known(column);
}

void row_suggest(JmSuggestion *suggestion) {
    for (unsigned i = 0; i < ROWS; i++)
        jm_suggest_consider(suggestion, columns[i]);
    settings_suggest(suggestion);
}
