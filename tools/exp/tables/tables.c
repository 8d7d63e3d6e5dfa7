/* Writes the CSV files of an experiment; ../README.md lists their columns. */
#include "tools/exp/tables/tables.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/measure/row.h"
#include "tools/exp/measure/statistics.h"
#include "tools/exp/tables/fields.h"
#include "tools/exp/tables/writers.h"
#include "tools/host/memory.h"
#include "tools/host/values.h"
#include "tools/host/word_list.h"
#include "tools/jm/version.h"

static const char *const main_settings[] = {"mesh", "m", "L",      "p",
                                            "h",    "Q", "return", NULL};

/* Writes the values of the settings in a list of columns that are not among the main
 * ones, nor `shown`; their names if `settings` is NULL. */
static void put_listed(FILE *out, const char *list, const Settings *settings,
                       const char *shown) {
    char name[SETTING_TEXT_MAX];
    while (list && word_list_next(&list, ' ', name, sizeof name)) {
        const char *text = settings ? settings_text(settings, name) : name;
        if (settings_known(name) && !settings_is_main(name) && strcmp(name, shown) != 0)
            fprintf(out, ",%s", text ? text : "");
    }
}

/* Writes the settings of a point: a column for each setting that every run of the
 * machine has, then all others in one column, then each of these that a figure is drawn
 * along, unless it is `shown` anyway. Their names if `settings` is NULL. */
static void put_settings(FILE *out, const Experiment *experiment,
                         const Settings *settings, const char *shown) {
    char other[SETTINGS_KEY_MAX] = "other";
    for (unsigned i = 0; main_settings[i]; i++) {
        const char *text =
            settings ? settings_text(settings, main_settings[i]) : main_settings[i];
        fprintf(out, "%s,", text ? text : "");
    }
    if (settings)
        settings_print(settings, false, true, other, sizeof other);
    fputs(other, out);
    if (experiment->kind != KIND_CURVE && experiment->kind != KIND_SCATTER)
        return;
    put_listed(out, experiment->x, settings, shown);
    put_listed(out, experiment->series, settings, shown);
}

/* ---- NAME.csv -------------------------------------------------------------------- */

static const char *stop_of(const Run *run) {
    return run->outcome ? run->outcome->stop : "";
}

static void put_run(FILE *out, const Plan *plan, unsigned point, unsigned index,
                    const Run *run) {
    fprintf(out, "%s,%u,%u,%s,", plan->experiment->name, point, index,
            settings_program(&run->settings));
    put_settings(out, plan->experiment, &run->settings, "program");
    fprintf(out, ",%u,%s,%s", run->seed, version_text, stop_of(run));
    for (unsigned i = 0; i < row_count(curves_wanted(plan)); i++)
        fields_put(out, row_number(run, row_column(i)));
    fields_end_row(out, plan, &run->settings, true);
}

static void write_runs(const Campaign *campaign, const Plan *plan, FILE *out) {
    fputs("experiment,point,run,program,", out);
    put_settings(out, plan->experiment, NULL, "program");
    fputs(",seed,version,stop", out);
    for (unsigned i = 0; i < row_count(curves_wanted(plan)); i++)
        fprintf(out, ",%s", row_column(i));
    fields_end_row(out, plan, NULL, true);
    for (unsigned i = 0; i < plan->point_count; i++)
        for (unsigned k = 0; k < plan->points[i].run_count; k++)
            put_run(out, plan, i, k, &campaign->runs[plan->points[i].runs[k]]);
}

/* ---- NAME.points.csv ------------------------------------------------------------- */

/* Statistics of a column over the runs of a point: COLUMN_STATISTIC. */
static const struct {
    const char *name;
    size_t place; /* of the double in a Summary */
} statistics[] = {
    {"mean", offsetof(Summary, mean)}, {"sd", offsetof(Summary, sd)},
    {"ci95", offsetof(Summary, ci95)}, {"min", offsetof(Summary, min)},
    {"p10", offsetof(Summary, p10)},   {"p50", offsetof(Summary, p50)},
    {"p90", offsetof(Summary, p90)},   {"max", offsetof(Summary, max)},
};
enum { STATISTICS = sizeof statistics / sizeof statistics[0] };

/* The columns that every NAME.points.csv has. */
static const char *const standard[] = {
    "n",
    "T_ms_mean",
    "T_ms_sd",
    "T_ms_ci95",
    "T_ms_min",
    "T_ms_p10",
    "T_ms_p50",
    "T_ms_p90",
    "T_ms_max",
    "T_scaled_ms_mean",
    "T_scaled_ms_sd",
    "T_scaled_ms_ci95",
    "u_mean",
    "u_sd",
    "u_ci95",
    "overflows_mean",
    "overflows_sd",
    "overflows_max",
    "runs_without_overflow",
    "sends_faulted_mean",
    "queue_max_mean",
    "queue_max_sd",
};
enum { STANDARD = sizeof standard / sizeof standard[0], COLUMNS_MAX = STANDARD + 3 };

