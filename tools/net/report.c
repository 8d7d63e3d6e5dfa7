/* The results of a run: estimates by batch means, as text and JSON. */
#include <gsl/gsl_cdf.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "tools/host/memory.h"
#include "tools/host/outputs.h"
#include "tools/host/values.h"
#include "tools/model/request.h"
#include "tools/net/net.h"

double net_half_width(const NetVerdict *verdict, NetEstimate estimate) {
    return verdict->state != NET_RUN_SETTLED || isnan(estimate.error)
               ? NAN
               : gsl_cdf_tdist_Pinv(0.975, estimate.count - 1) * estimate.error;
}

/* ---- text ------------------------------------------------------------------------ */

/* Prints nothing for a measure without a value, such as the latency of no messages. */
static void print_row(const NetRun *run, const char *name, NetEstimate estimate,
                      const char *unit) {
    char width[32] = "";
    if (isfinite(net_half_width(&run->verdict, estimate)))
        snprintf(width, sizeof width, "+- %.3g",
                 net_half_width(&run->verdict, estimate));
    if (isfinite(estimate.mean))
        printf("  %-24s %12.6g %-13s %s\n", name, estimate.mean, width, unit);
}

/* Why the run has not settled, with the numbers. */
static void print_reason(const NetRun *run) {
    const NetVerdict *v = &run->verdict;
    const NetWindow *window = &run->load.window;
    const unsigned batches = net_window_measured(window);
    const double processors = net_processor_count(run->load.net);
    if (window->locked)
        printf("messages wait in a circle after %" PRIu64 " cycles",
               net_now(run->load.net));
    else if (window->full)
        printf("%u messages wait for one source after %" PRIu64 " cycles",
               net_traffic_backlog(run->load.traffic), net_now(run->load.net));
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

/* Whether messages have the flits that were asked for, or more, to be whole words. */
static void print_length(const NetRun *run) {
    const Net *net = run->load.net;
    const NetWorkload *rows = run->load.rows;
    NetWorkloadValues values;
    if (!net_workload_option(rows, "length"))
        return;
    net_workload_read(run->load.workload, &values, NULL);
    const unsigned asked = (unsigned)net_workload_value(rows, &values, "length");
    const unsigned flits = net_traffic_flits(run->load.traffic, asked);
    const unsigned word = net_flits_per_word(net), header = net_header_flits(net);
    if (flits != asked)
        printf("messages of %u flits go as %u: %u of header and %u words of %u\n",
               asked, flits, header, (flits - header) / word, word);
}

static void print(const NetRun *run, const NetEstimate *estimates) {
    printf("%s, %s: %u processors, %s engine\n", JM_SHOWN(run->load.topology),
           JM_SHOWN(run->load.workload), net_processor_count(run->load.net),
           net_engine_name(run->load.net));
    printf("%u cycles, %u of them to warm up; %u batches\n", run->cycles, run->warmup,
           run->batches);
    if (run->signal)
        printf("INTERRUPTED after %" PRIu64 " cycles: %u of %u batches measured\n",
               net_now(run->load.net), net_window_measured(&run->load.window),
               run->batches);
    print_length(run);
    print_state(run);
    print_row(run, "latency", estimates[NET_VALUE_LATENCY], "cycles");
    print_row(run, "throughput", estimates[NET_VALUE_THROUGHPUT],
              "messages/cycle/processor");
    estimates += NET_VALUE_OWN;
    for (const NetMeasure *m = run->load.rows->measures; m->name; m++)
        print_row(run, m->name, *estimates++, m->unit);
}

/* ---- JSON ------------------------------------------------------------------------ */

static json_t *estimate_json(const NetRun *run, NetEstimate estimate) {
    return json_pack("{s:o,s:o}", "mean", jvalue_number(estimate.mean), "half_width",
                     jvalue_number(net_half_width(&run->verdict, estimate)));
}

static json_t *measures_json(const NetRun *run, const NetEstimate *measures) {
    json_t *object = json_object();
    for (unsigned i = 0; run->load.rows->measures[i].name; i++)
        json_object_set_new(object, run->load.rows->measures[i].name,
                            estimate_json(run, measures[i]));
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
    double *values = net_window_map(&run->load.window);
    for (unsigned i = 0; values && i < net_processor_count(run->load.net); i++)
        json_array_append_new(array, jvalue_number(values[i]));
    free(values);
    return array;
}

static json_t *to_json(const NetRun *run, const NetEstimate *estimates) {
    const NetTrafficCounts counts = net_traffic_counts(run->load.traffic);
    return json_pack(
        "{s:o,s:o,s:b,s:o,s:I,s:I,s:i,s:I,s:I,s:o,s:o,s:o,s:o,s:o}", "topology",
        jvalue_text(run->load.topology), "workload_text",
        jvalue_text(run->load.workload), "complete",
        net_now(run->load.net) == run->cycles, "state",
        jvalue_text(net_run_state_name(run->verdict.state)), "cycles",
        (json_int_t)net_now(run->load.net), "warmup", (json_int_t)run->warmup,
        "batches", (int)net_window_measured(&run->load.window), "seed",
        (json_int_t)run->load.seed, "messages", (json_int_t)counts.arrived, "latency",
        estimate_json(run, estimates[NET_VALUE_LATENCY]), "throughput",
        estimate_json(run, estimates[NET_VALUE_THROUGHPUT]), "workload",
        measures_json(run, estimates + NET_VALUE_OWN), "processors",
        processors_json(run), "groups", groups_json(run->load.net));
}

/* ---- files ----------------------------------------------------------------------- */

static bool is_output(const char *path) {
    return path && strcmp(path, "-") == 0;
}

bool net_run_open(NetRun *run, JmError *error) {
    const Output outputs[] = {
        {&run->json_file, run->json ? "-" : NULL},
        {&run->stats_file, run->json && is_output(run->stats) ? NULL : run->stats},
        {&run->links_file, run->links},
        {&run->map_file, run->map}};
    return outputs_open(outputs, sizeof outputs / sizeof outputs[0], &run->inputs,
                        error);
}

bool net_run_has_text(const NetRun *run) {
    return !run->json && !is_output(run->stats) && !is_output(run->links) &&
           !is_output(run->map);
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

static bool put_wires(NetRun *run, JmError *error) {
    NetWindow *window = &run->load.window;
    net_window_count_channels(window);
    const NetWireCounts counts = {window->channels, (double)net_window_done(window)};
    if (run->links_file.stream) {
        net_wires_csv_head(false, run->links_file.stream);
        net_wires_csv(&run->wires, &counts, NULL, run->links_file.stream);
        if (!jm_outfile_commit(&run->links_file, error))
            return false;
    }
    if (!run->map_file.stream)
        return true;
    char *title = memory_text("busy wires: %s, %s", JM_SHOWN(run->load.topology),
                              JM_SHOWN(run->load.workload));
    const bool good = net_wires_map(&run->wires, &counts, title, &run->map_file, error);
    free(title);
    return good;
}

bool net_run_report(NetRun *run, JmError *error) {
    NetEstimate estimates[NET_VALUES];
    run->starved = !net_window_estimate(&run->load.window, NET_ERROR_PARTS, estimates);
    if (run->starved)
        return jm_fail(error, "jm net run", "no memory for the results");
    if (net_run_has_text(run))
        print(run, estimates);
    return put_wires(run, error) &&
           net_run_put_json(run, to_json(run, estimates), error);
}
