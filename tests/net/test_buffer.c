/* Output buffers: message numbers, what waits, and what has changed. When a message
 * starts is compared with the reference by test_twins.c. */
#include "engines.h"

static Net *create(const char *engine) {
    const NetParams params = net_params_default();
    Net *net = net_create_mesh_with(2, 1, 1, &params, engine, NULL);
    cr_assert_not_null(net);
    return net;
}

static uint64_t injected(const Net *net) {
    return net_statistics(net)->flits_injected[0];
}

static void steps(Net *net, unsigned cycles) {
    while (cycles-- > 0)
        net_step(net);
}

ENGINE_TEST(buffer, a_number_is_free_after_its_delivery_was_seen) {
    Net *net = create(engine);
    const uint32_t first = net_open(net, 0, 0, 0);
    net_offer(net, 0, 0, 1, true);
    while (!net_is_quiet(net))
        net_step(net);
    NetMessageState state;
    cr_assert(net_message_state(net, first, &state));
    cr_assert_eq(state.words_delivered, 1);
    cr_assert_neq(net_open(net, 0, 0, 0), first);
    net_step(net);
    cr_assert_not(net_message_state(net, first, &state));
    cr_assert_eq(net_open(net, 1, 0, 0), first);
    net_destroy(net);
}

/* A flit waits in the buffer of any node and priority as soon as its message may start,
 * then in channels, until it is out. */
ENGINE_TEST(buffer, flits_wait_at_either_priority) {
    for (unsigned end = 0; end < 2 * NET_PRIORITIES; end++) {
        const unsigned node = end / NET_PRIORITIES, priority = end % NET_PRIORITIES;
        Net *net = create(engine);
        net_set_gate(net, 1 - node, priority, false);
        net_open(net, node, priority, 1 - node);
        net_offer(net, node, priority, 1, false);
        steps(net, 9);
        cr_expect_not(net_flits_wait(net), "too few words to start");
        net_offer(net, node, priority, 2, true);
        net_step(net);
        cr_expect_eq(injected(net), 0);
        cr_expect(net_flits_wait(net), "node %u, priority %u", node, priority);
        steps(net, 99);
        cr_expect(net_flits_wait(net));
        net_set_gate(net, 1 - node, priority, true);
        steps(net, 99);
        cr_expect_not(net_flits_wait(net));
        net_destroy(net);
    }
}

/* A gate that is opened and settled immediately may let something move. */
ENGINE_TEST(buffer, a_settled_gate_is_a_change) {
    Net *net = create(engine);
    net_set_gate(net, 1, 1, false);
    net_open(net, 0, 1, 1);
    net_offer(net, 0, 1, 2, false);
    net_offer(net, 0, 1, 2, true);
    steps(net, 99);
    net_settle_gates(net);
    cr_expect_not(net_moved(net), "no gate has been set");
    net_set_gate(net, 1, 1, true);
    net_settle_gates(net);
    cr_expect(net_moved(net));
    net_step(net);
    cr_expect(net_moved(net));
    cr_expect_eq(net_statistics(net)->flits_ejected[1], 1);
    net_destroy(net);
}
