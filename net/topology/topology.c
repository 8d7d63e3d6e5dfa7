/* The table of topologies, from topologies.def. */
#include "net/topology/topology.h"

static const NetTopology *const rows[] = {
#define NET_TOPOLOGY(name) &net_topology_##name,
#include "net/topology/topologies.def"
#undef NET_TOPOLOGY
};

NetGraph *net_topology_build(const char *specification, const NetParams *params,
                             JmError *error) {
    NetShape shape;
    const NetTopology *topology = net_specification_read(
        specification, rows, sizeof rows / sizeof rows[0], &shape, error);
    return topology ? topology->create(&shape, params, error) : NULL;
}
