/* The flow engine's counts of a channel. */
#include <criterion/criterion.h>

#include "rig.h"

/* A message of 5 words and its header alone from one node to another: each channel of
 * its route is held from the cycle that its head takes it until the tail is in it, and
 * nobody waits. The first is fed by the source, the others over wires of `delay`
 * cycles. */
static void hold(const char *specification, unsigned from, unsigned to,
                 unsigned delay) {
    enum { WORDS = 5 };
    Net *net = net_of(specification, "");
    NetGraph *graph = graph_of(specification);
    post(net, from, 0, to, WORDS);
    step_until_quiet(net);
    const uint32_t address = net_graph_address(graph, from, to, 0);
    uint32_t at = net_graph_source(graph, from, 0), place = 0, used = 0;
    for (; (at = graph->next(graph, at, address)) < graph->channels; place++) {
        const NetChannelCounts counts = net_channel_counts(net, at);
        cr_expect_eq(counts.messages, 1);
        cr_expect_eq(counts.held_cycles,
                     net_header_flits(net) + WORDS + (place ? delay - 1 : 0),
                     "%s: %u: %u", specification, place, (unsigned)counts.held_cycles);
        cr_expect_eq(counts.wait_cycles, 0);
    }
    for (uint32_t c = 0; c < graph->channels; c++)
        used += net_channel_counts(net, c).messages > 0;
    cr_expect_eq(used, place);
    net_graph_destroy(graph);
    net_destroy(net);
}

Test(counts, a_channel_is_held_while_a_message_goes_in) {
    hold("torus=4x4", 0, 6, 1);
    hold("torus=4x4,delay=5", 0, 6, 5);
    hold("clos=2x2,levels=2,delay=3", 1, 60, 3);
}
