/* Writes the CSV files of an experiment, which ../README.md lists, and
 * experiments.json. */
#include "tools/exp/tables/tables.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/measure/cells.h"
#include "tools/exp/measure/places.h"
#include "tools/exp/measure/row.h"
#include "tools/exp/measure/statistics.h"
#include "tools/exp/plan/experiment_file.h"
#include "tools/exp/plan/setting_rows.h"
#include "tools/exp/tables/fields.h"
#include "tools/exp/tables/models.h"
#include "tools/host/memory.h"
#include "tools/host/shell.h"
#include "tools/host/values.h"
#include "tools/host/word_list.h"
#include "tools/jm/version.h"

static bool is_of_machine(const Plan *plan) {
    return !models_wanted(plan);
}

/* Returns the probe of the runs. */
static Probe probe_of(const Plan *plan) {
    return plan->point_count ? (Probe)settings_number(plan->points[0].settings, "probe")
                             : PROBE_NONE;
}

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
    for (unsigned i = 0; setting_row_at(i); i++) {
        const SettingRow *row = setting_row_at(i);
        const char *text = settings ? settings_text(settings, row->name) : row->name;
        if (!row->models && row->standard)
            fprintf(out, "%s,", text ? text : "");
    }
    if (settings)
        settings_print(settings, false, other, sizeof other);
    fputs(other, out);
    if (experiment->kind != KIND_CURVE && experiment->kind != KIND_SCATTER)
        return;
    put_listed(out, experiment->x, settings, shown);
    put_listed(out, experiment->series, settings, shown);
}

/* ---- NAME.csv -------------------------------------------------------------------- */

static bool has_runs(const Plan *plan) {
    (void)plan;
    return true;
}

static const char *stop_of(const Run *run) {
    return run->outcome ? run->outcome->stop : "";
}

static void put_run(FILE *out, const Plan *plan, unsigned point, unsigned index,
                    const Run *run) {
    fprintf(out, "%s,%u,%u,%s,", plan->experiment->name, point, index,
            settings_program(&run->settings));
    put_settings(out, plan->experiment, &run->settings, "program");
    fprintf(out, ",%u,%s,%s", run->seed, version_text, stop_of(run));
    for (unsigned i = 0; i < row_count(models_wanted(plan)); i++)
        fields_put(out, row_number(run, row_column(i)));
    fields_end_row(out, plan, &run->settings, true);
}

