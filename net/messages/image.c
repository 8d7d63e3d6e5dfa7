/* The state of an engine as an image, and going on with another engine. */
#include <stdlib.h>
#include <string.h>

#include "net/messages/state.h"

/* Which way each wire was crossed last, if both directions share it. */
static void take_directions(const Net *net, NetImage *image) {
    enum { UP = 1, DOWN = 2, KNOWN = 4 };
    const NetGraph *graph = net->graph;
    for (uint32_t c = 0; c < graph->channels; c++)
        if (graph->wire[c] != NET_NONE)
            image->down[graph->wire[c]] |= graph->label[c].downward ? DOWN : UP;
    for (uint32_t c = 0; c < graph->channels; c++) {
        const uint32_t wire = graph->wire[c];
        if (wire != NET_NONE && image->down[wire] == (UP | DOWN) &&
            !graph->label[c].downward)
            image->down[wire] =
                KNOWN | net->engine->wire_down(net, net->engine_state, c);
    }
    for (uint32_t wire = 0; wire < graph->wires; wire++)
        image->down[wire] = image->down[wire] & KNOWN ? image->down[wire] & 1 : 0;
}

NetImage net_image_take(const Net *net) {
    const NetGraph *graph = net->graph;
    const uint32_t points = net_graph_points(graph);
    net_settle(net);
    NetImage image = {.capacity = net->params.channel_capacity};
    image.points = net_must_grow(NULL, points, sizeof *image.points);
    const size_t flits = (size_t)graph->channels * image.capacity;
    image.flits = net_must_grow(NULL, flits, sizeof *image.flits);
    image.down = net_must_grow(NULL, (size_t)graph->wires + 1, 1);
    memset(image.flits, 0, flits * sizeof *image.flits);
    for (uint32_t point = 0; point < points; point++) {
        image.points[point] = net->engine->point(net, net->engine_state, point);
        const uint32_t count = point < graph->channels ? image.points[point].flits : 0;
        for (uint32_t k = 0; k < count; k++)
            image.flits[(size_t)point * image.capacity + k] =
                net->engine->flit(net, net->engine_state, point, k);
    }
    memset(image.down, 0, (size_t)graph->wires + 1);
    take_directions(net, &image);
    return image;
}

void net_image_free(NetImage *image) {
    free(image->points);
    free(image->flits);
    free(image->down);
}

void net_image_put(Net *net, const NetEngine *engine, const NetImage *image) {
    net->engine->destroy(net->engine_state);
    net->engine = engine;
    net->engine_state = engine->create(net);
    if (!net->engine_state)
        abort();
    engine->load(net, net->engine_state, image);
    net_tell_blocked(net);
    net->settled = false;
}

void net_use_engine(Net *net, const NetEngine *engine) {
    if (net->engine == engine)
        return;
    NetImage image = net_image_take(net);
    net_image_put(net, engine, &image);
    net_image_free(&image);
}
