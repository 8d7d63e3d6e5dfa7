/* The flow engine: against the reference simulator, and its own invariants. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/rng.h"
#include "flow_reference.h"
#include "net/topology/topology.h"
#include "net/traffic/pattern.h"

enum { MOST_MESSAGES = 4096 };

/* A network with random messages, numbered in the order of sending. */
typedef struct {
    Net *net;
    Net *other; /* NULL, or it does the same without reporting flits, see compare() */
    NetGraph *graph; /* a second copy, for inspection */
    NetParams params;
    JmRng rng;
    unsigned links, priorities;
    uint32_t number[MOST_MESSAGES]; /* by message of the network */
    uint32_t sent;
    FlowReference *reference;
    FlowReferenceMove moves[1024]; /* of this cycle */
    uint32_t move_count;
    uint64_t bytes; /* a digest of arrivals and their times */
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

/* Networks between the nodes of a machine, with two priorities, are marked. */
#define MACHINE "machine "

static bool for_machine(const char *specification) {
    return strncmp(specification, MACHINE, strlen(MACHINE)) == 0;
}

static bool standard_params(const char *specification, NetParams *params) {
    unsigned size[NET_DIMENSIONS];
    *params = net_params_default();
    return for_machine(specification)
               ? net_specification_machine(specification + strlen(MACHINE), params,
                                           size, NULL)
               : net_specification_params(specification, params, NULL);
}

static Net *create_net(const char *specification, const NetParams *params) {
    JmError error;
    Net *net = for_machine(specification)
                   ? net_create_machine(specification + strlen(MACHINE), params, "auto",
                                        &error)
                   : net_create(specification, params, "auto", &error);
    cr_assert_not_null(net, "%s: %s", specification, error.text);
    cr_assert_str_eq(net_engine_name(net), "flow");
    return net;
}

static NetGraph *create_graph(const char *specification, const NetParams *params) {
    return for_machine(specification)
               ? net_topology_build_machine(specification + strlen(MACHINE), params,
                                            NULL)
               : net_topology_build(specification, params, NULL);
}

static Stage *stage_create(const char *specification, const char *settings,
                           uint64_t seed) {
    Stage *stage = calloc(1, sizeof *stage);
    char text[80], *rest = text;
    cr_assert(standard_params(specification, &stage->params));
    snprintf(text, sizeof text, "%s", settings);
    for (char *name = strtok_r(text, "= ", &rest); name;
         name = strtok_r(NULL, "= ", &rest))
        cr_assert_eq(
            net_params_set(&stage->params, name,
                           (uint32_t)strtoul(strtok_r(NULL, "= ", &rest), NULL, 10)),
            0);
    stage->net = create_net(specification, &stage->params);
    stage->graph = create_graph(specification, &stage->params);
    stage->priorities = for_machine(specification) ? NET_PRIORITIES : 1;
    stage->links = stage->graph->nodes / stage->graph->processors;
    stage->rng = jm_rng(seed);
    net_seed(stage->net, seed + 1);
    return stage;
}

static void stage_destroy(Stage *stage) {
    net_destroy(stage->net);
    if (stage->other)
        net_destroy(stage->other);
    net_graph_destroy(stage->graph);
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
    const uint32_t processors = stage->graph->processors;
    for (uint32_t from = 0; from < processors; from++)
        if (jm_rng_below(&stage->rng, 1000) < permille)
            send(stage, from, jm_rng_below(&stage->rng, processors),
                 1 + jm_rng_below(&stage->rng, most_flits - 1));
}

static void step(Stage *stage) {
    stage->move_count = 0;
    net_step(stage->net);
    size_t count;
    const NetDelivery *out = net_deliveries(stage->net, &count);
    for (size_t i = 0; i < count; i++)
        if (out[i].tail)
            stage->bytes =
                jm_rng_mix(stage->bytes + net_now(stage->net),
                           (uint64_t)stage->number[out[i].message] << 20 | out[i].node);
}

static void check(const Stage *stage) {
    JmError error;
    cr_assert(net_check(stage->net, &error), "cycle %llu: %s",
              (unsigned long long)net_now(stage->net), error.text);
}

/* ---- the reference --------------------------------------------------------------- */

static int by_source(const void *a, const void *b) {
    const FlowReferenceMove *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

static void compare_moves(Stage *stage, const char *what) {
    uint32_t count;
    const FlowReferenceMove *expected = flow_reference_moves(stage->reference, &count);
    const unsigned long long cycle = net_now(stage->net) - 1;
    cr_assert_eq(stage->move_count, count, "%s: cycle %llu has %u moves, not %u", what,
                 cycle, stage->move_count, count);
    qsort(stage->moves, count, sizeof *stage->moves, by_source);
    for (uint32_t i = 0; i < count; i++)
        cr_assert_eq(memcmp(&stage->moves[i], &expected[i], sizeof *expected), 0,
                     "%s: cycle %llu: message %u goes from %u to %u; expected %u, "
                     "%u to %u",
                     what, cycle, stage->moves[i].message, stage->moves[i].from,
                     stage->moves[i].to, expected[i].message, expected[i].from,
                     expected[i].to);
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
    flow_reference_block(stage->reference, stage->graph->wire[link], blocked);
    for (uint32_t lane = link; lane < stage->graph->channels; lane++)
        if (stage->graph->wire[lane] == stage->graph->wire[link])
            cr_assert_eq(net_channel_state(stage->net, lane).wire_blocked, blocked);
}

/* A gate set now counts from the next cycle on. */
static void shut_some(Stage *stage, bool shut) {
    const uint32_t terminal =
        jm_rng_below(&stage->rng, stage->graph->processors) * stage->links;
    const unsigned priority =
        stage->priorities > 1 ? jm_rng_below(&stage->rng, stage->priorities) : 0;
    net_set_gate(stage->net, terminal, priority, !shut);
    net_set_gate(stage->other, terminal, priority, !shut);
    flow_reference_set_gate(stage->reference, terminal, priority, !shut);
}

static void count_move(void *context, uint64_t cycle, uint32_t message, uint32_t flit,
                       int32_t from, int32_t to, uint32_t node) {
    (void)cycle, (void)message, (void)flit, (void)from, (void)to, (void)node;
    ++*(uint32_t *)context;
}

/* Continues with a copy of the other network made from its bytes. */
static void restore_other(Stage *stage, const char *specification,
                          const Archive *saved) {
    Net *copy = create_net(specification, &stage->params);
    Archive loading = jm_archive_load(saved->bytes, saved->size);
    cr_assert(net_restore(copy, &loading, false), "%s", specification);
    net_destroy(stage->other);
    stage->other = copy;
}

/* Compares the two networks' bytes, with all flits and statistics. */
static void compare_bytes(Stage *stage, const char *what, bool restore) {
    Archive one = jm_archive_save(), other = jm_archive_save();
    net_save(stage->net, &one);
    net_save(stage->other, &other);
    cr_assert(one.size == other.size && memcmp(one.bytes, other.bytes, one.size) == 0,
              "%s: cycle %llu: another state if no flits are reported", what,
              (unsigned long long)net_now(stage->net));
    if (restore)
        restore_other(stage, what, &other);
    jm_archive_free(&one);
    jm_archive_free(&other);
}

/* Steps the network that reports no flits, and compares it with the one that does: the
 * words delivered in every cycle, all else in some. In some cycles it
 * reports flits too, and now and then it is saved and restored. */
static void step_other(Stage *stage, JmRng *rng, const char *what) {
    const unsigned die = jm_rng_below(rng, 64);
    const bool reports = die < 4;
    JmError error;
    size_t count, other_count;
    uint32_t moves = 0;
    net_set_flit_hook(stage->other, reports ? count_move : NULL, &moves);
    net_step(stage->other);
    cr_assert_eq(moves, reports ? stage->move_count : 0);
    const NetDelivery *out = net_deliveries(stage->net, &count);
    const NetDelivery *other = net_deliveries(stage->other, &other_count);
    cr_assert_eq(count, other_count);
    for (size_t i = 0; i < count; i++)
        cr_assert(out[i].node == other[i].node && out[i].message == other[i].message &&
                      out[i].tail == other[i].tail,
                  "%s: cycle %llu: other words if no flits are reported", what,
                  (unsigned long long)net_now(stage->net));
    cr_assert_eq(net_progressed(stage->net), net_progressed(stage->other));
    if (die % 4 == 0)
        cr_assert(net_check(stage->other, &error), "%s: %s", what, error.text);
    if (die % 8 == 1)
        compare_bytes(stage, what, die % 32 == 1);
}

/* Messages offered in a cycle may leave in the next, so the reference is told first and
 * its step is that of the next cycle. With `shutting`, gates shut and open, and wires
 * are blocked and freed again. A second network does the same without reporting flits:
 * only then do messages move as streams. */
static void compare(const char *specification, const char *settings, uint64_t seed,
                    unsigned cycles, bool shutting) {
    Stage *stage = stage_create(specification, settings, seed);
    stage->reference = flow_reference_create(stage->graph, &stage->params, seed + 1);
    net_set_flit_hook(stage->net, note_move, stage);
    const unsigned permille = 10u << jm_rng_below(&stage->rng, 6);
    const unsigned most = 2 + jm_rng_below(&stage->rng, 10);
    JmRng rng = jm_rng(seed + 2);
    stage->other = create_net(specification, &stage->params);
    net_seed(stage->other, seed + 1);
    net_step(stage->net);
    net_step(stage->other);
    for (unsigned cycle = 0; cycle < cycles; cycle++) {
        if (shutting)
            block_some(stage, cycle % 32 < 8);
        flow_reference_step(stage->reference);
        if (shutting)
            shut_some(stage, cycle % 16 < 5);
        if (cycle < cycles * 3 / 4)
            send_some(stage, permille, most);
        step(stage);
        step_other(stage, &rng, specification);
        if (cycle > 0)
            compare_moves(stage, specification);
        check(stage);
    }
    stage_destroy(stage);
}

static const struct {
    const char *specification, *settings;
} cases[] = {
    {"torus=3x3", ""},
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
    {"torus=4x4,places=4", "atomic=1"},
    {"torus=3x3,lanes=4,escape=2,places=2,links=4", "atomic=1 select=2"},
    {"torus=4x4x2,lanes=4,escape=2,places=3", "atomic=1 through=0"},
    {"torus=4x3,places=2,delay=3", "atomic=1"},
    {MACHINE "torus=3x4,lanes=4,escape=2,places=4", "atomic=1 buffer_words=16"},
    {"torus=3x2x3,lanes=2,places=4", ""},
    {"torus=2x3x2,lanes=3,escape=2,places=2", "select=2"},
    {"torus=2x2x2x2,lanes=2", "heads=2"},
    {MACHINE "torus=3x3x2,places=2", "buffer_words=16"},
    {MACHINE "torus=4x3,lanes=4,places=2", "buffer_words=16"},
    {MACHINE "torus=4x2x1,ends=0,lanes=3", "through=0 header_flits=1 buffer_words=16"},
    {MACHINE "torus=3x4,lanes=4,escape=2,places=4", "select=3 buffer_words=16"},
    {MACHINE "torus=4x4,delay=2", "heads=2 buffer_words=16"},
};
enum { CASES = sizeof cases / sizeof cases[0] };

Test(flow, moves_each_flit_as_the_reference_does, .timeout = 300) {
    enum { SEEDS = 4, CYCLES = 160 };
    for (unsigned i = 0; i < CASES; i++)
        for (unsigned seed = 0; seed < SEEDS; seed++)
            compare(cases[i].specification, cases[i].settings, seed, CYCLES, false);
}

Test(flow, moves_as_the_reference_does_past_gates_and_blocked_wires, .timeout = 600) {
    for (unsigned i = 0; i < CASES; i++)
        for (unsigned seed = 20; seed < 22; seed++)
            compare(cases[i].specification, cases[i].settings, seed, 160, true);
}

/* ---- patterns -------------------------------------------------------------------- */

/* A pattern as in the published comparisons, by its definition. */
typedef enum { UNIFORM, TORNADO, BITCOMP } Pattern;

static uint32_t destination(Stage *stage, Pattern pattern, unsigned side,
                            uint32_t from) {
    const uint32_t nodes = stage->graph->processors;
    uint32_t to = 0;
    if (pattern == UNIFORM)
        return (from + 1 + jm_rng_below(&stage->rng, nodes - 1)) % nodes;
    if (pattern == BITCOMP)
        return ~from & (nodes - 1);
    for (uint32_t stride = 1; stride < nodes; stride *= side)
        to += (from / stride + (side + 1) / 2 - 1) % side * stride;
    return to;
}

/* A network whose sources offer a share of what it accepts, in percent; each terminal
 * has a queue of one message. */
static void compare_pattern(const char *specification, unsigned side, Pattern pattern,
                            unsigned flits_permille, unsigned cycles) {
    enum { FLITS = 8, HEADS = 1 };
    Stage *stage = stage_create(specification, "", flits_permille);
    JmRng rng = jm_rng(2);
    stage->reference = flow_reference_create(stage->graph, &stage->params, 4);
    stage->other = create_net(specification, &stage->params);
    net_seed(stage->net, 4);
    net_seed(stage->other, 4);
    net_set_flit_hook(stage->net, note_move, stage);
    net_step(stage->net);
    net_step(stage->other);
    for (unsigned cycle = 0; cycle < cycles; cycle++) {
        flow_reference_step(stage->reference);
        for (uint32_t from = 0; from < stage->graph->processors; from++)
            if (jm_rng_below(&stage->rng, 1000 * FLITS) < flits_permille)
                send(stage, from, destination(stage, pattern, side, from),
                     FLITS - HEADS);
        step(stage);
        step_other(stage, &rng, specification);
        if (cycle > 0)
            compare_moves(stage, specification);
    }
    check(stage);
    cr_expect_gt(stage->sent, 10);
    stage_destroy(stage);
}

/* An 8-ary 2-cube and a 4-ary 3-cube with two lanes, at 20, 50 and 80 % of what they
 * accept, in thousandths of a flit a cycle and node. */
Test(flow, cubes_move_each_flit_as_the_reference_does_under_patterns, .timeout = 300) {
    static const struct {
        const char *specification;
        unsigned side, accepted[3]; /* by pattern */
    } cubes[] = {{"torus=8x8,lanes=2,places=4", 8, {365, 135, 500}},
                 {"torus=4x4x4,lanes=2,places=4", 4, {555, 970, 970}}};
    static const unsigned shares[] = {20, 50, 80};
    for (unsigned i = 0; i < 18; i++) {
        const unsigned cube = i / 9, pattern = i / 3 % 3;
        compare_pattern(cubes[cube].specification, cubes[cube].side, (Pattern)pattern,
                        cubes[cube].accepted[pattern] * shares[i % 3] / 100, 80);
    }
}

/* Passes to the reference the messages that the last step has opened, one at a terminal
 * at most. */
static void report_opened(Stage *stage) {
    for (uint32_t i = 0; i < net_message_numbers(stage->net); i++) {
        NetMessageState state;
        if (!net_message_state(stage->net, i, &state) ||
            state.opened_cycle + 1 != net_now(stage->net))
            continue;
        stage->number[i] = stage->sent++;
        flow_reference_send(stage->reference, state.source, 0, state.destination, 0,
                            stage->params.header_flits +
                                state.words_offered * stage->params.flits_per_word);
    }
}

/* Traffic of a workload. Nothing is drawn for a message, and a buffer holds one. */
static void compare_traffic(const char *specification, const char *workload,
                            unsigned cycles) {
    Stage *stage = stage_create(specification, "buffer_words=9", 1);
    NetWorkloadValues values;
    JmError error = {.text = ""};
    const NetWorkload *row = net_workload_read(workload, &values, &error);
    cr_assert(row, "%s", error.text);
    NetTraffic *traffic = net_traffic_create(stage->net, row, &values, 5, &error);
    cr_assert(traffic, "%s", error.text);
    net_seed(stage->net, 4);
    stage->reference = flow_reference_create(stage->graph, &stage->params, 4);
    net_set_flit_hook(stage->net, note_move, stage);
    for (unsigned cycle = 0; cycle < cycles; cycle++) {
        stage->move_count = 0;
        if (cycle > 0)
            flow_reference_step(stage->reference);
        cr_assert(net_traffic_step(traffic));
        report_opened(stage);
        if (cycle > 0)
            compare_moves(stage, workload);
    }
    check(stage);
    cr_expect_gt(stage->sent, 10, "%s", workload);
    net_traffic_destroy(traffic);
    stage_destroy(stage);
}

/* Writes a table of random messages of 8 flits, and its name. */
static void write_table(char name[], unsigned nodes) {
    JmRng rng = jm_rng(6);
    FILE *file = fdopen(mkstemp(name), "w");
    for (unsigned i = 0; i < 300; i++)
        fprintf(file, "%u %u %u 8\n", jm_rng_below(&rng, 100),
                jm_rng_below(&rng, nodes), jm_rng_below(&rng, nodes));
    fclose(file);
}

/* Each pattern, each process and a table of messages. */
Test(flow, tori_move_each_flit_as_the_reference_does_under_workloads, .timeout = 600) {
    static const char *const tori[] = {"torus=4x2x2,lanes=2,places=2,tie=wrap",
                                       "torus=2x4x2,lanes=3,escape=2,tie=wrap",
                                       "torus=4x4x4,ends=0,lanes=2,places=3"};
    static const char *const processes[] = {"bernoulli", "poisson", "periodic",
                                            "burst,burst=3"};
    char workload[100];
    for (unsigned i = 0; i < 3 * NET_PATTERNS; i++) {
        snprintf(workload, sizeof workload, "pattern=%s,length=8,rate=0.06%s",
                 net_pattern_names[i % NET_PATTERNS],
                 i % NET_PATTERNS == NET_PATTERN_hotspot ? ",hot=1;2" : "");
        compare_traffic(tori[i / NET_PATTERNS], workload, 120);
    }
    for (unsigned i = 0; i < 12; i++) {
        snprintf(workload, sizeof workload,
                 "pattern=uniform,length=8,rate=0.06,process=%s", processes[i % 4]);
        compare_traffic(tori[i / 4], workload, 120);
    }
    char table[] = "/tmp/test_flow_XXXXXX";
    write_table(table, 16);
    snprintf(workload, sizeof workload, "table=%s", table);
    for (unsigned i = 0; i < 3; i++)
        compare_traffic(tori[i], workload, 120);
    remove(table);
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
    const char *specification = "torus=4x4,places=2";
    Stage *stage = stage_create(specification, "", 3);
    JmRng rng = jm_rng(4);
    unsigned left[2][16];
    stage->other = create_net(specification, &stage->params);
    net_seed(stage->other, 4);
    net_set_flit_hook(stage->net, note_move, stage);
    for (unsigned cycle = 0; cycle < 4000; cycle++) {
        for (uint32_t from = 0; from < 16; from++) {
            const uint32_t to = jm_rng_below(&stage->rng, 16);
            const unsigned words = 1 + jm_rng_below(&stage->rng, 12);
            if (jm_rng_below(&stage->rng, 1000) >= 200u << cycle / 1000 % 3)
                continue;
            offer_slowly(stage->net, from, to, words, &left[0][from]);
            offer_slowly(stage->other, from, to, words, &left[1][from]);
        }
        step(stage);
        step_other(stage, &rng, specification);
    }
    cr_assert_gt(net_statistics(stage->other)->messages_delivered[0], 1000);
    stage_destroy(stage);
}

/* ---- rules ----------------------------------------------------------------------- */

/* The cycle in which a lone message has arrived, counted from the first in which it
 * could leave. */
static unsigned latency(Stage *stage, uint32_t from, uint32_t to, unsigned words) {
    send(stage, from, to, words);
    net_step(stage->net);
    const uint64_t born = net_now(stage->net);
    for (size_t count = 0; !net_is_quiet(stage->net) || count > 0;) {
        net_step(stage->net);
        const NetDelivery *out = net_deliveries(stage->net, &count);
        for (size_t i = 0; i < count; i++)
            if (out[i].tail)
                return (unsigned)(net_now(stage->net) - born);
    }
    return 0;
}

static unsigned hops(const Stage *stage, uint32_t from, uint32_t to) {
    const uint32_t start = from * stage->links;
    const uint32_t address =
        net_graph_address(stage->graph, start, to * stage->links, 0);
    uint32_t at = net_graph_source(stage->graph, start, 0);
    unsigned wires = 0;
    for (; at < net_graph_first_sink(stage->graph); wires++)
        at = stage->graph->next(stage->graph, at, address);
    return wires - 2;
}

/* h hops between switches of d cycles each and L flits: h d + 2 + L - 1. */
static void zero_load(const char *specification, unsigned delay) {
    Stage *stage = stage_create(specification, "buffer_words=64", 1);
    for (uint32_t from = 0; from < stage->graph->processors; from++)
        for (uint32_t to = 0; to < stage->graph->processors; to++)
            for (unsigned words = 1; words < 12; words += 5)
                cr_assert_eq(latency(stage, from, to, words),
                             hops(stage, from, to) * delay + 2 +
                                 stage->params.header_flits +
                                 words * stage->params.flits_per_word - 1,
                             "%s: %u to %u", specification, from, to);
    stage_destroy(stage);
}

Test(flow, a_message_alone_takes_hops_and_flits) {
    zero_load("torus=4x4", 1);
    zero_load("torus=5x3,oneway=1,links=multiple", 1);
    zero_load("torus=4x4,lanes=4,escape=2,places=2,links=4", 1);
    zero_load("torus=3x4,ends=0", 1);
    zero_load("torus=4x4,delay=2", 2);
    zero_load("torus=5x3,oneway=1,links=multiple,delay=7", 7);
    zero_load("torus=4x4,lanes=4,escape=2,places=2,links=4,delay=3", 3);
    zero_load("torus=2x3,delay=64", 64);
    zero_load(MACHINE "torus=4x3x2", 1);
    zero_load(MACHINE "torus=2x1x5,ends=0,delay=3", 3);
}

/* Twice the network's capacity, then nothing: something moves in every cycle until all
 * has come out. */
static void saturate(const char *specification) {
    Stage *stage = stage_create(specification, "", 3);
    for (unsigned cycle = 0; cycle < 5000; cycle++) {
        send_some(stage, 500, 12);
        step(stage);
        cr_assert(cycle < 2 || net_progressed(stage->net), "%s: cycle %u",
                  specification, cycle);
        if (cycle % 100 == 0)
            check(stage);
    }
    while (!net_is_quiet(stage->net)) {
        step(stage);
        cr_assert(net_progressed(stage->net), "%s: stuck", specification);
    }
    const NetStatistics *seen = net_statistics(stage->net);
    cr_assert_eq(seen->messages_delivered[0], stage->sent);
    stage_destroy(stage);
}

Test(flow, saturated_networks_go_on_and_drain, .timeout = 600) {
    saturate("torus=4x4");
    saturate("torus=5x4,oneway=1");
    saturate("torus=4x4,lanes=3,escape=2");
    saturate("torus=4x5,ends=0");
    saturate("torus=6x6,lanes=4,escape=2,places=2,links=4");
    saturate("torus=4x4,delay=3");
    saturate("torus=4x4,lanes=3,escape=2,delay=9");
}

/* ---- saving ---------------------------------------------------------------------- */

static void goes_on_as_saved(const char *specification, const char *settings) {
    Stage *one = stage_create(specification, settings, 5);
    Stage *other = stage_create(specification, settings, 5);
    Archive saved = jm_archive_save();
    for (unsigned cycle = 0; cycle < 600; cycle++) {
        send_some(one, 300, 9);
        step(one);
    }
    net_save(one->net, &saved);
    Archive loading = jm_archive_load(saved.bytes, saved.size);
    cr_assert(net_restore(other->net, &loading, false), "%s", specification);
    cr_assert_eq(loading.at, loading.end);
    other->rng = one->rng;
    other->bytes = one->bytes;
    other->sent = one->sent;
    memcpy(other->number, one->number, sizeof one->number);
    for (unsigned cycle = 0; cycle < 600; cycle++) {
        send_some(one, 300, 9);
        send_some(other, 300, 9);
        step(one);
        step(other);
        cr_assert_eq(one->bytes, other->bytes, "%s: cycle %u", specification, cycle);
    }
    for (uint32_t c = 0; c < one->graph->channels; c++) {
        NetChannelCounts a = net_channel_counts(one->net, c);
        NetChannelCounts b = net_channel_counts(other->net, c);
        a.flits = b.flits = 0; /* counted from the restoration on */
        cr_assert_eq(memcmp(&a, &b, sizeof a), 0);
    }
    jm_archive_free(&saved);
    stage_destroy(one);
    stage_destroy(other);
}

Test(flow, a_restored_network_goes_on_as_it_would_have) {
    for (unsigned i = 0; i < CASES; i++)
        goes_on_as_saved(cases[i].specification, cases[i].settings);
    goes_on_as_saved("torus=4x4,lanes=4,escape=2", "commit=1 select=3");
}

/* Changes every third byte of a saved network: each is refused or is a state that can
 * continue. */
static void damage(const char *specification) {
    Stage *stage = stage_create(specification, "", 5);
    Archive saved = jm_archive_save();
    for (unsigned cycle = 0; cycle < 200; cycle++) {
        send_some(stage, 300, 6);
        step(stage);
    }
    net_save(stage->net, &saved);
    unsigned refused = 0;
    for (size_t at = 0; at < saved.size; at += 3) {
        Stage *other = stage_create(specification, "", 5);
        saved.bytes[at] ^= (uint8_t)(1u << at % 7);
        Archive loading = jm_archive_load(saved.bytes, saved.size);
        const bool good = net_restore(other->net, &loading, false);
        refused += !good;
        for (unsigned cycle = 0; good && cycle < 300; cycle++) {
            net_step(other->net);
            if (cycle == 0 || cycle == 299)
                check(other);
        }
        saved.bytes[at] ^= (uint8_t)(1u << at % 7);
        stage_destroy(other);
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
    NetParams params;
    cr_assert(standard_params(MACHINE "torus=4x4", &params));
    Net *net = create_net(MACHINE "torus=4x4", &params);
    uint64_t ways = 0;
    net_draw_by(net, seed);
    for (unsigned k = 0; k < 64; k++) {
        const uint64_t before = net_link_flits(net, FROM, 0, true);
        for (unsigned i = 0; i <= others; i++) {
            net_open(net, i ? OTHER : FROM, k % 2, TO);
            net_offer(net, i ? OTHER : FROM, k % 2, 1, true);
        }
        for (unsigned cycle = 0; cycle < 40; cycle++)
            net_step(net);
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
