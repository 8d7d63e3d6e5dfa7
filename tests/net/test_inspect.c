/* The observer's view: states, explanations, statistics. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines.h"

enum { MAX_ROWS = 32, ROW_SIZE = 200 };

typedef struct {
    unsigned count;
    char row[MAX_ROWS][ROW_SIZE];
} Rows;

static void keep_row(void *context, const char *row) {
    Rows *rows = context;
    cr_assert_lt(rows->count, MAX_ROWS);
    snprintf(rows->row[rows->count++], ROW_SIZE, "%s", row);
}

static Rows explain(const Net *net, unsigned node, unsigned priority) {
    Rows rows = {0};
    net_explain(net, node, priority, keep_row, &rows);
    cr_assert_gt(rows.count, 0);
    return rows;
}

static void expect_row(const Rows *rows, unsigned row, const char *text) {
    cr_assert_lt(row, rows->count);
    cr_assert_str_eq(rows->row[row], text, "row %u is '%s'", row, rows->row[row]);
}

static Net *line(const char *engine, unsigned x) {
    const NetParams params = net_params_default();
    Net *net = net_create_mesh_with(x, 1, 1, &params, engine, NULL);
    cr_assert_not_null(net);
    return net;
}

static uint32_t send(Net *net, unsigned from, unsigned to, unsigned words) {
    const uint32_t message = net_open(net, from, 0, to);
    for (; words > 2; words -= 2)
        net_offer(net, from, 0, 2, false);
    net_offer(net, from, 0, words, true);
    return message;
}

static void steps(Net *net, unsigned cycles) {
    while (cycles-- > 0)
        net_step(net);
}

ENGINE_TEST(inspect, explains_a_closed_gate) {
    Net *net = line(engine, 3);
    net_set_gate(net, 2, 0, false);
    send(net, 0, 2, 7);
    steps(net, 100);
    cr_assert_not(net_moved(net));
    send(net, 1, 2, 1);
    steps(net, 10);
    const Rows rows = explain(net, 1, 0);
    expect_row(&rows, 0,
               "1,0,0 p0 output buffer wants to send message 1 (1,0,0 -> 2,0,0)");
    expect_row(&rows, 1, "1,0,0 p0 +X is full of message 0 (0,0,0 -> 2,0,0)");
    expect_row(&rows, 2, "2,0,0 p0 RX is full of message 0 (0,0,0 -> 2,0,0)");
    expect_row(&rows, 3, "2,0,0 p0 RY is full of message 0 (0,0,0 -> 2,0,0)");
    expect_row(&rows, 4, "2,0,0 p0 RZ is full of message 0 (0,0,0 -> 2,0,0)");
    expect_row(&rows, 5,
               "2,0,0 p0 ejection gate is closed to message 0 (0,0,0 -> 2,0,0)");
    cr_assert_eq(rows.count, 6);
    net_destroy(net);
}

ENGINE_TEST(inspect, explains_a_silent_sender) {
    Net *net = line(engine, 3);
    net_open(net, 0, 0, 2);
    net_offer(net, 0, 0, 2, false);
    net_offer(net, 0, 0, 2, false);
    steps(net, 50);
    send(net, 1, 2, 1);
    steps(net, 50);
    const Rows rows = explain(net, 1, 0);
    expect_row(&rows, 1, "1,0,0 p0 +X held by message 0 (0,0,0 -> 2,0,0)");
    expect_row(&rows, 2,
               "0,0,0 p0 output buffer waits for its node to go on with message 0 "
               "(0,0,0 -> 2,0,0)");
    cr_assert_eq(rows.count, 3);
    const Rows nothing = explain(net, 2, 1);
    expect_row(&nothing, 0, "2,0,0 p1 output buffer is empty");
    net_destroy(net);
}

static Rows explain_all(const Net *net, unsigned limit) {
    Rows rows = {0};
    net_explain_all(net, limit, keep_row, &rows);
    return rows;
}

/* What was offered in this cycle, and a gate that opens at its end. */
ENGINE_TEST(inspect, explains_what_is_about_to_move) {
    Net *net = line(engine, 2);
    net_set_gate(net, 1, 0, false);
    send(net, 0, 1, 1);
    const Rows offered = explain(net, 0, 0);
    expect_row(&offered, 0,
               "0,0,0 p0 output buffer is about to send message 0 (0,0,0 -> 1,0,0)");
    cr_assert_eq(offered.count, 1);
    steps(net, 20);
    send(net, 0, 1, 7);
    steps(net, 50);
    net_set_gate(net, 1, 0, true);
    const Rows opened = explain(net, 0, 0);
    expect_row(&opened, 0,
               "0,0,0 p0 output buffer wants to send message 1 (0,0,0 -> 1,0,0)");
    expect_row(&opened, opened.count - 1,
               "1,0,0 p0 ejection is open for message 0 (0,0,0 -> 1,0,0)");
    steps(net, 50);
    cr_assert(net_is_quiet(net));
    net_destroy(net);
}

