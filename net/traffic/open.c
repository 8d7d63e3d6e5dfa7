/* Open workloads: messages of one length, born by a random or regular process whether
 * or not others have arrived, to destinations by a pattern. `poisson` is that of
 * Quaglia, Ciciani and Colajanni 2002, section 4: a process and two patterns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "net/traffic/pattern.h"

/* ---- options --------------------------------------------------------------------- */

typedef enum { BERNOULLI, POISSON, PERIODIC, BURST } Process;

static const char patterns[] =
#define NET_PATTERN(name, text) "|" #name
#include "net/traffic/patterns.def"
#undef NET_PATTERN
    ;
static const char qu[] = "Quaglia, Ciciani and Colajanni 2002, tables 1 and 2";
static const char dally[] = "Dally and Towles 2004, chapters 3 and 24";

enum { P_PATTERN, P_RATE, P_LENGTH, P_PROCESS, P_BURST, P_HOT_SHARE, P_HOT, P_PERM };

static const NetOption pattern_options[] = {
    {"pattern", NET_PATTERN_uniform, 0, NET_PATTERNS - 1, NET_OPTION_WORD,
     "who sends to whom; `jm net list` ends with what each is", dally, patterns + 1},
    {"rate", 0.001, 1e-9, 1, NET_OPTION_REAL, "messages that a node sends a cycle",
     dally, NULL},
    {"length", 12, NET_TRAFFIC_MIN_FLITS, NET_TRAFFIC_MAX_FLITS, NET_OPTION_WHOLE,
     "flits of a message", "choice", NULL},
    {"process", BERNOULLI, 0, BURST, NET_OPTION_WORD,
     "when messages are born: in any cycle with the same chance; at exponential "
     "intervals; at equal ones; `burst` at once, at exponential intervals",
     dally, "bernoulli|poisson|periodic|burst"},
    {"burst", 8, 1, 1000, NET_OPTION_WHOLE, "messages of a burst", "choice", NULL},
    {"f_hot", 0.1, 0, 1, NET_OPTION_REAL,
     "share of messages that go to nodes `hot`, if the pattern is hotspot", "choice",
     NULL},
    {"hot", 0, 0, 1e6, NET_OPTION_TEXT, "those nodes, by number", "choice", "A;B;..."},
    {"perm", 1, 0, 1e9, NET_OPTION_WHOLE, "seed of the permutation", "choice", NULL},
    {0},
};

enum { Q_RATE, Q_LENGTH, Q_HOT_SHARE, Q_HOT };

static const NetOption poisson_options[] = {
    {"rate", 0.001, 1e-9, 1, NET_OPTION_REAL, "messages that a node sends a cycle", qu,
     NULL},
    {"length", 12, NET_TRAFFIC_MIN_FLITS, NET_TRAFFIC_MAX_FLITS, NET_OPTION_WHOLE,
     "flits of a message", qu, NULL},
    {"f_hot", 0, 0, 1, NET_OPTION_REAL,
     "share of the others' messages that go to node `hot`",
     "choice, as in Adve and Vernon 1994", NULL},
    {"hot", 0, 0, 1e6, NET_OPTION_WHOLE, "that node", "choice", NULL},
    {0},
};

/* ---- measures -------------------------------------------------------------------- */

enum { LATENCY, THROUGHPUT, OFFERED };

/* The two cycles spent at the ends are not counted: tables 1 and 2 extrapolate to
 * that. */
enum { END_CYCLES = 2 };

static const NetMeasure poisson_measures[] = {
    {"mean_latency", "cycles",
     "from birth to arrival, without the cycles of source and last channel", false},
    {"messages_arrived", "messages/cycle/node", "throughput", false},
    {"messages_sent", "messages/cycle/node", "what was offered", false},
    {0},
};

static const NetMeasure pattern_measures[] = {
    {"accepted_flits", "flits/cycle/node", "of messages that have arrived", false},
    {"offered_flits", "flits/cycle/node", "of messages that were born", false},
    {0},
};

