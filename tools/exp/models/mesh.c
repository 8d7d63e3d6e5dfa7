/* Models of the machine's mesh: `amva`, mean values of a wormhole network, `network`,
 * which simulates the same, and `confluence`, streams that meet (thesis, chapter 5);
 * and `abstract`, processors that behave like the Snakes, without instructions: it runs
 * the machine's load points, with the same setting names, in a second instead of
 * ten. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "net/model/amva.h"
#include "net/topology/mesh.h"
#include "net/traffic/customers.h"
#include "net/traffic/processors.h"
#include "tools/exp/models/parts.h"
#include "tools/host/memory.h"

/* Cycles between two checks whether the result is still wanted. */
enum { NETWORK_SLICE = 2000, CONFLUENCE_SLICE = 4096, ABSTRACT_SLICE = 20000 };

static Net *mesh_of(const Settings *settings, JmError *error) {
    NetParams params = net_params_default();
    unsigned size[3];
    model_pass_parameters(settings, &params);
    settings_mesh(settings, size);
    return net_create_mesh(size[0], size[1], size[2], &params, error);
}

/* ---- amva ------------------------------------------------------------------------ */

/* Called by the solver after each sweep: reports progress to the process that waits for
 * this one. */
static void look_at_sweep(void *context, unsigned sweep, double change) {
    ModelPoint *point = context;
    if (point->progress)
        point->progress(point->context, sweep, change);
    point->stopped |= point->stop && point->stop(point->context);
}

static AmvaProblem problem_of(const Settings *settings) {
    AmvaProblem problem = net_amva_problem_default();
    const unsigned flits = model_whole(settings, "flits");
    problem.workload =
        settings_has(settings, "workload", "snakes") ? AMVA_SNAKES : AMVA_REQUESTS;
    problem.form =
        settings_has(settings, "form", "prefixes") ? AMVA_PREFIXES : AMVA_TREES;
    problem.outstanding = model_whole(settings, "m");
    problem.service = settings_number(settings, "tau");
    problem.regularity = 1 - settings_number(settings, "variance");
    problem.request = flits;
    problem.reply = model_whole_or(settings, "reply_flits", flits);
    problem.alpha = settings_number(settings, "alpha");
    problem.fair = model_whole(settings, "fair");
    problem.p_first = model_whole(settings, "p_first");
    problem.equal_aside = model_whole(settings, "equal_aside");
    problem.no_symmetry = model_whole(settings, "no_symmetry");
    problem.uncorrected = model_whole(settings, "uncorrected");
    problem.weight = settings_number(settings, "weight");
    problem.tolerance = settings_number(settings, "tolerance");
    problem.sweeps = model_whole(settings, "sweeps");
    problem.first_try_only = model_whole(settings, "first_try");
    return problem;
}

static NetGraph *graph_of(const Settings *settings, JmError *error) {
    NetParams params = net_params_default();
    unsigned size[3];
    params.shared_wires = !model_whole(settings, "separate_wires");
    settings_mesh(settings, size);
    return net_mesh_create(size[0], size[1], size[2], &params, error);
}

/* Adds a list by node to the record; `field` is its offset in an AmvaNode. */
static void add_list(const AmvaResult *result, Result *record, const char *name,
                     size_t field) {
    ResultList *list = result_add_list(record, name);
    for (uint32_t i = 0; i < result->nodes; i++) {
        double value;
        memcpy(&value, (const char *)&result->node[i] + field, sizeof value);
        result_push(list, &value);
    }
}

/* Sets what only `jm model amva` gives. */
static void set_details(const AmvaResult *result, Result *record) {
    const AmvaGuards *g = &result->guards;
    record->change = result->change;
    record->population_error = result->population;
    record->tries = result->tries;
    record->schedule = memory_text("%s", result->schedule);
    record->guards =
        json_pack("{s:i,s:i,s:i,s:i,s:i,s:i,s:i}", "wire", (int)g->wire, "own_worm",
                  (int)g->own_worm, "idle", (int)g->idle, "passing", (int)g->passing,
                  "wait", (int)g->wait, "overloaded", (int)g->overloaded, "population",
                  (int)g->population);
    record->by_node.width = sizeof(AmvaNode) / sizeof(double);
    for (uint32_t i = 0; i < result->nodes && result->node; i++)
        result_push(&record->by_node, &result->node[i].node_queue);
}

