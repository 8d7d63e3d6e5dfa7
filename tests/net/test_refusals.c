/* Which engines refuse which networks and parameters, and their messages. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "net/net.h"
#include "net/topology/topology.h"

static void expect_refusal(const char *specification, const char *engine,
                           const char *name, uint32_t value, const char *says) {
    NetParams params = net_params_default();
    JmError error = {.text = ""};
    net_specification_params(specification, &params, NULL);
    if (name)
        cr_assert_eq(net_params_set(&params, name, value), 0);
    cr_assert_null(net_create(specification, &params, engine, &error));
    cr_assert_not_null(strstr(error.text, says), "%s", error.text);
}

Test(refusals, engines_refuse_what_they_do_not_mind_by_name) {
    static const char *const engines[] = {"plane", "graph"};
    static const struct {
        const char *name;
        uint32_t value;
    } rows[] = {{"flits_per_word", 1}, {"through", 1}, {"wire_turns", 1},
                {"heads", 1},          {"select", 2},  {"commit", 1}};
    for (unsigned i = 0; i < 2; i++) {
        for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
            expect_refusal("mesh=2x2", engines[i], rows[row].name, rows[row].value,
                           rows[row].name);
        expect_refusal("mesh=2x2", engines[i], "channel_capacity", 9,
                       "channel_capacity is 9");
    }
    expect_refusal("torus=4x4", "flow", "fair", 1, "fair=1");
    expect_refusal("torus=4x4", "flow", "heads", 0, "heads=0");
    expect_refusal("torus=4x4,lanes=4,escape=2", "flow", "heads", 2, "heads=2");
    expect_refusal("torus=4x4", "auto", "wire_turns", 0, "wire_turns=0");
    expect_refusal("torus=4x4", "flow", "age", 1, "age=1");
    expect_refusal("torus=4x4", "flow", "header_flits", 0, "header_flits=0");
    expect_refusal("torus=4x4", "flow", "shared_wires", 0, "has a wire each way");
    expect_refusal("mesh=2x2", "flow", NULL, 0, "wire_turns=0");
}

/* The graph's own fields, without the parameters. */
Test(refusals, plain_engines_refuse_lanes) {
    JmError error;
    NetParams params = net_params_default();
    NetGraph *graph = net_topology_build("torus=4x4", &params, &error);
    cr_assert_not_null(graph);
    cr_assert_null(net_create_on(graph, &params, "graph", &error));
    cr_assert_not_null(strstr(error.text, "the graph's places"), "%s", error.text);
}

/* A graph with wires of several cycles that the flow engine or the others are given. */
static void expect_no_delay(const char *specification, const char *engine,
                            const char *says) {
    JmError error = {.text = ""};
    NetParams params = net_params_default();
    cr_assert(net_specification_params(specification, &params, &error));
    NetGraph *graph = net_topology_build(specification, &params, &error);
    cr_assert_not_null(graph);
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

Test(refusals, wires_of_several_cycles_are_refused_where_they_cannot_be) {
    JmError error = {.text = ""};
    expect_no_delay("mesh=2x2", "graph", "the graph's delay");
    expect_no_delay("mesh=2x2", "plane", "the graph's delay");
    expect_no_delay("clos=2x2", "flow", "has a delay and ends at a sink");
    cr_assert_null(net_topology_build("torus=4x4,places=2,delay=64", NULL, &error));
    cr_assert(strstr(error.text, "at most 64 places, with 63"), "%s", error.text);
}
