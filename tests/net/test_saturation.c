/* The network under heavy load, with a closed workload like the thesis's Snakes
 * (closed.h). Where it saturates, and where messages pile up, must be as published.
 * This uses the plane engine; twins.c checks that the others agree. */
#include <stdlib.h>

#include "closed.h"
#include "engines.h"

enum { WORDS = NET_CLOSED_WORDS, MESSAGES_PER_NODE = 5 };

typedef struct {
    Net *net;
    NetClosed *processors;
} Machine;

static Machine machine_create(const char *engine, unsigned x, unsigned y, unsigned z,
                              unsigned service, NetParams params, uint64_t seed) {
    const NetClosedPlan plan = {.load = MESSAGES_PER_NODE,
                                .work = service,
                                .seed = seed,
                                .count_waiting = true};
    JmError error;
    Machine machine = {.net = net_create_mesh_with(x, y, z, &params, engine, &error)};
    cr_assert_not_null(machine.net, "%s", error.text);
    machine.processors = net_closed_create(machine.net, &plan);
    return machine;
}

static void machine_destroy(Machine *machine) {
    net_closed_destroy(machine->processors);
    net_destroy(machine->net);
}

/* Use of the wires that cross the middle by data flits, as thesis eq. 4.3 counts it:
 * half of the messages cross, headers do not count, both directions do. */
static double saturated_use(uint32_t header_flits, uint32_t capacity) {
    enum { WARM_CYCLES = 5000, CYCLES = 10000, SIDE = 8 };
    NetParams params = net_params_default();
    params.header_flits = header_flits;
    params.channel_capacity = capacity;
    Machine machine = machine_create("plane", SIDE, SIDE, SIDE, 45, params, 1);
    const NetStatistics *seen = net_statistics(machine.net);
    net_closed_run(machine.processors, WARM_CYCLES);
    const uint64_t before = seen->messages_delivered[0];
    net_closed_run(machine.processors, CYCLES);
    const double messages = (double)(seen->messages_delivered[0] - before);
    machine_destroy(&machine);
    return messages * WORDS * NET_FLITS_PER_WORD / 2 / CYCLES / (SIDE * SIDE);
}

/* About 0.4 in the thesis (section 4.1). Three headers on channels of two flits come
 * close from below; fewer headers, or more room, reach it. */
Test(saturation, is_near_the_published_level, .timeout = 120) {
    const double as_built = saturated_use(3, 2);
    cr_assert(as_built > 0.36 && as_built < 0.40, "%f", as_built);
    const double one_header = saturated_use(1, 2), none = saturated_use(0, 2);
    const double roomy = saturated_use(3, 4);
    cr_assert(one_header > 0.395 && one_header < 0.44, "%f", one_header);
    cr_assert(none > 0.44 && none < 0.49, "%f", none);
    cr_assert(roomy > 0.43 && roomy < 0.48, "%f", roomy);
}

/* Messages waiting in the nodes first..last, mean of their total. */
static double waiting(const Machine *machine, unsigned first, unsigned last) {
    uint64_t sum = 0;
    for (unsigned node = first; node <= last; node++)
        sum += net_closed_waiting(machine->processors, node);
    return (double)sum / (double)net_now(machine->net);
}

/* The humps of thesis fig. 5-13 on a line of 16, below and above the middle, on average
 * over some runs: they shift slowly. */
typedef struct {
    double below, above;
} Humps;

static Humps humps(uint32_t r_order) {
    enum { LINE = 16, SERVICE = 10, CYCLES = 600000, RUNS = 4 };
    NetParams params = net_params_default();
    Humps humps = {0, 0};
    params.r_order = r_order;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        Machine machine = machine_create("plane", LINE, 1, 1, SERVICE, params, seed);
        net_closed_run(machine.processors, CYCLES);
        humps.below += waiting(&machine, 0, LINE / 2 - 1) / RUNS;
        humps.above += waiting(&machine, LINE / 2, LINE - 1) / RUNS;
        machine_destroy(&machine);
    }
    return humps;
}

/* The share of the upper hump. */
static double upper(Humps humps) {
    return humps.above / (humps.below + humps.above);
}

/* P before N where both lead to R is what makes one of them the larger; where the sides
 * take turns it is chance. Two runs of ten million cycles gave the upper hump 0.76 and
 * 0.51 (net/README.md). The limit lies half way between 0.76 and even shares: other
 * sets of four runs as short as these gave 0.63 to 0.77 and 0.40 to 0.54. */
Test(saturation, turns_at_r_favour_no_hump) {
    const Humps ordered = humps(0), turns = humps(1);
    cr_log_info("waiting below and above the middle: P first %.1f and %.1f, in turns "
                "%.1f and %.1f",
                ordered.below, ordered.above, turns.below, turns.above);
    const double long_share = 44.0 / (14.0 + 44.0), limit = (0.5 + long_share) / 2;
    cr_assert_gt(upper(ordered), limit);
    cr_assert_lt(upper(turns), limit);
    cr_assert_gt(upper(turns), 1 - limit);
}

/* Thesis figs. 5-10 and 5-13, a line of 16 with a service time of 10: with fair routers
 * messages pile up at the ends, with those as built on both sides of the middle, but
 * not in it. */
Test(saturation, piles_up_where_the_thesis_saw_it, .timeout = 120) {
    enum { LINE = 16, SERVICE = 10, CYCLES = 200000 };
    NetParams params = net_params_default();
    Machine unfair = machine_create("plane", LINE, 1, 1, SERVICE, params, 1);
    net_closed_run(unfair.processors, CYCLES);
    params.fair = 1;
    Machine fair = machine_create("plane", LINE, 1, 1, SERVICE, params, 1);
    net_closed_run(fair.processors, CYCLES);
    const double ends = waiting(&unfair, 0, 2) + waiting(&unfair, 13, 15);
    const double sides = waiting(&unfair, 4, 6) + waiting(&unfair, 9, 11);
    const double middle = waiting(&unfair, 7, 8);
    cr_assert_lt(ends, sides / 20, "%f at the ends, %f beside the middle", ends, sides);
    cr_assert_lt(middle / 2, sides / 6, "%f in the middle, %f beside", middle, sides);
    const double fair_ends = waiting(&fair, 0, 2) + waiting(&fair, 13, 15);
    const double fair_inside = waiting(&fair, 4, 11);
    cr_assert_lt(fair_inside, fair_ends / 10, "%f inside, %f at the ends", fair_inside,
                 fair_ends);
    machine_destroy(&unfair);
    machine_destroy(&fair);
}
