/* How a pattern of traffic loads the wires of a network whose messages have one route
 * each: the bound of its throughput. Dally and Towles 2004, 3.3. Internal to net/. */
#ifndef JM_NET_GRAPH_LOADS_H
#define JM_NET_GRAPH_LOADS_H

#include "net/graph/graph.h"

/* The share of a processor's messages that go to another one. */
typedef double NetShare(const void *pattern, uint32_t from, uint32_t to);

/* Flits a cycle if every processor that sends sends one a cycle. Header flits that are
 * dropped on the way do not load later wires. */
typedef struct {
    double *wire; /* by wire, to be freed */
    uint32_t fullest;
    double gamma; /* of the fullest wire, the first of several */
    double
        ends; /* of the processor that receives most, and at least 1, what it sends */
} NetLoads;

/* Walks all routes of messages of `flits` flits; the value drawn for a message takes
 * all values equally often. False and `error`: messages may choose between wires, or
 * memory has run out. */
bool net_graph_loads(const NetGraph *graph, NetShare *share, const void *pattern,
                     unsigned flits, NetLoads *loads, JmError *error);
/* Writes where a wire begins and its direction: "0,3 rows up", "1,2,0 +X". */
void net_graph_wire_name(const NetGraph *graph, uint32_t wire, char *text, size_t size);

#endif
