/* The simulated node of pipelined k-ary n-cubes against the closed forms, and against
 * invariants for any queues. */
#include "net/model/pipelined/node.h"
#include "rig.h"

static PipelinedLoad load_of(PipelinedConstraint constraint, double nodes, unsigned n,
                             double share) {
    const unsigned k = net_pipelined_radix(nodes, n);
    const double budget = net_pipelined_budget(constraint, nodes);
    const unsigned width = net_pipelined_width(constraint, budget, nodes, n, k);
    return (PipelinedLoad){.cube = {.dimensions = n,
                                    .radix = k,
                                    .nodes = nodes,
                                    .width = width,
                                    .ratio = PIPELINED_RATIO,
                                    .data_share = PIPELINED_DATA_SHARE},
                           .load = share,
                           .cycles = 100000,
                           .confidence = 0.95,
                           .seed = 1};
}

static PipelinedResult simulate(const PipelinedLoad *load) {
    PipelinedResult result;
    JmError error;
    cr_assert(net_pipelined_simulate(load, &result, &error), "%s", error.text);
    return result;
}

static double unloaded(const PipelinedCube *cube) {
    PipelinedFigures figures;
    net_pipelined_figures(cube, &figures);
    return cube->synchronous ? figures.round_trip_synchronous : figures.round_trip_mean;
}

/* With nearly nothing on the links the latency is that of (4), (8): a load of 1 in 1000
 * adds less than 1 percent. */
Test(pipelined_node, empty_networks_have_the_latency_of_the_closed_form) {
    static const struct {
        PipelinedConstraint constraint;
        double nodes;
        unsigned n;
        bool synchronous;
    } cubes[] = {{PIPELINED_LINK_WIDTH, 4096, 2, false},
                 {PIPELINED_NODE_SIZE, 4096, 6, false},
                 {PIPELINED_NODE_SIZE, 4096, 12, false},
                 {PIPELINED_BISECTION_WIDTH, 4096, 4, false},
                 {PIPELINED_NODE_SIZE, 1048576, 5, false},
                 {PIPELINED_LINK_WIDTH, 4096, 4, true}};
    for (unsigned i = 0; i < sizeof cubes / sizeof cubes[0]; i++) {
        PipelinedLoad load =
            load_of(cubes[i].constraint, cubes[i].nodes, cubes[i].n, 0.001);
        load.cube.synchronous = cubes[i].synchronous;
        const PipelinedResult result = simulate(&load);
        const double wanted = unloaded(&load.cube);
        cr_expect(result.converged);
        WITHIN(result.round_trip, wanted * (1 - 1e-9), wanted * 1.01);
    }
}

/* The capacity of (13) is the load that fills the links: a load's share of it is the
 * share of cycles in which they are used, as long as nothing is dropped. */
Test(pipelined_node, links_are_used_as_the_load_says) {
    for (double share = 0.1; share < 0.55; share += 0.2) {
        PipelinedLoad load = load_of(PIPELINED_LINK_WIDTH, 4096, 4, share);
        load.cycles = 400000;
        const PipelinedResult result = simulate(&load);
        NEAR(result.used, share, 0.05);
        NEAR(result.throughput, share * net_pipelined_capacity(&load.cube), 0.05);
        NEAR(result.offered, share * net_pipelined_capacity(&load.cube), 1e-9);
    }
}

/* Beyond saturation the throughput is constant, below the capacity, whichever load was
 * solved before. */
Test(pipelined_node, throughput_is_limited_and_found_from_any_side) {
    PipelinedLoad load = load_of(PIPELINED_NODE_SIZE, 4096, 12, 0.9);
    const double capacity = net_pipelined_capacity(&load.cube);
    const PipelinedResult cold = simulate(&load);
    load.ramp = 4;
    const PipelinedResult warm = simulate(&load);
    WITHIN(warm.throughput, 0.4 * capacity, 0.7 * capacity);
    NEAR(cold.throughput, warm.throughput, 0.05);
    cr_expect_gt(warm.dropped, 0.02);
    cr_expect_gt(warm.round_trip, 10 * unloaded(&load.cube));
}

/* Input queues without limit drop nothing, so no packet is sent again. */
Test(pipelined_node, only_full_input_queues_drop) {
    PipelinedLoad load = load_of(PIPELINED_LINK_WIDTH, 4096, 4, 0.75);
    const PipelinedResult limited = simulate(&load);
    cr_expect_gt(limited.dropped, 0.001);
    load.input_queue = PIPELINED_UNLIMITED;
    const PipelinedResult unlimited = simulate(&load);
    cr_expect_eq(unlimited.dropped, 0);
    load.input_queue = 60; /* three data packets */
    cr_expect_lt(simulate(&load).dropped, limited.dropped / 2);
}

/* Wires add their delay once a hop, and do not affect the traffic carried. */
Test(pipelined_node, longer_wires_delay_and_nothing_else) {
    PipelinedLoad load = load_of(PIPELINED_LINK_WIDTH, 4096, 3, 0.3);
    const PipelinedResult result = simulate(&load);
    load.cube.ratio = 0.25; /* wires of 4 cycles instead of 1 */
    const PipelinedResult longer = simulate(&load);
    cr_expect_eq(longer.throughput, result.throughput);
    /* Two packets, 3 dimensions, 15/16 of 8 hops of 3 cycles more. */
    NEAR(longer.round_trip - result.round_trip, 2 * 3 * 15.0 / 16 * 8 * 3, 0.01);
}

static bool stop_now(void *context) {
    return ++*(unsigned *)context > 2;
}

Test(pipelined_node, stops_when_asked) {
    PipelinedLoad load = load_of(PIPELINED_LINK_WIDTH, 4096, 4, 0.5);
    unsigned asked = 0;
    load.ramp = 4;
    load.stop = stop_now;
    load.context = &asked;
    const PipelinedResult result = simulate(&load);
    cr_expect(result.stopped);
    cr_expect_eq(asked, 3);
}