static void write_runs(const Plan *plan, FILE *out) {
    fputs("experiment,point,run,program,", out);
    put_settings(out, plan->experiment, NULL, "program");
    fputs(",seed,version,stop", out);
    for (unsigned i = 0; i < row_count(models_wanted(plan)); i++)
        fprintf(out, ",%s", row_column(i));
    fields_end_row(out, plan, NULL, true);
    for (unsigned i = 0; i < plan->point_count; i++)
        for (unsigned k = 0; k < plan->points[i].run_count; k++)
            put_run(out, plan, i, k, plan->points[i].runs[k]);
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

static double point_figure(const Point *point, const char *name) {
    char column[SETTING_TEXT_MAX];
    if (strcmp(name, "n") == 0)
        return (double)row_summary(point, "T_ms").n;
    if (strcmp(name, "runs_without_overflow") == 0) {
        const Summary clean = row_summary(point, "clean");
        return clean.mean * (double)clean.n;
    }
    const size_t place = statistics[split(name, column)].place;
    return statistics_figure(row_summary(point, column), place);
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

static void write_points(const Plan *plan, FILE *out) {
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
        put_settings(out, plan->experiment, point->settings, "");
        for (unsigned k = 0; k < count; k++)
            fields_put(out, point_figure(point, names[k]));
        fields_end_row(out, plan, point->settings, true);
    }
}

/* ---- NAME.cdf.csv ---------------------------------------------------------------- */

/* Collects the makespans of a point in ms, which it sorts. */
static Summary sort_makespans(const Point *point, double *makespans) {
    for (unsigned i = 0; i < point->run_count; i++)
        makespans[i] = row_number(point->runs[i], "T_ms");
    return statistics_of(makespans, point->run_count);
}

static const char cdf_head[] = "point,T_ms,T_scaled_ms,percent";

static void put_cdf(const Plan *plan, unsigned index, FILE *out) {
    const Point *point = &plan->points[index];
    const double hops = settings_number(point->settings, "L");
    double *t = memory_array(point->run_count, sizeof *t);
    const Summary all = sort_makespans(point, t);
    for (unsigned k = 0; k < all.n; k++) {
        fprintf(out, "%u,%.10g,%.10g,%.10g", index, t[k], t[k] * 1000 / hops,
                100.0 * (k + 1) / point->run_count);
        fields_end_row(out, plan, point->settings, false);
    }
    free(t);
}

/* ---- NAME.histogram.csv ---------------------------------------------------------- */

enum { BINS = 20 };

static const char histogram_head[] = "point,from_ms,to_ms,runs";

/* Writes the makespans in BINS equal bins from the shortest to the longest. */
static void put_histogram(const Plan *plan, unsigned index, FILE *out) {
    const Point *point = &plan->points[index];
    size_t bins[BINS];
    double *t = memory_array(point->run_count, sizeof *t);
    const Summary all = sort_makespans(point, t);
    const double width = (all.max - all.min) / BINS;
    const bool good = statistics_histogram(t, all.n, all.min, all.max, bins, BINS);
    for (unsigned k = 0; good && k < BINS; k++) {
        fprintf(out, "%u,%.10g,%.10g,%zu", index, all.min + k * width,
                all.min + (k + 1) * width, bins[k]);
        fields_end_row(out, plan, point->settings, false);
    }
    free(t);
}

/* ---- NAME.times.csv -------------------------------------------------------------- */

static const char times_head[] = "point,time_ms,n,queue_max_mean,queue_max_sd,"
                                 "queue_max_max,queue_total_mean,overflowed_nodes_mean";

/* All runs are sampled at the same times, so their n-th samples can be compared. The
 * table ends with the shortest run. */
static void put_times(const Plan *plan, unsigned index, FILE *out) {
    const Point *point = &plan->points[index];
    const Run **runs = point->runs;
    const unsigned count = point->run_count;
    for (size_t k = 0;; k++) {
        const Summary time = row_samples(runs, count, k, SAMPLE_TIME);
        if (time.n < count)
            break;
        const Summary most = row_samples(runs, count, k, SAMPLE_FULLEST);
        fprintf(out, "%u", index);
        fields_put(out, time.p50 / RESULT_CYCLES_IN_MS);
        fields_put(out, (double)time.n);
        fields_put(out, most.mean);
        fields_put(out, most.sd);
        fields_put(out, most.max);
        fields_put(out, row_samples(runs, count, k, SAMPLE_ALL).mean);
        fields_put(out, row_samples(runs, count, k, SAMPLE_OVERFLOWED).mean);
        fields_end_row(out, plan, point->settings, false);
    }
}

/* ---- NAME.frames.csv ------------------------------------------------------------- */

static const char frames_head[] = "time_ms,node,queue_words,overflow_buffer_words";

/* Writes the frames of the first run. */
static void put_frames(const Plan *plan, unsigned index, FILE *out) {
    const Run *run = plan->points[index].runs[0];
    const json_t *frames = run->result ? run->result->frames : NULL;
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
            fields_end_row(out, plan, &run->settings, false);
        }
    }
}

static bool has_frames(const Plan *plan) {
    return probe_of(plan) == PROBE_FRAMES;
}

/* ---- NAME.map.csv ---------------------------------------------------------------- */

/* Sums are kept for the largest machine; experiments that draw a map use one mesh. */
enum { NODES_MAX = JM_MAX_X * JM_MAX_Y * JM_MAX_Z };

/* Sums of one node over all runs. */
typedef struct {
    uint64_t overflows;
    uint64_t first;   /* runs in which this node overflowed before all others */
    uint64_t send;    /* SEND faults */
    uint64_t deepest; /* words; most in any run */
    double depth;     /* mean words in the queue, summed over runs */
} NodeSum;

/* Adds where a run overflowed. */
static void add_places(const Result *r, NodeSum *sums) {
    size_t first = NODES_MAX;
    double earliest = INFINITY;
    for (size_t i = 0; i < r->places.count; i++) {
        const double *place = result_row(&r->places, i);
        const size_t node = (size_t)place[0];
        if (node >= NODES_MAX)
            continue;
        sums[node].overflows += (uint64_t)place[1];
        first = place[2] < earliest ? node : first;
        earliest = fmin(earliest, place[2]);
    }
    if (first < NODES_MAX)
        sums[first].first++;
}

