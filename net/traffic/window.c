/* Batches of a run, and the statistics drawn from them. */
#include "net/traffic/window.h"

#include <math.h>

/* ---- sums ------------------------------------------------------------------------ */

static unsigned parts_of(const NetWindow *window) {
    return NET_WINDOW_PARTS * window->batches;
}

static void allocate(Heap *heap, void *context) {
    NetWindow *window = context;
    const size_t ends = parts_of(window) + 1;
    window->ends = heap_doubles(heap, (ends + 1) * window->sums);
    window->scratch = window->ends + ends * window->sums;
}

bool net_window_create(NetWindow *window, const Net *net, const NetWorkload *rows,
                       NetTraffic *traffic) {
    window->net = net;
    window->traffic = traffic;
    window->rows = rows;
    window->sums = NET_WINDOW_COMMON + rows->counters(net_traffic_workload(traffic));
    window->open = rows->open;
    return heap_work(net_traffic_heap(traffic), allocate, window);
}

uint64_t net_window_end(const NetWindow *window, unsigned part) {
    return window->warmup + (window->cycles - window->warmup) * part / parts_of(window);
}

/* Sums are never reset: a part is the difference between two ends. */
static void note_end(NetWindow *window) {
    double *sums = &window->ends[(size_t)window->sums * window->done++];
    const NetTrafficCounts counts = net_traffic_counts(window->traffic);
    sums[NET_WINDOW_SENT] = (double)counts.sent;
    sums[NET_WINDOW_ARRIVED] = (double)counts.arrived;
    sums[NET_WINDOW_TIME] = counts.latency;
    window->rows->count(net_traffic_workload(window->traffic), net_now(window->net),
                        sums + NET_WINDOW_COMMON);
}

static void read_channels(NetWindow *window) {
    for (uint32_t i = 0; window->channels && i < net_channel_count(window->net); i++)
        window->channels[i] = net_channel_counts(window->net, i);
}

bool net_window_note(NetWindow *window) {
    const uint64_t now = net_now(window->net);
    while (window->done <= parts_of(window) &&
           now == net_window_end(window, window->done)) {
        if (window->done == 0) {
            net_traffic_begin(window->traffic);
            net_traffic_record(window->traffic, window->latencies);
            read_channels(window);
        }
        note_end(window);
        window->busiest = net_traffic_busiest(window->traffic);
    }
    window->full =
        window->open && net_traffic_backlog(window->traffic) >= window->backlog;
    return !net_window_is_over(window);
}

bool net_window_is_over(const NetWindow *window) {
    return net_now(window->net) >= window->cycles || window->full || window->locked;
}

unsigned net_window_measured(const NetWindow *window) {
    return window->done > 0 ? (window->done - 1) / NET_WINDOW_PARTS : 0;
}

static double measured_cycles(const NetWindow *window) {
    const unsigned parts = NET_WINDOW_PARTS * net_window_measured(window);
    return (double)(net_window_end(window, parts) - window->warmup);
}

/* The differences of the sums between the ends of two parts. */
static void take_sums(const NetWindow *window, unsigned from, unsigned to,
                      double *sums) {
    const double *first = &window->ends[(size_t)window->sums * from];
    const double *last = &window->ends[(size_t)window->sums * to];
    for (unsigned i = 0; i < window->sums; i++)
        sums[i] = last[i] - first[i];
}

static double difference(const NetWindow *window, unsigned sum, unsigned from,
                         unsigned to) {
    return window->ends[(size_t)window->sums * to + sum] -
           window->ends[(size_t)window->sums * from + sum];
}

uint64_t net_window_done(const NetWindow *window) {
    return window->done ? net_now(window->net) - window->warmup : 0;
}

void net_window_count_channels(NetWindow *window) {
    for (uint32_t i = 0; window->channels && i < net_channel_count(window->net); i++) {
        NetChannelCounts *before = &window->channels[i];
        const NetChannelCounts now = net_channel_counts(window->net, i);
        *before = window->done == 0
                      ? (NetChannelCounts){0}
                      : (NetChannelCounts){now.messages - before->messages,
                                           now.held_cycles - before->held_cycles,
                                           now.wait_cycles - before->wait_cycles,
                                           now.flits - before->flits};
    }
}

double net_window_offered(const NetWindow *window) {
    const unsigned parts = NET_WINDOW_PARTS * net_window_measured(window);
    return parts == 0 ? NAN
                      : difference(window, NET_WINDOW_SENT, 0, parts) /
                            measured_cycles(window) / net_processor_count(window->net);
}

