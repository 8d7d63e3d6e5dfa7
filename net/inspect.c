/* Looking into a running network: the state of channels and messages, and who waits for
 * whom. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "net/bits.h"
#include "net/state.h"

static NetPoint point_of(const Net *net, uint32_t point) {
    return net->engine->point(net, net->engine_state, point);
}

uint32_t net_channel_count(const Net *net) {
    return net->graph->channels;
}

NetChannelState net_channel_state(const Net *net, uint32_t channel) {
    assert(channel < net->graph->channels);
    const NetLabel *label = &net->graph->label[channel];
    const NetPoint point = point_of(net, channel);
    return (NetChannelState){
        .node = label->node,
        .priority = label->priority,
        .dimension = label->dimension,
        .kind = (NetChannelKind)label->kind,
        .flits = point.flits,
        .owned = point.owner != NET_NONE,
        .owner = point.owner,
        .front_message = point.front.message,
        .front_is_head = point.flits > 0 && !point.next_taken,
        .next = point.next < net->graph->channels ? (int32_t)point.next : -1,
    };
}

bool net_message_state(const Net *net, uint32_t number, NetMessageState *state) {
    if (number >= net->message_count || !net->messages[number].in_use)
        return false;
    const NetMessage *message = &net->messages[number];
    *state = (NetMessageState){
        .source = message->source,
        .destination = message->destination,
        .priority = message->priority,
        .opened_cycle = message->opened_cycle,
        .words_offered = message->words_offered,
        .words_delivered = message->words_delivered,
        .closed = message->closed,
    };
    return true;
}

/* Explaining. */

enum { NAME_SIZE = 32, ROW_SIZE = 192 };

typedef struct {
    const Net *net;
    NetRowWriter *writer;
    void *context;
    NetBits seen; /* points already in the chain */
} Explanation;

static void name_node(const Net *net, uint32_t node, char text[NAME_SIZE]) {
    net->graph->node_name(net->graph, node, text, NAME_SIZE);
}

/* A row about `point` and `message` (NET_NONE: none). */
static void write_row(const Explanation *explanation, uint32_t point, const char *what,
                      uint32_t message) {
    static const char *const kinds[] = {"+", "-", "R"};
    const Net *net = explanation->net;
    const NetLabel *label = &net->graph->label[point];
    char node[NAME_SIZE], place[NAME_SIZE], row[ROW_SIZE];
    name_node(net, label->node, node);
    if (label->kind == NET_POINT_SOURCE)
        snprintf(place, sizeof place, "output buffer");
    else if (label->kind == NET_POINT_SINK)
        snprintf(place, sizeof place, "ejection");
    else
        snprintf(place, sizeof place, "%s%c", kinds[label->kind],
                 "XYZ"[label->dimension]);
    int used =
        snprintf(row, sizeof row, "%s p%u %s %s", node, label->priority, place, what);
    if (message != NET_NONE) {
        char source[NAME_SIZE], destination[NAME_SIZE];
        name_node(net, net->messages[message].source, source);
        name_node(net, net->messages[message].destination, destination);
        snprintf(row + used, sizeof row - (size_t)used, " message %u (%s -> %s)",
                 message, source, destination);
    }
    explanation->writer(explanation->context, row);
}

/* Where the next flit of the message that holds `point` is: the nearest point behind it
 * that has one, or its source. */
static uint32_t rest_of_owner(const Net *net, uint32_t point) {
    NetPoint state = point_of(net, point);
    do {
        point = state.from;
        state = point_of(net, point);
    } while (point < net->graph->channels && state.flits == 0);
    return point;
}

/* A source that has nothing to send: the end of a chain. */
static void explain_silence(const Explanation *explanation, uint32_t source) {
    const uint32_t message = net_buffer(explanation->net, source)->first;
    if (message == NET_NONE)
        write_row(explanation, source, "is empty", NET_NONE);
    else if (explanation->net->messages[message].closed)
        write_row(explanation, source, "is about to send", message);
    else
        write_row(explanation, source, "waits for its node to go on with", message);
}

/* One link of the chain: what the front flit of `s` waits for. Returns the point that
 * must move first, or NET_NONE at the end of the chain. */
static uint32_t explain_link(const Explanation *explanation, uint32_t s) {
    const Net *net = explanation->net;
    const NetPoint point = point_of(net, s);
    if (point.flits == 0) {
        explain_silence(explanation, s);
        return NET_NONE;
    }
    const NetLabel *label = &net->graph->label[point.next];
    if (label->kind == NET_POINT_SINK) {
        const bool open =
            net->gate_wanted[label->node * NET_PRIORITIES + label->priority];
        write_row(explanation, point.next, open ? "is open for" : "gate is closed to",
                  point.front.message);
        return NET_NONE;
    }
    const NetPoint next = point_of(net, point.next);
    if (next.flits == net->params.channel_capacity) {
        write_row(explanation, point.next, "is full of", next.front.message);
        return point.next;
    }
    if (next.owner == NET_NONE || point.next_taken) {
        write_row(explanation, point.next, "has room, one can move", NET_NONE);
        return NET_NONE;
    }
    write_row(explanation, point.next, "held by", next.owner);
    return rest_of_owner(net, point.next);
}

static void explain_chain(Explanation *explanation, uint32_t source) {
    const uint32_t first = net_buffer(explanation->net, source)->first;
    if (point_of(explanation->net, source).flits > 0)
        write_row(explanation, source, "wants to send", first);
    for (uint32_t at = source; at != NET_NONE;) {
        net_bits_put(&explanation->seen, at, true);
        at = explain_link(explanation, at);
        if (at != NET_NONE && net_bits_has(&explanation->seen, at)) {
            write_row(explanation, at, "closes a cycle", NET_NONE);
            return;
        }
    }
}

void net_explain(const Net *net, unsigned node, unsigned priority, NetRowWriter *writer,
                 void *context) {
    assert(node < net->graph->nodes && priority < NET_PRIORITIES);
    Explanation explanation = {.net = net, .writer = writer, .context = context};
    if (net_bits_create(&explanation.seen, net_graph_points(net->graph)))
        explain_chain(&explanation, net_graph_source(net->graph, node, priority));
    else
        writer(context, "no memory to explain");
    net_bits_destroy(&explanation.seen);
}
