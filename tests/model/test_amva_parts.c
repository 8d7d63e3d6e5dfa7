/* The parts of the mean value analysis against plain forms of the same equations, pair
 * by pair, on graphs small enough for that. */
#include <stdlib.h>

#include "net/model/iteration.h"
#include "net/model/mixing.h"
#include "net/topology/mesh.h"
#include "rig.h"

/* ---- a layout with waits that mean nothing --------------------------------------- */

typedef struct {
    Heap *heap;
    AmvaProblem problem;
    AmvaSums plain; /* for a test to fill in */
    NetGraph *graph;
    AmvaLayout layout;
    Iteration iteration;
    JmError error;
} Rig;

/* Waits that depend on the orbit only, all different. */
static void fill(Rig *rig) {
    AmvaUnknowns *const x = &rig->iteration.unknowns;
    for (size_t i = 0; i < x->count; i++)
        x->x[i] = fmod((double)i * 0.618034, 1) * 3;
    for (uint32_t c = 0; c < rig->layout.channel_orbits; c++)
        if (rig->graph->wire[rig->layout.channel_first[c]] == NET_NONE)
            x->wire_wait[c] = 0;
    for (size_t i = 0; i < x->cycles; i++)
        x->cycle[i] = 200 + 10 * (double)i;
}

static void lay_out(Heap *heap, void *context) {
    Rig *const rig = context;
    cr_assert(
        amva_layout_build(&rig->layout, heap, rig->graph, &rig->problem, &rig->error),
        "%s", rig->error.text);
    iteration_create(&rig->iteration, &rig->layout);
    amva_sums_create(&rig->plain, &rig->layout);
}

static void solve_processors(Heap *heap, void *context) {
    Rig *const rig = context;
    (void)heap;
    amva_processors(&rig->layout, &rig->iteration.sums, &rig->iteration.unknowns);
}

static void build(Rig *rig, unsigned x, unsigned y, unsigned z, AmvaProblem problem) {
    *rig = (Rig){.heap = heap_new(), .graph = mesh_graph(x, y, z), .problem = problem};
    cr_assert(rig->heap && heap_work(rig->heap, lay_out, rig));
}

static void drop(Rig *rig) {
    heap_delete(rig->heap);
    net_graph_destroy(rig->graph);
}

/* ---- routes pair by pair --------------------------------------------------------- */

enum { MAX_ROUTE = 64 };

/* The source and the channels of a route, and the edges between them. */
typedef struct {
    uint32_t point[MAX_ROUTE], edge[MAX_ROUTE];
    unsigned count;
} Route;

static Route route_of(const Rig *rig, uint32_t s, uint32_t d) {
    const NetGraph *graph = rig->graph;
    Route route = {0};
    uint32_t at = net_graph_source(graph, s, 0);
    while (at < net_graph_first_sink(graph)) {
        route.point[route.count++] = at;
        at = graph->next(graph, at, graph->address[d]);
        for (uint32_t i = graph->feeder_start[at]; i < graph->feeder_start[at + 1]; i++)
            if (graph->feeders[i] == route.point[route.count - 1])
                route.edge[route.count - 1] = i;
    }
    return route;
}

static double wire_wait(const Rig *rig, uint32_t point) {
    return point >= rig->graph->channels
               ? 0
               : rig->iteration.unknowns.wire_wait[rig->layout.channel_orbit[point]];
}

/* r of flit k (from 1) at place i of a route, by (A.5). */
static double stay(const Rig *rig, const Route *route, unsigned i, unsigned k) {
    double largest = 0;
    for (unsigned j = i; j < route->count && j < i + k; j++)
        largest = fmax(largest, wire_wait(rig, route->point[j]));
    if (i + k >= route->count)
        return 1 + largest;
    const uint32_t edge = rig->layout.edge_orbit[route->edge[i + k - 1]];
    return 1 + rig->iteration.unknowns.edge_wait[edge] + largest;
}

/* Largest wait for a wire on the last `length` channels. */
static double behind(const Rig *rig, const Route *route, unsigned length) {
    double largest = 0;
    const unsigned first = route->count > length ? route->count - length : 1;
    for (unsigned i = first; i < route->count; i++)
        largest = fmax(largest, wire_wait(rig, route->point[i]));
    return largest;
}

