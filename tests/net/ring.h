/* A builder outside net/: the example topology of net/README.md. */
#ifndef JM_TESTS_NET_RING_H
#define JM_TESTS_NET_RING_H

#include "net/graph/graph.h"

/* A ring of two nodes or more in which messages go one way. It has one channel for each
 * node, priority and wire, so that channels wait for each other in a cycle: use light
 * traffic only. NULL if out of memory. */
NetGraph *ring_create(uint32_t nodes);

#endif