/* Adds a run to the sums and returns its number of nodes, 0 if it has no figures. */
static size_t add_run(const Run *run, NodeSum *sums) {
    const Result *r = run->result;
    if (!r)
        return 0;
    for (size_t i = 0; i < r->send.count && i < NODES_MAX; i++) {
        const uint64_t words = (uint64_t)r->deepest.value[i];
        sums[i].send += (uint64_t)r->send.value[i];
        sums[i].depth += r->depth.value[i] / 100; /* it is in hundredths of a word */
        sums[i].deepest = words > sums[i].deepest ? words : sums[i].deepest;
    }
    add_places(r, sums);
    return r->send.count;
}

/* Adds the runs of the points of one family, that of point `first`, and returns their
 * number. `nodes`: of the largest machine among them. */
static size_t add_family(const Plan *plan, unsigned first, NodeSum *sums,
                         size_t *nodes) {
    size_t runs = 0;
    for (unsigned i = first; i < plan->point_count; i++) {
        const Point *point = &plan->points[i];
        if (!plan_same_family(plan, first, i))
            continue;
        for (unsigned k = 0; k < point->run_count; k++) {
            const size_t count = add_run(point->runs[k], sums);
            *nodes = count > *nodes ? count : *nodes;
            runs += count > 0;
        }
    }
    return runs;
}

static const char map_head[] = "x,y,z,rank,runs,overflows,first_overflows,send_faults,"
                               "queue_mean_words,queue_max_words";

/* Writes the map of a family at its first point. */
static void put_map(const Plan *plan, unsigned first, FILE *out) {
    if (!plan_begins_family(plan, first))
        return;
    const Settings *settings = plan->points[first].settings;
    NodeSum *sums = memory_array(NODES_MAX, sizeof *sums);
    size_t nodes = 0;
    const size_t runs = add_family(plan, first, sums, &nodes);
    for (size_t i = 0; i < nodes; i++) {
        unsigned at[3], size[3];
        places_position(settings, (unsigned)i, at, size);
        fprintf(out, "%u,%u,%u,%zu,%zu,%llu,%llu,%llu,%.6g,%llu", at[0], at[1], at[2],
                i, runs, (unsigned long long)sums[i].overflows,
                (unsigned long long)sums[i].first, (unsigned long long)sums[i].send,
                sums[i].depth / (double)runs, (unsigned long long)sums[i].deepest);
        fields_end_row(out, plan, settings, false);
    }
    free(sums);
}

/* ---- NAME.jam.csv ---------------------------------------------------------------- */

static bool has_jam(const Plan *plan) {
    return probe_of(plan) == PROBE_JAM;
}

static void put_window(FILE *out, unsigned run, const json_t *jam,
                       const json_t *window) {
    static const char *const key[] = {"cycles",  "messages",  "z_column",
                                      "y_plane", "x_towards", "others"};
    fprintf(out, "%u,%" JSON_INTEGER_FORMAT ",%.10g", run,
            json_integer_value(json_object_get(jam, "node")),
            json_number_value(json_object_get(window, "time")) / 10);
    for (unsigned i = 0; i < sizeof key / sizeof key[0]; i++)
        fprintf(out, ",%" JSON_INTEGER_FORMAT,
                json_integer_value(json_object_get(window, key[i])));
}

static const char jam_head[] =
    "run,node,time_us,cycles,messages,z_column,y_plane,x_towards,others";

static void put_jam(const Plan *plan, unsigned index, FILE *out) {
    const Point *point = &plan->points[index];
    for (unsigned i = 0; i < point->run_count; i++) {
        const Result *r = point->runs[i]->result;
        const json_t *jam = r ? r->jam : NULL;
        const json_t *windows = json_object_get(jam, "windows");
        for (size_t k = 0; k < json_array_size(windows); k++) {
            put_window(out, i, jam, json_array_get(windows, k));
            fields_end_row(out, plan, point->settings, false);
        }
    }
}

/* ---- NAME.costs.csv: table 2.1 --------------------------------------------------- */

static bool has_costs(const Plan *plan) {
    return probe_of(plan) == PROBE_COSTS && !models_wanted(plan);
}

