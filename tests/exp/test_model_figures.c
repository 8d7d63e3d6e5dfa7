/* Figures of models that can be found without them: by hand, from a paper, or from laws
 * that hold for any network. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/net.h"
#include "tests/exp/made.h"

typedef struct {
    const char *point, *figure;
    double wanted, margin;
} Row;

static void near(double got, double wanted, double margin, const char *what) {
    cr_expect(isnan(wanted) ? isnan(got) : fabs(got - wanted) <= margin,
              "%s: %.12g instead of %.12g", what, got, wanted);
}

/* Rows of one point, which follow each other, are solved once. */
static void expect_rows(const char *model, const Row *rows, size_t count) {
    json_t *record = NULL;
    for (size_t i = 0; i < count; i++) {
        char point[160], what[200];
        snprintf(point, sizeof point, "%s %s", model, rows[i].point);
        if (i == 0 || strcmp(rows[i].point, rows[i - 1].point) != 0) {
            json_decref(record);
            record = made_solve(point, 1);
        }
        snprintf(what, sizeof what, "%s: %s", point, rows[i].figure);
        near(made_figure(record, rows[i].figure), rows[i].wanted, rows[i].margin, what);
    }
    json_decref(record);
}
#define EXPECT_ROWS(model, rows) expect_rows(model, rows, sizeof rows / sizeof rows[0])

/* ---- the thesis ------------------------------------------------------------------ */

#define TOGETHER "model=servers time=1e5 servers=3 m=1.3334"

Test(model_figures, of_queues) {
    static const Row rows[] = {
        /* 10 of 35 placements of 3 customers on 5 servers have none with two (3.26). */
        {"model=closed servers=5 m=0.6 overflow_above=1", "p_no_overflow", 10. / 35,
         1e-9},
        /* One customer of two servers is twice as often at the slow one. */
        {"model=closed servers=2 m=0.5 overflow_above=1 slow=2", "mean_first", 2. / 3,
         1e-9},
        {"model=closed servers=2 m=0.5 overflow_above=1 slow=2", "p_full", 2. / 3,
         1e-9},
        {"model=closed servers=4 m=2 overflow_above=3 slow=1.5", "p_no_overflow", NAN,
         0},
        /* Section 3.3.4. */
        {"model=estimate servers=32768 m=5 share=0.0001", "queue_needed", 107.54, 0.01},
        {"model=estimate servers=512 overflow_above=64", "most_per_node", 9.35, 0.01},
        /* All placements are as likely, but not of servers that act together. Three
         * customers at two servers: two and one is as even as can be. */
        {TOGETHER, "chi_square", 18, 18.1},
        {TOGETHER, "stacked", 1, 0.1},
        {"model=servers time=1e5 servers=2 m=1.5", "stacked", 1, 0.1},
        {TOGETHER " service=synchronous end=0.8", "stacked", 0.25, 0.25},
        {TOGETHER " service=synchronous end=0.8", "chi_square", 5e5, 5e5 - 36.1},
        /* 4 L + 8 hops of a node take at least 100 cycles each. */
        {"model=abstract mesh=2x2x2 m=4 L=20 h=100", "T", 1.5 * (4 * 20 + 8) * 100,
         0.5 * (4 * 20 + 8) * 100},
        {"model=abstract mesh=2x2x2 m=4 L=20 h=100", "share1", 0, 0},
        {"model=abstract mesh=2x2x2 m=4 L=20 h=100 hwm_mark=8", "share1", 0.55, 0.45},
        {"model=abstract mesh=2x2x2 m=4 L=20 h=100 Q=20 hot=1 imbalance=900", "longest",
         20, 0}};
    EXPECT_ROWS("", rows);
}

/* Processors that always have messages serve one in every `tau` cycles. Two nodes share
 * a link of a flit a cycle. Where many wait, the channels of a message that does not
 * move are full but for its ends. */
