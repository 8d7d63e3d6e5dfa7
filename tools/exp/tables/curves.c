/* Writes NAME.curves.csv: see writers.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/measure/row.h"
#include "tools/exp/tables/fields.h"
#include "tools/exp/tables/writers.h"
#include "tools/host/memory.h"
#include "tools/host/word_list.h"

bool curves_wanted(const Plan *plan) {
    return plan->experiment->kind == KIND_MODELS;
}

/* ---- description of a point ------------------------------------------------------ */

const char *curves_state(const Campaign *campaign, const Point *point) {
    const char *state = "";
    for (unsigned i = 0; i < point->run_count; i++) {
        const Run *run = &campaign->runs[point->runs[i]];
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

void curves_name(const Campaign *campaign, const Plan *plan, unsigned index,
                 char name[CURVE_NAME_MAX]) {
    const Point *point = &plan->points[index];
    const char *list = plan->experiment->series ? plan->experiment->series : "";
    snprintf(name, CURVE_NAME_MAX, "%s",
             !settings_text(&point->settings, "model") ? "machine"
             : settings_is_solved(&point->settings)    ? "model"
                                                       : "simulation");
    char column[SETTING_TEXT_MAX];
    while (point->run_count && word_list_next(&list, ' ', column, sizeof column))
        add_value(name, &campaign->runs[point->runs[0]], column);
    for (unsigned i = 0; i < plan->swept.count && point->run_count; i++)
        add_value(name, &campaign->runs[point->runs[0]], plan->swept.name[i]);
}

/* ---- rows ------------------------------------------------------------------------ */

json_t *curves_setting_names(const Plan *plan) {
    json_t *names = json_object();
    for (unsigned i = 0; i < plan->point_count; i++)
        for (unsigned k = 0; k < plan->points[i].settings.count; k++)
            json_object_set_new(names, plan->points[i].settings.item[k].name,
                                json_true());
    json_object_del(names, "model");
    return names;
}

void curves_put_settings(FILE *out, const Settings *settings, json_t *names) {
    const char *name;
    json_t *unused;
    json_object_foreach (names, name, unused) {
        const char *text = settings ? settings_text(settings, name) : name;
        fprintf(out, ",%s", text ? text : "");
    }
}

static void put_point(const Campaign *campaign, const Plan *plan, unsigned index,
                      json_t *names, FILE *out) {
    const Point *point = &plan->points[index];
    const bool line = settings_is_solved(&point->settings);
    char curve[CURVE_NAME_MAX];
    curves_name(campaign, plan, index, curve);
    fprintf(out, "%s,%u,%s,%s,%u,%s,%s", plan->experiment->name, index,
            settings_program(&point->settings), curves_state(campaign, point),
            point->run_count, line ? curve : "", line ? "" : curve);
    curves_put_settings(out, &point->settings, names);
    for (unsigned i = 0; i < row_count(true); i++)
        fields_put(out, row_summary(campaign, point, row_column(i)).mean);
    for (unsigned i = row_count(false); i < row_count(true); i++)
        fields_put(out, row_summary(campaign, point, row_column(i)).ci95);
    for (unsigned i = row_count(false); i < row_count(true); i++)
        fields_put(out, row_summary(campaign, point, row_column(i)).sd);
    putc('\n', out);
}

/* ---- order ----------------------------------------------------------------------- */

typedef struct {
    unsigned point, curve; /* `curve`: the first point on the same */
    double x;
} Place;

static int compare_places(const void *a, const void *b) {
    const Place *p = a, *q = b;
    if (p->curve != q->curve)
        return p->curve < q->curve ? -1 : 1;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->point > q->point) - (p->point < q->point);
}

/* Returns the points curve by curve, and along each by x, so that lines can be drawn.
 */
static Place *sorted_places(const Campaign *campaign, const Plan *plan) {
    Place *places = memory_array(plan->point_count, sizeof *places);
    json_t *first = json_object();
    for (unsigned i = 0; i < plan->point_count; i++) {
        char name[CURVE_NAME_MAX];
        curves_name(campaign, plan, i, name);
        if (!json_object_get(first, name))
            json_object_set_new(first, name, json_integer(i));
        const double x =
            row_summary(campaign, &plan->points[i], plan->experiment->x).mean;
        places[i] =
            (Place){.point = i,
                    .curve = (unsigned)json_integer_value(json_object_get(first, name)),
                    .x = isnan(x) ? INFINITY : x};
    }
    json_decref(first);
    qsort(places, plan->point_count, sizeof *places, compare_places);
    return places;
}

void curves_write(const Campaign *campaign, const Plan *plan, FILE *out) {
    json_t *names = curves_setting_names(plan);
    json_object_del(names, "program");
    fputs("experiment,point,program,state,n,line,mark", out);
    curves_put_settings(out, NULL, names);
    for (unsigned i = 0; i < row_count(true); i++)
        fprintf(out, ",%s", row_column(i));
    for (unsigned i = row_count(false); i < row_count(true); i++)
        fprintf(out, ",%s_ci95", row_column(i));
    for (unsigned i = row_count(false); i < row_count(true); i++)
        fprintf(out, ",%s_sd", row_column(i));
    putc('\n', out);
    Place *places = sorted_places(campaign, plan);
    for (unsigned i = 0; i < plan->point_count; i++)
        put_point(campaign, plan, places[i].point, names, out);
    free(places);
    json_decref(names);
}
