/* The models `pattern` and `saturation`: any network under a pattern of traffic, at a
 * rate, and the rate at which it saturates. What they run is what `jm net run` runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/graph/loads.h"
#include "net/topology/topology.h"
#include "net/traffic/load.h"
#include "net/traffic/pattern.h"
#include "tools/exp/models/parts.h"
#include "tools/exp/plan/setting_rows.h"
#include "tools/host/memory.h"

enum { TEXT_MAX = 256, WARM_UP = 5 /* one in this many cycles */ };

/* A network and its traffic. The rate stands behind the workload. */
typedef struct {
    char topology[TEXT_MAX], workload[TEXT_MAX];
    NetParams params;
    unsigned flits; /* of a message, whole words */
} Setup;

/* ---- settings -------------------------------------------------------------------- */

/* How each word of `topology` begins a specification, and what ends it. */
static const struct {
    const char *name, *begin, *end;
} topologies[] = {
    {"jmachine", "mesh", ""},
    {"bi_torus", "torus", ""},
    {"uni_torus", "torus", ",oneway=1"},
    {"mesh", "torus", ",ends=0"},
    {"clos_3_2", "clos", ",levels=1"},
    {"clos_3_1", "clos", ",levels=2"},
};

/* Appends ",NAME=VALUE" for each of these settings that is set. */
static void append(char text[TEXT_MAX], const Settings *settings,
                   const char *const *names) {
    for (; *names; names++) {
        const char *value = settings_text(settings, *names);
        const size_t used = strlen(text);
        if (value)
            snprintf(text + used, TEXT_MAX - used, ",%s=%s", *names, value);
    }
}

/* Writes the specification, without those sizes of 1 that are last. `ordered`: all
 * messages keep to dimension order. */
static void put_topology(const Settings *settings, bool ordered, char text[TEXT_MAX]) {
    static const char *const options[] = {"escape", "lanes", "places",
                                          "tie",    "delay", NULL};
    unsigned size[3], i = 0;
    setting_parse_mesh(settings_text(settings, "mesh"), size);
    while (!settings_has(settings, "topology", topologies[i].name))
        i++; /* the setting's row allows no other */
    int used = snprintf(text, TEXT_MAX, "%s=%u", topologies[i].begin, size[0]);
    if (size[1] * size[2] > 1)
        used += snprintf(text + used, TEXT_MAX - (size_t)used, "x%u", size[1]);
    if (size[2] > 1)
        used += snprintf(text + used, TEXT_MAX - (size_t)used, "x%u", size[2]);
    snprintf(text + used, TEXT_MAX - (size_t)used, "%s", topologies[i].end);
    append(text, settings, options + ordered);
}

static bool set_params(const Settings *settings, Setup *setup, JmError *error) {
    static const char *const names[] = {"fair", "r_order", "header_flits", "select",
                                        "atomic"};
    setup->params = net_params_default();
    if (!net_specification_params(setup->topology, &setup->params, error))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (settings_text(settings, names[i]))
            net_params_set(&setup->params, names[i], model_whole(settings, names[i]));
    return true;
}

static bool set_up(const Settings *settings, Setup *setup, JmError *error) {
    static const char *const options[] = {"process", "burst", "f_hot", "hot", NULL};
    put_topology(settings, false, setup->topology);
    snprintf(setup->workload, TEXT_MAX, "pattern=%s,length=%u",
             settings_text(settings, "pattern"), model_whole(settings, "length"));
    append(setup->workload, settings, options);
    if (!set_params(settings, setup, error))
        return false;
    setup->flits =
        net_traffic_whole(setup->params.header_flits, setup->params.flits_per_word,
                          model_whole(settings, "length"));
    return true;
}

/* ---- the bound ------------------------------------------------------------------- */

static double share_of(const void *pattern, uint32_t from, uint32_t to) {
    return net_pattern_share(pattern, from, to);
}

/* Finds how a graph's fullest wire and busiest end are loaded. False and `error`. */
static bool find_loads(const NetGraph *graph, const Setup *setup, NetLoads *loads,
                       JmError *error) {
    const uint32_t nodes = graph->processor ? graph->processors : graph->nodes;
    NetWorkloadValues values;
    NetPatternPlan plan;
    NetPattern pattern;
    if (!net_workload_read(setup->workload, &values, error) ||
        !net_pattern_plan(&plan, &values, error))
        return false;
    const bool good =
        net_pattern_create(&pattern, &plan, nodes, &graph->grid, error) &&
        net_graph_loads(graph, share_of, &pattern, setup->flits, loads, error);
    net_pattern_destroy(&pattern);
    return good;
}

/* Adds the messages a cycle and node that the fullest wire or end lets through in
 * dimension order. */