/* Adds the results to the record; lists only for a solved point. */
static void add_result(const AmvaResult *result, Result *record) {
    result_add_text(record, "stop", net_model_state_name(result->state));
    result_add(record, "sweeps", result->sweeps);
    result_add(record, "rate", result->rate);
    result_add(record, "bisection", result->bisection);
    set_details(result, record);
    if (result->state != MODEL_SOLVED)
        return;
    add_list(result, record, "node_queue", offsetof(AmvaNode, node_queue));
    add_list(result, record, "processor_queue", offsetof(AmvaNode, processor_queue));
}

/* Adds the size of the model without symmetry. Each channel has, by port, type of
 * message and flit, the time and the probability that the flit is there; each node has
 * the same by home, type and flit. */
static void add_size(const NetGraph *graph, const AmvaProblem *problem,
                     Result *record) {
    enum { LONG_AND_LIKELY = 2 };
    const unsigned types = problem->workload == AMVA_REQUESTS ? 2 : 1;
    const double each = types * problem->request * LONG_AND_LIKELY;
    double channels = 0, ports = 0;
    for (uint32_t i = 0; i < graph->channels; i++)
        if (graph->label[i].priority == 0) {
            channels++;
            ports += graph->feeder_start[i + 1] - graph->feeder_start[i];
        }
    const double nodes = graph->nodes;
    result_add(record, "channels", channels / nodes);
    result_add(record, "channel_values", ports * each);
    result_add(record, "node_values", nodes * nodes * each);
}

bool solve_amva(ModelPoint *point, Result *record, JmError *error) {
    AmvaProblem problem = problem_of(point->settings);
    problem.progress = look_at_sweep;
    problem.context = point;
    NetGraph *graph = graph_of(point->settings, error);
    if (!graph)
        return false;
    AmvaResult result = {0};
    const bool good = net_amva_solve(graph, &problem, &result, error);
    result_add(record, "per_node", problem.outstanding);
    add_size(graph, &problem, record);
    if (good)
        add_result(&result, record);
    net_amva_result_free(&result);
    net_graph_destroy(graph);
    return good;
}

/* ---- network: processors with constant service times ----------------------------- */

/* A moving message leaves a channel within this many times the cycles of its flits,
 * also on a shared wire. */
enum { REST = 4 };

/* How full the channels held by blocked messages are: one flit each if messages are
 * rigid, up to their capacity if messages are compressed. */
typedef struct {
    double flits, channels;
    NetChannelState *before; /* of each channel, some cycles ago */
} Packing;

static void remember(const Net *net, Packing *packing) {
    for (uint32_t i = 0; i < net_channel_count(net); i++)
        packing->before[i] = net_channel_state(net, i);
}

/* A channel whose first flit is still of the same message belongs to a blocked one. */
static void look(const Net *net, Packing *packing) {
    for (uint32_t i = 0; i < net_channel_count(net); i++) {
        const NetChannelState now = net_channel_state(net, i);
        const NetChannelState *before = &packing->before[i];
        if (now.flits == 0 || before->flits == 0 ||
            now.front_message != before->front_message)
            continue;
        packing->flits += now.flits;
        packing->channels++;
    }
}

/* Runs for this many cycles and samples `net` now and then. False: no memory. */
static bool run(ModelPoint *point, const Net *net, NetCustomers *customers,
                unsigned cycles, Packing *packing) {
    const unsigned wait = REST * model_whole(point->settings, "flits");
    while (cycles > 0 && !point->stopped) {
        const unsigned now = cycles < NETWORK_SLICE ? cycles : NETWORK_SLICE;
        const unsigned rest = now < wait ? 0 : wait;
        if (!net_customers_run(customers, now - rest))
            return false;
        remember(net, packing);
        if (!net_customers_run(customers, rest))
            return false;
        cycles -= now;
        look(net, packing);
        model_is_stopped(point);
    }
    return true;
}

/* Returns the flits that have crossed the middle of X so far, per wire. */
static double crossed(const Net *net) {
    const NetStatistics *seen = net_statistics(net);
    return (double)seen->bisection_flits[0] / (double)seen->bisection_wires[0];
}

