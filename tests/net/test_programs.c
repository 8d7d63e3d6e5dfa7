/* Message-passing programs: their text, the four of the paper, and both engines, which
 * must agree in every cycle. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/rng.h"
#include "net/programs/engines.h"
#include "net/programs/replay.h"
#include "net/topology/topology.h"

/* ---- text ------------------------------------------------------------------------ */

static NetPrograms *read_text(const char *text, JmError *error) {
    return net_programs_read("p.txt", text, strlen(text), error);
}

typedef struct {
    char text[4096];
} Written;

static bool write_line(void *context, const char *line) {
    Written *written = context;
    const size_t length = strlen(written->text), room = sizeof written->text - length;
    cr_assert_lt((size_t)snprintf(written->text + length, room, "%s\n", line), room);
    return true;
}

Test(programs, what_is_written_is_read_again) {
    static const char text[] = "programs 1\nnodes 3\nnode 0\n  send 2 128\n"
                               "  compute 7\n  receive any\nnode 2\n  receive 0\n"
                               "  post 0 64\n";
    JmError error;
    NetPrograms *programs = read_text(text, &error);
    cr_assert_not_null(programs, "%s", error.text);
    Written written = {""};
    cr_assert(net_programs_write(programs, write_line, &written));
    cr_expect_str_eq(written.text, text);
    net_programs_destroy(programs);
    programs = read_text("programs 1\nnodes 2 # two\nnode 1\n\treceive 0\r\nnode 0\n"
                         " send 1 5 # last",
                         &error);
    cr_assert_not_null(programs, "%s", error.text);
    cr_expect_eq(programs->ops[0].kind, NET_OP_SEND);
    cr_expect_eq(programs->ops[0].line, 6);
    cr_expect_eq(programs->ops[0].column, 2);
    cr_expect_eq(programs->ops[1].kind, NET_OP_RECEIVE);
    net_programs_destroy(programs);
}

/* ---- runs ------------------------------------------------------------------------ */

static NetParams params_of(const char *topology) {
    NetParams params = net_params_default();
    JmError error;
    cr_assert(net_specification_params(topology, &params, &error), "%s", error.text);
    params.ties = 1;
    params.start_words = 1;
    return params;
}

static NetReplayFigures run(const NetPrograms *programs, const char *topology,
                            NetReplayEngine engine, NetNodeTimes times,
                            NetReplayChannels *channels) {
    const NetParams params = params_of(topology);
    const NetReplay replay = {.programs = programs,
                              .topology = topology,
                              .params = &params,
                              .times = times,
                              .engine = engine,
                              .seed = 7,
                              .most_cycles = 1000000000};
    NetReplayFigures figures;
    JmError error;
    cr_assert(net_replay(&replay, &figures, channels, &error), "%s: %s", topology,
              error.text);
    cr_assert(figures.complete);
    return figures;
}

static NetPrograms *generate(NetProgramKind kind, uint32_t nodes, uint32_t bytes,
                             uint32_t rounds) {
    const NetProgramPlan plan = {.kind = kind,
                                 .nodes = nodes,
                                 .bytes = bytes,
                                 .rounds = rounds,
                                 .from = 0,
                                 .to = nodes - 1};
    JmError error;
    NetPrograms *programs = net_programs_generate(&plan, &error);
    cr_assert_not_null(programs, "%s", error.text);
    return programs;
}

/* Both engines: the same end, and the same waits for each channel. */
static void expect_same(const NetPrograms *programs, const char *topology,
                        NetNodeTimes times) {
    NetReplayChannels a, b;
    const NetReplayFigures flits = run(programs, topology, NET_REPLAY_FLITS, times, &a);
    const NetReplayFigures worms = run(programs, topology, NET_REPLAY_WORMS, times, &b);
    cr_assert_str_eq(flits.engine, "flits");
    cr_assert_str_eq(worms.engine, "worms");
    cr_expect_eq(flits.cycles, worms.cycles, "%s: T %llu, %llu", topology,
                 (unsigned long long)flits.cycles, (unsigned long long)worms.cycles);
    cr_expect_eq(flits.send_away, worms.send_away, "%s", topology);
    cr_expect_eq(flits.receive_idle, worms.receive_idle, "%s", topology);
    cr_assert_eq(a.count, b.count);
    for (uint32_t c = 0; c < a.count; c++) {
        cr_assert_eq(a.items[c].effective, b.items[c].effective, "%s, channel %u",
                     topology, c);
        cr_assert_eq(a.items[c].packets, b.items[c].packets, "%s, channel %u", topology,
                     c);
    }
    free(a.items);
    free(b.items);
}

static const char *const topologies[] = {
    "clos=4x4",
    "clos=4x4,places=2",
    "clos=4x4,places=16",
    "clos=4x4,places=64",
    "clos=2x2,levels=2",
    "clos=2x2,levels=2,places=4,layer=random",
    "clos=2x2,levels=2,places=2,layer=turns",
    "clos=2x2,levels=2,places=32,layer=idle_fixed",
    "clos=2x2,levels=2,layer=idle_random",
    "torus=8x8,ends=0",
    "torus=8x8,ends=0,places=7",
};
enum { TOPOLOGIES = sizeof topologies / sizeof topologies[0] };

