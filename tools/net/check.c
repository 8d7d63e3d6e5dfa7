/* The command `jm net check`: routes, distances and cycles of a network. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/graph/routes.h"
#include "net/graph/walk.h"
#include "net/topology/topology.h"
#include "tools/host/host.h"
#include "tools/jm/commands.h"
#include "tools/model/request.h"
#include "tools/net/net.h"

typedef struct {
    const char *topology;
    unsigned from, to; /* nodes whose route is printed; NO_NODE: not asked for */
} Request;

/* Walking all pairs of this many nodes takes some 40 seconds. */
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

/* Whether a node is the first of its processor, which is its address. */
static bool is_first(const NetGraph *graph, uint32_t node) {
    return !graph->processor || node == 0 ||
           graph->processor[node] != graph->processor[node - 1];
}

static void print_distances(const NetGraph *graph) {
    uint64_t pairs = 0, sum = 0;
    unsigned most = 0;
    for (uint32_t from = 0; from < graph->nodes; from++)
        for (uint32_t to = 0; is_first(graph, from) && to < graph->nodes; to++) {
            if (from == to || !is_first(graph, to))
                continue;
            const unsigned wires = distance(graph, from, to);
            pairs++;
            sum += wires;
            most = wires > most ? wires : most;
        }
    if (pairs)
        printf("distance      %.6g wires on average, %u at most\n",
               (double)sum / (double)pairs, most);
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

/* Without a table of processors every node is one. */
static uint32_t processor_count(const NetGraph *graph) {
    return graph->processor ? graph->processors : graph->nodes;
}

/* The first terminal of a processor, which is its address. */
static uint32_t first_of(const NetGraph *graph, uint32_t processor) {
    uint32_t node = 0;
    while (graph->processor && graph->processor[node] != processor)
        node++;
    return graph->processor ? node : processor;
}

static void print(const NetGraph *graph) {
    const uint32_t processors = processor_count(graph);
    printf("processors    %u, with %u terminals\n", processors, graph->nodes);
    printf("channels      %u\n", graph->channels);
    printf("wires         %u\n", graph->wires);
    print_distances(graph);
    printf("routes        %s, all walked; no channels wait in a circle\n",
           graph->choices ? "several a message" : "one a message");
}

/* Whether both ends of the requested route exist. */
static bool ends_are_nodes(const NetGraph *graph, const Request *request,
                           JmError *error) {
    const unsigned end[] = {request->from, request->to};
    for (unsigned i = 0; i < 2; i++)
        if (end[i] != NO_NODE && end[i] >= processor_count(graph))
            return jm_fail(error, "jm net check", "node %u: there are %u, from 0 on",
                           end[i], processor_count(graph));
    return true;
}

static int check(const Request *request) {
    JmError error;
    NetParams params = net_params_default();
    NetGraph *graph = NULL;
    if (net_specification_params(request->topology, &params, &error))
        graph = net_topology_build(request->topology, &params, &error);
    bool good = graph && net_graph_check(graph, &error);
    if (good && processor_count(graph) > MOST_NODES)
        good = jm_fail(&error, "jm net check", "%u nodes are more than %d",
                       processor_count(graph), MOST_NODES);
    if (good) {
        JmError plain;
        good = net_graph_is_plain(graph, &params, &plain)
                   ? net_graph_check_routes(graph, &error)
                   : net_graph_check_walks(graph, &error);
    }
    if (good)
        good = ends_are_nodes(graph, request, &error);
    if (good) {
        print(graph);
        if (request->from != NO_NODE)
            print_route(graph, first_of(graph, request->from),
                        first_of(graph, request->to));
    } else
        host_report(&error);
    net_graph_destroy(graph);
    return good ? EXIT_SUCCESS : EXIT_USAGE;
}

int net_command_check(int argc, char **argv) {
    ModelRequest line;
    JmError error;
    if (!model_parse(&line, "check", "jm net check", argc, argv, &error))
        return model_end(&line, false, &error);
    const Request request = {model_given(&line, "topology"),
                             model_count(&line, "from", NO_NODE),
                             model_count(&line, "to", NO_NODE)};
    if (model_given(&line, "help")) {
        puts("Usage: jm net check --topology SPEC\n"
             "Walks all that messages may do on a network: distances, and circles of\n"
             "channels that could deadlock, which are named.\n");
        model_help(&line);
        return EXIT_SUCCESS;
    }
    if (!request.topology)
        jm_fail(&error, line.command, "--topology is missing");
    else if ((request.from == NO_NODE) != (request.to == NO_NODE))
        jm_fail(&error, line.command, "--from and --to go together");
    else
        return check(&request);
    return model_end(&line, false, &error);
}
