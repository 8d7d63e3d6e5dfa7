/* Precedence as the thesis has it (5.3): wires, priorities, unfair and fair
 * arbitration. The reference network has all rules, and test_random.c compares every
 * flit with it. */
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
    if (from < 0)
        return;
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
