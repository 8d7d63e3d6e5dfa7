/* Makes a network from its three parts: a graph, from a topology or the caller; an
 * engine that can run it; and the state that all engines share (messages/state.h). */
#include <stdio.h>
#include <string.h>

#include "emu/core/suggest.h"
#include "net/messages/state.h"
#include "net/topology/mesh.h"
#include "net/topology/topology.h"

/* ---- engines --------------------------------------------------------------------- */

/* The engines. "auto" tries them in this order, the fastest first. */
static const NetEngine *const engines[] = {
    &net_plane_engine, &net_graph_engine, &net_flow_engine,  &net_plane_plain,
    &net_plane_sse2,   &net_plane_avx2,   &net_plane_avx512,
};
enum { ENGINES = sizeof engines / sizeof engines[0] };

/* Whether an engine runs on this processor, and a graph on it; else `error` says why
 * not. */
static bool can_run(Heap *heap, const NetEngine *engine, const NetGraph *graph,
                    const NetParams *params, JmError *error) {
    if (engine->runs_here && !engine->runs_here())
        return jm_fail(error, NULL, "this processor cannot run the network engine %s",
                       engine->name);
    JmError why;
    return engine->runs(heap, graph, params, &why) ||
           jm_fail(error, NULL, "the network engine %s cannot run this: %s",
                   engine->name, why.text);
}

/* If none can, `error` gives the reason of the engine for such graphs: the flow engine
 * if the graph has features that only it supports, whatever the parameters are; else
 * the graph engine. */
static const NetEngine *first_that_runs(Heap *heap, const NetGraph *graph,
                                        const NetParams *params, JmError *error) {
    for (unsigned i = 0; i < ENGINES; i++)
        if (can_run(heap, engines[i], graph, params, NULL))
            return engines[i];
    const NetParams standard = net_params_default();
    const bool plain = net_graph_is_plain(graph, &standard, NULL);
    can_run(heap, plain ? &net_graph_engine : &net_flow_engine, graph, params, error);
    return NULL;
}

static void refuse_name(const char *name, JmError *error) {
    char list[200] = "auto", what[300];
    for (unsigned i = 0; i < ENGINES; i++) {
        const size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "|%s", engines[i]->name);
    }
    jm_suggest_one_of(list, name, what, sizeof what);
    jm_fail(error, NULL, "no network engine '%s'; expected %s", name, what);
}

/* Returns the engine called `name`, or for "auto" the first that can run `graph` with
 * `params`. NULL and the reason in `error` if it cannot, or if there is no engine of
 * that name. The heap is for temporary memory. */
static const NetEngine *named_engine(Heap *heap, const char *name,
                                     const NetGraph *graph, const NetParams *params,
                                     JmError *error) {
    if (strcmp(name, "auto") == 0)
        return first_that_runs(heap, graph, params, error);
    for (unsigned i = 0; i < ENGINES; i++)
        if (strcmp(name, engines[i]->name) == 0)
            return can_run(heap, engines[i], graph, params, error) ? engines[i] : NULL;
    refuse_name(name, error);
    return NULL;
}

/* ---- state ----------------------------------------------------------------------- */

/* Allocates the memory behind net_drained(), net_received() and net_room(). The sets
 * are padded to the widest vector; `places` has a byte for each of their bits. */
static void allocate_sets(Net *net) {
    const size_t words = net_set_words(net);
    uint64_t *sets = heap_alloc(net->heap, 2 * NET_PRIORITIES * words * sizeof *sets);
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        net->drained[priority] = &sets[2 * priority * words];
        net->received[priority] = &sets[(2 * priority + 1) * words];
        net->places[priority] = heap_alloc(net->heap, words * 64);
    }
}

/* Allocates the state that all engines share. */
static void allocate(Net *net) {
    Heap *heap = net->heap;
    const size_t ends = (size_t)net->graph->nodes * NET_PRIORITIES;
    const size_t directions = 2 * (size_t)net->graph->wires;
    net->first_free = NET_NONE;
    for (unsigned i = 0; i < NET_EARLY_CYCLES; i++)
        net->early[i] = NET_NONE;
    net->buffers = heap_alloc(heap, ends * sizeof *net->buffers);
    net->gate_wanted = heap_alloc(heap, ends * sizeof *net->gate_wanted);
    net->gate_staged = heap_alloc(heap, ends * sizeof *net->gate_staged);
    net->staged_gates.items = heap_alloc(heap, ends * sizeof *net->staged_gates.items);
    net->deliveries = heap_alloc(heap, ends * sizeof *net->deliveries);
    net->ended = heap_alloc(heap, ends * sizeof *net->ended);
    net->wire_flits = heap_alloc(heap, directions * sizeof *net->wire_flits);
    net->blocked = heap_alloc(heap, net->graph->channels * sizeof *net->blocked);
    allocate_sets(net);
    for (size_t end = 0; end < ends; end++) {
        net->buffers[end] = (NetBuffer){.first = NET_NONE, .last = NET_NONE};
        net->gate_wanted[end] = true;
    }
}

/* ---- networks -------------------------------------------------------------------- */

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

/* The parts of a network. */
typedef struct {
    NetGraph *graph;
    const NetParams *params;
    const char *engine;
    JmError *error;
} Parts;

/* Finds an engine for parts that are sound. NULL and an error if there is none, or they
 * are not. */
static const NetEngine *find_engine(Heap *heap, const Parts *parts) {
    return net_graph_check(parts->graph, parts->error) &&
                   headers_fit(parts->graph, parts->params, parts->error)
               ? named_engine(heap, parts->engine, parts->graph, parts->params,
                              parts->error)
               : NULL;
}

static void *make(Heap *heap, const void *plan) {
    const Parts *parts = plan;
    const NetParams *params = parts->params;
    const NetEngine *engine = find_engine(heap, parts);
    if (!engine)
        return NULL;
    Net *net = heap_alloc(heap, sizeof *net);
    net->heap = heap;
    net->graph = parts->graph;
    net->params = *params;
    net->start_words = params->start_words < params->buffer_words
                           ? params->start_words
                           : params->buffer_words;
    net->word_shift = params->flits_per_word == 2;
    net->engine = engine;
    allocate(net);
    net_histogram_start(&net->statistics.latency);
    net_histogram_start(&net->statistics.transit);
    net_count_wires(net);
    net->engine_heap = heap_within(heap);
    net->engine_state = net->engine->create(net->engine_heap, net);
    return net;
}

Net *net_create_on(NetGraph *graph, const NetParams *params, const char *engine,
                   JmError *error) {
    if (!graph)
        return NULL;
    const Parts parts = {graph, params, engine, error};
    Net *net = net_params_check(params, error)
                   ? heap_make(make, &parts, error, NULL, "a network of %u nodes",
                               graph->nodes)
                   : NULL;
    if (!net)
        net_graph_destroy(graph);
    return net;
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
    net_graph_destroy(net->graph);
    heap_delete(net->heap);
}
