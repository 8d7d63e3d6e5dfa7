/* The command `jm net check`: routes, distances and cycles of a network, and the bound
 * of a pattern of traffic. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "net/graph/walk.h"
#include "net/topology/topology.h"
#include "net/traffic/load.h"
#include "tools/host/host.h"
#include "tools/host/memory.h"
#include "tools/host/outputs.h"
#include "tools/host/values.h"
#include "tools/jm/commands.h"
#include "tools/model/request.h"
#include "tools/net/net.h"

static const char command[] = "jm net check";

typedef struct {
    FrameAsked asked;
    const char *topology, *pattern, *param;
    uint32_t from, to; /* nodes whose route is printed; NO_NODE: not asked for */
    bool json;
} Request;

/* The findings. */
typedef struct {
    uint64_t pairs, wires; /* of different nodes; of the routes between them */
    unsigned most_wires;
    bool needs_atomic;  /* no circle only if a channel holds flits of one message */
    double gamma, ends; /* of the pattern */
    char fullest[64];
} Findings;

/* Walking all pairs of this many nodes takes some 20 seconds. */
enum { MOST_NODES = 4096, NO_NODE = MOST_NODES };

/* Returns the source at which messages from one node to another begin. */
static uint32_t start_of(const NetGraph *graph, uint32_t from, uint32_t address) {
    const uint32_t start =
        graph->terminal ? graph->terminal(graph, from, address) : from;
    return net_graph_source(graph, start, 0);
}

/* Wires between two nodes, by the route of `next`. */
static unsigned distance(const NetGraph *graph, uint32_t from, uint32_t to) {
    const uint32_t address = net_graph_address(graph, from, to, 0);
    uint32_t at = start_of(graph, from, address);
    unsigned wires = 0;
    for (; at < net_graph_first_sink(graph); at = graph->next(graph, at, address))
        wires += graph->wire[at] != NET_NONE;
    return wires;
}

static void measure_distances(const NetGraph *graph, Findings *found) {
    for (uint32_t from = 0; from < graph->nodes; from++)
        for (uint32_t to = 0; net_graph_is_address(graph, from) && to < graph->nodes;
             to++) {
            if (from == to || !net_graph_is_address(graph, to))
                continue;
            const unsigned wires = distance(graph, from, to);
            found->pairs++;
            found->wires += wires;
            found->most_wires = wires > found->most_wires ? wires : found->most_wires;
        }
}

/* Prints the channels of a route, a line each. With adaptive routing it is the escape
 * route, on which no cyclic waiting can occur. */
static void print_route(const NetGraph *graph, uint32_t from, uint32_t to) {
    const uint32_t address = net_graph_address(graph, from, to, 0);
    uint32_t at = start_of(graph, from, address);
    char name[32];
    graph->node_name(graph, from, name, sizeof name);
    printf("from          %s%s\n", name,
           graph->choices ? ", by the way that is always open" : "");
    for (at = graph->next(graph, at, address); at < net_graph_first_sink(graph);
         at = graph->next(graph, at, address)) {
        const NetLabel *label = &graph->label[at];
        graph->node_name(graph, label->node, name, sizeof name);
        printf("channel       %u at %s", at, name);
        if (graph->wire[at] != NET_NONE)
            printf(", wire %u, lane %u", graph->wire[at], net_graph_lane(graph, at));
        putchar('\n');
    }
    graph->node_name(graph, graph->label[at].node, name, sizeof name);
    printf("to            %s, %u wires\n", name, distance(graph, from, to));
}

/* The first terminal of a processor, which is its address. */
static uint32_t first_of(const NetGraph *graph, uint32_t processor) {
    uint32_t node = 0;
    while (graph->processor && graph->processor[node] != processor)
        node++;
    return graph->processor ? node : processor;
}

/* Finds the load of the fullest wire under the pattern. */
static bool find_bound(const NetGraph *graph, const NetParams *params,
                       const Request *request, Findings *found, JmError *error) {
    if (!request->pattern)
        return true;
    unsigned flits;
    NetLoads loads;
    char *text = memory_text("pattern=%s", request->pattern);
    const bool good = net_load_bound(graph, params, text, &flits, &loads, error);
    free(text);
    if (!good)
        return false;
    found->gamma = loads.gamma;
    found->ends = loads.ends;
    net_graph_wire_name(graph, loads.fullest, found->fullest, sizeof found->fullest);
    free(loads.wire);
    return true;
}