enum { CYCLES, ARRIVED, TIME, SENT, SUMS };

enum { GROUP = 8 }; /* nodes; most cycles examine no group's nodes */

typedef struct {
    double rate; /* messages a cycle, of a node that sends */
    Process process;
    unsigned burst, length;
    uint32_t nodes;
    NetPattern pattern;
    double *due;      /* by node: when its next message is born; INFINITY: never */
    double *earliest; /* by group: of its nodes */
    double soonest;   /* of all groups */
    double sums[SUMS];
} Open;

/* ---- births ---------------------------------------------------------------------- */

/* Cycles from a birth to the next. */
static double draw_gap(const Open *open, JmRng *rng) {
    switch (open->process) {
    case BERNOULLI:
        return (double)net_traffic_geometric(rng, 1 / open->rate);
    case PERIODIC:
        return 1 / open->rate;
    default:
        return net_traffic_exponential(rng, open->burst / open->rate);
    }
}

/* The first birth, so that nodes do not start together. */
static double draw_first(const Open *open, JmRng *rng) {
    return open->process == PERIODIC ? net_traffic_uniform(rng) / open->rate
                                     : draw_gap(open, rng);
}

static uint32_t groups(const Open *open) {
    return (open->nodes + GROUP - 1) / GROUP;
}

static uint32_t group_end(const Open *open, uint32_t group) {
    const uint32_t end = (group + 1) * GROUP;
    return end < open->nodes ? end : open->nodes;
}

static void find_earliest(Open *open, uint32_t group) {
    const uint32_t end = group_end(open, group);
    double earliest = INFINITY;
    for (uint32_t i = group * GROUP; i < end; i++)
        if (open->due[i] < earliest)
            earliest = open->due[i];
    open->earliest[group] = earliest;
}

static void find_soonest(Open *open) {
    const uint32_t count = groups(open);
    double soonest = INFINITY;
    for (uint32_t group = 0; group < count; group++)
        if (open->earliest[group] < soonest)
            soonest = open->earliest[group];
    open->soonest = soonest;
}

/* Sends what a node has due: a message or a burst. */
static void send_next(Open *open, NetTraffic *traffic, uint32_t number) {
    JmRng *rng = net_traffic_rng(traffic);
    uint32_t to = net_pattern_draw(&open->pattern, rng, number);
    open->due[number] += draw_gap(open, rng);
    open->sums[SENT] += open->burst;
    net_traffic_send(traffic, number, to, open->length, 0);
    for (unsigned i = 1; i < open->burst; i++) {
        to = net_pattern_draw(&open->pattern, rng, number);
        net_traffic_send(traffic, number, to, open->length, 0);
    }
}

/* Sends what the nodes of a group have due. */
static void send_group(Open *open, NetTraffic *traffic, uint32_t group, double born) {
    const uint32_t end = group_end(open, group);
    for (uint32_t i = group * GROUP; i < end; i++)
        while (open->due[i] <= born)
            send_next(open, traffic, i);
    find_earliest(open, group);
}

/* Sends all messages born in a cycle; one due between two cycles waits for the next.
 * Intervals may be short, so several may be due at once. */
static void cycle(void *self, NetTraffic *traffic, uint64_t now) {
    Open *open = self;
    const double born = (double)(now + 1);
    if (open->soonest > born)
        return;
    const uint32_t count = groups(open);
    for (uint32_t group = 0; group < count; group++)
        if (open->earliest[group] <= born)
            send_group(open, traffic, group, born);
    find_soonest(open);
}

static void arrived(void *self, NetTraffic *traffic, const NetArrival *message,
                    uint64_t now) {
    Open *open = self;
    (void)traffic;
    open->sums[ARRIVED]++;
    open->sums[TIME] += (double)(now - message->born - END_CYCLES);
}

static unsigned counters(const void *self) {
    (void)self;
    return SUMS;
}

