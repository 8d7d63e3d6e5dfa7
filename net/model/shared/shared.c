/* Solves a problem: checks it, allocates, iterates, and fills in the result. */
#include "net/model/shared/shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "net/model/shared/parts.h"

/* ---- sets of terms by name ------------------------------------------------------- */

static const struct {
    const char *name;
    SharedTerms terms;
} sets[] = {
    {"printed", {0}},
    {"queue", {.link = SHARED_LINK_QUEUE}},
    {"twice", {.link = SHARED_LINK_TWICE}},
    {"worst", {.worst_wire = true}},
    {"rate", {.by_rate = true}},
    {"no_tail", {.no_tail = true}},
    {"own", {.keep_own = true}},
    {"longer", {.link = SHARED_LINK_TWICE, .no_tail = true}},
    {"thesis", {.link = SHARED_LINK_QUEUE, .worst_wire = true, .by_rate = true}},
};

bool net_shared_terms(const char *name, SharedTerms *terms) {
    for (unsigned i = 0; i < sizeof sets / sizeof sets[0]; i++)
        if (strcmp(sets[i].name, name) == 0) {
            *terms = sets[i].terms;
            return true;
        }
    return false;
}

/* ---- the problem ----------------------------------------------------------------- */

SharedProblem net_shared_problem_default(void) {
    return (SharedProblem){
        .customers = 1, .service = 25, .pair = {{3, 9, 0.8, 4, 4}, {11, 3, 0.2, 4, 4}}};
}

/* ---- bad input ------------------------------------------------------------------- */

/* Checks a pair of messages, request and reply: lengths in flits, times in cycles. */
static bool check_pair(const SharedPair *pair, JmError *error) {
    if (pair->request < 1 || pair->request > SHARED_MAX_LENGTH || pair->reply < 1 ||
        pair->reply > SHARED_MAX_LENGTH)
        return jm_fail(error, NULL, "a message of %u or %u flits: 1 to %d are expected",
                       pair->request, pair->reply, SHARED_MAX_LENGTH);
    return (pair->share >= 0 && pair->share <= 1 && pair->busy >= 0 &&
            pair->answer >= 0 && isfinite(pair->busy + pair->answer)) ||
           jm_fail(error, NULL, "a share of %g, memory times of %g and %g", pair->share,
                   pair->busy, pair->answer);
}

/* The equations assume one route for each pair of processors, and wires of one
 * cycle. */
static bool check_graph(const NetGraph *graph, JmError *error) {
    const uint32_t processors = net_graph_processors(graph);
    if (processors < 2 || processors > SHARED_MAX_PROCESSORS)
        return jm_fail(error, NULL, "%u processors: 2 to %d are expected", processors,
                       SHARED_MAX_PROCESSORS);
    if (graph->choices || graph->copies > 1)
        return jm_fail(error, NULL, "the model needs one route for each message");
    if (graph->delay)
        return jm_fail(error, NULL, "the model has no wires of several cycles");
    return graph->nodes == processors || graph->terminal ||
           jm_fail(error, NULL,
                   "the model needs one source for each processor, or one for each of "
                   "its first channels");
}

static bool check_places(const NetGraph *graph, const SharedProblem *problem,
                         JmError *error) {
    if (problem->buffers == SHARED_UNLIMITED || !graph->places)
        return true;
    for (uint32_t c = 0; c < graph->channels; c++)
        if (graph->places[c] != 1)
            return jm_fail(error, NULL,
                           "a channel holds %u flits: the model is of channels that "
                           "hold one, or any number",
                           graph->places[c]);
    return true;
}

/* Fields that an open network does not use are set to valid values. */
static SharedProblem settled_from(const SharedProblem *problem) {
    SharedProblem settled = *problem;
    settled.tolerance = problem->tolerance > 0 ? problem->tolerance : 1e-6;
    settled.sweeps = problem->sweeps ? problem->sweeps : 20000;
    if (problem->rate > 0) {
        const SharedProblem standard = net_shared_problem_default();
        settled.customers = 1; /* of a cycle of 1/rate */
        settled.service = standard.service;
        settled.pair[0] = (SharedPair){problem->pair[0].request, 1, 1, 0, 0};
        settled.pair[1] = (SharedPair){1, 1, 0, 0, 0};
    }
    return settled;
}

