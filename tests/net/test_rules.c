/* Precedence: wires, priorities, unfair and fair arbitration, gates. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "net/net.h"

enum { MAX_CYCLES = 2000 };

/* A network in which some nodes send continuously. */
typedef struct {
    Net *net;
    int32_t destination[8][2];  /* by node and priority; -1: sends nothing */
    uint32_t messages_in[8][2]; /* delivered, by source and priority */
    uint32_t flits_from[8][2];  /* that left the output buffer */
    /* By cycle: flits over the wire between nodes 0 and 1, up and down, by priority. */
    uint8_t crossed[MAX_CYCLES][2][2];
} Stage;

static void watch(void *context, uint64_t cycle, uint32_t message, uint32_t flit,
                  int32_t from, int32_t to, uint32_t node) {
    Stage *stage = context;
    (void)flit;
    (void)to;
    NetMessageState state;
    cr_assert(net_message_state(stage->net, message, &state));
    if (from < 0) {
        stage->flits_from[state.source][state.priority]++;
        return;
    }
    const NetChannelState channel = net_channel_state(stage->net, (uint32_t)from);
    if (channel.kind == NET_CHANNEL_R || channel.dimension != 0)
        return;
    const bool down = channel.kind == NET_CHANNEL_N;
    if (channel.node == (down ? 1 : 0) && node == (down ? 0 : 1))
        stage->crossed[cycle][down][state.priority]++;
}

static Stage *stage_create(unsigned x, NetParams params) {
    Stage *stage = calloc(1, sizeof *stage);
    stage->net = net_create_mesh(x, 1, 1, &params, NULL);
    cr_assert_not_null(stage->net);
    memset(stage->destination, -1, sizeof stage->destination);
    net_set_flit_hook(stage->net, watch, stage);
    return stage;
}

static void stage_destroy(Stage *stage) {
    net_destroy(stage->net);
    free(stage);
}

enum { WORDS = 3 };

static void keep_sending(Stage *stage, unsigned node, unsigned priority) {
    const int32_t to = stage->destination[node][priority];
    if (to < 0 || net_room(stage->net, node, priority) < 1 + WORDS)
        return;
    net_open(stage->net, node, priority, (unsigned)to);
    net_offer(stage->net, node, priority, 2, false);
    net_offer(stage->net, node, priority, 1, true);
}

static void run(Stage *stage, unsigned cycles) {
    for (; cycles > 0; cycles--) {
        for (unsigned node = 0; node < net_node_count(stage->net); node++)
            for (unsigned priority = 0; priority < 2; priority++)
                keep_sending(stage, node, priority);
        net_step(stage->net);
        size_t count;
        const NetDelivery *words = net_deliveries(stage->net, &count);
        for (size_t i = 0; i < count; i++) {
            NetMessageState state;
            cr_assert(net_message_state(stage->net, words[i].message, &state));
            stage->messages_in[state.source][state.priority] += words[i].tail;
        }
    }
}

/* Wires. */

Test(rules, one_direction_has_the_whole_wire) {
    NetParams params = net_params_default();
    params.header_flits = 0;
    Stage *stage = stage_create(2, params);
    stage->destination[0][0] = 1;
    run(stage, 200);
    for (unsigned cycle = 100; cycle < 200; cycle++)
        cr_assert_eq(stage->crossed[cycle][0][0], 1);
    stage_destroy(stage);
}

Test(rules, both_directions_alternate) {
    NetParams params = net_params_default();
    for (params.header_flits = 0; params.header_flits < 3; params.header_flits++) {
        Stage *stage = stage_create(2, params);
        stage->destination[0][0] = 1;
        stage->destination[1][0] = 0;
        run(stage, 300);
        for (unsigned cycle = 100; cycle < 300; cycle++) {
            const unsigned up = stage->crossed[cycle][0][0];
            cr_assert_eq(up + stage->crossed[cycle][1][0], 1);
            cr_assert_eq(up, 1 - stage->crossed[cycle - 1][0][0]);
        }
        stage_destroy(stage);
    }
}

Test(rules, first_crossing_of_two_is_upward) {
    Stage *stage = stage_create(2, net_params_default());
    stage->destination[0][0] = 1;
    stage->destination[1][0] = 0;
    run(stage, 20);
    unsigned cycle = 0;
    while (stage->crossed[cycle][0][0] + stage->crossed[cycle][1][0] == 0)
        cycle++;
    cr_assert_eq(stage->crossed[cycle][0][0], 1);
    cr_assert_eq(stage->crossed[cycle + 1][1][0], 1);
    stage_destroy(stage);
}

