/* Abstract processors: all messages come home in the time that the work takes; queues
 * overflow as the machine's do; and each remedy does what it claims. */
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
                               .retry = 1,
                               .preempt = true,
                               .traps = 3,
                               .brake_patience = 100000,
                               .spill_cycles = 5,
                               .seed = 1};
}

/* A node with ten times the traffic of any other, and queues that it fills. */
static NetProcessorsPlan hot(void) {
    NetProcessorsPlan plan = as_built(100);
    plan.imbalance = 10;
    plan.hot = 1;
    plan.queue[0] = plan.queue[1] = 64;
    return plan;
}

/* Runs a mesh of `side` nodes in each dimension. */
static NetProcessorsCounts run_mesh(unsigned side, const char *engine,
                                    const NetParams *params,
                                    const NetProcessorsPlan *plan,
                                    NetProcessorsState wanted) {
    enum { SLICE = 5000 };
    JmError error = {.text = ""};
    Net *net = net_create_mesh_with(side, side, side, params, engine, &error);
    NetProcessors *processors = net_processors_create(net, plan, &error);
    cr_assert_not_null(processors, "%s", error.text);
    NetProcessorsState state = NET_PROCESSORS_RUN;
    while (state == NET_PROCESSORS_RUN)
        state = net_processors_run(processors, SLICE);
    cr_assert_eq(state, wanted, "%d", state);
    cr_assert(net_check(net, &error), "%s", error.text);
    const NetProcessorsCounts counts = net_processors_counts(processors);
    net_processors_destroy(processors);
    net_destroy(net);
    return counts;
}

static NetProcessorsCounts run_on(const char *engine, const NetParams *params,
                                  const NetProcessorsPlan *plan,
                                  NetProcessorsState wanted) {
    return run_mesh(4, engine, params, plan, wanted);
}

static NetProcessorsCounts run(const NetProcessorsPlan *plan) {
    const NetParams params = net_params_default();
    return run_on("plane", &params, plan, NET_PROCESSORS_DONE);
}

static uint64_t filled(const NetProcessorsCounts *counts) {
    return counts->overflows[0] + counts->overflows[1];
}

/* ---- the machine as built -------------------------------------------------------- */

/* Every message makes its hops, the way home and a last service there. */
ENGINE_TEST(processors, all_come_home) {
    const NetParams params = net_params_default();
    const NetProcessorsPlan plan = as_built(200);
    const NetProcessorsCounts c = run_on(engine, &params, &plan, NET_PROCESSORS_DONE);
    cr_assert_eq(c.sent[0], 64 * LOAD * (HOPS + 1));
    cr_assert_eq(c.sent[1], 0);
    cr_assert_eq(c.hops, 64 * LOAD * (HOPS + 2));
    cr_assert_eq(filled(&c), 0);
    const double work = (double)c.hops / 64 * 200;
    cr_assert((double)c.cycles > work && (double)c.cycles < 1.6 * work, "%g",
              (double)c.cycles / work);
}

/* Both engines agree, also when run piecewise. */
Test(processors, both_engines_agree) {
    const NetParams params = net_params_default();
    NetProcessorsPlan plan = hot();
    plan.hwm_mark = 20;
    plan.exponential = true;
    const NetProcessorsCounts a = run_on("plane", &params, &plan, NET_PROCESSORS_DONE);
    const NetProcessorsCounts b = run_on("graph", &params, &plan, NET_PROCESSORS_DONE);
    cr_assert_eq(memcmp(&a, &b, sizeof a), 0);
    plan.seed = 2;
    const NetProcessorsCounts other = run(&plan);
    cr_assert_neq(other.cycles, a.cycles);
}

/* The hot node's queue fills, the overflow handler empties it, and all come home; that
 * costs time, which a larger queue saves. */
