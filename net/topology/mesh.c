/* The tiered mesh. Three channels per dimension, node and priority:
 *
 *     node i-1, [P] --wire--> [P]   P: towards the higher neighbour
 *     R of d-1 or source ---> [N]   N: towards the lower neighbour
 *     node i+1, [N] --wire--> [R]   R: the coordinate is reached; on to dimension d+1
 *
 * P of node i holds flits bound for node i+1; over the wire they enter P or R there. */
#include "net/topology/mesh.h"

#include <assert.h>
#include <stdio.h>

#include "net/topology/topology.h"

/* The mesh behind a graph: NetGraph.shape. */
typedef struct {
    uint32_t size[NET_DIMENSIONS];
    /* Rank of the next node in a dimension, minus the node's own. */
    uint32_t stride[NET_DIMENSIONS];
    bool shared_wires, drops_headers;
    unsigned copies;  /* virtual channels */
    uint32_t place[]; /* by node: its coordinates, a byte per dimension */
} Mesh;

/* Whether `node` has a neighbour above or below it in a dimension. */
static bool has_neighbour(const Mesh *mesh, uint32_t node, unsigned dimension,
                          bool up) {
    const unsigned at = net_mesh_coordinate(mesh->place[node], dimension);
    return up ? at + 1 < mesh->size[dimension] : at > 0;
}

/* Returns the neighbour of `node` in a dimension; it must exist. */
static uint32_t neighbour(const Mesh *mesh, uint32_t node, unsigned dimension,
                          bool up) {
    return up ? node + mesh->stride[dimension] : node - mesh->stride[dimension];
}

/* The number of a virtual channel. */
static uint32_t channel_of(const Mesh *mesh, uint32_t node, unsigned priority,
                           unsigned dimension, unsigned kind, unsigned copy) {
    return net_mesh_channel(node, priority, dimension, kind) * mesh->copies + copy;
}

/* Returns the point at which a message enters dimension `dimension` of `node`; after
 * the last dimension that is the node's sink. */
static uint32_t enter_dimension(const NetGraph *graph, uint32_t node, unsigned priority,
                                unsigned dimension, uint32_t address) {
    if (dimension == NET_DIMENSIONS)
        return net_graph_sink(graph, node, priority);
    const Mesh *mesh = graph->shape;
    const unsigned here = net_mesh_coordinate(mesh->place[node], dimension);
    const unsigned there = net_mesh_coordinate(address, dimension);
    const unsigned kind = there == here  ? NET_CHANNEL_R
                          : there > here ? NET_CHANNEL_P
                                         : NET_CHANNEL_N;
    return net_mesh_channel(node, priority, dimension, kind);
}

/* Returns the point after the wire of a P or N: the next of its kind, or R if the
 * coordinate is reached there. */
static uint32_t cross_wire(const NetGraph *graph, const NetLabel *label,
                           uint32_t address) {
    const Mesh *mesh = graph->shape;
    const unsigned dimension = label->dimension;
    const uint32_t node =
        neighbour(mesh, label->node, dimension, label->kind == NET_CHANNEL_P);
    const bool reached = net_mesh_coordinate(mesh->place[node], dimension) ==
                         net_mesh_coordinate(address, dimension);
    return net_mesh_channel(node, label->priority, dimension,
                            reached ? NET_CHANNEL_R : label->kind);
}

static uint32_t mesh_next(const NetGraph *graph, uint32_t point, uint32_t address) {
    const NetLabel *label = &graph->label[point];
    switch (label->kind) {
    case NET_CHANNEL_P:
    case NET_CHANNEL_N:
        return cross_wire(graph, label, address);
    case NET_CHANNEL_R:
        return enter_dimension(graph, label->node, label->priority,
                               label->dimension + 1u, address);
    default:
        assert(label->kind == NET_POINT_SOURCE);
        return enter_dimension(graph, label->node, label->priority, 0, address);
    }
}

/* Does the same with virtual channels, where the channel of mesh_next() is a group:
 * returns the message's own copy in it, after an output buffer the first. Messages that
 * leave by a copy above the first go to queue 1. */
