/* Output buffers: when a message starts, when places become free, message numbers. */
#include "engines.h"

static Net *create(const char *engine, uint32_t header_flits, uint32_t buffer_words) {
    NetParams params = net_params_default();
    params.header_flits = header_flits;
    params.buffer_words = buffer_words;
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

ENGINE_TEST(buffer, a_message_starts_with_four_words) {
    Net *net = create(engine, 3, 8);
    net_open(net, 0, 0, 1);
    steps(net, 20);
    net_offer(net, 0, 0, 2, false);
    steps(net, 20);
    cr_assert_eq(injected(net), 0);
    cr_assert_not(net_moved(net));
    net_offer(net, 0, 0, 1, false); /* three and the routing word */
    net_step(net);
    cr_assert_eq(injected(net), 0); /* staged until the end of the step */
    cr_assert(net_moved(net));
    net_step(net);
    cr_assert_eq(injected(net), 1);
    steps(net, 40);
    cr_assert_eq(injected(net), 3 + 6); /* all words offered; from now on one by one */
    cr_assert_not(net_is_quiet(net));
    cr_assert_eq(net_flits_inside(net, 0), 0);
    net_offer(net, 0, 0, 1, false);
    steps(net, 20);
    cr_assert_eq(injected(net), 3 + 8);
    net_offer(net, 0, 0, 1, true);
    steps(net, 20);
    cr_assert(net_is_quiet(net));
    cr_assert_eq(net_statistics(net)->words_delivered[0], 5);
    net_destroy(net);
}

static Net *create_starting(const char *engine, uint32_t header_flits,
                            uint32_t start_words, uint32_t buffer_words) {
    NetParams params = net_params_default();
    params.header_flits = header_flits;
    params.start_words = start_words;
    params.buffer_words = buffer_words;
    return net_create_mesh_with(2, 1, 1, &params, engine, NULL);
}

/* Flits that have left when a message has the routing word and `words` others. */
static uint64_t leave_with(const char *engine, uint32_t header_flits,
                           uint32_t start_words, uint32_t buffer_words,
                           unsigned words) {
    Net *net = create_starting(engine, header_flits, start_words, buffer_words);
    net_open(net, 0, 0, 1);
    steps(net, 3);
    for (unsigned i = 0; i < words; i++)
        net_offer(net, 0, 0, 1, false);
    steps(net, 40);
    const uint64_t flits = injected(net);
    net_destroy(net);
    return flits;
}

ENGINE_TEST(buffer, a_message_starts_with_start_words) {
    for (uint32_t header = 0; header <= 3; header++)
        for (uint32_t start = 1; start <= 8; start++)
            for (unsigned words = 0; words <= 9; words++)
                cr_assert_eq(leave_with(engine, header, start, 16, words),
                             1 + words >= start ? header + 2 * words : 0);
}

ENGINE_TEST(buffer, a_message_starts_when_its_buffer_is_full) {
    cr_assert_eq(leave_with(engine, 3, 8, 5, 3), 0);
    cr_assert_eq(leave_with(engine, 3, 8, 5, 4), 3 + 8);
    cr_assert_eq(leave_with(engine, 0, 6, 4, 3), 6);
}

/* With start_words=1 the header flits leave before there is a word, and free the
 * routing word's place. */
ENGINE_TEST(buffer, header_flits_leave_ahead_of_words) {
    Net *net = create_starting(engine, 3, 1, 8);
    net_open(net, 0, 0, 1);
    net_step(net);
    cr_assert_eq(injected(net), 0); /* not seen by this step */
    cr_assert(net_moved(net));
    steps(net, 3);
    cr_assert_eq(injected(net), 3);
    cr_assert_eq(net_room(net, 0, 0), 8);
    steps(net, 20);
    cr_assert_not(net_moved(net));
    net_offer(net, 0, 0, 1, true);
    steps(net, 20);
    cr_assert(net_is_quiet(net));
    cr_assert_eq(net_statistics(net)->words_delivered[0], 1);
    net_destroy(net);
}

ENGINE_TEST(buffer, a_tail_starts_a_message) {
    Net *net = create(engine, 3, 8);
    net_open(net, 0, 0, 1);
    net_offer(net, 0, 0, 1, true);
    steps(net, 1);
    cr_assert_eq(injected(net), 0);
    steps(net, 1);
    cr_assert_eq(injected(net), 1);
    net_destroy(net);
}

/* Free places after each flit of a message of the routing word and three more. */
static void check_places(const char *engine, uint32_t header_flits,
                         const unsigned *room, unsigned flits) {
    Net *net = create(engine, header_flits, 4);
    net_open(net, 0, 0, 0);
    cr_assert_eq(net_room(net, 0, 0), 3); /* taken at once */
    net_offer(net, 0, 0, 2, false);
    net_offer(net, 0, 0, 1, true);
    cr_assert_eq(net_room(net, 0, 0), 0);
    cr_assert_eq(net_room(net, 0, 1), 4);
    cr_assert_eq(net_flits_inside(net, 0), flits);
    steps(net, 1);
    while (injected(net) < flits) {
        const uint64_t before = injected(net);
        steps(net, 1);
        if (injected(net) > before)
            cr_assert_eq(net_room(net, 0, 0), room[injected(net) - 1],
                         "%u headers: %u places after flit %llu", header_flits,
                         net_room(net, 0, 0), (unsigned long long)injected(net));
    }
    net_destroy(net);
}

ENGINE_TEST(buffer, places_are_freed_by_second_flits) {
    check_places(engine, 0, (const unsigned[]){1, 2, 2, 3, 3, 4}, 6);
    check_places(engine, 1, (const unsigned[]){1, 1, 2, 2, 3, 3, 4}, 7);
    check_places(engine, 2, (const unsigned[]){0, 1, 1, 2, 2, 3, 3, 4}, 8);
    check_places(engine, 3, (const unsigned[]){0, 0, 1, 1, 2, 2, 3, 3, 4}, 9);
}

ENGINE_TEST(buffer, several_messages_leave_in_order) {
    Net *net = create(engine, 3, 8);
    uint32_t numbers[4];
    for (unsigned i = 0; i < 4; i++) {
        numbers[i] = net_open(net, 0, 0, i % 2);
        cr_assert(net_is_open(net, 0, 0));
        net_offer(net, 0, 0, 1, true);
        cr_assert_not(net_is_open(net, 0, 0));
        for (unsigned k = 0; k < i; k++)
            cr_assert_neq(numbers[i], numbers[k]);
    }
    cr_assert_eq(net_room(net, 0, 0), 0);
    uint64_t opened[4] = {0};
    unsigned arrived = 0;
    while (!net_is_quiet(net)) {
        net_step(net);
        size_t count;
        const NetDelivery *words = net_deliveries(net, &count);
        for (size_t i = 0; i < count; i++)
            for (unsigned k = 0; k < 4; k++)
                if (words[i].message == numbers[k])
                    opened[k] = ++arrived;
    }
    cr_assert_eq(arrived, 4);
    cr_assert_lt(opened[0], opened[2]); /* the same pair: in order */
    cr_assert_lt(opened[1], opened[3]);
    net_destroy(net);
}

ENGINE_TEST(buffer, a_number_is_free_after_its_delivery_was_seen) {
    Net *net = create(engine, 3, 8);
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

ENGINE_TEST(buffer, each_priority_sends_a_flit_a_cycle) {
    Net *net = create(engine, 0, 8);
    for (unsigned priority = 0; priority < 2; priority++) {
        net_open(net, 0, priority, 0);
        net_offer(net, 0, priority, 2, false);
        net_offer(net, 0, priority, 2, true);
    }
    net_step(net);
    for (uint64_t cycle = 1; cycle <= 8; cycle++) {
        net_step(net);
        cr_assert_eq(net_statistics(net)->flits_injected[0], cycle);
        cr_assert_eq(net_statistics(net)->flits_injected[1], cycle);
    }
    net_destroy(net);
}

/* A flit waits in the buffer of any node and priority as soon as its message may start,
 * then in channels, until it is out. */
ENGINE_TEST(buffer, flits_wait_at_either_priority) {
    for (unsigned end = 0; end < 2 * NET_PRIORITIES; end++) {
        const unsigned node = end / NET_PRIORITIES, priority = end % NET_PRIORITIES;
        Net *net = create(engine, 3, 8);
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

/* A gate opened and settled at once may let something move. */
ENGINE_TEST(buffer, a_settled_gate_is_a_change) {
    Net *net = create(engine, 3, 8);
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
