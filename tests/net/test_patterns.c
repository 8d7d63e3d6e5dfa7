/* Patterns and processes of open workloads, and tables of messages. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/traffic/pattern.h"
#include "rig.h"

enum { MOST_NODES = 64 };

/* A load, and of its messages that have arrived, by source: */
static struct {
    Load load;
    unsigned messages[MOST_NODES];
    uint32_t last[MOST_NODES]; /* its last destination */
    uint64_t born[MOST_NODES], took[MOST_NODES];
} run;

static void note(const NetArrival *message, uint64_t now) {
    cr_assert_neq(message->from, message->to);
    run.messages[message->from]++;
    run.last[message->from] = message->to;
    run.born[message->from] = message->born;
    run.took[message->from] = now - message->born;
}

static void start(const char *topology, const char *workload) {
    const bool mesh = strncmp(topology, "mesh", 4) == 0;
    memset(&run, 0, sizeof run);
    load_start_noted(&run.load, net_of(topology, mesh ? "header_flits=2" : ""),
                     workload, 1, note);
}

static void go(unsigned cycles) {
    load_run(&run.load, cycles);
}

static uint64_t sent(void) {
    return net_traffic_counts(run.load.traffic).sent;
}

/* ---- destinations ---------------------------------------------------------------- */

/* Coordinates, that of the first size first. Names in two dimensions begin with the
 * other. */
typedef struct {
    unsigned count, x[4];
} Place;

static Place place_of(uint32_t node) {
    char name[32];
    Place place = {0};
    const unsigned links =
        net_node_count(run.load.net) / net_processor_count(run.load.net);
    net_node_name(run.load.net, node * links, name, sizeof name);
    for (char *at = name; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        place.x[place.count++] = (unsigned)strtoul(at, NULL, 10);
    if (place.count == 2)
        return (Place){2, {place.x[1], place.x[0]}};
    return place;
}

/* Returns the destination of a node with coordinates, by the definition. */
static Place destination(const char *pattern, const Place *from,
                         const unsigned *sizes) {
    Place to = *from;
    const unsigned half = from->count / 2;
    for (unsigned i = 0; i < from->count; i++) {
        const unsigned k = sizes[i];
        if (strcmp(pattern, "tornado") == 0)
            to.x[i] = (from->x[i] + (k + 1) / 2 - 1) % k;
        else if (strcmp(pattern, "neighbor") == 0)
            to.x[i] = (from->x[i] + 1) % k;
        else
            to.x[i] = from->x[(i + half) % from->count];
    }
    return to;
}

/* All that have sent sent where the definition says, and those are all but the nodes
 * that would send to themselves. */
static void check_places(const char *pattern, const unsigned *sizes) {
    for (uint32_t node = 0; node < net_processor_count(run.load.net); node++) {
        const Place from = place_of(node), to = destination(pattern, &from, sizes);
        const bool own = memcmp(&from, &to, sizeof from) == 0;
        cr_assert_eq(run.messages[node] == 0, own, "%s: node %u", pattern, node);
        if (own)
            continue;
        const Place last = place_of(run.last[node]);
        cr_assert_eq(memcmp(&last, &to, sizeof to), 0, "%s: node %u", pattern, node);
    }
}

Test(patterns, coordinates_lead_where_the_definition_says) {
    static const struct {
        const char *topology, *pattern;
        unsigned sizes[4];
    } all[] = {
        {"torus=5x4", "tornado", {5, 4}},
        {"torus=7", "tornado", {7}},
        {"torus=3x4x5", "tornado", {3, 4, 5}},
        {"torus=5x4", "neighbor", {5, 4}},
        {"torus=2x3x2x3", "neighbor", {2, 3, 2, 3}},
        {"torus=4x4", "transpose", {4, 4}},
        {"torus=2x3x2x3", "transpose", {2, 3, 2, 3}},
        {"mesh=5x4x3", "tornado", {5, 4, 3}},
        {"torus=4x4,ends=0", "transpose", {4, 4}},
        {"mesh=4x3x2", "neighbor", {4, 3, 2}},
        {"torus=5x4,links=multiple", "tornado", {5, 4}},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        char workload[80];
        snprintf(workload, sizeof workload, "pattern=%s,rate=0.05,length=4",
                 all[i].pattern);
        start(all[i].topology, workload);
        go(400);
        check_places(all[i].pattern, all[i].sizes);
        load_end(&run.load);
    }
}

/* By hand, of 16 nodes: 0b1011 = 11. */
Test(patterns, bits_lead_where_the_definition_says) {
    static const struct {
        const char *pattern;
        uint32_t from, to;
    } all[] = {
        {"bitcomp", 11, 4},    {"bitcomp", 0, 15},        {"bitrev", 11, 13},
        {"bitrev", 1, 8},      {"bitrev", 9, NET_NONE},   {"shuffle", 11, 7},
        {"shuffle", 4, 8},     {"shuffle", 15, NET_NONE}, {"shuffle", 9, 3},
        {"transpose", 11, 14}, {"transpose", 4, 1},       {"transpose", 5, NET_NONE},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        NetPatternPlan plan = {.kind = NET_PATTERNS};
        Heap *heap = heap_new();
        NetPattern pattern;
        for (unsigned k = 0; k < NET_PATTERNS; k++)
            if (strcmp(net_pattern_names[k], all[i].pattern) == 0)
                plan.kind = (NetPatternKind)k;
        cr_assert(net_pattern_create(heap, &pattern, &plan, 16, &(NetGrid){0}, NULL));
        cr_expect_eq(pattern.to[all[i].from], all[i].to, "%s of %u: %u", all[i].pattern,
                     all[i].from, pattern.to[all[i].from]);
        heap_delete(heap);
    }
}

/* Each node is the destination of one, and another seed gives another permutation. */
Test(patterns, permutations_are_permutations) {
    uint32_t before[24] = {0};
    for (uint32_t seed = 1; seed < 20; seed++) {
        const NetPatternPlan plan = {.kind = NET_PATTERN_randperm, .seed = seed};
        Heap *heap = heap_new();
        NetPattern pattern;
        unsigned seen[24] = {0}, silent = 0, changed = 0;
        cr_assert(net_pattern_create(heap, &pattern, &plan, 24, &(NetGrid){0}, NULL));
        for (uint32_t i = 0; i < 24; i++) {
            silent += pattern.to[i] == NET_NONE;
            seen[pattern.to[i] == NET_NONE ? i : pattern.to[i]]++;
            changed += pattern.to[i] != before[i];
            before[i] = pattern.to[i];
        }
        for (uint32_t i = 0; i < 24; i++)
            cr_expect_eq(seen[i], 1);
        cr_expect_lt(silent, 8);
        cr_expect_gt(changed, 12);
        heap_delete(heap);
    }
}

/* The shares of all destinations of a node add up to 1, and draws follow them. */
Test(patterns, draws_follow_the_shares) {
    enum { NODES = 12, DRAWS = 60000 };
    static const NetPatternPlan plans[] = {
        {.kind = NET_PATTERN_uniform},
        {.kind = NET_PATTERN_hotspot, .hot_share = 0.3, .hot = {5}, .hot_count = 1},
        {.kind = NET_PATTERN_hotspot,
         .hot_share = 0.5,
         .hot = {0, 7, 11},
         .hot_count = 3},
        {.kind = NET_PATTERN_hotspot, .hot_share = 1, .hot = {3, 4}, .hot_count = 2},
    };
    JmRng rng = jm_rng(7);
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++)
        for (uint32_t from = 0; from < NODES; from++) {
            unsigned seen[NODES] = {0};
            double sum = 0;
            Heap *heap = heap_new();
            NetPattern pattern;
            cr_assert(net_pattern_create(heap, &pattern, &plans[i], NODES,
                                         &(NetGrid){0}, NULL));
            for (unsigned draw = 0; draw < DRAWS; draw++)
                seen[net_pattern_draw(&pattern, &rng, from)]++;
            cr_expect_eq(seen[from], 0);
            for (uint32_t to = 0; to < NODES; to++) {
                const double share = net_pattern_share(&pattern, from, to);
                sum += share;
                cr_expect_leq(fabs(seen[to] - share * DRAWS),
                              5 * sqrt(DRAWS * share * (1 - share)) + 1e-9);
            }
            cr_expect_float_eq(sum, 1, 1e-12);
            heap_delete(heap);
        }
}

