/* Validates a loaded state. It checks what engines rely on without checking: which
 * message is in which list, and that flits are on the way from their source to their
 * destination. net_check() tests the rest, on the engine. */
#include <string.h>

#include "net/messages/state.h"

/* A state that is being validated. */
typedef struct {
    const Net *net;
    const NetImage *image;
    uint8_t *seen; /* by message: it was found in a buffer, or in a list */
    uint8_t *been; /* scratch, by point before the sinks */
} Sound;

/* Whether the whole message has left its output buffer. */
static bool is_sent(const Net *net, const NetMessage *message) {
    return message->closed_visible &&
           message->flits_sent == net_flits_of(net, message->words_visible);
}

static bool in_use(const Net *net, uint32_t number) {
    return number < net->message_count && net->messages[number].in_use;
}

/* ---- messages and lists ---------------------------------------------------------- */

/* Whether the counts of a message are consistent. */
static bool message_sound(const Net *net, const NetMessage *message) {
    if (message->flits_sent > 0 &&
        message->flits_sent > net_flits_of(net, message->words_visible))
        return false;
    const bool all_visible = message->words_visible == message->words_offered;
    return message->started == (message->flits_sent > 0) &&
           (!message->closed || message->words_offered > 0) &&
           (!message->closed_visible || (message->closed && all_visible));
}

/* Returns the places that a message takes in its output buffer. */
static uint32_t places_of(const Net *net, const NetMessage *message) {
    const uint32_t header = net->params.header_flits, sent = message->flits_sent;
    const uint32_t words_gone = sent > header ? (sent - header) >> net->word_shift : 0;
    const bool routing_gone = sent >= (header ? header : 1);
    return 1 + message->words_offered - routing_gone - words_gone;
}

/* Whether the messages of a buffer belong to it, all but the first wait, and all but
 * the last are closed. */
static bool buffer_sound(const Sound *s, uint32_t end) {
    const NetBuffer *buffer = &s->net->buffers[end];
    uint32_t places = 0, last = NET_NONE;
    for (uint32_t number = buffer->first; number != NET_NONE;) {
        if (!in_use(s->net, number) || s->seen[number]++)
            return false;
        const NetMessage *message = &s->net->messages[number];
        if (message->source * NET_PRIORITIES + message->priority != end ||
            is_sent(s->net, message) || (message->started && number != buffer->first) ||
            (!message->closed && message->next != NET_NONE))
            return false;
        places += places_of(s->net, message);
        last = number;
        number = message->next;
    }
    const Net *net = s->net;
    return last == buffer->last &&
           places == net->places[end % NET_PRIORITIES][end / NET_PRIORITIES] &&
           buffer->open == (last != NET_NONE && !s->net->messages[last].closed);
}

/* Whether all buffers are sound, and every message that has not left is in one. */
static bool buffers_sound(const Sound *s) {
    const Net *net = s->net;
    for (uint32_t end = 0; end < net->graph->nodes * NET_PRIORITIES; end++)
        if (!buffer_sound(s, end))
            return false;
    for (uint32_t i = 0; i < net->message_count; i++) {
        const NetMessage *message = &net->messages[i];
        if (message->in_use &&
            (!message_sound(net, message) || (bool)s->seen[i] == is_sent(net, message)))
            return false;
    }
    return true;
}

/* Whether the list of staged messages holds exactly those that are marked so. */
static bool staged_sound(const Sound *s) {
    const Net *net = s->net;
    uint32_t marked = 0;
    memset(s->seen, 0, net->message_count);
    for (uint32_t i = 0; i < net->message_count; i++)
        marked += net->messages[i].in_use && net->messages[i].staged;
    for (uint32_t i = 0; i < net->staged.count; i++) {
        const uint32_t number = net->staged.items[i];
        if (!in_use(net, number) || !net->messages[number].staged || s->seen[number]++)
            return false;
    }
    return marked == net->staged.count;
}

