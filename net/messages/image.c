/* Takes the state of an engine as an image, and continues from one, perhaps with
 * another engine. */
#include <stdlib.h>

#include "net/messages/state.h"

/* Records the last direction of each wire that both directions share. */
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

bool net_image_create(const Net *net, NetImage *image) {
    const NetGraph *graph = net->graph;
    const uint32_t points = net_graph_points(graph);
    *image = (NetImage){.capacity = net->params.channel_capacity};
    for (uint32_t c = 0; graph->places && c < graph->channels; c++)
        if (c == 0 || graph->places[c] > image->capacity)
            image->capacity = graph->places[c];
    image->points = malloc(points * sizeof *image->points);
    image->flits =
        calloc((size_t)graph->channels * image->capacity + 1, sizeof *image->flits);
    image->down = calloc((size_t)graph->wires + 1, 1);
    if (!image->points || !image->flits || !image->down) {
        net_image_free(image);
        return false;
    }
    for (uint32_t i = 0; i < points; i++)
        image->points[i] = (NetPoint){
            .owner = NET_NONE, .from = NET_NONE, .next = NET_NONE, .turn = NET_NONE};
    return true;
}

bool net_image_take(const Net *net, NetImage *image) {
    if (!net_image_create(net, image))
        return false;
    const NetGraph *graph = net->graph;
    net_settle(net);
    for (uint32_t point = 0; point < net_graph_points(graph); point++) {
        image->points[point] = net->engine->point(net, net->engine_state, point);
        const uint32_t count = point < graph->channels ? image->points[point].flits : 0;
        for (uint32_t k = 0; k < count; k++)
            image->flits[(size_t)point * image->capacity + k] =
                net->engine->flit(net, net->engine_state, point, k);
    }
    take_directions(net, image);
    return true;
}

void net_image_free(NetImage *image) {
    free(image->points);
    free(image->flits);
    free(image->down);
}

/* The old engine is destroyed only when the new one has taken over. */
bool net_image_put(Net *net, const NetEngine *engine, const NetImage *image) {
    void *state = engine->create(net);
    if (!state)
        return false;
    if (!engine->load(net, state, image)) {
        engine->destroy(state);
        return false;
    }
    net->engine->destroy(net->engine_state);
    net->engine = engine;
    net->engine_state = state;
    net_tell_blocked(net);
    net->settled = false;
    return true;
}

bool net_use_engine(Net *net, const NetEngine *engine) {
    if (net->engine == engine)
        return true;
    NetImage image;
    if (!net_image_take(net, &image))
        return false;
    const bool used = net_image_put(net, engine, &image);
    net_image_free(&image);
    return used;
}