Test(rules, separate_wires_carry_both_at_once) {
    NetParams params = net_params_default();
    params.shared_wires = 0;
    params.header_flits = 0;
    Stage *stage = stage_create(2, params);
    stage->destination[0][0] = 1;
    stage->destination[1][0] = 0;
    run(stage, 200);
    for (unsigned cycle = 100; cycle < 200; cycle++) {
        cr_assert_eq(stage->crossed[cycle][0][0], 1);
        cr_assert_eq(stage->crossed[cycle][1][0], 1);
    }
    cr_assert_eq(net_link_flits(stage->net, 0, 0, true),
                 net_link_flits(stage->net, 1, 0, false));
    cr_assert_eq(net_statistics(stage->net)->wire_flits[0],
                 2 * net_link_flits(stage->net, 0, 0, true));
    cr_assert_eq(net_link_flits(stage->net, 0, 0, false), 0);
    cr_assert_eq(net_link_flits(stage->net, 1, 0, true), 0);
    stage_destroy(stage);
}

/* A wire's turn is shared by both priorities: after a downward flit of priority 1, an
 * upward flit of priority 0 goes before a downward one. */
Test(rules, priority_1_goes_first_in_either_direction) {
    for (unsigned down = 0; down < 2; down++) {
        NetParams params = net_params_default();
        params.header_flits = 0;
        Stage *stage = stage_create(2, params);
        stage->destination[0][0] = 1;
        stage->destination[1][0] = 0;
        run(stage, 100);
        stage->destination[down][1] = 1 - (int32_t)down;
        run(stage, 300);
        for (unsigned cycle = 150; cycle < 400; cycle++) {
            cr_assert_eq(stage->crossed[cycle][down][1], 1);
            cr_assert_eq(stage->crossed[cycle][0][0] + stage->crossed[cycle][1][0], 0);
        }
        stage->destination[down][1] = -1;
        run(stage, 100);
        unsigned last = 499;
        while (!stage->crossed[last][down][1])
            last--;
        cr_assert_eq(stage->crossed[last + 1][1 - down][0], 1);
        stage_destroy(stage);
    }
}

/* Arbitration for channels. */

Test(rules, unfair_straight_on_starves_entering) {
    NetParams params = net_params_default();
    for (params.header_flits = 0; params.header_flits <= 3; params.header_flits++) {
        Stage *stage = stage_create(3, params);
        stage->destination[0][0] = 2;
        run(stage, 50);
        stage->destination[1][0] = 2;
        run(stage, 500);
        cr_assert_eq(stage->flits_from[1][0], 0);
        cr_assert_gt(stage->messages_in[0][0], 30);
        stage->destination[0][0] = -1;
        run(stage, 100);
        cr_assert_gt(stage->messages_in[1][0], 5);
        stage_destroy(stage);
    }
}

Test(rules, unfair_p_side_before_n_side_before_entering) {
    NetParams params = net_params_default();
    Stage *stage = stage_create(3, params);
    stage->destination[0][0] = 1;
    run(stage, 50);
    stage->destination[1][0] = stage->destination[2][0] = 1;
    run(stage, 500);
    cr_assert_eq(stage->messages_in[2][0], 0);
    cr_assert_eq(stage->messages_in[1][0], 0);
    stage->destination[0][0] = -1;
    run(stage, 500);
    cr_assert_gt(stage->messages_in[2][0], 30);
    cr_assert_eq(stage->messages_in[1][0], 0);
    stage->destination[2][0] = -1;
    run(stage, 500);
    cr_assert_gt(stage->messages_in[1][0], 30);
    stage_destroy(stage);
}

/* Priority 1 fills the wire that the head on the P-side needs; the head on the N-side,
 * whose wire is idle, waits all the same, and an entering one takes the channel. */
Test(rules, n_side_does_not_pass_a_p_side_that_lost_its_wire) {
    NetParams params = net_params_default();
    params.header_flits = 0;
    for (int32_t enters = 0; enters < 2; enters++) {
        Stage *stage = stage_create(3, params);
        stage->destination[1][1] = 0;
        stage->destination[0][0] = stage->destination[2][0] = 1;
        run(stage, 20);
        stage->destination[1][0] = enters ? 1 : -1;
        run(stage, 200);
        cr_assert_eq(stage->messages_in[0][0] + stage->messages_in[2][0], 0);
        cr_assert_eq(stage->messages_in[1][0] > 20, enters);
        stage->destination[1][1] = stage->destination[1][0] = -1;
        stage->destination[0][0] = -1;
        run(stage, 200);
        cr_assert_gt(stage->messages_in[0][0], 0);
        cr_assert_gt(stage->messages_in[2][0], 20);
        stage_destroy(stage);
    }
}

