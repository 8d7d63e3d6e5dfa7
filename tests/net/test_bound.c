/* The bound of a pattern: on paper, against a different count over the routes, and
 * beside what networks accept. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/graph/loads.h"
#include "net/traffic/pattern.h"
#include "rig.h"

enum { LENGTH = 5 }; /* flits of a message, whole words in any format */

static bool make_pattern(Heap *heap, NetPattern *pattern, const NetGraph *graph,
                         const char *text) {
    char specification[100];
    NetOptionValues values;
    NetPatternPlan plan;
    snprintf(specification, sizeof specification, "pattern=%s", text);
    cr_assert(net_workload_read(specification, &values, NULL));
    cr_assert(net_pattern_plan(&plan, &values, NULL));
    return net_pattern_create(heap, pattern, &plan, net_graph_processors(graph),
                              &graph->grid, NULL);
}

static double share(const void *pattern, uint32_t from, uint32_t to) {
    return net_pattern_share(pattern, from, to);
}

/* Gamma for messages of `flits`, and the load of the busiest end. */
static double gamma_of(const char *topology, const char *text, unsigned flits,
                       double *ends) {
    NetGraph *graph = graph_of(topology);
    Heap *heap = heap_new();
    NetPattern pattern;
    NetLoads loads;
    cr_assert(make_pattern(heap, &pattern, graph, text), "%s, %s", topology, text);
    cr_assert(net_graph_loads(graph, share, &pattern, flits, &loads, NULL));
    cr_expect_eq(loads.gamma, loads.wire[loads.fullest]);
    for (uint32_t wire = 0; wire < graph->wires; wire++)
        cr_expect_leq(loads.wire[wire], loads.gamma * (1 + 1e-9));
    *ends = loads.ends;
    heap_delete(heap);
    free(loads.wire);
    net_graph_destroy(graph);
    return loads.gamma;
}

/* Dally and Towles 2004, 3.3, for torus and mesh; the mean distance of uniform traffic
 * on a ring of 8 is 16/7, half of it each way. */
Test(bound, is_what_it_is_by_hand) {
    static const struct {
        const char *topology, *pattern;
        double gamma, ends;
    } all[] = {
        {"torus=8x8", "uniform", 64.0 / 63, 1},
        {"torus=8x8", "tornado", 3, 1},
        {"torus=8x8", "bitcomp", 2, 1},
        {"torus=8x8,ends=0", "bitcomp", 4, 1},
        {"torus=8x8,ends=0", "transpose", 7, 1},
        {"torus=8x8,ends=0", "uniform", 128.0 / 63, 1},
        {"torus=8", "uniform", 8.0 / 7, 1},
        {"torus=8", "tornado", 3, 1},
        {"torus=8,oneway=1", "neighbor", 7, 1},
        {"torus=4x4x4", "uniform", 32.0 / 63, 1},
        {"torus=4x4x4", "tornado", 1, 1},
        {"torus=4x4x4x4", "uniform", 128.0 / 255, 1},
        {"mesh=8x8", "uniform", 256.0 / 63, 1}, /* a wire for both ways */
        /* Of five flits, three of them header, all cross X, four Y, three Z, and two
         * arrive. Node 2 itself sends anywhere. */
        {"mesh=8", "bitcomp", 8, 1},
        {"mesh=1x8", "bitcomp", 8 * 4 / 5.0, 1},
        {"mesh=1x1x8", "bitcomp", 8 * 3 / 5.0, 1},
        {"mesh=8", "hotspot,f_hot=1,hot=2", 5 + 5 / 7.0, 7 * 2 / 5.0},
        /* All send to node 5; from each side come those of a column and half of one. */
        {"torus=4x4", "hotspot,f_hot=1,hot=5", 6, 15},
        {"torus=8x8,lanes=4", "tornado", 3, 1},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        double ends;
        const double gamma = gamma_of(all[i].topology, all[i].pattern, LENGTH, &ends);
        cr_expect_float_eq(gamma, all[i].gamma, 1e-9, "%s, %s: %.9g", all[i].topology,
                           all[i].pattern, gamma);
        cr_expect_float_eq(ends, all[i].ends, 1e-9, "%s, %s: %.9g", all[i].topology,
                           all[i].pattern, ends);
    }
}

