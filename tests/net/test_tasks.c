/* Tasks of abstract processors: how long they take, when they are interrupted, and
 * where and at which priority they send. */
#include <criterion/criterion.h>
#include <math.h>

#include "rig.h"
#include "watched.h"

/* ---- a node alone ---------------------------------------------------------------- */

/* A node that sends its messages, so many of so many words, to itself. */
static NetProcessorsPlan alone(unsigned words, unsigned load) {
    NetProcessorsPlan plan = to_and_from_one(words);
    plan.load = load;
    plan.hot = plan.home_every = 0;
    return plan;
}

/* A message alone is in hand until it is opened, and from then on its way for as long
 * as the network says: it is taken in hand in the next cycle. Work, of which
 * 1 + words / 2 cycles are for sending, begins in cycle 1; the last time nothing is
 * sent. */
Test(tasks, a_message_alone_takes_what_its_parts_take) {
    enum { HOPS = 9, WORK = 50 };
    for (unsigned words = 1; words <= 9; words++) {
        NetProcessorsPlan plan = alone(words, 1);
        plan.hops = HOPS;
        plan.handler = WORK;
        plan.imbalance = 1;
        Watched w = watch(1, &plan);
        while (watched_cycle(&w) == NET_PROCESSORS_RUN) {
        }
        const uint64_t way = net_statistics(w.net)->latency.sum;
        const NetProcessorsCounts counts = unwatch(&w);
        const uint64_t work = WORK - (1 + words / 2) + 1;
        cr_expect_eq(counts.cycles, (HOPS + 2) * work + way + 1, "%u words: %u cycles",
                     words, (unsigned)counts.cycles);
        cr_expect_eq(counts.longest[0], (words + 3) / 4 * 4);
        cr_expect_eq(counts.sent[0], HOPS + 1);
        cr_expect_eq(counts.hops, HOPS + 2);
    }
}

/* Its queue is above the mark whenever it is sent; what has come at priority 1 leaves
 * nothing in queue 0, so that every other one goes at priority 0. A meter lets one go
 * at priority 1 for three at priority 0. */
Test(tasks, marks_and_meters_count_messages) {
    static const struct {
        unsigned hwm_mark, meter_mark, meter, hops, urgent;
    } rows[] = {
        {3, 0, 0, 20, 11}, {4, 0, 0, 20, 0}, {0, 3, 3, 22, 5},
        {0, 3, 3, 23, 6},  {0, 4, 3, 23, 0}, {0, 3, 1, 20, 10},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        NetProcessorsPlan plan = to_and_from_one(4);
        plan.load = 1;
        plan.hot = 0;
        plan.hops = rows[i].hops;
        plan.hwm_mark = rows[i].hwm_mark;
        plan.meter_mark = rows[i].meter_mark;
        plan.meter = rows[i].meter;
        Watched w = watch(1, &plan);
        cr_expect_eq(net_processors_run(w.processors, 100000), NET_PROCESSORS_DONE);
        const NetProcessorsCounts counts = unwatch(&w);
        cr_expect_eq(counts.sent[1], rows[i].urgent, "row %zu: %u", i,
                     (unsigned)counts.sent[1]);
        cr_expect_eq(counts.sent[0] + counts.sent[1], rows[i].hops + 1);
        cr_expect_eq(counts.longest[1], rows[i].urgent ? 4 : 0);
    }
}

/* ---- more than one --------------------------------------------------------------- */

/* Of two messages of a node alone the first goes at priority 1, as its queue is above
 * the mark. It interrupts work on the other as soon as it comes, and is the second and
 * third that is sent, too. */
Test(tasks, urgent_messages_interrupt_others) {
    enum { HOPS = 20, WORK = 100 };
    NetProcessorsPlan plan = alone(4, 2);
    plan.hops = HOPS;
    plan.handler = WORK;
    plan.hwm_mark = 3;
    Watched w = watch(1, &plan);
    uint64_t second = 0, third = 0; /* cycles of the second and third message */
    while (net_processors_run(w.processors, 1) == NET_PROCESSORS_RUN) {
        const NetStatistics *seen = net_statistics(w.net);
        const uint64_t opened = seen->messages_opened[0] + seen->messages_opened[1];
        second += opened < 2;
        third += opened < 3;
    }
    const uint64_t way = net_statistics(w.net)->latency.sum / (2 * (HOPS + 1));
    unwatch(&w);
    const unsigned first = WORK - 3 + 1;
    cr_expect_eq(second, 2 * first + way, "%u", (unsigned)second);
    cr_expect_eq(third, 3 * first + 2 * way, "%u", (unsigned)third);
}

/* Of n nodes one gets `imbalance` times the messages of any other, itself included. */
Test(tasks, shares_of_messages_are_those_of_the_plan) {
    enum { NODES = 8, HOPS = 4000 };
    for (unsigned imbalance = 1; imbalance <= 9; imbalance += 4) {
        NetProcessorsPlan plan = to_and_from_one(1);
        plan.load = 1;
        plan.hot = 5;
        plan.hops = HOPS;
        plan.home_every = 0;
        plan.imbalance = imbalance;
        Net *net = net_of("mesh=8", "");
        NetProcessors *processors = net_processors_create(net, &plan, NULL);
        double came[NODES] = {0};
        while (net_processors_run(processors, 1) == NET_PROCESSORS_RUN) {
            size_t count;
            const NetDelivery *words = net_deliveries(net, &count);
            for (size_t i = 0; i < count; i++)
                came[words[i].node]++;
        }
        for (unsigned node = 0; node < NODES; node++) {
            const double share =
                (node == plan.hot ? imbalance : 1.0) / (NODES - 1 + imbalance);
            const double all = NODES * HOPS;
            cr_expect_float_eq(came[node] / all, share,
                               4 * sqrt(share * (1 - share) / all) + 1 / HOPS,
                               "%u of %u: %g", node, imbalance, came[node] / all);
        }
        net_processors_destroy(processors);
        net_destroy(net);
    }
}

/* A message that is longer than the buffer waits for room; it is offered more words
 * some cycles after others. */
Test(tasks, a_send_without_room_is_tried_again) {
    NetProcessorsPlan plan = alone(40, 1);
    Watched w = watch(1, &plan);
    uint64_t offered = 0, last = 0, waits = 0, longest = 0;
    while (net_processors_run(w.processors, 1) == NET_PROCESSORS_RUN) {
        const uint64_t now = net_now(w.net);
        const uint64_t all = net_statistics(w.net)->words_offered[0];
        if (all > offered && offered % 40 > 0) {
            waits += now > last + 1;
            longest = now - last - 1 > longest ? now - last - 1 : longest;
        }
        if (all > offered)
            last = now;
        offered = all;
    }
    cr_expect_gt(waits, 50);
    cr_expect(longest >= 1 && longest <= 5, "%u", (unsigned)longest);
    unwatch(&w);
}
