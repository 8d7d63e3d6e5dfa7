/* Traffic of abstract processors on any network, and the workloads that generate it. A
 * client: uses net.h alone.
 *
 * Each processor has as many terminals as its network gives it, each with an unbounded
 * queue of whole messages in front. In cycle t
 *
 *     the workload     receives arrivals, and sends messages born in t + 1
 *     the terminals    offer messages to buffers with room
 *     the network      performs cycle t
 *
 * so that a message born at t + 1 may leave in cycle t + 1, and one whose tail is
 * ejected in cycle t has arrived at t + 1. Cycles are those of net_now(). */
#ifndef JM_NET_TRAFFIC_TRAFFIC_H
#define JM_NET_TRAFFIC_TRAFFIC_H

#include "emu/core/heap.h"
#include "emu/core/rng.h"
#include "net/graph/options.h"
#include "net/net.h"

/* Flits that a workload may ask for in a message, its header included, and the most
 * that one may have when it is filled up to whole words. */
enum {
    NET_TRAFFIC_MIN_FLITS = 2,
    NET_TRAFFIC_MAX_FLITS = 60,
    NET_TRAFFIC_MOST_FLITS = NET_TRAFFIC_MAX_FLITS + NET_FLITS_PER_WORD
};

typedef struct NetTraffic NetTraffic;

/* A message that has arrived. */
typedef struct {
    uint32_t from, to; /* processors */
    uint32_t terminal; /* the one it left by */
    uint32_t flits;
    uint64_t tag; /* as given when it was sent */
    uint64_t born, arrived;
} NetArrival;

typedef struct {
    const char *name, *unit, *text;
    bool extreme; /* over processors: a period's value is not the mean of its parts' */
} NetMeasure;

/* A model of the processors. What it allocates is in the traffic's heap. */
typedef struct {
    const char *name, *text;
    bool open;                  /* births do not depend on arrivals */
    const NetOption *options;   /* ends with a row without a name */
    const NetMeasure *measures; /* ends with a row without a name */
    /* Called with all values in range. NULL and `error`: they do not fit the
     * network. */
    void *(*create)(NetTraffic *traffic, const NetOptionValues *values, JmError *error);
    void (*cycle)(void *self, NetTraffic *traffic, uint64_t now);
    void (*arrived)(void *self, NetTraffic *traffic, const NetArrival *message,
                    uint64_t now);
    /* Sums from the start to `now`, and their number. Differences over a period give
     * the period's measures; an undefined measure is NaN. */
    unsigned (*counters)(const void *self);
    void (*count)(const void *self, uint64_t now, double *sums);
    void (*measure)(const void *self, const double *sums, double *values);
    void (*archive)(void *self, Archive *archive);
    /* The main measure of each processor; NULL: none. */
    void (*map)(const void *self, const double *sums, double *values);
    /* Messages of a list that have not been born; NULL: there is no list. */
    size_t (*unborn)(const void *self);
} NetWorkload;

#define NET_WORKLOAD(name) extern const NetWorkload net_workload_##name;
#include "net/traffic/workloads.def"
#undef NET_WORKLOAD

/* The rows of workloads.def in order; NULL after the last. */
const NetWorkload *net_workload_row(unsigned index);

/* The workload of a specification, NAME[,OPTION=VALUE...], and its values, which refer
 * to the specification. If the first option has the workload's name, NAME=VALUE gives
 * both. NULL and `error` if it is malformed or contains an unknown name. */
const NetWorkload *net_workload_read(const char *specification, NetOptionValues *values,
                                     JmError *error);
/* The same of a workload that the specification names, which need not be of the
 * table. */
bool net_workload_values(const NetWorkload *workload, const char *specification,
                         NetOptionValues *values, JmError *error);
/* The option of that name; NULL: the workload has none. */
const NetOption *net_workload_option(const NetWorkload *workload, const char *name);
/* The value of an option, which the workload must have. */
double net_workload_value(const NetWorkload *workload, const NetOptionValues *values,
                          const char *option);

