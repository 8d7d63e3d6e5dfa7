/* The graph engine takes over the flits of another engine. */
#include "net/wormhole/engine.h"

static void load_point(const Net *net, GraphEngine *engine, const NetImage *image,
                       uint32_t number) {
    const NetPoint *seen = &image->points[number];
    Point *point = graph_point(engine, number);
    point->next = seen->next == NET_NONE ? 0 : seen->next;
    point->owner = seen->owner;
    point->from = seen->from;
    point->flits = seen->closed ? engine->capacity & 0xFF : seen->flits & 0xFF;
    point->next_taken = seen->next_taken;
    for (uint32_t k = 0; number < engine->first_source && k < seen->flits; k++)
        point->ring[k] = image->flits[(size_t)number * image->capacity + k];
    engine->occupied += number < engine->first_source && seen->flits > 0;
    for (uint32_t i = net->graph->feeder_start[number]; seen->turn != NET_NONE; i++)
        if (net->graph->feeders[i] == seen->turn) {
            point->turn = (i - net->graph->feeder_start[number]) & 0xFF;
            break;
        }
    if (number < engine->first_sink)
        net_bits_put(&engine->awake, number, true);
}

bool graph_engine_load(Net *net, void *state, const NetImage *image) {
    GraphEngine *engine = state;
    for (uint32_t number = 0; number < net_graph_points(net->graph); number++)
        load_point(net, engine, image, number);
    for (uint32_t wire = 0; wire < net->graph->wires; wire++)
        engine->wires[wire] = image->down[wire] ? WIRE_LAST_DOWN : 0;
    return true;
}
