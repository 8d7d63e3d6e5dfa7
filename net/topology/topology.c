/* The table of topologies, from topologies.def. */
#include "net/topology/topology.h"

static const NetTopology *const rows[] = {
#define NET_TOPOLOGY(name) &net_topology_##name,
#include "net/topology/topologies.def"
#undef NET_TOPOLOGY
};

enum { ROWS = sizeof rows / sizeof rows[0] };

const NetTopology *net_topology_row(unsigned index) {
    return index < ROWS ? rows[index] : NULL;
}

bool net_specification_params(const char *specification, NetParams *params,
                              JmError *error) {
    NetShape shape;
    const NetTopology *topology =
        net_specification_read(specification, rows, ROWS, &shape, error);
    if (topology && topology->set_params)
        topology->set_params(params);
    return topology != NULL;
}

bool net_specification_machine(const char *specification, NetParams *params,
                               unsigned size[NET_DIMENSIONS], JmError *error) {
    NetShape shape;
    const NetTopology *topology =
        net_specification_read(specification, rows, ROWS, &shape, error);
    if (!topology)
        return false;
    if (!topology->set_machine_params)
        return jm_fail(error, NULL,
                       "'%s': a %s cannot take the place of the machine's mesh; "
                       "torus=XxYxZ can, and with ends=0 it is a mesh with lanes",
                       specification, topology->name);
    if (shape.sizes > NET_DIMENSIONS)
        return jm_fail(error, NULL, "'%s': a machine has at most %d dimensions",
                       specification, NET_DIMENSIONS);
    for (unsigned i = 0; i < NET_DIMENSIONS; i++)
        size[i] = i < shape.sizes ? shape.size[i] : 1;
    topology->set_machine_params(params);
    return true;
}

static NetGraph *build(const char *specification, unsigned priorities,
                       const NetParams *params, JmError *error) {
    NetShape shape;
    const NetTopology *topology =
        net_specification_read(specification, rows, ROWS, &shape, error);
    if (!topology)
        return NULL;
    shape.priorities = priorities;
    if (params && !params->shared_wires && !topology->shares_wires) {
        jm_fail(error, NULL, "shared_wires=0: '%s' has a wire each way as it is",
                specification);
        return NULL;
    }
    return topology->create(&shape, params, error);
}

NetGraph *net_topology_build(const char *specification, const NetParams *params,
                             JmError *error) {
    return build(specification, 1, params, error);
}

NetGraph *net_topology_build_machine(const char *specification, const NetParams *params,
                                     JmError *error) {
    return build(specification, NET_PRIORITIES, params, error);
}
