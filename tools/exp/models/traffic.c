/* The models `memory` and `poisson`: a network alone under abstract traffic, as `jm
 * net run` runs it. The same specifications, cycles and seed give the same figures
 * there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/traffic/load.h"
#include "tools/exp/models/parts.h"

enum {
    TEXT_MAX = 256,
    BATCHES = NET_WINDOW_BATCHES,
    WARM_UP = 5 /* warm-up, one in this many cycles */
};

/* A run with the texts of its specifications. Parameters that the topology requires
 * override those that are set. */
typedef struct {
    char topology[TEXT_MAX], workload[TEXT_MAX];
    NetLoad measured;
} Load;

/* Share of reads among requests: Adve and Vernon 1994, table II. */
static const double read_share = 0.8;

/* ---- settings -------------------------------------------------------------------- */

void model_torus(const Settings *settings, char *text, size_t size) {
    const unsigned k = model_whole(settings, "k");
    const char *tie = settings_text(settings, "tie");
    const bool mesh = settings_has(settings, "topology", "mesh");
    snprintf(text, size, "torus=%ux%u%s%s,links=%s,tie=%s,places=%u", k, k,
             mesh ? ",ends=0" : "",
             settings_has(settings, "topology", "uni_torus") ? ",oneway=1" : "",
             settings_has(settings, "links", "multiple") ? "multiple" : "single",
             tie ? tie : "split", model_whole_or(settings, "places", 1));
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
             "memory,n_out=%u,tau=%.10g,d_mem=%u,read=%u,write=%u,f_nn=%.10g,"
             "f_hot=%.10g,p_1=%.10g,l_msg1=%u,l_resp1=%u,l_msg2=%u,l_resp2=%u",
             model_whole(settings, "n_out"), settings_number(settings, "tau"),
             model_whole(settings, "d_mem"), model_whole(settings, "read"),
             model_whole(settings, "write"), settings_number(settings, "f_nn"),
             settings_number(settings, "f_hot"), read_share, lengths[0], lengths[1],
             lengths[2], lengths[3]);
}

static void describe_poisson(const Settings *settings, Load *load) {
    const unsigned k = model_whole(settings, "k");
    const bool adaptive = settings_has(settings, "routing", "adaptive");
    snprintf(load->topology, sizeof load->topology,
             "torus=%ux%u,lanes=%u,escape=%u,places=%u,links=%u", k, k,
             model_whole(settings, "lanes"),
             adaptive ? model_whole(settings, "escape") : 0,
             model_whole_or(settings, "places", 4), model_whole(settings, "sources"));
    snprintf(load->workload, sizeof load->workload, "poisson,rate=%.10g,length=%u",
             settings_number(settings, "rate"), model_whole(settings, "length"));
}

/* ---- running --------------------------------------------------------------------- */

static bool make(NetLoad *load, const ModelPoint *point, JmError *error) {
    if (!net_specification_params(load->topology, &load->params, error))
        return false;
    if (settings_text(point->settings, "select"))
        load->params.select = model_whole(point->settings, "select");
    const uint64_t cycles = model_whole(point->settings, "cycles");
    load->seed = (uint32_t)point->seed;
    load->window = (NetWindow){.warmup = cycles / WARM_UP,
                               .cycles = cycles,
                               .batches = BATCHES,
                               .backlog = UINT32_MAX};
    return net_load_create(load, error);
}

/* ---- figures --------------------------------------------------------------------- */

static void add_processors(const NetLoad *load, Result *record) {
    double *values = net_window_map(&load->window);
    ResultList *list = values ? result_add_list(record, "by_processor") : NULL;
    for (unsigned i = 0; values && i < net_processor_count(load->net); i++)
        result_push(list, &(double){values[i]});
    free(values);
}

static void add_figures(const NetLoad *load, Result *record) {
    NetEstimate estimates[NET_VALUES];
    const bool known = net_window_estimate(&load->window, NET_ERROR_BATCHES, estimates);
    const NetEstimate *estimate = estimates + NET_VALUE_OWN;
    if (known)
        add_processors(load, record);
    for (const NetMeasure *m = load->rows->measures; known && m->name; m++) {
        char name[64];
        snprintf(name, sizeof name, "%s_half", m->name);
        result_add(record, m->name, estimate->mean);
        result_add(record, name, model_half_width(NET_RUN_SETTLED, *estimate));
        estimate++;
    }
    const NetVerdict verdict = net_window_judge(&load->window);
    result_add_text(record, "state", net_run_state_name(verdict.state));
}

static bool solve(Load *load, ModelPoint *point, Result *record, JmError *error) {
    NetLoad *measured = &load->measured;
    measured->topology = load->topology;
    measured->workload = load->workload;
    const bool good = make(measured, point, error) &&
                      net_load_run(measured, model_is_stopped, point, error);
    if (good && !point->stopped)
        add_figures(measured, record);
    net_load_destroy(measured);
    return good;
}

bool model_run_traffic(ModelPoint *point, const char *topology, const NetParams *params,
                       const char *traffic, Result *record, JmError *error) {
    Load load = {.measured.params = *params};
    snprintf(load.topology, sizeof load.topology, "%s", topology);
    snprintf(load.workload, sizeof load.workload, "%s", traffic);
    return solve(&load, point, record, error);
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
    Load load = {.measured.params = net_params_default()};
    const unsigned *lengths = lengths_of(point->settings);
    const unsigned k = model_whole(point->settings, "k");
    model_shared_memory(point->settings, load.topology, load.workload, TEXT_MAX);
    result_add(record, "processors", k * k);
    result_add(record, "L_msg1", lengths[0]);
    result_add(record, "L_resp1", lengths[1]);
    result_add(record, "L_msg2", lengths[2]);
    result_add(record, "L_resp2", lengths[3]);
    result_add(record, "P_1", read_share);
    result_add(record, "free_efficiency", free_efficiency(point->settings, lengths));
    return solve(&load, point, record, error);
}

bool solve_poisson(ModelPoint *point, Result *record, JmError *error) {
    Load load = {.measured.params = net_params_default()};
    const double hops = mean_distance(model_whole(point->settings, "k"), true, false);
    describe_poisson(point->settings, &load);
    if (!solve(&load, point, record, error))
        return false;
    const double flits = settings_number(point->settings, "length");
    if (!isnan(record->mean_latency))
        result_add(record, "blocking_per_hop",
                   (record->mean_latency - hops - flits + 1) / hops);
    return true;
}