Test(model_figures, of_the_machines_network) {
    static const Row rows[] = {
        {"mesh=2x1x1 m=10 tau=50 workload=requests cycles=50000", "rate", 0.02, 4e-4},
        {"mesh=2x1x1 m=10 tau=50 workload=snakes cycles=50000", "rate", 0.02, 4e-4},
        {"mesh=2x1x1 m=20 tau=5 workload=snakes", "rate", 1. / 16, 0.02 / 16},
        {"mesh=2x1x1 m=20 tau=5 workload=snakes", "bisection", 1, 0.02},
        {"mesh=2x1x1 m=20 tau=9 workload=snakes flits=16", "rate", 1. / 32, 0.02 / 32},
        {"mesh=4x4x2 m=20 tau=5 workload=snakes flits=8", "packing", 1.7, 0.3},
        {"mesh=4x4x2 m=20 tau=5 workload=snakes flits=16", "packing", 1.7, 0.3},
        {"mesh=4x1x1 m=1 tau=400", "packing", NAN, 0}};
    EXPECT_ROWS("model=network cycles=20000", rows);
}

static double at(const json_t *record, const char *list, size_t node) {
    return json_number_value(json_array_get(json_object_get(record, list), node));
}

/* Messages are neither lost nor made: those not at a node are on a wire, for 4 to 50
 * cycles. */
Test(model_figures, messages_are_kept) {
    json_t *record = made_solve("model=network mesh=2x1x1 m=10 tau=50 cycles=50000", 1);
    const double away = 20 - at(record, "node_queue", 0) - at(record, "node_queue", 1);
    cr_expect(away > 4 * 2. / 50 && away < 50 * 2. / 50, "%g on wires", away);
    json_decref(record);
}

/* TC-122: a fair router gives half to who enters and half to the stream that passes, so
 * shares halve from node to node upstream; the first two share what is left. An unfair
 * one lets straight traffic go first, and the first node's stream never pauses. */
Test(model_figures, streams_that_meet) {
    for (unsigned nodes = 3; nodes <= 6; nodes++)
        for (unsigned fair = 0; fair < 2; fair++) {
            char sweep[128];
            snprintf(sweep, sizeof sweep,
                     "model=confluence mesh=%ux1x1 fair=%u cycles=20000", nodes, fair);
            json_t *record = made_solve(sweep, 1);
            double share = 0.5, sum = 0;
            for (unsigned node = nodes - 1; node-- > 0; share /= node ? 2 : 1) {
                const double accepted = at(record, "accepted", node);
                const double wanted = fair ? (node ? share : 2 * share) : node == 0;
                near(accepted, wanted, 0.01 * wanted, sweep);
                sum += accepted;
            }
            cr_expect_eq(at(record, "accepted", nodes - 1), 0);
            near(sum, 1, 0.005, "a full link");
            json_decref(record);
        }
}

/* ---- patterns and tori ----------------------------------------------------------- */

/* Dally and Towles 2004, 3.3. A message of 12 flits goes as 13 on the machine's mesh,
 * and two of its header do not reach Z. */
Test(model_figures, bounds_of_patterns) {
    static const Row rows[] = {
        {"topology=bi_torus mesh=8x1x1 pattern=tornado", "bound", 1 / 3.0 / 12, 1e-9},
        {"topology=bi_torus mesh=8x8x1 lanes=4 pattern=bitcomp", "bound", 1 / 2.0 / 12,
         1e-9},
        {"topology=bi_torus mesh=8x8x1 lanes=4 escape=2 pattern=bitcomp", "bound",
         1 / 2.0 / 12, 1e-9},
        {"topology=bi_torus mesh=4x4x4 pattern=neighbor", "bound", 1 / 1.0 / 12, 1e-9},
        {"topology=uni_torus mesh=8x1x1 pattern=neighbor", "bound", 1 / 7.0 / 12, 1e-9},
        {"topology=mesh mesh=8x8x1 pattern=transpose", "bound", 1 / 7.0 / 12, 1e-9},
        {"topology=mesh mesh=1x8x1 pattern=bitcomp", "bound", 1 / 4.0 / 12, 1e-9},
        {"topology=jmachine mesh=8x1x1 pattern=bitcomp header_flits=2", "bound",
         1 / 8.0 / 12, 1e-9},
        {"topology=jmachine mesh=1x1x8 pattern=bitcomp", "bound",
         1 / (8 * 11 / 13.0) / 13, 1e-9},
        {"topology=bi_torus mesh=4x4x1 pattern=hotspot f_hot=1 hot=5", "bound",
         1 / 15.0 / 12, 1e-9}};
    EXPECT_ROWS("model=pattern cycles=1000", rows);
}

