/* Flits of each wire and direction, wires and the bisection, against routes followed
 * here by coordinates: in meshes and tori with sides of 1, 2, odd ones and the
 * largest. Times of messages alone in meshes. */
#include "rig.h"

enum { DIMENSIONS = 3, MOST_NODES = 64, LONG = 31 };
typedef enum { SHORTEST_UP, SHORTEST_DOWN, ONE_WAY, NO_ENDS } Way;

/* A network: dimension 0 is that of neighbouring numbers. Ties go inside the row
 * (SHORTEST_UP: from a lower number upwards) or round its end. */
typedef struct {
    const char *text;
    unsigned size[DIMENSIONS];
    Way way;
    bool falling; /* the last dimension goes first */
    bool shared;
    unsigned header; /* flits of the header in dimension 0; `drops`: one less in each */
    bool drops;
    unsigned per_word; /* flits */
} Shape;

static unsigned nodes_of(const Shape *shape) {
    return shape->size[0] * shape->size[1] * shape->size[2];
}

static unsigned stride_of(const Shape *shape, unsigned d) {
    return d == 0 ? 1 : d == 1 ? shape->size[0] : shape->size[0] * shape->size[1];
}

static unsigned digit(const Shape *shape, unsigned node, unsigned d) {
    return node / stride_of(shape, d) % shape->size[d];
}

static unsigned moved(const Shape *shape, unsigned node, unsigned d, bool up) {
    const unsigned at = digit(shape, node, d), side = shape->size[d];
    const unsigned to = (at + (up ? 1 : side - 1)) % side;
    return node - at * stride_of(shape, d) + to * stride_of(shape, d);
}

static bool goes_up(const Shape *shape, unsigned d, unsigned from, unsigned to) {
    const unsigned side = shape->size[d], above = (to + side - from) % side;
    if (shape->way == ONE_WAY || shape->way == NO_ENDS)
        return shape->way == NO_ENDS && to > from;
    if (2 * above != side)
        return 2 * above < side;
    return (shape->way == SHORTEST_UP) == (to > from);
}

/* Flits over each wire: by node, dimension, and 1 for up. */
typedef uint64_t Links[MOST_NODES][DIMENSIONS][2];

/* Adds a message's flits; returns its wires. */
static unsigned follow(const Shape *shape, unsigned at, unsigned to, unsigned words,
                       Links links) {
    unsigned wires = 0;
    for (unsigned i = 0; i < DIMENSIONS; i++) {
        const unsigned d = shape->falling ? DIMENSIONS - 1 - i : i;
        const unsigned header = shape->header - (shape->drops ? d : 0);
        while (digit(shape, at, d) != digit(shape, to, d)) {
            const bool up = goes_up(shape, d, digit(shape, at, d), digit(shape, to, d));
            links[at][d][up] += header + words * shape->per_word;
            at = moved(shape, at, d, up);
            wires++;
        }
    }
    return wires;
}

/* Sends a message and waits for its arrival; a quarter at priority 1 in meshes. */
static void send(Net *net, const Shape *shape, unsigned from, unsigned to,
                 unsigned words) {
    const unsigned priority = shape->drops && words % 4 == 3;
    post(net, from, priority, to, words);
    step_until_quiet(net);
}

/* The tail of a message alone is ejected dx + dy + dz + 2W + H + 2 cycles after its
 * first flit left the buffer; a first one is the shortest and the longest so far. */
static void expect_transit(const Net *net, unsigned wires, unsigned words,
                           NetHistogram *seen) {
    const NetHistogram *transit = &net_statistics(net)->transit;
    const unsigned expected = wires + 2 * words + net_header_flits(net) + 2;
    cr_assert_eq(transit->sum - seen->sum, expected, "%u wires, %u words", wires,
                 words);
    net_histogram_add(seen, expected);
    cr_assert(transit->min == seen->min && transit->max == seen->max);
}

static bool has_wire(const Shape *shape, unsigned node, unsigned d, bool up) {
    const unsigned at = digit(shape, node, d);
    const bool end = at == (up ? shape->size[d] - 1 : 0);
    return shape->size[d] > 1 && !(shape->way == NO_ENDS && end) &&
           !(shape->way == ONE_WAY && up);
}

