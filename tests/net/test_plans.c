/* Plans of processors and of programs, at the last value allowed and the first one
 * refused, and the messages. */
#include <stdio.h>
#include <string.h>

#include "engines.h"
#include "net/programs/programs.h"
#include "net/traffic/customers.h"
#include "net/traffic/processors.h"

static Net *two_nodes(void) {
    NetParams params = net_params_default();
    params.buffer_words = 16;
    Net *net = net_create_mesh(2, 1, 1, &params, NULL);
    cr_assert_not_null(net);
    return net;
}

/* `good` is allowed; `bad` is refused with the words of `text`, if any. */
static void expect_processors(NetProcessorsPlan good, NetProcessorsPlan bad,
                              const char *text) {
    Net *net = two_nodes();
    JmError error = {.text = ""};
    NetProcessors *processors = net_processors_create(net, &good, &error);
    cr_expect_not_null(processors, "%s: %s", text, error.text);
    net_processors_destroy(processors);
    processors = net_processors_create(net, &bad, &error);
    cr_expect_null(processors, "%s", text);
    cr_expect_str_eq(error.text, text);
    net_processors_destroy(processors);
    net_destroy(net);
}

/* Runs expect_processors() for a plan in which one number is the last or the first. */
#define EXPECT_BOUND(plan, member, last, first, text)                                  \
    do {                                                                               \
        NetProcessorsPlan good = (plan), bad = (plan);                                 \
        good.member = (last);                                                          \
        bad.member = (first);                                                          \
        expect_processors(good, bad, text);                                            \
    } while (0)

static NetProcessorsPlan processors_plan(void) {
    return (NetProcessorsPlan){.load = 1,
                               .hops = 1,
                               .words = 4,
                               .handler = 40,
                               .imbalance = 1,
                               .queue = {512, 128},
                               .retry = 1};
}

#define RANGES                                                                         \
    ": there are 1 to 64 messages of 1 to 60 words, cycles from 2 + words / 2 to 4000"

Test(plans, of_processors_have_bounds) {
    NetProcessorsPlan plan = processors_plan();
    EXPECT_BOUND(plan, load, 1, 0, "0 messages a node of 4 words, 40 cycles" RANGES);
    EXPECT_BOUND(plan, load, 64, 65, "65 messages a node of 4 words, 40 cycles" RANGES);
    EXPECT_BOUND(plan, words, 1, 0, "1 messages a node of 0 words, 40 cycles" RANGES);
    EXPECT_BOUND(plan, words, 60, 61,
                 "1 messages a node of 61 words, 40 cycles" RANGES);
    EXPECT_BOUND(plan, handler, 4, 3, "1 messages a node of 4 words, 3 cycles" RANGES);
    EXPECT_BOUND(plan, handler, 4000, 4001,
                 "1 messages a node of 4 words, 4001 cycles" RANGES);
    EXPECT_BOUND(plan, hot, 1, 2, "node 2 of 2 gets 1 times the traffic");
    EXPECT_BOUND(plan, imbalance, 1e-9, 0, "node 0 of 2 gets 0 times the traffic");
    EXPECT_BOUND(plan, imbalance, 1e6, 2e6, "node 0 of 2 gets 2e+06 times the traffic");
    EXPECT_BOUND(plan, retry, 1, 0,
                 "a SEND is tried again after 0 cycles, not 1 to 8192");
    EXPECT_BOUND(plan, retry, 8192, 8193,
                 "a SEND is tried again after 8193 cycles, not 1 to 8192");
    plan.whole = true;
    EXPECT_BOUND(plan, words, 15, 16,
                 "messages of 17 words never fit whole into a buffer of 16");
}

/* A message of 5 words takes two rows of 4. */
Test(plans, of_processors_queues_have_bounds) {
    NetProcessorsPlan plan = processors_plan();
    plan.words = 5;
    EXPECT_BOUND(plan, queue[0], 16, 15,
                 "queues of 15 and 128 words: with messages of 5 they have 16 to "
                 "1048576");
    EXPECT_BOUND(plan, queue[1], 16, 15,
                 "queues of 512 and 15 words: with messages of 5 they have 16 to "
                 "1048576");
    EXPECT_BOUND(plan, queue[0], 1048576, 1048577,
                 "queues of 1048577 and 128 words: with messages of 5 they have 16 to "
                 "1048576");
    EXPECT_BOUND(plan, queue[1], 1048576, 1048577,
                 "queues of 512 and 1048577 words: with messages of 5 they have 16 to "
                 "1048576");
    plan.queue[0] = 44;
    EXPECT_BOUND(plan, load, 5, 6,
                 "6 messages of 5 words do not fit into a queue of 44");
    plan.load = 1;
    EXPECT_BOUND(plan, brake_mark, 0, 11,
                 "brake_mark=11: messages of 5 words would never come in");
    EXPECT_BOUND(plan, brake_mark, 12, 1,
                 "brake_mark=1: messages of 5 words would never come in");
    EXPECT_BOUND(plan, spill_mark, 0, 7,
                 "spill_mark=7: messages of 5 words would never come back");
    EXPECT_BOUND(plan, spill_mark, 8, 1,
                 "spill_mark=1: messages of 5 words would never come back");
    EXPECT_BOUND(plan, brake_ring, false, true,
                 "brake_ring=1: it needs a brake and a ring");
    plan.brake_mark = 12;
    EXPECT_BOUND(plan, brake_ring, false, true,
                 "brake_ring=1: it needs a brake and a ring");
    plan.spill_mark = 8;
    plan.brake_ring = true;
    EXPECT_BOUND(plan, brake_mark, 12, 0, "brake_ring=1: it needs a brake and a ring");
}

