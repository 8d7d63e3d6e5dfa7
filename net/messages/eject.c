/* The receiving end: flits leave the network, and two of them make a word. */
#include "net/messages/state.h"

void net_drop_flit(Net *net, NetFlit flit) {
    const unsigned priority = net->messages[flit.message].priority;
    net->statistics.flits_dropped[priority]++;
}

/* Delivers a word whose second flit has been ejected. */
static inline void deliver_word(Net *net, uint32_t end, NetFlit flit) {
    NetMessage *message = &net->messages[flit.message];
    message->words_delivered++;
    net->statistics.words_delivered[message->priority]++;
    net->deliveries[net->delivery_count++] = (NetDelivery){
        .node = end / NET_PRIORITIES,
        .message = flit.message,
        .priority = end % NET_PRIORITIES,
        .tail = flit.tail,
    };
    if (flit.tail) {
        net->ended[net->ended_count++] = flit.message;
        net_end_message(net, message);
    }
}

void net_eject_flit(Net *net, uint32_t end, NetFlit flit) {
    const unsigned header_flits = net->params.header_flits;
    if (flit.index < header_flits) {
        net_drop_flit(net, flit);
        return;
    }
    const unsigned priority = net->messages[flit.message].priority;
    net->statistics.flits_ejected[priority]++;
    const uint32_t last = (1u << net->word_shift) - 1;
    if (((flit.index - header_flits) & last) == last) {
        const uint32_t node = end / NET_PRIORITIES;
        net->received[end % NET_PRIORITIES][node / 64] |= UINT64_C(1) << (node % 64);
        deliver_word(net, end, flit);
    }
}
