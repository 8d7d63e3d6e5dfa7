/* Builder: the tiered X/Y/Z mesh of the J-Machine (thesis 2.1.2, fig. A-1). Internal to
 * net/. */
#ifndef JM_NET_MESH_H
#define JM_NET_MESH_H

#include "net/graph.h"

/* Channels of a node and priority: P, N and R of each dimension. */
enum { NET_MESH_KINDS = 3, NET_MESH_CHANNELS = NET_DIMENSIONS * NET_MESH_KINDS };

/* The graph of an x * y * z mesh for `params` (they say whether wires are shared and
 * whether an R drops its header); NULL and `error` if a size is out of range. */
NetGraph *net_mesh_create(unsigned x, unsigned y, unsigned z, const NetParams *params,
                          JmError *error);

#endif