/* Splits COLUMN_STATISTIC; the column u is u_bisection. Returns the statistic's row, or
 * STATISTICS if the name is not of this kind. */
static unsigned split(const char *name, char column[SETTING_TEXT_MAX]) {
    const char *end = strrchr(name, '_');
    const size_t length = end ? (size_t)(end - name) : 0;
    unsigned i = 0;
    while (end && i < STATISTICS && strcmp(statistics[i].name, end + 1) != 0)
        i++;
    if (!end || length >= SETTING_TEXT_MAX)
        return STATISTICS;
    snprintf(column, SETTING_TEXT_MAX, "%.*s%s", (int)length, name,
             length == 1 && *name == 'u' ? "_bisection" : "");
    return row_has(column) ? i : STATISTICS;
}

static double point_figure(const Campaign *campaign, const Point *point,
                           const char *name) {
    char column[SETTING_TEXT_MAX];
    if (strcmp(name, "n") == 0)
        return (double)row_summary(campaign, point, "T_ms").n;
    if (strcmp(name, "runs_without_overflow") == 0) {
        const Summary clean = row_summary(campaign, point, "clean");
        return clean.mean * (double)clean.n;
    }
    const size_t place = statistics[split(name, column)].place;
    const Summary summary = row_summary(campaign, point, column);
    double value;
    memcpy(&value, (const char *)&summary + place, sizeof value);
    return value;
}

static bool is_among(const char *const names[], unsigned count, const char *wanted) {
    for (unsigned i = 0; i < count; i++)
        if (strcmp(names[i], wanted) == 0)
            return true;
    return false;
}

/* Lists the columns: the standard ones, and others of this kind that the experiment
 * plots. Returns how many there are. */
static unsigned list_columns(const Experiment *experiment,
                             const char *names[COLUMNS_MAX]) {
    const char *const plotted[] = {experiment->x, experiment->y, experiment->error};
    char column[SETTING_TEXT_MAX];
    unsigned count = STANDARD;
    memcpy(names, standard, sizeof standard);
    for (unsigned i = 0; i < sizeof plotted / sizeof plotted[0]; i++)
        if (plotted[i] && split(plotted[i], column) < STATISTICS &&
            !is_among(names, count, plotted[i]))
            names[count++] = plotted[i];
    return count;
}

static void write_points(const Campaign *campaign, const Plan *plan, FILE *out) {
    const char *names[COLUMNS_MAX];
    const unsigned count = list_columns(plan->experiment, names);
    fputs("experiment,point,", out);
    put_settings(out, plan->experiment, NULL, "");
    for (unsigned i = 0; i < count; i++)
        fprintf(out, ",%s", names[i]);
    fields_end_row(out, plan, NULL, true);
    for (unsigned i = 0; i < plan->point_count; i++) {
        const Point *point = &plan->points[i];
        fprintf(out, "%s,%u,", plan->experiment->name, i);
        put_settings(out, plan->experiment, &point->settings, "");
        for (unsigned k = 0; k < count; k++)
            fields_put(out, point_figure(campaign, point, names[k]));
        fields_end_row(out, plan, &point->settings, true);
    }
}

/* ---- NAME.cdf.csv ---------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void write_cdf(const Campaign *campaign, const Plan *plan, FILE *out) {
    fputs("point,T_ms,T_scaled_ms,percent", out);
    fields_end_row(out, plan, NULL, false);
    for (unsigned i = 0; i < plan->point_count; i++) {
        const Point *point = &plan->points[i];
        const double hops = settings_number(&point->settings, "L");
        double *t = memory_array(point->run_count, sizeof *t);
        unsigned count = 0;
        for (unsigned k = 0; k < point->run_count; k++) {
            t[count] = row_number(&campaign->runs[point->runs[k]], "T_ms");
            count += isnan(t[count]) ? 0 : 1;
        }
        qsort(t, count, sizeof *t, compare);
        for (unsigned k = 0; k < count; k++) {
            fprintf(out, "%u,%.10g,%.10g,%.10g", i, t[k], t[k] * 1000 / hops,
                    100.0 * (k + 1) / point->run_count);
            fields_end_row(out, plan, &point->settings, false);
        }
        free(t);
    }
}

/* ---- NAME.histogram.csv ---------------------------------------------------------- */

enum { BINS = 20 };

