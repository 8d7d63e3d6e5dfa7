/* The network under heavy load, with customers like the thesis's Snakes. Where it
 * saturates, and where messages pile up, must be as published. */
#include "engines.h"
#include "net/traffic/customers.h"

enum { WORDS = 4, MESSAGES_PER_NODE = 5 };

typedef struct {
    Net *net;
    NetCustomers *processors;
} Machine;

static Machine machine_create(unsigned x, unsigned y, unsigned z, unsigned service,
                              NetParams params) {
    const NetCustomersPlan plan = {
        .load = MESSAGES_PER_NODE, .words = WORDS, .service = service, .seed = 1};
    Machine machine = {.net = net_create_mesh(x, y, z, &params, NULL)};
    machine.processors = net_customers_create(machine.net, &plan, NULL);
    cr_assert_not_null(machine.processors);
    return machine;
}

static void machine_destroy(Machine *machine) {
    net_customers_destroy(machine->processors);
    net_destroy(machine->net);
}

/* Use of the wires that cross the middle by data flits, as thesis eq. 4.3 counts it:
 * half of the messages cross, headers do not count, both directions do. */
static double saturated_use(uint32_t header_flits, uint32_t capacity) {
    enum { WARM_CYCLES = 5000, CYCLES = 10000, SIDE = 8 };
    NetParams params = net_params_default();
    params.header_flits = header_flits;
    params.channel_capacity = capacity;
    Machine machine = machine_create(SIDE, SIDE, SIDE, 45, params);
    net_customers_run(machine.processors, WARM_CYCLES);
    const uint64_t before = net_statistics(machine.net)->messages_delivered[0];
    net_customers_run(machine.processors, CYCLES);
    const double messages =
        (double)(net_statistics(machine.net)->messages_delivered[0] - before);
    machine_destroy(&machine);
    return messages * WORDS * NET_FLITS_PER_WORD / 2 / CYCLES / (SIDE * SIDE);
}

/* About 0.4 in the thesis (section 4.1). Three headers on channels of two flits come
 * close from below; fewer headers, or more room, reach it. */
Test(saturation, is_near_the_published_level, .timeout = 600) {
    const double as_built = saturated_use(3, 2);
    cr_assert(as_built > 0.36 && as_built < 0.40, "%f", as_built);
    const double one_header = saturated_use(1, 2), none = saturated_use(0, 2);
    const double roomy = saturated_use(3, 4);
    cr_assert(one_header > 0.395 && one_header < 0.44, "%f", one_header);
    cr_assert(none > 0.44 && none < 0.49, "%f", none);
    cr_assert(roomy > 0.43 && roomy < 0.48, "%f", roomy);
}

/* Messages at the nodes first..last, mean of their total. */
static double waiting(const Machine *machine, unsigned first, unsigned last) {
    double sum = 0;
    for (unsigned node = first; node <= last; node++)
        sum += net_customers_queue(machine->processors, node);
    return sum;
}

/* Thesis figs. 5-10 and 5-13, a line of 16 with a service time of 10: with fair routers
 * messages pile up at the ends, with those as built on both sides of the middle, but
 * not in it. */
Test(saturation, piles_up_where_the_thesis_saw_it, .timeout = 600) {
    enum { LINE = 16, SERVICE = 10, CYCLES = 100000 };
    NetParams params = net_params_default();
    Machine unfair = machine_create(LINE, 1, 1, SERVICE, params);
    net_customers_run(unfair.processors, CYCLES);
    params.fair = 1;
    Machine fair = machine_create(LINE, 1, 1, SERVICE, params);
    net_customers_run(fair.processors, CYCLES);
    const double ends = waiting(&unfair, 0, 2) + waiting(&unfair, 13, 15);
    const double sides = waiting(&unfair, 4, 6) + waiting(&unfair, 9, 11);
    const double middle = waiting(&unfair, 7, 8);
    cr_assert_lt(ends, sides / 10, "%f at the ends, %f beside the middle", ends, sides);
    cr_assert_lt(middle / 2, sides / 6, "%f in the middle, %f beside", middle, sides);
    const double fair_ends = waiting(&fair, 0, 2) + waiting(&fair, 13, 15);
    const double fair_inside = waiting(&fair, 4, 11);
    cr_assert_lt(fair_inside, fair_ends / 4, "%f inside, %f at the ends", fair_inside,
                 fair_ends);
    machine_destroy(&unfair);
    machine_destroy(&fair);
}