static double way(const Rig *rig, const Route *route, unsigned kind) {
    double time = 0;
    for (unsigned i = 0; i < route->count; i++)
        time += stay(rig, route, i, 1);
    const unsigned length = rig->layout.length[kind];
    return time + (length - 1) * (1 + behind(rig, route, length));
}

/* Sums of one pair, without the weights of orbits: all pairs are visited. */
static void add_pair(const Rig *rig, uint32_t s, uint32_t d, AmvaSums *sums) {
    const AmvaLayout *layout = &rig->layout;
    const Route route = route_of(rig, s, d);
    const double *cycle = rig->iteration.unknowns.cycle;
    const uint32_t home = layout->node_orbit[s], other = layout->node_orbit[d];
    const bool snakes = layout->kinds == 1;
    const double part = 1.0 / (layout->nodes - 1);
    const double rate[] = {part / cycle[snakes ? 0 : home],
                           snakes ? 0 : part / cycle[other]};
    for (unsigned i = 0; i + 1 < route.count; i++)
        for (unsigned kind = 0; kind < layout->kinds; kind++) {
            const uint32_t e = layout->edge_orbit[route.edge[i]];
            const double share = rate[kind] / layout->edge_size[e];
            sums->rate[e * layout->kinds + kind] += share;
            for (unsigned k = 0; k < layout->flits; k++) {
                const size_t at = e * sums->stride + kind * layout->flits + k;
                sums->stay[at] += share * stay(rig, &route, i + 1, k + 1);
                sums->before[at] += share * stay(rig, &route, i, k + 1);
            }
        }
    sums->sent[home] += part * way(rig, &route, KIND_REQUEST) / layout->node_size[home];
    if (!snakes)
        sums->answered[other] +=
            part * way(rig, &route, KIND_REPLY) / layout->node_size[other];
}

static void same(const double *a, const double *b, size_t count, const char *what) {
    for (size_t i = 0; i < count; i++)
        cr_assert_float_eq(a[i], b[i], 1e-9 * (fabs(b[i]) + 1e-6),
                           "%s %zu: %.12g, not %.12g", what, i, a[i], b[i]);
}

static void same_sums(const AmvaLayout *layout, const AmvaSums *a, const AmvaSums *b) {
    const size_t edges = layout->edge_orbits;
    same(a->rate, b->rate, edges * layout->kinds, "rate");
    same(a->stay, b->stay, edges * a->stride, "stay");
    same(a->before, b->before, edges * a->stride, "before");
    same(a->sent, b->sent, layout->node_orbits, "sent");
    same(a->answered, b->answered, layout->node_orbits, "answered");
}

static void check_trees(unsigned x, unsigned y, unsigned z, AmvaProblem problem) {
    Rig rig;
    build(&rig, x, y, z, problem);
    fill(&rig);
    for (uint32_t s = 0; s < rig.graph->nodes; s++)
        for (uint32_t d = 0; d < rig.graph->nodes; d++)
            if (s != d)
                add_pair(&rig, s, d, &rig.plain);
    amva_trees_add(&rig.layout, &rig.iteration.unknowns, &rig.iteration.sums);
    same_sums(&rig.layout, &rig.iteration.sums, &rig.plain);
    drop(&rig);
}

Test(parts, trees_add_up_all_routes) {
    AmvaProblem problem = requests(3, 20);
    problem.no_symmetry = true;
    check_trees(4, 3, 2, problem);
    problem.request = 2;
    problem.reply = 9;
    check_trees(4, 3, 2, problem);
    problem.no_symmetry = false;
    check_trees(4, 3, 2, problem);
    check_trees(5, 3, 3, problem);
    check_trees(4, 4, 2, snakes(3, 20));
    check_trees(7, 1, 1, requests(3, 20));
}

/* ---- prefixes -------------------------------------------------------------------- */

/* One sweep from the same waits. */
static void check_prefixes(unsigned x, unsigned y, unsigned z, AmvaProblem problem) {
    Rig trees, prefixes;
    problem.uncorrected = true;
    build(&trees, x, y, z, problem);
    problem.form = AMVA_PREFIXES;
    build(&prefixes, x, y, z, problem);
    cr_assert_eq(trees.layout.edge_orbits, prefixes.layout.edge_orbits);
    fill(&trees);
    fill(&prefixes);
    amva_trees_add(&trees.layout, &trees.iteration.unknowns, &trees.iteration.sums);
    amva_paths_add(&prefixes.layout, &prefixes.iteration.unknowns,
                   &prefixes.iteration.sums);
    same_sums(&trees.layout, &prefixes.iteration.sums, &trees.iteration.sums);
    drop(&trees);
    drop(&prefixes);
}

