/* The workloads of chapter 5 on a network: customers are conserved, services take their
 * time, and those that return home do so. Where the network saturates, and where
 * messages pile up, must be as published. */
#include <stdlib.h>

#include "net/traffic/customers.h"
#include "rig.h"

enum { SIDE = 4, NODES = SIDE * SIDE * SIDE, WORDS = 4 };

static NetCustomers *create(Net *net, unsigned load, unsigned service, bool home) {
    const NetCustomersPlan plan = {
        .load = load, .words = WORDS, .service = service, .home = home, .seed = 3};
    JmError error;
    NetCustomers *customers = net_customers_create(net, &plan, &error);
    cr_assert_not_null(customers, "%s", error.text);
    return customers;
}

/* Runs a fifth of the cycles, and then all of them again, which it counts. */
static void measure(NetCustomers *customers, unsigned cycles) {
    cr_assert(net_customers_run(customers, cycles / 5));
    net_customers_forget(customers);
    cr_assert(net_customers_run(customers, cycles));
}

/* Mean messages at the nodes first..last. */
static double waiting(const NetCustomers *customers, unsigned first, unsigned last) {
    double sum = 0;
    for (unsigned node = first; node <= last; node++)
        sum += net_customers_queue(customers, node);
    return sum;
}

static double mean_transit(const Net *net) {
    const NetStatistics *seen = net_statistics(net);
    return (double)seen->transit.sum / (double)seen->transit.count;
}

/* Two nodes, a message each: it is served, and in flight for a time known from the rate
 * of services. The queues hold it for all but the time on the wire. */
Test(customers, a_message_goes_to_and_fro) {
    enum { CYCLES = 60000, SERVICE = 100 };
    Net *net = net_of("mesh=2", "");
    NetCustomers *customers = create(net, 1, SERVICE, false);
    measure(customers, CYCLES);
    const double transit = mean_transit(net);
    const double round = 2.0 * CYCLES / (double)net_customers_served(customers);
    cr_assert(round >= SERVICE + transit - 4 && round <= 2 * SERVICE + transit + 4,
              "%g cycles, transit %g", round, transit);
    const double queues = waiting(customers, 0, 1);
    cr_assert(queues > 2 - 2 * transit / round - 0.1 && queues <= 2, "%g", queues);
    net_customers_destroy(customers);
    net_destroy(net);
}

/* At a light load the service rate is the maximum: one message of each node is served
 * once in service + network time. */
ENGINE_TEST(customers, nobody_is_lost) {
    enum { CYCLES = 20000, SERVICE = 200, LOAD = 3 };
    for (unsigned home = 0; home < 2; home++) {
        Net *net = net_by(engine, "mesh=4x4x4", "");
        NetCustomers *customers = create(net, LOAD, SERVICE, home);
        measure(customers, CYCLES);
        const double transit = mean_transit(net);
        const double rate = (double)net_customers_served(customers) / CYCLES;
        /* Little: those on the wires are the rate times the transit, but for the cycles
         * in which a message's flits leave: until the last it is in a queue. */
        const double flits = net_header_flits(net) + 2 * WORDS;
        cr_assert_float_eq(waiting(customers, 0, NODES - 1) + rate * (transit - flits),
                           LOAD * NODES, 0.002 * LOAD * NODES);
        cr_assert(rate > 0.5 * NODES / SERVICE && rate <= 1.0 * NODES / SERVICE);
        net_customers_destroy(customers);
        net_destroy(net);
    }
}

/* A trip from s to d is followed by one from d to s. With one message of each node no
 * pair of nodes is ever off by more than one trip; a random walk soon is. */
Test(customers, every_second_hop_leads_home) {
    enum { CYCLES = 30000, LINE = 8 };
    Net *net = net_of("mesh=8", "");
    NetCustomers *customers = create(net, 1, 20, true);
    unsigned trips[LINE][LINE] = {{0}};
    bool was_open[LINE] = {false};
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        cr_assert(net_customers_run(customers, 1));
        for (unsigned node = 0; node < LINE; node++) {
            const bool opened = net_is_open(net, node, 0) && !was_open[node];
            was_open[node] = net_is_open(net, node, 0);
            NetMessageState state;
            if (opened &&
                net_message_state(net, net_open_message(net, node, 0), &state))
                trips[state.source][state.destination]++;
        }
    }
    for (unsigned s = 0; s < LINE; s++)
        for (unsigned d = 0; d < LINE; d++) {
            cr_assert(s == d ? trips[s][d] == 0 : trips[s][d] > 20);
            cr_assert_leq(abs((int)trips[s][d] - (int)trips[d][s]), 1);
        }
    net_customers_destroy(customers);
    net_destroy(net);
}

/* ---- heavy load ------------------------------------------------------------------ */

/* Use of the wires that cross the middle by data flits, as thesis eq. 4.3 counts it:
 * half of the messages cross, headers do not count, both directions do. */
static double saturated_use(const char *settings) {
    enum { CYCLES = 12000, ACROSS = 8 * 8 };
    Net *net = net_of("mesh=8x8x8", settings);
    NetCustomers *customers = create(net, 5, 45, false);
    cr_assert(net_customers_run(customers, CYCLES / 2));
    const uint64_t before = net_statistics(net)->messages_delivered[0];
    cr_assert(net_customers_run(customers, CYCLES));
    const double messages =
        (double)(net_statistics(net)->messages_delivered[0] - before);
    net_customers_destroy(customers);
    net_destroy(net);
    return messages * WORDS * NET_FLITS_PER_WORD / 2 / CYCLES / ACROSS;
}

/* About 0.4 in the thesis (section 4.1). Three headers on channels of two flits come
 * close from below; fewer headers, or more room, reach it. */
Test(customers, saturate_near_the_published_level, .timeout = 600) {
    static const struct {
        const char *settings;
        double least, most;
    } rows[] = {{"", 0.36, 0.40},
                {"header_flits=1", 0.395, 0.44},
                {"header_flits=0", 0.44, 0.49},
                {"channel_capacity=4", 0.43, 0.48}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const double use = saturated_use(rows[i].settings);
        cr_expect(use > rows[i].least && use < rows[i].most, "%s: %f", rows[i].settings,
                  use);
    }
}

/* Thesis figs. 5-10 and 5-13, a line of 16 with a service time of 10: with fair routers
 * messages pile up at the ends, with those as built on both sides of the middle, but
 * not in it. */
Test(customers, pile_up_where_the_thesis_saw_it, .timeout = 600) {
    for (unsigned fair = 0; fair < 2; fair++) {
        Net *net = net_of("mesh=16", fair ? "fair=1" : "");
        NetCustomers *customers = create(net, 5, 10, false);
        cr_assert(net_customers_run(customers, 100000));
        const double ends = waiting(customers, 0, 2) + waiting(customers, 13, 15);
        const double sides = waiting(customers, 4, 6) + waiting(customers, 9, 11);
        const double middle = waiting(customers, 7, 8);
        if (fair)
            cr_expect_lt(sides + middle, ends / 4, "%f inside, %f at the ends",
                         sides + middle, ends);
        else
            cr_expect(ends < sides / 10 && middle / 2 < sides / 6,
                      "%f at the ends, %f beside the middle, %f in it", ends, sides,
                      middle);
        net_customers_destroy(customers);
        net_destroy(net);
    }
}
