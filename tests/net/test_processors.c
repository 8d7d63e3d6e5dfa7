/* Abstract processors, seen from outside. Tasks: how long they take, when they are
 * interrupted, where and at which priority they send. Input queues: the effect of
 * overflow handler, spill, brake and gates on messages and times. */
#include <math.h>
#include <stdio.h>

#include "net/traffic/processors.h"
#include "rig.h"

enum { HOT = 1, LOAD = 6, WATCHED_MOST = 4000 };

/* A node seen from outside: of its messages of priority 0, where those that have come
 * began, and where those that it has opened go. */
typedef struct {
    Net *net;
    NetProcessors *processors;
    uint32_t node;
    unsigned load;
    uint32_t came[WATCHED_MOST], went[WATCHED_MOST];
    unsigned came_count, went_count;
    uint64_t opened[WATCHED_MOST]; /* cycles */
    bool is_open;
    unsigned here; /* messages that have come and whose service has not ended */
} Watched;

/* All nodes send to one, which sends each message home: its queue fills. */
static NetProcessorsPlan to_and_from_one(unsigned words) {
    return (NetProcessorsPlan){.load = LOAD,
                               .hops = 8,
                               .words = words,
                               .handler = 90,
                               .home_every = 2,
                               .imbalance = 1e6,
                               .hot = HOT,
                               .queue = {80, 80},
                               .traps = 3,
                               .brake_patience = 100000,
                               .seed = 4};
}

/* Watches the plan's hot node of a line of nodes. */
static Watched watch(unsigned nodes, const NetProcessorsPlan *plan) {
    char topology[20];
    JmError error = {.text = ""};
    Watched w = {.node = plan->hot, .load = plan->load, .here = plan->load};
    snprintf(topology, sizeof topology, "mesh=%u", nodes);
    w.net = net_of(topology, "");
    w.processors = net_processors_create(w.net, plan, &error);
    cr_assert_not_null(w.processors, "%s", error.text);
    for (unsigned i = 0; i < plan->load; i++)
        w.came[w.came_count++] = w.node;
    return w;
}

/* Runs a cycle. */
static NetProcessorsState watched_cycle(Watched *w) {
    const NetProcessorsState result = net_processors_run(w->processors, 1);
    NetMessageState state;
    size_t count;
    const bool was_open = w->is_open;
    w->is_open = net_is_open(w->net, w->node, 0);
    if (w->is_open && !was_open) {
        const uint32_t message = net_open_message(w->net, w->node, 0);
        cr_assert(net_message_state(w->net, message, &state));
        w->opened[w->went_count] = net_now(w->net) - 1;
        w->went[w->went_count++] = state.destination;
    }
    w->here -= was_open && !w->is_open;
    const NetDelivery *words = net_deliveries(w->net, &count);
    for (size_t i = 0; i < count; i++) {
        if (words[i].node != w->node || words[i].priority || !words[i].tail)
            continue;
        cr_assert(net_message_state(w->net, words[i].message, &state));
        w->came[w->came_count++] = state.source;
        w->here++;
    }
    cr_assert(w->came_count < WATCHED_MOST && w->went_count < WATCHED_MOST);
    return result;
}

/* Ends the run; returns its counts. */
static NetProcessorsCounts unwatch(Watched *w) {
    const NetProcessorsCounts counts = net_processors_counts(w->processors);
    net_processors_destroy(w->processors);
    net_destroy(w->net);
    return counts;
}

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

/* ---- the order of messages ------------------------------------------------------- */

/* Messages are served in order of arrival, whatever happened to them in between: the
 * node's own stay, the others are sent home. */
static NetProcessorsCounts expect_order(const NetProcessorsPlan *plan) {
    Watched w = watch(4, plan);
    while (watched_cycle(&w) == NET_PROCESSORS_RUN) {
    }
    cr_expect_gt(w.went_count, 4 * plan->load);
    cr_expect_eq(w.came_count, w.went_count + plan->load);
    for (unsigned i = 0; i < w.went_count; i++)
        cr_assert_eq(w.went[i], w.came[i], "message %u of words %u", i, plan->words);
    return unwatch(&w);
}

