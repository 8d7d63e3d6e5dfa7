/* Simulates closed networks of servers, event-driven or step by step. */
#include "net/model/servers.h"

#include <math.h>

#include "emu/core/heap.h"
#include "emu/core/rng.h"

enum { MOST_SERVERS = 1 << 20 };

/* A simulation. The next end of a service is found with a winner tree: leaf i is server
 * i, and each inner node has the earlier of its two children. */
typedef struct {
    const ServersProblem *problem;
    JmRng rng;
    uint32_t *customers;
    /* With requests: the customers of a server in the order in which they came, in a
     * circle from each to the next and from the last to the first. */
    uint32_t *home, *next; /* by customer */
    uint32_t *last;        /* by server */
    double *end;           /* by server: end of the service; infinite if idle */
    uint32_t *winner;
    uint32_t leaves; /* a power of two */
    unsigned over;   /* servers that currently overflow */
    double now;
} Run;

/* ---- customers that go home ------------------------------------------------------ */

/* Puts a customer behind those at a server; customers[] does not yet count it. */
static void append(Run *run, uint32_t server, uint32_t customer) {
    const uint32_t last = run->last[server];
    run->last[server] = customer;
    if (run->customers[server] == 0)
        run->next[customer] = customer;
    else {
        run->next[customer] = run->next[last];
        run->next[last] = customer;
    }
}

/* Returns the server to which the first customer at `from` goes, and puts it there. */
static uint32_t send_on(Run *run, uint32_t from) {
    const uint32_t last = run->last[from], customer = run->next[last];
    run->next[last] = run->next[customer];
    uint32_t to = run->home[customer];
    if (to == from) {
        to = jm_rng_below(&run->rng, run->problem->servers - 1);
        to += to >= from;
    }
    append(run, to, customer);
    return to;
}

/* Prepares the lists of all servers. */
static void settle(Heap *heap, Run *run, const ServersProblem *problem) {
    run->home = heap_alloc(heap, problem->customers * sizeof *run->home);
    run->next = heap_alloc(heap, problem->customers * sizeof *run->next);
    run->last = heap_alloc(heap, problem->servers * sizeof *run->last);
    uint32_t customer = 0;
    for (uint32_t i = 0; i < problem->servers; i++) {
        const uint32_t here = run->customers[i];
        for (run->customers[i] = 0; run->customers[i] < here; run->customers[i]++) {
            run->home[customer] = i;
            append(run, i, customer++);
        }
    }
}

/* ---- a run ---------------------------------------------------------------------- */

static bool check(const ServersProblem *problem, JmError *error) {
    if (problem->servers < 1 || problem->servers > MOST_SERVERS)
        return jm_fail(error, NULL, "%u servers: there can be 1 to %d",
                       problem->servers, MOST_SERVERS);
    return !problem->requests || problem->servers >= 2 ||
           jm_fail(error, NULL, "requests need another server to go to");
}

static Run create(Heap *heap, const ServersProblem *problem) {
    Run run = {.problem = problem, .rng = jm_rng(problem->seed), .leaves = 1};
    while (run.leaves < problem->servers)
        run.leaves *= 2;
    run.customers = heap_alloc(heap, problem->servers * sizeof *run.customers);
    run.end = heap_doubles(heap, run.leaves);
    run.winner = heap_alloc(heap, 2 * (size_t)run.leaves * sizeof *run.winner);
    for (uint32_t i = 0; i < problem->servers; i++)
        run.customers[i] = problem->customers / problem->servers;
    run.customers[0] += problem->customers % problem->servers;
    if (problem->requests)
        settle(heap, &run, problem);
    return run;
}

/* A simulation that is asked for. */
typedef struct {
    const ServersProblem *problem;
    ServersResult *result; /* in continuous time */
    double end;            /* in discrete time: of a step */
    uint64_t steps;
} Simulation;

static bool simulate(HeapWork *work, Simulation simulation, JmError *error) {
    return check(simulation.problem, error) &&
           (heap_run(work, &simulation) ||
            jm_fail_memory(error, NULL, "no memory for %u servers and %u customers",
                           simulation.problem->servers, simulation.problem->customers));
}

/* Draws a number uniformly in (0, 1]. */
static double uniform(Run *run) {
    return ((double)(jm_rng_next(&run->rng) >> 11) + 1) * 0x1p-53;
}

/* Draws a service time. */
static double service(Run *run, uint32_t server) {
    const ServersProblem *problem = run->problem;
    const double mean = server == 0 ? problem->slow : 1;
    if (!problem->constant)
        return -mean * log(uniform(run));
    return mean * (1 + problem->spread * (2 * uniform(run) - 1));
}

