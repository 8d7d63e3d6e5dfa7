/* Wires that a debugger has blocked, one direction at a time. */
#include <assert.h>

#include "net/messages/state.h"

/* Returns the channel that sends over a direction of a wire, or NET_NONE. */
static uint32_t link_of(const Net *net, unsigned node, unsigned priority,
                        unsigned dimension, bool up) {
    assert(node < net->graph->nodes && dimension < NET_DIMENSIONS);
    return net->graph->link(net->graph, node, priority, dimension, up);
}

/* The channels that send over it, by priority and virtual channel. */
static uint32_t copy_of_link(const Net *net, unsigned node, unsigned item,
                             unsigned dimension, bool up) {
    const unsigned copies = net->graph->copies;
    return link_of(net, node, item / copies, dimension, up) + item % copies;
}

bool net_mark_link(Net *net, unsigned node, unsigned dimension, bool up, bool blocked) {
    if (link_of(net, node, 0, dimension, up) == NET_NONE)
        return false;
    if (blocked && !net_link_blocked(net, node, dimension, up))
        net->blocked_links++;
    if (!blocked && net_link_blocked(net, node, dimension, up))
        net->blocked_links--;
    for (unsigned item = 0; item < NET_PRIORITIES * net->graph->copies; item++)
        net->blocked[copy_of_link(net, node, item, dimension, up)] = blocked;
    return true;
}

bool net_block_link(Net *net, unsigned node, unsigned dimension, bool up,
                    bool blocked) {
    if (!net_mark_link(net, node, dimension, up, blocked))
        return false;
    for (unsigned item = 0; item < NET_PRIORITIES * net->graph->copies; item++)
        net->engine->wire_changed(net, net->engine_state,
                                  copy_of_link(net, node, item, dimension, up),
                                  blocked);
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
