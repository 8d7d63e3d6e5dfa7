/* Whether a run has settled: single queues whose mean wait is known, an independent
 * computation of the state, and a network whose sources are such queues. */
#include <math.h>
#include <stdio.h>

#include "net/traffic/window.h"
#include "rig.h"

enum { PARTS = NET_WINDOW_BATCHES * NET_WINDOW_PARTS, SOURCES = 16, SERVICE = 12 };

/* The messages sent and arrived in each part, and its cycles. */
typedef struct {
    double sent[PARTS], arrived[PARTS], time[PARTS];
    double cycles;
    NetSourceUse busiest;
} Counts;

/* ---- single queues --------------------------------------------------------------- */

static void count(double *parts, const Counts *c, double warmup, double at,
                  double value) {
    const double part = floor((at - warmup) / c->cycles * PARTS);
    if (part >= 0 && part < PARTS)
        parts[(unsigned)part] += value;
}

/* A queue with arrivals at random and a fixed service, from empty. */
static NetSourceUse run_source(Counts *c, double warmup, double load, JmRng *rng) {
    double now = 0, free = 0, busy = 0;
    NetSourceUse use = {0};
    for (;;) {
        now += net_traffic_exponential(rng, SERVICE / load);
        if (now >= warmup + c->cycles)
            break;
        const double start = fmax(now, free);
        free = start + SERVICE;
        count(c->sent, c, warmup, now, 1);
        count(c->arrived, c, warmup, free, 1);
        count(c->time, c, warmup, free, free - now);
        busy += fmax(0, fmin(free, warmup + c->cycles) - fmax(start, warmup));
        use.messages += free >= warmup && free < warmup + c->cycles;
    }
    use.busy_cycles = (uint64_t)busy;
    return use;
}

static Counts run_sources(double load, double cycles, uint64_t seed) {
    Counts c = {.cycles = 0.8 * cycles};
    JmRng rng = jm_rng(seed);
    for (unsigned i = 0; i < SOURCES; i++) {
        const NetSourceUse use = run_source(&c, 0.2 * cycles, load, &rng);
        if (use.busy_cycles > c.busiest.busy_cycles)
            c.busiest = use;
    }
    return c;
}

/* The verdict of a window with the same counts, as a whole or for the `batches`
 * completed by an interrupted run. */
static NetVerdict judge_part(const Counts *c, bool open, unsigned batches) {
    double ends[PARTS + 1][NET_WINDOW_COMMON] = {{0}};
    for (unsigned i = 0; i < PARTS; i++) {
        ends[i + 1][NET_WINDOW_SENT] = ends[i][NET_WINDOW_SENT] + c->sent[i];
        ends[i + 1][NET_WINDOW_ARRIVED] = ends[i][NET_WINDOW_ARRIVED] + c->arrived[i];
        ends[i + 1][NET_WINDOW_TIME] = ends[i][NET_WINDOW_TIME] + c->time[i];
    }
    const NetWindow window = {.cycles =
                                  (uint64_t)c->cycles * batches / NET_WINDOW_BATCHES,
                              .batches = batches,
                              .open = open,
                              .sums = NET_WINDOW_COMMON,
                              .done = PARTS + 1,
                              .ends = ends[0],
                              .busiest = c->busiest};
    return net_window_judge(&window);
}

static NetVerdict judge(const Counts *c, bool open) {
    return judge_part(c, open, NET_WINDOW_BATCHES);
}

/* ---- the second reckoning -------------------------------------------------------- */

static double mean_of(const double *x, unsigned n) {
    double sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += x[i];
    return sum / n;
}

/* Sum of the products of what two values, `lag` apart, are off the mean. */
static double moment(const double *x, unsigned n, unsigned lag) {
    double sum = 0;
    for (unsigned i = 0; i + lag < n; i++)
        sum += (x[i] - mean_of(x, n)) * (x[i + lag] - mean_of(x, n));
    return sum;
}

static void join(double *x, unsigned n) {
    for (unsigned i = 0; i < n / 2; i++)
        x[i] = x[2 * i] + x[2 * i + 1];
}

