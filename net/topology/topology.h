/* Topologies by name, and specifications: texts such as "mesh=8x8x8" that choose one,
 * its sizes and its options. Internal to net/. */
#ifndef JM_NET_TOPOLOGY_TOPOLOGY_H
#define JM_NET_TOPOLOGY_TOPOLOGY_H

#include "net/graph/graph.h"

enum { NET_TOPOLOGY_SIZES = 3, NET_TOPOLOGY_OPTIONS = 8 };

/* An option NAME=VALUE of a specification. */
typedef struct {
    const char *name;
    unsigned standard, minimum, maximum;
} NetTopologyOption;

/* What a specification says of a topology. */
typedef struct {
    unsigned sizes;                        /* given: 1 or more */
    unsigned size[NET_TOPOLOGY_SIZES];     /* those not given are 1 */
    unsigned option[NET_TOPOLOGY_OPTIONS]; /* by place in NetTopology.options */
} NetShape;

struct NetTopology {
    const char *name; /* "mesh" */
    const char *form; /* what may be written, for messages: "mesh=XxYxZ" */
    /* Ends with a row without a name; NULL: there are none. */
    const NetTopologyOption *options;
    /* The graph for a shape; NULL and `error` if a size or an option is out of range,
     * or there is no memory. */
    NetGraph *(*create)(const NetShape *shape, const NetParams *params, JmError *error);
};

#define NET_TOPOLOGY(name) extern const NetTopology net_topology_##name;
#include "net/topology/topologies.def"
#undef NET_TOPOLOGY

/* Reads a specification, NAME=SIZE[xSIZE...][,OPTION=VALUE...], against `count` rows:
 * the topology it names, and in `shape` the rest. NULL and `error`, with the place, if
 * it is not well formed or names what there is not. */
const NetTopology *net_specification_read(const char *text,
                                          const NetTopology *const *rows,
                                          unsigned count, NetShape *shape,
                                          JmError *error);

/* The graph of a specification that names a row of topologies.def. */
NetGraph *net_topology_build(const char *specification, const NetParams *params,
                             JmError *error);

#endif
