/* bench_net FOLDER: speed of the network alone, in network cycles per second of CPU
 * time: under a closed workload of abstract processors for the plane and the graph
 * engine; under shared memory (net/traffic/memory.c) for the flow engine. The figures
 * also go to FOLDER/net.json.
 *
 * bench_net WORKLOAD CYCLES: only runs a workload, by the plane engine, so that the
 * host's instructions for it can be counted. */
#include <assert.h>
#include <string.h>

#include "emu/core/rng.h"
#include "net/traffic/traffic.h"
#include "tests/bench/bench.h"

enum { ROUNDS = 5 };

typedef struct {
    const char *key, *what;
    unsigned side, load, work; /* messages per node; cycles of work on each */
    unsigned cycles[2];        /* of a round: plane, graph */
} Workload;

static const Workload workloads[] = {
    {"saturated_8", "8x8x8 saturated (m=5, h=45)", 8, 5, 45, {60000, 5000}},
    {"limited_8", "8x8x8 processor-limited (m=5, h=200)", 8, 5, 200, {100000, 8000}},
    {"light_8", "8x8x8 light (m=1, h=1000)", 8, 1, 1000, {200000, 20000}},
    {"saturated_16", "16x16x16 saturated (m=5, h=45)", 16, 5, 45, {8000, 500}},
    {"saturated_32", "32x32x32 saturated (m=5, h=45)", 32, 5, 45, {600, 50}},
};

enum { WORKLOADS = sizeof workloads / sizeof workloads[0] };

/* ---- a closed workload ------------------------------------------------------------
 * Abstract processors that behave like the Snakes (thesis 4.1). Each node starts with
 * some messages; it takes one, works on it, and sends one of four words to a random
 * node, itself included. So the number of messages is constant. Processors are bits of
 * sets rather than records, learn of changes (net_drained(), net_deliveries()) and poll
 * nothing, so that waiting or working ones cost no time. */

enum {
    WHEEL = 8192,   /* cycles covered: above the longest work */
    SEND_CYCLES = 3 /* that sending takes if there is room */
};

/* The cycles in which a message is sent: the routing word and the first of its four
 * words; two words; the last one. */
typedef enum { FIRST, MIDDLE, LAST, PHASES } Phase;

typedef struct {
    Net *net;
    unsigned work;
    JmRng rng;
    uint32_t nodes;
    size_t words;              /* of a set */
    uint16_t *queued;          /* by node: waiting messages */
    uint64_t *busy;            /* set: those with a message in hand */
    uint64_t *sending[PHASES]; /* set: those that send in the next cycle */
    uint64_t *full[PHASES];    /* set: those waiting for room in the output buffer */
    uint64_t *wheel;           /* sets by cycle % WHEEL: those done with their work */
    /* Whether a set has members: of those due and those waiting, by phase; by cycle %
     * WHEEL. */
    bool is_sending[PHASES], is_full[PHASES], turns[WHEEL];
    uint32_t *list; /* scratch: nodes, with one to spare */
    uint64_t now;   /* cycles done */
} Closed;

static void add(uint64_t *set, uint32_t node) {
    set[node / 64] |= UINT64_C(1) << (node % 64);
}

static void remove_node(uint64_t *set, uint32_t node) {
    set[node / 64] &= ~(UINT64_C(1) << (node % 64));
}

static bool has(const uint64_t *set, uint32_t node) {
    return set[node / 64] >> (node % 64) & 1;
}

/* Starts the work on a message; it is sent on after `cycles` cycles. */
static void begin_work(Closed *p, uint32_t node, unsigned cycles) {
    add(p->busy, node);
    const size_t then = (p->now + cycles) % WHEEL;
    add(p->wheel + then * p->words, node);
    p->turns[then] = true;
}

/* calloc() that cannot fail. */
static void *zeros(size_t count, size_t size) {
    void *memory = calloc(count, size);
    assert(memory);
    return memory;
}

static void allocate(Closed *p) {
    p->queued = zeros(p->nodes, sizeof *p->queued);
    p->busy = zeros(p->words, sizeof *p->busy);
    for (Phase phase = 0; phase < PHASES; phase++) {
        p->sending[phase] = zeros(p->words, sizeof *p->sending[phase]);
        p->full[phase] = zeros(p->words, sizeof *p->full[phase]);
    }
    p->list = zeros((size_t)p->nodes + 1, sizeof *p->list);
    p->wheel = zeros(p->words * WHEEL, sizeof *p->wheel);
}