static unsigned spread(const Stage *stage, unsigned first, unsigned last) {
    uint32_t least = UINT32_MAX, most = 0;
    for (unsigned node = first; node <= last; node++) {
        const uint32_t in = stage->messages_in[node][0];
        least = in < least ? in : least;
        most = in > most ? in : most;
    }
    cr_assert_gt(least, 10);
    return most - least;
}

Test(rules, fair_shares_evenly) {
    NetParams params = net_params_default();
    params.fair = 1;
    for (params.header_flits = 0; params.header_flits <= 3; params.header_flits++) {
        Stage *stage = stage_create(3, params);
        stage->destination[0][0] = stage->destination[1][0] = 2;
        run(stage, 600);
        cr_assert_leq(spread(stage, 0, 1), 1);
        stage_destroy(stage);
        stage = stage_create(3, params);
        for (unsigned node = 0; node < 3; node++)
            stage->destination[node][0] = 1;
        run(stage, 600);
        cr_assert_leq(spread(stage, 0, 2), 1);
        stage_destroy(stage);
    }
}

/* Whether the head in front of `node`'s upward channel waits for the next one up. */
static bool straight_head_waits(const Net *net, uint32_t node) {
    for (uint32_t channel = 0; channel < net_channel_count(net); channel++) {
        const NetChannelState state = net_channel_state(net, channel);
        if (state.node != node || state.priority != 0 || state.dimension != 0 ||
            state.kind != NET_CHANNEL_P || !state.front_is_head)
            continue;
        const NetChannelState next = net_channel_state(net, (uint32_t)state.next);
        return next.kind == NET_CHANNEL_P && !next.owned && next.flits < 2;
    }
    return false;
}

/* Node 1 fills the wire at priority 1, now and then, while nodes 0 and 1 both want the
 * upward channel of node 1. How often node 1 gets it although node 0's head waits. */
static unsigned entered_past_a_loser(uint32_t enter_on_lost_wire, uint32_t fair) {
    NetParams params = net_params_default();
    params.enter_on_lost_wire = enter_on_lost_wire;
    params.fair = fair;
    Stage *stage = stage_create(3, params);
    stage->destination[0][0] = stage->destination[1][0] = 2;
    unsigned times = 0;
    for (unsigned cycle = 0; cycle < 1000; cycle++) {
        stage->destination[1][1] = cycle % 50 < 25 ? 0 : -1;
        const bool waits = straight_head_waits(stage->net, 0);
        const uint32_t before = stage->flits_from[1][0];
        run(stage, 1);
        times += waits && stage->flits_from[1][0] > before;
    }
    stage_destroy(stage);
    return times;
}

Test(rules, entering_on_a_lost_wire) {
    cr_assert_gt(entered_past_a_loser(1, 0), 0);
    cr_assert_eq(entered_past_a_loser(0, 0), 0);
    cr_assert_gt(entered_past_a_loser(1, 1), 0);
    cr_assert_gt(entered_past_a_loser(0, 1), 0); /* when it is its turn */
}

/* Yielding. Node 0 sends to node 2 without end, node 1 too, and would never get in. */

static Stage *line_that_yields(uint32_t yield, uint32_t dims, uint32_t fair) {
    NetParams params = net_params_default();
    params.yield = yield;
    params.yield_dims = dims;
    params.fair = fair;
    Stage *stage = stage_create(3, params);
    stage->destination[0][0] = stage->destination[1][0] = 2;
    return stage;
}

/* In which cycles the first flits of node 1's messages leave. */
static unsigned heads_of_node_1(Stage *stage, unsigned cycles, unsigned every) {
    unsigned heads = 0;
    for (unsigned cycle = 0; cycle < cycles; cycle++) {
        const uint32_t before = stage->flits_from[1][0];
        run(stage, 1);
        if (stage->flits_from[1][0] == before || before % (3 + 2 * WORDS) != 0)
            continue;
        cr_assert_eq(cycle % every, 0, "in cycle %u", cycle);
        heads++;
    }
    return heads;
}

