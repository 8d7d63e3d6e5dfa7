/* Mirrors of the torus. One of them reverses a dimension: digits are counted from the
 * other side, so that directions are swapped, and with them the classes of lanes, since
 * a message that was below its destination is now above. */
#include "net/topology/torus_shape.h"

static uint32_t mirrored_processor(const Torus *torus, unsigned dimension,
                                   uint32_t processor) {
    const unsigned last = torus->spec.side[dimension] - 1;
    return with_digit(torus, processor, dimension,
                      last - digit_of(torus, processor, dimension));
}

/* The index of a channel among those that leave a processor, direction * lanes +
 * lane. */
static uint32_t mirrored_index(const Torus *torus, unsigned dimension, uint32_t index) {
    uint32_t direction = index / torus->spec.lanes, lane = index % torus->spec.lanes;
    if (direction / 2 == dimension) {
        direction ^= 1u;
        lane = torus->classes == 2 ? lane ^ 1u : lane;
    }
    return direction * torus->spec.lanes + lane;
}

static uint32_t mirrored_channel(const NetGraph *graph, unsigned dimension,
                                 uint32_t channel) {
    const Torus *torus = graph->shape;
    const uint32_t processor = graph->processor[graph->label[channel].node];
    const uint32_t image = mirrored_processor(torus, dimension, processor);
    if (channel >= torus->wired)
        return last_channel(torus, image, 0);
    const uint32_t index =
        channel_direction(graph, channel) * torus->spec.lanes + graph->lane[channel];
    const uint32_t to = mirrored_index(torus, dimension, index);
    return torus->out[image * torus->directions + to / torus->spec.lanes] +
           to % torus->spec.lanes;
}

static uint32_t torus_mirror(const NetGraph *graph, unsigned dimension,
                             uint32_t point) {
    const Torus *torus = graph->shape;
    if (point < graph->channels)
        return mirrored_channel(graph, dimension, point);
    const bool sink = point >= net_graph_first_sink(graph);
    const uint32_t node = graph->label[point].node;
    uint32_t terminal = node % torus->links;
    if (!sink && torus->spec.links == 0)
        terminal = mirrored_index(torus, dimension, terminal);
    const uint32_t image =
        mirrored_processor(torus, dimension, graph->processor[node]) * torus->links +
        terminal;
    const unsigned priority = graph->label[point].priority;
    return sink ? net_graph_sink(graph, image, priority)
                : net_graph_source(graph, image, priority);
}

/* Mirrors are for models, of one priority. One-way wires have no image; with more lanes
 * than classes none is needed, because adaptive routes are only for engines. */
void net_torus_set_mirrors(NetGraph *graph) {
    const Torus *torus = graph->shape;
    if (torus->spec.priorities > 1 || torus->spec.one_way || torus->spec.escape ||
        torus->spec.lanes != torus->classes)
        return;
    graph->mirrors = torus->spec.dimensions;
    graph->mirror = torus_mirror;
}
