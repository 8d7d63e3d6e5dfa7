/* The flow engine: against the reference simulator, and its own invariants. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow_reference.h"
#include "rig.h"

enum { MOST_MESSAGES = 4096 };

/* A network with random messages, numbered in the order of sending. */
typedef struct {
    const char *topology, *settings;
    Net *net;
    Net *other; /* NULL, or it does the same without reporting flits */
    const NetGraph *graph;
    NetParams params;
    JmRng rng;
    unsigned processors, links, priorities;
    uint32_t number[MOST_MESSAGES]; /* by message of the network */
    uint32_t sent;
    FlowReference *reference;      /* or NULL */
    FlowReferenceMove moves[1024]; /* of this cycle */
    uint32_t move_count;
} Stage;

static void note_move(void *context, uint64_t cycle, uint32_t message, uint32_t flit,
                      int32_t from, int32_t to, uint32_t node) {
    Stage *stage = context;
    NetMessageState state;
    (void)cycle;
    cr_assert(net_message_state(stage->net, message, &state));
    stage->moves[stage->move_count++] = (FlowReferenceMove){
        .message = stage->number[message],
        .flit = flit,
        .from = from < 0 ? net_graph_source(stage->graph, state.source, state.priority)
                         : (uint32_t)from,
        .to =
            to < 0 ? net_graph_sink(stage->graph, node, state.priority) : (uint32_t)to,
    };
}

static Net *create(const char *topology, const char *settings, uint64_t draws) {
    Net *net = net_of(topology, settings);
    cr_assert_str_eq(net_engine_name(net), "flow");
    net_seed(net, draws);
    return net;
}

static Stage *stage_create(const char *topology, const char *settings, uint64_t seed) {
    Stage *stage = calloc(1, sizeof *stage);
    stage->topology = topology;
    stage->settings = settings;
    stage->params = params_of(topology, settings);
    stage->net = create(topology, settings, seed + 1);
    stage->graph = net_graph(stage->net);
    stage->priorities = strstr(topology, "machine") ? NET_PRIORITIES : 1;
    stage->processors = net_processor_count(stage->net);
    stage->links = stage->graph->nodes / stage->processors;
    stage->rng = jm_rng(seed);
    return stage;
}

/* Adds the reference, unless heads draw as they come, whose order it does not know, and
 * the other network: only without reporting flits do messages move as streams. */
static void add_others(Stage *stage, uint64_t seed) {
    if (!stage->params.commit || stage->params.select != 3)
        stage->reference =
            flow_reference_create(stage->graph, &stage->params, seed + 1);
    stage->other = create(stage->topology, stage->settings, seed + 1);
    net_set_flit_hook(stage->net, note_move, stage);
}

static void stage_destroy(Stage *stage) {
    net_destroy(stage->net);
    net_destroy(stage->other);
    if (stage->reference)
        flow_reference_destroy(stage->reference);
    free(stage);
}

/* Puts a message into a terminal's buffer, and returns its number. */
static uint32_t offer(Net *net, uint32_t terminal, unsigned priority, uint32_t to,
                      uint32_t draw, unsigned words) {
    const uint32_t message = net_open_drawn(net, terminal, priority, to, draw);
    for (; words > 0; words--)
        net_offer(net, terminal, priority, 1, words == 1);
    return message;
}

/* Sends a message of `words` words between processors, if its terminal has room. */
static void send(Stage *stage, uint32_t from, uint32_t to, unsigned words) {
    const unsigned flits =
        stage->params.header_flits + words * stage->params.flits_per_word;
    const unsigned priority =
        stage->priorities > 1 ? jm_rng_below(&stage->rng, stage->priorities) : 0;
    const uint32_t draw = jm_rng_below(&stage->rng, net_draws(stage->net));
    const uint32_t any = jm_rng_below(&stage->rng, stage->links);
    uint32_t terminal =
        net_terminal(stage->net, from * stage->links, to * stage->links, draw);
    if (terminal == NET_NONE)
        terminal = from * stage->links + any;
    if (net_room(stage->net, terminal, priority) < words + 1)
        return;
    const uint32_t message =
        offer(stage->net, terminal, priority, to * stage->links, draw, words);
    cr_assert_lt(message, MOST_MESSAGES);
    if (stage->other)
        cr_assert_eq(
            offer(stage->other, terminal, priority, to * stage->links, draw, words),
            message);
    stage->number[message] = stage->sent++;
    if (stage->reference)
        flow_reference_send(stage->reference, terminal, priority, to * stage->links,
                            draw, flits);
}