/* All flits together cross as many wires as their messages' distances add up to; header
 * flits go up to where they are dropped. */
Test(bound, loads_add_up_to_the_distances) {
    static const char *const topologies[] = {"torus=5x4", "torus=3x4x2,oneway=1",
                                             "torus=4x4,links=multiple", "mesh=4x3x2",
                                             "clos=2x2,levels=2"};
    for (size_t i = 0; i < sizeof topologies / sizeof topologies[0]; i++) {
        NetGraph *graph = graph_of(topologies[i]);
        const uint32_t count = net_graph_processors(graph);
        const uint32_t draws = graph->address_from ? graph->draws : 1;
        const uint32_t links = graph->nodes / count;
        Heap *heap = heap_new();
        NetPattern pattern;
        NetLoads loads;
        double crossings = 0, sum = 0;
        cr_assert(make_pattern(heap, &pattern, graph, "uniform"));
        cr_assert(net_graph_loads(graph, share, &pattern, LENGTH, &loads, NULL));
        for (uint32_t k = 0; k < count * count * draws; k++) {
            const uint32_t from = k / draws / count * links;
            const uint32_t to = k / draws % count * links;
            const uint32_t address = net_graph_address(graph, from, to, k % draws);
            uint32_t at = net_graph_source(
                graph, graph->terminal ? graph->terminal(graph, from, address) : from,
                0);
            double flits = LENGTH;
            for (; from != to && at < net_graph_first_sink(graph);
                 at = graph->next(graph, at, address)) {
                flits -= graph->label[at].drops_header;
                crossings += graph->wire[at] != NET_NONE ? flits / LENGTH : 0;
            }
        }
        for (uint32_t wire = 0; wire < graph->wires; wire++)
            sum += loads.wire[wire];
        cr_expect_float_eq(sum, crossings / draws / (count - 1), 1e-6, "%s",
                           topologies[i]);
        heap_delete(heap);
        free(loads.wire);
        net_graph_destroy(graph);
    }
}

Test(bound, is_of_one_route_a_message) {
    NetGraph *graph = graph_of("torus=4x4,lanes=3,escape=2");
    Heap *heap = heap_new();
    NetPattern pattern;
    NetLoads loads;
    JmError error = {.text = ""};
    cr_assert(make_pattern(heap, &pattern, graph, "uniform"));
    cr_expect_not(net_graph_loads(graph, share, &pattern, LENGTH, &loads, &error));
    cr_expect_not_null(strstr(error.text, "without escape"), "%s", error.text);
    heap_delete(heap);
    net_graph_destroy(graph);
}

