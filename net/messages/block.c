/* Wires that a debugger has blocked, one direction at a time. */
#include <assert.h>

#include "net/messages/state.h"

/* Returns the channel that sends over a direction of a wire, or NET_NONE. */
static uint32_t link_of(const Net *net, unsigned node, unsigned priority,
                        unsigned dimension, bool up) {
    assert(node < net->graph->nodes && dimension < NET_MAX_DIMENSIONS);
    return net->graph->link(net->graph, node, priority, dimension, up);
}

/* Whether a channel sends over the same wire as `link`, in the same direction. */
static bool shares(const NetGraph *graph, uint32_t channel, uint32_t link) {
    return graph->wire[channel] == graph->wire[link] &&
           graph->label[channel].downward == graph->label[link].downward;
}

bool net_mark_link(Net *net, unsigned node, unsigned dimension, bool up, bool blocked) {
    const NetGraph *graph = net->graph;
    const uint32_t link = link_of(net, node, 0, dimension, up);
    if (link == NET_NONE)
        return false;
    if (net->blocked[link] == blocked)
        return true;
    if (blocked)
        net->blocked_links++;
    else
        net->blocked_links--;
    for (uint32_t channel = 0; channel < graph->channels; channel++)
        if (shares(graph, channel, link))
            net->blocked[channel] = blocked;
    return true;
}

bool net_block_link(Net *net, unsigned node, unsigned dimension, bool up,
                    bool blocked) {
    const NetGraph *graph = net->graph;
    const uint32_t link = link_of(net, node, 0, dimension, up);
    const bool changes = link != NET_NONE && net->blocked[link] != blocked;
    if (!net_mark_link(net, node, dimension, up, blocked))
        return false;
    for (uint32_t channel = 0; changes && channel < graph->channels; channel++)
        if (shares(graph, channel, link))
            net->engine->wire_changed(net, net->engine_state, channel, blocked);
    net->moved = true; /* blocked flits may be able to move */
    return true;
}

bool net_link_blocked(const Net *net, unsigned node, unsigned dimension, bool up) {
    const uint32_t channel = link_of(net, node, 0, dimension, up);
    return channel != NET_NONE && net->blocked[channel];
}

unsigned net_blocked_links(const Net *net) {
    return net->blocked_links;
}

void net_tell_blocked(Net *net) {
    for (uint32_t channel = 0; net->blocked_links && channel < net->graph->channels;
         channel++)
        if (net->blocked[channel])
            net->engine->wire_changed(net, net->engine_state, channel, true);
}