static uint32_t virtual_next(const NetGraph *graph, uint32_t point, uint32_t address) {
    const unsigned copy = point < graph->channels ? point % graph->copies : 0;
    const uint32_t next = mesh_next(graph, point, address);
    if (next < graph->channels / graph->copies)
        return next * graph->copies + copy;
    return copy > 0 ? net_graph_sink(graph, graph->label[next].node, 1) : next;
}

static uint32_t mesh_link(const NetGraph *graph, uint32_t node, unsigned priority,
                          unsigned dimension, bool up) {
    if (dimension >= NET_DIMENSIONS ||
        !has_neighbour(graph->shape, node, dimension, up))
        return NET_NONE;
    return channel_of(graph->shape, node, priority, dimension,
                      up ? NET_CHANNEL_P : NET_CHANNEL_N, 0);
}

/* Returns the node on the other side of the middle of a dimension. */
static uint32_t opposite(const Mesh *mesh, uint32_t node, unsigned dimension) {
    const uint32_t at = net_mesh_coordinate(mesh->place[node], dimension);
    const uint32_t other = mesh->size[dimension] - 1 - at;
    return node + other * mesh->stride[dimension] - at * mesh->stride[dimension];
}

/* Mirror 0 reverses X, 1 Y, 2 Z: P of that dimension becomes N. */
static uint32_t mesh_mirror(const NetGraph *graph, unsigned dimension, uint32_t point) {
    const NetLabel *label = &graph->label[point];
    const uint32_t node = opposite(graph->shape, label->node, dimension);
    if (label->kind == NET_POINT_SOURCE)
        return net_graph_source(graph, node, label->priority);
    if (label->kind == NET_POINT_SINK)
        return net_graph_sink(graph, node, label->priority);
    unsigned kind = label->kind;
    if (label->dimension == dimension && kind != NET_CHANNEL_R)
        kind = kind == NET_CHANNEL_P ? NET_CHANNEL_N : NET_CHANNEL_P;
    return channel_of(graph->shape, node, label->priority, label->dimension, kind,
                      point % ((const Mesh *)graph->shape)->copies);
}

static void mesh_node_name(const NetGraph *graph, uint32_t node, char *text,
                           size_t size) {
    const Mesh *mesh = graph->shape;
    const uint32_t place = mesh->place[node];
    snprintf(text, size, "%u,%u,%u", net_mesh_coordinate(place, 0),
             net_mesh_coordinate(place, 1), net_mesh_coordinate(place, 2));
}

/* Building. */

/* Adds the copies of P or N of a neighbour, up to `copy`, as feeders. */
static void add_wired(NetGraph *graph, uint32_t node, unsigned priority,
                      unsigned dimension, unsigned kind, unsigned copy) {
    const Mesh *mesh = graph->shape;
    const bool up = kind == NET_CHANNEL_N; /* N comes from above */
    if (!has_neighbour(mesh, node, dimension, up))
        return;
    const uint32_t from = neighbour(mesh, node, dimension, up);
    for (unsigned c = 0; c <= copy; c++)
        net_graph_add_feeder(graph,
                             channel_of(mesh, from, priority, dimension, kind, c));
}

/* Adds the feeders of dimension `dimension` from within the node: the output buffer, or
 * the copies of the R before it, up to `copy`. */
static void add_entering(NetGraph *graph, uint32_t node, unsigned priority,
                         unsigned dimension, unsigned copy) {
    if (dimension == 0) {
        net_graph_add_feeder(graph, net_graph_source(graph, node, priority));
        return;
    }
    for (unsigned c = 0; c <= copy; c++)
        net_graph_add_feeder(graph, channel_of(graph->shape, node, priority,
                                               dimension - 1, NET_CHANNEL_R, c));
}

/* Adds the feeders of a channel in the precedence of unfair arbitration: straight-on
 * ones first, P before N where both lead to R, the entering one last (thesis fig. 5-9;
 * P before N is a choice). */
static void add_feeders(NetGraph *graph, uint32_t node, unsigned priority,
                        unsigned dimension, unsigned kind, unsigned copy) {
    if (kind != NET_CHANNEL_N)
        add_wired(graph, node, priority, dimension, NET_CHANNEL_P, copy);
    if (kind != NET_CHANNEL_P)
        add_wired(graph, node, priority, dimension, NET_CHANNEL_N, copy);
    add_entering(graph, node, priority, dimension, copy);
    net_graph_end_point(graph);
}