Test(processors, queues_overflow) {
    NetProcessorsPlan plan = hot();
    const NetProcessorsCounts small = run(&plan);
    cr_assert_gt(small.overflows[0], 0);
    cr_assert_eq(small.overflows[1], 0);
    cr_assert_eq(small.longest[0], 64);
    cr_assert_eq(small.first_node, 1);
    plan.queue[0] = 4096;
    const NetProcessorsCounts large = run(&plan);
    cr_assert_eq(filled(&large), 0);
    cr_assert_eq(large.first_overflow, UINT64_MAX);
    cr_assert_gt(small.cycles, large.cycles + large.cycles / 4);
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

Test(processors, requests_come_home_every_second_hop) {
    NetProcessorsPlan plan = as_built(40);
    const NetProcessorsCounts random = run(&plan);
    plan.home_every = 1; /* all at home: the network is not used */
    const NetProcessorsCounts home = run(&plan);
    cr_assert_lt(home.longest[0], random.longest[0]);
    cr_assert_leq(home.longest[0], 4 * (LOAD + 1));
}

Test(processors, service_is_drawn) {
    NetProcessorsPlan plan = as_built(300);
    const NetProcessorsCounts constant = run(&plan);
    plan.exponential = true;
    const NetProcessorsCounts drawn = run(&plan);
    cr_assert_gt(drawn.cycles, constant.cycles);
    cr_assert_lt(drawn.cycles, 2 * constant.cycles);
}

/* ---- cures ----------------------------------------------------------------------- */

Test(processors, a_mark_sends_at_priority_1) {
    NetProcessorsPlan plan = as_built(45);
    plan.hwm_mark = 24;
    const NetProcessorsCounts low = run(&plan);
    plan.hwm_mark = 48;
    const NetProcessorsCounts high = run(&plan);
    cr_assert_gt(high.sent[1], 0);
    cr_assert_gt(low.sent[1], 2 * high.sent[1]);
    cr_assert_eq(low.sent[0] + low.sent[1], high.sent[0] + high.sent[1]);
    cr_assert_gt(low.longest[1], 0);
}

/* A node alone with one message has the words of the message in hand in its queue: a
 * mark of as many is not exceeded. */
Test(processors, a_mark_is_exceeded_by_more_words) {
    const NetParams params = net_params_default();
    NetProcessorsPlan plan = as_built(100);
    plan.load = 1;
    plan.hwm_mark = WORDS;
    const NetProcessorsCounts at =
        run_mesh(1, "plane", &params, &plan, NET_PROCESSORS_DONE);
    plan.hwm_mark = WORDS - 1;
    const NetProcessorsCounts above =
        run_mesh(1, "plane", &params, &plan, NET_PROCESSORS_DONE);
    cr_assert_eq(at.sent[1], 0);
    cr_assert_gt(above.sent[1], 0);
}

/* The second, lower mark: at most one message in four, apart from the first few. */
Test(processors, a_meter_bounds_them) {
    NetProcessorsPlan plan = as_built(45);
    plan.hwm_mark = 16;
    const NetProcessorsCounts all = run(&plan);
    plan.hwm_mark = 0;
    plan.meter_mark = 16;
    plan.meter = 3;
    const NetProcessorsCounts few = run(&plan);
    cr_assert_gt(all.sent[1], (all.sent[0] + all.sent[1]) / 4);
    cr_assert_leq(few.sent[1], (few.sent[0] + few.sent[1]) / 4 + 64);
    cr_assert_gt(few.sent[1], (few.sent[0] + few.sent[1]) / 16);
    plan.meter = 12; /* credits add up to what several take, whatever one takes */
    const NetProcessorsCounts fewer = run(&plan);
    cr_assert_gt(fewer.sent[1], (fewer.sent[0] + fewer.sent[1]) / 52);
    cr_assert_lt(fewer.sent[1], few.sent[1]);
}

/* Brake and escape: the queue ends at the mark, nobody overflows, and the hot node is
 * as busy as it can be. */
Test(processors, a_brake_admits_what_is_served) {
    NetProcessorsPlan plan = hot();
    plan.queue[1] = 128;
    plan.brake_mark = 40;
    plan.escape_mark = 20;
    plan.whole = true;
    const NetProcessorsCounts braked = run(&plan);
    cr_assert_eq(filled(&braked), 0);
    cr_assert_eq(braked.longest[0], 40);
    cr_assert_gt(braked.sent[1], 0);
    plan.brake_mark = plan.escape_mark = 0;
    plan.whole = false;
    cr_assert_lt(braked.cycles, run(&plan).cycles);
}

/* Without escape it comes to a deadlock; with patience the overflow handler is the last
 * resort. */
Test(processors, a_brake_alone_deadlocks) {
    const NetParams params = net_params_default();
    NetProcessorsPlan plan = hot();
    plan.imbalance = 1;
    plan.handler = 10;
    plan.load = 8;
    plan.hops = 400;
    plan.brake_mark = 40;
    plan.brake_patience = UINT32_MAX;
    run_on("plane", &params, &plan, NET_PROCESSORS_DEADLOCK);
    plan.brake_patience = 2000;
    const NetProcessorsCounts patient = run(&plan);
    cr_assert_gt(patient.overflows[0], 0);
}

Test(processors, a_released_brake_waits_for_the_lower_mark) {
    NetProcessorsPlan plan = hot();
    plan.queue[1] = 128;
    plan.brake_mark = 40;
    plan.escape_mark = 20;
    plan.whole = true;
    const NetProcessorsCounts at_once = run(&plan);
    plan.brake_release = 20;
    const NetProcessorsCounts later = run(&plan);
    cr_assert_eq(filled(&later), 0);
    cr_assert_neq(later.cycles, at_once.cycles);
    cr_assert_eq(later.longest[0], 40);
}

/* The ring takes what does not fit into the queue: it costs cycles, and nothing
 * overflows. */
Test(processors, a_spill_never_overflows) {
    NetProcessorsPlan plan = hot();
    plan.spill_mark = 60;
    plan.spill_cycles = 0;
    const NetProcessorsCounts free_of_cost = run(&plan);
    cr_assert_eq(filled(&free_of_cost), 0);
    cr_assert_leq(free_of_cost.longest[0], 60);
    cr_assert_gt(free_of_cost.spill_peak, 60);
    plan.spill_cycles = 50;
    const NetProcessorsCounts dear = run(&plan);
    cr_assert_eq(filled(&dear), 0);
    cr_assert_gt(dear.cycles, free_of_cost.cycles);
    plan.spill_mark = 0;
    plan.queue[0] = 1 << 16; /* an unbounded queue is the same as a free ring */
    const NetProcessorsCounts endless = run(&plan);
    const double ratio = (double)free_of_cost.cycles / (double)endless.cycles;
    cr_assert(ratio > 0.98 && ratio < 1.02, "%g", ratio);
}

/* A brake that counts the ring too bounds what lies there: the ring holds what is
 * between queue and mark, and a row of each message on its way. */
Test(processors, a_brake_behind_the_ring_bounds_it) {
    NetProcessorsPlan plan = hot();
    plan.queue[1] = 128;
    plan.spill_mark = 60;
    plan.escape_mark = 20;
    plan.whole = true;
    const NetProcessorsCounts endless = run(&plan);
    plan.brake_mark = 120;
    plan.brake_ring = true;
    const NetProcessorsCounts bounded = run(&plan);
    cr_assert_eq(filled(&bounded), 0);
    cr_assert_gt(endless.spill_peak, 200);
    cr_assert_geq(bounded.spill_peak, 120 - 60 - 2 * WORDS);
    cr_assert_leq(bounded.spill_peak, 120 - 60 + 2 * WORDS);
    cr_assert_leq(bounded.longest[0], 60);
    cr_assert_gt(bounded.longest[0], 40);
    plan.brake_ring = false; /* it shuts the gate before the queue spills */
    cr_assert_leq(run(&plan).spill_peak, 2 * WORDS);
}

/* Oldest first keeps queues short where the network is the bottleneck. */
Test(processors, age_balances_the_network) {
    NetParams params = net_params_default();
    NetProcessorsPlan plan = as_built(30);
    plan.hops = 200;
    plan.load = 8;
    const NetProcessorsCounts built = run(&plan);
    params.age = 1;
    plan.aged = true;
    const NetProcessorsCounts aged =
        run_on("graph", &params, &plan, NET_PROCESSORS_DONE);
    cr_assert_lt(2 * aged.longest[0], built.longest[0], "%u and %u words",
                 aged.longest[0], built.longest[0]);
}

/* ---- refusals -------------------------------------------------------------------- */

static void expect_refused(NetProcessorsPlan plan, const char *why) {
    const NetParams params = net_params_default();
    JmError error = {.text = ""};
    Net *net = net_create_mesh(2, 2, 2, &params, NULL);
    cr_expect_null(net_processors_create(net, &plan, &error));
    cr_expect(strstr(error.text, why), "%s", error.text);
    net_destroy(net);
}

Test(processors, bad_plans_are_refused) {
    NetProcessorsPlan plan = as_built(45);
    plan.load = 0;
    expect_refused(plan, "0 messages a node");
    plan = as_built(3);
    expect_refused(plan, "cycles from");
    plan = as_built(45);
    plan.queue[1] = 8;
    expect_refused(plan, "queues of 512 and 8");
    plan = as_built(45);
    plan.load = 64;
    plan.queue[0] = 64;
    expect_refused(plan, "do not fit");
    plan = as_built(45);
    plan.hot = 8;
    expect_refused(plan, "node 8 of 8");
    plan = as_built(45);
    plan.imbalance = 0;
    expect_refused(plan, "0 times");
    plan = as_built(45);
    plan.retry = 0;
    expect_refused(plan, "after 0 cycles");
    plan = as_built(45);
    plan.brake_mark = 4;
    expect_refused(plan, "brake_mark=4");
    plan = as_built(45);
    plan.spill_mark = 3;
    expect_refused(plan, "spill_mark=3");
    plan = as_built(45);
    plan.brake_mark = 100;
    plan.brake_ring = true;
    expect_refused(plan, "a brake and a ring");
    plan = as_built(45);
    plan.words = 12;
    plan.whole = true;
    expect_refused(plan, "whole");
}
