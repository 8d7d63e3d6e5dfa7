/* The observer's view: states and statistics. What waits for what is explained in
 * tests/recorded/net-machine.cases and debug-look.cases. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rig.h"

enum { REPORT_SIZE = 4000 };

static void add_row(void *context, const char *row) {
    char *text = context;
    const size_t length = strlen(text);
    snprintf(text + length, REPORT_SIZE - length, "%s\n", row);
}

/* What is said of all that waits. */
static void expect_all(const Net *net, const char *report) {
    char text[REPORT_SIZE] = "";
    net_explain_all(net, 9, add_row, text);
    cr_assert_str_eq(text, report);
}

/* Nodes in a row. */
static Net *line(const char *engine, unsigned x) {
    char topology[20];
    snprintf(topology, sizeof topology, "mesh=%u", x);
    return net_by(engine, topology, "");
}

static uint32_t send(Net *net, unsigned from, unsigned to, unsigned words) {
    return post(net, from, 0, to, words);
}

ENGINE_TEST(inspect, explains_what_is_about_to_move) {
    Net *net = line(engine, 2);
    char full[REPORT_SIZE] = "", empty[REPORT_SIZE] = "";
    send(net, 0, 1, 4);
    net_explain(net, 0, 0, add_row, full);
    net_explain(net, 1, 1, add_row, empty);
    cr_assert_str_eq(full, "0,0,0 p0 output buffer is about to send message 0 "
                           "(0,0,0 -> 1,0,0)\n");
    cr_assert_str_eq(empty, "1,0,0 p1 output buffer is empty\n");
    net_destroy(net);
}

ENGINE_TEST(inspect, explains_no_more_chains_than_are_asked_for) {
    Net *net = line(engine, 2);
    char text[REPORT_SIZE] = "";
    send(net, 0, 1, 4);
    send(net, 1, 0, 4);
    net_explain_all(net, 1, add_row, text);
    cr_expect_str_eq(text, "0,0,0 p0 output buffer is about to send message 0 "
                           "(0,0,0 -> 1,0,0)\nand perhaps more that waits\n");
    expect_all(net, "0,0,0 p0 output buffer is about to send message 0 "
                    "(0,0,0 -> 1,0,0)\n1,0,0 p0 output buffer is about to send "
                    "message 1 (1,0,0 -> 0,0,0)\n");
    net_destroy(net);
}

ENGINE_TEST(inspect, a_blocked_wire_stops_its_messages) {
    Net *net = line(engine, 4);
    net_block_link(net, 2, 0, false, true);
    send(net, 3, 0, 2);
    steps(net, 40);
    unsigned blocked = 0;
    for (uint32_t c = 0; c < net_channel_count(net); c++) {
        const NetChannelState state = net_channel_state(net, c);
        blocked += state.wire_blocked;
        cr_assert(!state.wire_blocked ||
                  (state.node == 2 && state.kind == NET_CHANNEL_N));
    }
    cr_assert_eq(blocked, NET_PRIORITIES);
    cr_assert_not(net_moved(net));
    net_block_link(net, 2, 0, false, false);
    cr_assert(net_moved(net), "it may go on");
    net_block_link(net, 2, 0, false, true);
    cr_assert(net_moved(net));
    net_destroy(net);
}

/* Whatever its virtual channels or lanes. */
Test(inspect, a_blocked_wire_is_told_of_once) {
    Net *copies = net_of("mesh=4", "virtual_channels=3");
    Net *lanes = net_of("torus=3x4,lanes=3,escape=2,links=2", "");
    cr_assert(net_block_link(copies, 2, 0, false, true));
    cr_assert(net_block_link(lanes, 2, 0, false, true));
    cr_assert_eq(net_blocked_links(copies), 1);
    cr_assert_eq(net_blocked_links(lanes), 1);
    expect_all(copies, "2,0,0 -X: this wire is blocked\n");
    expect_all(lanes, "0,1 -X: this wire is blocked\n");
    net_destroy(copies);
    net_destroy(lanes);
}

ENGINE_TEST(inspect, blocked_wires_are_those_that_were_blocked) {
    enum { X = 0 };
    Net *net = line(engine, 4);
    cr_assert_not(net_block_link(net, 0, X, false, true), "the edge of the mesh");
    cr_assert_not(net_block_link(net, 0, 1, true, true), "Y has one node");
    cr_assert_eq(net_blocked_links(net), 0);
    for (unsigned twice = 0; twice < 2; twice++)
        cr_assert(net_block_link(net, 2, X, false, true));
    cr_assert_eq(net_blocked_links(net), 1);
    cr_assert(net_link_blocked(net, 2, X, false));
    cr_assert_not(net_link_blocked(net, 1, X, true), "the same wire, upward");
    cr_assert_not(net_link_blocked(net, 0, X, false));
    for (unsigned twice = 0; twice < 2; twice++)
        cr_assert(net_block_link(net, 2, X, false, false));
    cr_assert_eq(net_blocked_links(net), 0);
    net_destroy(net);
}

