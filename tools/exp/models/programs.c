/* The model `programs`: message-passing programs on a Mesh of Clos (Pimentel and
 * Hertzberger). Each point is run together with its references: one flit buffer, the
 * Mesh of Clos(3,2), the fixed layer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/programs/replay.h"
#include "tools/exp/models/parts.h"

/* A flit takes 0.1 microseconds: with that the blocking times of section 4.2 come out
 * as printed. */
#define CYCLE_US 0.1

enum { MESH_ROUTERS = 16, BOTTOM_ROW = 12, RADIX = 4 };

/* A program's run, apart from the settings that the references vary. */
typedef struct {
    const Settings *settings;
    NetPrograms *programs;
    NetNodeTimes times;
    uint64_t seed;
    unsigned nodes;
    JmError *error;
} Bench;

typedef struct {
    bool upper;     /* the Mesh of Clos(3,1) */
    unsigned layer; /* its index among the strategies */
    unsigned buffers;
} Network;

/* A run, and the mean wait of the heads at each router of the Mesh of Clos(3,2). */
typedef struct {
    NetReplayFigures figures;
    double router[MESH_ROUTERS];
} Outcome;

static unsigned word_place(const Settings *settings, const char *name,
                           const char *const *words) {
    const char *text = settings_text(settings, name);
    unsigned i = 0;
    while (text && words[i] && strcmp(words[i], text) != 0)
        i++;
    return text && words[i] ? i : 0;
}

static unsigned layer_of(const Settings *settings) {
    static const char *const words[] = {"fixed",     "Random",  "RoundRobin",
                                        "IdleFixed", "IdleRnd", NULL};
    return word_place(settings, "layer", words);
}

static bool is_upper(const Settings *settings) {
    static const char *const words[] = {"clos_3_2", "clos_3_1", NULL};
    return word_place(settings, "clos", words) == 1;
}

static unsigned side_of(unsigned clusters) {
    unsigned side = 1;
    while (side * side < clusters)
        side++;
    return side;
}

static bool specify(const Bench *bench, const Network *network, char *text,
                    size_t size) {
    static const char *const layers[] = {"fixed", "random", "turns", "idle_fixed",
                                         "idle_random"};
    const unsigned clusters = bench->nodes / (network->upper ? RADIX * RADIX : RADIX);
    const unsigned side = side_of(clusters);
    if (side * side != clusters)
        return jm_fail(bench->error, "jm exp", "%u nodes make no square of clusters",
                       bench->nodes);
    snprintf(text, size, "clos=%ux%u,levels=%d,places=%u,layer=%s", side, side,
             network->upper ? 2 : 1, network->buffers, layers[network->layer]);
    return true;
}

static void note_routers(const NetReplayChannels *channels, Outcome *outcome) {
    double waits[MESH_ROUTERS] = {0}, packets[MESH_ROUTERS] = {0};
    for (uint32_t i = 0; i < channels->count; i++) {
        const NetReplayChannel *c = &channels->items[i];
        const unsigned router = c->node / RADIX;
        if (router >= MESH_ROUTERS)
            continue;
        waits[router] += (double)c->total;
        packets[router] += (double)c->packets;
    }
    for (unsigned i = 0; i < MESH_ROUTERS; i++)
        outcome->router[i] = packets[i] > 0 ? waits[i] / packets[i] : 0;
}

static bool run(const Bench *bench, const Network *network, Outcome *outcome) {
    char topology[80];
    NetReplayChannels channels;
    NetParams params = net_params_default();
    if (!specify(bench, network, topology, sizeof topology) ||
        !net_specification_params(topology, &params, bench->error))
        return false;
    const NetReplay replay = {.programs = bench->programs,
                              .topology = topology,
                              .params = &params,
                              .times = bench->times,
                              .stored = model_whole(bench->settings, "stored"),
                              .seed = bench->seed,
                              .most_cycles = UINT64_C(1) << 38};
    if (!net_replay(&replay, &outcome->figures, &channels, bench->error))
        return false;
    note_routers(&channels, outcome);
    free(channels.items);
    return true;
}

/* ---- the program ----------------------------------------------------------------- */

/* The node this many steps of the mesh away from node 0, along the row first. */
static unsigned node_at(unsigned steps, unsigned nodes) {
    const unsigned side = side_of(nodes / RADIX);
    const unsigned x = steps < side ? steps : side - 1, y = steps - x;
    return steps == 0 ? 1 : (y * side + x) * RADIX;
}

static NetProgramKind kind_of(const Settings *settings) {
    static const char *const words[] = {"ping-pong",          "equal-dist",
                                        "unequal-dist",       "all-to-all",
                                        "all-to-all-shifted", NULL};
    return (NetProgramKind)word_place(settings, "bench", words);
}

