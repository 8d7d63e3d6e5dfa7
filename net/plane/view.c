/* Shows the state of the plane engine. Its flits have no numbers; their message follows
 * from the order: a channel's messages are in the order of its ids, tails separate
 * them, and the front message, once its head has left, is the newest of the next
 * channel. A flit's index is found by counting its message's flits from the source
 * on. */
#include <assert.h>

#include "net/plane/plane.h"

/* A channel, decomposed. */
typedef struct {
    Planes planes;
    const PlaneHeads *heads;
    size_t place; /* of its messages in the heads */
    uint32_t node;
    unsigned priority, dimension, kind;
} Channel;

static Channel channel_of(const Net *net, const PlaneEngine *engine, uint32_t number) {
    const NetLabel *label = &net->graph->label[number];
    const PlaneHeads *heads = &engine->heads[label->priority];
    return (Channel){
        .planes = plane_channel(engine, label),
        .heads = heads,
        .place = plane_place(heads, label),
        .node = label->node,
        .priority = label->priority,
        .dimension = label->dimension,
        .kind = label->kind,
    };
}

static uint32_t flits_in(const PlaneEngine *engine, const Channel *c) {
    uint32_t flits = 0;
    while (flits < engine->capacity && plane_has(valid(c->planes, flits), c->node))
        flits++;
    return flits;
}

/* Returns the channel that the marks of a next target lead to. */
static uint32_t target(const Net *net, const PlaneEngine *engine, const Channel *c,
                       const uint64_t *first, const uint64_t *second) {
    const NetGraph *graph = net->graph;
    if (c->kind == NET_CHANNEL_R && c->dimension + 1 == NET_DIMENSIONS)
        return net_graph_sink(graph, c->node, c->priority);
    if (c->kind == NET_CHANNEL_R)
        return net_mesh_channel(c->node, c->priority, c->dimension + 1,
                                plane_has(first, c->node)    ? NET_CHANNEL_P
                                : plane_has(second, c->node) ? NET_CHANNEL_N
                                                             : NET_CHANNEL_R);
    const uint32_t distance = engine->shift[c->dimension].nodes;
    const uint32_t node =
        c->kind == NET_CHANNEL_P ? c->node + distance : c->node - distance;
    return net_mesh_channel(node, c->priority, c->dimension,
                            plane_has(first, c->node) ? NET_CHANNEL_R : c->kind);
}

/* Whether the head of a channel's front message has left. */
static bool is_going(const Channel *c) {
    return plane_has(plane(c->planes, PLANE_GOING), c->node);
}

/* Returns where the front message of a channel goes, or went; NET_NONE if there is
 * none. */
static uint32_t next_of(const Net *net, const PlaneEngine *engine, const Channel *c) {
    const unsigned set = plane_set(c->dimension, c->kind);
    if (plane_has(valid(c->planes, 0), c->node))
        return target(net, engine, c, want(c->planes, 0, 0), want(c->planes, 0, 1));
    if (is_going(c))
        return target(net, engine, c, plane_newest(c->heads, set, 0),
                      plane_newest(c->heads, set, 1));
    return NET_NONE;
}

static uint32_t next_of_source(const PlaneEngine *engine, uint32_t node,
                               unsigned priority) {
    const Planes own = plane_ends(engine, priority);
    if (!plane_has(plane(own, PLANE_SOURCE_VALID), node) &&
        !plane_has(plane(own, PLANE_SOURCE_GOING), node))
        return NET_NONE;
    return net_mesh_channel(
        node, priority, 0,
        plane_has(plane(own, PLANE_SOURCE_WANT), node)       ? NET_CHANNEL_P
        : plane_has(plane(own, PLANE_SOURCE_WANT + 1), node) ? NET_CHANNEL_N
                                                             : NET_CHANNEL_R);
}

/* Returns the `ahead`-th message whose head is in the channel; -1: the newest ever. */
static uint32_t id_at(const PlaneEngine *engine, const Channel *c, int ahead) {
    const PlaneHeads *heads = c->heads;
    if (!engine->deep)
        return plane_message(heads->id[c->place]);
    const unsigned number = ahead < 0 ? heads->put[c->place] - 1u
                                      : heads->taken[c->place] + (unsigned)ahead;
    return plane_message(heads->id[c->place * PLANE_IDS + number % PLANE_IDS]);
}