/* Warms up for as long as it will measure, then measures. False: no memory. */
static bool measure(ModelPoint *point, const Net *net, NetCustomers *customers,
                    NetChannelState *states, Result *record) {
    const unsigned cycles = model_whole(point->settings, "cycles");
    Packing early = {.before = states}, packing = {.before = states};
    if (!run(point, net, customers, cycles, &early))
        return false;
    net_customers_forget(customers);
    const double before = crossed(net);
    if (!run(point, net, customers, cycles, &packing))
        return false;
    const unsigned nodes = net_node_count(net);
    result_add(record, "per_node", model_whole(point->settings, "m"));
    result_add(record, "rate",
               (double)net_customers_served(customers) / cycles / nodes);
    result_add(record, "bisection", (crossed(net) - before) / cycles);
    result_add(record, "packing", packing.flits / packing.channels);
    ResultList *queues = result_add_list(record, "node_queue");
    for (unsigned node = 0; node < nodes; node++) {
        const double messages = net_customers_queue(customers, node);
        result_push(queues, &messages);
    }
    return true;
}

bool solve_network(ModelPoint *point, Result *record, JmError *error) {
    const Settings *settings = point->settings;
    const NetCustomersPlan plan = {
        .load = model_whole(settings, "m"),
        .words = model_whole(settings, "flits") / NET_FLITS_PER_WORD,
        .service = model_whole(settings, "tau"),
        .home = strcmp(settings_text(settings, "workload"), "requests") == 0,
        .seed = point->seed};
    Net *net = mesh_of(settings, error);
    NetCustomers *customers = net ? net_customers_create(net, &plan, error) : NULL;
    NetChannelState *states =
        customers ? memory_array(net_channel_count(net), sizeof *states) : NULL;
    const bool measured = customers && measure(point, net, customers, states, record);
    free(states);
    net_customers_destroy(customers);
    net_destroy(net);
    return measured || (customers && jm_fail(error, NULL, "no memory for messages"));
}

/* ---- confluence ------------------------------------------------------------------ */

/* All nodes send to the last one as fast as the network accepts, and streams meet on
 * the way (fig. 5-8). */
enum { PRIORITY = 0, WORDS_A_CYCLE = 2 };

typedef struct {
    unsigned left; /* words of the open message still to be sent; 0: none is open */
    uint64_t words;
} Sender;

/* Offers the words that a cycle allows: the routing word goes with the first word.
 * False: no memory. */
static bool offer(Net *net, Sender *sender, unsigned node, unsigned last,
                  unsigned words) {
    const bool open = sender->left > 0;
    const unsigned now = open && sender->left >= WORDS_A_CYCLE ? WORDS_A_CYCLE : 1;
    if (net_room(net, node, PRIORITY) < now + !open)
        return true;
    if (!open) {
        if (net_open(net, node, PRIORITY, last) == NET_NONE)
            return false;
        sender->left = words;
    }
    sender->left -= now;
    sender->words += now;
    net_offer(net, node, PRIORITY, now, sender->left == 0);
    return true;
}

/* Streams for this many cycles. False: no memory. */
static bool stream(ModelPoint *point, Net *net, Sender *senders, unsigned cycles) {
    const unsigned last = net_node_count(net) - 1;
    const unsigned words = model_whole(point->settings, "flits") / NET_FLITS_PER_WORD;
    for (unsigned now = 0; now < cycles && !point->stopped; now++) {
        for (unsigned node = 0; node < last; node++)
            if (!offer(net, &senders[node], node, last, words))
                return false;
        net_step(net);
        if (now % CONFLUENCE_SLICE == 0)
            model_is_stopped(point);
    }
    return true;
}

/* Warms up for as long as it will measure, then measures. False: no memory. */
static bool measure_streams(ModelPoint *point, Net *net, Sender *senders,
                            Result *record) {
    const unsigned cycles = model_whole(point->settings, "cycles");
    if (!stream(point, net, senders, cycles))
        return false;
    const unsigned nodes = net_node_count(net);
    for (unsigned node = 0; node < nodes; node++)
        senders[node].words = 0;
    if (!stream(point, net, senders, cycles))
        return false;
    ResultList *accepted = result_add_list(record, "accepted");
    for (unsigned node = 0; node < nodes; node++) {
        const double flits = (double)senders[node].words * NET_FLITS_PER_WORD / cycles;
        result_push(accepted, &flits);
    }
    return true;
}

