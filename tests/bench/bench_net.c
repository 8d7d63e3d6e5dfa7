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

enum { SEND_CYCLES = 3, WHEEL = 8192, ROUNDS = 5 };

/* The cycles in which a message is sent: the routing word and the first of its four
 * words, two words, the last one. */
typedef enum { FIRST, MIDDLE, LAST, PHASES } Phase;

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
    uint16_t *queued;          /* messages that wait, by node */
    uint64_t *busy;            /* have a message in hand */
    uint64_t *sending[PHASES]; /* send in the next cycle */
    uint64_t *full[PHASES];    /* wait for room in the output buffer */
    uint64_t *wheel;           /* by cycle % WHEEL: done with their work */
    uint32_t *list;            /* scratch: nodes, with two to spare */
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
    p.busy = zeroed(p.words, sizeof *p.busy);
    for (Phase phase = 0; phase < PHASES; phase++) {
        p.sending[phase] = zeroed(p.words, sizeof *p.sending[phase]);
        p.full[phase] = zeroed(p.words, sizeof *p.full[phase]);
    }
    p.list = zeroed(p.nodes + 2, sizeof *p.list);
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
    free(p->busy);
    for (Phase phase = 0; phase < PHASES; phase++) {
        free(p->sending[phase]);
        free(p->full[phase]);
    }
    free(p->list);
    free(p->wheel);
}

static void take_next(Processors *p, uint32_t node) {
    remove_node(p->busy, node);
    if (p->queued[node] == 0)
        return;
    p->queued[node]--;
    begin_work(p, node, 1 + p->workload->work - SEND_CYCLES);
}

/* Nodes uniformly at random, without a division. */
static uint32_t draw_node(Processors *p) {
    return (uint32_t)((jm_rng_next(&p->rng) >> 32) * p->nodes >> 32);
}

static void send(Processors *p, uint32_t node, Phase phase) {
    if (phase == FIRST)
        net_open(p->net, node, 0, draw_node(p));
    net_offer(p->net, node, 0, phase == MIDDLE ? 2 : 1, phase == LAST);
    if (phase == LAST)
        take_next(p, node);
    else
        add(p->sending[phase + 1], node);
}

/* The members of a word. Most have few, and two are written without asking. */
static uint32_t *list_word(uint64_t bits, uint32_t base, uint32_t *list) {
    const uint64_t end = UINT64_C(1) << 63; /* so that some bit is found */
    for (unsigned i = 0; i < 2; i++, bits &= bits - 1) {
        *list = base + (uint32_t)__builtin_ctzll(bits | end);
        list += bits != 0;
    }
    for (; bits; bits &= bits - 1)
        *list++ = base + (uint32_t)__builtin_ctzll(bits);
    return list;
}

/* Who sends in this phase: those due, and those for whom there may be room again. */
static void send_all(Processors *p, uint64_t *due, Phase phase) {
    const uint64_t *drained = net_drained(p->net, 0);
    uint64_t *full = p->full[phase];
    uint32_t *end = p->list, *senders = p->list;
    for (size_t w = 0; w < p->words; w++) {
        const uint64_t nodes = due[w] | (full[w] & drained[w]);
        due[w] = 0;
        full[w] &= ~nodes;
        end = list_word(nodes, (uint32_t)(w * 64), end);
    }
    for (const uint32_t *node = p->list; node < end; node++) {
        const bool room = net_room(p->net, *node, 0) >= 2;
        full[*node / 64] |= (uint64_t)!room << (*node % 64);
        *senders = *node;
        senders += room;
    }
    for (const uint32_t *node = p->list; node < senders; node++)
        send(p, *node, phase);
}

/* Later phases first: what a phase leads to is for the next cycle. */
static void work(Processors *p) {
    send_all(p, p->sending[LAST], LAST);
    send_all(p, p->sending[MIDDLE], MIDDLE);
    send_all(p, p->wheel + p->now % WHEEL * p->words, FIRST);
}

/* Messages that have come in whole; few words are the last of theirs. */
static void receive(Processors *p) {
    size_t count, tails = 0;
    const NetDelivery *words = net_deliveries(p->net, &count);
    for (size_t i = 0; i < count; i++) {
        p->list[tails] = words[i].node;
        tails += words[i].tail;
    }
    for (size_t i = 0; i < tails; i++) {
        const uint32_t node = p->list[i];
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
