/* Counts and distributions. */
#include <assert.h>

#include "net/messages/state.h"

void net_histogram_start(NetHistogram *histogram) {
    histogram->min = UINT64_MAX;
}

/* Returns the largest value that class `k` of `above` can hold, at most `max`. */
static uint64_t upper_end(const NetHistogram *histogram, unsigned k) {
    const uint64_t end = k == 63 ? UINT64_MAX : (UINT64_C(2) << k) - 1;
    return end < histogram->max ? end : histogram->max;
}

uint64_t net_histogram_percentile(const NetHistogram *histogram, double fraction) {
    const double wanted = fraction * (double)histogram->count;
    uint64_t seen = 0;
    for (uint64_t cycles = 0; cycles < NET_LATENCY_EXACT; cycles++) {
        seen += histogram->exact[cycles];
        if (seen > 0 && (double)seen >= wanted)
            return cycles;
    }
    for (unsigned k = 0; k < 64; k++) {
        seen += histogram->above[k];
        if (seen > 0 && (double)seen >= wanted)
            return upper_end(histogram, k);
    }
    return histogram->max;
}

/* Counts each wire once, by the first channel that sends over it. Builders number the
 * channels of a wire in any order, so every channel is examined. */
void net_count_wires(Net *net) {
    const NetGraph *graph = net->graph;
    for (uint32_t channel = 0; channel < graph->channels; channel++) {
        const uint32_t wire = graph->wire[channel];
        if (wire == NET_NONE || net->wire_flits[2 * wire] != 0)
            continue;
        net->wire_flits[2 * wire] = 1; /* seen */
        const NetLabel *label = &graph->label[channel];
        net->statistics.wires[label->dimension]++;
        net->statistics.bisection_wires[label->dimension] += label->on_bisection;
    }
    for (uint32_t wire = 0; wire < graph->wires; wire++)
        net->wire_flits[2 * wire] = 0;
}

const NetStatistics *net_statistics(const Net *net) {
    net_settle(net);
    return &net->statistics;
}

static uint64_t wire_flits(const Net *net, unsigned wire) {
    assert(wire < net->graph->wires);
    net_settle(net);
    return net->wire_flits[2 * wire] + net->wire_flits[2 * wire + 1];
}

unsigned net_group_count(const Net *net) {
    return net->graph->groups;
}

uint64_t net_group_flits(const Net *net, unsigned group) {
    uint64_t flits = 0;
    for (uint32_t wire = 0; net->graph->group && wire < net->graph->wires; wire++)
        if (net->graph->group[wire] == group)
            flits += wire_flits(net, wire);
    return flits;
}

const char *net_group_name(const Net *net, unsigned group) {
    return net->graph->group_name ? net->graph->group_name(net->graph, group) : NULL;
}

NetChannelCounts net_channel_counts(const Net *net, uint32_t channel) {
    const NetGraph *graph = net->graph;
    assert(channel < graph->channels);
    net_settle(net);
    if (net->engine->counts)
        return net->engine->counts(net->engine_state, channel);
    const uint32_t wire = graph->wire[channel];
    const unsigned down = graph->label[channel].downward;
    return (NetChannelCounts){
        .flits = wire == NET_NONE ? 0 : net->wire_flits[2 * wire + down]};
}

const NetGraph *net_graph(const Net *net) {
    return net->graph;
}

uint64_t net_link_flits(const Net *net, unsigned node, unsigned dimension, bool up) {
    const NetGraph *graph = net->graph;
    const uint32_t channel = graph->link(graph, node, 0, dimension, up);
    if (channel == NET_NONE)
        return 0;
    net_settle(net);
    return net->wire_flits[2 * graph->wire[channel] + graph->label[channel].downward];
}
