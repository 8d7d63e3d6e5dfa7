/* Tables of the kind `models`: models, simulations and the machine on the same axes. */
#include "tools/exp/tables/models.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/measure/bars.h"
#include "tools/exp/measure/places.h"
#include "tools/exp/measure/row.h"
#include "tools/exp/tables/fields.h"
#include "tools/host/memory.h"
#include "tools/host/word_list.h"

bool models_wanted(const Plan *plan) {
    return plan->experiment->kind == KIND_MODELS;
}

/* ---- NAME.curves.csv ------------------------------------------------------------- */

enum { CURVE_NAME_MAX = 256 };

/* Returns how a point ended: the state of the first run without a solution; else that
 * of the last. */
static const char *state_of(const Point *point) {
    const char *state = "";
    for (unsigned i = 0; i < point->run_count; i++) {
        const Run *run = point->runs[i];
        state = run->outcome ? run->outcome->stop : "";
        if (!run->result ||
            (strcmp(state, "solved") != 0 && strcmp(state, "exit") != 0))
            break;
    }
    return state;
}

static bool is_number(const char *text) {
    char *end;
    strtod(text, &end);
    return *text && !*end;
}

/* Appends the value of a column: "queue 64"; a word stands for itself. */
static void add_value(char name[CURVE_NAME_MAX], const Run *run, const char *column) {
    const size_t length = strlen(name), left = CURVE_NAME_MAX - length;
    const char *text = settings_text(&run->settings, column);
    const double value = row_number(run, column);
    if (text && !is_number(text))
        snprintf(name + length, left, " %s", text);
    else if (text)
        snprintf(name + length, left, " %s %s", column, text);
    else if (!isnan(value))
        snprintf(name + length, left, " %s %.4g", column, value);
}

/* Names the curve of point `index`: what solved it, and the values of the columns in
 * `series` and of settings that --set sweeps; those without a value are left out. */
static void name_curve(const Plan *plan, unsigned index, char name[CURVE_NAME_MAX]) {
    const Point *point = &plan->points[index];
    const char *list = plan->experiment->series ? plan->experiment->series : "";
    snprintf(name, CURVE_NAME_MAX, "%s",
             !settings_text(point->settings, "model") ? "machine"
             : settings_is_solved(point->settings)    ? "model"
                                                      : "simulation");
    char column[SETTING_TEXT_MAX];
    while (point->run_count && word_list_next(&list, ' ', column, sizeof column))
        add_value(name, point->runs[0], column);
    for (unsigned i = 0; i < plan->swept.count && point->run_count; i++)
        add_value(name, point->runs[0], plan->swept.name[i]);
}

/* Returns the names of all settings of the plan's points but `model`, as {name: true}.
 */
static json_t *setting_names(const Plan *plan) {
    json_t *names = json_object();
    for (unsigned i = 0; i < plan->point_count; i++)
        for (unsigned k = 0; k < plan->points[i].settings->count; k++)
            json_object_set_new(names, plan->points[i].settings->item[k].name,
                                json_true());
    json_object_del(names, "model");
    return names;
}

/* Writes a field for each of these names, with a comma before each: the values of the
 * settings, empty where one is not set; the names themselves if `settings` is NULL. */
static void put_names(FILE *out, const Settings *settings, json_t *names) {
    const char *name;
    json_t *unused;
    json_object_foreach (names, name, unused) {
        const char *text = settings ? settings_text(settings, name) : name;
        fprintf(out, ",%s", text ? text : "");
    }
}

/* Figures come as means, those of models also with these statistics. */
static const struct {
    const char *suffix;
    size_t place; /* in a Summary */
} curve_parts[] = {{"", offsetof(Summary, mean)},
                   {"_ci95", offsetof(Summary, ci95)},
                   {"_sd", offsetof(Summary, sd)}};
enum { CURVE_PARTS = sizeof curve_parts / sizeof curve_parts[0] };

static void put_curve_point(const Plan *plan, unsigned index, json_t *names,
                            FILE *out) {
    const Point *point = &plan->points[index];
    const bool line = settings_is_solved(point->settings);
    char curve[CURVE_NAME_MAX];
    name_curve(plan, index, curve);
    fprintf(out, "%s,%u,%s,%s,%u,%s,%s", plan->experiment->name, index,
            settings_program(point->settings), state_of(point), point->run_count,
            line ? curve : "", line ? "" : curve);
    put_names(out, point->settings, names);
    for (unsigned p = 0; p < CURVE_PARTS; p++)
        for (unsigned i = p ? row_count(false) : 0; i < row_count(true); i++)
            fields_put(out, statistics_figure(row_summary(point, row_column(i)),
                                              curve_parts[p].place));
    putc('\n', out);
}

