/* Networks that may deadlock, built on request: the circle in which messages wait. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/circle.h"
#include "rig.h"

/* The report of a circle. */
typedef struct {
    unsigned count;
    unsigned message[64], holder[64]; /* by row: of whom, and whom it waits for */
} Rows;

static void keep_row(void *context, const char *row) {
    Rows *rows = context;
    const char *held = strstr(row, "held by message ");
    cr_assert(rows->count < 64 && held, "%s", row);
    cr_assert_eq(sscanf(row, "message %u", &rows->message[rows->count]), 1, "%s", row);
    rows->holder[rows->count++] =
        (unsigned)strtoul(held + strlen("held by message "), NULL, 10);
}

static Rows find(const Net *net) {
    Rows rows = {0};
    uint32_t count;
    cr_assert(net_find_circle(net, &count, keep_row, &rows));
    cr_assert_eq(count, rows.count);
    for (unsigned i = 0; i < rows.count; i++)
        cr_assert_eq(rows.holder[i], rows.message[(i + 1) % rows.count]);
    return rows;
}

static Net *create(const char *topology, const char *settings) {
    char text[40];
    snprintf(text, sizeof text, "circles=1 %s", settings);
    Net *net = net_of(topology, text);
    net_seed(net, 3);
    return net;
}

/* All that can sends messages of 8 flits to anyone. */
static void load(Net *net, JmRng *rng) {
    const unsigned nodes = net_node_count(net),
                   links = nodes / net_processor_count(net);
    for (unsigned node = 0; node < nodes; node++) {
        const unsigned to = jm_rng_below(rng, net_processor_count(net)) * links;
        if (net_room(net, node, 0) < 8)
            continue;
        net_open_drawn(net, node, 0, to, jm_rng_below(rng, net_draws(net)));
        net_offer_rest(net, node, 0, 7, net_now(net));
    }
}

/* Whether the messages of a circle are where they were: none has arrived. */
static void still_there(const Net *net, const Rows *rows,
                        const NetMessageState *before) {
    for (unsigned i = 0; i < rows->count; i++) {
        NetMessageState now;
        cr_assert(net_message_state(net, rows->message[i], &now));
        cr_assert_eq(now.opened_cycle, before[i].opened_cycle);
        cr_assert_eq(now.words_delivered, before[i].words_delivered);
    }
}

/* A circle is found before all stands still, and its messages never arrive; when
 * nothing moves any more there is one. */
static void locks(const char *topology, const char *settings) {
    Net *net = create(topology, settings);
    JmRng rng = jm_rng(5);
    NetMessageState before[64];
    Rows first = {0};
    unsigned after = 0;
    for (unsigned cycle = 0; cycle < 20000 && after < 1000; cycle++) {
        load(net, &rng);
        net_step(net);
        after += first.count > 0;
        if (cycle % 16 > 0 || first.count > 0)
            continue;
        first = find(net);
        for (unsigned i = 0; i < first.count; i++)
            cr_assert(net_message_state(net, first.message[i], &before[i]));
    }
    cr_assert_gt(first.count, 0, "%s", topology);
    still_there(net, &first, before);
    while (net_moved(net))
        net_step(net);
    cr_expect_not(net_is_quiet(net));
    still_there(net, &first, before);
    cr_expect_gt(find(net).count, 0, "%s", topology);
    net_destroy(net);
}

/* No message of a network that goes on waits in a circle, however long it waits. */
static void goes_on(const char *topology, const char *settings) {
    Net *net = create(topology, settings);
    JmRng rng = jm_rng(5);
    for (unsigned cycle = 0; cycle < 3000; cycle++) {
        load(net, &rng);
        net_step(net);
        if (cycle % 8 == 0)
            cr_assert_eq(find(net).count, 0, "%s", topology);
    }
    while (net_moved(net))
        net_step(net);
    cr_expect(net_is_quiet(net), "%s", topology);
    net_destroy(net);
}

Test(circles, deadlocks_are_found_and_stay) {
    locks("torus=4x4,lanes=1", "");
    locks("torus=3x3,lanes=1,oneway=1", "");
    locks("torus=2x2x5,lanes=1", "");
    locks("torus=3x2x2x3,lanes=1,oneway=1", "");
    locks("torus=6,lanes=1,places=3", "");
    locks("torus=4x4,lanes=1,oneway=1,delay=2", "");
    locks("torus=2x6x2,lanes=1,places=2", "");
    locks("torus=8x8,lanes=2,escape=1,links=4", "");
    locks("torus=4x4,lanes=1,places=2", "through=0");
    locks("torus=4x4,lanes=1,places=2", "atomic=1");
}

/* Heads behind others in adaptive lanes, and heads that have taken one that is full,
 * cannot choose the lane that is always open. */
Test(circles, adaptive_lanes_lock_unless_they_hold_one_message) {
    locks("torus=8x8,ends=0,lanes=2,escape=1,places=4", "");
    locks("torus=6x6,lanes=3,escape=2,places=8", "");
    goes_on("torus=8x8,ends=0,lanes=2,escape=1,places=4", "atomic=1");
    goes_on("torus=6x6,lanes=3,escape=2,places=8", "atomic=1");
}

Test(circles, networks_that_go_on_have_none) {
    goes_on("torus=4x4", "");
    goes_on("torus=3x3,lanes=1", "");
    goes_on("torus=4x4,lanes=1,tie=nowrap", "");
    goes_on("torus=4x4,lanes=1,tie=wrap", "");
    goes_on("torus=4x4,ends=0,lanes=3,escape=1,delay=1", "");
    goes_on("torus=4x5,lanes=8,escape=5,links=4", "");
    goes_on("torus=4x4,lanes=3,escape=2,oneway=1", "");
    goes_on("torus=2x3x2x2,lanes=2", "");
    goes_on("torus=4x4,lanes=3,escape=2,places=2", "");
    goes_on("torus=3x2x4,places=3", "");
    goes_on("torus=4x4,ends=0", "");
    goes_on("clos=2x2", "");
}
