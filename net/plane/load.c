/* Loads the flits of another engine into the plane engine from an image. */
#include <string.h>

#include "net/plane/plane.h"

/* Sets the marks of where a message in a channel goes next. */
static void set_want(const Net *net, uint32_t channel, uint64_t *first,
                     uint64_t *second, uint32_t message) {
    const NetLabel *label = &net->graph->label[channel];
    const uint32_t next =
        net->graph->next(net->graph, channel, net->messages[message].address);
    const unsigned kind = net->graph->label[next].kind;
    if (label->kind != NET_CHANNEL_R) {
        plane_put(first, label->node, kind == NET_CHANNEL_R);
    } else if (label->dimension + 1 < NET_DIMENSIONS) {
        plane_put(first, label->node, kind == NET_CHANNEL_P);
        plane_put(second, label->node, kind == NET_CHANNEL_N);
    }
}

/* Adds a message whose head is, or last was, in a channel. */
static void add_id(const Net *net, PlaneEngine *engine, const NetLabel *label,
                   uint32_t message) {
    PlaneHeads *heads = &engine->heads[label->priority];
    const size_t place = plane_place(heads, label);
    const uint32_t way =
        plane_way(engine->place[label->node], net->messages[message].address);
    const unsigned dimension =
        label->dimension + (label->kind == NET_CHANNEL_R ? 1u : 0u);
    const uint32_t id = plane_id(message, plane_turn(engine, way, dimension));
    plane_set_way(net, engine, message);
    if (engine->deep)
        heads->id[place * PLANE_IDS + heads->put[place]++ % PLANE_IDS] = id;
    else
        heads->id[place] = id;
}

/* Adds the messages of a channel in order; the head of the first may have left. */
static void load_ids(const Net *net, PlaneEngine *engine, const NetLabel *label,
                     const NetPoint *point, const NetFlit *flits) {
    uint32_t last = NET_NONE;
    for (uint32_t k = 0; k < point->flits; k++) {
        if (flits[k].message != last)
            add_id(net, engine, label, flits[k].message);
        last = flits[k].message;
    }
    if (point->owner != NET_NONE && point->owner != last)
        add_id(net, engine, label, point->owner);
    const PlaneHeads *heads = &engine->heads[label->priority];
    if (engine->deep && point->next_taken)
        heads->taken[plane_place(heads, label)]++;
}

static void load_turn(const Net *net, Planes c, uint32_t node, uint32_t feeder) {
    if (feeder == NET_NONE)
        return;
    const bool wired = net->graph->wire[feeder] != NET_NONE;
    const unsigned kind = net->graph->label[feeder].kind;
    plane_put(plane(c, PLANE_TURN), node, wired && kind == NET_CHANNEL_N);
    plane_put(plane(c, PLANE_TURN + 1), node, !wired);
}

/* Loads a channel into newly created planes: all 0, except that wires last went
 * down. */
static void load_channel(const Net *net, PlaneEngine *engine, const NetImage *image,
                         uint32_t channel) {
    const NetLabel *label = &net->graph->label[channel];
    const NetPoint *point = &image->points[channel];
    const bool turns = engine->fair || engine->wired_turns;
    if (label->kind == NET_CHANNEL_P && net->graph->wire[channel] != NET_NONE &&
        net->params.shared_wires && !image->down[net->graph->wire[channel]])
        plane_put(plane(plane_from(engine, PLANE_WIRES), label->dimension), label->node,
                  false);
    if (point->flits == 0 && point->owner == NET_NONE && !point->next_taken && !turns)
        return;
    const NetFlit *flits = &image->flits[(size_t)channel * image->capacity];
    const Planes c = plane_channel(engine, label);
    const PlaneHeads *heads = &engine->heads[label->priority];
    const unsigned set = plane_set(label->dimension, label->kind);
    const uint32_t newest = point->owner != NET_NONE ? point->owner
                            : point->flits > 0       ? flits[point->flits - 1].message
                                                     : NET_NONE;
    for (uint32_t k = 0; k < point->flits; k++) {
        plane_put(valid(c, k), label->node, true);
        plane_put(tail(c, k), label->node, flits[k].tail);
        set_want(net, channel, want(c, k, 0), want(c, k, 1), flits[k].message);
    }
    if (newest != NET_NONE)
        set_want(net, channel, plane_newest(heads, set, 0), plane_newest(heads, set, 1),
                 newest);
    plane_put(plane(c, PLANE_OWNED), label->node, point->owner != NET_NONE);
    plane_put(plane(c, PLANE_GOING), label->node, point->next_taken);
    load_ids(net, engine, label, point, flits);
    if (turns)
        load_turn(net, c, label->node, point->turn);
}

static void load_source(Net *net, PlaneEngine *engine, const NetImage *image,
                        uint32_t source) {
    const NetLabel *label = &net->graph->label[source];
    const Planes own = plane_ends(engine, label->priority);
    const uint32_t end = (uint32_t)label->node * NET_PRIORITIES + label->priority;
    const uint32_t number = net->buffers[end].first;
    if (number == NET_NONE)
        return;
    engine->loaded[end] = net->messages[number].flits_sent;
    if (engine->loaded[end])
        engine->waits[end] = PLANE_WAITS_FOR_WORDS;
    plane_put(plane(own, PLANE_SOURCE_GOING), label->node,
              image->points[source].next_taken);
    plane_source_begin(net, engine, label->priority, label->node, number);
    plane_source_refill(net, engine, label->priority, label->node);
}

/* Counts the flits of each message in channels. */
static uint32_t *count_flits(Heap *heap, const Net *net, const NetImage *image) {
    uint32_t *inside = heap_alloc(heap, net->message_count * sizeof *inside);
    for (uint32_t channel = 0; channel < net->graph->channels; channel++)
        for (uint32_t k = 0; k < image->points[channel].flits; k++)
            inside[image->flits[(size_t)channel * image->capacity + k].message]++;
    return inside;
}

/* The ejected flits are those sent less those still inside. */
static void load_sink(const Net *net, PlaneEngine *engine, const NetImage *image,
                      uint32_t sink, const uint32_t *inside) {
    const NetLabel *label = &net->graph->label[sink];
    const NetPoint *point = &image->points[sink];
    const Planes own = plane_ends(engine, label->priority);
    plane_put(plane(own, PLANE_SINK), label->node, !point->closed);
    if (point->owner == NET_NONE)
        return;
    const uint32_t out = net->messages[point->owner].flits_sent - inside[point->owner];
    engine->coming[label->priority][label->node] =
        (PlaneComing){point->owner, net->messages[point->owner].words_delivered};
    plane_put(plane(own, PLANE_SINK_SECOND), label->node, out == 1);
    plane_put(plane(own, PLANE_SINK_HALF), label->node,
              out > engine->header_flits && (out - engine->header_flits) % 2);
}

void plane_load(Heap *heap, Net *net, void *state, const NetImage *image) {
    PlaneEngine *engine = state;
    const NetGraph *graph = net->graph;
    uint32_t *inside = count_flits(heap, net, image);
    for (uint32_t point = 0; point < net_graph_points(graph); point++) {
        if (graph->label[point].kind == NET_POINT_SINK)
            load_sink(net, engine, image, point, inside);
        else if (graph->label[point].kind == NET_POINT_SOURCE)
            load_source(net, engine, image, point);
        else
            load_channel(net, engine, image, point);
    }
    heap_free(inside);
    plane_note_inside(net, engine);
    memset(engine->crowded, UINT8_MAX, sizeof engine->crowded);
}