/* Writes the makespans of a point in BINS equal bins from the shortest to the longest.
 */
static void put_histogram(FILE *out, const Campaign *campaign, const Plan *plan,
                          unsigned index) {
    const Point *point = &plan->points[index];
    const Summary t = row_summary(campaign, point, "T_ms");
    double *values = memory_array(point->run_count, sizeof *values);
    for (unsigned i = 0; i < point->run_count; i++)
        values[i] = row_number(&campaign->runs[point->runs[i]], "T_ms");
    size_t bins[BINS];
    const double width = (t.max - t.min) / BINS;
    if (statistics_histogram(values, point->run_count, t.min, t.max, bins, BINS))
        for (unsigned i = 0; i < BINS; i++) {
            fprintf(out, "%u,%.10g,%.10g,%zu", index, t.min + i * width,
                    t.min + (i + 1) * width, bins[i]);
            fields_end_row(out, plan, &point->settings, false);
        }
    free(values);
}

static void write_histogram(const Campaign *campaign, const Plan *plan, FILE *out) {
    fputs("point,from_ms,to_ms,runs", out);
    fields_end_row(out, plan, NULL, false);
    for (unsigned i = 0; i < plan->point_count; i++)
        put_histogram(out, campaign, plan, i);
}

/* ---- NAME.times.csv -------------------------------------------------------------- */

/* Summarises one field of the n-th sample over the runs of a point. */
static Summary at_sample(const Campaign *campaign, const Point *point, size_t sample,
                         size_t field) {
    double *values = memory_array(point->run_count, sizeof *values);
    size_t count = 0;
    for (unsigned i = 0; i < point->run_count; i++) {
        const Result *r = campaign->runs[point->runs[i]].result;
        if (r && sample < r->series.count)
            values[count++] = result_row(&r->series, sample)[field];
    }
    const Summary summary = statistics_of(values, count);
    free(values);
    return summary;
}

static const char times_head[] = "point,time_ms,n,queue_max_mean,queue_max_sd,"
                                 "queue_max_max,queue_total_mean,overflowed_nodes_mean";

/* All runs are sampled at the same times, so their n-th samples can be compared. The
 * table ends with the shortest run. */
static void write_times(const Campaign *campaign, const Plan *plan, FILE *out) {
    fputs(times_head, out);
    fields_end_row(out, plan, NULL, false);
    for (unsigned i = 0; i < plan->point_count; i++) {
        const Point *point = &plan->points[i];
        for (size_t k = 0;; k++) {
            const Summary time = at_sample(campaign, point, k, SAMPLE_TIME);
            if (time.n < point->run_count)
                break;
            const Summary most = at_sample(campaign, point, k, SAMPLE_FULLEST);
            fprintf(out, "%u", i);
            fields_put(out, time.p50 / RESULT_CYCLES_IN_MS);
            fields_put(out, (double)time.n);
            fields_put(out, most.mean);
            fields_put(out, most.sd);
            fields_put(out, most.max);
            fields_put(out, at_sample(campaign, point, k, SAMPLE_ALL).mean);
            fields_put(out, at_sample(campaign, point, k, SAMPLE_OVERFLOWED).mean);
            fields_end_row(out, plan, &point->settings, false);
        }
    }
}

/* ---- NAME.frames.csv ------------------------------------------------------------- */

static void put_frames(FILE *out, const Plan *plan, const Settings *settings,
                       const json_t *frames) {
    for (size_t i = 0; i < json_array_size(frames); i++) {
        const json_t *frame = json_array_get(frames, i);
        const double time =
            json_number_value(json_array_get(frame, 0)) / RESULT_CYCLES_IN_MS;
        const json_t *nodes = json_array_get(frame, 1);
        for (size_t k = 0; k < json_array_size(nodes); k++) {
            const json_t *node = json_array_get(nodes, k);
            fprintf(out, "%.10g", time);
            for (size_t f = 0; f < 3; f++)
                fprintf(out, ",%" JSON_INTEGER_FORMAT,
                        json_integer_value(json_array_get(node, f)));
            fields_end_row(out, plan, settings, false);
        }
    }
}

static const char frames_head[] = "time_ms,node,queue_words,overflow_buffer_words";

static void write_frames(const Campaign *campaign, const Plan *plan, FILE *out) {
    fputs(frames_head, out);
    fields_end_row(out, plan, NULL, false);
    for (unsigned i = 0; i < plan->point_count; i++) {
        const Run *run = &campaign->runs[plan->points[i].runs[0]];
        put_frames(out, plan, &run->settings, run->result ? run->result->frames : NULL);
    }
}

/* ---- all ------------------------------------------------------------------------- */

