/* The network as its clients see it: creation, the cycle, and the simple questions. */
#include "net/net.h"

#include <assert.h>
#include <stdlib.h>

#include "net/mesh.h"
#include "net/state.h"

static bool check_params(const NetParams *params, JmError *error) {
    NetParams copy = net_params_default();
#define NET_PARAM(name, standard, minimum, maximum, text, source)                      \
    if (net_params_set(&copy, #name, params->name) != 0)                               \
        return jm_fail(error, NULL, "network parameter " #name " is %u, not %d to %d", \
                       params->name, minimum, maximum);
#include "net/params.def"
#undef NET_PARAM
    return true;
}

static bool allocate(Net *net) {
    const size_t ends = (size_t)net->graph->nodes * NET_PRIORITIES;
    net->first_free = NET_NONE;
    net->buffers = malloc(ends * sizeof *net->buffers);
    net->gate_wanted = malloc(ends * sizeof *net->gate_wanted);
    net->deliveries = malloc(ends * sizeof *net->deliveries);
    net->wire_flits =
        calloc(2 * (size_t)net->graph->wires + 1, sizeof *net->wire_flits);
    if (!net->buffers || !net->gate_wanted || !net->deliveries || !net->wire_flits)
        return false;
    for (size_t end = 0; end < ends; end++) {
        net->buffers[end] = (NetBuffer){.first = NET_NONE, .last = NET_NONE};
        net->gate_wanted[end] = true;
    }
    net_histogram_clear(&net->statistics.latency);
    net_histogram_clear(&net->statistics.transit);
    net_count_wires(net);
    net->engine_state = net->engine->create(net);
    return net->engine_state != NULL;
}

/* Takes the graph over; NULL and `error` if it is NULL already or anything fails. */
static Net *create_on_graph(NetGraph *graph, const NetEngine *engine,
                            const NetParams *params, JmError *error) {
    if (!graph)
        return NULL;
    Net *net = net_graph_check(graph, error) ? calloc(1, sizeof *net) : NULL;
    if (!net) {
        net_graph_destroy(graph);
        return NULL;
    }
    net->graph = graph;
    net->params = *params;
    net->engine = engine;
    if (allocate(net))
        return net;
    jm_fail(error, NULL, "no memory for a network of %u nodes", graph->nodes);
    net_destroy(net);
    return NULL;
}

Net *net_create_mesh(unsigned x, unsigned y, unsigned z, const NetParams *params,
                     JmError *error) {
    if (!check_params(params, error))
        return NULL;
    NetGraph *graph = net_mesh_create(x, y, z, params, error);
    return create_on_graph(graph, &net_graph_engine, params, error);
}

void net_destroy(Net *net) {
    if (!net)
        return;
    if (net->engine_state)
        net->engine->destroy(net->engine_state);
    net_graph_destroy(net->graph);
    free(net->messages);
    free(net->buffers);
    free(net->gate_wanted);
    free(net->staged.items);
    free(net->staged_gates.items);
    free(net->deliveries);
    free(net->wire_flits);
    free(net);
}

unsigned net_node_count(const Net *net) {
    return net->graph->nodes;
}

unsigned net_buffer_words(const Net *net) {
    return net->params.buffer_words;
}

void net_set_gate(Net *net, unsigned node, unsigned priority, bool open) {
    assert(node < net->graph->nodes && priority < NET_PRIORITIES);
    const uint32_t end = node * NET_PRIORITIES + priority;
    if (net->gate_wanted[end] == open)
        return;
    net->gate_wanted[end] = open;
    net_list_add(&net->staged_gates, end);
}

static bool commit_gates(Net *net) {
    const uint32_t first_sink = net_graph_first_sink(net->graph);
    for (uint32_t i = 0; i < net->staged_gates.count; i++) {
        const uint32_t end = net->staged_gates.items[i];
        net->engine->gate_changed(net, net->engine_state, first_sink + end,
                                  net->gate_wanted[end]);
    }
    const bool any = net->staged_gates.count > 0;
    net->staged_gates.count = 0;
    return any;
}

void net_settle_gates(Net *net) {
    if (commit_gates(net))
        net->moved = true;
}

void net_step(Net *net) {
    net_release_delivered(net);
    const bool moved = net->engine->step(net, net->engine_state);
    const bool offered = net_buffer_commit(net);
    const bool gated = commit_gates(net);
    net->moved = moved || offered || gated;
    net->now++;
}

uint64_t net_now(const Net *net) {
    return net->now;
}

void net_skip(Net *net, uint64_t cycles) {
    assert(net_is_quiet(net));
    net->now += cycles;
}

const NetDelivery *net_deliveries(const Net *net, size_t *count) {
    *count = net->delivery_count;
    return net->deliveries;
}

bool net_is_quiet(const Net *net) {
    return net->messages_live == 0 && net->staged_gates.count == 0;
}

bool net_moved(const Net *net) {
    return net->moved;
}

uint64_t net_flits_inside(const Net *net, unsigned priority) {
    assert(priority < NET_PRIORITIES);
    return net->flits_inside[priority];
}

void net_set_flit_hook(Net *net, NetFlitHook *hook, void *context) {
    net->hook = hook;
    net->hook_context = context;
}
