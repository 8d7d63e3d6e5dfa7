/* Patterns and processes of open workloads, and tables of messages. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/topology/topology.h"
#include "net/traffic/pattern.h"
#include "net/traffic/traffic.h"

enum { MOST_NODES = 1024 };

/* A workload whose arrivals are noted. */
typedef struct {
    Net *net;
    NetWorkload workload;
    bool (*arrived)(void *, NetTraffic *, const NetArrival *, uint64_t);
    NetTraffic *traffic;
    unsigned messages[MOST_NODES]; /* by source */
    uint32_t last[MOST_NODES];     /* by source: its last destination */
    uint64_t born[MOST_NODES], took[MOST_NODES];
    unsigned to_hot, others;
} Run;

static Run run; /* the functions of a workload know no test */

static bool note(void *self, NetTraffic *traffic, const NetArrival *message,
                 uint64_t now) {
    cr_assert_neq(message->from, message->to);
    run.messages[message->from]++;
    run.last[message->from] = message->to;
    run.born[message->from] = message->born;
    run.took[message->from] = now - message->born;
    return run.arrived(self, traffic, message, now);
}

/* Makes network and traffic; false and `error` if they do not fit together. */
static bool begin(const char *topology, const char *workload, uint64_t seed,
                  JmError *error) {
    NetParams params = net_params_default();
    NetWorkloadValues values;
    run = (Run){0};
    cr_assert(net_specification_params(topology, &params, error), "%s", error->text);
    if (strncmp(topology, "mesh", 4) == 0)
        params.header_flits = 2;
    run.net = net_create(topology, &params, "auto", error);
    cr_assert_not_null(run.net, "%s", error->text);
    const NetWorkload *row = net_workload_read(workload, &values, error);
    if (!row)
        return false;
    run.workload = *row;
    run.arrived = row->arrived;
    run.workload.arrived = note;
    run.traffic = net_traffic_create(run.net, &run.workload, &values, seed, error);
    return run.traffic != NULL;
}

static void end(void) {
    net_traffic_destroy(run.traffic);
    net_destroy(run.net);
}

static void start(const char *topology, const char *workload) {
    JmError error = {.text = ""};
    cr_assert(begin(topology, workload, 1, &error), "%s, %s: %s", topology, workload,
              error.text);
}

static void go(unsigned cycles) {
    for (unsigned i = 0; i < cycles; i++)
        cr_assert(net_traffic_step(run.traffic));
}

static uint64_t sent(void) {
    return net_traffic_counts(run.traffic).sent;
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
    const unsigned links = net_node_count(run.net) / net_processor_count(run.net);
    net_node_name(run.net, node * links, name, sizeof name);
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
    for (uint32_t node = 0; node < net_processor_count(run.net); node++) {
        const Place from = place_of(node), to = destination(pattern, &from, sizes);
        const bool own = memcmp(&from, &to, sizeof from) == 0;
        cr_assert_eq(run.messages[node] == 0, own, "%s: node %u", pattern, node);
        if (own)
            continue;
        const Place seen = place_of(run.last[node]);
        cr_assert_eq(memcmp(&seen, &to, sizeof to), 0, "%s: node %u", pattern, node);
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
        end();
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
        NetPattern pattern;
        for (unsigned k = 0; k < NET_PATTERNS; k++)
            if (strcmp(net_pattern_names[k], all[i].pattern) == 0)
                plan.kind = (NetPatternKind)k;
        cr_assert(net_pattern_create(&pattern, &plan, 16, &(NetGrid){0}, NULL));
        cr_expect_eq(pattern.to[all[i].from], all[i].to, "%s of %u: %u", all[i].pattern,
                     all[i].from, pattern.to[all[i].from]);
        net_pattern_destroy(&pattern);
    }
}

/* Each node is the destination of one, and another seed gives another permutation. */
Test(patterns, permutations_are_permutations) {
    uint32_t before[24] = {0};
    for (uint32_t seed = 1; seed < 20; seed++) {
        const NetPatternPlan plan = {.kind = NET_PATTERN_randperm, .seed = seed};
        NetPattern pattern;
        unsigned seen[24] = {0}, silent = 0, changed = 0;
        cr_assert(net_pattern_create(&pattern, &plan, 24, &(NetGrid){0}, NULL));
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
        net_pattern_destroy(&pattern);
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
            NetPattern pattern;
            cr_assert(
                net_pattern_create(&pattern, &plans[i], NODES, &(NetGrid){0}, NULL));
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
            net_pattern_destroy(&pattern);
        }
}

