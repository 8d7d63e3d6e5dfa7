/* A network under traffic, from specifications. */
#include "net/traffic/load.h"

#include "net/circle.h"
#include "net/traffic/pattern.h"

/* Checks that a single burst does not reach `backlog`, which would end any run as
 * saturated. */
static bool check_burst(const NetLoad *load, const NetOptionValues *values,
                        JmError *error) {
    const NetOption *process = net_workload_option(load->rows, "process");
    if (!process)
        return true;
    const double kind = net_workload_value(load->rows, values, "process");
    const double burst = net_workload_value(load->rows, values, "burst");
    return kind != net_word_value(process->words, "burst") ||
           burst < load->window.backlog ||
           jm_fail(error, NULL,
                   "burst=%g: one burst is a backlog of %u messages, which ends a run "
                   "as saturated: give a larger backlog",
                   burst, load->window.backlog);
}

bool net_load_create(NetLoad *load, JmError *error) {
    NetOptionValues values;
    load->net = net_create(load->topology, &load->params, "auto", error);
    if (!load->net)
        return false;
    load->rows = net_workload_read(load->workload, &values, error);
    if (load->rows)
        load->traffic =
            net_traffic_create(load->net, load->rows, &values, load->seed, error);
    if (!load->traffic || !check_burst(load, &values, error))
        return false;
    return net_window_create(&load->window, load->net, load->rows, load->traffic) ||
           jm_fail_memory(error, NULL, "no memory for %u batches",
                          load->window.batches);
}

/* Returns the cycles between two calls of `stop`: a small part of a second. */
static unsigned interval(const NetLoad *load) {
    enum { MOST = 4096, PROCESSOR_CYCLES = 1 << 18 };
    const unsigned cycles = PROCESSOR_CYCLES / net_processor_count(load->net);
    return cycles < 1 ? 1 : cycles < MOST ? cycles : MOST;
}

/* Looks for messages that wait for each other in a circle, and so forever; only in a
 * network that may have them. Where heads choose their channels, and without the
 * parameter `circles`, it does not look while something moves, unless the run is
 * `over`. */
static bool look_for_circle(NetLoad *load, bool over, JmError *error) {
    const Net *net = load->net;
    const bool chooses = net_graph(net)->choices && (over || !net_moved(net));
    uint32_t count = 0;
    if ((load->params.circles || chooses) && !net_find_circle(net, &count, NULL, NULL))
        return jm_fail_memory(error, NULL, "no memory to look for a circle");
    load->window.locked = count > 0;
    return true;
}

bool net_load_run(NetLoad *load, uint64_t until, bool (*stop)(void *context),
                  void *context, JmError *error) {
    const unsigned often = interval(load);
    for (bool goes_on = true; goes_on;) {
        const bool glances = net_now(load->net) % often == 0;
        goes_on = net_window_note(&load->window);
        if (net_now(load->net) >= until)
            return true;
        if ((glances || !goes_on) && !look_for_circle(load, !goes_on, error))
            return false;
        if (!goes_on || load->window.locked || (glances && stop(context)))
            break;
        if (!net_traffic_step(load->traffic))
            return jm_fail_memory(error, NULL, "no memory for a message");
    }
    return true;
}

void net_load_destroy(NetLoad *load) {
    net_traffic_destroy(load->traffic);
    net_destroy(load->net);
}

/* ---- the bound of a pattern ------------------------------------------------------ */

static double share_of(const void *pattern, uint32_t from, uint32_t to) {
    return net_pattern_share(pattern, from, to);
}

/* A bound that is asked for. */
typedef struct {
    const NetGraph *graph;
    const NetPatternPlan *plan;
    unsigned flits;
    NetLoads *loads;
    JmError *error;
} Bound;

static bool find_bound(Heap *heap, void *context) {
    const Bound *b = context;
    NetPattern pattern;
    return net_pattern_create(heap, &pattern, b->plan, net_graph_processors(b->graph),
                              &b->graph->grid, b->error) &&
           net_graph_loads(b->graph, share_of, &pattern, b->flits, b->loads, b->error);
}

bool net_load_bound(const NetGraph *graph, const NetParams *params,
                    const char *workload, unsigned *flits, NetLoads *loads,
                    JmError *error) {
    NetOptionValues values;
    NetPatternPlan plan;
    const NetWorkload *rows = net_workload_read(workload, &values, error);
    if (!rows || !net_pattern_plan(&plan, &values, error))
        return false;
    const unsigned length = (unsigned)net_workload_value(rows, &values, "length");
    *flits = net_traffic_whole(params->header_flits, params->flits_per_word, length);
    return heap_do(find_bound, &(Bound){graph, &plan, *flits, loads, error}, error,
                   NULL, "a pattern of traffic");
}