typedef struct {
    NetRunState state;
    double half_width, trend, needed;
} Reckoned;

static double student(unsigned n) {
    return n == 20    ? 2.093
           : n == 40  ? 2.023
           : n == 80  ? 1.990
           : n == 160 ? 1.975
                      : 1.967;
}

/* Slope of the straight line through 20 values, in its standard errors. */
static double trend(const double *x) {
    double slope = 0, left = 0;
    for (unsigned i = 0; i < 20; i++)
        slope += (i - 9.5) * x[i] / 665;
    for (unsigned i = 0; i < 20; i++)
        left += pow(x[i] - mean_of(x, 20) - slope * (i - 9.5), 2);
    return slope / sqrt(left / 18 / 665);
}

static Reckoned reckon(const Counts *c, bool open) {
    Counts joined = *c;
    double mean[PARTS], left[20];
    Reckoned found = {.state = NET_RUN_CORRELATED};
    bool sure = false;
    for (unsigned n = PARTS; n >= 20; n /= 2) {
        for (unsigned i = 0; i < n; i++)
            mean[i] = joined.time[i] / joined.arrived[i];
        const double r = moment(mean, n, 1) / moment(mean, n, 0);
        const double s = sqrt(moment(mean, n, 0) / (n - 1)), positive = fmax(r, 0);
        if (!sure)
            found.half_width =
                student(n) * s / sqrt(n) * sqrt((1 + positive) / (1 - positive));
        sure = sure || r <= 1.64 / sqrt(n);
        if (n == 20)
            break;
        join(joined.sent, n);
        join(joined.arrived, n);
        join(joined.time, n);
    }
    for (unsigned i = 0; i < 20; i++)
        left[i] = joined.sent[i] - joined.arrived[i];
    const double missing = mean_of(left, 20), sent = mean_of(joined.sent, 20);
    const double u = (double)c->busiest.busy_cycles / c->cycles;
    const double S = (double)c->busiest.busy_cycles / (double)c->busiest.messages;
    if (sure)
        found.state = NET_RUN_SETTLED;
    found.needed = 20 * S / pow(1 - u, 2);
    if (c->cycles < found.needed)
        found.state = NET_RUN_SHORT;
    found.trend = trend(mean);
    if (found.trend > 3)
        found.state = NET_RUN_WARMING;
    if (open && missing > 0.01 * sent &&
        missing > 3 * sqrt(moment(left, 20, 0) / 19 / 20))
        found.state = NET_RUN_SATURATED;
    return found;
}

/* ---- what is expected of queues -------------------------------------------------- */

/* The mean wait is that of Pollaczek and Khinchine. Each state occurs; runs called
 * settled are so, and a queue close to its limit hardly ever is. */
Test(window, states_of_single_queues) {
    static const double loads[] = {0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.02};
    enum { LOADS = sizeof loads / sizeof loads[0], SEEDS = 8 };
    unsigned states[NET_RUN_SETTLED + 1] = {0}, hits = 0, settled_late = 0;
    for (unsigned i = 0; i < LOADS * 2 * SEEDS; i++) {
        const double load = loads[i / 2 / SEEDS], cycles = i % 2 ? 20000 : 100000;
        const Counts c = run_sources(load, cycles, i + 1);
        const NetVerdict verdict = judge(&c, true);
        const Reckoned wanted = reckon(&c, true);
        cr_assert_eq(verdict.state, wanted.state, "load %g, seed %u: %s, not %s", load,
                     i + 1, net_run_state_name(verdict.state),
                     net_run_state_name(wanted.state));
        states[verdict.state]++;
        cr_expect_eq(judge(&c, false).state, reckon(&c, false).state);
        if (load > 1)
            cr_expect_leq(verdict.state, NET_RUN_WARMING);
        if (verdict.state != NET_RUN_SETTLED)
            continue;
        const double half = student(verdict.latency.count) * verdict.latency.error;
        cr_expect_float_eq(half, wanted.half_width, 1e-9 * half);
        const double mean = mean_of(c.time, PARTS) / mean_of(c.arrived, PARTS);
        const double truth = SERVICE * (1 + load / 2 / (1 - load));
        hits += fabs(mean - truth) <= half;
        settled_late += load > 0.94;
    }
    for (unsigned state = NET_RUN_SATURATED; state <= NET_RUN_SETTLED; state++)
        cr_expect_gt(states[state], state == NET_RUN_CORRELATED ? 0 : 4, "%s: %u",
                     net_run_state_name(state), states[state]);
    cr_expect_gt(10 * hits, 9 * states[NET_RUN_SETTLED], "%u of %u", hits,
                 states[NET_RUN_SETTLED]);
    cr_expect_leq(settled_late, 2, "%u", settled_late);
}

