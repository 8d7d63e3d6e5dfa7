/* Models that load a network with traffic as `jm net run` does: the same
 * specifications, cycles and seed give the same figures there. `memory` and `poisson`:
 * a torus or mesh; `pattern` and `saturation`: any network under a pattern, at a rate,
 * and the rate at which it saturates. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/topology/topology.h"
#include "net/traffic/load.h"
#include "tools/exp/models/parts.h"
#include "tools/host/memory.h"

enum { TEXT_MAX = 256, WARM_UP = 5 /* one in this many cycles */ };

/* Share of reads among requests: Adve and Vernon 1994, table II. */
static const double read_share = 0.8;

/* Sets the seed and the window of a load, for the setting `cycles`. */
static void set_window(const ModelPoint *point, NetLoad *load, uint32_t backlog) {
    const uint64_t cycles = model_whole(point->settings, "cycles");
    load->seed = (uint32_t)point->seed;
    load->window.warmup = cycles / WARM_UP;
    load->window.cycles = cycles;
    load->window.batches = NET_WINDOW_BATCHES;
    load->window.backlog = backlog;
}

/* ---- memory, poisson ------------------------------------------------------------- */

void model_torus(const Settings *settings, char *text, size_t size) {
    const unsigned k = model_whole(settings, "k");
    const bool mesh = settings_has(settings, "topology", "mesh");
    snprintf(text, size, "torus=%ux%u%s%s", k, k, mesh ? ",ends=0" : "",
             settings_has(settings, "topology", "uni_torus") ? ",oneway=1" : "");
    model_pass(settings, "torus", "", text, size);
}

/* Flits of a read, its reply, a write, its reply: Adve and Vernon 1994, table II,
 * section IV-E. */
static const unsigned *lengths_of(const Settings *settings) {
    static const unsigned both_ways[] = {3, 9, 11, 3}, one_way[] = {2, 5, 6, 2},
                          compared[] = {4, 10, 12, 4};
    if (settings_has(settings, "topology", "uni_torus"))
        return one_way;
    return settings_has(settings, "flit_lengths", "section_iv_e") ? compared
                                                                  : both_ways;
}

void model_shared_memory(const Settings *settings, char *topology, char *traffic,
                         size_t size) {
    const unsigned *lengths = lengths_of(settings);
    model_torus(settings, topology, size);
    snprintf(traffic, size,
             "memory,p_1=%.10g,l_msg1=%u,l_resp1=%u,l_msg2=%u,l_resp2=%u", read_share,
             lengths[0], lengths[1], lengths[2], lengths[3]);
    model_pass(settings, "memory", "", traffic, size);
}

static void add_processors(const NetLoad *load, Result *record) {
    const unsigned count = net_processor_count(load->net);
    double *values = memory_array(count, sizeof *values);
    const bool any = net_window_map(&load->window, values);
    ResultList *list = any ? result_add_list(record, "by_processor") : NULL;
    for (unsigned i = 0; any && i < count; i++)
        result_push(list, &(double){values[i]});
    free(values);
}

static void add_figures(const NetLoad *load, Result *record) {
    NetEstimate estimates[NET_VALUES];
    net_window_estimate(&load->window, NET_ERROR_BATCHES, estimates);
    const NetEstimate *estimate = estimates + NET_VALUE_OWN;
    add_processors(load, record);
    for (const NetMeasure *m = load->rows->measures; m->name; m++) {
        char name[64];
        snprintf(name, sizeof name, "%s_half", m->name);
        result_add(record, m->name, estimate->mean);
        result_add(record, name, model_half_width(NET_RUN_SETTLED, *estimate));
        estimate++;
    }
    const NetVerdict verdict = net_window_judge(&load->window);
    result_add_text(record, "state", net_run_state_name(verdict.state));
}

bool model_run_traffic(ModelPoint *point, const char *topology, const NetParams *params,
                       const char *traffic, Result *record, JmError *error) {
    NetLoad load = {.topology = topology, .workload = traffic, .params = *params};
    bool good = net_specification_params(topology, &load.params, error);
    model_pass_parameters(point->settings, &load.params);
    set_window(point, &load, UINT32_MAX);
    good = good && net_load_create(&load, error) &&
           net_load_run(&load, UINT64_MAX, model_is_stopped, point, error);
    if (good && !point->stopped)
        add_figures(&load, record);
    net_load_destroy(&load);
    return good;
}

/* Mean wires between two different nodes. */
static double mean_distance(unsigned k, bool wraps, bool one_way) {
    const double nodes = (double)k * k, side = k;
    const double ring = one_way ? (side - 1) / 2
                        : wraps ? (double)(k * k / 4) / side
                                : (side - 1 / side) / 3;
    return 2 * ring * nodes / (nodes - 1);
}

/* Efficiency, in percent, without contention: a request and its reply take as many
 * cycles as in an empty network. */