/* Pairwise: `sent` messages in all; all-to-all: `exchanges`. */
static unsigned rounds_of(const Settings *settings, NetProgramKind kind,
                          unsigned nodes) {
    if (kind == NET_PROGRAM_PING_PONG)
        return 1;
    if (kind >= NET_PROGRAM_ROOTED)
        return model_whole(settings, "exchanges");
    const unsigned rounds = model_whole(settings, "sent") / nodes;
    return rounds ? rounds : 1;
}

static bool make_bench(ModelPoint *point, Bench *bench, JmError *error) {
    const Settings *settings = point->settings;
    const NetProgramKind kind = kind_of(settings);
    *bench = (Bench){.settings = settings,
                     .seed = point->seed,
                     .nodes = model_whole(settings, "clos_nodes"),
                     .error = error};
    if (!model_whole(settings, "raw")) {
        bench->times = net_node_times;
        if (settings_text(settings, "packet_pause"))
            bench->times.packet = model_whole(settings, "packet_pause");
    }
    const NetProgramPlan plan = {
        .kind = kind,
        .nodes = bench->nodes,
        .bytes = model_whole(settings, "bytes"),
        .rounds = rounds_of(settings, kind, bench->nodes),
        .to = node_at(model_whole(settings, "mesh_steps"), bench->nodes)};
    bench->programs = net_programs_generate(&plan, error);
    return bench->programs != NULL;
}

/* ---- figures --------------------------------------------------------------------- */

/* The run's time with as many messages as in the paper: it is linear in their
 * number. */
static double paper_time(const Bench *bench, const Outcome *outcome) {
    const NetProgramKind kind = kind_of(bench->settings);
    const double rounds = net_program_rounds(kind, bench->nodes);
    return (double)outcome->figures.cycles * rounds /
           rounds_of(bench->settings, kind, bench->nodes);
}

static double ratio(const Outcome *a, const Outcome *b) {
    return (double)a->figures.cycles / (double)b->figures.cycles;
}

static void add_own(const Bench *bench, const Outcome *own, Result *record) {
    const NetReplayFigures *f = &own->figures;
    result_add(record, "run_time", paper_time(bench, own));
    result_add(record, "run_cycles", (double)f->cycles);
    result_add(record, "message_time", (double)f->cycles / (double)f->messages);
    result_add(record, "effective_blocking", f->blocking_effective * CYCLE_US);
    result_add(record, "total_blocking", f->blocking_total * CYCLE_US);
    result_add(record, "send_away", f->send_away);
    result_add(record, "receive_idle", f->receive_idle);
}

/* Relative to the same network with one buffer. */
static void add_speedup(const Outcome *own, const Outcome *one, Result *record) {
    double longer = 0, bottom = 0;
    for (unsigned i = 0; i < MESH_ROUTERS; i++) {
        longer += own->router[i] > one->router[i];
        bottom += i >= BOTTOM_ROW && own->router[i] < one->router[i];
    }
    result_add(record, "speedup", ratio(one, own));
    result_add(record, "away_ratio", own->figures.send_away / one->figures.send_away);
    result_add(record, "idle_ratio",
               own->figures.receive_idle / one->figures.receive_idle);
    result_add(record, "routers_longer", longer / MESH_ROUTERS);
    result_add(record, "bottom_shorter", bottom / (MESH_ROUTERS - BOTTOM_ROW));
}

static bool compare(const Bench *bench, const Network *network, Result *record) {
    Outcome own, one, lower, fixed;
    const Network with_one = {network->upper, network->layer, 1};
    const Network below = {false, 0, network->buffers};
    const Network by_source = {network->upper, 0, network->buffers};
    if (!run(bench, network, &own) || !run(bench, &with_one, &one))
        return false;
    add_own(bench, &own, record);
    add_speedup(&own, &one, record);
    if (!network->upper)
        return true;
    if (!run(bench, &below, &lower) || !run(bench, &by_source, &fixed))
        return false;
    result_add(record, "gain", ratio(&lower, &own));
    result_add(record, "log_slower", log(ratio(&own, &fixed)));
    return true;
}

bool solve_programs(ModelPoint *point, Result *record, JmError *error) {
    Bench bench;
    if (!make_bench(point, &bench, error))
        return false;
    const Network network = {is_upper(point->settings), layer_of(point->settings),
                             model_whole(point->settings, "flit_buffers")};
    const bool good = compare(&bench, &network, record);
    net_programs_destroy(bench.programs);
    return good;
}