Test(queues, overflows_keep_the_order) {
    for (unsigned words = 2; words <= 12; words += words < 5 ? 1 : 3) {
        NetProcessorsPlan plan = to_and_from_one(words);
        const unsigned rows = (words + 3) / 4 * 4;
        plan.hops = 60;
        plan.queue[0] = (LOAD + 1) * rows + words % 2 * 4;
        const NetProcessorsCounts counts = expect_order(&plan);
        cr_expect_gt(counts.overflows[0], 1);
        cr_expect_eq(counts.overflows[1], 0);
        cr_expect_eq(counts.longest[0], plan.queue[0]);
        cr_expect_eq(counts.first_node, HOT);
    }
}

Test(queues, spills_keep_the_order_and_the_bound) {
    for (unsigned words = 2; words <= 12; words += words < 5 ? 1 : 3)
        for (unsigned cycles = 0; cycles <= 8; cycles += 4) {
            NetProcessorsPlan plan = to_and_from_one(words);
            const unsigned rows = (words + 3) / 4 * 4;
            plan.hops = 60;
            plan.spill_mark = (LOAD + 1) * rows;
            plan.spill_cycles = cycles;
            plan.queue[0] = (LOAD + words % 3) * rows + 4;
            const unsigned most = plan.queue[0] - 4;
            const NetProcessorsCounts counts = expect_order(&plan);
            cr_expect_eq(counts.overflows[0], 0);
            cr_expect_eq(counts.longest[0],
                         most < plan.spill_mark ? most : plan.spill_mark);
            cr_expect_eq(counts.spilled % rows, 0);
            cr_expect_gt(counts.spill_peak, 0);
        }
}

/* ---- times ----------------------------------------------------------------------- */

/* Cycles of the overflow handler and of its token's (thesis, table 2.1), each with one
 * in which the processor goes back to its task. */
static unsigned trap(unsigned words) {
    return 150 + 50 + 22 * words + 1;
}

static unsigned token(unsigned words_aside, unsigned messages, unsigned size) {
    return 52 + 50 + 22 * words_aside + messages * (23 + 26 * size) + 1;
}

/* Between two messages that the node opens lie its work on one and what the handlers
 * take. */
static void expect_times(unsigned words, unsigned queue, const unsigned *more,
                         unsigned count) {
    NetProcessorsPlan plan = to_and_from_one(words);
    plan.load = 5;
    plan.hops = 6;
    plan.handler = 4000;
    plan.home_every = 0;
    plan.queue[0] = queue;
    Watched w = watch(2, &plan);
    while (w.went_count <= count)
        cr_assert_eq(watched_cycle(&w), NET_PROCESSORS_RUN);
    for (unsigned i = 0; i < count; i++)
        cr_expect_eq(w.opened[i + 1] - w.opened[i], 4000 + more[i],
                     "%u words: message %u after %u cycles", words, i + 1,
                     (unsigned)(w.opened[i + 1] - w.opened[i]));
    unwatch(&w);
}

/* Two nodes send to one, which works for as long as either, so its queue grows by a
 * message of the other in each service. It holds 6 messages. The first overflow puts 5
 * aside, all but that in hand, of which the token's handler takes 3 back, behind which
 * one has come in the meantime. Behind those and the token there is room for two, and
 * for four when the last of the three is in hand. Then each third service it takes half
 * a queue and puts aside what has come: the node sends as much to itself as it serves.
 * Where a message is of two rows the first overflow finds one of them, too. */
Test(queues, overflow_handlers_take_their_time) {
    const unsigned one_row[] = {trap(5 * 4),
                                token(4, 3, 4) + trap(2 * 4),
                                0,
                                trap(4 * 4),
                                token(0, 3, 4),
                                0,
                                0,
                                token(3 * 4, 3, 4),
                                0,
                                0,
                                token(3 * 4, 3, 4),
                                0,
                                0,
                                token(3 * 4, 3, 4),
                                0};
    expect_times(4, 24, one_row, sizeof one_row / sizeof one_row[0]);
    const unsigned two_rows[] = {trap(4 * 8 + 4),
                                 token(2 * 8, 2, 8),
                                 trap(4 * 8),
                                 token(0, 2, 8),
                                 0,
                                 token(3 * 8, 2, 8),
                                 0,
                                 token(2 * 8, 2, 8),
                                 0,
                                 token(2 * 8, 2, 8)};
    expect_times(6, 44, two_rows, sizeof two_rows / sizeof two_rows[0]);
}

