/* Makes a network from its three parts: a graph, from a topology or the caller; an
 * engine that can run it; and the state that all engines share (messages/state.h). */
#include <stdlib.h>

#include "net/create/engines.h"
#include "net/messages/state.h"
#include "net/topology/mesh.h"
#include "net/topology/topology.h"

/* Allocates the memory behind net_drained(), net_received() and net_room(). The sets
 * are padded to the widest vector; `places` has a byte for each of their bits. */
static bool allocate_sets(Net *net) {
    const size_t words = net_set_words(net);
    net->sets = calloc(NET_PRIORITIES * 2 * words, sizeof *net->sets);
    bool all = net->sets != NULL;
    for (unsigned priority = 0; all && priority < NET_PRIORITIES; priority++) {
        net->drained[priority] = &net->sets[2 * priority * words];
        net->received[priority] = &net->sets[(2 * priority + 1) * words];
        net->places[priority] = calloc(words, 64);
        all = net->places[priority] != NULL;
    }
    return all;
}

/* Allocates the shared state and the engine's. False: no memory; net_destroy() frees
 * what there is. */
static bool allocate(Net *net) {
    const size_t ends = (size_t)net->graph->nodes * NET_PRIORITIES;
    net->first_free = NET_NONE;
    for (unsigned i = 0; i < NET_EARLY_CYCLES; i++)
        net->early[i] = NET_NONE;
    net->buffers = malloc(ends * sizeof *net->buffers);
    net->gate_wanted = malloc(ends * sizeof *net->gate_wanted);
    net->gate_staged = calloc(ends, sizeof *net->gate_staged);
    net->staged_gates.items = malloc(ends * sizeof *net->staged_gates.items);
    net->deliveries = malloc(ends * sizeof *net->deliveries);
    net->ended = malloc((ends + 1) * sizeof *net->ended);
    net->wire_flits =
        calloc(2 * (size_t)net->graph->wires + 1, sizeof *net->wire_flits);
    net->blocked = calloc((size_t)net->graph->channels, sizeof *net->blocked);
    if (!net->buffers || !net->gate_wanted || !net->gate_staged ||
        !net->staged_gates.items || !net->deliveries || !net->ended ||
        !net->wire_flits || !net->blocked || !allocate_sets(net))
        return false;
    for (size_t end = 0; end < ends; end++) {
        net->buffers[end] = (NetBuffer){.first = NET_NONE, .last = NET_NONE};
        net->gate_wanted[end] = true;
    }
    net_histogram_start(&net->statistics.latency);
    net_histogram_start(&net->statistics.transit);
    net_count_wires(net);
    net->engine_state = net->engine->create(net);
    return net->engine_state != NULL;
}

/* Whether messages have as many headers as the graph drops: each channel that drops
 * headers drops one, and with fewer headers it would drop data. */
static bool headers_fit(const NetGraph *graph, const NetParams *params,
                        JmError *error) {
    for (uint32_t channel = 0; channel < graph->channels; channel++)
        if (graph->label[channel].drops_header &&
            params->header_flits != NET_DIMENSIONS)
            return jm_fail(error, NULL,
                           "channel %u drops headers, but messages have %u of them, "
                           "not %d",
                           channel, params->header_flits, NET_DIMENSIONS);
    return true;
}

/* Makes a network that owns the graph. */
static Net *allocate_network(NetGraph *graph, const NetEngine *engine,
                             const NetParams *params, JmError *error) {
    Net *net = calloc(1, sizeof *net);
    if (!net) {
        net_graph_destroy(graph);
        jm_fail_memory(error, NULL, "no memory for a network");
        return NULL;
    }
    net->graph = graph;
    net->params = *params;
    net->start_words = params->start_words < params->buffer_words
                           ? params->start_words
                           : params->buffer_words;
    net->word_shift = params->flits_per_word == 2;
    net->engine = net->chosen = engine;
    net->watched = engine->reports_flits ? engine : net_watching_engine();
    if (allocate(net))
        return net;
    jm_fail_memory(error, NULL, "no memory for a network of %u nodes", graph->nodes);
    net_destroy(net);
    return NULL;
}

Net *net_create_on(NetGraph *graph, const NetParams *params, const char *engine,
                   JmError *error) {
    if (!graph)
        return NULL;
    const NetEngine *found = NULL;
    if (net_params_check(params, error) && net_graph_check(graph, error) &&
        headers_fit(graph, params, error))
        found = net_find_engine(engine, graph, params, error);
    if (found)
        return allocate_network(graph, found, params, error);
    net_graph_destroy(graph);
    return NULL;
}

Net *net_create(const char *specification, const NetParams *params, const char *engine,
                JmError *error) {
    NetGraph *graph = net_params_check(params, error)
                          ? net_topology_build(specification, params, error)
                          : NULL;
    return net_create_on(graph, params, engine, error);
}

Net *net_create_machine(const char *specification, const NetParams *params,
                        const char *engine, JmError *error) {
    NetGraph *graph = net_params_check(params, error)
                          ? net_topology_build_machine(specification, params, error)
                          : NULL;
    return net_create_on(graph, params, engine, error);
}

Net *net_create_mesh_with(unsigned x, unsigned y, unsigned z, const NetParams *params,
                          const char *engine, JmError *error) {
    NetGraph *graph = net_params_check(params, error)
                          ? net_mesh_create(x, y, z, params, error)
                          : NULL;
    return net_create_on(graph, params, engine, error);
}

Net *net_create_mesh(unsigned x, unsigned y, unsigned z, const NetParams *params,
                     JmError *error) {
    return net_create_mesh_with(x, y, z, params, "auto", error);
}

const char *net_byte_params(const Net *net) {
    return net->graph->topology ? net->graph->topology->byte_params : NULL;
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
    free(net->gate_staged);
    free(net->staged.items);
    free(net->staged_gates.items);
    free(net->deliveries);
    free(net->ended);
    free(net->wire_flits);
    free(net->blocked);
    free(net->sets);
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        free(net->places[priority]);
    free(net);
}