Test(rules, entering_goes_first_in_cycles_that_yield) {
    Stage *stage = line_that_yields(1, 1, 0);
    run(stage, 100);
    const uint32_t before = stage->messages_in[0][0];
    run(stage, 500);
    cr_assert_leq(stage->messages_in[0][0] - before, 1); /* now node 0 starves */
    cr_assert_gt(stage->messages_in[1][0], 30);
    stage_destroy(stage);
    stage = line_that_yields(0, 7, 0);
    stage->destination[1][0] = -1;
    run(stage, 50); /* the line is full */
    stage->destination[1][0] = 2;
    cr_assert_eq(heads_of_node_1(stage, 500, 1), 0);
    stage_destroy(stage);
}

/* Where the messages' own period, 9 cycles, and that of yielding never meet, node 1
 * gets nothing all the same. */
Test(rules, yields_in_every_so_many_cycles_only) {
    unsigned heads = 0;
    for (uint32_t yield = 2; yield < 8; yield++) {
        Stage *stage = line_that_yields(yield, 1, 0);
        stage->destination[1][0] = -1;
        run(stage, 10 * yield); /* the line is full, the cycle a multiple */
        stage->destination[1][0] = 2;
        heads += heads_of_node_1(stage, 500, yield);
        cr_assert_gt(stage->messages_in[0][0], 5);
        stage_destroy(stage);
    }
    cr_assert_gt(heads, 30);
}

Test(rules, yields_in_its_dimensions_only) {
    for (uint32_t dims = 0; dims < 8; dims++) {
        Stage *stage = line_that_yields(1, dims, 0);
        run(stage, 500);
        cr_assert_eq(stage->messages_in[1][0] > 30, dims & 1);
        stage_destroy(stage);
    }
}

Test(rules, fair_routers_do_not_yield) {
    Stage *stage = line_that_yields(1, 7, 1), *same = line_that_yields(0, 7, 1);
    run(stage, 500);
    run(same, 500);
    cr_assert_eq(memcmp(stage->flits_from, same->flits_from, sizeof same->flits_from),
                 0);
    stage_destroy(stage);
    stage_destroy(same);
}

/* At R the sides go first in every cycle. */
Test(rules, r_never_yields) {
    NetParams params = net_params_default();
    params.yield = 1;
    params.yield_dims = 7;
    Stage *stage = stage_create(2, params);
    stage->destination[0][0] = 1;
    run(stage, 50);
    stage->destination[1][0] = 1;
    run(stage, 500);
    cr_assert_eq(stage->messages_in[1][0], 0);
    stage_destroy(stage);
}

/* Gates. */

Test(rules, closed_gate_stops_ejection_from_the_next_cycle) {
    Stage *stage = stage_create(2, net_params_default());
    stage->destination[0][0] = stage->destination[0][1] = 1;
    run(stage, 100);
    const NetStatistics *seen = net_statistics(stage->net);
    const uint64_t before = seen->flits_ejected[0], other = seen->flits_ejected[1];
    net_set_gate(stage->net, 1, 1, false);
    run(stage, 1);
    const uint64_t at_close = seen->flits_ejected[0] + seen->flits_ejected[1];
    cr_assert_geq(at_close, before + other);
    const uint64_t closed = seen->flits_ejected[1];
    run(stage, 100);
    cr_assert_eq(seen->flits_ejected[1], closed);
    cr_assert_gt(seen->flits_ejected[0], before + 50);
    net_set_gate(stage->net, 1, 1, true);
    run(stage, 1);
    cr_assert_eq(seen->flits_ejected[1], closed);
    run(stage, 1);
    cr_assert_eq(seen->flits_ejected[1], closed + 1);
    stage_destroy(stage);
}

/* Set before step t, a gate does not change step t: seen with a stream of one flit a
 * cycle without headers. */
Test(rules, gate_is_staged) {
    NetParams params = net_params_default();
    params.header_flits = 0;
    Stage *stage = stage_create(1, params);
    stage->destination[0][0] = 0;
    run(stage, 50);
    const NetStatistics *seen = net_statistics(stage->net);
    const uint64_t before = seen->flits_ejected[0];
    net_set_gate(stage->net, 0, 0, false);
    run(stage, 1);
    cr_assert_eq(seen->flits_ejected[0], before + 1);
    run(stage, 20);
    cr_assert_eq(seen->flits_ejected[0], before + 1);
    cr_assert_not(net_moved(stage->net));
    stage_destroy(stage);
}