/* Returns the message that holds `point`, a channel or sink that is held. */
static uint32_t holder(const Net *net, const PlaneEngine *engine, uint32_t point) {
    const NetLabel *label = &net->graph->label[point];
    if (label->kind == NET_POINT_SINK)
        return engine->coming[label->priority][label->node].message;
    const Channel c = channel_of(net, engine, point);
    return id_at(engine, &c, -1);
}

/* Returns the message of the k-th flit of a channel. */
static uint32_t message_of(const Net *net, const PlaneEngine *engine, const Channel *c,
                           uint32_t k) {
    int place = 0; /* messages before it */
    for (uint32_t slot = 0; slot < k; slot++)
        place += plane_has(tail(c->planes, slot), c->node);
    if (!is_going(c))
        return id_at(engine, c, place);
    if (place == 0)
        return holder(net, engine, next_of(net, engine, c));
    return id_at(engine, c, place - 1);
}

/* Returns a message's flits in a channel, from place `k` on. */
static uint32_t flits_from(const Net *net, const PlaneEngine *engine, const Channel *c,
                           uint32_t k, uint32_t message) {
    uint32_t flits = 0;
    for (const uint32_t count = flits_in(engine, c); k < count; k++)
        flits += message_of(net, engine, c, k) == message;
    return flits;
}

uint32_t plane_flits_in(const Net *net, const PlaneEngine *engine, uint32_t channel,
                        uint32_t message) {
    const Channel c = channel_of(net, engine, channel);
    return flits_from(net, engine, &c, 0, message);
}

/* Returns the number of a message's flits that have left its source. */
static uint32_t flits_sent(const Net *net, const PlaneEngine *engine, uint32_t number) {
    const NetMessage *message = &net->messages[number];
    const uint32_t end = message->source * NET_PRIORITIES + message->priority;
    if (net->buffers[end].first != number) /* all; the case of none does not arise */
        return net->params.header_flits + NET_FLITS_PER_WORD * message->words_offered;
    return plane_source_sent(engine, end);
}

NetFlit plane_flit(const Net *net, const void *state, uint32_t channel, uint32_t k) {
    const PlaneEngine *engine = state;
    const Channel c = channel_of(net, engine, channel);
    assert(k < flits_in(engine, &c));
    const uint32_t number = message_of(net, engine, &c, k);
    const NetMessage *message = &net->messages[number];
    uint32_t behind = flits_from(net, engine, &c, k + 1, number);
    uint32_t at = net_graph_source(net->graph, message->source, message->priority);
    for (at = net->graph->next(net->graph, at, message->address); at != channel;
         at = net->graph->next(net->graph, at, message->address))
        behind += plane_flits_in(net, engine, at, number);
    return (NetFlit){
        .message = number,
        .index = (flits_sent(net, engine, number) - 1 - behind) & INT32_MAX,
        .tail = plane_has(tail(c.planes, k), c.node),
    };
}

/* Whether the message at the front of `feeder` holds `point`. */
static bool holds(const Net *net, const PlaneEngine *engine, uint32_t feeder,
                  uint32_t point) {
    const NetLabel *label = &net->graph->label[feeder];
    if (label->kind == NET_POINT_SOURCE)
        return plane_has(plane(plane_ends(engine, label->priority), PLANE_SOURCE_GOING),
                         label->node) &&
               next_of_source(engine, label->node, label->priority) == point;
    const Channel c = channel_of(net, engine, feeder);
    return is_going(&c) && next_of(net, engine, &c) == point;
}

/* Returns the point that the owner of `point` comes from. */
static uint32_t from_of(const Net *net, const PlaneEngine *engine, uint32_t point) {
    const NetGraph *graph = net->graph;
    for (uint32_t i = graph->feeder_start[point]; i < graph->feeder_start[point + 1];
         i++)
        if (holds(net, engine, graph->feeders[i], point))
            return graph->feeders[i];
    return NET_NONE;
}

/* Returns the feeder of a channel whose turn is next. The planes count P-side, N-side,
 * this node, whether or not these exist; without fair routers only the sides. */
