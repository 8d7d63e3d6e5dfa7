/* Builder: the tiered X/Y/Z mesh of the J-Machine (thesis 2.1.2, fig. A-1). Internal to
 * net/. */
#ifndef JM_NET_TOPOLOGY_MESH_H
#define JM_NET_TOPOLOGY_MESH_H

#include "net/graph/graph.h"

/* Channels of a node and priority: P, N and R of each dimension. */
enum { NET_MESH_KINDS = 3, NET_MESH_CHANNELS = NET_DIMENSIONS * NET_MESH_KINDS };

/* The graph of an x * y * z mesh for `params` (they say whether wires are shared and
 * whether an R drops its header); NULL and `error` if a size is out of range. */
NetGraph *net_mesh_create(unsigned x, unsigned y, unsigned z, const NetParams *params,
                          JmError *error);

/* The number of a channel; `kind` is a NetChannelKind. */
static inline uint32_t net_mesh_channel(uint32_t node, unsigned priority,
                                        unsigned dimension, unsigned kind) {
    return (node * NET_PRIORITIES + priority) * NET_MESH_CHANNELS +
           dimension * NET_MESH_KINDS + kind;
}

typedef struct {
    uint32_t nodes[NET_DIMENSIONS];
    bool shared_wires, drops_headers; /* what the parameters said when it was built */
} NetMeshShape;

/* The shape of a mesh; false if `graph` is of another topology. */
bool net_mesh_shape(const NetGraph *graph, NetMeshShape *shape);

/* A coordinate in an address of the mesh, which is also that of a node. */
static inline unsigned net_mesh_coordinate(uint32_t address, unsigned dimension) {
    return address >> (8 * dimension) & 0xFF;
}

#endif
