/* Flits over wires in the plane engine. They are counted when a message has ended
 * (ends_inline.h): its flits entered and left the wires of each dimension at known
 * nodes. At a settling the messages inside are counted as well, by the channels that
 * their flits have left; what is counted twice that way is subtracted beforehand. */
#include <assert.h>
#include <string.h>

#include "net/plane/plane.h"

/* Adds flits that have left a channel over its wire to the statistics. */
static void add_flits(Net *net, uint32_t channel, int64_t flits) {
    const NetLabel *label = &net->graph->label[channel];
    const uint64_t more = (uint64_t)flits; /* may be negative for a while */
    assert(net->graph->wire[channel] != NET_NONE);
    net->wire_flits[2 * net->graph->wire[channel] + label->downward] += more;
    net->statistics.wire_flits[label->dimension] += more;
    if (label->on_bisection)
        net->statistics.bisection_flits[label->dimension] += more;
}

/* Adds the crossings of wires in a direction of a dimension. Flits in a line of wires
 * at a node are those of the node before, and those that entered here. */
static void settle_lines(Net *net, PlaneEngine *engine, unsigned dimension,
                         unsigned direction) {
    const uint32_t distance = engine->shift[dimension].nodes;
    const uint32_t first = direction ? engine->mesh.nodes[dimension] - 1u : 0;
    for (uint32_t i = 0; i < engine->nodes; i++) {
        const uint32_t node = direction ? engine->nodes - 1 - i : i;
        const uint32_t before = direction ? node + distance : node - distance;
        int64_t *const flits = &engine->crossings[node].entered[dimension][direction];
        if (net_mesh_coordinate(engine->place[node], dimension) != first)
            *flits += engine->crossings[before].entered[dimension][direction];
        if (*flits != 0)
            add_flits(net, net_mesh_channel(node, 0, dimension, direction), *flits);
    }
}

/* Subtracts flits over the wire of a channel, so that they do not count again when
 * their message has ended. */
static void subtract_flits(const Net *net, PlaneEngine *engine, uint32_t channel,
                           uint32_t flits) {
    const NetLabel *label = &net->graph->label[channel];
    const uint32_t distance = engine->shift[label->dimension].nodes;
    const uint32_t next =
        label->downward ? label->node - distance : label->node + distance;
    engine->crossings[label->node].entered[label->dimension][label->downward] -= flits;
    engine->crossings[next].entered[label->dimension][label->downward] += flits;
}

/* Subtracts the crossings of a message that has not ended, and adds them to the
 * statistics if `add`. Of the flits sent those have left a channel that are neither in
 * it nor dropped. */
static void pass_message(Net *net, PlaneEngine *engine, uint32_t number, bool add) {
    const NetGraph *graph = net->graph;
    const NetMessage *message = &net->messages[number];
    uint32_t at = net_graph_source(graph, message->source, message->priority);
    for (uint32_t flits = message->flits_sent; flits > 0;) {
        at = graph->next(graph, at, message->address);
        if (graph->label[at].kind == NET_POINT_SINK)
            return;
        flits -= graph->label[at].drops_header;
        flits -= plane_flits_in(net, engine, at, number);
        if (graph->wire[at] == NET_NONE)
            continue;
        subtract_flits(net, engine, at, flits);
        if (add)
            add_flits(net, at, flits);
    }
}

static void pass_messages(Net *net, PlaneEngine *engine, bool add) {
    for (uint32_t number = 0; number < net->message_count; number++) {
        const NetMessage *message = &net->messages[number];
        const bool ended =
            message->closed && message->words_delivered == message->words_offered;
        if (message->in_use && !ended)
            pass_message(net, engine, number, add);
    }
}

void plane_settle_wires(Net *net, PlaneEngine *engine) {
    for (unsigned d = 0; d < NET_DIMENSIONS; d++)
        for (unsigned direction = 0; direction < 2; direction++)
            settle_lines(net, engine, d, direction);
    memset(engine->crossings, 0, engine->nodes * sizeof *engine->crossings);
    pass_messages(net, engine, true);
}

void plane_note_inside(Net *net, PlaneEngine *engine) {
    pass_messages(net, engine, false);
}