static void add(NetPrograms *programs, uint32_t *count, uint32_t node, NetOp op) {
    programs->ops[node * 64 + count[node]++] = op;
}

/* Programs without deadlock: messages one after the other, each added to its sender's
 * program and to its receiver's. */
static NetPrograms *random_programs(JmRng *rng, uint32_t nodes, uint32_t messages) {
    Heap *heap = heap_new();
    NetPrograms *all = heap_alloc(heap, sizeof *all), *programs;
    uint32_t *count = heap_alloc(heap, nodes * sizeof *count);
    all->ops = heap_alloc(heap, nodes * 64 * sizeof *all->ops);
    const uint32_t hot = jm_rng_below(rng, 3) ? nodes : 4;
    for (uint32_t i = 0; i < messages; i++) {
        const uint32_t from = jm_rng_below(rng, nodes), to = jm_rng_below(rng, hot);
        if (from == to || count[from] > 61 || count[to] > 61)
            continue;
        if (jm_rng_below(rng, 4) == 0)
            add(all, count, from,
                (NetOp){.kind = NET_OP_COMPUTE, .amount = jm_rng_below(rng, 300)});
        const bool post = jm_rng_below(rng, 4) == 0;
        add(all, count, from,
            (NetOp){.kind = post ? NET_OP_POST : NET_OP_SEND,
                    .node = to,
                    .amount = 1 + jm_rng_below(rng, jm_rng_below(rng, 2) ? 20 : 500)});
        add(all, count, to, (NetOp){.kind = NET_OP_RECEIVE, .node = from});
    }
    NetProgramsMaker maker;
    net_programs_begin(&maker, heap, nodes);
    for (uint32_t node = 0; node < nodes; node++) {
        net_programs_node(&maker, node);
        for (uint32_t i = 0; i < count[node]; i++)
            net_programs_add(&maker, all->ops[node * 64 + i]);
    }
    programs = net_programs_end(&maker);
    return programs;
}

Test(programs, worms_and_flits_agree_on_random_programs, .timeout = 120) {
    JmRng rng = jm_rng(11);
    for (unsigned i = 0; i < 66; i++) {
        NetPrograms *programs = random_programs(&rng, 64, 60 + 20 * (i % 20));
        const NetNodeTimes some = {.setup = jm_rng_below(&rng, 40),
                                   .accept = jm_rng_below(&rng, 20),
                                   .packet = jm_rng_below(&rng, 60),
                                   .reorder = jm_rng_below(&rng, 9)};
        expect_same(programs, topologies[i % TOPOLOGIES],
                    i % 2 ? some : (NetNodeTimes){0});
        net_programs_destroy(programs);
    }
}

Test(programs, worms_and_flits_agree_on_the_programs_of_the_paper, .timeout = 120) {
    for (unsigned kind = 0; kind <= NET_PROGRAM_SHIFTED; kind++) {
        NetPrograms *programs = generate((NetProgramKind)kind, 64, 200, 1);
        for (unsigned i = kind; i < TOPOLOGIES; i += NET_PROGRAM_SHIFTED + 1)
            expect_same(programs, topologies[i],
                        i % 2 ? net_node_times : (NetNodeTimes){0});
        net_programs_destroy(programs);
    }
}

/* One packet of n bytes over h channels in an empty network: handed over at `setup`, it
 * may leave in the next cycle; its tail comes h + 1 + flits - 1 cycles later, and so
 * does that of the acknowledgement behind `accept`. */
Test(programs, a_ping_takes_what_its_parts_take) {
    NetPrograms *programs = generate(NET_PROGRAM_PING_PONG, 64, 100, 1);
    enum { HOPS = 7, FLITS = 102, ACKNOWLEDGEMENT = 8 };
    const uint64_t there = HOPS + 1 + FLITS - 1 + 1;
    const uint64_t back = HOPS + 1 + ACKNOWLEDGEMENT - 1 + 1;
    const NetNodeTimes times = {.setup = 30, .accept = 20};
    for (unsigned engine = NET_REPLAY_FLITS; engine <= NET_REPLAY_WORMS; engine++) {
        const NetReplayFigures figures =
            run(programs, "clos=4x4", (NetReplayEngine)engine, times, NULL);
        /* The pong's receiver ends when it hands its acknowledgement over; the pong's
         * sender when that has come. The pong begins behind the ping's receipt, while
         * the acknowledgement is on its way: it leaves first. */
        cr_expect_eq(figures.cycles, 30 + there + 20 + 30 + there + 20 + back,
                     "%u: %llu", engine, (unsigned long long)figures.cycles);
        cr_expect_eq(figures.messages, 2);
    }
    net_programs_destroy(programs);
}

