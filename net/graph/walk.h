/* Walks all moves of messages on a graph, and looks for deadlock. Internal to net/. */
#ifndef JM_NET_GRAPH_WALK_H
#define JM_NET_GRAPH_WALK_H

#include "net/graph/graph.h"

/* Walks from every source to every terminal that can be reached, for every possible
 * draw. False and `error` if a point does not feed the one that a head would go to, if
 * a path changes its priority or does not end at its sink, or if channels may wait for
 * each other in a cycle, which is then named.
 *
 * For messages of one route the condition is Dally and Seitz's (1987), else Duato's
 * (1993): the channels that `next` gives are escape channels for every message wherever
 * it is; they must not wait for each other in a cycle, neither directly nor through
 * other channels between them. It is sufficient if a channel holds flits of one message
 * (the parameter `atomic`); otherwise a head may be behind another message in a channel
 * that is not an escape channel. */
bool net_graph_check_walks(const NetGraph *graph, JmError *error);
/* The same with all channels counted as escape channels: the condition then does not
 * depend on the contents of channels. */
bool net_graph_check_all_walks(const NetGraph *graph, JmError *error);
/* The name of a channel in such a report, "0,1 +X lane 0". */
void net_graph_channel_name(const NetGraph *graph, uint32_t channel, char *text,
                            size_t size);

#endif
