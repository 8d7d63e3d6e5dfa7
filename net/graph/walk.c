/* Walks of messages. A *place* is a channel together with the address of a message in
 * it. Channels that `next` gives for some place are escape channels; a message in one
 * of them is taken to want every channel that some message there may want, so for those
 * the address is dropped; for all others it is kept. No vertex may be reachable from
 * the channels it may want next.
 *
 * Where messages have no choice all channels are escape channels. The places of a
 * destination are then forgotten, and the search goes backward along the feeders that
 * were used. */
#include "net/graph/walk.h"

#include <stdio.h>
#include <string.h>

enum { UNSEEN, SEEN, OPEN, DONE };

/* State of a search: a vertex, and its remaining wants. */
typedef struct {
    /* Address: of its places, NET_NONE for an escape channel. */
    uint32_t channel, address;
    uint32_t at, choice; /* the next address, or feeder, and choice to examine */
} Stop;

typedef struct {
    const NetGraph *graph;
    Heap *heap;
    uint32_t *addresses; /* all addresses seen */
    uint32_t count;
    size_t capacity, seen_capacity;
    uint8_t **seen;   /* by address, channel: SEEN if a message may be there */
    uint8_t *way_out; /* by channel: SEEN if it is an escape channel */
    bool *used;       /* by place in graph->feeders: some message goes this way */
    bool all;         /* every channel counts as one */
    Stop *stops;
    uint32_t depth;
    size_t deepest;
    uint32_t *todo; /* channels to walk on from */
    JmError *error;
} Walk;

/* ---- all places ------------------------------------------------------------------ */

/* The number of an address, among those from `first` on; a new one if necessary. */
static uint32_t address_number(Walk *walk, uint32_t first, uint32_t address) {
    for (uint32_t i = first; i < walk->count; i++)
        if (walk->addresses[i] == address)
            return i;
    walk->addresses = heap_grow(walk->heap, walk->addresses, walk->count,
                                &walk->capacity, sizeof *walk->addresses);
    walk->seen = heap_grow(walk->heap, walk->seen, walk->count, &walk->seen_capacity,
                           sizeof *walk->seen);
    walk->seen[walk->count] = heap_alloc(walk->heap, walk->graph->channels);
    walk->addresses[walk->count] = address;
    return walk->count++;
}

/* Records the move of a head between two points. */
static bool move(Walk *walk, uint32_t from, uint32_t to, uint32_t number, uint32_t end,
                 uint32_t *count) {
    const NetGraph *graph = walk->graph;
    const uint32_t edge =
        to < net_graph_points(graph) ? net_graph_edge(graph, from, to) : NET_NONE;
    if (edge == NET_NONE)
        return jm_fail(walk->error, NULL,
                       "a route goes from point %u to %u, which it does not feed", from,
                       to);
    walk->used[edge] = true;
    /* With virtual channels it may end above its priority. */
    if (to >= net_graph_first_sink(graph))
        return to == end ||
               (graph->copies > 1 && graph->label[to].node == graph->label[end].node) ||
               jm_fail(walk->error, NULL, "a route to point %u ends at %u", end, to);
    if (graph->label[to].priority != graph->label[from].priority)
        return jm_fail(walk->error, NULL,
                       "a route changes its priority from point %u to %u", from, to);
    if (walk->seen[number][to])
        return true;
    if (walk->all)
        walk->way_out[to] = SEEN;
    walk->seen[number][to] = SEEN;
    walk->todo[(*count)++] = to;
    return true;
}

/* Finds the moves of a head at `from`, to any channel of a group; new channels go to
 * `todo`. */
static bool look_ahead(Walk *walk, uint32_t from, uint32_t number, uint32_t end,
                       uint32_t *count) {
    const NetGraph *graph = walk->graph;
    uint32_t choice[NET_MAX_CHOICES];
    const uint32_t address = walk->addresses[number];
    const unsigned choices = net_graph_choices(graph, from, address, choice);
    const uint32_t out = graph->next(graph, from, address);
    for (uint32_t to = out; to <= net_graph_last_choice(graph, out); to++)
        if (to < graph->channels)
            walk->way_out[to] = SEEN;
    for (unsigned i = 0; i < choices; i++)
        for (uint32_t to = choice[i]; to <= net_graph_last_choice(graph, choice[i]);
             to++)
            if (!move(walk, from, to, number, end, count))
                return false;
    return true;
}