/* There and back in rows of routers first, then in columns; by the nodes of the routers
 * that the packets leave, four to each. Each way has a message and the acknowledgement
 * of the other. */
Test(programs, channels_are_those_that_packets_took) {
    static const unsigned left[] = {0, 4, 8, 12, 28, 44, 60, 56, 52, 48, 32, 16};
    NetPrograms *programs = generate(NET_PROGRAM_PING_PONG, 64, 100, 1);
    for (unsigned engine = NET_REPLAY_FLITS; engine <= NET_REPLAY_WORMS; engine++) {
        NetReplayChannels channels;
        run(programs, "clos=4x4", (NetReplayEngine)engine, net_node_times, &channels);
        unsigned found[64] = {0}, wires = 0;
        for (uint32_t c = 0; c < channels.count; c++) {
            const NetReplayChannel *channel = &channels.items[c];
            wires += channel->has_wire;
            if (channel->has_wire && channel->packets > 0) {
                cr_assert_lt(channel->node, 64);
                cr_expect_eq(channel->packets, 2);
                found[channel->node]++;
            }
        }
        cr_expect_eq(wires, 2 * 2 * 4 * 3, "%u wires", wires);
        for (unsigned i = 0; i < sizeof left / sizeof left[0]; i++)
            cr_expect_eq(found[left[i]]--, 1, "router of node %u", left[i]);
        for (unsigned node = 0; node < 64; node++)
            cr_expect_eq(found[node], 0, "router of node %u", node);
        free(channels.items);
    }
    net_programs_destroy(programs);
}

/* Node 0 has messages of all others before it receives any. Then it receives in random
 * order, of whoever has sent or of anyone, which is whose message came first: a wrong
 * choice leaves it to wait for one that has gone already. */
Test(programs, messages_that_have_arrived_are_taken_in_order) {
    enum { NODES = 5, EACH = 12, ALL = (NODES - 1) * EACH };
    JmRng rng = jm_rng(3);
    for (unsigned round = 0; round < 40; round++) {
        uint32_t from[ALL], order[ALL], count[NODES] = {0};
        for (unsigned i = 0; i < ALL; i++) {
            do
                from[i] = 1 + jm_rng_below(&rng, NODES - 1);
            while (count[from[i]] == EACH);
            count[from[i]]++;
        }
        NetProgramsMaker maker;
        net_programs_begin(&maker, heap_new(), NODES);
        net_programs_add(&maker, (NetOp){.kind = NET_OP_COMPUTE, .amount = 100 * ALL});
        memcpy(order, from, sizeof order);
        for (unsigned left = ALL; left > 0; left--) {
            const bool any = jm_rng_below(&rng, 3) == 0;
            const uint32_t wanted = order[any ? 0 : jm_rng_below(&rng, left)];
            unsigned taken = 0;
            while (order[taken] != wanted)
                taken++;
            memmove(order + taken, order + taken + 1,
                    (left - taken - 1) * sizeof *order);
            net_programs_add(&maker, (NetOp){.kind = NET_OP_RECEIVE,
                                             .node = any ? NET_NONE : wanted});
        }
        for (uint32_t node = 1; node < NODES; node++) {
            net_programs_node(&maker, node);
            for (unsigned i = 0, last = 0; i < ALL; i++)
                if (from[i] == node) {
                    net_programs_add(&maker, (NetOp){.kind = NET_OP_COMPUTE,
                                                     .amount = 90 * (i - last)});
                    net_programs_add(&maker, (NetOp){.kind = NET_OP_POST, .amount = 4});
                    last = i;
                }
        }
        NetPrograms *programs = net_programs_end(&maker);
        const NetReplayFigures figures =
            run(programs, "clos=2x2", NET_REPLAY_WORMS, (NetNodeTimes){0}, NULL);
        cr_expect_eq(figures.messages, ALL);
        cr_expect_eq(figures.cycles, 100 * ALL);
        net_programs_destroy(programs);
    }
}

/* With stored packets each of 6 more channels costs their length. */
Test(programs, stored_packets_pay_their_length_at_each_router) {
    JmError error;
    const NetParams params = params_of("clos=4x4");
    uint64_t cycles[2];
    for (unsigned far = 0; far < 2; far++) {
        const NetProgramPlan plan = {
            .nodes = 64, .bytes = 128, .rounds = 1, .to = far ? 63 : 1};
        NetReplayFigures figures;
        NetReplay replay = {.programs = net_programs_generate(&plan, &error),
                            .topology = "clos=4x4",
                            .params = &params,
                            .stored = true,
                            .most_cycles = 100000};
        cr_assert(net_replay(&replay, &figures, NULL, &error), "%s", error.text);
        cycles[far] = figures.cycles;
        net_programs_destroy((NetPrograms *)replay.programs);
    }
    cr_expect_eq(cycles[1] - cycles[0], 6 * (130 + 130 + 8));
}
