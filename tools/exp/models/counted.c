/* The model `counted`: routers, wires and routes of a Mesh of Clos, messages and
 * partners of its programs, and packets of a short run (Pimentel and Hertzberger). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/graph/walk.h"
#include "net/programs/replay.h"
#include "net/topology/topology.h"
#include "tools/exp/models/parts.h"
#include "tools/host/memory.h"

enum { RADIX = 4, TEXT_MAX = 100 };

typedef struct {
    const Settings *settings;
    char topology[TEXT_MAX];
    NetParams params;
    NetGraph *graph;
    NetProgramPlan plan;
    uint64_t seed;
} Counted;

static unsigned place_of(const Settings *settings, const char *name,
                         const char *const *words) {
    const char *text = settings_text(settings, name);
    unsigned i = 0;
    while (words[i] && strcmp(words[i], text) != 0)
        i++;
    return i;
}

/* ---- routers --------------------------------------------------------------------- */

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

/* ---- routes ---------------------------------------------------------------------- */

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

/* ---- programs -------------------------------------------------------------------- */

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

static bool replay(const Counted *c, const NetPrograms *programs,
                   NetReplayEngine engine, NetReplayFigures *figures,
                   NetReplayChannels *channels, JmError *error) {
    const NetReplay run = {.programs = programs,
                           .topology = c->topology,
                           .params = &c->params,
                           .times = net_node_times,
                           .engine = engine,
                           .seed = c->seed,
                           .most_cycles = UINT64_C(1) << 38};
    return net_replay(&run, figures, channels, error);
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
    if (!replay(c, programs, NET_REPLAY_WORMS, &worms, &channels, error))
        return false;
    count_packets(c, &worms, &channels, record);
    free(channels.items);
    if (!replay(c, programs, NET_REPLAY_FLITS, &flits, NULL, error))
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

static bool specify(Counted *c, JmError *error) {
    static const char *const closes[] = {"clos_3_2", "clos_3_1", NULL},
                             *const layers[] = {"fixed",     "Random",  "RoundRobin",
                                                "IdleFixed", "IdleRnd", NULL},
                             *const words[] = {"fixed", "random", "turns", "idle_fixed",
                                               "idle_random"};
    const bool upper = place_of(c->settings, "clos", closes) == 1;
    const unsigned nodes = model_whole(c->settings, "clos_nodes");
    const unsigned cluster = upper ? RADIX * RADIX : RADIX;
    unsigned side = 1;
    while (side * side * cluster < nodes)
        side++;
    if (side * side * cluster != nodes)
        return jm_fail(error, "jm exp", "%u nodes make no square of clusters", nodes);
    snprintf(c->topology, sizeof c->topology, "clos=%ux%u,levels=%d,layer=%s", side,
             side, upper ? 2 : 1, words[place_of(c->settings, "layer", layers)]);
    c->params = net_params_default();
    c->params.ties = 1;
    return net_specification_params(c->topology, &c->params, error);
}

bool solve_counted(ModelPoint *point, Result *record, JmError *error) {
    static const char *const benches[] = {"ping-pong",          "equal-dist",
                                          "unequal-dist",       "all-to-all",
                                          "all-to-all-shifted", NULL};
    Counted c = {.settings = point->settings, .seed = point->seed};
    if (!specify(&c, error))
        return false;
    const unsigned nodes = model_whole(c.settings, "clos_nodes");
    c.plan =
        (NetProgramPlan){.kind = (NetProgramKind)place_of(c.settings, "bench", benches),
                         .nodes = nodes,
                         .bytes = model_whole(c.settings, "bytes"),
                         .to = nodes - 1};
    c.graph = net_topology_build(c.topology, &c.params, error);
    if (!c.graph)
        return false;
    uint32_t *routers = find_routers(c.graph);
    count_routers(c.graph, routers, record);
    count_routes(c.graph, record);
    const bool good =
        generate(&c, true, record, error) && generate(&c, false, record, error);
    free(routers);
    net_graph_destroy(c.graph);
    return good;
}