static bool walk_from(Walk *walk, uint32_t source, uint32_t number, uint32_t end) {
    uint32_t count = 0;
    bool good = look_ahead(walk, source, number, end, &count);
    while (good && count > 0) {
        const uint32_t channel = walk->todo[--count];
        good = look_ahead(walk, channel, number, end, &count);
    }
    return good;
}

static bool is_fed(const NetGraph *graph, uint32_t point) {
    return graph->feeder_start[point] < graph->feeder_start[point + 1];
}

static void forget(Walk *walk) {
    for (uint32_t i = 0; i < walk->count; i++)
        heap_free(walk->seen[i]);
    walk->count = 0;
}

/* Walks to a terminal from all sources of a priority. */
static bool walk_to(Walk *walk, uint32_t node, unsigned priority) {
    const NetGraph *graph = walk->graph;
    if (!graph->choices)
        forget(walk);
    const uint32_t first = walk->count, end = net_graph_sink(graph, node, priority);
    const uint32_t draws = graph->address_from ? graph->draws : 1;
    for (uint32_t source = 0; source < graph->nodes; source++)
        for (uint32_t draw = 0; draw < draws; draw++) {
            const uint32_t address = net_graph_address(graph, source, node, draw);
            if (graph->terminal && graph->terminal(graph, source, address) != source)
                continue;
            const uint32_t number = address_number(walk, first, address);
            if (!walk_from(walk, net_graph_source(graph, source, priority), number,
                           end))
                return false;
        }
    return true;
}

/* ---- cycles ---------------------------------------------------------------------- */

static uint8_t *mark_of(const Walk *walk, uint32_t channel, uint32_t number) {
    return number == NET_NONE ? &walk->way_out[channel] : &walk->seen[number][channel];
}

void net_graph_channel_name(const NetGraph *graph, uint32_t channel, char *text,
                            size_t size) {
    const NetLabel *label = &graph->label[channel];
    char node[32];
    graph->node_name(graph, label->node, node, sizeof node);
    snprintf(text, size, "%s %c%c", node, "+-R"[label->kind], "XYZ"[label->dimension]);
    const size_t end = strlen(text);
    if (graph->lane)
        snprintf(text + end, size - end, " lane %u", graph->lane[channel]);
}

static void add_name(const NetGraph *graph, uint32_t channel, char *text, size_t size) {
    const size_t length = strlen(text);
    char name[64];
    net_graph_channel_name(graph, channel, name, sizeof name);
    snprintf(text + length, size - length, "%s%s", length ? " -> " : "", name);
}

/* The cycle is the stack from `start` on; the search may have gone backward. */
static bool report_circle(const Walk *walk, uint32_t start) {
    enum { MOST_NAMES = 12 };
    char text[600] = "";
    const uint32_t length = walk->depth - start;
    for (uint32_t i = 0; i < length && i < MOST_NAMES; i++) {
        const uint32_t place = walk->graph->choices ? i : (length - i) % length;
        add_name(walk->graph, walk->stops[start + place].channel, text, sizeof text);
    }
    if (length <= MOST_NAMES)
        add_name(walk->graph, walk->stops[start].channel, text, sizeof text);
    return jm_fail(walk->error, NULL,
                   "messages could wait for each other in a circle of %u channels: "
                   "%s%s",
                   length, text, length > MOST_NAMES ? " -> ..." : "");
}

static void enter(Walk *walk, uint32_t channel, uint32_t number) {
    walk->stops = heap_grow(walk->heap, walk->stops, walk->depth, &walk->deepest,
                            sizeof *walk->stops);
    *mark_of(walk, channel, number) = OPEN;
    const uint32_t feeder = walk->graph->feeder_start[channel];
    walk->stops[walk->depth++] = (Stop){channel, number,
                                        !walk->graph->choices ? feeder
                                        : number == NET_NONE  ? 0
                                                              : number,
                                        0};
}

