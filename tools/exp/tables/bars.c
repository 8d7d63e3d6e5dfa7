/* Writes NAME.bars.csv: see writers.h. */
#include <stdlib.h>

#include "tools/exp/measure/bars.h"
#include "tools/exp/tables/fields.h"
#include "tools/exp/tables/writers.h"

bool bars_wanted(const Plan *plan) {
    for (unsigned i = 0; curves_wanted(plan) && i < plan->point_count; i++)
        if (bars_is_endless(&plan->points[i].settings))
            return true;
    return false;
}

static void put_interval(FILE *out, Summary summary) {
    fields_put(out, summary.mean);
    fields_put(out, summary.ci95);
}

/* Writes counts of all runs, the longest queues, and the makespan. */
static void put_runs(const BarsPoint *point, FILE *out) {
    const Summary filled = bars_summary(point, "filled");
    const Summary unfilled = bars_summary(point, "unfilled");
    const Summary stuck = bars_summary(point, "deadlock");
    const Summary queue1 = bars_summary(point, "longest1");
    fields_put(out, filled.mean * (double)filled.n);
    fields_put(out, (double)unfilled.n - unfilled.mean * (double)unfilled.n);
    fields_put(out, stuck.mean * (double)stuck.n);
    fields_put(out, bars_summary(point, "longest").max);
    fields_put(out, queue1.max);
    fields_put(out, queue1.mean);
    fields_put(out, bars_summary(point, "spill_peak").max);
    fields_put(out, bars_summary(point, "share1").mean);
    put_interval(out, bars_summary(point, "makespan"));
}

static void put_point(const Plan *plan, const Bars *bars, size_t index, json_t *names,
                      FILE *out) {
    const BarsPoint *point = &bars->points[index];
    fprintf(out, "%s,%zu", plan->experiment->name, index);
    curves_put_settings(out, &point->runs[0]->settings, names);
    fprintf(out, ",%zu,%u-%u", point->count, point->runs[0]->seed,
            point->runs[point->count - 1]->seed);
    put_runs(point, out);
    const Summary over = bars_ratio(bars, point);
    fields_put(out, (double)over.n);
    put_interval(out, over);
    put_interval(out, bars_hot_ratio(bars, point));
    put_interval(out, bars_ref_ratio(bars, point));
    putc('\n', out);
}

void bars_write(const Campaign *campaign, const Plan *plan, FILE *out) {
    json_t *names = curves_setting_names(plan);
    const Run **runs = plan_runs(campaign, plan);
    Bars bars = bars_open(runs, plan_run_count(plan));
    fputs("experiment,point", out);
    curves_put_settings(out, NULL, names);
    fputs(",n,seeds,overflows,overflowed,deadlocks,longest,longest1,longest1_mean,ring,"
          "share1,makespan,makespan_ci95,pairs,ratio,ratio_ci95,hot_ratio,"
          "hot_ratio_ci95,ref_ratio,ref_ratio_ci95\n",
          out);
    for (size_t i = 0; i < bars.count; i++)
        if (!bars_is_endless(&bars.points[i].runs[0]->settings))
            put_point(plan, &bars, i, names, out);
    bars_close(&bars);
    free(runs);
    json_decref(names);
}
