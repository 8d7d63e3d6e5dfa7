/* The cycle of a network, and its clients' queries between cycles. */
#include <assert.h>
#include <string.h>

#include "net/messages/state.h"

const char *net_engine_name(const Net *net) {
    return net->engine->name;
}

unsigned net_node_count(const Net *net) {
    return net->graph->nodes;
}

unsigned net_processor_count(const Net *net) {
    return net->graph->processor ? net->graph->processors : net->graph->nodes;
}

void net_node_name(const Net *net, unsigned node, char *text, size_t size) {
    assert(node < net->graph->nodes);
    net->graph->node_name(net->graph, node, text, size);
}

unsigned net_processor(const Net *net, unsigned node) {
    assert(node < net->graph->nodes);
    return net->graph->processor ? net->graph->processor[node] : node;
}

NetGrid net_grid(const Net *net) {
    return net->graph->grid;
}

unsigned net_draws(const Net *net) {
    return net->graph->address_from ? net->graph->draws : 1;
}

uint32_t net_turn(const Net *net, unsigned node) {
    return net->graph->turn ? net->graph->turn[node] : NET_NONE;
}

uint32_t net_terminal(const Net *net, unsigned from, unsigned to, unsigned draw) {
    const NetGraph *graph = net->graph;
    assert(from < graph->nodes && to < graph->nodes && draw < net_draws(net));
    return graph->terminal
               ? graph->terminal(graph, from, net_graph_address(graph, from, to, draw))
               : NET_NONE;
}

/* Searches for a channel that the wire's channel feeds, because graphs list only the
 * feeders of each point. Not for hot paths: it examines every channel. */
uint32_t net_neighbour(const Net *net, unsigned node, unsigned dimension, bool up) {
    const NetGraph *graph = net->graph;
    const uint32_t channel = graph->link(graph, node, 0, dimension, up);
    for (uint32_t to = 0; channel != NET_NONE && to < graph->channels; to++)
        for (uint32_t i = graph->feeder_start[to]; i < graph->feeder_start[to + 1]; i++)
            if (graph->feeders[i] == channel)
                return graph->label[to].node;
    return NET_NONE;
}

bool net_has_link(const Net *net, unsigned node, unsigned dimension, bool up) {
    return net->graph->link(net->graph, node, 0, dimension, up) != NET_NONE;
}

/* Examines messages from node 0 only, because the network looks the same from every
 * node. */
bool net_may_overtake(const Net *net) {
    const NetGraph *graph = net->graph;
    for (uint32_t to = 0; to < graph->nodes; to++)
        for (unsigned draw = 1; draw < net_draws(net); draw++)
            if (net_graph_address(graph, 0, to, draw) !=
                net_graph_address(graph, 0, to, 0))
                return true;
    return graph->choices != NULL;
}

void net_seed(Net *net, uint64_t seed) {
    net->draws = jm_rng(seed);
}

unsigned net_buffer_words(const Net *net) {
    return net->params.buffer_words;
}

unsigned net_header_flits(const Net *net) {
    return net->params.header_flits;
}

unsigned net_flits_per_word(const Net *net) {
    return net->params.flits_per_word;
}

unsigned net_start_words(const Net *net) {
    return net->start_words;
}

/* Stages each end once a cycle, so that the list has room for all of them. */
void net_stage_gate(Net *net, uint32_t end) {
    if (net->gate_staged[end])
        return;
    net->gate_staged[end] = true;
    net->staged_gates.items[net->staged_gates.count++] = end;
}

void net_set_gate(Net *net, unsigned node, unsigned priority, bool open) {
    assert(node < net->graph->nodes && priority < NET_PRIORITIES);
    const uint32_t end = node * NET_PRIORITIES + priority;
    if (net->gate_wanted[end] == open)
        return;
    net->gate_wanted[end] = open;
    net_stage_gate(net, end);
}

/* Makes the staged gates current. Returns whether there were any. */
static inline bool commit_gates(Net *net) {
    if (net->staged_gates.count == 0)
        return false;
    const uint32_t first_sink = net_graph_first_sink(net->graph);
    for (uint32_t i = 0; i < net->staged_gates.count; i++) {
        const uint32_t end = net->staged_gates.items[i];
        net->engine->gate_changed(net, net->engine_state, first_sink + end,
                                  net->gate_wanted[end]);
        net->gate_staged[end] = false;
    }
    net->staged_gates.count = 0;
    return true;
}

void net_settle_gates(Net *net) {
    if (commit_gates(net))
        net->moved = true;
}

/* Frees the records of the messages whose tails the last step delivered. */
static void release_delivered(Net *net) {
    for (uint32_t i = 0; i < net->ended_count; i++)
        net_message_free(net, net->ended[i]);
    net->ended_count = net->delivery_count = 0;
}

/* Stages the messages that were to be shown in this cycle. */
static void stage_due(Net *net) {
    uint32_t *first = &net->early[net->now % NET_EARLY_CYCLES];
    for (uint32_t number = *first, next; number != NET_NONE; number = next) {
        next = net->messages[number].next;
        net->messages[number].next = NET_NONE;
        net->staged.items[net->staged.count++] = number;
    }
    *first = NET_NONE;
}

/* Makes words visible that were offered since the last step. Returns whether there were
 * any. */
static bool show_offered(Net *net) {
    stage_due(net);
    const uint32_t count = net->staged.count;
    net->staged.count = 0;
    if (count > 0)
        net->engine->sources_changed(net, net->engine_state, net->staged.items, count);
    return count > 0;
}

/* The engine sees gates and buffers as they were when the cycle began: words offered
 * and gates set in it count from the next cycle on. */
void net_step(Net *net) {
    net->settled = false;
    release_delivered(net);
    const bool moved = net->engine->step(net, net->engine_state);
    const bool offered = show_offered(net);
    const bool gated = commit_gates(net);
    net->moved = moved || offered || gated;
    net->now++;
}

uint64_t net_now(const Net *net) {
    return net->now;
}

/* In a quiet network only the clock changes from cycle to cycle. */
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

void net_clear_sets(Net *net, unsigned first, unsigned count) {
    memset(net->drained[first], 0, 2 * count * net_set_words(net) * sizeof(uint64_t));
}

bool net_progressed(const Net *net) {
    return net->progressed;
}

bool net_set_flit_hook(Net *net, NetFlitHook *hook, void *context) {
    net->hook = net->engine->reports_flits ? hook : NULL;
    net->hook_context = context;
    return net->hook == hook;
}
