/* Finds messages that wait for each other in a circle. A message waits if its head
 * stands in front of channels that others hold, or of one that it holds and another
 * message fills, or in a channel behind another message. It moves on sooner or later if
 * one of those it waits for does. Messages found to move on are no longer `stuck`;
 * those still stuck when no more are found wait forever. */
#include "net/circle.h"

#include <stdio.h>
#include <string.h>

#include "net/graph/walk.h"
#include "net/messages/state.h"

enum { NAME_SIZE = 48, ROW_SIZE = 600 };

typedef struct {
    uint32_t head; /* the point where its head waits; NET_NONE: it does not */
    uint32_t
        ahead;  /* the channel whose first message it waits for; NET_NONE: several */
    bool stuck; /* not yet found to move on */
} Waiting;

typedef struct {
    const Net *net;
    uint32_t *count;
    NetRowWriter *writer;
    void *context;
    Waiting *waiting; /* by message */
} Search;

static NetPoint point_of(const Net *net, uint32_t point) {
    return net->engine->point(net, net->engine_state, point);
}

static uint32_t front_of(const Net *net, uint32_t point, const NetPoint *state) {
    return point < net->graph->channels ? state->front.message
                                        : net_buffer(net, point)->first;
}

/* Whether the head in front of a point has taken a channel that is full. */
static bool is_shut_out(const Net *net, uint32_t s, const NetPoint *point) {
    if (!point->next_taken || point->next >= net->graph->channels)
        return false;
    const NetPoint next = point_of(net, point->next);
    return next.flits == net_graph_places(net->graph, &net->params, point->next) &&
           next.front.message != front_of(net, s, point);
}

/* Notes the heads at a point: one in front, and those behind it in a channel. */
static void note_heads(Search *search, uint32_t s) {
    const Net *net = search->net;
    const NetPoint point = point_of(net, s);
    if (point.flits > 0 && !point.next_taken)
        search->waiting[front_of(net, s, &point)] = (Waiting){s, NET_NONE, true};
    if (point.flits > 0 && is_shut_out(net, s, &point))
        search->waiting[front_of(net, s, &point)] = (Waiting){s, point.next, true};
    for (uint32_t k = 1; s < net->graph->channels && k < point.flits; k++) {
        const NetFlit flit = net->engine->flit(net, net->engine_state, s, k);
        if (flit.index == 0)
            search->waiting[flit.message] = (Waiting){s, s, true};
    }
}

/* The message that keeps a head out of a channel; NET_NONE: the channel is free. */
static uint32_t holder_of(const Net *net, uint32_t channel) {
    const NetPoint point = point_of(net, channel);
    return point.owner == NET_NONE && net->params.atomic && point.flits > 0
               ? point.front.message
               : point.owner;
}

/* Lists the messages that a message waits for. Returns their number; 0: it can go on
 * now. */
static unsigned waits_for(const Search *search, uint32_t message,
                          uint32_t others[NET_MAX_CHOICES]) {
    const Net *net = search->net;
    const Waiting *waiting = &search->waiting[message];
    uint32_t choice[NET_MAX_CHOICES];
    if (waiting->ahead != NET_NONE) {
        others[0] = point_of(net, waiting->ahead).front.message;
        return 1;
    }
    const unsigned count = net_graph_choices(net->graph, waiting->head,
                                             net->messages[message].address, choice);
    for (unsigned i = 0; i < count; i++) {
        others[i] = holder_of(net, choice[i]);
        if (others[i] == NET_NONE)
            return 0;
    }
    return count;
}

/* Whether a message marked as stuck can go on now, or waits for one that is not
 * stuck. */
static bool comes_free(const Search *search, uint32_t message) {
    uint32_t others[NET_MAX_CHOICES];
    const unsigned count = waits_for(search, message, others);
    for (unsigned i = 0; i < count; i++)
        if (!search->waiting[others[i]].stuck)
            return true;
    return count == 0;
}

/* Clears `stuck` of messages that come free, until no more do. */
static void free_messages(Search *search) {
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < search->net->message_count; i++)
            if (search->waiting[i].stuck && comes_free(search, i)) {
                search->waiting[i].stuck = false;
                again = true;
            }
    }
}