/* Each processor sends with a chance of `permille`. */
static void send_some(Stage *stage, unsigned permille, unsigned most_flits) {
    const uint32_t processors = stage->processors;
    for (uint32_t from = 0; from < processors; from++)
        if (jm_rng_below(&stage->rng, 1000) < permille)
            send(stage, from, jm_rng_below(&stage->rng, processors),
                 1 + jm_rng_below(&stage->rng, most_flits - 1));
}

static void check(const Net *net, const char *topology) {
    JmError error;
    cr_assert(net_check(net, &error), "%s: cycle %llu: %s", topology,
              (unsigned long long)net_now(net), error.text);
}

/* ---- the reference --------------------------------------------------------------- */

static int by_source(const void *a, const void *b) {
    const FlowReferenceMove *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

static void compare_moves(Stage *stage) {
    uint32_t count;
    const FlowReferenceMove *expected = flow_reference_moves(stage->reference, &count);
    const unsigned long long cycle = net_now(stage->net) - 1;
    cr_assert_eq(stage->move_count, count, "%s: cycle %llu has %u moves, not %u",
                 stage->topology, cycle, stage->move_count, count);
    qsort(stage->moves, count, sizeof *stage->moves, by_source);
    for (uint32_t i = 0; i < count; i++) {
        const FlowReferenceMove *move = &stage->moves[i], *wanted = &expected[i];
        cr_assert_eq(memcmp(move, wanted, sizeof *wanted), 0,
                     "%s: cycle %llu: message %u goes from %u to %u; expected %u, "
                     "%u to %u",
                     stage->topology, cycle, move->message, move->from, move->to,
                     wanted->message, wanted->from, wanted->to);
    }
    if (!stage->graph->delay)
        cr_assert_eq(net_progressed(stage->net), count > 0, "%s: cycle %llu",
                     stage->topology, cycle);
}

/* Blocks a wire that leaves a terminal, or frees it. A wire blocked now sends nothing
 * in the cycle that follows. */
static void block_some(Stage *stage, bool blocked) {
    const uint32_t from = jm_rng_below(&stage->rng, stage->graph->nodes);
    const unsigned dimension = jm_rng_below(&stage->rng, NET_MAX_DIMENSIONS);
    const bool up = jm_rng_below(&stage->rng, 2);
    const uint32_t link = stage->graph->link(stage->graph, from, 0, dimension, up);
    cr_assert_eq(net_block_link(stage->net, from, dimension, up, blocked),
                 link != NET_NONE);
    if (link == NET_NONE)
        return;
    cr_assert(net_block_link(stage->other, from, dimension, up, blocked));
    if (stage->reference)
        flow_reference_block(stage->reference, stage->graph->wire[link], blocked);
    for (uint32_t lane = link; lane < stage->graph->channels; lane++)
        if (stage->graph->wire[lane] == stage->graph->wire[link])
            cr_assert_eq(net_channel_state(stage->net, lane).wire_blocked, blocked);
}

/* A gate set now counts from the next cycle on. */
static void shut_some(Stage *stage, bool shut) {
    const uint32_t terminal =
        jm_rng_below(&stage->rng, stage->processors) * stage->links;
    const unsigned priority =
        stage->priorities > 1 ? jm_rng_below(&stage->rng, stage->priorities) : 0;
    net_set_gate(stage->net, terminal, priority, !shut);
    net_set_gate(stage->other, terminal, priority, !shut);
    if (stage->reference)
        flow_reference_set_gate(stage->reference, terminal, priority, !shut);
}

static void count_move(void *context, uint64_t cycle, uint32_t message, uint32_t flit,
                       int32_t from, int32_t to, uint32_t node) {
    (void)cycle, (void)message, (void)flit, (void)from, (void)to, (void)node;
    ++*(uint32_t *)context;
}

/* Compares the two networks' counts of channels (flits are counted from a restoration
 * on) and bytes, with all flits and statistics; may then restore the other one. */
static void compare_states(Stage *stage, bool restore) {
    for (uint32_t c = 0; c < stage->graph->channels; c++) {
        NetChannelCounts one = net_channel_counts(stage->net, c);
        NetChannelCounts other = net_channel_counts(stage->other, c);
        one.flits = other.flits = 0;
        cr_assert_eq(memcmp(&one, &other, sizeof one), 0, "%s", stage->topology);
    }
    Archive saved = saved_net(stage->other);
    if (restore) {
        net_destroy(stage->other);
        stage->other = net_of(stage->topology, stage->settings);
        cr_assert(restored_net(stage->other, &saved, saved.size, false));
    }
    expect_same_bytes(saved_net(stage->net), saved, stage->topology);
}

static void compare_words(const Stage *stage) {
    size_t count, other_count;
    const NetDelivery *out = net_deliveries(stage->net, &count);
    const NetDelivery *other = net_deliveries(stage->other, &other_count);
    cr_assert_eq(count, other_count);
    for (size_t i = 0; i < count; i++)
        cr_assert(out[i].node == other[i].node && out[i].message == other[i].message &&
                      out[i].tail == other[i].tail,
                  "%s: cycle %llu: other words if no flits are reported",
                  stage->topology, (unsigned long long)net_now(stage->net));
    cr_assert_eq(net_progressed(stage->net), net_progressed(stage->other));
}

/* Steps both networks, and compares them: the words delivered in every cycle, all else
 * in some. In some cycles the other reports flits too, and now and then it is saved and
 * restored. */
static void step(Stage *stage, JmRng *rng) {
    const unsigned die = jm_rng_below(rng, 64);
    const bool reports = die < 4;
    uint32_t moves = 0;
    stage->move_count = 0;
    net_step(stage->net);
    net_set_flit_hook(stage->other, reports ? count_move : NULL, &moves);
    net_step(stage->other);
    cr_assert_eq(moves, reports ? stage->move_count : 0);
    compare_words(stage);
    if (die % 4 == 0)
        check(stage->other, stage->topology);
    if (die % 8 == 1)
        compare_states(stage, die % 32 == 1);
}

/* Messages offered in a cycle may leave in the next, so the reference gets them first;
 * its step is that of the next cycle. With `shutting`, gates shut and open, and wires
 * are blocked and freed again. */
static void compare(const char *topology, const char *settings, uint64_t seed,
                    unsigned cycles, bool shutting) {
    Stage *stage = stage_create(topology, settings, seed);
    const unsigned permille = 10u << jm_rng_below(&stage->rng, 6);
    const unsigned most = 2 + jm_rng_below(&stage->rng, 10);
    JmRng rng = jm_rng(seed + 2);
    add_others(stage, seed);
    net_step(stage->net);
    net_step(stage->other);
    for (unsigned cycle = 0; cycle < cycles; cycle++) {
        if (shutting)
            block_some(stage, cycle % 32 < 8);
        if (stage->reference)
            flow_reference_step(stage->reference);
        if (shutting)
            shut_some(stage, cycle % 16 < 5);
        if (cycle < cycles * 3 / 4)
            send_some(stage, permille, most);
        step(stage, &rng);
        if (cycle > 0 && stage->reference)
            compare_moves(stage);
        check(stage->net, topology);
    }
    if (stage->reference)
        cr_assert_eq(net_statistics(stage->net)->blocked_cycles,
                     flow_reference_blocked(stage->reference), "%s", topology);
    stage_destroy(stage);
}

static const struct {
    const char *topology, *settings;
} cases[] = {
    {"torus=3x3", ""},
    {"torus=8x8,lanes=2,places=4", ""},
    {"torus=4x4x4,lanes=2,places=4", ""},
    {"torus=4x4,lanes=4,escape=2", "commit=1 select=3"},
    {"torus=4x4,lanes=4,escape=2", "commit=1"},
    {"torus=4x4,lanes=4,escape=2", "commit=1 select=1 atomic=1"},
    {"torus=3x4,lanes=5,escape=3,places=2,links=2", "commit=1 select=2"},
    {"torus=3x4,lanes=4,links=2", "commit=1 select=4"},
    {"torus=3x4,lanes=4,links=2", "commit=1 heads=2"},
    {"torus=3x3", "through=0"},
    {"torus=4x4,links=multiple", ""},
    {"torus=4x3,oneway=1,places=2", ""},
    {"torus=3x4,lanes=4,links=2", "select=1"},
    {"torus=3x3,lanes=4,escape=2,places=2,links=4", ""},
    {"torus=4x4,lanes=4,escape=2", "select=2"},
    {"torus=3x3,lanes=3,escape=2,places=3", "select=3"},
    {"torus=3x3,ends=0,lanes=3", "through=0"},
    {"torus=2x2,lanes=2,tie=wrap", ""},
    {"torus=4x4,places=4", ""},
    {"torus=4x4,places=4", "through=0"},
    {"torus=3x6,ends=0,lanes=1,places=3", ""},
    {"torus=4x4", "heads=2"},
    {"torus=3x4,links=2,places=2", "heads=2 through=0"},
    {"torus=3x4,lanes=4,links=2", "select=4"},
    {"torus=3x4,lanes=6,links=2", "select=4"},
    {"torus=4x4,lanes=8,escape=2,places=2", "select=4"},
    {"torus=3x4,delay=2", ""},
    {"torus=4x4,delay=3,links=multiple", "through=0"},
    {"torus=3x3,lanes=4,escape=2,places=2,links=4,delay=4", "select=2"},
    {"torus=4x3,oneway=1,places=3,delay=2", "heads=2"},
    {"torus=3x4,lanes=4,escape=2,links=2,delay=5", "select=3"},
    {"torus=7,lanes=2,places=2", ""},
    {"clos=2x2,levels=2,places=4,layer=idle_fixed", ""},
    {"clos=1x2,levels=2,places=32,layer=idle_random", ""},
    {"torus=4x4,places=4", "atomic=1"},
    {"torus=3x3,lanes=4,escape=2,places=2,links=4", "atomic=1 select=2"},
    {"torus=4x4x2,lanes=4,escape=2,places=3", "atomic=1 through=0"},
    {"torus=4x3,places=2,delay=3", "atomic=1"},
    {"machine torus=3x4,lanes=4,escape=2,places=4", "atomic=1 buffer_words=16"},
    {"torus=3x2x3,lanes=2,places=4", ""},
    {"torus=2x3x2,lanes=3,escape=2,places=2", "select=2"},
    {"torus=2x2x2x2,lanes=2", "heads=2"},
    {"machine torus=3x3x2,places=2", "buffer_words=16"},
    {"machine torus=4x3,lanes=4,places=2", "buffer_words=16"},
    {"machine torus=4x2x1,ends=0,lanes=3", "through=0 header_flits=1 buffer_words=16"},
    {"machine torus=3x4,lanes=4,escape=2,places=4", "select=3 buffer_words=16"},
    {"machine torus=4x4,delay=2", "heads=2 buffer_words=16"},
};
enum { CASES = sizeof cases / sizeof cases[0] };

Test(flow, moves_each_flit_as_the_reference_does, .timeout = 300) {
    enum { SEEDS = 4, CYCLES = 160 };
    for (unsigned i = 0; i < CASES; i++)
        for (unsigned seed = 0; seed < SEEDS; seed++)
            compare(cases[i].topology, cases[i].settings, seed, CYCLES, false);
}

Test(flow, moves_as_the_reference_does_past_gates_and_blocked_wires, .timeout = 600) {
    for (unsigned i = 0; i < CASES; i++)
        for (unsigned seed = 20; seed < 22; seed++)
            compare(cases[i].topology, cases[i].settings, seed, 160, true);
}

/* Offers the next word of a message that is open, or opens one of `words` words. */
static void offer_slowly(Net *net, uint32_t from, uint32_t to, unsigned words,
                         unsigned *left) {
    if (net_room(net, from, 0) < 2)
        return;
    if (!net_is_open(net, from, 0)) {
        cr_assert_neq(net_open(net, from, 0, to), NET_NONE);
        *left = words;
    }
    net_offer(net, from, 0, 1, --*left == 0);
}

/* Sources run out of words in the middle of messages. */
Test(flow, messages_offered_word_by_word_move_alike_if_no_flits_are_reported) {
    Stage *stage = stage_create("torus=4x4,places=2", "", 3);
    JmRng rng = jm_rng(4);
    unsigned left[2][16];
    add_others(stage, 3);
    for (unsigned cycle = 0; cycle < 4000; cycle++) {
        for (uint32_t from = 0; from < 16; from++) {
            const uint32_t to = jm_rng_below(&stage->rng, 16);
            const unsigned words = 1 + jm_rng_below(&stage->rng, 12);
            if (jm_rng_below(&stage->rng, 1000) >= 200u << cycle / 1000 % 3)
                continue;
            offer_slowly(stage->net, from, to, words, &left[0][from]);
            offer_slowly(stage->other, from, to, words, &left[1][from]);
        }
        step(stage, &rng);
    }
    cr_assert_gt(net_statistics(stage->other)->messages_delivered[0], 1000);
    stage_destroy(stage);
}

/* ---- rules ----------------------------------------------------------------------- */

static void count_channels(const Net *net, NetChannelCounts *counts) {
    for (uint32_t c = 0; c < net_channel_count(net); c++)
        counts[c] = net_channel_counts(net, c);
}

/* A message alone, over h wires of d cycles each, takes h d + 2 + L - 1 cycles for its
 * L flits. Each channel of its route is held from the cycle in which its head takes it
 * until the tail is in it, and nobody waits; of routes with a choice any will do. */
static void send_alone(Net *net, unsigned from, unsigned to, unsigned words,
                       unsigned delay) {
    enum { MOST_CHANNELS = 1000 };
    const NetGraph *graph = net_graph(net);
    const uint32_t address = net_graph_address(graph, from, to, 0);
    const uint32_t terminal = net_terminal(net, from, to, 0);
    const unsigned flits = net_header_flits(net) + words * net_flits_per_word(net);
    const uint32_t start = terminal == NET_NONE ? from : terminal;
    const uint64_t before = net_statistics(net)->latency.sum;
    NetChannelCounts expected[MOST_CHANNELS], counts[MOST_CHANNELS];
    unsigned channels = 0;
    cr_assert_leq(net_channel_count(net), MOST_CHANNELS);
    count_channels(net, expected);
    net_open_drawn(net, start, 0, to, 0);
    for (unsigned word = 1; word <= words; word++)
        net_offer(net, start, 0, 1, word == words);
    net_step(net); /* shows the message to the network */
    while (!net_is_quiet(net)) {
        net_step(net);
        cr_assert(net_progressed(net));
    }
    for (uint32_t at = net_graph_source(graph, start, 0);
         (at = graph->next(graph, at, address)) < graph->channels; channels++) {
        expected[at].messages++;
        expected[at].flits += flits;
        expected[at].held_cycles += flits + (channels ? delay - 1 : 0);
    }
    count_channels(net, counts);
    cr_assert(graph->choices || memcmp(counts, expected,
                                       net_channel_count(net) * sizeof *counts) == 0,
              "%u to %u", from, to);
    cr_assert_eq(net_statistics(net)->latency.sum - before,
                 (channels - 1) * delay + 2 + flits - 1, "%u to %u", from, to);
}

Test(flow, a_message_alone_takes_wires_and_flits) {
    static const struct {
        const char *topology;
        unsigned delay;
    } rows[] = {{"torus=4x4", 1},
                {"torus=5x3,oneway=1,links=multiple", 1},
                {"torus=4x4,lanes=4,escape=2,places=2,links=4", 1},
                {"torus=3x4,ends=0", 1},
                {"torus=4x4,delay=2", 2},
                {"torus=5x3,oneway=1,links=multiple,delay=7", 7},
                {"torus=4x4,lanes=4,escape=2,places=2,links=4,delay=3", 3},
                {"torus=2x3,delay=64", 64},
                {"clos=2x2,levels=2", 1},
                {"clos=2x2,levels=2,delay=4", 4},
                {"clos=2x2,places=3,delay=61", 61},
                {"machine torus=4x3x2", 1},
                {"machine torus=2x1x5,ends=0,delay=3", 3}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Net *net = net_of(rows[i].topology, "buffer_words=64");
        const unsigned count = net_processor_count(net);
        const unsigned links = net_node_count(net) / count;
        for (unsigned k = 0; k < count * count * 3; k++)
            send_alone(net, k / 3 / count * links, k / 3 % count * links, 1 + k % 3 * 5,
                       rows[i].delay);
        net_destroy(net);
    }
}

/* ---- saving ---------------------------------------------------------------------- */

/* Changes every third byte of a saved network: each is refused or is a state that can
 * continue. */
static void damage(const char *topology) {
    Stage *stage = stage_create(topology, "", 5);
    for (unsigned cycle = 0; cycle < 200; cycle++) {
        send_some(stage, 300, 6);
        net_step(stage->net);
    }
    Archive saved = saved_net(stage->net);
    unsigned refused = 0;
    for (size_t at = 0; at < saved.size; at += 3) {
        Net *other = net_of(topology, "");
        saved.bytes[at] ^= (uint8_t)(1u << at % 7);
        const bool good = restored_net(other, &saved, saved.size, false);
        refused += !good;
        for (unsigned cycle = 0; good && cycle < 300; cycle++) {
            net_step(other);
            if (cycle == 0 || cycle == 299)
                check(other, topology);
        }
        saved.bytes[at] ^= (uint8_t)(1u << at % 7);
        net_destroy(other);
    }
    cr_assert_gt(refused, saved.size / 24);
    jm_archive_free(&saved);
    stage_destroy(stage);
}

Test(flow, damaged_bytes_do_no_harm, .timeout = 600) {
    damage("torus=3x3,lanes=3,escape=2");
    damage("torus=2x3,delay=3");
}

/* The direction of messages for which both ways around are equally long: bit k is that
 * of the k-th. With `others`, another node sends in the same cycles. */
static uint64_t ways_round(uint64_t seed, bool others) {
    enum { FROM = 5, TO = 7, OTHER = 8 };
    Net *net = net_of("machine torus=4x4", "");
    uint64_t ways = 0;
    net_draw_by(net, seed);
    for (unsigned k = 0; k < 64; k++) {
        const uint64_t before = net_link_flits(net, FROM, 0, true);
        for (unsigned i = 0; i <= others; i++)
            post(net, i ? OTHER : FROM, k % 2, TO, 1);
        steps(net, 40);
        cr_assert(net_is_quiet(net));
        ways |= (uint64_t)(net_link_flits(net, FROM, 0, true) > before) << k;
    }
    net_destroy(net);
    return ways;
}

Test(flow, ways_round_are_drawn_by_seed_and_not_by_what_else_is_sent) {
    const uint64_t ways = ways_round(1, false);
    const int up = __builtin_popcountll(ways);
    cr_expect(up > 16 && up < 48, "%d of 64", up);
    cr_expect_eq(ways_round(1, true), ways);
    cr_expect_eq(ways_round(1, false), ways);
    cr_expect_neq(ways_round(2, false), ways);
}
