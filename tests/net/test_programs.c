/* Message-passing programs: their text, the five of the paper against handwritten ones,
 * and runs by both engines, which must agree in every cycle: of a few packets as
 * counted by hand, and of many against the sums over all channels. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/programs/replay.h"
#include "rig.h"

/* ---- text ------------------------------------------------------------------------ */

/* Lines of a text end with ';'. */
static NetPrograms *read_lines(const char *lines, unsigned nodes) {
    char text[1000];
    JmError error;
    snprintf(text, sizeof text, "programs 1\nnodes %u\n%s", nodes, lines);
    for (char *end = text; (end = strchr(end, ';'));)
        *end = '\n';
    NetPrograms *programs = net_programs_read("p.txt", text, strlen(text), &error);
    cr_assert_not_null(programs, "%s", error.text);
    return programs;
}

/* Lines up to `most`. */
typedef struct {
    char text[1000];
    unsigned lines, most;
} Written;

static bool write_line(void *context, const char *line) {
    Written *written = context;
    if (written->lines == written->most)
        return false;
    const size_t length = strlen(written->text), room = sizeof written->text - length;
    cr_assert_lt((size_t)snprintf(written->text + length, room, "%s;", line), room);
    written->lines++;
    return true;
}

Test(programs, what_is_written_is_read_again) {
    static const char text[] = "node 0;  send 2 128;  compute 7;  receive any;"
                               "node 2;  receive 0;  post 0 64;";
    NetPrograms *programs = read_lines(text, 3);
    Written written = {.most = 100};
    cr_assert(net_programs_write(programs, write_line, &written));
    cr_expect_str_eq(strstr(written.text, "node 0"), text);
    net_programs_destroy(programs);
    programs = read_lines("# two;node 1;\treceive 0\r;node 0; send 1 5 # last", 2);
    cr_expect_eq(programs->ops[0].kind, NET_OP_SEND);
    cr_expect_eq(programs->ops[0].line, 7);
    cr_expect_eq(programs->ops[0].column, 2);
    cr_expect_eq(programs->ops[1].kind, NET_OP_RECEIVE);
    net_programs_destroy(programs);
}

static NetPrograms *generate(NetProgramPlan plan) {
    JmError error;
    NetPrograms *programs = net_programs_generate(&plan, &error);
    cr_assert_not_null(programs, "%s", error.text);
    return programs;
}

static const struct {
    uint32_t nodes, rounds;
    unsigned paper_rounds; /* for as many nodes */
    const char *text;
} generated[] = {
    [NET_PROGRAM_PING_PONG] = {3, 2, 1,
                               "node 0;  receive 2;  send 2 5;  receive 2;  send 2 5;"
                               "node 2;  send 0 5;  receive 0;  send 0 5;  receive 0;"},
    [NET_PROGRAM_EQUAL] =
        {4, 1, 1024,
         "node 0;  send 2 5;  receive 2;node 1;  send 3 5;  receive 3;"
         "node 2;  receive 0;  send 0 5;"
         "node 3;  receive 1;  send 1 5;"},
    [NET_PROGRAM_UNEQUAL] = {4, 1, 1024,
                             "node 0;  send 3 5;  receive 3;"
                             "node 1;  send 2 5;  receive 2;"
                             "node 2;  receive 1;  send 1 5;"
                             "node 3;  receive 0;  send 0 5;"},
    [NET_PROGRAM_ROOTED] = {3, 1, 32,
                            "node 0;  send 1 5;  send 2 5;  receive 1;  receive 2;"
                            "node 1;  receive 0;  send 0 5;  send 2 5;  receive 2;"
                            "node 2;  receive 0;  receive 1;  send 0 5;  send 1 5;"},
    [NET_PROGRAM_SHIFTED] = {3, 1, 32,
                             "node 0;  send 1 5;  receive 2;  send 2 5;  receive 1;"
                             "node 1;  receive 0;  send 2 5;  send 0 5;  receive 2;"
                             "node 2;  send 0 5;  receive 1;  receive 0;  send 1 5;"},
};
enum { KINDS = sizeof generated / sizeof generated[0] };

