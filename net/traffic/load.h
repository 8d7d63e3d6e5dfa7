/* A network under traffic, and the window that measures it, made from their
 * specifications. */
#ifndef JM_NET_TRAFFIC_LOAD_H
#define JM_NET_TRAFFIC_LOAD_H

#include "net/graph/loads.h"
#include "net/traffic/window.h"

typedef struct {
    const char *topology, *workload; /* specifications */
    NetParams params;
    uint32_t seed;
    Net *net;
    const NetWorkload *rows; /* the row of the workload */
    NetTraffic *traffic;
    NetWindow window;
} NetLoad;

/* Creates network, traffic and window. The first four fields are set, and cycles,
 * batches and backlog of the window; all else is 0. False and `error`: they do not fit
 * together, or memory has run out. net_load_destroy() is due in both cases. */
bool net_load_create(NetLoad *load, JmError *error);
/* Runs to cycle `until` or until the window ends, messages wait for each other in a
 * circle (`locked` of the window), or `stop`, which is called several times a second,
 * returns true; may be called again. False and `error`: memory has run out. */
bool net_load_run(NetLoad *load, uint64_t until, bool (*stop)(void *context),
                  void *context, JmError *error);
void net_load_destroy(NetLoad *load);

/* Finds how a workload, `pattern=NAME,...`, loads a graph's wires (net_graph_loads()),
 * and the flits of its messages on a network with these parameters. False and `error`
 * also if the graph has no such pattern. */
bool net_load_bound(const NetGraph *graph, const NetParams *params,
                    const char *workload, unsigned *flits, NetLoads *loads,
                    JmError *error);

#endif
