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

NetGraph *net_topology_build(const char *specification, const NetParams *params,
                             JmError *error) {
    NetShape shape;
    const NetTopology *topology =
        net_specification_read(specification, rows, ROWS, &shape, error);
    if (!topology)
        return NULL;
    if (params && !params->shared_wires && !topology->shares_wires) {
        jm_fail(error, NULL, "shared_wires=0: '%s' has a wire each way as it is",
                specification);
        return NULL;
    }
    return topology->create(&shape, params, error);
}