/* By hand: node 3 sends 0.5 to three hot nodes and the rest to eleven others; node 7, a
 * hot one, 0.25 to each of the two others. */
Test(patterns, shares_of_hot_spots) {
    const NetPatternPlan plan = {.kind = NET_PATTERN_hotspot,
                                 .hot_share = 0.5,
                                 .hot = {0, 7, 11},
                                 .hot_count = 3};
    NetPattern pattern;
    cr_assert(net_pattern_create(&pattern, &plan, 12, &(NetGrid){0}, NULL));
    cr_expect_float_eq(net_pattern_share(&pattern, 3, 7), 0.5 / 3 + 0.5 / 11, 1e-12);
    cr_expect_float_eq(net_pattern_share(&pattern, 3, 4), 0.5 / 11, 1e-12);
    cr_expect_float_eq(net_pattern_share(&pattern, 7, 0), 0.25 + 0.5 / 11, 1e-12);
    net_pattern_destroy(&pattern);
}

/* ---- processes ------------------------------------------------------------------- */

/* Births of a cycle: their mean and variance over many. */
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
    *mean = sum / CYCLES;
    *variance = squares / CYCLES - *mean * *mean;
    end();
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
    end();
    start("torus=2,links=2", "pattern=neighbor,rate=1,length=2");
    go(100);
    cr_expect_eq(sent(), 200);
    end();
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
    end();
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
            counts[k] = net_traffic_counts(run.traffic);
            end();
        }
        cr_expect_gt(counts[0].arrived, 500);
        cr_expect_eq(memcmp(&counts[0], &counts[1], sizeof counts[0]), 0);
    }
}

/* ---- tables ---------------------------------------------------------------------- */

static char path[40]; /* of the test's own process: tests run beside each other */

/* Makes a workload of a table with these bytes. */
static bool begin_table(const char *text, size_t size, JmError *error) {
    char workload[80];
    snprintf(path, sizeof path, "/tmp/jm-table-%ld", (long)getpid());
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fwrite(text, 1, size, file);
    fclose(file);
    snprintf(workload, sizeof workload, "table=%s", path);
    return begin("torus=4x4", workload, 1, error);
}

/* Messages are born when they are due, the second of a source behind the first. */
Test(patterns, tables_send_when_due) {
    JmError error = {.text = ""};
    static const char text[] = "# cycle source destination flits\n"
                               "  40 5 6 4 # a neighbour: 1 + 2 + 4 - 1 cycles\n"
                               "\n"
                               "10 0 10 3\r\n"
                               "10\t0 10 3\n"
                               "7 3 3 9\n"
                               "0 15 12 2";
    cr_assert(begin_table(text, sizeof text - 1, &error), "%s", error.text);
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
    end();
    unlink(path);
}

static void expect_wrong(const char *text, size_t size, int line, int column,
                         const char *what) {
    JmError error = {.text = ""};
    cr_expect_not(begin_table(text, size, &error), "%s", text);
    cr_expect_str_eq(error.file, path);
    cr_expect_eq(error.line, line, "%s: line %d", text, error.line);
    cr_expect_eq(error.column, column, "%s: column %d", text, error.column);
    cr_expect_not_null(strstr(error.text, what), "%s", error.text);
    end();
    unlink(path);
}