/* Creates processors for `net`, which must be new and outlive them. NULL and `error` if
 * memory runs out, or if the network's buffers, header and words do not fit the
 * workload's messages; the error then names parameters that fit. */
NetTraffic *net_traffic_create(Net *net, const NetWorkload *workload,
                               const NetOptionValues *values, uint64_t seed,
                               JmError *error);
void net_traffic_destroy(NetTraffic *traffic); /* NULL is ignored */

/* Performs one cycle of processors and network. False: out of memory; both can only be
 * destroyed. */
bool net_traffic_step(NetTraffic *traffic);

/* Totals over all messages so far. */
typedef struct {
    uint64_t sent, arrived;
    double latency; /* cycles from birth to arrival, summed over arrivals */
} NetTrafficCounts;

NetTrafficCounts net_traffic_counts(const NetTraffic *traffic);
/* The longest queue so far, in messages. */
uint32_t net_traffic_backlog(const NetTraffic *traffic);

/* How a source has been used since net_traffic_begin(): cycles that began with a
 * message born and not yet gone, and messages that have arrived. */
typedef struct {
    uint64_t busy_cycles, messages;
} NetSourceUse;

/* Adds the latencies of messages that arrive from here on to `latencies`, which is the
 * caller's and is not saved. */
void net_traffic_record(NetTraffic *traffic, NetHistogram *latencies);
void net_traffic_begin(NetTraffic *traffic);
/* The source with the most busy cycles. */
NetSourceUse net_traffic_busiest(const NetTraffic *traffic);
/* The workload's own state, for its functions. */
void *net_traffic_workload(NetTraffic *traffic);

/* The flits of a message of at least `flits` that is a header and whole words, of
 * `word` flits each. */
unsigned net_traffic_whole(unsigned header, unsigned word, unsigned flits);
/* The same in the network's format. */
unsigned net_traffic_flits(const NetTraffic *traffic, unsigned flits);
/* For workloads whose lengths are given, at creation: whether messages of these
 * lengths, header included, are the network's header and whole words. If not, `error`
 * names parameters that make them so. */
bool net_traffic_fits(const NetTraffic *traffic, const unsigned *flits, unsigned count,
                      JmError *error);
/* For workloads: sends a message born in the next cycle, of net_traffic_flits(). */
void net_traffic_send(NetTraffic *traffic, uint32_t from, uint32_t to, unsigned flits,
                      uint64_t tag);
JmRng *net_traffic_rng(NetTraffic *traffic);
Heap *net_traffic_heap(NetTraffic *traffic);
uint32_t net_traffic_processors(const NetTraffic *traffic);
NetGrid net_traffic_grid(const NetTraffic *traffic);
/* Flits that a processor can offer in a cycle: one for each of its terminals. */
uint32_t net_traffic_sources(const NetTraffic *traffic);
/* The processor with that name (net_node_name()), or NET_NONE. */
uint32_t net_traffic_named(const NetTraffic *traffic, const char *name);
/* The processor that a wire out of this one leads to, or NET_NONE. */
uint32_t net_traffic_neighbour(const NetTraffic *traffic, uint32_t processor,
                               unsigned dimension, bool up);

/* Random numbers: uniform in [0, 1); geometric integers with a mean above 1;
 * exponential. */
double net_traffic_uniform(JmRng *rng);
uint64_t net_traffic_geometric(JmRng *rng, double mean);
double net_traffic_exponential(JmRng *rng, double mean);

/* Saves the traffic and its network, or restores them into ones created alike. A
 * restored archive is checked; false: an impossible state, or out of memory. */
bool net_traffic_archive(NetTraffic *traffic, Archive *archive);
/* For workloads: a floating-point number, as its bits. */
void net_traffic_archive_real(Archive *archive, double *value);

#endif