/* By hand: node 3 sends 0.5 to three hot nodes and the rest to eleven others; node 7, a
 * hot one, 0.25 to each of the two others. */
Test(patterns, shares_of_hot_spots) {
    const NetPatternPlan plan = {.kind = NET_PATTERN_hotspot,
                                 .hot_share = 0.5,
                                 .hot = {0, 7, 11},
                                 .hot_count = 3};
    Heap *heap = heap_new();
    NetPattern pattern;
    cr_assert(net_pattern_create(heap, &pattern, &plan, 12, &(NetGrid){0}, NULL));
    cr_expect_float_eq(net_pattern_share(&pattern, 3, 7), 0.5 / 3 + 0.5 / 11, 1e-12);
    cr_expect_float_eq(net_pattern_share(&pattern, 3, 4), 0.5 / 11, 1e-12);
    cr_expect_float_eq(net_pattern_share(&pattern, 7, 0), 0.25 + 0.5 / 11, 1e-12);
    heap_delete(heap);
}

/* ---- processes ------------------------------------------------------------------- */

/* Births of a cycle: their mean and variance over many; what the workload says that it
 * offers. */
static void births(const char *process, double *mean, double *variance,
                   uint64_t *most_common_divisor) {
    enum { CYCLES = 20000 };
    char workload[100];
    double sum = 0, squares = 0;
    snprintf(workload, sizeof workload, "pattern=uniform,rate=0.05,length=2,process=%s",
             process);
    start("torus=4x4", workload);
    *most_common_divisor = 0;
    for (unsigned i = 0; i < CYCLES; i++) {
        const uint64_t before = sent();
        go(1);
        uint64_t a = *most_common_divisor, b = sent() - before;
        sum += (double)b;
        squares += (double)(b * b);
        while (b) {
            const uint64_t rest = a % b;
            a = b;
            b = rest;
        }
        *most_common_divisor = a;
    }
    double sums[8], values[2]; /* flits of a node and cycle: accepted, offered */
    void *self = net_traffic_workload(run.load.traffic);
    run.load.workload.count(self, CYCLES, sums);
    run.load.workload.measure(self, sums, values);
    cr_expect_float_eq(values[1], 2 * sum / CYCLES / 16, 1e-9);
    *mean = sum / CYCLES;
    *variance = squares / CYCLES - *mean * *mean;
    load_end(&run.load);
}

