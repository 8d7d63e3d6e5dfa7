/* Writes NAME.nodes.csv: see writers.h. */
#include <math.h>

#include "tools/exp/measure/nodes.h"
#include "tools/exp/measure/queues.h"
#include "tools/exp/tables/fields.h"
#include "tools/exp/tables/writers.h"

bool nodes_wanted(const Plan *plan) {
    for (unsigned i = 0; curves_wanted(plan) && i < plan->point_count; i++) {
        const Settings *settings = &plan->points[i].settings;
        if (settings_text(settings, "model") && settings_text(settings, "mesh"))
            return true;
    }
    return false;
}

static unsigned nodes_of(const Settings *settings) {
    unsigned at[3], size[3];
    nodes_position(settings, 0, at, size);
    return size[0] * size[1] * size[2];
}

/* The figures of a node from a run. */
typedef double NodeFigure(const Run *run, unsigned node);

static double flits_at(const Run *run, unsigned node) {
    return queues_all_at(run, node) * queues_flits(run);
}

static NodeFigure *const figures[] = {queues_at, queues_all_at, flits_at,
                                      queues_accepted_at};
enum { FIGURES = sizeof figures / sizeof figures[0] };

/* Writes the mean of a figure over the runs of a point. */
static void put_mean(const Campaign *campaign, const Point *point, unsigned node,
                     NodeFigure *figure, FILE *out) {
    double sum = 0;
    for (unsigned k = 0; k < point->run_count; k++)
        sum += figure(&campaign->runs[point->runs[k]], node);
    fields_put(out, sum / point->run_count);
}

static void put_point(const Campaign *campaign, const Plan *plan, unsigned index,
                      FILE *out) {
    const Point *point = &plan->points[index];
    const bool line = settings_is_solved(&point->settings);
    char curve[CURVE_NAME_MAX];
    curves_name(campaign, plan, index, curve);
    for (unsigned node = 0; node < nodes_of(&point->settings); node++) {
        unsigned at[3], size[3];
        nodes_position(&point->settings, node, at, size);
        fprintf(out, "%s,%u,%s,%s,%u,%s,%s,%u,%u,%u,%u", plan->experiment->name, index,
                settings_program(&point->settings), curves_state(campaign, point),
                point->run_count, line ? curve : "", line ? "" : curve, at[0], at[1],
                at[2], node);
        for (unsigned i = 0; i < FIGURES; i++)
            put_mean(campaign, point, node, figures[i], out);
        fields_end_row(out, plan, &point->settings, false);
    }
}

void nodes_write(const Campaign *campaign, const Plan *plan, FILE *out) {
    fputs("experiment,point,program,state,n,line,mark,x,y,z,rank,queue,queue_all,"
          "queue_all_flits,accepted",
          out);
    fields_end_row(out, plan, NULL, false);
    for (unsigned i = 0; i < plan->point_count; i++)
        if (settings_text(&plan->points[i].settings, "mesh"))
            put_point(campaign, plan, i, out);
}