/* Two nodes that send to each other and accept nothing: both chains, each to its gate;
 * rows of the first chain are not repeated. */
ENGINE_TEST(inspect, explains_two_closed_gates) {
    Net *net = line(engine, 2);
    for (unsigned node = 0; node < 2; node++) {
        net_set_gate(net, node, 0, false);
        send(net, node, 1 - node, 5);
    }
    steps(net, 100);
    cr_assert_not(net_moved(net));
    const Rows rows = explain_all(net, 10);
    expect_row(&rows, 0,
               "0,0,0 p0 output buffer wants to send message 0 (0,0,0 -> 1,0,0)");
    expect_row(&rows, 1, "0,0,0 p0 +X is full of message 0 (0,0,0 -> 1,0,0)");
    expect_row(&rows, 5,
               "1,0,0 p0 ejection gate is closed to message 0 (0,0,0 -> 1,0,0)");
    expect_row(&rows, 6,
               "1,0,0 p0 output buffer wants to send message 1 (1,0,0 -> 0,0,0)");
    expect_row(&rows, 11,
               "0,0,0 p0 ejection gate is closed to message 1 (1,0,0 -> 0,0,0)");
    cr_assert_eq(rows.count, 12);
    const Rows first = explain_all(net, 1);
    expect_row(&first, 6, "and perhaps more that waits");
    cr_assert_eq(first.count, 7);
    net_destroy(net);
}

/* A message that has wholly left its buffer is found in the channels; another that
 * waits for it refers to the same rows. */
ENGINE_TEST(inspect, explains_what_only_channels_hold) {
    Net *net = line(engine, 3);
    net_set_gate(net, 2, 0, false);
    send(net, 0, 2, 3);
    steps(net, 50);
    const Rows one = explain_all(net, 10);
    cr_assert_str_eq(one.row[one.count - 1],
                     "2,0,0 p0 ejection gate is closed to message 0 (0,0,0 -> 2,0,0)");
    send(net, 0, 2, 7);
    send(net, 1, 2, 1);
    steps(net, 50);
    const Rows both = explain_all(net, 10);
    expect_row(&both, 0,
               "0,0,0 p0 output buffer wants to send message 1 (0,0,0 -> 2,0,0)");
    cr_assert_str_eq(both.row[both.count - 1], "1,0,0 p0 +X as above");
    net_destroy(net);
}

ENGINE_TEST(inspect, explains_a_blocked_wire) {
    Net *net = line(engine, 4);
    net_block_link(net, 2, 0, false, true);
    send(net, 3, 0, 2);
    steps(net, 40);
    const Rows rows = explain_all(net, 9);
    expect_row(&rows, 0, "2,0,0 -X: this wire is blocked");
    expect_row(&rows, rows.count - 1,
               "2,0,0 p0 -X waits at a blocked wire with message 0 (3,0,0 -> 0,0,0)");
    unsigned blocked = 0;
    for (uint32_t c = 0; c < net_channel_count(net); c++) {
        const NetChannelState state = net_channel_state(net, c);
        blocked += state.wire_blocked;
        cr_assert(!state.wire_blocked ||
                  (state.node == 2 && state.kind == NET_CHANNEL_N));
    }
    cr_assert_eq(blocked, NET_PRIORITIES);
    net_destroy(net);
}

ENGINE_TEST(inspect, explains_what_can_move) {
    Net *net = line(engine, 2);
    send(net, 0, 1, 4);
    steps(net, 1);
    const Rows rows = explain(net, 0, 0);
    expect_row(&rows, 1, "0,0,0 p0 +X has room, one can move");
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