static bool check_rate(const SharedProblem *problem, JmError *error) {
    if (!(problem->rate >= 0 && problem->rate <= 1))
        return jm_fail(error, NULL, "a rate of %g: 0 to 1 is expected", problem->rate);
    return problem->rate == 0 || problem->buffers == SHARED_ONE_FLIT ||
           jm_fail(error, NULL, "an open network needs channels of one flit");
}

static bool check(const NetGraph *graph, const SharedProblem *problem, JmError *error) {
    double shares = 0;
    for (unsigned i = 0; i < SHARED_PAIRS; i++) {
        if (!check_pair(&problem->pair[i], error))
            return false;
        shares += problem->pair[i].share;
    }
    if (fabs(shares - 1) > 1e-9)
        return jm_fail(error, NULL, "shares of requests add up to %g", shares);
    if (problem->customers < 1 || problem->customers > SHARED_MAX_OUT)
        return jm_fail(error, NULL, "%u customers: 1 to %d are expected",
                       problem->customers, SHARED_MAX_OUT);
    if (!(problem->service > 1 && problem->service < 1e9))
        return jm_fail(error, NULL, "a service of %g cycles: more than 1 is expected",
                       problem->service);
    if (!(problem->weight >= 0 && problem->weight <= 1))
        return jm_fail(error, NULL, "a weight of %g", problem->weight);
    return check_rate(problem, error) && check_graph(graph, error) &&
           check_places(graph, problem, error);
}

/* ---- routing --------------------------------------------------------------------- */

/* Returns the number of wires on the route between the first terminals of two
 * processors. */
static uint32_t wires_between(const NetGraph *graph, uint32_t from, uint32_t to) {
    const uint32_t terminals = graph->nodes / net_graph_processors(graph);
    const uint32_t address =
        net_graph_address(graph, from * terminals, to * terminals, 0);
    uint32_t at = net_graph_source(graph, from * terminals, 0), wires = 0;
    for (; at < net_graph_first_sink(graph); at = graph->next(graph, at, address))
        wires += graph->wire[at] != NET_NONE;
    return wires;
}

/* Fills in the row of one processor. */
static void fill_row(const NetGraph *graph, uint32_t from, double neighbours,
                     double *row) {
    const uint32_t processors = net_graph_processors(graph);
    uint32_t near = 0;
    for (uint32_t to = 0; neighbours > 0 && to < processors; to++) {
        const bool is_near = to != from && wires_between(graph, from, to) == 1;
        row[to] = is_near;
        near += is_near;
    }
    for (uint32_t to = 0; to < processors; to++) {
        const double beside = neighbours > 0 && near ? row[to] / near : 0;
        row[to] =
            to == from ? 0 : neighbours * beside + (1 - neighbours) / (processors - 1);
    }
}

/* Row `from` holds the shares of requests to each processor; it adds up to 1. */
bool net_shared_routing(const NetGraph *graph, double neighbours, double hot,
                        uint32_t place, double *routing, JmError *error) {
    const uint32_t processors = net_graph_processors(graph);
    if (!(neighbours >= 0 && neighbours <= 1 && hot >= 0 && hot <= 1))
        return jm_fail(error, NULL, "shares of %g and %g: 0 to 1 are expected",
                       neighbours, hot);
    if (processors < 2 || place >= processors)
        return jm_fail(error, NULL,
                       "there are %u processors, number %u is none of them", processors,
                       place);
    for (uint32_t from = 0; from < processors; from++) {
        double *row = routing + (size_t)from * processors;
        fill_row(graph, from, neighbours, row);
        if (from == place)
            continue;
        for (uint32_t to = 0; to < processors; to++)
            row[to] *= 1 - hot;
        row[place] += hot;
    }
    return true;
}

/* Copies and checks the problem's routing; without one all other processors get equal
 * shares. */
