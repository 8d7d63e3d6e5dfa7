/* Creates graphs, and collects their feeders from builders. */
#include "net/graph/graph.h"

#include <assert.h>

/* Labels a source or a sink. */
static NetLabel end_label(uint32_t node, unsigned kind, unsigned priority) {
    return (NetLabel){
        .node = node % NET_GRAPH_MAX_NODES, .kind = kind & 7, .priority = priority & 1};
}

static void label_ends(NetGraph *graph) {
    for (uint32_t node = 0; node < graph->nodes; node++)
        for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
            graph->label[net_graph_source(graph, node, priority)] =
                end_label(node, NET_POINT_SOURCE, priority);
            graph->label[net_graph_sink(graph, node, priority)] =
                end_label(node, NET_POINT_SINK, priority);
        }
}

NetGraph *net_graph_create(Heap *heap, uint32_t nodes, uint32_t channels,
                           uint32_t feeders) {
    assert(nodes <= NET_GRAPH_MAX_NODES);
    NetGraph *graph = heap_alloc(heap, sizeof *graph);
    graph->heap = heap;
    graph->nodes = nodes;
    graph->channels = channels;
    graph->copies = 1;
    const size_t points = net_graph_points(graph);
    graph->label = heap_alloc(heap, points * sizeof *graph->label);
    graph->wire = heap_alloc(heap, points * sizeof *graph->wire);
    graph->feeder_start = heap_alloc(heap, (points + 1) * sizeof *graph->feeder_start);
    graph->feeders = heap_alloc(heap, feeders * sizeof *graph->feeders);
    for (size_t point = 0; point < points; point++)
        graph->wire[point] = NET_NONE;
    label_ends(graph);
    return graph;
}

NetGraph *net_graph_build(HeapMake *build, const void *plan, JmError *error) {
    return heap_make(build, plan, error, NULL, "the channels of a network");
}

void net_graph_destroy(NetGraph *graph) {
    heap_delete(graph ? graph->heap : NULL);
}

/* The end of the point being built is also the index of its next feeder. */
void net_graph_add_feeder(NetGraph *graph, uint32_t feeder) {
    graph->feeders[graph->feeder_start[graph->points_built + 1]++] = feeder;
}

void net_graph_end_point(NetGraph *graph) {
    const uint32_t end = graph->feeder_start[++graph->points_built];
    if (graph->points_built < net_graph_points(graph))
        graph->feeder_start[graph->points_built + 1] = end;
}
