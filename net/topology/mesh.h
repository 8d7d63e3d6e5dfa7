/* The builder of the tiered X/Y/Z mesh of the J-Machine (thesis 2.1.2, fig. A-1).
 * Internal to net/. */
#ifndef JM_NET_TOPOLOGY_MESH_H
#define JM_NET_TOPOLOGY_MESH_H

#include "net/graph/graph.h"

/* Channels of a node and priority: P, N and R of each dimension. */
enum { NET_MESH_KINDS = 3, NET_MESH_CHANNELS = NET_DIMENSIONS * NET_MESH_KINDS };

/* Builds the graph of an x * y * z mesh. `params` say whether wires are shared and
 * whether an R drops its header. NULL and `error` if a size is out of range. */
NetGraph *net_mesh_create(unsigned x, unsigned y, unsigned z, const NetParams *params,
                          JmError *error);

/* Returns the number of a channel, with virtual channels that of its group; `kind` is a
 * NetChannelKind. */
static inline uint32_t net_mesh_channel(uint32_t node, unsigned priority,
                                        unsigned dimension, unsigned kind) {
    return (node * NET_PRIORITIES + priority) * NET_MESH_CHANNELS +
           dimension * NET_MESH_KINDS + kind;
}

/* The shape of a mesh, for engines that need it. */
typedef struct {
    uint32_t nodes[NET_DIMENSIONS];
    bool shared_wires, drops_headers; /* from the parameters at building time */
    unsigned copies;                  /* likewise: virtual channels */
} NetMeshShape;

/* Finds the shape of a mesh. False if `graph` has another topology. */
bool net_mesh_shape(const NetGraph *graph, NetMeshShape *shape);

/* Returns a coordinate of an address, which is also the place of a node: a byte for
 * each dimension. */
static inline unsigned net_mesh_coordinate(uint32_t address, unsigned dimension) {
    return address >> (8 * dimension) & 0xFF;
}

#endif
