/* Heads that commit to a channel: a lone message never waits, and goes the same way as
 * one that does not commit. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "emu/core/rng.h"
#include "net/net.h"

enum { LONGEST = 200 };

static void note_move(void *context, uint64_t cycle, uint32_t message, uint32_t flit,
                      int32_t from, int32_t to, uint32_t node) {
    uint64_t *digest = context;
    (void)message;
    *digest = jm_rng_mix(*digest + cycle, (uint64_t)flit << 60 | (uint64_t)node << 48 |
                                              (uint64_t)(from + 1) << 24 |
                                              (uint64_t)(to + 1));
}

/* Sends a message of two flits from each processor to each other one, each after the
 * previous one's arrival; returns a digest of all moves. */
static uint64_t moves_with(const char *topology, unsigned select, unsigned commit) {
    JmError error;
    uint64_t digest = 0;
    NetParams params = net_params_default();
    cr_assert(net_specification_params(topology, &params, &error), "%s", error.text);
    params.select = select;
    params.commit = commit;
    Net *net = net_create(topology, &params, "auto", &error);
    cr_assert(net, "%s", error.text);
    net_seed(net, 1);
    net_set_flit_hook(net, note_move, &digest);
    const unsigned nodes = net_node_count(net);
    const unsigned links = nodes / net_processor_count(net);
    for (unsigned from = 0; from < nodes; from++)
        for (unsigned to = 0; to < nodes; to += links) {
            size_t arrived = 0;
            if (to / links == from / links)
                continue;
            cr_assert_neq(net_open_drawn(net, from, 0, to, 0), NET_NONE);
            net_offer(net, from, 0, 1, true);
            for (unsigned cycle = 0; arrived == 0 && cycle < LONGEST; cycle++) {
                size_t count;
                net_step(net);
                const NetDelivery *out = net_deliveries(net, &count);
                for (size_t i = 0; i < count; i++)
                    arrived += out[i].tail;
            }
            cr_assert_eq(arrived, 1);
        }
    net_destroy(net);
    return digest;
}

Test(commit, a_message_alone_goes_the_same_way) {
    static const char *const topologies[] = {"torus=4x4,lanes=4,escape=2",
                                             "torus=5x3,lanes=3,escape=2,links=2",
                                             "torus=4x4,lanes=8,escape=2,places=2"};
    for (size_t i = 0; i < sizeof topologies / sizeof topologies[0]; i++)
        for (unsigned select = 0; select <= 4; select++)
            cr_expect_eq(moves_with(topologies[i], select, 0),
                         moves_with(topologies[i], select, 1), "%s, select=%u",
                         topologies[i], select);
}