/* A writer that stops at any line stops the writing. */
Test(programs, programs_of_the_paper_are_those_written_by_hand) {
    for (unsigned kind = 0; kind < KINDS; kind++) {
        const uint32_t nodes = generated[kind].nodes;
        NetPrograms *programs =
            generate((NetProgramPlan){.kind = (NetProgramKind)kind,
                                      .nodes = nodes,
                                      .bytes = 5,
                                      .rounds = generated[kind].rounds,
                                      .from = 2});
        Written all = {.most = 100};
        char text[1000];
        snprintf(text, sizeof text, "programs 1;nodes %u;%s", nodes,
                 generated[kind].text);
        cr_expect(net_programs_write(programs, write_line, &all));
        cr_expect_str_eq(all.text, text);
        for (unsigned most = 0; most < all.lines; most++) {
            Written some = {.most = most};
            cr_expect_not(net_programs_write(programs, write_line, &some));
            cr_expect_eq(some.lines, most);
        }
        net_programs_destroy(programs);
        cr_expect_eq(net_program_rounds((NetProgramKind)kind, nodes),
                     generated[kind].paper_rounds);
    }
    cr_expect_eq(net_program_rounds(NET_PROGRAM_EQUAL, 4096), 1);
    cr_expect_eq(net_program_rounds(NET_PROGRAM_EQUAL, 4095), 1);
    cr_expect_eq(net_program_rounds(NET_PROGRAM_EQUAL, 2048), 2);
}

/* ---- runs ------------------------------------------------------------------------ */

/* Runs with the parameters of its topology, and ties that do not draw. */
static NetReplayFigures run(NetReplay replay, NetReplayChannels *channels) {
    const NetParams params = params_of(replay.topology, "ties=1 start_words=1");
    NetReplayFigures figures;
    JmError error;
    replay.params = &params;
    replay.seed = 7;
    replay.most_cycles = replay.most_cycles ? replay.most_cycles : 1000000000;
    cr_assert(net_replay(&replay, &figures, channels, &error), "%s: %s",
              replay.topology, error.text);
    return figures;
}

