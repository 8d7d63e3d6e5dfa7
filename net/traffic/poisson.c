/* Fixed-length messages between processors, born at random times (Quaglia, Ciciani and
 * Colajanni 2002, section 4): an open workload. */
#include <math.h>
#include <stdlib.h>

#include "net/traffic/traffic.h"

enum { RATE, LENGTH, HOT_SHARE, HOT };

static const char qu[] = "Quaglia, Ciciani and Colajanni 2002, tables 1 and 2";

static const NetWorkloadOption options[] = {
    {"rate", 0.001, 1e-9, 1, false, "messages that a node sends a cycle", qu},
    {"length", 12, NET_TRAFFIC_MIN_FLITS, NET_TRAFFIC_MAX_FLITS, true,
     "flits of a message", qu},
    {"f_hot", 0, 0, 1, false, "share of the others' messages that go to node `hot`",
     "choice, as in Adve and Vernon 1994"},
    {"hot", 0, 0, 1e6, true, "that node", "choice"},
    {0},
};

enum { LATENCY, THROUGHPUT, OFFERED };

/* The two cycles spent at the ends are not counted: tables 1 and 2 extrapolate to
 * that. */
enum { END_CYCLES = 2 };

static const NetMeasure measures[] = {
    {"mean_latency", "cycles",
     "from birth to arrival, without the cycles of source and last channel", false},
    {"messages_arrived", "messages/cycle/node", "throughput", false},
    {"messages_sent", "messages/cycle/node", "what was offered", false},
    {0},
};

enum { CYCLES, ARRIVED, TIME, SENT, SUMS };

enum { GROUP = 8 }; /* nodes; most cycles examine no group's nodes */

typedef struct {
    double rate, hot_share;
    unsigned length;
    uint32_t nodes, hot;
    double *due;      /* by node: when its next message is born */
    double *earliest; /* by group: of its nodes */
    double sums[SUMS];
} Poisson;

/* Draws a destination for node `number`. The hot node itself sends as if no node were
 * hot. */
static uint32_t other_node(const Poisson *poisson, JmRng *rng, uint32_t number) {
    if (poisson->hot_share > 0 && number != poisson->hot &&
        net_traffic_uniform(rng) < poisson->hot_share)
        return poisson->hot;
    const uint32_t other = jm_rng_below(rng, poisson->nodes - 1);
    return other + (other >= number);
}

static uint32_t groups(const Poisson *poisson) {
    return (poisson->nodes + GROUP - 1) / GROUP;
}

static uint32_t group_end(const Poisson *poisson, uint32_t group) {
    const uint32_t end = (group + 1) * GROUP;
    return end < poisson->nodes ? end : poisson->nodes;
}

static void find_earliest(Poisson *poisson, uint32_t group) {
    const uint32_t end = group_end(poisson, group);
    double earliest = INFINITY;
    for (uint32_t i = group * GROUP; i < end; i++)
        if (poisson->due[i] < earliest)
            earliest = poisson->due[i];
    poisson->earliest[group] = earliest;
}

/* Sends the next message of a node. */
static bool send_next(Poisson *poisson, NetTraffic *traffic, uint32_t number) {
    JmRng *rng = net_traffic_rng(traffic);
    const uint32_t to = other_node(poisson, rng, number);
    poisson->due[number] += net_traffic_exponential(rng, 1 / poisson->rate);
    poisson->sums[SENT]++;
    return net_traffic_send(traffic, number, to, poisson->length, 0);
}

/* Sends all messages born in a cycle; one due between two cycles waits for the next.
 * Interarrival times are exponential, so several may be due at once. */
static bool cycle(void *self, NetTraffic *traffic, uint64_t now) {
    Poisson *poisson = self;
    const double born = (double)(now + 1);
    const uint32_t count = groups(poisson);
    for (uint32_t group = 0; group < count; group++) {
        if (poisson->earliest[group] > born)
            continue;
        const uint32_t end = group_end(poisson, group);
        for (uint32_t i = group * GROUP; i < end; i++)
            while (poisson->due[i] <= born)
                if (!send_next(poisson, traffic, i))
                    return false;
        find_earliest(poisson, group);
    }
    return true;
}

