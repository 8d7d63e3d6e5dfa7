/* A network under traffic, from specifications. */
#include "net/traffic/load.h"

bool net_load_create(NetLoad *load, JmError *error) {
    double values[NET_WORKLOAD_OPTIONS];
    load->net = net_create(load->topology, &load->params, "auto", error);
    if (!load->net)
        return false;
    load->rows = net_workload_read(load->workload, values, error);
    if (load->rows)
        load->traffic =
            net_traffic_create(load->net, load->rows, values, load->seed, error);
    if (!load->traffic)
        return false;
    return net_window_create(&load->window, load->net, load->rows, load->traffic) ||
           jm_fail_memory(error, NULL, "no memory for %u batches",
                          load->window.batches);
}

void net_load_destroy(NetLoad *load) {
    net_traffic_destroy(load->traffic);
    net_destroy(load->net);
    net_window_destroy(&load->window);
}
