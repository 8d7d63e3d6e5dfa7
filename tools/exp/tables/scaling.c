/* Writes NAME.scaling.csv: see writers.h. */
#include "tools/exp/measure/row.h"
#include "tools/exp/tables/fields.h"
#include "tools/exp/tables/writers.h"

/* Whether two points differ in nothing but the size of the machine. */
static bool same_problem(const Settings *a, const Settings *b) {
    Settings other = *b;
    const char *mesh = settings_text(a, "mesh");
    return mesh && settings_text(b, "mesh") &&
           settings_set(&other, "mesh", mesh, NULL) && settings_equal(a, &other);
}

static double figure_of(const Campaign *campaign, const Point *point,
                        const char *column) {
    return row_summary(campaign, point, column).mean;
}

static double nodes_of(const Campaign *campaign, const Point *point) {
    return figure_of(campaign, point, "node_count");
}

/* Returns the point of the same problem on the fewest nodes; the point itself if there
 * is no other. */
static const Point *base_of(const Campaign *campaign, const Plan *plan,
                            const Point *point) {
    const Point *base = point;
    for (unsigned i = 0; i < plan->point_count; i++) {
        const Point *other = &plan->points[i];
        if (same_problem(&point->settings, &other->settings) &&
            nodes_of(campaign, other) < nodes_of(campaign, base))
            base = other;
    }
    return base;
}

bool scaling_wanted(const Plan *plan) {
    for (unsigned i = 0; curves_wanted(plan) && i < plan->point_count; i++)
        if (settings_text(&plan->points[i].settings, "program"))
            return true;
    return false;
}

/* Writes nodes, makespan and what follows from those of the base. */
static void put_figures(FILE *out, const Campaign *campaign, const Point *point,
                        const Point *base) {
    const double nodes = nodes_of(campaign, point);
    const double makespan = figure_of(campaign, point, "makespan");
    const double ratio = figure_of(campaign, base, "makespan") / makespan;
    const double speedup = nodes_of(campaign, base) * ratio;
    fields_put(out, nodes);
    fields_put(out, nodes_of(campaign, base));
    fields_put(out, makespan);
    fields_put(out, speedup);
    fields_put(out, speedup / nodes);
}

void scaling_write(const Campaign *campaign, const Plan *plan, FILE *out) {
    json_t *names = curves_setting_names(plan);
    fputs("experiment,point,state,n", out);
    curves_put_settings(out, NULL, names);
    fputs(",node_count,base_count,makespan,speedup,efficiency\n", out);
    for (unsigned i = 0; i < plan->point_count; i++) {
        const Point *point = &plan->points[i];
        fprintf(out, "%s,%u,%s,%u", plan->experiment->name, i,
                curves_state(campaign, point), point->run_count);
        curves_put_settings(out, &point->settings, names);
        put_figures(out, campaign, point, base_of(campaign, plan, point));
        putc('\n', out);
    }
    json_decref(names);
}