static void count(const void *self, uint64_t now, double *sums) {
    const Open *open = self;
    for (unsigned i = 0; i < SUMS; i++)
        sums[i] = open->sums[i];
    sums[CYCLES] = (double)now;
}

/* Values are per node and cycle; NaN if no message has arrived. */
static void measure_poisson(const void *self, const double *sums, double *values) {
    const Open *open = self;
    const double node_cycles = sums[CYCLES] * open->nodes;
    values[LATENCY] = sums[TIME] / sums[ARRIVED];
    values[THROUGHPUT] = sums[ARRIVED] / node_cycles;
    values[OFFERED] = sums[SENT] / node_cycles;
}

static void measure_pattern(const void *self, const double *sums, double *values) {
    const Open *open = self;
    const double node_cycles = sums[CYCLES] * open->nodes;
    values[0] = sums[ARRIVED] * open->length / node_cycles;
    values[1] = sums[SENT] * open->length / node_cycles;
}

/* ---- creation -------------------------------------------------------------------- */

static void start(Open *open, JmRng *rng) {
    for (uint32_t i = 0; i < open->nodes; i++)
        open->due[i] =
            net_pattern_sends(&open->pattern, i) ? draw_first(open, rng) : INFINITY;
    for (uint32_t group = 0; group < groups(open); group++)
        find_earliest(open, group);
    find_soonest(open);
}

/* Creates the workload of `plan`, and sets its nodes and pattern. */
static void *create_open(NetTraffic *traffic, const Open *plan,
                         const NetPatternPlan *pattern, JmError *error) {
    Heap *heap = net_traffic_heap(traffic);
    const NetGrid grid = net_traffic_grid(traffic);
    const uint32_t nodes = net_traffic_processors(traffic);
    Open *open = heap_copy(heap, plan, sizeof *plan);
    open->nodes = nodes;
    open->due = heap_alloc(heap, nodes * sizeof *open->due);
    open->earliest = heap_alloc(heap, groups(open) * sizeof *open->earliest);
    if (!net_pattern_create(heap, &open->pattern, pattern, nodes, &grid, error))
        return NULL;
    start(open, net_traffic_rng(traffic));
    return open;
}

static void *create_poisson(NetTraffic *traffic, const NetOptionValues *values,
                            JmError *error) {
    const double *number = values->number;
    const Open plan = {.rate = number[Q_RATE],
                       .process = POISSON,
                       .burst = 1,
                       .length =
                           net_traffic_flits(traffic, (unsigned)number[Q_LENGTH])};
    const NetPatternPlan pattern = {.kind = NET_PATTERN_hotspot,
                                    .hot_share = number[Q_HOT_SHARE],
                                    .hot = {(uint32_t)number[Q_HOT]},
                                    .hot_count = 1};
    return create_open(traffic, &plan, &pattern, error);
}

/* Options that only one pattern or process obeys must not be given with others. */
static bool check_given(const NetOptionValues *values, JmError *error) {
    const struct {
        unsigned option, chooses, needed;
    } rows[] = {{P_BURST, P_PROCESS, BURST},
                {P_HOT_SHARE, P_PATTERN, NET_PATTERN_hotspot},
                {P_HOT, P_PATTERN, NET_PATTERN_hotspot},
                {P_PERM, P_PATTERN, NET_PATTERN_randperm}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const NetOption *by = &pattern_options[rows[i].chooses];
        char word[NET_WORD_MAX];
        if (values->text[rows[i].option] &&
            (unsigned)values->number[rows[i].chooses] != rows[i].needed &&
            net_word_of(by->words, rows[i].needed, word))
            return jm_fail(error, NULL, "%s goes with %s=%s",
                           pattern_options[rows[i].option].name, by->name, word);
    }
    return true;
}

