/* Zero load: from every node to every other, for every number of header flits, the tail
 * is ejected dx + dy + dz + 2W + H + 2 cycles after the first flit left the buffer. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "net/net.h"

typedef struct {
    unsigned x, y, z;
} Shape;

typedef struct {
    uint64_t first_cycle;
    uint32_t flits_out, injected;
} Seen;

static void watch(void *context, uint64_t cycle, uint32_t message, uint32_t flit,
                  int32_t from, int32_t to, uint32_t node) {
    Seen *seen = context;
    (void)message;
    (void)node;
    if (from < 0 && flit == 0)
        seen->first_cycle = cycle;
    seen->injected += from < 0;
    seen->flits_out += to < 0;
}

static unsigned apart(unsigned a, unsigned b) {
    return a > b ? a - b : b - a;
}

static unsigned distance(Shape s, unsigned a, unsigned b) {
    return apart(a % s.x, b % s.x) + apart(a / s.x % s.y, b / s.x % s.y) +
           apart(a / (s.x * s.y), b / (s.x * s.y));
}

/* Cycle of the ejection of the tail; offers words as room permits. */
static uint64_t deliver(Net *net, unsigned source, unsigned destination,
                        unsigned priority, unsigned words) {
    const uint32_t message = net_open(net, source, priority, destination);
    for (uint64_t limit = net_now(net) + 2 * words + 500; net_now(net) < limit;) {
        const unsigned room = net_room(net, source, priority);
        const unsigned most = room < 2 ? room : 2;
        const unsigned now = words < most ? words : most;
        words -= now;
        if (now > 0)
            net_offer(net, source, priority, now, words == 0);
        net_step(net);
        size_t count;
        const NetDelivery *delivery = net_deliveries(net, &count);
        cr_assert_leq(count, 1);
        if (count == 0 || !delivery->tail)
            continue;
        cr_assert_eq(delivery->node, destination);
        cr_assert_eq(delivery->message, message);
        cr_assert_eq(delivery->priority, priority);
        return net_now(net) - 1;
    }
    cr_assert_fail("from %u to %u: not delivered", source, destination);
    return 0;
}

static void check_pair(Net *net, Shape shape, unsigned source, unsigned destination,
                       unsigned words, unsigned header_flits) {
    Seen seen = {0};
    const unsigned priority = (source + destination) % 2;
    const uint64_t transit_before = net_statistics(net)->transit.sum;
    net_set_flit_hook(net, watch, &seen);
    const uint64_t tail = deliver(net, source, destination, priority, words);
    const unsigned expected =
        distance(shape, source, destination) + 2 * words + header_flits + 2;
    cr_assert_eq(tail - seen.first_cycle, expected,
                 "%ux%ux%u, %u to %u, %u words, %u headers: %llu cycles, not %u",
                 shape.x, shape.y, shape.z, source, destination, words, header_flits,
                 (unsigned long long)(tail - seen.first_cycle), expected);
    cr_assert_eq(net_statistics(net)->transit.sum - transit_before, expected);
    cr_assert_eq(seen.injected, 2 * words + header_flits);
    cr_assert_eq(seen.flits_out, 2 * words + (header_flits == 3 ? 0 : header_flits));
    cr_assert(net_is_quiet(net));
}

static void check_shape(Shape shape, unsigned words, NetParams params) {
    JmError error;
    Net *net = net_create_mesh(shape.x, shape.y, shape.z, &params, &error);
    cr_assert_not_null(net, "%s", error.text);
    for (unsigned source = 0; source < net_node_count(net); source++)
        for (unsigned to = 0; to < net_node_count(net); to++)
            check_pair(net, shape, source, to, words, params.header_flits);
    net_destroy(net);
}

static void check_lengths(Shape shape) {
    static const unsigned lengths[] = {1, 2, 3, 4, 7, 8, 20};
    NetParams params = net_params_default();
    for (params.header_flits = 0; params.header_flits <= 3; params.header_flits++)
        for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
            check_shape(shape, lengths[i], params);
}

Test(latency, small_shapes, .timeout = 120) {
    static const Shape shapes[] = {{1, 1, 1}, {7, 1, 1}, {1, 5, 1},
                                   {1, 1, 6}, {4, 3, 1}, {3, 5, 2}};
    for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        check_lengths(shapes[i]);
}

Test(latency, large_shapes, .timeout = 300) {
    NetParams params = net_params_default();
    for (params.header_flits = 0; params.header_flits <= 3; params.header_flits++) {
        check_shape((Shape){16, 4, 2}, 4, params);
        if (params.header_flits == 3)
            check_shape((Shape){8, 8, 8}, 4, params);
    }
}

/* Neither arbitration nor wires nor a larger capacity affect an empty network. */
Test(latency, same_for_other_parameters) {
    NetParams params = net_params_default();
    for (params.channel_capacity = 2; params.channel_capacity <= 8;
         params.channel_capacity++) {
        params.fair = params.channel_capacity % 2;
        params.shared_wires = params.channel_capacity / 2 % 2;
        params.enter_on_lost_wire = params.channel_capacity / 4 % 2;
        check_shape((Shape){3, 5, 2}, 6, params);
    }
}

/* From the opening: the first word is offered in the same cycle, and seen in the
 * next. */
Test(latency, counted_from_opening) {
    const NetParams params = net_params_default();
    Net *net = net_create_mesh(4, 1, 1, &params, NULL);
    net_skip(net, 1000);
    net_open(net, 0, 0, 3);
    net_offer(net, 0, 0, 1, true);
    while (!net_is_quiet(net))
        net_step(net);
    const NetStatistics *seen = net_statistics(net);
    cr_assert_eq(seen->transit.sum, 3 + 2 + 3 + 2);
    cr_assert_eq(seen->latency.sum, seen->transit.sum + 1);
    cr_assert_eq(net_now(net), 1000 + seen->latency.sum + 1);
    net_destroy(net);
}

/* The first message is both the shortest and the longest, whatever follows. */
Test(latency, least_and_most_of_messages_that_become_shorter) {
    const NetParams params = net_params_default();
    Net *net = net_create_mesh(4, 3, 2, &params, NULL);
    const NetHistogram *transit = &net_statistics(net)->transit;
    deliver(net, 0, 23, 0, 3);
    net_statistics(net);
    const uint64_t first = transit->sum;
    cr_assert_eq(transit->min, first);
    cr_assert_eq(transit->max, first);
    deliver(net, 0, 1, 0, 1);
    net_statistics(net);
    cr_assert_eq(transit->min, transit->sum - first);
    cr_assert_eq(transit->max, first);
    cr_assert_lt(transit->min, first);
    net_destroy(net);
}