/* The next channel with a message that may want the one of the stop; NET_NONE: none
 * left. */
static uint32_t next_feeder(const Walk *walk, Stop *stop) {
    const NetGraph *graph = walk->graph;
    while (stop->at < graph->feeder_start[stop->channel + 1]) {
        const uint32_t i = stop->at++;
        if (walk->used[i] && graph->feeders[i] < graph->channels)
            return graph->feeders[i];
    }
    return NET_NONE;
}

/* The next channel that a message at the stop may want; NET_NONE: none left. */
static uint32_t next_want(const Walk *walk, Stop *stop, uint32_t *number) {
    const NetGraph *graph = walk->graph;
    if (!graph->choices) {
        *number = NET_NONE;
        return next_feeder(walk, stop);
    }
    const uint32_t end = stop->address == NET_NONE ? walk->count : stop->address + 1;
    for (; stop->at < end; stop->at++, stop->choice = 0) {
        uint32_t choice[NET_MAX_CHOICES];
        if (!walk->seen[stop->at][stop->channel])
            continue;
        const unsigned choices =
            net_graph_choices(graph, stop->channel, walk->addresses[stop->at], choice);
        while (stop->choice < choices) {
            const uint32_t to = choice[stop->choice++];
            if (to >= graph->channels)
                continue;
            *number = walk->way_out[to] ? NET_NONE : stop->at;
            return to;
        }
    }
    return NET_NONE;
}

static bool search_from(Walk *walk, uint32_t channel) {
    walk->depth = 0;
    enter(walk, channel, NET_NONE);
    while (walk->depth > 0) {
        Stop *stop = &walk->stops[walk->depth - 1];
        uint32_t number = 0;
        const uint32_t to = next_want(walk, stop, &number);
        if (to == NET_NONE) {
            *mark_of(walk, stop->channel, stop->address) = DONE;
            walk->depth--;
            continue;
        }
        const uint8_t mark = *mark_of(walk, to, number);
        if (mark == SEEN)
            enter(walk, to, number);
        for (uint32_t i = 0; mark == OPEN && i < walk->depth; i++)
            if (walk->stops[i].channel == to && walk->stops[i].address == number)
                return report_circle(walk, i);
    }
    return true;
}

/* Searches from every escape channel; other places are reached from there or do not
 * lead into a cycle. */
static bool has_no_circle(Walk *walk) {
    for (uint32_t channel = 0; channel < walk->graph->channels; channel++)
        if (walk->way_out[channel] == SEEN && !search_from(walk, channel))
            return false;
    return true;
}

static bool has_sound_walks(Walk *walk) {
    const NetGraph *graph = walk->graph;
    for (uint32_t node = 0; node < graph->nodes; node++)
        if (net_graph_is_address(graph, node) &&
            !(walk_to(walk, node, 0) &&
              (!is_fed(graph, net_graph_sink(graph, node, 1)) ||
               walk_to(walk, node, 1))))
            return false;
    return has_no_circle(walk);
}

static bool do_walk(Heap *heap, void *context) {
    Walk *walk = context;
    const NetGraph *graph = walk->graph;
    walk->heap = heap;
    walk->way_out = heap_alloc(heap, graph->channels);
    walk->used = heap_alloc(heap, graph->feeder_start[graph->points_built]);
    walk->todo = heap_alloc(heap, graph->channels * sizeof *walk->todo);
    return has_sound_walks(walk);
}

static bool check(const NetGraph *graph, bool all, JmError *error) {
    Walk walk = {.graph = graph, .all = all, .error = error};
    return heap_do(do_walk, &walk, error, NULL, "a walk of routes");
}

bool net_graph_check_walks(const NetGraph *graph, JmError *error) {
    return check(graph, false, error);
}

bool net_graph_check_all_walks(const NetGraph *graph, JmError *error) {
    return check(graph, true, error);
}