/* Reads "3;5;7" up to ',' or the end as the hot nodes of a plan. */
static bool read_hot(NetPatternPlan *plan, const char *text, JmError *error) {
    for (const char *at = text;; at++) {
        char *end;
        const unsigned long node = strtoul(at, &end, 10);
        if (*at < '0' || *at > '9' || node >= NET_NONE)
            return jm_fail(error, NULL,
                           "hot=%.*s: numbers of nodes are expected, such as 0;5",
                           (int)strcspn(text, ","), text);
        if (plan->hot_count == NET_PATTERN_HOT)
            return jm_fail(error, NULL, "hot: more than %d nodes", NET_PATTERN_HOT);
        for (unsigned i = 0; i < plan->hot_count; i++)
            if (plan->hot[i] == node)
                return jm_fail(error, NULL, "hot: node %lu is given twice", node);
        plan->hot[plan->hot_count++] = (uint32_t)node;
        if (*end == 0 || *end == ',')
            return true;
        if (*end != ';')
            return jm_fail(error, NULL, "hot: ';' is expected between nodes");
        at = end;
    }
}

bool net_pattern_plan(NetPatternPlan *plan, const NetOptionValues *values,
                      JmError *error) {
    const double *number = values->number;
    const char *hot = values->text[P_HOT];
    *plan = (NetPatternPlan){.kind = (NetPatternKind)number[P_PATTERN],
                             .seed = (uint32_t)number[P_PERM],
                             .hot_share = number[P_HOT_SHARE]};
    return check_given(values, error) && (!hot || read_hot(plan, hot, error));
}

/* Checks that a node's sources can send at this rate: each sends at most a flit a
 * cycle. */
static bool check_rate(const NetTraffic *traffic, double rate, unsigned length,
                       JmError *error) {
    const unsigned sources = net_traffic_sources(traffic);
    return rate * length <= sources ||
           jm_fail(error, NULL,
                   "rate=%g: with messages of %u flits a node would send %g flits a "
                   "cycle, and its sources give %u: give rate=%.3g or less",
                   rate, length, rate * length, sources,
                   floor(1000.0 * sources / length) / 1000);
}

static void *create_pattern(NetTraffic *traffic, const NetOptionValues *values,
                            JmError *error) {
    const double *number = values->number;
    const Open plan = {
        .rate = number[P_RATE],
        .process = (Process)number[P_PROCESS],
        .burst = number[P_PROCESS] == BURST ? (unsigned)number[P_BURST] : 1,
        .length = net_traffic_flits(traffic, (unsigned)number[P_LENGTH])};
    NetPatternPlan pattern;
    if (!net_pattern_plan(&pattern, values, error) ||
        !check_rate(traffic, plan.rate, plan.length, error))
        return NULL;
    return create_open(traffic, &plan, &pattern, error);
}

static void archive_workload(void *self, Archive *a) {
    Open *open = self;
    for (unsigned i = 0; i < SUMS; i++)
        net_traffic_archive_real(a, &open->sums[i]);
    for (uint32_t i = 0; i < open->nodes && archive_good(a); i++) {
        net_traffic_archive_real(a, &open->due[i]);
        archive_demand(a,
                       open->due[i] >= 0 && isfinite(open->due[i]) ==
                                                net_pattern_sends(&open->pattern, i));
    }
    for (uint32_t group = 0; group < groups(open); group++)
        find_earliest(open, group);
    find_soonest(open);
}

const NetWorkload net_workload_pattern = {
    .name = "pattern",
    .text = "messages of one length at random times, by a pattern of destinations",
    .open = true,
    .options = pattern_options,
    .measures = pattern_measures,
    .create = create_pattern,
    .cycle = cycle,
    .arrived = arrived,
    .counters = counters,
    .count = count,
    .measure = measure_pattern,
    .archive = archive_workload,
};

const NetWorkload net_workload_poisson = {
    .name = "poisson",
    .text = "messages at random times to random nodes (Quaglia and others)",
    .open = true,
    .options = poisson_options,
    .measures = poisson_measures,
    .create = create_poisson,
    .cycle = cycle,
    .arrived = arrived,
    .counters = counters,
    .count = count,
    .measure = measure_poisson,
    .archive = archive_workload,
};
