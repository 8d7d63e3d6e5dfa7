/* Tori: routes, choices, ties and deadlock. */
#include <stdio.h>
#include <string.h>

#include "net/graph/walk.h"
#include "net/topology/topology.h"
#include "rig.h"

/* The options of all tori that tests look at; sizes come before them. */
static const char *const kinds[] = {
    "oneway=1",
    "oneway=1,lanes=4,places=3",
    "oneway=1,links=multiple",
    "lanes=2",
    "lanes=2,tie=wrap,links=multiple",
    "lanes=2,tie=nowrap",
    "lanes=3",
    "lanes=4,links=4",
    "lanes=3,escape=2",
    "lanes=4,escape=2,places=2,links=4",
    "lanes=5,escape=3",
    "lanes=8,escape=2",
    "ends=0",
    "ends=0,lanes=3",
    "ends=0,lanes=3,escape=1",
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* The dimensions of a torus: sizes as they are given, up to a 0. */
typedef struct {
    unsigned size[5];
} Sizes;

static unsigned dimensions_of(const Sizes *sizes) {
    unsigned count = 0;
    while (sizes->size[count])
        count++;
    return count;
}

static unsigned processors_of(const Sizes *sizes) {
    unsigned processors = 1;
    for (unsigned i = 0; sizes->size[i]; i++)
        processors *= sizes->size[i];
    return processors;
}

/* The coordinates of a processor, numbered along the first size. */
static Sizes place_of(const Sizes *sizes, unsigned processor) {
    Sizes place = {{0}};
    const unsigned count = dimensions_of(sizes);
    for (unsigned i = 0; i < count; i++) {
        place.size[i] = processor % sizes->size[i];
        processor /= sizes->size[i];
    }
    return place;
}

static NetGraph *build_kind(const Sizes *sizes, unsigned kind) {
    char text[80] = "torus=";
    JmError error;
    for (unsigned i = 0; sizes->size[i]; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", i ? "x" : "",
                 sizes->size[i]);
    snprintf(text + strlen(text), sizeof text - strlen(text), ",%s", kinds[kind]);
    NetGraph *graph = graph_of(text);
    cr_assert(net_graph_check(graph, &error), "%s: %s", text, error.text);
    return graph;
}

static const Sizes shapes[] = {
    {{2, 2}}, {{3, 3}}, {{4, 4}},    {{5, 5}},    {{4, 6}},       {{3, 2}},
    {{7}},    {{8}},    {{3, 4, 2}}, {{4, 2, 5}}, {{2, 3, 2, 4}}, {{3, 3, 3}},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* Walks all possible moves of messages, and finds no cycle. */
Test(torus, no_shape_deadlocks, .timeout = 600) {
    for (unsigned i = 0; i < KINDS * SHAPES; i++) {
        JmError error = {.text = ""};
        NetGraph *graph = build_kind(&shapes[i / KINDS], i % KINDS);
        cr_assert(net_graph_check_walks(graph, &error), "%s", error.text);
        net_graph_destroy(graph);
    }
}

/* Heads in adaptive lanes are safe only in front, unless all lanes together have no
 * circle. */
Test(torus, adaptive_lanes_need_channels_of_one_message) {
    static const struct {
        const char *topology;
        bool safe;
    } rows[] = {{"torus=4x4,lanes=4", true},
                {"torus=5,lanes=3,escape=2", false},
                {"torus=3x3,ends=0,lanes=2,escape=1", false},
                {"torus=3x2x2,lanes=4,escape=2", false},
                {"torus=3x3,ends=0,lanes=3", true},
                {"clos=2x2,levels=2,layer=idle_random", true}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        JmError error = {.text = ""};
        NetGraph *graph = graph_of(rows[i].topology);
        cr_assert(net_graph_check_walks(graph, &error), "%s", error.text);
        cr_expect_eq(net_graph_check_all_walks(graph, &error), rows[i].safe, "%s",
                     rows[i].topology);
        net_graph_destroy(graph);
    }
}

/* Nodes are named by their coordinates, in two dimensions by row and column, and
 * numbered by them. */
Test(torus, numbers_follow_from_coordinates) {
    for (unsigned s = 0; s < SHAPES; s++) {
        NetGraph *graph = build_kind(&shapes[s], 0);
        for (unsigned node = 0; node < graph->nodes; node++) {
            const Sizes place = place_of(&shapes[s], node);
            char name[32], expected[32] = "";
            const unsigned count = dimensions_of(&shapes[s]);
            for (unsigned i = 0; i < count; i++)
                snprintf(expected + strlen(expected), 8, "%s%u", i ? "," : "",
                         place.size[count == 2 ? 1 - i : i]);
            graph->node_name(graph, node, name, sizeof name);
            cr_assert_str_eq(name, expected);
        }
        net_graph_destroy(graph);
    }
}

static void expect_circle(const char *specification, const char *part) {
    const NetParams params = params_of(specification, "");
    JmError error = {.text = ""};
    NetGraph *graph = net_topology_build(specification, &params, &error);
    cr_assert_null(graph, "%s", specification);
    cr_assert_not_null(strstr(error.text, "wait for each other in a circle"), "%s: %s",
                       specification, error.text);
    cr_assert_not_null(strstr(error.text, part), "%s: %s", specification, error.text);
}

/* One class of lanes on end-around wires; in a row of three no message crosses two
 * wires of the same direction, so none waits. */
Test(torus, what_could_deadlock_is_refused_with_the_circle) {
    expect_circle("torus=4x4,oneway=1,lanes=1", "circle of 4 channels: 0,0");
    expect_circle("torus=5x5,lanes=1", "lane 0 ->");
    expect_circle("torus=4x4,lanes=2,escape=1", "lane 0");
    expect_circle("torus=3x3,oneway=1,lanes=1", "circle of 3 channels");
    expect_circle("torus=6,lanes=1", "circle of 6 channels: 0");
    expect_circle("torus=2x3x5,lanes=1", "circle of 5 channels: ");
    net_graph_destroy(graph_of("torus=3x3,lanes=1"));
}

static unsigned way(unsigned from, unsigned to, unsigned side, unsigned kind) {
    const unsigned up = (to + side - from) % side, down = (from + side - to) % side;
    if (strstr(kinds[kind], "oneway"))
        return down;
    if (strstr(kinds[kind], "ends=0"))
        return to > from ? to - from : from - to;
    return up < down ? up : down;
}

/* Whether the choices are different, and `next` is one of them. */
static bool choices_are_right(const uint32_t *choice, unsigned count, uint32_t next) {
    bool has_next = false;
    for (unsigned i = 0; i < count; i++) {
        has_next = has_next || choice[i] == next;
        for (unsigned k = 0; k < i; k++)
            if (choice[i] == choice[k])
                return false;
    }
    return has_next && count <= NET_MAX_CHOICES;
}

/* Follows one of the choices to the end; `pick` says which. The assertions of Criterion
 * take longer than a hop. */
static unsigned hops(const NetGraph *graph, uint32_t source, uint32_t end,
                     uint32_t address, unsigned pick) {
    uint32_t at = source, choice[NET_MAX_CHOICES];
    unsigned wires = 0;
    while (at != end) {
        const unsigned count = net_graph_choices(graph, at, address, choice);
        if (!choices_are_right(choice, count, graph->next(graph, at, address)))
            cr_assert_fail("choices at channel %u for address %u", at, address);
        wires += graph->wire[at] != NET_NONE;
        if (wires > 64)
            cr_assert_fail("no end for address %u", address);
        at = choice[pick % count];
        pick = pick / 2 + 7 * wires;
    }
    return wires;
}

static void check_pair(const NetGraph *graph, const Sizes *sizes, unsigned kind,
                       uint32_t from, uint32_t to) {
    const unsigned links = graph->nodes / graph->processors;
    const Sizes here = place_of(sizes, from), there = place_of(sizes, to);
    unsigned expected = 0;
    for (unsigned i = 0; sizes->size[i]; i++)
        expected += way(here.size[i], there.size[i], sizes->size[i], kind);
    for (unsigned draw = 0; draw < graph->draws; draw++) {
        const uint32_t address =
            net_graph_address(graph, from * links, to * links, draw);
        uint32_t terminal = from * links;
        if (graph->terminal)
            terminal = graph->terminal(graph, terminal, address);
        cr_assert_eq(graph->processor[terminal], from);
        for (unsigned pick = 0; pick < 8; pick++)
            if (hops(graph, net_graph_source(graph, terminal, 0),
                     net_graph_sink(graph, to * links, 0), address, pick) != expected)
                cr_assert_fail("%s: %u to %u", kinds[kind], from, to);
    }
}

Test(torus, every_way_ends_and_is_shortest, .timeout = 600) {
    for (unsigned i = 0; i < KINDS * SHAPES; i++) {
        const Sizes *sizes = &shapes[i / KINDS];
        NetGraph *graph = build_kind(sizes, i % KINDS);
        const uint32_t count = processors_of(sizes);
        for (uint32_t pair = 0; pair < count * count; pair++)
            check_pair(graph, sizes, i % KINDS, pair / count, pair % count);
        net_graph_destroy(graph);
    }
}

/* A route in dimension order corrects one coordinate after the other, of two the second
 * first; in each it is on the high lane while that of the destination is larger. So of
 * the messages that leave row i of one-way rings of 8, (7-i)(8-i)/56 do it on the high
 * lane (Adve and Vernon 1994, fig. 4). */
Test(torus, ordered_routes_correct_coordinates_in_order) {
    enum { ONE_WAY = 0, TWO_LANES = 3 };
    for (unsigned i = 0; i < 2 * SHAPES; i++) {
        const unsigned s = i / 2;
        NetGraph *graph = build_kind(&shapes[s], i % 2 ? ONE_WAY : TWO_LANES);
        const uint32_t count = graph->nodes;
        const bool two = dimensions_of(&shapes[s]) == 2;
        for (uint32_t pair = 0; pair < count * count; pair++) {
            const uint32_t address =
                net_graph_address(graph, pair / count, pair % count, 0);
            const Sizes there = place_of(&shapes[s], pair % count);
            unsigned least = 0;
            for (uint32_t at = graph->next(
                     graph, net_graph_source(graph, pair / count, 0), address);
                 graph->wire[at] != NET_NONE; at = graph->next(graph, at, address)) {
                const Sizes here = place_of(&shapes[s], graph->label[at].node);
                unsigned turn = 0, d = two;
                while (here.size[d] == there.size[d])
                    d = two ? 0 : d + 1, turn++;
                cr_assert_geq(turn, least);
                least = turn;
                cr_assert_eq(graph->lane[at], there.size[d] > here.size[d]);
            }
        }
        net_graph_destroy(graph);
    }
}

/* The ways round of a message, 1 for up and 2 for down in dimension 0, 4 and 8 in
 * dimension 1. */
static unsigned ways_round(const NetGraph *graph, uint32_t from, uint32_t to,
                           uint32_t draw) {
    const uint32_t address = net_graph_address(graph, from, to, draw);
    unsigned ways = 0;
    for (uint32_t at = net_graph_source(graph, from, 0);
         at < net_graph_first_sink(graph); at = graph->next(graph, at, address))
        if (graph->wire[at] != NET_NONE)
            ways |= 1u << (2 * graph->label[at].dimension + graph->label[at].downward);
    return ways;
}

/* Over all draws a message goes each way round in each dimension where both are as
 * long, in every combination equally often; in the others it has one way. */
static void expect_ties(unsigned rows, unsigned columns) {
    char text[40];
    snprintf(text, sizeof text, "torus=%ux%u,tie=split", columns, rows);
    NetGraph *graph = graph_of(text);
    for (uint32_t pair = 0; pair < graph->nodes * graph->nodes; pair++) {
        const uint32_t from = pair / graph->nodes, to = pair % graph->nodes;
        const unsigned sides[2] = {columns, rows};
        const unsigned apart[2] = {(to + columns - from % columns) % columns,
                                   (to / columns + rows - from / columns) % rows};
        unsigned seen[16] = {0}, combinations = 1, found = 0;
        for (uint32_t draw = 0; draw < graph->draws; draw++)
            seen[ways_round(graph, from, to, draw)]++;
        for (unsigned d = 0; d < 2; d++)
            combinations *= 2 * apart[d] == sides[d] ? 2 : 1;
        for (unsigned i = 0; i < 16; i++) {
            found += seen[i] > 0;
            cr_expect(seen[i] == 0 || seen[i] * combinations == graph->draws,
                      "%s: %u to %u, %u of ways %u", text, from, to, seen[i], i);
        }
        cr_expect_eq(found, combinations, "%s: %u to %u", text, from, to);
    }
    net_graph_destroy(graph);
}

Test(torus, every_tie_is_drawn_by_itself) {
    for (unsigned rows = 2; rows <= 6; rows++)
        for (unsigned columns = 2; columns <= 6; columns++)
            expect_ties(rows, columns);
}

/* Whether the mirror of the route from `s` to `d` with one draw is that with
 * another. */
static bool mirrored(const NetGraph *graph, unsigned m, uint32_t s, uint32_t d,
                     const uint32_t draws[2]) {
    const uint32_t ends[2] = {graph->mirror(graph, m, net_graph_source(graph, s, 0)),
                              graph->mirror(graph, m, net_graph_sink(graph, d, 0))};
    const uint32_t address = net_graph_address(graph, s, d, draws[0]);
    const uint32_t other = net_graph_address(graph, graph->label[ends[0]].node,
                                             graph->label[ends[1]].node, draws[1]);
    uint32_t at = net_graph_source(graph, s, 0), image = ends[0];
    while (at < net_graph_first_sink(graph)) {
        at = graph->next(graph, at, address);
        image = graph->next(graph, image, other);
        if (graph->mirror(graph, m, at) != image ||
            graph->mirror(graph, m, image) != at)
            return false;
    }
    return image == ends[1];
}

/* Each mirror is its own inverse and carries routes into routes. */
static void check_mirrors(const NetGraph *graph, const char *kind) {
    const uint32_t count = graph->processors ? graph->processors : graph->nodes;
    const uint32_t links = graph->nodes / count;
    const uint32_t draws = graph->address_from ? graph->draws : 1;
    for (uint32_t i = 0; i < count * count * graph->mirrors; i++) {
        const uint32_t mirror = i / (count * count);
        const uint32_t s = i / count % count * links, d = i % count * links;
        bool found = s == d;
        for (uint32_t draw = 0; draw < draws && !found; draw++)
            found = mirrored(graph, mirror, s, d, (uint32_t[]){0, draw});
        cr_assert(found, "%s: mirror %u of %u to %u", kind, mirror, s, d);
    }
}

/* A torus with a wire each way and a mesh have a mirror for each dimension. */
Test(torus, mirrors_keep_routes) {
    static const Sizes all[] = {{{4, 5}}, {{6}}, {{2, 3, 4}}, {{2, 2, 3, 2}}};
    unsigned with = 0;
    for (unsigned k = 0; k < KINDS * sizeof all / sizeof all[0]; k++) {
        NetGraph *graph = build_kind(&all[k / KINDS], k % KINDS);
        with += graph->mirrors == dimensions_of(&all[k / KINDS]);
        check_mirrors(graph, kinds[k % KINDS]);
        net_graph_destroy(graph);
    }
    cr_assert_eq(with, 4 * sizeof all / sizeof all[0]);
    NetGraph *mesh = graph_of("mesh=4x3x2");
    cr_assert_eq(mesh->mirrors, 3);
    check_mirrors(mesh, "mesh");
    /* Mirror 0 reverses X. */
    cr_assert_eq(mesh->mirror(mesh, 0, net_graph_source(mesh, 1, 0)),
                 net_graph_source(mesh, 2, 0));
    net_graph_destroy(mesh);
}
