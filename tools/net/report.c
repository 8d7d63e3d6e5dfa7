/* What a run has measured: estimates by batch means, as text and JSON. */
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

/* The differences of the sums between two ends. */
static void subtract(const NetRun *run, unsigned first, unsigned last, double *sums) {
    const double *from = &run->ends[(size_t)run->sums * first];
    const double *to = &run->ends[(size_t)run->sums * last];
    for (unsigned i = 0; i < run->sums; i++)
        sums[i] = to[i] - from[i];
}

enum { LATENCY, THROUGHPUT, OWN };

/* All that is measured between two ends: latency, throughput, then the workload's. */
static void measure(const NetRun *run, unsigned first, unsigned last, double *sums,
                    double *values) {
    subtract(run, first, last, sums);
    const double cycles = (double)(net_run_end(run, last) - net_run_end(run, first));
    values[LATENCY] = sums[COMMON_LATENCY] / sums[COMMON_ARRIVED];
    values[THROUGHPUT] = sums[COMMON_ARRIVED] / cycles / net_processor_count(run->net);
    run->rows->measure(net_traffic_workload(run->traffic), sums + COMMON_SUMS,
                       values + OWN);
}

static unsigned measure_count(const NetRun *run) {
    unsigned count = OWN;
    while (run->rows->measures[count - OWN].name)
        count++;
    return count;
}

/* Half of the 95 % interval: Student's t for the batches' means. NaN if there is one
 * batch, a batch has nothing to tell, or none has: means that are all 0 do not show how
 * sure 0 is. */
static double half_width(const double *means, unsigned count, unsigned stride) {
    double mean = 0, squares = 0;
    for (unsigned i = 0; i < count; i++)
        mean += means[(size_t)i * stride] / count;
    for (unsigned i = 0; i < count; i++) {
        const double off = means[(size_t)i * stride] - mean;
        squares += off * off;
    }
    if (count < 2 || (mean == 0 && squares == 0))
        return NAN;
    return gsl_cdf_tdist_Pinv(0.975, count - 1) * sqrt(squares / (count - 1) / count);
}

unsigned net_run_measured(const NetRun *run) {
    return run->done > 0 ? run->done - 1 : 0;
}

bool net_run_estimate(const NetRun *run, NetEstimate *latency, NetEstimate *throughput,
                      NetEstimate *measures, JmError *error) {
    enum { MOST = NET_RUN_MEASURES + OWN };
    const unsigned count = measure_count(run), measured = net_run_measured(run);
    double *sums = malloc(run->sums * sizeof *sums);
    double *batches = malloc((size_t)run->batches * MOST * sizeof *batches);
    double all[MOST];
    for (unsigned i = 0; i < MOST; i++)
        all[i] = NAN;
    const bool good = sums && batches;
    if (!good)
        jm_fail(error, "jm net run", "no memory for the results");
    if (good && measured > 0)
        measure(run, 0, measured, sums, all);
    for (unsigned i = 0; good && i < measured; i++)
        measure(run, i, i + 1, sums, &batches[(size_t)i * MOST]);
    for (unsigned i = 0; good && i < count; i++) {
        NetEstimate *to = i == LATENCY      ? latency
                          : i == THROUGHPUT ? throughput
                                            : &measures[i - OWN];
        *to = (NetEstimate){all[i], half_width(&batches[i], measured, MOST)};
    }
    free(sums);
    free(batches);
    return good;
}

/* ---- text ------------------------------------------------------------------------ */

/* Prints nothing for a measure that has no value, such as the latency of no messages.
 * */
static void print_row(const char *name, NetEstimate estimate, const char *unit) {
    char width[32] = "";
    if (isfinite(estimate.half_width))
        snprintf(width, sizeof width, "+- %.3g", estimate.half_width);
    if (isfinite(estimate.mean))
        printf("  %-24s %12.6g %-13s %s\n", name, estimate.mean, width, unit);
}

static void print(const NetRun *run, NetEstimate latency, NetEstimate throughput,
                  const NetEstimate *measures) {
    printf("%s, %s: %u processors, %s engine\n", JM_SHOWN(run->topology),
           JM_SHOWN(run->workload), net_processor_count(run->net),
           net_engine_name(run->net));
    printf("%u cycles, %u of them to warm up; %u batches, 95 %% intervals\n",
           run->cycles, run->warmup, run->batches);
    if (run->signal)
        printf("INTERRUPTED after %" PRIu64 " cycles: %u of %u batches measured\n",
               net_now(run->net), net_run_measured(run), run->batches);
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
    const unsigned measured = net_run_measured(run);
    const unsigned count =
        run->rows->map && measured ? net_processor_count(run->net) : 0;
    double *sums = malloc(run->sums * sizeof *sums);
    double *values = malloc(((size_t)count + 1) * sizeof *values);
    if (sums && values && count) {
        subtract(run, 0, measured, sums);
        run->rows->map(net_traffic_workload(run->traffic), sums + COMMON_SUMS, values);
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
        "{s:o,s:o,s:b,s:I,s:I,s:i,s:I,s:I,s:o,s:o,s:o,s:o,s:o}", "topology",
        jvalue_text(run->topology), "workload_text", jvalue_text(run->workload),
        "complete", run->signal == 0, "cycles", (json_int_t)net_now(run->net), "warmup",
        (json_int_t)run->warmup, "batches", (int)net_run_measured(run), "seed",
        (json_int_t)run->seed, "messages", (json_int_t)counts.arrived, "latency",
        estimate_json(latency), "throughput", estimate_json(throughput), "workload",
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
    run->starved = !net_run_estimate(run, &latency, &throughput, measures, error);
    if (run->starved)
        return false;
    if (net_run_has_text(run))
        print(run, latency, throughput, measures);
    return net_run_put_json(run, to_json(run, latency, throughput, measures), error);
}
