/* The models `programs` and `counted`: message-passing programs on a Mesh of Clos
 * (Pimentel and Hertzberger). `programs` runs each point together with its references:
 * one flit buffer, the Mesh of Clos(3,2), the fixed layer. `counted` counts routers,
 * wires and routes of the network, messages and partners of its programs, and packets
 * of a short run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "net/graph/walk.h"
#include "net/programs/replay.h"
#include "net/topology/topology.h"
#include "tools/exp/models/parts.h"
#include "tools/host/memory.h"

/* A flit takes 0.1 microseconds: with that the blocking times of section 4.2 come out
 * as printed. */
#define CYCLE_US 0.1

#define MOST_CYCLES (UINT64_C(1) << 38) /* of a run */

enum { RADIX = 4, TEXT_MAX = 100 };

/* A Mesh of Clos. */
typedef struct {
    bool upper;     /* Clos(3,1), not Clos(3,2) */
    unsigned layer; /* its index among the strategies */
    unsigned buffers;
} Network;

static Network network_of(const Settings *settings) {
    return (Network){model_choice(settings, "clos") == 1,
                     model_choice(settings, "layer"),
                     model_whole_or(settings, "flit_buffers", 1)};
}

static NetProgramKind kind_of(const Settings *settings) {
    return (NetProgramKind)model_choice(settings, "bench");
}

static unsigned side_of(unsigned clusters) {
    unsigned side = 1;
    while (side * side < clusters)
        side++;
    return side;
}

/* Writes the specification of a network, and what it asks of the parameters. */
static bool specify(const Network *network, unsigned nodes, char text[TEXT_MAX],
                    NetParams *params, JmError *error) {
    const unsigned cluster = network->upper ? RADIX * RADIX : RADIX;
    const unsigned side = side_of(nodes / cluster);
    if (side * side * cluster != nodes)
        return jm_fail(error, NULL, "%u nodes make no square of clusters", nodes);
    snprintf(text, TEXT_MAX, "clos=%ux%u,levels=%d,places=%u,layer=%u", side, side,
             network->upper ? 2 : 1, network->buffers, network->layer);
    return net_specification_params(text, params, error);
}

/* ---- programs: a run ------------------------------------------------------------- */

enum { MESH_ROUTERS = 16, BOTTOM_ROW = 12 };

/* A program's run, apart from the settings that the references vary. */
typedef struct {
    const Settings *settings;
    NetPrograms *programs;
    NetNodeTimes times;
    uint64_t seed;
    unsigned nodes;
    JmError *error;
} Bench;

/* A run, and the mean wait of the heads at each router of the Mesh of Clos(3,2). */
typedef struct {
    NetReplayFigures figures;
    double router[MESH_ROUTERS];
} Outcome;

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
    char topology[TEXT_MAX];
    NetReplayChannels channels;
    NetParams params = net_params_default();
    const NetReplay replay = {.programs = bench->programs,
                              .topology = topology,
                              .params = &params,
                              .times = bench->times,
                              .stored = model_whole(bench->settings, "stored"),
                              .seed = bench->seed,
                              .most_cycles = MOST_CYCLES};
    if (!specify(network, bench->nodes, topology, &params, bench->error) ||
        !net_replay(&replay, &outcome->figures, &channels, bench->error))
        return false;
    note_routers(&channels, outcome);
    free(channels.items);
    return true;
}

/* The node this many steps of the mesh away from node 0, along the row first. */
static unsigned node_at(unsigned steps, unsigned nodes) {
    const unsigned side = side_of(nodes / RADIX);
    const unsigned x = steps < side ? steps : side - 1, y = steps - x;
    return steps == 0 ? 1 : (y * side + x) * RADIX;
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
    const Network network = network_of(point->settings);
    const bool good = compare(&bench, &network, record);
    net_programs_destroy(bench.programs);
    return good;
}

/* ---- counted: routers ------------------------------------------------------------ */

typedef struct {
    const Settings *settings;
    char topology[TEXT_MAX];
    NetParams params;
    NetGraph *graph;
    NetProgramPlan plan;
    uint64_t seed;
} Counted;

/* Points that feed the same channel enter the router that this channel leaves. Element
 * p of `set` stands for the input of point p, element `points` + c for the output of
 * channel c. */
static uint32_t root_of(const uint32_t *set, uint32_t i) {
    while (set[i] != i)
        i = set[i];
    return i;
}

static void join(uint32_t *set, uint32_t a, uint32_t b) {
    set[root_of(set, a)] = root_of(set, b);
}

