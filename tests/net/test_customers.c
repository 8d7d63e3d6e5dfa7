/* The workloads of chapter 5 on a network: customers are conserved, services take their
 * time, and those that return home do so. */
#include <stdlib.h>

#include "engines.h"
#include "net/traffic/customers.h"

enum { SIDE = 4, NODES = SIDE * SIDE * SIDE, WORDS = 4 };

static NetCustomers *create(Net *net, unsigned load, unsigned service, bool home) {
    const NetCustomersPlan plan = {
        .load = load, .words = WORDS, .service = service, .home = home, .seed = 3};
    JmError error;
    NetCustomers *customers = net_customers_create(net, &plan, &error);
    cr_assert_not_null(customers, "%s", error.text);
    return customers;
}

static double all_queues(const NetCustomers *customers, unsigned nodes) {
    double sum = 0;
    for (unsigned node = 0; node < nodes; node++)
        sum += net_customers_queue(customers, node);
    return sum;
}

/* Two nodes, a message each: it is served, and in flight for a time known from the rate
 * of services. The queues hold it for all but the time on the wire. */
Test(customers, a_message_goes_to_and_fro) {
    enum { CYCLES = 60000, SERVICE = 100 };
    const NetParams params = net_params_default();
    Net *net = net_create_mesh(2, 1, 1, &params, NULL);
    NetCustomers *customers = create(net, 1, SERVICE, false);
    cr_assert(net_customers_run(customers, 1000));
    net_customers_forget(customers);
    cr_assert(net_customers_run(customers, CYCLES));
    const NetStatistics *seen = net_statistics(net);
    const double transit = (double)seen->transit.sum / (double)seen->transit.count;
    const double round = 2.0 * CYCLES / (double)net_customers_served(customers);
    cr_assert(round >= SERVICE + transit - 4 && round <= 2 * SERVICE + transit + 4,
              "%g cycles, transit %g", round, transit);
    const double queues = all_queues(customers, 2);
    cr_assert(queues > 2 - 2 * transit / round - 0.1 && queues <= 2, "%g", queues);
    net_customers_destroy(customers);
    net_destroy(net);
}

/* At a light load the service rate is the maximum: one message of each node is served
 * once in service + network time. */
ENGINE_TEST(customers, nobody_is_lost) {
    enum { CYCLES = 20000, SERVICE = 200, LOAD = 3 };
    const NetParams params = net_params_default();
    JmError error;
    for (unsigned home = 0; home < 2; home++) {
        Net *net = net_create_mesh_with(SIDE, SIDE, SIDE, &params, engine, &error);
        NetCustomers *customers = create(net, LOAD, SERVICE, home);
        cr_assert(net_customers_run(customers, CYCLES / 4));
        net_customers_forget(customers);
        cr_assert(net_customers_run(customers, CYCLES));
        const NetStatistics *seen = net_statistics(net);
        const double transit = (double)seen->transit.sum / (double)seen->transit.count;
        const double rate = (double)net_customers_served(customers) / CYCLES;
        /* Little: those on the wires are the rate times the transit, but for the cycles
         * in which a message's flits leave: until the last it is in a queue. */
        const double flits = params.header_flits + 2 * WORDS;
        cr_assert_float_eq(all_queues(customers, NODES) + rate * (transit - flits),
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
    const NetParams params = net_params_default();
    Net *net = net_create_mesh(LINE, 1, 1, &params, NULL);
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
