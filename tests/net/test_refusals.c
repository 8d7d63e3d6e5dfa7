/* Which engines refuse which networks, and bounds of plans. Parameters that engines
 * refuse are in tests/recorded/refused-run.cases and refused-net.cases. */
#include <string.h>

#include "net/topology/mesh.h"
#include "net/topology/topology.h"
#include "net/traffic/customers.h"
#include "net/traffic/processors.h"
#include "rig.h"

/* A graph with wires of several cycles that the flow engine or the others are given. */
static void expect_no_delay(const char *specification, const char *engine,
                            const char *says) {
    JmError error = {.text = ""};
    const NetParams params = params_of(specification, "");
    NetGraph *graph = graph_of(specification);
    const uint32_t last = graph->channels - 1;
    if (graph->wire[last] == NET_NONE)
        graph->wire[last] = graph->wires++;
    if (graph->group)
        graph->group[graph->wire[last]] = 0;
    graph->delay = heap_alloc(graph->heap, graph->wires);
    graph->delay[graph->wire[last]] = 1;
    cr_assert_null(net_create_on(graph, &params, engine, &error));
    cr_assert_not_null(strstr(error.text, says), "%s", error.text);
}

Test(refusals, lanes_and_wires_of_several_cycles_are_refused_where_they_cannot_be) {
    JmError error = {.text = ""};
    const NetParams plain = net_params_default();
    cr_assert_null(net_create_on(graph_of("torus=4x4"), &plain, "graph", &error));
    cr_assert_not_null(strstr(error.text, "the graph's places"), "%s", error.text);
    expect_no_delay("mesh=2x2", "graph", "the graph's delay");
    expect_no_delay("mesh=2x2", "plane", "the graph's delay");
    expect_no_delay("clos=2x2", "flow", "has a delay and ends at a sink");
    cr_assert_null(net_topology_build("torus=4x4,places=2,delay=64", NULL, &error));
    cr_assert(strstr(error.text, "at most 64 places, with 63"), "%s", error.text);
    cr_assert_null(net_create("mesh=2x2", &plain, "flow", &error));
    cr_assert_not_null(strstr(error.text, "wire_turns=0"), "%s", error.text);
}

/* A mesh built for parameters other than the network's. */
static const char *on_mesh_of(const NetParams *built, const NetParams *params,
                              const char *engine, JmError *error) {
    NetGraph *graph = net_mesh_create(3, 2, 2, built, NULL);
    Net *net = net_create_on(graph, params, engine, error);
    if (!net)
        return error->text;
    const char *name = net_engine_name(net);
    net_destroy(net);
    return name;
}

Test(refusals, the_plane_engine_refuses_a_mesh_of_other_parameters) {
    const NetParams standard = net_params_default();
    NetParams wires = standard, headers = standard;
    JmError error;
    wires.shared_wires = 0;
    headers.header_flits = 1;
    cr_assert_str_eq(on_mesh_of(&standard, &standard, "auto", &error), "plane");
    cr_assert_str_eq(on_mesh_of(&wires, &wires, "auto", &error), "plane");
    cr_assert_str_eq(on_mesh_of(&wires, &standard, "auto", &error), "graph");
    cr_assert_not_null(
        strstr(on_mesh_of(&wires, &standard, "plane", &error), "shared_wires=0"));
    cr_assert_str_eq(on_mesh_of(&headers, &standard, "auto", &error), "graph");
    cr_assert_not_null(
        strstr(on_mesh_of(&headers, &standard, "plane", &error), "header flits"));
    cr_assert_not_null(
        strstr(on_mesh_of(&standard, &headers, "auto", &error), "drops headers"));
}

/* Plans that no option of a command can ask for. */
static bool is_refused(unsigned load, unsigned words, unsigned service) {
    const NetCustomersPlan plan = {.load = load, .words = words, .service = service};
    Net *net = net_of("mesh=2", "");
    NetCustomers *customers = net_customers_create(net, &plan, NULL);
    const bool refused = customers == NULL;
    net_customers_destroy(customers);
    net_destroy(net);
    return refused;
}

Test(refusals, plans_of_customers_have_bounds) {
    static const unsigned last[][3] = {
        {1024, 4, 20}, {1, 1, 20}, {1, 32, 20}, {1, 5, 3}, {1, 4, 8000}};
    static const unsigned first[][3] = {{0, 4, 20},  {1025, 4, 20}, {1, 0, 20},
                                        {1, 33, 20}, {1, 5, 2},     {1, 4, 8001}};
    for (size_t i = 0; i < sizeof last / sizeof last[0]; i++)
        cr_expect_not(is_refused(last[i][0], last[i][1], last[i][2]), "%zu", i);
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        cr_expect(is_refused(first[i][0], first[i][1], first[i][2]), "%zu", i);
}

static bool takes(const NetProcessorsPlan *plan) {
    Net *net = net_of("mesh=2", "buffer_words=16");
    NetProcessors *processors = net_processors_create(net, plan, NULL);
    const bool taken = processors != NULL;
    net_processors_destroy(processors);
    net_destroy(net);
    return taken;
}

/* `last` is allowed in `plan`, `first` is not. */
#define EXPECT_BOUND(plan, member, last, first)                                        \
    do {                                                                               \
        NetProcessorsPlan p = (plan);                                                  \
        p.member = (last);                                                             \
        cr_expect(takes(&p), #member " " #last);                                       \
        p.member = (first);                                                            \
        cr_expect_not(takes(&p), #member " " #first);                                  \
    } while (0)

/* A message of 5 words takes two rows of 4. */
Test(refusals, plans_of_processors_have_bounds) {
    NetProcessorsPlan plan = {.load = 1,
                              .hops = 1,
                              .words = 5,
                              .handler = 40,
                              .imbalance = 1,
                              .queue = {512, 128}};
    NetProcessorsPlan whole = plan;
    whole.whole = true;
    EXPECT_BOUND(whole, words, 15, 16);
    EXPECT_BOUND(plan, load, 1, 0);
    EXPECT_BOUND(plan, load, 63, 64); /* that fit into the queue */
    EXPECT_BOUND(plan, words, 1, 0);
    EXPECT_BOUND(plan, words, 60, 61);
    EXPECT_BOUND(plan, handler, 4, 3);
    EXPECT_BOUND(plan, handler, 4000, 4001);
    EXPECT_BOUND(plan, hot, 1, 2);
    EXPECT_BOUND(plan, imbalance, 1e-9, 0);
    EXPECT_BOUND(plan, imbalance, 1e6, 2e6);
    EXPECT_BOUND(plan, queue[0], 16, 15);
    EXPECT_BOUND(plan, queue[0], 1048576, 1048577);
    EXPECT_BOUND(plan, queue[1], 16, 15);
    EXPECT_BOUND(plan, queue[1], 1048576, 1048577);
    EXPECT_BOUND(plan, brake_mark, 12, 11);
    EXPECT_BOUND(plan, spill_mark, 8, 7);
    EXPECT_BOUND(plan, brake_ring, false, true);
    plan.brake_mark = 12;
    EXPECT_BOUND(plan, brake_ring, false, true);
    plan.spill_mark = 8;
    plan.brake_ring = true;
    EXPECT_BOUND(plan, brake_mark, 12, 0);
    plan.queue[0] = 2048;
    EXPECT_BOUND(plan, load, 64, 65);
}
