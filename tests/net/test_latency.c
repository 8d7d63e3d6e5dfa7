/* Zero load: from every node to every other, for every number of header flits, the tail
 * is ejected dx + dy + dz + 2W + H + 2 cycles after the first flit left the buffer. */
#include "rig.h"

typedef struct {
    unsigned x, y, z;
} Shape;

static unsigned apart(unsigned a, unsigned b) {
    return a > b ? a - b : b - a;
}

static unsigned distance(Shape s, unsigned a, unsigned b) {
    return apart(a % s.x, b % s.x) + apart(a / s.x % s.y, b / s.x % s.y) +
           apart(a / (s.x * s.y), b / (s.x * s.y));
}

/* Sends a message alone; offers words as room permits. */
static void deliver(Net *net, unsigned source, unsigned to, unsigned words) {
    const unsigned priority = (source + to) % 2;
    net_open(net, source, priority, to);
    for (uint64_t limit = net_now(net) + 500; !net_is_quiet(net);) {
        const unsigned room = net_room(net, source, priority);
        const unsigned most = room < 2 ? room : 2, now = words < most ? words : most;
        words -= now;
        if (now > 0)
            net_offer(net, source, priority, now, words == 0);
        net_step(net);
        cr_assert_lt(net_now(net), limit, "from %u to %u: not delivered", source, to);
    }
}

/* A first message is the shortest and the longest of all so far. */
static void check_shape(Shape shape, unsigned words, NetParams params) {
    Net *net = net_create_mesh(shape.x, shape.y, shape.z, &params, NULL);
    const NetHistogram *transit = &net_statistics(net)->transit;
    uint64_t sum = 0, least = UINT64_MAX, most = 0;
    for (unsigned pair = 0; pair < net_node_count(net) * net_node_count(net); pair++) {
        const unsigned source = pair % net_node_count(net),
                       to = pair / net_node_count(net);
        const unsigned expected =
            distance(shape, source, to) + 2 * words + params.header_flits + 2;
        deliver(net, source, to, words);
        net_statistics(net);
        cr_assert_eq(transit->sum - sum, expected, "%u to %u, %u words, %u headers",
                     source, to, words, params.header_flits);
        sum = transit->sum;
        least = expected < least ? expected : least;
        most = expected > most ? expected : most;
        cr_assert(transit->min == least && transit->max == most);
    }
    net_destroy(net);
}

/* Neither arbitration nor wires nor a larger capacity affect an empty network. */
Test(latency, of_an_empty_network, .timeout = 600) {
    static const Shape shapes[] = {{1, 1, 1}, {7, 1, 1}, {1, 5, 2}, {3, 5, 2}};
    static const unsigned lengths[] = {1, 2, 3, 4, 7, 8, 20};
    NetParams params = net_params_default();
    for (unsigned i = 0; i < 4 * 4 * 7; i++) {
        params.header_flits = i % 4;
        params.channel_capacity = 2 + i % 7;
        params.fair = i % 3 == 1;
        params.shared_wires = i % 5 > 1;
        params.enter_on_lost_wire = i % 2;
        check_shape(shapes[i / 4 % 4], lengths[i / 16], params);
    }
}

/* From the opening: the first word is offered in the same cycle, and seen in the
 * next. */
Test(latency, counted_from_opening) {
    Net *net = net_of("mesh=4", "");
    net_skip(net, 1000);
    post(net, 0, 0, 3, 1);
    step_until_quiet(net);
    const NetStatistics *seen = net_statistics(net);
    cr_assert_eq(seen->transit.sum, 3 + 2 + 3 + 2);
    cr_assert_eq(seen->latency.sum, seen->transit.sum + 1);
    cr_assert_eq(net_now(net), 1000 + seen->latency.sum + 1);
    net_destroy(net);
}
