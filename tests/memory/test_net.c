/* The network with every request for memory failing, on both engines. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "net/circle.h"
#include "net/graph/walk.h"
#include "net/net.h"
#include "net/topology/topology.h"
#include "net/traffic/customers.h"
#include "net/traffic/load.h"
#include "tests/memory/failing.h"
#include "tests/net/ring.h"

/* The input of the work of a test: a global, because work has no argument. */
static struct {
    const char *engine, *workload;
    Archive saved;    /* of a network with messages inside */
    uint64_t ejected; /* flits of it after STEPS more */
} made;

enum { CYCLES = 300 };

static const char *const engines[] = {"graph", "plane"};

static Net *create(JmError *error) {
    const NetParams params = net_params_default();
    return net_create("mesh=5x4x4", &params, made.engine, error);
}

/* Workloads have memory of their own for what their processors do and wait for. */
static bool work_workload(void) {
    const char *const topology = "torus=3x3";
    NetParams params = net_params_default();
    JmError error = {.memory = true};
    NetOptionValues values;
    cr_assert(net_specification_params(topology, &params, &error), "%s", error.text);
    const NetWorkload *workload = net_workload_read(made.workload, &values, &error);
    cr_assert_not_null(workload, "%s", error.text);
    Net *net = net_create(topology, &params, "auto", &error);
    NetTraffic *traffic =
        net ? net_traffic_create(net, workload, &values, 1, &error) : NULL;
    bool well = failing_told(traffic, &error);
    while (well && net_now(net) < CYCLES)
        well = net_traffic_step(traffic);
    if (well)
        cr_expect_gt(net_statistics(net)->flits_ejected[0], 100);
    net_traffic_destroy(traffic);
    net_destroy(net);
    return well;
}

Test(memory, workloads) {
    const char *const workloads[] = {"memory,n_out=2,tau=5",
                                     "poisson,rate=0.05,length=10",
                                     "pattern=neighbor,rate=0.05,length=10"};
    for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; i++) {
        made.workload = workloads[i];
        cr_expect_gt(failing_everywhere(work_workload), 40);
    }
}

/* More messages at once than records are made at first, and than twice as many. False
 * if memory ran out. */
static bool load_traffic(Net *net, JmError *error) {
    enum { LEAST_NUMBERS = 128 };
    const NetCustomersPlan plan = {.load = 12, .words = 4, .service = 5, .seed = 1};
    NetCustomers *customers = net_customers_create(net, &plan, error);
    if (!customers)
        return false;
    const bool run = net_customers_run(customers, CYCLES);
    cr_expect(run == (net_now(net) == CYCLES));
    if (run)
        cr_expect_gt(net_message_numbers(net), LEAST_NUMBERS);
    else
        jm_fail_memory(error, NULL, "no memory");
    net_customers_destroy(customers);
    return run;
}

static bool work_customers(void) {
    JmError error = {.text = ""};
    Net *net = create(&error);
    const bool well = net && load_traffic(net, &error) && net_check(net, &error);
    net_destroy(net);
    return failing_told(well, &error);
}

static bool work_create(void) {
    JmError error = {.text = ""};
    Net *net = create(&error);
    net_destroy(net);
    return failing_told(net, &error);
}

/* Beside what the network needs: the customers, their queues, and records twice. */
Test(memory, customers) {
    for (size_t i = 0; i < 2; i++) {
        made.engine = engines[i];
        const unsigned network = failing_everywhere(work_create);
        cr_expect_gt(failing_everywhere(work_customers), network + 5);
    }
}

/* A search for a circle of messages that wait. */
static bool work_circle(void) {
    const NetParams params = net_params_default();
    JmError error = {.text = ""};
    uint32_t count;
    Net *net = net_create("mesh=2", &params, "auto", &error);
    const bool well = net && net_find_circle(net, &count, NULL, NULL);
    failing_told(net, &error);
    net_destroy(net);
    return well;
}

FAILING(work_circle, 20, circle)

/* How a pattern loads the wires, which the caller frees. */
static bool work_bound(void) {
    JmError error = {.text = ""};
    const NetParams params = net_params_default();
    NetGraph *graph = net_topology_build("mesh=3x3", &params, &error);
    NetLoads loads = {0};
    unsigned flits;
    const bool well = graph && net_load_bound(graph, &params, "pattern=transpose",
                                              &flits, &loads, &error);
    cr_expect_eq(loads.gamma > 0, well);
    if (well)
        free(loads.wire);
    net_graph_destroy(graph);
    return failing_told(well, &error);
}

FAILING(work_bound, 10, bound)

/* A message for which there is no memory is not opened; its source keeps its room.
 * Records that grow replace the old ones. */