static uint32_t *find_routers(const NetGraph *graph) {
    const uint32_t points = net_graph_points(graph);
    uint32_t *set = memory_array(points + graph->channels, sizeof *set);
    for (uint32_t i = 0; i < points + graph->channels; i++)
        set[i] = i;
    for (uint32_t c = 0; c < graph->channels; c++)
        for (uint32_t i = graph->feeder_start[c]; i < graph->feeder_start[c + 1]; i++)
            join(set, graph->feeders[i], points + c);
    return set;
}

static bool is_of_mesh(const NetGraph *graph, uint32_t c) {
    return graph->wire[c] != NET_NONE && graph->label[c].dimension < 2;
}

static bool is_up(const NetGraph *graph, uint32_t c) {
    return graph->wire[c] != NET_NONE && graph->label[c].dimension == 2 &&
           !graph->label[c].downward;
}

static void count_routers(const NetGraph *graph, uint32_t *set, Result *record) {
    const uint32_t points = net_graph_points(graph), first = points;
    unsigned routers = 0, most = 0, layers = 0, mesh = 0, up = 0;
    for (uint32_t i = 0; i < points + graph->channels; i++) {
        unsigned in = 0;
        for (uint32_t p = 0; root_of(set, i) == i && p < graph->channels; p++)
            in += graph->wire[p] != NET_NONE && root_of(set, p) == i;
        for (uint32_t n = 0; root_of(set, i) == i && n < graph->nodes; n++)
            in += root_of(set, net_graph_source(graph, n, 0)) == i;
        routers += in > 0;
        most = in > most ? in : most;
    }
    for (uint32_t c = 0; c < graph->channels; c++) {
        mesh += is_of_mesh(graph, c);
        up += is_up(graph, c);
    }
    /* Routers joined by the mesh form a layer. */
    for (uint32_t c = 0; c < graph->channels; c++)
        if (is_of_mesh(graph, c))
            join(set, first + c, c);
    for (uint32_t i = 0; i < points + graph->channels; i++) {
        bool joined = false;
        for (uint32_t c = 0; !joined && c < graph->channels; c++)
            joined =
                root_of(set, i) == i && is_of_mesh(graph, c) && root_of(set, c) == i;
        layers += joined;
    }
    result_add(record, "counted_nodes", graph->nodes);
    result_add(record, "counted_routers", routers);
    result_add(record, "router_channels", most);
    result_add(record, "counted_layers", layers);
    result_add(record, "mesh_channels", mesh / 2.);
    result_add(record, "up_channels", up);
}

/* ---- counted: routes ------------------------------------------------------------- */

typedef struct {
    unsigned steps; /* of the mesh */
    bool turned;    /* from the second dimension back into the first */
    unsigned layer; /* a bit for each dimension that it was in */
} Route;

static Route route(const NetGraph *graph, uint32_t from, uint32_t to) {
    const uint32_t address = net_graph_address(graph, from, to, 0);
    uint32_t at = graph->next(graph, net_graph_source(graph, from, 0), address);
    bool second = false;
    Route r = {0};
    for (; at < graph->channels; at = graph->next(graph, at, address)) {
        if (!is_of_mesh(graph, at))
            continue;
        r.steps++;
        r.turned |= second && graph->label[at].dimension == 0;
        second |= graph->label[at].dimension == 1;
        r.layer |= 1u << graph->group[graph->wire[at]];
    }
    return r;
}

static void count_routes(const NetGraph *graph, Result *record) {
    unsigned turned = 0, most_layers = 0;
    JmError ignored;
    for (uint32_t from = 0; from < graph->nodes; from++) {
        unsigned layers = 0, count = 0;
        for (uint32_t to = 0; to < graph->nodes; to++) {
            const Route r = route(graph, from, to);
            turned += r.turned;
            layers |= r.layer;
        }
        for (; layers; layers &= layers - 1)
            count++;
        most_layers = count > most_layers ? count : most_layers;
    }
    result_add(record, "turned_routes", turned);
    result_add(record, "source_layers", most_layers);
    result_add(record, "circle_free", net_graph_check_walks(graph, &ignored));
}

/* ---- counted: programs ----------------------------------------------------------- */

