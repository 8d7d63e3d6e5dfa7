/* A node of abstract processors seen from outside: arrivals and the messages it
 * opens. */
#ifndef JM_TESTS_NET_WATCHED_H
#define JM_TESTS_NET_WATCHED_H

#include "net/traffic/processors.h"

enum { HOT = 1, LOAD = 6, WATCHED_MOST = 4000 };

/* All nodes send to one, which sends each message home: its queue fills. */
NetProcessorsPlan to_and_from_one(unsigned words);

/* A node seen from outside: of its messages of priority 0, where those that have come
 * began, and where those that it has opened go. */
typedef struct {
    Net *net;
    NetProcessors *processors;
    uint32_t node;
    unsigned load;
    uint32_t came[WATCHED_MOST], went[WATCHED_MOST];
    unsigned came_count, went_count;
    uint64_t opened[WATCHED_MOST]; /* cycles */
    bool is_open;
    unsigned here; /* messages that have come and whose service has not ended */
} Watched;

/* Watches the plan's hot node of a line of nodes. */
Watched watch(unsigned nodes, const NetProcessorsPlan *plan);
/* Runs a cycle. */
NetProcessorsState watched_cycle(Watched *watched);
/* Ends the run; returns its counts. */
NetProcessorsCounts unwatch(Watched *watched);

#endif
