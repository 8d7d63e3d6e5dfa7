/* Abstract processors on the machine as built: all messages come home in the time that
 * the work takes, and an overflow takes the thesis's time. */
#include <string.h>

#include "engines.h"
#include "net/traffic/processors.h"

enum { LOAD = 5, HOPS = 40, WORDS = 4 };

/* The machine as built. */
static NetProcessorsPlan as_built(unsigned handler) {
    return (NetProcessorsPlan){.load = LOAD,
                               .hops = HOPS,
                               .words = WORDS,
                               .handler = handler,
                               .imbalance = 1,
                               .queue = {512, 128},
                               .traps = 3,
                               .brake_patience = 100000,
                               .spill_cycles = 5,
                               .seed = 1};
}

static NetProcessorsCounts run_on(const char *engine, const NetProcessorsPlan *plan) {
    enum { SLICE = 5000 };
    JmError error = {.text = ""};
    const NetParams params = net_params_default();
    Net *net = net_create_mesh_with(4, 4, 4, &params, engine, &error);
    NetProcessors *processors = net_processors_create(net, plan, &error);
    cr_assert_not_null(processors, "%s", error.text);
    NetProcessorsState state = NET_PROCESSORS_RUN;
    while (state == NET_PROCESSORS_RUN)
        state = net_processors_run(processors, SLICE);
    cr_assert_eq(state, NET_PROCESSORS_DONE, "%d", state);
    cr_assert(net_check(net, &error), "%s", error.text);
    const NetProcessorsCounts counts = net_processors_counts(processors);
    net_processors_destroy(processors);
    net_destroy(net);
    return counts;
}

/* Every message makes its hops, the way home and a last service there. */
Test(processors, all_come_home) {
    const NetProcessorsPlan plan = as_built(200);
    const NetProcessorsCounts c = run_on("auto", &plan);
    cr_assert_eq(c.sent[0], 64 * LOAD * (HOPS + 1));
    cr_assert_eq(c.sent[1], 0);
    cr_assert_eq(c.hops, 64 * LOAD * (HOPS + 2));
    cr_assert_eq(c.overflows[0] + c.overflows[1], 0);
    const double work = (double)c.hops / 64 * 200;
    cr_assert((double)c.cycles > work && (double)c.cycles < 1.6 * work, "%g",
              (double)c.cycles / work);
}

/* With a hot node, whose queue overflows, and messages of both priorities. */
Test(processors, both_engines_agree) {
    NetProcessorsPlan plan = as_built(100);
    plan.imbalance = 10;
    plan.hot = 1;
    plan.queue[0] = plan.queue[1] = 64;
    plan.hwm_mark = 20;
    plan.exponential = true;
    const NetProcessorsCounts a = run_on("plane", &plan), b = run_on("graph", &plan);
    cr_assert_eq(memcmp(&a, &b, sizeof a), 0);
    cr_assert(a.overflows[0] > 0 && a.sent[1] > 0);
}

/* An overflow of 256 words takes 5832 cycles (thesis 2.3): from the cycle in which the
 * queue is full until the gate opens. */
Test(processors, a_first_overflow_takes_its_time) {
    NetProcessorsPlan plan = as_built(4000);
    plan.load = 30;
    plan.hops = 1;
    plan.imbalance = 1e6; /* everybody sends to node 1 */
    plan.hot = 1;
    plan.queue[0] = 256;
    const NetParams params = net_params_default();
    Net *net = net_create_mesh(4, 4, 4, &params, NULL);
    NetProcessors *p = net_processors_create(net, &plan, NULL);
    uint64_t full = UINT64_MAX, next = 0;
    while (next == 0) {
        net_processors_run(p, 1);
        full = net_processors_counts(p).first_overflow;
        const bool received = net_received(net, 0)[0] >> 1 & 1;
        if (full != UINT64_MAX && net_now(net) > full + 1 && received)
            next = net_now(net) - 1;
    }
    /* The message in hand, 4 words, is not copied. */
    const uint64_t most = 150 + 50 + 22 * 256;
    cr_assert(next - full > most - 22 * 8 && next - full < most + 20, "%llu cycles",
              (unsigned long long)(next - full));
    net_processors_destroy(p);
    net_destroy(net);
}
