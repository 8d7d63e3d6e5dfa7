/* The closed workload: messages are conserved, and waiting messages are counted as by a
 * check in every cycle. */
#include "closed.h"
#include "engines.h"

enum { SIDE = 4, NODES = SIDE * SIDE * SIDE, LOAD = 3, WORK = 30 };

static NetClosed *create(Net *net, unsigned load, unsigned work) {
    const NetClosedPlan plan = {
        .load = load, .work = work, .seed = 5, .count_waiting = true};
    return net_closed_create(net, &plan);
}

/* A node holds its initial messages plus arrivals less those sent, and all but one of
 * them wait. */
ENGINE_TEST(closed, messages_are_neither_lost_nor_made) {
    enum { CYCLES = 3000 };
    const NetParams params = net_params_default();
    Net *net = net_create_mesh_with(SIDE, SIDE, SIDE, &params, engine, NULL);
    NetClosed *closed = create(net, LOAD, WORK);
    uint64_t held[NODES], waited[NODES] = {0};
    for (unsigned node = 0; node < NODES; node++)
        held[node] = LOAD;
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        bool was_open[NODES];
        for (unsigned node = 0; node < NODES; node++)
            was_open[node] = net_is_open(net, node, 0);
        net_closed_run(closed, 1);
        size_t count;
        const NetDelivery *words = net_deliveries(net, &count);
        for (unsigned node = 0; node < NODES; node++)
            held[node] -= was_open[node] && !net_is_open(net, node, 0);
        for (size_t i = 0; i < count; i++)
            held[words[i].node] += words[i].tail;
        for (unsigned node = 0; node < NODES; node++)
            waited[node] += held[node] > 0 ? held[node] - 1 : 0;
    }
    for (unsigned node = 0; node < NODES; node++) {
        cr_assert_leq(held[node], LOAD * NODES);
        cr_assert_eq(net_closed_waiting(closed, node), waited[node]);
    }
    const NetStatistics *seen = net_statistics(net);
    cr_assert_gt(seen->messages_delivered[0], CYCLES / WORK * NODES / 2);
    cr_assert_leq(seen->messages_opened[0] - seen->messages_delivered[0], LOAD * NODES);
    cr_assert_eq(seen->messages_delivered[1], 0);
    net_closed_destroy(closed);
    net_destroy(net);
}

/* Without contention a node spends `work` cycles on each message of its own. */
Test(closed, work_takes_its_cycles) {
    enum { CYCLES = 40000 };
    const NetParams params = net_params_default();
    Net *net = net_create_mesh(1, 1, 1, &params, NULL);
    NetClosed *closed = create(net, 5, 100);
    net_closed_run(closed, CYCLES);
    const uint64_t opened = net_statistics(net)->messages_opened[0];
    cr_assert(opened >= CYCLES / 100 - 1 && opened <= CYCLES / 100 + 1, "%u",
              (unsigned)opened);
    cr_assert_eq(net_statistics(net)->words_offered[0] / NET_CLOSED_WORDS, opened);
    net_closed_destroy(closed);
    net_destroy(net);
}

/* A node that always has something to send does so exactly in the cycles in which its
 * buffer has two places. */
ENGINE_TEST(closed, two_places_are_room_enough) {
    NetParams params = net_params_default();
    params.buffer_words = 4;
    Net *net = net_create_mesh_with(2, 1, 1, &params, engine, NULL);
    NetClosed *closed = create(net, 1000, NET_CLOSED_SEND_CYCLES);
    unsigned just_two = 0, too_few = 0;
    net_closed_run(closed, NET_CLOSED_SEND_CYCLES);
    for (unsigned cycle = 0; cycle < 1000; cycle++) {
        const unsigned first = net_room(net, 0, 0), second = net_room(net, 1, 0);
        const uint64_t offered = net_statistics(net)->words_offered[0];
        net_closed_run(closed, 1);
        const bool more = net_statistics(net)->words_offered[0] > offered;
        cr_assert_eq(more, first >= 2 || second >= 2, "%u and %u places", first,
                     second);
        just_two += first == 2 && second < 2;
        too_few += first < 2 && second < 2;
    }
    cr_expect_gt(just_two, 10);
    cr_expect_gt(too_few, 10);
    net_closed_destroy(closed);
    net_destroy(net);
}