static bool arrived(void *self, NetTraffic *traffic, const NetArrival *message,
                    uint64_t now) {
    Poisson *poisson = self;
    (void)traffic;
    poisson->sums[ARRIVED]++;
    poisson->sums[TIME] += (double)(now - message->born - END_CYCLES);
    return true;
}

static unsigned counters(const void *self) {
    (void)self;
    return SUMS;
}

static void count(const void *self, uint64_t now, double *sums) {
    const Poisson *poisson = self;
    for (unsigned i = 0; i < SUMS; i++)
        sums[i] = poisson->sums[i];
    sums[CYCLES] = (double)now;
}

/* Values are per node and cycle; NaN if no message has arrived. */
static void measure(const void *self, const double *sums, double *values) {
    const Poisson *poisson = self;
    const double node_cycles = sums[CYCLES] * poisson->nodes;
    values[LATENCY] = sums[TIME] / sums[ARRIVED];
    values[THROUGHPUT] = sums[ARRIVED] / node_cycles;
    values[OFFERED] = sums[SENT] / node_cycles;
}

static void destroy(void *self) {
    Poisson *poisson = self;
    free(poisson->due);
    free(poisson->earliest);
    free(poisson);
}

static bool allocate(Poisson *poisson, uint32_t nodes) {
    poisson->nodes = nodes;
    poisson->due = malloc(nodes * sizeof *poisson->due);
    poisson->earliest = malloc(groups(poisson) * sizeof *poisson->earliest);
    return poisson->due && poisson->earliest;
}

/* First births are drawn like all others, so that nodes do not start together. */
static void *create(NetTraffic *traffic, const double *values, JmError *error) {
    const uint32_t nodes = net_traffic_processors(traffic);
    if (nodes < 2) {
        jm_fail(error, NULL, "messages to others need two nodes, there is one");
        return NULL;
    }
    if (values[HOT] >= nodes) {
        jm_fail(error, NULL, "hot=%g: the last of %u nodes is %u", values[HOT], nodes,
                nodes - 1);
        return NULL;
    }
    const unsigned length = (unsigned)values[LENGTH];
    if (!net_traffic_fits(traffic, &length, 1, error))
        return NULL;
    Poisson *poisson = calloc(1, sizeof *poisson);
    if (!poisson || !allocate(poisson, nodes)) {
        if (poisson)
            destroy(poisson);
        jm_fail_memory(error, NULL, "no memory for %u nodes", nodes);
        return NULL;
    }
    poisson->rate = values[RATE];
    poisson->hot_share = values[HOT_SHARE];
    poisson->hot = (uint32_t)values[HOT];
    poisson->length = length;
    for (uint32_t i = 0; i < nodes; i++)
        poisson->due[i] =
            net_traffic_exponential(net_traffic_rng(traffic), 1 / poisson->rate);
    for (uint32_t group = 0; group < groups(poisson); group++)
        find_earliest(poisson, group);
    return poisson;
}

static void archive_workload(void *self, Archive *a) {
    Poisson *poisson = self;
    for (unsigned i = 0; i < SUMS; i++)
        net_traffic_archive_real(a, &poisson->sums[i]);
    for (uint32_t i = 0; i < poisson->nodes && archive_good(a); i++) {
        net_traffic_archive_real(a, &poisson->due[i]);
        archive_demand(a, poisson->due[i] >= 0);
    }
    for (uint32_t group = 0; group < groups(poisson); group++)
        find_earliest(poisson, group);
}

const NetWorkload net_workload_poisson = {
    .name = "poisson",
    .text = "messages at random times to random nodes (Quaglia and others)",
    .open = true,
    .options = options,
    .measures = measures,
    .create = create,
    .destroy = destroy,
    .cycle = cycle,
    .arrived = arrived,
    .counters = counters,
    .count = count,
    .measure = measure,
    .archive = archive_workload,
};
