/* Finds messages that wait for each other in a circle, and so forever. Clients that
 * build networks with circles (the parameter `circles`) include it in addition to
 * net.h. */
#ifndef JM_NET_CIRCLE_H
#define JM_NET_CIRCLE_H

#include "net/net.h"

/* Counts the messages of a circle into `count`, 0 if there is none: each waits for
 * channels that messages of the circle, or others that wait for it, hold. Writes a row
 * for each, in the order in which they wait: "message 17 (0,0 -> 0,2) holds 0,0 +X lane
 * 0, 0,1 +X lane 0; waits for 0,2 +X lane 0, held by message 4". `writer` may be NULL.
 * False: no memory. */
bool net_find_circle(const Net *net, uint32_t *count, NetRowWriter *writer,
                     void *context);

#endif