/* Labels a channel and adds its feeders. Its wire lies on the bisection if it crosses
 * the middle of the dimension. */
static void add_channel(NetGraph *graph, uint32_t node, unsigned priority,
                        unsigned dimension, unsigned kind, unsigned copy) {
    const Mesh *mesh = graph->shape;
    const bool up = kind == NET_CHANNEL_P;
    const unsigned from = net_mesh_coordinate(mesh->place[node], dimension);
    const unsigned middle = mesh->size[dimension] / 2;
    graph->label[channel_of(mesh, node, priority, dimension, kind, copy)] = (NetLabel){
        .node = node % NET_GRAPH_MAX_NODES,
        .kind = kind & 7,
        .priority = priority & 1,
        .dimension = dimension & 3,
        .downward = kind == NET_CHANNEL_N,
        .drops_header = kind == NET_CHANNEL_R && mesh->drops_headers,
        .on_bisection = kind != NET_CHANNEL_R && from == (up ? middle - 1 : middle),
    };
    add_feeders(graph, node, priority, dimension, kind, copy);
}

/* The R of Z that lead to queue `queue` of a node: the first copy of its own priority,
 * and to queue 1 all others. */
static void add_sink(NetGraph *graph, uint32_t node, unsigned queue) {
    const Mesh *mesh = graph->shape;
    for (unsigned priority = 0; priority <= queue; priority++)
        for (unsigned copy = 0; copy < mesh->copies; copy++)
            if (queue == (copy > 0 ? 1 : priority))
                net_graph_add_feeder(graph, channel_of(mesh, node, priority,
                                                       NET_DIMENSIONS - 1,
                                                       NET_CHANNEL_R, copy));
    net_graph_end_point(graph);
}

/* Adds all points in the order of their numbers. */
static void add_channels(NetGraph *graph) {
    const unsigned copies = ((const Mesh *)graph->shape)->copies;
    for (uint32_t node = 0; node < graph->nodes; node++)
        for (unsigned item = 0; item < NET_PRIORITIES * NET_MESH_CHANNELS; item++)
            for (unsigned copy = 0; copy < copies; copy++) {
                const unsigned channel = item % NET_MESH_CHANNELS;
                add_channel(graph, node, item / NET_MESH_CHANNELS,
                            channel / NET_MESH_KINDS, channel % NET_MESH_KINDS, copy);
            }
    for (uint32_t source = 0; source < graph->nodes * NET_PRIORITIES; source++)
        net_graph_end_point(graph); /* only its node feeds a source */
    for (uint32_t sink = 0; sink < graph->nodes * NET_PRIORITIES; sink++)
        add_sink(graph, sink / NET_PRIORITIES, sink % NET_PRIORITIES);
}

/* Adds the wire between a node and its higher neighbour, or one for each direction. */
static void add_wires_above(NetGraph *graph, uint32_t node, unsigned dimension,
                            bool shared) {
    const Mesh *mesh = graph->shape;
    const uint32_t above = neighbour(mesh, node, dimension, true);
    const uint32_t up = graph->wires++;
    const uint32_t down = shared ? up : graph->wires++;
    for (unsigned item = 0; item < NET_PRIORITIES * mesh->copies; item++) {
        const unsigned priority = item / mesh->copies, copy = item % mesh->copies;
        graph->wire[channel_of(mesh, node, priority, dimension, NET_CHANNEL_P, copy)] =
            up;
        graph->wire[channel_of(mesh, above, priority, dimension, NET_CHANNEL_N, copy)] =
            down;
    }
}

static void add_wires(NetGraph *graph, bool shared) {
    for (uint32_t node = 0; node < graph->nodes; node++)
        for (unsigned dimension = 0; dimension < NET_DIMENSIONS; dimension++)
            if (has_neighbour(graph->shape, node, dimension, true))
                add_wires_above(graph, node, dimension, shared);
}

/* The sizes and parameters of a mesh. */
typedef struct {
    unsigned x, y, z;
    const NetParams *params;
} Plan;