/* Both engines: the same end, and the same waits for each channel. */
static void expect_same(const NetPrograms *programs, const char *topology,
                        NetNodeTimes times) {
    NetReplayChannels a, b;
    NetReplay replay = {.programs = programs, .topology = topology, .times = times};
    replay.engine = NET_REPLAY_FLITS;
    const NetReplayFigures flits = run(replay, &a);
    replay.engine = NET_REPLAY_WORMS;
    const NetReplayFigures worms = run(replay, &b);
    cr_assert(flits.complete && worms.complete);
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

/* Programs under way: operations by node. */
typedef struct {
    NetOp ops[64][64];
    uint32_t count[64];
} Script;

static void add(Script *script, uint32_t node, NetOp op) {
    script->ops[node][script->count[node]++] = op;
}

static NetPrograms *programs_of(const Script *script, uint32_t nodes) {
    NetProgramsMaker maker;
    net_programs_begin(&maker, heap_new(), nodes);
    for (uint32_t node = 0; node < nodes; node++) {
        net_programs_node(&maker, node);
        for (uint32_t i = 0; i < script->count[node]; i++)
            net_programs_add(&maker, script->ops[node][i]);
    }
    return net_programs_end(&maker);
}

/* Programs without deadlock: messages one after the other, each added to its sender's
 * program and to its receiver's. With `posts` nobody computes or waits for
 * acknowledgements. */
static NetPrograms *random_programs(JmRng *rng, uint32_t nodes, uint32_t messages,
                                    bool posts) {
    Script script = {.count = {0}};
    const uint32_t hot = jm_rng_below(rng, 3) ? nodes : 4;
    for (uint32_t i = 0; i < messages; i++) {
        const uint32_t from = jm_rng_below(rng, nodes), to = jm_rng_below(rng, hot);
        if (from == to || script.count[from] > 61 || script.count[to] > 61)
            continue;
        if (!posts && jm_rng_below(rng, 4) == 0)
            add(&script, from,
                (NetOp){.kind = NET_OP_COMPUTE, .amount = jm_rng_below(rng, 300)});
        const bool post = posts || jm_rng_below(rng, 4) == 0;
        add(&script, from,
            (NetOp){.kind = post ? NET_OP_POST : NET_OP_SEND,
                    .node = to,
                    .amount = 1 + jm_rng_below(rng, jm_rng_below(rng, 2) ? 20 : 500)});
        add(&script, to, (NetOp){.kind = NET_OP_RECEIVE, .node = from});
    }
    return programs_of(&script, nodes);
}

Test(programs, worms_and_flits_agree_on_random_programs, .timeout = 600) {
    JmRng rng = jm_rng(11);
    for (unsigned i = 0; i < 66; i++) {
        NetPrograms *programs = random_programs(&rng, 64, 60 + 20 * (i % 20), false);
        const NetNodeTimes some = {.setup = jm_rng_below(&rng, 40),
                                   .accept = jm_rng_below(&rng, 20),
                                   .packet = jm_rng_below(&rng, 60),
                                   .reorder = jm_rng_below(&rng, 9)};
        expect_same(programs, topologies[i % TOPOLOGIES],
                    i % 2 ? some : (NetNodeTimes){0});
        net_programs_destroy(programs);
    }
}

Test(programs, worms_and_flits_agree_on_the_programs_of_the_paper, .timeout = 600) {
    for (unsigned kind = 0; kind <= NET_PROGRAM_SHIFTED; kind++) {
        NetPrograms *programs = generate((NetProgramPlan){.kind = (NetProgramKind)kind,
                                                          .nodes = 64,
                                                          .bytes = 200,
                                                          .rounds = 1,
                                                          .to = 63});
        for (unsigned i = kind; i < TOPOLOGIES; i += NET_PROGRAM_SHIFTED + 1)
            expect_same(programs, topologies[i],
                        i % 2 ? net_node_times : (NetNodeTimes){0});
        net_programs_destroy(programs);
    }
}

/* There and back in rows of routers first, then in columns; by the nodes of the routers
 * that the packets leave, four to each. Each way has a message and the acknowledgement
 * of the other. */
Test(programs, channels_are_those_that_packets_took) {
    static const unsigned left[] = {0, 4, 8, 12, 28, 44, 60, 56, 52, 48, 32, 16};
    NetPrograms *programs = generate((NetProgramPlan){.kind = NET_PROGRAM_PING_PONG,
                                                      .nodes = 64,
                                                      .bytes = 100,
                                                      .rounds = 1,
                                                      .to = 63});
    for (unsigned engine = NET_REPLAY_FLITS; engine <= NET_REPLAY_WORMS; engine++) {
        NetReplayChannels channels;
        const NetReplay replay = {.programs = programs,
                                  .topology = "clos=4x4",
                                  .times = net_node_times,
                                  .engine = (NetReplayEngine)engine};
        run(replay, &channels);
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
        uint32_t order[ALL], last[NODES] = {0};
        Script script = {.count = {0}};
        for (unsigned i = 0; i < ALL; i++) {
            do
                order[i] = 1 + jm_rng_below(&rng, NODES - 1);
            while (script.count[order[i]] == 2 * EACH);
            add(&script, order[i],
                (NetOp){.kind = NET_OP_COMPUTE, .amount = 90 * (i - last[order[i]])});
            add(&script, order[i], (NetOp){.kind = NET_OP_POST, .amount = 4});
            last[order[i]] = i;
        }
        add(&script, 0, (NetOp){.kind = NET_OP_COMPUTE, .amount = 100 * ALL});
        for (unsigned left = ALL; left > 0; left--) {
            const bool any = jm_rng_below(&rng, 3) == 0;
            const uint32_t wanted = order[any ? 0 : jm_rng_below(&rng, left)];
            unsigned taken = 0;
            while (order[taken] != wanted)
                taken++;
            memmove(order + taken, order + taken + 1,
                    (left - taken - 1) * sizeof *order);
            add(&script, 0,
                (NetOp){.kind = NET_OP_RECEIVE, .node = any ? NET_NONE : wanted});
        }
        NetPrograms *programs = programs_of(&script, NODES);
        const NetReplay replay = {
            .programs = programs, .topology = "clos=2x2", .engine = NET_REPLAY_WORMS};
        const NetReplayFigures figures = run(replay, NULL);
        cr_expect_eq(figures.messages, ALL);
        cr_expect_eq(figures.cycles, 100 * ALL);
        net_programs_destroy(programs);
    }
}

/* ---- figures --------------------------------------------------------------------- */

/* How packets go, and nodes work. */
typedef enum { AT_ONCE, STORED, TIMED } Kind;

static const NetNodeTimes some_times = {
    .setup = 10, .accept = 20, .packet = 30, .reorder = 40};

/* Of packets of n bytes, which are n + 2 flits. */
typedef struct {
    const char *text, *topology;
    Kind kind;
    uint64_t cycles, messages, packets;
    double away, idle, total, effective;
} Counted;

/* The first flit of what is handed over in cycle 0 leaves in cycle 1, the last of n in
 * cycle n; cycle n + 1 is told of it. A channel on it comes to the next, and the cycle
 * after the last knows what has come. Nodes without a program are idle for none. */
static const Counted counted[] = {
    /* Three share the channel to node 3, in turn, each for 102 cycles. */
    {"node 0;post 3 100;node 1;post 3 100;node 2;post 3 100;"
     "node 3;receive any;receive any;receive any;",
     "clos=1x1", AT_ONCE, 1 + 3 * 102 + 1, 3, 3, (102 + 204 + 306) / 3. + 1, 308 / 4.,
     (0 + 102 + 204) / 3., (0 + 102 + 204) / 3.},
    /* 300 bytes are packets of 128, 128 and 44, each handed over when the one before
     * has left: a cycle is lost between two. */
    {"node 1;post 2 300;node 2;receive 1;", "clos=1x1", AT_ONCE,
     (130 + 1) + (130 + 1) + (46 + 1) + 1, 1, 3, (131 + 131 + 47) / 3., 310 / 4., 0, 0},
    /* Set up, with pauses between packets, and accepted, which is not idle; in order,
     * so that there is nothing to reorder. */
    {"node 1;post 2 300;node 2;receive 1;", "clos=1x1", TIMED,
     10 + 131 + 30 + 131 + 30 + 47 + 1 + 20, 1, 3, (131 + 131 + 47) / 3., 380 / 4., 0,
     0},
    /* Three channels to another router, over either of four layers. */
    {"node 0;post 4 10;node 4;receive 0;", "clos=1x1,levels=2,layer=turns", TIMED,
     10 + 12 + 3 + 1 + 20 + 40, 1, 1, 13, 26 / 16., 0, 0},
    /* Stored, a packet of 102 flits waits for its own at two routers, for 101 cycles at
     * each, and enters the last channel 102 cycles later, too. */
    {"node 0;post 15 100;node 15;receive 0;", "clos=2x2", STORED, 3 * 102 + 102 + 1, 1,
     1, 103, 409 / 16., 2 * 101, 0},
    /* Its acknowledgement of 8 flits, which waits too, is no packet of data. */
    {"node 0;send 15 100;node 15;receive 0;", "clos=2x2", STORED,
     3 * 102 + 102 + 1 + 3 * 8 + 8 + 1, 1, 1, 103, 409 / 16., 2 * 101, 0},
};

Test(programs, figures_are_those_counted_by_hand) {
    for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++) {
        const Counted *row = &counted[i];
        NetPrograms *programs =
            read_lines(row->text, strcmp(row->topology, "clos=1x1") ? 16 : 4);
        for (unsigned engine = row->kind == STORED ? NET_REPLAY_WORMS
                                                   : NET_REPLAY_FLITS;
             engine <= NET_REPLAY_WORMS; engine++) {
            NetReplay replay = {.programs = programs,
                                .topology = row->topology,
                                .engine = (NetReplayEngine)engine,
                                .stored = row->kind == STORED};
            if (row->kind == TIMED)
                replay.times = some_times;
            const NetReplayFigures f = run(replay, NULL);
            cr_expect(f.complete);
            cr_expect_eq(f.cycles, row->cycles, "row %zu: T %u", i, (unsigned)f.cycles);
            cr_expect_eq(f.messages, row->messages);
            cr_expect_eq(f.packets, row->packets);
            cr_expect_eq(f.send_away, row->away, "row %zu: %g", i, f.send_away);
            cr_expect_eq(f.receive_idle, row->idle, "row %zu: %g", i, f.receive_idle);
            const bool flits = engine == NET_REPLAY_FLITS;
            cr_expect_str_eq(f.engine, flits ? "flits" : "worms");
            cr_expect(flits ? isnan(f.blocking_total) : f.blocking_total == row->total,
                      "row %zu: %g", i, f.blocking_total);
            cr_expect(flits ? isnan(f.blocking_effective)
                            : f.blocking_effective == row->effective,
                      "row %zu: %g", i, f.blocking_effective);
        }
        net_programs_destroy(programs);
    }
}

