/* Writes NAME.curves.csv. */
#include "tools/exp/tables/curves.h"

#include <stdlib.h>
#include <string.h>

#include "tools/exp/measure/row.h"
#include "tools/exp/measure/statistics.h"
#include "tools/exp/tables/tables.h"

bool curves_wanted(const Plan *plan) {
    return plan->experiment->kind == KIND_MODELS;
}

/* ---- what a point is ------------------------------------------------------------- */

/* Whether the point is drawn on a line: a model's points have no spread. */
static bool is_line(const Settings *settings) {
    const char *model = settings_text(settings, "model");
#define MODEL(name, kind, text)                                                        \
    if (model && strcmp(model, #name) == 0)                                            \
        return strcmp(kind, "model") == 0;
#include "tools/exp/plan/models.def"
#undef MODEL
    return false;
}

/* Returns the state of the first run without a solution; else that of the last. */
static const char *state_of(const Campaign *campaign, const Point *point) {
    const char *state = "";
    for (unsigned i = 0; i < point->run_count; i++) {
        const json_t *record = campaign->runs[point->runs[i]].record;
        state = json_string_value(json_object_get(record, "stop"));
        if (!state || strcmp(state, "solved") != 0)
            break;
    }
    return state ? state : "";
}

/* Writes the curve's name: the values of the columns in `series`, as "queue = 64,
 * slow = 2", behind what solved the point. Columns without a value are left out. */
static void put_curve(FILE *out, const Campaign *campaign, const Plan *plan,
                      const Point *point) {
    const char *model = settings_text(&point->settings, "model");
    const char *list = plan->experiment->series ? plan->experiment->series : "";
    fputs(!model ? "machine" : is_line(&point->settings) ? "model" : "simulation", out);
    for (const char *at = list; *at && point->run_count;) {
        char name[SETTING_TEXT_MAX] = "";
        const size_t length = strcspn(at, " ");
        memcpy(name, at, length < sizeof name ? length : 0);
        const char *text = settings_text(&point->settings, name);
        const double value = row_number(&campaign->runs[point->runs[0]], name);
        if (text)
            fprintf(out, " %s = %s", name, text);
        else if (value == value)
            fprintf(out, " %s = %.4g", name, value);
        at += length + (at[length] == ' ');
    }
}

/* ---- rows ------------------------------------------------------------------------ */

static Summary summarise(const Campaign *campaign, const Point *point,
                         const char *column) {
    double *values = calloc(point->run_count + 1u, sizeof *values);
    for (unsigned i = 0; values && i < point->run_count; i++)
        values[i] = row_number(&campaign->runs[point->runs[i]], column);
    const Summary summary = statistics_of(values, values ? point->run_count : 0);
    free(values);
    return summary;
}

static void put_number(FILE *out, double value) {
    putc(',', out);
    tables_number(out, value);
}

/* Returns the names of all settings of the plan's points, as {name: true}. */
static json_t *setting_names(const Plan *plan) {
    json_t *names = json_object();
    for (unsigned i = 0; i < plan->point_count; i++)
        for (unsigned k = 0; k < plan->points[i].settings.count; k++)
            json_object_set_new(names, plan->points[i].settings.item[k].name,
                                json_true());
    json_object_del(names, "model");
    return names;
}

static void put_settings(FILE *out, const Settings *settings, json_t *names) {
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
    const bool line = is_line(&point->settings);
    fprintf(out, "%s,%u,%s,%s,%u,", plan->experiment->name, index,
            settings_program(&point->settings), state_of(campaign, point),
            point->run_count);
    if (line)
        put_curve(out, campaign, plan, point);
    putc(',', out);
    if (!line)
        put_curve(out, campaign, plan, point);
    put_settings(out, &point->settings, names);
    for (unsigned i = 0; row_column(i); i++)
        put_number(out, summarise(campaign, point, row_column(i)).mean);
    for (unsigned i = 0; row_model_column(i); i++)
        put_number(out, summarise(campaign, point, row_model_column(i)).mean);
    for (unsigned i = 0; row_model_column(i); i++)
        put_number(out, summarise(campaign, point, row_model_column(i)).ci95);
    putc('\n', out);
}

void curves_write(const Campaign *campaign, const Plan *plan, FILE *out) {
    json_t *names = setting_names(plan);
    fputs("experiment,point,program,state,n,line,mark", out);
    put_settings(out, NULL, names);
    for (unsigned i = 0; row_column(i); i++)
        fprintf(out, ",%s", row_column(i));
    for (unsigned i = 0; row_model_column(i); i++)
        fprintf(out, ",%s", row_model_column(i));
    for (unsigned i = 0; row_model_column(i); i++)
        fprintf(out, ",%s_ci95", row_model_column(i));
    putc('\n', out);
    for (unsigned i = 0; i < plan->point_count; i++)
        put_point(campaign, plan, i, names, out);
    json_decref(names);
}
