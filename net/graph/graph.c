/* Creates graphs, and collects their feeders from builders. */
#include "net/graph/graph.h"

#include <assert.h>
#include <stdlib.h>

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

NetGraph *net_graph_create(uint32_t nodes, uint32_t channels, uint32_t feeders) {
    assert(nodes <= NET_GRAPH_MAX_NODES);
    NetGraph *graph = calloc(1, sizeof *graph);
    if (!graph)
        return NULL;
    graph->nodes = nodes;
    graph->channels = channels;
    graph->copies = 1;
    const size_t points = net_graph_points(graph);
    graph->label = calloc(points, sizeof *graph->label);
    graph->wire = malloc(points * sizeof *graph->wire);
    graph->feeder_start = calloc(points + 1, sizeof *graph->feeder_start);
    graph->feeders = malloc(feeders * sizeof *graph->feeders);
    if (!graph->label || !graph->wire || !graph->feeder_start || !graph->feeders) {
        net_graph_destroy(graph);
        return NULL;
    }
    for (size_t point = 0; point < points; point++)
        graph->wire[point] = NET_NONE;
    label_ends(graph);
    return graph;
}

void net_graph_destroy(NetGraph *graph) {
    if (!graph)
        return;
    free(graph->label);
    free(graph->wire);
    free(graph->feeder_start);
    free(graph->feeders);
    free(graph->places);
    free(graph->lane);
    free(graph->delay);
    free(graph->group);
    free(graph->processor);
    free(graph->turn);
    free(graph->shape);
    free(graph);
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
