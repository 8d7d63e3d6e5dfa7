/* A network under traffic, from specifications. */
#include "net/traffic/load.h"

bool net_load_create(NetLoad *load, JmError *error) {
    NetWorkloadValues values;
    load->net = net_create(load->topology, &load->params, "auto", error);
    if (!load->net)
        return false;
    load->rows = net_workload_read(load->workload, &values, error);
    if (load->rows)
        load->traffic =
            net_traffic_create(load->net, load->rows, &values, load->seed, error);
    if (!load->traffic)
        return false;
    return net_window_create(&load->window, load->net, load->rows, load->traffic) ||
           jm_fail_memory(error, NULL, "no memory for %u batches",
                          load->window.batches);
}

unsigned net_load_glance(const NetLoad *load) {
    enum { MOST = 4096, PROCESSOR_CYCLES = 1 << 18 };
    const unsigned cycles = PROCESSOR_CYCLES / net_processor_count(load->net);
    return cycles < 1 ? 1 : cycles < MOST ? cycles : MOST;
}

bool net_load_run(NetLoad *load, bool (*stop)(void *context), void *context,
                  JmError *error) {
    const unsigned often = net_load_glance(load);
    while (net_window_note(&load->window)) {
        if (net_now(load->net) % often == 0 && stop(context))
            break;
        if (!net_traffic_step(load->traffic))
            return jm_fail_memory(error, NULL, "no memory for a message");
    }
    return true;
}

void net_load_destroy(NetLoad *load) {
    net_traffic_destroy(load->traffic);
    net_destroy(load->net);
    net_window_destroy(&load->window);
}