/* ---- ends of services ------------------------------------------------------------ */

/* Recomputes a node of the tree. */
static void play(Run *run, uint32_t node) {
    const uint32_t a = run->winner[2 * node], b = run->winner[2 * node + 1];
    run->winner[node] = run->end[b] < run->end[a] ? b : a;
}

static void set_end(Run *run, uint32_t server, double end) {
    run->end[server] = end;
    for (uint32_t node = (server + run->leaves) / 2; node > 0; node /= 2)
        play(run, node);
}

/* Starts all first services at random times in the past. */
static void start(Run *run) {
    for (uint32_t i = 0; i < run->leaves; i++) {
        run->winner[run->leaves + i] = i;
        run->end[i] = i < run->problem->servers && run->customers[i] > 0
                          ? uniform(run) * service(run, i)
                          : INFINITY;
    }
    for (uint32_t node = run->leaves - 1; node > 0; node--)
        play(run, node);
    for (uint32_t i = 0; i < run->problem->servers; i++)
        run->over += run->customers[i] > run->problem->queue;
}

/* ---- continuous time ------------------------------------------------------------- */

/* Moves the customer served at `from` to a random server, or home. */
static void move(Run *run, uint32_t from) {
    const ServersProblem *problem = run->problem;
    const uint32_t to = problem->requests ? send_on(run, from)
                                          : jm_rng_below(&run->rng, problem->servers);
    run->over -= run->customers[from] == problem->queue + 1;
    run->customers[from]--;
    run->over += run->customers[to] == problem->queue;
    run->customers[to]++;
    if (to != from && run->customers[to] == 1)
        set_end(run, to, run->now + service(run, to));
    set_end(run, from,
            run->customers[from] > 0 ? run->now + service(run, from) : INFINITY);
}

/* Accumulates the statistics of the state that ends at `until`. */
static void measure(Run *run, double until, ServersResult *result) {
    const double from = fmax(run->now, run->problem->warm_up);
    if (until <= from)
        return;
    result->mean_first += run->customers[0] * (until - from);
    result->overflow_share += run->over > 0 ? until - from : 0;
    if (run->problem->observe)
        run->problem->observe(run->problem->context, run->customers, until - from);
}

static void run_events(Run *run, ServersResult *result) {
    const ServersProblem *problem = run->problem;
    const double last = problem->warm_up + problem->duration;
    for (;;) {
        const uint32_t server = run->winner[1];
        const double end = fmin(run->end[server], last);
        measure(run, end, result);
        run->now = end;
        if (end >= last)
            return;
        const bool before = run->over > 0;
        move(run, server);
        if (end >= problem->warm_up) {
            result->services++;
            result->overflow_entries += !before && run->over > 0;
        }
    }
}

static void run_all(Heap *heap, void *context) {
    const Simulation *s = context;
    Run run = create(heap, s->problem);
    start(&run);
    run_events(&run, s->result);
    s->result->mean_first /= s->problem->duration;
    s->result->overflow_share /= s->problem->duration;
    s->result->overflow_entries /= s->problem->duration;
}

bool net_servers_run(const ServersProblem *problem, ServersResult *result,
                     JmError *error) {
    *result = (ServersResult){0};
    if (!(problem->slow > 0) || !(problem->spread >= 0 && problem->spread <= 1) ||
        !(problem->warm_up >= 0) || !(problem->duration > 0) ||
        isinf(problem->warm_up + problem->duration))
        return jm_fail(error, NULL,
                       "service and times of a simulation are out of range");
    return simulate(run_all, (Simulation){.problem = problem, .result = result}, error);
}

/* ---- discrete time --------------------------------------------------------------- */

static void step_all(Heap *heap, void *context) {
    const Simulation *s = context;
    const ServersProblem *problem = s->problem;
    Run run = create(heap, problem);
    for (uint64_t step = 0; step < s->steps; step++) {
        unsigned served = 0;
        for (uint32_t i = 0; i < problem->servers; i++)
            if (run.customers[i] > 0 && uniform(&run) <= s->end) {
                run.customers[i]--;
                served++;
            }
        while (served-- > 0)
            run.customers[jm_rng_below(&run.rng, problem->servers)]++;
        if (problem->observe)
            problem->observe(problem->context, run.customers, 1);
    }
}

bool net_servers_step(const ServersProblem *problem, double end, uint64_t steps,
                      JmError *error) {
    return simulate(
        step_all, (Simulation){.problem = problem, .end = end, .steps = steps}, error);
}