bool solve_confluence(ModelPoint *point, Result *record, JmError *error) {
    Net *net = mesh_of(point->settings, error);
    if (!net)
        return false;
    Sender *senders = memory_array(net_node_count(net), sizeof *senders);
    const bool measured = measure_streams(point, net, senders, record);
    free(senders);
    net_destroy(net);
    return measured || jm_fail_memory(error, "jm exp", "no memory for messages");
}

/* ---- abstract -------------------------------------------------------------------- */

static NetProcessorsPlan snakes_plan(const ModelPoint *point) {
    const Settings *s = point->settings;
    return (NetProcessorsPlan){
        .load = model_whole_or(s, "m", 0),
        .hops = model_whole_or(s, "L", 0),
        .words = model_whole_or(s, "p", 0) + 1,
        .handler = model_whole_or(s, "h", 0),
        .exponential = model_whole_or(s, "random", 0),
        .home_every = model_whole_or(s, "return", 0),
        .imbalance = model_whole_or(s, "imbalance", 100) / 100.0,
        .hot = model_whole_or(s, "hot", 0),
        .queue = {model_whole_or(s, "Q", 0), model_whole_or(s, "Q1", 0)},
        .traps = model_whole_or(s, "traps", 3),
        .hwm_mark = model_whole_or(s, "hwm_mark", 0),
        .escape_mark = model_whole_or(s, "escape_mark", 0),
        .brake_mark = model_whole_or(s, "brake_mark", 0),
        .brake_release = model_whole_or(s, "brake_release", 0),
        .brake_ring = model_whole_or(s, "brake_ring", 0),
        .brake_patience = model_whole_or(s, "brake_patience", 100000),
        .spill_mark = model_whole_or(s, "spill_mark", 0),
        .spill_both = model_whole_or(s, "spill_both", 0),
        .spill_cycles = model_whole_or(s, "spill_cycles", 5),
        .meter_mark = model_whole_or(s, "meter_mark", 0),
        .meter = model_whole_or(s, "meter", 0),
        .whole = model_whole_or(s, "whole", 0),
        .aged = model_whole_or(s, "age", 0),
        .seed = point->seed};
}

static void add_counts(NetProcessorsState state, const NetProcessorsCounts *counts,
                       Result *record) {
    const bool done = state == NET_PROCESSORS_DONE;
    const uint64_t sent = counts->sent[0] + counts->sent[1];
    const bool clean = counts->first_overflow == UINT64_MAX;
    result_add(record, "T", done ? (double)counts->cycles : NAN);
    result_add(record, "deadlock", state == NET_PROCESSORS_DEADLOCK);
    result_add(record, "overflows", (double)counts->overflows[0]);
    result_add(record, "overflows1", (double)counts->overflows[1]);
    result_add(record, "first_overflow", clean ? NAN : (double)counts->first_overflow);
    result_add(record, "first_node", clean ? NAN : (double)counts->first_node);
    result_add(record, "longest", counts->longest[0]);
    result_add(record, "longest1", counts->longest[1]);
    result_add(record, "share1", (double)counts->sent[1] / (double)(sent ? sent : 1));
    result_add(record, "spilled", (double)counts->spilled);
    result_add(record, "spill_peak", (double)counts->spill_peak);
}

static bool run_snakes(ModelPoint *point, NetProcessors *processors, Result *record,
                       JmError *error) {
    NetProcessorsState state = NET_PROCESSORS_RUN;
    while (state == NET_PROCESSORS_RUN && !point->stopped) {
        state = net_processors_run(processors, ABSTRACT_SLICE);
        model_is_stopped(point);
    }
    if (state == NET_PROCESSORS_STARVED)
        return jm_fail(error, NULL, "no memory for messages");
    const NetProcessorsCounts counts = net_processors_counts(processors);
    add_counts(state, &counts, record);
    return true;
}

bool solve_abstract(ModelPoint *point, Result *record, JmError *error) {
    const NetProcessorsPlan plan = snakes_plan(point);
    Net *net = mesh_of(point->settings, error);
    NetProcessors *processors = net ? net_processors_create(net, &plan, error) : NULL;
    const bool good = processors && run_snakes(point, processors, record, error);
    net_processors_destroy(processors);
    net_destroy(net);
    return good;
}