/* A run that is cut short: the cycles waited by then, over all nodes. */
Test(programs, figures_of_a_run_that_is_cut_short) {
    NetPrograms *programs = read_lines(counted[0].text, 4);
    for (unsigned engine = NET_REPLAY_FLITS; engine <= NET_REPLAY_WORMS; engine++) {
        const NetReplay replay = {.programs = programs,
                                  .topology = "clos=1x1",
                                  .engine = (NetReplayEngine)engine,
                                  .most_cycles = 250};
        const NetReplayFigures f = run(replay, NULL);
        cr_expect_not(f.complete);
        cr_expect(f.messages == 3 && f.packets == 3);
        cr_expect_eq(f.receive_idle, (1 + 2 * 102 + 1) / 4., "%u: %g", engine,
                     f.receive_idle);
        cr_expect_eq(f.send_away, (102 + 204 + 2) / 3., "%u: %g", engine, f.send_away);
    }
    net_programs_destroy(programs);
}

/* All packets are of data, so what the channels have counted is what they have
 * waited. */
Test(programs, packets_wait_at_channels) {
    enum { NODES = 16 };
    static const char *const shapes[] = {"clos=2x2", "clos=2x2,places=7",
                                         "torus=4x4,ends=0,places=3"};
    JmRng rng = jm_rng(8);
    for (unsigned i = 0; i < 6; i++) {
        uint64_t packets = 0, total = 0, effective = 0;
        NetPrograms *programs = random_programs(&rng, NODES, 20 * NODES, true);
        for (uint32_t op = 0; op < programs->start[NODES]; op++)
            if (programs->ops[op].kind == NET_OP_POST)
                packets += (programs->ops[op].amount + 127) / 128;
        NetReplayChannels channels;
        const NetReplay replay = {.programs = programs,
                                  .topology = shapes[i / 2],
                                  .engine = NET_REPLAY_WORMS,
                                  .stored = i % 2};
        const NetReplayFigures f = run(replay, &channels);
        for (uint32_t c = 0; c < channels.count; c++) {
            const NetReplayChannel *channel = &channels.items[c];
            cr_expect_geq(channel->total, channel->effective);
            total += channel->total;
            effective += channel->effective;
        }
        cr_expect_eq(f.packets, packets);
        cr_expect(i % 2 == 0 || total > effective);
        cr_expect(effective > 0);
        cr_expect_float_eq(f.blocking_total * (double)packets, (double)total, 1e-6);
        cr_expect_float_eq(f.blocking_effective * (double)packets, (double)effective,
                           1e-6);
        free(channels.items);
        net_programs_destroy(programs);
    }
}

