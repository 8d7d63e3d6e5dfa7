/* Which engines refuse which networks and parameters, and their messages. */
#include <stdlib.h>
#include <string.h>

#include "net/topology/mesh.h"
#include "net/topology/topology.h"
#include "net/traffic/customers.h"
#include "net/traffic/processors.h"
#include "rig.h"

/* Of an engine, or of both that are plain. */
Test(refusals, engines_refuse_what_they_do_not_mind_by_name) {
    static const struct {
        const char *engine, *topology, *settings, *says;
    } rows[] = {
        {"plain", "mesh=2x2", "flits_per_word=1", "flits_per_word"},
        {"plain", "mesh=2x2", "through=1", "through"},
        {"plain", "mesh=2x2", "wire_turns=1", "wire_turns"},
        {"plain", "mesh=2x2", "heads=1", "heads"},
        {"plain", "mesh=2x2", "select=2", "select"},
        {"plain", "mesh=2x2", "commit=1", "commit"},
        {"plain", "mesh=2x2", "atomic=1", "atomic"},
        {"plain", "mesh=2x2", "channel_capacity=9", "channel_capacity is 9"},
        {"flow", "torus=4x4", "fair=1", "fair=1"},
        {"flow", "torus=4x4", "heads=0", "heads=0"},
        {"flow", "torus=4x4,lanes=4,escape=2", "heads=2", "heads=2"},
        {"auto", "torus=4x4", "wire_turns=0", "wire_turns=0"},
        {"flow", "torus=4x4", "age=1", "age=1"},
        {"flow", "torus=4x4", "header_flits=0", "header_flits=0"},
        {"flow", "torus=4x4", "shared_wires=0", "has a wire each way"},
        {"flow", "mesh=2x2", "", "wire_turns=0"},
        {"plane", "mesh=2x2", "age=1", "ages"},
        {"plane", "mesh=2x2", "age=2", "ages"},
        {"plane", "mesh=2x2", "virtual_channels=2", "virtual channels"},
    };
    for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        const bool plain = strcmp(rows[i / 2].engine, "plain") == 0;
        const char *engine = i % 2 ? "graph" : "plane";
        const NetParams params = params_of(rows[i / 2].topology, rows[i / 2].settings);
        JmError error = {.text = ""};
        cr_assert_null(net_create(rows[i / 2].topology, &params,
                                  plain ? engine : rows[i / 2].engine, &error));
        cr_assert_not_null(strstr(error.text, rows[i / 2].says), "%s", error.text);
    }
}

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
    graph->delay = calloc(graph->wires, 1);
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
