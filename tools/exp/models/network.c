/* The model `network`: processors with constant service times on the machine's network.
 * It simulates the model of chapter 5 of the thesis. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "net/traffic/customers.h"
#include "tools/exp/models/parts.h"
#include "tools/exp/plan/setting_rows.h"
#include "tools/host/memory.h"

/* Cycles between two checks whether the result is still wanted. */
enum { SLICE = 2000 };
/* A moving message leaves a channel within this many times the cycles of its flits,
 * also on a shared wire. */
enum { REST = 4 };

Net *model_network_of(const Settings *settings, JmError *error) {
    NetParams params = net_params_default();
    unsigned size[3];
    params.fair = model_whole(settings, "fair");
    params.r_order = model_whole(settings, "r_order");
    params.header_flits = model_whole(settings, "header_flits");
    setting_parse_mesh(settings_text(settings, "mesh"), size);
    return net_create_mesh(size[0], size[1], size[2], &params, error);
}

/* How full the channels held by blocked messages are: one flit each if messages are
 * rigid, up to their capacity if messages are compressed. */
typedef struct {
    double flits, channels;
    NetChannelState *before; /* of each channel, some cycles ago */
} Packing;

static void remember(const Net *net, Packing *packing) {
    for (uint32_t i = 0; i < net_channel_count(net); i++)
        packing->before[i] = net_channel_state(net, i);
}

/* A channel whose first flit is still of the same message belongs to a blocked one. */
static void look(const Net *net, Packing *packing) {
    for (uint32_t i = 0; i < net_channel_count(net); i++) {
        const NetChannelState now = net_channel_state(net, i);
        const NetChannelState *before = &packing->before[i];
        if (now.flits == 0 || before->flits == 0 ||
            now.front_message != before->front_message)
            continue;
        packing->flits += now.flits;
        packing->channels++;
    }
}

/* Runs for this many cycles and samples `net` now and then. False: no memory. */
static bool run(ModelPoint *point, const Net *net, NetCustomers *customers,
                unsigned cycles, Packing *packing) {
    const unsigned wait = REST * model_whole(point->settings, "flits");
    while (cycles > 0 && !point->stopped) {
        const unsigned now = cycles < SLICE ? cycles : SLICE;
        const unsigned rest = now < wait ? 0 : wait;
        if (!net_customers_run(customers, now - rest))
            return false;
        remember(net, packing);
        if (!net_customers_run(customers, rest))
            return false;
        cycles -= now;
        look(net, packing);
        model_is_stopped(point);
    }
    return true;
}

/* Returns the flits that have crossed the middle of X so far, per wire. */
static double crossed(const Net *net) {
    const NetStatistics *seen = net_statistics(net);
    return (double)seen->bisection_flits[0] / (double)seen->bisection_wires[0];
}

/* Warms up for as long as it will measure, then measures. False: no memory. */
static bool measure(ModelPoint *point, const Net *net, NetCustomers *customers,
                    NetChannelState *states, Result *record) {
    const unsigned cycles = model_whole(point->settings, "cycles");
    Packing early = {.before = states}, packing = {.before = states};
    if (!run(point, net, customers, cycles, &early))
        return false;
    net_customers_forget(customers);
    const double before = crossed(net);
    if (!run(point, net, customers, cycles, &packing))
        return false;
    const unsigned nodes = net_node_count(net);
    result_add(record, "per_node", model_whole(point->settings, "m"));
    result_add(record, "rate",
               (double)net_customers_served(customers) / cycles / nodes);
    result_add(record, "bisection", (crossed(net) - before) / cycles);
    result_add(record, "packing", packing.flits / packing.channels);
    ResultList *queues = result_add_list(record, "node_queue");
    for (unsigned node = 0; node < nodes; node++) {
        const double messages = net_customers_queue(customers, node);
        result_push(queues, &messages);
    }
    return true;
}

bool solve_network(ModelPoint *point, Result *record, JmError *error) {
    const Settings *settings = point->settings;
    const NetCustomersPlan plan = {
        .load = model_whole(settings, "m"),
        .words = model_whole(settings, "flits") / NET_FLITS_PER_WORD,
        .service = model_whole(settings, "tau"),
        .home = strcmp(settings_text(settings, "workload"), "requests") == 0,
        .seed = point->seed};
    Net *net = model_network_of(settings, error);
    NetCustomers *customers = net ? net_customers_create(net, &plan, error) : NULL;
    NetChannelState *states =
        customers ? memory_array(net_channel_count(net), sizeof *states) : NULL;
    const bool measured = customers && measure(point, net, customers, states, record);
    free(states);
    net_customers_destroy(customers);
    net_destroy(net);
    return measured ||
           (customers && jm_fail(error, "jm exp", "no memory for messages"));
}