static Mesh *create_shape(Heap *heap, const Plan *plan) {
    const unsigned x = plan->x, y = plan->y, z = plan->z;
    const uint32_t nodes = x * y * z;
    Mesh *mesh = heap_alloc(heap, sizeof *mesh + nodes * sizeof mesh->place[0]);
    *mesh = (Mesh){
        .size = {x, y, z},
        .stride = {1, x, x * y},
        .shared_wires = plan->params->shared_wires != 0,
        .copies = plan->params->virtual_channels,
        /* Three headers, one for each dimension, are dropped on the way. */
        .drops_headers = plan->params->header_flits == NET_DIMENSIONS,
    };
    for (uint32_t node = 0; node < nodes; node++)
        mesh->place[node] = node % x | (node / x % y) << 8 | (node / (x * y)) << 16;
    return mesh;
}

static bool check_sizes(unsigned x, unsigned y, unsigned z, JmError *error) {
    if (x >= 1 && x <= NET_MAX_X && y >= 1 && y <= NET_MAX_Y && z >= 1 &&
        z <= NET_MAX_Z)
        return true;
    return jm_fail(error, NULL, "a mesh of %ux%ux%u is not within 1x1x1 to %dx%dx%d", x,
                   y, z, NET_MAX_X, NET_MAX_Y, NET_MAX_Z);
}

bool net_mesh_shape(const NetGraph *graph, NetMeshShape *shape) {
    if (graph->topology != &net_topology_mesh)
        return false;
    const Mesh *mesh = graph->shape;
    *shape = (NetMeshShape){
        .nodes = {mesh->size[0], mesh->size[1], mesh->size[2]},
        .shared_wires = mesh->shared_wires,
        .drops_headers = mesh->drops_headers,
        .copies = mesh->copies,
    };
    return true;
}

static void *build(Heap *heap, const void *context) {
    const Plan *plan = context;
    const Mesh *mesh = create_shape(heap, plan);
    const uint32_t nodes = plan->x * plan->y * plan->z, copies = mesh->copies;
    const uint32_t per_node = NET_PRIORITIES * NET_MESH_CHANNELS * copies;
    /* P and N have two feeders, R has three, a sink one. With virtual channels copy k
     * of a channel is fed by copies 0 to k of each feeder, which are `fed` over all
     * copies; each copy of the last R feeds one sink. */
    const uint32_t fed = copies * (copies + 1) / 2;
    const uint32_t feeders = NET_PRIORITIES * (NET_DIMENSIONS * 7 * fed + copies);
    NetGraph *graph = net_graph_create(heap, nodes, nodes * per_node, nodes * feeders);
    graph->topology = &net_topology_mesh;
    graph->shape = mesh;
    graph->grid = (NetGrid){.dimensions = plan->z > 1   ? 3
                                          : plan->y > 1 ? 2
                                                        : 1,
                            .size = {plan->x, plan->y, plan->z}};
    graph->copies = copies;
    graph->next = copies > 1 ? virtual_next : mesh_next;
    graph->address = mesh->place;
    graph->link = mesh_link;
    graph->mirrors = NET_DIMENSIONS;
    graph->mirror = mesh_mirror;
    graph->node_name = mesh_node_name;
    add_channels(graph);
    add_wires(graph, mesh->shared_wires);
    return graph;
}

NetGraph *net_mesh_create(unsigned x, unsigned y, unsigned z, const NetParams *params,
                          JmError *error) {
    if (!check_sizes(x, y, z, error))
        return NULL;
    if (!params->circles)
        return net_graph_build(build, &(Plan){x, y, z, params}, error);
    jm_fail(error, NULL, "circles=1: on a mesh no messages wait in a circle");
    return NULL;
}

static NetGraph *create_from(const NetShape *shape, const NetParams *params,
                             JmError *error) {
    return net_mesh_create(shape->size[0], shape->size[1], shape->size[2], params,
                           error);
}

const NetTopology net_topology_mesh = {
    .name = "mesh",
    .form = "mesh=XxYxZ",
    .sizes = NET_DIMENSIONS,
    .text = "the J-Machine's tiered mesh: e-cube, two priorities",
    .shares_wires = true,
    .byte_params = "flits_per_word=1,header_flits=1,buffer_words=64,shared_wires=0,"
                   "wire_turns=1,heads=1",
    .create = create_from,
};