typedef struct {
    unsigned point, curve; /* `curve`: the first point on the same */
    double x;
} OnCurve;

static int compare_places(const void *a, const void *b) {
    const OnCurve *p = a, *q = b;
    if (p->curve != q->curve)
        return p->curve < q->curve ? -1 : 1;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->point > q->point) - (p->point < q->point);
}

/* Returns the points curve by curve, and along each by x, so that lines can be drawn.
 */
static OnCurve *sorted_places(const Plan *plan) {
    OnCurve *places = memory_array(plan->point_count, sizeof *places);
    json_t *first = json_object();
    for (unsigned i = 0; i < plan->point_count; i++) {
        char name[CURVE_NAME_MAX];
        name_curve(plan, i, name);
        if (!json_object_get(first, name))
            json_object_set_new(first, name, json_integer(i));
        const double x = row_summary(&plan->points[i], plan->experiment->x).mean;
        places[i] = (OnCurve){
            .point = i,
            .curve = (unsigned)json_integer_value(json_object_get(first, name)),
            .x = isnan(x) ? INFINITY : x};
    }
    json_decref(first);
    qsort(places, plan->point_count, sizeof *places, compare_places);
    return places;
}

void models_curves(const Plan *plan, FILE *out) {
    json_t *names = setting_names(plan);
    json_object_del(names, "program");
    fputs("experiment,point,program,state,n,line,mark", out);
    put_names(out, NULL, names);
    for (unsigned p = 0; p < CURVE_PARTS; p++)
        for (unsigned i = p ? row_count(false) : 0; i < row_count(true); i++)
            fprintf(out, ",%s%s", row_column(i), curve_parts[p].suffix);
    putc('\n', out);
    OnCurve *places = sorted_places(plan);
    for (unsigned i = 0; i < plan->point_count; i++)
        put_curve_point(plan, places[i].point, names, out);
    free(places);
    json_decref(names);
}

/* ---- NAME.nodes.csv -------------------------------------------------------------- */

bool models_have_nodes(const Plan *plan) {
    for (unsigned i = 0; models_wanted(plan) && i < plan->point_count; i++) {
        const Settings *settings = plan->points[i].settings;
        if (settings_text(settings, "model") && settings_text(settings, "mesh"))
            return true;
    }
    return false;
}

static double flits_at(const Run *run, unsigned node) {
    return queues_all_at(run, node) * queues_flits(run);
}

static NodeFigure *const figures[] = {queues_at, queues_all_at, flits_at,
                                      queues_accepted_at};
enum { FIGURES = sizeof figures / sizeof figures[0] };

/* Writes the mean of a figure over the runs of a point. */
static void put_mean(const Point *point, unsigned node, NodeFigure *figure, FILE *out) {
    double sum = 0;
    for (unsigned k = 0; k < point->run_count; k++)
        sum += figure(point->runs[k], node);
    fields_put(out, sum / point->run_count);
}

const char models_nodes_head[] =
    "experiment,point,program,state,n,line,mark,x,y,z,rank,queue,queue_all,"
    "queue_all_flits,accepted";

void models_put_nodes(const Plan *plan, unsigned index, FILE *out) {
    const Point *point = &plan->points[index];
    if (!settings_text(point->settings, "mesh"))
        return;
    const bool line = settings_is_solved(point->settings);
    char curve[CURVE_NAME_MAX];
    name_curve(plan, index, curve);
    unsigned at[3], size[3];
    settings_mesh(point->settings, size);
    for (unsigned node = 0; node < size[0] * size[1] * size[2]; node++) {
        places_position(point->settings, node, at, size);
        fprintf(out, "%s,%u,%s,%s,%u,%s,%s,%u,%u,%u,%u", plan->experiment->name, index,
                settings_program(point->settings), state_of(point), point->run_count,
                line ? curve : "", line ? "" : curve, at[0], at[1], at[2], node);
        for (unsigned i = 0; i < FIGURES; i++)
            put_mean(point, node, figures[i], out);
        fields_end_row(out, plan, point->settings, false);
    }
}

/* ---- NAME.bars.csv: cures against the bar for a better one ----------------------- */

bool models_have_bars(const Plan *plan) {
    for (unsigned i = 0; models_wanted(plan) && i < plan->point_count; i++)
        if (bars_is_endless(plan->points[i].settings))
            return true;
    return false;
}

static void put_interval(FILE *out, Summary summary) {
    fields_put(out, summary.mean);
    fields_put(out, summary.ci95);
}

