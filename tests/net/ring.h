/* A builder from outside net/: the example of a topology that net/README.md follows. */
#ifndef JM_TESTS_NET_RING_H
#define JM_TESTS_NET_RING_H

#include "net/graph/graph.h"

/* A ring of two nodes or more in which messages go one way round. It has one channel
 * for each node, priority and wire, so that channels wait for each other in a circle:
 * good for light traffic only. NULL if there is no memory. */
NetGraph *ring_create(uint32_t nodes);

#endif