Test(plans, of_customers_have_bounds) {
    static const struct {
        NetCustomersPlan plan;
        bool good;
    } rows[] = {
        {{1, 4, 20, false, 1}, true},    {{0, 4, 20, false, 1}, false},
        {{1024, 4, 20, false, 1}, true}, {{1025, 4, 20, false, 1}, false},
        {{1, 1, 20, false, 1}, true},    {{1, 0, 20, false, 1}, false},
        {{1, 32, 20, false, 1}, true},   {{1, 33, 20, false, 1}, false},
        {{1, 5, 3, false, 1}, true},     {{1, 5, 2, false, 1}, false},
        {{1, 4, 8000, false, 1}, true},  {{1, 4, 8001, false, 1}, false},
    };
    Net *net = two_nodes();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const NetCustomersPlan *plan = &rows[i].plan;
        char text[200];
        snprintf(text, sizeof text,
                 "%u messages a node of %u words, %u cycles: there are 1 to 1024 "
                 "messages of 1 to 32 words, cycles from 1 + words / 2 to 8000",
                 plan->load, plan->words, plan->service);
        JmError error = {.text = ""};
        NetCustomers *customers = net_customers_create(net, plan, &error);
        cr_expect_eq(customers != NULL, rows[i].good, "%s", text);
        cr_expect_str_eq(error.text, rows[i].good ? "" : text);
        net_customers_destroy(customers);
    }
    net_destroy(net);
}

/* `last` is allowed, `first` is refused. */
static void expect_programs(NetProgramPlan last, NetProgramPlan first,
                            const char *text) {
    JmError error = {.text = ""};
    NetPrograms *programs = net_programs_generate(&last, &error);
    cr_expect_not_null(programs, "%s: %s", text, error.text);
    net_programs_destroy(programs);
    programs = net_programs_generate(&first, &error);
    cr_expect_null(programs, "%s", text);
    cr_expect_str_eq(error.text, text);
    net_programs_destroy(programs);
}

/* Programs have 2^26 operations at most, and each message has two: that is what all
 * nodes together are allowed, though in a ping-pong only two send. */
Test(plans, of_programs_have_bounds) {
    static const struct {
        NetProgramPlan last, first;
        const char *text;
    } rows[] = {
        {{NET_PROGRAM_PING_PONG, 2, 8, 1, 0, 1},
         {NET_PROGRAM_PING_PONG, 1, 8, 1, 0, 1},
         "1 nodes are not 2 to 4096"},
        {{NET_PROGRAM_PING_PONG, 4096, 8, 1, 0, 1},
         {NET_PROGRAM_PING_PONG, 4097, 8, 1, 0, 1},
         "4097 nodes are not 2 to 4096"},
        {{NET_PROGRAM_EQUAL, 4, 8, 1, 0, 1},
         {NET_PROGRAM_EQUAL, 5, 8, 1, 0, 1},
         "5 nodes are no pairs"},
        {{NET_PROGRAM_UNEQUAL, 4, 8, 1, 0, 1},
         {NET_PROGRAM_UNEQUAL, 5, 8, 1, 0, 1},
         "5 nodes are no pairs"},
        {{NET_PROGRAM_ROOTED, 5, 1, 1, 0, 1},
         {NET_PROGRAM_ROOTED, 5, 0, 1, 0, 1},
         "0 bytes are not 1 to 1048576"},
        {{NET_PROGRAM_PING_PONG, 5, 1048576, 1, 0, 1},
         {NET_PROGRAM_PING_PONG, 5, 1048577, 1, 0, 1},
         "1048577 bytes are not 1 to 1048576"},
        {{NET_PROGRAM_PING_PONG, 5, 8, 1, 4, 1},
         {NET_PROGRAM_PING_PONG, 5, 8, 1, 5, 1},
         "nodes 5 and 1 are no two of 5"},
        {{NET_PROGRAM_PING_PONG, 5, 8, 1, 1, 4},
         {NET_PROGRAM_PING_PONG, 5, 8, 1, 1, 5},
         "nodes 1 and 5 are no two of 5"},
        {{NET_PROGRAM_EQUAL, 6, 8, 1, 9, 9},
         {NET_PROGRAM_PING_PONG, 5, 8, 1, 3, 3},
         "nodes 3 and 3 are no two of 5"},
        {{NET_PROGRAM_PING_PONG, 5, 8, 1, 0, 1},
         {NET_PROGRAM_PING_PONG, 5, 8, 0, 0, 1},
         "0 rounds are none, or too many"},
        {{NET_PROGRAM_PING_PONG, 4096, 8, 8192, 0, 1},
         {NET_PROGRAM_PING_PONG, 4096, 8, 8193, 0, 1},
         "8193 rounds are none, or too many"},
        {{NET_PROGRAM_ROOTED, 64, 8, 1, 0, 1},
         {NET_PROGRAM_ROOTED, 64, 8, 8193, 0, 1},
         "8193 rounds are none, or too many"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_programs(rows[i].last, rows[i].first, rows[i].text);
}