/* Returns the first message that a stuck one waits for. All that it waits for are stuck
 * too, so any will do. */
static uint32_t next_of(const Search *search, uint32_t message) {
    uint32_t others[NET_MAX_CHOICES];
    waits_for(search, message, others);
    return others[0];
}

/* Returns a message of a circle: after as many steps as there are messages, every walk
 * is in one. */
static uint32_t one_of_circle(const Search *search, uint32_t message) {
    for (uint32_t i = 0; i < search->net->message_count; i++)
        message = next_of(search, message);
    return message;
}

/* ---- rows ------------------------------------------------------------------------ */

static int add_message(const Net *net, uint32_t message, char *text, size_t size) {
    char source[NAME_SIZE], destination[NAME_SIZE];
    const NetGraph *graph = net->graph;
    graph->node_name(graph, net->messages[message].source, source, sizeof source);
    graph->node_name(graph, net->messages[message].destination, destination,
                     sizeof destination);
    return snprintf(text, size, "message %u (%s -> %s)", message, source, destination);
}

static bool holds(const Net *net, uint32_t channel, uint32_t message) {
    const NetPoint point = point_of(net, channel);
    if (point.owner == message)
        return true;
    for (uint32_t k = 0; k < point.flits; k++)
        if (net->engine->flit(net, net->engine_state, channel, k).message == message)
            return true;
    return false;
}

/* Adds the channels that a message holds or has flits in, in the order of numbers. */
static void add_held(const Net *net, uint32_t message, char *row) {
    enum { MOST_NAMES = 6 };
    unsigned names = 0;
    char name[NAME_SIZE];
    for (uint32_t c = 0; c < net->graph->channels; c++) {
        if (!holds(net, c, message) || names++ >= MOST_NAMES)
            continue;
        const size_t used = strlen(row);
        net_graph_channel_name(net->graph, c, name, sizeof name);
        snprintf(row + used, ROW_SIZE - used, "%s %s", names > 1 ? "," : " holds",
                 name);
    }
    const size_t used = strlen(row);
    if (names > MOST_NAMES)
        snprintf(row + used, ROW_SIZE - used, " and %u more", names - MOST_NAMES);
    else if (names == 0)
        snprintf(row + used, ROW_SIZE - used, " has not left yet");
}

static void write_row(const Search *search, uint32_t message) {
    const Net *net = search->net;
    const Waiting *waiting = &search->waiting[message];
    char row[ROW_SIZE], name[NAME_SIZE];
    uint32_t choice[NET_MAX_CHOICES] = {waiting->ahead};
    add_message(net, message, row, sizeof row);
    add_held(net, message, row);
    if (waiting->ahead == NET_NONE)
        net_graph_choices(net->graph, waiting->head, net->messages[message].address,
                          choice);
    net_graph_channel_name(net->graph, choice[0], name, sizeof name);
    const size_t used = strlen(row);
    snprintf(row + used, sizeof row - used, "; waits %s %s, held by message %u",
             waiting->ahead == waiting->head ? "in" : "for", name,
             next_of(search, message));
    search->writer(search->context, row);
}

/* Walks once round the circle from one of its messages: counts them, and writes their
 * rows. */
static void tell(const Search *search, uint32_t first) {
    uint32_t message = first;
    do {
        if (search->writer)
            write_row(search, message);
        message = next_of(search, message);
        ++*search->count;
    } while (message != first);
}

static void find(Heap *heap, void *context) {
    Search *search = context;
    const Net *net = search->net;
    search->waiting = heap_alloc(heap, net->message_count * sizeof *search->waiting);
    for (uint32_t i = 0; i < net->message_count; i++)
        search->waiting[i].head = NET_NONE;
    for (uint32_t s = 0; s < net_graph_first_sink(net->graph); s++)
        note_heads(search, s);
    free_messages(search);
    uint32_t stuck = 0;
    while (stuck < net->message_count && !search->waiting[stuck].stuck)
        stuck++;
    if (stuck < net->message_count)
        tell(search, one_of_circle(search, stuck));
}

bool net_find_circle(const Net *net, uint32_t *count, NetRowWriter *writer,
                     void *context) {
    *count = 0;
    return heap_run(find, &(Search){net, count, writer, context, NULL});
}