/* ---- ring and gate --------------------------------------------------------------- */

/* Where a spill takes no time the ring holds just what is beyond the mark, and what
 * comes goes there if the queue is full up to the mark. */
Test(queues, a_ring_holds_what_is_beyond_the_mark) {
    enum { SIZE = 4, ROOM = 7, MARK = ROOM * SIZE + 2 };
    NetProcessorsPlan plan = to_and_from_one(SIZE);
    plan.hops = 1000000;
    plan.spill_mark = MARK;
    Watched w = watch(4, &plan);
    uint64_t spilled = 0, peak = 0;
    for (unsigned cycle = 0; cycle < 60000; cycle++) {
        const unsigned came = w.came_count;
        watched_cycle(&w);
        if (w.came_count > came && w.here > ROOM) {
            spilled += SIZE;
            if ((w.here - ROOM) * SIZE > peak)
                peak = (w.here - ROOM) * SIZE;
        }
    }
    const NetProcessorsCounts counts = unwatch(&w);
    cr_expect(spilled > 1000 && peak > 40);
    cr_expect_eq(counts.spilled, spilled, "%u, %u", (unsigned)counts.spilled,
                 (unsigned)spilled);
    cr_expect_eq(counts.spill_peak, peak, "%u, %u", (unsigned)counts.spill_peak,
                 (unsigned)peak);
    cr_expect_eq(counts.longest[0], ROOM * SIZE);
}

/* A full queue is an overflow at the priorities that the plan says; at others its gate
 * is shut before that. */
Test(queues, each_priority_overflows_by_itself) {
    for (unsigned traps = 0; traps < 4; traps++) {
        NetProcessorsPlan plan = to_and_from_one(4);
        plan.queue[0] = 40;
        plan.queue[1] = 24;
        plan.hwm_mark = 12;
        plan.traps = traps;
        Watched w = watch(4, &plan);
        NetProcessorsCounts first = {.first_overflow = UINT64_MAX};
        for (unsigned cycle = 0; cycle < 20000; cycle++) {
            if (watched_cycle(&w) != NET_PROCESSORS_RUN)
                break;
            if (first.overflows[0] + first.overflows[1] == 0)
                first = net_processors_counts(w.processors);
        }
        const NetProcessorsCounts counts = unwatch(&w);
        cr_expect(counts.first_overflow == first.first_overflow &&
                      counts.first_node == first.first_node,
                  "the first of all is told, of either priority");
        for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
            const bool is_trap = traps >> priority & 1;
            cr_expect_gt(counts.sent[priority], 0);
            cr_expect_eq(counts.overflows[priority] > 0, is_trap, "%u: p%u %u", traps,
                         priority, (unsigned)counts.overflows[priority]);
        }
    }
}

/* A queue that becomes full amid a message shuts its gate before the next flit: when
 * all others have received whole words, no receiver holds half a word. */
Test(queues, no_flit_follows_what_fills_the_queue) {
    enum { SIZE = 8, HALF = SIZE / 2, FLITS = 2, SETTLED = 400 };
    NetProcessorsPlan plan = to_and_from_one(SIZE);
    plan.queue[0] = 7 * SIZE + HALF;
    Watched w = watch(4, &plan);
    while (net_processors_counts(w.processors).overflows[0] == 0)
        cr_assert_eq(watched_cycle(&w), NET_PROCESSORS_RUN);
    cr_expect_eq(net_processors_counts(w.processors).first_overflow,
                 net_now(w.net) - 1);
    for (unsigned cycle = 0; cycle < SETTLED; cycle++)
        watched_cycle(&w);
    const NetStatistics *statistics = net_statistics(w.net);
    cr_expect_gt(statistics->flits_ejected[0], 0);
    cr_expect_eq(statistics->flits_ejected[0] % FLITS, 0);
    const NetProcessorsCounts counts = unwatch(&w);
    cr_expect_eq(counts.first_node, HOT);
    cr_expect_eq(counts.overflows[0], 1, "still in the handler of the overflow");
    cr_expect_eq(counts.longest[0], plan.queue[0]);
}