Test(bound, wires_are_named_by_where_they_begin) {
    static const char *const names[][2] = {{"torus=4x4", "0,0 columns up"},
                                           {"torus=3x2x2", "0,0,0 x1 up"},
                                           {"mesh=3x2x2", "0,0,0 +X"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[64];
        NetGraph *graph = graph_of(names[i][0]);
        net_graph_wire_name(graph, 0, text, sizeof text);
        cr_expect_str_eq(text, names[i][1]);
        net_graph_destroy(graph);
    }
}

/* ---- what networks accept -------------------------------------------------------- */

/* Random networks under random patterns, as much as sources can offer. */
static void choose(JmRng *rng, char *topology, char *workload, const char **pattern) {
    static const char *const patterns[] = {
        "uniform",  "bitcomp",   "bitrev",
        "shuffle",  "transpose", "tornado",
        "neighbor", "randperm",  "hotspot,hot=1;2,f_hot=0.3"};
    static const char *const options[] = {
        "",        ",lanes=2",  ",lanes=4",       ",oneway=1",
        ",ends=0", ",tie=wrap", ",ends=0,lanes=2"};
    static const char *const sizes[] = {"4x4", "8",     "2x4x2",   "4x2x4", "6x3",
                                        "16",  "3x3x3", "2x2x2x2", "8x2"};
    const unsigned places = 1 + jm_rng_below(rng, 4);
    const char *size = sizes[jm_rng_below(rng, sizeof sizes / sizeof sizes[0])];
    if (jm_rng_below(rng, 4) == 0 && strlen(size) < 7)
        snprintf(topology, 80, "mesh=%s", size);
    else
        snprintf(topology, 80, "torus=%s%s,places=%u", size,
                 options[jm_rng_below(rng, sizeof options / sizeof options[0])],
                 places);
    *pattern = patterns[jm_rng_below(rng, sizeof patterns / sizeof patterns[0])];
    const unsigned length = 2 + jm_rng_below(rng, 14);
    const unsigned most = *topology == 'm' ? length + NET_DIMENSIONS : length;
    snprintf(workload, 120, "pattern=%s,length=%u,rate=%.6g", *pattern, length,
             floor(1e6 / most) / 1e6);
}

static uint64_t flits_from[64]; /* that have arrived, by source */

static void note(const NetArrival *message, uint64_t now) {
    (void)now;
    flits_from[message->from] += message->flits;
}

/* Flits a cycle over `cycles` cycles behind a quarter as many, of the node that gets
 * least of those that send: others may not need the fullest wire. */
static double accepted(const char *topology, const char *workload,
                       const NetPattern *pattern, uint64_t seed, unsigned cycles) {
    Load load;
    load_start_noted(&load, net_of(topology, ""), workload, seed, note);
    load_run(&load, cycles / 4);
    memset(flits_from, 0, sizeof flits_from);
    load_run(&load, cycles);
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < net_processor_count(load.net); i++)
        if (net_pattern_sends(pattern, i) && flits_from[i] < least)
            least = flits_from[i];
    load_end(&load);
    return (double)least / cycles;
}

/* JM_BOUNDS runs, or a few. A window may begin with flits inside; and what random draws
 * give a node is within five standard deviations of its messages. */
Test(bound, no_network_accepts_more, .timeout = 3000) {
    const char *wanted = getenv("JM_BOUNDS");
    const unsigned runs = wanted ? (unsigned)strtoul(wanted, NULL, 10) : 36;
    enum { CYCLES = 3000 };
    JmRng rng = jm_rng(11);
    unsigned near = 0, done = 0;
    while (done < runs) {
        char topology[80], workload[120];
        const char *text;
        double ends = 0;
        Heap *heap = heap_new();
        NetPattern pattern;
        choose(&rng, topology, workload, &text);
        NetGraph *graph = graph_of(topology);
        const bool fits = make_pattern(heap, &pattern, graph, text);
        net_graph_destroy(graph);
        if (!fits) {
            heap_delete(heap);
            continue;
        }
        unsigned length = (unsigned)strtoul(strstr(workload, "length=") + 7, NULL, 10);
        if (*topology == 'm')
            length = net_traffic_whole(NET_DIMENSIONS, NET_FLITS_PER_WORD, length);
        const double load = gamma_of(topology, text, length, &ends);
        const double gamma = fmax(load, ends);
        const double flits = accepted(topology, workload, &pattern, done, CYCLES);
        const double messages = CYCLES / (double)length;
        cr_expect_leq(flits * gamma, 1 + (pattern.to ? 0.03 : 5 / sqrt(messages)),
                      "%s, %s: %g of %g", topology, workload, flits, 1 / gamma);
        near += flits * gamma > 0.5;
        heap_delete(heap);
        done++;
    }
    cr_expect_gt(near, runs / 4, "%u of %u", near, runs);
}
