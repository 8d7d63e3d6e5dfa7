/* Networks by specification, and the engines that run them. */
#include <stdio.h>
#include <string.h>

#include "engines.h"
#include "net/topology/mesh.h"
#include "net/topology/topology.h"

static Net *create(const char *specification, const char *engine, JmError *error) {
    const NetParams params = net_params_default();
    return net_create(specification, &params, engine, error);
}

static void has_nodes(const char *specification, unsigned nodes, const char *last) {
    JmError error;
    Net *net = create(specification, "auto", &error);
    cr_assert_not_null(net, "%s", error.text);
    cr_assert_eq(net_node_count(net), nodes);
    cr_assert_str_eq(net_engine_name(net), "plane");
    /* The last node's name shows the order of the sizes. */
    NetMeshShape shape;
    const NetParams params = net_params_default();
    NetGraph *graph = net_topology_build(specification, &params, &error);
    cr_assert(net_mesh_shape(graph, &shape));
    char name[32];
    graph->node_name(graph, nodes - 1, name, sizeof name);
    cr_assert_str_eq(name, last);
    net_graph_destroy(graph);
    net_destroy(net);
}

Test(specification, names_a_mesh) {
    has_nodes("mesh=8x4x2", 64, "7,3,1");
    has_nodes("mesh=3x5", 15, "2,4,0");
    has_nodes("mesh=16", 16, "15,0,0");
}

Test(specification, what_there_is_not_is_refused) {
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"msh=8x8x8", "'msh=8x8x8': there is no topology msh; did you mean 'mesh'?; "
                      "there is mesh=XxYxZ, torus=ROWSxCOLUMNS"},
        {"banyan=8",
         "there is no topology banyan; there is mesh=XxYxZ, torus=ROWSxCOLUMNS"},
        {"mesh=8x8,lanes=2", "there is no option lanes; there is none"},
        {"torus=4x4,lanes=2,tie=wrap,lanes=3", "lanes is given twice"},
        {"mesh=8x8x8x8", "more than 3 sizes"},
        {"mesh=0x8", "not within"},
        {"mesh=33", "not within"},
        {"mesh=1234567", "'mesh=1234567': a number of at most six digits is expected "
                         "at place 12"},
        {"mesh=999999x999999x999999", "not within"},
        {"mesh=8x", "a number is expected at place 8"},
        {"mesh=-8", "a number is expected at place 6"},
        {"mesh=", "a number is expected at place 6"},
        {"mesh", "'=' is expected at place 5"},
        {"mesh 8", "'=' is expected at place 5"},
        {"", "a name is expected at place 1"},
        {"8x8x8", "a name is expected at place 1"},
        {"mesh=8x8 ", "',' or the end is expected at place 9"},
        {"mesh=8,", "a name is expected at place 8"},
    };
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        JmError error;
        cr_assert_null(create(bad[i].text, "auto", &error), "%s", bad[i].text);
        cr_assert_not_null(strstr(error.text, bad[i].says), "%s: %s", bad[i].text,
                           error.text);
    }
    char longest[2000] = "";
    memset(longest, 'a', sizeof longest - 1);
    JmError error;
    cr_assert_null(create(longest, "auto", &error));
}

/* Options of a topology known only to this test. */
static const NetTopologyOption options[] = {
    {"lanes", 1, 1, 8, NULL, NULL, NULL}, {"escape", 0, 0, 1, NULL, NULL, NULL}, {0}};
static const NetTopology plain = {.name = "plain", .form = "plain=N"};
static const NetTopology torus = {
    .name = "torus", .form = "torus=KxK", .options = options};
static const NetTopology *const rows[] = {&plain, &torus};

static const char *reads(const char *text, NetShape *shape, JmError *error) {
    const NetTopology *topology = net_specification_read(text, rows, 2, shape, error);
    return topology ? topology->name : error->text;
}

