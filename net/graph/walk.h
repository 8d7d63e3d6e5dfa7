/* Walks all that messages may do on a graph whose heads may choose, and looks for
 * deadlock. Internal to net/. */
#ifndef JM_NET_GRAPH_WALK_H
#define JM_NET_GRAPH_WALK_H

#include "net/graph/graph.h"

/* Walks from every source of priority 0 to every terminal that can be reached, for all
 * that can be drawn. False and `error` if a point does not feed the one that a head
 * would go to, if a way does not end at its sink, or if channels may wait for each
 * other in a circle, which is then named.
 *
 * The condition is Duato's (1993): the channels that `next` gives are a way out for
 * every message wherever it is; they must not wait for each other in a circle, neither
 * one for the next nor by way of other channels between them. */
bool net_graph_check_walks(const NetGraph *graph, JmError *error);

#endif