static void write_costs(const Plan *plan, FILE *out) {
    static const struct {
        const char *key, *text;
        int thesis;
    } heading[] = {{"preamble", "queue overflow trap preamble", 150},
                   {"subroutine", "queue to buffer subroutine", 50},
                   {"word_to_buffer", "word to buffer", 22},
                   {"token", "queue overflow token", 52},
                   {"message_to_queue", "message from buffer to queue", 23},
                   {"word_to_queue", "word from buffer to queue", 26}};
    fputs("item,thesis,p,message_words,measured,times", out);
    fields_end_row(out, plan, NULL, false);
    for (unsigned i = 0; i < sizeof heading / sizeof heading[0]; i++)
        for (unsigned k = 0; k < plan->point_count; k++) {
            double cycles = 0, units = 0;
            const Point *point = &plan->points[k];
            for (unsigned r = 0; r < point->run_count; r++) {
                const Result *result = point->runs[r]->result;
                const json_t *cost =
                    json_object_get(result ? result->costs : NULL, heading[i].key);
                cycles += result_tree_number(cost, "cycles");
                units += result_tree_number(cost, "units");
            }
            const double p = settings_number(point->settings, "p");
            fprintf(out, "%s,%d,%.0f,%.0f,", heading[i].text, heading[i].thesis, p,
                    p + 1);
            if (units > 0)
                fields_number(out, cycles / units);
            fprintf(out, ",%.0f", units);
            fields_end_row(out, plan, point->settings, false);
        }
}

/* ---- all ------------------------------------------------------------------------- */

/* A table, written as a whole or, below a head to which fields_end_row() adds, point by
 * point. */
static const struct {
    const char *suffix;
    bool (*wanted)(const Plan *plan);
    void (*write)(const Plan *plan, FILE *out);
    const char *head;
    void (*put)(const Plan *plan, unsigned point, FILE *out);
} tables[] = {
    {".csv", has_runs, write_runs, NULL, NULL},
    {".points.csv", is_of_machine, write_points, NULL, NULL},
    {".cdf.csv", is_of_machine, NULL, cdf_head, put_cdf},
    {".histogram.csv", is_of_machine, NULL, histogram_head, put_histogram},
    {".times.csv", is_of_machine, NULL, times_head, put_times},
    {".map.csv", is_of_machine, NULL, map_head, put_map},
    {".jam.csv", has_jam, NULL, jam_head, put_jam},
    {".costs.csv", has_costs, write_costs, NULL, NULL},
    {".frames.csv", has_frames, NULL, frames_head, put_frames},
    {".curves.csv", models_wanted, models_curves, NULL, NULL},
    {".cells.csv", cells_wanted, cells_write, NULL, NULL},
    {".printed.csv", cells_wanted, cells_write_printed, NULL, NULL},
    {".nodes.csv", models_have_nodes, NULL, models_nodes_head, models_put_nodes},
    {".bars.csv", models_have_bars, models_bars, NULL, NULL},
    {".scaling.csv", models_have_scaling, models_scaling, NULL, NULL},
};
enum { TABLES = sizeof tables / sizeof tables[0] };

static void put_points(const Plan *plan, unsigned table, FILE *out) {
    fputs(tables[table].head, out);
    fields_end_row(out, plan, NULL, false);
    for (unsigned i = 0; i < plan->point_count; i++)
        tables[table].put(plan, i, out);
}

bool tables_write(const Plan *plan, const char *folder, JmError *error) {
    for (unsigned i = 0; i < TABLES; i++) {
        JmOutFile file;
        if (!tables[i].wanted(plan))
            continue;
        if (!fields_open(&file, folder, plan->experiment->name, tables[i].suffix,
                         error))
            return false;
        if (tables[i].write)
            tables[i].write(plan, file.stream);
        else
            put_points(plan, i, file.stream);
        if (!jm_outfile_commit(&file, error))
            return false;
    }
    return true;
}

/* Returns the names of the files that tables_write() writes, as a JSON array. */
static json_t *files_of(const Plan *plan) {
    json_t *files = json_array();
    for (unsigned i = 0; i < TABLES; i++)
        if (tables[i].wanted(plan))
            json_array_append_new(
                files, jvalue_textf("%s%s", plan->experiment->name, tables[i].suffix));
    return files;
}

/* ---- experiments.json ------------------------------------------------------------ */

json_t *metadata_command(const Campaign *campaign, const char *name) {
    char *text = NULL;
    size_t size;
    FILE *out = memory_checked(open_memstream(&text, &size));
    const Plan *plan = campaign_plan(campaign, name);
    fputs("jm exp run ", out);
    shell_put(out, plan && plan->experiment->file ? plan->experiment->file : name);
    variation_print(&campaign->variation, out);
    fclose(out);
    return jvalue_taken(text);
}

/* Returns the values that a setting has at the points, each once, in their order, with
 * commas between them. */
