/* Points of message-passing programs, against the same runs by direct calls of the
 * library. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "net/net.h"
#include "net/programs/replay.h"
#include "tests/exp/made.h"

enum { SEED = 5, TEXT_MAX = 256, ROUTERS = 16 };

/* A point, and the program and networks that it stands for: its own, the same with one
 * flit of buffer, and, of the Mesh of Clos(3,1), those of Clos(3,2) and of the fixed
 * layer. Messages are fewer than the paper's by a factor. */
typedef struct {
    const char *settings;
    NetProgramPlan plan;
    const char *own, *one;
    double fewer;
    uint32_t pause; /* between packets */
    bool raw, stored;
    const char *lower, *fixed;
} BenchPoint;

#define LOW(places, layer) "clos=2x2,levels=1,places=" places ",layer=" layer

static const BenchPoint points[] = {
    {"bench=equal-dist bytes=300 sent=32",
     {NET_PROGRAM_EQUAL, 16, 300, 2, 0, 1},
     LOW("1", "fixed"),
     LOW("1", "fixed"),
     4096. / 32,
     .pause = 400},
    {"bench=unequal-dist bytes=700 sent=48 flit_buffers=8 packet_pause=20",
     {NET_PROGRAM_UNEQUAL, 16, 700, 3, 0, 1},
     LOW("8", "fixed"),
     LOW("1", "fixed"),
     4096. / 48,
     .pause = 20},
    {"bench=all-to-all bytes=260 exchanges=2 flit_buffers=4 stored=1 raw=1",
     {NET_PROGRAM_ROOTED, 16, 260, 2, 0, 1},
     LOW("4", "fixed"),
     LOW("1", "fixed"),
     32. / 2,
     .raw = true,
     .stored = true},
    {"bench=all-to-all-shifted exchanges=1 flit_buffers=2 raw=1",
     {NET_PROGRAM_SHIFTED, 16, 128, 1, 0, 1},
     LOW("2", "fixed"),
     LOW("1", "fixed"),
     32,
     .raw = true},
};
enum { POINTS = sizeof points / sizeof points[0] };

/* A run, and the mean wait of the heads at each router of four nodes. */
typedef struct {
    NetReplayFigures figures;
    double wait[ROUTERS];
} Outcome;

static Outcome run(const BenchPoint *point, const char *topology) {
    Outcome outcome;
    JmError error;
    NetReplayChannels channels;
    NetParams params = net_params_default();
    NetPrograms *programs = net_programs_generate(&point->plan, &error);
    cr_assert(programs && net_specification_params(topology, &params, &error), "%s",
              error.text);
    NetReplay replay = {.programs = programs,
                        .topology = topology,
                        .params = &params,
                        .times = point->raw ? (NetNodeTimes){0} : net_node_times,
                        .stored = point->stored,
                        .seed = SEED,
                        .most_cycles = 1000000000};
    if (!point->raw)
        replay.times.packet = point->pause;
    cr_assert(net_replay(&replay, &outcome.figures, &channels, &error), "%s: %s",
              topology, error.text);
    for (uint32_t router = 0; router < ROUTERS; router++) {
        double cycles = 0, packets = 0;
        for (uint32_t i = 0; i < channels.count; i++)
            if (channels.items[i].node / 4 == router) {
                cycles += (double)channels.items[i].total;
                packets += (double)channels.items[i].packets;
            }
        outcome.wait[router] = packets > 0 ? cycles / packets : 0;
    }
    free(channels.items);
    net_programs_destroy(programs);
    return outcome;
}

static void expect_own(const json_t *r, const BenchPoint *point, const Outcome *own) {
    const NetReplayFigures *f = &own->figures;
    const double cycles = (double)f->cycles;
    made_expect(r, "run_time", cycles * point->fewer, point->settings);
    made_expect(r, "run_cycles", cycles, point->settings);
    made_expect(r, "message_time", cycles / (double)f->messages, point->settings);
    /* A cycle is a tenth of a microsecond. */
    made_expect(r, "effective_blocking", f->blocking_effective / 10, point->settings);
    made_expect(r, "total_blocking", f->blocking_total / 10, point->settings);
    made_expect(r, "send_away", f->send_away, point->settings);
    made_expect(r, "receive_idle", f->receive_idle, point->settings);
}

