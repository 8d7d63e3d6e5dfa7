/* A network under traffic, and the window that measures it, made from their
 * specifications. */
#ifndef JM_NET_TRAFFIC_LOAD_H
#define JM_NET_TRAFFIC_LOAD_H

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

/* Returns the interval, in cycles, at which to check the clock and signals: a small
 * part of a second. */
unsigned net_load_glance(const NetLoad *load);

/* Creates network, traffic and window. The first four fields are set, and cycles,
 * batches and backlog of the window; all else is 0. False and `error`: they do not fit
 * together, or memory has run out. net_load_destroy() is due in both cases. */
bool net_load_create(NetLoad *load, JmError *error);
/* Looks for messages that wait for each other in a circle, and so forever, and sets
 * `locked` of the window; only in a network that may have them. Where heads choose
 * their channels, and without the parameter `circles`, it does not look while something
 * moves, unless the run is `over`. False and `error`: memory has run out. */
bool net_load_look(NetLoad *load, bool over, JmError *error);
/* Runs until the window ends, the network is locked, or `stop`, which is called several
 * times a second, returns true. False and `error`: memory has run out. */
bool net_load_run(NetLoad *load, bool (*stop)(void *context), void *context,
                  JmError *error);
void net_load_destroy(NetLoad *load);

#endif