static bool work_open(void) {
    JmError error = {.text = ""};
    Net *net = create(&error);
    bool well = net != NULL;
    for (unsigned end = 0; net && end < 2 * net_node_count(net); end++) {
        const unsigned node = end / 2, priority = end % 2;
        const unsigned room = net_room(net, node, priority), live = failing_live();
        const bool first = net_message_numbers(net) == 0;
        net_set_gate(net, node, priority, end % 3 > 0);
        const bool opened = net_open(net, node, priority, 0) != NET_NONE;
        cr_expect(failing_live() == live || (opened && first));
        if (!opened) {
            well = false;
            cr_expect_eq(net_room(net, node, priority), room);
            cr_expect_not(net_is_open(net, node, priority));
            continue;
        }
        net_offer(net, node, priority, 1, true);
    }
    for (unsigned cycle = 0; net && cycle < CYCLES; cycle++)
        net_step(net);
    cr_expect(!well || net_statistics(net)->messages_opened[0] == net_node_count(net));
    if (net)
        well &= failing_told(net_check(net, &error), &error);
    net_destroy(net);
    return well;
}

Test(memory, messages) {
    for (size_t i = 0; i < 2; i++) {
        made.engine = engines[i];
        cr_expect_gt(failing_everywhere(work_open), 25);
    }
}

static bool work_ring(void) {
    const NetParams params = net_params_default();
    JmError error = {.memory = true};
    NetGraph *graph = ring_create(6);
    bool well = graph != NULL;
    if (well) {
        /* Its circle is found, or memory runs out. */
        cr_expect_not(net_graph_check_walks(graph, &error));
        well = !error.memory;
    }
    Net *net = NULL;
    if (well)
        net = net_create_on(graph, &params, "auto", &error);
    else
        net_graph_destroy(graph);
    if (net && net_open(net, 0, 0, 3) == NET_NONE)
        well = jm_fail_memory(&error, NULL, "no memory");
    well = well && net;
    net_destroy(net);
    return failing_told(well, &error);
}

FAILING(work_ring, 25, graphs_of_others)

/* ---- saving, restoring, explaining ----------------------------------------------- */

enum { STEPS = 50 };

static void save_traffic(void) {
    JmError error = {.text = ""};
    made.engine = "plane";
    Net *net = create(&error);
    cr_assert(net && load_traffic(net, &error), "%s", error.text);
    made.saved = jm_archive_save();
    net_save(net, &made.saved);
    cr_assert(archive_good(&made.saved));
    for (int cycle = 0; cycle < STEPS; cycle++)
        net_step(net);
    made.ejected = net_statistics(net)->flits_ejected[0];
    net_destroy(net);
}

static bool restore(Net *net, bool trusted) {
    Archive reader = jm_archive_load(made.saved.bytes, made.saved.size);
    const bool restored = net_restore(net, &reader, trusted);
    cr_expect_eq(reader.starved, !restored);
    return restored;
}

/* A restored network is saved again as the same bytes. */
static bool copy(bool trusted) {
    Net *net = create(NULL);
    bool well = net && restore(net, trusted);
    Archive again = jm_archive_save();
    if (well) {
        net_save(net, &again);
        well = archive_good(&again);
        cr_expect_eq(again.starved, !well);
        cr_expect(!well || (again.size == made.saved.size &&
                            memcmp(again.bytes, made.saved.bytes, again.size) == 0));
    }
    jm_archive_free(&again);
    net_destroy(net);
    return well;
}

static bool work_copy(void) {
    return copy(true);
}

static bool work_copy_of_stranger(void) {
    return copy(false);
}

Test(memory, saved_networks, .init = save_traffic) {
    for (size_t i = 0; i < 2; i++) {
        made.engine = engines[i];
        const unsigned trusted = failing_everywhere(work_copy);
        cr_expect_gt(trusted, 40);
        cr_expect_gt(failing_everywhere(work_copy_of_stranger), trusted);
    }
    jm_archive_free(&made.saved);
}

static void see_row(void *context, const char *row) {
    if (strstr(row, "memory"))
        *(bool *)context = false;
}

static bool work_explain(void) {
    Net *net = create(NULL);
    bool well = net && restore(net, true);
    for (int cycle = 0; well && cycle < STEPS; cycle++)
        net_step(net);
    if (well) {
        cr_expect_eq(net_statistics(net)->flits_ejected[0], made.ejected);
        net_explain_all(net, 3, see_row, &well);
        net_explain(net, 0, 0, see_row, &well);
    }
    net_destroy(net);
    return well;
}

Test(memory, explained_networks, .init = save_traffic) {
    cr_expect_gt(failing_everywhere(work_explain), 50);
    jm_archive_free(&made.saved);
}