/* Packets of a lower router take its four layers in turn, from the first on, whichever
 * of its nodes sends them. Its first channels are the wires up, by layer. */
Test(programs, layers_are_taken_in_turn) {
    static const struct {
        const char *text;
        unsigned packets[4];
    } rows[] = {
        {"node 0;post 4 1;node 4;receive 0;", {1, 0, 0, 0}},
        {"node 3;post 4 700;node 4;receive 3;", {2, 2, 1, 1}},
        {"node 1;post 15 9;compute 999;node 2;compute 99;post 9 128;", {1, 1, 0, 0}},
    };
    for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        NetPrograms *programs = read_lines(rows[i / 2].text, 16);
        NetReplayChannels channels;
        const NetReplay replay = {.programs = programs,
                                  .topology = "clos=1x1,levels=2,layer=turns",
                                  .engine =
                                      i % 2 ? NET_REPLAY_FLITS : NET_REPLAY_WORMS};
        run(replay, &channels);
        for (unsigned layer = 0; layer < 4; layer++)
            cr_expect_eq(channels.items[layer].packets, rows[i / 2].packets[layer],
                         "row %zu, layer %u: %u", i, layer,
                         (unsigned)channels.items[layer].packets);
        free(channels.items);
        net_programs_destroy(programs);
    }
}
