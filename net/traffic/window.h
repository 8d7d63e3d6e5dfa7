/* Measurements of a traffic run after its warm-up, and whether it has settled: sums in
 * batches give means, confidence intervals and a state. The rules are those of output
 * analysis by batch means (Law and Kelton, Simulation Modeling and Analysis, chapter
 * 9); their numbers were tried on single queues with a fixed service.
 *
 *     warm-up | batch 0          | batch 1          | ...
 *             | 16 parts         | 16 parts         |
 *
 * Batches show changes with time. Parts, joined pairwise until neighbours are no longer
 * alike, give the intervals. */
#ifndef JM_NET_TRAFFIC_WINDOW_H
#define JM_NET_TRAFFIC_WINDOW_H

#include "net/traffic/traffic.h"

enum {
    NET_WINDOW_BATCHES = 20, /* with fewer, no run counts as settled */
    NET_WINDOW_PARTS = 16,   /* of a batch */
    NET_WINDOW_BACKLOG = 10000
};

/* Sums over all traffic; those of the workload follow. */
enum {
    NET_WINDOW_SENT,
    NET_WINDOW_ARRIVED,
    NET_WINDOW_TIME, /* cycles from birth to arrival */
    NET_WINDOW_COMMON
};

typedef struct {
    uint64_t warmup, cycles; /* of the run; the window is [warmup, cycles) */
    unsigned batches;
    uint32_t backlog; /* queue length, in messages, that ends an open run */
    const Net *net;
    NetTraffic *traffic;
    const NetWorkload *rows; /* of its workload */
    bool open;               /* the workload is open */
    bool full;               /* a queue has reached `backlog` messages */
    bool locked;             /* messages wait for each other in a circle */
    unsigned sums;           /* of a part */
    unsigned done;           /* ends recorded */
    double *ends;            /* by part, and one for the start: the sums at its end */
    double *scratch;         /* room for the sums of a part */
    NetSourceUse busiest;    /* up to the last recorded end */
    NetHistogram *latencies; /* gets those of arrivals in the window; NULL: unwanted */
    NetChannelCounts *channels; /* by channel of the network; NULL: unwanted */
} NetWindow;

/* Prepares a window, with cycles, batches and backlog set, for a new run; its memory is
 * the traffic's. False: out of memory. */
bool net_window_create(NetWindow *window, const Net *net, const NetWorkload *rows,
                       NetTraffic *traffic);

/* The cycle in which part `part` ends; 0: the warm-up. */
uint64_t net_window_end(const NetWindow *window, unsigned part);
/* Records the sums if a part ends now. To be called before the first cycle and after
 * each. False: the run is over, because of its last cycle, its backlog or a
 * deadlock. */
bool net_window_note(NetWindow *window);
/* Whether the run is over. */
bool net_window_is_over(const NetWindow *window);
/* Returns the traffic sent in the batches measured in full, in messages a cycle and
 * processor; NaN if there is no such batch. */
double net_window_offered(const NetWindow *window);
/* The cycles of the window that are done. */
uint64_t net_window_done(const NetWindow *window);
/* Sets `channels`, if any, to what they have counted in these cycles. To be called
 * once. */
void net_window_count_channels(NetWindow *window);
/* Number of batches measured in full. */
unsigned net_window_measured(const NetWindow *window);
/* The uncertainty of a mean of `count` values (joined parts) whose neighbours have the
 * correlation `r`. `known`: all are numbers, and there are enough. */
typedef struct {
    unsigned count;
    double mean, r, variance;
    double error;      /* the standard error of the mean */
    bool known, alike; /* alike: still correlated after the last join */
} NetSpread;

/* In order of precedence: a run has the first state whose rule holds. */
typedef enum {
    NET_RUN_DEADLOCKED, /* its window is `locked` */
    NET_RUN_SATURATED,  /* accepts less than is offered */
    NET_RUN_WARMING,    /* latency still grows */
    NET_RUN_SHORT,      /* for the memory of its busiest source */
    NET_RUN_CORRELATED, /* even its batches are correlated */
    NET_RUN_SETTLED
} NetRunState;

/* A state with the figures it rests on. */
typedef struct {
    NetRunState state;
    double offered, accepted; /* messages a cycle */
    double slope, error;      /* cycles of latency a cycle, and its standard error */
    double needed;            /* cycles of a sufficient window */
    NetSpread latency;
} NetVerdict;

/* Judges the completed batches: a run that was cut short counts as a shorter run. */
NetVerdict net_window_judge(const NetWindow *window);
const char *net_run_state_name(NetRunState state);

/* Indices of the values of a run: two that every workload has, then the workload's
 * own. */
enum {
    NET_VALUE_LATENCY,
    NET_VALUE_THROUGHPUT, /* messages a cycle and processor */
    NET_VALUE_OWN,
    NET_VALUES = NET_VALUE_OWN + 16 /* at most */
};

/* A mean over the measured cycles; NaN: it has none. `error` is its standard error from
 * `count` values: half the 95 % interval is Student's t times `error`. `error` is NaN
 * if it is unknown; also if all values are 0, since they do not show how certain 0
 * is. */
typedef struct {
    double mean, error;
    unsigned count;
} NetEstimate;

/* Where the errors come from. */
typedef enum {
    NET_ERROR_PARTS,  /* independent parts of a run that has settled; extremes over
                       * processors have none, since those of parts lie further out */
    NET_ERROR_BATCHES /* the batches, as if they were independent */
} NetErrorSource;

/* Estimates all values. */
void net_window_estimate(const NetWindow *window, NetErrorSource source,
                         NetEstimate estimates[NET_VALUES]);
/* Writes a value for each processor. False: the workload has none, or there is no
 * batch. */
bool net_window_map(const NetWindow *window, double *values);

#endif