static Closed *closed_create(Net *net, const Workload *plan) {
    Closed *p = zeros(1, sizeof *p);
    p->net = net;
    p->work = plan->work;
    p->rng = jm_rng(1);
    p->nodes = net_node_count(net);
    p->words = ((size_t)p->nodes + 511) / 512 * 8;
    allocate(p);
    for (uint32_t node = 0; node < p->nodes; node++) {
        p->queued[node] = (uint16_t)(plan->load - 1);
        begin_work(p, node, jm_rng_below(&p->rng, plan->work));
    }
    return p;
}

static void closed_destroy(Closed *p) {
    free(p->queued);
    free(p->busy);
    for (Phase phase = 0; phase < PHASES; phase++) {
        free(p->sending[phase]);
        free(p->full[phase]);
    }
    free(p->list);
    free(p->wheel);
    free(p);
}

/* Takes the next waiting message, if any. */
static void take_next(Closed *p, uint32_t node) {
    remove_node(p->busy, node);
    if (p->queued[node] == 0)
        return;
    p->queued[node]--;
    begin_work(p, node, 1 + p->work - SEND_CYCLES);
}

/* Draws a node uniformly, without a division. */
static uint32_t draw_node(Closed *p) {
    return (uint32_t)((jm_rng_next(&p->rng) >> 32) * p->nodes >> 32);
}

/* Performs a node's part of a sending phase that has room. */
static inline void send(Closed *p, uint32_t node, Phase phase) {
    if (phase == FIRST) {
        const uint32_t message = net_open(p->net, node, 0, draw_node(p));
        assert(message != NET_NONE);
    }
    net_offer(p->net, node, 0, phase == MIDDLE ? 2 : 1, phase == LAST);
    if (phase == LAST) {
        take_next(p, node);
    } else {
        add(p->sending[phase + 1], node);
        p->is_sending[phase + 1] = true;
    }
}

/* Lets nodes send in this phase: those due, and those that waited and may have room
 * again. Sets that have long been empty are skipped. */
static inline __attribute__((always_inline)) void send_all(Closed *p, uint64_t *due,
                                                           bool *is_due, Phase phase) {
    const uint64_t *const drained = net_drained(p->net, 0);
    const uint8_t *const places = net_places(p->net, 0);
    const unsigned most = net_buffer_words(p->net) - 2;
    uint64_t *const full = p->full[phase];
    uint64_t still_full = 0;
    if (!*is_due && !p->is_full[phase])
        return;
    *is_due = false;
    for (size_t w = 0; w < p->words; w++) {
        uint64_t nodes = due[w] | (full[w] & drained[w]), stopped = full[w] & ~nodes;
        due[w] = 0;
        for (; nodes; nodes &= nodes - 1) {
            const unsigned bit = (unsigned)__builtin_ctzll(nodes);
            const uint32_t node = (uint32_t)(w * 64) + bit;
            if (places[node] > most)
                stopped |= UINT64_C(1) << bit;
            else
                send(p, node, phase);
        }
        full[w] = stopped;
        still_full |= stopped;
    }
    p->is_full[phase] = still_full != 0;
}

/* Does the work of a cycle. Later phases go first, so that the successors of a phase
 * wait for the next cycle. */
static void work(Closed *p) {
    const size_t now = p->now % WHEEL;
    send_all(p, p->sending[LAST], &p->is_sending[LAST], LAST);
    send_all(p, p->sending[MIDDLE], &p->is_sending[MIDDLE], MIDDLE);
    send_all(p, p->wheel + now * p->words, &p->turns[now], FIRST);
}

/* Receives complete messages. Few words are the last of their message, so these are
 * listed first. */
static void receive(Closed *p) {
    size_t count, tails = 0;
    const NetDelivery *words = net_deliveries(p->net, &count);
    for (size_t i = 0; i < count; i++) {
        p->list[tails] = words[i].node;
        tails += words[i].tail;
    }
    for (size_t i = 0; i < tails; i++) {
        const uint32_t node = p->list[i];
        if (has(p->busy, node)) {
            p->queued[node]++;
        } else {
            begin_work(p, node, 1 + p->work - SEND_CYCLES);
        }
    }
}

static void closed_run(Closed *p, unsigned cycles) {
    for (; cycles > 0; cycles--, p->now++) {
        work(p);
        net_step(p->net);
        receive(p);
    }
}

/* ---- meshes ---------------------------------------------------------------------- */

static Net *create_net(const Workload *workload, const char *engine) {
    const NetParams params = net_params_default();
    JmError error;
    Net *net = net_create_mesh_with(workload->side, workload->side, workload->side,
                                    &params, engine, &error);
    if (!net)
        fail(error.text);
    return net;
}

static void run(void *processors, unsigned cycles) {
    closed_run(processors, cycles);
}

/* Runs the workload for this many cycles. */
typedef void RunCycles(void *subject, unsigned cycles);

