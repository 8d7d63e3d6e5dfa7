/* Walks the routes of a graph, and finds cycles of channels that would wait for each
 * other: without one, wormhole routing cannot deadlock (Dally and Seitz 1987). Internal
 * to net/. */
#ifndef JM_NET_GRAPH_ROUTES_H
#define JM_NET_GRAPH_ROUTES_H

#include "net/graph/graph.h"

/* The steps of the routes walked so far. */
typedef struct {
    const NetGraph *graph;
    bool *used; /* by place in graph->feeders: some route goes this way */
} NetRoutes;

/* Starts with no route walked. `used` is NULL if out of memory. */
NetRoutes net_routes_create(const NetGraph *graph);
void net_routes_destroy(NetRoutes *routes);

/* Walks the route from one node to another at a priority. Returns the number of wires
 * it crosses, or NET_NONE and `error` if it does not end at its destination, goes to a
 * point that the previous one does not feed, or changes its priority. */
uint32_t net_routes_walk(NetRoutes *routes, uint32_t source, uint32_t destination,
                         unsigned priority, JmError *error);

/* Looks for a cycle of channels that wait for each other. True if there is none;
 * otherwise `error` names its channels. */
bool net_routes_have_no_circle(const NetRoutes *routes, JmError *error);

/* Walks every route of the graph, then looks for cycles. Takes time proportional to
 * nodes squared times the length of a route. */
bool net_graph_check_routes(const NetGraph *graph, JmError *error);

#endif
