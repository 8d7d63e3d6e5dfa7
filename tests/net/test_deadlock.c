/* Which tori may deadlock: the builder's verdict against a criterion from the shape
 * alone. What happens if such tori run anyway: test_circles.c. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "net/graph/walk.h"
#include "net/net.h"
#include "net/topology/torus.h"

static void say(const NetTorus *t, char *text, size_t size) {
    snprintf(text, size,
             "%u, %ux%ux%ux%u one_way=%d ends=%d lanes=%u escape=%u links=%u tie=%d "
             "delay=%u",
             t->dimensions, t->side[0], t->side[1], t->side[2], t->side[3], t->one_way,
             t->ends, t->lanes, t->escape, t->links, (int)t->tie, t->delay);
}

/* Whether messages of a ring can all hold a wire and want the next one of the ring:
 * from each node one must cross two wires that way. Of a side of 4 with a wire each way
 * those are the ways to the opposite node, and a rule for ties leaves gaps in them. */
static bool ring_is_closed(const NetTorus *t, unsigned side) {
    if (t->one_way)
        return side > 2;
    return side > 4 || (side == 4 && t->tie == NET_TIE_SPLIT);
}

/* Two classes of lanes cut every ring, one lane that keeps to the order of dimensions
 * does not; without end-around wires there is no ring. Places, links and delays do not
 * matter, nor do lanes for any move: from those a message may leave by the ordered. */
static bool could_deadlock(const NetTorus *t) {
    const unsigned ordered = t->escape ? t->escape : t->lanes;
    bool closed = false;
    for (unsigned d = 0; d < t->dimensions; d++)
        closed = closed || ring_is_closed(t, t->side[d]);
    return t->ends && ordered == 1 && closed;
}

/* Shapes that the builder's check_spec() refuses regardless of waits. */
static bool is_no_torus(const NetTorus *t) {
    const unsigned lanes = t->lanes ? t->lanes : t->ends ? 2 : 1;
    const bool several = t->escape || lanes > (t->ends ? 2u : 1u);
    return (t->one_way && !t->ends) || t->escape > lanes || (t->links == 0 && several);
}

/* The `number`-th torus of the enumeration. */
static NetTorus numbered(unsigned number, const unsigned *sizes) {
    NetTorus t = {.priorities = 1, .places = 1 + number % 2};
    unsigned count = 0;
    while (count < NET_MAX_DIMENSIONS && sizes[count])
        count++;
    net_torus_set_sizes(&t, sizes, count);
    t.delay = number % 3;
    t.one_way = number % 2;
    t.ends = number / 2 % 2;
    t.lanes = number / 4 % 6;
    t.escape = number / 24 % 5;
    t.links = number / 120 % 3;
    t.tie = (NetTie)(number / 360 % 3);
    return t;
}

/* Whether messages could wait in a cycle, as the walk of all their ways finds it. */
static bool walk_finds_circle(const NetTorus *t, const char *text) {
    JmError error = {.text = ""};
    NetGraph *graph = net_torus_create_unchecked(t, &error);
    cr_assert_not_null(graph, "%s: %s", text, error.text);
    const bool free_of_circles = net_graph_check_walks(graph, &error);
    net_graph_destroy(graph);
    return !free_of_circles;
}

/* The builder looks at one dimension at a time; the walk through the whole torus, of
 * some, must agree. */
Test(deadlock, tori_are_refused_if_a_ring_is_closed, .timeout = 600) {
    enum { EACH = 1080, WALKED = 13, ALL = 8, SAMPLE = 7 };
    /* Of all sizes but the first ALL a sample of the shapes. */
    static const unsigned sizes[][4] = {
        {2, 2}, {3, 3},    {4, 3},    {2, 5},    {4, 4},       {3, 6},      {4},
        {3},    {2, 2, 5}, {4, 2, 3}, {2, 3, 3}, {2, 2, 2, 2}, {3, 2, 2, 4}};
    unsigned seen[2] = {0};
    for (unsigned i = 0; i < EACH * sizeof sizes / sizeof sizes[0]; i++) {
        const NetTorus t = numbered(i % EACH, sizes[i / EACH]);
        JmError error = {.text = ""};
        char text[120];
        if (is_no_torus(&t) || (i >= ALL * EACH && i % SAMPLE))
            continue;
        NetGraph *graph = net_torus_create(&t, &error);
        say(&t, text, sizeof text);
        const bool circle =
            strstr(error.text, "could wait for each other in a circle of") != NULL;
        cr_assert_eq(circle, could_deadlock(&t), "%s: '%s'", text, error.text);
        cr_assert_eq(circle, !graph, "%s: '%s'", text, error.text);
        if (i % WALKED == 0)
            cr_assert_eq(walk_finds_circle(&t, text), circle, "%s", text);
        net_graph_destroy(graph);
        seen[circle]++;
    }
    cr_expect_gt(seen[0], 2000, "%u", seen[0]);
    cr_expect_gt(seen[1], 400, "%u", seen[1]);
}