Test(parts, prefixes_add_up_as_trees_do) {
    AmvaProblem problem = requests(3, 20);
    check_prefixes(8, 8, 8, problem);
    check_prefixes(8, 8, 8, snakes(3, 20));
    check_prefixes(5, 3, 2, snakes(3, 20));
    check_prefixes(9, 1, 1, problem);
    check_prefixes(1, 4, 1, problem);
    problem.request = 1;
    problem.reply = 13;
    check_prefixes(5, 4, 3, problem);
    problem.no_symmetry = true;
    check_prefixes(5, 4, 3, problem);
}

static void look_at_paths(Heap *heap, void *context) {
    NetGraph *const graph = context;
    cr_assert(amva_paths_unique(heap, graph));
    /* Not any more if the source of node 1 also feeds what that of node 0 feeds. */
    for (uint32_t i = 0; i < graph->feeder_start[graph->channels]; i++)
        if (graph->feeders[i] == net_graph_source(graph, 0, 0))
            graph->feeders[i] = net_graph_source(graph, 1, 0);
    cr_assert_not(amva_paths_unique(heap, graph));
}

Test(parts, paths_of_a_mesh_are_unique) {
    NetGraph *const graph = mesh_graph(3, 2, 2);
    cr_assert(heap_run(look_at_paths, graph));
    net_graph_destroy(graph);
}

/* ---- symmetry -------------------------------------------------------------------- */

Test(parts, orbits_of_the_machine) {
    Rig rig;
    AmvaProblem problem = requests(5, 25);
    build(&rig, 8, 8, 8, problem);
    cr_assert_eq(rig.layout.node_orbits, 64);
    cr_assert_eq(rig.layout.edge_orbits, 1152);
    for (uint32_t i = 0; i < rig.layout.node_orbits; i++)
        cr_assert_eq(rig.layout.node_size[i], 8);
    drop(&rig);
    problem.p_first = true;
    build(&rig, 4, 4, 4, problem);
    cr_assert_eq(rig.layout.node_orbits, 64);
    drop(&rig);
}

static void same_solutions(unsigned x, unsigned y, unsigned z, AmvaProblem a,
                           AmvaProblem b, double share) {
    Solution p = solve(x, y, z, a), q = solve(x, y, z, b);
    for (uint32_t i = 0; i < p.result.nodes; i++) {
        NEAR(p.result.node[i].node_queue, q.result.node[i].node_queue, share);
        NEAR(p.result.node[i].cycle, q.result.node[i].cycle, share);
    }
    NEAR(p.result.bisection, q.result.bisection, share);
    free_solution(&p);
    free_solution(&q);
}

Test(parts, symmetry_does_not_change_a_solution) {
    for (unsigned i = 0; i < 3; i++) {
        AmvaProblem with = i == 2 ? snakes(5, 15) : requests(5, 15), without = with;
        without.no_symmetry = true;
        same_solutions(i == 1 ? 5 : 4, i == 1 ? 3 : 4, i == 1 ? 3 : 4, with, without,
                       1e-5);
    }
}

Test(parts, forms_have_the_same_solutions) {
    AmvaProblem trees = requests(3, 25), prefixes = trees;
    prefixes.form = AMVA_PREFIXES;
    /* Without the correction a reply finds its like: of the order 1/nodes. */
    same_solutions(6, 5, 4, trees, prefixes, 1.0 / 120);
    trees.uncorrected = true;
    same_solutions(6, 5, 4, trees, prefixes, 1e-5);
    trees = prefixes = snakes(3, 25);
    prefixes.form = AMVA_PREFIXES;
    same_solutions(6, 5, 4, trees, prefixes, 1e-5);
}

static void lay_out_walks(Heap *heap, void *context) {
    Rig *const rig = context;
    rig->problem.form = AMVA_PREFIXES;
    cr_assert(
        amva_layout_build(&rig->layout, heap, rig->graph, &rig->problem, &rig->error));
    rig->layout.corrected = true;
    amva_own_build(&rig->layout);
    iteration_create(&rig->iteration, &rig->layout);
}

