/* What a run of traffic measures behind its warm-up, and whether it has settled:
 * batches of sums, from which means, intervals and a state follow. The rules are those
 * of output analysis by batch means (Law and Kelton, Simulation Modeling and Analysis,
 * chapter 9); their numbers were tried on single queues with a fixed service.
 *
 *     warm-up | batch 0          | batch 1          | ...
 *             | 16 parts         | 16 parts         |
 *
 * Batches are for what changes with time; parts, joined two and two until neighbours
 * are no longer alike, are for the intervals. */
#ifndef JM_NET_TRAFFIC_WINDOW_H
#define JM_NET_TRAFFIC_WINDOW_H

#include "net/traffic/traffic.h"

enum {
    NET_WINDOW_BATCHES = 20, /* with fewer nothing is told settled */
    NET_WINDOW_PARTS = 16,   /* of a batch */
    NET_WINDOW_BACKLOG = 10000
};

/* Sums of all traffic; those of the workload follow. */
enum {
    NET_WINDOW_SENT,
    NET_WINDOW_ARRIVED,
    NET_WINDOW_TIME, /* cycles from birth to arrival */
    NET_WINDOW_COMMON
};

typedef struct {
    uint64_t warmup, cycles; /* of the run: the window lies between */
    unsigned batches;
    uint32_t backlog; /* messages in a queue that end an open run */
    const Net *net;
    NetTraffic *traffic;
    const NetWorkload *rows; /* of its workload */
    bool open;               /* the workload is */
    bool full;               /* a queue has had `backlog` messages */
    unsigned sums;           /* of a part */
    unsigned done;           /* ends that are known */
    double *ends;         /* by part, one more at the beginning: the sums at its end */
    NetSourceUse busiest; /* source, up to the last of these */
} NetWindow;

/* Prepares a window whose cycles, batches and backlog are set for a new run. False: no
 * memory. */
bool net_window_create(NetWindow *window, const Net *net, const NetWorkload *rows,
                       NetTraffic *traffic);
void net_window_destroy(NetWindow *window);

/* The cycle in which part `part` ends; 0: the warm-up. */
uint64_t net_window_end(const NetWindow *window, unsigned part);
/* Notes the sums if the present cycle is the end of a part. Before the first cycle and
 * after each. False: the run is over, with its cycles or a backlog. */
bool net_window_note(NetWindow *window);
/* Batches that have been measured from their beginning to their end. */
unsigned net_window_measured(const NetWindow *window);
/* The differences of the sums between the ends of two parts. */
void net_window_sums(const NetWindow *window, unsigned from, unsigned to, double *sums);

/* How sure a mean is: from `count` values, parts joined, whose neighbours have the
 * correlation `r`. `deviation`: standard, of the values. `known`: they are all numbers,
 * and enough. */
typedef struct {
    unsigned count;
    double r, deviation;
    bool known, alike; /* alike: correlated at the last */
} NetSpread;

/* A value of the parts between two ends. */
typedef double NetPartValue(void *context, unsigned from, unsigned to);
NetSpread net_window_spread(const NetWindow *window, NetPartValue *value,
                            void *context);
/* The standard error of the mean of all; what correlation is left widens it. */
double net_spread_error(const NetSpread *spread);

/* In order: a run has the first whose rule holds. */
typedef enum {
    NET_RUN_SATURATED,  /* accepts less than is offered */
    NET_RUN_WARMING,    /* its latency still grows */
    NET_RUN_SHORT,      /* for how long its busiest source remembers */
    NET_RUN_CORRELATED, /* even its batches are */
    NET_RUN_SETTLED
} NetRunState;

/* A state with the numbers behind it. */
typedef struct {
    NetRunState state;
    double offered, accepted; /* messages a cycle */
    double slope, error;      /* cycles of latency a cycle, and its standard error */
    double needed;            /* cycles of a window that is long enough */
    NetSpread latency;
} NetVerdict;

/* Of the batches that have been measured: a run that was cut short is a shorter one. */
NetVerdict net_window_judge(const NetWindow *window);
const char *net_run_state_name(NetRunState state);

#endif
