/* Which tori may deadlock: the builder's verdict against a criterion from the shape
 * alone, and what happens if refused ones run anyway. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "emu/core/rng.h"
#include "net/net.h"
#include "net/topology/topology.h"
#include "net/topology/torus.h"

static void say(const NetTorus *t, char *text, size_t size) {
    snprintf(text, size,
             "%ux%u one_way=%d ends=%d lanes=%u escape=%u links=%u tie=%d delay=%u",
             t->rows, t->columns, t->one_way, t->ends, t->lanes, t->escape, t->links,
             (int)t->tie, t->delay);
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
    return t->ends && ordered == 1 &&
           (ring_is_closed(t, t->rows) || ring_is_closed(t, t->columns));
}

/* Shapes that the builder's check_spec() refuses regardless of waits. */
static bool is_no_torus(const NetTorus *t) {
    const unsigned lanes = t->lanes ? t->lanes : t->ends ? 2 : 1;
    const bool several = t->escape || lanes > (t->ends ? 2u : 1u);
    return (t->one_way && !t->ends) || t->escape > lanes || (t->links == 0 && several);
}

/* The `number`-th torus of the enumeration. */
static NetTorus numbered(unsigned number, unsigned rows, unsigned columns) {
    NetTorus t = {.rows = rows, .columns = columns, .places = 1 + number % 2};
    t.delay = number % 3;
    t.one_way = number % 2;
    t.ends = number / 2 % 2;
    t.lanes = number / 4 % 6;
    t.escape = number / 24 % 5;
    t.links = number / 120 % 3;
    t.tie = (NetTie)(number / 360 % 3);
    return t;
}

Test(deadlock, tori_are_refused_if_a_ring_is_closed, .timeout = 120) {
    enum { EACH = 1080 };
    static const unsigned sizes[][2] = {{2, 2}, {3, 3}, {4, 3}, {2, 5}, {4, 4}, {3, 6}};
    unsigned seen[2] = {0};
    for (unsigned i = 0; i < EACH * sizeof sizes / sizeof sizes[0]; i++) {
        const NetTorus t = numbered(i % EACH, sizes[i / EACH][0], sizes[i / EACH][1]);
        JmError error = {.text = ""};
        char text[120];
        if (is_no_torus(&t))
            continue;
        NetGraph *graph = net_torus_create(&t, &error);
        say(&t, text, sizeof text);
        const bool circle =
            strstr(error.text, "could wait for each other in a circle of") != NULL;
        cr_assert_eq(circle, could_deadlock(&t), "%s: '%s'", text, error.text);
        cr_assert_eq(circle, !graph, "%s: '%s'", text, error.text);
        net_graph_destroy(graph);
        seen[circle]++;
    }
    cr_expect_gt(seen[0], 1000, "%u", seen[0]);
    cr_expect_gt(seen[1], 200, "%u", seen[1]);
}

/* ---- what happens ---------------------------------------------------------------- */

/* Where processor `from` sends: anywhere, or where there may be a closed ring two rows
 * on, in a torus of two rows two columns on. */
static unsigned destination(const NetTorus *t, JmRng *rng, unsigned from) {
    if (!could_deadlock(t))
        return jm_rng_below(rng, t->rows * t->columns);
    if (t->rows == 2)
        return from / t->columns * t->columns + (from % t->columns + 2) % t->columns;
    const unsigned rows = t->one_way ? 1 : 2; /* one way round that is two at least */
    return (from + rows * t->columns) % (t->rows * t->columns);
}

/* Each processor with room in its buffer sends 8 flits, for 20,000 cycles; then what is
 * inside comes out. Returns whether all did. */
static bool drains(const NetTorus *t, unsigned seed) {
    JmError error;
    NetParams params = net_params_default();
    cr_assert(net_specification_params("torus=2x2", &params, &error));
    NetGraph *graph = net_torus_create_unchecked(t, &error);
    cr_assert_not_null(graph, "%s", error.text);
    Net *net = net_create_on(graph, &params, "flow", &error);
    cr_assert_not_null(net, "%s", error.text);
    JmRng rng = jm_rng(seed);
    const unsigned nodes = net_node_count(net), draws = net_draws(net);
    const unsigned links = nodes / net_processor_count(net);
    net_seed(net, seed);
    for (unsigned cycle = 0; cycle < 20000; cycle++) {
        for (unsigned node = 0; node < nodes; node++) {
            const unsigned to = destination(t, &rng, node / links) * links;
            if (net_room(net, node, 0) < 8)
                continue;
            net_open_drawn(net, node, 0, to, jm_rng_below(&rng, draws));
            for (unsigned word = 1; word < 8; word++)
                net_offer(net, node, 0, 1, word == 7);
        }
        net_step(net);
    }
    while (!net_is_quiet(net) && net_moved(net))
        net_step(net);
    const bool drained = net_is_quiet(net);
    net_destroy(net);
    return drained;
}

Test(deadlock, what_is_refused_stops_and_what_is_built_goes_on, .timeout = 120) {
    const NetTorus all[] = {
        {.rows = 4, .columns = 4, .ends = true, .lanes = 1},
        {.rows = 3, .columns = 3, .ends = true, .lanes = 1, .one_way = true},
        {.rows = 2, .columns = 5, .ends = true, .lanes = 1, .delay = 2},
        {.rows = 5, .columns = 5, .ends = true, .lanes = 2, .escape = 1, .links = 2},
        {.rows = 4, .columns = 4, .ends = true, .lanes = 1, .tie = NET_TIE_NO_WRAP},
        {.rows = 4, .columns = 4, .ends = true, .lanes = 1, .tie = NET_TIE_WRAP},
        {.rows = 3, .columns = 3, .ends = true, .lanes = 1},
        {.rows = 4, .columns = 4, .lanes = 3, .escape = 1, .delay = 1},
        {.rows = 5, .columns = 4, .ends = true, .lanes = 3, .escape = 2},
        {.rows = 4, .columns = 5, .ends = true, .lanes = 8, .escape = 5, .links = 4},
        {.rows = 4,
         .columns = 4,
         .ends = true,
         .lanes = 3,
         .escape = 2,
         .one_way = true},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        NetTorus t = all[i];
        t.places = 1;
        t.links = t.links ? t.links : 1;
        char text[120];
        say(&t, text, sizeof text);
        cr_expect_neq(drains(&t, 3), could_deadlock(&t), "%s", text);
    }
}