Test(patterns, tables_name_the_place_of_what_is_wrong) {
    static const struct {
        const char *text;
        int line, column;
        const char *what;
    } all[] = {
        {"1 2 3 4\n1 16 2 4\n", 2, 3, "source is '16', not a number from 0 to 15"},
        {"1 2 x 4\n", 1, 5, "destination is 'x'"},
        {"# first\n\n1 2 3\n", 3, 6, "'cycle source destination flits' is expected"},
        {"1 2 3 4 5\n", 1, 9, "a row has four numbers"},
        {"1 2 3 1\n", 1, 7, "flits is '1', not a number from 2 to 60"},
        {"1 2 3 61\n", 1, 7, "flits is '61'"},
        {"-1 2 3 4\n", 1, 1, "cycle is '-1'"},
        {"4294967296 2 3 4\n", 1, 1, "cycle is '4294967296'"},
        {"1 2 3 4a\n", 1, 7, "flits is '4a'"},
        {"# nothing\n", 0, 0, "the table has no message"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        expect_wrong(all[i].text, strlen(all[i].text), all[i].line, all[i].column,
                     all[i].what);
}

/* A NUL hides nothing behind it, also in a last line without its end. */
Test(patterns, tables_have_no_nul) {
    static const char text[] = "1 2 3 4\n1 2 3 4\0 5\n";
    expect_wrong(text, sizeof text - 1, 2, 8, "a NUL");
    expect_wrong(text, sizeof text - 4, 2, 8, "a NUL");
}

/* ---- what does not fit ----------------------------------------------------------- */

Test(patterns, what_does_not_fit_is_refused_with_the_way_out) {
    static const struct {
        const char *topology, *workload, *what;
    } all[] = {
        {"torus=6x6", "pattern=bitrev", "give sizes that are powers of 2"},
        {"torus=3x4", "pattern=bitcomp", "a power of 2 nodes, not 12"},
        {"torus=4x3", "pattern=transpose", "sizes such as 8x8"},
        {"torus=4x4x2", "pattern=transpose", "two or four dimensions"},
        {"torus=2x2", "pattern=tornado", "every one of 4 nodes would send to itself"},
        {"clos=2x2", "pattern=neighbor", "give a torus or a mesh"},
        {"torus=4x4", "pattern=hotspot", "give hot=0"},
        {"torus=4x4", "pattern=hotspot,hot=3;16", "hot=16: the last of 16 nodes is 15"},
        {"torus=4x4", "pattern=hotspot,hot=3;3", "node 3 is given twice"},
        {"torus=4x4", "pattern=hotspot,hot=3;", "numbers of nodes are expected"},
        {"torus=4x4", "pattern=hotspot,hot=3-4", "';' is expected"},
        {"torus=4x4", "pattern=uniform,hot=3", "hot goes with pattern=hotspot"},
        {"torus=4x4", "pattern=uniform,f_hot=0.2", "f_hot goes with pattern=hotspot"},
        {"torus=4x4", "pattern=uniform,perm=3", "perm goes with pattern=randperm"},
        {"torus=4x4", "pattern=uniform,burst=3", "burst goes with process=burst"},
        {"torus=4x4", "pattern=uniform,rate=0.1,length=12", "give rate=0.083 or less"},
        {"torus=4x4", "pattern=unifrom", "uniform"},
        {"torus=4x4", "pattern=uniform,process=burts", "burst"},
        {"torus=4x4", "table", "table=FILE is expected"},
        {"torus=4x4", "table=/nonexistent", "the table cannot be read"},
        {"mesh=1", "pattern=uniform", "there is one"},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        JmError error = {.text = ""};
        cr_expect_not(begin(all[i].topology, all[i].workload, 1, &error), "%s, %s",
                      all[i].topology, all[i].workload);
        cr_expect_not_null(strstr(error.text, all[i].what), "%s, %s: %s",
                           all[i].topology, all[i].workload, error.text);
        end();
    }
}

/* Patterns run on any network: on the machine's mesh with the parameters that the
 * refusal names. */
Test(patterns, all_patterns_run_on_all_networks) {
    static const char *const topologies[] = {
        "mesh=4x4", "torus=4x4", "torus=2x4x2,ends=0", "torus=16,oneway=1", "clos=2x2"};
    for (size_t i = 0; i < sizeof topologies / sizeof topologies[0]; i++)
        for (unsigned kind = 0; kind < NET_PATTERNS; kind++) {
            char workload[80];
            JmError error = {.text = ""};
            snprintf(workload, sizeof workload, "pattern=%s,rate=0.01,length=4%s",
                     net_pattern_names[kind],
                     kind == NET_PATTERN_hotspot ? ",hot=1;2" : "");
            if (begin(topologies[i], workload, 1, &error)) {
                go(3000);
                cr_expect_gt(net_traffic_counts(run.traffic).arrived, 100);
            } else {
                cr_expect_not_null(strstr(error.text, "give "), "%s", error.text);
            }
            end();
        }
}
