/* Traffic of abstract processors on any network, and the workloads that make it. A
 * client: uses net.h alone.
 *
 * Each processor has as many terminals as its network gives it, with a queue of whole
 * messages without limit in front of each. In cycle t
 *
 *     the workload     is told of what has arrived, and sends what is born in t + 1
 *     the terminals    offer their buffers what they have room for
 *     the network      does cycle t
 *
 * so that a message born at t + 1 may leave in cycle t + 1, and one whose tail is
 * ejected in cycle t has arrived at t + 1. Cycles are those of net_now(). */
#ifndef JM_NET_TRAFFIC_TRAFFIC_H
#define JM_NET_TRAFFIC_TRAFFIC_H

#include "emu/core/rng.h"
#include "net/net.h"

/* Flits of a message, its header included. */
enum { NET_TRAFFIC_MIN_FLITS = 2, NET_TRAFFIC_MAX_FLITS = 60 };

typedef struct NetTraffic NetTraffic;

/* A message that has arrived. */
typedef struct {
    uint32_t from, to; /* processors */
    uint32_t terminal; /* that it left */
    uint32_t flits;
    uint64_t tag; /* as it was sent */
    uint64_t born, arrived;
} NetArrival;

typedef struct {
    const char *name;
    double standard, low, high;
    bool whole; /* only integers */
    const char *text, *source;
} NetWorkloadOption;

typedef struct {
    const char *name, *unit, *text;
    bool extreme; /* over processors: that of a period is not the mean of its parts' */
} NetMeasure;

enum { NET_WORKLOAD_OPTIONS = 16 };

/* What the processors do. Functions that return bool fail for want of memory alone. */
typedef struct {
    const char *name, *text;
    bool open; /* messages are born whether or not others have arrived */
    const NetWorkloadOption *options; /* ends with a row without a name */
    const NetMeasure *measures;       /* the same */
    /* `values` are by place in `options`, in range. NULL and `error`: no memory, or
     * they do not fit the network. */
    void *(*create)(NetTraffic *traffic, const double *values, JmError *error);
    void (*destroy)(void *self);
    bool (*cycle)(void *self, NetTraffic *traffic, uint64_t now);
    bool (*arrived)(void *self, NetTraffic *traffic, const NetArrival *message,
                    uint64_t now);
    /* Sums from the start to `now`, and how many there are. The differences over a
     * period give its measures; one that cannot be told is NaN. */
    unsigned (*counters)(const void *self);
    void (*count)(const void *self, uint64_t now, double *sums);
    void (*measure)(const void *self, const double *sums, double *values);
    void (*archive)(void *self, Archive *archive);
    /* The main measure of each processor; NULL: it has none. */
    void (*map)(const void *self, const double *sums, double *values);
} NetWorkload;

#define NET_WORKLOAD(name) extern const NetWorkload net_workload_##name;
#include "net/traffic/workloads.def"
#undef NET_WORKLOAD

/* The rows of workloads.def in order; NULL behind the last. */
const NetWorkload *net_workload_row(unsigned index);

/* The workload of a specification, NAME[,OPTION=VALUE...], and its values. NULL and
 * `error` if it is not well formed or names what there is not. */
const NetWorkload *net_workload_read(const char *specification,
                                     double values[NET_WORKLOAD_OPTIONS],
                                     JmError *error);

/* Processors for `net`, which is new and outlives them. NULL and `error`, with the
 * parameters that help, if the network's buffers, header and words do not fit the
 * workload's messages; or if there is no memory. */
NetTraffic *net_traffic_create(Net *net, const NetWorkload *workload,
                               const double *values, uint64_t seed, JmError *error);
void net_traffic_destroy(NetTraffic *traffic); /* NULL is fine */

/* One cycle of processors and network. False if there is no memory for a message: both
 * can only be destroyed. */
bool net_traffic_step(NetTraffic *traffic);

/* What the traffic has counted of all messages so far. */
typedef struct {
    uint64_t sent, arrived;
    double latency; /* cycles from birth to arrival, summed over those that arrived */
} NetTrafficCounts;

NetTrafficCounts net_traffic_counts(const NetTraffic *traffic);
/* Messages that no buffer has taken yet. */
uint64_t net_traffic_queued(const NetTraffic *traffic);
/* Messages in the longest queue that there has been. */
uint32_t net_traffic_backlog(const NetTraffic *traffic);

/* How a source has been used since net_traffic_begin(): cycles at whose start it had a
 * message that was born, and messages that have arrived. */
typedef struct {
    uint64_t busy_cycles, messages;
} NetSourceUse;

void net_traffic_begin(NetTraffic *traffic);
/* Of the terminal with the most busy cycles. */
NetSourceUse net_traffic_busiest(const NetTraffic *traffic);
/* The workload's own state, for its functions. */
void *net_traffic_workload(NetTraffic *traffic);

/* For workloads, when they are created: whether messages of these lengths, header
 * included, are the network's header and whole words and fit a buffer. Else `error`
 * says which parameters make them fit. */
bool net_traffic_fits(const NetTraffic *traffic, const unsigned *flits, unsigned count,
                      JmError *error);
/* For workloads: sends a message that is born in the next cycle. */
bool net_traffic_send(NetTraffic *traffic, uint32_t from, uint32_t to, unsigned flits,
                      uint64_t tag);
JmRng *net_traffic_rng(NetTraffic *traffic);
const Net *net_traffic_net(const NetTraffic *traffic);
uint32_t net_traffic_processors(const NetTraffic *traffic);
/* The processor of that name (net_node_name()), or NET_NONE. */
uint32_t net_traffic_named(const NetTraffic *traffic, const char *name);
/* Processor behind a wire that leaves one, or NET_NONE. */
uint32_t net_traffic_neighbour(const NetTraffic *traffic, uint32_t processor,
                               unsigned dimension, bool up);

/* Random numbers: in [0, 1); whole, geometric with a mean above 1; and exponential. */
double net_traffic_uniform(JmRng *rng);
uint64_t net_traffic_geometric(JmRng *rng, double mean);
double net_traffic_exponential(JmRng *rng, double mean);

/* Saves the traffic and its network, or restores them into ones that were made alike.
 * A restored archive is checked; false: it is no state that they can be in, or there is
 * no memory. */
bool net_traffic_archive(NetTraffic *traffic, Archive *archive);
/* For workloads: a number with a fraction, as its bits. */
void net_traffic_archive_real(Archive *archive, double *value);

#endif
