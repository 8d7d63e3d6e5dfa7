#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/topology/topology.h"

/* The topology of a machine's network; NULL if it is not for one. */
static const char *for_machine(const char *topology) {
    return strncmp(topology, "machine ", 8) == 0 ? topology + 8 : NULL;
}

NetParams params_of(const char *topology, const char *settings) {
    const char *machine = for_machine(topology);
    NetParams params = net_params_default();
    JmError error = {.text = ""};
    unsigned size[NET_DIMENSIONS];
    char text[200], *rest = text;
    cr_assert(machine ? net_specification_machine(machine, &params, size, &error)
                      : net_specification_params(topology, &params, &error),
              "%s: %s", topology, error.text);
    snprintf(text, sizeof text, "%s", settings);
    for (char *name; (name = strtok_r(rest, "= ,", &rest));) {
        const char *value = strtok_r(rest, "= ,", &rest);
        cr_assert(net_params_set(&params, name, strtoul(value, NULL, 10), &error),
                  "%s: %s", name, error.text);
    }
    return params;
}

NetGraph *graph_of(const char *topology) {
    const NetParams params = params_of(topology, "");
    JmError error = {.text = ""};
    NetGraph *graph = net_topology_build(topology, &params, &error);
    cr_assert_not_null(graph, "%s: %s", topology, error.text);
    return graph;
}

Net *net_by(const char *engine, const char *topology, const char *settings) {
    const NetParams params = params_of(topology, settings);
    JmError error = {.text = ""};
    const char *machine = for_machine(topology);
    Net *net = machine ? net_create_machine(machine, &params, engine, &error)
                       : net_create(topology, &params, engine, &error);
    cr_assert_not_null(net, "%s: %s", topology, error.text);
    return net;
}

Net *net_of(const char *topology, const char *settings) {
    return net_by("auto", topology, settings);
}

void steps(Net *net, unsigned cycles) {
    while (cycles-- > 0)
        net_step(net);
}

void step_until_quiet(Net *net) {
    do
        net_step(net);
    while (!net_is_quiet(net));
}

uint32_t post(Net *net, unsigned from, unsigned priority, unsigned to, unsigned words) {
    const uint32_t message = net_open(net, from, priority, to);
    for (; words > 0; words--)
        net_offer(net, from, priority, 1, words == 1);
    return message;
}

/* The calls of a workload know no test. */
static struct {
    LoadNote *note;
    void (*arrived)(void *, NetTraffic *, const NetArrival *, uint64_t);
} noted;

static void note_arrival(void *self, NetTraffic *traffic, const NetArrival *message,
                         uint64_t now) {
    noted.note(message, now);
    noted.arrived(self, traffic, message, now);
}

static bool start(Load *load, Net *net, const char *workload, uint64_t seed,
                  LoadNote *note, JmError *error) {
    *load = (Load){.net = net};
    const NetWorkload *row = net_workload_read(workload, &load->values, error);
    if (!row)
        return false;
    load->workload = *row;
    if (note) {
        noted.note = note;
        noted.arrived = row->arrived;
        load->workload.arrived = note_arrival;
    }
    load->traffic =
        net_traffic_create(net, &load->workload, &load->values, seed, error);
    return load->traffic != NULL;
}

bool load_try(Load *load, Net *net, const char *workload, uint64_t seed,
              JmError *error) {
    return start(load, net, workload, seed, NULL, error);
}

void load_start_noted(Load *load, Net *net, const char *workload, uint64_t seed,
                      LoadNote *note) {
    JmError error = {.text = ""};
    cr_assert(start(load, net, workload, seed, note, &error), "%s: %s", workload,
              error.text);
}

void load_start(Load *load, Net *net, const char *workload, uint64_t seed) {
    load_start_noted(load, net, workload, seed, NULL);
}

void load_run(Load *load, uint64_t cycles) {
    for (; cycles > 0; cycles--)
        cr_assert(net_traffic_step(load->traffic));
}

void load_end(Load *load) {
    net_traffic_destroy(load->traffic);
    net_destroy(load->net);
}

void expect_same_bytes(Archive a, Archive b, const char *what) {
    cr_assert_eq(a.size, b.size, "%s", what);
    cr_assert_eq(memcmp(a.bytes, b.bytes, a.size), 0, "%s", what);
    jm_archive_free(&a);
    jm_archive_free(&b);
}

Archive saved_net(const Net *net) {
    Archive archive = jm_archive_save();
    net_save(net, &archive);
    return archive;
}

bool restored_net(Net *net, const Archive *saved, size_t size, bool trusted) {
    Archive archive = jm_archive_load(saved->bytes, size);
    return net_restore(net, &archive, trusted) && archive.at == archive.end;
}