static json_t *values_of(const Plan *plan, const char *name) {
    json_t *seen = json_object();
    char *list = NULL;
    size_t size;
    FILE *out = memory_checked(open_memstream(&list, &size));
    for (unsigned i = 0; i < plan->point_count; i++) {
        const char *value = settings_text(plan->points[i].settings, name);
        if (!value || json_object_get(seen, value))
            continue;
        fprintf(out, "%s%s", json_object_size(seen) ? "," : "", value);
        json_object_set_new(seen, value, json_true());
    }
    fclose(out);
    json_decref(seen);
    return jvalue_taken(list);
}

/* Returns {setting: values} over all points. */
static json_t *parameters(const Plan *plan) {
    json_t *object = json_object();
    for (unsigned i = 0; i < plan->point_count; i++) {
        const Settings *settings = plan->points[i].settings;
        for (unsigned k = 0; k < settings->count; k++)
            if (!json_object_get(object, settings->item[k].name))
                json_object_set_new(object, settings->item[k].name,
                                    values_of(plan, settings->item[k].name));
    }
    return object;
}

static json_t *swept_names(const Plan *plan) {
    json_t *names = json_array();
    for (unsigned i = 0; i < plan->swept.count; i++)
        json_array_append_new(names, jvalue_text(plan->swept.name[i]));
    return names;
}

/* Adds what only an experiment's file has: its text, from which an unfinished sweep is
 * planned again, and logarithmic axes. */
static void add_file(json_t *about, const Experiment *experiment) {
    static const char *const axes[] = {"x", "y"};
    char *text = NULL;
    size_t size;
    FILE *out = memory_checked(open_memstream(&text, &size));
    experiment_print(experiment, out);
    fclose(out);
    json_object_set_new(about, "file", jvalue_text(experiment->file));
    json_object_set_new(about, "text", jvalue_taken(text));
    for (unsigned i = 0; i < sizeof axes / sizeof axes[0]; i++)
        json_object_set_new(json_object_get(about, axes[i]), "log",
                            json_boolean(strstr(experiment->log, axes[i]) != NULL));
}

static json_t *describe(const Campaign *campaign, const Plan *plan) {
    const Experiment *e = plan->experiment;
    const size_t runs = plan_run_count(plan);
    const unsigned each = plan_most_runs(plan);
    const char *program =
        plan->point_count ? settings_program(plan->points[0].settings) : "";
    json_t *about = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o}, s:{s:o, s:o, s:o}, "
        "s:o, s:o, s:o, s:o, s:i, s:i, s:I, s:o, s:o, s:o, s:o}",
        "name", jvalue_text(e->name), "figure", jvalue_text(e->figure), "kind",
        jvalue_text(experiment_kind_name(e->kind)), "title", jvalue_text(e->title),
        "caption", jvalue_text(e->caption), "program", jvalue_text(program), "x",
        "column", jvalue_text(e->x), "label", jvalue_text(e->x_label), "y", "column",
        jvalue_text(e->y), "error", jvalue_text(e->error), "label",
        jvalue_text(e->y_label), "series", jvalue_text(e->series), "swept",
        swept_names(plan), "z", e->plane < 0 ? json_null() : json_integer(e->plane),
        "parameters", parameters(plan), "runs_per_point", (int)each, "points",
        (int)plan->point_count, "runs", (json_int_t)runs, "scale", plan_scale(plan),
        "remark", jvalue_text(e->remark), "command",
        metadata_command(campaign, e->name), "files", files_of(plan));
    if (e->file)
        add_file(about, e);
    return about;
}

bool metadata_write(const Campaign *campaign, const char *folder, const char *command,
                    JmError *error) {
    json_t *list = json_array();
    for (unsigned i = 0; i < campaign->plan_count; i++)
        json_array_append_new(list, describe(campaign, &campaign->plans[i]));
    json_t *changed = json_array();
    for (unsigned i = 0; i < campaign->variation.set_count; i++)
        json_array_append_new(changed, jvalue_text(campaign->variation.sets[i]));
    json_t *root = json_pack(
        "{s:o, s:o, s:o, s:I, s:I, s:o, s:o}", "version", jvalue_text(version_text),
        "mode", jvalue_text(campaign->variation.full ? "full" : "quick"), "command",
        jvalue_text(command), "runs", (json_int_t)campaign->run_count, "done",
        (json_int_t)campaign_done(campaign), "changed_settings", changed, "experiments",
        list);
    return fields_json(root, 0, folder, "experiments", error);
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
        return word_list_has(map_head, ',', column);
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
