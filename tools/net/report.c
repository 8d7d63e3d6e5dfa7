/* The results of a run: estimates by batch means, as text and JSON. */
#include <gsl/gsl_cdf.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "tools/host/outputs.h"
#include "tools/host/values.h"
#include "tools/model/model.h"
#include "tools/net/net.h"

enum { LATENCY, THROUGHPUT, OWN, MOST = NET_RUN_MEASURES + OWN };

/* A measured value, and space for its sums. */
typedef struct {
    const NetRun *run;
    unsigned index;
    double *sums;
} Measured;

/* All values measured between two ends: latency, throughput, then the workload's. */
static void measure(const Measured *m, unsigned from, unsigned to,
                    double values[MOST]) {
    const NetRun *run = m->run;
    const NetWindow *window = &run->window;
    const double cycles =
        (double)(net_window_end(window, to) - net_window_end(window, from));
    net_window_sums(window, from, to, m->sums);
    const double arrived = m->sums[NET_WINDOW_ARRIVED];
    values[LATENCY] = m->sums[NET_WINDOW_TIME] / arrived;
    values[THROUGHPUT] = arrived / cycles / net_processor_count(run->net);
    run->rows->measure(net_traffic_workload(run->traffic), m->sums + NET_WINDOW_COMMON,
                       values + OWN);
}

static double value_of(void *context, unsigned from, unsigned to) {
    const Measured *m = context;
    double values[MOST];
    measure(m, from, to, values);
    return values[m->index];
}

/* Half of the 95 % interval, by Student's t for independent batches. NaN if the run has
 * not settled, a batch has no value, or all values are 0: means that are all 0 do not
 * show how certain 0 is. Neither do the extremes of batches, which lie further out. */
static double half_width(Measured *m, double mean) {
    if (m->run->verdict.state != NET_RUN_SETTLED || mean == 0 ||
        (m->index >= OWN && m->run->rows->measures[m->index - OWN].extreme))
        return NAN;
    const NetSpread spread = net_window_spread(&m->run->window, value_of, m);
    if (!spread.known)
        return NAN;
    return gsl_cdf_tdist_Pinv(0.975, spread.count - 1) * net_spread_error(&spread);
}

static bool estimate_all(const NetRun *run, NetEstimate *latency,
                         NetEstimate *throughput, NetEstimate *measures,
                         JmError *error) {
    const unsigned parts = NET_WINDOW_PARTS * net_window_measured(&run->window);
    Measured m = {run, 0, malloc(run->window.sums * sizeof *m.sums)};
    double all[MOST];
    if (!m.sums)
        return jm_fail(error, "jm net run", "no memory for the results");
    for (unsigned i = 0; i < MOST; i++)
        all[i] = NAN;
    if (parts > 0)
        measure(&m, 0, parts, all);
    for (; m.index < OWN || run->rows->measures[m.index - OWN].name; m.index++) {
        NetEstimate *to = m.index == LATENCY      ? latency
                          : m.index == THROUGHPUT ? throughput
                                                  : &measures[m.index - OWN];
        *to = (NetEstimate){all[m.index], half_width(&m, all[m.index])};
    }
    free(m.sums);
    return true;
}

/* ---- text ------------------------------------------------------------------------ */

/* Prints nothing for a measure without a value, such as the latency of no messages. */
static void print_row(const char *name, NetEstimate estimate, const char *unit) {
    char width[32] = "";
    if (isfinite(estimate.half_width))
        snprintf(width, sizeof width, "+- %.3g", estimate.half_width);
    if (isfinite(estimate.mean))
        printf("  %-24s %12.6g %-13s %s\n", name, estimate.mean, width, unit);
}

/* Why the run has not settled, with the numbers. */
static void print_reason(const NetRun *run) {
    const NetVerdict *v = &run->verdict;
    const NetWindow *window = &run->window;
    const unsigned batches = net_window_measured(window);
    const double processors = net_processor_count(run->net);
    if (window->full)
        printf("%u messages wait for one source after %" PRIu64 " cycles",
               net_traffic_backlog(run->traffic), net_now(run->net));
    else if (v->state == NET_RUN_SATURATED)
        printf("accepted %#.3g of %#.3g offered", v->accepted / processors,
               v->offered / processors);
    else if (v->state == NET_RUN_WARMING)
        printf("latency rises by %.3g +- %.2g cycles in 1000", 1000 * v->slope,
               1000 * v->error);
    else if (v->state == NET_RUN_CORRELATED)
        printf("batches have a correlation of %.2g", v->latency.r);
    else if (batches < NET_WINDOW_BATCHES)
        printf("%u batches, it takes %d", batches, NET_WINDOW_BATCHES);
    else if (!v->latency.known)
        printf("batches without messages");
    else
        printf("a window of %" PRIu64 " cycles, %.3g are needed",
               net_window_end(window, NET_WINDOW_PARTS * batches) - window->warmup,
               v->needed);
}

static void print_state(const NetRun *run) {
    const NetVerdict *v = &run->verdict;
    if (v->state == NET_RUN_SETTLED) {
        printf("settled: 95 %% intervals from %u parts with a correlation of %.2g\n",
               v->latency.count, v->latency.r);
        return;
    }
    printf("not settled: ");
    print_reason(run);
    printf(" (%s)\n", net_run_state_name(v->state));
}

