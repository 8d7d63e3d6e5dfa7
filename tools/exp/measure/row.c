/* Computes the columns of row.def and model_row.def from the record of a run (trial.h,
 * solve.h list its fields). A figure that the record lacks is NaN, but 0 for faults and
 * lists by node of a machine's run. */
#include "tools/exp/measure/row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/measure/efficiency.h"
#include "tools/exp/measure/places.h"
#include "tools/exp/measure/queues.h"

/* The clock of all experiments, 10 MHz (thesis 4.1.4), and the number of hops that
 * makespans are scaled to. */
static const double cycles_in_ms = 10000, standard_hops = 1000;

static double key(const json_t *record, const char *name) {
    const json_t *value = json_object_get(record, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Whether a traffic run had settled: 1 or 0; NaN for other runs. */
static double settled(const json_t *record) {
    const char *state = json_string_value(json_object_get(record, "state"));
    return state ? strcmp(state, "settled") == 0 : NAN;
}

static double setting(const Run *run, const char *name) {
    return settings_number(&run->settings, name);
}

static double milliseconds(double cycles) {
    return cycles / cycles_in_ms;
}

/* Returns the makespan for 1000 hops at the rate of the run, in ms. */
static double scaled(const Run *run) {
    return milliseconds(key(run->record, "T")) * standard_hops / setting(run, "L");
}

/* Returns the cycles of a processor's work: m L h. */
static double work(const Run *run) {
    return setting(run, "m") * setting(run, "L") * setting(run, "h");
}

static void mesh(const Run *run, double size[3]) {
    const char *text = settings_text(&run->settings, "mesh");
    for (unsigned d = 0; d < 3; d++) {
        char *end;
        size[d] = strtod(text, &end);
        text = end + 1;
    }
}

/* Returns the utilisation of the bisection by equation 4.3. Its N^(2/3), the wires
 * across the middle, is Y Z here, so that machines need not be cubes. */
static double bisection(const Run *run) {
    double size[3];
    mesh(run, size);
    const double volume = (setting(run, "p") + 1) * setting(run, "m") *
                          setting(run, "L") * size[0] * size[1] * size[2];
    return volume / (size[1] * size[2] * key(run->record, "T"));
}

/* Returns the share of data flits in all flits of a message of p payload words and a
 * header: 2 flits a word, and 3 header flits unless header_flits is set. */
static double data_share(const Run *run) {
    const char *headers = settings_text(&run->settings, "header_flits");
    const double flits = 2 * (setting(run, "p") + 1);
    return flits / (flits + (headers ? strtod(headers, NULL) : 3));
}

static double setting_or_nan(const Run *run, const char *name) {
    return settings_text(&run->settings, name) ? setting(run, name) : NAN;
}

/* Customers of a model are whole, so K/N may differ from the setting. */
static double per_node(const Run *run) {
    const double got = key(run->record, "per_node");
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
        return key(run->record, "rate");
    double size[3];
    mesh(run, size);
    return key(run->record, "hops") /
           (key(run->record, "T") * size[0] * size[1] * size[2]);
}

static double fault(const json_t *record, const char *name) {
    return json_number_value(json_object_get(json_object_get(record, "faults"), name));
}

static double largest(const json_t *record, const char *name) {
    const json_t *list = json_object_get(record, name);
    double most = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        most = fmax(most, json_number_value(json_array_get(list, i)));
    return most;
}

/* Returns the words in the fullest queue at the first sample not before a time. A
 * sample is [cycle, fullest queue, all queues, nodes in overflow]. */
static double fullest_after(const json_t *record, double ms) {
    const json_t *series = json_object_get(record, "series");
    for (size_t i = 0; i < json_array_size(series); i++) {
        const json_t *sample = json_array_get(series, i);
        if (json_number_value(json_array_get(sample, 0)) >= ms * cycles_in_ms)
            return json_number_value(json_array_get(sample, 1));
    }
    return NAN;
}

/* Returns the share of the samples after the first overflow in which some node has
 * messages in its overflow buffer. */
static double residency(const json_t *record) {
    const double first = key(record, "first_overflow");
    const json_t *series = json_object_get(record, "series");
    double samples = 0, overflowed = 0;
    for (size_t i = 0; i < json_array_size(series); i++) {
        const json_t *sample = json_array_get(series, i);
        if (!(json_number_value(json_array_get(sample, 0)) > first))
            continue;
        samples++;
        overflowed += json_number_value(json_array_get(sample, 3)) > 0;
    }
    return samples > 0 ? overflowed / samples : NAN;
}

/* Applies a statistic of places.h to one run. */
static double of_places(const Run *run, Statistic *statistic, const char *word) {
    const Run *runs[] = {run};
    const Selection selection = {
        .runs = runs, .count = 1, .words = {word}, .word_count = 1};
    return statistic(&selection);
}

/* ---- by name --------------------------------------------------------------------- */

/* The compiler rejects two columns with the same name. */
enum {
#define ROW(column, value, text) COLUMN_##column,
#include "tools/exp/measure/model_row.def"
#include "tools/exp/measure/row.def"
#undef ROW
};

static const char *const columns[] = {
#define ROW(column, value, text) #column,
#include "tools/exp/measure/row.def"
    NULL,
};
static const char *const model_columns[] = {
#include "tools/exp/measure/model_row.def"
#undef ROW
    NULL,
};

const char *row_column(unsigned index) {
    return columns[index];
}

const char *row_model_column(unsigned index) {
    return model_columns[index];
}

double row_number(const Run *run, const char *column) {
    const json_t *r = run->record;
    if (settings_text(&run->settings, column))
        return settings_number(&run->settings, column);
    if (!r)
        return NAN;
#define ROW(name, value, text)                                                         \
    if (strcmp(column, #name) == 0)                                                    \
        return value;
#include "tools/exp/measure/model_row.def"
    if (settings_text(&run->settings, "model"))
        return NAN;
#include "tools/exp/measure/row.def"
#undef ROW
    return NAN;
}

bool row_has(const char *column) {
    for (unsigned i = 0; columns[i]; i++)
        if (strcmp(columns[i], column) == 0)
            return true;
    for (unsigned i = 0; model_columns[i]; i++)
        if (strcmp(model_columns[i], column) == 0)
            return true;
    return settings_known(column);
}