Test(specification, options_have_defaults_and_bounds) {
    NetShape shape;
    JmError error;
    cr_assert_str_eq(reads("torus=8x8", &shape, &error), "torus");
    cr_assert(shape.sizes == 2 && shape.size[1] == 8 && shape.size[2] == 1);
    cr_assert(shape.option[0] == 1 && shape.option[1] == 0);
    cr_assert_str_eq(reads("torus=4,escape=1,lanes=8", &shape, &error), "torus");
    cr_assert(shape.sizes == 1 && shape.option[0] == 8 && shape.option[1] == 1);
    cr_assert_str_eq(reads("torus=4,lanes=9", &shape, &error),
                     "'torus=4,lanes=9': lanes is 9, not 1 to 8");
    cr_assert_str_eq(reads("torus=4,lanes=0", &shape, &error),
                     "'torus=4,lanes=0': lanes is 0, not 1 to 8");
    cr_assert_str_eq(reads("torus=4,lane=2", &shape, &error),
                     "'torus=4,lane=2': there is no option lane; did you mean 'lanes'?"
                     "; "
                     "there is lanes, escape");
    cr_assert_str_eq(reads("torus=4,lanes", &shape, &error),
                     "'torus=4,lanes': '=' is expected at place 14");
    cr_assert_str_eq(reads("torus=4,lanes=", &shape, &error),
                     "'torus=4,lanes=': a number is expected at place 15");
    cr_assert_str_eq(
        reads("ring=4", &shape, &error),
        "'ring=4': there is no topology ring; there is plain=N, torus=KxK");
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

Test(specification, plane_refuses_a_mesh_of_other_parameters) {
    const NetParams standard = net_params_default();
    NetParams other = standard;
    JmError error;
    cr_assert_str_eq(on_mesh_of(&standard, &standard, "auto", &error), "plane");
    other.shared_wires = 0;
    cr_assert_str_eq(on_mesh_of(&other, &standard, "auto", &error), "graph");
    cr_assert_str_eq(on_mesh_of(&other, &standard, "plane", &error),
                     "the network engine plane cannot run this: the mesh was built "
                     "with shared_wires=0");
    cr_assert_str_eq(on_mesh_of(&other, &other, "auto", &error), "plane");
    other = standard;
    other.header_flits = 1;
    cr_assert_str_eq(on_mesh_of(&other, &standard, "auto", &error), "graph");
    cr_assert_not_null(strstr(on_mesh_of(&other, &standard, "plane", &error),
                              "built for fewer than three header flits"));
    cr_assert_not_null(
        strstr(on_mesh_of(&standard, &other, "auto", &error), "drops headers"));
}

Test(specification, engines_are_named_where_there_is_none) {
    JmError error;
    cr_assert_null(create("mesh=2x2", "plan", &error));
    cr_assert_str_eq(error.text,
                     "there is no network engine plan; did you mean 'plane'?"
                     "; there are "
                     "auto, plane, graph, flow, plane-plain, plane-sse2, plane-avx2, "
                     "plane-avx512");
    static const char *const near[][2] = {{"aut", "auto"},
                                          {"autp", "auto"},
                                          {"grpah", "graph"},
                                          {"flwo", "flow"},
                                          {"plane-pline", "plane-plain"},
                                          {"plane-sse3", "plane-sse2"},
                                          {"lanes", "plane"},
                                          {"plane-avx51", "plane-avx512"}};
    for (size_t i = 0; i < sizeof near / sizeof near[0]; i++) {
        char says[64];
        snprintf(says, sizeof says, "; did you mean '%s'?; there are", near[i][1]);
        cr_assert_null(create("mesh=2x2", near[i][0], &error));
        cr_expect_not_null(strstr(error.text, says), "%s", error.text);
    }
    cr_assert_null(create("mesh=2x2", "zebra-stripes", &error));
    cr_expect_null(strstr(error.text, "did you mean"), "%s", error.text);
}
