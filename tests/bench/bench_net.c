/* bench_net FOLDER: speed of the network alone, with abstract processors that behave
 * like the Snakes (thesis 4.1): each node has `load` messages at first; it takes one,
 * works, and sends one of four words to a random node. Network cycles per second of CPU
 * time, for the plane engine and the graph engine beside it; the figures also go to
 * FOLDER/net.json. Processors are told what changed and never asked (net_drained). */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "emu/core/rng.h"
#include "net/net.h"

enum { WORDS = 4, SEND_CYCLES = 3, WHEEL = 8192, ROUNDS = 5 };

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

/* The processors: sets of nodes, a bit each. */
typedef struct {
    Net *net;
    const Workload *workload;
    JmRng rng;
    uint32_t nodes;
    size_t words;
    uint16_t *queued;  /* messages that wait, by node */
    uint8_t *sent;     /* words of the message that is being sent */
    uint64_t *busy;    /* have a message in hand */
    uint64_t *sending; /* send more in the next cycle */
    uint64_t *full;    /* wait for room in the output buffer */
    uint64_t *wheel;   /* by cycle % WHEEL: done with their work */
    uint64_t now;
} Processors;

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *zeroed(size_t count, size_t size) {
    void *items = calloc(count, size);
    if (!items) {
        fprintf(stderr, "bench_net: no memory\n");
        exit(EXIT_FAILURE);
    }
    return items;
}

static void add(uint64_t *set, uint32_t node) {
    set[node / 64] |= UINT64_C(1) << (node % 64);
}

static void remove_node(uint64_t *set, uint32_t node) {
    set[node / 64] &= ~(UINT64_C(1) << (node % 64));
}

static bool has(const uint64_t *set, uint32_t node) {
    return set[node / 64] >> (node % 64) & 1;
}

/* A message is in hand: it is sent on after `cycles`. */
static void begin_work(Processors *p, uint32_t node, unsigned cycles) {
    add(p->busy, node);
    add(p->wheel + (p->now + cycles) % WHEEL * p->words, node);
}

static Processors create(const Workload *workload, const char *engine) {
    Processors p = {.workload = workload, .rng = jm_rng(1)};
    const NetParams params = net_params_default();
    JmError error;
    p.net = net_create_mesh_with(workload->side, workload->side, workload->side,
                                 &params, engine, &error);
    if (!p.net) {
        fprintf(stderr, "bench_net: %s\n", error.text);
        exit(EXIT_FAILURE);
    }
    p.nodes = net_node_count(p.net);
    p.words = (p.nodes + 511) / 512 * 8;
    p.queued = zeroed(p.nodes, sizeof *p.queued);
    p.sent = zeroed(p.nodes, sizeof *p.sent);
    p.busy = zeroed(p.words, sizeof *p.busy);
    p.sending = zeroed(p.words, sizeof *p.sending);
    p.full = zeroed(p.words, sizeof *p.full);
    p.wheel = zeroed(p.words * WHEEL, sizeof *p.wheel);
    for (uint32_t node = 0; node < p.nodes; node++) {
        p.queued[node] = (uint16_t)(workload->load - 1);
        begin_work(&p, node, jm_rng_below(&p.rng, workload->work));
    }
    return p;
}

static void destroy(Processors *p) {
    net_destroy(p->net);
    free(p->queued);
    free(p->sent);
    free(p->busy);
    free(p->sending);
    free(p->full);
    free(p->wheel);
}

static void take_next(Processors *p, uint32_t node) {
    remove_node(p->busy, node);
    if (p->queued[node] == 0)
        return;
    p->queued[node]--;
    begin_work(p, node, 1 + p->workload->work - SEND_CYCLES);
}

/* The routing word and one more, then two words in a cycle. */
static void send(Processors *p, uint32_t node) {
    if (net_room(p->net, node, 0) < 2) {
        add(p->full, node);
        return;
    }
    unsigned words = 1;
    if (p->sent[node] == 0)
        net_open(p->net, node, 0, jm_rng_below(&p->rng, p->nodes));
    else if (WORDS - p->sent[node] > 1)
        words = 2;
    p->sent[node] = (uint8_t)(p->sent[node] + words);
    net_offer(p->net, node, 0, words, p->sent[node] == WORDS);
    if (p->sent[node] < WORDS) {
        add(p->sending, node);
        return;
    }
    p->sent[node] = 0;
    take_next(p, node);
}

static void work(Processors *p) {
    uint64_t *done = p->wheel + p->now % WHEEL * p->words;
    const uint64_t *drained = net_drained(p->net, 0);
    for (size_t w = 0; w < p->words; w++) {
        uint64_t nodes = done[w] | p->sending[w] | (p->full[w] & drained[w]);
        if (nodes == 0)
            continue;
        done[w] = p->sending[w] = 0;
        p->full[w] &= ~nodes;
        for (; nodes; nodes &= nodes - 1)
            send(p, (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(nodes));
    }
}

static void receive(Processors *p) {
    size_t count;
    const NetDelivery *words = net_deliveries(p->net, &count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t node = words[i].node;
        if (!words[i].tail)
            continue;
        if (has(p->busy, node))
            p->queued[node]++;
        else
            begin_work(p, node, 1 + p->workload->work - SEND_CYCLES);
    }
}

static void run(Processors *p, unsigned cycles) {
    for (; cycles > 0; cycles--, p->now++) {
        work(p);
        net_step(p->net);
        receive(p);
    }
}

/* Cycles per CPU second: the median of some rounds. */
static double measure(const Workload *workload, const char *engine, unsigned cycles) {
    Processors p = create(workload, engine);
    double rates[ROUNDS];
    run(&p, workload->work > 500 ? 2 * workload->work : cycles / 4 + 200);
    for (int round = 0; round < ROUNDS; round++) {
        const double start = cpu_seconds();
        run(&p, cycles);
        const double rate = cycles / (cpu_seconds() - start);
        int place = round;
        for (; place > 0 && rates[place - 1] > rate; place--)
            rates[place] = rates[place - 1];
        rates[place] = rate;
    }
    destroy(&p);
    return rates[ROUNDS / 2];
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: bench_net FOLDER\n");
        return 2;
    }
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
    char path[4096];
    snprintf(path, sizeof path, "%s/net.json", argv[1]);
    const int failed =
        json_dump_file(figures, path, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    json_decref(figures);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
