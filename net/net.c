/* The network as its clients see it: creation, the cycle, and the simple questions. */
#include "net/net.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "net/messages/state.h"
#include "net/topology/mesh.h"

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

static bool allocate_sets(Net *net) {
    bool all = true;
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        net->drained[priority] = calloc(net_set_words(net), sizeof(uint64_t));
        net->received[priority] = calloc(net_set_words(net), sizeof(uint64_t));
        net->places[priority] = calloc(net_set_words(net), 64);
        all = all && net->drained[priority] && net->received[priority] &&
              net->places[priority];
    }
    return all;
}

static bool allocate(Net *net) {
    const size_t ends = (size_t)net->graph->nodes * NET_PRIORITIES;
    net->first_free = NET_NONE;
    net->buffers = malloc(ends * sizeof *net->buffers);
    net->gate_wanted = malloc(ends * sizeof *net->gate_wanted);
    net->deliveries = malloc(ends * sizeof *net->deliveries);
    net->ended = malloc((ends + 1) * sizeof *net->ended);
    net->wire_flits =
        calloc(2 * (size_t)net->graph->wires + 1, sizeof *net->wire_flits);
    net->blocked = calloc((size_t)net->graph->channels, sizeof *net->blocked);
    if (!net->buffers || !net->gate_wanted || !net->deliveries || !net->ended ||
        !net->wire_flits || !net->blocked || !allocate_sets(net))
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
    Net *net = NULL;
    if (net_graph_check(graph, error) && !(net = calloc(1, sizeof *net)))
        jm_fail(error, NULL, "no memory for a network of %u nodes", graph->nodes);
    if (!net) {
        net_graph_destroy(graph);
        return NULL;
    }
    net->graph = graph;
    net->params = *params;
    net->start_words = params->start_words < params->buffer_words
                           ? params->start_words
                           : params->buffer_words;
    net->engine = net->chosen = engine;
    if (allocate(net))
        return net;
    jm_fail(error, NULL, "no memory for a network of %u nodes", graph->nodes);
    net_destroy(net);
    return NULL;
}

/* The engines by name; "auto" is the first. */
static const NetEngine *const engines[] = {
    &net_plane_engine, &net_graph_engine, &net_plane_plain,
    &net_plane_sse2,   &net_plane_avx2,   &net_plane_avx512,
};

static const NetEngine *find_engine(const char *name, JmError *error) {
    if (strcmp(name, "auto") == 0)
        return engines[0];
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
        if (strcmp(name, engines[i]->name) != 0)
            continue;
        if (!engines[i]->runs_here || engines[i]->runs_here())
            return engines[i];
        jm_fail(error, NULL, "this processor cannot run the engine %s", name);
        return NULL;
    }
    jm_fail(error, NULL, "there is no network engine %s", name);
    return NULL;
}

Net *net_create_mesh_with(unsigned x, unsigned y, unsigned z, const NetParams *params,
                          const char *name, JmError *error) {
    const NetEngine *engine = find_engine(name, error);
    if (!engine || !check_params(params, error))
        return NULL;
    NetGraph *graph = net_mesh_create(x, y, z, params, error);
    return create_on_graph(graph, engine, params, error);
}

Net *net_create_mesh(unsigned x, unsigned y, unsigned z, const NetParams *params,
                     JmError *error) {
    return net_create_mesh_with(x, y, z, params, "auto", error);
}

const char *net_engine_name(const Net *net) {
    return net->engine->name;
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
    free(net->ended);
    free(net->wire_flits);
    free(net->blocked);
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        free(net->drained[priority]);
        free(net->received[priority]);
        free(net->places[priority]);
    }
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
    net->settled = false;
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

const uint64_t *net_drained(const Net *net, unsigned priority) {
    return net->drained[priority];
}

const uint64_t *net_received(const Net *net, unsigned priority) {
    return net->received[priority];
}

void net_clear_sets(Net *net, unsigned priority) {
    const size_t bytes = net_set_words(net) * sizeof(uint64_t);
    memset(net->drained[priority], 0, bytes);
    memset(net->received[priority], 0, bytes);
}

bool net_progressed(const Net *net) {
    return net->progressed;
}

uint64_t net_flits_inside(const Net *net, unsigned priority) {
    assert(priority < NET_PRIORITIES);
    net_settle(net);
    return net_count_inside(net, priority);
}

void net_set_flit_hook(Net *net, NetFlitHook *hook, void *context) {
    net->hook = hook;
    net->hook_context = context;
    net_use_engine(net, hook ? &net_graph_engine : net->chosen);
}
