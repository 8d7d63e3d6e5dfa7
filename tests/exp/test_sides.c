/* The networks of all sources under one load, against what any of them must give: what
 * an empty network takes, what a hot node takes in, and wires counted over a cut. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "net/net.h"
#include "tests/exp/made.h"
#include "tools/exp/models/solve.h"

static const char *const names[] = {"jmachine", "adve",     "quaglia",
                                    "clos_3_2", "clos_3_1", "pipelined"};
enum { CUBE = 5, SIDES };

static json_t *solve_on(const char *model, const char *on, const char *more) {
    char sweep[160];
    snprintf(sweep, sizeof sweep, "model=%s %s%s %s", model, on ? "on=" : "",
             on ? on : "", more);
    return made_solve(sweep, 1);
}

static void near(double got, double wanted, double share, const char *what) {
    cr_expect(fabs(got - wanted) <= share * fabs(wanted), "%s: %g instead of %g", what,
              got, wanted);
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

/* An empty network: a cycle for each wire, those of both ends among them, and one for
 * each flit behind the first. */
Test(sides, empty_networks) {
    static const char low[] = "offered=0.05 cycles=200000";
    const double torus = mean_steps(8, true, 1) + 2 + 16 - 1;
    const double clos = mean_steps(4, false, 4) + 2 + 4 - 1;
    /* From a lower router: all but the 3 that share it go up and down. */
    const double layers = mean_steps(2, false, 16) + 2 * 60 / 63. + 2 + 8 - 1;
    const struct {
        const char *on;
        double latency;
    } rows[] = {
        {"adve", torus}, {"quaglia", torus}, {"clos_3_2", clos}, {"clos_3_1", layers}};
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *run = solve_on("open", rows[i].on, low);
        near(made_figure(run, "open_latency"), rows[i].latency, 0.02, rows[i].on);
        json_decref(run);
    }
    /* The head of a flit of a word: every model begins there too. */
    for (unsigned i = 0; i < SIDES; i++) {
        json_t *run = solve_on("open", names[i], low);
        json_t *model = solve_on("open_solved", names[i], "offered=0.05");
        near(made_figure(run, "open_latency"), made_figure(model, "open_latency"), 0.05,
             names[i]);
        json_decref(run);
        json_decref(model);
    }
}

/* The offered load is delivered as long as it is light. */
Test(sides, light_loads_arrive) {
    for (unsigned i = 0; i < SIDES; i++) {
        json_t *run = solve_on("open", names[i], "offered=3 cycles=100000");
        near(made_figure(run, "throughput"), 3, 0.03, names[i]);
        cr_expect_gt(made_figure(run, "open_latency_half"), 0);
        json_decref(run);
    }
}

/* All send to one node, which takes a flit a cycle; it sends its own messages too. On
 * the J-Machine it cannot: those that arrive go first at each turn of its router. */
Test(sides, a_hot_node_takes_a_flit_a_cycle) {
    for (unsigned i = 0; i < CUBE; i++) {
        json_t *run =
            solve_on("open", names[i], "equal=flits f_hot=1 offered=3 cycles=100000");
        near(made_figure(run, "throughput"), (24. + (i ? 3 : 0)) / 64, 0.02, names[i]);
        json_decref(run);
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

Test(sides, all_spend_the_same) {
    const unsigned across[SIDES] = {
        cut("mesh=4x4x4", 4) / 2, /* a wire carries both ways */
        cut("torus=8x8", 8),
        cut("torus=8x8", 8),
        2 * 4,     /* four rows of a mesh of 4x4, each way */
        2 * 2 * 4, /* two rows of a mesh of 2x2 in four layers */
        2 * 16 /* 16 rings, each cut twice */};
    const unsigned pins[SIDES] = {6, 4 * 2, 4 * 2, 4 + 2, 8 + 2, 3 * 2};
    for (unsigned i = 0; i < SIDES; i++) {
        json_t *flits = solve_on("open_solved", names[i], "equal=flits");
        json_t *wires = solve_on("open_solved", names[i], "equal=bisection");
        json_t *node = solve_on("open_solved", names[i], "equal=pins");
        near(made_figure(flits, "wires_across_bisection"), 24. * across[i], 0,
             names[i]);
        near(made_figure(flits, "wires_per_node"), 24. * pins[i], 0, names[i]);
        near(made_figure(wires, "wires_across_bisection"), 768, 0, names[i]);
        near(made_figure(node, "wires_per_node"), 192, 0.02, names[i]);
        cr_expect_leq(made_figure(node, "wires_per_node"), 192);
        json_decref(flits);
        json_decref(wires);
        json_decref(node);
    }
}

/* The cube is one node that stands for all. */
Test(sides, the_cube_has_no_hot_spot) {
    made_refused("model=open on=pipelined f_hot=0.1", NULL, "f_hot");
}

/* All nodes of a cube of pipelined wires, nearly empty. Of a ring of 4 a head crosses
 * 1.5 wires on average, 16/15 of that without messages to oneself; each takes the
 * wire's cycles, one to decode and one to pass, then 19 flits follow. */
Test(sides, wires_that_take_cycles) {
    for (unsigned wire = 1; wire <= 5; wire += 4) {
        char more[80];
        snprintf(more, sizeof more, "k=4 load=0.002 wire=%u cycles=2000000", wire);
        json_t *run = solve_on("whole", NULL, more);
        snprintf(more, sizeof more, "k=4 wire=%u", wire);
        json_t *form = solve_on("whole_form", NULL, more);
        const double expected = 2 * 1.5 * 16 / 15 * (wire + 2) + 19;
        near(made_figure(run, "mean_latency"), expected, 0.01, "simulated");
        near(made_figure(form, "mean_latency"), expected, 1e-9, "by (4)");
        json_decref(run);
        json_decref(form);
    }
}