ENGINE_TEST(inspect, channel_states_follow_a_message) {
    Net *net = line(engine, 2);
    net_set_gate(net, 1, 0, false);
    const uint32_t message = send(net, 0, 1, 4);
    steps(net, 100);
    unsigned held = 0, flits = 0;
    for (uint32_t channel = 0; channel < net_channel_count(net); channel++) {
        const NetChannelState state = net_channel_state(net, channel);
        flits += state.flits;
        if (state.flits == 0)
            continue;
        cr_assert_eq(state.front_message, message);
        cr_assert_eq(state.front_is_head, state.next < 0);
        held += state.owned && state.owner == message;
    }
    /* 8 data flits in P and the three R of two flits each; the tail has entered P. */
    cr_assert_eq(flits, 8);
    cr_assert_eq(held, 3);
    NetMessageState state;
    cr_assert(net_message_state(net, message, &state));
    cr_assert_eq(state.source, 0);
    cr_assert_eq(state.destination, 1);
    cr_assert_eq(state.words_offered, 4);
    cr_assert(state.closed);
    cr_assert_not(net_message_state(net, message + 1, &state));
    net_destroy(net);
}

ENGINE_TEST(inspect, quiet_and_moved) {
    Net *net = line(engine, 2);
    cr_assert(net_is_quiet(net));
    net_step(net);
    cr_assert_not(net_moved(net));
    net_open(net, 0, 0, 1);
    cr_assert_not(net_is_quiet(net));
    net_step(net);
    cr_assert(net_moved(net)); /* the opening became current */
    net_step(net);
    cr_assert_not(net_moved(net));
    cr_assert_not(net_is_quiet(net)); /* it is open */
    net_offer(net, 0, 0, 1, true);
    while (!net_is_quiet(net)) {
        net_step(net);
        cr_assert(net_moved(net));
    }
    net_step(net);
    cr_assert_not(net_moved(net));
    net_set_gate(net, 0, 0, false);
    cr_assert_not(net_is_quiet(net));
    net_step(net);
    cr_assert(net_moved(net));
    cr_assert(net_is_quiet(net));
    net_destroy(net);
}

ENGINE_TEST(inspect, a_number_is_free_after_its_delivery_was_seen) {
    Net *net = line(engine, 2);
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
ENGINE_TEST(inspect, flits_wait_at_either_priority) {
    for (unsigned end = 0; end < 2 * NET_PRIORITIES; end++) {
        const unsigned node = end / NET_PRIORITIES, priority = end % NET_PRIORITIES;
        Net *net = line(engine, 2);
        net_set_gate(net, 1 - node, priority, false);
        net_open(net, node, priority, 1 - node);
        net_offer(net, node, priority, 1, false);
        steps(net, 9);
        cr_expect_not(net_flits_wait(net), "too few words to start");
        net_offer(net, node, priority, 2, true);
        net_step(net);
        cr_expect_eq(net_statistics(net)->flits_injected[0], 0);
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
ENGINE_TEST(inspect, a_settled_gate_is_a_change) {
    Net *net = line(engine, 2);
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

Test(inspect, percentiles) {
    NetHistogram *histogram = calloc(1, sizeof *histogram);
    histogram->min = UINT64_MAX;
    cr_assert_eq(net_histogram_percentile(histogram, 0.5), 0);
    histogram->exact[10] = 50;
    histogram->exact[20] = 40;
    histogram->above[14] = 9;
    histogram->above[20] = 1;
    histogram->count = 100;
    histogram->max = 1500000;
    cr_assert_eq(net_histogram_percentile(histogram, 0.0), 10);
    cr_assert_eq(net_histogram_percentile(histogram, 0.5), 10);
    cr_assert_eq(net_histogram_percentile(histogram, 0.51), 20);
    cr_assert_eq(net_histogram_percentile(histogram, 0.9), 20);
    cr_assert_eq(net_histogram_percentile(histogram, 0.95), 32767);
    cr_assert_eq(net_histogram_percentile(histogram, 1.0), 1500000);
    free(histogram);
}