static void iterate(Heap *heap, void *context) {
    Rig *const rig = context;
    AmvaResult result = {0};
    (void)heap;
    cr_assert(schedules_try(&rig->iteration, &rig->layout, &result, &rig->error));
    cr_assert_eq(result.state, MODEL_SOLVED);
}

/* Above 512 nodes the correction for own replies comes from walks over the first few
 * channels, below from all routes. Lengths differ, and the longer is more than some
 * routes have channels. */
Test(parts, own_replies_by_walks_and_by_routes) {
    AmvaProblem problem = requests(3, 60);
    problem.request = 4;
    problem.reply = 11;
    problem.tolerance = 1e-11;
    Rig routes, walks;
    build(&routes, 7, 5, 3, problem);
    walks = (Rig){.heap = heap_new(), .graph = mesh_graph(7, 5, 3), .problem = problem};
    cr_assert(walks.heap && heap_work(walks.heap, lay_out_walks, &walks));
    cr_assert(routes.layout.by_pair && walks.layout.own);
    cr_assert(heap_work(routes.heap, iterate, &routes));
    cr_assert(heap_work(walks.heap, iterate, &walks));
    const AmvaUnknowns *a = &routes.iteration.unknowns, *b = &walks.iteration.unknowns;
    for (uint32_t i = 0; i < routes.layout.node_orbits; i++) {
        NEAR(a->node_wait[i], b->node_wait[i], 1e-9);
        NEAR(a->cycle[i], b->cycle[i], 1e-9);
        NEAR(a->queue[i], b->queue[i], 1e-9);
    }
    drop(&routes);
    drop(&walks);
}

/* ---- waits ----------------------------------------------------------------------- */

/* (A.13): others that use half of the link cost a cycle. */
Test(parts, half_a_link_costs_a_cycle) {
    Rig rig;
    build(&rig, 2, 1, 1, snakes(1, 20));
    AmvaSums *const sums = &rig.iteration.sums;
    AmvaGuards guards = {0};
    double waits[16], load[16];
    cr_assert_leq(rig.layout.channel_orbits, 16);
    for (uint32_t e = 0; e < rig.layout.edge_orbits; e++)
        sums->rate[e] = 0.5 / 8 / rig.layout.customers;
    amva_wire_waits(&rig.layout, sums, load, waits, &guards);
    unsigned wires = 0;
    for (uint32_t c = 0; c < rig.layout.channel_orbits; c++) {
        const bool wire = rig.graph->wire[rig.layout.channel_first[c]] != NET_NONE;
        wires += wire;
        cr_assert_float_eq(waits[c], wire ? 1 : 0, 1e-12);
    }
    cr_assert_geq(wires, 1);
    cr_assert_eq(guards.wire, 0);
    for (uint32_t e = 0; e < rig.layout.edge_orbits; e++)
        sums->rate[e] *= 2;
    amva_wire_waits(&rig.layout, sums, load, waits, &guards);
    cr_assert_eq(guards.wire, wires);
    drop(&rig);
}

/* With a wire for each direction no message waits for one. */
Test(parts, separate_wires_cost_nothing) {
    NetParams params = net_params_default();
    params.shared_wires = 0;
    Rig rig = {.heap = heap_new(),
               .graph = net_mesh_create(4, 2, 1, &params, NULL),
               .problem = requests(2, 15)};
    cr_assert(rig.heap && rig.graph && heap_work(rig.heap, lay_out, &rig));
    cr_assert(heap_work(rig.heap, iterate, &rig));
    for (uint32_t c = 0; c < rig.layout.channel_orbits; c++) {
        cr_assert_gt(rig.iteration.load[c], 0);
        cr_assert_eq(rig.iteration.unknowns.wire_wait[c], 0);
    }
    drop(&rig);
}

/* (hops + 4) + (L - 1) cycles for a message in an empty machine. */
Test(parts, empty_network) {
    Rig rig;
    build(&rig, 4, 3, 2, requests(3, 20));
    amva_trees_add(&rig.layout, &rig.iteration.unknowns, &rig.iteration.sums);
    for (uint32_t orbit = 0; orbit < rig.layout.node_orbits; orbit++) {
        const int c = (int)rig.layout.node_first[orbit];
        double mean = 0;
        for (int d = 0; d < 24; d++) {
            const int hops =
                abs(c % 4 - d % 4) + abs(c / 4 % 3 - d / 4 % 3) + abs(c / 12 - d / 12);
            mean += d == c ? 0 : (hops + 4 + 7) / 23.0;
        }
        NEAR(rig.iteration.sums.sent[orbit], mean, 1e-12);
        NEAR(rig.iteration.sums.answered[orbit], mean, 1e-12);
    }
    drop(&rig);
}