static void count_program(const Counted *c, const NetPrograms *programs,
                          Result *record) {
    const uint32_t n = programs->nodes;
    double sends = 0, equal = 0, unequal = 0, turns = 0, pairs = 0;
    unsigned least = UINT32_MAX, most = 0;
    for (uint32_t node = 0; node < n; node++)
        for (uint32_t i = programs->start[node]; i < programs->start[node + 1]; i++) {
            const NetOp *op = &programs->ops[i];
            if (i > programs->start[node]) {
                pairs++;
                turns += op->kind != op[-1].kind;
            }
            if (op->kind != NET_OP_SEND)
                continue;
            const unsigned steps = route(c->graph, node, op->node).steps;
            sends++;
            equal += op->node == (n / 2 + node) % n;
            unequal += op->node == n - 1 - node;
            least = steps < least ? steps : least;
            most = steps > most ? steps : most;
        }
    result_add(record, "sends", sends);
    result_add(record, "equal_partners", equal / sends);
    result_add(record, "unequal_partners", unequal / sends);
    result_add(record, "in_turn", turns / pairs);
    result_add(record, "least_steps", least);
    result_add(record, "most_steps", most);
}

/* Traffic up from the first lower router, and arrivals at all nodes. */
static void count_packets(const Counted *c, const NetReplayFigures *figures,
                          const NetReplayChannels *channels, Result *record) {
    double arrived = 0, sum = 0, most = 0, least = INFINITY;
    unsigned used = 0;
    for (uint32_t i = 0; i < channels->count; i++) {
        const double packets = (double)channels->items[i].packets;
        if (!channels->items[i].has_wire)
            arrived += packets;
        if (!is_up(c->graph, i) || c->graph->label[i].node != 0)
            continue;
        sum += packets;
        used += packets > 0;
        most = fmax(most, packets);
        least = fmin(least, packets);
    }
    const double messages = (double)figures->messages, data = (double)figures->packets;
    result_add(record, "message_packets", data / messages);
    result_add(record, "packet_flits",
               c->params.header_flits + c->plan.bytes * messages / data);
    result_add(record, "acknowledgements", (arrived - data) / messages);
    result_add(record, "layers_used", used);
    result_add(record, "layers_apart", most - least);
    result_add(record, "layers_most", most / sum);
}

/* By both engines, with the same rule for heads that arrive in the same cycle. */
static bool run_both(const Counted *c, const NetPrograms *programs, Result *record,
                     JmError *error) {
    NetReplayFigures worms, flits;
    NetReplayChannels channels;
    NetReplay by = {.programs = programs,
                    .topology = c->topology,
                    .params = &c->params,
                    .times = net_node_times,
                    .engine = NET_REPLAY_WORMS,
                    .seed = c->seed,
                    .most_cycles = MOST_CYCLES};
    if (!net_replay(&by, &worms, &channels, error))
        return false;
    count_packets(c, &worms, &channels, record);
    free(channels.items);
    by.engine = NET_REPLAY_FLITS;
    if (!net_replay(&by, &flits, NULL, error))
        return false;
    result_add(record, "run_cycles", (double)worms.cycles);
    result_add(record, "engines_apart", (double)worms.cycles - (double)flits.cycles);
    return true;
}

static bool generate(const Counted *c, bool whole, Result *record, JmError *error) {
    NetProgramPlan plan = c->plan;
    const unsigned sent = model_whole(c->settings, "sent");
    plan.rounds = whole ? net_program_rounds(plan.kind, plan.nodes)
                  : plan.kind >= NET_PROGRAM_ROOTED    ? 1
                  : plan.kind == NET_PROGRAM_PING_PONG ? sent
                  : sent < plan.nodes                  ? 1
                                                       : sent / plan.nodes;
    NetPrograms *programs = net_programs_generate(&plan, error);
    if (programs && whole)
        count_program(c, programs, record);
    const bool good = programs && (whole || run_both(c, programs, record, error));
    net_programs_destroy(programs);
    return good;
}

bool solve_counted(ModelPoint *point, Result *record, JmError *error) {
    Counted c = {.settings = point->settings,
                 .seed = point->seed,
                 .params = net_params_default()};
    const Network network = network_of(c.settings);
    const unsigned nodes = model_whole(c.settings, "clos_nodes");
    c.params.ties = 1;
    if (!specify(&network, nodes, c.topology, &c.params, error) ||
        !(c.graph = net_topology_build(c.topology, &c.params, error)))
        return false;
    c.plan = (NetProgramPlan){.kind = kind_of(c.settings),
                              .nodes = nodes,
                              .bytes = model_whole(c.settings, "bytes"),
                              .to = nodes - 1};
    uint32_t *routers = find_routers(c.graph);
    count_routers(c.graph, routers, record);
    count_routes(c.graph, record);
    const bool good =
        generate(&c, true, record, error) && generate(&c, false, record, error);
    free(routers);
    net_graph_destroy(c.graph);
    return good;
}