static double free_efficiency(const Settings *settings, const unsigned *lengths) {
    enum { ENDS = 2 }; /* cycles of source and last channel, of each message */
    const double writes = 1 - read_share, tau = settings_number(settings, "tau");
    const double distance = mean_distance(
        model_whole(settings, "k"), !settings_has(settings, "topology", "mesh"),
        settings_has(settings, "topology", "uni_torus"));
    const double flits =
        read_share * (lengths[0] + lengths[1]) + writes * (lengths[2] + lengths[3]);
    const double memory = read_share * settings_number(settings, "read") +
                          writes * settings_number(settings, "write");
    const double away = 2 * (distance + ENDS - 1) + flits + memory;
    return fmin(100, 100 * settings_number(settings, "n_out") * tau / (tau + away));
}

bool solve_memory(ModelPoint *point, Result *record, JmError *error) {
    char topology[TEXT_MAX], traffic[TEXT_MAX];
    const NetParams params = net_params_default();
    const unsigned *lengths = lengths_of(point->settings);
    const unsigned k = model_whole(point->settings, "k");
    model_shared_memory(point->settings, topology, traffic, TEXT_MAX);
    result_add(record, "processors", k * k);
    result_add(record, "L_msg1", lengths[0]);
    result_add(record, "L_resp1", lengths[1]);
    result_add(record, "L_msg2", lengths[2]);
    result_add(record, "L_resp2", lengths[3]);
    result_add(record, "P_1", read_share);
    result_add(record, "free_efficiency", free_efficiency(point->settings, lengths));
    return model_run_traffic(point, topology, &params, traffic, record, error);
}

bool solve_poisson(ModelPoint *point, Result *record, JmError *error) {
    const Settings *settings = point->settings;
    const NetParams params = net_params_default();
    const unsigned k = model_whole(settings, "k");
    const double hops = mean_distance(k, true, false);
    const double flits = settings_number(settings, "length");
    const bool adaptive = settings_has(settings, "routing", "adaptive");
    char topology[TEXT_MAX], traffic[TEXT_MAX] = "poisson";
    snprintf(topology, TEXT_MAX, "torus=%ux%u,links=%u", k, k,
             model_whole(settings, "sources"));
    model_pass(settings, "torus", adaptive ? "" : "escape", topology, TEXT_MAX);
    model_pass(settings, "poisson", "", traffic, TEXT_MAX);
    if (!model_run_traffic(point, topology, &params, traffic, record, error))
        return false;
    if (!isnan(record->mean_latency))
        result_add(record, "blocking_per_hop",
                   (record->mean_latency - hops - flits + 1) / hops);
    return true;
}

/* A network and its traffic. The rate stands behind the workload. */
typedef struct {
    char topology[TEXT_MAX], workload[TEXT_MAX];
    NetParams params;
    unsigned flits; /* of a message, whole words */
} Setup;

/* ---- pattern, saturation: settings ----------------------------------------------- */

/* How each word of the setting `topology` begins a specification, and what ends it. */
static const struct {
    const char *begin, *end;
} topologies[] = {
    {"torus", ""},          /* bi_torus */
    {"torus", ",oneway=1"}, /* uni_torus */
    {"torus", ",ends=0"},   /* mesh */
    {"mesh", ""},           /* jmachine */
    {"clos", ",levels=1"},  /* clos_3_2 */
    {"clos", ",levels=2"},  /* clos_3_1 */
};

/* Writes the specification, without those sizes of 1 that are last. `ordered`: all
 * messages keep to dimension order. */
static void put_topology(const Settings *settings, bool ordered, char text[TEXT_MAX]) {
    unsigned size[3];
    const unsigned i = model_choice(settings, "topology");
    settings_mesh(settings, size);
    int used = snprintf(text, TEXT_MAX, "%s=%u", topologies[i].begin, size[0]);
    if (size[1] * size[2] > 1)
        used += snprintf(text + used, TEXT_MAX - (size_t)used, "x%u", size[1]);
    if (size[2] > 1)
        used += snprintf(text + used, TEXT_MAX - (size_t)used, "x%u", size[2]);
    snprintf(text + used, TEXT_MAX - (size_t)used, "%s", topologies[i].end);
    model_pass(settings, "torus", ordered ? "escape" : "", text, TEXT_MAX);
}

static bool set_up(const Settings *settings, Setup *setup, JmError *error) {
    *setup = (Setup){.workload = "pattern", .params = net_params_default()};
    put_topology(settings, false, setup->topology);
    model_pass(settings, "pattern", "rate", setup->workload, TEXT_MAX);
    if (!net_specification_params(setup->topology, &setup->params, error))
        return false;
    model_pass_parameters(settings, &setup->params);
    setup->flits =
        net_traffic_whole(setup->params.header_flits, setup->params.flits_per_word,
                          model_whole(settings, "length"));
    return true;
}

/* ---- the bound ------------------------------------------------------------------- */

/* Adds the messages a cycle and node that the fullest wire or end lets through in
 * dimension order. */
static bool add_bound(const Settings *settings, const Setup *setup, Result *record,
                      JmError *error) {
    char topology[TEXT_MAX];
    unsigned flits;
    NetLoads loads;
    put_topology(settings, true, topology);
    NetGraph *graph = net_topology_build(topology, &setup->params, error);
    const bool good = graph && net_load_bound(graph, &setup->params, setup->workload,
                                              &flits, &loads, error);
    net_graph_destroy(graph);
    if (!good)
        return false;
    result_add(record, "bound", 1 / fmax(loads.gamma, loads.ends) / flits);
    free(loads.wire);
    return true;
}

