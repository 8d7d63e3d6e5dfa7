/* Topologies by name, and specifications: texts such as "mesh=8x8x8" that choose one,
 * its sizes and its options. Internal to net/. */
#ifndef JM_NET_TOPOLOGY_TOPOLOGY_H
#define JM_NET_TOPOLOGY_TOPOLOGY_H

#include "net/graph/graph.h"

enum { NET_TOPOLOGY_SIZES = 3, NET_TOPOLOGY_OPTIONS = 9 };

/* An option NAME=VALUE of a specification. */
typedef struct {
    const char *name;
    unsigned standard, minimum, maximum;
    /* Words for values: words[v] for v; NULL where only the number can be written. As
     * many as there are values; NULL: none. */
    const char *const *words;
    const char *text, *source; /* description and source, for people */
} NetTopologyOption;

/* What a specification says beside the name of a topology. */
typedef struct {
    unsigned sizes;                        /* sizes that were given, 1 or more */
    unsigned size[NET_TOPOLOGY_SIZES];     /* sizes; 1 where none was given */
    unsigned option[NET_TOPOLOGY_OPTIONS]; /* values, by place in NetTopology.options */
} NetShape;

/* A row of topologies.def. */
struct NetTopology {
    const char *name; /* the name in specifications, such as "mesh" */
    const char *form; /* the form of a specification, for messages: "mesh=XxYxZ" */
    const char *text; /* what it is, for people */
    /* Options, up to a row without a name; NULL: there are none. */
    const NetTopologyOption *options;
    /* Sets the parameters that the topology asks for. NULL: the standard ones do. */
    void (*set_params)(NetParams *params);
    /* The settings of --param under which the flow engine runs it with words of a flit,
     * for messages of any length and programs. NULL: those of set_params(). */
    const char *byte_params;
    bool shares_wires; /* between both directions, with the parameter of that name */
    /* Builds the graph of a shape. NULL and `error` if a size or an option is out of
     * range, or there is no memory. */
    NetGraph *(*create)(const NetShape *shape, const NetParams *params, JmError *error);
};

#define NET_TOPOLOGY(name) extern const NetTopology net_topology_##name;
#include "net/topology/topologies.def"
#undef NET_TOPOLOGY

/* Reads a specification against `count` rows. Returns the topology that it names, and
 * its sizes and options in `shape`. NULL and `error`, with the place, if it is
 * malformed or names something that does not exist. */
const NetTopology *net_specification_read(const char *text,
                                          const NetTopology *const *rows,
                                          unsigned count, NetShape *shape,
                                          JmError *error);

/* Returns a row of topologies.def, in their order; NULL after the last. */
const NetTopology *net_topology_row(unsigned index);

/* Builds the graph of a specification that names a row of topologies.def. NULL and
 * `error`. */
NetGraph *net_topology_build(const char *specification, const NetParams *params,
                             JmError *error);

#endif