typedef void Writer(const Campaign *campaign, const Plan *plan, FILE *out);

static const struct {
    const char *suffix;
    Writer *write;
} tables[] = {
    {".csv", write_runs},
    {".points.csv", write_points},
    {".cdf.csv", write_cdf},
    {".histogram.csv", write_histogram},
    {".times.csv", write_times},
    {".map.csv", by_node_map},
    {".jam.csv", by_node_jam},
    {".costs.csv", by_node_costs},
    {".frames.csv", write_frames},
    {".curves.csv", curves_write},
    {".cells.csv", cells_write},
    {".printed.csv", cells_write_printed},
    {".nodes.csv", nodes_write},
    {".bars.csv", bars_write},
    {".scaling.csv", scaling_write},
};
enum { TABLES = sizeof tables / sizeof tables[0] };

/* Whether an experiment has this table; some tables need a probe. */
static bool is_wanted(const Plan *plan, unsigned table) {
    Writer *const write = tables[table].write;
    const Probe kind = plan->point_count
                           ? (Probe)settings_number(&plan->points[0].settings, "probe")
                           : PROBE_NONE;
    if (write == by_node_jam)
        return kind == PROBE_JAM;
    if (write == by_node_costs)
        return kind == PROBE_COSTS && !curves_wanted(plan);
    if (write == curves_write)
        return curves_wanted(plan);
    if (write == cells_write || write == cells_write_printed)
        return cells_wanted(plan);
    if (write == bars_write)
        return bars_wanted(plan);
    if (write == nodes_write)
        return nodes_wanted(plan);
    if (write == scaling_write)
        return scaling_wanted(plan);
    if (write == write_cdf || write == write_histogram || write == write_times ||
        write == write_points || write == by_node_map)
        return !curves_wanted(plan);
    return write != write_frames || kind == PROBE_FRAMES;
}

bool tables_write(const Campaign *campaign, const Plan *plan, const char *folder,
                  JmError *error) {
    for (unsigned i = 0; i < TABLES; i++) {
        JmOutFile file;
        if (!is_wanted(plan, i))
            continue;
        if (!fields_open(&file, folder, plan->experiment->name, tables[i].suffix,
                         error))
            return false;
        tables[i].write(campaign, plan, file.stream);
        if (!jm_outfile_commit(&file, error))
            return false;
    }
    return true;
}

json_t *tables_files(const Plan *plan) {
    json_t *files = json_array();
    for (unsigned i = 0; i < TABLES; i++)
        if (is_wanted(plan, i))
            json_array_append_new(
                files, jvalue_textf("%s%s", plan->experiment->name, tables[i].suffix));
    return files;
}

/* ---- columns that can be drawn --------------------------------------------------- */

/* Whether a column is a mean over the runs of a point, or stands beside one. */
static bool is_point_column(const char *name) {
    char column[SETTING_TEXT_MAX];
    return is_among(standard, STANDARD, name) || split(name, column) < STATISTICS;
}

/* Whether a column is a figure from number `first` on. */
static bool is_figure_from(const char *name, unsigned first) {
    while (first < row_count(true) && strcmp(row_column(first), name) != 0)
        first++;
    return first < row_count(true);
}

/* Whether NAME.curves.csv has a column: a figure, or COLUMN_ci95 or COLUMN_sd. */
static bool is_curve_column(const char *name) {
    const char *end = strrchr(name, '_');
    char column[SETTING_TEXT_MAX] = "";
    if (end && (strcmp(end, "_ci95") == 0 || strcmp(end, "_sd") == 0) &&
        end - name < SETTING_TEXT_MAX)
        memcpy(column, name, (size_t)(end - name));
    return row_is_figure(name) || is_figure_from(column, row_count(false));
}

void tables_suggest_statistic(JmSuggestion *suggestion) {
    for (unsigned i = 0; i < STATISTICS; i++)
        jm_suggest_consider(suggestion, statistics[i].name);
}

bool tables_have(ExperimentKind kind, const char *column) {
    const bool setting = settings_known(column);
    const bool listed = setting || strcmp(column, "other") == 0;
    switch (kind) {
    case KIND_TIMES:
        return word_list_has(times_head, ',', column);
    case KIND_MAP:
        return word_list_has(by_node_map_head, ',', column);
    case KIND_VIEW:
        return word_list_has(frames_head, ',', column);
    case KIND_MODELS:
        return setting || is_curve_column(column);
    case KIND_SCATTER:
        return listed ||
               (row_is_figure(column) && !is_figure_from(column, row_count(false)));
    default: /* a curve; nothing is drawn of a table */
        return listed || is_point_column(column) ||
               (kind == KIND_TABLE && row_has(column));
    }
}