/* ---- spread ---------------------------------------------------------------------- */

/* A value over the parts between two ends. */
typedef double PartValue(void *context, unsigned from, unsigned to);

/* Variance and lag-1 correlation of `count` values; 0 if all are equal but for the
 * rounding of their mean. */
static NetSpread spread_of(const NetWindow *window, unsigned count, PartValue *value,
                           void *context) {
    const unsigned parts = NET_WINDOW_PARTS * net_window_measured(window) / count;
    double mean = 0, squares = 0, products = 0, before = 0;
    for (unsigned i = 0; i < count; i++)
        mean += value(context, i * parts, (i + 1) * parts) / count;
    for (unsigned i = 0; i < count; i++) {
        const double off = value(context, i * parts, (i + 1) * parts) - mean;
        squares += off * off;
        products += off * before;
        before = off;
    }
    if (squares < count * pow(mean * 0x1p-40, 2))
        squares = products = 0;
    return (NetSpread){.count = count,
                       .mean = mean,
                       .r = squares > 0 ? products / squares : 0,
                       .variance = squares / (count - 1),
                       .error = sqrt(squares / (count - 1) / count),
                       .known = isfinite(squares)};
}

/* The standard error of the mean, widened by any correlation that remains. */
static double widened_error(const NetSpread *spread) {
    const double r = fmax(spread->r, 0);
    return sqrt(spread->variance) / sqrt(spread->count) * sqrt((1 + r) / (1 - r));
}

/* Joins parts until neighbours are no longer alike. */
static NetSpread joined_spread(const NetWindow *window, PartValue *value,
                               void *context) {
    NetSpread spread = {0};
    const unsigned batches = net_window_measured(window);
    if (batches < NET_WINDOW_BATCHES)
        return spread;
    for (unsigned count = NET_WINDOW_PARTS * batches; count >= batches; count /= 2) {
        spread = spread_of(window, count, value, context);
        spread.alike = spread.r > 1.64 / sqrt(count);
        if (spread.known && !spread.alike)
            break;
    }
    spread.error = widened_error(&spread);
    return spread;
}

/* ---- state ----------------------------------------------------------------------- */

static double latency(void *context, unsigned from, unsigned to) {
    const NetWindow *window = context;
    return difference(window, NET_WINDOW_TIME, from, to) /
           difference(window, NET_WINDOW_ARRIVED, from, to);
}

/* Whether the mean excess of offered over accepted traffic in the batches is above 3
 * standard errors and above 1 % of the offered traffic. */
static bool is_saturated(const NetWindow *window, NetVerdict *verdict) {
    const unsigned count = net_window_measured(window), end = NET_WINDOW_PARTS * count;
    double squares = 0;
    const double sent = difference(window, NET_WINDOW_SENT, 0, end);
    const double arrived = difference(window, NET_WINDOW_ARRIVED, 0, end);
    const double mean = (sent - arrived) / count;
    for (unsigned i = 0; i < count; i++) {
        const unsigned from = i * NET_WINDOW_PARTS, to = from + NET_WINDOW_PARTS;
        const double left = difference(window, NET_WINDOW_SENT, from, to) -
                            difference(window, NET_WINDOW_ARRIVED, from, to);
        squares += (left - mean) * (left - mean);
    }
    verdict->offered = sent / measured_cycles(window);
    verdict->accepted = arrived / measured_cycles(window);
    return window->open && mean > 3 * sqrt(squares / (count - 1) / count) &&
           mean > 0.01 * sent / count;
}

/* Fits a line to the batches' latencies: whether it rises by more than 3 of its
 * standard errors. */
static bool is_warming(const NetWindow *window, NetVerdict *verdict) {
    const unsigned count = net_window_measured(window);
    const double middle = (count - 1) / 2.0;
    double mean = 0, products = 0, times = 0, squares = 0;
    for (unsigned i = 0; i < count; i++)
        mean +=
            latency((void *)window, i * NET_WINDOW_PARTS, (i + 1) * NET_WINDOW_PARTS) /
            count;
    for (unsigned i = 0; i < count; i++) {
        const double off =
            latency((void *)window, i * NET_WINDOW_PARTS, (i + 1) * NET_WINDOW_PARTS) -
            mean;
        products += (i - middle) * off;
        times += (i - middle) * (i - middle);
        squares += off * off;
    }
    const double slope = products / times;
    const double left = fmax(squares - slope * products, 0);
    const double cycles = measured_cycles(window) / count;
    verdict->slope = slope / cycles;
    verdict->error = sqrt(left / (count - 2.0) / times) / cycles;
    return verdict->slope > 3 * verdict->error;
}