static uint32_t turn_of(const Net *net, const PlaneEngine *engine, uint32_t point,
                        const Channel *c) {
    const NetGraph *graph = net->graph;
    const unsigned turn = plane_has(plane(c->planes, PLANE_TURN), c->node) +
                          2u * plane_has(plane(c->planes, PLANE_TURN + 1), c->node);
    const unsigned sides = engine->fair ? 3 : 2;
    uint32_t side[3] = {NET_NONE, NET_NONE, NET_NONE};
    for (uint32_t i = graph->feeder_start[point]; i < graph->feeder_start[point + 1];
         i++) {
        const uint32_t feeder = graph->feeders[i];
        const bool wired = graph->wire[feeder] != NET_NONE;
        side[wired ? graph->label[feeder].kind : 2] = feeder;
    }
    for (unsigned i = 0; i < sides; i++)
        if (side[(turn + i) % sides] != NET_NONE)
            return side[(turn + i) % sides];
    return NET_NONE;
}

static NetPoint empty_point(void) {
    return (NetPoint){
        .owner = NET_NONE, .from = NET_NONE, .next = NET_NONE, .turn = NET_NONE};
}

static NetPoint source_point(const PlaneEngine *engine, uint32_t node,
                             unsigned priority) {
    const Planes own = plane_ends(engine, priority);
    NetPoint seen = empty_point();
    seen.flits = plane_has(plane(own, PLANE_SOURCE_VALID), node);
    seen.next = next_of_source(engine, node, priority);
    seen.next_taken = plane_has(plane(own, PLANE_SOURCE_GOING), node);
    return seen;
}

static NetPoint sink_point(const Net *net, const PlaneEngine *engine, uint32_t node,
                           unsigned priority) {
    const uint32_t r =
        net_mesh_channel(node, priority, NET_DIMENSIONS - 1, NET_CHANNEL_R);
    const Channel c = channel_of(net, engine, r);
    NetPoint seen = empty_point();
    seen.closed = !plane_has(plane(plane_ends(engine, priority), PLANE_SINK), node);
    if (is_going(&c)) {
        seen.owner = engine->coming[priority][node].message;
        seen.from = r;
    }
    if (engine->fair)
        seen.turn = r;
    return seen;
}

static NetPoint channel_point(const Net *net, const PlaneEngine *engine,
                              uint32_t number) {
    const Channel c = channel_of(net, engine, number);
    NetPoint seen = empty_point();
    seen.flits = flits_in(engine, &c);
    seen.next = next_of(net, engine, &c);
    seen.next_taken = is_going(&c);
    if (plane_has(plane(c.planes, PLANE_OWNED), c.node)) {
        seen.owner = id_at(engine, &c, -1);
        seen.from = from_of(net, engine, number);
    }
    if (engine->fair || engine->wired_turns)
        seen.turn = turn_of(net, engine, number, &c);
    if (seen.flits > 0) {
        seen.front = plane_flit(net, engine, number, 0);
        seen.back = plane_flit(net, engine, number, seen.flits - 1);
    }
    return seen;
}

NetPoint plane_point(const Net *net, const void *engine, uint32_t point) {
    const NetLabel *label = &net->graph->label[point];
    if (label->kind == NET_POINT_SOURCE)
        return source_point(engine, label->node, label->priority);
    if (label->kind == NET_POINT_SINK)
        return sink_point(net, engine, label->node, label->priority);
    return channel_point(net, engine, point);
}

bool plane_wire_down(const Net *net, const void *state, uint32_t channel) {
    const PlaneEngine *engine = state;
    const NetLabel *label = &net->graph->label[channel];
    return plane_has(plane(plane_from(engine, PLANE_WIRES), label->dimension),
                     label->node);
}

void plane_wire_changed(Net *net, void *state, uint32_t channel, bool blocked) {
    PlaneEngine *engine = state;
    const NetLabel *label = &net->graph->label[channel];
    const uint32_t distance = engine->shift[label->dimension].nodes;
    const bool up = label->kind == NET_CHANNEL_P;
    plane_put(plane(plane_from(engine, PLANE_SHUT), 2u * label->dimension + !up),
              up ? label->node + distance : label->node - distance, blocked);
    engine->blocked = net->blocked_links > 0;
}

void plane_gate_changed(Net *net, void *state, uint32_t sink, bool open) {
    PlaneEngine *engine = state;
    const NetLabel *label = &net->graph->label[sink];
    plane_put(plane(plane_ends(engine, label->priority), PLANE_SINK), label->node,
              open);
}