/* An empty network takes a cycle for each wire, one for the last channel, one to
 * arrive, and one for each flit behind the first. A source alone with its wire
 * is a queue with a service of 12 cycles, whose mean wait is 12 u / (2 (1 - u)):
 * Pollaczek and Khinchine. It is 28, and the latency 42 instead of 14, at u = 28 / 34.
 * 8x8 nodes have 4.0635 wires between two on the mean. */
Test(model_figures, latencies_and_saturation) {
    static const char empty[] = "model=pattern mesh=8x8x1 pattern=neighbor rate=0.0001 "
                                "places=2 process=poisson cycles=50000";
    static const char alone[] = "model=saturation mesh=8x1x1 pattern=neighbor places=4 "
                                "process=poisson cycles=400000";
    static const Row rows[] = {
        {empty, "open_latency", 2 + 2 + 11, 0.05},
        {empty, "accepted_rate", 0.0001, 0.00001},
        {alone, "zero_load", 14, 0.5},
        {alone, "saturation", 28 / 34. / 12, 0.003},
        {alone, "bound", 1 / 12., 1e-9},
        {"model=ordered k=8 rate=1e-9", "mean_latency", 4.0635 + 11, 1e-3},
        {"model=ordered k=8 rate=1e-9 length=20", "mean_latency", 4.0635 + 19, 1e-3},
        {"model=adaptive k=8 rate=1e-9", "blocking_per_hop", 0, 1e-4},
        {"model=adaptive k=16 rate=0.05", "mean_latency", NAN, 0}};
    EXPECT_ROWS("", rows);
}

/* ---- networks of all sources ----------------------------------------------------- */

static const char *const names[] = {"jmachine", "adve",     "quaglia",
                                    "clos_3_2", "clos_3_1", "pipelined"};
enum { CUBE = 5, SIDES };

static double on(unsigned side, const char *point, const char *figure) {
    char sweep[160];
    snprintf(sweep, sizeof sweep, "%s on=%s", point, names[side]);
    return made_value(sweep, figure);
}

/* Wires between two routers of a square mesh or torus, over all pairs of different
 * processors, `local` of which share a router. */
static double mean_steps(int side, bool wraps, int local) {
    double sum = 0;
    for (int from = 0; from < side * side; from++)
        for (int to = 0; to < side * side; to++) {
            int x = abs(from % side - to % side), y = abs(from / side - to / side);
            x = wraps && x > side - x ? side - x : x;
            y = wraps && y > side - y ? side - y : y;
            sum += (x + y) * local * local;
        }
    const double processors = (double)side * side * local;
    return sum / processors / (processors - 1);
}

/* An empty network takes a cycle for each wire, those of both ends among them, and one
 * for each flit behind the first. */
