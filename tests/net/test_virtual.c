/* Virtual channels: messages pass blocked heads, copies share the wires in turn, and
 * those above the first lead to queue 1. That nothing is lost is for test_twins.c. */
#include <stdio.h>

#include "rig.h"

static Net *create(const char *mesh, unsigned copies, unsigned age) {
    char settings[40];
    snprintf(settings, sizeof settings, "virtual_channels=%u age=%u", copies, age);
    return net_of(mesh, settings);
}

/* Words that come to each queue of each node in some cycles. */
static void count_words(Net *net, unsigned cycles, unsigned words[][2]) {
    for (; cycles > 0; cycles--) {
        net_step(net);
        size_t count;
        const NetDelivery *out = net_deliveries(net, &count);
        for (size_t i = 0; i < count; i++) {
            words[out[i].node][out[i].priority]++;
            cr_assert(net_received(net, out[i].priority)[0] >> out[i].node & 1);
        }
    }
}

/* On a line, a message of node 0 to node 3 stands behind one that node 2 does not take:
 * the second virtual channel lets it pass, to queue 1. */
static void pass_by(unsigned copies, unsigned expected) {
    enum { WORDS = 4 };
    Net *net = create("mesh=4x1x1", copies, 0);
    unsigned words[4][2] = {{0}};
    net_set_gate(net, 2, 0, false);
    post(net, 0, 0, 2, WORDS);
    count_words(net, 100, words);
    post(net, 1, 0, 2, WORDS); /* where there are two, it takes the second */
    count_words(net, 100, words);
    post(net, 0, 0, 3, WORDS);
    count_words(net, 100, words);
    cr_assert_eq(words[2][0], 0);
    cr_assert_eq(words[2][1], copies > 1 ? WORDS : 0);
    cr_assert_eq(words[3][1], expected);
    net_set_gate(net, 2, 0, true);
    count_words(net, 100, words);
    cr_assert_eq(words[2][0] + words[2][1], 2 * WORDS);
    cr_assert_eq(words[3][0] + words[3][1], WORDS);
    cr_assert(net_is_quiet(net));
    net_destroy(net);
}

Test(virtual, a_blocked_head_moves_to_the_next_copy) {
    pass_by(1, 0);
    pass_by(2, 4);
    pass_by(4, 4);
}

/* Without contention the first copy is taken, and its queue. */
Test(virtual, a_lone_message_takes_the_first_copy) {
    Net *net = create("mesh=3x3x3", 2, 0);
    unsigned words[27][2] = {{0}};
    post(net, 0, 0, 26, 5);
    post(net, 1, 1, 25, 5);
    count_words(net, 100, words);
    cr_assert_eq(words[26][0], 5);
    cr_assert_eq(words[25][1], 5);
    net_destroy(net);
}

/* The wire from node 1 to node 2 for streams of node 0 and node 1 on their own copies:
 * each gets half of it, where with one copy the one that goes straight on gets all. */
static void share(unsigned copies, double least, double most) {
    enum { CYCLES = 4000, WORDS = 4 };
    Net *net = create("mesh=3x1x1", copies, 0);
    unsigned sent[2] = {0};
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        for (unsigned node = 0; node < 2; node++)
            if (net_room(net, node, 0) > WORDS) {
                post(net, node, 0, 2, WORDS);
                sent[node]++;
            }
        net_step(net);
    }
    const double part = (double)sent[1] / (sent[0] + sent[1]);
    cr_assert(part >= least && part <= most, "%u and %u messages", sent[0], sent[1]);
    net_destroy(net);
}

Test(virtual, copies_take_turns_on_a_wire) {
    share(1, 0, 0.1);
    share(2, 0.3, 0.7);
}

/* The share of node 1 in the wire between it and node 0, where each sends all it can to
 * the other, and node 0's messages are older. */
static double share_of_younger(unsigned copies, unsigned age) {
    enum { CYCLES = 4000, WORDS = 4 };
    Net *net = create("mesh=2", copies, age);
    unsigned sent[2] = {0};
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        for (unsigned node = 0; node < 2; node++)
            if (net_room(net, node, 0) > WORDS) {
                net_open_aged(net, node, 0, 1 - node, node ? cycle : 0);
                for (unsigned word = 1; word <= WORDS; word++)
                    net_offer(net, node, 0, 1, word == WORDS);
                sent[node]++;
            }
        net_step(net);
    }
    net_destroy(net);
    return (double)sent[1] / (sent[0] + sent[1]);
}

/* Ages decide of heads alone, or with age = 2 of a wire's bids too, with any number of
 * copies; else its directions take turns. */
Test(virtual, ages_decide_for_a_wire_if_it_is_said) {
    for (unsigned copies = 1; copies <= 4; copies++) {
        for (unsigned age = 0; age <= 1; age++)
            cr_expect_float_eq(share_of_younger(copies, age), 0.5, 0.05,
                               "%u copies, age %u", copies, age);
        cr_expect_lt(share_of_younger(copies, 2), 0.3, "%u copies", copies);
    }
}

/* Nothing crosses a blocked wire, by any copy of either priority. Freed, it lets all
 * pass. */
Test(virtual, a_blocked_wire_is_so_for_all_copies) {
    enum { WORDS = 3 };
    for (unsigned copies = 1; copies <= 4; copies++) {
        Net *net = create("mesh=2x1x1", copies, 0);
        unsigned words[2][2] = {{0}}, blocked = 0;
        cr_assert(net_block_link(net, 0, 0, true, true));
        for (unsigned round = 0; round < 2 * copies; round++) {
            for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
                if (net_room(net, 0, priority) > WORDS)
                    post(net, 0, priority, 1, WORDS);
            count_words(net, 50, words);
        }
        cr_expect_eq(net_link_flits(net, 0, 0, true), 0, "%u copies", copies);
        for (uint32_t c = 0; c < net_channel_count(net); c++)
            blocked += net_channel_state(net, c).wire_blocked;
        cr_expect_eq(blocked, NET_PRIORITIES * copies);
        cr_assert(net_block_link(net, 0, 0, true, false));
        count_words(net, 1000, words);
        cr_expect(net_is_quiet(net) && words[1][0] + words[1][1] >= 4 * WORDS);
        net_destroy(net);
    }
}
