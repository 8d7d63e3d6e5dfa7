/* The Mesh of Clos: counts of the paper (Pimentel and Hertzberger, section 2 and figure
 * 2), routes and layers. */
#include <stdio.h>
#include <stdlib.h>

#include "net/graph/walk.h"
#include "rig.h"

static NetGraph *build(const char *specification) {
    NetGraph *graph = graph_of(specification);
    JmError error;
    cr_assert(net_graph_check(graph, &error), "%s: %s", specification, error.text);
    cr_assert(net_graph_check_walks(graph, &error), "%s: %s", specification,
              error.text);
    return graph;
}

/* Channels that a message's head passes: of the mesh, and all. */
typedef struct {
    unsigned mesh, all;
    uint32_t points[16];
} Route;

static Route route(const NetGraph *graph, uint32_t from, uint32_t to, uint32_t draw) {
    const uint32_t address = net_graph_address(graph, from, to, draw);
    Route r = {0};
    for (uint32_t at = graph->next(graph, net_graph_source(graph, from, 0), address);
         at < graph->channels; at = graph->next(graph, at, address)) {
        cr_assert_lt(r.all, 16);
        r.points[r.all++] = at;
        r.mesh += graph->wire[at] != NET_NONE && graph->label[at].dimension < 2;
    }
    return r;
}

typedef struct {
    const char *specification;
    unsigned nodes, mesh_wires, up_wires;
} Counts;

/* A bidirectional mesh of R x C has 2 (R (C-1) + C) wires; a lower router has
 * four wires up. Figure 2: 4 clusters of 4 nodes; 4 clusters of 16 with 4 meshes. */
Test(clos, has_the_nodes_and_wires_of_the_paper, .timeout = 600) {
    static const Counts rows[] = {
        {"clos=4x4", 64, 48, 0},
        {"clos=2x2", 16, 8, 0},
        {"clos=1x1", 4, 0, 0},
        {"clos=2x2,levels=2", 64, 32, 64},
        {"clos=1x1,levels=2", 16, 0, 16},
        {"clos=1x3,levels=2", 48, 16, 48},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        NetGraph *graph = build(rows[i].specification);
        cr_expect_eq(graph->nodes, rows[i].nodes, "%s", rows[i].specification);
        cr_expect_eq(graph->wires, rows[i].mesh_wires + 2 * rows[i].up_wires, "%s",
                     rows[i].specification);
        cr_expect_eq(graph->channels, graph->wires + graph->nodes);
        net_graph_destroy(graph);
    }
}

/* Rows before columns: a message that moves along a column stays in it. */
Test(clos, messages_go_along_the_row_first) {
    NetGraph *graph = build("clos=4x4");
    for (uint32_t from = 0; from < 64; from++)
        for (uint32_t to = 0; to < 64; to++) {
            const Route r = route(graph, from, to, 0);
            for (unsigned i = 1; i + 1 < r.all; i++)
                cr_assert_geq(graph->label[r.points[i]].dimension,
                              graph->label[r.points[i - 1]].dimension, "%u to %u", from,
                              to);
        }
    net_graph_destroy(graph);
}

static unsigned group_of(const NetGraph *graph, uint32_t point) {
    return graph->group[graph->wire[point]];
}

/* A message stays in one of the four meshes: that of its source, or the one drawn. */
Test(clos, a_message_stays_in_its_layer) {
    static const char *const words[] = {"fixed", "random"};
    for (unsigned kind = 0; kind < 2; kind++) {
        char text[40];
        snprintf(text, sizeof text, "clos=2x2,levels=2,layer=%s", words[kind]);
        NetGraph *graph = build(text);
        cr_assert_eq(graph->draws, kind ? 4 : 1);
        for (uint32_t from = 0; from < 64; from++)
            for (uint32_t to = 0; to < 64; to++)
                for (uint32_t draw = 0; draw < graph->draws; draw++) {
                    const Route r = route(graph, from, to, draw);
                    cr_assert_eq(r.all, from / 4 == to / 4 ? 1 : r.mesh + 3);
                    for (unsigned i = 0; i < r.mesh; i++)
                        cr_assert_eq(group_of(graph, r.points[1 + i]),
                                     kind ? draw : from % 4);
                }
        net_graph_destroy(graph);
    }
}

/* The search for idle layers starts at the source's own, or at the one drawn. */
Test(clos, choices_begin_with_the_layer_of_the_message) {
    NetGraph *fixed = build("clos=2x2,levels=2,layer=idle_fixed");
    NetGraph *drawn = build("clos=2x2,levels=2,layer=idle_random");
    uint32_t choice[NET_MAX_CHOICES];
    for (uint32_t draw = 0; draw < 4; draw++) {
        const uint32_t source = net_graph_source(fixed, 5, 0);
        uint32_t address = net_graph_address(fixed, 5, 40, 0);
        cr_assert_eq(net_graph_choices(fixed, source, address, choice), 4);
        cr_expect_eq((choice[draw] - choice[0] + 5) % 4, (5 + draw) % 4);
        cr_expect_eq(choice[0], fixed->next(fixed, source, address));
        address = net_graph_address(drawn, 5, 40, draw);
        cr_assert_eq(net_graph_choices(drawn, source, address, choice), 4);
        cr_expect_eq(choice[0], drawn->next(drawn, source, address));
        address = net_graph_address(drawn, 5, 6, draw);
        cr_expect_eq(net_graph_choices(drawn, source, address, choice), 1);
    }
    net_graph_destroy(fixed);
    net_graph_destroy(drawn);
}

/* Sends a message between each two clusters: its flits cross the middle of a side once
 * if its ends lie on both sides of it. Two wires in each line of clusters and layer
 * cross the middle of a side of two or more clusters. */
static void cross_the_middle(unsigned rows, unsigned columns, unsigned levels) {
    enum { WORDS = 3, FLITS = WORDS + 2 };
    const unsigned size[] = {columns, rows}, per = levels == 2 ? 16 : 4;
    const unsigned layers = levels == 2 ? 4 : 1, clusters = rows * columns;
    uint64_t flits[2] = {0};
    char text[40];
    snprintf(text, sizeof text, "clos=%ux%u,levels=%u", rows, columns, levels);
    Net *net = net_of(text, "");
    for (unsigned pair = 0; pair < clusters * clusters; pair++) {
        const unsigned from = pair % clusters, to = pair / clusters;
        post(net, from * per, 0, to * per + 1, WORDS);
        step_until_quiet(net);
        const unsigned at[2][2] = {{from % columns, from / columns},
                                   {to % columns, to / columns}};
        for (unsigned d = 0; d < 2; d++)
            if ((at[0][d] < size[d] / 2) != (at[1][d] < size[d] / 2))
                flits[d] += FLITS;
    }
    const NetStatistics *seen = net_statistics(net);
    for (unsigned d = 0; d < 2; d++) {
        cr_expect_eq(seen->bisection_flits[d], flits[d], "%s: dimension %u", text, d);
        cr_expect_eq(seen->bisection_wires[d],
                     size[d] > 1 ? 2 * layers * size[1 - d] : 0, "%s: dimension %u",
                     text, d);
    }
    net_destroy(net);
}

Test(clos, wires_over_the_middle) {
    for (unsigned rows = 1; rows <= 5; rows++)
        for (unsigned columns = 1; columns <= 5; columns++)
            cross_the_middle(rows, columns, 1);
    cross_the_middle(3, 2, 2);
}