/* The window must be 20 times as long as the memory of a queue like the busiest source:
 * S / (1 - u)^2. A batch without messages is always too short. */
static bool is_short(const NetWindow *window, NetVerdict *verdict) {
    const double cycles = measured_cycles(window);
    const double used = (double)window->busiest.busy_cycles / cycles;
    const double service =
        (double)window->busiest.busy_cycles / (double)window->busiest.messages;
    verdict->needed = 20 * service / ((1 - used) * (1 - used));
    return cycles < verdict->needed || !verdict->latency.known;
}

NetVerdict net_window_judge(const NetWindow *window) {
    NetVerdict verdict = {.state = NET_RUN_SETTLED};
    verdict.latency = joined_spread(window, latency, (void *)window);
    if (window->locked)
        verdict.state = NET_RUN_DEADLOCKED;
    else if (window->full)
        verdict.state = NET_RUN_SATURATED;
    else if (net_window_measured(window) < NET_WINDOW_BATCHES)
        verdict.state = NET_RUN_SHORT;
    else if (is_saturated(window, &verdict))
        verdict.state = NET_RUN_SATURATED;
    else if (is_warming(window, &verdict))
        verdict.state = NET_RUN_WARMING;
    else if (is_short(window, &verdict))
        verdict.state = NET_RUN_SHORT;
    else if (verdict.latency.alike)
        verdict.state = NET_RUN_CORRELATED;
    return verdict;
}

const char *net_run_state_name(NetRunState state) {
    static const char *const names[] = {"deadlocked", "saturated",  "warming",
                                        "short",      "correlated", "settled"};
    return names[state];
}

/* ---- estimates ------------------------------------------------------------------- */

/* A value of a window. */
typedef struct {
    const NetWindow *window;
    unsigned index;
} Measured;

/* All values between two ends. */
static void measure(const NetWindow *window, unsigned from, unsigned to,
                    double values[NET_VALUES]) {
    double *sums = window->scratch;
    const double cycles =
        (double)(net_window_end(window, to) - net_window_end(window, from));
    take_sums(window, from, to, sums);
    const double arrived = sums[NET_WINDOW_ARRIVED];
    values[NET_VALUE_LATENCY] = sums[NET_WINDOW_TIME] / arrived;
    values[NET_VALUE_THROUGHPUT] = arrived / cycles / net_processor_count(window->net);
    window->rows->measure(net_traffic_workload(window->traffic),
                          sums + NET_WINDOW_COMMON, values + NET_VALUE_OWN);
}

static double value_of(void *context, unsigned from, unsigned to) {
    const Measured *m = context;
    double values[NET_VALUES];
    measure(m->window, from, to, values);
    return values[m->index];
}

static NetEstimate estimate(Measured *m, NetErrorSource source, double mean) {
    const NetMeasure *rows = m->window->rows->measures;
    const bool joins = source == NET_ERROR_PARTS;
    const unsigned batches = net_window_measured(m->window);
    NetEstimate found = {mean, NAN, batches};
    if (batches < 2 ||
        (joins && m->index >= NET_VALUE_OWN && rows[m->index - NET_VALUE_OWN].extreme))
        return found;
    const NetSpread s = joins ? joined_spread(m->window, value_of, m)
                              : spread_of(m->window, batches, value_of, m);
    found.count = s.count;
    if (s.known && s.mean != 0)
        found.error = s.error;
    return found;
}

void net_window_estimate(const NetWindow *window, NetErrorSource source,
                         NetEstimate estimates[NET_VALUES]) {
    const unsigned parts = NET_WINDOW_PARTS * net_window_measured(window);
    Measured m = {window, 0};
    double all[NET_VALUES];
    for (unsigned i = 0; i < NET_VALUES; i++)
        all[i] = NAN;
    if (parts > 0)
        measure(window, 0, parts, all);
    for (; m.index < NET_VALUE_OWN ||
           window->rows->measures[m.index - NET_VALUE_OWN].name;
         m.index++)
        estimates[m.index] = estimate(&m, source, all[m.index]);
}

bool net_window_map(const NetWindow *window, double *values) {
    const unsigned parts = NET_WINDOW_PARTS * net_window_measured(window);
    if (!parts || !window->rows->map)
        return false;
    take_sums(window, 0, parts, window->scratch);
    window->rows->map(net_traffic_workload(window->traffic),
                      window->scratch + NET_WINDOW_COMMON, values);
    return true;
}
