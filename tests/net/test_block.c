/* Blocked wires: nothing crosses them, waiting messages arrive in order once they are
 * freed, and no one else is held back. */
#include "engines.h"

enum { X = 0, NODES = 4, MESSAGES = 40 };

/* A line of nodes, and what has arrived at each. */
typedef struct {
    Net *net;
    uint32_t received[MESSAGES]; /* message numbers, in the order of their tails */
    unsigned count;
} Line;

static Line line(const char *engine, uint32_t r_order, uint32_t fair) {
    NetParams params = net_params_default();
    params.r_order = r_order;
    params.fair = fair;
    Line line = {.net = net_create_mesh_with(NODES, 1, 1, &params, engine, NULL)};
    cr_assert_not_null(line.net);
    return line;
}

static uint32_t send(Line *line, unsigned from, unsigned to, unsigned priority) {
    const uint32_t message = net_open(line->net, from, priority, to);
    net_offer(line->net, from, priority, 2, true);
    return message;
}

static void steps(Line *line, unsigned cycles) {
    JmError error;
    for (; cycles > 0; cycles--) {
        net_step(line->net);
        size_t count;
        const NetDelivery *words = net_deliveries(line->net, &count);
        for (size_t i = 0; i < count; i++)
            if (words[i].tail)
                line->received[line->count++] = words[i].message;
        cr_assert(net_check(line->net, &error), "%s", error.text);
    }
}

ENGINE_TEST(block, nothing_crosses_and_all_comes_in_order) {
    Line l = line(engine, 0, 0);
    cr_assert(net_block_link(l.net, 1, X, true, true));
    const uint32_t first = send(&l, 0, 3, 0), second = send(&l, 0, 3, 0);
    const uint32_t other = send(&l, 0, 3, 1), back = send(&l, 3, 0, 0);
    steps(&l, 200);
    cr_assert_eq(l.count, 1);
    cr_assert_eq(l.received[0], back, "the other direction is free");
    cr_assert_eq(net_link_flits(l.net, 1, X, true), 0);
    cr_assert_gt(net_link_flits(l.net, 0, X, true), 0);
    cr_assert_not(net_moved(l.net));
    cr_assert_not(net_is_quiet(l.net));

    cr_assert(net_block_link(l.net, 1, X, true, false));
    cr_assert(net_moved(l.net), "it may go on");
    steps(&l, 100);
    cr_assert_eq(l.count, 4);
    cr_assert_eq(l.received[1], other, "priority 1 first");
    cr_assert_eq(l.received[2], first);
    cr_assert_eq(l.received[3], second);
    cr_assert(net_is_quiet(l.net));
    net_destroy(l.net);
}

/* In the middle of a message: its front continues, the rest waits. */
ENGINE_TEST(block, cuts_a_message_that_is_under_way) {
    Line l = line(engine, 0, 0);
    send(&l, 0, 3, 0);
    while (net_link_flits(l.net, 1, X, true) < 2)
        steps(&l, 1);
    net_block_link(l.net, 1, X, true, true);
    steps(&l, 50);
    cr_assert_eq(net_link_flits(l.net, 1, X, true), 2);
    cr_assert_eq(l.count, 0);
    net_block_link(l.net, 1, X, true, false);
    steps(&l, 50);
    cr_assert_eq(l.count, 1);
    net_destroy(l.net);
}

ENGINE_TEST(block, is_known_by_what_was_blocked) {
    Line l = line(engine, 0, 0);
    cr_assert_not(net_block_link(l.net, 0, X, false, true), "the edge of the mesh");
    cr_assert_not(net_block_link(l.net, 0, 1, true, true), "Y has one node");
    cr_assert_eq(net_blocked_links(l.net), 0);
    for (unsigned twice = 0; twice < 2; twice++)
        cr_assert(net_block_link(l.net, 2, X, false, true));
    cr_assert_eq(net_blocked_links(l.net), 1);
    cr_assert(net_link_blocked(l.net, 2, X, false));
    cr_assert_not(net_link_blocked(l.net, 1, X, true), "the same wire, upward");
    cr_assert_not(net_link_blocked(l.net, 0, X, false));
    for (unsigned twice = 0; twice < 2; twice++)
        cr_assert(net_block_link(l.net, 2, X, false, false));
    cr_assert_eq(net_blocked_links(l.net), 0);
    net_destroy(l.net);
}

/* A head before a blocked wire holds no one up: the other side enters the same R, in
 * each arbitration. */
ENGINE_TEST(block, holds_nobody_back) {
    for (unsigned arbitration = 0; arbitration < 3; arbitration++) {
        Line l = line(engine, arbitration == 1, arbitration == 2);
        net_block_link(l.net, 0, X, true, true);
        send(&l, 0, 1, 0);
        steps(&l, 20);
        for (unsigned i = 0; i < 3; i++) {
            const uint32_t passes = send(&l, 2, 1, 0);
            steps(&l, 40);
            cr_assert_eq(l.count, i + 1);
            cr_assert_eq(l.received[i], passes);
        }
        net_block_link(l.net, 0, X, true, false);
        steps(&l, 40);
        cr_assert_eq(l.count, 4);
        net_destroy(l.net);
    }
}