Test(model_figures, empty_networks) {
    static const char point[] = "model=open offered=0.05 cycles=200000";
    const double torus = mean_steps(8, true, 1) + 2 + 16 - 1;
    const double clos = mean_steps(4, false, 4) + 2 + 4 - 1;
    /* From a lower router: all but the 3 that share it go up and down. */
    const double layers = mean_steps(2, false, 16) + 2 * 60 / 63. + 2 + 8 - 1;
    const double wanted[SIDES] = {NAN, torus, torus, clos, layers, NAN};
    for (unsigned i = 0; i < SIDES; i++) {
        const double got = on(i, point, "open_latency");
        /* The head of a flit of a word: every model begins there too. */
        near(on(i, "model=open_solved offered=0.05", "open_latency"), got, 0.05 * got,
             names[i]);
        if (!isnan(wanted[i]))
            near(got, wanted[i], 0.02 * wanted[i], names[i]);
    }
}

/* A light load is delivered. Where all send to one node it takes a flit a cycle; it
 * sends its own messages too. On the J-Machine it cannot: those that arrive go first at
 * each turn of its router. */
Test(model_figures, throughput) {
    for (unsigned i = 0; i < SIDES; i++) {
        near(on(i, "model=open offered=3 cycles=100000", "throughput"), 3, 0.09,
             names[i]);
        if (i != CUBE)
            near(on(i, "model=open equal=flits f_hot=1 offered=3 cycles=100000",
                    "throughput"),
                 (24. + (i ? 3 : 0)) / 64, 0.008, names[i]);
    }
}

/* Wires over the middle of the first dimension, of a network whose nodes are at most
 * `size` in a row. */
static unsigned cut(const char *topology, unsigned size) {
    NetParams params = net_params_default();
    JmError error;
    unsigned count = 0;
    cr_assert(net_specification_params(topology, &params, &error));
    Net *net = net_create(topology, &params, "auto", &error);
    cr_assert(net, "%s", error.text);
    for (unsigned node = 0; node < net_node_count(net); node++)
        for (unsigned up = 0; up < 2; up++) {
            const uint32_t to = net_neighbour(net, node, 0, up);
            if (to != NET_NONE)
                count += (node % size < size / 2) != (to % size < size / 2);
        }
    net_destroy(net);
    return count;
}

Test(model_figures, all_spend_the_same) {
    static const char wires[] = "wires_across_bisection", pins[] = "wires_per_node";
    const unsigned across[SIDES] = {
        cut("mesh=4x4x4", 4) / 2, /* a wire carries both ways */
        cut("torus=8x8", 8),
        cut("torus=8x8", 8),
        2 * 4,     /* four rows of a mesh of 4x4, each way */
        2 * 2 * 4, /* two rows of a mesh of 2x2 in four layers */
        2 * 16 /* 16 rings, each cut twice */};
    const unsigned ports[SIDES] = {6, 4 * 2, 4 * 2, 4 + 2, 8 + 2, 3 * 2};
    for (unsigned i = 0; i < SIDES; i++) {
        near(on(i, "model=open_solved equal=flits", wires), 24. * across[i], 0,
             names[i]);
        near(on(i, "model=open_solved equal=flits", pins), 24. * ports[i], 0, names[i]);
        near(on(i, "model=open_solved equal=bisection", wires), 768, 0, names[i]);
        near(on(i, "model=open_solved equal=pins", pins), 192 - 2, 2, names[i]);
    }
}

/* All nodes of a cube of pipelined wires, nearly empty. Of a ring of 4 a head crosses
 * 1.5 wires on average, 16/15 of that without messages to oneself; each takes the
 * wire's cycles, one to decode and one to pass, then 19 flits follow. */
Test(model_figures, wires_that_take_cycles) {
    for (unsigned wire = 1; wire <= 5; wire += 4) {
        char point[80];
        const double wanted = 2 * 1.5 * 16 / 15 * (wire + 2) + 19;
        snprintf(point, sizeof point, "model=whole_form k=4 wire=%u", wire);
        near(made_value(point, "mean_latency"), wanted, 1e-9 * wanted, point);
        snprintf(point, sizeof point,
                 "model=whole k=4 load=0.002 wire=%u cycles=2000000", wire);
        near(made_value(point, "mean_latency"), wanted, 0.01 * wanted, point);
    }
}