/* Of 16 nodes with rate 0.05: variances 16 p (1 - p), 16 p, less, and B times 16 p. */
Test(patterns, processes_bear_messages_as_named) {
    double mean, variance;
    uint64_t divisor;
    births("bernoulli", &mean, &variance, &divisor);
    cr_expect_float_eq(mean, 0.8, 0.02);
    cr_expect_float_eq(variance, 0.76, 0.03);
    births("poisson", &mean, &variance, &divisor);
    cr_expect_float_eq(mean, 0.8, 0.02);
    cr_expect_float_eq(variance, 0.8, 0.03);
    births("periodic", &mean, &variance, &divisor);
    cr_expect_float_eq(mean, 0.8, 0.002);
    births("burst,burst=5", &mean, &variance, &divisor);
    cr_expect_float_eq(mean, 0.8, 0.06);
    cr_expect_float_eq(variance, 4, 0.3);
    cr_expect_eq(divisor, 5);
}

/* Never two of a node in a cycle; with rate 1 one in each. */
Test(patterns, bernoulli_sources_bear_one_message_a_cycle_at_most) {
    start("torus=2", "pattern=neighbor,rate=0.4,length=2");
    for (unsigned i = 0; i < 2000; i++) {
        const uint64_t before = sent();
        go(1);
        cr_assert_leq(sent() - before, 2);
    }
    load_end(&run.load);
    start("torus=2,links=2", "pattern=neighbor,rate=1,length=2");
    go(100);
    cr_expect_eq(sent(), 200);
    load_end(&run.load);
}

/* Every 1/R cycles, from another cycle on in each node. */
Test(patterns, periodic_sources_keep_their_period) {
    uint64_t births_at[20] = {0}, cycles = 0;
    start("torus=4x4", "pattern=neighbor,rate=0.05,length=2,process=periodic");
    for (; cycles < 400; cycles++) {
        const uint64_t before = sent();
        go(1);
        births_at[cycles % 20] += sent() - before;
    }
    unsigned used = 0;
    for (unsigned i = 0; i < 20; i++) {
        cr_expect_eq(births_at[i] % 20, 0);
        used += births_at[i] > 0;
    }
    cr_expect_eq(sent(), 16 * 20);
    cr_expect_gt(used, 5);
    load_end(&run.load);
}

/* `poisson` is one of the processes with one of two patterns. */
Test(patterns, poisson_is_a_process_with_a_pattern) {
    static const char *const pairs[][2] = {
        {"poisson,rate=0.03,length=5",
         "pattern=uniform,process=poisson,rate=0.03,length=5"},
        {"poisson,rate=0.02,length=6,f_hot=0.2,hot=9",
         "pattern=hotspot,process=poisson,rate=0.02,length=6,f_hot=0.2,hot=9"}};
    for (unsigned i = 0; i < 2; i++) {
        NetTrafficCounts counts[2];
        for (unsigned k = 0; k < 2; k++) {
            start("torus=4x4", pairs[i][k]);
            go(3000);
            counts[k] = net_traffic_counts(run.load.traffic);
            load_end(&run.load);
        }
        cr_expect_gt(counts[0].arrived, 500);
        cr_expect_eq(memcmp(&counts[0], &counts[1], sizeof counts[0]), 0);
    }
}

/* ---- tables ---------------------------------------------------------------------- */

/* Messages are born when they are due, the second of a source behind the first. */
Test(patterns, tables_send_when_due) {
    char workload[] = "table=/tmp/test_patterns_XXXXXX", *path = strchr(workload, '/');
    FILE *file = fdopen(mkstemp(path), "w");
    fputs("# cycle source destination flits\n"
          "  40 5 6 4 # a neighbour: 1 + 2 + 4 - 1 cycles\n"
          "\n"
          "10 0 10 3\r\n"
          "10\t0 10 3\n"
          "7 3 3 9\n"
          "0 15 12 2",
          file);
    fclose(file);
    start("torus=4x4", workload);
    go(100);
    cr_expect_eq(sent(), 4);
    cr_expect_eq(run.messages[0], 2);
    cr_expect_eq(run.messages[3], 0);
    cr_expect_eq(run.born[5], 40);
    cr_expect_eq(run.took[5], 6);
    cr_expect_eq(run.born[15], 1);
    cr_expect_eq(run.last[15], 12);
    cr_expect_eq(run.took[15], 4);
    cr_expect_eq(run.born[0], 10);
    cr_expect_eq(run.took[0], 4 + 2 + 2 + 3); /* 4 wires, and behind 3 flits */
    load_end(&run.load);
    unlink(path);
}