/* Whether a message has been delivered whole. */
static bool has_gone(const Net *net, const NetMessage *message) {
    return message->in_use && is_sent(net, message) &&
           message->words_delivered == message->words_offered;
}

/* Whether the numbers to be released are exactly those of messages that have been
 * delivered whole. */
static bool ended_sound(const Sound *s) {
    const Net *net = s->net;
    uint32_t gone = 0;
    memset(s->seen, 0, net->message_count);
    for (uint32_t i = 0; i < net->message_count; i++)
        gone += has_gone(net, &net->messages[i]);
    for (uint32_t i = 0; i < net->ended_count; i++) {
        const uint32_t number = net->ended[i];
        if (!has_gone(net, &net->messages[number]) || s->seen[number]++)
            return false;
    }
    return gone == net->ended_count;
}

/* ---- points ---------------------------------------------------------------------- */

/* Whether a message that can be at `at` can be at `point` instead: in another virtual
 * channel, or at the end of those above the first. */
static bool is_alike(const NetGraph *graph, uint32_t at, uint32_t point) {
    if (at == point || graph->copies == 1)
        return at == point;
    if (at < graph->channels)
        return at / graph->copies == point / graph->copies;
    return at >= net_graph_first_sink(graph) && point >= at &&
           graph->label[at].node == graph->label[point].node;
}

/* Whether an adaptively routed message may pass the point. Every choice is on a path to
 * the destination, so the walk ends. */
static bool may_pass(const NetGraph *graph, uint32_t at, uint32_t address,
                     uint32_t point, uint8_t *been) {
    uint32_t choice[NET_MAX_CHOICES];
    if (at == point)
        return true;
    if (at >= net_graph_first_sink(graph) || been[at]++)
        return false;
    const unsigned count = net_graph_choices(graph, at, address, choice);
    for (unsigned i = 0; i < count; i++)
        if (may_pass(graph, choice[i], address, point, been))
            return true;
    return false;
}

static bool on_some_route(const Sound *s, const NetMessage *message, uint32_t point) {
    const NetGraph *graph = s->net->graph;
    const uint32_t from = net_graph_source(graph, message->source, message->priority);
    memset(s->been, 0, net_graph_first_sink(graph));
    return may_pass(graph, from, message->address, point, s->been);
}

/* Whether a message passes through a point on its route. */
static bool on_route(const Sound *s, uint32_t number, uint32_t point) {
    const Net *net = s->net;
    if (!in_use(net, number))
        return false;
    const NetMessage *message = &net->messages[number];
    if (net->graph->choices)
        return on_some_route(s, message, point);
    uint32_t at = net_graph_source(net->graph, message->source, message->priority);
    while (!is_alike(net->graph, at, point) && at < net_graph_first_sink(net->graph))
        at = net->graph->next(net->graph, at, message->address);
    return is_alike(net->graph, at, point);
}

/* Returns the message that leaves a point next, or whose head has left it. */
static uint32_t front_of(const Sound *s, uint32_t number) {
    const NetPoint *point = &s->image->points[number];
    if (s->net->graph->label[number].kind == NET_POINT_SOURCE)
        return net_buffer(s->net, number)->first;
    if (point->flits > 0)
        return s->image->flits[(size_t)number * s->image->capacity].message;
    return point->owner;
}

/* Whether the flits of a channel are on their route, and each is one that its message
 * has sent. */
static bool flits_sound(const Sound *s, uint32_t channel) {
    const Net *net = s->net;
    for (uint32_t k = 0; k < s->image->points[channel].flits; k++) {
        const NetFlit flit = s->image->flits[(size_t)channel * s->image->capacity + k];
        if (!on_route(s, flit.message, channel))
            return false;
        const NetMessage *message = &net->messages[flit.message];
        const bool is_tail =
            message->closed_visible &&
            flit.index + 1u == net_flits_of(net, message->words_visible);
        if (flit.tail != is_tail || flit.index >= message->flits_sent)
            return false;
    }
    return true;
}