static bool take_routing(Shared *s, JmError *error) {
    const size_t count = (size_t)s->processors * s->processors;
    s->routing = heap_doubles(s->heap, count);
    if (!s->problem->routing)
        return net_shared_routing(s->graph, 0, 0, 0, s->routing, error);
    memcpy(s->routing, s->problem->routing, count * sizeof *s->routing);
    for (uint32_t p = 0; p < s->processors; p++) {
        const double *row = s->routing + (size_t)p * s->processors;
        double sum = 0;
        for (uint32_t to = 0; to < s->processors; to++) {
            if (!(row[to] >= 0))
                return jm_fail(error, NULL, "a share of %g", row[to]);
            sum += row[to];
        }
        if (row[p] != 0 || fabs(sum - 1) > 1e-9)
            return jm_fail(error, NULL,
                           "the shares of processor %u are %g in all, %g to itself", p,
                           sum, row[p]);
    }
    return true;
}

/* ---- room ------------------------------------------------------------------------ */

/* The unknowns of all kinds lie one after the other in one vector. */
static void number_unknowns(Shared *s) {
    const bool unlimited = s->problem->buffers == SHARED_UNLIMITED;
    const uint32_t counts[UNKNOWNS] = {
        [UNKNOWN_WAIT] = unlimited ? s->queues * s->processors : s->ports,
        [UNKNOWN_NODE] = unlimited ? 0 : s->entries,
        [UNKNOWN_FIRST] = unlimited || !s->own_sources ? 0 : s->entries,
        [UNKNOWN_LINK] = s->stages,
        [UNKNOWN_MEMORY] = s->processors,
        [UNKNOWN_CYCLE] = s->processors};
    for (unsigned i = 0; i < UNKNOWNS; i++)
        s->start[i + 1] = s->start[i] + counts[i];
}

/* Finds the longest message and route, which bound the look-ahead along a route. */
static void find_longest(Shared *s) {
    uint32_t most = 0;
    for (unsigned i = 0; i < SHARED_PAIRS; i++) {
        const SharedPair *pair = &s->problem->pair[i];
        s->longest = pair->request > s->longest ? pair->request : s->longest;
        s->longest = pair->reply > s->longest ? pair->reply : s->longest;
    }
    for (uint32_t r = 0; r < s->routes; r++)
        most = s->route[r].steps > most ? s->route[r].steps : most;
    s->ahead = heap_doubles(s->heap, most + s->longest);
}

static void make_room(Shared *s) {
    const bool unlimited = s->problem->buffers == SHARED_UNLIMITED;
    number_unknowns(s);
    find_longest(s);
    const size_t flits = unlimited ? 1 : (size_t)s->ports * s->longest;
    const size_t classes = unlimited ? (size_t)s->queues * s->processors : 1;
    s->value = heap_doubles(s->heap, s->start[UNKNOWNS]);
    s->next = heap_doubles(s->heap, s->start[UNKNOWNS]);
    for (unsigned i = 0; i < 2; i++) {
        s->flits[i] = heap_doubles(s->heap, flits);
        s->class_load[i] = heap_doubles(s->heap, classes);
    }
    s->residence = heap_doubles(s->heap, flits);
    s->port = heap_alloc(s->heap, s->ports * sizeof *s->port);
    s->own = heap_doubles(s->heap, unlimited ? 1 : (size_t)s->entries * s->longest);
    s->flow = heap_doubles(s->heap, s->stages);
    s->other = heap_doubles(s->heap, s->stages);
    s->wire = heap_doubles(s->heap, s->graph->wires);
    s->away = heap_doubles(s->heap, s->processors);
    s->memory = heap_doubles(s->heap, s->processors);
    s->leaving = heap_alloc(s->heap, s->processors * sizeof *s->leaving);
}

/* ---- the result ------------------------------------------------------------------ */

/* Customers of a processor, by Little's law: at home and away. */
static double customers_found(const SharedProblem *problem, const SharedProcessor *p) {
    const double away = p->network + p->memory, rate = problem->customers / p->cycle;
    return rate * (shared_at_home(problem, away) + away);
}