/* Arbitrary random walks and drifts of the latency: near each limit both computations
 * agree. */
Test(window, states_of_any_counts) {
    unsigned states[NET_RUN_SETTLED + 1] = {0};
    JmRng rng = jm_rng(5);
    for (unsigned run = 0; run < 400; run++) {
        const double memory = (run % 5) / 4.0 * 0.999, drift = (run / 5 % 4) * 1e-3;
        const double lost = (run / 20 % 4) * 0.008;
        double walk = 0;
        Counts c = {.cycles = 32000, .busiest = {(run % 3) * 14500 + 100, 1000}};
        for (unsigned i = 0; i < PARTS; i++) {
            walk = memory * walk + net_traffic_uniform(&rng) - 0.5;
            c.sent[i] = 100 + floor(20 * net_traffic_uniform(&rng));
            c.arrived[i] = floor(c.sent[i] * (1 - lost * net_traffic_uniform(&rng)));
            c.time[i] = c.arrived[i] * (30 + walk + drift * i);
        }
        const NetVerdict verdict = judge(&c, run % 7 > 0);
        const Reckoned wanted = reckon(&c, run % 7 > 0);
        cr_assert_eq(verdict.state, wanted.state, "%u", run);
        const NetVerdict part = judge_part(&c, run % 7 > 0, 3 * NET_WINDOW_BATCHES);
        cr_expect(part.state == verdict.state && part.slope == verdict.slope &&
                      part.needed == verdict.needed && part.error == verdict.error &&
                      part.offered == verdict.offered &&
                      part.accepted == verdict.accepted,
                  "%u", run);
        states[verdict.state]++;
        if (verdict.state > NET_RUN_SATURATED)
            cr_expect_float_eq(verdict.slope / verdict.error, wanted.trend,
                               1e-6 * (1 + fabs(wanted.trend)));
        if (verdict.state > NET_RUN_WARMING)
            cr_expect_float_eq(verdict.needed, wanted.needed, 1e-9 * wanted.needed);
    }
    for (unsigned state = NET_RUN_SATURATED; state <= NET_RUN_SETTLED; state++)
        cr_expect_gt(states[state], 9, "%u: %u", state, states[state]);
}

Test(window, what_cannot_be_told_is_short) {
    Counts c = {.cycles = 32000, .busiest = {3000, 300}};
    cr_expect_eq(judge(&c, true).state, NET_RUN_SHORT); /* no message at all */
    for (unsigned i = 0; i < PARTS; i++) {
        c.sent[i] = c.arrived[i] = i % 16 == 3;
        c.time[i] = 20 * c.arrived[i];
    }
    NetVerdict verdict = judge(&c, true);
    cr_expect_eq(verdict.state, NET_RUN_SETTLED); /* one a batch, all alike */
    cr_expect(verdict.latency.count == 20 && verdict.latency.error == 0);
    c.sent[35] = c.arrived[35] = 0; /* a batch without one */
    cr_expect_eq(judge(&c, true).state, NET_RUN_SHORT);
}

/* ---- a network ------------------------------------------------------------------- */

/* The estimates of a window on two processors, recomputed from its sums: half an
 * interval needs both the error and the number of values it is from. */