/* Whether the owner of a point is on its route, and comes from a feeder whose front
 * message it is and whose head has left for this point. */
static bool owner_sound(const Sound *s, uint32_t number) {
    const NetPoint *point = &s->image->points[number];
    if (point->owner == NET_NONE)
        return true;
    if (!on_route(s, point->owner, number) ||
        !net_graph_feeds(s->net->graph, point->from, number))
        return false;
    const NetPoint *from = &s->image->points[point->from];
    return from->next_taken && from->next == number &&
           front_of(s, point->from) == point->owner;
}

/* Whether `front` may go from `number` to its next point. */
static bool may_go_on(const Net *net, uint32_t number, uint32_t front,
                      const NetPoint *point) {
    const uint32_t address = net->messages[front].address;
    uint32_t choice[NET_MAX_CHOICES];
    const uint32_t next = net->graph->next(net->graph, number, address);
    if (!net->graph->choices)
        return point->next >= next &&
               point->next <= net_graph_last_choice(net->graph, next);
    const unsigned count = net_graph_choices(net->graph, number, address, choice);
    for (unsigned i = 0; i < count; i++)
        if (choice[i] == point->next)
            return true;
    return false;
}

/* Whether a point's front message goes where its route leads. */
static bool way_sound(const Sound *s, uint32_t number) {
    const NetPoint *point = &s->image->points[number];
    if (!point->flits && !point->next_taken)
        return true;
    if (number >= net_graph_first_sink(s->net->graph))
        return false; /* nothing leaves a sink */
    const uint32_t front = front_of(s, number);
    if (!on_route(s, front, number))
        return false;
    if (!may_go_on(s->net, number, front, point))
        return false;
    const NetPoint *then = &s->image->points[point->next];
    return !point->next_taken || (then->owner == front && then->from == number);
}

/* Whether a source agrees with its output buffer. */
static bool source_sound(const Sound *s, uint32_t source) {
    const NetPoint *point = &s->image->points[source];
    const uint32_t first = net_buffer(s->net, source)->first;
    const bool started = first != NET_NONE && s->net->messages[first].started;
    /* By the flow engine's rules a head may take a channel before there is a place. */
    const bool early = s->net->params.heads && point->next_taken;
    return (point->next_taken == started || early) && point->owner == NET_NONE &&
           (point->flits > 0) == net_buffer_can_send(s->net, source);
}

/* Whether a turn points to a feeder that takes turns: with fair routers any, otherwise
 * one with a wire. */
static bool turn_sound(const Sound *s, uint32_t number) {
    const uint32_t turn = s->image->points[number].turn;
    return net_graph_feeds(s->net->graph, turn, number) &&
           (s->net->params.fair || s->net->graph->wire[turn] != NET_NONE);
}

static bool point_sound(const Sound *s, uint32_t number) {
    const NetPoint *point = &s->image->points[number];
    const NetGraph *graph = s->net->graph;
    const unsigned kind = graph->label[number].kind;
    if (point->turn != NET_NONE && !turn_sound(s, number))
        return false;
    if (point->closed && kind != NET_POINT_SINK)
        return false;
    if (kind == NET_POINT_SOURCE && !source_sound(s, number))
        return false;
    if (number < graph->channels && !flits_sound(s, number))
        return false;
    return owner_sound(s, number) && way_sound(s, number);
}

static bool points_sound(const Sound *s) {
    for (uint32_t i = 0; i < net_graph_points(s->net->graph); i++)
        if (!point_sound(s, i))
            return false;
    return true;
}

bool net_image_sound(Heap *heap, const Net *net, const NetImage *image) {
    const Sound s = {net, image, heap_alloc(heap, net->message_count),
                     heap_alloc(heap, net_graph_first_sink(net->graph))};
    return buffers_sound(&s) && staged_sound(&s) && ended_sound(&s) && points_sound(&s);
}
