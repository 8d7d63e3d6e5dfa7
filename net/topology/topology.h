/* Topologies by name, and specifications: texts such as "mesh=8x8x8" that choose one,
 * its sizes and its options. Internal to net/. */
#ifndef JM_NET_TOPOLOGY_TOPOLOGY_H
#define JM_NET_TOPOLOGY_TOPOLOGY_H

#include "net/graph/graph.h"
#include "net/graph/options.h"

/* The contents of a specification apart from the name of the topology. */
typedef struct {
    unsigned priorities; /* with channels of their own: 1 or 2; a mesh always has 2 */
    unsigned sizes;      /* number of sizes given, 1 to its topology's */
    unsigned size[NET_MAX_DIMENSIONS]; /* sizes; 1 if not given */
    /* Values, in the order of NetTopology.options. */
    unsigned option[NET_OPTIONS];
} NetShape;

/* A row of topologies.def. */
struct NetTopology {
    const char *name; /* the name in specifications, such as "mesh" */
    const char *form; /* the form of a specification, for messages: "mesh=XxYxZ" */
    const char *text; /* what it is, for people */
    unsigned sizes;   /* the most that it can have */
    /* Options, up to a row without a name; NULL: none. */
    const NetOption *options;
    /* Sets the parameters that the topology needs. NULL: the defaults. */
    void (*set_params)(NetParams *params);
    /* Sets the parameters that it needs as the network of a machine. NULL: it cannot be
     * one. */
    void (*set_machine_params)(NetParams *params);
    /* The --param settings under which the flow engine runs it with one-flit words, for
     * messages of any length and programs. NULL: those of set_params(). */
    const char *byte_params;
    bool shares_wires; /* between both directions, with the parameter of that name */
    /* Builds the graph of a shape. NULL and `error` if a size or an option is out of
     * range or memory runs out. */
    NetGraph *(*create)(const NetShape *shape, const NetParams *params, JmError *error);
};

#define NET_TOPOLOGY(name) extern const NetTopology net_topology_##name;
#include "net/topology/topologies.def"
#undef NET_TOPOLOGY

/* Parses a specification. Returns the topology it names, with its sizes and options in
 * `shape`. NULL and `error`, with the position, if it is malformed or names something
 * unknown. */
const NetTopology *net_specification_read(const char *text, NetShape *shape,
                                          JmError *error);

/* Returns a row of topologies.def, in order; NULL after the last. */
const NetTopology *net_topology_row(unsigned index);

/* Builds the graph of a specification that names a row of topologies.def. NULL and
 * `error`. */
NetGraph *net_topology_build(const char *specification, const NetParams *params,
                             JmError *error);
/* The same with channels for both priorities. */
NetGraph *net_topology_build_machine(const char *specification, const NetParams *params,
                                     JmError *error);

#endif
