/* Builder: the Mesh of Clos (Pimentel and Hertzberger, section 2). Internal to net/.
 *
 * A Clos network of height h joins 4^h nodes by h stages of routers with eight
 * channels. In the Mesh of Clos(h,r) a mesh replaces the upper r stages. The rest is
 * clusters of `levels` = h - r stages, 4^levels nodes, whose top routers, 4^(levels-1)
 * of them, are each in a mesh of their own: a layer.
 *
 *     levels=1  (3,2) of the paper: a router is a cluster of 4 nodes; one layer
 *     levels=2  (3,1): clusters of 16 nodes, 4 lower routers, 4 layers
 *
 * Nodes are numbered cluster by cluster, clusters row by row. */
#ifndef JM_NET_TOPOLOGY_CLOS_H
#define JM_NET_TOPOLOGY_CLOS_H

#include "net/graph/graph.h"

/* How a message's layer is chosen (section 4.2.1, table 2). */
typedef enum {
    NET_LAYER_FIXED,      /* that of its source: source mod 4 */
    NET_LAYER_RANDOM,     /* any */
    NET_LAYER_TURNS,      /* the layers in turn, for each lower router (RoundRobin) */
    NET_LAYER_IDLE_FIXED, /* one that is free, from the source's on; else that */
    NET_LAYER_IDLE_RANDOM /* one that is free, from any on; else that */
} NetLayer;

enum { NET_CLOS_RADIX = 4, NET_CLOS_MAX_SIDE = 16, NET_CLOS_MAX_LEVELS = 2 };

typedef struct {
    unsigned rows, columns; /* clusters, 1 .. NET_CLOS_MAX_SIDE */
    unsigned levels;        /* 1 .. NET_CLOS_MAX_LEVELS */
    unsigned places; /* of a channel, beside `delay` more for flits on their way */
    NetLayer layer;
    unsigned delay; /* cycles of a flit on a wire beyond the first */
} NetClos;

/* NULL and `error` if a number is out of range, or there is no memory. */
NetGraph *net_clos_create(const NetClos *clos, JmError *error);

/* What the graph was made from; NULL if another builder made it. */
const NetClos *net_clos_of(const NetGraph *graph);

#endif
