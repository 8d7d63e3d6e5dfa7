/* Takes the state of an engine as an image, and continues from one, perhaps taken from
 * another engine. */
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

NetImage net_image_create(Heap *heap, const Net *net) {
    const NetGraph *graph = net->graph;
    const uint32_t points = net_graph_points(graph);
    NetImage image = {.capacity = net->params.channel_capacity};
    for (uint32_t c = 0; graph->places && c < graph->channels; c++)
        if (c == 0 || graph->places[c] > image.capacity)
            image.capacity = graph->places[c];
    const size_t flits = (size_t)graph->channels * image.capacity;
    image.points = heap_alloc(heap, points * sizeof *image.points);
    image.flits = heap_alloc(heap, flits * sizeof *image.flits);
    image.down = heap_alloc(heap, graph->wires);
    for (uint32_t i = 0; i < points; i++)
        image.points[i] = (NetPoint){
            .owner = NET_NONE, .from = NET_NONE, .next = NET_NONE, .turn = NET_NONE};
    return image;
}

NetImage net_image_take(Heap *heap, const Net *net) {
    NetImage image = net_image_create(heap, net);
    const NetGraph *graph = net->graph;
    net_settle(net);
    for (uint32_t point = 0; point < net_graph_points(graph); point++) {
        image.points[point] = net->engine->point(net, net->engine_state, point);
        const uint32_t count = point < graph->channels ? image.points[point].flits : 0;
        for (uint32_t k = 0; k < count; k++)
            image.flits[(size_t)point * image.capacity + k] =
                net->engine->flit(net, net->engine_state, point, k);
    }
    take_directions(net, &image);
    return image;
}

/* The old state is destroyed only when the new one is complete. */
void net_image_put(Net *net, const NetImage *image) {
    Heap *heap = heap_within(net->heap);
    void *state = net->engine->create(heap, net);
    net->engine->load(heap, net, state, image);
    heap_delete(net->engine_heap);
    net->engine_heap = heap;
    net->engine_state = state;
    net_tell_blocked(net);
    net->settled = false;
}