/* Clears figures that an open network does not have. */
static void forget_customers(const Shared *s, SharedResult *result) {
    for (uint32_t i = 0; i < s->processors; i++)
        result->processor[i].efficiency = NAN;
    result->efficiency = result->highest = result->lowest = NAN;
    result->throughput = s->problem->rate;
    result->population = 0;
}

/* Fills in the figures of each processor and their means. `population` is a check: the
 * customers found by Little's law relative to the actual number, less 1; 0 for a
 * solution. */
static void fill_processors(const Shared *s, SharedResult *result) {
    const double n = s->problem->customers, count = s->processors;
    const double *cycle = shared_values((Shared *)s, UNKNOWN_CYCLE);
    double found = 0;
    result->efficiency = result->network = result->memory = result->throughput = 0;
    result->highest = -INFINITY;
    result->lowest = INFINITY;
    for (uint32_t i = 0; i < s->processors; i++) {
        SharedProcessor *p = &result->processor[i];
        *p = (SharedProcessor){
            .efficiency = fmin(1, n * s->problem->service / cycle[i]),
            .cycle = cycle[i],
            .network = s->away[i],
            .memory = s->memory[i],
            .node_wait = s->leaving[i].node_wait / s->leaving[i].rate,
            .first_channel = s->leaving[i].first_channel / s->leaving[i].rate};
        result->efficiency += p->efficiency / count;
        result->network += p->network / count;
        result->memory += p->memory / count;
        result->throughput += 2 * n / cycle[i] / count;
        result->highest = fmax(result->highest, p->efficiency);
        result->lowest = fmin(result->lowest, p->efficiency);
        found += customers_found(s->problem, p);
    }
    result->population = found / (n * count) - 1;
    if (shared_is_open(s))
        forget_customers(s, result);
}

/* Fills in the result; all figures are NaN if there is no solution. */
static void fill(const Shared *s, SharedResult *result) {
    result->processors = s->processors;
    result->wires = s->graph->wires;
    result->processor =
        heap_need(s->heap, malloc(s->processors * sizeof *result->processor));
    result->load =
        heap_need(s->heap, calloc(s->graph->wires + 1, sizeof *result->load));
    if (result->state != MODEL_SOLVED) {
        for (uint32_t i = 0; i < s->processors; i++)
            result->processor[i] = (SharedProcessor){NAN, NAN, NAN, NAN, NAN, NAN};
        for (uint32_t i = 0; i < s->graph->wires; i++)
            result->load[i] = NAN;
        return;
    }
    fill_processors(s, result);
    for (uint32_t c = 0; c < s->graph->channels; c++)
        if (s->graph->wire[c] != NET_NONE)
            result->load[s->graph->wire[c]] += s->flow[c];
}

void net_shared_result_free(SharedResult *result) {
    free(result->processor);
    free(result->load);
    result->processor = NULL;
    result->load = NULL;
}

/* A problem, and where its result goes. */
typedef struct {
    const NetGraph *graph;
    const SharedProblem *problem;
    SharedResult *result;
    JmError *error;
} Solve;

static bool solve(Heap *heap, void *context) {
    const Solve *const work = context;
    Shared s = {.heap = heap,
                .graph = work->graph,
                .problem = work->problem,
                .processors = net_graph_processors(work->graph)};
    if (!take_routing(&s, work->error))
        return false;
    shared_walk(&s);
    make_room(&s);
    shared_find_images(&s);
    shared_iterate(&s, work->result);
    fill(&s, work->result);
    return true;
}

bool net_shared_solve(const NetGraph *graph, const SharedProblem *problem,
                      SharedResult *result, JmError *error) {
    *result = (SharedResult){.state = MODEL_NOT_CONVERGED,
                             .change = NAN,
                             .efficiency = NAN,
                             .highest = NAN,
                             .lowest = NAN,
                             .network = NAN,
                             .memory = NAN,
                             .throughput = NAN,
                             .population = NAN};
    const SharedProblem settled = settled_from(problem);
    if (!check(graph, &settled, error))
        return false;
    return heap_do(solve, &(Solve){graph, &settled, result, error}, error, NULL,
                   "a model of %u processors", net_graph_processors(graph));
}