/* Compares links and the sums over them. */
static void expect_links(const Net *net, const Shape *shape, Links links) {
    const NetStatistics *seen = net_statistics(net);
    for (unsigned d = 0; d < DIMENSIONS; d++) {
        uint64_t flits = 0, wires = 0, middle_flits = 0, middle_wires = 0;
        for (unsigned i = 0; i < 2 * nodes_of(shape); i++) {
            const unsigned node = i / 2, up = i % 2, at = digit(shape, node, d);
            const unsigned middle = shape->size[d] / 2;
            if (!has_wire(shape, node, d, up)) {
                cr_expect_eq(net_link_flits(net, node, d, up), 0);
                continue;
            }
            cr_expect_eq(net_link_flits(net, node, d, up), links[node][d][up],
                         "%s: %u, dimension %u, up %u", shape->text, node, d, up);
            const bool inside = at == (up ? middle - 1 : middle);
            const bool counts = !shape->shared || up;
            flits += links[node][d][up];
            wires += counts;
            middle_flits += inside ? links[node][d][up] : 0;
            middle_wires += inside && counts;
        }
        cr_expect_eq(seen->wire_flits[d], flits, "%s, %u", shape->text, d);
        cr_expect_eq(seen->wires[d], wires, "%s, %u", shape->text, d);
        cr_expect_eq(seen->bisection_flits[d], middle_flits, "%s, %u", shape->text, d);
        cr_expect_eq(seen->bisection_wires[d], middle_wires, "%s, %u", shape->text, d);
    }
}

static Net *create(const Shape *shape) {
    return net_of(shape->text, shape->drops && !shape->shared ? "shared_wires=0" : "");
}

#define MESH(x, y, z, shared)                                                          \
    { "mesh=" #x "x" #y "x" #z, {x, y, z}, NO_ENDS, false, shared, 3, true, 2 }
#define TORUS(rows, columns, more, way)                                                \
    {                                                                                  \
        "torus=" #columns "x" #rows more, {columns, rows, 1}, way, true, false, 1,     \
            false, 1                                                                   \
    }

Test(links, flits_of_each_direction) {
    static const Shape shapes[] = {
        MESH(3, 2, 4, true),
        MESH(3, 2, 4, false),
        MESH(1, 2, 5, true),
        MESH(2, 1, 1, false),
        MESH(5, 3, 2, true),
        TORUS(2, 3, ",tie=nowrap", SHORTEST_UP),
        TORUS(4, 5, ",tie=wrap", SHORTEST_DOWN),
        TORUS(5, 4, ",tie=nowrap,lanes=3", SHORTEST_UP),
        TORUS(3, 6, ",oneway=1", ONE_WAY),
        TORUS(4, 3, ",ends=0,delay=3", NO_ENDS),
        /* Of the largest sides, each node to one across the middle. */
        TORUS(32, 2, ",tie=nowrap", SHORTEST_UP),
        TORUS(2, 32, ",ends=0", NO_ENDS),
        TORUS(2, 31, ",oneway=1", ONE_WAY),
        MESH(32, 1, 1, true),
        MESH(1, 31, 1, false),
        MESH(1, 1, 64, true),
    };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        Links links = {{{0}}};
        NetHistogram transit = {.min = UINT64_MAX};
        Net *net = create(&shapes[i]);
        const unsigned nodes = nodes_of(&shapes[i]);
        for (unsigned pair = 0; pair < nodes * nodes; pair++) {
            const unsigned from = pair % nodes, to = pair / nodes;
            const unsigned words = 1 + (pair + to) % 5;
            if (nodes >= LONG && to != nodes - 1 - from)
                continue;
            send(net, &shapes[i], from, to, words);
            const unsigned wires = follow(&shapes[i], from, to, words, links);
            if (shapes[i].drops)
                expect_transit(net, wires, words, &transit);
        }
        expect_links(net, &shapes[i], links);
        net_destroy(net);
    }
}

/* From the opening: the first word is offered in the same cycle, and seen in the
 * next. */
Test(links, latency_is_counted_from_the_opening) {
    Net *net = net_of("mesh=4", "");
    net_skip(net, 1000);
    post(net, 0, 0, 3, 1);
    step_until_quiet(net);
    const NetStatistics *seen = net_statistics(net);
    cr_assert_eq(seen->transit.sum, 3 + 2 + 3 + 2);
    cr_assert_eq(seen->latency.sum, seen->transit.sum + 1);
    cr_assert_eq(net_now(net), 1000 + seen->latency.sum + 1);
    net_destroy(net);
}