/* Cycles per CPU second: the median of some rounds. */
static double median_rate(RunCycles *run_cycles, void *subject, unsigned cycles) {
    double rates[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        const double start = cpu_seconds();
        run_cycles(subject, cycles);
        rates[round] = cycles / (cpu_seconds() - start);
    }
    return median(rates, ROUNDS);
}

static double measure(const Workload *workload, const char *engine, unsigned cycles) {
    Net *net = create_net(workload, engine);
    Closed *processors = closed_create(net, workload);
    run(processors, workload->work > 500 ? 2 * workload->work : cycles / 4 + 200);
    const double rate = median_rate(run, processors, cycles);
    closed_destroy(processors);
    net_destroy(net);
    return rate;
}

/* ---- tori ------------------------------------------------------------------------ */

/* Tori, saturated by Adve and Vernon's processors with 4 requests out each. */
typedef struct {
    const char *key, *specification;
    unsigned side, cycles; /* of a round */
} Torus;

static const Torus tori[] = {
    {"torus_8", "torus=8x8", 8, 60000},
    {"torus_32", "torus=32x32", 32, 4000},
};

enum { TORI = sizeof tori / sizeof tori[0], BOOKSIM_NODES = 8 * 8 * 8 };

static void run_traffic(void *traffic, unsigned cycles) {
    while (cycles-- > 0)
        if (!net_traffic_step(traffic))
            fail("no memory for messages");
}

static double measure_torus(const Torus *torus) {
    NetOptionValues values;
    NetParams params = net_params_default();
    JmError error;
    const NetWorkload *rows =
        net_workload_read("memory,n_out=4,tau=20", &values, &error);
    if (!rows || !net_specification_params(torus->specification, &params, &error))
        fail(error.text);
    Net *net = net_create(torus->specification, &params, "auto", &error);
    NetTraffic *traffic =
        net ? net_traffic_create(net, rows, &values, 1, &error) : NULL;
    if (!traffic)
        fail(error.text);
    run_traffic(traffic, torus->cycles / 4);
    const double rate = median_rate(run_traffic, traffic, torus->cycles);
    net_traffic_destroy(traffic);
    net_destroy(net);
    return rate;
}

static void add_torus(const Torus *torus, json_t *figures) {
    const double rate = measure_torus(torus);
    const double nodes = (double)torus->side * torus->side;
    printf("%10.1f thousand cycles a second: %s, shared memory, 4 requests out\n"
           "%10s %.1f million node-cycles a second\n",
           rate / 1e3, torus->specification, "", rate * nodes / 1e6);
    json_object_set_new(figures, torus->key,
                        json_pack("{s:s++, s:f}", "what", "cycles, flow engine, ",
                                  torus->specification,
                                  ", shared memory, 4 requests out each 20 cycles",
                                  "per_cpu_second", rate));
}

static void run_one(const Workload *workload, unsigned cycles) {
    Net *net = create_net(workload, "plane");
    Closed *processors = closed_create(net, workload);
    run(processors, cycles);
    closed_destroy(processors);
    net_destroy(net);
}

int main(int argc, char **argv) {
    if (argc == 3) {
        for (int i = 0; i < WORKLOADS; i++)
            if (strcmp(workloads[i].key, argv[1]) == 0) {
                run_one(&workloads[i], (unsigned)strtoul(argv[2], NULL, 10));
                return 0;
            }
        fail("there is no such workload");
    }
    const char *folder = bench_folder(argc, argv);
    json_t *figures = json_object();
    for (int i = 0; i < WORKLOADS; i++) {
        const Workload *workload = &workloads[i];
        const double nodes = (double)workload->side * workload->side * workload->side;
        const double plane = measure(workload, "plane", workload->cycles[0]);
        const double graph = measure(workload, "graph", workload->cycles[1]);
        printf("%10.1f thousand cycles a second: network, %s\n"
               "%10s %.1f million node-cycles a second; %.1f times the graph engine\n",
               plane / 1e3, workload->what, "", plane * nodes / 1e6, plane / graph);
        json_object_set_new(figures, workload->key,
                            json_pack("{s:s+, s:f, s:f, s:s}", "what",
                                      "machine cycles, network alone, ", workload->what,
                                      "per_cpu_second", plane, "ratio", plane / graph,
                                      "beside", "graph engine"));
    }
    for (int i = 0; i < TORI; i++)
        add_torus(&tori[i], figures);
    printf("%10s beside: BookSim2, a saturated mesh of 8x8x8: 450 to 820 cycles a\n"
           "%10s second, %.1f to %.1f million node-cycles; another shape, with\n"
           "%10s routers in stages and credits\n",
           "", "", 450 * BOOKSIM_NODES / 1e6, 820 * BOOKSIM_NODES / 1e6, "");
    return bench_write(figures, folder, "net");
}