static bool add_bound(const Settings *settings, const Setup *setup, Result *record,
                      JmError *error) {
    char topology[TEXT_MAX];
    NetLoads loads;
    put_topology(settings, true, topology);
    NetGraph *graph = net_topology_build(topology, &setup->params, error);
    const bool good = graph && find_loads(graph, setup, &loads, error);
    net_graph_destroy(graph);
    if (!good)
        return false;
    result_add(record, "bound", 1 / fmax(loads.gamma, loads.ends) / setup->flits);
    free(loads.wire);
    return true;
}

/* ---- runs ------------------------------------------------------------------------ */

/* What a run at one rate has shown. */
typedef struct {
    NetVerdict verdict;
    NetEstimate estimates[NET_VALUES];
    double p99;
} Seen;

/* Runs a rate for the setting `cycles`. False: an error, or the point is stopped. */
static bool run_rate(ModelPoint *point, const Setup *setup, double rate, Seen *seen,
                     JmError *error) {
    const uint64_t cycles = model_whole(point->settings, "cycles");
    NetHistogram *latencies = memory_array(1, sizeof *latencies);
    char *workload = memory_text("%s,rate=%.10g", setup->workload, rate);
    NetLoad load = {.topology = setup->topology,
                    .workload = workload,
                    .params = setup->params,
                    .seed = (uint32_t)point->seed,
                    .window = {.warmup = cycles / WARM_UP,
                               .cycles = cycles,
                               .batches = NET_WINDOW_BATCHES,
                               .backlog = NET_WINDOW_BACKLOG,
                               .latencies = latencies}};
    net_histogram_start(latencies);
    bool good = net_load_create(&load, error) &&
                net_load_run(&load, model_is_stopped, point, error) && !point->stopped;
    if (good) {
        seen->verdict = net_window_judge(&load.window);
        seen->p99 = (double)net_histogram_percentile(latencies, 0.99);
        good = net_window_estimate(&load.window, NET_ERROR_PARTS, seen->estimates) ||
               jm_fail_memory(error, NULL, "no memory for the results");
    }
    net_load_destroy(&load);
    free(latencies);
    free(workload);
    return good;
}

static void add_seen(const Seen *seen, Result *record) {
    const NetEstimate *latency = &seen->estimates[NET_VALUE_LATENCY];
    const NetEstimate *accepted = &seen->estimates[NET_VALUE_THROUGHPUT];
    result_add(record, "accepted_rate", accepted->mean);
    result_add(record, "open_latency", latency->mean);
    if (seen->verdict.state == NET_RUN_SETTLED)
        result_add(record, "open_latency_half",
                   model_half_width(NET_RUN_SETTLED, *latency));
    result_add(record, "latency_p99", seen->p99);
    result_add_text(record, "state", net_run_state_name(seen->verdict.state));
}

bool solve_pattern(ModelPoint *point, Result *record, JmError *error) {
    Setup setup;
    Seen seen;
    const double rate = settings_number(point->settings, "rate");
    if (!set_up(point->settings, &setup, error) ||
        !add_bound(point->settings, &setup, record, error))
        return false;
    if (!run_rate(point, &setup, rate, &seen, error))
        return point->stopped;
    result_add(record, "asked_rate", rate);
    add_seen(&seen, record);
    return true;
}

/* ---- saturation ------------------------------------------------------------------ */

/* Whether a network bears a rate: its latency is at most three times that of an empty
 * one, and it accepts what is offered. */
static bool bears(const Seen *seen, double zero_load) {
    return seen->verdict.state > NET_RUN_SATURATED &&
           seen->estimates[NET_VALUE_LATENCY].mean <= 3 * zero_load;
}

/* Finds the highest rate that it bears, to 2 %, from one that is nearly none to that at
 * which sources send all the time. `seen` is of that rate. */
static bool find_saturation(ModelPoint *point, const Setup *setup, Seen *seen,
                            Result *record, JmError *error) {
    double above = 1.0 / setup->flits, below = above / 500;
    if (!run_rate(point, setup, below, seen, error))
        return false;
    const double zero_load = seen->estimates[NET_VALUE_LATENCY].mean;
    while (above > 1.02 * below) {
        const double rate = sqrt(above * below);
        Seen next;
        if (!run_rate(point, setup, rate, &next, error))
            return false;
        if (bears(&next, zero_load)) {
            below = rate;
            *seen = next;
        } else {
            above = rate;
        }
    }
    result_add(record, "zero_load", zero_load);
    result_add(record, "asked_rate", below);
    result_add(record, "saturation", below);
    return true;
}

bool solve_saturation(ModelPoint *point, Result *record, JmError *error) {
    Setup setup;
    Seen seen;
    if (!set_up(point->settings, &setup, error) ||
        !add_bound(point->settings, &setup, record, error))
        return false;
    if (!find_saturation(point, &setup, &seen, record, error))
        return point->stopped;
    add_seen(&seen, record);
    return true;
}