/* Without waits in the network Snakes are a network of servers and a delay. */
Test(parts, snakes_without_waits_are_a_queueing_network) {
    enum { NODES = 24 };
    Rig rig;
    build(&rig, 4, 3, 2, snakes(3, 20));
    amva_trees_add(&rig.layout, &rig.iteration.unknowns, &rig.iteration.sums);
    cr_assert(heap_work(rig.heap, solve_processors, &rig));
    const double rate = rig.layout.customers / rig.iteration.unknowns.cycle[0];
    double service[NODES], visits[NODES], queues[NODES], delay = 0;
    for (unsigned i = 0; i < NODES; i++) {
        service[i] = 20;
        visits[i] = 1;
        delay += rig.iteration.sums.sent[rig.layout.node_orbit[i]];
    }
    NEAR(rate, mva_schweitzer(NODES, service, visits, delay, 72, queues), 1e-8);
    NEAR(rate, mva_exact(NODES, service, visits, delay, 72, queues), 0.03);
    drop(&rig);
}

/* The rate at which snakes pass each of equal processors, by bisection: with `own`
 * messages of each, a delay between visits, and a message that is being served found
 * with `rest` of its service left. */
static double rate_of_equals(double own, double nodes, double service, double delay,
                             double rest) {
    double low = 0, high = 1 / service;
    for (int i = 0; i < 200; i++) {
        const double rate = (low + high) / 2, queue = own - rate * delay;
        const double busy = rate * service;
        const double found = (1 - 1 / (own * nodes)) * (queue - busy + busy * rest);
        if (rate * (service * (1 + found) + delay) < own && queue > 0)
            low = rate;
        else
            high = rate;
    }
    return low;
}

/* With constant services half a service is left of the one that a snake finds. */
Test(parts, services_may_vary_less) {
    for (unsigned own = 1; own <= 8; own += 3)
        for (int k = 0; k <= 4; k++) {
            Rig rig;
            AmvaProblem problem = snakes(own, 30);
            problem.regularity = k / 4.0;
            build(&rig, 4, 4, 4, problem);
            amva_trees_add(&rig.layout, &rig.iteration.unknowns, &rig.iteration.sums);
            for (uint32_t i = 0; i < rig.layout.node_orbits; i++)
                rig.iteration.sums.sent[i] = 14;
            cr_assert(heap_work(rig.heap, solve_processors, &rig));
            const double rate = own / rig.iteration.unknowns.cycle[0] * 64;
            NEAR(rate, rate_of_equals(own, 64, 30, 14, 1 - k / 8.0), 1e-6);
            drop(&rig);
        }
}

/* ---- mixing ---------------------------------------------------------------------- */

/* A linear map of three places is solved after as many steps. */
static void linear_map(const double *y, double *g) {
    g[0] = 0.9 * y[0] + 0.05 * y[1] + 0.3;
    g[1] = -0.5 * y[0] + 0.8 * y[1] + 0.1 * y[2];
    g[2] = 0.2 * y[1] - 0.95 * y[2] + 0.5;
}

static void solve_linear_map(Heap *heap, void *context) {
    Mixing mixing;
    (void)context;
    mixing_create(&mixing, heap, 3);
    mixing_clear(&mixing);
    double y[3] = {0}, g[3];
    for (unsigned i = 0; i < 8; i++) {
        linear_map(y, g);
        mixing_step(&mixing, y, g);
        for (unsigned k = 0; k < 3; k++) {
            cr_assert_leq(fabs(g[k] - y[k]), 1 + 1e-12);
            y[k] = g[k];
        }
    }
    linear_map(y, g);
    for (unsigned k = 0; k < 3; k++)
        cr_assert_float_eq(g[k], y[k], 1e-6);
}

Test(parts, mixing_solves_a_linear_map) {
    cr_assert(heap_run(solve_linear_map, NULL));
}