static void print(const NetRun *run, NetEstimate latency, NetEstimate throughput,
                  const NetEstimate *measures) {
    printf("%s, %s: %u processors, %s engine\n", JM_SHOWN(run->topology),
           JM_SHOWN(run->workload), net_processor_count(run->net),
           net_engine_name(run->net));
    printf("%u cycles, %u of them to warm up; %u batches\n", run->cycles, run->warmup,
           run->batches);
    if (run->signal)
        printf("INTERRUPTED after %" PRIu64 " cycles: %u of %u batches measured\n",
               net_now(run->net), net_window_measured(&run->window), run->batches);
    print_state(run);
    print_row("latency", latency, "cycles");
    print_row("throughput", throughput, "messages/cycle/processor");
    for (unsigned i = 0; run->rows->measures[i].name; i++)
        print_row(run->rows->measures[i].name, measures[i],
                  run->rows->measures[i].unit);
}

/* ---- JSON ------------------------------------------------------------------------ */

static json_t *estimate_json(NetEstimate estimate) {
    return json_pack("{s:o,s:o}", "mean", jvalue_number(estimate.mean), "half_width",
                     jvalue_number(estimate.half_width));
}

static json_t *measures_json(const NetRun *run, const NetEstimate *measures) {
    json_t *object = json_object();
    for (unsigned i = 0; run->rows->measures[i].name; i++)
        json_object_set_new(object, run->rows->measures[i].name,
                            estimate_json(measures[i]));
    return object;
}

/* Flits that have crossed the wires of each group of the topology, since cycle 0. */
static json_t *groups_json(const Net *net) {
    json_t *object = json_object();
    for (unsigned i = 0; i < net_group_count(net); i++)
        json_object_set_new(object, net_group_name(net, i),
                            json_integer((json_int_t)net_group_flits(net, i)));
    return object;
}

/* A value for each processor, in percent; an empty array if the workload has none. */
static json_t *processors_json(const NetRun *run) {
    json_t *array = json_array();
    const unsigned measured = net_window_measured(&run->window);
    const unsigned count =
        run->rows->map && measured ? net_processor_count(run->net) : 0;
    double *sums = malloc(run->window.sums * sizeof *sums);
    double *values = malloc(((size_t)count + 1) * sizeof *values);
    if (sums && values && count) {
        net_window_sums(&run->window, 0, NET_WINDOW_PARTS * measured, sums);
        run->rows->map(net_traffic_workload(run->traffic), sums + NET_WINDOW_COMMON,
                       values);
        for (unsigned i = 0; i < count; i++)
            json_array_append_new(array, jvalue_number(values[i]));
    }
    free(sums);
    free(values);
    return array;
}

static json_t *to_json(const NetRun *run, NetEstimate latency, NetEstimate throughput,
                       const NetEstimate *measures) {
    const NetTrafficCounts counts = net_traffic_counts(run->traffic);
    return json_pack(
        "{s:o,s:o,s:b,s:o,s:I,s:I,s:i,s:I,s:I,s:o,s:o,s:o,s:o,s:o}", "topology",
        jvalue_text(run->topology), "workload_text", jvalue_text(run->workload),
        "complete", net_now(run->net) == run->cycles, "state",
        jvalue_text(net_run_state_name(run->verdict.state)), "cycles",
        (json_int_t)net_now(run->net), "warmup", (json_int_t)run->warmup, "batches",
        (int)net_window_measured(&run->window), "seed", (json_int_t)run->seed,
        "messages", (json_int_t)counts.arrived, "latency", estimate_json(latency),
        "throughput", estimate_json(throughput), "workload",
        measures_json(run, measures), "processors", processors_json(run), "groups",
        groups_json(run->net));
}

/* ---- files ----------------------------------------------------------------------- */

static bool is_output(const char *path) {
    return path && strcmp(path, "-") == 0;
}

bool net_run_open(NetRun *run, JmError *error) {
    const Output outputs[] = {
        {&run->json_file, run->json ? "-" : NULL},
        {&run->stats_file, run->json && is_output(run->stats) ? NULL : run->stats}};
    return outputs_open(outputs, sizeof outputs / sizeof outputs[0], &run->inputs,
                        error);
}

bool net_run_has_text(const NetRun *run) {
    return !run->json && !is_output(run->stats);
}

bool net_run_put_json(NetRun *run, json_t *root, JmError *error) {
    JmOutFile *files[] = {&run->json_file, &run->stats_file};
    bool good = true;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (good && files[i]->stream)
            good = model_commit_json(files[i], json_incref(root), error);
    json_decref(root);
    return good;
}

bool net_run_report(NetRun *run, JmError *error) {
    NetEstimate latency, throughput, measures[NET_RUN_MEASURES];
    run->starved = !estimate_all(run, &latency, &throughput, measures, error);
    if (run->starved)
        return false;
    if (net_run_has_text(run))
        print(run, latency, throughput, measures);
    return net_run_put_json(run, to_json(run, latency, throughput, measures), error);
}