/* Routers 12 to 15 are those of the bottom row of the mesh of 4x4. */
static void expect_speedup(const json_t *r, const BenchPoint *point, const Outcome *own,
                           const Outcome *one) {
    double longer = 0, shorter = 0;
    for (unsigned i = 0; i < ROUTERS; i++) {
        longer += own->wait[i] > one->wait[i];
        shorter += i >= 12 && own->wait[i] < one->wait[i];
    }
    made_expect(r, "speedup", (double)one->figures.cycles / (double)own->figures.cycles,
                point->settings);
    made_expect(r, "away_ratio", own->figures.send_away / one->figures.send_away,
                point->settings);
    made_expect(r, "idle_ratio", own->figures.receive_idle / one->figures.receive_idle,
                point->settings);
    made_expect(r, "routers_longer", longer / 16, point->settings);
    made_expect(r, "bottom_shorter", shorter / 4, point->settings);
}

static void expect_point(const BenchPoint *point) {
    char sweep[TEXT_MAX];
    snprintf(sweep, sizeof sweep, "model=programs clos_nodes=%u %s", point->plan.nodes,
             point->settings);
    json_t *record = made_solve(sweep, SEED);
    const Outcome own = run(point, point->own), one = run(point, point->one);
    expect_own(record, point, &own);
    expect_speedup(record, point, &own, &one);
    made_expect(record, "gain",
                point->lower ? (double)run(point, point->lower).figures.cycles /
                                   (double)own.figures.cycles
                             : NAN,
                point->settings);
    made_expect(record, "log_slower",
                point->fixed ? log((double)own.figures.cycles /
                                   (double)run(point, point->fixed).figures.cycles)
                             : NAN,
                point->settings);
    json_decref(record);
}

Test(points_programs, programs) {
    for (unsigned i = 0; i < POINTS; i++)
        expect_point(&points[i]);
}

/* 64 nodes: 4x4 clusters of four, or 2x2 of sixteen. */
Test(points_programs, layers) {
    static const char *const layers[][2] = {{"fixed", "fixed"},
                                            {"Random", "random"},
                                            {"RoundRobin", "turns"},
                                            {"IdleFixed", "idle_fixed"},
                                            {"IdleRnd", "idle_random"}};
    for (unsigned i = 0; i < 5; i++) {
        char settings[TEXT_MAX], own[TEXT_MAX], one[TEXT_MAX];
        const char *form = "clos=2x2,levels=2,places=%d,layer=%s";
        snprintf(settings, sizeof settings,
                 "clos=clos_3_1 bytes=1000 sent=128 raw=1 flit_buffers=4 layer=%s",
                 layers[i][0]);
        snprintf(own, sizeof own, form, 4, layers[i][1]);
        snprintf(one, sizeof one, form, 1, layers[i][1]);
        const BenchPoint point = {settings,
                                  {NET_PROGRAM_EQUAL, 64, 1000, 2, 0, 1},
                                  own,
                                  one,
                                  4096. / 128,
                                  .raw = true,
                                  .lower = "clos=4x4,levels=1,places=4,layer=fixed",
                                  .fixed = "clos=2x2,levels=2,places=4,layer=fixed"};
        expect_point(&point);
    }
}

/* From node 0 so many steps along its row, then down, on a mesh of 4x4 clusters. */
Test(points_programs, ping_pong) {
    static const uint32_t partner[] = {1, 4, 8, 12, 28, 44, 60};
    for (unsigned steps = 0; steps < 7; steps++) {
        char settings[TEXT_MAX];
        snprintf(settings, sizeof settings, "bench=ping-pong bytes=200 mesh_steps=%u",
                 steps);
        const BenchPoint point = {
            settings,
            {NET_PROGRAM_PING_PONG, 64, 200, 1, 0, partner[steps]},
            "clos=4x4,levels=1,places=1,layer=fixed",
            "clos=4x4,levels=1,places=1,layer=fixed",
            1,
            .pause = 400};
        expect_point(&point);
    }
}