static void look_at_estimates(const NetWindow *window) {
    const double *end = window->ends;
    const unsigned n = window->sums;
    NetEstimate parts[NET_VALUES], batches[NET_VALUES];
    Counts c = {.cycles = (double)(window->cycles - window->warmup),
                .busiest = window->busiest};
    double arrived[20] = {0}, time[20] = {0}, latency[20], rate[20];
    for (unsigned i = 0; i < PARTS; i++) {
        const double *from = &end[(size_t)n * i], *to = &end[(size_t)n * (i + 1)];
        c.sent[i] = to[NET_WINDOW_SENT] - from[NET_WINDOW_SENT];
        c.arrived[i] = to[NET_WINDOW_ARRIVED] - from[NET_WINDOW_ARRIVED];
        c.time[i] = to[NET_WINDOW_TIME] - from[NET_WINDOW_TIME];
        arrived[i / NET_WINDOW_PARTS] += c.arrived[i];
        time[i / NET_WINDOW_PARTS] += c.time[i];
    }
    for (unsigned i = 0; i < 20; i++) {
        latency[i] = time[i] / arrived[i];
        rate[i] = arrived[i] / (c.cycles / 20) / 2;
    }
    net_window_estimate(window, NET_ERROR_PARTS, parts);
    net_window_estimate(window, NET_ERROR_BATCHES, batches);
    const NetEstimate *found = &parts[NET_VALUE_LATENCY];
    const double half = reckon(&c, true).half_width;
    cr_expect_float_eq(student(found->count) * found->error, half, 1e-6 * half);
    cr_expect_gt(found->count, 20u);
    found = &batches[NET_VALUE_LATENCY];
    cr_expect(found->count == 20 &&
              fabs(found->error - sqrt(moment(latency, 20, 0) / 19 / 20)) < 1e-9);
    found = &batches[NET_VALUE_THROUGHPUT];
    cr_expect(found->count == 20 &&
              fabs(found->error - sqrt(moment(rate, 20, 0) / 19 / 20)) < 1e-12);
    cr_expect_float_eq(found->mean, mean_of(rate, 20), 1e-12);
    cr_expect_float_eq(parts[NET_VALUE_LATENCY].mean,
                       mean_of(c.time, PARTS) / mean_of(c.arrived, PARTS), 1e-9);
}

/* The latencies in the window are those of its sums. */
static void expect_latencies(const NetWindow *window) {
    const double *last = &window->ends[(size_t)window->sums * PARTS];
    const NetHistogram *found = window->latencies;
    cr_expect_eq((double)found->count,
                 last[NET_WINDOW_ARRIVED] - window->ends[NET_WINDOW_ARRIVED]);
    cr_expect_eq((double)found->sum,
                 last[NET_WINDOW_TIME] - window->ends[NET_WINDOW_TIME]);
    double offered = last[NET_WINDOW_SENT] - window->ends[NET_WINDOW_SENT];
    offered /= (double)(window->cycles - window->warmup);
    offered /= net_processor_count(window->net);
    cr_expect_float_eq(net_window_offered(window), offered, 1e-12);
    cr_expect(net_window_is_over(window));
}

/* Two nodes with a wire each way: each is a queue whose service is the length of a
 * message. What is said of the busiest is what its buffer shows between the cycles. */
static NetVerdict run_pair(double rate, uint64_t cycles,
                           void look(const NetWindow *window), NetWindow *window,
                           Load *load) {
    enum { NODES = 2 };
    char workload[64];
    uint64_t busy[NODES] = {0}, most = 0;
    Net *net = net_by("flow", "mesh=2x1",
                      "header_flits=1 flits_per_word=1 through=1 wire_turns=1 heads=1 "
                      "shared_wires=0 buffer_words=13");
    snprintf(workload, sizeof workload, "poisson,rate=%g,length=%d", rate, SERVICE);
    load_start(load, net, workload, 3);
    NetHistogram latencies = {.min = UINT64_MAX};
    *window = (NetWindow){.warmup = cycles / 5,
                          .cycles = cycles,
                          .batches = 20,
                          .backlog = 500,
                          .latencies = &latencies};
    cr_assert(net_window_create(window, net, &load->workload, load->traffic));
    while (net_window_note(window)) {
        for (unsigned i = 0; i < NODES; i++)
            busy[i] += net_now(net) >= window->warmup && net_places(net, 0)[i] > 0;
        load_run(load, 1);
    }
    const NetVerdict verdict = net_window_judge(window);
    for (unsigned i = 0; i < NODES; i++)
        most = busy[i] > most ? busy[i] : most;
    if (!window->full)
        cr_expect_eq(window->busiest.busy_cycles, most);
    cr_expect_eq(window->full, net_traffic_backlog(load->traffic) == 500);
    if (!window->full)
        expect_latencies(window);
    cr_expect(window->full || net_now(net) == cycles);
    if (look)
        look(window);
    return verdict;
}

