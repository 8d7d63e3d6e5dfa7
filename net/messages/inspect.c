/* Shows the state of channels and messages, and explains who waits for whom. */
#include <assert.h>
#include <stdio.h>

#include "net/graph/bits_inline.h"
#include "net/messages/state.h"

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
        .wire_blocked = net->blocked[channel],
        .next = point.next < net->graph->channels ? (int32_t)point.next : -1,
    };
}

bool net_message_state(const Net *net, uint32_t number, NetMessageState *state) {
    if (number >= net->message_count || !net->messages[number].in_use)
        return false;
    net_settle(net);
    const NetMessage *message = &net->messages[number];
    *state = (NetMessageState){
        .source = message->source,
        .destination = message->destination,
        .priority = message->priority,
        .opened_cycle = message->opened_cycle,
        .born_cycle = message->born_cycle,
        .words_offered = message->words_offered,
        .words_delivered = message->words_delivered,
        .closed = message->closed,
    };
    return true;
}

/* Explanations. */

enum { NAME_SIZE = 32, ROW_SIZE = 192 };

/* An explanation in progress. */
typedef struct {
    const Net *net;
    NetRowWriter *writer;
    void *context;
    uint32_t *seen;  /* by point: number of the chain that explained it; 0: none has */
    uint32_t chain;  /* number of the chain being explained */
    uint32_t source; /* the one to be explained; NET_NONE: all, */
    unsigned limit;  /* of so many chains at most */
} Explanation;

static void name_node(const Net *net, uint32_t node, char text[NAME_SIZE]) {
    net->graph->node_name(net->graph, node, text, NAME_SIZE);
}

/* Writes a row about a point and a message (NET_NONE: none). */
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
    else if (net->graph->copies > 1)
        snprintf(place, sizeof place, "%s%c.%u", kinds[label->kind],
                 "XYZ"[label->dimension], point % net->graph->copies);
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

/* Returns where the next flit of the message that holds `point` is: the nearest point
 * behind it that has a flit, or its source. */
static uint32_t rest_of_owner(const Net *net, uint32_t point) {
    NetPoint state = point_of(net, point);
    do {
        point = state.from;
        state = point_of(net, point);
    } while (point < net->graph->channels && state.flits == 0);
    return point;
}

/* Explains a source that has nothing to send: the end of a chain. */
static void explain_silence(const Explanation *explanation, uint32_t source) {
    const uint32_t message = net_buffer(explanation->net, source)->first;
    if (message == NET_NONE)
        write_row(explanation, source, "is empty", NET_NONE);
    else if (explanation->net->messages[message].closed)
        write_row(explanation, source, "is about to send", message);
    else
        write_row(explanation, source, "waits for its node to go on with", message);
}

/* Explains what the front flit of `s` waits for: one link of the chain. Returns the
 * point that must move first, or NET_NONE at the end of the chain. */
static uint32_t explain_link(const Explanation *explanation, uint32_t s) {
    const Net *net = explanation->net;
    const NetPoint point = point_of(net, s);
    if (point.flits == 0) {
        explain_silence(explanation, s);
        return NET_NONE;
    }
    if (s < net->graph->channels && net->blocked[s]) {
        write_row(explanation, s, "waits at a blocked wire with", point.front.message);
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
    if (next.flits == net_graph_places(net->graph, &net->params, point.next)) {
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

/* Explains who waits for whom from `at` on, to the end, to a point of this chain (a
 * cycle), or to one that an earlier chain has explained. */
static void explain_chain(Explanation *explanation, uint32_t at) {
    explanation->chain++;
    while (at != NET_NONE) {
        explanation->seen[at] = explanation->chain;
        at = explain_link(explanation, at);
        if (at == NET_NONE || explanation->seen[at] == 0)
            continue;
        const bool own = explanation->seen[at] == explanation->chain;
        write_row(explanation, at, own ? "closes a cycle" : "as above", NET_NONE);
        return;
    }
}

/* Explains the chain that begins at a source, or what the source waits for. */
static void explain_source(Explanation *explanation, uint32_t source) {
    if (point_of(explanation->net, source).flits > 0)
        write_row(explanation, source, "wants to send",
                  net_buffer(explanation->net, source)->first);
    explain_chain(explanation, source);
}

/* Whether messages wait at a source, or one is open whose node is silent. */
static bool waits_at(const Net *net, uint32_t source) {
    return net_buffer(net, source)->first != NET_NONE;
}

/* Writes a row for each direction of a wire that is blocked. */
static void name_blocked(const Net *net, NetRowWriter *writer, void *context) {
    if (net->blocked_links == 0)
        return;
    for (uint32_t c = 0; c < net->graph->channels; c++) {
        const NetLabel *label = &net->graph->label[c];
        if (!net->blocked[c] || label->priority > 0 || c % net->graph->copies > 0 ||
            (net->graph->lane && net->graph->lane[c] > 0))
            continue;
        char node[NAME_SIZE], row[ROW_SIZE];
        name_node(net, label->node, node);
        snprintf(row, sizeof row, "%s %c%c: this wire is blocked", node,
                 label->downward ? '-' : '+', "XYZ"[label->dimension]);
        writer(context, row);
    }
}

static void explain_all(Explanation *explanation) {
    const Net *net = explanation->net;
    name_blocked(net, explanation->writer, explanation->context);
    unsigned limit = explanation->limit;
    const uint32_t points = net_graph_points(net->graph);
    for (uint32_t s = net->graph->channels; s < points && limit; s++) {
        if (net->graph->label[s].kind != NET_POINT_SOURCE || !waits_at(net, s))
            continue;
        explain_source(explanation, s);
        limit--;
    }
    for (uint32_t c = 0; c < net->graph->channels && limit; c++) {
        const NetPoint point = point_of(net, c);
        if (point.flits == 0 || explanation->seen[c])
            continue;
        write_row(explanation, c, "has in front", point.front.message);
        explain_chain(explanation, c);
        limit--;
    }
    if (!limit)
        explanation->writer(explanation->context, "and perhaps more that waits");
}

static void explain(Heap *heap, void *context) {
    Explanation *explanation = context;
    const size_t points = net_graph_points(explanation->net->graph);
    explanation->seen = heap_alloc(heap, points * sizeof *explanation->seen);
    if (explanation->source == NET_NONE)
        explain_all(explanation);
    else
        explain_source(explanation, explanation->source);
}

static void run(Explanation explanation) {
    if (!heap_run(explain, &explanation))
        explanation.writer(explanation.context, "no memory to explain");
}

void net_explain(const Net *net, unsigned node, unsigned priority, NetRowWriter *writer,
                 void *context) {
    assert(node < net->graph->nodes && priority < NET_PRIORITIES);
    run((Explanation){.net = net,
                      .writer = writer,
                      .context = context,
                      .source = net_graph_source(net->graph, node, priority)});
}

void net_explain_all(const Net *net, unsigned limit, NetRowWriter *writer,
                     void *context) {
    run((Explanation){.net = net,
                      .writer = writer,
                      .context = context,
                      .source = NET_NONE,
                      .limit = limit});
}