/* ---- runs ------------------------------------------------------------------------ */

static double percentile(const NetHistogram *latencies, double fraction) {
    return latencies->count ? (double)net_histogram_percentile(latencies, fraction)
                            : NAN;
}

static void measure(ModelRate *row, const NetLoad *load) {
    const NetWindow *window = &load->window;
    NetEstimate estimates[NET_VALUES];
    net_window_estimate(window, NET_ERROR_PARTS, estimates);
    row->state = net_window_judge(window).state;
    row->offered = net_window_offered(window);
    row->accepted = estimates[NET_VALUE_THROUGHPUT].mean;
    row->latency = estimates[NET_VALUE_LATENCY].mean;
    row->half_width = model_half_width(row->state, estimates[NET_VALUE_LATENCY]);
    row->p50 = percentile(window->latencies, 0.50);
    row->p95 = percentile(window->latencies, 0.95);
    row->p99 = percentile(window->latencies, 0.99);
    row->cycles = (double)net_now(load->net);
    row->done = true;
}

bool model_run_rate(ModelRate *row, const NetLoad *load, bool (*stop)(void *context),
                    void *context, JmError *error) {
    char *workload = memory_text("%s,rate=%.10g", load->workload, row->rate);
    NetHistogram *latencies = memory_array(1, sizeof *latencies);
    NetLoad own = *load;
    own.workload = workload;
    own.window.latencies = latencies;
    net_histogram_start(latencies);
    const bool good = net_load_create(&own, error) &&
                      net_load_run(&own, UINT64_MAX, stop, context, error);
    if (good && net_window_is_over(&own.window)) {
        net_window_count_channels(&own.window);
        measure(row, &own);
    }
    net_load_destroy(&own);
    free(latencies);
    free(workload);
    return good;
}

/* Runs a rate for the setting `cycles`. False: an error, or the point is stopped. */
static bool run_rate(ModelPoint *point, const Setup *setup, double rate, ModelRate *row,
                     JmError *error) {
    NetLoad load = {.topology = setup->topology,
                    .workload = setup->workload,
                    .params = setup->params};
    *row = (ModelRate){.rate = rate};
    set_window(point, &load, NET_WINDOW_BACKLOG);
    return model_run_rate(row, &load, model_is_stopped, point, error) &&
           !point->stopped;
}

static void add_rate(const ModelRate *row, Result *record) {
    result_add(record, "accepted_rate", row->accepted);
    result_add(record, "open_latency", row->latency);
    if (row->state == NET_RUN_SETTLED)
        result_add(record, "open_latency_half", row->half_width);
    result_add(record, "latency_p99", row->p99);
    result_add_text(record, "state", net_run_state_name(row->state));
}

bool solve_pattern(ModelPoint *point, Result *record, JmError *error) {
    Setup setup;
    ModelRate row;
    const double rate = settings_number(point->settings, "rate");
    if (!set_up(point->settings, &setup, error) ||
        !add_bound(point->settings, &setup, record, error))
        return false;
    if (!run_rate(point, &setup, rate, &row, error))
        return point->stopped;
    result_add(record, "asked_rate", rate);
    add_rate(&row, record);
    return true;
}

/* ---- saturation ------------------------------------------------------------------ */

/* Whether a network bears a rate: its latency is at most three times that of an empty
 * one, and it accepts what is offered. */
static bool bears(const ModelRate *row, double zero_load) {
    return row->state > NET_RUN_SATURATED && row->latency <= 3 * zero_load;
}

/* Finds the highest rate that the network sustains, to within 2 %, between 1/500 of the
 * rate at which sources send all the time and that rate. `row` is of the one found.
 * Unlike `jm net sweep` (tools/net/sweep.c) it looks for one limit, by single runs. */
static bool find_saturation(ModelPoint *point, const Setup *setup, ModelRate *row,
                            Result *record, JmError *error) {
    double above = 1.0 / setup->flits;
    if (!run_rate(point, setup, above / 500, row, error))
        return false;
    const double zero_load = row->latency;
    while (above > 1.02 * row->rate) {
        ModelRate next;
        if (!run_rate(point, setup, sqrt(above * row->rate), &next, error))
            return false;
        if (bears(&next, zero_load))
            *row = next;
        else
            above = next.rate;
    }
    result_add(record, "zero_load", zero_load);
    result_add(record, "asked_rate", row->rate);
    result_add(record, "saturation", row->rate);
    return true;
}

bool solve_saturation(ModelPoint *point, Result *record, JmError *error) {
    Setup setup;
    ModelRate row;
    if (!set_up(point->settings, &setup, error) ||
        !add_bound(point->settings, &setup, record, error))
        return false;
    if (!find_saturation(point, &setup, &row, record, error))
        return point->stopped;
    add_rate(&row, record);
    return true;
}
