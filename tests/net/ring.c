/* The one-way ring. Two channels per node and priority:
 *
 *     node i-1, [P] --wire--> [P]   to the next node
 *     source  --------------> [R]   the node is reached: on to the sink
 */
#include "ring.h"

#include <stdio.h>

static uint32_t channel_of(uint32_t node, unsigned priority, unsigned kind) {
    return (node * NET_PRIORITIES + priority) * 2 + (kind == NET_CHANNEL_R);
}

static uint32_t ring_next(const NetGraph *graph, uint32_t point, uint32_t address) {
    const NetLabel *label = &graph->label[point];
    if (label->kind == NET_CHANNEL_R)
        return net_graph_sink(graph, label->node, label->priority);
    const bool wire = label->kind == NET_CHANNEL_P;
    const uint32_t node = (label->node + wire) % graph->nodes;
    return channel_of(node, label->priority,
                      node == address ? NET_CHANNEL_R : NET_CHANNEL_P);
}

static uint32_t ring_link(const NetGraph *graph, uint32_t node, unsigned priority,
                          unsigned dimension, bool up) {
    (void)graph;
    return dimension == 0 && up ? channel_of(node, priority, NET_CHANNEL_P) : NET_NONE;
}

static void ring_node_name(const NetGraph *graph, uint32_t node, char *text,
                           size_t size) {
    (void)graph;
    snprintf(text, size, "%u", node);
}

static void add_channel(NetGraph *graph, uint32_t node, unsigned priority,
                        unsigned kind) {
    const uint32_t channel = channel_of(node, priority, kind);
    const uint32_t before = (node + graph->nodes - 1) % graph->nodes;
    graph->label[channel] = (NetLabel){
        .node = node % NET_GRAPH_MAX_NODES, .kind = kind & 7, .priority = priority & 1};
    if (kind == NET_CHANNEL_P)
        graph->wire[channel] = node;
    net_graph_add_feeder(graph, channel_of(before, priority, NET_CHANNEL_P));
    net_graph_add_feeder(graph, net_graph_source(graph, node, priority));
    net_graph_end_point(graph);
}

static void *build(Heap *heap, const void *plan) {
    const uint32_t nodes = *(const uint32_t *)plan, ends = nodes * NET_PRIORITIES;
    NetGraph *graph = net_graph_create(heap, nodes, 2 * ends, 5 * ends);
    uint32_t *address = heap_alloc(heap, nodes * sizeof *address);
    for (uint32_t node = 0; node < nodes; node++)
        address[node] = node;
    graph->next = ring_next;
    graph->address = address;
    graph->link = ring_link;
    graph->node_name = ring_node_name;
    graph->wires = nodes;
    for (uint32_t end = 0; end < ends; end++) {
        add_channel(graph, end / 2, end % 2, NET_CHANNEL_P);
        add_channel(graph, end / 2, end % 2, NET_CHANNEL_R);
    }
    for (uint32_t source = 0; source < ends; source++)
        net_graph_end_point(graph);
    for (uint32_t end = 0; end < ends; end++) {
        net_graph_add_feeder(graph, channel_of(end / 2, end % 2, NET_CHANNEL_R));
        net_graph_end_point(graph);
    }
    return graph;
}

NetGraph *ring_create(uint32_t nodes) {
    return net_graph_build(build, &nodes, NULL);
}