/* What comes while messages lie in the ring goes there, too: the gate is shut for as
 * many cycles as its 4 words cost; behind it the next message, of 8 flits, takes 9.
 * They come back one after the other at the same cost, so the node serves no faster. */
Test(queues, a_spill_costs_cycles_either_way) {
    for (unsigned word = 10; word < 40; word += 15) {
        NetProcessorsPlan plan = to_and_from_one(4);
        plan.hops = 1000000;
        plan.handler = 20;
        plan.home_every = 0;
        plan.spill_mark = 32;
        plan.spill_cycles = word;
        Watched w = watch(4, &plan);
        uint64_t came = 0, went = 0, shortest = UINT64_MAX, least = UINT64_MAX;
        for (uint64_t now = 0; now < 40000; now++) {
            const unsigned before = w.came_count, sent = w.went_count;
            watched_cycle(&w);
            if (now > 10000 && w.came_count > before && now - came < shortest)
                shortest = now - came;
            if (now > 10000 && w.went_count > sent && now - went < least)
                least = now - went;
            came = w.came_count > before ? now : came;
            went = w.went_count > sent ? now : went;
        }
        cr_expect_eq(shortest, 4 * word + 9, "%u: %u", word, (unsigned)shortest);
        cr_expect_geq(least, 4 * word, "%u: %u", word, (unsigned)least);
        unwatch(&w);
    }
}

/* The brake as its plan describes it, beside the run: nothing comes while it shuts the
 * gate. It is on from the mark to the lower one, and off for as long as nothing was
 * served for the plan's patience, where what comes leads beyond the mark. */
static void expect_brake(const NetProcessorsPlan *plan, unsigned mark,
                         unsigned release) {
    Watched w = watch(4, plan);
    bool brake = false;
    unsigned patient = 0, longest = 0;
    uint64_t since = 0;
    for (uint64_t now = 0; now < 60000; now++) {
        const unsigned came = w.came_count, here = w.here;
        const bool shut = brake && now - since < plan->brake_patience;
        cr_assert_eq(watched_cycle(&w), NET_PROCESSORS_RUN);
        const bool comes = w.came_count > came, served = w.here < here + comes;
        cr_expect(!comes || !shut || served, "cycle %u: %u here", (unsigned)now,
                  w.here);
        patient += comes && brake && !served;
        since = served ? now : since;
        if (w.here * 4 + 4 > mark && !brake)
            since = now;
        if (w.here * 4 + 4 > mark)
            brake = true;
        else if (w.here * 4 <= release)
            brake = false;
        longest = w.here * 4 > longest ? w.here * 4 : longest;
    }
    cr_expect_eq(patient > 0, plan->brake_patience < 1000, "%u", patient);
    cr_expect(plan->brake_patience < 1000 ? longest > mark : longest == mark,
              "%u of %u", longest, mark);
    cr_expect_eq(unwatch(&w).longest[0], longest);
}

Test(queues, a_brake_shuts_the_gate_between_its_marks) {
    NetProcessorsPlan plan = to_and_from_one(4);
    plan.hops = 1000000;
    plan.queue[0] = 512;
    plan.brake_mark = 40;
    plan.brake_patience = 300;
    expect_brake(&plan, 40, 36);
    plan.brake_release = 24;
    expect_brake(&plan, 40, 24);
    NetProcessorsPlan drawn = plan;
    drawn.exponential = true; /* patience begins where the brake shuts, too */
    drawn.imbalance = 2;
    for (drawn.handler = 300; drawn.handler < 600; drawn.handler += 60)
        expect_brake(&drawn, 40, 24);
    plan.brake_release = 0;
    plan.brake_mark = 1000;
    plan.queue[0] = 64; /* the mark is below it, wherever the plan says */
    plan.brake_patience = 100000;
    expect_brake(&plan, 60, 56);
}
