/* Channels of the network by name. */
#include <string.h>

#include "emu/debug/talk/names.h"

const char *position_text(const JmDebug *d, unsigned node, char text[SHORT_TEXT]) {
    unsigned x, y, z;
    jm_node_position(d->machine, node, &x, &y, &z);
    snprintf(text, SHORT_TEXT, "%u,%u,%u", x, y, z);
    return text;
}

const char *channel_text(const JmDebug *d, const NetChannelState *c,
                         char text[SHORT_TEXT]) {
    char node[SHORT_TEXT];
    snprintf(text, SHORT_TEXT, "%.40s p%u %c%c", position_text(d, c->node, node),
             c->priority, "+-R"[c->kind], "XYZ"[c->dimension]);
    return text;
}

const char *channel_name(const JmDebug *d, int32_t channel, char text[SHORT_TEXT]) {
    const Net *net = netif_network(d->machine);
    const NetChannelState c = net_channel_state(net, (uint32_t)channel);
    return channel_text(d, &c, text);
}

void path_add(const JmDebug *d, Text *path, unsigned *node, uint32_t channel) {
    const NetChannelState c = net_channel_state(netif_network(d->machine), channel);
    char place[SHORT_TEXT];
    if (!path->length || *node != c.node)
        text_add(path, "%s%s", path->length ? "; " : "",
                 position_text(d, c.node, place));
    *node = c.node;
    text_add(path, " %c%c", "+-R"[c.kind], "XYZ"[c.dimension]);
}

uint32_t first_channel(const JmDebug *d, unsigned source, unsigned destination,
                       unsigned priority) {
    const Net *net = netif_network(d->machine);
    unsigned from, to, y, z;
    uint32_t i = 0;
    jm_node_position(d->machine, source, &from, &y, &z);
    jm_node_position(d->machine, destination, &to, &y, &z);
    const NetChannelKind kind = to > from   ? NET_CHANNEL_P
                                : to < from ? NET_CHANNEL_N
                                            : NET_CHANNEL_R;
    for (; i + 1 < net_channel_count(net); i++) {
        const NetChannelState c = net_channel_state(net, i);
        if (c.node == source && c.priority == priority && c.dimension == 0 &&
            c.kind == kind)
            break;
    }
    return i;
}

bool message_flies(const Net *net, uint32_t number, NetMessageState *state) {
    return net_message_state(net, number, state) &&
           (!state->closed || state->words_delivered < state->words_offered);
}