Test(window, sources_of_a_network_are_such_queues) {
    static const double loads[] = {0.2, 0.5, 0.7};
    for (unsigned i = 0; i < 3; i++) {
        const double load = loads[i];
        NetWindow window;
        Load run;
        const NetVerdict verdict =
            run_pair(load / SERVICE, 400000, look_at_estimates, &window, &run);
        const double *last = &window.ends[(size_t)window.sums * PARTS];
        const double arrived =
            last[NET_WINDOW_ARRIVED] - window.ends[NET_WINDOW_ARRIVED];
        const double latency =
            (last[NET_WINDOW_TIME] - window.ends[NET_WINDOW_TIME]) / arrived;
        const double busy = (double)window.busiest.busy_cycles;
        cr_expect_eq(verdict.state, NET_RUN_SETTLED);
        cr_expect_float_eq(busy / 320000, load, 0.05 * load, "%g", busy / 320000);
        cr_expect_float_eq(busy, SERVICE * (double)window.busiest.messages, 30);
        cr_expect_float_eq(latency - SERVICE - 4, SERVICE * load / 2 / (1 - load),
                           0.05 * (latency - SERVICE), "%g: %g", load, latency);
        load_end(&run);
    }
}

Test(window, a_backlog_ends_a_run) {
    NetWindow window;
    Load load;
    cr_expect_eq(run_pair(1.3 / SERVICE, 400000, NULL, &window, &load).state,
                 NET_RUN_SATURATED);
    cr_expect(window.full);
    load_end(&load);
    cr_expect_eq(run_pair(1.08 / SERVICE, 60000, NULL, &window, &load).state,
                 NET_RUN_SATURATED);
    cr_expect_not(window.full);
    load_end(&load);
}

/* The counts of channels are those after the warm-up. */
Test(window, channels_count_in_it_alone) {
    enum { CHANNELS = 256 };
    NetChannelCounts before[CHANNELS], channels[CHANNELS];
    NetWindow window = {.warmup = 500,
                        .cycles = 2000,
                        .batches = 20,
                        .backlog = 500,
                        .channels = channels};
    Load load;
    load_start(&load, net_of("torus=4x4", ""), "pattern=uniform,rate=0.04,length=8", 1);
    cr_assert_leq(net_channel_count(load.net), CHANNELS);
    cr_assert(net_window_create(&window, load.net, &load.workload, load.traffic));
    for (; net_window_note(&window); load_run(&load, 1))
        for (uint32_t c = 0; c < net_channel_count(load.net); c++)
            if (net_now(load.net) == window.warmup)
                before[c] = net_channel_counts(load.net, c);
    net_window_count_channels(&window);
    for (uint32_t c = 0; c < net_channel_count(load.net); c++) {
        const NetChannelCounts after = net_channel_counts(load.net, c);
        cr_expect_eq(channels[c].messages, after.messages - before[c].messages);
        cr_expect_eq(channels[c].held_cycles,
                     after.held_cycles - before[c].held_cycles);
        cr_expect_eq(channels[c].wait_cycles,
                     after.wait_cycles - before[c].wait_cycles);
        cr_expect_eq(channels[c].flits, after.flits - before[c].flits);
    }
    load_end(&load);
}