/* Writes counts of all runs, the longest queues, and the makespan. */
static void put_counts(const Point *point, FILE *out) {
    const Summary filled = row_summary(point, "filled");
    const Summary unfilled = row_summary(point, "unfilled");
    const Summary stuck = row_summary(point, "deadlock");
    const Summary queue1 = row_summary(point, "longest1");
    fields_put(out, filled.mean * (double)filled.n);
    fields_put(out, (double)unfilled.n - unfilled.mean * (double)unfilled.n);
    fields_put(out, stuck.mean * (double)stuck.n);
    fields_put(out, row_summary(point, "longest").max);
    fields_put(out, queue1.max);
    fields_put(out, queue1.mean);
    fields_put(out, row_summary(point, "spill_peak").max);
    fields_put(out, row_summary(point, "share1").mean);
    put_interval(out, row_summary(point, "makespan"));
}

static void put_bar(const Plan *plan, const LoadPoints *bars, size_t index,
                    json_t *names, FILE *out) {
    const Point *point = &bars->points[index];
    fprintf(out, "%s,%zu", plan->experiment->name, index);
    put_names(out, point->settings, names);
    fprintf(out, ",%u,%u-%u", point->run_count, point->runs[0]->seed,
            point->runs[point->run_count - 1]->seed);
    put_counts(point, out);
    const Summary over = bars_ratio(bars, point);
    fields_put(out, (double)over.n);
    put_interval(out, over);
    put_interval(out, bars_hot_ratio(bars, point));
    put_interval(out, bars_ref_ratio(bars, point));
    putc('\n', out);
}

void models_bars(const Plan *plan, FILE *out) {
    json_t *names = setting_names(plan);
    const Run **runs = plan_runs(plan);
    LoadPoints bars = load_points_open(runs, plan_run_count(plan));
    fputs("experiment,point", out);
    put_names(out, NULL, names);
    fputs(",n,seeds,overflows,overflowed,deadlocks,longest,longest1,longest1_mean,ring,"
          "share1,makespan,makespan_ci95,pairs,ratio,ratio_ci95,hot_ratio,"
          "hot_ratio_ci95,ref_ratio,ref_ratio_ci95\n",
          out);
    for (size_t i = 0; i < bars.count; i++)
        if (!bars_is_endless(bars.points[i].settings))
            put_bar(plan, &bars, i, names, out);
    load_points_close(&bars);
    free(runs);
    json_decref(names);
}

/* ---- NAME.scaling.csv ------------------------------------------------------------ */

/* Whether two points differ in nothing but the size of the machine. */
static bool same_problem(const Settings *a, const Settings *b) {
    Settings other = *b;
    const char *mesh = settings_text(a, "mesh");
    return mesh && settings_text(b, "mesh") &&
           settings_set(&other, "mesh", mesh, NULL) && settings_equal(a, &other);
}

static double mean_of(const Point *point, const char *column) {
    return row_summary(point, column).mean;
}

static double count_nodes(const Point *point) {
    return mean_of(point, "node_count");
}

/* Returns the point of the same problem on the fewest nodes; the point itself if there
 * is no other. */
static const Point *base_of(const Plan *plan, const Point *point) {
    const Point *base = point;
    for (unsigned i = 0; i < plan->point_count; i++) {
        const Point *other = &plan->points[i];
        if (same_problem(point->settings, other->settings) &&
            count_nodes(other) < count_nodes(base))
            base = other;
    }
    return base;
}

bool models_have_scaling(const Plan *plan) {
    for (unsigned i = 0; models_wanted(plan) && i < plan->point_count; i++)
        if (settings_text(plan->points[i].settings, "program"))
            return true;
    return false;
}

/* Writes nodes, makespan and what follows from those of the base. */
static void put_figures(FILE *out, const Point *point, const Point *base) {
    const double nodes = count_nodes(point);
    const double makespan = mean_of(point, "makespan");
    const double ratio = mean_of(base, "makespan") / makespan;
    const double speedup = count_nodes(base) * ratio;
    fields_put(out, nodes);
    fields_put(out, count_nodes(base));
    fields_put(out, makespan);
    fields_put(out, speedup);
    fields_put(out, speedup / nodes);
}

void models_scaling(const Plan *plan, FILE *out) {
    json_t *names = setting_names(plan);
    fputs("experiment,point,state,n", out);
    put_names(out, NULL, names);
    fputs(",node_count,base_count,makespan,speedup,efficiency\n", out);
    for (unsigned i = 0; i < plan->point_count; i++) {
        const Point *point = &plan->points[i];
        fprintf(out, "%s,%u,%s,%u", plan->experiment->name, i, state_of(point),
                point->run_count);
        put_names(out, point->settings, names);
        put_figures(out, point, base_of(plan, point));
        putc('\n', out);
    }
    json_decref(names);
}