static void print(const NetGraph *graph, const Request *request,
                  const Findings *found) {
    const uint32_t processors = net_graph_processors(graph);
    printf("processors    %u, with %u terminals\n", processors, graph->nodes);
    printf("channels      %u\n", graph->channels);
    printf("wires         %u\n", graph->wires);
    if (found->pairs)
        printf("distance      %.6g wires on average, %u at most\n",
               (double)found->wires / (double)found->pairs, found->most_wires);
    printf("routes        %s, all walked; no channels wait in a circle%s\n",
           graph->choices ? "several a message" : "one a message",
           found->needs_atomic ? " if each holds one message: --param atomic=1" : "");
    if (!request->pattern)
        return;
    printf("pattern       %s: fullest wire %s, gamma %.9g flits a cycle\n",
           JM_SHOWN(request->pattern), found->fullest, found->gamma);
    printf("ideal         %.9g flits a cycle and node\n", 1 / found->gamma);
    if (found->ends > found->gamma)
        printf("ends          one node receives %.9g flits a cycle: %.9g a node\n",
               found->ends, 1 / found->ends);
}

static bool write_json(const NetGraph *graph, const Request *request,
                       const Findings *found, JmError *error) {
    JmOutFile file;
    json_t *root = json_pack(
        "{s:o,s:i,s:i,s:i,s:i,s:{s:o,s:i},s:b}", "topology",
        jvalue_text(request->topology), "processors", (int)net_graph_processors(graph),
        "terminals", (int)graph->nodes, "channels", (int)graph->channels, "wires",
        (int)graph->wires, "distance", "mean",
        jvalue_number((double)found->wires / (double)found->pairs), "most",
        (int)found->most_wires, "needs_atomic", found->needs_atomic);
    if (request->pattern) {
        json_object_set_new(root, "pattern", jvalue_text(request->pattern));
        json_object_set_new(root, "gamma", jvalue_number(found->gamma));
        json_object_set_new(root, "ideal", jvalue_number(1 / found->gamma));
        json_object_set_new(root, "wire", jvalue_text(found->fullest));
        json_object_set_new(root, "ends", jvalue_number(found->ends));
    }
    if (outputs_open(&(Output){&file, "-"}, 1, NULL, error))
        return model_commit_json(&file, root, error);
    json_decref(root);
    return false;
}

/* Whether both ends of the requested route exist. */
static bool ends_are_nodes(const NetGraph *graph, const Request *request,
                           JmError *error) {
    const unsigned end[] = {request->from, request->to};
    for (unsigned i = 0; i < 2; i++)
        if (end[i] != NO_NODE && end[i] >= net_graph_processors(graph))
            return jm_fail(error, command, "node %u: there are %u, from 0 on", end[i],
                           net_graph_processors(graph));
    return true;
}

/* Builds the network with parameters, which it gives, and walks all that messages may
 * do on it. NULL and `error`. */
static NetGraph *build(const Request *request, NetParams *params, JmError *error) {
    NetLoad load = {.topology = request->topology, .params = net_params_default()};
    NetGraph *graph = NULL;
    if (net_parameters_set(&load, request->param, command, error))
        graph = net_topology_build(request->topology, &load.params, error);
    *params = load.params;
    bool good = graph && net_graph_check(graph, error);
    if (good && net_graph_processors(graph) > MOST_NODES)
        good = jm_fail(error, command, "%u nodes are more than %d",
                       net_graph_processors(graph), MOST_NODES);
    if (good && net_graph_check_walks(graph, error) &&
        ends_are_nodes(graph, request, error))
        return graph;
    net_graph_destroy(graph);
    return NULL;
}

static bool check(const Request *request, JmError *error) {
    Findings found = {0};
    NetParams params;
    NetGraph *graph = build(request, &params, error);
    bool good = graph && find_bound(graph, &params, request, &found, error);
    if (good) {
        JmError circle;
        found.needs_atomic = graph->choices && !params.atomic &&
                             !net_graph_check_all_walks(graph, &circle);
        measure_distances(graph, &found);
        if (request->json)
            good = write_json(graph, request, &found, error);
        else
            print(graph, request, &found);
        if (!request->json && request->from != NO_NODE)
            print_route(graph, first_of(graph, request->from),
                        first_of(graph, request->to));
    }
    net_graph_destroy(graph);
    return good;
}

#define OPTIONS "tools/net/check.def"
#define OPTION_FIELDS Request
#include "tools/host/option_table.def"

static const Frame frame = {
    .options = {.command = command, OPTION_TABLE, .alone = true},
    .column = MODEL_COLUMN,
    .head = "Usage: jm net check --topology SPEC\n"
            "Walks all that messages may do on a network: distances, and circles of\n"
            "channels that could deadlock, which are named; and, for a pattern of\n"
            "traffic, the throughput that its fullest wire allows.\n",
};

int net_command_check(int argc, char **argv) {
    Request request = {.from = NO_NODE, .to = NO_NODE};
    JmError error;
    const int status = frame_options(&frame, argc, argv, &request);
    if (status != FRAME_GO_ON)
        return status;
    bool good = option_need(&frame.options, request.asked.given, "topology", &error);
    if (good && (request.from == NO_NODE) != (request.to == NO_NODE))
        good = jm_fail(&error, command, "--from and --to go together");
    good = good && check(&request, &error);
    return good || host_report_for(command, &error) ? EXIT_SUCCESS : EXIT_USAGE;
}
